/* SPDX-License-Identifier: Apache-2.0 */
/* Assigns requests to the steps for which they wait. */
#include "common/compat.h"
#include "session/store/request-store-data.h"
#include "common/xalloc.h"

/* Columns of a request that the look-up reads. */
#define STEP_COLUMNS "r.number, r.job, r.step, r.procstep, r.program, r.user, r.statement"

/*
 * Finds requests that wait for a step: those whose keys are prefixes of its names.
 * Names are at most eight bytes long, so all their prefixes are looked up in the
 * index, however many requests there are.
 */
static const char waiting_for[] =
	"WITH RECURSIVE n(i) AS (VALUES(0) UNION ALL SELECT i + 1 FROM n WHERE i < 8) "
	"SELECT " STEP_COLUMNS " FROM n a CROSS JOIN n b CROSS JOIN n c "
	"CROSS JOIN request r INDEXED BY waiting "
	"WHERE a.i <= length(?1) AND b.i <= length(?2) AND c.i <= length(?3) "
	"AND r.job_key = substr(?1, 1, a.i) AND r.step_key = substr(?2, 1, b.i) "
	"AND r.program_key = substr(?3, 1, c.i) AND r.state IN ('Queued', 'Deferred') "
	"AND (r.state = 'Queued' OR r.start <= ?4) AND (r.expires IS NULL OR r.expires > ?4) "
	"AND r.uid IN (?5, 0) ORDER BY r.number";

/* Selects what this process has claimed. */
#define OWN_CLAIM "owner_boot = ? AND owner_namespace = ? AND owner_pid = ? AND owner_started = ?"

static bool holds(sqlite3_stmt *row, int column, const char *name)
{
	const char *pattern = (const char *)sqlite3_column_text(row, column);

	return !pattern || control_match(pattern, name);
}

/* Returns whether the row's patterns match a step. */
static bool row_holds(sqlite3_stmt *row, const struct request_step *step)
{
	return holds(row, 1, step->job) && holds(row, 2, step->step) &&
	       holds(row, 3, step->procstep) && holds(row, 4, step->program);
}

/* Returns whether a request may select more than one step. */
static bool selects_several(sqlite3_stmt *row)
{
	const char *step = (const char *)sqlite3_column_text(row, 2);

	return !step || strpbrk(step, "*%?");
}

/* Fills in a claim from its row. 1, or -1 with the reason. */
static int fill_claim(sqlite3_stmt *row, struct request_claim *claim, struct error *err)
{
	*claim = (struct request_claim){
		.number = (uint64_t)sqlite3_column_int64(row, 0),
		.user = store_text(row, 5),
		.until_job_ends = selects_several(row),
	};
	claim->deck = store_parse((const char *)sqlite3_column_text(row, 6), &claim->source, err);
	if (claim->deck) {
		claim->deck->statements->request.stored = false; /* from here on an ordinary ADD */
		return 1;
	}
	error_prefix(err, "request %" PRIu64 " cannot be read", claim->number);
	request_claim_release(claim);
	return -1;
}

void request_claim_release(struct request_claim *claim)
{
	control_free(claim->deck);
	source_free(claim->source);
	free(claim->user);
	*claim = (struct request_claim){ 0 };
}

/*
 * Turns the first row that matches the step into the claim: 1; 0: none; -1 with
 * the reason. Ends the query.
 */
static int first_row(struct request_store *store, sqlite3_stmt *query,
		     const struct request_step *step, struct request_claim *claim,
		     struct error *err)
{
	int result;

	while ((result = store_row(store, query, err)) > 0)
		if (row_holds(query, step)) {
			result = fill_claim(query, claim, err);
			sqlite3_finalize(query);
			return result;
		}
	return result;
}

static char *upper(const char *name)
{
	char *copy = xstrdup(name);

	for (char *at = copy; *at; at++)
		*at = *at >= 'a' && *at <= 'z' ? (char)(*at - 'a' + 'A') : *at;
	return copy;
}

/* Finds the request that waits for the step now. */
static int find_waiting(struct request_store *store, const struct request_step *step,
			const struct store_actor *actor, int64_t now, struct request_claim *claim,
			struct error *err)
{
	char *job = upper(step->job), *name = upper(step->step), *program = upper(step->program);
	int result = first_row(store,
			       store_query(store, err, waiting_for, "tttii", job, name, program,
					   now, (int64_t)actor->user),
			       step, claim, err);

	free(job);
	free(name);
	free(program);
	return result;
}

