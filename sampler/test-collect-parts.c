/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests the parts of collect without a collector's process: the area shared with
 * it is constructed.
 */
#include "common/compat.h"
#include "common/clock.h"
#include "common/xalloc.h"
#include "sampler/collect-data.h"
#include "sampler/named-places.h"
#include "sampler/stacks.h"
#include "sampler/task-stop.h"
#include "sampler/tasks.h"
#include "step/transactions.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>

#include <cmocka.h>

/* Collectors for any program: one that comes with vigil, and one that is missing. */
static const struct sampler_collector installed[] = {
	{ "STRBONE", "one.so", "", "", COLLECTOR_FEATURE },
	{ "STRBGONE", "", "", "it is not there", COLLECTOR_NAMED },
};

static char program[] = "prog", other[] = "other", none[] = "none";

static struct {
	struct sampler_config config;
	struct task_stops task_stops;
	struct collect *collect;
	struct step_process step_process;
	struct process process;
	unsigned asked; /* number of calls of choose */
} trial;

/* sampler_config.choose */
static size_t choose(void *argument UNUSED, const char *name, bool first UNUSED,
		     const struct sampler_collector **list)
{
	trial.asked++;
	*list = installed;
	return strcmp(name, none) == 0 ? 0 : ARRAY_SIZE(installed);
}

/* Makes a collector appear as if its process had started: it has loaded, and waits for requests. */
static void pretend_loaded(struct collector *collector, const char *programs, uint32_t flags)
{
	struct host_client *client = &collector->client;

	collector->started = true;
	client->area = xcalloc(1, sizeof(*client->area));
	client->pidfd = -1;
	client->state = HOST_CLIENT_READY;
	client->loaded_once = true;
	client->look_at = UINT64_MAX;
	client->loaded.collector_flags = flags;
	snprintf(client->loaded.programs, sizeof(client->loaded.programs), "%s", programs);
}

static void begin(void)
{
	memset(&trial, 0, sizeof(trial));
	trial.config.choose = choose;
	trial.collect = collect_new(&(struct collect_parts){
		.config = &trial.config,
		.task_stops = &trial.task_stops,
	});
	trial.step_process = (struct step_process){ .pid = 7, .program = program };
	trial.process = (struct process){ .base = &trial.step_process };
}

/* Returns the first collector, with a process for which it is called. */
static struct collector *begin_loaded(uint32_t flags)
{
	struct collector *first;

	begin();
	first = collect_need_choice(trial.collect, "prog", false)->members[0].collector;
	pretend_loaded(first, "PROG", flags);
	assert_true(collect_wants(trial.collect, &trial.process));
	return first;
}

static void finish(void)
{
	for (size_t i = 0; i < collect_count(trial.collect); i++) {
		struct host_client *client = &collect_get(trial.collect, i)->client;

		free(client->area);
		client->area = NULL;
	}
	collect_free(trial.collect);
}

/* Makes an answer come to a request whose wait is over. */
static void answer_late(struct collector *collector, const char *message)
{
	struct host_client *client = &collector->client;

	client->state = HOST_CLIENT_BUSY;
	client->area->answered = ++client->called;
	snprintf(client->area->answer.message, sizeof(client->area->answer.message), "%s", message);
	collect_look_at(trial.collect, collector, clock_monotonic_ns());
	assert_int_equal(client->state, HOST_CLIENT_READY);
}

static void without_a_configuration_there_is_nobody(void **state UNUSED)
{
	struct sampler_config config = { 0 };
	struct collect *collect = collect_new(&(struct collect_parts){ .config = &config });
	struct tasks tasks = { 0 };

	assert_null(collect);
	assert_false(collect_prepare(collect));
	assert_false(collect_wants(collect, &trial.process));
	assert_false(collect_loads(collect, &trial.process));
	assert_false(collect_busy(collect));
	assert_false(collect_asks(collect));
	assert_false(collect_owns(collect, 1));
	assert_int_equal(collect_cpu(collect), 0);
	collect_look(collect, &tasks, 0);
	collect_forget(collect, &trial.process);
	collect_free(collect);
}

