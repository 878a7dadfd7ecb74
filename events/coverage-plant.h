/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plants breakpoints from outside: into processes of a step that ran before
 * collecting was started, by another than themselves. Which those are, is seen
 * in their mappings: they have the coverage area, and the object.
 */
#ifndef VIGIL_EVENTS_COVERAGE_PLANT_H
#define VIGIL_EVENTS_COVERAGE_PLANT_H

#include "events/coverage-served.h"

/* Plant into what is not marked of an object, in all processes that have mapped area. */
void coverage_plant(int area, const struct coverage_served *served);

#endif
