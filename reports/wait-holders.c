/* SPDX-License-Identifier: Apache-2.0 */
/* Waiters and holders of locks. */
#include "common/compat.h"
#include "reports/wait-holders.h"
#include "profile/label.h"
#include "records/record-types.h"
#include "reports/fold.h"
#include "reports/wait-columns.h"

enum key {
	KEY_MODULE, /* the waiter */
	KEY_PROCEDURE,
	KEY_LINE,
	KEY_FILE,
	KEY_HOLDER,
	KEY_HOLDER_PID,
	KEY_HOLDER_PROCEDURE,
	KEY_HOLDER_LINE,
	KEY_HOLDER_TEXT,
	KEY_COUNT
};

/* Number of columns before the amounts. */
#define NAMES 9

#define HOLDER(type_, id_, heading_, width_, ...) \
	FIGURE(type_, id_, "THE LOCK WAS HELD BY", heading_, width_, __VA_ARGS__)

static const struct column columns[] = {
	FIGURE(COLUMN_NAME, "module", NULL, "MODULE", 12, .flags = 0),
	FIGURE(COLUMN_NAME, "procedure", NULL, "PROCEDURE", 18,
	       .legend = "the procedure of the program that waited for a lock, or for a condition"),
	FIGURE(COLUMN_NUMBER, "line", NULL, "LINE", 6, .flags = 0),
	FIGURE(COLUMN_NAME, "ddname", NULL, "FILE", 14, .flags = 0),
	HOLDER(COLUMN_NAME, "holder", "TASK", 16,
	       .legend = "the thread that was seen holding the lock, or the process where no more "
			 "is known; blank where no holder was seen or, as with a condition, there "
			 "is none"),
	HOLDER(COLUMN_NUMBER, "holder_pid", "NUMBER", 0, .flags = COLUMN_DATA_ONLY),
	HOLDER(COLUMN_NAME, "holder_procedure", "PROCEDURE", 18,
	       .legend = "of the holder: where it was at the time"),
	HOLDER(COLUMN_NUMBER, "holder_line", "LINE", 6, .flags = 0),
	HOLDER(COLUMN_TEXT, "holder_text", "TEXT", 0, .flags = COLUMN_DATA_ONLY),
	WAIT_COUNT_COLUMNS(9, 0),
	FIGURE(COLUMN_PERCENT, "waited_percent", NULL, "RUN %", 6, .flags = COLUMN_ADDITIVE,
	       .legend = "the time that all tasks waited, as a share of the run time: more than "
			 "100 where several wait at once"),
	FIGURE(COLUMN_PERCENT, "waited_margin_percent", NULL, "+/-", 5, .flags = COLUMN_MARGIN),
};

/* Returns the time that tasks waited, in percent of the run time. */
static double share(const struct context *context, const uint64_t *sums)
{
	return profile_run_percent(context->profile, sums[WAIT_AMOUNT_TOTAL]);
}

static void put_amounts(struct context *context, struct table *table, struct row *row,
			const uint64_t *sums, const uint64_t *above UNUSED)
{
	double margin = wait_columns_margin(context->profile, sums);

	row_number(table, row, sums[WAIT_AMOUNT_COUNT]);
	row_number(table, row, sums[WAIT_AMOUNT_TOTAL]);
	row_number(table, row, sums[WAIT_AMOUNT_CHARGED]);
	row_number(table, row, (uint64_t)margin);
	row_real(table, row, share(context, sums));
	row_real(table, row, profile_run_percent(context->profile, (uint64_t)margin));
}

/* Returns the program's place that a stack is charged to, or the stack's innermost place. */
static const struct place *place_of(const struct profile *profile, size_t stack)
{
	const struct place *caller = attribution_caller(&profile->attribution, stack);

	return caller ? caller : attribution_place(&profile->attribution, stack);
}