static void the_configuration_is_asked_once_for_a_program(void **state UNUSED)
{
	struct choice *first;

	begin();
	first = collect_need_choice(trial.collect, "prog", false);
	assert_ptr_equal(collect_need_choice(trial.collect, "prog", false), first);
	assert_int_equal(trial.asked, 1);
	assert_ptr_not_equal(collect_need_choice(trial.collect, "prog", true), first);
	assert_int_equal(trial.asked, 2);
	/* The collectors are the same ones. */
	assert_int_equal(collect_count(trial.collect), ARRAY_SIZE(installed));
	finish();
}

static void a_process_has_the_collectors_whose_list_it_is_on(void **state UNUSED)
{
	struct collector *first = begin_loaded(0);

	assert_int_equal(trial.process.choice->members[0].state, CHOSEN_CALLED);
	assert_true(first->called);
	/* The missing one is not called, and has the reason. */
	assert_string_equal(collect_get(trial.collect, 1)->client.problem.text, "it is not there");
	assert_false(collect_loads(trial.collect, &trial.process));
	trial.process.choice = NULL;
	trial.process.base->program = other;
	assert_false(collect_wants(trial.collect, &trial.process));
	trial.process.choice = NULL;
	trial.process.base->program = none;
	assert_false(collect_wants(trial.collect, &trial.process));
	finish();
}

static void a_process_that_executes_nothing_yet_has_none(void **state UNUSED)
{
	begin_loaded(0);
	trial.process.awaiting_image = true;
	assert_false(collect_wants(trial.collect, &trial.process));
	finish();
}

static void the_message_of_a_late_answer_is_kept(void **state UNUSED)
{
	struct collector *first = begin_loaded(0);
	const struct collector *from = NULL;

	answer_late(first, "the heap is damaged");
	answer_late(first, "the heap is damaged");
	answer_late(first, "");
	answer_late(first, "another");
	assert_string_equal(collect_next_message(trial.collect, &from), "the heap is damaged");
	assert_ptr_equal(from, first);
	assert_string_equal(collect_next_message(trial.collect, &from), "another");
	assert_null(collect_next_message(trial.collect, &from));
	finish();
}

static void one_that_was_ready_has_no_late_answer(void **state UNUSED)
{
	struct collector *first = begin_loaded(0);
	const struct collector *from;

	snprintf(first->client.answer.message, sizeof(first->client.answer.message), "old");
	collect_look_at(trial.collect, first, clock_monotonic_ns());
	assert_null(collect_next_message(trial.collect, &from));
	finish();
}

static void messages_are_kept_up_to_a_number(void **state UNUSED)
{
	struct collector *first = begin_loaded(0);
	const struct collector *from;
	char text[32];

	for (int i = 0; i < MESSAGES_MAX + 2; i++) {
		snprintf(text, sizeof(text), "message %d", i);
		answer_late(first, text);
	}
	for (int i = 0; i < MESSAGES_MAX; i++) {
		snprintf(text, sizeof(text), "message %d", i);
		assert_string_equal(collect_next_message(trial.collect, &from), text);
	}
	assert_null(collect_next_message(trial.collect, &from));
	finish();
}

/* A collector reports a text about a process of a generation. */
static void say_id(struct collector *collector, uint64_t generation, const char *text,
		   uint32_t outcome)
{
	struct call_answer *answer = &collector->client.answer;

	answer->id_given = 1;
	snprintf(answer->id, sizeof(answer->id), "%s", text);
	answer->outcome = outcome;
	collect_take_texts(trial.collect, collector, generation);
}

/* Checks the text of the SUBSYSTEM field; NULL: it has not changed. */
static void assert_subsystem(const char *wanted)
{
	struct strbuf subsystem = STRBUF_INIT;

	assert_int_equal(collect_subsystem(trial.collect, &subsystem), wanted != NULL);
	assert_string_equal(subsystem.text, wanted ? wanted : "");
	strbuf_release(&subsystem);
}

static void the_subsystem_is_told_when_it_changes(void **state UNUSED)
{
	struct collector *first = begin_loaded(0);

	assert_subsystem(NULL);
	say_id(first, 1, "PAYROLL", VIGIL_NOT_MINE);
	assert_subsystem(NULL);
	say_id(first, 1, "PAYROLL", VIGIL_DONE);
	assert_subsystem("PAYROLL");
	say_id(first, 1, "PAYROLL", VIGIL_DONE);
	assert_subsystem(NULL);
	finish();
}

