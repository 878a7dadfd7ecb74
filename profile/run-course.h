/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When the rows of a profile occurred: the run is divided into slices of equal
 * length, and each row of cpu and waits has the slices with a nonzero amount, in
 * order. The slices of a row add up to the row, to the last sample and nanosecond.
 *
 * It is kept only for readers that show parts of the run (profile_load_course).
 * Slices double in length whenever there would be too many of them, or too many
 * cells: memory is bounded by the number of rows.
 */
#ifndef VIGIL_PROFILE_RUN_COURSE_H
#define VIGIL_PROFILE_RUN_COURSE_H

#include "common/compat.h"

/*
 * Maximum number of slices. A run longer than a fifth of a second has at least
 * half as many, unless there would be too many cells.
 */
#define COURSE_SLICES 256

struct course_cell {
	uint32_t slice;
	uint64_t amount;  /* samples; ns waited by the task */
	uint64_t charged; /* of waits: ns charged to the step */
};

struct course_row {
	struct course_cell *cells; /* owned; sorted by slice */
	size_t count, alloc;
};

/* Rows by their number in the profile. All zero is an empty one. */
struct course_rows {
	struct course_row *items;
	size_t count, alloc;
};

/* Which parts of a course are kept. */
enum course_parts {
	COURSE_NONE,
	COURSE_OF_WAITS,
	COURSE_WHOLE,
};

struct run_course {
	uint64_t start;	    /* of slice 0, ns monotonic */
	uint64_t width;	    /* ns per slice */
	size_t slices;	    /* in use: one more than the last nonempty slice */
	size_t cells, cells_limit; /* of all rows; slices are lengthened when cells exceeds most */
	struct course_rows cpu, waits;
};

/* Makes an empty course whose first slice begins at start. */
struct run_course *run_course_new(uint64_t start);
/* Frees a course; NULL is allowed. */
void run_course_free(struct run_course *course);
/* Adds an amount at one moment to a row; a moment before the start goes into the first slice. */
void run_course_add(struct run_course *course, struct course_rows *rows, size_t row, uint64_t time,
		uint64_t amount);
/* Adds an amount to a row, spread evenly from start to end. */
void run_course_spread(struct run_course *course, struct course_rows *rows, size_t row, uint64_t start,
		   uint64_t end, uint64_t amount, uint64_t charged);

#endif
