/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The gate before a step's exec: a child waits until the measurement follows it,
 * becomes the program when it is released, and reports what failed on the way.
 *
 * Parent and child hold the two ends of one socket. The child waits for a byte
 * from it; a failure in the child is sent back through it; a successful exec
 * closes the child's end. If the parent dies, the child ends.
 */
#ifndef VIGIL_SESSION_MEASURE_GATE_H
#define VIGIL_SESSION_MEASURE_GATE_H

#include "common/error.h"

#include <sys/types.h>

struct gate {
	pid_t pid;
	int fd;	       /* the parent's end; -1: closed */
	int failure;   /* errno of the failure in the child; 0: none, or not yet received */
	char what[16]; /* what failed: the text given to gate_fail */
};

/*
 * Forks a child that runs become, which waits at the gate (fd) and ends in an exec
 * or in gate_fail. subject is named in the error message. -1: no child was
 * created.
 */
int gate_fork(struct gate *gate, const char *subject, void (*become)(void *argument, int fd),
	      void *argument, struct error *err);
/* Lets the child continue to its exec. A child that has already ended is no error. */
void gate_open(struct gate *gate);
/*
 * Reads the failure, if any, and closes the gate. wait: until the child becomes
 * the program or fails.
 */
void gate_close(struct gate *gate, bool wait);

/* For the child; both are async-signal-safe. */

/* Waits for the release; ends the process with status if the parent is gone or a signal arrives. */
void gate_wait(int fd, int status);
/* Reports errno and what failed (at most 15 characters), and ends the process with status. */
NORETURN void gate_fail(int fd, const char *what, int status);

#endif
