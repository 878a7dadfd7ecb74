/* SPDX-License-Identifier: Apache-2.0 */
/* DDSC: the meanings of the collection's data, item by item. */
#include "common/compat.h"
#include "metrics/kinds.h"

enum { RECORD, ITEM, NUMBER, MODULE, TYPE, UNIT, KIND, OPTIONAL, MEANING, COUNT };

static const struct metric_item items[] = {
	TEXT_IDENTITY("record", "name", MADE, "The record type."),
	TEXT_IDENTITY("item", "name", MADE, "The item of the record."),
	IDENTITY("number", "id", MADE, "Its number in the record, from 1."),
	TEXT_IDENTITY("module", "name", MADE, "The producer of the records."),
	TEXT_IDENTITY("type", "name", MADE, "Its data type: unsigned, signed, text, real, bytes."),
	TEXT_IDENTITY("unit", "name", MADE, "The unit of its values."),
	TEXT_IDENTITY("kind", "name", MADE,
		      "Kind of its values: identity, level, counter (grows from a start), amount "
		      "(of the interval)."),
	IDENTITY("optional", "flag", MADE, "Whether a value may be missing: 1 yes, 0 no."),
	TEXT_IDENTITY("meaning", "text", MADE, "Its meaning."),
};

_Static_assert(ARRAY_SIZE(items) == COUNT, "the items are where they are said to be");

/* Adds a record for one item. */
static void add_item_record(struct metric_source *source, const struct module *module,
		 const struct record_type *type, size_t number)
{
	const struct field *field = &type->fields[number];

	metric_begin(source);
	metric_string(source, RECORD, type->name);
	metric_string(source, ITEM, field->name);
	source->values[NUMBER] = number + 1;
	metric_string(source, MODULE, module->class->name);
	metric_string(source, TYPE, field_type_name(field->type));
	if (field->unit && *field->unit)
		metric_string(source, UNIT, field->unit);
	metric_string(source, KIND, field_sense_name(field->sense));
	source->values[OPTIONAL] = field->optional;
	if (field->meaning && *field->meaning)
		metric_string(source, MEANING, field->meaning);
	metric_add(source);
}

/* Adds all records in the first snapshot, as the producers do not change in a collection. */
static void read_all(struct metric_source *source)
{
	const struct module *const *modules;
	size_t count = engine_modules(source->engine, &modules);
	bool *is_listed = source->own;

	for (size_t i = 0; i < count && !*is_listed; i++) {
		const struct record_type **type = modules[i]->types;

		for (; type && *type; type++)
			for (size_t number = 0; number < (*type)->field_count; number++)
				add_item_record(source, modules[i], *type, number);
	}
	*is_listed = true;
}

const struct metric_kind descriptions_kind = {
	.name = "DDSC",
	.record = "ddsc",
	.summary = "what the data of the collection means, item by item; recorded once",
	.meaning = "An item of a record type, recorded with the first snapshot.",
	METRIC_ITEMS(items),
	.private_size = sizeof(bool),
	.read = read_all,
};
