/* SPDX-License-Identifier: Apache-2.0 */
/* Identities of processes, and the state of a request with its history. */
#include "common/compat.h"
#include "session/store/request-store-data.h"
#include "common/procfs.h"
#include "common/xalloc.h"
#include "session/store/schedule.h"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

const char *request_state_name(enum request_state state)
{
	static const char *const names[REQUEST_STATE_COUNT] = {
		[REQUEST_QUEUED] = "Queued",
		[REQUEST_DEFERRED] = "Deferred",
		[REQUEST_STATE_ACTIVE] = "Active",
		[REQUEST_SUSPENDED] = "Suspended",
		[REQUEST_COMPLETED] = "Completed",
		[REQUEST_EXCEEDED] = "Completed exceeding thresholds",
		[REQUEST_FAILED] = "Failed",
	};

	return names[state];
}

void store_actor_fill(struct store_actor *actor)
{
	char path[PROCFS_PATH_SIZE];
	struct procfs_stat stat_of;
	struct passwd *user = getpwuid(getuid());
	struct stat facts;

	*actor = (struct store_actor){ .user = getuid(), .pid = getpid() };
	if (user)
		snprintf(actor->name, sizeof(actor->name), "%s", user->pw_name);
	else
		snprintf(actor->name, sizeof(actor->name), "%u", (unsigned)actor->user);
	if (gethostname(actor->host, sizeof(actor->host) - 1) < 0)
		snprintf(actor->host, sizeof(actor->host), "?");
	if (procfs_read(procfs_path(path, "/proc/sys/kernel/random/boot_id"), actor->boot,
			sizeof(actor->boot)) < 0)
		actor->boot[0] = '\0';
	actor->boot[strcspn(actor->boot, "\n")] = '\0';
	if (stat(procfs_path(path, "/proc/self/ns/pid"), &facts) == 0)
		actor->namespace = facts.st_ino;
	if (procfs_stat(actor->pid, &stat_of))
		actor->started = stat_of.start;
}

bool store_owner_dead(const struct store_actor *here, sqlite3_stmt *row, int64_t now)
{
	const char *boot = (const char *)sqlite3_column_text(row, 0);
	struct procfs_stat stat_of;

	if (!boot || !*boot || strcmp(boot, here->boot) != 0 ||
	    (uint64_t)sqlite3_column_int64(row, 1) != here->namespace)
		return sqlite3_column_int64(row, 4) < now;
	RETURN_IF(!procfs_stat((pid_t)sqlite3_column_int64(row, 2), &stat_of), true);
	return stat_of.start != (uint64_t)sqlite3_column_int64(row, 3) || stat_of.state == 'Z' ||
	       stat_of.state == 'X';
}

struct control_deck *store_parse(const char *statement, struct source **source, struct error *err)
{
	struct diag_list diags = DIAG_LIST_INIT;
	struct control_deck *deck;

	*source = source_new("the store", statement, strlen(statement));
	deck = control_parse(*source, false, &diags);
	control_check(deck, &diags);
	for (size_t i = 0; i < diags.count; i++)
		if (diags.items[i].severity >= SEVERITY_ERROR) {
			error_set(err, "%s", diags.items[i].text);
			break;
		}
	if (diag_max_severity(&diags) >= SEVERITY_ERROR || !deck->statements || deck->statements->next ||
	    deck->statements->verb != CONTROL_ADD) {
		if (diag_max_severity(&diags) < SEVERITY_ERROR)
			error_set(err, "the statement of the request is not one ADD");
		control_free(deck);
		source_free(*source);
		*source = NULL;
		deck = NULL;
	}
	diag_list_release(&diags);
	return deck;
}

int store_set_state(struct request_store *store, uint64_t number, enum request_state state,
		    const struct store_actor *actor, const char *why, struct error *err)
{
	const char *name = request_state_name(state);
	const int64_t now = time(NULL);

	if (state != REQUEST_STATE_ACTIVE && state != REQUEST_SUSPENDED &&
	    store_do(
		    store, err,
		    "UPDATE request SET owner_host = NULL, owner_boot = NULL, owner_namespace = "
		    "NULL, owner_pid = NULL, owner_started = NULL, owner_job = NULL, lease = NULL, "
		    "area = NULL WHERE number = ?",
		    "i", (int64_t)number) < 0)
		return -1;
	RETURN_IF(store_do(store, err, "UPDATE request SET state = ? WHERE number = ?", "ti", name,
			   (int64_t)number) < 0,
		  -1);
	return store_do(store, err, "INSERT INTO history VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
			"iiittitt", (int64_t)number, now, (int64_t)actor->user, actor->name,
			actor->host, (int64_t)actor->pid, name, why);
}

/* The columns of a row that store_wait needs. */
struct waiting {
	char *statement, *zone;
	int64_t given, within;
	uint64_t wanted, measured;
};

static int read_waiting(struct request_store *store, uint64_t number, struct waiting *waiting,
			struct error *err)
{
	sqlite3_stmt *query = store_query(
		store, err,
		"SELECT statement, zone, given, within, wanted, measured FROM request WHERE "
		"number = ?",
		"i", (int64_t)number);

