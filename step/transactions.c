/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps each thread's current transaction, and the count and time of each transaction. */
#include "common/compat.h"
#include "step/transactions.h"
#include "common/idmap.h"
#include "common/strmap.h"
#include "common/xalloc.h"
#include "records/record-types.h"

/* Prefix of the names of transactions that are unknown; see vigil/collector.h. */
#define UNKNOWN_NAME ".UNKNOWN"

/* One transaction; its id is the number of its name (0, the empty name: none). */
struct transaction {
	uint64_t count, elapsed;
	uint64_t seen; /* part of count: set by others than the step */
	uint64_t reported; /* times it began by the program's own count; 0: not reported */
	bool told_exact;
	bool unknown; /* its name says that the transaction is unknown */
	bool changed;
	bool wanted; /* a row elsewhere refers to its id */
	bool rowed;  /* it has had a row */
};

/* The transaction of one thread. */
struct holder {
	pid_t tid;
	uint64_t transaction; /* in force, 0 none */
	uint64_t own;	      /* that the step named last */
	uint64_t by;	      /* number of the collector that named the one in force; 0: the step */
	uint64_t since;
	uint64_t begun; /* when it came into force */
	uint64_t read;	/* when a collector read which one is in force; 0: the step named it */
	uint64_t gone;	/* when the thread was found to be gone; 0: it was not */
	bool counted;	/* the one in force is counted; not yet if named during a pause */
	/* While the one in force is unknown: the one before, which may still be it. */
	uint64_t before;
	bool before_counted;
	uint64_t passed; /* counted because it was read before the one in force; 0: none */
};

/* A change set ahead of the records. */
struct ahead {
	pid_t tid;
	uint64_t time, transaction, by;
	bool ends; /* the thread ends then */
};

struct transactions {
	const struct changes *changes;
	struct change_cursor cursor;
	bool paused;
	struct strmap names;
	uint64_t names_size;	   /* bytes of the names */
	struct transaction *items; /* by id */
	size_t alloc;
	struct holder *holders;
	size_t holder_count, holder_alloc;
	struct idmap by_tid;  /* tid -> index in holders */
	struct ahead *aheads; /* in order of time */
	size_t ahead_count, ahead_alloc;
};

struct transactions *transactions_new(const struct changes *changes)
{
	static const struct changes none;
	struct transactions *transactions = xcalloc(1, sizeof(*transactions));

	strmap_init(&transactions->names);
	idmap_init(&transactions->by_tid);
	transactions->changes = changes ? changes : &none;
	/* Changes that an earlier session of the same step has read are not read again. */
	change_cursor_init(&transactions->cursor, transactions->changes);
	transactions->paused = changes_paused(transactions->changes);
	return transactions;
}

void transactions_free(struct transactions *transactions)
{
	if (!transactions)
		return;
	strmap_release(&transactions->names);
	idmap_release(&transactions->by_tid);
	free(transactions->items);
	free(transactions->holders);
	free(transactions->aheads);
	free(transactions);
}

uint64_t transactions_id(struct transactions *transactions, const char *name)
{
	size_t before = transactions->names.count;
	uint32_t number;

	number = strmap_put(&transactions->names, name);
	if (number >= before) {
		GROW(transactions->items, (size_t)number + 1, transactions->alloc);
		transactions->items[number] = (struct transaction){
			.unknown = strncmp(name, UNKNOWN_NAME, strlen(UNKNOWN_NAME)) == 0,
		};
		transactions->names_size += strlen(name) + 1;
	}
	return number;
}

uint64_t transactions_size(const struct transactions *transactions)
{
	return transactions->names_size +
	       transactions->names.count * (sizeof(struct transaction) + sizeof(char *));
}

void transactions_set_reported(struct transactions *transactions, const char *name, uint64_t count,
		       bool exact)
{
	uint32_t number = strmap_find(&transactions->names, name);
	struct transaction *item;

	if (!number || number >= transactions->names.count)
		return;
	item = &transactions->items[number];
	item->reported = count;
	item->told_exact = exact;
	item->changed = true;
}

/* Returns the entry of a thread, or NULL. */
static struct holder *holder_of(const struct transactions *transactions, pid_t tid)
{
	uint64_t index;

	RETURN_IF(!idmap_get(&transactions->by_tid, (uint64_t)tid, &index), NULL);
	return &transactions->holders[index];
}

/* Adds an entry for a thread. */
static struct holder *add_holder(struct transactions *transactions, pid_t tid)
{
	struct holder *holder;

	GROW(transactions->holders, transactions->holder_count + 1, transactions->holder_alloc);
	idmap_put(&transactions->by_tid, (uint64_t)tid, transactions->holder_count);
	holder = &transactions->holders[transactions->holder_count++];
	*holder = (struct holder){ .tid = tid };
	return holder;
}

