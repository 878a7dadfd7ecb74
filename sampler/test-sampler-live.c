/* SPDX-License-Identifier: Apache-2.0 */
/* test tags: live, limit:120 */
/*
 * Tests the sampler's shares and times, with programs that know theirs.
 *
 * Model of shares: each of n samples falls into a part of the program with the
 * probability p that the program itself determines by its CPU clock, independently
 * of the others. The limit is 4.5 standard deviations of their number, sqrt(n p (1
 * - p)), which chance exceeds 7 times in a million, plus one for each sample that
 * is lost or whose stack is broken. With 600 samples and p = 0.5 that is 9
 * percent: this detects two functions that are confused, a part without samples,
 * or samples in step with the program. Times are not random, but counted: see
 * check_times(). Lost samples make all of this void: then the measurement is
 * repeated, at most three times.
 */
#include "common/compat.h"
#include "common/clock.h"
#include "records/record-types.h"
#include "sampler/test-measure.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/*
 * Maximum CPU time of a task between the record of its exit and its last switch,
 * ns, which only rusage includes: 3 to 5 us where that was measured, more with
 * more children.
 */
#define AFTER_EXIT 10000
#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

/* User id without privilege, for tests that run as root. */
#define NOBODY 65534
#define DEVIATIONS 4.5

/* Returns whether the model does not hold for a run, and prints why. */
static bool is_void(const struct session *session)
{
	const struct sampler_counts *counts = &session->counts;

	if (counts->processed >= 100 && !counts->records_lost &&
	    10 * (counts->lost + counts->broken) <= counts->processed)
		return false;
	print_message("# of %" PRIu64 " samples %" PRIu64 " are lost and %" PRIu64
		      " broken; %" PRIu64 " records are lost\n",
		      counts->processed, counts->lost, counts->broken, counts->records_lost);
	return true;
}

/* Measures until the model holds. */
static void measure_valid(struct session *session, enum privilege privilege, const char *name,
			  const char *first, const char *second)
{
	struct session begun = *session;

	for (unsigned time = 0; time < 3; time++) {
		if (time) {
			session_release(session);
			*session = begun;
		}
		measure(session, privilege, name, first, second, NULL);
		need_rung(session, privilege);
		if (!is_void(session))
			return;
	}
	fail_msg("the machine was never in a state in which this can be judged");
}

/* Returns the number of samples by which a part may differ from its share. */
static double allowed(const struct session *session, double samples, double share)
{
	return DEVIATIONS * sqrt(share * (1 - share) * samples) +
	       (double)(session->counts.lost + session->counts.broken) + 1;
}

static void assert_share(const struct session *session, const char *procedure, double share)
{
	double samples = (double)session->rows[RECORD_SAMPLE].count;

	assert_within((double)session_samples_in(session, procedure), share * samples,
		      allowed(session, samples, share));
}

/*
 * CPU time by samples lies between that by records of switches and that by rusage,
 * except for the rest of a period for each task, and for 3 percent: a timer of the
 * kernel that is late, because the whole machine did not execute, makes one sample
 * of several (one percent has been seen on a busy virtual machine). The two differ
 * by three amounts: stolen time; the kernel's work at a switch (10 us on a quiet
 * machine, up to 92 have been seen on a busy one); and what the child used before
 * its exec and in it, until the kernel has freed its memory. Only rusage has the
 * last; its first part is known, the second takes 1 to 5 ms.
 */
static void check_times(const struct session *session)
{
	const struct sampler_counts *counts = &session->counts;
	double sampled = (double)((counts->processed + counts->lost) * counts->period);
	double records = (double)counts->cpu_exact, usage = rusage_ns(session);
	double rest = (double)((counts->tasks + 1) * counts->period) + 0.03 * usage;

	assert_within(records, usage - (double)session->used_forked,
		      8e6 + 100e3 * (double)counts->switches + (double)session->stolen);
	if (sampled < fmin(records, usage) - rest || sampled > fmax(records, usage) + rest)
		fail_msg("%.0f ns by samples of %" PRIu64
			 " are not between %.0f by records and %.0f by rusage",
			 sampled, counts->period, records, usage);
}

