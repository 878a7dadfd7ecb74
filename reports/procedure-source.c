/* SPDX-License-Identifier: Apache-2.0 */
/* The source of one procedure, with samples and waits next to its lines. */
#include "common/compat.h"
#include "common/path.h"
#include "common/xalloc.h"
#include "records/record-types.h"
#include "reports/procedure-sums.h"

/* Lines shown around those with figures, unless all are wanted. */
enum { AROUND = 5 };

static const struct column columns[] = {
	FIGURE(COLUMN_NUMBER, "line", NULL, "LINE", 7, .legend = NULL),
	FIGURE(COLUMN_NUMBER, "samples", NULL, "SAMPLES", 0,
	       .flags = COLUMN_ADDITIVE | COLUMN_DATA_ONLY),
	FIGURE(COLUMN_PERCENT, "cpu_own_percent", "CPU TIME %", "OWN", 6, .flags = COLUMN_ADDITIVE,
	       .legend = NULL),
	FIGURE(COLUMN_PERCENT, "cpu_total_percent", "CPU TIME %", "TOTAL", 6,
	       .flags = COLUMN_ADDITIVE),
	FIGURE(COLUMN_NUMBER, "waits", NULL, "WAITS", 8, .flags = COLUMN_ADDITIVE, .legend = NULL),
	FIGURE(COLUMN_TIME, "wait_total_ns", "MM.SS.HH", "ALL TASKS", 9, .flags = COLUMN_ADDITIVE),
	FIGURE(COLUMN_PERCENT, "run_total_percent", "RUN %", "TOTAL", 6, .flags = COLUMN_ADDITIVE,
	       .legend = NULL),
	{ .id = "text", .heading = "SOURCE TEXT", .width = 82, .type = COLUMN_TEXT },
};

/* A line of the procedure with samples or waits. */
struct hit {
	const struct call_place *place;
	const uint64_t *amounts;
};

/* One source while it is listed. */
struct listed {
	struct context *context;
	struct table *table;
	const char *path;
	size_t lines; /* 0: not readable */
	uint64_t total[PROCEDURE_AMOUNTS];
};

static void put_amounts(const struct listed *source, struct row *row, const uint64_t *amounts)
{
	const struct profile *profile = source->context->profile;
	double percent = profile_cpu_percent(profile, amounts[PROCEDURE_SAMPLES]);
	double waited = profile_run_percent(profile, amounts[WAIT_AMOUNT_CHARGED]);

	row_number(source->table, row, amounts[PROCEDURE_SAMPLES]);
	row_real(source->table, row, profile_cpu_percent(profile, amounts[PROCEDURE_OWN_SAMPLES]));
	row_real(source->table, row, percent);
	row_number(source->table, row, amounts[WAIT_AMOUNT_COUNT]);
	row_number(source->table, row, amounts[WAIT_AMOUNT_TOTAL]);
	row_real(source->table, row, waited);
	if (row->kind == ROW_DETAIL)
		row->share = percent > waited ? percent : waited;
}

/* Puts a line without figures. */
static void put_plain(const struct listed *source, uint64_t line)
{
	struct row *row = table_row(source->table, ROW_DETAIL);

	row_number(source->table, row, line);
	row_skip(source->table, row, 6);
	row_text(source->table, row,
		 source_texts_line(&source->context->sources, source->path, line));
}

/* Puts the lines from line up to end; if there are many, only those near either end. */
static void put_between(const struct listed *source, uint64_t line, uint64_t end)
{
	bool all = source->context->options->all || end - line <= 2 * AROUND + 1;
	struct strbuf *text = &source->context->text;

	for (uint64_t first = line; line < end; line++) {
		struct row *row;

		if (all || line < first + AROUND || line + AROUND >= end) {
			put_plain(source, line);
			continue;
		}
		row = table_row(source->table, ROW_DETAIL);
		row_skip(source->table, row, 7);
		strbuf_reset(text);
		strbuf_addf(text, "... %" PRIu64 " lines", end - AROUND - line);
		row_text(source->table, row, text->text);
		line = end - AROUND - 1;
	}
}

/* Puts a line with samples or waits. */
static void put_hit(struct listed *source, const struct hit *hit)
{
	const char *text = source->lines ? source_texts_line(&source->context->sources,
							     source->path, hit->place->line)
					 : profile_text(source->context->profile, hit->place->text);
	struct row *row = table_row(source->table, ROW_DETAIL);

	row_number(source->table, row, hit->place->line);
	put_amounts(source, row, hit->amounts);
	row_text(source->table, row, text);
	for (size_t i = 0; i < PROCEDURE_AMOUNTS; i++)
		source->total[i] += hit->amounts[i];
}

