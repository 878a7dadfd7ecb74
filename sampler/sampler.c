/* SPDX-License-Identifier: Apache-2.0 */
/* Creates and frees the sampler and its parts, and finds the highest privilege level that works. */
#include "common/compat.h"
#include "sampler/sampler.h"
#include "common/clock.h"
#include "common/xalloc.h"
#include "records/record-types.h"
#include "sampler/attach.h"
#include "sampler/producers.h"
#include "sampler/sampler-data.h"

#include <unistd.h>

#define DEFAULT_RATE 1000
#define DEFAULT_TARGET 10000
#define RATE_MAX 100000

/* Sets defaults for what the configuration leaves open. */
static void apply_defaults(struct sampler *sampler)
{
	struct sampler_config *config = &sampler->config;

	if (config->rate == 0)
		config->rate = DEFAULT_RATE;
	if (config->rate > RATE_MAX)
		config->rate = RATE_MAX;
	if (config->target == 0)
		config->target = DEFAULT_TARGET;
}

/* Makes the data collectors, if any, and the part that resolves stacks with them. */
static void make_collect(struct sampler *sampler)
{
	const struct collect_parts parts = {
		.config = &sampler->config,
		.named_places = sampler->named_places,
		.transactions = sampler->transactions,
		.task_stops = &sampler->task_stops,
	};

	sampler->collect = collect_new(&parts);
	stack_resolve_init(&sampler->stack_resolver, &sampler->stacks, sampler->collect,
			   &sampler->task_stops, sampler->transactions);
}

/* Makes the parts that determine where the step executes. */
static void make_sampling(struct sampler *sampler)
{
	sample_ledger_init(&sampler->ledger, NSEC_PER_SEC / sampler->config.rate,
			   sampler->transactions);
	sampler->ledger.chance = clock_monotonic_ns() | 1;
	short_tasks_init(&sampler->short_tasks, &(struct short_tasks_parts){
							.clock = &sampler->clock,
							.ledger = &sampler->ledger,
							.tasks = &sampler->tasks,
							.perf = &sampler->perf,
							.privilege = &sampler->privilege,
						});
	thin_init(&sampler->thin, &(struct thin_parts){
					  .config = &sampler->config,
					  .ledger = &sampler->ledger,
					  .tasks = &sampler->tasks,
					  .residues = &sampler->residues,
					  .perf = &sampler->perf,
					  .privilege = &sampler->privilege,
				  });
	estimate_init(&sampler->estimate, &(struct estimate_parts){
						  .clock = &sampler->clock,
						  .ledger = &sampler->ledger,
						  .stacks = &sampler->stacks,
						  .short_tasks = &sampler->short_tasks,
						  .residues = &sampler->residues,
						  .tasks = &sampler->tasks,
						  .stolen = &sampler->stolen,
						  .looks = &sampler->kernel_looks,
						  .privilege = &sampler->privilege,
					  });
	samples_init(&sampler->samples, &(struct samples_parts){
						.clock = &sampler->clock,
						.ledger = &sampler->ledger,
						.estimate = &sampler->estimate,
						.short_tasks = &sampler->short_tasks,
						.resolver = &sampler->stack_resolver,
						.transactions = sampler->transactions,
					});
	kernel_looks_init(&sampler->kernel_looks, &(struct kernel_looks_parts){
							  .clock = &sampler->clock,
							  .tasks = &sampler->tasks,
							  .resolver = &sampler->stack_resolver,
							  .transactions = sampler->transactions,
							  .perf = &sampler->perf,
							  .privilege = &sampler->privilege,
						  });
}

/* Makes the parts that determine what tasks do and where they wait. */
static void make_states(struct sampler *sampler)
{
	waits_init(&sampler->waits, &(struct waits_parts){
					    .clock = &sampler->clock,
					    .files = sampler->files,
					    .transactions = sampler->transactions,
					    .perf = &sampler->perf,
					    .privilege = &sampler->privilege,
				    });
	wait_looks_init(&sampler->wait_looks, &(struct wait_looks_parts){
						      .waits = &sampler->waits,
						      .clock = &sampler->clock,
						      .tasks = &sampler->tasks,
						      .prober = sampler->prober,
						      .perf = &sampler->perf,
						      .collect = sampler->collect,
						      .resolver = &sampler->stack_resolver,
						      .transactions = sampler->transactions,
					      });
	switch_places_init(&sampler->switch_places, &(struct switch_places_parts){
							    .perf = &sampler->perf,
							    .tasks = &sampler->tasks,
							    .prober = sampler->prober,
							    .collect = sampler->collect,
							    .resolver = &sampler->stack_resolver,
						    });
	fault_files_init(&sampler->fault_files, sampler->files);
	states_init(&sampler->states, &(struct states_parts){
					      .clock = &sampler->clock,
					      .tasks = &sampler->tasks,
					      .waits = &sampler->waits,
					      .privilege = &sampler->privilege,
				      });
	losses_init(&sampler->losses, &(struct losses_parts){
					      .clock = &sampler->clock,
					      .tasks = &sampler->tasks,
					      .ledger = &sampler->ledger,
					      .states = &sampler->states,
				      });
	resource_usage_init(&sampler->resource_usage, &(struct resource_usage_parts){
							      .tasks = &sampler->tasks,
							      .files = sampler->files,
							      .counts = sampler->counts,
						      });
}

