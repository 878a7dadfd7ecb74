/* SPDX-License-Identifier: Apache-2.0 */
/* Names a command line by the script that an interpreter runs, not by the interpreter. */
#ifndef VIGIL_SESSION_COMMANDS_SCRIPT_NAME_H
#define VIGIL_SESSION_COMMANDS_SCRIPT_NAME_H

/*
 * Returns the last part of the script's path, of the module's name (python3 -m
 * NAME, cobcrun NAME), or of argv[0] if that is no known interpreter or gets its
 * program in another way (-c, standard input). Borrowed from argv, which is
 * NULL-terminated and has at least argv[0].
 */
const char *script_name(char *const *argv);

#endif
