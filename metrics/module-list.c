/* SPDX-License-Identifier: Apache-2.0 */
/* PDSC: the modules of the collection. */
#include "common/compat.h"
#include "common/xalloc.h"
#include "metrics/kinds.h"

enum { NAME, ORDER, SUMMARY, CAPABILITIES, POINTS, RECORD, ITEMS, AFTER, ACTIVE, REASON, COUNT };

static const struct metric_item items[] = {
	TEXT_IDENTITY("name", "name", MADE, "The module."),
	IDENTITY("place", "id", MADE, "Its position in the order of the modules, from 1."),
	TEXT_IDENTITY("summary", "text", MADE, "What the module does."),
	TEXT_IDENTITY("capabilities", "name", MADE,
		      "Its capabilities: producer, consumer, timer and others, separated by "
		      "blanks."),
	TEXT_IDENTITY("points", "name", MADE,
		      "When it is called: pre-baseline, snapshot, snapshot-end, collection-end."),
	TEXT_IDENTITY("record", "name", MADE, "The record type of a producer."),
	LEVEL("items", "count", MADE, "Items of that record type."),
	TEXT_IDENTITY("after", "name", MADE,
		      "Modules on which it depends, separated by blanks; those with ? are "
		      "optional."),
	LEVEL("active", "flag", MADE, "Whether it takes part: 1 yes, 0 switched off."),
	TEXT_LEVEL("reason", "text", MADE, "Reason why it was switched off."),
};

_Static_assert(ARRAY_SIZE(items) == COUNT, "the items are where they are said to be");

/* What was reported about each module, in order. */
struct reported_modules {
	bool *disabled; /* owned */
	size_t count;
};

static const char *const capability_names[] = { "producer",  "consumer", "timer",     "filter",
						"extractor", "grouper",	 "supporter", "monitor" };
static const char *const point_names[] = { "pre-baseline", "snapshot", "snapshot-end",
					   "collection-end" };

/* Sets an item to the names of the bits set. */
static void set_bits(struct metric_source *source, size_t item, unsigned bits,
		     const char *const *names, size_t count)
{
	struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < count; i++)
		if (bits & 1U << i)
			strbuf_addf(&text, "%s%s", text.length ? " " : "", names[i]);
	metric_string(source, item, text.text);
	strbuf_release(&text);
}

static void set_list(struct metric_source *source, size_t item, const char *const *names)
{
	struct strbuf text = STRBUF_INIT;

	for (; names && *names; names++)
		strbuf_addf(&text, "%s%s", text.length ? " " : "", *names);
	if (text.length)
		metric_string(source, item, text.text);
	strbuf_release(&text);
}

/* Adds a record for one module. */
static void add_module_record(struct metric_source *source, const struct module *module, size_t place)
{
	const struct module_class *class = module->class;
	const struct record_type *type = module->types ? module->types[0] : NULL;

	metric_begin(source);
	metric_string(source, NAME, class->name);
	source->values[ORDER] = place;
	if (class->summary)
		metric_string(source, SUMMARY, class->summary);
	set_bits(source, CAPABILITIES, module->capabilities, capability_names,
		 ARRAY_SIZE(capability_names));
	set_bits(source, POINTS, class->sync_points, point_names, ARRAY_SIZE(point_names));
	if (type) {
		metric_string(source, RECORD, type->name);
		source->values[ITEMS] = type->field_count;
	}
	set_list(source, AFTER, class->after);
	source->values[ACTIVE] = !module->disabled;
	if (module->reason)
		metric_string(source, REASON, module->reason);
	metric_add(source);
}

static void read_all(struct metric_source *source)
{
	const struct module *const *modules;
	size_t count = engine_modules(source->engine, &modules);
	struct reported_modules *reported_modules = source->own;

	if (reported_modules->count < count)
		reported_modules->disabled = xreallocarray(reported_modules->disabled, count, sizeof(*reported_modules->disabled));
	for (size_t i = 0; i < count; i++) {
		if (i < reported_modules->count && reported_modules->disabled[i] == modules[i]->disabled)
			continue;
		add_module_record(source, modules[i], i + 1);
		reported_modules->disabled[i] = modules[i]->disabled;
	}
	reported_modules->count = count;
}

static void release(struct metric_source *source)
{
	const struct reported_modules *reported_modules = source->own;

	free(reported_modules->disabled);
}

const struct metric_kind module_list_kind = {
	.name = "PDSC",
	.record = "pdsc",
	.summary = "the modules of the collection; recorded when one is switched off",
	.meaning = "A module, at the first snapshot or when its state has changed.",
	METRIC_ITEMS(items),
	.private_size = sizeof(struct reported_modules),
	.read = read_all,
	.release = release,
};
