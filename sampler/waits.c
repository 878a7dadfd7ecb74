/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waits: how long each lasted is exact, from switch records; where it was is
 * looked up once for each wait that lasts. Short ones are laid at the place of
 * the task's last or next short wait that was looked up, but for page faults,
 * whose place the kernel tells when they are over.
 */
#include "common/compat.h"
#include "sampler/core.h"
#include "common/clock.h"
#include "common/xalloc.h"

#define LOOKS_A_TICK 64
#define LOOK_TRIES 4
/* After so many looks that found a task running it is looked at more rarely. */
#define FUTILE_MAX 64
#define FUTILE_PAUSE 16 /* ticks */
/* How long a close look at short waits takes at most, and the time from one to the next. */
#define CLOSE_LOOK (3 * NSEC_PER_MSEC)
#define CLOSE_LOOK_PAUSE (20 * NSEC_PER_MSEC)
#define CLOSE_LOOK_PAUSE_MAX (320 * NSEC_PER_MSEC)
/* So many new short waits are worth one. */
#define CLOSE_LOOK_WAITS 4
/* How often the place of short waits is looked up anew. */
#define RECENT_FOR (100 * NSEC_PER_MSEC)
/* A wait from this length on is looked up by itself and tells nothing of others. */
#define LONG_WAIT (5 * NSEC_PER_MSEC)
/* From the end of the wait for a page to the record of the fault it passes at most so much. */
#define FAULT_TAIL (200 * NSEC_PER_USEC)

/* Whether a reason means that the step waits for one of its own tasks only. */
static enum wait_class class_of(uint32_t reason)
{
	switch (reason) {
	case WAIT_CHILD:
	case WAIT_LOCK:
	case WAIT_PIPE:
	case WAIT_SIGNAL:
		return CLASS_MINOR;
	default:
		return CLASS_MAJOR;
	}
}

/* Whether a wait is one for a file, as SAMPLE_SOLO means it. */
static bool is_file_wait(const struct wait_site *site)
{
	switch (site->reason) {
	case WAIT_FILE_READ:
	case WAIT_FILE_WRITE:
	case WAIT_FILE_SYNC:
	case WAIT_FILE_OTHER:
		return true;
	case WAIT_PAGE:
		return site->file != 0;
	default:
		return false;
	}
}

/* Start the clocks of a wait, or of its next part. */
static void start_clocks(const struct step_clock *clock, struct task *task)
{
	struct wait_going_on *going = &task->going;

	going->share = clock->share[going->class];
	going->alone = clock->alone[going->class];
	going->idle = clock->idle;
}

/* Put a task in front of those whose waits have no place. */
static void list_unknown(struct sampler *sampler, struct task *task)
{
	if (task->unknown_link)
		return;
	task->next_unknown = sampler->unknown;
	if (task->next_unknown)
		task->next_unknown->unknown_link = &task->next_unknown;
	task->unknown_link = &sampler->unknown;
	sampler->unknown = task;
}

/* Take a task off that list. */
static void unlist_unknown(struct task *task)
{
	if (!task->unknown_link)
		return;
	*task->unknown_link = task->next_unknown;
	if (task->next_unknown)
		task->next_unknown->unknown_link = task->unknown_link;
	task->unknown_link = NULL;
}

/* Whether there is nothing in a sum. */
static bool is_empty(const struct wait_tally *sum)
{
	return sum->count == 0 && sum->total == 0;
}

/* Whether two places are one. */
static bool same_site(const struct wait_site *one, const struct wait_site *other)
{
	return one->stack == other->stack && one->reason == other->reason &&
	       one->file == other->file && one->syscall == other->syscall;
}

/* The sum of a place in this snapshot. */
static struct wait_tally *sum_of(struct task *task, const struct wait_site *site,
				 uint64_t transaction)
{
	struct wait_tally *sum;

	for (size_t i = task->sum_count; i-- > 0;) {
		sum = &task->sums[i];
		if (same_site(&sum->site, site) && sum->transaction == transaction)
			return sum;
	}
	GROW(task->sums, task->sum_count + 1, task->sum_alloc);
	sum = &task->sums[task->sum_count++];
	*sum = (struct wait_tally){ .site = *site, .transaction = transaction };
	return sum;
}

/* Add a part of a wait to a sum. */
static void add_part(struct wait_tally *sum, const struct wait_tally *part)
{
	sum->count += part->count;
	sum->total += part->total;
	sum->charged += part->charged;
	sum->solo += part->solo;
}

