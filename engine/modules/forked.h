/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a function that may crash in a copy of this process. */
#ifndef VIGIL_ENGINE_MODULES_FORKED_H
#define VIGIL_ENGINE_MODULES_FORKED_H

#include "common/error.h"

#include <sys/types.h>

struct forked {
	pid_t pid; /* 0: none */
	int fd;	   /* socket to it */
};

/*
 * Starts a copy of this process, which calls child with its end of the socket, and
 * ends. It has no other descriptors than the first three, ends with this process,
 * has default signal actions and ignores interrupts from a terminal. exit in it
 * ends it at once, without the exit functions of this process.
 */
int forked_start(struct forked *forked, void (*child)(void *argument, int fd), void *argument,
		 struct error *err);
/* Returns whether there is something to read within timeout ns. */
bool forked_wait(const struct forked *forked, uint64_t timeout);
/* Ends the process, by force if it does not end at once; how, unless NULL, gets how it ended. */
void forked_end(struct forked *forked, struct strbuf *how);

#endif