static void texts_of_collectors_and_processes_stand_side_by_side(void **state UNUSED)
{
	struct collector *first = begin_loaded(0), *second = collect_get(trial.collect, 1);
	char text[16];

	/* The second collector's answer is the first that is in time. */
	say_id(second, 1, "DATABASE 1", VIGIL_DONE);
	assert_subsystem("DATABASE 1");
	say_id(first, 1, "PYTHON", VIGIL_DONE);
	assert_subsystem("PYTHON, DATABASE 1");
	/* Of the same process the last text counts; of different ones, both. */
	say_id(first, 1, "PYTHON 3.11", VIGIL_DONE);
	assert_subsystem("PYTHON 3.11, DATABASE 1");
	say_id(second, 2, "DATABASE 2", VIGIL_DONE);
	assert_subsystem("PYTHON 3.11, DATABASE 1, DATABASE 2");
	say_id(second, 3, "DATABASE 1", VIGIL_DONE);
	assert_subsystem(NULL);
	for (uint64_t i = 3; i < SUBSYSTEMS_MAX; i++) {
		snprintf(text, sizeof(text), "%" PRIu64, i);
		say_id(first, i, text, VIGIL_DONE);
	}
	assert_subsystem("PYTHON 3.11, 3, 4, 5, 6, 7, DATABASE 1, DATABASE 2");
	say_id(first, 100, "100", VIGIL_DONE);
	assert_subsystem("PYTHON 3.11, 3, 4, 5, 6, 7, DATABASE 1, DATABASE 2, ...");
	say_id(first, 101, "101", VIGIL_DONE);
	assert_subsystem(NULL);
	finish();
}

/*
 * A collector that does not answer is switched off after ten seconds; the
 * transactions that it named end before that.
 */
static void what_a_silent_collector_named_is_no_longer_in_force(void **state UNUSED)
{
	struct collector *first = begin_loaded(0);
	struct host_client *client = &first->client;
	struct tasks tasks = { 0 };
	uint64_t work;

	trial.collect->parts.transactions = transactions_new(NULL);
	work = transactions_id(trial.collect->parts.transactions, "WORK");
	transactions_set(trial.collect->parts.transactions, 7, 100, work, first->id);
	client->state = HOST_CLIENT_BUSY;
	client->called++;
	client->asked_at = clock_monotonic_ns();
	collect_look(trial.collect, &tasks, 1000);
	assert_int_equal(transactions_of(trial.collect->parts.transactions, 7), work);
	client->asked_at -= NSEC_PER_SEC;
	collect_look(trial.collect, &tasks, 2000);
	assert_int_equal(client->state, HOST_CLIENT_BUSY);
	assert_int_equal(transactions_of(trial.collect->parts.transactions, 7), 0);
	/* It answers after all, and is used again. */
	answer_late(first, "");
	collect_look(trial.collect, &tasks, 3000);
	transactions_set(trial.collect->parts.transactions, 7, 3000, work, first->id);
	collect_look(trial.collect, &tasks, 4000);
	assert_int_equal(transactions_of(trial.collect->parts.transactions, 7), work);
	transactions_free(trial.collect->parts.transactions);
	finish();
}

/* Acts as the process of a collector in a call: answers it after a while, and then the next one. */
static void *answer_twice(void *argument)
{
	struct call_area *area = argument;
	uint32_t called = area->called;

	usleep(50000);
	snprintf(area->answer.message, sizeof(area->answer.message), "late");
	__atomic_store_n(&area->answered, called, __ATOMIC_RELEASE);
	for (int patience = 2000; patience > 0; patience--) {
		if (__atomic_load_n(&area->called, __ATOMIC_ACQUIRE) != called)
			break;
		usleep(1000);
	}
	area->answer.counted = 0;
	snprintf(area->answer.message, sizeof(area->answer.message), "counted");
	__atomic_store_n(&area->answered, called + 1, __ATOMIC_RELEASE);
	return NULL;
}

