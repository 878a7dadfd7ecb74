/* SPDX-License-Identifier: Apache-2.0 */
/* Measures waits and assigns them to their places. */
#include "common/compat.h"
#include "sampler/waits.h"
#include "common/clock.h"
#include "common/xalloc.h"
#include "records/record-types.h"
#include "sampler/perf.h"
#include "sampler/tasks.h"
#include "step/transactions.h"

/* From this length on a wait is looked up individually and says nothing about others. */
#define LONG_WAIT (5 * NSEC_PER_MSEC)
/* From this length on a wait that no look saw is not treated as similar to short ones. */
#define LONELY_WAIT (100 * NSEC_PER_MSEC)
/* Maximum time from the end of the wait for a page to the record of the fault. */
#define FAULT_TAIL (200 * NSEC_PER_USEC)

void waits_init(struct waits *waits, const struct waits_parts *parts)
{
	*waits = (struct waits){ .parts = *parts };
	file_busy_init(&waits->busy, parts->clock, parts->files);
}

void waits_release(struct waits *waits)
{
	file_busy_release(&waits->busy);
	for (size_t i = 0; i < waits->program_count; i++)
		wait_likes_release(&waits->programs[i].likes);
	free(waits->programs);
	free(waits->listed);
}

void waits_reset(struct waits *waits)
{
	const struct waits_parts parts = waits->parts;

	waits_release(waits);
	waits_init(waits, &parts);
}

/* Starts the clocks of a wait, or of its next part. */
static void start_clocks(const struct step_clock *clock, struct task *task)
{
	struct wait_going_on *going = &task->waits.going;

	going->share = clock->share[going->class];
	going->alone = clock->alone[going->class];
	going->idle = clock->idle;
}

/* Makes the waiting task a candidate for looks. */
static void list_task(struct waits *waits, struct task *task)
{
	if (task->waits.listed)
		return;
	GROW(waits->listed, waits->listed_count + 1, waits->listed_alloc);
	waits->listed[waits->listed_count++] = task;
	task->waits.listed = waits->listed_count;
}

void waits_unlist(struct waits *waits, struct task *task)
{
	struct task *last;

	if (!task->waits.listed)
		return;
	last = waits->listed[--waits->listed_count];
	waits->listed[task->waits.listed - 1] = last;
	last->waits.listed = task->waits.listed;
	task->waits.listed = 0;
}

