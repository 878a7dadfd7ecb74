/* SPDX-License-Identifier: Apache-2.0 */
/* Finds and starts the command that vigil run measures. */
#ifndef VIGIL_SESSION_COMMANDS_START_COMMAND_H
#define VIGIL_SESSION_COMMANDS_START_COMMAND_H

#include "session/measure/gate.h"

#define EXIT_NOT_EXECUTABLE 126
#define EXIT_NOT_FOUND 127

/*
 * Finds the file of a program: returns 0 with its path in *path, which the caller
 * frees; EXIT_NOT_FOUND or EXIT_NOT_EXECUTABLE with the reason, and *path NULL.
 */
int start_command_find(const char *program, char **path, struct error *err);
/*
 * Starts the child, which waits at the gate. Its signals are as before
 * signals_catch. environment: "NAME=value", NULL-terminated; preload: a library to
 * preload before those of the command's environment, or NULL. -1: no child was
 * created.
 */
int start_command_begin(struct gate *gate, char **argv, const char *const *environment,
		  const char *preload, struct error *err);

#endif
