/* SPDX-License-Identifier: Apache-2.0 */
/* test tags: trial, limit:120 */
/*
 * Tests of the sampler from end to end: programs whose shares, waits and
 * tasks are known are measured, on each rung of the ladder of privilege.
 * What is compared does not depend on the machine's load: CPU time with what the kernel
 * charged, shares with their margin of error, waits with the session's length.
 */
#include "common/compat.h"
#include "common/clock.h"
#include "sampler/test-session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <math.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* An ordinary user to try things as when the tests run as root. */
#define NOBODY 65534

/* The path of a program of tests/programs. */
static char *program(const char *name)
{
	static char path[4096];
	const char *build = getenv("VIGIL_BUILD");

	snprintf(path, sizeof(path), "%s/tests/programs/%s", build ? build : ".", name);
	return path;
}

/* Measure a program of tests/programs with up to three arguments on a rung. */
static void measure(struct session *session, enum privilege privilege, const char *name,
		    const char *first, const char *second, const char *third)
{
	char *command[] = { program(name), (char *)first, (char *)second, (char *)third, NULL };

	session->config.privilege = privilege;
	assert_true(session_run(session, command));
}

/* Whether two numbers differ by at most percent of the larger plus slack. */
static void assert_near(double one, double other, double percent, double slack)
{
	double larger = one > other ? one : other, apart = one > other ? one - other : other - one;

	if (apart > larger * percent / 100 + slack)
		fail_msg("%.0f and %.0f are further apart than %.0f %% and %.0f", one, other,
			 percent, slack);
}

/* Whether something lasted so many milliseconds; a busy machine makes it last longer, as it does
 * the step. */
static void assert_lasted(const struct session *session, uint64_t ns, uint64_t ms)
{
	uint64_t interval = session_step(session).interval + session->paused;

	if (ns < ms * NSEC_PER_MSEC * 97 / 100 || ns > interval + NSEC_PER_MSEC)
		fail_msg("%.1f ms of %.1f ms is not %.1f ms", (double)ns / 1e6,
			 (double)interval / 1e6, (double)ms);
}

/*
 * ns by which two ways to count CPU time may differ: the kernel's own work at a switch is charged
 * to a task but lies outside the switch records, and a hypervisor's theft is in these and in no
 * rusage.
 */
static double count_slack(const struct session *session)
{
	return 5e6 + 30e3 * (double)session->counts.switches + (double)session->stolen;
}

/*
 * Whether a task waited so long for another that was to sleep so long: what it was kept from the
 * processor, or used it, before it began to wait was its own.
 */
static void assert_lasted_beside(const struct session *session, uint64_t ns, uint64_t ms)
{
	uint64_t own =
		session_waits(session, WAIT_DISPATCH, NULL).total + session->counts.cpu_exact;

	if (ns > session_step(session).interval + NSEC_PER_MSEC ||
	    ns + own < ms * NSEC_PER_MSEC * 97 / 100)
		fail_msg("%.1f ms beside %.1f ms of its own are not about %.1f ms",
			 (double)ns / 1e6, (double)own / 1e6, (double)ms);
}

static double rusage_ns(const struct session *session)
{
	return (double)session_rusage(session);
}

/* What holds for every measurement. */
static void check_accounts(const struct session *session)
{
	const struct sampler_counts *counts = &session->counts;
	struct record_step step = session_step(session);
	struct record_wait waits = session_waits(session, 0, NULL);
	uint64_t samples = session->rows[RECORD_SAMPLE].count;
	double told = (double)((samples + counts->lost) * counts->period);
	double least = (double)counts->cpu_exact, most = rusage_ns(session);

	assert_int_equal(counts->taken, counts->processed + counts->thinned + counts->lost);
	assert_int_equal(counts->processed, samples);
	assert_int_equal(counts->processed, counts->whole + counts->broken + counts->cut);
	assert_int_equal(step.exec + step.wait + step.delay, step.interval);
	assert_near((double)waits.charged, (double)(step.wait + step.delay), 0, 1000);
	/* The kernel's own work at a switch is sampled but lies outside the switch records, and so
	   do the ends of tasks, which rusage has; a sample that the kernel dropped stood for a
	   period, too. */
	if (told > least && most > least)
		least = told < most ? told : most;
	assert_near(told, least, 2,
		    3 * (double)counts->period + 30e3 * (double)counts->switches +
			    (double)session->stolen);
	assert_int_equal(counts->tasks_alive, 0);
	assert_string_equal(session_attribute(session, ATTR_PERIOD_INITIAL), "1000000");
	/* Every id that a row refers to has its row. */
	for (size_t i = 0; i < samples; i++) {
		const struct record_sample *row = recordset_get(&session->rows[RECORD_SAMPLE], i);

		assert_true(row->task >= 1 && row->task <= counts->tasks);
		assert_true(row->stack >= 1 && row->stack <= session->rows[RECORD_STACK].count);
	}
}

