/* SPDX-License-Identifier: Apache-2.0 */
/* Writes record types and records as application data. */
#include "common/compat.h"
#include "metrics/monitor/application.h"
#include "common/xalloc.h"
#include "metrics/outputs.h"

void application_add_number(struct strbuf *sb, size_t size, uint64_t number)
{
	unsigned char bytes[8];

	monitor_put(bytes, size, number);
	strbuf_add(sb, bytes, size);
}

void application_add_text(struct strbuf *sb, const void *text, size_t length)
{
	application_add_number(sb, 4, length);
	strbuf_add(sb, text, length);
}

static void add_string(struct strbuf *sb, const char *text)
{
	application_add_text(sb, text, strlen(text));
}

void application_type_init(struct application_type *type, const struct record_type *from,
			   unsigned number, const struct selection *selection)
{
	*type = (struct application_type){ .type = from, .number = number };
	type->fields = xcalloc(from->field_count, sizeof(*type->fields));
	for (size_t i = 0; i < from->field_count; i++)
		if (!selection || output_shows(selection, from, i))
			type->fields[type->field_count++] = i;
}

void application_type_release(struct application_type *type)
{
	free(type->fields);
}

void application_add_type(struct strbuf *sb, const struct application_type *type)
{
	const struct record_type *from = type->type;

	application_add_number(sb, 2, type->number);
	application_add_number(sb, 2, type->field_count);
	add_string(sb, from->name);
	add_string(sb, from->meaning ? from->meaning : "");
	for (size_t i = 0; i < type->field_count; i++) {
		const struct field *field = &from->fields[type->fields[i]];

		application_add_number(sb, 1, field->type);
		application_add_number(sb, 1, field->sense);
		application_add_number(sb, 2, field->optional);
		add_string(sb, field->name);
		add_string(sb, field->unit);
		add_string(sb, field->meaning ? field->meaning : "");
	}
}

/* Appends a member of a record: numbers of its size, texts and bytes with their length. */
static void add_value(struct strbuf *sb, const struct recordset *set, size_t record, size_t number,
		      const struct strmap *strings)
{
	const struct field *field = &set->type->fields[number];
	const unsigned char *member =
		(const unsigned char *)recordset_get(set, record) + field->offset;
	struct field_value value;
	size_t size = field_size(field->type);
	uint64_t raw = 0;

	if (field->type == FIELD_STRING || field->type == FIELD_BYTES) {
		if (!recordset_value(set, record, number, &value))
			application_add_number(sb, 4, UINT32_MAX);
		else if (field->type == FIELD_STRING)
			add_string(sb, strmap_text(strings, (uint32_t)value.number));
		else
			application_add_text(sb, value.bytes.data, value.bytes.length);
		return;
	}
	for (size_t i = 0; i < size; i++) {
		size_t at = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? size - 1 - i : i;

		raw = raw << 8 | member[at];
	}
	application_add_number(sb, size, raw);
}

size_t application_add_values(struct strbuf *sb, const struct application_type *type,
			      const struct recordset *set, size_t first,
			      const struct strmap *strings)
{
	size_t counted, from = sb->length, next = first;

	application_add_number(sb, 2, type->number);
	application_add_number(sb, 2, 0);
	counted = sb->length;
	application_add_number(sb, 4, 0);
	for (; next < set->count && sb->length - from < APPLICATION_MESSAGE; next++)
		for (size_t i = 0; i < type->field_count; i++)
			add_value(sb, set, next, type->fields[i], strings);
	monitor_put((unsigned char *)sb->text + counted, 4, next - first);
	return next;
}
