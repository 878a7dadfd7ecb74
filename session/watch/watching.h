/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The watch: executes the requests of a store that wait for programs not started
 * by vigil. It notices when the store changes and when the time affects what
 * waits, looks for the programs (lookout.h, meant.h), and has each measured by a
 * separate process (watched.h), up to a limit.
 *
 * Several watches may serve one store, and one may be killed at any moment:
 * ownership is recorded only in the store. A store that is missing or unusable is
 * waited for.
 */
#ifndef VIGIL_SESSION_WATCH_WATCHING_H
#define VIGIL_SESSION_WATCH_WATCHING_H

#include "session/collection/messages.h"

struct watching {
	const char *store;  /* its folder */
	const char *folder; /* of sample data sets; NULL: "profiles" in the store's folder */
	unsigned at_most;   /* maximum number of concurrent sessions on this host */
	bool by_list;	    /* scan /proc even if the kernel reports processes */
	const struct message_sink *sink;
	/* Returns the next received signal, 0: none; any signal ends the watch. */
	int (*signal)(void *argument);
	void *argument;
	/* Called in a child, which handles its signals itself. */
	void (*leave)(void *argument);
};

/* Runs until a signal arrives; then ends its sessions and puts their requests back. */
void watching_run(const struct watching *watching);

#endif
