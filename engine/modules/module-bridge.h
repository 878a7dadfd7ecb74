/* SPDX-License-Identifier: Apache-2.0 */
/* A registered module as a class of the engine, made for an operation. */
#ifndef VIGIL_ENGINE_MODULES_MODULE_BRIDGE_H
#define VIGIL_ENGINE_MODULES_MODULE_BRIDGE_H

#include "engine/modules/opened-data.h"

/* Lets the module declare what it does in the operation (VIGIL_PREPARE). */
void bridge_prepare(struct registered_module *registered_module);
/* Marks the module as unable to take part, with a message. */
void bridge_refuse(struct registered_module *registered_module, const char *reason);
/*
 * Adds it to the operation's engine, to take part or only as offered. One that was
 * refused takes part as one that fails to start, so that the modules depending on
 * it are notified. Returns -1 only for a reason other than the module; otherwise
 * the module is refused.
 */
int bridge_add(struct registered_module *registered_module, struct engine *inner, struct error *err);
/* Clears the data of an operation. */
void bridge_reset(struct registered_module *registered_module);

#endif
