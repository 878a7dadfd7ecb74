/* SPDX-License-Identifier: Apache-2.0 */
/* Resource Demand Distribution: who used processors and files, and who made the step wait. */
#include "common/compat.h"
#include "common/xalloc.h"
#include "reports/report-class.h"
#include "profile/label.h"

#define DEMAND_COLUMNS \
	{ "serviced_cpu_percent", \
	  "% SERVICED BY", \
	  "CPU", \
	  8, \
	  COLUMN_PERCENT, \
	  0, \
	  "share of the run time on a processor; above 100 with several processors", \
	  NULL, \
	  NULL }, \
		{ "serviced_io_percent", \
		  "% SERVICED BY", \
		  "I/O", \
		  8, \
		  COLUMN_PERCENT, \
		  0, \
		  "share of the run time with at least one task waiting for the file", \
		  NULL, \
		  NULL }, \
		{ "serviced_either_percent", \
		  "% SERVICED BY", \
		  "EITHER", \
		  8, \
		  COLUMN_PERCENT, \
		  0, \
		  NULL, \
		  NULL, \
		  NULL }, \
		{ "solo_cpu_percent", \
		  "% SOLO IN", \
		  "CPU", \
		  8, \
		  COLUMN_PERCENT, \
		  0, \
		  "the same while nothing else of the step was active", \
		  NULL, \
		  NULL }, \
		{ "solo_io_percent", "% SOLO IN", "I/O", 8, COLUMN_PERCENT, 0, NULL, NULL, NULL }, \
		{ "solo_either_percent", \
		  "% SOLO IN", \
		  "EITHER", \
		  8, \
		  COLUMN_PERCENT, \
		  0, \
		  NULL, \
		  NULL, \
		  NULL }, \
		{ "wait_solo_percent", \
		  "% CAUSING WAIT", \
		  "SOLO", \
		  8, \
		  COLUMN_PERCENT, \
		  COLUMN_ADDITIVE, \
		  "share of the run time in which the step waited for this alone", \
		  NULL, \
		  NULL }, \
		{ "wait_total_percent", \
		  "% CAUSING WAIT", \
		  "TOTAL", \
		  8, \
		  COLUMN_PERCENT, \
		  COLUMN_ADDITIVE, \
		  "share of the run time in which the step waited, laid at this place", \
		  NULL, \
		  NULL }, \
		{ "wait_charged_ns", \
		  NULL, \
		  "CHARGED", \
		  9, \
		  COLUMN_TIME, \
		  COLUMN_ADDITIVE | COLUMN_DATA_ONLY, \
		  NULL, \
		  NULL, \
		  NULL }, \
	{ \
		"cumulative_wait_percent", "CUMULATIVE", "WAIT", 10, COLUMN_PERCENT, 0, \
			"causing wait, TOTAL of this row and all above", NULL, NULL \
	}

static const struct column task_columns[] = {
	{ "task", NULL, "TASK", 24, COLUMN_NAME, 0, "thread, by its name", NULL, NULL },
	{ "resource", NULL, "RESOURCE", 8, COLUMN_TEXT, 0, NULL, NULL, NULL },
	{ "tid", NULL, "TID", 7, COLUMN_NUMBER, COLUMN_DATA_ONLY, NULL, NULL, NULL },
	{ "cpu_ns", NULL, "CPU", 9, COLUMN_TIME, COLUMN_ADDITIVE | COLUMN_DATA_ONLY, NULL, NULL,
	  NULL },
	DEMAND_COLUMNS,
};

static const struct column file_columns[] = {
	{ "ddname", NULL, "DDNAME OR FILE", 24, COLUMN_NAME, 0,
	  "names that begin with a point are waits for no file: .LOCK, .SLEEP, .CHILD, "
	  ".DISPATCH (ready but not running)",
	  NULL, NULL },
	{ "resource", NULL, "RESOURCE", 8, COLUMN_TEXT, 0, NULL, NULL, NULL },
	{ "data_set", NULL, "DATA SET", 0, COLUMN_TEXT, COLUMN_DATA_ONLY, NULL, NULL, NULL },
	DEMAND_COLUMNS,
};

