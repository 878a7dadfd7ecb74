/* SPDX-License-Identifier: Apache-2.0 */
/* CSV: a header line and rows for each report; numbers in full. */
#include "common/compat.h"
#include "common/utf8.h"
#include "reports/device.h"
#include "reports/text.h"

static const char *const row_names[] = { "detail", "other", "subtotal", "total" };

/* Returns whether a text is a number and nothing else: "-1.50". */
static bool is_number(const char *text)
{
	size_t digits;

	text += *text == '-' || *text == '+';
	digits = strspn(text, "0123456789");
	if (text[digits] == '.')
		digits += 1 + strspn(text + digits + 1, "0123456789");
	return strpbrk(text, "0123456789") && text[digits] == '\0';
}

/*
 * Appends a text that is harmless when a spreadsheet opens it: what would be taken
 * for a formula gets a leading apostrophe, control characters become periods. A
 * number stays a number.
 */
static void add_inert(struct strbuf *sb, const char *text)
{
	size_t length;

	if (*text && strchr("=+-@", *text) && !is_number(text))
		strbuf_addch(sb, '\'');
	for (; *text; text += length) {
		uint32_t code = utf8_decode(text, &length);

		if (code == UINT32_MAX)
			strbuf_addstr(sb, "\xef\xbf\xbd");
		else if (code == '\t')
			strbuf_addch(sb, ' ');
		else if (code < 0x20 || (code >= 0x7f && code < 0xa0))
			strbuf_addch(sb, '.');
		else
			strbuf_add(sb, text, length);
	}
}

/* Appends a field, in quotes where RFC 4180 requires them. */
static void add_field(struct strbuf *out, const char *text)
{
	bool quote = strpbrk(text, ",\"") || text[0] == ' ' || text[0] == '\t';
	struct strbuf clean = STRBUF_INIT;

	add_inert(&clean, text);
	if (quote)
		strbuf_addch(out, '"');
	for (size_t i = 0; i < clean.length; i++) {
		if (clean.text[i] == '"')
			strbuf_addch(out, '"');
		strbuf_addch(out, clean.text[i]);
	}
	if (quote)
		strbuf_addch(out, '"');
	strbuf_release(&clean);
}

static void add_value(struct strbuf *out, const struct value *value)
{
	strbuf_addch(out, ',');
	if (value->type == VALUE_TEXT)
		add_field(out, value->text);
	else if (value->type == VALUE_NUMBER)
		strbuf_addf(out, "%" PRIu64, value->number);
	else if (value->type == VALUE_REAL)
		strbuf_addf(out, "%.15g", value->real);
}

/* The columns of all tables of a report, each id once, in order of first appearance. */
struct header {
	const char *ids[96];
	size_t count;
};

struct csv {
	struct device device;
	struct header header; /* of the document being printed */
};

static size_t header_find(const struct header *header, const char *id)
{
	for (size_t i = 0; i < header->count; i++)
		if (strcmp(header->ids[i], id) == 0)
			return i;
	return SIZE_MAX;
}

static void header_put(struct header *header, const char *id)
{
	if (header_find(header, id) != SIZE_MAX)
		return;
	assert(header->count < ARRAY_SIZE(header->ids));
	header->ids[header->count++] = id;
}

static void make_header(const struct document *document, struct header *header)
{
	for (size_t i = 0; i < document->count; i++) {
		const struct block *block = &document->blocks[i];
		const struct table *table = block->table;

		for (size_t j = 0; table && j < table->context_count; j++)
			header_put(header, table->context[j].id);
		for (size_t j = 0; table && j < table->column_count; j++)
			if (table->columns[j].type != COLUMN_BAR)
				header_put(header, table->columns[j].id);
		if (block->kind == BLOCK_PAIRS) {
			header_put(header, "name");
			header_put(header, "value");
		}
		if (block->kind == BLOCK_NOTE && !document->noted)
			header_put(header, "note");
	}
	if (document->noted)
		header_put(header, "note");
}

/* Writes one line: report, table, row, and a value (or NULL) for each column of the header. */
static void put_line(struct device *device, const struct document *document, const char *table,
		     const char *row, const struct header *header,
		     const struct value *const *values)
{
	static const struct value none;

	strbuf_addf(device->out, "%s,%s,%s", document->code, table, row);
	for (size_t i = 0; i < header->count; i++)
		add_value(device->out, values[i] ? values[i] : &none);
	strbuf_addch(device->out, '\n');
}

