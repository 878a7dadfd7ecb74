/* SPDX-License-Identifier: Apache-2.0 */
/* Processes and tasks of a step: one id each, whichever part sees them first. */
#include "common/compat.h"
#include "step/step-tasks.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define MS UINT64_C(1000000)
#define GOES_ON UINT64_MAX

static int begin(void **state)
{
	struct step_tasks *tasks = calloc(1, sizeof(*tasks));

	step_tasks_init(tasks);
	*state = tasks;
	return 0;
}

static int finish(void **state)
{
	step_tasks_release(*state);
	free(*state);
	return 0;
}

static void others_find_what_the_observer_has_told(void **state)
{
	struct step_tasks *tasks = *state;
	struct step_process *process = step_tasks_observe_process(tasks, 10, NULL, 100 * MS);
	struct step_task *first = step_tasks_observe_task(tasks, process, 10, 100 * MS);
	struct step_task *second = step_tasks_observe_task(tasks, process, 11, 200 * MS);

	assert_int_equal(process->id, 1);
	assert_int_equal(first->id, 1);
	assert_int_equal(second->id, 2);
	assert_ptr_equal(step_tasks_find_or_add(tasks, 10, 10, 101 * MS, GOES_ON), first);
	assert_ptr_equal(step_tasks_find_or_add(tasks, 10, 11, 201 * MS, 300 * MS), second);
	assert_int_equal(tasks->task_count, 2);
	assert_int_equal(tasks->process_count, 1);
}

/* The kernel's records may arrive later than events. */
static void the_observer_takes_over_what_others_have_met(void **state)
{
	struct step_tasks *tasks = *state;
	struct step_task *found = step_tasks_find_or_add(tasks, 10, 11, 105 * MS, GOES_ON);
	struct step_process *process;

	assert_false(found->observed);
	assert_int_equal(found->process->id, 1);
	found->changed = found->process->changed = false;
	process = step_tasks_observe_process(tasks, 10, NULL, 100 * MS);
	assert_ptr_equal(process, found->process);
	assert_ptr_equal(step_tasks_observe_task(tasks, process, 11, 104 * MS), found);
	assert_true(found->observed && found->changed && process->observed && process->changed);
	assert_int_equal(found->start, 104 * MS);
	assert_int_equal(process->start, 100 * MS);
	assert_int_equal(tasks->task_count, 1);
	/* Another task of the same process that only events have seen. */
	assert_ptr_equal(step_tasks_find_or_add(tasks, 10, 12, 200 * MS, GOES_ON)->process, process);
	assert_int_equal(tasks->process_count, 1);
}

/*
 * The same for one that had ended by then, as reported by events; but not for one
 * of another time.
 */
static void one_that_has_ended_is_taken_over_too(void **state)
{
	struct step_tasks *tasks = *state;
	struct step_task *found = step_tasks_find_or_add(tasks, 10, 10, 105 * MS, GOES_ON), *later;
	struct step_process *process = found->process;

	found->end = process->end = 110 * MS;
	assert_ptr_equal(step_tasks_observe_process(tasks, 10, NULL, 104 * MS), process);
	assert_ptr_equal(step_tasks_observe_task(tasks, process, 10, 104 * MS), found);
	found->end = process->end = 110 * MS;
	process = step_tasks_observe_process(tasks, 10, NULL, 500 * MS);
	assert_int_equal(process->id, 2);
	later = step_tasks_observe_task(tasks, process, 10, 500 * MS);
	assert_int_equal(later->id, 2);
	assert_int_equal(found->end, 110 * MS);
}

/* Each event belongs to the thread that had the number then. */
static void a_number_that_is_used_again_is_another_task(void **state)
{
	struct step_tasks *tasks = *state;
	struct step_process *process = step_tasks_observe_process(tasks, 10, NULL, 0);
	struct step_task *old = step_tasks_observe_task(tasks, process, 11, 100 * MS), *new;

	old->end = 200 * MS;
	new = step_tasks_observe_task(tasks, process, 11, 210 * MS);
	assert_int_not_equal(old->id, new->id);
	assert_ptr_equal(step_tasks_find_or_add(tasks, 10, 11, 101 * MS, 199 * MS), old);
	assert_ptr_equal(step_tasks_find_or_add(tasks, 10, 11, 101 * MS, GOES_ON), old);
	assert_ptr_equal(step_tasks_find_or_add(tasks, 10, 11, 211 * MS, GOES_ON), new);
	new->end = 300 * MS;
	assert_int_equal(step_tasks_find_or_add(tasks, 10, 11, 400 * MS, GOES_ON)->id, 3);
	assert_ptr_equal(step_tasks_find_or_add(tasks, 10, 11, 211 * MS, 250 * MS), new);
	assert_ptr_equal(step_tasks_find_or_add(tasks, 10, 11, 101 * MS, 150 * MS), old);
	/* The same number in another process has no holder yet. */
	assert_int_equal(step_tasks_find_or_add(tasks, 20, 11, 211 * MS, GOES_ON)->id, 4);
}

