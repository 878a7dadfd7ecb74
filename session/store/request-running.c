/* SPDX-License-Identifier: Apache-2.0 */
/* Requests for programs that vigil does not start. */
#include "common/compat.h"
#include "session/store/request-store-data.h"
#include "common/xalloc.h"

/* Selects requests that wait for a program. */
#define WAITS "job_key = '" RUNNING_KEY "' AND state = 'Queued'"
#define USER "(uid = ?1 OR ?1 = 0)"

/*
 * Appends the next row to the list; if its request cannot be read, sets
 * *unreadable to its number.
 */
static int add_row(sqlite3_stmt *row, struct running_requests *list, uint64_t *unreadable,
		   struct error *err)
{
	struct running_request one = {
		.number = (uint64_t)sqlite3_column_int64(row, 0),
		.user = (uid_t)sqlite3_column_int64(row, 1),
		.given = sqlite3_column_int64(row, 2),
		.start = sqlite3_column_int64(row, 3),
	};

	one.deck = store_parse((const char *)sqlite3_column_text(row, 4), &one.source, err);
	if (!one.deck) {
		*unreadable = one.number;
		return -1;
	}
	GROW(list->items, list->count + 1, list->alloc);
	list->items[list->count++] = one;
	return 0;
}

/* Lists the waiting requests; -1 with the reason, or with *unreadable set. */
static int read_rows(struct request_store *store, const struct store_actor *actor,
		     struct running_requests *list, uint64_t *unreadable, struct error *err)
{
	sqlite3_stmt *query = store_query(store, err,
					  "SELECT number, uid, given, coalesce(start, 0), statement "
					  "FROM request WHERE " WAITS " AND " USER
					  " ORDER BY number",
					  "i", (int64_t)actor->user);
	int result;

	while ((result = store_row(store, query, err)) > 0)
		if (add_row(query, list, unreadable, err) < 0) {
			sqlite3_finalize(query);
			return -1;
		}
	return result;
}

/*
 * Lists the waiting requests; one that cannot be read becomes Failed, and the
 * others are read again.
 */
static int read_all(struct request_store *store, const struct store_actor *actor,
		    struct running_requests *list, struct error *err)
{
	int result;

	RETURN_IF(store_apply_time(store, actor, time(NULL), err) < 0, -1);
	do {
		struct error why = ERROR_INIT;
		uint64_t unreadable = 0;

		running_requests_release(list);
		result = read_rows(store, actor, list, &unreadable, &why);
		if (unreadable)
			result = store_set_state(store, unreadable, REQUEST_FAILED, actor,
						 error_text(&why), err) < 0
					 ? -1
					 : 1;
		else if (result < 0)
			error_set(err, "%s", error_text(&why));
		error_release(&why);
	} while (result > 0);
	RETURN_IF(result < 0, -1);
	list->next = store_number(
		store, 0, err,
		"SELECT coalesce(min(CASE state WHEN 'Deferred' THEN start ELSE expires END), 0) "
		"FROM request WHERE job_key = '" RUNNING_KEY
		"' AND state IN ('Deferred', 'Queued') AND " USER,
		"i", (int64_t)actor->user);
	return *error_text(err) ? -1 : 0;
}

int running_requests_read(struct request_store *store, struct running_requests *list,
			  struct error *err)
{
	struct store_actor actor;
	int result;

	*list = (struct running_requests){ 0 };
	store_actor_fill(&actor);
	RETURN_IF(store_begin(store, err) < 0, -1);
	result = store_end(store, read_all(store, &actor, list, err), err);
	if (result < 0)
		running_requests_release(list);
	return result;
}

void running_requests_release(struct running_requests *list)
{
	for (size_t i = 0; i < list->count; i++) {
		control_free(list->items[i].deck);
		source_free(list->items[i].source);
	}
	free(list->items);
	*list = (struct running_requests){ 0 };
}

/* Returns whether a request still waits; -1 with the reason. */
static int still_waits(struct request_store *store, uint64_t number,
		       const struct store_actor *actor, struct error *err)
{
	return (int)store_number(store, -1, err,
				 "SELECT count(*) FROM request WHERE " USER " AND number = ?2 AND " WAITS,
				 "ii", (int64_t)actor->user, (int64_t)number);
}

