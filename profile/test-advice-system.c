/* SPDX-License-Identifier: Apache-2.0 */
/* Tests advice on a session's use of the system, and that a session with little use gets none. */
#include "common/compat.h"
#include "common/clock.h"
#include "profile/fixture-advice.h"
#include "records/record-types.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/*
 * Begins a session of ten seconds, five of them CPU time of one task in 5000
 * samples; the test fills it.
 */
static void begin(struct advice_fixture *s)
{
	advice_fixture_begin(s, "/opt/pay", 5 * NSEC_PER_SEC, 5 * NSEC_PER_SEC);
	s->library = fixture_object(&s->f, OBJECT_FILE, "/lib/libc.so.6", "");
	s->kernel = fixture_object(&s->f, OBJECT_KERNEL, "[kernel]", "");
	s->root = fixture_stack(&s->f, 0, fixture_frame(&s->f, s->program, 0x100, "pay.c", "main", 10, ""));
	fixture_number(&s->f, ATTR_PERIOD, NSEC_PER_MSEC);
	fixture_number(&s->f, ATTR_CPU_EXACT, 5 * NSEC_PER_SEC);
}

/*
 * Returns the stack of a statement that calls a function of the C library; NULL:
 * that executes itself.
 */
static uint64_t at(struct advice_fixture *s, const char *procedure, uint64_t line, const char *function)
{
	uint64_t stack = fixture_stack(
		&s->f, s->root,
		fixture_frame(&s->f, s->program, 0x1000 * line, "pay.c", procedure, line, ""));

	return function ? fixture_stack(&s->f, stack,
					fixture_frame(&s->f, s->library, 0x1000 * line, "", function, 0, ""))
			: stack;
}

static void file(struct advice_fixture *s, uint64_t id, const char *name, int flags, uint64_t calls,
		 uint64_t bytes)
{
	struct record_file file = { .file = id,
				    .kind = FILE_REGULAR,
				    .open_flags = (uint64_t)flags + 1,
				    .opens = 1,
				    .bytes_known = 1,
				    .calls_known = calls > 0 };
	struct record_file_activity activity = { .file = id, .calls = calls, .bytes = bytes };

	file.path = fixture_string(&s->f, name);
	file.ddname = fixture_string(&s->f, name);
	fixture_add(&s->f, RECORD_FILE, &file);
	activity.time = s->f.time;
	fixture_add(&s->f, RECORD_FILE_ACTIVITY, &activity);
}

static void small_blocks_of_a_data_set_are_found(void **state UNUSED)
{
	const struct advice *advice;
	struct advice_fixture s;

	begin(&s);
	file(&s, 1, "MASTER", O_RDONLY, 100, 3200000);
	file(&s, 2, "LEDGER", O_WRONLY, 30000, 900000);
	file(&s, 3, "REPORT", O_WRONLY, 10000, 10000 * 4096);
	fixture_samples(&s.f, 400, at(&s, "put", 20, "__GI___libc_write"), 1, SAMPLE_SOLO, 0);
	fixture_samples(&s.f, 600, at(&s, "put", 20, "pwrite64"), 1, SAMPLE_SOLO, 0);
	fixture_samples(&s.f, 200, at(&s, "print", 30, "write"), 1, SAMPLE_SOLO, 0);
	fixture_samples(&s.f, 800, at(&s, "get", 40, "read"), 1, SAMPLE_SOLO, 0);
	fixture_samples(&s.f, 3000, at(&s, "compute", 50, NULL), 1, SAMPLE_SOLO, 0);
	advice = advice_fixture_search(&s, 1);
	assert_string_equal(advice->code, "SMALL-BLOCKS");
	assert_string_equal(advice->what, "LEDGER is written 30000 times, 30 bytes each");
	assert_string_equal(advice->where, "pay.c: put line 20");
	/* Its share of 1200 samples by the number of calls. */
	assert_int_equal(advice->saves, 900 * NSEC_PER_MSEC);
	assert_in_range(advice->margin, 40 * NSEC_PER_MSEC, 70 * NSEC_PER_MSEC);
	assert_string_equal(advice->evidence[0].row, "1000 CPU samples of writing there");
	assert_string_equal(advice->evidence[1].report, "DSC");
	assert_string_equal(advice->evidence[1].row, "LEDGER 900000 bytes moved in 30000 calls");
	advice_fixture_end(&s);
}