static void put_table(struct device *device, const struct document *document,
		      const struct header *header, const struct table *table)
{
	for (size_t i = 0; i < table->row_count; i++) {
		const struct value *values[ARRAY_SIZE(header->ids)] = { NULL };

		for (size_t j = 0; j < table->context_count; j++)
			values[header_find(header, table->context[j].id)] =
				&table->context[j].value;
		for (size_t j = 0; j < table->column_count; j++)
			if (table->columns[j].type != COLUMN_BAR &&
			    table->rows[i].values[j].type != VALUE_NONE)
				values[header_find(header, table->columns[j].id)] =
					&table->rows[i].values[j];
		put_line(device, document, table->id, row_names[table->rows[i].kind], header,
			 values);
	}
}

static void put_pairs(struct device *device, const struct document *document,
		      const struct header *header, const struct pair_group *group)
{
	for (size_t i = 0; i < group->count; i++) {
		const struct value *values[ARRAY_SIZE(header->ids)] = { NULL };
		struct value name = { .type = VALUE_TEXT, .text = strbuf_empty };
		struct strbuf id = STRBUF_INIT;

		strbuf_addstr(&id, group->pairs[i].id);
		name.text = id.text;
		values[header_find(header, "name")] = &name;
		values[header_find(header, "value")] = &group->pairs[i].value;
		put_line(device, document, group->id, "detail", header, values);
		strbuf_release(&id);
	}
}

static void put_note(struct device *device, const struct document *document,
		     const struct header *header, const struct block *block)
{
	const struct value *values[ARRAY_SIZE(header->ids)] = { NULL };
	struct value note = { .type = VALUE_TEXT };
	struct strbuf sb = STRBUF_INIT;

	if (block->number) {
		diag_format_id(&sb, block->number, block->severity);
		strbuf_addch(&sb, ' ');
	}
	strbuf_addstr(&sb, block->text);
	note.text = sb.text;
	values[header_find(header, "note")] = &note;
	put_line(device, document, "notes", "note", header, values);
	strbuf_release(&sb);
}

static void csv_begin(struct device *device UNUSED)
{
}

static void put_header(struct device *device, const struct header *header)
{
	strbuf_addstr(device->out, "report,table,row");
	for (size_t i = 0; i < header->count; i++)
		strbuf_addf(device->out, ",%s", header->ids[i]);
	strbuf_addch(device->out, '\n');
}

static void put_block(struct device *device, const struct document *document,
		      const struct header *header, const struct block *block)
{
	if (block->table)
		put_table(device, document, header, block->table);
	for (size_t j = 0; j < block->group_count; j++)
		put_pairs(device, document, header, &block->groups[j]);
	if (block->kind == BLOCK_NOTE)
		put_note(device, document, header, block);
}

static void csv_flow(struct device *device, const struct document *document,
		     const struct table *table)
{
	struct csv *csv = (struct csv *)device;

	if (!device->flowing) {
		csv->header.count = 0;
		make_header(document, &csv->header);
		assert(document->noted); /* notes may follow the table */
		put_header(device, &csv->header);
		for (size_t i = 0; document->blocks[i].table != table; i++)
			put_block(device, document, &csv->header, &document->blocks[i]);
		device->flowing = table;
	}
	put_table(device, document, &csv->header, table);
}

static void csv_print(struct device *device, const struct document *document)
{
	struct csv *csv = (struct csv *)device;
	bool seen = !device->flowing;

	if (!device->flowing) {
		csv->header.count = 0;
		make_header(document, &csv->header);
		put_header(device, &csv->header);
	}
	for (size_t i = 0; i < document->count; i++) {
		seen = seen || document->blocks[i].table == device->flowing;
		if (seen)
			put_block(device, document, &csv->header, &document->blocks[i]);
	}
	device->flowing = NULL;
}

static void csv_end(struct device *device UNUSED)
{
}

const struct device_class csv_device = {
	.name = "csv",
	.size = sizeof(struct csv),
	.begin = csv_begin,
	.print = csv_print,
	.flow = csv_flow,
	.end = csv_end,
};