/* Finds the request that an earlier step of this job has claimed for further steps. */
static int find_claimed(struct request_store *store, const struct request_step *step,
			const struct store_actor *actor, struct request_claim *claim,
			struct error *err)
{
	return first_row(store,
			 store_query(store, err,
				     "SELECT " STEP_COLUMNS " FROM request r WHERE " OWN_CLAIM
				     " AND owner_job = ? ORDER BY number",
				     "tiiit", actor->boot, (int64_t)actor->namespace,
				     (int64_t)actor->pid, (int64_t)actor->started,
				     step->job_number),
			 step, claim, err);
}

/* Returns whether any owner is dead, so that the store must be settled first. */
static int any_dead(struct request_store *store, const struct store_actor *actor, int64_t now,
		    struct error *err)
{
	sqlite3_stmt *query = store_query(
		store, err, "SELECT " OWNER_COLUMNS " FROM request WHERE owner_pid IS NOT NULL",
		"");
	int result;

	while ((result = store_row(store, query, err)) > 0)
		if (store_owner_dead(actor, query, now)) {
			sqlite3_finalize(query);
			return 1;
		}
	return result;
}

int store_limit_reached(struct request_store *store, const struct store_actor *actor, unsigned at_most,
		   struct error *err)
{
	const int64_t active = store_number(store, -1, err,
					    "SELECT count(*) FROM request WHERE owner_pid IS NOT "
					    "NULL AND owner_host = ?",
					    "t", actor->host);

	return active < 0 ? -1 : at_most && active >= at_most;
}

int store_claim(struct request_store *store, uint64_t number, const struct request_step *step,
	      const struct store_actor *actor, int64_t now, struct error *err)
{
	struct strbuf why = STRBUF_INIT;
	int result;

	result = store_do(store, err,
			  "UPDATE request SET owner_host = ?, owner_boot = ?, owner_namespace = ?, "
			  "owner_pid = ?, owner_started = ?, owner_job = ?, lease = ?, since = ? "
			  "WHERE number = ?",
			  "ttiiitiii", actor->host, actor->boot, (int64_t)actor->namespace,
			  (int64_t)actor->pid, (int64_t)actor->started, step->job_number,
			  now + REQUEST_LEASE, now, (int64_t)number);
	store_add_subject(step, &why);
	strbuf_addstr(&why, step->process ? " was found" : " began");
	if (result == 0)
		result = store_set_state(store, number, REQUEST_STATE_ACTIVE, actor, why.text, err);
	strbuf_release(&why);
	return result;
}

/* Claims the waiting request, if it still waits, within a transaction. */
static int take(struct request_store *store, const struct request_step *step,
		const struct store_actor *actor, unsigned at_most, struct request_claim *claim,
		struct error *err)
{
	const int64_t now = time(NULL);
	int result;

	RETURN_IF(store_apply_time(store, actor, now, err) < 0, -1);
	result = store_limit_reached(store, actor, at_most, err);
	RETURN_IF(result != 0, result < 0 ? -1 : 0);
	result = find_waiting(store, step, actor, now, claim, err);
	if (result > 0 && store_claim(store, claim->number, step, actor, now, err) < 0)
		result = -1;
	return result;
}

int request_claim_take(struct request_store *store, const struct request_step *step,
		       unsigned at_most, struct request_claim *claim, struct error *err)
{
	struct request_claim seen = { 0 };
	struct store_actor actor;
	int result;

	*claim = (struct request_claim){ 0 };
	store_actor_fill(&actor);
	result = find_claimed(store, step, &actor, claim, err);
	RETURN_IF(result != 0, result);
	result = find_waiting(store, step, &actor, time(NULL), &seen, err);
	request_claim_release(&seen);
	if (result == 0)
		result = any_dead(store, &actor, time(NULL), err);
	RETURN_IF(result <= 0, result);
	RETURN_IF(store_begin(store, err) < 0, -1);
	result = store_end(store, take(store, step, &actor, at_most, claim, err), err);
	if (result <= 0)
		request_claim_release(claim);
	return result;
}

int store_check_claim(struct request_store *store, uint64_t number, const struct store_actor *actor,
		    struct error *err)
{
	const int64_t found = store_number(
		store, -1, err, "SELECT count(*) FROM request WHERE " OWN_CLAIM " AND number = ?",
		"tiiii", actor->boot, (int64_t)actor->namespace, (int64_t)actor->pid,
		(int64_t)actor->started, (int64_t)number);

	if (found == 0)
		error_set(err, "request %" PRIu64 " is no longer claimed by this process", number);
	return found > 0 ? 0 : -1;
}

int request_claim_began(struct request_store *store, uint64_t number, const char *area,
			struct error *err)
{
	struct store_actor actor;
	int result;