/* Three functions share the processor 50 : 30 : 20 for 600 ms: 600 samples. */
static void check_shares(struct session *session)
{
	check_accounts(session);
	check_times(session);
	assert_true(rusage_ns(session) >= 600e6);
	assert_share(session, "half", 0.5);
	assert_share(session, "third", 0.3);
	assert_share(session, "fifth", 0.2);
	session_release(session);
}

static void shares_are_known_with_privilege(void **state UNUSED)
{
	struct session session = { 0 };

	measure_valid(&session, PRIVILEGE_FULL, "shares", "600", NULL);
	assert_string_equal(session_attribute(&session, ATTR_PRIVILEGE), "FULL");
	check_shares(&session);
}

static void shares_are_known_to_users(void **state UNUSED)
{
	struct session session = { 0 };

	measure_valid(&session, PRIVILEGE_USER, "shares", "600", NULL);
	assert_string_equal(session_attribute(&session, ATTR_PRIVILEGE), "USER");
	check_shares(&session);
}

/*
 * 300 samples of a program that is in the kernel for 13 of 14 parts: at least nine
 * of ten must be there. Kernel time is placed by samples of the program itself,
 * and of runs with 100 samples 0.06 percent have none of it.
 */
static void kernel_time_is_estimated(void **state UNUSED)
{
	struct session session = { 0 };
	double estimated = 0, samples;

	measure_valid(&session, PRIVILEGE_USER, "tasks", "kernel", "300");
	check_accounts(&session);
	samples = (double)session.rows[RECORD_SAMPLE].count;
	for (size_t i = 0; i < session.rows[RECORD_SAMPLE].count; i++) {
		const struct record_sample *row = recordset_get(&session.rows[RECORD_SAMPLE], i);

		estimated += row->kind == SAMPLE_KERNEL_ESTIMATED;
	}
	assert_true(estimated >= 0.9 * samples - allowed(&session, samples, 0.9));
	session_release(&session);
}

/*
 * Measures brood.c: shorts children of the given us, of which kernel percent are
 * in the kernel, and longs children of 60 ms.
 */
static void measure_brood(struct session *session, enum privilege privilege, const char *shorts,
			  const char *us, const char *longs, const char *kernel)
{
	char *command[] = { program("brood"),
			    (char *)shorts,
			    (char *)us,
			    (char *)longs,
			    "60",
			    (char *)kernel,
			    NULL };

	session->config.privilege = privilege;
	assert_true(session_run(session, command));
}

/* Returns the number of samples of a task, of one kind or (0) all. */
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

/* Returns the ns of CPU time of a task; each snapshot has a row with the value so far. */
static uint64_t cpu_of(const struct session *session, uint64_t task)
{
	const struct recordset *set = &session->rows[RECORD_TASK];
	uint64_t cpu = 0;

	for (size_t i = 0; i < set->count; i++) {
		const struct record_task *row = recordset_get(set, i);

		if (row->task == task && row->cpu > cpu)
			cpu = row->cpu;
	}
	return cpu;
}

/*
 * Each long child has 60 samples, of which at least nine of ten are in its code:
 * fewer than a quarter cannot be chance (60 times 0.9, 16 standard deviations). A
 * child whose events the kernel gave to another has none.
 */
static void check_long_children(const struct session *session, int rung)
{
	unsigned count = 0;

	/* The first is the parent, which only starts them. */
	for (uint64_t task = 2; task <= session->counts.tasks; task++) {
		uint64_t cpu = cpu_of(session, task), own = samples_of(session, task, SAMPLE_USER);
		uint64_t all = samples_of(session, task, 0);

		if (cpu < 40 * NSEC_PER_MSEC)
			continue;
		count++;
		if (4 * own < all)
			fail_msg("rung %d: task %" PRIu64 " of %" PRIu64 " ns has %" PRIu64
				 " of %" PRIu64 " samples, %" PRIu64 " in the kernel, %" PRIu64 " constructed",
				 rung, task, cpu, own, all, samples_of(session, task, SAMPLE_KERNEL),
				 samples_of(session, task, SAMPLE_RESIDUE));
	}
	assert_int_equal(count, 10);
}