/*
 * Builds a step whose files move this many bytes in 2000 calls that take a fifth
 * of its CPU time.
 */
static void whole_step(struct advice_fixture *s, uint64_t ledger, uint64_t bytes)
{
	begin(s);
	file(s, 2, "LEDGER", O_WRONLY, 0, ledger);
	s->step.read_calls = 500;
	s->step.write_calls = 1500;
	s->step.moved_bytes = bytes;
	fixture_samples(&s->f, 1000, at(s, "put", 20, "__write"), 1, SAMPLE_SOLO, 0);
	fixture_samples(&s->f, 4000, at(s, "compute", 50, NULL), 1, SAMPLE_SOLO, 0);
}

static void small_blocks_of_a_step_are_found(void **state UNUSED)
{
	const struct advice *advice;
	struct advice_fixture s;

	whole_step(&s, 15000, 16000);
	advice = advice_fixture_search(&s, 1);
	assert_string_equal(advice->what, "LEDGER is read or written 2000 times, 8.0 bytes each");
	assert_int_equal(advice->saves, NSEC_PER_SEC);
	assert_string_equal(advice->evidence[1].row, "2000 read and write calls moved 16000 bytes");
	advice_fixture_end(&s);
	whole_step(&s, 14000, 16000);
	advice = advice_fixture_search(&s, 1);
	assert_string_equal(advice->what, "the step reads or writes 2000 times, 8.0 bytes each");
	advice_fixture_end(&s);
}

/*
 * Large blocks; calls that mostly move nothing; unknown sizes; few calls; programs
 * that wait for each other.
 */
static void other_calls_are_no_fault(void **state UNUSED)
{
	struct record_file pipe = { .file = 9, .kind = FILE_PIPE };
	struct record_file_activity waits = { .file = 9, .waits = 300 };
	struct advice_fixture s;

	whole_step(&s, 15000, 513 * 2000);
	advice_fixture_search(&s, 0);
	advice_fixture_end(&s);
	whole_step(&s, 900, 900);
	advice_fixture_search(&s, 0);
	advice_fixture_end(&s);
	whole_step(&s, 15000, 0);
	advice_fixture_search(&s, 0);
	advice_fixture_end(&s);
	whole_step(&s, 15000, 16000);
	s.step.read_calls = s.step.write_calls = 499;
	advice_fixture_search(&s, 0);
	advice_fixture_end(&s);
	whole_step(&s, 15000, 16000);
	waits.time = s.f.time;
	fixture_add(&s.f, RECORD_FILE, &pipe);
	fixture_add(&s.f, RECORD_FILE_ACTIVITY, &waits);
	advice_fixture_search(&s, 0);
	advice_fixture_end(&s);
}

/*
 * An ordinary user's kernel samples have places near the call; those of other
 * statements stay with them.
 */
static void estimated_samples_of_the_kernel_count(void **state UNUSED)
{
	struct record_sample sample = { .task = 1, .kind = SAMPLE_KERNEL_ESTIMATED };
	const struct advice *advice;
	struct advice_fixture s;

	whole_step(&s, 15000, 16000);
	sample.time = s.f.time;
	sample.stack = at(&s, "put", 20, NULL);
	sample.stack = fixture_stack(&s.f, sample.stack,
				     fixture_frame(&s.f, s.program, 0x9000, ".PLT", "write@plt", 0, ""));
	for (int i = 0; i < 100; i++)
		fixture_add(&s.f, RECORD_SAMPLE, &sample);
	for (int i = 0; i < 500; i++) {
		sample.stack = at(&s, i % 2 ? "put" : "compute", i % 2 ? 20 : 50, NULL);
		fixture_add(&s.f, RECORD_SAMPLE, &sample);
	}
	advice = advice_fixture_search(&s, 1);
	assert_string_equal(advice->evidence[0].row, "1350 CPU samples of writing there");
	advice_fixture_end(&s);
}

/* Returns the stack of a function of another library that a statement calls. */
static uint64_t in(struct advice_fixture *s, uint64_t stack, const char *path, const char *function)
{
	static uint64_t offset = 0x40000;

	return fixture_stack(&s->f, stack,
			     fixture_frame(&s->f, fixture_object(&s->f, OBJECT_FILE, path, ""),
					   offset += 0x1000, "", function, 0, ""));
}