/* Gives a part of a wait to a place. short_wait: a look did not see this wait. */
static void give(struct waits *waits, struct task *task, const struct wait_site *site,
		 const struct wait_amount *part, bool short_wait)
{
	struct wait_amount known = *part;
	struct files_wait wait;

	known.sampled = false;
	wait_tallies_add(&task->waits.tallies, site, &known);
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

/* Gives the deferred wait to this place. */
static void give_deferred(struct waits *waits, struct task *task, const struct wait_site *site)
{
	if (wait_amount_is_empty(&task->waits.deferred))
		return;
	give(waits, task, site, &task->waits.deferred, true);
	memset(&task->waits.deferred, 0, sizeof(task->waits.deferred));
	task->waits.deferred_apart = task->waits.deferred_known = false;
}

/* Settles the deferred wait, which is not a page fault. */
static void settle_deferred(struct waits *waits, struct task *task)
{
	const struct wait_site nowhere = { .reason = WAIT_UNKNOWN };
	struct wait_amount *deferred = &task->waits.deferred;

	if (wait_amount_is_empty(deferred))
		return;
	if (task->waits.deferred_known) {
		const struct wait_site site = task->waits.deferred_site;

		give_deferred(waits, task, &site);
		return;
	}
	if (task->waits.deferred_apart ||
	    (*waits->parts.privilege != PRIVILEGE_PROC && deferred->total >= LONELY_WAIT)) {
		give_deferred(waits, task, &nowhere);
		return;
	}
	wait_tallies_add(&task->waits.missed, &nowhere, deferred);
	memset(deferred, 0, sizeof(*deferred));
}

/*
 * Deferred parts that snapshots split from the wait in progress get its
 * transaction as it is known now: a task does not change its transaction while it
 * waits.
 */
static void rename_deferred(struct task *task, const struct wait_amount *part)
{
	struct wait_amount *deferred = &task->waits.deferred;

	if (task->state != TASK_BLOCKED || wait_amount_is_empty(deferred))
		return;
	deferred->transaction = part->transaction;
	deferred->sampled = part->sampled;
}

/* Defers a part of a wait whose place or transaction is not known yet. */
static void defer(struct waits *waits, struct task *task, const struct wait_amount *part)
{
	rename_deferred(task, part);
	if (task->waits.deferred.transaction != part->transaction)
		settle_deferred(waits, task);
	task->waits.deferred.transaction = part->transaction;
	task->waits.deferred.sampled |= part->sampled;
	wait_amount_add(&task->waits.deferred, part);
}

void waits_leave(struct task *task, const struct wait_site *site, bool again)
{
	task->waits.leaving.known = site != NULL;
	task->waits.leaving.again = again;
	if (site)
		task->waits.leaving.site = *site;
}

/* Begins to count the wait in progress as one for a file, if it is. */
static void begin_file_wait(struct waits *waits, struct task *task)
{
	struct wait_going_on *going = &task->waits.going;

	if (!going->site.file)
		return;
	going->on_file = true;
	file_busy_begin(&waits->busy, &going->site, task->since, going->idle);
}

/* Returns whether a look can find out anything. */
static bool is_looked_at(const struct wait_going_on *going)
{
	return !going->exact || going->site.reason == WAIT_LOCK;
}

/* Gives the wait that begins the place that the kernel reported, if it did. */
static void take_leaving(struct waits *waits, struct task *task)
{
	struct task_waits *own = &task->waits;
	struct wait_going_on *going = &own->going;

	if (!own->leaving.known) {
		own->call = 0;
		return;
	}
	going->exact = going->known = going->sure = true;
	going->again = own->leaving.again;
	going->site = own->leaving.site;
	own->recent = going->site;
	own->recent_at = waits->parts.clock->active + 1; /* never 0 */
}

void waits_open(struct waits *waits, struct task *task, bool preempted)
{
	struct step_clock *clock = waits->parts.clock;
	struct wait_going_on *going = &task->waits.going;

	going->charged = going->solo = 0;
	going->began = clock->active;
	going->began_at = clock->now;
	going->on_file = false;
	task_looks_begin(&task->looks);
	going->known = preempted;
	going->sure = going->apart = going->exact = going->again = false;
	going->class = CLASS_MAJOR;
	if (preempted) {
		/* Its place is where the task was executing. */
		going->site = (struct wait_site){ .stack = task->stack, .reason = WAIT_DISPATCH };
	} else {
		take_leaving(waits, task);
		if (task->waits.recent_at)
			going->class = wait_site_class(&task->waits.recent);
		settle_deferred(waits, task);
		if (is_looked_at(going))
			list_task(waits, task);
	}
	task->waits.leaving.known = false;
	task->since = clock->active;
	step_clock_begin_wait(clock, going->class);
	start_clocks(clock, task);
	if (going->exact)
		begin_file_wait(waits, task);
}

/* The wait in progress is no longer one for a file. */
static void end_file_wait(struct waits *waits, struct task *task)
{
	struct wait_going_on *going = &task->waits.going;

	if (!going->on_file)
		return;
	going->on_file = false;
	file_busy_end(&waits->busy, &going->site);
}

/* Takes the amount of the wait in progress since it was last split; ended: with its end. */
static void take_part(struct waits *waits, struct task *task, bool ended, struct wait_amount *part)
{
	struct step_clock *clock = waits->parts.clock;
	struct wait_going_on *going = &task->waits.going;
	bool preempted = going->known && going->site.reason == WAIT_DISPATCH;

	*part = (struct wait_amount){
		.transaction = transactions_of(waits->parts.transactions, task->base->tid),
		.sampled = transactions_is_sampled(waits->parts.transactions, task->base->tid),
		.total = clock->active - task->since,
		.charged = going->charged + clock->share[going->class] - going->share,
		.solo = going->solo + clock->alone[going->class] - going->alone,
	};
	going->charged = going->solo = 0;
	task->since = clock->active;
	start_clocks(clock, task);
	part->wakes = ended && !waits->parts.clock->paused;
	part->count = part->wakes && !going->again;
	if (part->wakes && *waits->parts.privilege != PRIVILEGE_PROC)
		switching_take(&waits->switching, task, part, preempted);
	if (preempted) {
		task->delay += part->total;
		task->waits.delay.preempted += part->total;
	} else {
		task->wait += part->total;
	}
	task->activity.charged += part->charged;
	task->activity.charged_solo += part->solo;
}

/* Gives the wait in progress the place of the look that saw it. */
static void take_place(struct waits *waits, struct task *task)
{
	struct wait_going_on *going = &task->waits.going;
	const struct wait_site *site = &task->waits.met.look.site;
	bool other_file =
		going->on_file && (going->site.file != site->file ||
				   wait_site_is_file(&going->site) != wait_site_is_file(site));

	if (other_file)
		end_file_wait(waits, task);
	going->site = *site;
	if (other_file)
		begin_file_wait(waits, task);
	task->waits.met.look.until = 0;
}

/* Takes the holder of the lock from a look at a wait whose place the kernel reported. */
static void take_holder(struct task *task)
{
	const struct wait_site *met = &task->waits.met.look.site;
	struct wait_site *site = &task->waits.going.site;

	if (met->reason != WAIT_LOCK || site->reason != WAIT_LOCK || met->stack != site->stack)
		return;
	site->holder = met->holder;
	site->holder_pid = met->holder_pid;
	site->holder_stack = met->holder_stack;
}

/*
 * The wait in progress has a place. If records are processed up to a time after
 * the look, the look saw this wait: confirms its place. Another look may follow,
 * or a snapshot.
 */
static void confirm_met(struct waits *waits, struct task *task)
{
	struct wait_going_on *going = &task->waits.going;
	uint64_t until = task->waits.met.look.until;

	if (task->state != TASK_BLOCKED || !going->known || !until || until < going->began_at ||
	    until > waits->parts.clock->now)
		return;
	if (going->exact) {
		take_holder(task);
		task->waits.met.look.until = 0;
		return;
	}
	take_place(waits, task);
	going->sure = true;
}

/*
 * Returns whether the wait in progress is looked up individually. Without records
 * only waits that last are seen at all.
 */
static bool is_long(const struct waits *waits, const struct task *task)
{
	return waits->parts.clock->active - task->waits.going.began >= LONG_WAIT &&
	       *waits->parts.privilege != PRIVILEGE_PROC;
}

/*
 * The wait in progress ends, and the last look was too late to show its place: it
 * keeps the place of an earlier look, or has none.
 */
static void miss(struct waits *waits, struct task *task)
{
	const struct wait_site *seen = &task->waits.met.look.site, *like = &task->waits.short_site;
	struct wait_going_on *going = &task->waits.going;

	going->known = going->sure;
	going->apart = task->waits.met.look.told && is_long(waits, task) &&
		       !(task->waits.short_known && seen->stack == like->stack &&
			 seen->reason == like->reason && seen->file == like->file);
}

/* The wait in progress ends: decides whether it was the one that the last look saw. */
static void settle_met(struct waits *waits, struct task *task)
{
	struct wait_going_on *going = &task->waits.going;
	uint64_t now = waits->parts.clock->now;

	confirm_met(waits, task);
	if (!task->waits.met.look.until)
		return;
	if (going->exact) {
		if (now < task->waits.met.look.from)
			return;
		/* A look within it has nothing new but the holder of the lock. */
		if (going->began_at <= task->waits.met.look.until)
			take_holder(task);
		task->waits.met.look.until = 0;
		return;
	}
	if (now < task->waits.met.look.from) {
		miss(waits, task); /* the look will see a later wait */
		return;
	}
	if (going->began_at > task->waits.met.look.until) {
		/* The look saw no wait in the records. */
	} else if (task->waits.met.look.told && now < task->waits.met.look.until && is_long(waits, task)) {
		miss(waits, task); /* the look may have seen what came next */
	} else {
		if (!going->known)
			going->odds = task->waits.met.odds;
		going->known = true;
		going->site = task->waits.met.look.site;
	}
	task->waits.met.look.until = 0;
}

/* A wait whose place is known has ended: missed ones are assumed to be like it. */
static void learn_from(struct waits *waits, struct task *task, const struct wait_amount *wait)
{
	const struct wait_going_on *going = &task->waits.going;
	const struct wait_site *site = &going->site;

	wait_likes_met(&task->waits.likes, site, wait, waits->parts.clock->active - going->began,
		       &going->odds);
	if (is_long(waits, task))
		return;
	task->waits.short_site = *site;
	task->waits.short_known = true;
}

/*
 * Returns whether the wait in progress is known to be for a page, and the kernel
 * will report for which.
 */
static bool is_told_later(const struct waits *waits, const struct task *task)
{
	const struct wait_going_on *going = &task->waits.going;

	return task->state == TASK_BLOCKED && going->known && !going->exact &&
	       going->site.reason == WAIT_PAGE && *waits->parts.privilege != PRIVILEGE_PROC &&
	       waits->parts.perf->fault_count;
}

/*
 * Returns whether the transaction in force may not be that of the wait in
 * progress: data collectors will be asked again, or their last answer holds from a
 * time that the records have not reached.
 */
static bool is_named_later(const struct waits *waits, const struct task *task,
			   const struct wait_amount *part)
{
	return task->state == TASK_BLOCKED &&
	       (task->looks.unanswered ||
		(part->sampled && task->waits.met.look.until > waits->parts.clock->now));
}

void waits_close(struct waits *waits, struct task *task, bool ended)
{
	struct wait_going_on *going = &task->waits.going;
	bool blocked = task->state == TASK_BLOCKED;
	struct wait_amount part, whole;
	bool named_later;

	take_part(waits, task, ended, &part);
	named_later = !ended && is_named_later(waits, task, &part);
	if (ended)
		end_file_wait(waits, task);
	if (ended && blocked)
		settle_met(waits, task);
	else
		confirm_met(waits, task);
	if (!going->known || named_later || is_told_later(waits, task)) {
		defer(waits, task, &part);
		task->waits.deferred_apart = going->apart;
		task->waits.deferred_known = going->known;
		task->waits.deferred_site = going->site;
	} else {
		whole = part;
		give(waits, task, &going->site, &part, false);
		/*
		 * Parts that a snapshot split from it before its place and transaction were known.
		 */
		if (blocked) {
			rename_deferred(task, &part);
			wait_amount_add(&whole, &task->waits.deferred);
			give_deferred(waits, task, &going->site);
		}
	}
	if (!ended)
		return;
	task->waits.delay.waits += blocked && part.wakes;
	if (blocked && is_looked_at(going))
		task->waits.waited_at = waits->parts.clock->active;
	if (blocked && !going->exact) {
		if (going->known && !is_told_later(waits, task))
			learn_from(waits, task, &whole);
	}
	step_clock_end_wait(waits->parts.clock, going->class);
}

bool waits_may_be_fault(const struct waits *waits, const struct task *task)
{
	return task->state == TASK_RUNNING && !wait_amount_is_empty(&task->waits.deferred) &&
	       waits->parts.clock->active - task->since <= FAULT_TAIL;
}

void waits_fault(struct waits *waits, struct task *task, uint32_t stack, uint64_t file)
{
	const struct wait_site site = { .stack = stack, .reason = WAIT_PAGE, .file = file };

	give_deferred(waits, task, &site);
}

/* Returns the wait statistics of a task's program; NULL: the program is unknown. */
static struct wait_likes *program_likes(struct waits *waits, const struct task *task)
{
	const struct object *image = task->process->image;
	struct program_waits *program;

	if (!image)
		return NULL;
	for (size_t i = 0; i < waits->program_count; i++)
		if (waits->programs[i].image == image)
			return &waits->programs[i].likes;
	GROW(waits->programs, waits->program_count + 1, waits->program_alloc);
	program = &waits->programs[waits->program_count++];
	*program = (struct program_waits){ .image = image };
	return &program->likes;
}

/* Adds the task's statistics since the last call to those of its whole life and of its program. */
static void keep_likes(struct waits *waits, struct task *task)
{
	struct wait_likes *program;

	if (task->waits.likes.count == 0)
		return;
	wait_likes_add(&task->waits.all_likes, &task->waits.likes);
	program = program_likes(waits, task);
	if (program)
		wait_likes_add(program, &task->waits.likes);
	wait_likes_clear(&task->waits.likes);
}

/* Argument of give_missed. */
struct missing {
	struct waits *waits;
	struct task *task;
};

/* wait_likes_give. */
static void give_missed(void *argument, const struct wait_site *site,
			const struct wait_amount *part)
{
	struct missing *missing = argument;

	give(missing->waits, missing->task, site, part, true);
}

/* Distributes the missed waits of a task; those for which likes has no places stay missed. */
static void lay_missed(struct waits *waits, struct task *task, const struct wait_likes *likes)
{
	struct wait_tallies *missed = &task->waits.missed;
	struct missing missing = { .waits = waits, .task = task };
	size_t left = 0;

	for (size_t i = 0; i < missed->count; i++)
		if (!wait_likes_lay(likes, &missed->items[i].amount, give_missed, &missing))
			missed->items[left++] = missed->items[i];
	missed->count = left;
}

/* Distributes the missed waits of a task now, as no more looks at it will follow. */
static void lay_all_missed(struct waits *waits, struct task *task)
{
	const struct wait_site nowhere = { .reason = WAIT_UNKNOWN };
	struct wait_tallies *missed = &task->waits.missed;
	const struct wait_likes *program;

	settle_deferred(waits, task);
	lay_missed(waits, task, &task->waits.likes);
	keep_likes(waits, task);
	if (missed->count)
		lay_missed(waits, task, &task->waits.all_likes);
	if (missed->count && (program = program_likes(waits, task)))
		lay_missed(waits, task, program);
	for (size_t i = 0; i < missed->count; i++)
		give(waits, task, &nowhere, &missed->items[i].amount, true);
	missed->count = 0;
}

void waits_end(struct waits *waits, struct task *task)
{
	waits_unlist(waits, task);
	lay_all_missed(waits, task);
}

void waits_exec(struct waits *waits, struct task *task)
{
	waits_end(waits, task);
	wait_likes_clear(&task->waits.all_likes);
	task->waits.recent_at = 0;
	task->waits.short_known = false;
	task->waits.met.look.until = 0;
	task->waits.leaving.known = false;
	task->waits.call = 0;
}

/* Moves the wait in progress to another class. */
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

void waits_locate(struct waits *waits, struct task *task, const struct wait_look *look)
{
	struct wait_going_on *going = &task->waits.going;
	const struct wait_site *site = &look->site;

	confirm_met(waits, task);
	task->waits.recent = *site;
	task->waits.recent_at = waits->parts.clock->active + 1; /* never 0 */
	task->waits.met.look = *look;
	task->waits.met.odds = waits->odds;
	if (task->state != TASK_BLOCKED || going->known)
		return; /* the look was made because of the task's short waits */
	going->known = true;
	going->site = *site;
	going->odds = waits->odds;
	if (wait_site_class(site) != going->class)
		change_class(waits, task, wait_site_class(site));
	begin_file_wait(waits, task);
}

void waits_glimpsed(struct waits *waits, struct task *task, const struct wait_site *site,
		    uint64_t ns)
{
	const struct wait_amount *unseen = &task->waits.unseen;
	double part = unseen->total ? (double)ns / (double)unseen->total : 0;
	struct wait_amount wait = {
		.transaction = transactions_of(waits->parts.transactions, task->base->tid),
		.count = (uint64_t)((double)unseen->count * part + 0.5),
		.total = ns,
		.charged = (uint64_t)((double)unseen->charged * part),
		.solo = (uint64_t)((double)unseen->solo * part),
	};

	task->waits.recent = *site;
	task->waits.recent_at = waits->parts.clock->active + 1; /* never 0 */
	wait_likes_glimpsed(&task->waits.likes, site, &wait);
}

void waits_unseen(struct waits *waits, struct task *task, const struct wait_amount *amount,
		  bool ready)
{
	const struct wait_site nowhere = { .reason = WAIT_UNKNOWN };
	const struct wait_site here = { .stack = task->stack, .reason = WAIT_DISPATCH };
	struct wait_amount part = *amount;

	settle_deferred(waits, task);
	switching_break(task);
	part.transaction = transactions_of(waits->parts.transactions, task->base->tid);
	part.sampled = transactions_is_sampled(waits->parts.transactions, task->base->tid);
	task->activity.charged += part.charged;
	task->activity.charged_solo += part.solo;
	if (ready) {
		task->delay += part.total;
		task->waits.delay.preempted += part.total;
		give(waits, task, &here, &part, false);
		return;
	}
	task->wait += part.total;
	part.wakes = part.count;
	task->waits.delay.waits += part.wakes;
	task->waits.waited_at = waits->parts.clock->active;
	task->waits.unseen = part;
	wait_tallies_add(&task->waits.missed, &nowhere, &part);
	list_task(waits, task);
}

uint32_t waits_recent_stack(const struct task *task)
{
	return task->waits.recent_at ? task->waits.recent.stack : 0;
}

void waits_rows(struct waits *waits, struct tasks *tasks, uint64_t time, bool last,
		struct recordset *set)
{
	waits->ready = 0;
	/* At the end, the waits of one task may be all that is known for another's. */
	for (struct task *task = tasks->all; task; task = task->next) {
		if (task->waits.likes.count && task->waits.missed.count)
			lay_missed(waits, task, &task->waits.likes);
		keep_likes(waits, task);
	}
	for (struct task *task = tasks->all; task; task = task->next) {
		if (last)
			waits_end(waits, task);
		waits->ready += wait_delay_take(waits, task);
		wait_tallies_rows(&task->waits.tallies, task->base->id, time, set);
	}
	file_busy_cut(&waits->busy);
}