/*
 * Whether a procedure has a percentage of the samples, but for twice the margin of error that
 * reports print, and for those that are lost or whose stack broke.
 */
static void assert_share(const struct session *session, const char *procedure, double percent)
{
	double samples = (double)session->rows[RECORD_SAMPLE].count, share = percent / 100;
	double margin = 1.96 * sqrt(share * (1 - share) * samples);

	assert_near((double)session_samples_in(session, procedure), share * samples, 0,
		    2 * margin + (double)(session->counts.lost + session->counts.broken) + 1);
}

/* Three functions share the processor 50 : 30 : 20 for 600 ms. */
static void check_shares(struct session *session)
{
	check_accounts(session);
	assert_true(rusage_ns(session) >= 600e6);
	assert_near((double)session->counts.cpu_exact, rusage_ns(session), 3, count_slack(session));
	assert_share(session, "half", 50);
	assert_share(session, "third", 30);
	assert_share(session, "fifth", 20);
	assert_true(session->counts.whole * 100 >=
		    (session->counts.whole + session->counts.broken) * 99);
	session_release(session);
}

/* brood.c: shorts children of so many us, of which kernel percent in the kernel, and longs of 60 ms. */
static void measure_brood(struct session *session, enum privilege privilege, const char *shorts,
			  const char *us, const char *longs, const char *kernel)
{
	char *command[] = { program("brood"), (char *)shorts, (char *)us, (char *)longs,
			    "60",	      (char *)kernel, NULL };

	session->config.privilege = privilege;
	assert_true(session_run(session, command));
}

/* Samples of a task, of one kind or (0) all. */
static uint64_t samples_of(const struct session *session, uint64_t task, enum sample_kind kind)
{
	const struct recordset *set = &session->rows[RECORD_SAMPLE];
	uint64_t count = 0;

	for (size_t i = 0; i < set->count; i++) {
		const struct record_sample *row = recordset_get(set, i);

		count += (!task || row->task == task) && (!kind || row->kind == kind);
	}
	return count;
}

/* On the machine at hand a rung may be out of reach. */
static void need_rung(struct session *session, enum privilege privilege)
{
	if (sampler_privilege(session->sampler) != privilege) {
		print_message("# rung %d is not permitted here\n", (int)privilege);
		session_release(session);
		skip();
	}
}

static void shares_are_known_with_privilege(void **state UNUSED)
{
	struct session session = { 0 };

	measure(&session, PRIVILEGE_FULL, "shares", "600", NULL, NULL);
	need_rung(&session, PRIVILEGE_FULL);
	assert_string_equal(session_attribute(&session, ATTR_PRIVILEGE), "FULL");
	check_shares(&session);
}

static void shares_are_known_to_users(void **state UNUSED)
{
	struct session session = { 0 };

	measure(&session, PRIVILEGE_USER, "shares", "600", NULL, NULL);
	need_rung(&session, PRIVILEGE_USER);
	assert_string_equal(session_attribute(&session, ATTR_PRIVILEGE), "USER");
	check_shares(&session);
}

