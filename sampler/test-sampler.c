/* SPDX-License-Identifier: Apache-2.0 */
/* test tags: exact, limit:240 */
/*
 * End-to-end tests of the sampler: programs whose waits and tasks are known are
 * measured at each privilege level. Nothing here depends on when vigil gets a
 * processor: tasks and codes are counted, lengths are by the kernel's clock and
 * compared with the program's and the session's, and if a look at the program is
 * needed the program runs until there was one. Shares and CPU times are checked in
 * test-sampler-live.c.
 */
#include "common/compat.h"
#include "common/clock.h"
#include "records/record-types.h"
#include "sampler/test-measure.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <sys/wait.h>
#include <unistd.h>

/* User id without privilege, for tests that run as root. */
#define NOBODY 65534

/*
 * Checks that a task waited ns for another one that slept ms, or for the clock:
 * time for which it was kept from the processor, or used it, before it began to
 * wait is its own. The kernel's clocks of sleeps and of records differ by less
 * than 3 percent.
 */
static void assert_lasted_beside(const struct session *session, uint64_t ns, uint64_t ms)
{
	uint64_t own =
		session_waits(session, WAIT_DISPATCH, NULL).total + session->counts.cpu_exact;

	if (ns > session_step(session).interval + session->paused + NSEC_PER_MSEC ||
	    ns + own < ms * NSEC_PER_MSEC * 97 / 100)
		fail_msg("%.1f ms beside %.1f ms of its own are not about %.1f ms",
			 (double)ns / 1e6, (double)own / 1e6, (double)ms);
}

/*
 * Returns the name of the file for which a program waits, and sets the condition
 * for it; the program gets the name as an argument.
 */
static const char *until(struct session *session, bool (*enough)(struct session *session))
{
	static char name[64];

	snprintf(name, sizeof(name), "/tmp/test-sampler-%d.enough", (int)getpid());
	unlink(name);
	session->enough = enough;
	session->enough_file = name;
	return name;
}

/*
 * Measures a program of waits until one has its place: on a busy machine a look
 * may come when it is over.
 */
static struct record_wait measure_wait(struct session *session, const char *kind, const char *ms,
				       enum wait_reason reason, const char *procedure)
{
	struct record_wait wait = { 0 };

	for (unsigned time = 0; time < 5 && !wait.count; time++) {
		if (time)
			session_release(session);
		*session = (struct session){ 0 };
		measure(session, PRIVILEGE_AUTO, "waits", kind, ms, NULL);
		check_accounts(session);
		wait = session_waits(session, reason, procedure);
	}
	return wait;
}

/* Returns the number of samples marked as the only activity of the step. */
static uint64_t solo_samples(const struct session *session)
{
	const struct recordset *set = &session->rows[RECORD_SAMPLE];
	uint64_t count = 0;

	for (size_t i = 0; i < set->count; i++)
		count += (((const struct record_sample *)recordset_get(set, i))->flags &
			  SAMPLE_SOLO) != 0;
	return count;
}

/* Adds up the ns of CPU time, and of that alone, in the rows of activity. */
static void add_activity(const struct session *session, uint64_t *cpu, uint64_t *solo)
{
	const struct recordset *set = &session->rows[RECORD_ACTIVITY];

	*cpu = *solo = 0;
	for (size_t i = 0; i < set->count; i++) {
		const struct record_activity *row = recordset_get(set, i);

		*cpu += row->cpu;
		*solo += row->cpu_solo;
	}
}

/* At each privilege level. */
static void a_lone_task_is_solo(void **state UNUSED)
{
	static const enum privilege rungs[] = { PRIVILEGE_FULL, PRIVILEGE_USER, PRIVILEGE_PROC };

	for (unsigned i = 0; i < ARRAY_SIZE(rungs); i++) {
		struct session session = { 0 };
		uint64_t cpu, solo;

		measure(&session, rungs[i], "shares", "120", NULL, NULL);
		need_rung(&session, rungs[i]);
		add_activity(&session, &cpu, &solo);
		assert_int_equal(cpu, session.counts.cpu_exact + session.counts.cpu_switching);
		assert_int_equal(cpu, solo);
		/*
		 * One at its start or end, whose record is next to that of a switch, may not be
		 * marked.
		 */
		assert_within((double)solo_samples(&session),
			      (double)session.rows[RECORD_SAMPLE].count, 2);
		session_release(&session);
	}
}