/* The pending answer is awaited, and then the collector is asked. */
static void one_that_is_at_a_sample_at_the_end_is_asked_for_counts(void **state UNUSED)
{
	struct collector *first = begin_loaded(VIGIL_LAST);
	struct host_client *client = &first->client;
	const struct collector *from;
	struct tasks tasks = { 0 };
	pthread_t host;

	first->last = (struct collect_subject){ .pid = 7, .tid = 7, .mapped = 5 };
	client->state = HOST_CLIENT_BUSY;
	client->area->called = ++client->called;
	client->asked_at = clock_monotonic_ns();
	assert_int_equal(pthread_create(&host, NULL, answer_twice, client->area), 0);
	collect_end(trial.collect, &tasks);
	assert_int_equal(client->called, 2);
	assert_int_equal(client->area->request.flags, VIGIL_ENDING);
	assert_int_equal(client->area->request.mapped, 5);
	assert_int_equal(client->state, HOST_CLIENT_READY);
	/* Both of its messages are kept: that of the late answer, and the one at the end. */
	assert_string_equal(collect_next_message(trial.collect, &from), "late");
	assert_string_equal(collect_next_message(trial.collect, &from), "counted");
	client->area->called = client->called = 2;
	assert_int_equal(pthread_join(host, NULL), 0);
	finish();
}

/* Acts as the process of a collector in one call. */
static void *answer_once(void *argument)
{
	struct call_area *area = argument;
	uint32_t answered = area->answered;

	for (int patience = 20000; patience > 0; patience--) {
		if (__atomic_load_n(&area->called, __ATOMIC_ACQUIRE) != answered)
			break;
		usleep(100);
	}
	__atomic_store_n(&area->answered, answered + 1, __ATOMIC_RELEASE);
	return NULL;
}

/* Asks about a sample, which the collector answers so; returns whether it is late. */
static bool is_late(struct collector *collector, uint32_t outcome, uint32_t asked, const char *module)
{
	struct step_task step_task = { .tid = 7 };
	struct task task = { .base = &step_task, .process = &trial.process };
	struct query query = { .task = &task, .state = VIGIL_EXECUTING, .time = clock_monotonic_ns() };
	struct call_answer *answer = &collector->client.area->answer;
	uint64_t late = collector->late;
	struct query_state state;
	pthread_t host;

	*answer = (struct call_answer){ .outcome = outcome, .asked = asked, .module_named = *module != '\0' };
	snprintf(answer->module, sizeof(answer->module), "%s", module);
	collector->client.patience = 10 * NSEC_PER_SEC;
	idmap_put(&collector->client.memory, 7, 0); /* its memory was shared */
	assert_int_equal(pthread_create(&host, NULL, answer_once, collector->client.area), 0);
	collect_ask(trial.collect, &query, &state);
	assert_int_equal(pthread_join(host, NULL), 0);
	assert_int_equal(state.unanswered, collector->late > late);
	return collector->late > late;
}

/* It finds nothing in a program that has ended meanwhile: that is no answer, and counts. */
static void one_that_looks_after_the_programs_end_is_late(void **state UNUSED)
{
	struct collector *first = begin_loaded(0);
	struct collect_parts *parts = &trial.collect->parts;
	struct object_list objects;
	struct stacks stacks;

	object_list_init(&objects);
	stacks_init(&stacks, &objects);
	parts->named_places = named_places_new(&objects, &stacks);
	parts->transactions = transactions_new(NULL);
	trial.process.space = space_new();
	assert_false(is_late(first, VIGIL_NOT_MINE, CALL_ASKED, ""));
	assert_true(is_late(first, VIGIL_NOT_MINE, CALL_ASKED | CALL_GONE, ""));
	assert_true(is_late(first, VIGIL_DONE, CALL_ASKED | CALL_GONE, ""));
	assert_false(is_late(first, VIGIL_DONE, 0, ""));
	assert_false(is_late(first, VIGIL_DONE, CALL_ASKED | CALL_GONE, "PAY"));
	assert_int_equal(first->calls, 5);
	assert_int_equal(first->late, 2);
	space_drop(trial.process.space);
	transactions_free(parts->transactions);
	named_places_free(parts->named_places);
	stacks_release(&stacks);
	object_list_release(&objects);
	finish();
}

