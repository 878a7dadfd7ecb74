/* SPDX-License-Identifier: Apache-2.0 */
/* Looks at samples before they are applied. */
#include "common/compat.h"
#include "sampler/prompt.h"
#include "common/idmap.h"
#include "common/xalloc.h"
#include "sampler/core.h"

/* Samples that were looked at and not applied yet. */
#define KEPT_MAX 1024

struct ahead {
	/* Further readers of the rings of perf: of samples, and, before them, of changes. */
	struct view {
		struct ring samples, changes;
	} * views;
	size_t view_count;
	struct kept *free;
	struct idmap changes; /* pid -> time of its last record that changes its address space */
	struct kept items[KEPT_MAX];
};

struct ahead *ahead_new(struct perf *perf)
{
	struct ahead *ahead = xcalloc(1, sizeof(*ahead));

	idmap_init(&ahead->changes);
	ahead->view_count = perf->cpu_count;
	ahead->views = xcalloc(perf->cpu_count + 1, sizeof(*ahead->views));
	for (size_t i = 0; i < perf->cpu_count; i++) {
		ring_view(&ahead->views[i].samples, &perf->cpus[i].ring);
		ring_view(&ahead->views[i].changes, &perf->cpus[i].ring);
	}
	for (size_t i = 0; i < KEPT_MAX; i++) {
		ahead->items[i].next = ahead->free;
		ahead->free = &ahead->items[i];
	}
	return ahead;
}

void ahead_free(struct ahead *ahead)
{
	if (!ahead)
		return;
	for (size_t i = 0; i < ahead->view_count; i++) {
		free(ahead->views[i].samples.bounce);
		free(ahead->views[i].changes.bounce);
	}
	free(ahead->views);
	idmap_release(&ahead->changes);
	free(ahead);
}

/* The first of a task's kept samples is no longer needed. */
static void drop_first(struct ahead *ahead, struct task *task)
{
	struct kept *kept = task->kept;

	task->kept = kept->next;
	kept->next = ahead->free;
	ahead->free = kept;
}

void ahead_pass(struct sampler *sampler, struct task *task, uint64_t time)
{
	for (struct kept *kept = task->kept; kept && kept->time <= time; kept = kept->next) {
		collect_apply(sampler, task, &kept->verdict, kept->time);
		kept->verdict.transaction_said = false;
	}
}

bool ahead_take(struct sampler *sampler, struct task *task, const struct observation *seen,
		struct verdict *verdict)
{
	bool finer = seen->sample.period < sampler->ledger.period, found = false;

	ahead_pass(sampler, task, seen->time - 1);
	while (task->kept && task->kept->time <= seen->time) {
		found = finer || task->kept->time == seen->time;
		*verdict = task->kept->verdict;
		drop_first(sampler->ahead, task);
	}
	return found;
}

void ahead_drop(struct ahead *ahead, struct task *task)
{
	while (task->kept)
		drop_first(ahead, task);
}

void ahead_forget(struct ahead *ahead, struct task *task)
{
	ahead_drop(ahead, task);
	if (ahead && task->process->live <= 1)
		idmap_remove(&ahead->changes, (uint64_t)task->process->pid);
}

uint64_t ahead_transaction(const struct sampler *sampler, const struct task *task)
{
	uint64_t id = transactions_of(sampler->transactions, task->tid);

	for (const struct kept *kept = task->kept; kept; kept = kept->next)
		if (kept->verdict.transaction_said)
			id = kept->verdict.transaction;
	return id;
}

/* Keep what was found out, in order of time. */
static void keep(struct ahead *ahead, struct task *task, uint64_t time,
		 const struct verdict *verdict)
{
	struct kept *kept = ahead->free, **link = &task->kept;

	ahead->free = kept->next;
	kept->time = time;
	kept->verdict = *verdict;
	while (*link && (*link)->time < time)
		link = &(*link)->next;
	kept->next = *link;
	*link = kept;
}

/* Whether the address space of a process changes by a record that was not applied yet. */
static bool changes(struct sampler *sampler, pid_t pid)
{
	struct ahead *ahead = sampler->ahead;
	uint64_t time;

	RETURN_IF(!idmap_get(&ahead->changes, (uint64_t)pid, &time), false);
	RETURN_IF(time > sampler->clock.now, true);
	idmap_remove(&ahead->changes, (uint64_t)pid);
	return false;
}

/* Whether a sample is to be looked at: of those that stand for less than a period one a period. */
static bool is_due(const struct sampler *sampler, struct task *task,
		   const struct observed_sample *sample)
{
	if (!short_tasks_accept(task, sample->finer))
		return false;
	task->looked_ahead += sample->period;
	if (task->looked_ahead < sampler->ledger.period)
		return false;
	task->looked_ahead -= sampler->ledger.period;
	return true;
}

/* perf_each of the samples that are new; of a task that was not heard of nothing is known yet. */
static void look_at_sample(void *argument, const struct observation *seen)
{
	struct sampler *sampler = argument;
	struct task *task = tasks_task(&sampler->tasks, seen->tid);
	struct verdict verdict;

	if (seen->kind != OBSERVED_SAMPLE || !task || task->state == TASK_UNSEEN ||
	    sampler->clock.paused || seen->sample.abi == 0 || !sampler->ahead->free ||
	    changes(sampler, seen->pid) || !collect_wants(sampler, task->process) ||
	    !is_due(sampler, task, &seen->sample))
		return;
	samples_judge(sampler, task, seen, &verdict);
	keep(sampler->ahead, task, seen->time, &verdict);
}

/* perf_each of the records that are new and tell of a change: mappings, and names of tasks. */
static void look_at_change(void *argument, const struct observation *seen)
{
	struct sampler *sampler = argument;

	if (seen->kind == OBSERVED_MAP || seen->comm.exec)
		idmap_put(&sampler->ahead->changes, (uint64_t)seen->pid, seen->time);
}

/*
 * The kernel writes a change before the samples that come after it, but not into the same ring when
 * the task has changed its processor. So the changes are looked at first, up to a moment after the
 * last sample that is looked at.
 */
void ahead_look(struct sampler *sampler)
{
	struct ahead *ahead = sampler->ahead;

	if (!ahead || !collect_busy(sampler))
		return;
	for (size_t i = 0; i < ahead->view_count; i++)
		ring_follow(&ahead->views[i].samples, &sampler->perf.cpus[i].ring);
	for (size_t i = 0; i < ahead->view_count; i++) {
		ring_follow(&ahead->views[i].changes, &sampler->perf.cpus[i].ring);
		perf_look_at_changes(&sampler->perf, &ahead->views[i].changes, look_at_change,
				     sampler);
	}
	for (size_t i = 0; i < ahead->view_count; i++)
		perf_look_at_samples(&sampler->perf, &ahead->views[i].samples, look_at_sample,
				     sampler);
}
