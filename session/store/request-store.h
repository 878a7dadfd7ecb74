/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The request store: measurement requests that outlive their makers. They wait for
 * their steps across nights and restarts, have numbers that are never reused, and
 * record who did what to them, when and why.
 *
 * A store is a folder with the file requests.db, an SQLite database. Many submits,
 * crons and shells use it concurrently, on several machines if the folder is
 * shared. Each change is one transaction (BEGIN IMMEDIATE, a journal next to the
 * file and no write-ahead log, which needs shared memory). No process locks the
 * store between two transactions; a process that finds it locked waits, at most
 * for its patience. A vigil that is killed loses only what it had not committed.
 *
 * Ownership: the folder and the file belong to one user (or root) and must not be
 * writable for others, nor what is above them (common/trust.h); other stores are
 * refused. A request belongs to the user who made it: only this user and root
 * change it, and only this user's jobs are measured by it; root's requests apply
 * to all jobs.
 *
 * A request has
 *
 *	what	   job, step and program, as patterns: the steps it selects
 *	how	   its whole ADD as text, CHANGEs applied: the measuring process
 *		   parses it, so that no operand can be lost here
 *	when	   a schedule (schedule.h), in a zone; the number of measurements
 *	a state	   with a history: who, when, why
 *	a group	   (ADDGRP), whose requests are started by one SUBMIT
 *
 *	Deferred   its time has not come
 *	Queued	   it waits for its step
 *	Active	   a step is measured
 *	Suspended  HOLD, a group that was not submitted, or SEND STOP: an
 *		   Active one whose session is paused
 *	Completed, Completed exceeding thresholds, Failed: over
 *
 *	ADD --> Deferred --(time)--> Queued --(step)--> Active --> Completed
 *		   ^			|		   | |
 *		   '---(WITHIN is over)-' <--(its vigil    ' '---> Failed
 *		   '----(next night)------	died, twice)
 *
 * A request without a pattern in STEP ends with its step; another one measures
 * each step of one job that it selects, and ends with the job.
 *
 * A request with ACTIVE selects programs that vigil does not start, by their
 * properties; no step finds it. The watcher of running programs (session/watch)
 * asks which of them wait, claims one for a process, and ends it. If the watcher
 * ends a session itself, and not its program or its request, the request is put
 * back.
 *
 * The owner is identified by host, boot, PID namespace, process number and start
 * time. A local process that no longer exists is dead, and its requests are put
 * back into the queue (the third time they are Failed). For processes elsewhere
 * there is a lease: a living owner renews it (request_claim_renew), and
 * REQUEST_LEASE seconds after the last renewal it counts as dead. Clocks of hosts
 * that share a store must differ by less than that.
 *
 * Format: application_id "VIGR", user_version STORE_FORMAT. Times are seconds
 * since 1970 UTC. A store of another format is not touched.
 */
#ifndef VIGIL_SESSION_STORE_REQUEST_STORE_H
#define VIGIL_SESSION_STORE_REQUEST_STORE_H

#include "parser/control.h"

#include <sys/types.h>

#define REQUEST_LEASE (15 * 60)
#define REQUEST_RENEW (2 * 60)

/*
 * Patience in ms with a locked store: for a user's operation, for a step that is
 * about to begin, and for the renewal of a lease.
 */
#define STORE_PATIENCE 10000
#define STORE_STEP_PATIENCE 10000
#define STORE_RENEW_PATIENCE 50

enum request_state {
	REQUEST_QUEUED,
	REQUEST_DEFERRED,
	REQUEST_STATE_ACTIVE,
	REQUEST_SUSPENDED,
	REQUEST_COMPLETED,
	REQUEST_EXCEEDED, /* Completed exceeding thresholds */
	REQUEST_FAILED,
	REQUEST_STATE_COUNT
};

const char *request_state_name(enum request_state state);

struct request_store;

/*
 * Returns the folder of the store: the one that an option or a statement names
 * (NULL: none), else VIGIL_REQUESTS, else "ROOT.requests" next to the data root.
 * The caller frees it.
 */
char *request_store_folder(const char *named, const char *root);
/*
 * Opens the store of a folder. make: creates folder and file if missing; otherwise
 * NULL without an error means that there is no store. patience: milliseconds. NULL
 * with the reason.
 */
struct request_store *request_store_open(const char *folder, bool make, int patience,
					 struct error *err);
void request_store_close(struct request_store *store);

/* --- Operations of users --------------------------------------------------------------------- */

/* Why a request's schedule is refused; STORE_FAILED: any other error. */
enum store_fault { STORE_FAILED = -1, STORE_PAST = -2, STORE_NEVER = -3, STORE_ZONE = -4 };

/* Adds a checked request. Returns 0 and its number, or an enum store_fault with the reason. */
int request_store_add(struct request_store *store, const struct control_statement *add,
		      uint64_t *number, struct error *err);
/* Applies a CHANGE to a request that is not Active. Returns 0 or an enum store_fault. */
int request_store_change(struct request_store *store, uint64_t number,
			 const struct control_statement *change, struct error *err);
/*
 * Applies a statement to one request, or to all of a group in one transaction.
 * Those of a group whose state does not allow it are skipped; for a single request
 * that is an error. Returns the number of requests changed, or an enum
 * store_fault.
 *	DELETE	   those that are not Active; their numbers are not reused
 *	HOLD	   those that wait become Suspended
 *	RELEASE	   those that HOLD suspended wait again
 *	SUBMIT	   those that are not Active wait again, by the statement's schedule if it has one
 */
int request_store_do(struct request_store *store, const struct control_statement *statement,
		     const uint64_t *numbers, size_t count, struct error *err);
/* Creates a group. */
int request_store_add_group(struct request_store *store, const char *name, struct error *err);
/* Deletes a group that has no requests any more. */
int request_store_delete_group(struct request_store *store, const char *name, struct error *err);

/*
 * Finds the requests that a statement's first operand names: a number, the name of
 * a group, or the job as in its ADD, of which this user may have only one request.
 * The caller frees *numbers; *group: it is the name of a group, which may be
 * empty. -1 with the reason.
 */
int request_store_find(struct request_store *store, const char *named, uint64_t **numbers,
		       size_t *count, bool *group, struct error *err);

/*
 * Pauses (SEND STOP) or starts (SEND START) the session of an Active request.
 * *area: the path of the session's transaction area (agent/transaction-area.h),
 * which the caller switches; the caller frees the path. A second call with done
 * records the new state.
 */
int request_store_send(struct request_store *store, uint64_t number, bool start, bool done,
		       char **area, struct error *err);
/*
 * Ends the session of an Active request for a program, which itself continues; the
 * measuring process closes the session. -1 with the reason.
 */
int request_store_quit(struct request_store *store, uint64_t number, struct error *err);

/* --- Listing -------------------------------------------------------------------------------- */

/* A change of a request, and one session of it; texts are owned. */
struct request_event {
	int64_t at;
	char *user, *host;
	int64_t pid;
	char *state, *why;
};

struct request_session {
	int64_t at;
	char *job, *step, *host, *data_set, *outcome;
};

/* A request in the store; texts are owned, NULL: not given. */
struct stored_request {
	uint64_t number;
	char *statement, *state, *job, *step, *procstep, *program, *group, *user, *zone, *owner;
	bool active; /* for a program: step is then its location, "PID=12", and procstep NULL */
	int64_t added, start, expires; /* 0: none */
	uint64_t wanted, measured;     /* number of measurements; wanted 0: one for each start */
	struct request_event *events;
	size_t event_count;
	struct request_session *sessions;
	size_t session_count;
};

struct stored_requests {
	struct stored_request *items;
	size_t count, alloc;
};

/*
 * Lists requests by number: those whose job or group matches a pattern (NULL:
 * all), or the one with this number, if not 0. details: with history and sessions.
 */
int request_store_list(struct request_store *store, const char *pattern, uint64_t number,
		       bool details, struct stored_requests *list, struct error *err);
void stored_requests_release(struct stored_requests *list);

/*
 * --- Operations of steps
 * ------------------------------------------------------------------------
 */

/* A step that is about to begin. Texts are never NULL. */
struct request_step {
	const char *job, *step, *procstep, *program;
	const char *job_number; /* "JOB00012", of this vigil */
	pid_t process;		/* 0: a step; otherwise not a step but this process of the
				 * program */
};

/* A request claimed for a step, identified by its number and this process. */
struct request_claim {
	uint64_t number;
	char *user;
	struct source *source;	   /* its ADD as text, */
	struct control_deck *deck; /* and parsed: one statement */
	bool until_job_ends;	   /* it may measure further steps of the job */
};

/*
 * Claims the waiting request with the lowest number that selects a step; it
 * becomes Active, and no other process can claim it. at_most: fails if this many
 * requests are Active on this host; 0: no limit. Returns 1: claimed; 0: none; -1
 * with the reason.
 */
int request_claim_take(struct request_store *store, const struct request_step *step,
		       unsigned at_most, struct request_claim *claim, struct error *err);
void request_claim_release(struct request_claim *claim);
/* Records that the session of a claim is open, and by which area it can be paused. */
int request_claim_began(struct request_store *store, uint64_t number, const char *area,
			struct error *err);
/* Renews the lease of a claim: its owner is alive. */
int request_claim_renew(struct request_store *store, uint64_t number, struct error *err);
/*
 * Records that a step is over: its sample data set, or why there is none (data_set
 * NULL). A request for one step ends too.
 */
int request_claim_end(struct request_store *store, const struct request_claim *claim,
		      const struct request_step *step, const char *data_set, const char *why,
		      struct error *err);
/* Ends all claims that this process made for a job, when the job is over. */
int request_claims_leave(struct request_store *store, const char *job_number, struct error *err);

/* --- Programs that vigil does not start ------------------------------------------------------- */

/* A request that waits for a program. */
struct running_request {
	uint64_t number;
	uid_t user;		      /* the user who made it */
	int64_t given, start;	      /* when it was made or changed; start of its schedule, 0:
				       * none */
	struct source *source;	      /* its ADD as text, */
	struct control_deck *deck;    /* and parsed: one statement */
};

struct running_requests {
	struct running_request *items;
	size_t count, alloc;
	int64_t next; /* seconds since 1970 at which time changes the list; 0: it does not */
};

/*
 * Lists, by number, the requests that wait for programs now: this user's, for root
 * all. One that cannot be read becomes Failed. -1 with the reason, and an empty
 * list.
 */
int running_requests_read(struct request_store *store, struct running_requests *list,
			  struct error *err);
void running_requests_release(struct running_requests *list);

/*
 * Claims a request for a process, which is measured already. started: its start,
 * seconds since 1970. Returns 1: claimed; 0: the request does not wait any more,
 * or at_most requests are Active on this host; RUNNING_MEASURED: the request has
 * measured this process since its last start; -1 with the reason. The claim has no
 * deck; it ends with request_claim_end.
 */
#define RUNNING_MEASURED 2
int running_claim(struct request_store *store, uint64_t number, const struct request_step *process,
		  int64_t started, unsigned at_most, struct request_claim *claim,
		  struct error *err);
/*
 * Records that the watcher ended the session of a claim: the request waits again,
 * also for the same process. data_set: the data collected so far; NULL: nothing.
 */
int running_claim_interrupted(struct request_store *store, const struct request_claim *claim,
			      const struct request_step *process, const char *data_set,
			      struct error *err);
/*
 * Records that what a waiting request selects cannot be measured: the request
 * becomes Failed, or waits for its next start.
 */
int running_refuse(struct request_store *store, uint64_t number, const char *why,
		   struct error *err);

#endif
