/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the past transactions of threads. */
#include "common/compat.h"
#include "step/transaction-history.h"
#include "common/xalloc.h"

/* Space is reused once at least this many changes were passed. */
#define PASSED_MANY 64

/* A thread's change to a transaction at a time. */
struct past_change {
	uint64_t time, transaction;
};

/* The changes of a thread in order of time; the one at first is in force, or is the next to be. */
struct thread_history {
	pid_t tid;
	struct past_change *items;
	size_t first, count, alloc; /* count: includes those passed */
};

void transaction_history_init(struct transaction_history *history, const struct changes *changes,
			      struct transactions *transactions)
{
	static const struct changes none;

	*history = (struct transaction_history){ .changes = changes ? changes : &none,
						 .transactions = transactions };
	idmap_init(&history->by_tid);
	change_cursor_init(&history->cursor, history->changes);
}

void transaction_history_release(struct transaction_history *history)
{
	for (size_t i = 0; i < history->count; i++) {
		free(history->threads[i]->items);
		free(history->threads[i]);
	}
	free(history->threads);
	free(history->pauses);
	idmap_release(&history->by_tid);
}

/* Returns what is kept of a thread; NULL: nothing. */
static struct thread_history *find_thread(const struct transaction_history *history, pid_t tid)
{
	uint64_t index;

	RETURN_IF(!history->count || !idmap_get(&history->by_tid, (uint64_t)tid, &index), NULL);
	return history->threads[index];
}

static struct thread_history *add_thread(struct transaction_history *history, pid_t tid)
{
	struct thread_history *thread = xcalloc(1, sizeof(*thread));

	thread->tid = tid;
	GROW(history->threads, history->count + 1, history->alloc);
	idmap_put(&history->by_tid, (uint64_t)tid, history->count);
	history->threads[history->count++] = thread;
	return thread;
}

static void remove_thread(struct transaction_history *history, struct thread_history *thread)
{
	struct thread_history *last = history->threads[--history->count];
	uint64_t index = 0;

	idmap_get(&history->by_tid, (uint64_t)thread->tid, &index);
	idmap_remove(&history->by_tid, (uint64_t)thread->tid);
	if (last != thread) {
		history->threads[index] = last;
		idmap_put(&history->by_tid, (uint64_t)last->tid, index);
	}
	free(thread->items);
	free(thread);
}

/*
 * Makes space for one more change: reuses that of changes passed, or drops the
 * oldest quarter at the limit.
 */
static void make_room(struct thread_history *thread)
{
	if (thread->count - thread->first >= TRANSACTION_HISTORY_MAX)
		thread->first += TRANSACTION_HISTORY_MAX / 4;
	if (thread->first >= PASSED_MANY && thread->first >= thread->count / 2) {
		thread->count -= thread->first;
		memmove(thread->items, thread->items + thread->first,
			thread->count * sizeof(*thread->items));
		thread->first = 0;
	}
	GROW(thread->items, thread->count + 1, thread->alloc);
}

/*
 * Inserts a thread's change to a transaction at a time, which may be earlier than
 * recorded changes.
 */
void transaction_history_set(struct transaction_history *history, pid_t tid, uint64_t time,
			     uint64_t transaction)
{
	struct thread_history *thread = find_thread(history, tid);
	size_t at;

	if (!thread)
		thread = add_thread(history, tid);
	make_room(thread);
	/* The changes of a thread stay in order of time. */
	for (at = thread->count++; at > thread->first && thread->items[at - 1].time > time; at--)
		thread->items[at] = thread->items[at - 1];
	thread->items[at] = (struct past_change){ time, transaction };
}

static void keep(struct transaction_history *history, const struct transaction_change *change)
{
	transaction_history_set(history, (pid_t)change->tid, change->time,
				transactions_id(history->transactions, change->name));
}

void transaction_history_last(struct transaction_history *history)
{
	history->cursor.last = true;
}

void transaction_history_notes(const struct transaction_history *history, struct engine *engine,
			       struct snapshot *snapshot)
{
	struct strbuf text = STRBUF_INIT;

	if (history->cursor.missed && history->cursor.missed != transactions_missed(history->transactions)) {
		strbuf_addstr(&text, "for the transactions of events, ");
		changes_missed_text(history->cursor.missed, &text);
		snapshot_note(snapshot, engine, SEVERITY_WARNING, 3008, "%s", text.text);
	}
	if (history->cursor.overwritten && !transactions_overwritten(history->transactions))
		snapshot_note(snapshot, engine, SEVERITY_WARNING, 3182,
			      TRANSACTION_AREA_OVERWRITTEN);
	strbuf_release(&text);
}

void transaction_history_advance(struct transaction_history *history, uint64_t now)
{
	struct transaction_change change;

	while (change_cursor_peek(&history->cursor, history->changes, now, &change)) {
		change_cursor_pass(&history->cursor);
		if (!change_is_switch(&change)) {
			keep(history, &change);
		} else if (change_is_pause(&change)) {
			GROW(history->pauses, history->pause_count + 1, history->pause_alloc);
			history->pauses[history->pause_count++] = change.time;
		} else {
			history->started = change.time;
		}
	}
}

uint64_t transaction_history_at(struct transaction_history *history, pid_t tid, uint64_t time)
{
	struct thread_history *thread = find_thread(history, tid);
	const struct past_change *at;

	RETURN_IF(!thread, 0);
	while (thread->first + 1 < thread->count && thread->items[thread->first + 1].time <= time)
		thread->first++;
	at = &thread->items[thread->first];
	RETURN_IF(at->time > time || !at->transaction, 0);
	transactions_want(history->transactions, at->transaction);
	return at->transaction;
}

size_t transaction_history_kept(const struct transaction_history *history, pid_t tid)
{
	const struct thread_history *thread = find_thread(history, tid);

	return thread ? thread->count - thread->first : 0;
}

void transaction_history_forget(struct transaction_history *history, pid_t tid, uint64_t time)
{
	struct thread_history *thread = find_thread(history, tid);

	if (!thread)
		return;
	while (thread->first < thread->count && thread->items[thread->first].time <= time)
		thread->first++;
	if (thread->first == thread->count)
		remove_thread(history, thread);
}
