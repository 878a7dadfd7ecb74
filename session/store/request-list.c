/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the contents of the store. */
#include "common/compat.h"
#include "session/store/request-store-data.h"
#include "common/xalloc.h"

/* Reads the history of a request, oldest first. */
static int read_events(struct request_store *store, struct stored_request *request,
		       struct error *err)
{
	sqlite3_stmt *query =
		store_query(store, err,
			    "SELECT at, user, host, pid, state, why FROM history WHERE "
			    "request = ? ORDER BY rowid",
			    "i", (int64_t)request->number);
	size_t alloc = 0;
	int result;

	while ((result = store_row(store, query, err)) > 0) {
		GROW(request->events, request->event_count + 1, alloc);
		request->events[request->event_count++] = (struct request_event){
			.at = sqlite3_column_int64(query, 0),
			.user = store_text(query, 1),
			.host = store_text(query, 2),
			.pid = sqlite3_column_int64(query, 3),
			.state = store_text(query, 4),
			.why = store_text(query, 5),
		};
	}
	return result;
}

static int read_sessions(struct request_store *store, struct stored_request *request,
			 struct error *err)
{
	sqlite3_stmt *query =
		store_query(store, err,
			    "SELECT at, job, step, host, data_set, outcome FROM session "
			    "WHERE request = ? ORDER BY rowid",
			    "i", (int64_t)request->number);
	size_t alloc = 0;
	int result;

	while ((result = store_row(store, query, err)) > 0) {
		GROW(request->sessions, request->session_count + 1, alloc);
		request->sessions[request->session_count++] = (struct request_session){
			.at = sqlite3_column_int64(query, 0),
			.job = store_text(query, 1),
			.step = store_text(query, 2),
			.host = store_text(query, 3),
			.data_set = store_text(query, 4),
			.outcome = store_text(query, 5),
		};
	}
	return result;
}

/* Appends a row to the list. */
static void add_row(sqlite3_stmt *query, struct stored_requests *list)
{
	GROW(list->items, list->count + 1, list->alloc);
	list->items[list->count++] = (struct stored_request){
		.number = (uint64_t)sqlite3_column_int64(query, 0),
		.statement = store_text(query, 1),
		.state = store_text(query, 2),
		.job = store_text(query, 3),
		.step = store_text(query, 4),
		.procstep = store_text(query, 5),
		.program = store_text(query, 6),
		.group = store_text(query, 7),
		.user = store_text(query, 8),
		.zone = store_text(query, 9),
		.owner = store_text(query, 10),
		.added = sqlite3_column_int64(query, 11),
		.start = sqlite3_column_int64(query, 12),
		.expires = sqlite3_column_int64(query, 13),
		.wanted = (uint64_t)sqlite3_column_int64(query, 14),
		.measured = (uint64_t)sqlite3_column_int64(query, 15),
		.active = sqlite3_column_int(query, 16) != 0,
	};
}

/* Returns whether the job or group of a row matches. */
static bool row_matches(sqlite3_stmt *query, const char *pattern)
{
	const char *job = (const char *)sqlite3_column_text(query, 3);
	const char *group = (const char *)sqlite3_column_text(query, 7);

	return !pattern ||
	       (job && (strcasecmp(job, pattern) == 0 || control_match(pattern, job))) ||
	       (group && control_match(pattern, group));
}

static int read_rows(struct request_store *store, const char *pattern, uint64_t number,
		     struct stored_requests *list, struct error *err)
{
	sqlite3_stmt *query = store_query(
		store, err,
		"SELECT number, statement, state, job, step, procstep, program, grp, user, zone, "
		"owner_job || ', process ' || owner_pid || ' on ' || owner_host, added, start, "
		"expires, wanted, measured, job_key = '" RUNNING_KEY "' FROM request WHERE ?1 = 0 OR number = ?1 ORDER BY "
		"number",
		"i", (int64_t)number);
	int result;

	while ((result = store_row(store, query, err)) > 0)
		if (row_matches(query, pattern))
			add_row(query, list);
	return result;
}

/* Reads everything within a transaction, after settling. */
static int read_all(struct request_store *store, const char *pattern, uint64_t number, bool details,
		    struct stored_requests *list, struct error *err)
{
	struct store_actor actor;

	store_actor_fill(&actor);
	RETURN_IF(store_apply_time(store, &actor, time(NULL), err) < 0, -1);
	RETURN_IF(read_rows(store, pattern, number, list, err) < 0, -1);
	for (size_t i = 0; i < list->count && details; i++)
		RETURN_IF(read_events(store, &list->items[i], err) < 0 ||
				  read_sessions(store, &list->items[i], err) < 0,
			  -1);
	return 0;
}

int request_store_list(struct request_store *store, const char *pattern, uint64_t number,
		       bool details, struct stored_requests *list, struct error *err)
{
	*list = (struct stored_requests){ 0 };
	RETURN_IF(store_begin(store, err) < 0, -1);
	return store_end(store, read_all(store, pattern, number, details, list, err), err);
}

void stored_requests_release(struct stored_requests *list)
{
	for (size_t i = 0; i < list->count; i++) {
		struct stored_request *one = &list->items[i];
		char *const texts[] = { one->statement, one->state,   one->job,	  one->step,
					one->procstep,	one->program, one->group, one->user,
					one->zone,	one->owner };

		for (size_t j = 0; j < ARRAY_SIZE(texts); j++)
			free(texts[j]);
		for (size_t j = 0; j < one->event_count; j++) {
			free(one->events[j].user);
			free(one->events[j].host);
			free(one->events[j].state);
			free(one->events[j].why);
		}
		for (size_t j = 0; j < one->session_count; j++) {
			free(one->sessions[j].job);
			free(one->sessions[j].step);
			free(one->sessions[j].host);
			free(one->sessions[j].data_set);
			free(one->sessions[j].outcome);
		}
		free(one->events);
		free(one->sessions);
	}
	free(list->items);
	*list = (struct stored_requests){ 0 };
}
