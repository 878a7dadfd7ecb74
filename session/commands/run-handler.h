/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Event handler of the command that vigil run measures: evaluates the run-time
 * options of _CEE_RUNOPTS and of RUNOPTS statements, as for the step of a job, and
 * builds the environment that makes the child load the handler.
 */
#ifndef VIGIL_SESSION_COMMANDS_RUN_HANDLER_H
#define VIGIL_SESSION_COMMANDS_RUN_HANDLER_H

#include "parser/control.h"

struct run_handler {
	char *path;	      /* path of the handler; NULL: none */
	const char **environment; /* NAME=value, NULL-terminated */
	char *handler, *string;	  /* two entries of environment */
	char *preload;		  /* libraries; NULL: none */
};

/*
 * Chooses the handler, with messages if it is not available: CEEEVPRF.so in the
 * folders of VIGIL_STEPLIB, or in the folder of the program, whose path is given.
 * environment and preload are what the child gets without a handler; they are
 * included in the result, and borrowed.
 */
void run_handler_choose(struct run_handler *handler, const struct control_deck *deck,
			const char *program, const char *const *environment, const char *preload);
void run_handler_release(struct run_handler *handler);

#endif
