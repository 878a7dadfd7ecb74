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
bool separate_process_is_for(const struct registered_module *registered_module);
/* Starts the process of a module. */
int separate_process_start(struct registered_module *registered_module, struct error *err);
/* Calls the module like module_call. If the process does not answer, it is ended. */
int separate_process_call(struct registered_module *registered_module, uint32_t what, struct snapshot *snapshot);
/* Ends the process, if there is one. */
void separate_process_end(struct registered_module *registered_module);

#endif
