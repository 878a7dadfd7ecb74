/* SPDX-License-Identifier: Apache-2.0 */
/* Tests what is found in a session with a fault, and that nothing is found in one without. */
#include "common/compat.h"
#include "common/clock.h"
#include "profile/fixture-advice.h"
#include "records/record-types.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* Begins a session of ten seconds, which the test fills. */
static void begin(struct advice_fixture *s)
{
	advice_fixture_begin(s, "/opt/pay", NSEC_PER_SEC, 9 * NSEC_PER_SEC);
	s->root = fixture_stack(&s->f, 0, fixture_frame(&s->f, s->program, 0x100, "pay.c", "main", 10, ""));
}

static uint64_t at(struct advice_fixture *s, const char *procedure, uint64_t line)
{
	return fixture_stack(&s->f, s->root,
			     fixture_frame(&s->f, s->program, 0x1000 * line, "pay.c", procedure, line, ""));
}

static void wait(struct advice_fixture *s, uint64_t stack, enum wait_reason reason, uint64_t file,
		 uint64_t count, uint64_t ms)
{
	struct record_wait row = { .time = s->f.time,
				   .task = 1,
				   .stack = stack,
				   .reason = reason,
				   .file = file,
				   .count = count,
				   .total = ms * NSEC_PER_MSEC,
				   .charged = ms * NSEC_PER_MSEC };

	fixture_add(&s->f, RECORD_WAIT, &row);
}

/*
 * Adds children of a program, one after the other from the first second on, each
 * living this many ms.
 */
static void children(struct advice_fixture *s, const char *program, uint64_t count, uint64_t ms, uint64_t execs)
{
	static uint64_t id = 100;

	for (uint64_t i = 0; i < count; i++) {
		uint64_t start = NSEC_PER_SEC + i * ms * NSEC_PER_MSEC;
		struct record_process process = { .process = ++id,
						  .pid = 1000 + id,
						  .parent = 1,
						  .start = start,
						  .end = start + ms * NSEC_PER_MSEC,
						  .program = fixture_string(&s->f, program),
						  .execs = execs };

		fixture_add(&s->f, RECORD_PROCESS, &process);
	}
}

static void sleeps_in_a_loop_are_found(void **state UNUSED)
{
	const struct advice *advice;
	struct advice_fixture s;

	begin(&s);
	wait(&s, at(&s, "look", 20), WAIT_SLEEP, 0, 100, 2000);
	wait(&s, at(&s, "look", 20), WAIT_SLEEP, 0, 50, 1000);
	wait(&s, at(&s, "else", 30), WAIT_SOCKET, 0, 100, 3000);
	advice = advice_fixture_search(&s, 1);
	assert_string_equal(advice->code, "POLLING");
	assert_string_equal(advice->what, "the step sleeps again and again: 150 times, 20.0 ms each");
	assert_string_equal(advice->where, "pay.c: look line 20");
	assert_int_equal(advice->saves, 3 * NSEC_PER_SEC);
	assert_int_equal(advice->margin, 0);
	assert_int_equal(advice->evidence_count, 1);
	assert_string_equal(advice->evidence[0].report, "ACW");
	assert_string_equal(advice->evidence[0].row, "SLEEP 150 waits of 20.0 ms, 3.00 s of the run");
	advice_fixture_end(&s);
}

/* Few sleeps, long ones, or a negligible part of the run. */
static void other_sleeps_are_no_fault(void **state UNUSED)
{
	struct advice_fixture s;

	begin(&s);
	wait(&s, at(&s, "few", 20), WAIT_SLEEP, 0, 19, 1000);
	wait(&s, at(&s, "long", 30), WAIT_SLEEP, 0, 20, 45000);
	wait(&s, at(&s, "short", 40), WAIT_SLEEP, 0, 1000, 190);
	advice_fixture_search(&s, 0);
	advice_fixture_end(&s);
}

/* A saving that does not certainly exceed the minimum is not reported. */
static void margins_are_taken_off(void **state UNUSED)
{
	struct record_wait row = { .task = 1,
				   .reason = WAIT_SLEEP,
				   .count = 500,
				   .total = 400 * NSEC_PER_MSEC,
				   .charged = 400 * NSEC_PER_MSEC };
	const struct advice *advice;
	struct advice_fixture s;

	for (uint64_t deviation = 50; deviation <= 150; deviation += 100) {
		begin(&s);
		row.time = s.f.time;
		row.stack = at(&s, "unsure", 20);
		/*
		 * Laid by looks, so that its margin is a multiple of its deviation; and time laid
		 * elsewhere.
		 */
		row.laid = row.total;
		row.spread = row.variance = deviation * deviation * 1000000;
		fixture_add(&s.f, RECORD_WAIT, &row);
		row.reason = WAIT_SOCKET;
		row.stack = at(&s, "other", 30);
		row.total = row.charged = row.laid = 2000 * NSEC_PER_MSEC;
		fixture_add(&s.f, RECORD_WAIT, &row);
		row.reason = WAIT_SLEEP;
		row.total = row.charged = row.laid = 400 * NSEC_PER_MSEC;
		advice = advice_fixture_search(&s, deviation == 50 ? 1 : 0);
		if (deviation == 50) {
			assert_true(advice->margin > 50 * NSEC_PER_MSEC);
			assert_true(advice->saves - advice->margin >= 200 * NSEC_PER_MSEC);
		}
		advice_fixture_end(&s);
	}
}

