/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of events as lines of text. */
#include "common/compat.h"
#include "common/clock.h"
#include "events/event-lines.h"
#include "records/record-types.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/* The lines emitted, and what the snapshots are made with. */
struct trace {
	struct event_lines lines;
	struct strbuf text;
	struct registry types;
	struct strmap strings;
	struct snapshot snapshot;
};

static void take(void *argument, const char *line, size_t length)
{
	struct trace *trace = argument;

	assert_int_equal(memchr(line, '\n', length) == line + length - 1, 1);
	strbuf_add(&trace->text, line, length);
}

static void begin(struct trace *trace, uint64_t most)
{
	trace->lines = (struct event_lines){
		.start = 1000, .most = most, .take = take, .argument = trace
	};
	event_lines_init(&trace->lines);
	strbuf_init(&trace->text);
	registry_init(&trace->types, &session_records);
	strmap_init(&trace->strings);
	snapshot_init(&trace->snapshot, &trace->types);
	recordset_add(snapshot_set(&trace->snapshot, RECORD_TASK),
		      &(struct record_task){ .task = 1, .name = strmap_put(&trace->strings, "pay") });
	recordset_add(snapshot_set(&trace->snapshot, RECORD_EVENT_SITE),
		      &(struct record_event_site){ .site = 1,
						   .type = EVENT_NS,
						   .program = strmap_put(&trace->strings, "PAYTAX"),
						   .line = 17,
						   .statement = strmap_put(&trace->strings, "ADD") });
	recordset_add(snapshot_set(&trace->snapshot, RECORD_EVENT_SITE),
		      &(struct record_event_site){ .site = 2, .type = EVENT_U });
	recordset_add(snapshot_set(&trace->snapshot, RECORD_EVENT_SITE),
		      &(struct record_event_site){ .site = 3, .type = EVENT_MP });
}

static void end(struct trace *trace)
{
	event_lines_release(&trace->lines);
	strbuf_release(&trace->text);
	snapshot_release(&trace->snapshot);
	strmap_release(&trace->strings);
	registry_release(&trace->types);
}

static void add(struct trace *trace, uint64_t time, uint64_t task, uint64_t site, int64_t code,
		const char *data)
{
	recordset_add(snapshot_set(&trace->snapshot, RECORD_EVENT),
		      &(struct record_event){ .time = 1000 + time,
					      .idle = 1000,
					      .task = task,
					      .site = site,
					      .level = task ? 2 : 0,
					      .code = code,
					      .data = strmap_put(&trace->strings, data) });
}

/* The columns, in order of time; text that cannot be shown, and unknown data. */
static void test_lines(void **state UNUSED)
{
	struct trace trace;

	begin(&trace, 100);
	add(&trace, 3 * NSEC_PER_MSEC, 1, 2, -7, "two\nlines\t");
	add(&trace, NSEC_PER_MSEC, 1, 1, INT64_MIN, "");
	add(&trace, 4 * NSEC_PER_MSEC, 0, 3, INT64_MIN, "");
	add(&trace, 5 * NSEC_PER_MSEC, 9, 8, INT64_MIN, "");
	event_lines_apply(&trace.lines, &trace.snapshot, &trace.strings);
	assert_string_equal(
		trace.text.text,
		"#EVT       TIME MS   TASK CPU MS TASK         EV  LV PROGRAM           LINE STATEMENT    CODE DATA\n"
		"#EVT         1.000         1.000 pay          NS   2 PAYTAX              17 ADD\n"
		"#EVT         3.000         3.000 pay          U    2                                       -7 two.lines.\n"
		"#EVT         4.000                            MP\n"
		"#EVT         5.000         5.000              ?    2\n");
	end(&trace);
}

/* No more lines than the maximum, and a line that says so, once. */
static void test_most(void **state UNUSED)
{
	struct trace trace;
	size_t lines = 0;

	begin(&trace, 5);
	for (uint64_t i = 0; i < 4; i++) {
		snapshot_clear(&trace.snapshot);
		for (uint64_t j = 0; j < 3; j++)
			add(&trace, 3 * i + j, 1, 1, INT64_MIN, "");
		event_lines_apply(&trace.lines, &trace.snapshot, &trace.strings);
	}
	for (const char *at = trace.text.text; (at = strchr(at, '\n')); at++)
		lines++;
	assert_int_equal(lines, 7);
	assert_non_null(strstr(trace.text.text,
			       "#EVT the trace ends here, after 5 events; the following events "
			       "are in the sample data set\n"));
	end(&trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_most),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
