/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of sums of events. */
#include "common/compat.h"
#include "reports/event-columns.h"
#include "records/event-codes.h"
#include "profile/share.h"

bool event_list_none(struct context *context, struct document *document)
{
	if (event_usage_any(context->profile))
		return false;
	document_note(document, SEVERITY_INFO, 6500,
		      "the session has no events; FUNCTION=INIT of a PROFILER block requests them");
	return true;
}

void event_list_selection(const struct context *context, struct document *document, bool times)
{
	const struct event_selection *selection = &context->options->events;
	struct strbuf sb = STRBUF_INIT;

	if (selection->program)
		strbuf_addf(&sb, " PROGRAM=%s", selection->program);
	for (unsigned type = 1; type < EVENT_TYPE_COUNT; type++)
		if (selection->types >> type & 1)
			strbuf_addf(&sb, "%s%s", strstr(sb.text, " EVENT=") ? "," : " EVENT=",
				    event_code(type));
	if (times && selection->from)
		strbuf_addf(&sb, " FROM=%.3f S", (double)selection->from / 1e9);
	if (times && selection->to)
		strbuf_addf(&sb, " TO=%.3f S", (double)selection->to / 1e9);
	if (sb.length) {
		document_text(document, "SELECTED%s", sb.text);
		document_text(document, "%s", "");
	}
	strbuf_release(&sb);
}

/* A list while its rows are written. */
struct listing_rows {
	struct context *context;
	struct table *table;
	const struct event_list *list;
	uint64_t session[EVENT_AMOUNTS]; /* of all events, selected or not */
	uint64_t other[EVENT_AMOUNTS], total[EVENT_AMOUNTS];
	size_t folded;
};

static double share_of(const struct listing_rows *rows, const uint64_t *amounts,
		       enum event_amount amount)
{
	return share_percent((double)amounts[amount], (double)rows->session[amount]);
}

/* Fills the counts and EVENT_TIME_COLUMNS. */
static void put_amounts(const struct listing_rows *rows, struct row *row, const uint64_t *amounts)
{
	for (size_t i = 0; i < rows->list->count_count; i++)
		row_number(rows->table, row, amounts[rows->list->counts[i]]);
	row_number(rows->table, row, amounts[EVENT_AMOUNT_CPU]);
	row_real(rows->table, row, share_of(rows, amounts, EVENT_AMOUNT_CPU));
	row_number(rows->table, row, amounts[EVENT_AMOUNT_ELAPSED]);
	row_real(rows->table, row, share_of(rows, amounts, EVENT_AMOUNT_ELAPSED));
	row_number(rows->table, row, amounts[EVENT_AMOUNT_DATABASE]);
}

/* Puts a row that has a label instead of names. */
static void put_label(const struct listing_rows *rows, enum row_kind kind, const char *label,
		      const uint64_t *amounts)
{
	struct row *row = table_row(rows->table, kind);

	row_skip(rows->table, row, rows->list->label);
	row_text(rows->table, row, label);
	row_skip(rows->table, row, rows->list->names - rows->list->label - 1);
	put_amounts(rows, row, amounts);
}

static void add(uint64_t *sum, const uint64_t *amounts)
{
	for (size_t i = 0; i < EVENT_AMOUNTS; i++)
		sum[i] += amounts[i];
}

/* Returns whether a row is shown: it is among the first, or its share is large enough. */
static bool is_shown(const struct listing_rows *rows, size_t number, const uint64_t *amounts)
{
	return rows->list->whole || number < ROWS_ALWAYS_SHOWN ||
	       context_shows(rows->context, share_of(rows, amounts, EVENT_AMOUNT_CPU)) ||
	       context_shows(rows->context, share_of(rows, amounts, EVENT_AMOUNT_ELAPSED));
}

static void put_rows(struct listing_rows *rows, const struct sums *sums)
{
	struct strbuf label = STRBUF_INIT;

	for (size_t i = 0; i < sums->keys.count; i++) {
		const uint64_t *amounts = sums_values(sums, sums->order[i]);
		struct row *row;

		add(rows->total, amounts);
		if (!is_shown(rows, i, amounts)) {
			add(rows->other, amounts);
			rows->folded++;
			continue;
		}
		row = table_row(rows->table, ROW_DETAIL);
		rows->list->put_names(rows->context, rows->table, row,
				      sums_key(sums, sums->order[i]));
		put_amounts(rows, row, amounts);
	}
	strbuf_addf(&label, ".OTHER (%zu)", rows->folded);
	if (rows->folded)
		put_label(rows, ROW_OTHER, label.text, rows->other);
	put_label(rows, ROW_TOTAL, "TOTALS", rows->total);
	strbuf_release(&label);
}

/* Sorts the sums in the requested order. */
static void sort(struct context *context, const struct event_list *list, struct sums *sums)
{
	static const enum event_amount amounts[] = {
		[REPORT_SORT_CPU] = EVENT_AMOUNT_CPU,
		[REPORT_SORT_ELAPSED] = EVENT_AMOUNT_ELAPSED,
		[REPORT_SORT_HITS] = EVENT_AMOUNT_EVENTS,
		[REPORT_SORT_DATABASE] = EVENT_AMOUNT_DATABASE,
	};
	enum report_sort order = context->options->sort;

	if (order == REPORT_SORT_DEFAULT || order == REPORT_SORT_PERCENT)
		order = list->sort;
	if (order == REPORT_SORT_NAME)
		sums_sort(sums, list->compare, context);
	else
		sums_sort_falling(sums,
				  order == REPORT_SORT_HITS && list->count_count ? list->counts[0]
										 : amounts[order],
				  list->compare, context);
}

void event_list_put(struct context *context, struct document *document, const char *id,
		    const struct column *columns, size_t column_count,
		    const struct event_list *list)
{
	struct listing_rows rows = { .context = context, .list = list };
	struct sums sums;

	event_usage_sum(context->profile, list->view, &context->options->events, &sums);
	if (sums.keys.count || !list->none || context->options->events.program ||
	    context->options->events.types) {
		rows.table = document_table(document, id, NULL, columns, column_count);
		event_usage_total(context->profile, rows.session);
		sort(context, list, &sums);
		put_rows(&rows, &sums);
	} else {
		document_note(document, SEVERITY_INFO, list->none_number, "%s", list->none);
	}
	sums_release(&sums);
}
