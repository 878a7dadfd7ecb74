/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Return codes above 255. vigil preloads a library into a step's program that
 * stores them. vigil's utilities get the library's path in VIGIL_PRELOAD instead;
 * those that run other programs pass it on.
 */
#ifndef VIGIL_UTILITIES_PRELOAD_H
#define VIGIL_UTILITIES_PRELOAD_H

/* Has the library preloaded into the program that this process is about to execute. */
void preload_pass_on(void);
/*
 * Stores the step's return code, or "U0012 why" of an abend. Does nothing in other
 * processes than the step's.
 */
void preload_store_code(const char *text);

#endif