/* Takes the session's step, or makes a private one; all parts use it. */
static void take_step(struct sampler *sampler)
{
	sampler->step = sampler->config.step;
	if (!sampler->step)
		sampler->step = sampler->own = step_new(NULL);
	sampler->transactions = sampler->step->transactions;
	tasks_init(&sampler->tasks, &sampler->step->tasks);
}

/* Makes all parts, each after those it uses. */
static void make_parts(struct sampler *sampler)
{
	const struct sampler_config *config = &sampler->config;

	take_step(sampler);
	idmap_init(&sampler->proc_starts);
	object_list_init(&sampler->objects);
	stacks_init(&sampler->stacks, &sampler->objects);
	sampler->named_places = named_places_new(&sampler->objects, &sampler->stacks);
	sampler->names = names_new();
	sampler->files = files_new(config->files, config->file_count);
	if (config->counts)
		sampler->counts = file_counts_new(config->counts);
	sampler->prober = prober_new(sampler->files);
	make_collect(sampler);
	make_sampling(sampler);
	make_states(sampler);
	observe_init(&sampler->observe);
	tick_init(&sampler->tick);
	cost_watch_init(&sampler->cost, config->cost);
	duty_init(&sampler->duty);
	windows_init(&sampler->windows);
	name_rows_init(&sampler->name_rows, &(struct name_rows_parts){
						    .objects = &sampler->objects,
						    .stacks = &sampler->stacks,
						    .named_places = sampler->named_places,
						    .names = sampler->names,
						    .cache = config->names_cache,
						    .anew = config->names_anew,
					    });
	recordset_init(&sampler->snapshot_rows.waits, &record_types[RECORD_WAIT]);
}

struct sampler *sampler_new(const struct sampler_config *config)
{
	struct sampler *sampler = xcalloc(1, sizeof(*sampler));

	sampler->config = *config;
	error_init(&sampler->refusal);
	apply_defaults(sampler);
	make_parts(sampler);
	return sampler;
}

void sampler_free(struct sampler *sampler)
{
	if (!sampler)
		return;
	tick_stop(sampler);
	collect_free(sampler->collect);
	prompt_free(sampler->prompt);
	kernel_looks_end(&sampler->kernel_looks);
	if (sampler->perf.open)
		perf_release(&sampler->perf);
	recordset_release(&sampler->snapshot_rows.waits);
	name_rows_release(&sampler->name_rows);
	wait_looks_release(&sampler->wait_looks);
	waits_release(&sampler->waits);
	losses_release(&sampler->losses);
	sample_ledger_release(&sampler->ledger);
	resource_usage_release(&sampler->resource_usage);
	tasks_release(&sampler->tasks);
	idmap_release(&sampler->proc_starts);
	names_free(sampler->names);
	named_places_free(sampler->named_places);
	stacks_release(&sampler->stacks);
	object_list_release(&sampler->objects);
	step_free(sampler->own);
	prober_free(sampler->prober);
	files_free(sampler->files);
	file_counts_free(sampler->counts);
	residues_release(&sampler->residues);
	error_release(&sampler->refusal);
	free(sampler);
}

/* Makes the part that shows samples to data collectors while they are still in the rings. */
static void make_prompt(struct sampler *sampler)
{
	const struct prompt_parts parts = {
		.perf = &sampler->perf,
		.tasks = &sampler->tasks,
		.short_tasks = &sampler->short_tasks,
		.clock = &sampler->clock,
		.collect = sampler->collect,
		.resolver = &sampler->stack_resolver,
		.transactions = sampler->transactions,
		.other_options = sampler->config.other_options,
	};

	sampler->prompt = prompt_new(&parts);
	sampler->samples.parts.prompt = sampler->prompt;
}

/* Begins at a privilege level; calls observe once the rings exist. */
static enum perf_result
try_rung(struct sampler *sampler, enum privilege rung,
	 enum perf_result (*observe)(struct sampler *sampler, struct error *err), struct error *err)
{
	enum perf_result result;

	sampler->privilege = rung;
	if (rung == PRIVILEGE_PROC)
		return observe(sampler, err);
	result = perf_init(&sampler->perf, rung == PRIVILEGE_FULL,
			   estimate_event_period(rung, sampler->ledger.period), err);
	sampler->perf.wakeup_each_sample = sampler->wakeup_each_sample;
	sampler->stack_resolver.looks_down = rung == PRIVILEGE_USER;
	if (sampler->config.other_options) {
		sampler->perf.told = true;
		sampler->perf.no_leavings = false;
	}
	if (result == PERF_OK)
		result = observe(sampler, err);
	if (result != PERF_OK)
		perf_release(&sampler->perf);
	return result;
}

