/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Internals of the request store: the database, and what its files share.
 *	request-store.c	  opening: ownership of the folder, format
 *	store-query.c	  SQL statements with arguments, transactions
 *	request-rows.c	  identities; a row's state and its history
 *	request-settle.c  effects of time and dead owners, applied before any change
 *	request-edit.c	  operations of users
 *	request-claim.c	  operations of steps
 *	request-running.c operations for programs that vigil does not start
 *	request-send.c	  commands to running sessions
 *	request-list.c	  listing
 */
#ifndef VIGIL_SESSION_STORE_REQUEST_STORE_DATA_H
#define VIGIL_SESSION_STORE_REQUEST_STORE_DATA_H

#include "session/store/request-store.h"

#include <sqlite3.h>
#include <sys/types.h>

#define STORE_FORMAT 1

/*
 * The job key of a request for a program that vigil does not start: no job name
 * begins like this, so no step finds such a request.
 */
#define RUNNING_KEY "!"

struct request_store {
	sqlite3 *database;
	char *path; /* absolute path of requests.db */
	uint64_t patience, waiting; /* ns; monotonic time since when it waits for a lock */
	bool empty; /* the file has no tables yet */
};

/* The user and process that perform an operation, and their host. */
struct store_actor {
	uid_t user;
	char name[64], host[65], boot[40];
	uint64_t namespace; /* PID namespace */
	pid_t pid;
	uint64_t started; /* start time of the process, in the kernel's ticks */
};

/* store-query.c */

/* Sets err to the last error of the database; returns -1. */
int store_fail(struct request_store *store, struct error *err);
/*
 * Prepares a statement with its arguments, one letter each: "i" an int64_t, "t" a
 * text or NULL. NULL with the reason.
 */
sqlite3_stmt *store_query(struct request_store *store, struct error *err, const char *sql,
			  const char *arguments, ...);
/*
 * Steps to the next row: 1; 0: no more rows; -1 with the reason. 0 and -1 finalize
 * the statement.
 */
int store_row(struct request_store *store, sqlite3_stmt *query, struct error *err);
/* Executes a statement that returns no rows that matter. */
int store_do(struct request_store *store, struct error *err, const char *sql, const char *arguments,
	     ...);
/*
 * Returns the single number that a statement yields; otherwise if it yields none
 * or on an error, which is then in err.
 */
int64_t store_number(struct request_store *store, int64_t otherwise, struct error *err,
		     const char *sql, const char *arguments, ...);
/* Returns a copy of a text column; NULL if the column is NULL. */
char *store_text(sqlite3_stmt *query, int column);
/* Begins a write transaction, which excludes other writers. */
int store_begin(struct request_store *store, struct error *err);
/*
 * Ends the transaction: commits if result is at least 0, otherwise rolls back.
 * Returns result, or -1.
 */
int store_end(struct request_store *store, int result, struct error *err);

/* request-rows.c */

void store_actor_fill(struct store_actor *actor);
/* Returns whether a process that claimed a request is dead, or its lease has expired. */
bool store_owner_dead(const struct store_actor *here, sqlite3_stmt *row, int64_t now);
/* The columns that store_owner_dead reads; they must come first. */
#define OWNER_COLUMNS "owner_boot, owner_namespace, owner_pid, owner_started, lease"
/* Parses an ADD from the store; NULL with the reason. The caller frees the source. */
struct control_deck *store_parse(const char *statement, struct source **source, struct error *err);
/*
 * Sets a request's state, and records who did it and why. Unless it becomes Active
 * or Suspended, its owner is removed.
 */
int store_set_state(struct request_store *store, uint64_t number, enum request_state state,
		    const struct store_actor *actor, const char *why, struct error *err);
/*
 * Makes a request wait for its schedule's first start after now; without a
 * schedule it is Queued at once. why is the reason in the history, followed by the
 * start. Without any further start the request is Failed or Completed.
 */
int store_wait(struct request_store *store, uint64_t number, int64_t now,
	       const struct store_actor *actor, const char *why, bool over_is_failed,
	       struct error *err);
/* Ends a claim, with or without a measurement. */
int store_finish(struct request_store *store, uint64_t number, const struct store_actor *actor,
		 const char *why, bool measured, struct error *err);
/* Appends the description of a step or process. */
void store_add_subject(const struct request_step *step, struct strbuf *sb);
/*
 * Checks that this user may change a request; -1 with the reason if not, or if
 * there is no such request.
 */
int store_check_owner(struct request_store *store, uint64_t number, const struct store_actor *actor,
		      struct error *err);

/* request-claim.c */

/* Makes this process the owner of a waiting request. */
int store_claim(struct request_store *store, uint64_t number, const struct request_step *step,
	      const struct store_actor *actor, int64_t now, struct error *err);
/*
 * Returns whether at_most requests (0: no limit) are being measured on this host;
 * -1 with the reason.
 */
int store_limit_reached(struct request_store *store, const struct store_actor *actor, unsigned at_most,
		   struct error *err);
/* Records a session: its data set (NULL: none), and its outcome. */
int store_add_session(struct request_store *store, uint64_t number, const struct request_step *step,
		      const struct store_actor *actor, const char *data_set, const char *outcome,
		      struct error *err);
/* Checks that this process still owns a request; -1 with the reason if not. */
int store_check_claim(struct request_store *store, uint64_t number, const struct store_actor *actor,
		    struct error *err);

/* request-settle.c */

/*
 * Applies the effects of time and death: due requests become Queued, expired ones
 * wait for their next start, those of dead processes are put back.
 */
int store_apply_time(struct request_store *store, const struct store_actor *actor, int64_t now,
		 struct error *err);

#endif
