/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the schedule operands of requests. */
#include "common/compat.h"
#include "parser/control-schedule.h"
#include "parser/control-lookup.h"
#include "parser/control-values.h"
#include "common/xalloc.h"

/* Returns a number for a date that sorts in calendar order. */
static unsigned order_of(const struct control_date *date)
{
	return (date->year * 100 + date->month) * 100 + date->day;
}

static void check_exclusive(const struct control_statement *statement, unsigned form,
			    const char *other, const char *why, struct diag_list *diags)
{
	const struct control_operand *second = control_operand(statement, form, other);

	if (second && control_operand(statement, form, "STARTDATE"))
		diag_add(diags, SEVERITY_ERROR, 2123, &second->location,
			 "STARTDATE and %s exclude each other: %s", other, why);
}

/* Checks that the dates of STARTDATE are ascending, within one year. */
static void check_order(const struct control_operand *dates, struct diag_list *diags)
{
	struct control_date first = { 0 }, last = { 0 }, date;

	for (const struct control_value *value = dates ? dates->values : NULL; value;
	     value = value->next) {
		if (!control_read_date(value->text, &date))
			return; /* already reported */
		if (!first.year)
			first = date;
		if (last.year && order_of(&date) <= order_of(&last))
			diag_add(diags, SEVERITY_ERROR, 6812, &value->location,
				 "the dates of STARTDATE are not in order; expected each after the "
				 "one before it");
		else if (order_of(&date) > order_of(&first) + 10000)
			diag_add(diags, SEVERITY_ERROR, 6812, &value->location,
				 "the dates of STARTDATE are not within one year of the first");
		last = date;
	}
}

void control_schedule_check(const struct control_statement *statement, unsigned form,
			    struct diag_list *diags)
{
	const struct control_operand *dates = control_operand(statement, form, "STARTDATE");

	check_exclusive(statement, form, "STARTDAY", "a date already determines the day", diags);
	check_exclusive(statement, form, "ENDDATE", "the last date is the end", diags);
	check_order(dates, diags);
}

/* Inserts a time in order; 12:30 am and 0:30 are the same. */
static void add_time(struct control_schedule *schedule, unsigned minute)
{
	size_t at = 0;

	while (at < schedule->time_count && schedule->times[at] < minute)
		at++;
	if (at < schedule->time_count && schedule->times[at] == minute)
		return;
	memmove(&schedule->times[at + 1], &schedule->times[at],
		(schedule->time_count - at) * sizeof(schedule->times[0]));
	schedule->times[at] = minute;
	schedule->time_count++;
}

static void fill_times(struct control_schedule *schedule, const struct control_operand *operand)
{
	unsigned minute;

	for (const struct control_value *value = operand ? operand->values : NULL;
	     value && schedule->time_count < ARRAY_SIZE(schedule->times); value = value->next)
		if (control_read_time(value->text, &minute))
			add_time(schedule, minute);
}

static void fill_dates(struct control_schedule *schedule, const struct control_operand *operand)
{
	size_t alloc = 0;
	struct control_date date;

	for (const struct control_value *value = operand ? operand->values : NULL; value;
	     value = value->next) {
		if (!control_read_date(value->text, &date))
			continue;
		GROW(schedule->dates, schedule->date_count + 1, alloc);
		schedule->dates[schedule->date_count++] = date;
	}
}

static void fill_days(struct control_schedule *schedule, const struct control_operand *operand)
{
	static const char *const names[] = { "MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN" };

	for (const struct control_value *value = operand ? operand->values : NULL; value;
	     value = value->next)
		for (unsigned day = 0; day < ARRAY_SIZE(names); day++)
			if (strcmp(value->text, names[day]) == 0)
				schedule->days |= 1U << day;
}

void control_schedule_fill(struct control_schedule *schedule,
			   const struct control_statement *statement, unsigned form)
{
	const struct control_operand *end = control_operand(statement, form, "ENDDATE");

	*schedule = (struct control_schedule){ 0 };
	fill_dates(schedule, control_operand(statement, form, "STARTDATE"));
	fill_times(schedule, control_operand(statement, form, "STARTTIME"));
	fill_days(schedule, control_operand(statement, form, "STARTDAY"));
	if (end && end->values)
		control_read_date(end->values->text, &schedule->end);
	schedule->given = schedule->date_count || schedule->time_count || schedule->days ||
			  schedule->end.year;
	schedule->count = control_number_of(statement, form, "COUNT");
	schedule->within = control_number_of(statement, form, "WITHIN");
	schedule->zone = control_text_of(statement, form, "ZONE");
}
