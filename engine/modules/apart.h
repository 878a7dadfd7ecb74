/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a module in a separate process, from VIGIL_START to VIGIL_END: when it
 * crashes, hangs or calls exit, it is switched off and the operation continues.
 *
 * The process is a copy of this one, made before VIGIL_START. Each call is a
 * request over a socket; its results are sent back: records, messages, changes of
 * the contexts. Parts of snapshots that the module may read are sent with the
 * request.
 */
#ifndef VIGIL_ENGINE_MODULES_APART_H
#define VIGIL_ENGINE_MODULES_APART_H

#include "engine/modules/opened-data.h"

/* Returns whether a module gets a process: it was loaded and has no VIGIL_TOGETHER. */
bool apart_is_for(const struct known *known);
/* Starts the process of a module. */
int apart_start(struct known *known, struct error *err);
/* Calls the module like module_call. If the process does not answer, it is ended. */
int apart_call(struct known *known, uint32_t what, struct snapshot *snapshot);
/* Ends the process, if there is one. */
void apart_end(struct known *known);

#endif
