/* SPDX-License-Identifier: Apache-2.0 */
/* Completes the data at each snapshot and makes rows. */
#include "common/compat.h"
#include "sampler/producers.h"
#include "common/clock.h"
#include "records/record-types.h"
#include "sampler/sampler-data.h"

#define AT_SNAPSHOTS (1u << SYNC_SNAPSHOT)

/* Fills the step's row for the snapshot. */
static void fill_step_row(struct sampler *sampler)
{
	struct record_step *row = &sampler->snapshot_rows.step;

	memset(row, 0, sizeof(*row));
	step_clock_take(&sampler->clock, &row->exec, &row->wait, &row->delay);
	if (sampler->waits.ready > row->wait)
		sampler->waits.ready = row->wait;
	row->wait -= sampler->waits.ready;
	row->delay += sampler->waits.ready;
	switching_take_charges(&sampler->waits.switching, &row->exec, &row->wait, &row->delay);
	row->time = sampler->clock.now;
	row->interval = row->exec + row->wait + row->delay;
	row->tasks = sampler->tasks.alive;
	resource_usage_step(&sampler->resource_usage, row);
	file_counts_take(sampler->counts, sampler->files, sampler->resource_usage.moved);
}

/* Adds at the end what no live task can provide any more. */
static void finish(struct sampler *sampler)
{
	const struct sample_ledger *ledger = &sampler->ledger;
	const struct estimate_switches switches = {
		.count = sampler->tasks.switches,
		.taken = sampler->waits.switching.taken,
	};
	uint64_t cpu = sampler->tasks.cpu, seen, sampled;
	bool all = sampler->follow && sampler->privilege != PRIVILEGE_PROC &&
		   !sampler->clock.passed_paused && !sampler->observe.records_lost;

	stolen_look(&sampler->stolen, cpu, true);
	if (all && sampler->used)
		stolen_settle(&sampler->stolen, cpu, stolen_executed(sampler->used, ledger->seen, ledger->period),
			      estimate_ends_max(&sampler->estimate, &switches));
	estimate_finish(&sampler->estimate, sampler->clock.now);
	seen = cpu - sampler->stolen.step;
	/* The kernel is sampled slightly beyond its record of a switch. */
	sampled = ledger->processed * ledger->period;
	if (sampled > seen)
		seen = sampled;
	if (all && sampler->used > seen)
		estimate_ends(&sampler->estimate, sampler->used - seen, &switches,
			      sampler->clock.now);
}

/*
 * Makes samples for CPU time in dropped records. Not possible after pauses: the
 * kernel's count includes the paused time, which cannot be separated.
 */
static void fill_losses(struct sampler *sampler, bool last)
{
	const struct step_clock *clock = &sampler->clock;
	bool known = sampler->observe.records_lost && sampler->perf.open && !clock->passed_paused;
	uint64_t counted = known ? perf_counted(&sampler->perf) : 0;
	/* Read the clock last, as the count may take a while on a busy machine. */
	uint64_t lag = last ? 0 : (clock_monotonic_ns() - clock->now) * sampler->perf.cpu_count;

	losses_fill(&sampler->losses, counted, lag);
}

/* Brings all parts up to the end of the snapshot. */
static void snapshot_rows(struct sampler *sampler, bool last)
{
	if (last)
		transactions_last(sampler->transactions);
	tick_catch_up(sampler, last);
	for (struct task *task = sampler->tasks.all; task; task = task->next) {
		state_settle(&sampler->states, task);
		if (task->state == TASK_BLOCKED)
			estimate_wait(&sampler->estimate, task, waits_began(task), sampler->clock.now);
		if (task->state != TASK_ENDED && sampler->privilege != PRIVILEGE_PROC)
			estimate_settle(&sampler->estimate, task, sampler->clock.now, last);
	}
	fill_losses(sampler, last);
	if (last)
		finish(sampler);
	recordset_clear(&sampler->snapshot_rows.waits);
	waits_rows(&sampler->waits, &sampler->tasks, sampler->clock.now, last, &sampler->snapshot_rows.waits);
	resource_usage_look(&sampler->resource_usage);
	fill_step_row(sampler);
	thin_when_due(&sampler->thin);
}

/* Starts the tick with the engine. */
static enum module_status supporter_init(struct module *module, struct error *err)
{
	return tick_start(module->context, module->engine, err) < 0 ? MODULE_FATAL : MODULE_OK;
}

/* Completes the data at each snapshot; at the last one observation ends. */
static enum module_status supporter_call(struct module *module, enum sync_point point UNUSED,
					 struct snapshot *snapshot, struct error *err UNUSED)
{
	struct sampler *sampler = module->context;
	bool last = snapshot->last;

	snapshot_rows(sampler, last);
	if (last) {
		tick_stop(sampler);
		/* Their last messages belong to the notes, and their counts to the rows. */
		collect_end(sampler->collect, &sampler->tasks);
	}
	notes_add(sampler, module->engine, snapshot, last);
	return MODULE_OK;
}

/* Also called if the engine ends early. */
static void supporter_end(struct module *module)
{
	tick_stop(module->context);
}

static const struct module_class supporter = {
	.name = "SAMPLER",
	.summary = "observes the step: samples, waits, tasks",
	.capabilities = MODULE_SUPPORTER | MODULE_PRODUCER,
	.sync_points = AT_SNAPSHOTS,
	.produces = (const struct record_type *const[]){ &record_types[RECORD_NOTE],
							 &record_types[RECORD_ATTRIBUTE], NULL },
	.init = supporter_init,
	.call = supporter_call,
	.end = supporter_end,
};