/* Credits the thread's transaction with its time in force up to when. */
static void settle(struct transactions *transactions, struct holder *holder, uint64_t when)
{
	if (holder->gone && when > holder->gone)
		when = holder->gone;
	if (holder->transaction && when > holder->since && !transactions->paused) {
		struct transaction *item = &transactions->items[holder->transaction];

		item->elapsed += when - holder->since;
		item->changed = true;
	}
	if (when > holder->since)
		holder->since = when;
}

const char *transactions_name(const struct transactions *transactions, uint64_t transaction)
{
	return strmap_text(&transactions->names, (uint32_t)transaction);
}

/* Counts the transaction in force once, unless collecting is paused. */
static void count(struct transactions *transactions, struct holder *holder)
{
	struct transaction *item = &transactions->items[holder->transaction];

	if (!holder->transaction || holder->counted || transactions->paused)
		return;
	/*
	 * An unknown one may be the one before or after it, so it is not certain that
	 * another has begun.
	 */
	if (!item->unknown || !holder->by)
		item->count++;
	item->seen += holder->by != 0;
	item->changed = true;
	holder->counted = true;
}

/* Pauses or resumes collecting at a time: no transaction is credited with the time of a pause. */
static void pause_at(struct transactions *transactions, bool paused, uint64_t time)
{
	for (size_t i = 0; i < transactions->holder_count; i++)
		settle(transactions, &transactions->holders[i], time);
	transactions->paused = paused;
	for (size_t i = 0; i < transactions->holder_count; i++)
		count(transactions, &transactions->holders[i]);
}

/* Returns whether the transaction's name says that it is unknown. */
static bool is_unknown(const struct transactions *transactions, uint64_t id)
{
	return id && transactions->items[id].unknown;
}

/*
 * Puts another transaction in force. It is not counted yet, unless it resumes
 * after an unknown one, or was counted when it was passed.
 */
static void put_in_force(struct transactions *transactions, struct holder *holder, uint64_t id,
			 uint64_t by)
{
	bool same_setter = by && by == holder->by;
	bool resumed = same_setter && id && id == holder->before && holder->before_counted;
	bool passed = same_setter && id && id == holder->passed;

	if (by && is_unknown(transactions, id)) {
		if (by != holder->by || !is_unknown(transactions, holder->transaction)) {
			holder->before = by == holder->by ? holder->transaction : 0;
			holder->before_counted = holder->counted;
		}
		holder->counted = false;
	} else {
		holder->counted = resumed || passed;
		holder->before = holder->passed = 0;
	}
	holder->transaction = id;
	holder->by = by;
}

/* Puts a transaction in force for a thread from a time on, 0: none; by as in the holder. */
static struct holder *begin(struct transactions *transactions, pid_t tid, uint64_t time,
			    uint64_t id, uint64_t by)
{
	struct holder *holder = holder_of(transactions, tid);

	if (!holder)
		holder = add_holder(transactions, tid);
	settle(transactions, holder, time);
	put_in_force(transactions, holder, id, by);
	holder->begun = time;
	holder->read = 0;
	holder->gone = 0;
	if (time > holder->since)
		holder->since = time; /* if the thread was found to be gone, since had stopped
				       * there */
	count(transactions, holder);
	return holder;
}

/*
 * Counts a transaction that was read before the one in force, unless a count may
 * include it. If it comes into force next, that may be the same time that it began.
 */
static void count_passed(struct transactions *transactions, struct holder *holder, uint64_t id)
{
	struct transaction *item = &transactions->items[id];

	if (!id || item->count || item->unknown || transactions->paused)
		return;
	item->count = item->seen = 1;
	item->changed = true;
	holder->passed = id;
}

void transactions_set_read(struct transactions *transactions, pid_t tid, uint64_t time,
			   uint64_t transaction, uint64_t by, uint64_t read)
{
	struct holder *holder = holder_of(transactions, tid);
	uint64_t known = holder && holder->by == by ? holder->read : 0;

	if (read < known) {
		count_passed(transactions, holder, transaction);
		return;
	}
	if ((holder ? holder->transaction : 0) != transaction)
		holder = begin(transactions, tid, time, transaction, by);
	/* That it is unknown says nothing of what was in force when it was read. */
	if (holder && holder->by == by)
		holder->read = is_unknown(transactions, transaction) ? known : read;
}

void transactions_set(struct transactions *transactions, pid_t tid, uint64_t time,
		      uint64_t transaction, uint64_t by)
{
	transactions_set_read(transactions, tid, time, transaction, by, time);
}

/* Inserts a change set ahead in order of time. */
static void add_ahead(struct transactions *transactions, const struct ahead *ahead)
{
	size_t at = transactions->ahead_count++;

	GROW(transactions->aheads, transactions->ahead_count, transactions->ahead_alloc);
	for (; at > 0 && transactions->aheads[at - 1].time > ahead->time; at--)
		transactions->aheads[at] = transactions->aheads[at - 1];
	transactions->aheads[at] = *ahead;
}

