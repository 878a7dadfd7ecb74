/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The library with which an application names its transactions. The library reads
 * its environment when it is loaded, so each case runs this program again with the
 * case's name as argument.
 */
#include "agent/agent.h"
#include "vigil/vigil.h"
#include "agent/transaction-area.h"

#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#define THREADS 4
#define CALLS 5003

/* An area in memory that the cases write to. */
struct fixture {
	int fd;
	size_t size;
	struct transaction_area *area;
	char path[64];
};

static int setup(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	fixture->fd = memfd_create("transactions", MFD_CLOEXEC);
	fixture->size =
		sizeof(*fixture->area) + TRANSACTION_AREA_SLOTS * sizeof(fixture->area->changes[0]);
	if (fixture->fd < 0 || ftruncate(fixture->fd, (off_t)fixture->size))
		return -1;
	fixture->area =
		mmap(NULL, fixture->size, PROT_READ | PROT_WRITE, MAP_SHARED, fixture->fd, 0);
	fixture->area->magic = TRANSACTION_AREA_MAGIC;
	fixture->area->slots = TRANSACTION_AREA_SLOTS;
	snprintf(fixture->path, sizeof(fixture->path), "/proc/%d/fd/%d", (int)getpid(),
		 fixture->fd);
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;

	munmap(fixture->area, fixture->size);
	close(fixture->fd);
	free(fixture);
	return 0;
}

/* Starts a case in a separate program; returns its pid. */
static pid_t start_case(const char *path, const char *name)
{
	pid_t pid = fork();

	if (!pid) {
		if (path)
			setenv("VIGIL_TRANSACTIONS", path, 1);
		else
			unsetenv("VIGIL_TRANSACTIONS");
		execl("/proc/self/exe", "test-transaction", name, (char *)NULL);
		_exit(127);
	}
	return pid;
}

