/* SPDX-License-Identifier: Apache-2.0 */
/* Resource Demand Distribution: what used processors and files, and what made the step wait. */
#include "common/compat.h"
#include "profile/label.h"
#include "records/record-types.h"
#include "reports/fold.h"

#define DEMAND_COLUMNS \
	FIGURE(COLUMN_PERCENT, "serviced_cpu_percent", "% SERVICED BY", "CPU", 8, \
	       .legend = "share of the run time on a processor; above 100 when several " \
			 "processors were used"), \
		FIGURE(COLUMN_PERCENT, "serviced_io_percent", "% SERVICED BY", "I/O", 8, \
		       .legend = "share of the run time in which at least one task waited for " \
				 "the file"), \
		FIGURE(COLUMN_PERCENT, "serviced_either_percent", "% SERVICED BY", "EITHER", 8), \
		FIGURE(COLUMN_PERCENT, "solo_cpu_percent", "% SOLO IN", "CPU", 8, \
		       .legend = \
			       "the part of it during which nothing else of the step was active"), \
		FIGURE(COLUMN_PERCENT, "solo_io_percent", "% SOLO IN", "I/O", 8), \
		FIGURE(COLUMN_PERCENT, "solo_either_percent", "% SOLO IN", "EITHER", 8), \
		FIGURE(COLUMN_PERCENT, "wait_solo_percent", "% CAUSING WAIT", "SOLO", 8, \
		       .flags = COLUMN_ADDITIVE, \
		       .legend = "the part of TOTAL in which the step waited for nothing else"), \
		FIGURE(COLUMN_PERCENT, "wait_total_percent", "% CAUSING WAIT", "TOTAL", 8, \
		       .flags = COLUMN_ADDITIVE, \
		       .legend = "share of the run time in which the step waited because of this " \
				 "row"), \
		FIGURE(COLUMN_TIME, "wait_charged_ns", NULL, "CHARGED", 9, \
		       .flags = COLUMN_ADDITIVE | COLUMN_DATA_ONLY), \
		FIGURE(COLUMN_PERCENT, "cumulative_wait_percent", "CUMULATIVE", "WAIT", 10, \
		       .legend = "% CAUSING WAIT TOTAL of this row and all rows above")

static const struct column task_columns[] = {
	{ .id = "task",
	  .heading = "TASK",
	  .width = 24,
	  .type = COLUMN_NAME,
	  .legend = "name of the thread" },
	{ .id = "resource", .heading = "RESOURCE", .width = 8, .type = COLUMN_TEXT },
	{ .id = "tid",
	  .heading = "TID",
	  .width = 7,
	  .type = COLUMN_NUMBER,
	  .flags = COLUMN_DATA_ONLY },
	{ .id = "cpu_ns",
	  .heading = "CPU",
	  .width = 9,
	  .type = COLUMN_TIME,
	  .flags = COLUMN_ADDITIVE | COLUMN_DATA_ONLY },
	DEMAND_COLUMNS,
};

static const struct column file_columns[] = {
	{ .id = "ddname",
	  .heading = "DDNAME OR FILE",
	  .width = 24,
	  .type = COLUMN_NAME,
	  .legend = "names that begin with a period are waits for something other than a file: "
		    ".LOCK, .SLEEP, .CHILD, .DISPATCH (ready but not running); .FILE: a file "
		    "without a known name" },
	{ .id = "resource", .heading = "RESOURCE", .width = 8, .type = COLUMN_TEXT },
	{ .id = "data_set", .heading = "DATA SET", .type = COLUMN_TEXT, .flags = COLUMN_DATA_ONLY },
	DEMAND_COLUMNS,
};

/* Rows beyond this number are folded, unless all are requested. */
#define DEMAND_ROWS 40

/* The key of a row: a task, a file, or a wait reason without a file; then its id. */
enum key { KEY_KIND, KEY_ID, KEYS };
enum kind { KIND_TASK, KIND_FILE, KIND_REASON };

/* Times in ns. Rows are sorted by SOLO, which combines both. */
enum demand { CPU, CPU_SOLO, IO, IO_SOLO, WAIT, WAIT_SOLO, SOLO, DEMANDS };

static void put_demand(struct context *context, struct table *table, struct row *row,
		       const uint64_t *demand, const uint64_t *above)
{
	const uint64_t shares[] = { demand[CPU],       demand[IO],	demand[CPU] + demand[IO],
				    demand[CPU_SOLO],  demand[IO_SOLO], demand[SOLO],
				    demand[WAIT_SOLO], demand[WAIT] };

	if (table->columns == task_columns)
		row_number(table, row, demand[CPU]);
	for (size_t i = 0; i < ARRAY_SIZE(shares); i++)
		row_real(table, row, profile_run_percent(context->profile, shares[i]));
	row_number(table, row, demand[WAIT]);
	row_real(table, row, profile_run_percent(context->profile, above[WAIT]));
}

