/* SPDX-License-Identifier: Apache-2.0 */
/* Tests trace output: it never blocks on its reader. */
#include "common/compat.h"
#include "session/measure/trace-output.h"
#include "common/clock.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <cmocka.h>
#include <unistd.h>

/* Creates a pipe; the output has its write end. */
static void begin(struct trace_output *output, int *reader)
{
	int ends[2];

	assert_int_equal(pipe2(ends, O_NONBLOCK | O_CLOEXEC), 0);
	trace_output_init(output, false, NULL);
	output->fd = ends[1];
	output->own = true;
	*reader = ends[0];
}

static void give(struct trace_output *output, const char *line)
{
	trace_output_line(output, line, strlen(line));
}

/* Reads everything available in a pipe. */
static void take(int reader, struct strbuf *text)
{
	char bytes[4096];
	ssize_t count;

	while ((count = read(reader, bytes, sizeof(bytes))) > 0)
		strbuf_add(text, bytes, (size_t)count);
}

static void test_lines(void **state UNUSED)
{
	struct strbuf text = STRBUF_INIT;
	struct trace_output output;
	int reader;

	begin(&output, &reader);
	give(&output, "one\n");
	give(&output, "two\n");
	take(reader, &text);
	assert_string_equal(text.text, "");
	trace_output_flush(&output, false);
	take(reader, &text);
	assert_string_equal(text.text, "one\ntwo\n");
	trace_output_release(&output);
	close(reader);
	strbuf_release(&text);
}

/*
 * With a stopped reader nothing blocks, surplus lines are dropped and reported,
 * pieces are whole lines.
 */
static void test_slow_reader(void **state UNUSED)
{
	struct strbuf text = STRBUF_INIT;
	uint64_t before = clock_monotonic_ns(), numbers = 0, left_out = 0, last = 0;
	struct trace_output output;
	char line[100];
	int reader;

	begin(&output, &reader);
	for (unsigned i = 1; i <= 50000; i++) {
		snprintf(line, sizeof(line), "%u is the number of a line of some length\n", i);
		give(&output, line);
	}
	assert_true(output.lost > 10000);
	assert_true(output.waiting.length <= TRACE_OUTPUT_WAITING + 200);
	for (unsigned i = 0; i < 1000; i++) {
		take(reader, &text);
		trace_output_flush(&output, false);
	}
	give(&output, "0 the end\n");
	trace_output_flush(&output, false);
	take(reader, &text);
	assert_true(clock_monotonic_ns() - before < 20 * NSEC_PER_SEC);
	for (char *rest, *at = strtok_r(text.text, "\n", &rest); at; at = strtok_r(NULL, "\n", &rest)) {
		if (sscanf(at, "#EVT %" SCNu64 " events are omitted", &left_out) == 1)
			continue;
		numbers++;
		if (strcmp(at, "0 the end") == 0)
			break;
		assert_non_null(strstr(at, " is the number of a line of some length"));
		assert_int_equal(strtoull(at, NULL, 10), ++last);
	}
	assert_int_equal(last + left_out, 50000);
	assert_int_equal(numbers, last + 1);
	assert_string_equal(trace_output_failure(&output), "");
	trace_output_release(&output);
	close(reader);
	strbuf_release(&text);
}

/* At the end it waits a second, not longer. */
static void test_nobody_reads(void **state UNUSED)
{
	uint64_t before = clock_monotonic_ns();
	struct trace_output output;
	int reader;

	begin(&output, &reader);
	for (unsigned i = 0; i < 20000; i++)
		give(&output, "a line of a trace that fills the pipe\n");
	trace_output_flush(&output, true);
	assert_true(clock_monotonic_ns() - before < 20 * NSEC_PER_SEC);
	assert_string_equal(trace_output_failure(&output), "no process reads it");
	trace_output_release(&output);
	close(reader);
}

static void test_reader_gone(void **state UNUSED)
{
	struct trace_output output;
	int reader;

	begin(&output, &reader);
	close(reader);
	give(&output, "a line\n");
	trace_output_flush(&output, false);
	assert_string_equal(trace_output_failure(&output), "cannot write the trace: Broken pipe");
	give(&output, "another\n");
	trace_output_flush(&output, true);
	assert_int_equal(output.waiting.length, 0);
	trace_output_release(&output);
}

/* Without a usable file there is a reason and nothing else. */
static void test_no_file(void **state UNUSED)
{
	struct trace_output output;

	trace_output_init(&output, true, "/no/such/folder/trace");
	assert_non_null(strstr(trace_output_failure(&output), "cannot open /no/such/folder/trace"));
	give(&output, "a line\n");
	trace_output_flush(&output, true);
	trace_output_release(&output);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),	     cmocka_unit_test(test_slow_reader),
		cmocka_unit_test(test_nobody_reads), cmocka_unit_test(test_reader_gone),
		cmocka_unit_test(test_no_file),
	};

	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
