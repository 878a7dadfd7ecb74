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
#define UNSEEN_LONG_WAIT (100 * NSEC_PER_MSEC)
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
		wait_estimates_release(&waits->programs[i].likes);
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
	struct current_wait *current = &task->waits.current;

	current->share = clock->share[current->class];
	current->alone = clock->alone[current->class];
	current->idle = clock->idle;
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
	task->waits.deferred_unlike_short = task->waits.deferred_known = false;
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
	if (task->waits.deferred_unlike_short ||
	    (*waits->parts.privilege != PRIVILEGE_PROC && deferred->total >= UNSEEN_LONG_WAIT)) {
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

uint64_t waits_began(const struct task *task)
{
	return task->waits.current.began_at;
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
	struct current_wait *current = &task->waits.current;

	if (!current->site.file)
		return;
	current->on_file = true;
	file_busy_begin(&waits->busy, &current->site, task->since, current->idle);
}

/* Returns whether a look can find out anything. */
static bool is_looked_at(const struct current_wait *current)
{
	return !current->exact || current->site.reason == WAIT_LOCK;
}

/* Gives the wait that begins the place that the kernel reported, if it did. */
static void take_leaving(struct waits *waits, struct task *task)
{
	struct task_waits *own = &task->waits;
	struct current_wait *current = &own->current;

	if (!own->leaving.known) {
		own->call = 0;
		return;
	}
	current->exact = current->known = current->sure = true;
	current->again = own->leaving.again;
	current->site = own->leaving.site;
	own->recent = current->site;
	own->recent_at = waits->parts.clock->active + 1; /* never 0 */
}

void waits_open(struct waits *waits, struct task *task, bool preempted)
{
	struct step_clock *clock = waits->parts.clock;
	struct current_wait *current = &task->waits.current;

	current->charged = current->solo = 0;
	current->began = clock->active;
	current->began_at = clock->now;
	current->on_file = false;
	task_looks_begin(&task->looks);
	current->known = preempted;
	current->sure = current->unlike_short = current->exact = current->again = false;
	current->class = CLASS_MAJOR;
	if (preempted) {
		/* Its place is where the task was executing. */
		current->site = (struct wait_site){ .stack = task->stack, .reason = WAIT_DISPATCH };
	} else {
		take_leaving(waits, task);
		if (task->waits.recent_at)
			current->class = wait_site_class(&task->waits.recent);
		settle_deferred(waits, task);
		if (is_looked_at(current))
			list_task(waits, task);
	}
	task->waits.leaving.known = false;
	task->since = clock->active;
	step_clock_begin_wait(clock, current->class);
	start_clocks(clock, task);
	if (current->exact)
		begin_file_wait(waits, task);
}

/* The wait in progress is no longer one for a file. */
static void end_file_wait(struct waits *waits, struct task *task)
{
	struct current_wait *current = &task->waits.current;

	if (!current->on_file)
		return;
	current->on_file = false;
	file_busy_end(&waits->busy, &current->site);
}

/* Takes the amount of the wait in progress since it was last split; ended: with its end. */
static void take_part(struct waits *waits, struct task *task, bool ended, struct wait_amount *part)
{
	struct step_clock *clock = waits->parts.clock;
	struct current_wait *current = &task->waits.current;
	bool preempted = current->known && current->site.reason == WAIT_DISPATCH;

	*part = (struct wait_amount){
		.transaction = transactions_of(waits->parts.transactions, task->base->tid),
		.sampled = transactions_is_sampled(waits->parts.transactions, task->base->tid),
		.total = clock->active - task->since,
		.charged = current->charged + clock->share[current->class] - current->share,
		.solo = current->solo + clock->alone[current->class] - current->alone,
	};
	current->charged = current->solo = 0;
	task->since = clock->active;
	start_clocks(clock, task);
	part->wakeups = ended && !waits->parts.clock->paused;
	part->count = part->wakeups && !current->again;
	if (part->wakeups && *waits->parts.privilege != PRIVILEGE_PROC)
		switching_take(&waits->switching, task, part, preempted);
	if (preempted) {
		task->delay += part->total;
		wait_delay_ready(task, part->total, ended);
	} else {
		task->wait += part->total;
	}
	task->activity.charged += part->charged;
	task->activity.charged_solo += part->solo;
}

/* Gives the wait in progress the place of the look that saw it. */
static void take_place(struct waits *waits, struct task *task)
{
	struct current_wait *current = &task->waits.current;
	const struct wait_site *site = &task->waits.last_look.look.site;
	bool other_file =
		current->on_file && (current->site.file != site->file ||
				   wait_site_is_file(&current->site) != wait_site_is_file(site));

	if (other_file)
		end_file_wait(waits, task);
	current->site = *site;
	if (other_file)
		begin_file_wait(waits, task);
	task->waits.last_look.look.until = 0;
}

/* Takes the holder of the lock from a look at a wait whose place the kernel reported. */
static void take_holder(struct task *task)
{
	const struct wait_site *last_look = &task->waits.last_look.look.site;
	struct wait_site *site = &task->waits.current.site;

	if (last_look->reason != WAIT_LOCK || site->reason != WAIT_LOCK || last_look->stack != site->stack)
		return;
	site->holder = last_look->holder;
	site->holder_pid = last_look->holder_pid;
	site->holder_stack = last_look->holder_stack;
}

/*
 * The wait in progress has a place. If records are processed up to a time after
 * the look, the look saw this wait: confirms its place. Another look may follow,
 * or a snapshot.
 */
static void confirm_last_look(struct waits *waits, struct task *task)
{
	struct current_wait *current = &task->waits.current;
	uint64_t until = task->waits.last_look.look.until;

	if (task->state != TASK_BLOCKED || !current->known || !until || until < current->began_at ||
	    until > waits->parts.clock->now)
		return;
	if (current->exact) {
		take_holder(task);
		task->waits.last_look.look.until = 0;
		return;
	}
	take_place(waits, task);
	current->sure = true;
}

/*
 * Returns whether the wait in progress is looked up individually. Without records
 * only waits that last are seen at all.
 */
static bool is_long(const struct waits *waits, const struct task *task)
{
	return waits->parts.clock->active - task->waits.current.began >= LONG_WAIT &&
	       *waits->parts.privilege != PRIVILEGE_PROC;
}

/*
 * The wait in progress ends, and the last look was too late to show its place: it
 * keeps the place of an earlier look, or has none.
 */
static void miss(struct waits *waits, struct task *task)
{
	const struct wait_site *seen = &task->waits.last_look.look.site, *like = &task->waits.short_site;
	struct current_wait *current = &task->waits.current;

	current->known = current->sure;
	current->unlike_short = task->waits.last_look.look.by_collectors && is_long(waits, task) &&
		       !(task->waits.short_known && seen->stack == like->stack &&
			 seen->reason == like->reason && seen->file == like->file);
}

/* The wait in progress ends: decides whether it was the one that the last look saw. */
static void settle_last_look(struct waits *waits, struct task *task)
{
	struct current_wait *current = &task->waits.current;
	uint64_t now = waits->parts.clock->now;

	confirm_last_look(waits, task);
	if (!task->waits.last_look.look.until)
		return;
	if (current->exact) {
		if (now < task->waits.last_look.look.from)
			return;
		/* A look within it has nothing new but the holder of the lock. */
		if (current->began_at <= task->waits.last_look.look.until)
			take_holder(task);
		task->waits.last_look.look.until = 0;
		return;
	}
	if (now < task->waits.last_look.look.from) {
		miss(waits, task); /* the look will see a later wait */
		return;
	}
	if (current->began_at > task->waits.last_look.look.until) {
		/* The look saw no wait in the records. */
	} else if (task->waits.last_look.look.by_collectors && now < task->waits.last_look.look.until && is_long(waits, task)) {
		miss(waits, task); /* the look may have seen what came next */
	} else {
		if (!current->known)
			current->odds = task->waits.last_look.odds;
		current->known = true;
		current->site = task->waits.last_look.look.site;
	}
	task->waits.last_look.look.until = 0;
}

/* A wait whose place is known has ended: missed ones are assumed to be like it. */
static void learn_from(struct waits *waits, struct task *task, const struct wait_amount *wait)
{
	const struct current_wait *current = &task->waits.current;
	const struct wait_site *site = &current->site;

	wait_estimates_add_seen(&task->waits.likes, site, wait, waits->parts.clock->active - current->began,
		       &current->odds);
	if (is_long(waits, task))
		return;
	task->waits.short_site = *site;
	task->waits.short_known = true;
}

/*
 * Returns whether the wait in progress is known to be for a page, and the kernel
 * will report for which.
 */
static bool is_reported_later(const struct waits *waits, const struct task *task)
{
	const struct current_wait *current = &task->waits.current;

	return task->state == TASK_BLOCKED && current->known && !current->exact &&
	       current->site.reason == WAIT_PAGE && *waits->parts.privilege != PRIVILEGE_PROC &&
	       waits->parts.perf->fault_count;
}

/*
 * Returns whether the transaction in force may not be that of the wait in
 * progress: data collectors will be asked again, or their last answer holds from a
 * time that the records have not reached.
 */
static bool is_transaction_open(const struct waits *waits, const struct task *task,
			   const struct wait_amount *part)
{
	return task->state == TASK_BLOCKED &&
	       (task->looks.unanswered ||
		(part->sampled && task->waits.last_look.look.until > waits->parts.clock->now));
}

void waits_close(struct waits *waits, struct task *task, bool ended)
{
	struct current_wait *current = &task->waits.current;
	bool blocked = task->state == TASK_BLOCKED;
	struct wait_amount part, whole;
	bool named_later;

	take_part(waits, task, ended, &part);
	named_later = !ended && is_transaction_open(waits, task, &part);
	if (ended)
		end_file_wait(waits, task);
	if (ended && blocked)
		settle_last_look(waits, task);
	else
		confirm_last_look(waits, task);
	if (!current->known || named_later || is_reported_later(waits, task)) {
		defer(waits, task, &part);
		task->waits.deferred_unlike_short = current->unlike_short;
		task->waits.deferred_known = current->known;
		task->waits.deferred_site = current->site;
	} else {
		whole = part;
		give(waits, task, &current->site, &part, false);
		/*
		 * Parts that a snapshot split from it before its place and transaction were known.
		 */
		if (blocked) {
			rename_deferred(task, &part);
			wait_amount_add(&whole, &task->waits.deferred);
			give_deferred(waits, task, &current->site);
		}
	}
	if (!ended)
		return;
	task->waits.delay.waits += blocked && part.wakeups;
	if (blocked && is_looked_at(current))
		task->waits.waited_at = waits->parts.clock->active;
	if (blocked && !current->exact) {
		if (current->known && !is_reported_later(waits, task))
			learn_from(waits, task, &whole);
	}
	step_clock_end_wait(waits->parts.clock, current->class);
}

void waits_withdraw(struct waits *waits, struct task *task, struct wait_amount *executed)
{
	struct step_clock *clock = waits->parts.clock;
	const struct current_wait *current = &task->waits.current;

	*executed = (struct wait_amount){
		.total = clock->active - task->since,
		.charged = current->charged + clock->share[current->class] - current->share,
		.solo = current->solo + clock->alone[current->class] - current->alone,
	};
	waits->switching.charged[1] += executed->charged;
	task->waits.delay.ready = 0;
	step_clock_end_wait(clock, current->class);
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
static struct wait_estimates *program_estimates(struct waits *waits, const struct task *task)
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
static void keep_estimates(struct waits *waits, struct task *task)
{
	struct wait_estimates *program;

	if (task->waits.likes.count == 0)
		return;
	wait_estimates_add(&task->waits.all_estimates, &task->waits.likes);
	program = program_estimates(waits, task);
	if (program)
		wait_estimates_add(program, &task->waits.likes);
	wait_estimates_clear(&task->waits.likes);
}

/* Argument of give_missed. */
struct missing {
	struct waits *waits;
	struct task *task;
};

/* wait_estimates_give. */
static void give_missed(void *argument, const struct wait_site *site,
			const struct wait_amount *part)
{
	struct missing *missing = argument;

	give(missing->waits, missing->task, site, part, true);
}

/* Distributes the missed waits of a task; those for which likes has no places stay missed. */
static void distribute_missed(struct waits *waits, struct task *task, const struct wait_estimates *likes)
{
	struct wait_tallies *missed = &task->waits.missed;
	struct missing missing = { .waits = waits, .task = task };
	size_t left = 0;

	for (size_t i = 0; i < missed->count; i++)
		if (!wait_estimates_distribute(likes, &missed->items[i].amount, give_missed, &missing))
			missed->items[left++] = missed->items[i];
	missed->count = left;
}

/* Distributes the missed waits of a task now, as no more looks at it will follow. */
static void distribute_all_missed(struct waits *waits, struct task *task)
{
	const struct wait_site nowhere = { .reason = WAIT_UNKNOWN };
	struct wait_tallies *missed = &task->waits.missed;
	const struct wait_estimates *program;

	settle_deferred(waits, task);
	distribute_missed(waits, task, &task->waits.likes);
	keep_estimates(waits, task);
	if (missed->count)
		distribute_missed(waits, task, &task->waits.all_estimates);
	if (missed->count && (program = program_estimates(waits, task)))
		distribute_missed(waits, task, program);
	for (size_t i = 0; i < missed->count; i++)
		give(waits, task, &nowhere, &missed->items[i].amount, true);
	missed->count = 0;
}

void waits_end(struct waits *waits, struct task *task)
{
	waits_unlist(waits, task);
	distribute_all_missed(waits, task);
}

void waits_exec(struct waits *waits, struct task *task)
{
	waits_end(waits, task);
	wait_estimates_clear(&task->waits.all_estimates);
	task->waits.recent_at = 0;
	task->waits.short_known = false;
	task->waits.last_look.look.until = 0;
	task->waits.leaving.known = false;
	task->waits.call = 0;
}

/* Moves the wait in progress to another class. */
static void change_class(struct waits *waits, struct task *task, enum wait_class class)
{
	struct step_clock *clock = waits->parts.clock;
	struct current_wait *current = &task->waits.current;

	current->charged += clock->share[current->class] - current->share;
	current->solo += clock->alone[current->class] - current->alone;
	step_clock_end_wait(clock, current->class);
	step_clock_begin_wait(clock, class);
	current->class = class;
	current->share = clock->share[class];
	current->alone = clock->alone[class];
}

void waits_locate(struct waits *waits, struct task *task, const struct wait_look *look)
{
	struct current_wait *current = &task->waits.current;
	const struct wait_site *site = &look->site;

	confirm_last_look(waits, task);
	task->waits.recent = *site;
	task->waits.recent_at = waits->parts.clock->active + 1; /* never 0 */
	task->waits.last_look.look = *look;
	task->waits.last_look.odds = waits->odds;
	if (task->state != TASK_BLOCKED || current->known)
		return; /* the look was made because of the task's short waits */
	current->known = true;
	current->site = *site;
	current->odds = waits->odds;
	if (wait_site_class(site) != current->class)
		change_class(waits, task, wait_site_class(site));
	begin_file_wait(waits, task);
}

void waits_found_unobserved(struct waits *waits, struct task *task, const struct wait_site *site,
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
	wait_estimates_add_glimpse(&task->waits.likes, site, &wait);
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
		wait_delay_ready(task, part.total, true);
		give(waits, task, &here, &part, false);
		return;
	}
	task->wait += part.total;
	part.wakeups = part.count;
	task->waits.delay.waits += part.wakeups;
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
			distribute_missed(waits, task, &task->waits.likes);
		keep_estimates(waits, task);
	}
	for (struct task *task = tasks->all; task; task = task->next) {
		if (last)
			waits_end(waits, task);
		waits->ready += wait_delay_take(waits, task);
		wait_tallies_rows(&task->waits.tallies, task->base->id, time, set);
	}
	file_busy_account(&waits->busy);
}
