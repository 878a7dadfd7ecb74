/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of schedules: days and times, both changes of the clock, leap years, the past. */
#include "common/compat.h"
#include "session/store/schedule.h"
#include "common/xalloc.h"
#include "session/store/local-time.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/*
 * Berlin's rule since 1996, New York's since 2007, and a zone that is half an hour
 * ahead in summer.
 */
#define BERLIN "CET-1CEST,M3.5.0,M10.5.0/3"
#define NEW_YORK "EST5EDT,M3.2.0,M11.1.0"
#define LORD_HOWE "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0"

/* Returns the schedule of an ADD. */
static struct control_deck *read_schedule(const char *operands, struct source **source)
{
	struct diag_list diags = DIAG_LIST_INIT;
	struct strbuf text = STRBUF_INIT;
	struct control_deck *deck;

	strbuf_addf(&text, "ADD PAY,%s", operands);
	*source = source_new("test", text.text, text.length);
	deck = control_parse(*source, false, &diags);
	control_check(deck, &diags);
	diag_print(&diags, stderr);
	assert_int_equal(diag_max_severity(&diags), SEVERITY_INFO);
	diag_list_release(&diags);
	strbuf_release(&text);
	return deck;
}

/* Returns "2026-11-23 22:15" in UTC as seconds. */
static int64_t utc(const char *text)
{
	struct tm tm = { 0 };

	assert_int_equal(sscanf(text, "%d-%d-%d %d:%d", &tm.tm_year, &tm.tm_mon, &tm.tm_mday,
				&tm.tm_hour, &tm.tm_min),
			 5);
	tm.tm_year -= 1900;
	tm.tm_mon -= 1;
	return timegm(&tm);
}

