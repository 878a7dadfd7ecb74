/* SPDX-License-Identifier: Apache-2.0 */
/* Event Source Listing: sources with the hits and times of each line, hot lines coloured. */
#include "common/compat.h"
#include "profile/share.h"
#include "records/record-types.h"
#include "reports/event-columns.h"

/* Lines shown around those with events, unless all are wanted. */
enum { AROUND = 3 };

static const struct column columns[] = {
	FIGURE(COLUMN_NUMBER, "line", NULL, "LINE", 7, .legend = NULL),
	FIGURE(COLUMN_NUMBER, "hits", NULL, "HITS", 13, .flags = COLUMN_ADDITIVE,
	       .legend = "how often the line's statements were executed; where there are no "
			 "statement events, how many events the line has"),
	FIGURE(COLUMN_AVERAGE, "cpu_ns", NULL, "CPU MS", 12, .flags = COLUMN_ADDITIVE,
	       .legend = "milliseconds until the next event of the same task"),
	FIGURE(COLUMN_PERCENT, "cpu_percent", NULL, "CPU %", 6, .flags = COLUMN_ADDITIVE,
	       .legend = "share of that of all events of the session"),
	FIGURE(COLUMN_AVERAGE, "elapsed_ns", NULL, "ELAPSED MS", 12, .flags = COLUMN_ADDITIVE,
	       .legend = "the same in elapsed time"),
	FIGURE(COLUMN_PERCENT, "elapsed_percent", NULL, "ELAP %", 6, .flags = COLUMN_ADDITIVE),
	{ .id = "text", .heading = "SOURCE TEXT", .width = 70, .type = COLUMN_TEXT },
};

/* The listing of one source under construction. */
struct source_listing {
	struct context *context;
	struct table *table;
	const char *path;
	const struct sums *sums; /* sorted by file and line */
	size_t from, to;	 /* range in the order: its lines with events */
	uint64_t session[EVENT_AMOUNTS], total[EVENT_AMOUNTS];
	uint64_t hits;
};

static const uint64_t *key_at(const struct source_listing *source, size_t at)
{
	return sums_key(source->sums, source->sums->order[at]);
}

static const uint64_t *amounts_at(const struct source_listing *source, size_t at)
{
	return sums_values(source->sums, source->sums->order[at]);
}

static uint64_t hits_of(const uint64_t *amounts)
{
	return amounts[EVENT_AMOUNT_STATEMENTS] ? amounts[EVENT_AMOUNT_STATEMENTS]
						: amounts[EVENT_AMOUNT_EVENTS];
}

/* Fills the amounts of a row, and how hot it is: the larger of its shares. */
static void put_amounts(const struct source_listing *source, struct row *row, uint64_t hits,
			const uint64_t *amounts)
{
	double cpu = share_percent((double)amounts[EVENT_AMOUNT_CPU],
				   (double)source->session[EVENT_AMOUNT_CPU]);
	double elapsed = share_percent((double)amounts[EVENT_AMOUNT_ELAPSED],
				       (double)source->session[EVENT_AMOUNT_ELAPSED]);

	row_number(source->table, row, hits);
	row_number(source->table, row, amounts[EVENT_AMOUNT_CPU]);
	row_real(source->table, row, cpu);
	row_number(source->table, row, amounts[EVENT_AMOUNT_ELAPSED]);
	row_real(source->table, row, elapsed);
	if (row->kind == ROW_DETAIL)
		row->share = cpu > elapsed ? cpu : elapsed;
}

/* Puts a line, with its amounts if it has events. */
static void put_line(struct source_listing *source, uint64_t line, const uint64_t *amounts)
{
	struct row *row = table_row(source->table, ROW_DETAIL);

	row_number(source->table, row, line);
	if (amounts) {
		put_amounts(source, row, hits_of(amounts), amounts);
		source->hits += hits_of(amounts);
		for (size_t i = 0; i < EVENT_AMOUNTS; i++)
			source->total[i] += amounts[i];
	} else {
		row_skip(source->table, row, 5);
	}
	row_text(source->table, row,
		 source_texts_line(&source->context->sources, source->path, line));
}

