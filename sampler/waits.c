/* SPDX-License-Identifier: Apache-2.0 */
/* Measures waits and gives them to their places. */
#include "common/compat.h"
#include "sampler/waits.h"
#include "common/clock.h"
#include "sampler/perf.h"
#include "sampler/tasks.h"
#include "sampler/transactions.h"

/* A wait from this length on is looked up by itself and tells nothing of others. */
#define LONG_WAIT (5 * NSEC_PER_MSEC)
/* One from this length on that nobody looked at is not taken for the like of short ones. */
#define LONELY_WAIT (100 * NSEC_PER_MSEC)
/* From the end of the wait for a page to the record of the fault it passes at most so much. */
#define FAULT_TAIL (200 * NSEC_PER_USEC)

void waits_init(struct waits *waits, const struct waits_parts *parts)
{
	*waits = (struct waits){ .parts = *parts };
	file_busy_init(&waits->busy, parts->clock, parts->files);
}

void waits_release(struct waits *waits)
{
	file_busy_release(&waits->busy);
}

void waits_reset(struct waits *waits)
{
	const struct waits_parts parts = waits->parts;

	waits_release(waits);
	waits_init(waits, &parts);
}

/* Start the clocks of a wait, or of its next part. */
static void start_clocks(const struct step_clock *clock, struct task *task)
{
	struct wait_going_on *going = &task->waits.going;

	going->share = clock->share[going->class];
	going->alone = clock->alone[going->class];
	going->idle = clock->idle;
}

/* Put a task in front of those whose waits have no place. */
static void list_unknown(struct waits *waits, struct task *task)
{
	if (task->waits.unknown_link)
		return;
	task->waits.next_unknown = waits->unknown;
	if (task->waits.next_unknown)
		task->waits.next_unknown->waits.unknown_link = &task->waits.next_unknown;
	task->waits.unknown_link = &waits->unknown;
	waits->unknown = task;
}

void waits_unlist(struct task *task)
{
	if (!task->waits.unknown_link)
		return;
	*task->waits.unknown_link = task->waits.next_unknown;
	if (task->waits.next_unknown)
		task->waits.next_unknown->waits.unknown_link = task->waits.unknown_link;
	task->waits.unknown_link = NULL;
}

/* Give a part of a wait to a place. short_wait: it was not the wait that was looked at. */
static void give(struct waits *waits, struct task *task, const struct wait_site *site,
		 const struct wait_amount *part, bool short_wait)
{
	struct files_wait wait;

	wait_tallies_add(&task->waits.tallies, site, part);
	if (!site->file)
		return;
	wait = (struct files_wait){
		.waits = part->count,
		.total = part->total,
		.charged = part->charged,
		.charged_solo = part->solo,
	};
	if (short_wait) {
		wait.busy = part->total;
		wait.busy_solo = part->solo;
	}
	files_add_wait(waits->parts.files, site->file, &wait);
}

/* Short waits of a task whose place was not known get it. */
static void give_pending(struct waits *waits, struct task *task, const struct wait_site *site)
{
	if (wait_amount_is_empty(&task->waits.pending))
		return;
	give(waits, task, site, &task->waits.pending, true);
	memset(&task->waits.pending, 0, sizeof(task->waits.pending));
	task->waits.looked_closely = 0;
}

/* The deferred wait has a place of its own. */
static void give_deferred(struct waits *waits, struct task *task, const struct wait_site *site)
{
	if (wait_amount_is_empty(&task->waits.deferred))
		return;
	give(waits, task, site, &task->waits.deferred, true);
	memset(&task->waits.deferred, 0, sizeof(task->waits.deferred));
	task->waits.deferred_apart = false;
}

/* The deferred wait is no page fault. */
static void settle_deferred(struct waits *waits, struct task *task)
{
	const struct wait_site nowhere = { .reason = WAIT_UNKNOWN };
	struct wait_amount *deferred = &task->waits.deferred;

	if (wait_amount_is_empty(deferred))
		return;
	if (task->waits.deferred_apart ||
	    (*waits->parts.privilege != PRIVILEGE_PROC && deferred->total >= LONELY_WAIT)) {
		give_deferred(waits, task, &nowhere);
		return;
	}
	if (task->waits.short_known) {
		give_deferred(waits, task, &task->waits.short_site);
		return;
	}
	if (task->waits.pending.transaction != deferred->transaction)
		give_pending(waits, task, &nowhere);
	task->waits.pending.transaction = deferred->transaction;
	wait_amount_add(&task->waits.pending, deferred);
	memset(deferred, 0, sizeof(*deferred));
}

/* Defer a part of a wait without a place. */
static void defer(struct waits *waits, struct task *task, const struct wait_amount *part)
{
	if (task->waits.deferred.transaction != part->transaction)
		settle_deferred(waits, task);
	task->waits.deferred.transaction = part->transaction;
	wait_amount_add(&task->waits.deferred, part);
}