static void a_sync_after_each_record_is_found(void **state UNUSED)
{
	struct record_file file = { .file = 7, .kind = FILE_REGULAR, .bytes_known = 1 };
	struct record_file_activity activity = { .file = 7 };
	const struct advice *advice;
	struct advice_fixture s;

	begin(&s);
	file.path = fixture_string(&s.f, "/data/ledger");
	file.ddname = fixture_string(&s.f, "LEDGER");
	fixture_add(&s.f, RECORD_FILE, &file);
	activity.time = s.f.time;
	activity.bytes = 40000;
	activity.calls = 500;
	fixture_add(&s.f, RECORD_FILE_ACTIVITY, &activity);
	wait(&s, at(&s, "put", 20), WAIT_FILE_SYNC, 7, 500, 4000);
	advice = advice_fixture_search(&s, 1);
	assert_string_equal(advice->code, "SYNC");
	assert_string_equal(advice->what, "LEDGER is written to the device 500 times, after 80 bytes each");
	assert_int_equal(advice->saves, 4 * NSEC_PER_SEC);
	assert_int_equal(advice->evidence_count, 2);
	assert_string_equal(advice->evidence[1].report, "DSC");
	advice_fixture_end(&s);
}

static void children_in_a_loop_are_found(void **state UNUSED)
{
	const struct advice *advice;
	struct advice_fixture s;

	begin(&s);
	children(&s, "cut", 100, 10, 1);
	children(&s, "python3.11", 60, 50, 1);
	advice = advice_fixture_search(&s, 2);
	assert_string_equal(advice[0].code, "INTERPRETER-START");
	assert_int_equal(advice[0].saves, 3 * NSEC_PER_SEC);
	assert_string_equal(advice[0].what, "python3.11 is started 60 times, for 50.0 ms each");
	assert_string_equal(advice[1].code, "CHILDREN");
	assert_int_equal(advice[1].saves, NSEC_PER_SEC);
	assert_string_equal(advice[1].where, "cut");
	advice_fixture_end(&s);
}

/* Few children, long ones, and those that are part of the program. */
static void other_children_are_no_fault(void **state UNUSED)
{
	struct advice_fixture s;

	begin(&s);
	children(&s, "cut", 49, 100, 1);
	children(&s, "sort", 50, 201, 1);
	children(&s, "pay", 500, 10, 0);
	advice_fixture_search(&s, 0);
	advice_fixture_end(&s);
}

/* Concurrent children cost the time in which at least one of them lives. */
static void children_at_once_are_counted_once(void **state UNUSED)
{
	const struct advice *advice;
	struct advice_fixture s;

	begin(&s);
	for (int i = 0; i < 4; i++)
		children(&s, "cut", 100, 10, 1);
	advice = advice_fixture_search(&s, 1);
	assert_int_equal(advice->saves, NSEC_PER_SEC);
	advice_fixture_end(&s);
}

static void a_search_for_the_end_of_texts_is_found(void **state UNUSED)
{
	static const char *const names[] = { "__strlen_evex", "__GI_strlen", "strlen@plt",
					     "strlens",	      "__memcpy_evex", "strcat" };
	const struct advice *advice;
	struct advice_fixture s;
	uint64_t library;

	begin(&s);
	fixture_number(&s.f, ATTR_PERIOD, NSEC_PER_MSEC);
	library = fixture_object(&s.f, OBJECT_FILE, "/usr/lib/libc.so.6", "");
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		fixture_samples(&s.f, 1000,
				fixture_stack(&s.f, at(&s, "add", 20),
					      fixture_frame(&s.f, library, 0x1000 * (i + 1), "",
							    names[i], 0, "")),
				1, 0, 0);
	/* At another place, too little to report. */
	fixture_samples(&s.f, 100,
			fixture_stack(&s.f, at(&s, "few", 30),
				      fixture_frame(&s.f, library, 0x9000, "", "strlen", 0, "")),
			1, 0, 0);
	advice = advice_fixture_search(&s, 2);
	assert_string_equal(advice[0].code, "TEXT-END");
	assert_string_equal(advice[0].what, "strlen looks for the end of a text again and again");
	assert_string_equal(advice[0].where, "pay.c: add line 20");
	assert_int_equal(advice[0].saves, 3000 * NSEC_PER_MSEC);
	assert_string_equal(advice[0].evidence[0].row, "add line 20, 3000 CPU samples of strlen");
	assert_string_equal(advice[1].what, "strcat looks for the end of a text again and again");
	advice_fixture_end(&s);
}

