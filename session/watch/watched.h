/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The session of one request for a running program: a separate process, so that
 * sessions cannot harm each other or the watch, and a session continues when the
 * watch is killed.
 *
 * It first measures, then claims: a program that has ended before its session was
 * open costs the request nothing, and losing a request to another watch costs only
 * one attempt. The claim belongs to this process; when it dies, the store can
 * detect that.
 *
 * The session ends with the program, by LIMIT, after SESSION minutes, or by
 * SIGQUIT (SEND QUIT): the request is then measured. After SIGTERM (the watch is
 * stopped) the data so far is kept, and the request waits again.
 */
#ifndef VIGIL_SESSION_WATCH_WATCHED_H
#define VIGIL_SESSION_WATCH_WATCHED_H

#include "session/collection/messages.h"
#include "session/store/request-store.h"

#include <signal.h>

struct watched {
	const struct running_request *waiting;
	pid_t pid;
	uint64_t ticks; /* start time of the process in kernel ticks */
	int64_t began;	/* seconds since 1970 */
	const char *store;   /* its folder */
	const char *folder;  /* of sample data sets; it is there */
	unsigned at_most;    /* maximum number of sessions on this host */
	const struct message_sink *sink;
	const volatile sig_atomic_t *stop; /* 0, or the received signal: SIGQUIT or another */
};

/* Exit status of such a process, for the watch. */
enum watched_status {
	WATCHED_DONE,	 /* the request was claimed or refused; the store has the result */
	WATCHED_NOTHING, /* the process was gone, or the request taken: try again */
	WATCHED_NEVER,	 /* never measure this process for this start of the request */
	WATCHED_STORE,	 /* the store could not be used */
};

/* Runs the whole session. */
enum watched_status watched_run(const struct watched *watched);

#endif
