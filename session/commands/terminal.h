/* SPDX-License-Identifier: Apache-2.0 */
/* Output to a terminal: its width, and a pager between it and standard output. */
#ifndef VIGIL_SESSION_COMMANDS_TERMINAL_H
#define VIGIL_SESSION_COMMANDS_TERMINAL_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Returns the number of columns of the terminal at a descriptor; 0: no terminal,
 * or its width is unknown.
 */
unsigned terminal_columns(int fd);

struct pager {
	pid_t pid; /* 0: no pager */
	int out, err; /* saved standard output and standard error; err -1: unchanged */
	void (*interrupt)(int number); /* saved handler of SIGINT */
};

/*
 * Sends standard output, and standard error if it is the same terminal, through
 * the first that is set of VIGIL_PAGER, PAGER and less -FRSX; an empty one or cat
 * means no pager. If none can be started, output goes directly to the terminal.
 */
void pager_begin(struct pager *pager);
/* Waits for the pager to end; returns whether there was a pager that could be run. */
bool pager_end(struct pager *pager);

#endif