static bool half_was_seen(struct session *session)
{
	return session->rows[RECORD_SAMPLE].count >= 100;
}

static void proc_alone_knows_the_program(void **state UNUSED)
{
	struct session session = { 0 };

	measure(&session, PRIVILEGE_PROC, "shares", "300", until(&session, half_was_seen), NULL);
	unlink(session.enough_file);
	assert_string_equal(session_attribute(&session, ATTR_PRIVILEGE), "PROC");
	check_accounts(&session);
	assert_true(session.rows[RECORD_SAMPLE].count > 0);
	/*
	 * Less than it used: its usage after the last look, when it had been waited for,
	 * was not seen.
	 */
	assert_true((double)(session.rows[RECORD_SAMPLE].count * session.counts.period) <=
		    rusage_ns(&session) + 2 * (double)session.counts.period);
	assert_true(session.rows[RECORD_NOTE].count >= 1);
	session_release(&session);
}

static bool nap_was_seen(struct session *session)
{
	return session_waits(session, WAIT_SLEEP, "nap").total >= 400 * NSEC_PER_MSEC;
}

static void proc_alone_knows_waits(void **state UNUSED)
{
	struct session session = { 0 };
	struct record_wait wait;

	measure(&session, PRIVILEGE_PROC, "waits", "sleep", "400", until(&session, nap_was_seen));
	unlink(session.enough_file);
	check_accounts(&session);
	wait = session_waits(&session, WAIT_SLEEP, "nap");
	assert_true(wait.total >= 400 * NSEC_PER_MSEC);
	assert_true(wait.total <= session_step(&session).interval);
	session_release(&session);
}

static void a_sleep_is_found(void **state UNUSED)
{
	struct session session;
	struct record_wait wait = measure_wait(&session, "sleep", "200", WAIT_SLEEP, "nap");

	assert_int_equal(wait.count, 1);
	assert_lasted_beside(&session, wait.total, 200);
	assert_within((double)wait.solo, (double)wait.charged, 1000);
	session_release(&session);
}

static void short_sleeps_are_counted(void **state UNUSED)
{
	struct session session = { .output = tmpfile() };
	struct record_wait wait;
	int before, naps;

	assert_non_null(session.output);
	measure(&session, PRIVILEGE_AUTO, "waits", "short", "499", "400");
	check_accounts(&session);
	wait = session_waits(&session, WAIT_SLEEP, "naps");
	/*
	 * By the kernel's figures, which the program prints: all sleeps are waits, and at
	 * most the earlier waits are added.
	 */
	rewind(session.output);
	assert_int_equal(fscanf(session.output, "%d %d", &before, &naps), 2);
	assert_in_range(wait.count, naps, naps + before);
	assert_lasted_beside(&session, wait.total, (uint64_t)naps * 4 / 10);
	fclose(session.output);
	session_release(&session);
}

static void a_pipe_is_found_and_its_writer(void **state UNUSED)
{
	struct session session;
	struct record_wait pipe = measure_wait(&session, "pipe", "300", WAIT_PIPE, "hear");

	assert_int_equal(pipe.count, 1);
	assert_lasted_beside(&session, pipe.total, 300);
	assert_true(pipe.file > 0);
	/* The step waits for the one or the other. */
	assert_lasted_beside(&session,
			     session_waits(&session, WAIT_SLEEP, NULL).charged + pipe.charged, 300);
	assert_int_equal(session.counts.processes, 2);
	session_release(&session);
}