/* Adds a note if the text may differ from the one that was measured, or is not available. */
static void put_notes(struct listed *source, struct document *document)
{
	uint64_t start = profile_attribute_number(source->context->profile, ATTR_START_WALL);
	uint64_t changed = source_texts_changed(&source->context->sources, source->path);

	if (!source->lines)
		document_note(document, SEVERITY_INFO, 6643,
			      "%s cannot be read: only recorded lines are shown, with their text "
			      "at the time of measurement",
			      source->path);
	else if (start && changed > start)
		document_note(document, SEVERITY_WARNING, 6507,
			      "%s was changed after the session had begun: its lines may not be "
			      "those that were measured",
			      source->path);
}

/* Lists one source; hits are sorted by line. */
static void put_source(struct listed *source, struct document *document, const struct hit *hits,
		       size_t count)
{
	uint64_t first = hits[0].place->line, last = hits[count - 1].place->line, next;
	struct row *row;

	source->table = document_table(document, "source", "SOURCE", columns, ARRAY_SIZE(columns));
	table_context(source->table, "file", "FILE", source->path);
	memset(source->total, 0, sizeof(source->total));
	next = first > AROUND ? first - AROUND : 1;
	for (size_t i = 0; i < count; i++) {
		if (source->lines && hits[i].place->line > next)
			put_between(source, next, hits[i].place->line);
		put_hit(source, &hits[i]);
		next = hits[i].place->line + 1;
	}
	last = last + AROUND < source->lines ? last + AROUND : source->lines;
	if (next <= last)
		put_between(source, next, last + 1);
	row = table_row(source->table, ROW_TOTAL);
	row_skip(source->table, row, 1);
	put_amounts(source, row, source->total);
	row_text(source->table, row, "TOTALS");
	put_notes(source, document);
}

static int compare_hits(const void *first, const void *second, void *profile)
{
	const struct call_place *a = ((const struct hit *)first)->place;
	const struct call_place *b = ((const struct hit *)second)->place;
	int order = profile_compare_texts(profile, a->other_file, b->other_file);

	if (!order)
		order = profile_compare_texts(profile, a->file, b->file);
	return order ? order : (a->line > b->line) - (a->line < b->line);
}

/* Returns where a place's source can be read. */
static const char *find_source(struct context *context, const struct call_place *place)
{
	const struct profile *profile = context->profile;
	const struct record_object *object = id_table_get(&profile->objects, place->object);
	const char *path = object ? profile_text(profile, object->path) : "";
	char *folder = xstrndup(path, (size_t)(path_base(path) - path));
	const char *found =
		source_texts_find(&context->sources, profile_text(profile, place->file), folder);

	free(folder);
	return found;
}

/* Returns the lines with figures; the caller frees them. */
static struct hit *find_hits(const struct procedure *procedure, const struct procedure_sums *rows,
			     size_t *count)
{
	struct hit *hits = xcalloc(rows->sums.keys.count + 1, sizeof(*hits));

	*count = 0;
	for (size_t i = 0; i < rows->sums.keys.count; i++) {
		const struct call_place *place =
			&procedure->butterfly.tree.places.items[sums_key(&rows->sums, i)[0]];

		if (place->line)
			hits[(*count)++] = (struct hit){ place, sums_values(&rows->sums, i) };
	}
	qsort_r(hits, *count, sizeof(*hits), compare_hits,
		(void *)(uintptr_t)procedure->context->profile);
	return hits;
}

void procedure_source_put(struct procedure *procedure, struct document *document)
{
	struct listed source = { .context = procedure->context };
	struct procedure_sums rows;
	struct hit *hits;
	size_t count;

	procedure_sums_init(&rows, procedure, PROCEDURE_STATEMENTS);
	hits = find_hits(procedure, &rows, &count);
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && hits[end].place->file == hits[i].place->file;
		     end++)
			;
		source.path = find_source(procedure->context, hits[i].place);
		source.lines = source_texts_count(&procedure->context->sources, source.path);
		put_source(&source, document, hits + i, end - i);
	}
	if (!count)
		document_note(document, SEVERITY_INFO, 6644,
			      "the procedure's lines are not known: there is no source to show");
	free(hits);
	procedure_sums_release(&rows);
}
