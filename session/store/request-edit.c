/* SPDX-License-Identifier: Apache-2.0 */
/* Operations of users on the requests of the store. */
#include "common/compat.h"
#include "session/store/request-store-data.h"
#include "common/xalloc.h"
#include "session/store/local-time.h"
#include "session/store/schedule.h"

/*
 * Returns the key of a pattern: what precedes its first wildcard, at most eight
 * bytes, in upper case.
 */
static char *key_of(const char *pattern)
{
	struct strbuf key = STRBUF_INIT;

	for (const char *at = pattern; at && *at && !strchr("*%?", *at) && key.length < 8; at++)
		strbuf_addch(&key, *at >= 'a' && *at <= 'z' ? (char)(*at - 'a' + 'A') : *at);
	return strbuf_detach(&key, NULL);
}

/* A request before it is written. */
struct draft {
	struct strbuf text;
	struct source *source;
	struct control_deck *deck;
	const struct control_request *request;
	char *zone;
	char *job_key, *step_key, *program_key;
	char *where; /* of a program: the value of the column step; NULL: not given */
};

static void draft_release(struct draft *draft)
{
	strbuf_release(&draft->text);
	control_free(draft->deck);
	source_free(draft->source);
	free(draft->zone);
	free(draft->job_key);
	free(draft->step_key);
	free(draft->program_key);
	free(draft->where);
}

/* Returns the location of the program that a request selects: "PID=12"; NULL: anywhere. */
static char *where_of(const struct control_request *request)
{
	struct strbuf sb = STRBUF_INIT;

	if (request->pid)
		strbuf_addf(&sb, "PID=%" PRIu64, request->pid);
	else if (request->cgroup)
		strbuf_addf(&sb, "CGROUP=%s", request->cgroup);
	else if (request->unit)
		strbuf_addf(&sb, "UNIT=%s", request->unit);
	return sb.length ? strbuf_detach(&sb, NULL) : NULL;
}

/* Sets the keys by which the request is found: by steps, or as one for a program. */
static void make_keys(struct draft *draft)
{
	const struct control_request *request = draft->request;

	draft->job_key = request->active ? xstrdup(RUNNING_KEY) : key_of(request->job);
	draft->step_key = key_of(request->step);
	draft->program_key = key_of(request->active ? NULL : request->program);
	draft->where = request->active ? where_of(request) : NULL;
}

/* Makes the draft of an ADD, changed by a CHANGE or SUBMIT (NULL: none). */
static int draft_init(struct draft *draft, const struct control_statement *add,
		      const struct control_statement *change, struct error *err)
{
	*draft = (struct draft){ .text = STRBUF_INIT };
	control_print_changed(add, change, &draft->text);
	draft->deck = store_parse(draft->text.text, &draft->source, err);
	RETURN_IF(!draft->deck, STORE_FAILED);
	draft->request = &draft->deck->statements->request;
	draft->zone = draft->request->schedule.zone ? xstrdup(draft->request->schedule.zone)
						    : local_time_zone();
	make_keys(draft);
	return 0;
}

/* Refuses an impossible schedule. */
static int check_schedule(const struct draft *draft, struct error *err)
{
	struct control_date date;
	unsigned minute;

	if (!local_time_known(draft->zone)) {
		error_set(err, "the time zone %s is not known here", draft->zone);
		return STORE_ZONE;
	}
	switch (schedule_check(&draft->request->schedule, time(NULL), draft->zone, &date,
			       &minute)) {
	case SCHEDULE_PAST:
		error_set(err, "%02u/%02u/%04u %02u:%02u is in the past in the time zone "
			       "%s", date.month,
			  date.day, date.year, minute / 60, minute % 60, draft->zone);
		return STORE_PAST;
	case SCHEDULE_NEVER:
		error_set(err,
			  "the time zone %s has no %02u:%02u on %02u/%02u/%04u: the clock is put "
			  "forward then",
			  draft->zone, minute / 60, minute % 60, date.month, date.day, date.year);
		return STORE_NEVER;
	default:
		return 0;
	}
}

/* Returns how many measurements are wanted; 0: one for each start. */
static int64_t wanted_of(const struct control_schedule *schedule)
{
	return (int64_t)(schedule->count ? schedule->count : schedule->given ? 0 : 1);
}

/* Writes the draft to an existing request. */
static int write_draft(struct request_store *store, uint64_t number, const struct draft *draft,
		       struct error *err)
{
	const struct control_request *request = draft->request;