/* Whatever events the kernel gave to each. */
static void long_children_among_short_ones_are_sampled(void **state UNUSED)
{
	static const enum privilege rungs[] = { PRIVILEGE_FULL, PRIVILEGE_USER };

	for (unsigned time = 0; time < 8; time++) {
		struct session session = { 0 };
		const struct recordset *tasks = &session.rows[RECORD_TASK];
		uint64_t last = 0;

		measure_brood(&session, rungs[time % 2], "100", "1500", "20", "0");
		need_rung(&session, rungs[time % 2]);
		for (size_t i = tasks->count; i-- > 0;) {
			const struct record_task *task = recordset_get(tasks, i);

			/* The first is the parent, which only starts them. */
			if (task->cpu < 40 * NSEC_PER_MSEC || task->task == last || task->task == 1)
				continue;
			last = task->task;
			if (4 * samples_of(&session, last, SAMPLE_USER) <
			    samples_of(&session, last, 0))
				fail_msg("rung %d: task %" PRIu64 " of %" PRIu64
					 " ns has %" PRIu64 " of %" PRIu64 " samples",
					 (int)rungs[time % 2], last, task->cpu,
					 samples_of(&session, last, SAMPLE_USER),
					 samples_of(&session, last, 0));
		}
		assert_int_not_equal(last, 0);
		session_release(&session);
	}
}

static void users_see_how_much_of_short_children_is_the_kernels(void **state UNUSED)
{
	struct session session = { .tell_used = true };
	uint64_t all, kernel;

	measure_brood(&session, PRIVILEGE_USER, "400", "1000", "0", "67");
	need_rung(&session, PRIVILEGE_USER);
	all = samples_of(&session, 0, 0);
	/* What the kernel does at their ends is there too. */
	assert_near((double)(all * session.counts.period), rusage_ns(&session), 2,
		    5e6 + (double)session.stolen);
	kernel = samples_of(&session, 0, SAMPLE_KERNEL_ESTIMATED);
	/* 67 percent, and what the kernel needs to start and end them. */
	assert_in_range(kernel * 100, 55 * all, 90 * all);
	session_release(&session);
}

/* Samples that say that nothing else of the step was active. */
static uint64_t solo_samples(const struct session *session)
{
	const struct recordset *set = &session->rows[RECORD_SAMPLE];
	uint64_t count = 0;

	for (size_t i = 0; i < set->count; i++)
		count += (((const struct record_sample *)recordset_get(set, i))->flags &
			  SAMPLE_SOLO) != 0;
	return count;
}

/* ns of CPU time, and of that alone, that the rows of activity add up to. */
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

/* Whoever sees it, and in which way. */
static void a_lone_task_is_solo(void **state UNUSED)
{
	static const enum privilege rungs[] = { PRIVILEGE_FULL, PRIVILEGE_USER, PRIVILEGE_PROC };

	for (unsigned i = 0; i < ARRAY_SIZE(rungs); i++) {
		struct session session = { 0 };
		uint64_t cpu, solo;

		measure(&session, rungs[i], "shares", "300", NULL, NULL);
		need_rung(&session, rungs[i]);
		add_activity(&session, &cpu, &solo);
		assert_int_equal(cpu, session.counts.cpu_exact + session.counts.cpu_switching);
		assert_near((double)cpu, (double)solo, 2, 1e6);
		assert_near((double)solo_samples(&session),
			    (double)session.rows[RECORD_SAMPLE].count, 2, 2);
		session_release(&session);
	}
}

static void proc_alone_knows_the_program(void **state UNUSED)
{
	struct session session = { 0 };
	struct record_step step;

	measure(&session, PRIVILEGE_PROC, "shares", "300", NULL, NULL);
	assert_string_equal(session_attribute(&session, ATTR_PRIVILEGE), "PROC");
	check_accounts(&session);
	assert_near((double)session.counts.cpu_exact, rusage_ns(&session), 5,
		    15e6 + count_slack(&session));
	step = session_step(&session);
	assert_true(step.exec > 200 * NSEC_PER_MSEC);
	assert_true(session.rows[RECORD_NOTE].count >= 1);
	session_release(&session);
}

