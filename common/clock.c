/* SPDX-License-Identifier: Apache-2.0 */
/* Clocks, and times formatted as text. */
#include "common/compat.h"
#include "common/clock.h"
#include "common/outside.h"

#include <time.h>

uint64_t clock_read_ns(clockid_t id)
{
	return outside_clock(id);
}

uint64_t clock_monotonic_ns(void)
{
	return clock_read_ns(CLOCK_MONOTONIC);
}

uint64_t clock_wall_ns(void)
{
	return clock_read_ns(CLOCK_REALTIME);
}

/* Appends a wall-clock time in a strftime format. */
static void format_local(struct strbuf *sb, uint64_t wall_ns, const char *format)
{
	time_t seconds = (time_t)(wall_ns / NSEC_PER_SEC);
	char text[40];
	struct tm parts;

	if (localtime_r(&seconds, &parts) && strftime(text, sizeof(text), format, &parts) > 0)
		strbuf_addstr(sb, text);
}

void clock_format_wall(struct strbuf *sb, uint64_t wall_ns)
{
	format_local(sb, wall_ns, "%Y-%m-%d %H:%M:%S");
}

void clock_format_wall_time(struct strbuf *sb, uint64_t wall_ns)
{
	format_local(sb, wall_ns, "%H:%M:%S");
}

void clock_format_mmsshh(struct strbuf *sb, uint64_t duration_ns)
{
	uint64_t hundredths = (duration_ns + 5 * NSEC_PER_MSEC) / (10 * NSEC_PER_MSEC);

	strbuf_addf(sb, "%02" PRIu64 ".%02" PRIu64 ".%02" PRIu64, hundredths / 6000,
		    hundredths / 100 % 60, hundredths % 100);
}

/* Appends tenths of a second as "2 min 03.4 s" or "1 h 02 min 03.4 s". */
static void add_minutes(struct strbuf *sb, uint64_t tenths)
{
	uint64_t minutes = tenths / 600;

	if (minutes >= 60)
		strbuf_addf(sb, "%" PRIu64 " h %02" PRIu64 " min ", minutes / 60, minutes % 60);
	else
		strbuf_addf(sb, "%" PRIu64 " min ", minutes);
	strbuf_addf(sb, "%02" PRIu64 ".%" PRIu64 " s", tenths / 10 % 60, tenths % 10);
}

void clock_format_duration(struct strbuf *sb, uint64_t ns)
{
	double value = (double)ns;

	if (ns < 1000)
		strbuf_addf(sb, "%" PRIu64 " ns", ns);
	else if (ns < 10 * NSEC_PER_MSEC)
		strbuf_addf(sb, "%.3f ms", value / 1e6);
	else if (ns < NSEC_PER_SEC)
		strbuf_addf(sb, "%.1f ms", value / 1e6);
	else if (value < 60e9 - 5e6)
		strbuf_addf(sb, "%.2f s", value / 1e9);
	else
		add_minutes(sb, (ns + 50 * NSEC_PER_MSEC) / (100 * NSEC_PER_MSEC));
}