static void a_lock_is_found(void **state UNUSED)
{
	struct session session;
	struct record_wait wait = measure_wait(&session, "lock", "300", WAIT_LOCK, "grab");

	assert_int_equal(wait.count, 1);
	assert_lasted_beside(&session, wait.total, 300);
	session_release(&session);
}

static void a_child_is_waited_for(void **state UNUSED)
{
	struct session session;
	struct record_wait wait =
		measure_wait(&session, "child", "200", WAIT_CHILD, "wait_for_child");

	assert_int_equal(wait.count, 1);
	assert_lasted_beside(&session, wait.total, 200);
	session_release(&session);
}

static void waits_for_a_file_have_its_name(void **state UNUSED)
{
	char name[] = "vigil-sync-XXXXXX";
	struct session session = { 0 };
	struct record_wait wait;
	bool named = false;
	int fd = mkstemp(name);

	if (fd < 0) {
		print_message("# no file can be written here\n");
		skip();
	}
	close(fd);
	measure(&session, PRIVILEGE_AUTO, "waits", "sync", name, "101");
	unlink(name);
	check_accounts(&session);
	wait = session_waits(&session, WAIT_FILE_SYNC, "store");
	if (wait.count == 0) {
		print_message("# fsync does not wait here\n");
		session_release(&session);
		skip();
	}
	for (size_t i = 0; i < session.rows[RECORD_FILE].count; i++) {
		const struct record_file *row = recordset_get(&session.rows[RECORD_FILE], i);

		if (row->file == wait.file && strstr(session_text(&session, row->path), name))
			named = true;
	}
	assert_true(named);
	assert_true(session.rows[RECORD_FILE_ACTIVITY].count > 0);
	session_release(&session);
}

static void many_threads_are_all_there(void **state UNUSED)
{
	struct session session = { 0 };

	measure(&session, PRIVILEGE_AUTO, "tasks", "threads", "211", "200");
	check_accounts(&session);
	assert_int_equal(session.counts.tasks, 212);
	assert_int_equal(session.counts.processes, 1);
	/*
	 * One look at each wait that lasts, and a dozen in a round, of which there is one
	 * in 3 ms (wait-looks.c); not a look for each tick and thread.
	 */
	assert_true(session.counts.probes <
		    4 * 212 + session_waits(&session, 0, NULL).count +
			    12 * (session_step(&session).interval / (3 * NSEC_PER_MSEC)));
	session_release(&session);
}

/*
 * The first thread has ended before the records of those that it started are read,
 * as /proc shows.
 */
static void a_first_thread_that_ends_at_once_leaves_its_process(void **state UNUSED)
{
	for (int i = 0; i < 16; i++) {
		struct session session = { 0 };

		measure(&session, PRIVILEGE_AUTO, "waits", "orphan", "5", NULL);
		assert_int_equal(session.counts.processes, 1);
		assert_int_equal(session.counts.tasks, 3);
		session_release(&session);
	}
}

/* Each is too short for a sample; together they get one per millisecond (test-sampler-live.c). */
static void many_processes_are_all_there(void **state UNUSED)
{
	struct session session = { 0 };

	measure(&session, PRIVILEGE_USER, "tasks", "forks", "307", "300");
	need_rung(&session, PRIVILEGE_USER);
	check_accounts(&session);
	assert_int_equal(session.counts.processes, 308);
	session_release(&session);
}

static void an_exec_changes_the_program(void **state UNUSED)
{
	struct session session = { 0 };
	const struct recordset *set = &session.rows[RECORD_PROCESS];
	const struct record_process *row;

	measure(&session, PRIVILEGE_AUTO, "tasks", "exec", "sleep", "0.3");
	check_accounts(&session);
	row = recordset_get(set, set->count - 1);
	assert_int_equal(row->execs, 2);
	assert_true(row->end > row->start);
	assert_non_null(strstr(session_text(&session, row->path), "/"));
	assert_string_not_equal(session_text(&session, row->program), "tasks");
	assert_true(session_samples_in(&session, "work") > 0);
	/* Its place may not have been seen. */
	assert_lasted_beside(&session, session_waits(&session, 0, NULL).total, 300);
	session_release(&session);
}

