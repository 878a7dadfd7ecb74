/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of what processes use, on a made-up /proc: above all that what ended
 * processes used is counted once.
 */
#include "common/compat.h"
#include "common/procfs.h"
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
	struct tasks tasks;
	struct files *files;
	struct resource_usage usage;
	struct process *parent, *child;
	struct task *parent_task, *child_task;
};

/* Write a file of a process. */
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

/* A process has had so many faults itself and by children it waited for, read and written. */
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
}

/* The folder of a process. */
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
	tasks_init(&step->tasks);
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
	static const char *const names[] = { "stat", "io", "statm" };
	static const pid_t pids[] = { PARENT, CHILD };
	struct step *step = *state;
	char path[PROCFS_PATH_SIZE];

	for (size_t i = 0; i < ARRAY_SIZE(pids); i++) {
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
	tasks_release(&step->tasks);
	free(step);
	return 0;
}

/* The row of a snapshot that ends now. */
static struct record_step cut(struct step *step)
{
	struct record_step row = { 0 };

	resource_usage_look(&step->usage);
	resource_usage_step(&step->usage, &row);
	return row;
}

/* A process ends, as observe.c tells it. */
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
	row = cut(step);
	assert_int_equal(row.minor_faults, 130);
	assert_int_equal(row.major_faults, 13);
	assert_int_equal(row.read_bytes, 1500);
	assert_int_equal(row.write_bytes, 3000);
	assert_int_equal(row.read_calls, 10 + 5);
	assert_int_equal(row.write_calls, 20 + 10);
	assert_int_equal(row.resident, 2 * 30 * (uint64_t)sysconf(_SC_PAGESIZE) / 4096);
	row = cut(step);
	assert_int_equal(row.minor_faults, 0);
	assert_int_equal(row.read_bytes, 0);
	uses(step, PARENT, 107, 0, 1100);
	row = cut(step);
	assert_int_equal(row.minor_faults, 7);
	assert_int_equal(row.read_bytes, 100);
}

static void a_child_that_ended_comes_with_its_parent(void **state)
{
	struct step *step = *state;
	struct record_step row;

	uses(step, PARENT, 100, 0, 1000);
	uses(step, CHILD, 30, 0, 500);
	cut(step);
	uses(step, CHILD, 45, 0, 600);
	ends(step, step->child_task);
	/* Its parent has not waited for it yet: nothing is told, and nothing is taken back. */
	row = cut(step);
	assert_int_equal(row.minor_faults, 0);
	assert_int_equal(row.read_bytes, 0);
	assert_int_equal(row.resident, 30 * (uint64_t)sysconf(_SC_PAGESIZE) / 4096);
	/* When it has, the kernel adds the child's to its own. */
	uses(step, PARENT, 100, 45, 1600);
	row = cut(step);
	assert_int_equal(row.minor_faults, 15);
	assert_int_equal(row.read_bytes, 100);
}

static void a_process_without_a_parent_is_counted_on(void **state)
{
	struct step *step = *state;
	struct record_step row;

	uses(step, PARENT, 100, 0, 1000);
	uses(step, CHILD, 30, 0, 500);
	cut(step);
	/* What it used last is read at its end. */
	uses(step, PARENT, 120, 0, 1300);
	ends(step, step->parent_task);
	row = cut(step);
	assert_int_equal(row.minor_faults, 20);
	assert_int_equal(row.read_bytes, 300);
	uses(step, CHILD, 40, 0, 700);
	ends(step, step->child_task);
	row = cut(step);
	assert_int_equal(row.minor_faults, 10);
	assert_int_equal(row.write_bytes, 400);
	assert_int_equal(row.resident, 0);
}

static void what_has_not_begun_is_no_part_of_the_step(void **state)
{
	struct step *step = *state;
	struct record_step row;

	/* Before its first exec it is a copy of the one that measures. */
	step->child->execs = 0;
	uses(step, PARENT, 100, 0, 1000);
	uses(step, CHILD, 30, 0, 500);
	row = cut(step);
	assert_int_equal(row.minor_faults, 100);
	step->child->execs = 1;
	row = cut(step);
	assert_int_equal(row.minor_faults, 30);
}

static void a_look_at_one_process_reads_that_one_only(void **state)
{
	struct step *step = *state;
	struct record_step row = { 0 };

	uses(step, PARENT, 100, 0, 1000);
	uses(step, CHILD, 30, 0, 500);
	resource_usage_look_at(step->parent);
	resource_usage_step(&step->usage, &row);
	assert_int_equal(row.minor_faults, 100);
	assert_int_equal(row.read_bytes, 1000);
	/* Values that went back, as those of a process that is gone, are none. */
	uses(step, PARENT, 5, 0, 3);
	resource_usage_look_at(step->parent);
	resource_usage_step(&step->usage, &row);
	assert_int_equal(row.minor_faults, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, finish)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_is_used_is_told_once),
		TEST(a_child_that_ended_comes_with_its_parent),
		TEST(a_process_without_a_parent_is_counted_on),
		TEST(what_has_not_begun_is_no_part_of_the_step),
		TEST(a_look_at_one_process_reads_that_one_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
