/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The request store: measurement requests that outlive what made them. They
 * wait for their steps through nights and restarts, with numbers that are
 * never given twice, and remember who did what to them, when and why.
 *
 * A store is a folder with the file requests.db, a database of SQLite. Many
 * submits, crons and shells use it at once, on several machines where the
 * folder is shared: each change is one transaction (BEGIN IMMEDIATE, journal
 * beside the file and no write-ahead log, which needs shared memory), nobody
 * holds the store between two of them, and who finds it locked waits, at most
 * as long as its patience. A vigil that is killed loses what it had not
 * committed, and nothing else.
 *
 * Whose it is. The folder and the file belong to one user (or root) and
 * nobody else may write to them or to what is above them (common/trust.h):
 * other stores are refused. A request belongs to the user who made it: only he
 * and root change it, and his jobs alone are measured by it; root's requests
 * hold for all jobs.
 *
 * A request is
 *	what	   job, step and program, patterns: the steps it means
 *	how	   its ADD as text, whole, CHANGEs carried out: whoever measures
 *		   reads it with the parser, so no operand can be lost here
 *	when	   a schedule (schedule.h), in a zone; how many measurements
 *	a state	   with a history: who, when, why
 *	a group	   (ADDGRP), whose requests begin by one SUBMIT
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
 * A request that has no pattern in STEP is over with its step; another
 * measures each step that it means of one job, and is over with the job.
 *
 * One with ACTIVE means a program that vigil does not start, by what it says of
 * it: no step finds it. Whoever looks at what runs (session/watch) asks which
 * of them wait, claims one for a process, and ends it; a session that its watch
 * ends, and not its program or its request, puts the request back.
 *
 * Who measures is known by host, boot, PID namespace, process number and start
 * time: a process that cannot be seen to live here any more is dead, and what
 * it held is put back into the queue (the third time it has Failed). Of
 * processes elsewhere the lease tells: an owner renews it as long as it lives
 * (request_claim_renew), and REQUEST_LEASE seconds after the last time it is
 * dead. Clocks of hosts on one store may differ by less than that.
 *
 * Format: application_id "VIGR", user_version STORE_FORMAT. Times are seconds
 * since 1970 UTC. A store of another format is left alone.
 */
#ifndef VIGIL_SESSION_STORE_REQUEST_STORE_H
#define VIGIL_SESSION_STORE_REQUEST_STORE_H

#include "parser/control.h"

#include <sys/types.h>

#define REQUEST_LEASE (15 * 60)
#define REQUEST_RENEW (2 * 60)

/* How long who finds the store locked waits: for what a user asked, and for a step that could
 * begin. */
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
 * Returns the folder of the store: as an option or a statement names it (NULL:
 * not), what VIGIL_REQUESTS names, or "ROOT.requests" beside the data root. The
 * caller frees it.
 */
char *request_store_folder(const char *named, const char *root);
/*
 * Opens the store of a folder. make: folder and file are made when they are
 * missing; otherwise NULL without an error says that there is none. patience:
 * milliseconds. NULL with the reason.
 */
struct request_store *request_store_open(const char *folder, bool make, int patience,
					 struct error *err);
void request_store_close(struct request_store *store);

/* --- What users do with requests ---------------------------------------------------------- */

/* What is wrong with the schedule of a request that is not taken; STORE_FAILED is all else. */
enum store_fault { STORE_FAILED = -1, STORE_PAST = -2, STORE_NEVER = -3, STORE_ZONE = -4 };

/* Adds a request, which was checked. 0 with its number, or an enum store_fault with the reason. */
int request_store_add(struct request_store *store, const struct control_statement *add,
		      uint64_t *number, struct error *err);
/* Carries a CHANGE out on a request that is not Active. 0 or an enum store_fault. */
int request_store_change(struct request_store *store, uint64_t number,
			 const struct control_statement *change, struct error *err);
/*
 * What is done to one request, or at once to all of a group: those of them that cannot be are left
 * as they are; one alone that cannot be is an error. How many were; or an enum store_fault.
 *
 *	DELETE	   those that are not Active; a number is not given again
 *	HOLD	   those that wait are Suspended
 *	RELEASE	   those that HOLD suspended wait again
 *	SUBMIT	   those that are not Active wait again, by the statement's schedule if it has one
 */
int request_store_do(struct request_store *store, const struct control_statement *statement,
		     const uint64_t *numbers, size_t count, struct error *err);
/* Makes a group. */
int request_store_add_group(struct request_store *store, const char *name, struct error *err);
/* Takes a group away whose requests are all gone. */
int request_store_delete_group(struct request_store *store, const char *name, struct error *err);

/*
 * The requests that a statement means by its first operand: a number, the name of a group, or the
 * job as its ADD has it, which only one request of this user may have. *numbers is the caller's to
 * free; *group: it is the name of a group, which may have none. -1 with the reason.
 */