/* Operands, zone, when they were given, and each following start in UTC; "-": no more. */
static const struct {
	const char *operands, *zone, *given;
	const char *starts[6];
} table[] = {
	/* Dates and times. */
	{ "STARTDATE=11/25/26", "UTC0", "2026-11-23 10:00", { "2026-11-25 00:00", "-" } },
	{ "STARTDATE=(11/25/26,12.01.2026),STARTTIME=('6:00','11:15 pm')",
	  "UTC0",
	  "2026-11-23 10:00",
	  { "2026-11-25 06:00", "2026-11-25 23:15", "2026-12-01 06:00", "2026-12-01 23:15", "-" } },
	{ "STARTTIME=22:00", "UTC0", "2026-11-23 21:59", { "2026-11-23 22:00", "-" } },
	{ "STARTTIME=22:00", "UTC0", "2026-11-23 22:00", { "2026-11-24 22:00", "-" } },
	{ "STARTTIME=(6:00,22:00)",
	  "UTC0",
	  "2026-11-23 10:00",
	  { "2026-11-23 22:00", "2026-11-24 06:00", "-" } },
	{ "STARTTIME=('12:30 am','12:30 pm')",
	  "UTC0",
	  "2026-11-23 00:00",
	  { "2026-11-23 00:30", "2026-11-23 12:30", "-" } },
	/* Weeks, ends. 2026-11-23 is a Monday. */
	{ "STARTDAY=(MON,FRI),STARTTIME=1:00",
	  "UTC0",
	  "2026-11-23 00:30",
	  { "2026-11-23 01:00", "2026-11-27 01:00", "2026-11-30 01:00", "2026-12-04 01:00" } },
	{ "STARTDAY=SUN,ENDDATE=12/06/26",
	  "UTC0",
	  "2026-11-23 10:00",
	  { "2026-11-29 00:00", "2026-12-06 00:00", "-" } },
	{ "STARTTIME=22:00,ENDDATE=11/25/26",
	  "UTC0",
	  "2026-11-23 22:30",
	  { "2026-11-24 22:00", "2026-11-25 22:00", "-" } },
	{ "ENDDATE=11/24/26", "UTC0", "2026-11-23 22:30", { "2026-11-24 00:00", "-" } },
	{ "STARTTIME=22:00,COUNT=3",
	  "UTC0",
	  "2026-12-30 22:30",
	  { "2026-12-31 22:00", "2027-01-01 22:00", "2027-01-02 22:00", "2027-01-03 22:00" } },
	/* Zones: midnight there is a different day here. */
	{ "STARTDATE=11/25/26,STARTTIME=00:30",
	  BERLIN,
	  "2026-11-23 10:00",
	  { "2026-11-24 23:30", "-" } },
	{ "STARTTIME=00:30,ENDDATE=11/25/26",
	  BERLIN,
	  "2026-11-23 23:45",
	  { "2026-11-24 23:30", "-" } },
	{ "STARTDAY=TUE",
	  NEW_YORK,
	  "2026-11-23 10:00",
	  { "2026-11-24 05:00", "2026-12-01 05:00" } },
	/* The clock is put forward from 02:00 to 03:00 on 28 March 2027, in New York on 14 March.
	 */
	{ "STARTTIME=02:30,ENDDATE=03/29/27",
	  BERLIN,
	  "2027-03-26 10:00",
	  { "2027-03-27 01:30", "2027-03-28 01:00", "2027-03-29 00:30", "-" } },
	{ "STARTTIME=(02:00,03:00),ENDDATE=03/28/27",
	  BERLIN,
	  "2027-03-27 12:00",
	  { "2027-03-28 01:00", "-" } },
	{ "STARTTIME=(01:59,03:01),ENDDATE=03/28/27",
	  BERLIN,
	  "2027-03-27 12:00",
	  { "2027-03-28 00:59", "2027-03-28 01:01", "-" } },
	{ "STARTDAY=SUN,STARTTIME=02:30",
	  NEW_YORK,
	  "2027-03-08 12:00",
	  { "2027-03-14 07:00", "2027-03-21 06:30", "2027-03-28 06:30" } },
	{ "STARTDAY=SUN,STARTTIME=02:15",
	  LORD_HOWE,
	  "2026-09-28 00:00",
	  { "2026-10-03 15:30", "2026-10-10 15:15" } },
	/* It is put back from 03:00 to 02:00 on 31 October 2027, in New York on 7 November. */
	{ "STARTTIME=02:30,ENDDATE=11/01/27",
	  BERLIN,
	  "2027-10-30 10:00",
	  { "2027-10-31 00:30", "2027-11-01 01:30", "-" } },
	{ "STARTDATE=10/31/27,STARTTIME=(02:00,02:59,03:00)",
	  BERLIN,
	  "2027-10-30 10:00",
	  { "2027-10-31 00:00", "2027-10-31 00:59", "2027-10-31 02:00", "-" } },
	{ "STARTDATE=11/07/27,STARTTIME=01:30",
	  NEW_YORK,
	  "2027-10-30 10:00",
	  { "2027-11-07 05:30", "-" } },
	{ "STARTDAY=SUN,STARTTIME=01:45",
	  LORD_HOWE,
	  "2027-04-01 00:00",
	  { "2027-04-03 14:45", "2027-04-10 15:15" } },
	/* Given between the two: the second one does not count as a start. */
	{ "STARTTIME=02:30,ENDDATE=11/01/27",
	  BERLIN,
	  "2027-10-31 00:45",
	  { "2027-11-01 01:30", "-" } },
	/* Leap years. */
	{ "STARTDATE=02/29/28", "UTC0", "2028-02-01 00:00", { "2028-02-29 00:00", "-" } },
	{ "STARTTIME=12:00,ENDDATE=03/01/28",
	  "UTC0",
	  "2028-02-28 11:00",
	  { "2028-02-28 12:00", "2028-02-29 12:00", "2028-03-01 12:00", "-" } },
	{ "STARTTIME=12:00,ENDDATE=03/01/27",
	  "UTC0",
	  "2027-02-28 11:00",
	  { "2027-02-28 12:00", "2027-03-01 12:00", "-" } },
	/* In the past. */
	{ "STARTDATE=11/22/26", "UTC0", "2026-11-23 10:00", { "-" } },
	{ "STARTTIME=9:00,ENDDATE=11/23/26", "UTC0", "2026-11-23 10:00", { "-" } },
	{ "SAMPLES=1000", "UTC0", "2026-11-23 10:00", { "-" } },
};

static void starts_follow_each_other(void **state UNUSED)
{
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		struct source *source;
		struct control_deck *deck = read_schedule(table[i].operands, &source);
		const struct control_schedule *schedule = &deck->statements->request.schedule;
		const int64_t given = utc(table[i].given);
		int64_t now = given;

		for (size_t j = 0; j < ARRAY_SIZE(table[i].starts) && table[i].starts[j]; j++) {
			const bool end = table[i].starts[j][0] == '-';
			const int64_t wanted = end ? 0 : utc(table[i].starts[j]);
			const int64_t got = schedule_next(schedule, given, now, table[i].zone);

			if (got != wanted)
				fprintf(stderr, "%s in %s: start %zu\n", table[i].operands,
					table[i].zone, j);
			assert_int_equal(got, wanted);
			now = got;
		}
		control_free(deck);
		source_free(source);
	}
}

