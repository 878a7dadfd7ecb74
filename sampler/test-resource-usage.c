/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests the resource usage of processes, on a simulated /proc: mainly that the
 * usage of ended processes is counted once.
 */
#include "common/compat.h"
#include "common/procfs.h"
#include "records/record-types.h"
#include "sampler/files.h"
#include "sampler/resource-usage.h"
#include "sampler/tasks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <sys/stat.h>
#include <unistd.h>

#define PARENT 101
#define CHILD 202

struct step {
	char root[64];
	struct step_tasks step_tasks;
	struct tasks tasks;
	struct files *files;
	struct resource_usage usage;
	struct process *parent, *child;
	struct task *parent_task, *child_task;
};

/* Writes a file of a process. */
static void put(const struct step *step, pid_t pid, const char *name, const char *text)
{
	char path[PROCFS_PATH_SIZE];
	FILE *file;

	snprintf(path, sizeof(path), "%s/proc/%d/%s", step->root, pid, name);
	file = fopen(path, "w");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

/* Makes the only thread of a process, in a state. */
static void put_thread(const struct step *step, pid_t pid, char thread_state)
{
	char path[PROCFS_PATH_SIZE], name[64], text[64];

	snprintf(path, sizeof(path), "%s/proc/%d/task", step->root, pid);
	mkdir(path, 0755);
	snprintf(path, sizeof(path), "%s/proc/%d/task/%d", step->root, pid, pid);
	mkdir(path, 0755);
	snprintf(name, sizeof(name), "task/%d/stat", pid);
	snprintf(text, sizeof(text), "1 (a) %c 1 1 1 0 -1 4194304 0 0 0 0\n", thread_state);
	put(step, pid, name, text);
}

/* Sets the faults of a process, those of children it waited for, and what it read and wrote. */
static void uses(const struct step *step, pid_t pid, unsigned faults, unsigned of_children,
		 unsigned bytes)
{
	char text[512];

	snprintf(text, sizeof(text),
		 "%d (a) S 1 1 1 0 -1 4194304 %u %u %u %u 1 1 1 1 20 0 1 0 100 4096 1\n", pid,
		 faults, of_children, faults / 10, of_children / 10);
	put(step, pid, "stat", text);
	snprintf(text, sizeof(text),
		 "rchar: 9\nwchar: 9\nsyscr: %u\nsyscw: %u\nread_bytes: %u\nwrite_bytes: %u\n"
		 "cancelled_write_bytes: 0\n",
		 bytes / 100, bytes / 50, bytes, bytes * 2);
	put(step, pid, "io", text);
	put(step, pid, "statm", "1000 30 20 1 0 100 0\n");
	put(step, pid, "status", "Name:\ta\nVmHWM:\t  400 kB\nSigIgn:\t0000000000000000\n");
	put_thread(step, pid, 'S');
}

/* A process is gone: it was waited for. */
static void vanish(const struct step *step, pid_t pid)
{
	char path[PROCFS_PATH_SIZE], task[PROCFS_PATH_SIZE];

	snprintf(path, sizeof(path), "%s/proc/%d/stat", step->root, pid);
	unlink(path);
	snprintf(path, sizeof(path), "%s/proc/%d/task/%d/stat", step->root, pid, pid);
	unlink(path);
	for (int level = 0; level < 2; level++) {
		*strrchr(path, '/') = '\0';
		snprintf(task, sizeof(task), "%s", path);
		rmdir(task);
	}
}

/* It has ended and was not waited for. */
static void stays_a_zombie(const struct step *step, pid_t pid)
{
	put_thread(step, pid, 'Z');
}

/* Makes the folder of a process. */
static void make_process(const struct step *step, pid_t pid)
{
	char path[PROCFS_PATH_SIZE];

	snprintf(path, sizeof(path), "%s/proc/%d", step->root, pid);
	assert_int_equal(mkdir(path, 0755), 0);
}

static int begin(void **state)
{
	struct step *step = calloc(1, sizeof(*step));
	char path[PROCFS_PATH_SIZE];

	snprintf(step->root, sizeof(step->root), "usage.XXXXXX");
	if (!mkdtemp(step->root))
		return -1;
	snprintf(path, sizeof(path), "%s/proc", step->root);
	mkdir(path, 0755);
	make_process(step, PARENT);
	make_process(step, CHILD);
	procfs_set_root(step->root);
	step_tasks_init(&step->step_tasks);
	tasks_init(&step->tasks, &step->step_tasks);
	step->files = files_new(NULL, 0);
	resource_usage_init(&step->usage, &(struct resource_usage_parts){
						  .tasks = &step->tasks,
						  .files = step->files,
					  });
	step->parent = tasks_add_process(&step->tasks, PARENT, NULL, 0);
	step->child = tasks_add_process(&step->tasks, CHILD, step->parent, 0);
	step->parent_task = tasks_add_task(&step->tasks, step->parent, PARENT, "a", 0);
	step->child_task = tasks_add_task(&step->tasks, step->child, CHILD, "b", 0);
	tasks_exec(step->parent, "a");
	tasks_exec(step->child, "b");
	*state = step;
	return 0;
}

static int finish(void **state)
{
	static const char *const names[] = { "stat", "io", "statm", "status" };
	static const pid_t pids[] = { PARENT, CHILD };
	struct step *step = *state;
	char path[PROCFS_PATH_SIZE];

	for (size_t i = 0; i < ARRAY_SIZE(pids); i++) {
		vanish(step, pids[i]);
		for (size_t j = 0; j < ARRAY_SIZE(names); j++) {
			snprintf(path, sizeof(path), "%s/proc/%d/%s", step->root, pids[i],
				 names[j]);
			unlink(path);
		}
		snprintf(path, sizeof(path), "%s/proc/%d", step->root, pids[i]);
		rmdir(path);
	}
	snprintf(path, sizeof(path), "%s/proc", step->root);
	rmdir(path);
	rmdir(step->root);
	procfs_set_root(NULL);
	files_free(step->files);
	resource_usage_release(&step->usage);
	tasks_release(&step->tasks);
	step_tasks_release(&step->step_tasks);
	free(step);
	return 0;
}

/* Returns the row of a snapshot that ends now. */
static struct record_step take_row(struct step *step)
{
	struct record_step row = { 0 };

	resource_usage_look(&step->usage);
	resource_usage_step(&step->usage, &row);
	return row;
}

/* Ends a process as observe.c does. */
static void ends(struct step *step, struct task *task)
{
	task->state = TASK_ENDED;
	tasks_end_task(&step->tasks, task, 100);
	resource_usage_end(&step->usage, task->process);
}

static void what_is_used_is_told_once(void **state)
{
	struct step *step = *state;
	struct record_step row;

	uses(step, PARENT, 100, 0, 1000);
	uses(step, CHILD, 30, 0, 500);
	row = take_row(step);
	assert_int_equal(row.minor_faults, 130);
	assert_int_equal(row.major_faults, 13);
	assert_int_equal(row.read_bytes, 1500);
	assert_int_equal(row.write_bytes, 3000);
	assert_int_equal(row.read_calls, 10 + 5);
	assert_int_equal(row.write_calls, 20 + 10);
	assert_int_equal(row.moved_bytes, 2 * (9 + 9));
	assert_int_equal(row.resident, 2 * 30 * (uint64_t)sysconf(_SC_PAGESIZE) / 4096);
	row = take_row(step);
	assert_int_equal(row.minor_faults, 0);
	assert_int_equal(row.read_bytes, 0);
	uses(step, PARENT, 107, 0, 1100);
	row = take_row(step);
	assert_int_equal(row.minor_faults, 7);
	assert_int_equal(row.read_bytes, 100);
}

static void a_child_that_ended_comes_with_its_parent(void **state)
{
	struct step *step = *state;
	struct record_step row;

	uses(step, PARENT, 100, 0, 1000);
	uses(step, CHILD, 30, 0, 500);
	take_row(step);
	uses(step, CHILD, 45, 0, 600);
	ends(step, step->child_task);
	/* Its parent has not waited for it yet: nothing is counted, and nothing is subtracted. */
	row = take_row(step);
	assert_int_equal(row.minor_faults, 0);
	assert_int_equal(row.read_bytes, 0);
	assert_int_equal(row.resident, 30 * (uint64_t)sysconf(_SC_PAGESIZE) / 4096);
	/* Once it has, the kernel adds the child's usage to the parent's. */
	uses(step, PARENT, 100, 45, 1600);
	row = take_row(step);
	assert_int_equal(row.minor_faults, 15);
	assert_int_equal(row.read_bytes, 100);
}

/* Its parent has waited for it before the record of its end is read. */
static void a_child_that_is_gone_counts_once(void **state)
{
	struct step *step = *state;
	struct record_step row;

	uses(step, PARENT, 100, 0, 1000);
	uses(step, CHILD, 30, 0, 500);
	take_row(step);
	vanish(step, CHILD);
	uses(step, PARENT, 100, 30, 1500);
	row = take_row(step);
	assert_int_equal(row.minor_faults, 0);
	assert_int_equal(row.read_bytes, 0);
	ends(step, step->child_task);
	uses(step, PARENT, 101, 30, 1500);
	assert_int_equal(take_row(step).minor_faults, 1);
}

static void a_process_without_a_parent_is_counted_on(void **state)
{
	struct step *step = *state;
	struct record_step row;

	uses(step, PARENT, 100, 0, 1000);
	uses(step, CHILD, 30, 0, 500);
	take_row(step);
	/* Its last usage is read at its end. */
	uses(step, PARENT, 120, 0, 1300);
	ends(step, step->parent_task);
	row = take_row(step);
	assert_int_equal(row.minor_faults, 20);
	assert_int_equal(row.read_bytes, 300);
	uses(step, CHILD, 40, 0, 700);
	ends(step, step->child_task);
	row = take_row(step);
	assert_int_equal(row.minor_faults, 10);
	assert_int_equal(row.write_bytes, 400);
	assert_int_equal(row.resident, 0);
}

static void what_has_not_begun_is_no_part_of_the_step(void **state)
{
	struct step *step = *state;
	struct record_step row;

	/* Before its first exec it is a copy of the measuring process. */
	step->child->base->execs = 0;
	uses(step, PARENT, 100, 0, 1000);
	uses(step, CHILD, 30, 0, 500);
	row = take_row(step);
	assert_int_equal(row.minor_faults, 100);
	step->child->base->execs = 1;
	row = take_row(step);
	assert_int_equal(row.minor_faults, 30);
}

static void a_look_at_one_process_reads_that_one_only(void **state)
{
	struct step *step = *state;
	struct record_step row = { 0 };

	uses(step, PARENT, 100, 0, 1000);
	uses(step, CHILD, 30, 0, 500);
	resource_usage_look_at(&step->usage, step->parent);
	resource_usage_step(&step->usage, &row);
	assert_int_equal(row.minor_faults, 100);
	assert_int_equal(row.read_bytes, 1000);
	/* Values that decreased, as those of a process that is gone, are ignored. */
	uses(step, PARENT, 5, 0, 3);
	resource_usage_look_at(&step->usage, step->parent);
	resource_usage_step(&step->usage, &row);
	assert_int_equal(row.minor_faults, 0);
}

/* Both ran before the session began. */
static void adopt_both(struct step *step)
{
	uses(step, PARENT, 1000, 0, 10000);
	uses(step, CHILD, 300, 0, 5000);
	resource_usage_adopt(&step->usage, step->parent);
	resource_usage_adopt(&step->usage, step->child);
}

static void what_was_before_the_session_does_not_count(void **state)
{
	struct step *step = *state;
	struct record_step row;

	adopt_both(step);
	row = take_row(step);
	assert_int_equal(row.minor_faults | row.major_faults | row.read_bytes | row.write_bytes, 0);
	assert_int_equal(row.read_calls | row.write_calls, 0);
	uses(step, PARENT, 1007, 0, 10100);
	row = take_row(step);
	assert_int_equal(row.minor_faults, 7);
	assert_int_equal(row.read_bytes, 100);
	assert_int_equal(row.write_calls, 2);
	/* No process has more memory than before: the current memory is the peak. */
	assert_int_equal(step->usage.peak, 30 * (uint64_t)sysconf(_SC_PAGESIZE));
}

static void a_process_that_is_found_late_but_began_late_counts_whole(void **state)
{
	struct step *step = *state;

	uses(step, PARENT, 100, 0, 1000);
	step->usage.begun = 99; /* it began at tick 100 */
	resource_usage_adopt(&step->usage, step->parent);
	assert_int_equal(take_row(step).minor_faults, 100);
	assert_int_equal(step->usage.peak, 400 * 1024);
}

static void what_a_child_used_before_does_not_come_with_its_parent(void **state)
{
	struct step *step = *state;
	struct record_step row;

	adopt_both(step);
	take_row(step);
	uses(step, CHILD, 310, 0, 5100);
	stays_a_zombie(step, CHILD);
	ends(step, step->child_task);
	/* The parent has not waited for it: the parent's usage meanwhile is visible. */
	uses(step, PARENT, 1004, 0, 10300);
	row = take_row(step);
	assert_int_equal(row.minor_faults, 4);
	assert_int_equal(row.read_bytes, 300);
	vanish(step, CHILD);
	uses(step, PARENT, 1004, 310, 10300 + 5100);
	row = take_row(step);
	assert_int_equal(row.minor_faults, 10);
	assert_int_equal(row.read_bytes, 100);
	uses(step, PARENT, 1005, 310, 10300 + 5100);
	ends(step, step->parent_task);
	assert_int_equal(take_row(step).minor_faults, 1);
}

static void who_ignores_its_children_is_not_given_what_they_used(void **state)
{
	struct step *step = *state;

	adopt_both(step);
	put(step, PARENT, "status", "Name:\ta\nVmHWM:\t  400 kB\nSigIgn:\t0000000000010000\n");
	take_row(step);
	uses(step, CHILD, 320, 0, 5000);
	ends(step, step->child_task);
	assert_int_equal(take_row(step).minor_faults, 20);
	uses(step, PARENT, 1005, 0, 10000);
	assert_int_equal(take_row(step).minor_faults, 5);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, finish)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_is_used_is_told_once),
		TEST(a_child_that_ended_comes_with_its_parent),
		TEST(a_child_that_is_gone_counts_once),
		TEST(a_process_without_a_parent_is_counted_on),
		TEST(what_has_not_begun_is_no_part_of_the_step),
		TEST(a_look_at_one_process_reads_that_one_only),
		TEST(what_was_before_the_session_does_not_count),
		TEST(a_process_that_is_found_late_but_began_late_counts_whole),
		TEST(what_a_child_used_before_does_not_come_with_its_parent),
		TEST(who_ignores_its_children_is_not_given_what_they_used),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