/* More rows than this are folded, unless all are asked for. */
#define DEMAND_ROWS 40

/* One row: a task, a file, or a reason to wait that is no file. */
struct demand {
	enum { DEMAND_TASK, DEMAND_FILE, DEMAND_REASON } kind;
	uint64_t id;
	uint64_t cpu, cpu_solo, io, io_solo, wait, wait_solo;
};

struct demands {
	struct demand *items;
	size_t count;
};

static int compare_demands(const void *first, const void *second)
{
	const struct demand *a = first, *b = second;
	uint64_t solo_a = a->cpu_solo + a->io_solo, solo_b = b->cpu_solo + b->io_solo;

	if (solo_a != solo_b)
		return solo_a > solo_b ? -1 : 1;
	if (a->wait != b->wait)
		return a->wait > b->wait ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return a->id < b->id ? -1 : a->id > b->id;
}

static void add(struct demand *sum, const struct demand *demand)
{
	sum->cpu += demand->cpu;
	sum->cpu_solo += demand->cpu_solo;
	sum->io += demand->io;
	sum->io_solo += demand->io_solo;
	sum->wait += demand->wait;
	sum->wait_solo += demand->wait_solo;
}

static void put_demand(struct context *context, struct table *table, struct row *row,
		       const struct demand *demand, uint64_t cumulative)
{
	row_real(table, row, profile_run_percent(context->profile, demand->cpu));
	row_real(table, row, profile_run_percent(context->profile, demand->io));
	row_real(table, row, profile_run_percent(context->profile, demand->cpu + demand->io));
	row_real(table, row, profile_run_percent(context->profile, demand->cpu_solo));
	row_real(table, row, profile_run_percent(context->profile, demand->io_solo));
	row_real(table, row,
		 profile_run_percent(context->profile, demand->cpu_solo + demand->io_solo));
	row_real(table, row, profile_run_percent(context->profile, demand->wait_solo));
	row_real(table, row, profile_run_percent(context->profile, demand->wait));
	row_number(table, row, demand->wait);
	row_real(table, row, profile_run_percent(context->profile, cumulative));
}

/* Fill the columns that say who it is. */
static void put_identity(struct context *context, struct table *table, struct row *row,
			 const struct demand *demand)
{
	const struct profile *profile = context->profile;
	const struct record_task *task;
	struct strbuf label = STRBUF_INIT;

	if (demand->kind == DEMAND_TASK) {
		task = id_table_get(&profile->tasks, demand->id);
		label_task(context->profile, demand->id, &label);
		row_text(table, row, label.text);
		row_text(table, row, "CPU");
		row_number(table, row, task ? task->tid : 0);
		row_number(table, row, demand->cpu);
	} else if (demand->kind == DEMAND_FILE) {
		label_file(profile, demand->id, &label);
		row_text(table, row, label.text);
		row_text(table, row, label_device(profile, demand->id));
		row_text(table, row, label_data_set(profile, demand->id));
	} else {
		row_text(table, row, label_pseudo_file(demand->id));
		row_text(table, row, "WAIT");
		row_skip(table, row, 1);
	}
	strbuf_release(&label);
}

static void put_sum(struct context *context, struct table *table, enum row_kind kind,
		    const char *label, const struct demand *sum, uint64_t cumulative)
{
	struct row *row = table_row(table, kind);

	row_text(table, row, label);
	row_skip(table, row, 2);
	if (table->columns == task_columns)
		row_number(table, row, sum->cpu);
	put_demand(context, table, row, sum, cumulative);
}

