/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The TIMER of an operation without a timer module: a snapshot at each interval of
 * the global context, from its start time to its end time, at most its count. Idle
 * in extractions.
 */
#ifndef VIGIL_ENGINE_MODULES_MODULE_CLOCK_H
#define VIGIL_ENGINE_MODULES_MODULE_CLOCK_H

#include "engine/modules/opened-data.h"

/* Its context is the struct vigil_engine. */
extern const struct module_class module_clock_class;

#endif
