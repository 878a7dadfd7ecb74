/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plants breakpoints from outside, into running processes of a step when another
 * process starts collecting. Processes that are concerned are recognized by their
 * mappings: they have the coverage area, and the object.
 */
#ifndef VIGIL_EVENTS_COVERAGE_PLANT_H
#define VIGIL_EVENTS_COVERAGE_PLANT_H

#include "events/coverage-served.h"

/* Plants at the places of an object that are not marked, in all processes that have mapped area. */
void coverage_plant(int area, const struct coverage_served *served);

#endif