	store_actor_fill(&actor);
	RETURN_IF(store_begin(store, err) < 0, -1);
	result = store_check_claim(store, number, &actor, err);
	if (result == 0)
		result = store_do(store, err, "UPDATE request SET area = ? WHERE number = ?", "ti",
				  area, (int64_t)number);
	return store_end(store, result, err);
}

int request_claim_renew(struct request_store *store, uint64_t number, struct error *err)
{
	struct store_actor actor;
	int result;

	store_actor_fill(&actor);
	RETURN_IF(store_begin(store, err) < 0, -1);
	result = store_check_claim(store, number, &actor, err);
	if (result == 0)
		result = store_do(store, err, "UPDATE request SET lease = ? WHERE number = ?", "ii",
				  (int64_t)time(NULL) + REQUEST_LEASE, (int64_t)number);
	return store_end(store, result, err);
}

int store_add_session(struct request_store *store, uint64_t number, const struct request_step *step,
		      const struct store_actor *actor, const char *data_set, const char *outcome,
		      struct error *err)
{
	struct strbuf job = STRBUF_INIT, name = STRBUF_INIT;
	int result;

	if (step->process) {
		strbuf_addstr(&job, step->program);
		strbuf_addf(&name, "process %d", step->process);
	} else {
		strbuf_addf(&job, "%s (%s)", step->job, step->job_number);
		strbuf_addf(&name, "%s%s%s", step->step, *step->procstep ? "." : "",
			    step->procstep);
	}
	result = store_do(store, err, "INSERT INTO session VALUES(?, ?, ?, ?, ?, ?, ?)", "iittttt",
			  (int64_t)number, (int64_t)time(NULL), job.text, name.text, actor->host,
			  data_set, outcome);
	strbuf_release(&job);
	strbuf_release(&name);
	return result;
}

/* Records the result of a step's session, and ends the claim if it is for this step only. */
static int end_claim(struct request_store *store, const struct request_claim *claim,
		     const struct request_step *step, const struct store_actor *actor,
		     const char *data_set, const char *why, struct error *err)
{
	struct strbuf reason = STRBUF_INIT;
	int result = store_add_session(store, claim->number, step, actor, data_set, why, err);

	store_add_subject(step, &reason);
	strbuf_addf(&reason, " %s", why);
	if (result == 0 && !claim->until_job_ends)
		result = store_finish(store, claim->number, actor, reason.text, data_set != NULL,
				      err);
	strbuf_release(&reason);
	return result;
}

int request_claim_end(struct request_store *store, const struct request_claim *claim,
		      const struct request_step *step, const char *data_set, const char *why,
		      struct error *err)
{
	struct store_actor actor;
	int result;

	store_actor_fill(&actor);
	RETURN_IF(store_begin(store, err) < 0, -1);
	result = store_check_claim(store, claim->number, &actor, err);
	if (result == 0)
		result = end_claim(store, claim, step, &actor, data_set, why, err);
	return store_end(store, result, err);
}

/* Returns the first request that is claimed for a job; 0: none; -1 with the reason. */
static int64_t next_claimed(struct request_store *store, const char *job_number,
			    const struct store_actor *actor, struct error *err)
{
	int64_t number = store_number(store, 0, err,
				      "SELECT number FROM request WHERE " OWN_CLAIM
				      " AND owner_job = ? LIMIT 1",
				      "tiiit", actor->boot, (int64_t)actor->namespace,
				      (int64_t)actor->pid, (int64_t)actor->started, job_number);

	return *error_text(err) ? -1 : number;
}

/* Ends all claims for a job, within a transaction. */
static int leave(struct request_store *store, const char *job_number,
		 const struct store_actor *actor, struct error *err)
{
	int64_t number;

	while ((number = next_claimed(store, job_number, actor, err)) > 0) {
		const int64_t measured = store_number(
			store, 0, err,
			"SELECT count(*) FROM session s JOIN request r ON r.number = s.request "
			"WHERE s.request = ? AND s.data_set IS NOT NULL AND s.at >= r.since",
			"i", number);
		struct strbuf why = STRBUF_INIT;
		int result;

		strbuf_addf(&why, "the job %s ended; steps measured: %" PRId64, job_number,
			    measured);
		result = store_finish(store, (uint64_t)number, actor, why.text, measured > 0, err);
		strbuf_release(&why);
		RETURN_IF(result < 0, -1);
	}
	return number < 0 ? -1 : 0;
}

int request_claims_leave(struct request_store *store, const char *job_number, struct error *err)
{
	struct store_actor actor;

	store_actor_fill(&actor);
	RETURN_IF(store_begin(store, err) < 0, -1);
	return store_end(store, leave(store, job_number, &actor, err), err);
}