void waits_open(struct waits *waits, struct task *task, bool preempted)
{
	struct step_clock *clock = waits->parts.clock;
	struct wait_going_on *going = &task->waits.going;

	going->charged = going->solo = 0;
	going->began = clock->active;
	going->began_at = clock->now;
	going->on_file = false;
	going->looks = going->asked = 0;
	going->unanswered = false;
	going->known = preempted;
	going->sure = going->apart = false;
	going->class = CLASS_MAJOR;
	if (preempted) {
		/* Its place is where it was executing. */
		going->site = (struct wait_site){ .stack = task->stack, .reason = WAIT_DISPATCH };
	} else {
		if (task->waits.recent_at)
			going->class = wait_site_class(&task->waits.recent);
		settle_deferred(waits, task);
		list_unknown(waits, task);
	}
	task->since = clock->active;
	step_clock_begin_wait(clock, going->class);
	start_clocks(clock, task);
}

/* The wait going on is known to be for a file. */
static void begin_file_wait(struct waits *waits, struct task *task)
{
	struct wait_going_on *going = &task->waits.going;

	if (!going->site.file)
		return;
	going->on_file = true;
	file_busy_begin(&waits->busy, &going->site, task->since, going->idle);
}

/* The wait going on is no longer one for a file. */
static void end_file_wait(struct waits *waits, struct task *task)
{
	struct wait_going_on *going = &task->waits.going;

	if (!going->on_file)
		return;
	going->on_file = false;
	file_busy_end(&waits->busy, &going->site);
}

/* Take what the wait going on came to since it was cut last. */
static void take_part(struct waits *waits, struct task *task, struct wait_amount *part)
{
	struct step_clock *clock = waits->parts.clock;
	struct wait_going_on *going = &task->waits.going;

	*part = (struct wait_amount){
		.transaction = transactions_of(waits->parts.transactions, task->tid),
		.total = clock->active - task->since,
		.charged = going->charged + clock->share[going->class] - going->share,
		.solo = going->solo + clock->alone[going->class] - going->alone,
	};
	going->charged = going->solo = 0;
	task->since = clock->active;
	start_clocks(clock, task);
	if (going->known && going->site.reason == WAIT_DISPATCH)
		task->delay += part->total;
	else
		task->wait += part->total;
	task->activity.charged += part->charged;
	task->activity.charged_solo += part->solo;
}

/* The wait going on has the place of the look that met it. */
static void take_place(struct waits *waits, struct task *task)
{
	struct wait_going_on *going = &task->waits.going;
	const struct wait_site *site = &task->waits.met.site;
	bool other_file =
		going->on_file && (going->site.file != site->file ||
				   wait_site_is_file(&going->site) != wait_site_is_file(site));

	if (other_file)
		end_file_wait(waits, task);
	going->site = *site;
	if (other_file)
		begin_file_wait(waits, task);
	task->waits.met.until = 0;
}

/* The wait going on has a place, and the records are taken up to a time behind the look: so that
   look met this wait. Another may come, or a snapshot. */
static void confirm_met(struct waits *waits, struct task *task)
{
	struct wait_going_on *going = &task->waits.going;
	uint64_t until = task->waits.met.until;

	if (task->state != TASK_BLOCKED || !going->known || !until || until < going->began_at ||
	    until > waits->parts.clock->now)
		return;
	take_place(waits, task);
	going->sure = true;
}

/* Whether the wait going on is looked up by itself. Without records only waits that last are seen
   at all. */
static bool is_long(const struct waits *waits, const struct task *task)
{
	return waits->parts.clock->active - task->waits.going.began >= LONG_WAIT &&
	       *waits->parts.privilege != PRIVILEGE_PROC;
}

/* The wait going on ends, and the last look came too late to tell its place: it has that of an
   earlier look, or none. */
static void miss(struct waits *waits, struct task *task)
{
	const struct wait_site *seen = &task->waits.met.site, *like = &task->waits.short_site;
	struct wait_going_on *going = &task->waits.going;

	going->known = going->sure;
	going->apart = task->waits.met.told && is_long(waits, task) &&
		       !(task->waits.short_known && seen->stack == like->stack &&
			 seen->reason == like->reason && seen->file == like->file);
}

/* The wait going on ends: settle whether it was the one that was looked at last. */
static void settle_met(struct waits *waits, struct task *task)
{
	struct wait_going_on *going = &task->waits.going;
	uint64_t now = waits->parts.clock->now;

	confirm_met(waits, task);
	if (!task->waits.met.until)
		return;
	if (now < task->waits.met.from) {
		miss(waits, task); /* it will be a later one */
		return;
	}
	if (going->began_at > task->waits.met.until) {
		/* It was none that is known of. */
	} else if (task->waits.met.told && now < task->waits.met.until && is_long(waits, task)) {
		miss(waits, task); /* what came next may have been seen */
	} else {
		going->known = true;
		going->site = task->waits.met.site;
	}
	task->waits.met.until = 0;
}

