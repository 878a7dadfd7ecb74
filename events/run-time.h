/* SPDX-License-Identifier: Apache-2.0 */
/* What belongs to the run time, and not to the application: left out unless FNAT=ON. */
#ifndef VIGIL_EVENTS_RUN_TIME_H
#define VIGIL_EVENTS_RUN_TIME_H

#include <stdbool.h>

/* Whether an object is of the run time, by its file name without folders. */
bool event_is_run_time(const char *object);

#endif
