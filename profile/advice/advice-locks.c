/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lock convoys: tasks that spend their time waiting for a lock that others hold.
 *
 * Whether the step as a whole waited meanwhile does not matter: one holder
 * executes while all others queue. The saving is limited by what remains without
 * these waits. A task needs at least its CPU time and its waits for other reasons,
 * and all tasks together need their CPU time on the available processors; the run
 * cannot be shorter than the longest of these.
 */
#include "common/compat.h"
#include "common/clock.h"
#include "common/margin.h"
#include "common/xalloc.h"
#include "profile/advice/advice-search.h"
#include "profile/label.h"
#include "profile/session-facts.h"
#include "profile/wait-variance.h"
#include "records/record-types.h"

#include <math.h>

/* Minimum number of waits that counts as a pattern. */
#define MIN_WAITS 20
/*
 * A holder must have been seen in at least this many of them: else the wait may
 * not be for a held lock.
 */
#define MIN_HOLDERS_SEEN 3
/* A task that waits this many times less often than the one that waits most is ignored. */
#define RARE_FACTOR 10

/* Places that wait, with the file for a file lock. */
enum { LOCK_MODULE, LOCK_SECTION, LOCK_PROCEDURE, LOCK_LINE, LOCK_OTHER_FILE, LOCK_FILE, LOCK_KEYS };
enum { LOCK_COUNT, LOCK_TOTAL, LOCK_CHARGED, LOCK_SEEN, LOCK_AMOUNTS };

/* Which process or task held what a place waited for, and where. */
enum { HOLD_ROW, HOLD_MODULE, HOLD_SECTION, HOLD_PROCEDURE, HOLD_LINE, HOLD_OTHER_FILE, HOLD_KEYS };
/* Which tasks waited there, and which held it. */
enum { PAIR_ROW, PAIR_HOLDS, PAIR_TASK, PAIR_KEYS };

struct locks {
	struct sums places, holds, tasks;
	size_t *rows; /* by wait of the profile */
	uint64_t *variances;
};

static const struct place *place_of(const struct profile *profile, size_t stack)
{
	const struct place *caller = attribution_caller(&profile->attribution, stack);

	return caller ? caller : attribution_place(&profile->attribution, stack);
}

/* Counts the holder during a wait: a task, or a process that is not observed. */
static void add_holder(struct locks *locks, const struct profile *profile,
		       const struct profile_wait *wait, uint64_t row)
{
	uint64_t who = wait->holder ? wait->holder : wait->holder_pid;

	*sums_at(&locks->tasks, (const uint64_t[]){ row, wait->holder ? 1 : 2, who }) += wait->count;
	if (wait->holder_stack != ATTRIBUTION_NONE) {
		const struct place *place = place_of(profile, wait->holder_stack);

		*sums_at(&locks->holds, (const uint64_t[]){ row, place->module, place->section,
							    place->procedure, place->line,
							    place->other_file }) += wait->count;
	}
}

static void add_wait(struct locks *locks, const struct profile *profile, size_t i)
{
	const struct profile_wait *wait = &profile->waits[i];
	const struct place *place = place_of(profile, wait->stack);
	uint64_t *amounts = sums_at(&locks->places,
				    (const uint64_t[]){ place->module, place->section,
							place->procedure, place->line,
							place->other_file, wait->file });
	uint64_t row = (uint64_t)(amounts - locks->places.values) / locks->places.width;

	amounts[LOCK_COUNT] += wait->count;
	amounts[LOCK_TOTAL] += wait->total;
	amounts[LOCK_CHARGED] += wait->charged;
	locks->rows[i] = (size_t)row;
	/* Without a holder it may be a wait that no look saw, for another lock. */
	if (!wait->holder && !wait->holder_pid)
		return;
	*sums_at(&locks->tasks, (const uint64_t[]){ row, 0, wait->task }) += wait->count;
	amounts[LOCK_SEEN] += wait->count;
	add_holder(locks, profile, wait, row);
}

static void locks_init(struct locks *locks, const struct profile *profile)
{
	sums_init(&locks->places, LOCK_KEYS, LOCK_AMOUNTS);
	sums_init(&locks->holds, HOLD_KEYS, 1);
	sums_init(&locks->tasks, PAIR_KEYS, 1);
	locks->rows = xcalloc(profile->wait_count + 1, sizeof(*locks->rows));
	for (size_t i = 0; i < profile->wait_count; i++) {
		locks->rows[i] = SIZE_MAX;
		if (profile->waits[i].reason == WAIT_LOCK)
			add_wait(locks, profile, i);
	}
	locks->variances = xcalloc(locks->places.keys.count + 1, sizeof(*locks->variances));
	if (locks->places.keys.count)
		wait_variances(profile, locks->rows, locks->places.keys.count, locks->variances);
	sums_sort_falling(&locks->holds, 0, NULL, NULL);
	sums_sort_falling(&locks->tasks, 0, NULL, NULL);
}