static void faults_are_found(void **state UNUSED)
{
	static const struct {
		const char *operands, *zone, *given;
		enum schedule_fault fault;
		unsigned day, minute;
	} faults[] = {
		{ "STARTDATE=11/25/26", "UTC0", "2026-11-23 10:00", SCHEDULE_GOOD, 0, 0 },
		{ "STARTDATE=11/22/26", "UTC0", "2026-11-23 10:00", SCHEDULE_PAST, 22, 0 },
		{ "STARTDATE=(11/22/26,11/24/26)", "UTC0", "2026-11-23 10:00", SCHEDULE_PAST, 22,
		  0 },
		{ "STARTDATE=11/23/26,STARTTIME=(9:59,10:01)", "UTC0", "2026-11-23 10:00",
		  SCHEDULE_PAST, 23, 9 * 60 + 59 },
		{ "STARTTIME=9:00,ENDDATE=11/23/26", "UTC0", "2026-11-23 10:00", SCHEDULE_PAST, 23,
		  540 },
		{ "STARTDATE=03/28/27,STARTTIME=02:30", BERLIN, "2026-11-23 10:00", SCHEDULE_NEVER,
		  28, 150 },
		{ "STARTDATE=03/28/27,STARTTIME=02:00", BERLIN, "2026-11-23 10:00", SCHEDULE_NEVER,
		  28, 120 },
		{ "STARTDATE=03/28/27,STARTTIME=03:00", BERLIN, "2026-11-23 10:00", SCHEDULE_GOOD,
		  0, 0 },
		{ "STARTDATE=10/31/27,STARTTIME=02:30", BERLIN, "2026-11-23 10:00", SCHEDULE_GOOD,
		  0, 0 },
		{ "STARTTIME=02:30,ENDDATE=03/28/27", BERLIN, "2027-03-28 00:30", SCHEDULE_GOOD, 0,
		  0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(faults); i++) {
		struct source *source;
		struct control_deck *deck = read_schedule(faults[i].operands, &source);
		struct control_date date = { 0 };
		unsigned minute = 0;

		assert_int_equal(schedule_check(&deck->statements->request.schedule,
						utc(faults[i].given), faults[i].zone, &date,
						&minute),
				 faults[i].fault);
		if (faults[i].fault) {
			assert_int_equal(date.day, faults[i].day);
			assert_int_equal(minute, faults[i].minute);
		}
		control_free(deck);
		source_free(source);
	}
}

/* A zone of the database, if installed: its history, and a day that Samoa never had. */
static void the_database_of_zones_is_used(void **state UNUSED)
{
	const struct control_date skipped = { 2011, 12, 30 };
	struct local_time local;
	int64_t second;

	if (!local_time_known("Pacific/Apia"))
		skip();
	local_time_begin(&local, "Pacific/Apia");
	assert_int_equal(local_time_at(&skipped, 12 * 60, &second), LOCAL_NEVER);
	local_time_end(&local);
	assert_int_equal(second, utc("2011-12-30 10:00"));
}

static void zones_are_known_or_not(void **state UNUSED)
{
	assert_true(local_time_known(BERLIN));
	assert_true(local_time_known("<+03>-3"));
	assert_false(local_time_known("Nowhere/Atall"));
	assert_false(local_time_known("../../../etc/passwd"));
	assert_false(local_time_known("/etc/localtime"));
	assert_false(local_time_known("PAY"));
}

static void the_zone_of_the_process_stays(void **state UNUSED)
{
	struct control_schedule schedule = { .given = true, .time_count = 1, .times = { 60 } };

	setenv("TZ", NEW_YORK, 1);
	assert_true(schedule_next(&schedule, utc("2026-11-23 10:00"), utc("2026-11-23 10:00"),
				  BERLIN) == utc("2026-11-24 00:00"));
	assert_string_equal(getenv("TZ"), NEW_YORK);
	unsetenv("TZ");
	schedule_next(&schedule, utc("2026-11-23 10:00"), utc("2026-11-23 10:00"), BERLIN);
	assert_null(getenv("TZ"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(starts_follow_each_other),
		cmocka_unit_test(faults_are_found),
		cmocka_unit_test(the_database_of_zones_is_used),
		cmocka_unit_test(zones_are_known_or_not),
		cmocka_unit_test(the_zone_of_the_process_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
