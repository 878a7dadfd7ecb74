/* SPDX-License-Identifier: Apache-2.0 */
/* The data collectors of a session: their life, and what concerns all of them. */
#include "common/compat.h"
#include "sampler/collect.h"
#include "common/clock.h"
#include "common/xalloc.h"
#include "sampler/collect-data.h"
#include "sampler/task-stop.h"
#include "sampler/tasks.h"
#include "step/transactions.h"

#include <assert.h>

/* Maximum time that the step's first program waits for its collectors to be loaded. */
#define PREPARE_TIME (2500 * NSEC_PER_MSEC)
/*
 * Collectors that come with vigil stop tasks for at most 1/N of the session, and
 * initially for this time.
 */
#define FEATURES_STOP 100
#define STOP_AT_FIRST (100 * NSEC_PER_MSEC)
/*
 * Transactions that a collector named end if it has not answered for this time; it
 * is switched off later than that, if at all.
 */
#define SILENCE (500 * NSEC_PER_MSEC)

struct collect *collect_new(const struct collect_parts *parts)
{
	struct collect *collect;

	RETURN_IF(!parts->config->choose, NULL);
	collect = xcalloc(1, sizeof(*collect));
	collect->parts = *parts;
	return collect;
}

void collect_free(struct collect *collect)
{
	if (!collect)
		return;
	for (size_t i = 0; i < collect->count; i++) {
		host_client_release(&collect->items[i]->client);
		free(collect->items[i]);
	}
	free(collect->items);
	collect_free_choices(collect);
	free(collect);
}

size_t collect_count(const struct collect *collect)
{
	return collect->count;
}

struct collector *collect_get(const struct collect *collect, size_t number)
{
	return collect->items[number];
}

/*
 * Loads the collectors of the step's first program; returns whether one wants to
 * be called at once.
 */
static bool load_first(struct collect *collect)
{
	uint64_t until = clock_monotonic_ns() + PREPARE_TIME;
	struct choice *choice = collect_need_subject(collect);

	RETURN_IF(!choice, false);
	collect_decide(collect, choice);
	for (size_t i = 0; i < choice->count; i++)
		host_client_await(&choice->members[i].collector->client, until);
	collect->busy = collect_decide(collect, choice) > 0;
	for (size_t i = 0; i < choice->count; i++)
		if (choice->members[i].state == CHOSEN_CALLED &&
		    choice->members[i].collector->client.loaded.collector_flags &
			    (VIGIL_PROMPT | VIGIL_HOLD))
			return true;
	return false;
}

bool collect_prepare(struct collect *collect)
{
	bool at_once;

	RETURN_IF(!collect, false);
	at_once = load_first(collect);
	collect->began = clock_monotonic_ns();
	return at_once;
}

bool collect_wants(struct collect *collect, struct process *process)
{
	if (!collect || process->awaiting_image || !*process->base->program)
		return false;
	if (!process->choice)
		process->choice = collect_need_choice(collect, process->base->program, process->subject);
	return process->choice->count && collect_decide(collect, process->choice) > 0;
}

bool collect_loads(struct collect *collect, struct process *process)
{
	if (!collect_wants(collect, process))
		return false;
	for (size_t i = 0; i < process->choice->count; i++)
		if (process->choice->members[i].collector->client.state == HOST_CLIENT_LOADING)
			return true;
	return false;
}

bool collect_wants_stop(const struct collect *collect, const struct process *process, uint64_t now)
{
	const struct choice *choice = process->choice;
	bool wanted = false;

	for (size_t i = 0; i < choice->count; i++) {
		const struct chosen *member = &choice->members[i];
		const struct collector *collector = member->collector;

		if (member->state != CHOSEN_CALLED ||
		    collector->client.state != HOST_CLIENT_READY ||
		    !(collector->client.loaded.collector_flags & VIGIL_HOLD))
			continue;
		if (collector->wanted->origin != COLLECTOR_FEATURE)
			return true;
		wanted = true;
	}
	return wanted && collect->parts.task_stops->spent * FEATURES_STOP <
				 now - collect->began + STOP_AT_FIRST;
}

bool collect_is_off(const struct collect *collect, uint64_t id)
{
	assert(id > 0 && id <= collect->count);
	return collect->items[id - 1]->client.state == HOST_CLIENT_OFF;
}

/* Returns whether a collector has not answered for so long that its current answer is unknown. */
static bool is_silent(const struct collector *collector, uint64_t now)
{
	return collector->client.state == HOST_CLIENT_BUSY &&
	       now > collector->client.asked_at + SILENCE;
}

/* Processes the state of a collector that was started. */
static void look_at(struct collect *collect, struct collector *collector, uint64_t time)
{
	uint64_t now = clock_monotonic_ns();
	bool was_withdrawn = collector->withdrawn;

	collect_look_at(collect, collector, now);
	collector->withdrawn =
		collector->client.state == HOST_CLIENT_OFF || is_silent(collector, now);
	if (collector->withdrawn && !was_withdrawn)
		transactions_withdraw(collect->parts.transactions, collector->id, time);
}

void collect_look(struct collect *collect, const struct tasks *tasks, uint64_t time)
{
	if (!collect)
		return;
	for (size_t i = 0; i < collect->count; i++)
		if (collect->items[i]->started)
			look_at(collect, collect->items[i], time);
	collect->busy = false;
	for (struct process *process = tasks->processes; process; process = process->next)
		if (process->live && collect_wants(collect, process))
			collect->busy = true;
}

bool collect_busy(const struct collect *collect)
{
	return collect && collect->busy;
}

bool collect_asks(const struct collect *collect)
{
	for (size_t i = 0; collect_busy(collect) && i < collect->count; i++)
		if (collect->items[i]->called &&
		    collect->items[i]->client.state != HOST_CLIENT_OFF &&
		    collect->items[i]->quiet < QUIET)
			return true;
	return false;
}

void collect_forget(struct collect *collect, struct process *process)
{
	process->choice = NULL;
	for (size_t i = 0; collect && i < collect->count; i++)
		if (collect->items[i]->started)
			host_client_forget(&collect->items[i]->client, process->base->pid);
}

bool collect_owns(const struct collect *collect, pid_t pid)
{
	for (size_t i = 0; collect && i < collect->count; i++)
		if (collect->items[i]->client.pid == pid)
			return true;
	return false;
}

uint64_t collect_cpu(const struct collect *collect)
{
	uint64_t used = 0;

	for (size_t i = 0; collect && i < collect->count; i++)
		used += host_client_cpu(&collect->items[i]->client);
	return used;
}
