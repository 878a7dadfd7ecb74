/* SPDX-License-Identifier: Apache-2.0 */
/* A known module as a class of the engine, made for an operation. */
#ifndef VIGIL_ENGINE_MODULES_MODULE_BRIDGE_H
#define VIGIL_ENGINE_MODULES_MODULE_BRIDGE_H

#include "engine/modules/opened-data.h"

/* Lets the module say what it does in the operation (VIGIL_PREPARE). */
void bridge_prepare(struct known *known);
/* Notes that the module cannot take part, with a message. */
void bridge_refuse(struct known *known, const char *reason);
/*
 * Adds it to the operation's engine: to take part, or only known. One that was
 * refused takes part as one that fails to start, so that those who depend on it
 * are told. -1: only for another reason than the module, which is refused then.
 */
int bridge_add(struct known *known, struct engine *inner, struct error *err);
/* Forgets what belongs to an operation. */
void bridge_reset(struct known *known);

#endif
