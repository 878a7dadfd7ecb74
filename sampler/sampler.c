/* SPDX-License-Identifier: Apache-2.0 */
/* The sampler's life: what it is made of, and how high on the ladder of privilege it gets. */
#include "common/compat.h"
#include "sampler/sampler.h"
#include "common/clock.h"
#include "common/xalloc.h"
#include "sampler/core.h"
#include "sampler/attach.h"
#include "sampler/present.h"

#include <unistd.h>

#define DEFAULT_RATE 1000
#define DEFAULT_TARGET 10000
#define RATE_MAX 100000
/* Rounds of looking for tasks that begin while others are being attached to. */
#define ATTACH_ROUNDS 16

/* The rung that VIGIL_PRIVILEGE asks for; false when it is none. */
static bool privilege_from_environment(enum privilege *privilege)
{
	static const char *const names[] = { "AUTO", "FULL", "USER", "PROC" };
	const char *text = getenv("VIGIL_PRIVILEGE");

	*privilege = PRIVILEGE_AUTO;
	if (!text || !*text)
		return true;
	for (unsigned i = 0; i < ARRAY_SIZE(names); i++) {
		if (strcasecmp(text, names[i]) == 0) {
			*privilege = (enum privilege)i;
			return true;
		}
	}
	return false;
}

/* Fill in what the configuration leaves open. */
static void apply_defaults(struct sampler *sampler)
{
	struct sampler_config *config = &sampler->config;

	if (config->rate == 0)
		config->rate = DEFAULT_RATE;
	if (config->rate > RATE_MAX)
		config->rate = RATE_MAX;
	if (config->target == 0)
		config->target = DEFAULT_TARGET;
	sampler->period_initial = sampler->period = NSEC_PER_SEC / config->rate;
}

/* Data collectors, if there are any, and what resolves stacks with them. */
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

/* Samples are shown to data collectors while they lie in the rings. */
static struct prompt *make_prompt(struct sampler *sampler)
{
	const struct prompt_parts parts = {
		.perf = &sampler->perf,
		.tasks = &sampler->tasks,
		.clock = &sampler->clock,
		.collect = sampler->collect,
		.resolver = &sampler->stack_resolver,
		.transactions = sampler->transactions,
	};

	return prompt_new(&parts);
}

struct sampler *sampler_new(const struct sampler_config *config, struct error *err)
{
	struct sampler *sampler = xcalloc(1, sizeof(*sampler));
	enum privilege asked;

	sampler->config = *config;
	sampler->timer = -1;
	sampler->root_fd = -1;
	sampler->next_change = UINT64_MAX;
	error_init(&sampler->refusal);
	apply_defaults(sampler);
	object_list_init(&sampler->objects);
	stacks_init(&sampler->stacks, &sampler->objects);
	sampler->named_places = named_places_new(&sampler->objects, &sampler->stacks);
	sampler->names = names_new();
	tasks_init(&sampler->tasks);
	recordset_init(&sampler->samples, &record_types[RECORD_SAMPLE]);
	recordset_init(&sampler->waits, &record_types[RECORD_WAIT]);
	sampler->files = files_new(config->files, config->file_count);
	sampler->prober = prober_new(sampler->files);
	sampler->transactions = transactions_new(config->transactions, err);
	if (!sampler->transactions) {
		sampler_free(sampler);
		return NULL;
	}
	if (!privilege_from_environment(&asked)) {
		error_set(err, "VIGIL_PRIVILEGE is \"%s\"; expected FULL, USER or PROC",
			  getenv("VIGIL_PRIVILEGE"));
		sampler_free(sampler);
		return NULL;
	}
	if (asked > sampler->config.privilege)
		sampler->config.privilege = asked;
	make_collect(sampler);
	return sampler;
}

void sampler_free(struct sampler *sampler)
{
	if (!sampler)
		return;
	tick_stop(sampler);
	collect_free(sampler->collect);
	prompt_free(sampler->prompt);
	if (sampler->perf_open)
		perf_release(&sampler->perf);
	tasks_release(&sampler->tasks);
	names_free(sampler->names);
	named_places_free(sampler->named_places);
	stacks_release(&sampler->stacks);
	object_list_release(&sampler->objects);
	transactions_free(sampler->transactions);
	prober_free(sampler->prober);
	files_free(sampler->files);
	recordset_release(&sampler->samples);
	recordset_release(&sampler->waits);
	residues_release(&sampler->residues);
	error_release(&sampler->refusal);
	free(sampler->busy);
	free(sampler->used);
	free(sampler);
}

/* Begin on a rung; observe is called once the rings are there. */
static enum perf_result
try_rung(struct sampler *sampler, enum privilege rung,
	 enum perf_result (*observe)(struct sampler *sampler, struct error *err), struct error *err)
{
	enum perf_result result;

	sampler->privilege = rung;
	if (rung == PRIVILEGE_PROC)
		return observe(sampler, err);
	result = perf_init(&sampler->perf, rung == PRIVILEGE_FULL, sampler->period, err);
	sampler->perf_open = true;
	sampler->perf.wake_each_sample = sampler->wake_each_sample;
	if (result == PERF_OK)
		result = observe(sampler, err);
	if (result != PERF_OK) {
		sampler->perf_open = false;
		perf_release(&sampler->perf);
	}
	return result;
}