/* Lay a part of a wait at a place. short_wait: it was not the wait that was looked at. */
static void lay(struct sampler *sampler, struct task *task, const struct wait_site *site,
		const struct wait_tally *part, bool short_wait)
{
	struct files_wait wait;

	add_part(sum_of(task, site, part->transaction), part);
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
	files_add_wait(sampler->files, site->file, &wait);
}

/* Short waits of a task whose place was not known get it. */
static void lay_pending(struct sampler *sampler, struct task *task, const struct wait_site *site)
{
	if (is_empty(&task->pending))
		return;
	lay(sampler, task, site, &task->pending, true);
	memset(&task->pending, 0, sizeof(task->pending));
	task->looked_closely = 0;
}

/* The deferred wait has a place of its own. */
static void lay_deferred_at(struct sampler *sampler, struct task *task,
			    const struct wait_site *site)
{
	if (is_empty(&task->deferred))
		return;
	lay(sampler, task, site, &task->deferred, true);
	memset(&task->deferred, 0, sizeof(task->deferred));
}

/* The deferred wait is no page fault. */
static void lay_deferred(struct sampler *sampler, struct task *task)
{
	const struct wait_site nowhere = { .reason = WAIT_UNKNOWN };
	struct wait_tally *deferred = &task->deferred;

	if (is_empty(deferred))
		return;
	if (task->short_known) {
		lay_deferred_at(sampler, task, &task->short_site);
		return;
	}
	if (task->pending.transaction != deferred->transaction)
		lay_pending(sampler, task, &nowhere);
	task->pending.transaction = deferred->transaction;
	add_part(&task->pending, deferred);
	memset(deferred, 0, sizeof(*deferred));
}

/* Defer a part of a wait without a place. */
static void defer(struct sampler *sampler, struct task *task, const struct wait_tally *part)
{
	if (task->deferred.transaction != part->transaction)
		lay_deferred(sampler, task);
	task->deferred.transaction = part->transaction;
	add_part(&task->deferred, part);
}

void waits_open(struct sampler *sampler, struct task *task, bool preempted)
{
	struct step_clock *clock = &sampler->clock;
	struct wait_going_on *going = &task->going;

	going->charged = going->solo = 0;
	going->began = clock->active;
	going->began_at = clock->now;
	going->on_file = false;
	going->looks = going->asked = 0;
	going->unanswered = false;
	going->known = preempted;
	going->class = CLASS_MAJOR;
	if (preempted) {
		/* Its place is where it was executing. */
		going->site = (struct wait_site){ .stack = task->stack, .reason = WAIT_DISPATCH };
	} else {
		if (task->recent_at)
			going->class = class_of(task->recent.reason);
		lay_deferred(sampler, task);
		list_unknown(sampler, task);
	}
	task->since = clock->active;
	clock->waiting[going->class]++;
	start_clocks(clock, task);
}

/* The busy record of a file. */
static struct busy_file *busy_file(struct sampler *sampler, uint64_t file)
{
	if (file >= sampler->busy_count) {
		size_t count = sampler->busy_count;

		GROW(sampler->busy, (size_t)file + 1, sampler->busy_alloc);
		memset(&sampler->busy[count], 0,
		       ((size_t)file + 1 - count) * sizeof(*sampler->busy));
		sampler->busy_count = (size_t)file + 1;
	}
	return &sampler->busy[file];
}

/* A task is known to wait for a file, since a time that may lie back. */
static void begin_busy(struct sampler *sampler, const struct task *task,
		       const struct wait_site *site)
{
	struct step_clock *clock = &sampler->clock;
	struct busy_file *busy = busy_file(sampler, site->file);
	uint64_t since = task->since;

	if (busy->tasks++ > 0)
		return;
	if (since < busy->ended)
		since = busy->ended;
	busy->since = since;
	busy->alone = clock->file_alone;
	if (!is_file_wait(site))
		return;
	/* What passed before it was known counts as if no other file was waited for. */
	if (clock->files == 0 && since == task->since)
		busy->alone -= clock->idle - task->going.idle;
	clock->files++;
}

/* Tell the time a file was busy so far; over: nobody waits for it any more. */
static void tell_busy(struct sampler *sampler, uint64_t file, bool over)
{
	struct step_clock *clock = &sampler->clock;
	struct busy_file *busy = busy_file(sampler, file);
	struct files_wait wait = {
		.busy = clock->active - busy->since,
		.busy_solo = clock->file_alone - busy->alone,
	};

	files_add_wait(sampler->files, file, &wait);
	busy->since = clock->active;
	busy->alone = clock->file_alone;
	if (over)
		busy->ended = clock->active;
}

