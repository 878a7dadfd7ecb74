/* SPDX-License-Identifier: Apache-2.0 */
/* Computes when a request starts next. */
#include "common/compat.h"
#include "session/store/schedule.h"
#include "session/store/local-time.h"

/* Number of days that are searched: a STARTDAY comes within a week, whatever the clocks do. */
#define DAYS_AHEAD 10

static size_t time_count(const struct control_schedule *schedule)
{
	return schedule->time_count ? schedule->time_count : 1;
}

/* Returns a time of the schedule, in minutes; midnight if it has none. */
static unsigned time_at(const struct control_schedule *schedule, size_t number)
{
	return schedule->time_count ? schedule->times[number] : 0;
}

/* Returns the first start on a day that is after a second; 0: none. */
static int64_t next_on(const struct control_schedule *schedule, const struct control_date *date,
		       int64_t after)
{
	int64_t first = 0, second;

	for (size_t i = 0; i < time_count(schedule); i++) {
		local_time_at(date, time_at(schedule, i), &second);
		if (second > after && (!first || second < first))
			first = second;
	}
	return first;
}

/* Returns the next start on a day that STARTDATE names; 0: none. */
static int64_t next_date(const struct control_schedule *schedule, int64_t now)
{
	int64_t found = 0;

	for (size_t i = 0; i < schedule->date_count && !found; i++)
		found = next_on(schedule, &schedule->dates[i], now);
	return found;
}

/* Returns the next start on a recurring day; 0: none before the end (year 0: no end). */
static int64_t next_day(const struct control_schedule *schedule, int64_t now)
{
	struct control_date date;
	unsigned minute;
	int64_t found = 0;

	local_time_of(now, &date, &minute);
	for (unsigned i = 0; i < DAYS_AHEAD && !found; i++, local_date_next(&date)) {
		if (schedule->end.year && local_date_compare(&date, &schedule->end) > 0)
			return 0;
		if (!schedule->days || schedule->days & 1U << local_date_weekday(&date))
			found = next_on(schedule, &date, now);
	}
	return found;
}

/*
 * Returns the next start for STARTTIME alone: the next time of each after the
 * schedule was given.
 */
static int64_t next_time(const struct control_schedule *schedule, int64_t given, int64_t now)
{
	struct control_date today, tomorrow;
	int64_t first = 0, second;
	unsigned minute;

	local_time_of(given, &today, &minute);
	tomorrow = today;
	local_date_next(&tomorrow);
	for (size_t i = 0; i < time_count(schedule); i++) {
		local_time_at(&today, time_at(schedule, i), &second);
		if (second <= given)
			local_time_at(&tomorrow, time_at(schedule, i), &second);
		if (second > now && (!first || second < first))
			first = second;
	}
	return first;
}

int64_t schedule_next(const struct control_schedule *schedule, int64_t given, int64_t now,
		      const char *zone)
{
	struct local_time local;
	int64_t found;

	RETURN_IF(!schedule->given, 0);
	local_time_begin(&local, zone);
	if (schedule->date_count)
		found = next_date(schedule, now);
	else if (schedule->days || schedule->end.year || schedule->count)
		found = next_day(schedule, now);
	else
		found = next_time(schedule, given, now);
	local_time_end(&local);
	return found;
}

/* Finds a start among those of STARTDATE that never comes, or is over. */
static enum schedule_fault check_dates(const struct control_schedule *schedule, int64_t now,
				       struct control_date *date, unsigned *minute)
{
	int64_t second;

	for (size_t i = 0; i < schedule->date_count; i++)
		for (size_t j = 0; j < time_count(schedule); j++) {
			enum local_moment moment;

			*date = schedule->dates[i];
			*minute = time_at(schedule, j);
			moment = local_time_at(date, *minute, &second);
			RETURN_IF(moment == LOCAL_NEVER, SCHEDULE_NEVER);
			RETURN_IF(second <= now, SCHEDULE_PAST);
		}
	return SCHEDULE_GOOD;
}

enum schedule_fault schedule_check(const struct control_schedule *schedule, int64_t now,
				   const char *zone, struct control_date *date, unsigned *minute)
{
	struct local_time local;
	enum schedule_fault fault;

	RETURN_IF(!schedule->given, SCHEDULE_GOOD);
	local_time_begin(&local, zone);
	fault = check_dates(schedule, now, date, minute);
	local_time_end(&local);
	if (!fault && !schedule_next(schedule, now, now, zone)) {
		*date = schedule->end;
		*minute = time_at(schedule, time_count(schedule) - 1);
		fault = SCHEDULE_PAST;
	}
	return fault;
}

void schedule_format(struct strbuf *sb, int64_t second, const char *zone)
{
	struct local_time local;
	time_t time = (time_t)second;
	char text[64] = "";
	struct tm tm;

	local_time_begin(&local, zone);
	if (localtime_r(&time, &tm))
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M %Z", &tm);
	local_time_end(&local);
	strbuf_addstr(sb, text);
}