/* Climb down the ladder until a rung holds. */
static int climb(struct sampler *sampler,
		 enum perf_result (*observe)(struct sampler *sampler, struct error *err),
		 struct error *err)
{
	enum privilege rung = sampler->config.privilege;

	sampler->wake_each_sample = collect_prepare(sampler->collect);
	sampler->start = clock_monotonic_ns();
	step_clock_init(&sampler->clock, sampler->start);
	if (rung == PRIVILEGE_AUTO)
		rung = PRIVILEGE_FULL;
	for (; rung <= PRIVILEGE_PROC; rung++) {
		struct error why = ERROR_INIT;
		enum perf_result result = try_rung(sampler, rung, observe, &why);

		if (result == PERF_OK) {
			error_release(&why);
			if (sampler->collect && sampler->perf_open)
				sampler->prompt = make_prompt(sampler);
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

/* The events of a child that has not exec'ed yet. */
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

/* A round of attaching to what there is. */
struct attaching {
	struct sampler *sampler;
	struct process *process; /* whose threads are looked at */
	struct error *err;
	enum perf_result result; /* of the first that failed */
	uint64_t found;		 /* tasks that are new in this round */
};

/* present_each for the threads of a process: observe one. */
static void attach_thread(void *argument, pid_t pid UNUSED, pid_t tid)
{
	struct attaching *attaching = argument;
	struct sampler *sampler = attaching->sampler;
	enum perf_result result = PERF_OK;

	/* One that an observed task has started is observed already, and a record tells so. */
	if (sampler->privilege != PRIVILEGE_PROC)
		observe_all(sampler);
	if (attaching->result != PERF_OK || tasks_task(&sampler->tasks, tid))
		return;
	if (sampler->privilege != PRIVILEGE_PROC)
		result = perf_observe(&sampler->perf, tid, false, attaching->err);
	if (result == PERF_GONE)
		return;
	attaching->result = result;
	if (result != PERF_OK)
		return;
	attach_task(sampler, attaching->process, tid)->present = true;
	attaching->found++;
}

/* present_each for children: observe a process with its threads and its own children. */
static void attach_tree(void *argument, pid_t pid, pid_t parent)
{
	struct attaching *attaching = argument;
	struct sampler *sampler = attaching->sampler;
	struct process *process = tasks_process(&sampler->tasks, pid);

	if (!process) {
		process = attach_process(sampler, pid, parent);
		files_adopt(sampler->files, pid);
	}
	attaching->process = process;
	present_threads(pid, attach_thread, attaching);
	if (attaching->result == PERF_OK)
		present_children(pid, attach_tree, attaching);
}

/* Attach to the tree below the root, until no new task is found. */
static enum perf_result observe_tree(struct sampler *sampler, struct error *err)
{
	for (int round = 0; round < ATTACH_ROUNDS; round++) {
		struct attaching attaching = { .sampler = sampler, .err = err };

		attach_tree(&attaching, sampler->root, 0);
		if (attaching.result != PERF_OK)
			return attaching.result;
		if (attaching.found == 0)
			break;
	}
	if (sampler->tasks.alive == 0) {
		error_set(err, "there is no process %d", sampler->root);
		return PERF_GONE;
	}
	return PERF_OK;
}

/* Forget tasks taken in on a rung that did not hold. */
static enum perf_result observe_tree_anew(struct sampler *sampler, struct error *err)
{
	tasks_release(&sampler->tasks);
	tasks_init(&sampler->tasks);
	sampler->unknown = NULL;
	step_clock_init(&sampler->clock, sampler->start);
	return observe_tree(sampler, err);
}

int sampler_attach(struct sampler *sampler, pid_t pid, struct error *err)
{
	sampler->root = pid;
	return climb(sampler, observe_tree_anew, err);
}

int sampler_register(struct sampler *sampler, struct engine *engine, struct error *err)
{
	sampler->rows_engine = engine;
	return producers_register(sampler, engine, err);
}

void sampler_pause(struct sampler *sampler, bool pause)
{
	struct step_clock *clock = &sampler->clock;

	if (clock->paused == pause)
		return;
	observe_all(sampler);
	clock->paused = pause;
}

bool sampler_alive(const struct sampler *sampler)
{
	return sampler->tasks.alive > 0;
}

bool sampler_limit_reached(const struct sampler *sampler)
{
	uint64_t limit = sampler->config.stop_after_samples;

	return limit && sampler->processed >= limit;
}

bool sampler_owns(const struct sampler *sampler, pid_t pid)
{
	return collect_owns(sampler->collect, pid);
}

uint64_t sampler_collector_cpu(const struct sampler *sampler)
{
	return collect_cpu(sampler->collect);
}

enum privilege sampler_privilege(const struct sampler *sampler)
{
	return sampler->privilege;
}

void sampler_counts(const struct sampler *sampler, struct sampler_counts *counts)
{
	*counts = (struct sampler_counts){
		.taken = sampler->taken + sampler->lost,
		.processed = sampler->processed,
		.thinned = sampler->thinned,
		.lost = sampler->lost,
		.whole = sampler->whole,
		.broken = sampler->broken,
		.switches = sampler->tasks.switches,
		.records_lost = sampler->records_lost,
		.probes = sampler->probes,
		.cpu_exact = sampler->tasks.cpu,
		.period = sampler->period,
		.tasks = sampler->tasks.task_count,
		.tasks_alive = sampler->tasks.alive,
		.processes = sampler->tasks.process_count,
	};
}