/* One task less waits for a file. */
static void end_busy(struct sampler *sampler, const struct wait_site *site)
{
	struct busy_file *busy = busy_file(sampler, site->file);

	if (--busy->tasks > 0)
		return;
	tell_busy(sampler, site->file, true);
	if (is_file_wait(site))
		sampler->clock.files--;
}

/* The wait going on is known to be for a file. */
static void begin_file_wait(struct sampler *sampler, struct task *task)
{
	const struct wait_site *site = &task->going.site;

	if (!site->file)
		return;
	task->going.on_file = true;
	begin_busy(sampler, task, site);
	if (is_file_wait(site))
		sampler->clock.file_waits++;
}

/* The wait going on is no longer one for a file. */
static void end_file_wait(struct sampler *sampler, struct task *task)
{
	const struct wait_site *site = &task->going.site;

	if (!task->going.on_file)
		return;
	task->going.on_file = false;
	if (is_file_wait(site))
		sampler->clock.file_waits--;
	end_busy(sampler, site);
}

/* Take what the wait going on came to since it was cut last. */
static void take_part(struct sampler *sampler, struct task *task, struct wait_tally *part)
{
	struct step_clock *clock = &sampler->clock;
	struct wait_going_on *going = &task->going;

	memset(part, 0, sizeof(*part));
	part->total = clock->active - task->since;
	part->charged = going->charged + clock->share[going->class] - going->share;
	part->solo = going->solo + clock->alone[going->class] - going->alone;
	going->charged = going->solo = 0;
	task->since = clock->active;
	start_clocks(clock, task);
	part->transaction = transactions_of(sampler->transactions, task->tid);
	if (going->known && going->site.reason == WAIT_DISPATCH)
		task->delay += part->total;
	else
		task->wait += part->total;
	task->activity.charged += part->charged;
	task->activity.charged_solo += part->solo;
}

/* The wait going on ends: settle whether it was the one that was looked at last. */
static void settle_met(struct sampler *sampler, struct task *task)
{
	struct wait_going_on *going = &task->going;
	uint64_t now = sampler->clock.now;

	if (!task->met.until)
		return;
	if (going->began_at > task->met.until) {
		task->met.until = 0; /* it was none that is known of */
	} else if (now < task->met.from) {
		going->known = false; /* it will be a later one */
	} else {
		going->known = true;
		going->site = task->met.site;
		task->met.until = 0;
	}
}

/* A wait whose place is known has ended: if it was short, others are taken for its like. */
static void learn_from(struct sampler *sampler, struct task *task)
{
	const struct wait_going_on *going = &task->going;
	const struct wait_site *site = &going->site;
	bool long_wait = sampler->clock.active - going->began >= LONG_WAIT;

	/* Without records only waits that last are seen at all. */
	if (sampler->privilege != PRIVILEGE_PROC &&
	    (long_wait || (site->reason == WAIT_PAGE && sampler->perf.fault_count)))
		return;
	task->short_site = *site;
	task->short_known = true;
	lay_pending(sampler, task, site);
}

void waits_close(struct sampler *sampler, struct task *task, bool ended)
{
	struct wait_going_on *going = &task->going;
	bool blocked = task->state == TASK_BLOCKED;
	struct wait_tally part;

	take_part(sampler, task, &part);
	part.count = ended && !sampler->clock.paused;
	if (ended)
		end_file_wait(sampler, task);
	if (ended && blocked)
		settle_met(sampler, task);
	if (!going->known) {
		defer(sampler, task, &part);
	} else {
		lay(sampler, task, &going->site, &part, false);
		/* Parts of it that a snapshot cut off before its place was known. */
		if (blocked)
			lay_deferred_at(sampler, task, &going->site);
	}
	if (!ended)
		return;
	if (blocked && going->known)
		learn_from(sampler, task);
	/* One whose waits all were too short to be looked at stays on the list. */
	if (task->pending.count == 0)
		unlist_unknown(task);
	sampler->clock.waiting[going->class]--;
}

bool waits_may_be_fault(const struct sampler *sampler, const struct task *task)
{
	return task->state == TASK_RUNNING && !is_empty(&task->deferred) &&
	       sampler->clock.active - task->since <= FAULT_TAIL;
}

void waits_fault(struct sampler *sampler, struct task *task, uint32_t stack)
{
	const struct wait_site site = { .stack = stack, .reason = WAIT_PAGE };

	lay_deferred_at(sampler, task, &site);
}

void waits_end(struct sampler *sampler, struct task *task)
{
	const struct wait_site nowhere = { .reason = WAIT_UNKNOWN };

	unlist_unknown(task);
	lay_deferred(sampler, task);
	lay_pending(sampler, task, &nowhere);
}

