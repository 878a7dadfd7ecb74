/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Days and times of a time zone, and seconds since 1970 UTC.
 *
 * A zone is a name of the time zone database ("Europe/Berlin") or a text of
 * POSIX ("CET-1CEST,M3.5.0,M10.5.0/3"). The library of C knows one zone at a
 * time, that of TZ: local_time_begin sets it, local_time_end puts back what
 * was there, and between them no other thread may ask for a local time or for
 * the environment. Nobody measures then.
 */
#ifndef VIGIL_SESSION_STORE_LOCAL_TIME_H
#define VIGIL_SESSION_STORE_LOCAL_TIME_H

#include "parser/control.h"

/*
 * Returns the zone of this process: TZ, or what /etc/localtime leads to; UTC0 when
 * neither tells. The caller frees it.
 */
char *local_time_zone(void);
/* Returns whether a zone is known here. */
bool local_time_known(const char *zone);

struct local_time {
	char *before; /* what TZ was, NULL none */
};

void local_time_begin(struct local_time *local, const char *zone);
void local_time_end(struct local_time *local);

enum local_moment {
	LOCAL_ONCE,
	LOCAL_TWICE, /* the clock is put back: the first of the two is given */
	LOCAL_NEVER, /* the clock is put forward: the moment at which it is, is given */
};

/* Returns the second at which a clock of the zone shows a minute of a day. */
enum local_moment local_time_at(const struct control_date *date, unsigned minute, int64_t *second);
/* The day and the minute of it that the clock shows. */
void local_time_of(int64_t second, struct control_date *date, unsigned *minute);
/* The next day of the calendar, and the day of the week, 0 Monday. */
void local_date_next(struct control_date *date);
unsigned local_date_weekday(const struct control_date *date);
/* Below, equal or above 0, as one date is before, on or after the other. */
int local_date_compare(const struct control_date *one, const struct control_date *other);

#endif
