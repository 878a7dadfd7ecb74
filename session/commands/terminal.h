/* SPDX-License-Identifier: Apache-2.0 */
/* Reading on a terminal: how wide it is, and a pager between it and standard output. */
#ifndef VIGIL_SESSION_COMMANDS_TERMINAL_H
#define VIGIL_SESSION_COMMANDS_TERMINAL_H

#include <stdbool.h>
#include <sys/types.h>

/* Columns of the terminal that a descriptor is; 0: it is none, or does not say. */
unsigned terminal_columns(int fd);

struct pager {
	pid_t pid; /* 0: there is none */
	int out, err; /* what standard output and error were; err -1: it is left alone */
	void (*interrupt)(int number); /* what SIGINT did */
};

/*
 * Let what is written to standard output, and to standard error where that is the same terminal, go
 * through VIGIL_PAGER, PAGER or less -FRSX, whichever is there first; an empty one or cat is none. When
 * nothing can be started there is no pager, and all goes on without it.
 */
void pager_begin(struct pager *pager);
/* Let the reader come to the end; whether there was a pager that could be run. */
bool pager_end(struct pager *pager);

#endif