void waits_exec(struct sampler *sampler, struct task *task)
{
	waits_end(sampler, task);
	task->recent_at = 0;
	task->futile = 0;
	task->short_known = false;
	task->met.until = 0;
}

/* The wait going on turns out to be of another class. */
static void change_class(struct sampler *sampler, struct task *task, enum wait_class class)
{
	struct step_clock *clock = &sampler->clock;
	struct wait_going_on *going = &task->going;

	going->charged += clock->share[going->class] - going->share;
	going->solo += clock->alone[going->class] - going->alone;
	clock->waiting[going->class]--;
	clock->waiting[class]++;
	going->class = class;
	going->share = clock->share[class];
	going->alone = clock->alone[class];
}

void waits_locate(struct sampler *sampler, struct task *task, const struct wait_site *site,
		  uint64_t from, uint64_t until)
{
	struct wait_going_on *going = &task->going;

	task->recent = *site;
	task->recent_at = sampler->clock.active + 1; /* never 0 */
	task->futile = 0;
	task->met.site = *site;
	task->met.from = from;
	task->met.until = until;
	if (task->pending.count == 0)
		unlist_unknown(task);
	if (task->state != TASK_BLOCKED || going->known)
		return; /* it was looked at for its short waits' sake */
	going->known = true;
	going->site = *site;
	if (class_of(site->reason) != going->class)
		change_class(sampler, task, class_of(site->reason));
	begin_file_wait(sampler, task);
}

/* The stack of a wait that was looked at; data collectors name its transaction too. *unanswered:
   one had no answer, and may have one later. */
static uint32_t resolve(struct sampler *sampler, struct task *task, const struct probe_site *found,
			bool *unanswered)
{
	struct resolved_stack resolved;
	uint64_t in_force = prompt_transaction(sampler->transactions, task, clock_monotonic_ns());

	stack_resolve_wait(&sampler->stack_resolver, task, found, sampler->frames, in_force,
			   &resolved);
	stack_resolve_apply(&sampler->stack_resolver, task, &resolved, sampler->clock.now);
	*unanswered = resolved.unanswered;
	return resolved.stack;
}

/* A wait was looked at: ask data collectors that had no answer again at the next tick, should it
   last. */
static void note_unanswered(struct sampler *sampler, struct task *task, bool unanswered)
{
	struct wait_going_on *going = &task->going;

	if (task->state != TASK_BLOCKED || !going->known)
		return;
	going->unanswered = unanswered && ++going->asked < LOOK_TRIES;
	sampler->unanswered |= going->unanswered;
}

/* Look at a task; false when it was found running. */
static bool look_at(struct sampler *sampler, struct task *task)
{
	struct process *process = task->process;
	uint64_t from = clock_monotonic_ns();
	struct probe_site found;
	struct wait_site site;
	bool unanswered = false;

	sampler->probes++;
	switch (prober_look(sampler->prober, process->space, process->pid, task->tid, &found,
			    sampler->frames)) {
	case PROBE_RUNNING:
		return false;
	case PROBE_GONE:
		sampler->verify = true;
		return true;
	case PROBE_BLOCKED:
	case PROBE_REFUSED:
		break;
	}
	site = (struct wait_site){
		.stack = resolve(sampler, task, &found, &unanswered),
		.reason = found.reason,
		.file = found.file,
		.syscall = found.syscall,
	};
	waits_locate(sampler, task, &site, from, clock_monotonic_ns());
	note_unanswered(sampler, task, unanswered);
	return true;
}

/* Look once more at waits of which data collectors had nothing to say yet: at some of them in a
   tick, and not while the session is suspended. */
static void ask_again(struct sampler *sampler)
{
	unsigned looks = 0;

	if (!sampler->unanswered || sampler->clock.paused)
		return;
	sampler->unanswered = false;
	for (struct task *task = sampler->tasks.all; task; task = task->next) {
		if (task->state != TASK_BLOCKED || !task->going.known || !task->going.unanswered)
			continue;
		if (looks++ == LOOKS_A_TICK) {
			sampler->unanswered = true;
			return;
		}
		look_at(sampler, task);
	}
}

/* Whether a look now would find out less than a later one, for want of data collectors: they are
   being loaded, or have nothing to do while the session is suspended. */
static bool is_early(struct sampler *sampler, struct task *task)
{
	if (sampler->clock.paused)
		return collect_wants(sampler->collect, task->process);
	return collect_loads(sampler->collect, task->process);
}

