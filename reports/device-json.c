/* SPDX-License-Identifier: Apache-2.0 */
/* JSON: one object with all reports; numbers in full, text as valid UTF-8. */
#include "common/compat.h"
#include "common/json.h"
#include "reports/device.h"

static const char *const row_names[] = { "detail", "other", "subtotal", "total" };

struct json {
	struct device device;
	bool any; /* a report was printed before */
};

static void add_value(struct strbuf *out, const struct value *value)
{
	if (value->type == VALUE_TEXT)
		json_string(out, value->text);
	else if (value->type == VALUE_NUMBER)
		strbuf_addf(out, "%" PRIu64, value->number);
	else if (value->type == VALUE_REAL)
		strbuf_addf(out, "%.15g", value->real);
	else
		strbuf_addstr(out, "null");
}

static void add_pairs(struct strbuf *out, const struct pair *pairs, size_t count)
{
	strbuf_addch(out, '{');
	for (size_t i = 0; i < count; i++) {
		json_key(out, pairs[i].id, i == 0);
		add_value(out, &pairs[i].value);
	}
	strbuf_addch(out, '}');
}

/* Appends a row; empty texts are "", unknown numbers are left out. */
static void add_row(struct strbuf *out, const struct table *table, const struct row *row)
{
	strbuf_addf(out, "\n     {\"row\":\"%s\"", row_names[row->kind]);
	for (size_t i = 0; i < table->column_count; i++) {
		bool is_text = table->columns[i].type <= COLUMN_TEXT;

		if (table->columns[i].type == COLUMN_BAR ||
		    (row->values[i].type == VALUE_NONE && !is_text))
			continue;
		json_key(out, table->columns[i].id, false);
		if (row->values[i].type == VALUE_NONE)
			strbuf_addstr(out, "\"\"");
		else
			add_value(out, &row->values[i]);
	}
	strbuf_addch(out, '}');
}

/* Opens a table, up to its rows. */
static void open_table(struct strbuf *out, const struct table *table)
{
	strbuf_addstr(out, "\n   {\"table\":");
	json_string(out, table->id);
	strbuf_addstr(out, ",\"title\":");
	json_string(out, table->title);
	strbuf_addstr(out, ",\"context\":");
	add_pairs(out, table->context, table->context_count);
	strbuf_addstr(out, ",\"rows\":[");
}

static void add_rows(struct strbuf *out, const struct table *table, bool first)
{
	for (size_t i = 0; i < table->row_count; i++) {
		strbuf_addstr(out, first && !i ? "" : ",");
		add_row(out, table, &table->rows[i]);
	}
}

/* Appends a table, or the rest of one whose rows flow. */
static void add_table(struct device *device, const struct table *table)
{
	if (device->flowing != table)
		open_table(device->out, table);
	add_rows(device->out, table, device->flowing != table);
	strbuf_addstr(device->out, "]}");
}

static void add_note(struct strbuf *out, const struct block *block)
{
	struct strbuf id = STRBUF_INIT;

	if (block->number)
		diag_format_id(&id, block->number, block->severity);
	strbuf_addstr(out, "\n   {\"id\":");
	json_string(out, id.text);
	strbuf_addstr(out, ",\"text\":");
	json_string(out, block->text);
	strbuf_addch(out, '}');
	strbuf_release(&id);
}

/* Appends "tables":[ ... ], or the rest of them after the rows that have flowed. */
static void add_tables(struct device *device, const struct document *document)
{
	bool seen = !device->flowing, first = true;

	if (!device->flowing)
		strbuf_addstr(device->out, ",\n  \"tables\":[");
	for (size_t i = 0; i < document->count; i++) {
		const struct table *table = document->blocks[i].table;

		seen = seen || (table && table == device->flowing);
		if (!table || !seen)
			continue;
		strbuf_addstr(device->out, first ? "" : ",");
		first = false;
		add_table(device, table);
	}
	strbuf_addch(device->out, ']');
}

/* Appends "notes":[ ... ]. */
static void add_notes(struct strbuf *out, const struct document *document)
{
	bool first = true;

	strbuf_addstr(out, ",\n  \"notes\":[");
	for (size_t i = 0; i < document->count; i++) {
		const struct block *block = &document->blocks[i];

		if (block->kind != BLOCK_NOTE)
			continue;
		strbuf_addstr(out, first ? "" : ",");
		first = false;
		add_note(out, block);
	}
	strbuf_addch(out, ']');
}

/* Appends all groups of pairs as one object of objects. */
static void add_facts(struct strbuf *out, const struct document *document)
{
	bool first = true;

	strbuf_addstr(out, ",\n  \"facts\":{");
	for (size_t i = 0; i < document->count; i++) {
		const struct block *block = &document->blocks[i];

		for (size_t j = 0; j < block->group_count; j++) {
			json_key(out, block->groups[j].id, first);
			first = false;
			add_pairs(out, block->groups[j].pairs, block->groups[j].count);
		}
	}
	strbuf_addch(out, '}');
}

static void json_begin(struct device *device)
{
	const struct listing *listing = device->listing;

	strbuf_addstr(device->out, "{\"vigil\":");
	json_string(device->out, listing->version);
	strbuf_addstr(device->out, ",\"job\":");
	json_string(device->out, listing->job);
	strbuf_addstr(device->out, ",\"step\":");
	json_string(device->out, listing->step);
	strbuf_addstr(device->out, ",\"program\":");
	json_string(device->out, listing->program);
	strbuf_addf(device->out, ",\"complete\":%s,\n \"reports\":[",
		    listing->damaged ? "false" : "true");
}

/* Opens a document: its code, title and facts. */
static void open_document(struct json *json, const struct document *document)
{
	struct strbuf *out = json->device.out;

	strbuf_addf(out, "%s\n {\"code\":\"%s\",\"title\":\"%s\"", json->any ? "," : "",
		    document->code, document->title);
	json->any = true;
	add_facts(out, document);
}

static void json_flow(struct device *device, const struct document *document,
		      const struct table *table)
{
	bool first = !device->flowing, any = false;

	if (first) {
		open_document((struct json *)device, document);
		strbuf_addstr(device->out, ",\n  \"tables\":[");
		for (size_t i = 0; document->blocks[i].table != table; i++) {
			if (!document->blocks[i].table)
				continue;
			strbuf_addstr(device->out, any ? "," : "");
			add_table(device, document->blocks[i].table);
			any = true;
		}
		strbuf_addstr(device->out, any ? "," : "");
		open_table(device->out, table);
		device->flowing = table;
	}
	add_rows(device->out, table, first);
}

static void json_print(struct device *device, const struct document *document)
{
	if (!device->flowing)
		open_document((struct json *)device, document);
	add_tables(device, document);
	device->flowing = NULL;
	add_notes(device->out, document);
	strbuf_addstr(device->out, "}");
}

static void json_end(struct device *device)
{
	strbuf_addstr(device->out, "]}\n");
}

const struct device_class json_device = {
	.name = "json",
	.size = sizeof(struct json),
	.begin = json_begin,
	.print = json_print,
	.flow = json_flow,
	.end = json_end,
};
