/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For tests with damaged ELF files: does everything the sampler does with an
 * object, on given bytes.
 */
#ifndef VIGIL_PROGRAM_UNWIND_TEST_CFI_DAMAGE_H
#define VIGIL_PROGRAM_UNWIND_TEST_CFI_DAMAGE_H

#include "common/compat.h"

struct damage_counts {
	size_t functions, rows, routines, frames;
};

/* Makes a file of the bytes and uses it as an object in every way; counts the results. */
void damage_exercise(const unsigned char *bytes, size_t size, struct damage_counts *counts);

#endif
