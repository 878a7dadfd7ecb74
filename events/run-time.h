/* SPDX-License-Identifier: Apache-2.0 */
/* Objects of run times rather than of the application: left out unless FNAT=ON. */
#ifndef VIGIL_EVENTS_RUN_TIME_H
#define VIGIL_EVENTS_RUN_TIME_H

#include <stdbool.h>

/* Returns whether an object belongs to a run time, by its file name without folders. */
bool event_is_run_time(const char *object);

#endif