/* Puts lines without events, from line up to end; those far from events are only counted. */
static void put_between(struct source_listing *source, uint64_t line, uint64_t end, bool after,
			bool before)
{
	uint64_t head = after ? AROUND : 0, tail = before ? AROUND : 0;
	bool all = source->context->options->all || end - line <= head + tail + 1;

	for (; line < end; line++) {
		struct row *row;

		if (all || head || line + tail >= end) {
			put_line(source, line, NULL);
			head -= head > 0;
			continue;
		}
		row = table_row(source->table, ROW_DETAIL);
		row_skip(source->table, row, 6);
		strbuf_reset(&source->context->text);
		strbuf_addf(&source->context->text, "... %" PRIu64 " lines without events",
			    end - tail - line);
		row_text(source->table, row, source->context->text.text);
		line = end - tail - 1;
	}
}

static void put_total(struct source_listing *source)
{
	struct row *row = table_row(source->table, ROW_TOTAL);

	row_skip(source->table, row, 1);
	put_amounts(source, row, source->hits, source->total);
	row_text(source->table, row, "TOTALS");
}

/* Adds a note if the text may differ from the one that was measured, or is not available. */
static void put_notes(struct source_listing *source, struct document *document, size_t lines)
{
	uint64_t start = profile_attribute_number(source->context->profile, ATTR_START_WALL);
	uint64_t changed = source_texts_changed(&source->context->sources, source->path);

	if (!lines)
		document_note(document, SEVERITY_INFO, 6506,
			      "%s cannot be read: its lines are shown without text", source->path);
	else if (start && changed > start)
		document_note(document, SEVERITY_WARNING, 6507,
			      "%s was changed after the session had begun: its lines may not be "
			      "those that were measured",
			      source->path);
}

/* Puts the listing of one source. */
static void put_source(struct source_listing *source, struct document *document)
{
	size_t lines = source_texts_count(&source->context->sources, source->path);
	uint64_t next = 1;

	source->table =
		document_table(document, "event_source", NULL, columns, ARRAY_SIZE(columns));
	table_context(source->table, "file", "SOURCE", source->path);
	for (size_t i = source->from; i < source->to; i++) {
		uint64_t line = key_at(source, i)[EVENT_SOURCE_LINE];

		if (lines)
			put_between(source, next, line, i > source->from, true);
		put_line(source, line, amounts_at(source, i));
		next = line + 1;
	}
	if (next <= lines)
		put_between(source, next, lines + 1, true, false);
	put_total(source);
	put_notes(source, document, lines);
}

/* Compares by name, folder and line. */
static int compare(const uint64_t *first, const uint64_t *second, void *profile)
{
	int order = profile_compare_text_pairs(first, second, profile);

	if (order || first[EVENT_SOURCE_LINE] == second[EVENT_SOURCE_LINE])
		return order;
	return first[EVENT_SOURCE_LINE] < second[EVENT_SOURCE_LINE] ? -1 : 1;
}

static void build(struct context *context, struct document *document)
{
	struct source_listing source = { .context = context };
	struct sums sums;

	if (event_list_none(context, document))
		return;
	event_list_selection(context, document, false);
	event_usage_sum(context->profile, EVENT_VIEW_SOURCES, &context->options->events, &sums);
	sums_sort(&sums, compare, (void *)context->profile);
	event_usage_total(context->profile, source.session);
	source.sums = &sums;
	for (; source.from < sums.keys.count; source.from = source.to) {
		const uint64_t *key = key_at(&source, source.from);

		source.to = source.from;
		while (source.to < sums.keys.count &&
		       memcmp(key_at(&source, source.to), key, 2 * sizeof(*key)) == 0)
			source.to++;
		source.path = source_texts_find(
			&context->sources, profile_text(context->profile, key[EVENT_SOURCE_FILE]),
			profile_text(context->profile, key[EVENT_SOURCE_LIBRARY]));
		source.hits = 0;
		memset(source.total, 0, sizeof(source.total));
		put_source(&source, document);
	}
	if (!sums.keys.count)
		document_note(document, SEVERITY_INFO, 6508,
			      "no event has a line of a source; STATEMENT=ON requests statements");
	sums_release(&sums);
}

const struct report_class report_esl = { "ESL", "Event Source Listing", build, REPORT_ON_REQUEST };
