/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Clocks, and times formatted as text. Times inside a session are nanoseconds of
 * CLOCK_MONOTONIC; wall-clock times are nanoseconds since 1970 UTC.
 */
#ifndef VIGIL_COMMON_CLOCK_H
#define VIGIL_COMMON_CLOCK_H

#include "common/strbuf.h"

#include <sys/time.h>
#include <time.h>

#define NSEC_PER_SEC UINT64_C(1000000000)
#define NSEC_PER_MSEC UINT64_C(1000000)
#define NSEC_PER_USEC UINT64_C(1000)

/* Converts a struct timespec to ns. */
static inline uint64_t clock_timespec_ns(const struct timespec *time)
{
	return (uint64_t)time->tv_sec * NSEC_PER_SEC + (uint64_t)time->tv_nsec;
}
static inline uint64_t clock_timeval_ns(const struct timeval *time)
{
	return (uint64_t)time->tv_sec * NSEC_PER_SEC + (uint64_t)time->tv_usec * NSEC_PER_USEC;
}
/* Returns the current time of a system clock in ns; 0 if the system has no clock with this id. */
uint64_t clock_read_ns(clockid_t id);
uint64_t clock_monotonic_ns(void);
uint64_t clock_wall_ns(void);
/* Appends "2026-11-20 21:34:05" in local time. */
void clock_format_wall(struct strbuf *sb, uint64_t wall_ns);
/* Appends "21:34:05" in local time. */
void clock_format_wall_time(struct strbuf *sb, uint64_t wall_ns);
/* Appends minutes, seconds and hundredths as "mm.ss.hh", the format of the listings. */
void clock_format_mmsshh(struct strbuf *sb, uint64_t duration_ns);
/* Appends "0.410 ms", "12.30 s", "2 min 03.4 s" for a duration in ns. */
void clock_format_duration(struct strbuf *sb, uint64_t ns);

#endif
