/* SPDX-License-Identifier: Apache-2.0 */
/* What a command line is about: the script that an interpreter is given, not the interpreter. */
#ifndef VIGIL_SESSION_COMMANDS_SCRIPT_NAME_H
#define VIGIL_SESSION_COMMANDS_SCRIPT_NAME_H

/*
 * The last part of the script's path, of the module's name (python3 -m NAME, cobcrun NAME), or
 * of argv[0] where that is no interpreter that is known, or is given its program some other
 * way (-c, standard input). Borrowed from argv, which ends with NULL and has at least argv[0].
 */
const char *script_name(char *const *argv);

#endif