/* Runs a case to its end; returns its exit status, -1 if a signal ended it. */
static int run_case(const char *path, const char *name, pid_t *pid)
{
	int status;

	*pid = start_case(path, name);
	if (waitpid(*pid, &status, 0) != *pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

static void nothing_happens_unmeasured(void **state UNUSED)
{
	pid_t pid;

	assert_int_equal(run_case(NULL, "unmeasured", &pid), 0);
	assert_int_equal(run_case("", "unmeasured", &pid), 0);
	assert_int_equal(run_case("/nonexistent/area", "unmeasured", &pid), 0);
	assert_int_equal(run_case("/dev/null", "unmeasured", &pid), 0);
	assert_int_equal(run_case("/", "unmeasured", &pid), 0);
}

static void damaged_areas_are_refused(void **state)
{
	struct fixture *fixture = *state;
	pid_t pid;

	fixture->area->magic++;
	assert_int_equal(run_case(fixture->path, "unmeasured", &pid), 0);
	fixture->area->magic--;
	fixture->area->slots = 1000;
	assert_int_equal(run_case(fixture->path, "unmeasured", &pid), 0);
	fixture->area->slots = 0;
	assert_int_equal(run_case(fixture->path, "unmeasured", &pid), 0);
	fixture->area->slots = TRANSACTION_AREA_SLOTS * 2;
	assert_int_equal(run_case(fixture->path, "unmeasured", &pid), 0);
	/* the slots would fit without the header; with it one is too many */
	fixture->area->slots = TRANSACTION_AREA_SLOTS;
	assert_int_equal(ftruncate(fixture->fd, (off_t)(TRANSACTION_AREA_SLOTS *
							sizeof(fixture->area->changes[0]))),
			 0);
	assert_int_equal(run_case(fixture->path, "unmeasured", &pid), 0);
	fixture->area->slots = UINT64_C(1) << 63;
	assert_int_equal(run_case(fixture->path, "unmeasured", &pid), 0);
	assert_int_equal(fixture->area->next, 0);
	assert_int_equal(ftruncate(fixture->fd, 16), 0);
	assert_int_equal(run_case(fixture->path, "unmeasured", &pid), 0);
}

static void changes_are_written_in_order(void **state)
{
	struct fixture *fixture = *state;
	const struct transaction_change *changes = fixture->area->changes;
	static const char *const names[] = {
		"ORDER",
		"",
		".IDLE",
		"ORDER 7",
		"BLANKS",
		"",
		"0123456789012345678901234567890123456789012345678901234567890123456789",
		"01234567890123456789012345678901234567890123456789012345678901",
	};
	pid_t pid;

	assert_int_equal(run_case(fixture->path, "names", &pid), 0);
	assert_int_equal(fixture->area->next, ARRAY_SIZE(names));
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		assert_int_equal(changes[i].sequence, i + 1);
		assert_int_equal(changes[i].pid, pid);
		assert_int_equal(changes[i].tid, pid);
		assert_int_equal(strlen(changes[i].name), strlen(names[i]) > VIGIL_TRANSACTION_MAX
								  ? VIGIL_TRANSACTION_MAX
								  : strlen(names[i]));
		assert_memory_equal(changes[i].name, names[i], strlen(changes[i].name));
		assert_true(!i || changes[i].time >= changes[i - 1].time);
	}
}

static void forked_children_are_themselves(void **state)
{
	struct fixture *fixture = *state;
	const struct transaction_change *changes = fixture->area->changes;
	pid_t pid;

	assert_int_equal(run_case(fixture->path, "fork", &pid), 0);
	assert_int_equal(fixture->area->next, 3);
	assert_int_equal(changes[0].pid, pid);
	assert_int_not_equal(changes[1].pid, pid);
	assert_int_equal(changes[1].pid, changes[1].tid);
	assert_string_equal(changes[1].name, "CHILD");
	assert_int_equal(changes[2].pid, pid);
}

static void threads_lose_nothing(void **state)
{
	struct fixture *fixture = *state;
	size_t per_thread[THREADS] = { 0 };
	pid_t pid;

	assert_int_equal(run_case(fixture->path, "threads", &pid), 0);
	assert_int_equal(fixture->area->next, THREADS * CALLS);
	for (size_t i = 0; i < THREADS * CALLS; i++) {
		const struct transaction_change *change = &fixture->area->changes[i];
		unsigned thread, number;

		assert_int_equal(change->sequence, i + 1);
		assert_int_equal(change->pid, pid);
		assert_int_not_equal(change->tid, pid);
		assert_int_equal(sscanf(change->name, "T%u-%u", &thread, &number), 2);
		assert_true(thread < THREADS);
		assert_int_equal(number, per_thread[thread]++);
	}
}

static void the_ring_goes_round(void **state)
{
	struct fixture *fixture = *state;
	pid_t pid;

	fixture->area->slots = 8;
	for (size_t i = 0; i < 8; i++) /* remains of longer names */
		memset(fixture->area->changes[i].name, 'z', sizeof(fixture->area->changes[i].name));
	assert_int_equal(run_case(fixture->path, "names", &pid), 0);
	assert_int_equal(run_case(fixture->path, "names", &pid), 0);
	assert_int_equal(fixture->area->next, 16);
	for (size_t i = 0; i < 8; i++)
		assert_int_equal(fixture->area->changes[i].sequence, i + 9);
	for (size_t i = 0; i < 8; i++)
		assert_null(memchr(fixture->area->changes[i].name, 'z',
				   sizeof(fixture->area->changes[i].name)));
	assert_int_equal(fixture->area->changes[8].sequence, 0);
}

static void signal_handlers_may_call(void **state)
{
	struct fixture *fixture = *state;
	size_t signals = 0, calls = 0;
	pid_t pid;

	assert_int_equal(run_case(fixture->path, "signals", &pid), 0);
	for (size_t i = 0; i < fixture->area->next && i < TRANSACTION_AREA_SLOTS; i++) {
		const struct transaction_change *change = &fixture->area->changes[i];

		assert_int_equal(change->sequence, i + 1);
		signals += !strcmp(change->name, "SIGNAL");
		calls += !strcmp(change->name, "CALL");
	}
	assert_int_equal(calls, CALLS);
	assert_int_equal(signals + calls, fixture->area->next);
	assert_true(signals > 0);
}

static void starts_and_pauses_are_changes(void **state)
{
	struct fixture *fixture = *state;
	const struct transaction_change *changes = fixture->area->changes;
	static const char *const names[] = { TRANSACTION_PAUSE, "START", TRANSACTION_START,
					     TRANSACTION_PAUSE, TRANSACTION_START };
	pid_t pid;

	fixture->area->collecting = TRANSACTION_COLLECTING_ACTIVE;
	assert_int_equal(run_case(fixture->path, "switches", &pid), 0);
	assert_int_equal(fixture->area->next, ARRAY_SIZE(names));
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		assert_string_equal(changes[i].name, names[i]);
		assert_int_equal(changes[i].tid, pid);
	}
	assert_int_equal(fixture->area->collecting, TRANSACTION_COLLECTING_ACTIVE);
	assert_int_equal(fixture->area->starts, 2);
}

