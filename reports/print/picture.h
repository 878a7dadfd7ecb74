/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pictures of a session, each of one name on every form: a page of a PDF, an
 * SVG, a PNG. They show what the reports show, with the same sums.
 *
 *	time		the run through time: the step, its waits, threads, files
 *	run		what the step did with its run time, a pie
 *	cpu		CPU time by section, a pie
 *	waits		run time by what was waited for, bars
 *	flame		call stacks of CPU time, callers above callees
 *	wait-flame	the same of run time waited
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
	/* The height that is enough for it, points; 0 where a session has nothing to show. */
	double (*height)(const struct profile *profile);
	/* Draw into the area of the last sheet. resolution: as in profile/call-places.h. */
	void (*draw)(struct sheets *sheets, const struct profile *profile, const struct picture_area *area,
		     unsigned resolution);
};

/* Height of one that takes all there is. */
#define PICTURE_ALL 1e6

extern const struct picture picture_time, picture_run, picture_cpu, picture_waits, picture_flame,
	picture_wait_flame;
extern const struct picture *const pictures[];
extern const size_t picture_count;

/* A picture by its name, NULL there is none. */
const struct picture *picture_find(const char *name);
/* Append "time, run, ..." */
void picture_names(struct strbuf *sb);
/* Make sheets of one sheet with the picture and its title; the caller releases them. */
void picture_sheet(struct sheets *sheets, const struct picture *picture, const struct profile *profile,
		   const char *title, double width, double height, unsigned resolution);

#endif