/* Whether a task on the list is to be looked at now. */
static bool wants_look(struct sampler *sampler, struct task *task, uint64_t age)
{
	uint64_t now = sampler->clock.active;

	if (is_early(sampler, task))
		return false;
	if (!task->recent_at && task->futile < FUTILE_MAX)
		return true;
	if (task->state != TASK_BLOCKED || task->going.known)
		return false;
	/* Whatever was in vain before, a wait that lasts is another. */
	if (now - task->going.began >= age && task->going.looks < LOOK_TRIES)
		return true;
	return (now - task->going.began >= age || now - task->recent_at > RECENT_FOR) &&
	       (task->futile < FUTILE_MAX || sampler->ticks % FUTILE_PAUSE == 0);
}

/*
 * Look at a task again and again for a while: its waits are so short that a
 * tick hardly ever meets one. This may take so much of a processor that it is
 * done seldom, and more seldom the longer it finds nothing, and only where the
 * task has another processor to run on.
 */
static void look_closely(struct sampler *sampler, struct task *task)
{
	struct close_look *close_look = &sampler->close_look;
	uint64_t now = sampler->clock.active, until = clock_monotonic_ns() + CLOSE_LOOK;
	bool found;

	if (now < close_look->next || sampler->perf.cpu_count < 2)
		return;
	do
		found = look_at(sampler, task);
	while (!found && clock_monotonic_ns() < until);
	task->looked_closely = task->pending.count;
	if (found || close_look->pause < CLOSE_LOOK_PAUSE)
		close_look->pause = CLOSE_LOOK_PAUSE;
	else if (close_look->pause < CLOSE_LOOK_PAUSE_MAX)
		close_look->pause *= 2;
	close_look->next = now + close_look->pause;
}

/* Short waits without a place since the last close look. */
static uint64_t new_pending(const struct task *task)
{
	uint64_t count = task->pending.count;

	if (task->state == TASK_BLOCKED && task->going.known)
		return 0; /* what it waits for now is none of them */
	return count > task->looked_closely ? count - task->looked_closely : 0;
}

/* The task with the most of them; NULL when none has enough. */
static struct task *most_pending(struct sampler *sampler)
{
	struct task *most = NULL;
	uint64_t count = CLOSE_LOOK_WAITS - 1;

	for (struct task *task = sampler->unknown; task; task = task->next_unknown) {
		if (new_pending(task) <= count || is_early(sampler, task))
			continue;
		most = task;
		count = new_pending(task);
	}
	return most;
}

void waits_look(struct sampler *sampler, uint64_t age)
{
	struct task *pending;
	unsigned looks = 0;
	struct task *next;

	ask_again(sampler);
	for (struct task *task = sampler->unknown; task && looks < LOOKS_A_TICK; task = next) {
		next = task->next_unknown;
		if (!wants_look(sampler, task, age))
			continue;
		task->going.looks++;
		/* Short waits come and go: one of a few looks meets one. */
		for (int tries = 0; tries < LOOK_TRIES; tries++) {
			looks++;
			if (look_at(sampler, task) || task->pending.count == 0)
				break;
			task->futile++;
		}
	}
	pending = most_pending(sampler);
	if (pending)
		look_closely(sampler, pending);
	for (struct task *task = sampler->unknown; task; task = next) {
		next = task->next_unknown;
		if (task->futile >= FUTILE_MAX && task->state != TASK_BLOCKED &&
		    task->pending.count == 0)
			unlist_unknown(task);
	}
}

/* Append the rows of one task and forget its sums. */
static void task_rows(struct task *task, uint64_t time, struct recordset *set)
{
	for (size_t i = 0; i < task->sum_count; i++) {
		const struct wait_tally *sum = &task->sums[i];
		struct record_wait row = {
			.time = time,
			.task = task->id,
			.stack = sum->site.stack,
			.reason = sum->site.reason,
			.file = sum->site.file,
			.syscall = sum->site.syscall,
			.count = sum->count,
			.total = sum->total,
			.charged = sum->charged,
			.solo = sum->solo,
			.transaction = sum->transaction,
		};

		if (row.count || row.total)
			recordset_add(set, &row);
	}
	task->sum_count = 0;
}

void waits_rows(struct sampler *sampler, uint64_t time, bool last, struct recordset *set)
{
	for (struct task *task = sampler->tasks.all; task; task = task->next) {
		if (last)
			waits_end(sampler, task);
		task_rows(task, time, set);
	}
	for (size_t file = 1; file < sampler->busy_count; file++)
		if (sampler->busy[file].tasks)
			tell_busy(sampler, file, false);
}