/* The cases: each returns its program's exit status. */

static int case_unmeasured(void)
{
	errno = 77;
	if (vigil_measured() || vigil_transaction("X") || vigil_transaction(NULL) ||
	    vigil_transaction_n("X", 1) || vigil_transaction_n(NULL, 5) ||
	    vigil_start() || vigil_pause())
		return 1;
	return errno == 77 ? 0 : 2;
}

static int case_names(void)
{
	static const char number[] =
		"0123456789012345678901234567890123456789012345678901234567890123456789";
	char utf8[80];
	int reports_sent = 0;

	errno = 77;
	snprintf(utf8, sizeof(utf8), "%.62s\xc3\xa4 and more", number);
	reports_sent += vigil_transaction("ORDER");
	reports_sent += vigil_transaction(NULL);
	reports_sent += vigil_transaction(".IDLE");
	reports_sent += vigil_transaction_n("ORDER 7890", 7);
	reports_sent += vigil_transaction_n("BLANKS    ", 10);
	reports_sent += vigil_transaction_n("     ", 5);
	reports_sent += vigil_transaction(number);
	reports_sent += vigil_transaction(utf8);
	if (reports_sent != 8 || !vigil_measured())
		return 1;
	return errno == 77 ? 0 : 2;
}

static int case_switches(void)
{
	vigil_start(); /* already started */
	if (!vigil_pause() || !vigil_pause())
		return 1;
	vigil_transaction(TRANSACTION_START); /* a name that no application has */
	if (!vigil_start() || !vigil_pause() || !vigil_start())
		return 2;
	return 0;
}

static int case_fork(void)
{
	int status;
	pid_t pid;

	vigil_transaction("PARENT");
	pid = fork();
	if (!pid)
		_exit(vigil_transaction("CHILD") == 1 ? 0 : 1);
	if (waitpid(pid, &status, 0) != pid || status)
		return 1;
	vigil_transaction("");
	return 0;
}

/* One thread: makes many calls, each with another name. */
static void *call_often(void *argument)
{
	unsigned thread = (unsigned)(uintptr_t)argument;
	char name[32];

	for (unsigned i = 0; i < CALLS; i++) {
		snprintf(name, sizeof(name), "T%u-%u", thread, i);
		vigil_transaction(name);
	}
	return NULL;
}

static int case_threads(void)
{
	pthread_t threads[THREADS];

	for (uintptr_t i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, call_often, (void *)i))
			return 1;
	for (size_t i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

static volatile sig_atomic_t signal_count;

static void on_signal(int number UNUSED)
{
	vigil_transaction("SIGNAL");
	signal_count++;
}

static int case_signals(void)
{
	struct itimerval interval = { .it_interval.tv_usec = 500, .it_value.tv_usec = 1 };
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &interval, NULL);
	for (unsigned i = 0; i < CALLS; i++)
		vigil_transaction("CALL");
	while (!signal_count)
		usleep(1000);
	return 0;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*function)(void);
	} cases[] = {
		{ "unmeasured", case_unmeasured },
		{ "names", case_names },
		{ "switches", case_switches },
		{ "fork", case_fork },
		{ "threads", case_threads },
		{ "signals", case_signals },
	};
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_happens_unmeasured),
		cmocka_unit_test_setup_teardown(damaged_areas_are_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(changes_are_written_in_order, setup, teardown),
		cmocka_unit_test_setup_teardown(starts_and_pauses_are_changes, setup, teardown),
		cmocka_unit_test_setup_teardown(forked_children_are_themselves, setup, teardown),
		cmocka_unit_test_setup_teardown(threads_lose_nothing, setup, teardown),
		cmocka_unit_test_setup_teardown(the_ring_goes_round, setup, teardown),
		cmocka_unit_test_setup_teardown(signal_handlers_may_call, setup, teardown),
	};

	for (size_t i = 0; argc > 1 && i < ARRAY_SIZE(cases); i++)
		if (!strcmp(argv[1], cases[i].name))
			return cases[i].function();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
