/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The event handler of the command that vigil run measures: run-time options from
 * _CEE_RUNOPTS and the RUNOPTS of the statements, as for the step of a job; and what
 * the child is given so that it loads the handler.
 */
#ifndef VIGIL_SESSION_COMMANDS_RUN_HANDLER_H
#define VIGIL_SESSION_COMMANDS_RUN_HANDLER_H

#include "parser/control.h"

struct run_handler {
	char *path;	      /* of the handler; NULL none */
	const char **environment; /* NAME=value, NULL at the end */
	char *handler, *string;	  /* two of them */
	char *preload;		  /* libraries; NULL none */
};

/*
 * Choose it, with messages where it cannot be had: CEEEVPRF.so in the folders of VIGIL_STEPLIB, or
 * in that of the program, whose path is given. environment and preload are what the child gets
 * without it; they are in the handler's, and borrowed.
 */
void run_handler_choose(struct run_handler *handler, const struct control_deck *deck,
			const char *program, const char *const *environment, const char *preload);
void run_handler_release(struct run_handler *handler);

#endif
