/* SPDX-License-Identifier: Apache-2.0 */
/* Converts days and times of a time zone into seconds since 1970 UTC. */
#include "common/compat.h"
#include "session/store/local-time.h"
#include "common/xalloc.h"

#include <ctype.h>
#include <unistd.h>

#define ZONES "/usr/share/zoneinfo/"
#define DAY (24 * 60 * 60)

char *local_time_zone(void)
{
	const char *text = getenv("TZ");
	char path[PATH_MAX], *found;

	if (text && *text == ':')
		text++;
	RETURN_IF(text && *text && local_time_known(text), xstrdup(text));
	found = text ? NULL : realpath("/etc/localtime", path);
	if (found && strncmp(path, ZONES, strlen(ZONES)) == 0 &&
	    local_time_known(path + strlen(ZONES)))
		return xstrdup(path + strlen(ZONES));
	return xstrdup("UTC0");
}

/*
 * Returns whether a text begins like a POSIX zone: at least three letters, and an
 * offset from UTC.
 */
static bool is_rule(const char *text)
{
	size_t letters;

	if (*text == '<') {
		letters = strcspn(text, ">");
		RETURN_IF(letters < 4 || text[letters] != '>', false);
		letters++;
	} else {
		for (letters = 0; isalpha((unsigned char)text[letters]);)
			letters++;
		RETURN_IF(letters < 3, false);
	}
	text += letters;
	text += *text == '+' || *text == '-';
	return isdigit((unsigned char)*text);
}

bool local_time_known(const char *zone)
{
	char path[PATH_MAX];
	FILE *stream;
	bool known;

	RETURN_IF(is_rule(zone), true);
	RETURN_IF(!*zone || *zone == '/' || *zone == '.' || strstr(zone, ".."), false);
	snprintf(path, sizeof(path), "%s%s", ZONES, zone);
	stream = fopen(path, "re");
	RETURN_IF(!stream, false);
	known = fread(path, 1, 4, stream) == 4 && memcmp(path, "TZif", 4) == 0;
	fclose(stream);
	return known;
}

void local_time_begin(struct local_time *local, const char *zone)
{
	const char *before = getenv("TZ");

	local->before = before ? xstrdup(before) : NULL;
	setenv("TZ", zone, 1);
	tzset();
}

void local_time_end(struct local_time *local)
{
	if (local->before)
		setenv("TZ", local->before, 1);
	else
		unsetenv("TZ");
	tzset();
	free(local->before);
}

/* Returns the seconds by which clocks are ahead of UTC at a moment. */
static int64_t ahead(int64_t second)
{
	time_t time = (time_t)second;
	struct tm tm;

	RETURN_IF(!localtime_r(&time, &tm), 0);
	return tm.tm_gmtoff;
}

/* Returns the second at which a clock in UTC shows this day and minute. */
static int64_t in_utc(const struct control_date *date, unsigned minute)
{
	struct tm tm = { .tm_year = (int)date->year - 1900,
			 .tm_mon = (int)date->month - 1,
			 .tm_mday = (int)date->day,
			 .tm_min = (int)minute };

	return timegm(&tm);
}

/* Returns the moment between low and high at which the clock changes. */
static int64_t change_between(int64_t low, int64_t high)
{
	const int64_t after = ahead(high);

	while (high - low > 1) {
		int64_t middle = low + (high - low) / 2;

		if (ahead(middle) == after)
			high = middle;
		else
			low = middle;
	}
	return high;
}

enum local_moment local_time_at(const struct control_date *date, unsigned minute, int64_t *second)
{
	const int64_t clock = in_utc(date, minute);
	const int64_t before = ahead(clock - DAY), after = ahead(clock + DAY);
	const bool early = ahead(clock - before) == before, late = ahead(clock - after) == after;

	if (early || late)
		*second = early ? clock - before : clock - after;
	else
		*second = change_between(clock - after - 1, clock - before + 1);
	if (early && late && before != after)
		return LOCAL_TWICE;
	return early || late ? LOCAL_ONCE : LOCAL_NEVER;
}

void local_time_of(int64_t second, struct control_date *date, unsigned *minute)
{
	time_t time = (time_t)second;
	struct tm tm = { 0 };

	localtime_r(&time, &tm);
	*date = (struct control_date){ .year = (unsigned)(tm.tm_year + 1900),
				       .month = (unsigned)(tm.tm_mon + 1),
				       .day = (unsigned)tm.tm_mday };
	*minute = (unsigned)(tm.tm_hour * 60 + tm.tm_min);
}

/* Returns the date, with its weekday, this many days later. */
static struct tm later(const struct control_date *date, int days)
{
	time_t time = (time_t)(in_utc(date, 0) + (int64_t)days * DAY);
	struct tm tm = { 0 };

	gmtime_r(&time, &tm);
	return tm;
}

void local_date_next(struct control_date *date)
{
	struct tm tm = later(date, 1);

	*date = (struct control_date){ .year = (unsigned)(tm.tm_year + 1900),
				       .month = (unsigned)(tm.tm_mon + 1),
				       .day = (unsigned)tm.tm_mday };
}

unsigned local_date_weekday(const struct control_date *date)
{
	return (unsigned)(later(date, 0).tm_wday + 6) % 7;
}

int local_date_compare(const struct control_date *one, const struct control_date *other)
{
	const int64_t difference = in_utc(one, 0) - in_utc(other, 0);

	return difference < 0 ? -1 : difference > 0;
}