void transactions_schedule(struct transactions *transactions, pid_t tid, uint64_t time,
			    uint64_t transaction, uint64_t by)
{
	add_ahead(transactions, &(struct ahead){ tid, time, transaction, by, false });
}

void transactions_schedule_end(struct transactions *transactions, pid_t tid, uint64_t time)
{
	add_ahead(transactions, &(struct ahead){ .tid = tid, .time = time, .ends = true });
}

/* Ends a thread at a time. */
static void end_thread(struct transactions *transactions, pid_t tid, uint64_t time)
{
	struct holder *holder = holder_of(transactions, tid), *last;

	/* If its transaction began later, the thread that ended has left its number to another. */
	if (!holder || holder->begun > time)
		return;
	settle(transactions, holder, time);
	idmap_remove(&transactions->by_tid, (uint64_t)tid);
	last = &transactions->holders[--transactions->holder_count];
	if (last != holder) {
		*holder = *last;
		idmap_put(&transactions->by_tid, (uint64_t)holder->tid,
			  (uint64_t)(holder - transactions->holders));
	}
}

/* Puts the changes set ahead, up to a time, into force. */
static void take_aheads(struct transactions *transactions, uint64_t time)
{
	size_t taken = 0;

	for (; taken < transactions->ahead_count && transactions->aheads[taken].time <= time;
	     taken++) {
		const struct ahead *ahead = &transactions->aheads[taken];

		if (ahead->ends)
			end_thread(transactions, ahead->tid, ahead->time);
		else
			transactions_set(transactions, ahead->tid, ahead->time, ahead->transaction,
					 ahead->by);
	}
	transactions->ahead_count -= taken;
	if (taken)
		memmove(transactions->aheads, transactions->aheads + taken,
			transactions->ahead_count * sizeof(*transactions->aheads));
}

/* Drops changes set ahead for a thread, or by a collector; 0: for all, by all. */
static void drop_aheads(struct transactions *transactions, pid_t tid, uint64_t by)
{
	size_t left = 0;

	for (size_t i = 0; i < transactions->ahead_count; i++)
		if ((tid && transactions->aheads[i].tid != tid) ||
		    (by && transactions->aheads[i].by != by))
			transactions->aheads[left++] = transactions->aheads[i];
	transactions->ahead_count = left;
}

void transactions_withdraw(struct transactions *transactions, uint64_t by, uint64_t time)
{
	drop_aheads(transactions, 0, by);
	for (size_t i = 0; i < transactions->holder_count; i++) {
		struct holder *holder = &transactions->holders[i];

		if (holder->by != by)
			continue;
		settle(transactions, holder, time);
		holder->transaction = holder->own;
		holder->counted = true; /* counted when the step named it */
		holder->by = 0;
	}
}

/* Applies one change. */
static void apply(struct transactions *transactions, const struct transaction_change *change)
{
	uint64_t id = transactions_id(transactions, change->name);

	begin(transactions, (pid_t)change->tid, change->time, id, 0)->own = id;
}

/*
 * Takes the step's changes up to a time, and changes set ahead between them; see
 * transactions_advance.
 */
static uint64_t take_changes(struct transactions *transactions, uint64_t time, uint64_t *switched)
{
	struct transaction_change change;

	while (change_cursor_peek(&transactions->cursor, transactions->changes, time, &change)) {
		RETURN_IF(change.time > time, change.time);
		change_cursor_pass(&transactions->cursor);
		/* An observation at the very time of a change was made after it. */
		if (change.time > 0)
			take_aheads(transactions, change.time - 1);
		if (!change_is_switch(&change)) {
			apply(transactions, &change);
			continue;
		}
		pause_at(transactions, change_is_pause(&change), change.time);
		if (switched) {
			*switched = change.time;
			return change.time;
		}
	}
	return UINT64_MAX;
}

uint64_t transactions_advance(struct transactions *transactions, uint64_t time, uint64_t *switched)
{
	uint64_t stopped = 0, next;

	next = take_changes(transactions, time, switched ? &stopped : NULL);
	if (switched)
		*switched = stopped;
	if (!stopped)
		take_aheads(transactions, time);
	if (transactions->ahead_count && transactions->aheads[0].time < next)
		next = transactions->aheads[0].time;
	return next;
}

bool transactions_paused(const struct transactions *transactions)
{
	return transactions->paused;
}

