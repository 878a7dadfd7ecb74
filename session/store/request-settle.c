/* SPDX-License-Identifier: Apache-2.0 */
/* Applies the effects of time and of dead processes on requests. */
#include "common/compat.h"
#include "session/store/request-store-data.h"
#include "common/xalloc.h"

/* The death of its owner this many times makes a request Failed; before, it is put back. */
#define TRIES 3

/* Numbers of requests. */
struct numbers {
	uint64_t *items;
	size_t count, alloc;
};

/* Collects the requests that a query with the argument now returns. */
static int collect(struct request_store *store, const char *sql, int64_t now,
		   struct numbers *numbers, struct error *err)
{
	sqlite3_stmt *query = store_query(store, err, sql, "i", now);
	int result;

	while ((result = store_row(store, query, err)) > 0) {
		GROW(numbers->items, numbers->count + 1, numbers->alloc);
		numbers->items[numbers->count++] = (uint64_t)sqlite3_column_int64(query, 0);
	}
	return result;
}

/* Queues the requests whose time has come. */
static int begin_due(struct request_store *store, const struct store_actor *actor, int64_t now,
		     struct error *err)
{
	struct numbers due = { 0 };
	int result = collect(store,
			     "SELECT number FROM request WHERE state = 'Deferred' AND "
			     "start <= ?",
			     now, &due, err);

	for (size_t i = 0; i < due.count && result == 0; i++)
		result = store_set_state(store, due.items[i], REQUEST_QUEUED, actor,
					 "its start time was reached", err);
	free(due.items);
	return result;
}

/* Ends the wait of requests whose step did not come in time. */
static int end_expired(struct request_store *store, const struct store_actor *actor, int64_t now,
		       struct error *err)
{
	struct numbers expired = { 0 };
	int result = collect(store,
			     "SELECT number FROM request WHERE state = 'Queued' AND "
			     "expires <= ?",
			     now, &expired, err);

	for (size_t i = 0; i < expired.count && result == 0; i++) {
		result = store_wait(store, expired.items[i], now, actor,
				    "its step did not start in time", true, err);
	}
	free(expired.items);
	return result;
}

/* Puts a request back after its owner died. */
static int put_back(struct request_store *store, const struct store_actor *actor, uint64_t number,
		    const char *host, int64_t pid, struct error *err)
{
	const int64_t tries = store_number(store, -1, err,
					   "UPDATE request SET tries = tries + 1 WHERE "
					   "number = ? RETURNING tries",
					   "i", (int64_t)number);
	struct strbuf why = STRBUF_INIT;
	int result = tries < 0 ? -1 : 0;

	strbuf_addf(&why, "vigil, process %" PRId64 " on %s, ended before its step did", pid, host);
	if (tries >= TRIES)
		strbuf_addf(&why, ", the %dth time", TRIES);
	if (result == 0)
		result = store_set_state(store, number,
					 tries >= TRIES ? REQUEST_FAILED : REQUEST_QUEUED, actor,
					 why.text, err);
	strbuf_release(&why);
	return result;
}

/* A request whose owner is dead. */
struct orphan {
	uint64_t number;
	int64_t pid;
	char *host;
};

static int put_orphans_back(struct request_store *store, const struct store_actor *actor,
			    int64_t now, struct error *err)
{
	sqlite3_stmt *query =
		store_query(store, err,
			    "SELECT " OWNER_COLUMNS ", number, owner_host FROM request WHERE "
			    "owner_pid IS NOT NULL",
			    "");
	struct orphan *orphans = NULL;
	size_t count = 0, alloc = 0;
	int result;

	while ((result = store_row(store, query, err)) > 0) {
		if (!store_owner_dead(actor, query, now))
			continue;
		GROW(orphans, count + 1, alloc);
		orphans[count++] = (struct orphan){
			.number = (uint64_t)sqlite3_column_int64(query, 5),
			.pid = sqlite3_column_int64(query, 2),
			.host = store_text(query, 6),
		};
	}
	for (size_t i = 0; i < count; i++) {
		if (result == 0)
			result = put_back(store, actor, orphans[i].number,
					  orphans[i].host ? orphans[i].host : "?", orphans[i].pid,
					  err);
		free(orphans[i].host);
	}
	free(orphans);
	return result;
}

int store_apply_time(struct request_store *store, const struct store_actor *actor, int64_t now,
		 struct error *err)
{
	RETURN_IF(put_orphans_back(store, actor, now, err) < 0, -1);
	RETURN_IF(begin_due(store, actor, now, err) < 0, -1);
	return end_expired(store, actor, now, err);
}
