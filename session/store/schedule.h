/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes when a request of the store starts next.
 *
 * Days:	STARTDATE	those days
 *		STARTDAY	these days of each week, until ENDDATE
 *		ENDDATE or COUNT without these two: each day
 *		STARTTIME alone: the next time of each, once
 * Times:	STARTTIME	minutes of such a day; none given: midnight
 *
 * A schedule is in the zone in which it was given (ZONE, or that of its maker): a
 * change of the machine's zone, or another host in another zone, changes nothing.
 * If the clock is put forward over a time, a schedule of days and weeks starts at
 * the moment of the change, and a STARTDATE is refused when it is given
 * (SCHEDULE_NEVER). If the clock is put back, so that it shows a time twice, the
 * schedule starts once, at the first of the two.
 *
 * The results depend only on the arguments, of which the current time is one.
 */
#ifndef VIGIL_SESSION_STORE_SCHEDULE_H
#define VIGIL_SESSION_STORE_SCHEDULE_H

#include "parser/control.h"

/*
 * Returns the first start after now, seconds since 1970; 0: none. given: when the
 * schedule was given, from which STARTTIME alone counts.
 */
int64_t schedule_next(const struct control_schedule *schedule, int64_t given, int64_t now,
		      const char *zone);

enum schedule_fault {
	SCHEDULE_GOOD,
	SCHEDULE_PAST,	/* all of it, or one of its dates and times, is before now */
	SCHEDULE_NEVER, /* the clock never shows one of its dates and times */
};

/* Checks a schedule that is given now; *date and *minute: the start that is wrong. */
enum schedule_fault schedule_check(const struct control_schedule *schedule, int64_t now,
				   const char *zone, struct control_date *date, unsigned *minute);
/* Appends "2026-11-27 22:00 CET", the time that a clock of the zone shows. */
void schedule_format(struct strbuf *sb, int64_t second, const char *zone);

#endif