/*
 * Builds a line of Python that joins texts: samples of copying, of its other work,
 * and of freeing memory.
 */
static const struct advice *join_texts(struct advice_fixture *s, uint64_t copying, uint64_t other, uint64_t freeing,
				       size_t count)
{
	uint64_t script, python, libc, kernel, line, joining;

	begin(s);
	fixture_number(&s->f, ATTR_PERIOD, NSEC_PER_MSEC);
	python = fixture_object(&s->f, OBJECT_FILE, "/usr/lib/libpython3.so", "");
	libc = fixture_object(&s->f, OBJECT_FILE, "/usr/lib/libc.so.6", "");
	kernel = fixture_object(&s->f, OBJECT_KERNEL, "[kernel]", "");
	script = fixture_object(&s->f, OBJECT_NAMED, "built.py", "");
	line = fixture_stack(&s->f, 0,
			     fixture_place(&s->f, script, "", "add", 12, "Python", "self.text += line"));
	joining = fixture_stack(&s->f, line,
				fixture_frame(&s->f, python, 0x1000, "", "PyUnicode_Concat", 0, ""));
	fixture_samples(&s->f, copying,
			fixture_stack(&s->f, joining,
				      fixture_frame(&s->f, libc, 0x1000, "", "__memmove_evex", 0, "")),
			1, 0, 0);
	fixture_samples(&s->f, copying,
			fixture_stack(&s->f, joining, fixture_frame(&s->f, kernel, 0x1000, "", "clear_page", 0, "")),
			1, 0, 0);
	fixture_samples(&s->f, other, joining, 1, 0, 0);
	fixture_samples(&s->f, freeing,
			fixture_stack(&s->f, line, fixture_frame(&s->f, python, 0x2000, "", "_PyObject_Free", 0, "")),
			1, 0, 0);
	/*
	 * Where the collector was not called; and compiled code that joins texts in an
	 * unknown way.
	 */
	fixture_samples(&s->f, 200,
			fixture_stack(&s->f,
				      fixture_stack(&s->f, 0,
						    fixture_frame(&s->f, python, 0x3000, "", "_PyEval_EvalFrameDefault", 0, "")),
				      fixture_frame(&s->f, python, 0x1000, "", "PyUnicode_Concat", 0, "")),
			1, 0, 0);
	fixture_samples(&s->f, 4000,
			fixture_stack(&s->f, at(s, "join", 20),
				      fixture_frame(&s->f, python, 0x1000, "", "PyUnicode_Concat", 0, "")),
			1, 0, 0);
	return advice_fixture_search(s, count);
}

static void texts_copied_with_each_piece_are_found(void **state UNUSED)
{
	const struct advice *advice;
	struct advice_fixture s;

	advice = join_texts(&s, 1000, 500, 300, 1);
	assert_string_equal(advice->code, "TEXT-BUILDING");
	assert_string_equal(advice->what, "a string is built piece by piece: each piece copies all of it");
	assert_int_equal(advice->saves, 3000 * NSEC_PER_MSEC);
	assert_int_equal(advice->evidence_count, 3);
	assert_string_equal(advice->evidence[0].report, "ACE");
	assert_string_equal(advice->evidence[0].row, "add line 12, 2500 CPU samples of joining texts");
	assert_string_equal(advice->evidence[1].row, "add line 12, 300 CPU samples of freeing the previous texts");
	assert_string_equal(advice->evidence[2].row, "200 CPU samples of joining texts on unknown lines");
	advice_fixture_end(&s);
	/*
	 * For short texts, copying is the smallest part; what is freed may be something
	 * else, or hardly anything.
	 */
	join_texts(&s, 400, 1000, 300, 0);
	advice_fixture_end(&s);
	join_texts(&s, 0, 0, 3000, 0);
	advice_fixture_end(&s);
	join_texts(&s, 10, 5, 0, 0);
	advice_fixture_end(&s);
}

static void a_session_without_a_run_has_none(void **state UNUSED)
{
	struct fixture f;
	struct advice_list advice_list;
	struct profile *profile;

	fixture_init(&f);
	profile = fixture_end(&f);
	advices_init(&advice_list, profile);
	assert_int_equal(advice_list.count, 0);
	advices_release(&advice_list);
	profile_free(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sleeps_in_a_loop_are_found),
		cmocka_unit_test(other_sleeps_are_no_fault),
		cmocka_unit_test(margins_are_taken_off),
		cmocka_unit_test(a_sync_after_each_record_is_found),
		cmocka_unit_test(children_in_a_loop_are_found),
		cmocka_unit_test(other_children_are_no_fault),
		cmocka_unit_test(children_at_once_are_counted_once),
		cmocka_unit_test(a_search_for_the_end_of_texts_is_found),
		cmocka_unit_test(texts_copied_with_each_piece_are_found),
		cmocka_unit_test(a_session_without_a_run_has_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
