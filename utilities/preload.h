/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Return codes above 255. vigil preloads a library into a step's program that
 * keeps them; its own programs are told the library's path in VIGIL_PRELOAD
 * instead, and those that run others' code hand it on.
 */
#ifndef VIGIL_UTILITIES_PRELOAD_H
#define VIGIL_UTILITIES_PRELOAD_H

/* The program that this process becomes has the library preloaded. */
void preload_hand_on(void);
/* The return code, or "U0012 why" of an abend, of the step's own process. */
void preload_keep(const char *text);

#endif
