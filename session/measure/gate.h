/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The gate before a step's exec: a child that waits until the measurement
 * follows it, becomes the program when it is let go, and tells what failed on
 * the way.
 *
 * Parent and child hold the two ends of one socket. The child waits for a byte
 * in it; what fails in the child is sent back through it; an exec that
 * succeeds closes the child's end. A child whose parent dies ends.
 */
#ifndef VIGIL_SESSION_MEASURE_GATE_H
#define VIGIL_SESSION_MEASURE_GATE_H

#include "common/error.h"

#include <sys/types.h>

struct gate {
	pid_t pid;
	int fd;	       /* the parent's end; -1: closed */
	int failure;   /* errno of what failed in the child, 0: nothing, or not known yet */
	char what[16]; /* what failed: the text given to gate_fail */
};

/*
 * Fork a child that runs become, which waits at the gate (fd) and ends in an
 * exec or in gate_fail. subject is named in the message. -1: there is no child.
 */
int gate_fork(struct gate *gate, const char *subject, void (*become)(void *argument, int fd),
	      void *argument, struct error *err);
/* Let the child go on to its exec. A child that ended already is no error. */
void gate_open(struct gate *gate);
/* Find out what failed, and close. wait: until the child became the program or failed. */
void gate_close(struct gate *gate, bool wait);

/* In the child; both are async-signal-safe. */

/* Wait to be let go; ends the process with a status when the parent is gone or a signal comes. */
void gate_wait(int fd, int status);
/* Tell errno and what failed, at most 15 characters, and end the process with a status. */
NORETURN void gate_fail(int fd, const char *what, int status);

#endif
