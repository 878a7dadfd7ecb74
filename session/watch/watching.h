/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The watch: carries out the requests of a store that wait for programs which
 * vigil does not start. It sees when the store changes and when time changes what
 * waits, looks for the programs (lookout.h, meant.h), and has each measured by a
 * process of its own (watched.h), so many at once.
 *
 * Several watches may be on one store, and one may be killed at any moment: what is
 * whose stands in the store alone. A store that is not there, or cannot be used, is
 * waited for.
 */
#ifndef VIGIL_SESSION_WATCH_WATCHING_H
#define VIGIL_SESSION_WATCH_WATCHING_H

#include "session/collection/messages.h"

struct watching {
	const char *store;  /* its folder */
	const char *folder; /* of sample data sets; NULL: "profiles" in the store's */
	unsigned at_most;   /* sessions at once on this host */
	bool by_list;	    /* look at /proc even where the kernel tells of processes */
	const struct message_sink *sink;
	/* The next signal that came, 0 none: any of them ends the watch. */
	int (*signal)(void *argument);
	void *argument;
	/* In a child: its signals are its own. */
	void (*leave)(void *argument);
};

/* Until a signal comes; its sessions are ended then, and their requests put back. */
void watching_run(const struct watching *watching);

#endif
