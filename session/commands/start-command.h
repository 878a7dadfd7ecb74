/* SPDX-License-Identifier: Apache-2.0 */
/* Finds and starts the command that vigil run measures. */
#ifndef VIGIL_SESSION_COMMANDS_START_COMMAND_H
#define VIGIL_SESSION_COMMANDS_START_COMMAND_H

#include "session/measure/gate.h"

#define EXIT_NOT_EXECUTABLE 126
#define EXIT_NOT_FOUND 127

/*
 * Whether a program could be executed: 0 with its file in *path, which the caller frees;
 * EXIT_NOT_FOUND or EXIT_NOT_EXECUTABLE with the reason, and *path NULL.
 */
int start_command_find(const char *program, char **path, struct error *err);
/*
 * Start the child, which waits at the gate. Its signals are as they were
 * before signals_catch. environment: "NAME=value", NULL at the end; preload: a
 * library to be preloaded before what the command's environment names, or NULL.
 * -1: there is no child.
 */
int start_command_begin(struct gate *gate, char **argv, const char *const *environment,
		  const char *preload, struct error *err);

#endif