static void what_comes_with_vigil_stops_tasks_for_a_hundredth_of_the_session(void **state UNUSED)
{
	struct sampler_collector own = installed[0];
	struct collector *first = begin_loaded(VIGIL_HOLD);
	uint64_t now;

	trial.collect->began = 1000;
	now = trial.collect->began + 100 * NSEC_PER_SEC;
	/* One percent of a hundred seconds, plus one percent of the 100 ms allowed initially. */
	trial.task_stops.spent = NSEC_PER_SEC + NSEC_PER_MSEC - 1;
	assert_true(collect_wants_stop(trial.collect, &trial.process, now));
	trial.task_stops.spent++;
	assert_false(collect_wants_stop(trial.collect, &trial.process, now));
	assert_true(collect_wants_stop(trial.collect, &trial.process, now + 100));
	/* A collector of the user gets what it asks for. */
	own.origin = COLLECTOR_FOUND;
	first->wanted = &own;
	assert_true(collect_wants_stop(trial.collect, &trial.process, now));
	first->client.loaded.collector_flags = 0;
	assert_false(collect_wants_stop(trial.collect, &trial.process, now));
	finish();
}

static void one_that_is_off_is_not_wanted(void **state UNUSED)
{
	struct collector *first = begin_loaded(0);

	assert_false(collect_is_off(trial.collect, first->id));
	assert_true(collect_wants(trial.collect, &trial.process));
	first->client.state = HOST_CLIENT_OFF;
	assert_true(collect_is_off(trial.collect, first->id));
	assert_false(collect_wants(trial.collect, &trial.process));
	finish();
}

static void patterns_cover_nothing_or_more(void **state UNUSED)
{
	static const char list[] = "PAY*\0A%C\0";

	assert_true(collect_match("PAY*", "pay"));
	assert_true(collect_match("PAY**", "pay"));
	assert_true(collect_match("PAY*", "payroll"));
	assert_false(collect_match("PAY*", "pa"));
	assert_false(collect_match("PAY*%", "pay"));
	assert_true(collect_match("*", ""));
	assert_false(collect_match("%", ""));
	assert_true(collect_match("*AB", "aaab"));
	assert_true(collect_matches(list, "pay"));
	assert_true(collect_matches(list, "abc"));
	assert_false(collect_matches(list, "abbc"));
	assert_false(collect_matches("\0", ""));
}

static void names_match_patterns_whatever_their_case(void **state UNUSED)
{
	assert_true(collect_match("PAYROLL", "payroll"));
	assert_false(collect_match("PAYROLL", "payroll1"));
	assert_true(collect_match("PAY*", "payroll"));
	assert_true(collect_match("PAY%OLL", "payroll"));
	assert_false(collect_match("PAY%", "pay"));
	assert_true(collect_match("*ROLL*", "payrolls"));
	assert_true(collect_match("*A*B", "aab"));
	assert_false(collect_match("*A*B", "aabc"));
	assert_true(collect_match(VIGIL_ALWAYS, ""));
	assert_true(collect_match(VIGIL_ALWAYS, "anything"));
	assert_true(collect_matches("ONE\0TWO\0", "two"));
	assert_false(collect_matches("ONE\0TWO\0", "three"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_configuration_there_is_nobody),
		cmocka_unit_test(the_configuration_is_asked_once_for_a_program),
		cmocka_unit_test(a_process_has_the_collectors_whose_list_it_is_on),
		cmocka_unit_test(a_process_that_executes_nothing_yet_has_none),
		cmocka_unit_test(the_message_of_a_late_answer_is_kept),
		cmocka_unit_test(one_that_was_ready_has_no_late_answer),
		cmocka_unit_test(messages_are_kept_up_to_a_number),
		cmocka_unit_test(the_subsystem_is_told_when_it_changes),
		cmocka_unit_test(texts_of_collectors_and_processes_stand_side_by_side),
		cmocka_unit_test(what_a_silent_collector_named_is_no_longer_in_force),
		cmocka_unit_test(one_that_is_at_a_sample_at_the_end_is_asked_for_counts),
		cmocka_unit_test(one_that_looks_after_the_programs_end_is_late),
		cmocka_unit_test(what_comes_with_vigil_stops_tasks_for_a_hundredth_of_the_session),
		cmocka_unit_test(one_that_is_off_is_not_wanted),
		cmocka_unit_test(patterns_cover_nothing_or_more),
		cmocka_unit_test(names_match_patterns_whatever_their_case),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
