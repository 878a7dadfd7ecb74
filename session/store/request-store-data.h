/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of the request store: the database, and what its files share.
 *
 *	request-store.c	  opening: whose folder, which format
 *	store-query.c	  statements of SQL with their arguments, transactions
 *	request-rows.c	  who is who; a row's state and its history
 *	request-settle.c  what time and dead owners did: before whatever is changed
 *	request-edit.c	  what users do
 *	request-claim.c	  what steps do
 *	request-running.c what is done for programs that vigil does not start
 *	request-send.c	  what sessions that run are told
 *	request-list.c	  what is there
 */
#ifndef VIGIL_SESSION_STORE_REQUEST_STORE_DATA_H
#define VIGIL_SESSION_STORE_REQUEST_STORE_DATA_H

#include "session/store/request-store.h"

#include <sqlite3.h>
#include <sys/types.h>

#define STORE_FORMAT 1

/* The key of the job in a request for a program that vigil does not start: no name of a job begins
   like this, so no step finds one. */
#define RUNNING_KEY "!"

struct request_store {
	sqlite3 *database;
	char *path; /* of requests.db, absolute */
	uint64_t patience, waiting; /* ns; since when it waits for a lock, monotonic */
	bool empty; /* the file has no tables yet: there is nothing in it */
};

/* Who does something, and where. */
struct store_actor {
	uid_t user;
	char name[64], host[65], boot[40];
	uint64_t namespace; /* of process numbers */
	pid_t pid;
	uint64_t started; /* the process, in the kernel's ticks */
};

/* store-query.c */

/* What happened last in the database, as an error; -1. */
int store_fail(struct request_store *store, struct error *err);
/*
 * A statement with its arguments, a letter each: "i" an int64_t, "t" a text or NULL. NULL with the
 * reason.
 */
sqlite3_stmt *store_query(struct request_store *store, struct error *err, const char *sql,
			  const char *arguments, ...);
/* The next row: 1; 0 no more; -1 with the reason. The last two end the statement. */
int store_row(struct request_store *store, sqlite3_stmt *query, struct error *err);
/* Carries out a statement that gives no rows. */
int store_do(struct request_store *store, struct error *err, const char *sql, const char *arguments,
	     ...);
/* The only number that a statement gives; otherwise when it gives none. -1 with the reason in
 * *failed. */
int64_t store_number(struct request_store *store, int64_t otherwise, struct error *err,
		     const char *sql, const char *arguments, ...);
/* Returns a text column as a copy, NULL where it is NULL. */
char *store_text(sqlite3_stmt *query, int column);
/* Begins a change; nothing else is changed meanwhile. */
int store_begin(struct request_store *store, struct error *err);
/* Ends it: keep it when result is 0 or above, otherwise forget it. The result, or -1. */
int store_end(struct request_store *store, int result, struct error *err);

/* request-rows.c */

void store_actor_fill(struct store_actor *actor);
/*
 * Returns whether a process that claimed a request is known to be dead, or not
 * known to be alive any more.
 */
bool store_owner_dead(const struct store_actor *here, sqlite3_stmt *row, int64_t now);
/* The columns that store_owner_dead reads, in front of all others. */
#define OWNER_COLUMNS "owner_boot, owner_namespace, owner_pid, owner_started, lease"
/* Parses an ADD that the store holds; NULL with the reason. The source is the caller's. */
struct control_deck *store_parse(const char *statement, struct source **source, struct error *err);
/* Gives a request a state, with who and why; what is not Active has no owner. */
int store_set_state(struct request_store *store, uint64_t number, enum request_state state,
		    const struct store_actor *actor, const char *why, struct error *err);
/* Have a request wait: its schedule's first start after now; without one it is Queued at once. The
   reason is put in front of when that is. Failed or Completed when there is none any more. */
int store_wait(struct request_store *store, uint64_t number, int64_t now,
	       const struct store_actor *actor, const char *why, bool over_is_failed,
	       struct error *err);
/* A claim is over: with a measurement, or for a reason without. */
int store_finish(struct request_store *store, uint64_t number, const struct store_actor *actor,
		 const char *why, bool measured, struct error *err);
/* Appends what a step or process is called. */
void store_add_subject(const struct request_step *step, struct strbuf *sb);
/*
 * Returns whether this user may change a request; -1 with the reason when not, or
 * when there is none.
 */
int store_check_owner(struct request_store *store, uint64_t number, const struct store_actor *actor,
		      struct error *err);

/* request-claim.c */

/* Makes a request that waits this process's. */
int store_own(struct request_store *store, uint64_t number, const struct request_step *step,
	      const struct store_actor *actor, int64_t now, struct error *err);
/* Returns whether as many are measured on this host as may be; -1 with the reason. */
int store_too_many(struct request_store *store, const struct store_actor *actor, unsigned at_most,
		   struct error *err);
/* Writes down a session: its data set (NULL none), and what became of it. */
int store_add_session(struct request_store *store, uint64_t number, const struct request_step *step,
		      const struct store_actor *actor, const char *data_set, const char *outcome,
		      struct error *err);
/* -1 with the reason when a request is not this process's any more. */
int store_check_own(struct request_store *store, uint64_t number, const struct store_actor *actor,
		    struct error *err);

/* request-settle.c */

/* What is due becomes Queued, what waited too long waits for its next start, what dead processes
 * held is put back. */
int store_settle(struct request_store *store, const struct store_actor *actor, int64_t now,
		 struct error *err);

#endif
