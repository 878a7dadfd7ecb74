/* SPDX-License-Identifier: Apache-2.0 */
/* Makes running sessions pause, continue or end. */
#include "common/compat.h"
#include "session/store/request-store-data.h"
#include "common/procfs.h"
#include "common/xalloc.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Finds the session of an Active request, or records its new state. */
static int send_one(struct request_store *store, uint64_t number, bool start, bool done,
		    char **area, struct error *err)
{
	struct store_actor actor;
	sqlite3_stmt *query;
	char *host;

	store_actor_fill(&actor);
	RETURN_IF(store_apply_time(store, &actor, time(NULL), err) < 0, -1);
	RETURN_IF(store_check_owner(store, number, &actor, err) < 0, -1);
	query = store_query(store, err,
			    "SELECT area, owner_host, state FROM request WHERE number = ? AND "
			    "owner_pid IS NOT NULL",
			    "i", (int64_t)number);
	switch (store_row(store, query, err)) {
	case 0:
		return error_set(err, "request %" PRIu64 " is not Active", number);
	case -1:
		return -1;
	}
	*area = store_text(query, 0);
	host = store_text(query, 1);
	sqlite3_finalize(query);
	if (host && strcmp(host, actor.host) != 0)
		error_set(err, "request %" PRIu64 " is measured on %s: send it there", number,
			  host);
	else if (!*area)
		error_set(err, "no session of request %" PRIu64 " is open at this moment", number);
	free(host);
	RETURN_IF(*error_text(err), -1);
	RETURN_IF(!done, 0);
	return store_set_state(store, number, start ? REQUEST_STATE_ACTIVE : REQUEST_SUSPENDED,
			       &actor, start ? "SEND START" : "SEND STOP", err);
}

int request_store_send(struct request_store *store, uint64_t number, bool start, bool done,
		       char **area, struct error *err)
{
	int result;

	*area = NULL;
	RETURN_IF(store_begin(store, err) < 0, -1);
	result = store_end(store, send_one(store, number, start, done, area, err), err);
	if (result < 0) {
		free(*area);
		*area = NULL;
	}
	return result;
}

/* The process that measures an Active request. */
struct owner {
	char *host, *boot;
	uint64_t namespace, started;
	pid_t pid;
	bool active;
};

/* Finds the owner of a request; the caller frees its texts. -1 with the reason if there is none. */
static int find_owner(struct request_store *store, uint64_t number, struct owner *owner,
		      struct error *err)
{
	sqlite3_stmt *query = store_query(
		store, err,
		"SELECT owner_host, owner_boot, owner_namespace, owner_pid, owner_started, job_key "
		"= '" RUNNING_KEY "' FROM request WHERE number = ? AND owner_pid IS NOT NULL",
		"i", (int64_t)number);
	const int found = store_row(store, query, err);

	*owner = (struct owner){ 0 };
	if (found == 0)
		error_set(err, "request %" PRIu64 " is not Active", number);
	RETURN_IF(found <= 0, -1);
	*owner = (struct owner){
		.host = store_text(query, 0),
		.boot = store_text(query, 1),
		.namespace = (uint64_t)sqlite3_column_int64(query, 2),
		.pid = (pid_t)sqlite3_column_int64(query, 3),
		.started = (uint64_t)sqlite3_column_int64(query, 4),
		.active = sqlite3_column_int(query, 5) != 0,
	};
	sqlite3_finalize(query);
	return 0;
}

/* Sends a signal to the measuring process, but not to another one that has its pid by now. */
static int signal_owner(const struct owner *owner, uint64_t number, struct error *err)
{
	const int fd = (int)syscall(SYS_pidfd_open, owner->pid, 0);
	struct procfs_stat stat_of;
	int result = 0;

	if (fd < 0 || !procfs_stat(owner->pid, &stat_of) || stat_of.start != owner->started)
		result = error_set(err, "the session of request %" PRIu64 " has ended meanwhile",
				   number);
	else if (syscall(SYS_pidfd_send_signal, fd, SIGQUIT, NULL, 0) < 0)
		result = error_errno(err, "cannot notify process %d", owner->pid);
	if (fd >= 0)
		close(fd);
	return result;
}

/* Ends a session, within a transaction. */
static int quit(struct request_store *store, uint64_t number, const struct store_actor *actor,
		struct error *err)
{
	struct owner owner;
	int result;

	RETURN_IF(store_apply_time(store, actor, time(NULL), err) < 0, -1);
	RETURN_IF(store_check_owner(store, number, actor, err) < 0, -1);
	result = find_owner(store, number, &owner, err);
	if (result == 0 && !owner.active)
		result = error_set(err,
				   "request %" PRIu64
				   " measures a step, whose session ends with it; STOP pauses it",
				   number);
	else if (result == 0 &&
		 (!owner.boot || strcmp(owner.boot, actor->boot) != 0 ||
		  owner.namespace != actor->namespace))
		result = error_set(err,
				   "request %" PRIu64
				   " is measured on %s, or in another container: send it there",
				   number, owner.host ? owner.host : "?");
	if (result == 0)
		result = signal_owner(&owner, number, err);
	free(owner.host);
	free(owner.boot);
	RETURN_IF(result < 0, -1);
	return store_set_state(store, number, REQUEST_STATE_ACTIVE, actor, "SEND QUIT", err);
}

int request_store_quit(struct request_store *store, uint64_t number, struct error *err)
{
	struct store_actor actor;

	store_actor_fill(&actor);
	RETURN_IF(store_begin(store, err) < 0, -1);
	return store_end(store, quit(store, number, &actor, err), err);
}