static void proc_alone_knows_waits(void **state UNUSED)
{
	struct session session = { 0 };
	struct record_wait wait;

	measure(&session, PRIVILEGE_PROC, "waits", "sleep", "400", NULL);
	check_accounts(&session);
	wait = session_waits(&session, WAIT_SLEEP, "nap");
	/* It is looked at every 10 ms, where there is a processor for that. */
	assert_true(wait.total + 2 * 10 * NSEC_PER_MSEC >= 390 * NSEC_PER_MSEC);
	assert_true(wait.total <= session_step(&session).interval);
	session_release(&session);
}

static void a_sleep_is_found(void **state UNUSED)
{
	struct session session = { 0 };
	struct record_wait wait;

	measure(&session, PRIVILEGE_AUTO, "waits", "sleep", "200", NULL);
	check_accounts(&session);
	wait = session_waits(&session, WAIT_SLEEP, "nap");
	assert_int_equal(wait.count, 1);
	assert_lasted(&session, wait.total, 200);
	assert_near((double)wait.solo, (double)wait.charged, 0, 1000);
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
	/* What the kernel told the program: all that slept, and none but what it waited for before.
	 */
	rewind(session.output);
	assert_int_equal(fscanf(session.output, "%d %d", &before, &naps), 2);
	assert_in_range(wait.count, naps, naps + before);
	assert_true(wait.total >= (uint64_t)naps * 400000);
	fclose(session.output);
	session_release(&session);
}

static void a_pipe_counts_behind_its_writer(void **state UNUSED)
{
	struct session session = { 0 };
	struct record_wait pipe, sleep;

	measure(&session, PRIVILEGE_AUTO, "waits", "pipe", "300", NULL);
	check_accounts(&session);
	pipe = session_waits(&session, WAIT_PIPE, "hear");
	sleep = session_waits(&session, WAIT_SLEEP, "nap");
	assert_int_equal(pipe.count, 1);
	assert_lasted_beside(&session, pipe.total, 300);
	assert_true(pipe.file > 0);
	/* The step waits for the sleep; the pipe, once it is looked at, only for the sleeper. */
	assert_lasted_beside(&session, sleep.charged + pipe.charged, 300);
	assert_true(pipe.charged < sleep.charged / 2);
	assert_int_equal(session.counts.processes, 2);
	session_release(&session);
}

static void a_lock_is_found(void **state UNUSED)
{
	struct session session = { 0 };
	struct record_wait wait;

	measure(&session, PRIVILEGE_AUTO, "waits", "lock", "300", NULL);
	check_accounts(&session);
	wait = session_waits(&session, WAIT_LOCK, "grab");
	assert_int_equal(wait.count, 1);
	assert_lasted_beside(&session, wait.total, 300);
	session_release(&session);
}

static void a_child_is_waited_for(void **state UNUSED)
{
	struct session session = { 0 };
	struct record_wait wait;

	measure(&session, PRIVILEGE_AUTO, "waits", "child", "200", NULL);
	check_accounts(&session);
	wait = session_waits(&session, WAIT_CHILD, "wait_for_child");
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
	/* A look a wait that lasts, not a look a tick and thread: where there are more waits, there
	 * are more looks. */
	assert_true(session.counts.probes < 4 * 212 + session_waits(&session, 0, NULL).count);
	/* Each thread's start and end is charged to it, and is in no record of its own. */
	assert_near((double)session.counts.cpu_exact, rusage_ns(&session), 15,
		    5e6 + count_slack(&session));
	session_release(&session);
}

/* The first thread has ended before the records of those that it started are read; /proc shows so. */
static void a_first_thread_that_ends_at_once_leaves_its_process(void **state UNUSED)
{
	for (int i = 0; i < 80; i++) {
		struct session session = { 0 };

		measure(&session, PRIVILEGE_AUTO, "waits", "orphan", "5", NULL);
		assert_int_equal(session.counts.processes, 1);
		assert_int_equal(session.counts.tasks, 3);
		session_release(&session);
	}
}

