/* SPDX-License-Identifier: Apache-2.0 */
/* Points in time as written by users. */
#include "common/compat.h"
#include "session/collection/when.h"
#include "common/clock.h"

/* Parses "+90", "+0.5": seconds after base. */
static bool parse_offset(const char *text, uint64_t base, uint64_t *wall)
{
	char *end;
	double seconds = strtod(text, &end);

	if (text[0] < '0' || text[0] > '9' || *end || !(seconds <= 1e9))
		return false;
	*wall = base + (uint64_t)(seconds * (double)NSEC_PER_SEC);
	return true;
}

/* Parses text in one of the forms. */
static bool parse_forms(const char *text, const char *const *forms, struct tm *tm)
{
	const struct tm base = *tm;

	for (; *forms; forms++) {
		const char *end;

		*tm = base;
		end = strptime(text, *forms, tm);
		if (end && !*end)
			return true;
	}
	return false;
}

bool when_parse(const char *text, uint64_t base, uint64_t *wall)
{
	static const char *const times[] = { "%H:%M:%S", "%H:%M", NULL };
	static const char *const dates[] = { "%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M",
					     "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M", NULL };
	time_t seconds = (time_t)(base / NSEC_PER_SEC);
	struct tm tm;

	if (*text == '+')
		return parse_offset(text + 1, base, wall);
	localtime_r(&seconds, &tm);
	tm.tm_sec = 0;
	tm.tm_isdst = -1;
	if (parse_forms(text, times, &tm)) {
		struct tm today = tm;

		seconds = mktime(&today);
		if (seconds != (time_t)-1 && (uint64_t)seconds * NSEC_PER_SEC < base) {
			tm.tm_mday++;
			seconds = mktime(&tm);
		}
	} else {
		memset(&tm, 0, sizeof(tm));
		tm.tm_isdst = -1;
		if (!parse_forms(text, dates, &tm))
			return false;
		tm.tm_isdst = -1;
		seconds = mktime(&tm);
	}
	if (seconds < 0)
		return false;
	*wall = (uint64_t)seconds * NSEC_PER_SEC;
	return true;
}