int request_store_find(struct request_store *store, const char *named, uint64_t **numbers,
		       size_t *count, bool *group, struct error *err);

/*
 * Pauses or starts the session of an Active request: "STOP", "START". *area: the
 * transaction area (agent/transaction-area.h) of the session, which the caller
 * switches and frees. Called again with done, it remembers the new state.
 */
int request_store_send(struct request_store *store, uint64_t number, bool start, bool done,
		       char **area, struct error *err);
/*
 * Ends the session of an Active request for a program, which goes on: whoever
 * measures closes it. -1 with the reason.
 */
int request_store_quit(struct request_store *store, uint64_t number, struct error *err);

/* --- What is there ------------------------------------------------------------------------ */

/* What happened to a request, or one session of it; texts are owned. */
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

/* A request that is there; texts are owned, NULL not given. */
struct stored_request {
	uint64_t number;
	char *statement, *state, *job, *step, *procstep, *program, *group, *user, *zone, *owner;
	bool active; /* for a program: step is then where it is, "PID=12", and procstep NULL */
	int64_t added, start, expires; /* 0 none */
	uint64_t wanted, measured;     /* wanted 0: as many as there are starts */
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
 * The requests by number: of jobs (or groups) that match a pattern, NULL all; or the one of a
 * number, not 0. details: with history and sessions.
 */
int request_store_list(struct request_store *store, const char *pattern, uint64_t number,
		       bool details, struct stored_requests *list, struct error *err);
void stored_requests_release(struct stored_requests *list);

/* --- Steps ---------------------------------------------------------------------------------- */

/* A step that is about to begin. Texts are never NULL. */
struct request_step {
	const char *job, *step, *procstep, *program;
	const char *job_number; /* "JOB00012": of this vigil */
	pid_t process;		/* 0; or it is no step but a process of this program */
};

/* A request that holds for a step; by its number and this process. */
struct request_claim {
	uint64_t number;
	char *user;
	struct source *source;	   /* its ADD as text, */
	struct control_deck *deck; /* and checked: one statement */
	bool until_job_ends;	   /* it may measure further steps of the job */
};

/*
 * The request that waits for a step: it is Active then, and nobody else's. Of several it is the one
 * of the lowest number. at_most: not when so many requests are Active on this host; 0: as many as
 * there are. 1: there is one; 0: none; -1 with the reason.
 */
int request_claim_take(struct request_store *store, const struct request_step *step,
		       unsigned at_most, struct request_claim *claim, struct error *err);
void request_claim_release(struct request_claim *claim);
/* The session of a claim is open: how it can be paused. */
int request_claim_began(struct request_store *store, uint64_t number, const char *area,
			struct error *err);
/* Its owner lives. */
int request_claim_renew(struct request_store *store, uint64_t number, struct error *err);
/* A step is over: the sample data set, or why there is none (data_set NULL). A request of one step
 * is over, too. */
int request_claim_end(struct request_store *store, const struct request_claim *claim,
		      const struct request_step *step, const char *data_set, const char *why,
		      struct error *err);
/* The job is over, and with it what this process claimed for it. */
int request_claims_leave(struct request_store *store, const char *job_number, struct error *err);

/* --- Programs that vigil does not start ------------------------------------------------------- */

/* A request that waits for a program. */
struct running_request {
	uint64_t number;
	uid_t user;		      /* who made it */
	int64_t given, start;	      /* when it was made or changed; its schedule's start, 0 none */
	struct source *source;	      /* its ADD as text, */
	struct control_deck *deck;    /* and checked: one statement */
};

struct running_requests {
	struct running_request *items;
	size_t count, alloc;
	int64_t next; /* when time changes what is in it, seconds since 1970; 0: it does not */
};

/*
 * What waits for programs now, by number: this user's, and for root everybody's. One that cannot be
 * read has Failed. -1 with the reason, and nothing in the list.
 */
int running_requests_read(struct request_store *store, struct running_requests *list,
			  struct error *err);
void running_requests_release(struct running_requests *list);

/*
 * Claim a request for a process, which is measured already. started: when it began, seconds since
 * 1970. 1: it is this process's; 0: it does not wait any more, or so many (at_most) are Active on
 * this host; RUNNING_MEASURED: it has measured this process since its last start; -1 with the
 * reason. The claim has no deck; it ends by request_claim_end.
 */
#define RUNNING_MEASURED 2
int running_claim(struct request_store *store, uint64_t number, const struct request_step *process,
		  int64_t started, unsigned at_most, struct request_claim *claim,
		  struct error *err);
/* The session of a claim was ended by its watch: the request waits again, for the same process too.
   data_set: what it has brought so far, NULL nothing. */
int running_claim_interrupted(struct request_store *store, const struct request_claim *claim,
			      const struct request_step *process, const char *data_set,
			      struct error *err);
/* What a request that waits means cannot be measured: it has Failed, or waits for its next start. */
int running_refuse(struct request_store *store, uint64_t number, const char *why,
		   struct error *err);

#endif