	return store_do(
		store, err,
		"UPDATE request SET statement = ?, job = ?, step = ?, procstep = ?, "
		"program = ?, job_key = ?, step_key = ?, program_key = ?, grp = ?, zone = ?, "
		"within = ?, wanted = ? WHERE number = ?",
		"ttttttttttiii", draft->text.text, request->job,
		request->active ? draft->where : request->step, request->procstep,
		request->program, draft->job_key, draft->step_key, draft->program_key,
		request->group, draft->zone, (int64_t)request->schedule.within,
		wanted_of(&request->schedule), (int64_t)number);
}

/* Checks that a group exists and belongs to this user; -1 with the reason if not. */
static int check_group(struct request_store *store, const char *name,
		       const struct store_actor *actor, struct error *err)
{
	const int64_t user = store_number(
		store, -1, err, "SELECT uid FROM request_group WHERE name = ?", "t", name);

	if (user < 0)
		return *error_text(err)
			       ? -1
			       : error_set(err, "there is no group %s; ADDGRP creates it", name);
	if (actor->user != 0 && (uid_t)user != actor->user)
		return error_set(err, "the group %s belongs to another user", name);
	return 0;
}

/* Adds the row of a draft, and makes it wait. */
static int insert(struct request_store *store, const struct draft *draft,
		  const struct store_actor *actor, uint64_t *number, struct error *err)
{
	const int64_t now = time(NULL);

	RETURN_IF(draft->request->group &&
			  check_group(store, draft->request->group, actor, err) < 0,
		  -1);
	RETURN_IF(store_do(store, err,
			   "INSERT INTO request(statement, state, job, job_key, step_key, "
			   "program_key, uid, user, added, zone, given, within, wanted) VALUES('', "
			   "'Queued', '', '', '', '', ?, ?, ?, '', ?, 0, 1)",
			   "itii", (int64_t)actor->user, actor->name, now, now) < 0,
		  -1);
	*number = (uint64_t)sqlite3_last_insert_rowid(store->database);
	RETURN_IF(write_draft(store, *number, draft, err) < 0, -1);
	if (draft->request->group)
		return store_set_state(store, *number, REQUEST_SUSPENDED, actor,
				       "added; it waits for the SUBMIT of its group", err);
	return store_wait(store, *number, now, actor, "added", false, err);
}

int request_store_add(struct request_store *store, const struct control_statement *add,
		      uint64_t *number, struct error *err)
{
	struct store_actor actor;
	struct draft draft;
	int result = draft_init(&draft, add, NULL, err);

	store_actor_fill(&actor);
	if (result == 0)
		result = check_schedule(&draft, err);
	if (result == 0)
		result = store_begin(store, err);
	if (result == 0)
		result = store_end(store, insert(store, &draft, &actor, number, err), err);
	draft_release(&draft);
	return result;
}

/* Returns the ADD of a request, parsed; NULL with the reason. */
static struct control_deck *read_add(struct request_store *store, uint64_t number,
				     struct source **source, struct error *err)
{
	sqlite3_stmt *query = store_query(
		store, err, "SELECT statement FROM request WHERE number = ?", "i", (int64_t)number);
	struct control_deck *deck;
	char *text;
	int found = store_row(store, query, err);

	if (found == 0)
		error_set(err, "there is no request %" PRIu64, number);
	RETURN_IF(found <= 0, NULL);
	text = store_text(query, 0);
	sqlite3_finalize(query);
	deck = store_parse(text, source, err);
	free(text);
	if (!deck)
		error_prefix(err, "request %" PRIu64 " cannot be read", number);
	return deck;
}

/* Makes the draft of a stored request, changed by a CHANGE or SUBMIT. */
static int draft_changed(struct request_store *store, uint64_t number,
			 const struct control_statement *change, struct draft *draft,
			 struct error *err)
{
	struct source *source;
	struct control_deck *deck = read_add(store, number, &source, err);
	int result;

	*draft = (struct draft){ .text = STRBUF_INIT };
	RETURN_IF(!deck, STORE_FAILED);
	result = draft_init(draft, deck->statements, change, err);
	control_free(deck);
	source_free(source);
	return result;
}

/* Returns the state of a request, a constant name; NULL with the reason. */
static const char *state_of(struct request_store *store, uint64_t number, bool *owned,
			    struct error *err)
{
	sqlite3_stmt *query = store_query(
		store, err, "SELECT state, owner_pid IS NOT NULL FROM request WHERE number = ?",
		"i", (int64_t)number);
	const char *found = NULL;