static void a_signal_ends_it(void **state UNUSED)
{
	struct session session = { 0 };

	measure(&session, PRIVILEGE_AUTO, "tasks", "signal", "11", NULL);
	check_accounts(&session);
	assert_true(WIFSIGNALED(session.status));
	assert_true(session_samples_in(&session, "work") > 0);
	session_release(&session);
}

static bool half_is_seen(struct session *session)
{
	return session_samples_in(session, "half") >= 50;
}

static void what_runs_is_attached_to(void **state UNUSED)
{
	struct session session = { .attach = true, .attach_from = 50 * NSEC_PER_MSEC };

	measure(&session, PRIVILEGE_AUTO, "shares", "500", until(&session, half_is_seen), NULL);
	unlink(session.enough_file);
	check_accounts(&session);
	assert_true(session_samples_in(&session, "half") > 0);
	/*
	 * Its usage before, 50 ms and more, does not count. Stolen time has the resolution
	 * of ticks of 10 ms.
	 */
	assert_true(session.used_before >= session.attach_from);
	assert_true(session.counts.cpu_exact <= session_rusage(&session) - session.used_before +
							session.stolen + 20 * NSEC_PER_MSEC);
	session_release(&session);
}

static void what_does_not_run_cannot_be_attached_to(void **state UNUSED)
{
	struct sampler_config config = { 0 };
	struct sampler *sampler = sampler_new(&config);
	struct error err = ERROR_INIT;
	pid_t child = fork();

	if (child == 0)
		_exit(0);
	waitpid(child, NULL, 0);
	assert_int_equal(sampler_attach(sampler, child, &err), -1);
	assert_true(*error_text(&err));
	error_release(&err);
	sampler_free(sampler);
}

static bool all_are_known(struct session *session)
{
	sampler_counts(session->sampler, &session->counts);
	return session->counts.tasks >= 98;
}

static void many_threads_are_attached_to(void **state UNUSED)
{
	struct session session = { .attach = true };

	measure(&session, PRIVILEGE_AUTO, "tasks", "threads-until", until(&session, all_are_known),
		"97");
	unlink(session.enough_file);
	check_accounts(&session);
	assert_int_equal(session.counts.tasks, 98);
	session_release(&session);
}

static void a_pause_counts_for_nothing(void **state UNUSED)
{
	struct session session = {
		.pause_from = 200 * NSEC_PER_MSEC,
		.pause_until = 1000 * NSEC_PER_MSEC,
	};
	struct record_step step;

	measure(&session, PRIVILEGE_AUTO, "waits", "sleep", "1500", NULL);
	check_accounts(&session);
	step = session_step(&session);
	assert_true(session.paused > 100 * NSEC_PER_MSEC);
	assert_lasted_beside(&session, step.interval + session.paused, 1500);
	assert_lasted_beside(&session, session_waits(&session, 0, NULL).total + session.paused,
			     1500);
	session_release(&session);
}

/*
 * The kernel itself samples less often: fewer samples were taken than half of the
 * milliseconds of CPU time.
 */
static bool few_are_taken(struct session *session)
{
	struct sampler_counts counts;

	sampler_counts(session->sampler, &counts);
	return counts.period >= 8 * NSEC_PER_MSEC && counts.processed >= 100 &&
	       2 * counts.taken * NSEC_PER_MSEC < counts.cpu_exact;
}

static void samples_are_thinned_while_it_runs(void **state UNUSED)
{
	struct session session = { .config = { .target = 100 } };

	measure(&session, PRIVILEGE_AUTO, "shares", "500", until(&session, few_are_taken), NULL);
	unlink(session.enough_file);
	check_accounts(&session);
	assert_in_range(session.counts.processed, 90, 200);
	assert_true(session.counts.period >= 8 * NSEC_PER_MSEC);
	assert_true(session.counts.thinned > 0);
	assert_true(2 * session.counts.taken * NSEC_PER_MSEC < session.counts.cpu_exact);
	session_release(&session);
}