static void locks_release(struct locks *locks)
{
	sums_release(&locks->places);
	sums_release(&locks->holds);
	sums_release(&locks->tasks);
	free(locks->rows);
	free(locks->variances);
}

/*
 * Returns whether a wait depends on other tasks: a task that waits for a lock or a
 * child, or for a processor that others use, may continue sooner if those do.
 */
static bool is_for_others(uint64_t reason)
{
	return reason == WAIT_LOCK || reason == WAIT_CHILD || reason == WAIT_DISPATCH;
}

/* What a task itself needs, ns. */
enum { SELF_CPU, SELF_WAITS, SELF_AMOUNTS };

/* Sums up what each task itself needs; returns the variances of its waits, owned by the caller. */
static uint64_t *self_needs_init(struct sums *tasks, const struct profile *profile)
{
	size_t *rows = xcalloc(profile->wait_count + 1, sizeof(*rows));
	uint64_t *variances;

	sums_init(tasks, 1, SELF_AMOUNTS);
	for (size_t i = 0; i < profile->task_activity.count; i++)
		sums_at(tasks, &profile->task_activity.items[i].id)[SELF_CPU] +=
			profile->task_activity.items[i].busy;
	for (size_t i = 0; i < profile->wait_count; i++) {
		const struct profile_wait *wait = &profile->waits[i];
		uint64_t *amounts;

		rows[i] = SIZE_MAX;
		if (is_for_others(wait->reason))
			continue;
		amounts = sums_at(tasks, &wait->task);
		amounts[SELF_WAITS] += wait->total;
		rows[i] = (size_t)(amounts - tasks->values) / tasks->width;
	}
	variances = xcalloc(tasks->keys.count + 1, sizeof(*variances));
	if (tasks->keys.count)
		wait_variances(profile, rows, tasks->keys.count, variances);
	free(rows);
	return variances;
}

/* Returns the minimum ns that the step needs if no task waits for locks, and its margin. */
static uint64_t shortest_run(const struct profile *profile, double *margin)
{
	uint64_t cpus = profile_attribute_number(profile, ATTR_CPUS), cpu = 0, least = 0;
	struct sums tasks;
	uint64_t *variances = self_needs_init(&tasks, profile);

	*margin = 0;
	for (size_t i = 0; i < tasks.keys.count; i++) {
		const uint64_t *amounts = sums_values(&tasks, i);

		cpu += amounts[SELF_CPU];
		if (amounts[SELF_CPU] + amounts[SELF_WAITS] <= least)
			continue;
		least = amounts[SELF_CPU] + amounts[SELF_WAITS];
		*margin = MARGIN_DEVIATIONS * 1000 * sqrt((double)variances[i]);
	}
	free(variances);
	sums_release(&tasks);
	cpu /= cpus ? cpus : 1;
	if (cpu <= least)
		return least;
	*margin = 0;
	return cpu;
}

/*
 * Returns the number of tasks at a place that wait (0), or that hold what it waits
 * for (1), or of processes that do (2); and the first of them. Waits without looks
 * are laid at places of other tasks: a task that hardly ever waits there may never
 * have done so.
 */
static size_t tasks_of(const struct locks *locks, uint64_t row, uint64_t holds, uint64_t *first)
{
	uint64_t most = 0;
	size_t count = 0;

	for (size_t i = 0; i < locks->tasks.keys.count; i++) {
		size_t number = locks->tasks.order[i];
		const uint64_t *key = sums_key(&locks->tasks, number);
		uint64_t waits = *sums_values(&locks->tasks, number);

		if (key[PAIR_ROW] != row || key[PAIR_HOLDS] != holds || waits < most / RARE_FACTOR)
			continue;
		if (!count) {
			*first = key[PAIR_TASK];
			most = waits;
		}
		count++;
	}
	return count;
}

/* Appends the holders that looks saw: " by worker 2", " by 3 tasks", " by process 4711". */
static void add_who(const struct profile *profile, const struct locks *locks, uint64_t row,
		    struct strbuf *sb)
{
	uint64_t task = 0, process = 0;
	size_t tasks = tasks_of(locks, row, 1, &task), processes = tasks_of(locks, row, 2, &process);

