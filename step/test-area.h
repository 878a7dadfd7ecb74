/* SPDX-License-Identifier: Apache-2.0 */
/* For tests: a transaction area in a file, written to as a measured program does. */
#ifndef VIGIL_STEP_TEST_AREA_H
#define VIGIL_STEP_TEST_AREA_H

#include "common/compat.h"
#include "step/changes.h"

struct test_area {
	char path[64];
	struct transaction_area *area;
	struct changes changes; /* the area as vigil reads it */
};

/* Makes an empty area with this many slots. */
void test_area_make(struct test_area *area, uint64_t slots);
/* Lets a thread name its transaction at a time; "": none. */
void test_area_change(struct test_area *area, uint32_t tid, uint64_t time, const char *name);
void test_area_drop(struct test_area *area);

#endif