/* When records are lost, or /proc is read only now and then, the observer sees a task late. */
static void one_that_was_heard_of_late_is_found(void **state)
{
	struct step_tasks *tasks = *state;
	struct step_process *process = step_tasks_observe_process(tasks, 10, NULL, 100 * MS);
	struct step_task *late = step_tasks_observe_task(tasks, process, 10, 100 * MS);

	assert_ptr_equal(step_tasks_find_or_add(tasks, 10, 10, 50 * MS, GOES_ON), late);
	assert_ptr_equal(step_tasks_find_or_add(tasks, 10, 10, 50 * MS, 120 * MS), late);
	/* A task that had ended by then is another one. */
	assert_ptr_not_equal(step_tasks_find_or_add(tasks, 10, 10, 50 * MS, 60 * MS), late);
}

/* A thread other than the first execs: it is the same task before and after. */
static void a_thread_that_execs_stays_the_same_task(void **state)
{
	struct step_tasks *tasks = *state;
	struct step_process *process = step_tasks_observe_process(tasks, 10, NULL, 0);
	struct step_task *first = step_tasks_observe_task(tasks, process, 10, 0);
	struct step_task *second = step_tasks_observe_task(tasks, process, 11, 100 * MS);

	step_tasks_keep(tasks);
	first->end = 200 * MS;
	step_tasks_renumber(tasks, second, 10, 200 * MS);
	assert_int_equal(second->tid, 10);
	assert_ptr_equal(step_tasks_find_or_add(tasks, 10, 10, 1 * MS, 200 * MS), first);
	assert_ptr_equal(step_tasks_find_or_add(tasks, 10, 11, 101 * MS, 200 * MS), second);
	assert_ptr_equal(step_tasks_find_or_add(tasks, 10, 10, 201 * MS, GOES_ON), second);
	step_tasks_observe_task(tasks, process, 11, 300 * MS);
	assert_int_equal(step_tasks_find_or_add(tasks, 10, 11, 301 * MS, GOES_ON)->id, 3);
	assert_ptr_equal(step_tasks_find_or_add(tasks, 10, 11, 101 * MS, 200 * MS), second);
}

/* A child has its parent's program until it execs; a process of vfork has its own number. */
static void a_child_begins_as_its_parent(void **state)
{
	struct step_tasks *tasks = *state;
	struct step_process *parent = step_tasks_observe_process(tasks, 10, NULL, 0), *child;

	step_process_set_program(parent, "prog", "/bin/prog");
	child = step_tasks_observe_process(tasks, 11, parent, 100 * MS);
	assert_int_equal(child->parent, parent->id);
	assert_string_equal(child->program, "prog");
	assert_string_equal(child->path, "/bin/prog");
	assert_ptr_equal(step_tasks_find_process(tasks, 11, 100 * MS, GOES_ON), child);
	assert_null(step_tasks_find_process(tasks, 12, 100 * MS, GOES_ON));
	assert_ptr_equal(step_tasks_find_or_add(tasks, 11, 11, 101 * MS, GOES_ON)->process, child);
}

/* The numbers of a dropped task are removed with it; if the past is kept, they are still found. */
static void what_is_done_with_is_freed_unless_it_is_asked_for(void **state)
{
	struct step_tasks *tasks = *state;

	for (int keep = 0; keep < 2; keep++) {
		struct step_process *process = step_tasks_observe_process(tasks, 10, NULL, 0);
		struct step_task *task = step_tasks_observe_task(tasks, process, 11, 100 * MS);
		uint64_t id = task->id, found;

		step_tasks_renumber(tasks, task, 10, 150 * MS);
		task->end = process->end = 200 * MS;
		if (keep)
			step_tasks_keep(tasks);
		step_tasks_drop(tasks, task);
		step_tasks_drop_process(tasks, process);
		assert_int_equal(tasks->all != NULL, keep);
		found = step_tasks_find_or_add(tasks, 10, 10, 160 * MS, 170 * MS)->id;
		assert_int_equal(found == id, keep);
		step_tasks_reset(tasks);
	}
	assert_int_equal(step_tasks_find_or_add(tasks, 10, 10, 1, GOES_ON)->id, 1);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, finish)
	const struct CMUnitTest tests[] = {
		TEST(others_find_what_the_observer_has_told),
		TEST(the_observer_takes_over_what_others_have_met),
		TEST(one_that_has_ended_is_taken_over_too),
		TEST(a_number_that_is_used_again_is_another_task),
		TEST(one_that_was_heard_of_late_is_found),
		TEST(a_thread_that_execs_stays_the_same_task),
		TEST(a_child_begins_as_its_parent),
		TEST(what_is_done_with_is_freed_unless_it_is_asked_for),
	};

	return cmocka_run_group_tests_name("step tasks", tests, NULL, NULL);
}