/* A wait whose place is known has ended: if it was short, others are taken for its like. */
static void learn_from(struct waits *waits, struct task *task)
{
	const struct wait_going_on *going = &task->waits.going;
	const struct wait_site *site = &going->site;

	if (is_long(waits, task) || (*waits->parts.privilege != PRIVILEGE_PROC &&
				     site->reason == WAIT_PAGE && waits->parts.perf->fault_count))
		return;
	task->waits.short_site = *site;
	task->waits.short_known = true;
	give_pending(waits, task, site);
}

void waits_close(struct waits *waits, struct task *task, bool ended)
{
	struct wait_going_on *going = &task->waits.going;
	bool blocked = task->state == TASK_BLOCKED;
	struct wait_amount part;

	take_part(waits, task, &part);
	part.count = ended && !waits->parts.clock->paused;
	if (ended)
		end_file_wait(waits, task);
	if (ended && blocked)
		settle_met(waits, task);
	else
		confirm_met(waits, task);
	if (!going->known) {
		defer(waits, task, &part);
		task->waits.deferred_apart = going->apart;
	} else {
		give(waits, task, &going->site, &part, false);
		/* Parts of it that a snapshot cut off before its place was known. */
		if (blocked)
			give_deferred(waits, task, &going->site);
	}
	if (!ended)
		return;
	if (blocked && going->known)
		learn_from(waits, task);
	/* One whose waits all were too short to be looked at stays on the list. */
	if (task->waits.pending.count == 0)
		waits_unlist(task);
	step_clock_end_wait(waits->parts.clock, going->class);
}

bool waits_may_be_fault(const struct waits *waits, const struct task *task)
{
	return task->state == TASK_RUNNING && !wait_amount_is_empty(&task->waits.deferred) &&
	       waits->parts.clock->active - task->since <= FAULT_TAIL;
}

void waits_fault(struct waits *waits, struct task *task, uint32_t stack)
{
	const struct wait_site site = { .stack = stack, .reason = WAIT_PAGE };

	give_deferred(waits, task, &site);
}

void waits_end(struct waits *waits, struct task *task)
{
	const struct wait_site nowhere = { .reason = WAIT_UNKNOWN };

	waits_unlist(task);
	settle_deferred(waits, task);
	give_pending(waits, task, &nowhere);
}

void waits_exec(struct waits *waits, struct task *task)
{
	waits_end(waits, task);
	task->waits.recent_at = 0;
	task->waits.futile = 0;
	task->waits.short_known = false;
	task->waits.met.until = 0;
}

/* The wait going on turns out to be of another class. */
static void change_class(struct waits *waits, struct task *task, enum wait_class class)
{
	struct step_clock *clock = waits->parts.clock;
	struct wait_going_on *going = &task->waits.going;

	going->charged += clock->share[going->class] - going->share;
	going->solo += clock->alone[going->class] - going->alone;
	step_clock_end_wait(clock, going->class);
	step_clock_begin_wait(clock, class);
	going->class = class;
	going->share = clock->share[class];
	going->alone = clock->alone[class];
}

void waits_locate(struct waits *waits, struct task *task, const struct wait_site *site,
		  uint64_t from, uint64_t until)
{
	struct wait_going_on *going = &task->waits.going;

	confirm_met(waits, task);
	task->waits.recent = *site;
	task->waits.recent_at = waits->parts.clock->active + 1; /* never 0 */
	task->waits.futile = 0;
	task->waits.met.site = *site;
	task->waits.met.from = from;
	task->waits.met.until = until;
	task->waits.met.told = false;
	if (task->waits.pending.count == 0)
		waits_unlist(task);
	if (task->state != TASK_BLOCKED || going->known)
		return; /* it was looked at for its short waits' sake */
	going->known = true;
	going->site = *site;
	if (wait_site_class(site) != going->class)
		change_class(waits, task, wait_site_class(site));
	begin_file_wait(waits, task);
}

void waits_told(struct task *task)
{
	task->waits.met.told = true;
}

uint32_t waits_recent_stack(const struct task *task)
{
	return task->waits.recent_at ? task->waits.recent.stack : 0;
}

void waits_rows(struct waits *waits, struct tasks *tasks, uint64_t time, bool last,
		struct recordset *set)
{
	for (struct task *task = tasks->all; task; task = task->next) {
		if (last)
			waits_end(waits, task);
		wait_tallies_rows(&task->waits.tallies, task->id, time, set);
	}
	file_busy_cut(&waits->busy);
}
