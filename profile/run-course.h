/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When the rows of a profile were: the run cut into slices of equal length,
 * and for each row of cpu and waits the slices it has something in, in order.
 * What a row has in all its slices adds up to the row, to the last sample and
 * nanosecond.
 *
 * It is kept where somebody shows parts of the run (profile_load_course); all
 * others do without. Slices become twice as long whenever there would be too
 * many of them, or too many cells: memory is bounded by the number of rows.
 */
#ifndef VIGIL_PROFILE_RUN_COURSE_H
#define VIGIL_PROFILE_RUN_COURSE_H

#include "common/compat.h"

/* At most so many slices. A run that is longer than a fifth of a second has at least half of them,
   unless there would be too many cells. */
#define COURSE_SLICES 256

struct course_cell {
	uint32_t slice;
	uint64_t amount;  /* samples; ns waited by the task */
	uint64_t charged; /* of waits: ns laid at the step */
};

struct course_row {
	struct course_cell *cells; /* owned; by rising slice */
	size_t count, alloc;
};

/* Rows by their number in the profile. All zero is an empty one. */
struct course_rows {
	struct course_row *items;
	size_t count, alloc;
};

/* What of a course is kept. */
enum course_parts {
	COURSE_NONE,
	COURSE_OF_WAITS,
	COURSE_WHOLE,
};

struct run_course {
	uint64_t start;	    /* ns monotonic, of slice 0 */
	uint64_t width;	    /* ns a slice */
	size_t slices;	    /* used: one more than the last that anything is in */
	size_t cells, most; /* of all rows; above most slices are made longer */
	struct course_rows cpu, waits;
};

/* Begin with nothing; start is when the first slice begins. */
struct run_course *run_course_new(uint64_t start);
/* Free it; NULL is allowed. */
void run_course_free(struct run_course *course);
/* Add to a row what was at one moment; one before the start is in the first slice. */
void run_course_add(struct run_course *course, struct course_rows *rows, size_t row, uint64_t time,
		uint64_t amount);
/* Add to a row what was spread evenly from start to end. */
void run_course_spread(struct run_course *course, struct course_rows *rows, size_t row, uint64_t start,
		   uint64_t end, uint64_t amount, uint64_t charged);

#endif