static void many_processes_are_all_there(void **state UNUSED)
{
	struct session session = { 0 };

	measure(&session, PRIVILEGE_USER, "tasks", "forks", "307", "300");
	need_rung(&session, PRIVILEGE_USER);
	check_accounts(&session);
	assert_int_equal(session.counts.processes, 308);
	assert_int_equal(session.counts.records_lost, 0);
	/*
	 * Each is too short for a sample; together they give one a millisecond of the CPU time they
	 * used (check_accounts), which is their 0.3 ms by their own clocks and what fork and exit
	 * cost on this machine.
	 */
	assert_true((double)session.counts.cpu_exact + 30e3 * (double)session.counts.switches >=
		    307 * 0.3e6);
	assert_true((double)session.counts.cpu_exact <=
		    rusage_ns(&session) + count_slack(&session));
	session_release(&session);
}

static void kernel_time_is_estimated(void **state UNUSED)
{
	struct session session = { 0 };
	uint64_t estimated = 0;

	measure(&session, PRIVILEGE_USER, "tasks", "kernel", "300", NULL);
	need_rung(&session, PRIVILEGE_USER);
	check_accounts(&session);
	for (size_t i = 0; i < session.rows[RECORD_SAMPLE].count; i++) {
		const struct record_sample *row = recordset_get(&session.rows[RECORD_SAMPLE], i);

		estimated += row->kind == SAMPLE_KERNEL_ESTIMATED;
	}
	assert_true(estimated * 3 >= session.rows[RECORD_SAMPLE].count * 2);
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
	assert_true(session_samples_in(&session, "work") > 50);
	assert_lasted(&session, session_waits(&session, WAIT_SLEEP, NULL).total, 300);
	session_release(&session);
}

static void a_signal_ends_it(void **state UNUSED)
{
	struct session session = { 0 };

	measure(&session, PRIVILEGE_AUTO, "tasks", "signal", "11", NULL);
	check_accounts(&session);
	assert_true(WIFSIGNALED(session.status));
	assert_true(session_samples_in(&session, "work") > 50);
	session_release(&session);
}

static void what_runs_is_attached_to(void **state UNUSED)
{
	struct session session = { .attach = true, .attach_from = 50 * NSEC_PER_MSEC };

	measure(&session, PRIVILEGE_AUTO, "shares", "500", NULL, NULL);
	check_accounts(&session);
	assert_true(session_samples_in(&session, "half") > 100);
	/* What it used before does not count. */
	assert_true(session.used_before >= session.attach_from);
	assert_true((double)session.counts.cpu_exact <
		    1.03 * (rusage_ns(&session) - (double)session.used_before) + 5e6 +
			    (double)session.stolen);
	session_release(&session);
}

