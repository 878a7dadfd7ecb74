/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The session of one request for a program that runs: a process of its own, so
 * that sessions cannot harm each other or the watch, and one goes on when the
 * watch is killed.
 *
 * It measures first and claims then: a program that has ended before its session
 * was open costs the request nothing, and a request that another watch has taken
 * meanwhile costs this one a look. What it claims belongs to this process, which
 * the store knows to be dead when it is.
 *
 * It ends with the program, by LIMIT, after SESSION minutes, by SIGQUIT (SEND
 * QUIT): the request is measured; or by SIGTERM (the watch is stopped): what there
 * is so far is kept, and the request waits again.
 */
#ifndef VIGIL_SESSION_WATCH_WATCHED_H
#define VIGIL_SESSION_WATCH_WATCHED_H

#include "session/collection/messages.h"
#include "session/store/request-store.h"

#include <signal.h>

struct watched {
	const struct running_request *waiting;
	pid_t pid;
	uint64_t ticks; /* when the process began, by the kernel's ticks */
	int64_t began;	/* seconds since 1970 */
	const char *store;   /* its folder */
	const char *folder;  /* of sample data sets; it is there */
	unsigned at_most;    /* sessions on this host */
	const struct message_sink *sink;
	const volatile sig_atomic_t *stop; /* 0, or the signal that came: SIGQUIT or another */
};

/* What the watch is told by the exit status of such a process. */
enum watched_status {
	WATCHED_DONE,	 /* the request was claimed or refused: the store knows */
	WATCHED_NOTHING, /* the process was gone, or the request taken: look again */
	WATCHED_NEVER,	 /* this process is not to be measured for this start of the request */
	WATCHED_STORE,	 /* the store could not be used */
};

/* The whole session. */
enum watched_status watched_run(const struct watched *watched);

#endif