/* Regardless of the events that the kernel gave to each. */
static void long_children_among_short_ones_are_sampled(void **state UNUSED)
{
	static const enum privilege rungs[] = { PRIVILEGE_FULL, PRIVILEGE_USER };

	for (unsigned time = 0; time < 2; time++) {
		struct session session = { 0 };

		measure_brood(&session, rungs[time], "100", "1500", "10", "0");
		need_rung(&session, rungs[time]);
		check_long_children(&session, (int)rungs[time]);
		session_release(&session);
	}
}

/*
 * Children report how much of their CPU time they spent in their code and in a
 * call of the kernel; the rest of rusage is what it takes to start and end them,
 * mostly the kernel's. So its share is limited from both sides, with at least 400
 * samples.
 */
static void users_see_how_much_of_short_children_is_the_kernels(void **state UNUSED)
{
	struct session session = { .set_used = true, .output = tmpfile() };
	double user, kernel, total, all, seen;

	assert_non_null(session.output);
	measure_brood(&session, PRIVILEGE_USER, "400", "1000", "0", "67");
	need_rung(&session, PRIVILEGE_USER);
	rewind(session.output);
	assert_int_equal(
		fscanf(session.output, "user %lf kernel %lf total %lf", &user, &kernel, &total), 3);
	all = (double)samples_of(&session, 0, 0);
	seen = (double)samples_of(&session, 0, SAMPLE_KERNEL_ESTIMATED);
	assert_true(all * (double)session.counts.period <=
		    rusage_ns(&session) + (double)session.counts.period);
	assert_true(all * (double)session.counts.period >=
		    rusage_ns(&session) - (double)session.counts.period -
			    (double)session.stolen - 400 * (double)AFTER_EXIT);
	assert_true(seen >= all * kernel / total - allowed(&session, all, kernel / total));
	assert_true(seen <= all * (1 - user / total) + allowed(&session, all, 1 - user / total));
	fclose(session.output);
	session_release(&session);
}

/* What a user without any capability gets: 600 samples. */
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
		struct session session = { 0 };
		bool good;

		if (setgid(NOBODY) < 0 || setuid(NOBODY) < 0 || access(program("shares"), X_OK) < 0)
			_exit(77);
		measure(&session, PRIVILEGE_AUTO, "shares", "600", NULL, NULL);
		good = sampler_privilege(session.sampler) == PRIVILEGE_PROC || is_void(&session) ||
		       fabs((double)session_samples_in(&session, "half") -
			    0.5 * (double)session.counts.processed) <=
			       allowed(&session, (double)session.counts.processed, 0.5);
		if (!good)
			fprintf(stderr, "# %" PRIu64 " of %" PRIu64 " samples\n",
				session_samples_in(&session, "half"), session.counts.processed);
		_exit(good ? 0 : 1);
	}
	waitpid(child, &status, 0);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
		print_message("# an ordinary user cannot reach the programs here\n");
		skip();
	}
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/*
 * The step waits for the sleep; the pipe, once it is looked at, only for the
 * sleeper. A look comes when vigil gets a processor: it has half of one second for
 * that.
 */
static void a_pipe_counts_behind_its_writer(void **state UNUSED)
{
	struct session session = { 0 };
	struct record_wait pipe, sleep;

	measure(&session, PRIVILEGE_AUTO, "waits", "pipe", "1000", NULL);
	check_accounts(&session);
	pipe = session_waits(&session, WAIT_PIPE, "hear");
	sleep = session_waits(&session, WAIT_SLEEP, "nap");
	assert_true(pipe.charged < sleep.charged / 2);
	session_release(&session);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_are_known_with_privilege),
		cmocka_unit_test(shares_are_known_to_users),
		cmocka_unit_test(kernel_time_is_estimated),
		cmocka_unit_test(long_children_among_short_ones_are_sampled),
		cmocka_unit_test(users_see_how_much_of_short_children_is_the_kernels),
		cmocka_unit_test(an_ordinary_user_measures),
		cmocka_unit_test(a_pipe_counts_behind_its_writer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