static void wait(struct advice_fixture *s, uint64_t stack, enum wait_reason reason, uint64_t count, uint64_t ms)
{
	struct record_wait row = { .time = s->f.time,
				   .task = 1,
				   .stack = stack,
				   .reason = reason,
				   .count = count,
				   .total = ms * NSEC_PER_MSEC,
				   .charged = ms * NSEC_PER_MSEC };

	fixture_add(&s->f, RECORD_WAIT, &row);
}

#define LIBPQ "/usr/lib/libpq.so.5.15"

/*
 * Answers, compared with those of other statements, other libraries, and other
 * waits in the same library.
 */
static void many_answers_of_a_database_are_found(void **state UNUSED)
{
	const struct advice *advice;
	uint64_t stack;
	struct advice_fixture s;

	begin(&s);
	stack = in(&s, at(&s, "ask", 20, NULL), LIBPQ, "PQexec");
	wait(&s, fixture_stack(&s.f, stack, fixture_frame(&s.f, s.library, 0x7000, "", "poll", 0, "")),
	     WAIT_SOCKET, 3000, 1500);
	wait(&s, stack, WAIT_POLL, 1000, 500);
	wait(&s, stack, WAIT_LOCK, 1000, 400);
	wait(&s, in(&s, at(&s, "few", 30, NULL), LIBPQ, "PQexec"), WAIT_SOCKET, 199, 1000);
	wait(&s, in(&s, at(&s, "long", 40, NULL), LIBPQ, "PQexec"), WAIT_SOCKET, 200, 4200);
	wait(&s, at(&s, "other", 50, "read"), WAIT_SOCKET, 3000, 1000);
	fixture_samples(&s.f, 100, stack, 1, SAMPLE_SOLO, 0);
	fixture_samples(&s.f, 4900, at(&s, "compute", 60, NULL), 1, SAMPLE_SOLO, 0);
	advice = advice_fixture_search(&s, 1);
	assert_string_equal(advice->code, "CHATTY-DATABASE");
	assert_string_equal(advice->what, "a database is queried again and again: 4000 answers, 0.500 ms each");
	assert_string_equal(advice->where, "pay.c: ask line 20");
	assert_int_equal(advice->saves, 2100 * NSEC_PER_MSEC);
	assert_string_equal(advice->evidence[0].row, "4000 waits of 0.500 ms, 2.00 s of the run");
	assert_string_equal(advice->evidence[1].row, "100 CPU samples of these calls");
	advice_fixture_end(&s);
}

static void statements_prepared_again_are_found(void **state UNUSED)
{
	const char *const sqlite = "/usr/lib/libsqlite3.so.0.8.6";
	const struct advice *advice;
	uint64_t stack;
	struct advice_fixture s;

	begin(&s);
	stack = in(&s, at(&s, "put", 20, NULL), sqlite, "sqlite3_exec");
	fixture_samples(&s.f, 500, stack, 1, SAMPLE_SOLO, 0);
	fixture_samples(&s.f, 300, in(&s, in(&s, stack, sqlite, "sqlite3_prepare_v2"), sqlite, "parse"), 1,
			SAMPLE_SOLO, 0);
	fixture_samples(&s.f, 100, in(&s, stack, sqlite, "sqlite3_finalize"), 1, SAMPLE_SOLO, 0);
	fixture_samples(&s.f, 49, in(&s, at(&s, "once", 30, NULL), sqlite, "sqlite3_prepare_v2"), 1, SAMPLE_SOLO, 0);
	/* A function of the program with such a name. */
	fixture_samples(&s.f, 4051, at(&s, "sqlite3_prepare_all", 40, NULL), 1, SAMPLE_SOLO, 0);
	advice = advice_fixture_search(&s, 1);
	assert_string_equal(advice->code, "PREPARED-AGAIN");
	assert_string_equal(advice->what, "SQLite prepares statements again and again: 400.0 ms");
	assert_string_equal(advice->where, "pay.c: put line 20");
	assert_int_equal(advice->saves, 400 * NSEC_PER_MSEC);
	assert_string_equal(advice->evidence[0].row, "400 CPU samples of preparing there");
	advice_fixture_end(&s);
}

static void task(struct advice_fixture *s, uint64_t id, const char *name, uint64_t cpu_ms)
{
	struct record_task task = { .task = id, .process = 1, .tid = id, .name = fixture_string(&s->f, name) };
	struct record_activity activity = { .time = s->f.time, .task = id, .cpu = cpu_ms * NSEC_PER_MSEC };

	fixture_add(&s->f, RECORD_TASK, &task);
	fixture_add(&s->f, RECORD_ACTIVITY, &activity);
}