static void put_demands(struct context *context, struct table *table, struct demands *demands)
{
	struct demand total = { .kind = DEMAND_TASK }, other = total;
	struct strbuf label = STRBUF_INIT;
	uint64_t cumulative = 0;
	size_t folded = 0;

	if (demands->count)
		qsort(demands->items, demands->count, sizeof(*demands->items), compare_demands);
	for (size_t i = 0; i < demands->count; i++) {
		const struct demand *demand = &demands->items[i];
		struct row *row;

		add(&total, demand);
		if ((i >= DEMAND_ROWS && !context->options->all) ||
		    (i >= ROWS_ALWAYS_SHOWN &&
		     !context_shows(context,
				    profile_run_percent(context->profile, demand->cpu + demand->io +
										  demand->wait)))) {
			add(&other, demand);
			folded++;
			continue;
		}
		cumulative += demand->wait;
		row = table_row(table, ROW_DETAIL);
		put_identity(context, table, row, demand);
		put_demand(context, table, row, demand, cumulative);
	}
	strbuf_addf(&label, ".OTHER (%zu)", folded);
	if (folded)
		put_sum(context, table, ROW_OTHER, label.text, &other, cumulative + other.wait);
	put_sum(context, table, ROW_TOTAL, "TOTALS", &total, total.wait);
	strbuf_release(&label);
}

static void put_tasks(struct context *context, struct document *document)
{
	const struct activity_table *tasks = &context->profile->task_activity;
	struct demands demands = { xcalloc(tasks->count + 1, sizeof(struct demand)), 0 };

	for (size_t i = 0; i < tasks->count; i++) {
		const struct activity_sum *sum = &tasks->items[i];

		demands.items[demands.count++] = (struct demand){
			.kind = DEMAND_TASK,
			.id = sum->id,
			.cpu = sum->busy,
			.cpu_solo = sum->busy_solo,
			.wait = sum->charged,
			.wait_solo = sum->charged_solo,
		};
	}
	put_demands(context,
		    document_table(document, "tasks", "TASKS, PERCENT OF RUN TIME", task_columns,
				   ARRAY_SIZE(task_columns)),
		    &demands);
	free(demands.items);
}

/* Files by their activity, and waits that are for no file by reason; waits from the WAIT rows. */
static void put_files(struct context *context, struct document *document)
{
	const struct profile *profile = context->profile;
	const struct activity_table *files = &profile->file_activity;
	struct demands demands = { NULL, 0 };
	struct sums sums;

	sums_init(&sums, 2, 2);
	for (size_t i = 0; i < files->count; i++)
		sums_at(&sums, (const uint64_t[]){ DEMAND_FILE, files->items[i].id });
	for (size_t i = 0; i < profile->wait_count; i++) {
		const struct profile_wait *wait = &profile->waits[i];
		uint64_t key[] = { wait->file ? DEMAND_FILE : DEMAND_REASON,
				   wait->file ? wait->file : wait->reason };
		uint64_t *values = sums_at(&sums, key);

		values[0] += wait->charged;
		values[1] += wait->solo;
	}
	demands.items = xcalloc(sums.keys.count + 1, sizeof(struct demand));
	for (size_t i = 0; i < sums.keys.count; i++) {
		const uint64_t *key = sums_key(&sums, i);
		const struct activity_sum *file =
			key[0] == DEMAND_FILE ? activity_find(files, key[1]) : NULL;

		demands.items[demands.count++] = (struct demand){
			.kind = key[0] == DEMAND_FILE ? DEMAND_FILE : DEMAND_REASON,
			.id = key[1],
			.io = file ? file->busy : 0,
			.io_solo = file ? file->busy_solo : 0,
			.wait = sums_values(&sums, i)[0],
			.wait_solo = sums_values(&sums, i)[1],
		};
	}
	put_demands(context,
		    document_table(document, "files",
				   "FILES AND OTHER REASONS TO WAIT, PERCENT OF RUN TIME",
				   file_columns, ARRAY_SIZE(file_columns)),
		    &demands);
	free(demands.items);
	sums_release(&sums);
}

static void build(struct context *context, struct document *document)
{
	put_tasks(context, document);
	put_files(context, document);
}

const struct report_class report_rdd = { "RDD", "Resource Demand Distribution", build };