/* Fills the columns that identify a row. */
static void put_identity(struct context *context, struct table *table, struct row *row,
			 const uint64_t *key)
{
	const struct profile *profile = context->profile;
	const struct record_task *task;
	struct strbuf label = STRBUF_INIT;

	switch (key[KEY_KIND]) {
	case KIND_TASK:
		task = id_table_get(&profile->tasks, key[KEY_ID]);
		label_task(profile, key[KEY_ID], &label);
		row_text(table, row, label.text);
		row_text(table, row, "CPU");
		row_number(table, row, task ? task->tid : 0);
		break;
	case KIND_FILE:
		label_file(profile, key[KEY_ID], &label);
		row_text(table, row, label.text);
		row_text(table, row, label_device(profile, key[KEY_ID]));
		row_text(table, row, label_data_set(profile, key[KEY_ID]));
		break;
	default:
		row_text(table, row, label_pseudo_file(key[KEY_ID]));
		row_text(table, row, "WAIT");
		row_skip(table, row, 1);
	}
	strbuf_release(&label);
}

/* Returns whether the row at a position in the order is shown. */
static bool is_shown(const struct context *context, size_t place, const uint64_t *demand)
{
	uint64_t all = demand[CPU] + demand[IO] + demand[WAIT];

	if (place >= DEMAND_ROWS && !context->options->all)
		return false;
	return place < ROWS_ALWAYS_SHOWN ||
	       context_shows(context, profile_run_percent(context->profile, all));
}

static void put_demands(struct context *context, struct table *table, struct sums *demands)
{
	static const size_t order[] = { SOLO, WAIT };
	struct fold fold = { .context = context,
			     .table = table,
			     .amounts = DEMANDS,
			     .names = 3,
			     .put = put_demand };

	for (size_t i = 0; i < demands->keys.count; i++) {
		uint64_t *demand = demands->values + i * DEMANDS;

		demand[SOLO] = demand[CPU_SOLO] + demand[IO_SOLO];
	}
	sums_sort_amounts(demands, order, ARRAY_SIZE(order));
	for (size_t i = 0; i < demands->keys.count; i++) {
		const uint64_t *demand = sums_values(demands, demands->order[i]);
		struct row *row;

		if (!fold_take(&fold, demand, is_shown(context, i, demand)))
			continue;
		row = table_row(table, ROW_DETAIL);
		put_identity(context, table, row, sums_key(demands, demands->order[i]));
		fold_fill(&fold, row, demand);
	}
	fold_other(&fold);
	fold_total(&fold, "TOTALS");
}

static void put_tasks(struct context *context, struct document *document)
{
	const struct activity_table *tasks = &context->profile->task_activity;
	struct sums demands;

	sums_init(&demands, KEYS, DEMANDS);
	for (size_t i = 0; i < tasks->count; i++) {
		const struct activity_sum *sum = &tasks->items[i];
		uint64_t *demand = sums_at(&demands, (const uint64_t[]){ KIND_TASK, sum->id });

		demand[CPU] = sum->busy;
		demand[CPU_SOLO] = sum->busy_solo;
		demand[WAIT] = sum->charged;
		demand[WAIT_SOLO] = sum->charged_solo;
	}
	put_demands(context,
		    document_table(document, "tasks", "TASKS, PERCENT OF RUN TIME", task_columns,
				   ARRAY_SIZE(task_columns)),
		    &demands);
	sums_release(&demands);
}

/* Puts files by their activity, and waits without a file by reason, from the WAIT rows. */
static void put_files(struct context *context, struct document *document)
{
	const struct profile *profile = context->profile;
	const struct activity_table *files = &profile->file_activity;
	struct sums demands;

	sums_init(&demands, KEYS, DEMANDS);
	for (size_t i = 0; i < files->count; i++) {
		const struct activity_sum *sum = &files->items[i];
		uint64_t *demand = sums_at(&demands, (const uint64_t[]){ KIND_FILE, sum->id });

		demand[IO] = sum->busy;
		demand[IO_SOLO] = sum->busy_solo;
	}
	for (size_t i = 0; i < profile->wait_count; i++) {
		const struct profile_wait *wait = &profile->waits[i];
		uint64_t key[] = { wait->file ? KIND_FILE : KIND_REASON,
				   wait->file ? wait->file
					      : label_pseudo_file_reason(wait->reason) };
		uint64_t *demand = sums_at(&demands, key);

		demand[WAIT] += wait->charged;
		demand[WAIT_SOLO] += wait->solo;
	}
	put_demands(context,
		    document_table(document, "files",
				   "FILES AND OTHER REASONS TO WAIT, PERCENT OF RUN TIME",
				   file_columns, ARRAY_SIZE(file_columns)),
		    &demands);
	sums_release(&demands);
}

static void build(struct context *context, struct document *document)
{
	if (context_without_waits(context, document))
		return;
	put_tasks(context, document);
	put_files(context, document);
}

const struct report_class report_rdd = { "RDD", "Resource Demand Distribution", build,
					 REPORT_OF_SAMPLES };
