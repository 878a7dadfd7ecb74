/* SPDX-License-Identifier: Apache-2.0 */
/* JSON: an object a record, one a line. */
#include "common/compat.h"
#include "metrics/outputs.h"
#include "common/utf8.h"

#include <math.h>

/* Appends a quoted text, with the replacement character for invalid UTF-8. */
static void add_text(struct strbuf *sb, const char *text)
{
	strbuf_addch(sb, '"');
	while (*text) {
		unsigned char c = (unsigned char)*text;
		size_t length = 1;

		if (c == '"' || c == '\\')
			strbuf_addf(sb, "\\%c", c);
		else if (c < ' ' || c == 127)
			strbuf_addf(sb, "\\u%04x", c);
		else if (utf8_decode(text, &length) == UINT32_MAX)
			strbuf_addstr(sb, "\\ufffd");
		else
			strbuf_add(sb, text, length);
		text += length;
	}
	strbuf_addch(sb, '"');
}

/* Appends a value; null where it is missing. */
static void add_value(struct strbuf *sb, const struct recordset *set, size_t record, size_t field,
		      const struct strmap *strings)
{
	struct field_value value;

	if (!recordset_value(set, record, field, &value) ||
	    (value.type == FIELD_DOUBLE && !isfinite(value.real)))
		strbuf_addstr(sb, "null");
	else if (value.type == FIELD_STRING)
		add_text(sb, strmap_text(strings, (uint32_t)value.number));
	else if (value.type == FIELD_BYTES)
		strbuf_addf(sb, "%zu", value.bytes.length);
	else
		output_value(sb, set, record, field, strings);
}

static void add_record(struct strbuf *sb, const struct snapshot *snapshot,
		       const struct recordset *set, size_t record, const struct json_lines *lines,
		       const struct strmap *strings)
{
	const struct record_type *type = set->type;
	const char *separator = "";

	strbuf_addf(sb, "{\"snapshot\":%" PRIu64 ",\"time\":", snapshot->sequence);
	if (snapshot->wall) {
		strbuf_addch(sb, '"');
		output_time(sb, snapshot->wall);
		strbuf_addch(sb, '"');
	} else {
		strbuf_addstr(sb, "null");
	}
	strbuf_addstr(sb, ",\"record\":");
	add_text(sb, type->name);
	strbuf_addstr(sb, ",\"items\":{");
	for (size_t i = 0; i < type->field_count; i++) {
		if (!output_shows(lines->selection, type, i))
			continue;
		strbuf_addstr(sb, separator);
		add_text(sb, type->fields[i].name);
		strbuf_addch(sb, ':');
		add_value(sb, set, record, i, strings);
		separator = ",";
	}
	strbuf_addstr(sb, "}}\n");
}

static enum module_status json_call(struct module *module, enum sync_point point UNUSED,
				    struct snapshot *snapshot, struct error *err)
{
	const struct json_lines *lines = module->context;
	const struct strmap *strings = engine_strings(module->engine);
	struct strbuf text = STRBUF_INIT;
	enum module_status status;

	for (size_t id = 0; id < snapshot->set_count; id++) {
		const struct recordset *set = snapshot->sets[id];

		if (!output_takes(lines->selection, set))
			continue;
		for (size_t i = 0; i < set->count; i++)
			add_record(&text, snapshot, set, i, lines, strings);
	}
	status = output_write(lines->stream, &text, err);
	strbuf_release(&text);
	return status;
}

const struct module_class json_lines_class = {
	.name = "TEXT.JSON",
	.summary = "writes a JSON object per record, each on a line",
	.capabilities = MODULE_CONSUMER,
	.sync_points = 1U << SYNC_SNAPSHOT_END,
	.call = json_call,
};