	RETURN_IF(store_row(store, query, err) <= 0, -1);
	*waiting = (struct waiting){
		.statement = store_text(query, 0),
		.zone = store_text(query, 1),
		.given = sqlite3_column_int64(query, 2),
		.within = sqlite3_column_int64(query, 3),
		.wanted = (uint64_t)sqlite3_column_int64(query, 4),
		.measured = (uint64_t)sqlite3_column_int64(query, 5),
	};
	sqlite3_finalize(query);
	return 0;
}

/*
 * Returns the next start of a request; 0: none; -1 with the reason. *scheduled: it
 * has a schedule.
 */
static int64_t next_start(const struct waiting *waiting, int64_t now, bool *scheduled,
			  struct error *err)
{
	struct source *source;
	struct control_deck *deck = store_parse(waiting->statement, &source, err);
	const struct control_schedule *schedule;
	int64_t start;

	RETURN_IF(!deck, -1);
	schedule = &deck->statements->request.schedule;
	*scheduled = schedule->given;
	start = schedule_next(schedule, waiting->given, now, waiting->zone);
	control_free(deck);
	source_free(source);
	return start;
}

/* Records from when to when a request waits; 0: no such time. */
static int set_times(struct request_store *store, uint64_t number, int64_t start, int64_t expires,
		     struct error *err)
{
	return store_do(store, err,
			"UPDATE request SET start = nullif(?, 0), expires = nullif(?, 0) WHERE "
			"number = ?",
			"iii", start, expires, (int64_t)number);
}

/* Sets a request to the state that follows from its next start (0: none) and its schedule. */
static int wait_for(struct request_store *store, uint64_t number, const struct waiting *waiting,
		    int64_t start, int64_t now, bool scheduled, const struct store_actor *actor,
		    const char *why, bool over_is_failed, struct error *err)
{
	const bool enough = waiting->wanted && waiting->measured >= waiting->wanted;
	const int64_t end =
		!waiting->within ? 0 : (start ? start : waiting->given) + waiting->within * 60;
	struct strbuf reason = STRBUF_INIT;
	enum request_state state = REQUEST_QUEUED;
	int result;

	strbuf_addstr(&reason, why);
	if (enough || (scheduled && !start) || (end && end <= now)) {
		state = over_is_failed && !waiting->measured ? REQUEST_FAILED : REQUEST_COMPLETED;
	} else if (start) {
		state = REQUEST_DEFERRED;
		strbuf_addstr(&reason, "; it begins ");
		schedule_format(&reason, start, waiting->zone);
	}
	result = set_times(store, number, start, end, err);
	if (result == 0)
		result = store_set_state(store, number, state, actor, reason.text, err);
	strbuf_release(&reason);
	return result;
}

int store_wait(struct request_store *store, uint64_t number, int64_t now,
	       const struct store_actor *actor, const char *why, bool over_is_failed,
	       struct error *err)
{
	struct waiting waiting;
	bool scheduled = false;
	int64_t start;
	int result = -1;

	RETURN_IF(read_waiting(store, number, &waiting, err) < 0, -1);
	start = next_start(&waiting, now, &scheduled, err);
	if (start >= 0)
		result = wait_for(store, number, &waiting, start, now, scheduled, actor, why,
				  over_is_failed, err);
	free(waiting.statement);
	free(waiting.zone);
	return result;
}

int store_finish(struct request_store *store, uint64_t number, const struct store_actor *actor,
		 const char *why, bool measured, struct error *err)
{
	int64_t scheduled;

	RETURN_IF(store_do(store, err,
			   "UPDATE request SET measured = measured + ?, tries = 0 WHERE number = ?",
			   "ii", (int64_t)measured, (int64_t)number) < 0,
		  -1);
	scheduled = store_number(store, 0, err,
				 "SELECT start IS NOT NULL FROM request WHERE number = ?", "i",
				 (int64_t)number);
	if (measured || scheduled)
		return store_wait(store, number, time(NULL), actor, why, !measured, err);
	return store_set_state(store, number, REQUEST_FAILED, actor, why, err);
}

void store_add_subject(const struct request_step *step, struct strbuf *sb)
{
	if (step->process)
		strbuf_addf(sb, "process %d (%s)", step->process, step->program);
	else
		strbuf_addf(sb, "step %s%s%s of %s (%s)", step->step, *step->procstep ? "." : "",
			    step->procstep, step->job, step->job_number);
}

int store_check_owner(struct request_store *store, uint64_t number, const struct store_actor *actor,
		      struct error *err)
{
	sqlite3_stmt *query = store_query(
		store, err, "SELECT uid, user FROM request WHERE number = ?", "i", (int64_t)number);
	const int found = store_row(store, query, err);
	bool own;

	RETURN_IF(found < 0, -1);
	if (!found)
		return error_set(err, "there is no request %" PRIu64, number);
	own = actor->user == 0 || (uid_t)sqlite3_column_int64(query, 0) == actor->user;
	if (!own)
		error_set(err, "request %" PRIu64 " belongs to %s; only its owner may change "
			       "it", number,
			  (const char *)sqlite3_column_text(query, 1));
	sqlite3_finalize(query);
	return own ? 0 : -1;
}