static void samples_of_children_are_thinned(void **state UNUSED)
{
	struct session session = { .config = { .target = 100 } };

	measure(&session, PRIVILEGE_AUTO, "tasks", "forks", "41", "10000");
	check_accounts(&session);
	assert_true(session.counts.thinned > 0);
	assert_in_range(session.counts.processed, 90, 210);
	assert_int_equal(session.counts.processes, 42);
	session_release(&session);
}

static bool limit_is_reached(struct session *session)
{
	return sampler_limit_reached(session->sampler);
}

static void the_limit_is_reached(void **state UNUSED)
{
	struct session session = { .config = { .stop_after_samples = 100 } };

	measure(&session, PRIVILEGE_AUTO, "shares", "100", until(&session, limit_is_reached), NULL);
	unlink(session.enough_file);
	assert_true(sampler_limit_reached(session.sampler));
	session_release(&session);
}

/* What a user without privilege gets; its accuracy is checked in test-sampler-live.c. */
static void an_ordinary_user_measures(void **state UNUSED)
{
	pid_t child;
	int status;

	if (geteuid() != 0) {
		print_message("# the tests run as an ordinary user already\n");
		skip();
	}
	child = fork();
	if (child == 0) {
		char *command[] = { program("shares"), (char *)"300", NULL };
		struct session session = { 0 };
		bool good;

		if (setgid(NOBODY) < 0 || setuid(NOBODY) < 0 || access(command[0], X_OK) < 0)
			_exit(77);
		good = session_run(&session, command) && session.rows[RECORD_SAMPLE].count > 0 &&
		       (sampler_privilege(session.sampler) == PRIVILEGE_PROC ||
			session_samples_in(&session, "half") > 0);
		_exit(good ? 0 : 1);
	}
	waitpid(child, &status, 0);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
		print_message("# an ordinary user cannot reach the programs here\n");
		skip();
	}
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void without_events_proc_is_read(void **state UNUSED)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		char *command[] = { program("tasks"), (char *)"forks", (char *)"5",
				    (char *)"100000", NULL };
		struct session session = { 0 };
		bool good;

		if (!forbid_events())
			_exit(77);
		good = session_run(&session, command) &&
		       sampler_privilege(session.sampler) == PRIVILEGE_PROC &&
		       session.rows[RECORD_SAMPLE].count > 0 && session.counts.processes > 1 &&
		       session.counts.tasks_alive == 0;
		session_release(&session);
		_exit(good ? 0 : 1);
	}
	waitpid(child, &status, 0);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
		print_message("# system calls cannot be filtered here\n");
		skip();
	}
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_lone_task_is_solo),
		cmocka_unit_test(proc_alone_knows_the_program),
		cmocka_unit_test(proc_alone_knows_waits),
		cmocka_unit_test(a_sleep_is_found),
		cmocka_unit_test(short_sleeps_are_counted),
		cmocka_unit_test(a_pipe_is_found_and_its_writer),
		cmocka_unit_test(a_lock_is_found),
		cmocka_unit_test(a_child_is_waited_for),
		cmocka_unit_test(waits_for_a_file_have_its_name),
		cmocka_unit_test(many_threads_are_all_there),
		cmocka_unit_test(a_first_thread_that_ends_at_once_leaves_its_process),
		cmocka_unit_test(many_processes_are_all_there),
		cmocka_unit_test(an_exec_changes_the_program),
		cmocka_unit_test(a_signal_ends_it),
		cmocka_unit_test(what_runs_is_attached_to),
		cmocka_unit_test(what_does_not_run_cannot_be_attached_to),
		cmocka_unit_test(many_threads_are_attached_to),
		cmocka_unit_test(a_pause_counts_for_nothing),
		cmocka_unit_test(samples_are_thinned_while_it_runs),
		cmocka_unit_test(samples_of_children_are_thinned),
		cmocka_unit_test(the_limit_is_reached),
		cmocka_unit_test(an_ordinary_user_measures),
		cmocka_unit_test(without_events_proc_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