/* Adds count waits of a task for a lock; holder 0: no holder was seen. */
static void waits_for_lock(struct advice_fixture *s, uint64_t waiter, uint64_t stack, uint64_t holder, uint64_t held_at,
			   uint64_t count, uint64_t ms)
{
	struct record_wait row = { .time = s->f.time,
				   .task = waiter,
				   .stack = stack,
				   .reason = WAIT_LOCK,
				   .count = count,
				   .total = ms * NSEC_PER_MSEC,
				   .holder = holder,
				   .holder_pid = holder,
				   .holder_stack = held_at };

	fixture_add(&s->f, RECORD_WAIT, &row);
}

/*
 * Two workers wait seven of ten seconds each for a third, which sleeps for four
 * and a half while holding the lock.
 */
static void a_convoy_is_found(void **state UNUSED)
{
	struct record_wait nap = { .task = 4,
				   .reason = WAIT_FILE_READ,
				   .count = 10,
				   .total = 4500 * NSEC_PER_MSEC };
	const struct advice *advice;
	uint64_t post, held;
	struct advice_fixture s;

	begin(&s);
	fixture_attribute(&s.f, ATTR_CPUS, "4");
	post = at(&s, "post", 20, "pthread_mutex_lock");
	held = at(&s, "slow", 30, "read");
	task(&s, 1, "main", 0);
	task(&s, 2, "worker", 2000);
	task(&s, 3, "worker", 2000);
	task(&s, 4, "keeper", 1000);
	waits_for_lock(&s, 2, post, 4, held, 60, 5000);
	waits_for_lock(&s, 2, post, 0, 0, 40, 2000);
	waits_for_lock(&s, 3, post, 4, held, 30, 4000);
	waits_for_lock(&s, 3, post, 4, at(&s, "quick", 40, NULL), 10, 3000);
	/* Laid there by chance. */
	waits_for_lock(&s, 1, post, 4, held, 5, 0);
	/* The wait for the other tasks' end, which has no holder. */
	waits_for_lock(&s, 1, at(&s, "main", 50, "pthread_join"), 0, 0, 30, 9900);
	nap.time = s.f.time;
	nap.stack = held;
	fixture_add(&s.f, RECORD_WAIT, &nap);
	nap.reason = WAIT_DISPATCH;
	fixture_add(&s.f, RECORD_WAIT, &nap);
	advice = advice_fixture_search(&s, 1);
	assert_string_equal(advice->code, "LOCK-CONVOY");
	assert_string_equal(advice->what, "2 tasks wait for a lock held by keeper at slow line 30");
	assert_string_equal(advice->where, "pay.c: post line 20");
	/* The holder needs five and a half seconds in any case. */
	assert_int_equal(advice->saves, 4500 * NSEC_PER_MSEC);
	assert_string_equal(advice->evidence[0].row, "LOCK 145 waits of 96.6 ms, a holder was seen in 105, held by keeper");
	advice_fixture_end(&s);
}

/* Few waits; no holder seen; and processors that are busy in any case. */
static void other_locks_are_no_fault(void **state UNUSED)
{
	uint64_t post;
	struct advice_fixture s;

	for (int i = 0; i < 3; i++) {
		begin(&s);
		fixture_attribute(&s.f, ATTR_CPUS, i == 2 ? "1" : "4");
		post = at(&s, "post", 20, "pthread_mutex_lock");
		task(&s, 2, "worker", 5000);
		task(&s, 3, "worker", 4900);
		waits_for_lock(&s, 2, post, i == 1 ? 0 : 3, 0, i == 0 ? 19 : 100, 4000);
		waits_for_lock(&s, 3, post, i == 1 ? 0 : 2, 0, i == 0 ? 0 : 2, 4000);
		advice_fixture_search(&s, 0);
		advice_fixture_end(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_blocks_of_a_data_set_are_found),
		cmocka_unit_test(small_blocks_of_a_step_are_found),
		cmocka_unit_test(other_calls_are_no_fault),
		cmocka_unit_test(estimated_samples_of_the_kernel_count),
		cmocka_unit_test(many_answers_of_a_database_are_found),
		cmocka_unit_test(statements_prepared_again_are_found),
		cmocka_unit_test(a_convoy_is_found),
		cmocka_unit_test(other_locks_are_no_fault),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