bool transactions_pending(struct transactions *transactions, pid_t tid, uint64_t time,
			  uint64_t *when, uint64_t *transaction)
{
	struct transaction_change change;
	bool found = change_cursor_find_pending(&transactions->cursor, transactions->changes, tid, time,
					 &change);

	if (found) {
		*when = change.time;
		*transaction = transactions_id(transactions, change.name);
	}

	for (size_t i = transactions->ahead_count; i-- > 0;) {
		const struct ahead *ahead = &transactions->aheads[i];

		if (ahead->tid != tid || ahead->time > time)
			continue;
		if (found && ahead->time < *when)
			break;
		*when = ahead->time;
		*transaction = ahead->transaction;
		return true;
	}
	return found;
}

bool transactions_is_sampled(const struct transactions *transactions, pid_t tid)
{
	const struct holder *holder;

	RETURN_IF(!transactions->holder_count, false);
	holder = holder_of(transactions, tid);
	return holder && holder->by && !holder->own;
}

uint64_t transactions_of(const struct transactions *transactions, pid_t tid)
{
	const struct holder *holder;

	RETURN_IF(!transactions->holder_count, 0);
	holder = holder_of(transactions, tid);
	return holder ? holder->transaction : 0;
}

void transactions_forget(struct transactions *transactions, pid_t tid, uint64_t time)
{
	drop_aheads(transactions, tid, 0);
	end_thread(transactions, tid, time);
}

void transactions_renumber(struct transactions *transactions, pid_t tid, pid_t number,
			   uint64_t time)
{
	const struct holder *later;
	struct holder *holder;

	transactions_forget(transactions, number, time);
	holder = holder_of(transactions, tid);
	if (!holder)
		return;
	drop_aheads(transactions, tid, 0);
	later = holder_of(transactions, number);
	if (later) {
		/* The thread has already named another transaction under its new number. */
		end_thread(transactions, tid, later->begun);
		return;
	}
	holder->tid = number;
	idmap_remove(&transactions->by_tid, (uint64_t)tid);
	idmap_put(&transactions->by_tid, (uint64_t)number,
		  (uint64_t)(holder - transactions->holders));
}

uint64_t transactions_missed(const struct transactions *transactions)
{
	return transactions->cursor.missed;
}

void transactions_last(struct transactions *transactions)
{
	transactions->cursor.last = true;
}

bool transactions_are_late(const struct transactions *transactions)
{
	return change_cursor_is_late(&transactions->cursor, transactions->changes);
}

void transactions_end_gone(struct transactions *transactions, bool (*is_there)(pid_t tid), uint64_t time)
{
	/* Backwards, since the last entry moves into the slot of one that is removed. */
	for (size_t i = transactions->holder_count; i-- > 0;) {
		struct holder *holder = &transactions->holders[i];

		if (is_there(holder->tid))
			holder->gone = 0;
		else if (holder->gone)
			end_thread(transactions, holder->tid, holder->gone);
		else
			holder->gone = time; /* its exact end may still be reported */
	}
}

bool transactions_overwritten(const struct transactions *transactions)
{
	return transactions->cursor.overwritten;
}

void transactions_want(struct transactions *transactions, uint64_t transaction)
{
	if (transaction)
		transactions->items[transaction].wanted = true;
}

/* Appends the row of a transaction. */
static void add_row(struct transactions *transactions, size_t id, struct engine *engine,
		    struct recordset *set)
{
	struct transaction *item = &transactions->items[id];
	const struct record_transaction record = {
		.transaction = id,
		.name = engine_string(engine, strmap_text(&transactions->names, (uint32_t)id)),
		.count = item->count,
		.elapsed = item->elapsed,
		.seen = item->seen,
		.told = item->reported,
		.told_exact = item->told_exact,
	};

	item->changed = false;
	item->rowed = true;
	recordset_add(set, &record);
}

void transactions_rows(struct transactions *transactions, struct engine *engine, uint64_t time,
		       struct recordset *set)
{
	for (size_t i = 0; i < transactions->holder_count; i++)
		settle(transactions, &transactions->holders[i], time);
	for (size_t i = 1; i < transactions->names.count; i++)
		if (transactions->items[i].changed)
			add_row(transactions, i, engine, set);
}

void transactions_wanted_rows(struct transactions *transactions, struct engine *engine,
			      struct recordset *set)
{
	for (size_t i = 1; i < transactions->names.count; i++)
		if (transactions->items[i].wanted && !transactions->items[i].rowed)
			add_row(transactions, i, engine, set);
}

void transactions_notes(const struct transactions *transactions, struct engine *engine,
			struct snapshot *snapshot)
{
	const struct change_cursor *cursor = &transactions->cursor;
	struct strbuf text = STRBUF_INIT;

	if (cursor->missed) {
		changes_missed_text(cursor->missed, &text);
		snapshot_note(snapshot, engine, SEVERITY_WARNING, 3008, "%s", text.text);
		strbuf_release(&text);
	}
	if (cursor->overwritten)
		snapshot_note(snapshot, engine, SEVERITY_WARNING, 3182,
			      TRANSACTION_AREA_OVERWRITTEN);
}
