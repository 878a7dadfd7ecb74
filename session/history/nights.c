/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the night of a moment. */
#include "common/compat.h"
#include "session/history/nights.h"
#include "common/clock.h"

#include <time.h>

#define NOON 12

/*
 * Returns noon of the day this many days after that of the night; mktime handles
 * overflow of days.
 */
static time_t noon_of(uint64_t moment, int days)
{
	const time_t second = (time_t)(moment / NSEC_PER_SEC);
	struct tm local;

	localtime_r(&second, &local);
	local.tm_mday += days - (local.tm_hour < NOON);
	local.tm_hour = NOON;
	local.tm_min = local.tm_sec = 0;
	local.tm_isdst = -1;
	return mktime(&local);
}

uint64_t night_begin(uint64_t moment)
{
	return (uint64_t)noon_of(moment, 0) * NSEC_PER_SEC;
}

uint64_t night_end(uint64_t moment)
{
	return (uint64_t)noon_of(moment, 1) * NSEC_PER_SEC;
}

void night_format(struct strbuf *sb, uint64_t moment)
{
	const time_t noon = noon_of(moment, 0);
	struct tm local;
	char text[32];

	localtime_r(&noon, &local);
	strftime(text, sizeof(text), "%Y-%m-%d", &local);
	strbuf_addstr(sb, text);
}

bool night_parse(const char *name, uint64_t *moment)
{
	struct tm local = { .tm_hour = NOON, .tm_isdst = -1 };
	struct strbuf again = STRBUF_INIT;
	const char *end = strptime(name, "%Y-%m-%d", &local);
	time_t second = end && !*end ? mktime(&local) : -1;
	bool good = second >= 0;

	/*
	 * mktime turns the 31st of a shorter month into a day of the next month: that is
	 * no valid date.
	 */
	if (good) {
		*moment = (uint64_t)second * NSEC_PER_SEC;
		night_format(&again, *moment);
		good = strcmp(again.text, name) == 0;
	}
	strbuf_release(&again);
	return good;
}
