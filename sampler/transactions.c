/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the changes of transaction that the step makes. */
#include "common/compat.h"
#include "sampler/transactions.h"
#include "common/clock.h"
#include "common/idmap.h"
#include "common/strmap.h"
#include "agent/transaction-area.h"
#include "common/xalloc.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A change that was begun but never published (its writer was killed) is given up after this. */
#define UNPUBLISHED_PATIENCE (1 * NSEC_PER_SEC)

/* One transaction; its id is the number of its name (0 is the empty name: none). */
struct transaction {
	uint64_t count, elapsed;
	bool changed;
};

/* What one thread works for. */
struct holder {
	pid_t tid;
	uint64_t transaction; /* in force, 0 none */
	uint64_t own;	      /* that the step named last */
	uint64_t by;	      /* who else named the one in force; 0: the step */
	uint64_t since;
	bool counted; /* the one in force: not yet when it was named during a pause */
};

struct transactions {
	const struct transaction_area *area; /* NULL: none */
	size_t size;			     /* of the mapping */
	uint64_t slots;
	uint64_t next;	      /* ticket to be read next */
	uint64_t stuck_since; /* when the ticket was first found unpublished, 0 not stuck */
	uint64_t missed;
	bool paused;
	struct strmap names;
	uint64_t names_size;	   /* bytes of them */
	struct transaction *items; /* by id */
	size_t alloc;
	struct holder *holders;
	size_t holder_count, holder_alloc;
	struct idmap by_tid; /* tid -> index in holders */
};

/* Map the area and check that it is one. */
static int map_area(struct transactions *transactions, const char *path, struct error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;
	void *mapping = MAP_FAILED;

	RETURN_IF(fd < 0, error_errno(err, "%s", path));
	if (fstat(fd, &status) == 0 && (size_t)status.st_size >= sizeof(struct transaction_area)) {
		transactions->size = (size_t)status.st_size;
		mapping = mmap(NULL, transactions->size, PROT_READ, MAP_SHARED, fd, 0);
	}
	close(fd);
	RETURN_IF(mapping == MAP_FAILED, error_set(err, "%s is not a transaction area", path));
	transactions->area = mapping;
	transactions->slots = transactions->area->slots;
	if (transactions->area->magic == TRANSACTION_AREA_MAGIC && transactions->slots > 0 &&
	    transactions->slots <= (transactions->size - sizeof(struct transaction_area)) /
					   sizeof(struct transaction_change))
		return 0;
	return error_set(err, "%s is not a transaction area", path);
}

struct transactions *transactions_new(const char *path, struct error *err)
{
	struct transactions *transactions = xcalloc(1, sizeof(*transactions));

	strmap_init(&transactions->names);
	idmap_init(&transactions->by_tid);
	if (path && map_area(transactions, path, err) < 0) {
		transactions_free(transactions);
		return NULL;
	}
	/* What an earlier session of the same step has read already stays read. */
	if (transactions->area) {
		transactions->next = __atomic_load_n(&transactions->area->next, __ATOMIC_ACQUIRE);
		transactions->paused =
			__atomic_load_n(&transactions->area->collecting, __ATOMIC_ACQUIRE) ==
			TRANSACTION_COLLECTING_PAUSED;
	}
	return transactions;
}

void transactions_free(struct transactions *transactions)
{
	if (!transactions)
		return;
	if (transactions->area)
		munmap((void *)(uintptr_t)transactions->area, transactions->size);
	strmap_release(&transactions->names);
	idmap_release(&transactions->by_tid);
	free(transactions->items);
	free(transactions->holders);
	free(transactions);
}

uint64_t transactions_id(struct transactions *transactions, const char *name)
{
	size_t before = transactions->names.count;
	uint32_t number;

	number = strmap_put(&transactions->names, name);
	if (number >= before) {
		GROW(transactions->items, (size_t)number + 1, transactions->alloc);
		memset(&transactions->items[number], 0, sizeof(transactions->items[number]));
		transactions->names_size += strlen(name) + 1;
	}
	return number;
}

uint64_t transactions_size(const struct transactions *transactions)
{
	return transactions->names_size +
	       transactions->names.count * (sizeof(struct transaction) + sizeof(char *));
}

