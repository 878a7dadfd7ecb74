/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When a request of the store begins next.
 *
 * Days:	STARTDATE	those days
 *		STARTDAY	these days of each week, until ENDDATE
 *		ENDDATE or COUNT without these two: each day
 *		STARTTIME alone: the next time of each, once
 * Times:	STARTTIME	minutes of such a day; none given: midnight
 *
 * A schedule is in the zone in which it was given (ZONE, or that of its
 * maker): a change of the machine's zone, or another host in another zone,
 * changes nothing. Where the clock is put forward over a time, a schedule of
 * days and weeks begins at the moment of the change, and a STARTDATE is
 * refused when it is given (SCHEDULE_NEVER); where the clock is put back, so
 * that it shows the time twice, it begins at the first of the two, once.
 *
 * All of this depends on its arguments alone: now is one, too.
 */
#ifndef VIGIL_SESSION_STORE_SCHEDULE_H
#define VIGIL_SESSION_STORE_SCHEDULE_H

#include "parser/control.h"

/*
 * The first start after now, seconds since 1970; 0: there is none any more.
 * given: when the schedule was given, which STARTTIME alone counts from.
 */
int64_t schedule_next(const struct control_schedule *schedule, int64_t given, int64_t now,
		      const char *zone);

enum schedule_fault {
	SCHEDULE_GOOD,
	SCHEDULE_PAST,	/* all of it, or a date and time of it, is before now */
	SCHEDULE_NEVER, /* a clock never shows one of its dates and times */
};

/* What is wrong with a schedule that is given now; *date and *minute: with which of its starts. */
enum schedule_fault schedule_check(const struct control_schedule *schedule, int64_t now,
				   const char *zone, struct control_date *date, unsigned *minute);
/* Appends "2026-11-27 22:00 CET", a second as a clock of the zone shows it. */
void schedule_format(struct strbuf *sb, int64_t second, const char *zone);

#endif
