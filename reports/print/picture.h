/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pictures of a session; each has the same name in every format: a page of a PDF,
 * an SVG, a PNG. They show what the reports show, with the same sums.
 *
 * 	time		the run over time: the step, its waits, threads, files
 * 	run		what the step did with its run time, a pie
 * 	cpu		CPU time by section, a pie
 * 	waits		run time by what was waited for, bars
 * 	flame		call stacks of CPU time, callers above callees
 * 	wait-flame	the same for run time waited
 */
#ifndef VIGIL_REPORTS_PRINT_PICTURE_H
#define VIGIL_REPORTS_PRINT_PICTURE_H

#include "profile/profile.h"
#include "reports/print/sheets.h"

struct picture_area {
	double x, y, width, height;
};

struct picture {
	const char *name, *title;
	/* Returns the height it needs, points; 0 if a session has nothing to show. */
	double (*height)(const struct profile *profile);
	/* Draws into the area of the last sheet. resolution: as in profile/call-places.h. */
	void (*draw)(struct sheets *sheets, const struct profile *profile, const struct picture_area *area,
		     unsigned resolution);
};

/* Height of a picture that takes all there is. */
#define PICTURE_ALL 1e6

extern const struct picture picture_time, picture_run, picture_cpu, picture_waits, picture_flame,
	picture_wait_flame;
extern const struct picture *const pictures[];
extern const size_t picture_count;

/* Returns a picture by its name, NULL if there is none. */
const struct picture *picture_find(const char *name);
/* Appends "time, run, ..." */
void picture_names(struct strbuf *sb);
/* Makes sheets with one sheet that has the picture and its title; the caller releases them. */
void picture_sheet(struct sheets *sheets, const struct picture *picture, const struct profile *profile,
		   const char *title, double width, double height, unsigned resolution);

#endif