	RETURN_IF(store_row(store, query, err) <= 0, NULL);
	for (int state = 0; state < REQUEST_STATE_COUNT; state++)
		if (strcmp((const char *)sqlite3_column_text(query, 0),
			   request_state_name((enum request_state)state)) == 0)
			found = request_state_name((enum request_state)state);
	*owned = sqlite3_column_int(query, 1) != 0;
	sqlite3_finalize(query);
	if (!found)
		error_set(err, "request %" PRIu64 " has a state that is not known", number);
	return found;
}

/* Sets the error for an operation that the state of a request does not allow. */
static int refuse(uint64_t number, const char *state, const char *what, struct error *err)
{
	return error_set(err, "request %" PRIu64 " is %s and cannot be %s", number, state, what);
}

/* Records a change without a schedule: the request waits as before, but its end may change. */
static int keep_waiting(struct request_store *store, uint64_t number,
			const struct store_actor *actor, struct error *err)
{
	RETURN_IF(store_do(store, err,
			   "UPDATE request SET expires = CASE WHEN within = 0 THEN NULL ELSE "
			   "coalesce(start, given) + within * 60 END WHERE number = ?",
			   "i", (int64_t)number) < 0,
		  -1);
	return store_do(store, err,
			"INSERT INTO history SELECT number, ?, ?, ?, ?, ?, state, 'changed' FROM "
			"request WHERE number = ?",
			"iittii", (int64_t)time(NULL), (int64_t)actor->user, actor->name,
			actor->host, (int64_t)actor->pid, (int64_t)number);
}

/* Carries out a CHANGE, within a transaction. */
static int change_one(struct request_store *store, uint64_t number,
		      const struct control_statement *change, const struct store_actor *actor,
		      struct error *err)
{
	const struct control_schedule *schedule = &change->request.schedule;
	const bool when = schedule->given || schedule->zone;
	const int64_t now = time(NULL);
	const char *state;
	struct draft draft;
	bool owned, waits;
	int result;

	RETURN_IF(store_apply_time(store, actor, now, err) < 0, -1);
	RETURN_IF(store_check_owner(store, number, actor, err) < 0, -1);
	state = state_of(store, number, &owned, err);
	RETURN_IF(!state, -1);
	RETURN_IF(owned, refuse(number, state, "changed: its step or program is measured", err));
	waits = strcmp(state, "Queued") == 0 || strcmp(state, "Deferred") == 0;
	result = draft_changed(store, number, change, &draft, err);
	if (result == 0 && when)
		result = check_schedule(&draft, err);
	if (result == 0)
		result = write_draft(store, number, &draft, err);
	if (result == 0 && schedule->given)
		result = store_do(store, err, "UPDATE request SET given = ? WHERE number = ?", "ii",
				  now, (int64_t)number);
	if (result == 0)
		result = waits && when
				 ? store_wait(store, number, now, actor, "changed", false, err)
				 : keep_waiting(store, number, actor, err);
	draft_release(&draft);
	return result;
}

int request_store_change(struct request_store *store, uint64_t number,
			 const struct control_statement *change, struct error *err)
{
	struct store_actor actor;
	int result;

	store_actor_fill(&actor);
	RETURN_IF(store_begin(store, err) < 0, STORE_FAILED);
	result = change_one(store, number, change, &actor, err);
	return store_end(store, result, err) < 0 && result == 0 ? STORE_FAILED : result;
}

/* Deletes a request with its history and sessions. */
static int delete_one(struct request_store *store, uint64_t number, struct error *err)
{
	static const char *const tables[] = { "DELETE FROM request WHERE number = ?",
					      "DELETE FROM history WHERE request = ?",
					      "DELETE FROM session WHERE request = ?" };

	for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
		RETURN_IF(store_do(store, err, tables[i], "i", (int64_t)number) < 0, -1);
	return 1;
}

/* Makes a request wait from now on, by a new schedule or its own. */
static int submit_one(struct request_store *store, uint64_t number,
		      const struct control_statement *submit, const struct store_actor *actor,
		      struct error *err)
{
	const int64_t now = time(NULL);
	struct draft draft;
	int result = draft_changed(store, number, submit, &draft, err);

	if (result == 0)
		result = check_schedule(&draft, err);
	if (result == 0)
		result = write_draft(store, number, &draft, err);
	if (result == 0)
		result = store_do(store, err,
				  "UPDATE request SET given = ?, measured = 0, tries = 0 WHERE "
				  "number = ?",
				  "ii", now, (int64_t)number);
	if (result == 0)
		result = store_wait(store, number, now, actor, "submitted", false, err);
	draft_release(&draft);
	return result == 0 ? 1 : result;
}