static void set_key(const struct profile *profile, const struct profile_wait *wait,
		    uint64_t key[KEY_COUNT])
{
	const struct place *place = place_of(profile, wait->stack);

	key[KEY_MODULE] = place->module;
	key[KEY_PROCEDURE] = place->procedure;
	key[KEY_LINE] = place->line;
	key[KEY_FILE] = wait->file;
	key[KEY_HOLDER] = wait->holder;
	key[KEY_HOLDER_PID] = wait->holder_pid;
	if (wait->holder_stack == ATTRIBUTION_NONE)
		return;
	place = place_of(profile, wait->holder_stack);
	key[KEY_HOLDER_PROCEDURE] = place->procedure;
	key[KEY_HOLDER_LINE] = place->line;
	key[KEY_HOLDER_TEXT] = place->text;
}

/* Puts a line number, or blank if there is none. */
static void put_line(struct table *table, struct row *row, uint64_t line)
{
	if (line)
		row_number(table, row, line);
	else
		row_skip(table, row, 1);
}

static void put_holder(struct context *context, struct table *table, struct row *row,
		       const uint64_t *key)
{
	const char *text = profile_text(context->profile, key[KEY_HOLDER_TEXT]);
	struct strbuf label = STRBUF_INIT;

	if (key[KEY_HOLDER])
		label_task(context->profile, key[KEY_HOLDER], &label);
	else if (key[KEY_HOLDER_PID])
		strbuf_addf(&label, "process %" PRIu64, key[KEY_HOLDER_PID]);
	row_text(table, row, label.text);
	put_line(table, row, key[KEY_HOLDER_PID]);
	context_put_string(context, table, row, key[KEY_HOLDER_PROCEDURE]);
	put_line(table, row, key[KEY_HOLDER_LINE]);
	row_text(table, row, text + strspn(text, " \t"));
	strbuf_release(&label);
}

static void put_row(struct context *context, struct table *table, struct row *row,
		    const uint64_t *key)
{
	struct strbuf label = STRBUF_INIT;

	context_put_string(context, table, row, key[KEY_MODULE]);
	context_put_string(context, table, row, key[KEY_PROCEDURE]);
	put_line(table, row, key[KEY_LINE]);
	if (key[KEY_FILE])
		label_file(context->profile, key[KEY_FILE], &label);
	row_text(table, row, label.text);
	put_holder(context, table, row, key);
	strbuf_release(&label);
}

static void put_table(struct context *context, struct document *document, struct wait_rows *rows)
{
	const struct sums *sums = rows->sums;
	struct table *table =
		document_table(document, "locks", "WAITS FOR LOCKS, AND WHO HELD THEM", columns,
			       ARRAY_SIZE(columns));
	struct fold fold = { .context = context,
			     .table = table,
			     .amounts = WAIT_AMOUNTS,
			     .names = NAMES,
			     .put = put_amounts };

	for (size_t i = 0; i < sums->keys.count; i++) {
		const uint64_t *values = sums_values(sums, sums->order[i]);
		struct row *row;

		if (!wait_rows_fold(rows, &fold, sums->order[i],
			       i < ROWS_ALWAYS_SHOWN ||
				       context_shows(context, share(context, values))))
			continue;
		row = table_row(table, ROW_DETAIL);
		put_row(context, table, row, sums_key(sums, sums->order[i]));
		fold_fill(&fold, row, values);
	}
	wait_rows_total(rows, &fold);
}

void wait_holders_put(struct context *context, struct document *document)
{
	const struct profile *profile = context->profile;
	struct wait_rows rows;
	struct sums sums;

	sums_init(&sums, KEY_COUNT, WAIT_AMOUNTS);
	wait_rows_init(&rows, profile, &sums);
	for (size_t i = 0; i < profile->wait_count; i++) {
		const struct profile_wait *wait = &profile->waits[i];
		uint64_t key[KEY_COUNT] = { 0 };

		if (wait->reason != WAIT_LOCK)
			continue;
		set_key(profile, wait, key);
		wait_rows_add(&rows, key, i);
	}
	wait_rows_end(&rows);
	sums_sort_falling(&sums, WAIT_AMOUNT_TOTAL, NULL, NULL);
	if (sums.keys.count)
		put_table(context, document, &rows);
	wait_rows_release(&rows);
	sums_release(&sums);
}
