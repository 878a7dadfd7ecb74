/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Converts between days and times of a time zone and seconds since 1970 UTC.
 *
 * A zone is a name of the time zone database ("Europe/Berlin") or a POSIX string
 * ("CET-1CEST,M3.5.0,M10.5.0/3"). The C library handles one zone at a time, that
 * of TZ: local_time_begin sets it, local_time_end restores the old value. Between
 * them no other thread may use local times or the environment; no measurement runs
 * then.
 */
#ifndef VIGIL_SESSION_STORE_LOCAL_TIME_H
#define VIGIL_SESSION_STORE_LOCAL_TIME_H

#include "parser/control.h"

/*
 * Returns the zone of this process: TZ, or the target of /etc/localtime; UTC0 if
 * neither is usable. The caller frees it.
 */
char *local_time_zone(void);
/* Returns whether a zone can be used on this machine. */
bool local_time_known(const char *zone);

struct local_time {
	char *before; /* previous value of TZ; NULL: not set */
};

void local_time_begin(struct local_time *local, const char *zone);
void local_time_end(struct local_time *local);

enum local_moment {
	LOCAL_ONCE,
	LOCAL_TWICE, /* the clock is put back: the first of the two moments is returned */
	LOCAL_NEVER, /* the clock is put forward: the moment of the change is returned */
};

/* Sets *second to the moment at which a clock of the zone shows a minute of a day. */
enum local_moment local_time_at(const struct control_date *date, unsigned minute, int64_t *second);
/* Sets the day and the minute of the day that the clock shows. */
void local_time_of(int64_t second, struct control_date *date, unsigned *minute);
/* Advances a date to the next day; returns the day of the week, 0 Monday. */
void local_date_next(struct control_date *date);
unsigned local_date_weekday(const struct control_date *date);
/* Returns a value below, equal to or above 0 as one is before, on or after other. */
int local_date_compare(const struct control_date *one, const struct control_date *other);

#endif