/* Tries lower privilege levels until one works. */
static int climb(struct sampler *sampler,
		 enum perf_result (*observe)(struct sampler *sampler, struct error *err),
		 struct error *err)
{
	enum privilege rung = sampler->config.privilege;

	sampler->wakeup_each_sample = collect_prepare(sampler->collect);
	sampler->start = clock_monotonic_ns();
	stolen_begin(&sampler->stolen);
	step_clock_init(&sampler->clock, sampler->start);
	if (rung == PRIVILEGE_AUTO)
		rung = PRIVILEGE_FULL;
	for (; rung <= PRIVILEGE_PROC; rung++) {
		struct error why = ERROR_INIT;
		enum perf_result result = try_rung(sampler, rung, observe, &why);

		if (result == PERF_OK) {
			error_release(&why);
			if (sampler->collect && sampler->perf.open)
				make_prompt(sampler);
			return 0;
		}
		if (result != PERF_REFUSED || rung == PRIVILEGE_PROC) {
			error_set(err, "%s", error_text(&why));
			error_release(&why);
			return -1;
		}
		error_set(&sampler->refusal, "%s", error_text(&why));
		error_release(&why);
	}
	return -1;
}

/* Observes a child that has not called exec yet. */
static enum perf_result observe_child(struct sampler *sampler, struct error *err)
{
	enum perf_result result;

	if (sampler->privilege == PRIVILEGE_PROC)
		return PERF_OK;
	result = perf_observe(&sampler->perf, sampler->root, true, err);
	if (result == PERF_GONE)
		error_set(err, "the process has ended already");
	return result;
}

int sampler_follow(struct sampler *sampler, pid_t child, struct error *err)
{
	struct process *process;

	sampler->root = child;
	sampler->follow = true;
	RETURN_IF(climb(sampler, observe_child, err) < 0, -1);
	process = tasks_add_process(&sampler->tasks, child, NULL, sampler->start);
	tasks_add_task(&sampler->tasks, process, child, "", sampler->start);
	return 0;
}

/* Drops tasks found at a level that did not work, and observes the process tree again. */
static enum perf_result observe_tree_anew(struct sampler *sampler, struct error *err)
{
	tasks_release(&sampler->tasks);
	step_tasks_reset(&sampler->step->tasks);
	tasks_init(&sampler->tasks, &sampler->step->tasks);
	waits_reset(&sampler->waits);
	step_clock_init(&sampler->clock, sampler->start);
	return attach_tree(sampler, err);
}

int sampler_attach(struct sampler *sampler, pid_t pid, struct error *err)
{
	sampler->root = pid;
	return climb(sampler, observe_tree_anew, err);
}

int sampler_register(struct sampler *sampler, struct engine *engine, struct error *err)
{
	return producers_register(sampler, engine, err);
}

void sampler_pause(struct sampler *sampler, bool pause)
{
	if (sampler->suspended == pause)
		return;
	observe_all(sampler);
	sampler->suspended = pause;
	observe_transactions(sampler, sampler->clock.now);
}

void sampler_set_used(struct sampler *sampler, uint64_t cpu)
{
	sampler->used = cpu;
}

bool sampler_alive(const struct sampler *sampler)
{
	return sampler->tasks.alive > 0;
}

bool sampler_limit_reached(const struct sampler *sampler)
{
	uint64_t limit = sampler->config.stop_after_samples;

	return limit && sampler->ledger.processed >= limit;
}

bool sampler_owns(const struct sampler *sampler, pid_t pid)
{
	return collect_owns(sampler->collect, pid);
}

uint64_t sampler_collector_cpu(const struct sampler *sampler)
{
	return collect_cpu(sampler->collect);
}

uint64_t sampler_names_cpu(const struct sampler *sampler)
{
	return name_rows_cpu(&sampler->name_rows);
}

enum privilege sampler_privilege(const struct sampler *sampler)
{
	return sampler->privilege;
}

void sampler_counts(const struct sampler *sampler, struct sampler_counts *counts)
{
	*counts = (struct sampler_counts){
		.taken = sampler->ledger.taken,
		.processed = sampler->ledger.processed,
		.thinned = sampler->ledger.thinned,
		.lost = sampler->ledger.lost,
		.whole = sampler->ledger.whole,
		.broken = sampler->ledger.broken,
		.truncated = sampler->ledger.truncated,
		.switches = sampler->tasks.switches,
		.records_lost = sampler->observe.records_lost,
		.probes = sampler->wait_looks.probes,
		.cpu_exact = sampler->tasks.cpu,
		.cpu_switching = sampler->waits.switching.taken,
		.period = sampler->ledger.period,
		.tasks = sampler->tasks.task_count,
		.tasks_alive = sampler->tasks.alive,
		.processes = sampler->tasks.process_count,
	};
}
