/* SPDX-License-Identifier: Apache-2.0 */
/* Tests stopping a task for a moment. */
#include "common/compat.h"
#include "sampler/task-stop.h"
#include "common/clock.h"
#include "common/procfs.h"
#include "sampler/sampler-data.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

/* Starts a child, which ends even if the test fails. */
static pid_t start_process(void)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0)
		alarm(60);
	return pid;
}

/* Starts a child that executes until it is killed. */
static pid_t start_child(void)
{
	pid_t pid = start_process();

	while (pid == 0)
		;
	return pid;
}

static void end_child(pid_t pid)
{
	int status;

	assert_int_equal(kill(pid, SIGKILL), 0);
	do
		assert_int_equal(waitpid(pid, &status, 0), pid);
	while (WIFSTOPPED(status));
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

/* Waits until the child is in a state; otherwise the time limit of the tests kills both. */
static void await_state(pid_t pid, char state)
{
	while (procfs_state(pid, pid) != state)
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
}

/* Waits until a child executes although it was asked to stop. */
static void await_execution(struct task_stops *stops, pid_t pid)
{
	do {
		task_stop_look(stops);
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	} while (procfs_state(pid, pid) != 'R');
}

static void a_task_goes_on_after_it_was_held(void **state UNUSED)
{
	static struct task_stops stops;
	pid_t pid = start_child();
	unsigned held = 0;

	/* A task that does not stop in time, on a busy machine, is released later. */
	while (held < 20 && !stops.refused) {
		struct unwind_input input = { 0 };

		await_execution(&stops, pid);
		if (task_stop_begin(&stops, pid, pid, &input) != TASK_STOP_DONE)
			continue;
		assert_int_equal(procfs_state(pid, pid), 't');
		task_stop_end(&stops, pid);
		held++;
	}
	while (stops.stuck_count)
		task_stop_look(&stops);
	await_state(pid, 'R');
	end_child(pid);
	if (stops.refused)
		skip();
}

static void a_stop_that_another_wait_took_is_seen(void **state UNUSED)
{
	static struct task_stops stops;
	pid_t pid = start_child();
	int status;

	if (ptrace(PTRACE_SEIZE, pid, NULL, NULL) < 0) {
		end_child(pid);
		skip();
	}
	assert_int_equal(ptrace(PTRACE_INTERRUPT, pid, NULL, NULL), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSTOPPED(status));
	stops.stuck[stops.stuck_count++] = (struct stuck){ .pid = pid, .tid = pid };
	task_stop_look(&stops);
	assert_int_equal(stops.stuck_count, 0);
	await_state(pid, 'R');
	end_child(pid);
}

static void the_time_that_a_task_stood_still_late_is_a_hold(void **state UNUSED)
{
	static struct task_stops stops;
	pid_t pid = start_child();
	uint64_t stopped_at = clock_monotonic_ns(), stood;

	if (ptrace(PTRACE_SEIZE, pid, NULL, NULL) < 0) {
		end_child(pid);
		skip();
	}
	stops.stuck[stops.stuck_count++] = (struct stuck){ .pid = pid, .tid = pid, .since = stopped_at };
	/* While it is not stopped it may wait for something itself. */
	task_stop_look(&stops);
	assert_int_equal(stops.stuck_count, 1);
	assert_true(stops.stuck[0].since > stopped_at);
	assert_int_equal(ptrace(PTRACE_INTERRUPT, pid, NULL, NULL), 0);
	await_state(pid, 't');
	stood = clock_monotonic_ns();
	task_stop_look(&stops);
	assert_int_equal(stops.stuck_count, 0);
	assert_true(task_stop_covers(&stops, pid, stood));
	assert_false(task_stop_covers(&stops, pid, stopped_at));
	assert_true(stops.spent > 0 && stops.spent < clock_monotonic_ns() - stopped_at);
	end_child(pid);
}

static void a_signal_that_came_meanwhile_is_delivered(void **state UNUSED)
{
	static struct task_stops stops;
	pid_t pid = start_child();
	int status;

	if (ptrace(PTRACE_SEIZE, pid, NULL, NULL) < 0) {
		end_child(pid);
		skip();
	}
	assert_int_equal(kill(pid, SIGTERM), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSTOPPED(status) && WSTOPSIG(status) == SIGTERM);
	stops.stuck[stops.stuck_count++] = (struct stuck){ .pid = pid, .tid = pid };
	task_stop_look(&stops);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
}

/* State shared by a child and this process. */
struct meeting {
	_Atomic pid_t pid, tid; /* of the task to be stopped; it executes */
	_Atomic bool go;	/* to the other task: begin */
};

static struct meeting *meet(void)
{
	void *shared = mmap(NULL, sizeof(struct meeting), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	assert_true(shared != MAP_FAILED);
	return shared;
}

static void await_go(const struct meeting *meeting)
{
	while (!meeting->go)
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
}

/* The thread that is stopped. */
static void *execute(void *argument)
{
	struct meeting *meeting = argument;

	meeting->pid = getpid();
	meeting->tid = gettid();
	while (meeting->tid)
		;
	return NULL;
}

/* Children of the test: another thread of the stopped one's process ends the process ... */
static void end_all(struct meeting *meeting)
{
	pthread_t thread;

	pthread_create(&thread, NULL, execute, meeting);
	await_go(meeting);
	_exit(3);
}

/* ... or executes another program ... */
static void execute_another(struct meeting *meeting)
{
	pthread_t thread;

	pthread_create(&thread, NULL, execute, meeting);
	await_go(meeting);
	execl("/bin/sh", "sh", "-c", "exit 3", NULL);
}

/* ... or its parent kills it and waits for that. */
static void kill_and_wait(struct meeting *meeting)
{
	pid_t pid = start_process();

	if (pid == 0)
		execute(meeting);
	await_go(meeting);
	kill(pid, SIGKILL);
	_exit(waitpid(pid, NULL, 0) == pid ? 3 : 4);
}

/* Starts a child; returns when the task of it that is to be stopped exists. */
static pid_t start(struct meeting *meeting, void (*run)(struct meeting *meeting))
{
	pid_t child = start_process();

	if (child == 0) {
		run(meeting);
		_exit(5);
	}
	while (!meeting->tid)
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	return child;
}

/* Stops the task; returns false if that is not permitted. */
static bool hold_one(struct task_stops *stops, const struct meeting *meeting)
{
	enum task_stop_result result = TASK_STOP_MISSED;

	while (result == TASK_STOP_MISSED) {
		struct unwind_input input = { 0 };

		task_stop_look(stops);
		result = task_stop_begin(stops, meeting->pid, meeting->tid, &input);
	}
	return result == TASK_STOP_DONE;
}

/* Returns whether a child ends by itself within seconds, while vigil looks. */
static bool ends(struct task_stops *stops, pid_t child)
{
	uint64_t until = clock_monotonic_ns() + 20 * NSEC_PER_SEC;
	int status;

	while (clock_monotonic_ns() < until) {
		task_stop_look(stops);
		if (waitpid(child, &status, WNOHANG) == child && !WIFSTOPPED(status))
			return WIFEXITED(status) && WEXITSTATUS(status) == 3;
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	}
	kill(child, SIGKILL);
	return false;
}

/* A stopped task is killed, as run does; its parent must not wait forever for its end. */
static void kill_while_held(void (*run)(struct meeting *meeting))
{
	struct task_stops *stops = test_calloc(1, sizeof(*stops));
	struct meeting *meeting = meet();
	pid_t child = start(meeting, run);

	if (!hold_one(stops, meeting)) {
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
		skip();
	}
	meeting->go = true;
	while (procfs_state(meeting->pid, meeting->tid) == 't')
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	task_stop_end(stops, meeting->tid);
	assert_true(ends(stops, child));
	assert_int_equal(stops->stuck_count, 0);
	munmap(meeting, sizeof(*meeting));
	test_free(stops);
}

static void a_process_ends_though_a_thread_of_it_was_held(void **state UNUSED)
{
	kill_while_held(end_all);
}

static void a_thread_executes_a_program_though_another_was_held(void **state UNUSED)
{
	kill_while_held(execute_another);
}

static void a_parent_is_told_of_the_end_of_a_child_that_was_held(void **state UNUSED)
{
	kill_while_held(kill_and_wait);
}

/* The thread executes another program: then it is the first of its process. */
static void *execute_program(void *argument)
{
	struct meeting *meeting = argument;

	meeting->pid = getpid();
	meeting->tid = gettid();
	await_go(meeting);
	execl("/bin/sleep", "sleep", "60", NULL);
	return NULL;
}

static void run_thread_that_executes(struct meeting *meeting)
{
	pthread_t thread;

	pthread_create(&thread, NULL, execute_program, meeting);
	pthread_join(thread, NULL);
}

static void a_thread_that_was_to_stop_and_executes_a_program_is_let_go(void **state UNUSED)
{
	static struct task_stops stops;
	struct meeting *meeting = meet();
	pid_t pid = start(meeting, run_thread_that_executes);

	if (ptrace(PTRACE_SEIZE, meeting->tid, NULL, NULL) < 0) {
		end_child(pid);
		skip();
	}
	stops.stuck[stops.stuck_count++] = (struct stuck){ .pid = pid, .tid = meeting->tid };
	meeting->go = true;
	while (procfs_state(pid, meeting->tid))
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	task_stop_look(&stops);
	/* It stops only now, at the end of the exec. */
	assert_int_equal(ptrace(PTRACE_INTERRUPT, pid, NULL, NULL), 0);
	await_state(pid, 't');
	task_stop_look(&stops);
	assert_int_equal(stops.stuck_count, 0);
	assert_int_equal(procfs_number(pid, "TracerPid:"), 0);
	end_child(pid);
	munmap(meeting, sizeof(*meeting));
}

static void nobody_stands_still_once_the_watching_has_ended(void **state UNUSED)
{
	struct sampler_config config = { .privilege = PRIVILEGE_PROC };
	struct sampler *sampler = sampler_new(&config);
	pid_t pid = start_child();

	assert_non_null(sampler);
	if (ptrace(PTRACE_SEIZE, pid, NULL, NULL) < 0) {
		end_child(pid);
		sampler_free(sampler);
		skip();
	}
	sampler->task_stops.stuck[sampler->task_stops.stuck_count++] =
		(struct stuck){ .pid = pid, .tid = pid };
	assert_int_equal(ptrace(PTRACE_INTERRUPT, pid, NULL, NULL), 0);
	tick_stop(sampler);
	assert_int_equal(sampler->task_stops.stuck_count, 0);
	await_state(pid, 'R');
	end_child(pid);
	sampler_free(sampler);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_task_goes_on_after_it_was_held),
		cmocka_unit_test(a_stop_that_another_wait_took_is_seen),
		cmocka_unit_test(the_time_that_a_task_stood_still_late_is_a_hold),
		cmocka_unit_test(a_signal_that_came_meanwhile_is_delivered),
		cmocka_unit_test(a_process_ends_though_a_thread_of_it_was_held),
		cmocka_unit_test(a_thread_executes_a_program_though_another_was_held),
		cmocka_unit_test(a_parent_is_told_of_the_end_of_a_child_that_was_held),
		cmocka_unit_test(a_thread_that_was_to_stop_and_executes_a_program_is_let_go),
		cmocka_unit_test(nobody_stands_still_once_the_watching_has_ended),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
