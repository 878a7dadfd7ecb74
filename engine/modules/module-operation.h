/* SPDX-License-Identifier: Apache-2.0 */
/* An operation from its preparation to its end: the part common to clients and vigil's programs. */
#ifndef VIGIL_ENGINE_MODULES_MODULE_OPERATION_H
#define VIGIL_ENGINE_MODULES_MODULE_OPERATION_H

#include "engine/modules/opened-data.h"

/* Stores the operation, and lets the modules declare what they do in it. */
void operation_prepare(struct vigil_engine *engine, const struct vigil_operation *operation);
/*
 * Creates a new engine for it with the types of all registered modules, under the
 * ids that they have there.
 */
int operation_begin(struct vigil_engine *engine, struct error *err);
/*
 * Adds the registered modules to it. only: of those that take part, just those
 * with one of these capabilities; 0: all.
 */
int operation_add(struct vigil_engine *engine, uint32_t only, struct error *err);
/* Returns whether one of them caused err; that module is then refused, and err is emptied. */
bool operation_refuse(struct vigil_engine *engine, struct error *err);
/* Frees the operation's data, including its engine. */
void operation_drop(struct vigil_engine *engine);
/* Returns whether a module that takes part has one of the capabilities in it. */
bool operation_has(const struct vigil_engine *engine, uint32_t capabilities);

#endif
