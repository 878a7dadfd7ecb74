/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A module in a process of its own, from VIGIL_START to VIGIL_END: when it
 * crashes, hangs or calls exit, it is switched off and the operation goes on.
 *
 * The process is a copy of this one, made before VIGIL_START. Each call is a
 * request over a socket; what the call brought comes back: records, messages,
 * what it wrote into the contexts. What the module is shown of snapshots goes
 * with the request, where it looks at any.
 */
#ifndef VIGIL_ENGINE_MODULES_APART_H
#define VIGIL_ENGINE_MODULES_APART_H

#include "engine/modules/opened-data.h"

/* Returns whether a module is to have a process: it was loaded and does not say VIGIL_TOGETHER. */
bool apart_is_for(const struct known *known);
/* Gives it one. */
int apart_start(struct known *known, struct error *err);
/* As module_call. A process that did not answer is gone afterwards. */
int apart_call(struct known *known, uint32_t what, struct snapshot *snapshot);
/* Ends the process, if there is one. */
void apart_end(struct known *known);

#endif