/* Defines the call of a producer that adds rows to set. */
#define PRODUCE(function, statement) \
	static enum module_status function(struct module *module, enum sync_point point UNUSED, \
					   struct snapshot *snapshot, struct error *err UNUSED) \
	{ \
		struct sampler *sampler = module->context; \
		struct recordset *set = snapshot_set(snapshot, module->types[0]->id); \
\
		statement; \
		return MODULE_OK; \
	}

/* Moves all rows of an internal set into the snapshot's. */
static void move_rows(struct recordset *from, struct recordset *to)
{
	for (size_t i = 0; i < from->count; i++)
		recordset_add(to, recordset_get(from, i));
	recordset_clear(from);
}

PRODUCE(produce_processes, tasks_process_rows(&sampler->tasks, module->engine, set))
PRODUCE(produce_tasks, tasks_rows(&sampler->tasks, module->engine, set))
PRODUCE(produce_objects,
	name_rows_objects(&sampler->name_rows, module->engine, snapshot->last, set))
PRODUCE(produce_frames, stacks_frame_rows(&sampler->stacks, set))
PRODUCE(produce_stacks, stacks_rows(&sampler->stacks, set))
PRODUCE(produce_samples, move_rows(&sampler->ledger.rows, set))
PRODUCE(produce_waits, move_rows(&sampler->snapshot_rows.waits, set))
PRODUCE(produce_activity, tasks_activity_rows(&sampler->tasks, sampler->clock.now, set))
PRODUCE(produce_step, if (sampler->snapshot_rows.step.interval || sampler->snapshot_rows.step.minor_faults)
			      recordset_add(set, &sampler->snapshot_rows.step))
PRODUCE(produce_files, files_rows(sampler->files, module->engine, set))
PRODUCE(produce_file_activity, files_activity(sampler->files, sampler->clock.now, set))
PRODUCE(produce_transactions,
	transactions_rows(sampler->transactions, module->engine, sampler->clock.now, set))
PRODUCE(produce_collectors, collect_rows(sampler->collect, module->engine, set))
PRODUCE(produce_sections, collect_section_rows(sampler->collect, module->engine, set))
PRODUCE(produce_names, name_rows_names(&sampler->name_rows, module->engine, snapshot, set))

#define PRODUCER(id, upper, what, function) \
	{ \
		.name = upper, .summary = what, .capabilities = MODULE_PRODUCER, \
		.sync_points = AT_SNAPSHOTS, .call = function, .after = after_cut, \
		.produces = (const struct record_type *const[]){ &record_types[id], NULL }, \
	}

static const char *const after_cut[] = { "SAMPLER", NULL };

static const struct module_class producers[] = {
	PRODUCER(RECORD_PROCESS, "PROCESS", "the step's processes", produce_processes),
	PRODUCER(RECORD_TASK, "TASK", "the step's tasks and their exact times", produce_tasks),
	PRODUCER(RECORD_SAMPLE, "SAMPLE", "samples of processor use", produce_samples),
	PRODUCER(RECORD_WAIT, "WAIT", "waits by place, reason and file", produce_waits),
	PRODUCER(RECORD_STACK, "STACK", "call stacks", produce_stacks),
	PRODUCER(RECORD_FRAME, "FRAME", "addresses seen", produce_frames),
	PRODUCER(RECORD_NAME, "NAME", "names of the addresses", produce_names),
	/* After the names, which leave notes. */
	PRODUCER(RECORD_OBJECT, "OBJECT",
		 "the files that contain the instructions", produce_objects),
	PRODUCER(RECORD_ACTIVITY, "ACTIVITY", "activity of each task", produce_activity),
	PRODUCER(RECORD_STEP, "STEP", "the state of the whole step", produce_step),
	PRODUCER(RECORD_FILE, "FILE", "the step's files", produce_files),
	PRODUCER(RECORD_FILE_ACTIVITY, "FILE_ACTIVITY",
		 "waits and data transfer of each file", produce_file_activity),
	PRODUCER(RECORD_TRANSACTION, "TRANSACTION", "the transactions named by the step",
		 produce_transactions),
	PRODUCER(RECORD_COLLECTOR, "COLLECTOR", "the data collectors and their results",
		 produce_collectors),
	PRODUCER(RECORD_PSEUDO_SECTION, "PSEUDO_SECTION",
		 "sections to which data collectors assign modules", produce_sections),
};

/* Frees ended tasks once all rows are made. */
static enum module_status sweeper_call(struct module *module, enum sync_point point UNUSED,
				       struct snapshot *snapshot UNUSED, struct error *err UNUSED)
{
	struct sampler *sampler = module->context;

	tasks_sweep(&sampler->tasks);
	return MODULE_OK;
}

static const struct module_class sweeper = {
	.name = "SAMPLER_SWEEP",
	.summary = "removes tasks that ended",
	.capabilities = MODULE_MONITOR,
	.sync_points = 1u << SYNC_SNAPSHOT_END,
	.call = sweeper_call,
};

int producers_register(struct sampler *sampler, struct engine *engine, struct error *err)
{
	RETURN_IF(!engine_add(engine, &supporter, sampler, err), -1);
	for (size_t i = 0; i < ARRAY_SIZE(producers); i++)
		RETURN_IF(!engine_add(engine, &producers[i], sampler, err), -1);
	return engine_add(engine, &sweeper, sampler, err) ? 0 : -1;
}