static void what_does_not_run_cannot_be_attached_to(void **state UNUSED)
{
	struct sampler_config config = { 0 };
	struct sampler *sampler = sampler_new(&config, NULL);
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

static void many_threads_are_attached_to(void **state UNUSED)
{
	struct session session = { .attach = true };

	measure(&session, PRIVILEGE_AUTO, "tasks", "threads", "97", "500");
	check_accounts(&session);
	assert_in_range(session.counts.tasks, 98, 99);
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
	assert_lasted(&session, step.interval + session.paused, 1500);
	assert_lasted(&session, session_waits(&session, WAIT_SLEEP, "nap").total + session.paused,
		      1500);
	session_release(&session);
}

static void samples_are_thinned_while_it_runs(void **state UNUSED)
{
	struct session session = { .config = { .target = 100 } };

	measure(&session, PRIVILEGE_AUTO, "shares", "1500", NULL, NULL);
	check_accounts(&session);
	assert_in_range(session.counts.processed, 90, 200);
	assert_true(session.counts.period >= 8 * NSEC_PER_MSEC);
	assert_true(session.counts.thinned > 300);
	/* The kernel itself samples more rarely: far fewer were taken than 1500. */
	assert_true(session.counts.taken < 1000);
	assert_near((double)session_samples_in(&session, "half"),
		    0.5 * (double)session.counts.processed, 25, 4);
	session_release(&session);
}

static void samples_of_children_are_thinned(void **state UNUSED)
{
	struct session session = { .config = { .target = 100 } };

	measure(&session, PRIVILEGE_AUTO, "tasks", "forks", "41", "30000");
	check_accounts(&session);
	assert_in_range(session.counts.processed, 90, 210);
	assert_int_equal(session.counts.processes, 42);
	session_release(&session);
}

static void the_limit_is_reached(void **state UNUSED)
{
	struct session session = { .config = { .stop_after_samples = 100 } };

	measure(&session, PRIVILEGE_AUTO, "shares", "200", NULL, NULL);
	assert_true(sampler_limit_reached(session.sampler));
	session_release(&session);
}

/* Run the part of the tests that an ordinary user can as one; its verdict in shared memory. */
static void an_ordinary_user_measures(void **state UNUSED)
{
	uint64_t *seen;
	pid_t child;
	int status;

	if (geteuid() != 0) {
		print_message("# the tests run as an ordinary user already\n");
		skip();
	}
	seen = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(seen, MAP_FAILED);
	child = fork();
	if (child == 0) {
		char *command[] = { program("shares"), (char *)"300", NULL };
		struct session session = { 0 };

		if (setgid(NOBODY) < 0 || setuid(NOBODY) < 0 || access(command[0], X_OK) < 0)
			_exit(77);
		if (!session_run(&session, command))
			_exit(1);
		seen[0] = sampler_privilege(session.sampler);
		seen[1] = session.rows[RECORD_SAMPLE].count;
		seen[2] = session_samples_in(&session, "half");
		seen[3] = session.counts.cpu_exact / NSEC_PER_MSEC;
		seen[4] = session.counts.lost;
		session_release(&session);
		_exit(0);
	}
	waitpid(child, &status, 0);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
		print_message("# an ordinary user cannot reach the programs here\n");
		munmap(seen, 4096);
		skip();
	}
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	assert_true(seen[0] == PRIVILEGE_USER || seen[0] == PRIVILEGE_PROC ||
		    seen[0] == PRIVILEGE_FULL);
	assert_true(seen[3] >= 270);
	assert_near((double)(seen[1] + seen[4]), (double)seen[3], 10, 10);
	if (seen[0] != PRIVILEGE_PROC)
		assert_near((double)seen[2], 0.5 * (double)seen[1], 20, 10 + (double)seen[4]);
	munmap(seen, 4096);
}

/* From now on the kernel refuses performance events, as in many containers. */
static bool forbid_events(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = { ARRAY_SIZE(code), code };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

static void without_events_proc_is_read(void **state UNUSED)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		char *command[] = { program("tasks"), (char *)"forks", (char *)"5", (char *)"60000",
				    NULL };
		struct session session = { 0 };
		bool good;

		if (!forbid_events())
			_exit(77);
		good = session_run(&session, command) &&
		       sampler_privilege(session.sampler) == PRIVILEGE_PROC &&
		       session.rows[RECORD_SAMPLE].count > 150 && session.counts.processes >= 5 &&
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
		cmocka_unit_test(shares_are_known_with_privilege),
		cmocka_unit_test(shares_are_known_to_users),
		cmocka_unit_test(long_children_among_short_ones_are_sampled),
		cmocka_unit_test(users_see_how_much_of_short_children_is_the_kernels),
		cmocka_unit_test(a_lone_task_is_solo),
		cmocka_unit_test(proc_alone_knows_the_program),
		cmocka_unit_test(proc_alone_knows_waits),
		cmocka_unit_test(a_sleep_is_found),
		cmocka_unit_test(short_sleeps_are_counted),
		cmocka_unit_test(a_pipe_counts_behind_its_writer),
		cmocka_unit_test(a_lock_is_found),
		cmocka_unit_test(a_child_is_waited_for),
		cmocka_unit_test(waits_for_a_file_have_its_name),
		cmocka_unit_test(many_threads_are_all_there),
		cmocka_unit_test(a_first_thread_that_ends_at_once_leaves_its_process),
		cmocka_unit_test(many_processes_are_all_there),
		cmocka_unit_test(kernel_time_is_estimated),
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