/* The entry of a thread, or NULL. */
static struct holder *holder_of(const struct transactions *transactions, pid_t tid)
{
	uint64_t index;

	RETURN_IF(!idmap_get(&transactions->by_tid, (uint64_t)tid, &index), NULL);
	return &transactions->holders[index];
}

/* A new entry for a thread. */
static struct holder *add_holder(struct transactions *transactions, pid_t tid)
{
	struct holder *holder;

	GROW(transactions->holders, transactions->holder_count + 1, transactions->holder_alloc);
	idmap_put(&transactions->by_tid, (uint64_t)tid, transactions->holder_count);
	holder = &transactions->holders[transactions->holder_count++];
	*holder = (struct holder){ .tid = tid };
	return holder;
}

/* Count the time that the thread's transaction was in force up to when. */
static void settle(struct transactions *transactions, struct holder *holder, uint64_t when)
{
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

/* Count that the transaction in force was set, unless collecting is paused. */
static void count(struct transactions *transactions, struct holder *holder)
{
	struct transaction *item = &transactions->items[holder->transaction];

	if (!holder->transaction || holder->counted || transactions->paused)
		return;
	item->count++;
	item->changed = true;
	holder->counted = true;
}

/* Collecting is paused or goes on from a time on: no transaction takes the time between. */
static void pause_at(struct transactions *transactions, bool paused, uint64_t time)
{
	for (size_t i = 0; i < transactions->holder_count; i++)
		settle(transactions, &transactions->holders[i], time);
	transactions->paused = paused;
	for (size_t i = 0; i < transactions->holder_count; i++)
		count(transactions, &transactions->holders[i]);
}

/* A thread works for a transaction from a time on, 0: for none. */
static struct holder *begin(struct transactions *transactions, pid_t tid, uint64_t time,
			    uint64_t id)
{
	struct holder *holder = holder_of(transactions, tid);

	if (!holder)
		holder = add_holder(transactions, tid);
	settle(transactions, holder, time);
	holder->transaction = id;
	holder->counted = false;
	count(transactions, holder);
	return holder;
}

void transactions_set(struct transactions *transactions, pid_t tid, uint64_t time,
		      uint64_t transaction, uint64_t by)
{
	if (transactions_of(transactions, tid) != transaction)
		begin(transactions, tid, time, transaction)->by = by;
}

void transactions_withdraw(struct transactions *transactions, uint64_t by, uint64_t time)
{
	for (size_t i = 0; i < transactions->holder_count; i++) {
		struct holder *holder = &transactions->holders[i];

		if (holder->by != by)
			continue;
		settle(transactions, holder, time);
		holder->transaction = holder->own;
		holder->counted = true; /* when the step named it */
		holder->by = 0;
	}
}

/* Carry one change out. */
static void apply(struct transactions *transactions, const struct transaction_change *change)
{
	uint64_t id = transactions_id(transactions, change->name);
	struct holder *holder = begin(transactions, (pid_t)change->tid, change->time, id);

	holder->own = id;
	holder->by = 0;
}

/* The slot of a ticket; what stands in it may be of another. */
static const struct transaction_change *slot_of(const struct transactions *transactions,
						uint64_t ticket)
{
	return &transactions->area->changes[ticket % transactions->slots];
}

/* Whether the change of a ticket stands in its slot, whole. */
static bool is_published(const struct transaction_change *slot, uint64_t ticket)
{
	return __atomic_load_n(&slot->sequence, __ATOMIC_ACQUIRE) == ticket + 1;
}

/* Copy the change of a ticket; false when it is overwritten meanwhile. */
static bool copy_change(const struct transaction_change *slot, uint64_t ticket,
			struct transaction_change *change)
{
	memcpy(change, slot, sizeof(*change));
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	change->name[TRANSACTION_AREA_NAME - 1] = '\0';
	return __atomic_load_n(&slot->sequence, __ATOMIC_RELAXED) == ticket + 1;
}

enum peek { PEEK_NONE, PEEK_CHANGE, PEEK_AGAIN };

/* Give up the oldest tickets when the writers have lapped the reader. */
static bool catch_up(struct transactions *transactions, uint64_t next)
{
	uint64_t keep = transactions->slots - transactions->slots / 4;

	if (next - transactions->next <= transactions->slots)
		return false;
	transactions->missed += next - keep - transactions->next;
	transactions->next = next - keep;
	return true;
}

/* Copy the next change without taking it; PEEK_AGAIN: tickets were skipped, look again. */
static enum peek peek(struct transactions *transactions, uint64_t now,
		      struct transaction_change *change)
{
	uint64_t next = __atomic_load_n(&transactions->area->next, __ATOMIC_ACQUIRE);
	const struct transaction_change *slot = slot_of(transactions, transactions->next);

	RETURN_IF(transactions->next >= next, PEEK_NONE);
	RETURN_IF(catch_up(transactions, next), PEEK_AGAIN);
	if (is_published(slot, transactions->next)) {
		transactions->stuck_since = 0;
		return copy_change(slot, transactions->next, change) ? PEEK_CHANGE : PEEK_AGAIN;
	}
	if (!transactions->stuck_since)
		transactions->stuck_since = now;
	RETURN_IF(now < transactions->stuck_since + UNPUBLISHED_PATIENCE, PEEK_NONE);
	transactions->stuck_since = 0;
	transactions->missed++;
	transactions->next++;
	return PEEK_AGAIN;
}

/* Whether a change starts or pauses collecting, and is no transaction. */
static bool is_switch(const struct transaction_change *change)
{
	return change->name[0] == TRANSACTION_SWITCH;
}

uint64_t transactions_advance(struct transactions *transactions, uint64_t time,
			      uint64_t *switched)
{
	struct transaction_change change;
	enum peek found;

	if (switched)
		*switched = 0;
	RETURN_IF(!transactions->area, UINT64_MAX);
	while ((found = peek(transactions, time, &change)) != PEEK_NONE) {
		if (found == PEEK_AGAIN)
			continue;
		if (change.time > time)
			return change.time;
		transactions->next++;
		if (!is_switch(&change)) {
			apply(transactions, &change);
			continue;
		}
		pause_at(transactions, strcmp(change.name, TRANSACTION_PAUSE) == 0, change.time);
		if (switched) {
			*switched = change.time;
			return change.time;
		}
	}
	return UINT64_MAX;
}

bool transactions_paused(const struct transactions *transactions)
{
	return transactions->paused;
}

bool transactions_pending(struct transactions *transactions, pid_t tid, uint64_t time,
			  uint64_t *when, uint64_t *transaction)
{
	struct transaction_change change;
	uint64_t first, ticket;

	RETURN_IF(!transactions->area, false);
	ticket = __atomic_load_n(&transactions->area->next, __ATOMIC_ACQUIRE);
	first = transactions->next;
	if (ticket > first + transactions->slots)
		first = ticket - transactions->slots;
	while (ticket-- > first) {
		const struct transaction_change *slot = slot_of(transactions, ticket);

		/* Those that are not whole yet were hardly made before what is asked about. */
		if (slot->tid != (uint32_t)tid || slot->time > time ||
		    !is_published(slot, ticket) || !copy_change(slot, ticket, &change) ||
		    change.tid != (uint32_t)tid || change.time > time || is_switch(&change))
			continue;
		*when = change.time;
		*transaction = transactions_id(transactions, change.name);
		return true;
	}
	return false;
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
	struct holder *holder = holder_of(transactions, tid), *last;

	if (!holder)
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

uint64_t transactions_missed(const struct transactions *transactions)
{
	return transactions->missed;
}

void transactions_rows(struct transactions *transactions, struct engine *engine, uint64_t time,
		       struct recordset *set)
{
	for (size_t i = 0; i < transactions->holder_count; i++)
		settle(transactions, &transactions->holders[i], time);
	for (size_t i = 1; i < transactions->names.count; i++) {
		struct transaction *item = &transactions->items[i];
		struct record_transaction record = {
			.transaction = i,
			.count = item->count,
			.elapsed = item->elapsed,
		};

		if (!item->changed)
			continue;
		item->changed = false;
		record.name = engine_string(engine, strmap_text(&transactions->names, (uint32_t)i));
		recordset_add(set, &record);
	}
}
