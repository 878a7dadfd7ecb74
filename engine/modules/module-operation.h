/* SPDX-License-Identifier: Apache-2.0 */
/* An operation from its preparation to its end, as far as clients and programs of vigil's own share
 * it. */
#ifndef VIGIL_ENGINE_MODULES_MODULE_OPERATION_H
#define VIGIL_ENGINE_MODULES_MODULE_OPERATION_H

#include "engine/modules/opened-data.h"

/* Takes the operation over, and let the modules say what they do in it. */
void operation_prepare(struct vigil_engine *engine, const struct vigil_operation *operation);
/* A new engine for it that has the types of all known modules, under the ids they have there. */
int operation_begin(struct vigil_engine *engine, struct error *err);
/*
 * Adds the known modules to it. only: of those that take part, those that have one
 * of these capabilities; 0: all.
 */
int operation_add(struct vigil_engine *engine, uint32_t only, struct error *err);
/* Returns whether one of them was to blame for err; it is refused then, and err is empty. */
bool operation_refuse(struct vigil_engine *engine, struct error *err);
/* Lets go what it had, its engine too. */
void operation_drop(struct vigil_engine *engine);
/* Returns whether a module that takes part has one of the capabilities in it. */
bool operation_has(const struct vigil_engine *engine, uint32_t capabilities);

#endif
