/* SPDX-License-Identifier: Apache-2.0 */
/* When the rows of a profile occurred, in slices of the run. */
#include "common/compat.h"
#include "profile/run-course.h"
#include "common/clock.h"
#include "common/xalloc.h"

#define FIRST_WIDTH NSEC_PER_MSEC
/* 24 bytes each. */
#define CELLS_MAX 1000000
/* Minimum number of slices, however many cells there are. */
#define SLICES_MIN 16

struct run_course *run_course_new(uint64_t start)
{
	struct run_course *course = xcalloc(1, sizeof(*course));

	course->start = start;
	course->width = FIRST_WIDTH;
	course->cells_limit = CELLS_MAX;
	return course;
}

static void rows_release(struct course_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		free(rows->items[i].cells);
	free(rows->items);
}

void run_course_free(struct run_course *course)
{
	if (!course)
		return;
	rows_release(&course->cpu);
	rows_release(&course->waits);
	free(course);
}

/* Merges the slices of a row in pairs; returns how many cells it has then. */
static size_t halve_row(struct course_row *row)
{
	size_t kept = 0;

	for (size_t i = 0; i < row->count; i++) {
		struct course_cell cell = row->cells[i];

		cell.slice /= 2;
		if (kept && row->cells[kept - 1].slice == cell.slice) {
			row->cells[kept - 1].amount += cell.amount;
			row->cells[kept - 1].charged += cell.charged;
		} else {
			row->cells[kept++] = cell;
		}
	}
	row->count = kept;
	return kept;
}

/* Doubles the length of the slices. */
static void halve(struct run_course *course)
{
	course->cells = 0;
	for (size_t i = 0; i < course->cpu.count; i++)
		course->cells += halve_row(&course->cpu.items[i]);
	for (size_t i = 0; i < course->waits.count; i++)
		course->cells += halve_row(&course->waits.items[i]);
	course->width *= 2;
	course->slices = (course->slices + 1) / 2;
}

/* Returns the slice of a moment, first lengthening slices if there are too many up to it. */
static uint32_t slice_of(struct run_course *course, uint64_t time)
{
	uint64_t since = time > course->start ? time - course->start : 0;

	while (since / course->width >= COURSE_SLICES)
		halve(course);
	return (uint32_t)(since / course->width);
}

static struct course_row *row_at(struct course_rows *rows, size_t number)
{
	while (rows->count <= number) {
		GROW(rows->items, rows->count + 1, rows->alloc);
		rows->items[rows->count++] = (struct course_row){ 0 };
	}
	return &rows->items[number];
}

/* Adds to one slice of a row. Times rise almost always, so its position is near the end. */
static void put(struct run_course *course, struct course_rows *rows, size_t number,
		const struct course_cell *cell)
{
	struct course_row *row = row_at(rows, number);
	size_t at = row->count;

	while (at && row->cells[at - 1].slice > cell->slice)
		at--;
	if (at && row->cells[at - 1].slice == cell->slice) {
		row->cells[at - 1].amount += cell->amount;
		row->cells[at - 1].charged += cell->charged;
		return;
	}
	GROW(row->cells, row->count + 1, row->alloc);
	memmove(row->cells + at + 1, row->cells + at, (row->count - at) * sizeof(*row->cells));
	row->cells[at] = *cell;
	row->count++;
	course->cells++;
	if (cell->slice >= course->slices)
		course->slices = (size_t)cell->slice + 1;
}

/* Merges slices if there are too many cells. */
static void limit(struct run_course *course)
{
	while (course->cells > course->cells_limit && course->slices > SLICES_MIN)
		halve(course);
}

void run_course_add(struct run_course *course, struct course_rows *rows, size_t row, uint64_t time,
		uint64_t amount)
{
	put(course, rows, row,
	    &(struct course_cell){ .slice = slice_of(course, time), .amount = amount });
	limit(course);
}

/* Returns the part of an amount that has accrued after passed of length ns. */
static uint64_t part(uint64_t amount, uint64_t passed, uint64_t length)
{
	return (uint64_t)((unsigned __int128)amount * passed / length);
}

void run_course_spread(struct run_course *course, struct course_rows *rows, size_t row, uint64_t start,
		   uint64_t end, uint64_t amount, uint64_t charged)
{
	uint32_t last = slice_of(course, end > start ? end - 1 : start);
	uint32_t first = slice_of(course, start);
	uint64_t length = end > start ? end - start : 1, done = 0, done_charged = 0;

	for (uint32_t slice = first; slice <= last; slice++) {
		uint64_t edge = course->start + (slice + 1) * course->width;
		uint64_t passed = slice == last ? length : edge > start ? edge - start : 0;
		struct course_cell cell = { .slice = slice };

		cell.amount = part(amount, passed, length) - done;
		cell.charged = part(charged, passed, length) - done_charged;
		done += cell.amount;
		done_charged += cell.charged;
		if (cell.amount || cell.charged)
			put(course, rows, row, &cell);
	}
	limit(course);
}
