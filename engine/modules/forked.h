/* SPDX-License-Identifier: Apache-2.0 */
/* A copy of this process that does something which may end it. */
#ifndef VIGIL_ENGINE_MODULES_FORKED_H
#define VIGIL_ENGINE_MODULES_FORKED_H

#include "common/error.h"

#include <sys/types.h>

struct forked {
	pid_t pid; /* 0: none */
	int fd;	   /* a socket to it */
};

/*
 * Has a copy of this process call child with its end of the socket, and end. It
 * holds no other descriptors than the first three, ends with this process, has the
 * signals at their defaults and heeds no interruption from a terminal; exit in it
 * ends it at once, without what this process wants to do at its end.
 */
int forked_start(struct forked *forked, void (*child)(void *argument, int fd), void *argument,
		 struct error *err);
/* Returns whether there is something to read within so many ns. */
bool forked_wait(const struct forked *forked, uint64_t timeout);
/* Ends it, by force when it does not at once; how, unless NULL, gets what became of it. */
void forked_end(struct forked *forked, struct strbuf *how);

#endif