/* Returns whether a request has measured a process since the starts of both; -1 with the reason. */
static int has_measured(struct request_store *store, uint64_t number,
			const struct request_step *process, int64_t started,
			const struct store_actor *actor, struct error *err)
{
	struct strbuf name = STRBUF_INIT;
	int64_t count;

	strbuf_addf(&name, "process %d", process->process);
	count = store_number(
		store, -1, err,
		"SELECT count(*) FROM session s JOIN request r ON r.number = s.request WHERE "
		"s.request = ? AND s.host = ? AND s.step = ? AND s.data_set IS NOT NULL AND "
		"s.outcome NOT LIKE '%interrupted%' AND s.at >= max(?, coalesce(r.start, r.given))",
		"itti", (int64_t)number, actor->host, name.text, started);
	strbuf_release(&name);
	return count < 0 ? -1 : count > 0;
}

/* Claims a request, within a transaction. */
static int claim_one(struct request_store *store, uint64_t number,
		     const struct request_step *process, int64_t started, unsigned at_most,
		     const struct store_actor *actor, struct error *err)
{
	const int64_t now = time(NULL);
	int result;

	RETURN_IF(store_apply_time(store, actor, now, err) < 0, -1);
	result = still_waits(store, number, actor, err);
	RETURN_IF(result <= 0, result);
	result = store_limit_reached(store, actor, at_most, err);
	RETURN_IF(result != 0, result < 0 ? -1 : 0);
	result = has_measured(store, number, process, started, actor, err);
	RETURN_IF(result != 0, result < 0 ? -1 : RUNNING_MEASURED);
	return store_claim(store, number, process, actor, now, err) < 0 ? -1 : 1;
}

int running_claim(struct request_store *store, uint64_t number, const struct request_step *process,
		  int64_t started, unsigned at_most, struct request_claim *claim,
		  struct error *err)
{
	struct store_actor actor;

	store_actor_fill(&actor);
	*claim = (struct request_claim){ .number = number };
	RETURN_IF(store_begin(store, err) < 0, -1);
	return store_end(store, claim_one(store, number, process, started, at_most, &actor, err),
			 err);
}

/* Puts a claim back, within a transaction. */
static int interrupt(struct request_store *store, uint64_t number,
		     const struct request_step *process, const char *data_set,
		     const struct store_actor *actor, struct error *err)
{
	RETURN_IF(store_check_claim(store, number, actor, err) < 0, -1);
	RETURN_IF(store_add_session(store, number, process, actor, data_set,
				    "was interrupted: vigil watch was stopped", err) < 0,
		  -1);
	RETURN_IF(store_do(store, err, "UPDATE request SET tries = 0 WHERE number = ?", "i",
			   (int64_t)number) < 0,
		  -1);
	return store_set_state(store, number, REQUEST_QUEUED, actor,
			       "vigil watch was stopped; the next one resumes it", err);
}

int running_claim_interrupted(struct request_store *store, const struct request_claim *claim,
			      const struct request_step *process, const char *data_set,
			      struct error *err)
{
	struct store_actor actor;

	store_actor_fill(&actor);
	RETURN_IF(store_begin(store, err) < 0, -1);
	return store_end(store, interrupt(store, claim->number, process, data_set, &actor, err),
			 err);
}

/* Refuses a request that still waits, within a transaction. */
static int refuse(struct request_store *store, uint64_t number, const char *why,
		  const struct store_actor *actor, struct error *err)
{
	const int waits = still_waits(store, number, actor, err);

	RETURN_IF(waits <= 0, waits);
	return store_finish(store, number, actor, why, false, err);
}

int running_refuse(struct request_store *store, uint64_t number, const char *why, struct error *err)
{
	struct store_actor actor;

	store_actor_fill(&actor);
	RETURN_IF(store_begin(store, err) < 0, -1);
	return store_end(store, refuse(store, number, why, &actor, err), err);
}
