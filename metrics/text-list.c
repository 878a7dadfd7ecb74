/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LIST and LISTALL: all values of all records as text. Also functions shared by
 * all text outputs.
 */
#include "common/compat.h"
#include "metrics/outputs.h"
#include "common/clock.h"

void output_time(struct strbuf *sb, uint64_t wall)
{
	time_t seconds = (time_t)(wall / NSEC_PER_SEC);
	struct tm tm;

	if (!wall) {
		strbuf_addch(sb, '-');
		return;
	}
	gmtime_r(&seconds, &tm);
	strbuf_addf(sb, "%04d-%02d-%02dT%02d:%02d:%02d.%03uZ", tm.tm_year + 1900, tm.tm_mon + 1,
		    tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec,
		    (unsigned)(wall % NSEC_PER_SEC / NSEC_PER_MSEC));
}

enum module_status output_write(FILE *stream, struct strbuf *text, struct error *err)
{
	size_t written = fwrite(text->text, 1, text->length, stream);
	bool failed = written != text->length || fflush(stream) != 0;

	strbuf_reset(text);
	if (!failed)
		return MODULE_OK;
	error_errno(err, "the output cannot be written");
	return MODULE_FATAL;
}

/* Appends arbitrary bytes on one line. */
static void add_printable(struct strbuf *sb, const char *text)
{
	for (; *text; text++)
		strbuf_addch(sb, (unsigned char)*text < ' ' || *text == 127 ? '.' : *text);
}

void output_value(struct strbuf *sb, const struct recordset *set, size_t record, size_t field,
		  const struct strmap *strings)
{
	struct field_value value;

	if (!recordset_value(set, record, field, &value)) {
		strbuf_addch(sb, '-');
		return;
	}
	switch (value.type) {
	case FIELD_STRING:
		add_printable(sb, strmap_text(strings, (uint32_t)value.number));
		break;
	case FIELD_SIGNED:
	case FIELD_I8:
	case FIELD_I16:
	case FIELD_I32:
		strbuf_addf(sb, "%" PRId64, value.integer);
		break;
	case FIELD_DOUBLE:
		strbuf_addf(sb, "%.15g", value.real);
		break;
	case FIELD_BYTES:
		strbuf_addf(sb, "(%zu bytes)", value.bytes.length);
		break;
	default:
		strbuf_addf(sb, "%" PRIu64, value.number);
	}
}

bool output_takes(const struct selection *selection, const struct recordset *set)
{
	return set && set->count && selection_has(selection, set->type);
}

bool output_shows(const struct selection *selection, const struct record_type *type, size_t field)
{
	return (!field && type->fields[0].sense == SENSE_NONE) ||
	       selection_has_item(selection, type, field);
}

/* Appends the name of a type in upper case, as in its module's name. */
static void add_type(struct strbuf *sb, const char *name)
{
	for (; *name; name++)
		strbuf_addch(sb, *name >= 'a' && *name <= 'z' ? (char)(*name - 32) : *name);
}

static void add_record(struct strbuf *sb, const struct recordset *set, size_t record,
		       const struct text_list *list, const struct strmap *strings)
{
	static const char *const senses[] = { "", "level", "counter", "amount" };
	const struct record_type *type = set->type;

	strbuf_addstr(sb, "  ");
	add_type(sb, type->name);
	strbuf_addf(sb, " %zu of %zu\n", record + 1, set->count);
	for (size_t i = 0; i < type->field_count; i++) {
		const struct field *field = &type->fields[i];

		if (!output_shows(list->selection, type, i))
			continue;
		strbuf_addf(sb, "    %-32s ", field->name);
		output_value(sb, set, record, i, strings);
		strbuf_addf(sb, " %s", field->unit);
		if (list->all)
			strbuf_addf(sb, "%s%s: %s", *senses[field->sense] ? ", " : "",
				    senses[field->sense], field->meaning);
		strbuf_addch(sb, '\n');
	}
}

/* Appends the notes of a snapshot: skipped intervals, disabled modules. */
static void add_notes(struct strbuf *sb, const struct snapshot *snapshot,
		      const struct strmap *strings)
{
	const struct recordset *notes = snapshot_records(snapshot, RECORD_NOTE);

	for (size_t i = 0; i < notes->count; i++) {
		const struct record_note *note = recordset_get(notes, i);

		strbuf_addstr(sb, "  NOTE ");
		add_printable(sb, strmap_text(strings, (uint32_t)note->text));
		strbuf_addch(sb, '\n');
	}
}

static enum module_status list_call(struct module *module, enum sync_point point UNUSED,
				    struct snapshot *snapshot, struct error *err)
{
	const struct text_list *list = module->context;
	const struct strmap *strings = engine_strings(module->engine);
	struct strbuf text = STRBUF_INIT;
	enum module_status status;
	bool any = false;

	for (size_t id = 0; id < snapshot->set_count; id++) {
		const struct recordset *set = snapshot->sets[id];

		if (!output_takes(list->selection, set))
			continue;
		if (!any) {
			strbuf_addf(&text, "SNAPSHOT %" PRIu64 " ", snapshot->sequence);
			output_time(&text, snapshot->wall);
			strbuf_addch(&text, '\n');
			add_notes(&text, snapshot, strings);
		}
		any = true;
		for (size_t i = 0; i < set->count; i++)
			add_record(&text, set, i, list, strings);
	}
	status = output_write(list->stream, &text, err);
	strbuf_release(&text);
	return status;
}

const struct module_class text_list_class = {
	.name = "TEXT.LIST",
	.summary = "writes all values of all records as text",
	.capabilities = MODULE_CONSUMER,
	.sync_points = 1U << SYNC_SNAPSHOT_END,
	.call = list_call,
};