/* Makes a held request wait again; if it is due already, it is Queued at once. */
static int release(struct request_store *store, uint64_t number, const struct store_actor *actor,
		   struct error *err)
{
	const int64_t now = time(NULL);
	const int64_t due = store_number(store, 0, err,
					 "SELECT start <= ?1 AND (expires IS NULL OR expires > ?1) "
					 "FROM request WHERE number = ?2",
					 "ii", now, (int64_t)number);

	if (due)
		return store_set_state(store, number, REQUEST_QUEUED, actor, "released", err);
	return store_wait(store, number, now, actor, "released", false, err);
}

/*
 * Carries out a statement on one request: 1: done; 0: its state does not allow it,
 * with the reason in why; or a fault.
 */
static int apply_to_one(struct request_store *store, const struct control_statement *statement,
		  uint64_t number, const struct store_actor *actor, struct error *why,
		  struct error *err)
{
	const char *state;
	bool owned, waits, held;

	RETURN_IF(store_check_owner(store, number, actor, err) < 0, STORE_FAILED);
	state = state_of(store, number, &owned, err);
	RETURN_IF(!state, STORE_FAILED);
	waits = strcmp(state, "Queued") == 0 || strcmp(state, "Deferred") == 0;
	held = strcmp(state, "Suspended") == 0 && !owned;
	switch (statement->verb) {
	case CONTROL_HOLD:
		RETURN_IF(!waits, refuse(number, state, "held", why) + 1);
		return store_set_state(store, number, REQUEST_SUSPENDED, actor, "held", err) < 0
			       ? -1
			       : 1;
	case CONTROL_RELEASE:
		RETURN_IF(!held, refuse(number, state, "released", why) + 1);
		return release(store, number, actor, err) < 0 ? -1 : 1;
	case CONTROL_DELETE:
		RETURN_IF(owned, refuse(number, state, "deleted: its step or program is measured", why) + 1);
		return delete_one(store, number, err);
	default:
		RETURN_IF(owned, refuse(number, state, "submitted: its step or program is measured", why) + 1);
		return submit_one(store, number, statement, actor, err);
	}
}

int request_store_do(struct request_store *store, const struct control_statement *statement,
		     const uint64_t *numbers, size_t count, struct error *err)
{
	struct error why = ERROR_INIT;
	struct store_actor actor;
	int result, done = 0;

	store_actor_fill(&actor);
	RETURN_IF(store_begin(store, err) < 0, STORE_FAILED);
	result = store_apply_time(store, &actor, time(NULL), err);
	for (size_t i = 0; i < count && result >= 0; i++) {
		result = apply_to_one(store, statement, numbers[i], &actor, &why, err);
		done += result > 0;
	}
	if (result >= 0 && count == 1 && !done)
		result = error_set(err, "%s", error_text(&why));
	error_release(&why);
	RETURN_IF(store_end(store, result, err) < 0, result < 0 ? result : STORE_FAILED);
	return done;
}

/* Adds a group, within a transaction. */
static int add_group(struct request_store *store, const char *name, const struct store_actor *actor,
		     struct error *err)
{
	if (store_number(store, -1, err, "SELECT uid FROM request_group WHERE name = ?", "t",
			 name) >= 0)
		return error_set(err, "group %s exists already", name);
	RETURN_IF(*error_text(err), -1);
	return store_do(store, err, "INSERT INTO request_group VALUES(?, ?, ?, ?)", "titi", name,
			(int64_t)actor->user, actor->name, (int64_t)time(NULL));
}

int request_store_add_group(struct request_store *store, const char *name, struct error *err)
{
	struct store_actor actor;

	store_actor_fill(&actor);
	RETURN_IF(store_begin(store, err) < 0, -1);
	return store_end(store, add_group(store, name, &actor, err), err);
}

/* Deletes a group, within a transaction. */
static int delete_group(struct request_store *store, const char *name,
			const struct store_actor *actor, struct error *err)
{
	RETURN_IF(check_group(store, name, actor, err) < 0, -1);
	if (store_number(store, 0, err, "SELECT count(*) FROM request WHERE grp = ?", "t", name))
		return error_set(err, "the group %s has requests that are Active", name);
	return store_do(store, err, "DELETE FROM request_group WHERE name = ?", "t", name);
}

int request_store_delete_group(struct request_store *store, const char *name, struct error *err)
{
	struct store_actor actor;

	store_actor_fill(&actor);
	RETURN_IF(store_begin(store, err) < 0, -1);
	return store_end(store, delete_group(store, name, &actor, err), err);
}