	strbuf_addstr(sb, " by ");
	if (tasks == 1)
		label_task(profile, task, sb);
	else if (tasks)
		strbuf_addf(sb, "%zu tasks", tasks);
	else if (processes == 1)
		strbuf_addf(sb, "process %" PRIu64, process);
	else
		strbuf_addf(sb, "%zu processes", processes);
}

/* Appends where it is held in most waits: " at post line 40"; nothing if unknown. */
static void add_where(const struct profile *profile, const struct locks *locks, uint64_t row,
		      struct strbuf *sb)
{
	for (size_t i = 0; i < locks->holds.keys.count; i++) {
		const uint64_t *key = sums_key(&locks->holds, locks->holds.order[i]);
		const char *procedure = profile_text(profile, key[HOLD_PROCEDURE]);

		if (key[HOLD_ROW] != row || !*procedure)
			continue;
		strbuf_addf(sb, " at %s", procedure);
		if (key[HOLD_LINE])
			strbuf_addf(sb, " line %" PRIu64, key[HOLD_LINE]);
		return;
	}
}

/* Describes who waits for what and where, and who holds it. */
static void advice_describe_lock(const struct advice_search *search, struct advice *advice, const struct locks *locks,
		 size_t row)
{
	const struct profile *profile = search->profile;
	const uint64_t *key = sums_key(&locks->places, row), *amounts = sums_values(&locks->places, row);
	const uint64_t place[ADVICE_WAIT_KEYS] = {
		[ADVICE_MODULE] = key[LOCK_MODULE],	  [ADVICE_SECTION] = key[LOCK_SECTION],
		[ADVICE_PROCEDURE] = key[LOCK_PROCEDURE], [ADVICE_LINE] = key[LOCK_LINE],
		[ADVICE_OTHER_FILE] = key[LOCK_OTHER_FILE]
	};
	struct strbuf what = STRBUF_INIT, who = STRBUF_INIT, where = STRBUF_INIT, mean = STRBUF_INIT;
	uint64_t first;
	size_t waiting = tasks_of(locks, row, 0, &first), holding = tasks_of(locks, row, 1, &first);

	if (key[LOCK_FILE])
		label_file(profile, key[LOCK_FILE], &what);
	add_who(profile, locks, row, &who);
	add_where(profile, locks, row, &where);
	/* With several holders the place says more than their number. */
	advice_what(advice, "%zu task%s wait%s for a lock%s%s held%s%s", waiting, waiting == 1 ? "" : "s",
		    waiting == 1 ? "s" : "", key[LOCK_FILE] ? " of " : "", what.text,
		    holding > 1 && where.length ? "" : who.text, where.text);
	advice_where_wait(search, advice, place);
	clock_format_duration(&mean, amounts[LOCK_TOTAL] / amounts[LOCK_COUNT]);
	advice_evidence(advice, "ACW", "LOCK %" PRIu64 " waits of %s, a holder was seen in %" PRIu64 ", held%s",
			amounts[LOCK_COUNT], mean.text, amounts[LOCK_SEEN], who.text);
	strbuf_release(&what);
	strbuf_release(&who);
	strbuf_release(&where);
	strbuf_release(&mean);
}

void advice_locks(struct advice_search *search)
{
	const struct profile *profile = search->profile;
	double cpu_margin;
	uint64_t least = shortest_run(profile, &cpu_margin);
	uint64_t most = search->run > least ? search->run - least : 0;
	struct locks locks;

	locks_init(&locks, profile);
	for (size_t row = 0; row < locks.places.keys.count; row++) {
		const uint64_t *amounts = sums_values(&locks.places, row);
		double total = (double)amounts[LOCK_TOTAL];
		double saves = total < (double)most ? total : (double)most;
		double waited = MARGIN_DEVIATIONS * 1000 * sqrt((double)locks.variances[row]);
		double margin = total > 0 ? hypot(waited * saves / total, saves < total ? cpu_margin : 0) : 0;
		struct advice *advice;

		if (amounts[LOCK_COUNT] < MIN_WAITS || amounts[LOCK_SEEN] < MIN_HOLDERS_SEEN)
			continue;
		advice = advice_add(search, "LOCK-CONVOY", saves, margin,
				    "Hold the lock for a shorter time: move waits, input and "
				    "output, and work that needs no lock out of the locked "
				    "section; or give each part of the data its own lock.");
		if (advice)
			advice_describe_lock(search, advice, &locks, row);
	}
	locks_release(&locks);
}
