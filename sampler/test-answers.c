/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the processing of a collector's answer; the answers are constructed. */
#include "common/compat.h"
#include "sampler/answers.h"
#include "sampler/collect.h"
#include "sampler/named-places.h"
#include "sampler/stacks.h"
#include "sampler/tasks.h"
#include "step/transactions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>

#include <cmocka.h>

#define BASE 0x400000
#define SIZE 0x1000

static char program[] = "PROG";

/* A task that was seen with three frames, and a collector that answers. */
static struct {
	struct object_list objects;
	struct stacks stacks;
	struct named_places *places;
	struct transactions *transactions;
	struct step_process step_process;
	struct step_task step_task;
	struct process process;
	struct task task;
	struct unwind_frame frames[4]; /* the last one is not part of the stack */
	struct query query;
	struct query_state state;
	struct collector collector;
} trial;

/* Returns the answer of the collector, to be filled in. */
static struct call_answer *answer(void)
{
	return &trial.collector.client.answer;
}

/* Starts again: the innermost frame is at address, and the collector names a module there. */
static void begin(uint64_t address)
{
	memset(&trial.collector, 0, sizeof(trial.collector));
	trial.collector.id = 3;
	trial.collector.client.patience = HOST_CLIENT_PATIENCE;
	trial.step_process = (struct step_process){ .pid = 7, .program = program };
	trial.step_task = (struct step_task){ .process = &trial.step_process, .tid = 7 };
	trial.process = (struct process){ .base = &trial.step_process };
	trial.task = (struct task){ .process = &trial.process, .base = &trial.step_task };
	trial.frames[0] = (struct unwind_frame){ .address = address, .offset = address };
	trial.frames[1] = (struct unwind_frame){ .address = 0x2000, .offset = 0x2000 };
	trial.frames[2] = (struct unwind_frame){ .address = 0x3000, .offset = 0x3000 };
	trial.frames[3] = (struct unwind_frame){ .address = 0x4000, .offset = 0x4000 };
	trial.query = (struct query){
		.task = &trial.task,
		.time = 1000,
		.state = VIGIL_EXECUTING,
		.frames = trial.frames,
		.depth = 3,
		.whole = true,
	};
	answers_begin(&trial.state, &trial.query, trial.transactions);
	answer()->outcome = VIGIL_DONE;
	answer()->module_named = 1;
	answer()->base = BASE;
	answer()->size = SIZE;
	snprintf(answer()->module, sizeof(answer()->module), "MINE");
}

static void take(void)
{
	answers_take(&trial.collector, &trial.state, trial.places, trial.transactions);
}

static int set_up(void **state UNUSED)
{
	object_list_init(&trial.objects);
	stacks_init(&trial.stacks, &trial.objects);
	trial.places = named_places_new(&trial.objects, &trial.stacks);
	trial.transactions = transactions_new(NULL);
	return 0;
}

static int tear_down(void **state UNUSED)
{
	transactions_free(trial.transactions);
	named_places_free(trial.places);
	stacks_release(&trial.stacks);
	object_list_release(&trial.objects);
	return 0;
}

/*
 * Returns the frame of a stack at a level, counted from the innermost; 0: the
 * stack is not that deep.
 */
static uint32_t frame_of(uint32_t stack, unsigned level)
{
	while (level-- && stack)
		stack = stacks_parent(&trial.stacks, stack);
	return stack ? trial.stacks.nodes[stack - 1].frame : 0;
}

/* Returns the name of the object of a frame. */
static const char *module_of(uint32_t frame)
{
	return object_get(&trial.objects, trial.stacks.frames[frame - 1].object)->path;
}

/* Returns whether a module named for BASE and SIZE is accepted at an address. */
static bool is_taken(uint64_t address)
{
	begin(address);
	take();
	assert_int_equal(trial.collector.answers + trial.collector.outside, 1);
	assert_int_equal(trial.collector.answers, trial.state.module_said);
	return trial.state.module_said;
}

static void a_module_holds_the_addresses_from_its_base_to_before_its_end(void **state UNUSED)
{
	assert_false(is_taken(BASE - 1));
	assert_true(is_taken(BASE));
	assert_true(is_taken(BASE + SIZE - 1));
	assert_false(is_taken(BASE + SIZE));
}

/* Returns whether a module with this range is accepted at BASE. */
static bool is_range_taken(uint64_t base, uint64_t size)
{
	begin(BASE);
	answer()->base = base;
	answer()->size = size;
	take();
	return trial.state.module_said;
}

static void a_range_that_passes_the_address_space_is_none(void **state UNUSED)
{
	assert_false(is_range_taken(1000, UINT64_MAX));
	assert_false(is_range_taken(0, UINT64_MAX));
	assert_false(is_range_taken(1000, (uint64_t)INT64_MAX - 999));
	assert_true(is_range_taken(1000, (uint64_t)INT64_MAX - 1000));
	assert_false(is_range_taken(BASE, 0));
}

static void what_vigil_knew_before_is_no_claim(void **state UNUSED)
{
	begin(BASE);
	trial.state.module_known = true;
	trial.state.base = 5;
	trial.state.size = 5;
	snprintf(trial.state.module, sizeof(trial.state.module), "MINE");
	answer()->base = answer()->size = 5;
	take();
	assert_int_equal(trial.collector.outside, 0);
	assert_true(trial.state.module_said);
}

static void a_level_must_be_one_of_the_stack(void **state UNUSED)
{
	for (uint32_t level = 1; level < 4; level++) {
		begin(BASE);
		answer()->level = level;
		answer()->base = trial.frames[level].address;
		take();
		assert_int_equal(trial.state.module_said, level < 3);
		assert_int_equal(trial.collector.outside, level == 3);
	}
}

static void where_nothing_was_seen_any_range_is_taken(void **state UNUSED)
{
	struct resolved_stack resolved;

	begin(BASE);
	trial.query.depth = 0;
	trial.query.whole = false;
	answers_begin(&trial.state, &trial.query, trial.transactions);
	assert_string_equal(trial.state.module, "PROG");
	take();
	assert_true(answers_change_stack(&trial.state));
	answers_stack(&trial.state, &trial.stacks, &resolved);
	assert_string_equal(module_of(frame_of(resolved.stack, 0)), "MINE");
	assert_int_equal(stacks_parent(&trial.stacks, resolved.stack), 0);
	assert_false(resolved.whole);
	begin(BASE);
	trial.query.depth = 0;
	answers_begin(&trial.state, &trial.query, trial.transactions);
	answer()->level = 1;
	take();
	assert_int_equal(trial.collector.outside, 1);
}

static void a_module_alone_replaces_its_own_frame(void **state UNUSED)
{
	struct resolved_stack resolved;
	uint32_t plain;

	begin(BASE + 16);
	answer()->level = 1;
	answer()->base = 0x2000;
	take();
	assert_true(answers_change_stack(&trial.state));
	answers_stack(&trial.state, &trial.stacks, &resolved);
	plain = stacks_walked(&trial.stacks, 0, trial.frames, 3, 7);
	assert_int_equal(frame_of(resolved.stack, 0), frame_of(plain, 0));
	assert_string_equal(module_of(frame_of(resolved.stack, 1)), "MINE");
	assert_int_equal(frame_of(resolved.stack, 2), frame_of(plain, 2));
	assert_int_equal(frame_of(resolved.stack, 3), 0);
	assert_true(resolved.whole);
	assert_true(stacks_is_whole(&trial.stacks, resolved.stack));
}

/* Takes an answer with count places, innermost first. */
static void take_places(uint32_t count, bool truncated)
{
	begin(BASE);
	for (uint32_t i = 0; i < count; i++)
		answer()->places[i].line = i + 1;
	answer()->place_count = count;
	answer()->truncated = truncated;
	take();
}

static void places_replace_all_frames_from_their_level_outwards(void **state UNUSED)
{
	struct resolved_stack resolved;

	take_places(2, false);
	answers_stack(&trial.state, &trial.stacks, &resolved);
	assert_int_equal(frame_of(resolved.stack, 0), trial.state.places[0]);
	assert_int_equal(frame_of(resolved.stack, 1), trial.state.places[1]);
	assert_int_equal(frame_of(resolved.stack, 2), 0);
	assert_true(resolved.whole);
}

/*
 * Takes an answer of three places from the innermost frame on, with frames that
 * stay between them.
 */
static void take_between(uint32_t place, uint32_t level, uint32_t count)
{
	begin(BASE);
	trial.query.depth = 4;
	answer()->place_count = 3;
	for (uint32_t i = 0; i < 3; i++)
		answer()->places[i].line = i + 1;
	answer()->between_count = 1;
	answer()->betweens[0] = (struct vigil_between){ place, level, count };
	take();
}

static void frames_between_places_stay_where_they_were_called(void **state UNUSED)
{
	struct resolved_stack resolved;

	take_between(1, 1, 2);
	assert_true(trial.state.module_said);
	answers_stack(&trial.state, &trial.stacks, &resolved);
	assert_int_equal(frame_of(resolved.stack, 0), trial.state.places[0]);
	for (unsigned i = 1; i < 3; i++)
		assert_int_equal(trial.stacks.frames[frame_of(resolved.stack, i) - 1].offset,
				 trial.frames[i].offset);
	assert_int_equal(frame_of(resolved.stack, 3), trial.state.places[1]);
	assert_int_equal(frame_of(resolved.stack, 4), trial.state.places[2]);
	assert_int_equal(frame_of(resolved.stack, 5), 0);
	assert_true(resolved.whole);
}

static void what_stays_between_places_can_lie_there(void **state UNUSED)
{
	static const struct {
		uint32_t place, level, count;
		bool taken;
	} cases[] = {
		{ 1, 1, 3, true },  { 2, 3, 1, true },	{ 1, 0, 1, false },
		{ 0, 1, 1, false }, { 3, 1, 1, false }, { 1, 1, UINT32_MAX, false },
		{ 1, 5, 0, false }, { 1, 2, 3, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		take_between(cases[i].place, cases[i].level, cases[i].count);
		assert_int_equal(trial.state.module_said, cases[i].taken);
		assert_int_equal(trial.collector.outside, !cases[i].taken);
	}
	/* The second overlaps the first. */
	begin(BASE);
	answer()->place_count = 3;
	answer()->between_count = 2;
	answer()->betweens[0] = (struct vigil_between){ 1, 2, 1 };
	answer()->betweens[1] = (struct vigil_between){ 2, 1, 1 };
	take();
	assert_false(trial.state.module_said);
}

static void frames_that_nobody_followed_lie_inside_the_places(void **state UNUSED)
{
	struct resolved_stack followed, resolved;

	begin(BASE);
	answer()->level = 2;
	answer()->base = trial.frames[2].address;
	answer()->place_count = 1;
	take();
	answers_stack(&trial.state, &trial.stacks, &followed);
	assert_true(followed.whole);
	begin(BASE);
	trial.query.whole = false;
	answer()->level = 3;
	answer()->base = trial.frames[2].address;
	answer()->place_count = 1;
	take();
	assert_int_equal(trial.collector.outside, 0);
	answers_stack(&trial.state, &trial.stacks, &resolved);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(trial.stacks.frames[frame_of(resolved.stack, i) - 1].offset,
				 trial.frames[i].offset);
	assert_int_equal(frame_of(resolved.stack, 3), trial.state.places[0]);
	assert_int_equal(frame_of(resolved.stack, 4), 0);
	assert_false(resolved.truncated || stacks_is_truncated(&trial.stacks, resolved.stack));
	/* Another stack from the same place inwards was walked to its end, this one was not. */
	assert_false(resolved.whole);
	assert_false(stacks_is_whole(&trial.stacks, resolved.stack));
	assert_false(stacks_is_whole(&trial.stacks, stacks_push(&trial.stacks, resolved.stack,
								frame_of(resolved.stack, 0))));
	assert_true(stacks_is_whole(&trial.stacks, followed.stack));
}

/* Without a place, or with a range elsewhere, there is nothing that could have called them. */
static void only_places_hold_frames_that_nobody_followed(void **state UNUSED)
{
	for (uint32_t count = 0; count < 2; count++) {
		begin(BASE);
		answer()->level = 3;
		answer()->base = count ? 0x5000 : trial.frames[2].address;
		answer()->place_count = count;
		take();
		assert_false(trial.state.module_said);
		assert_int_equal(trial.collector.outside, 1);
	}
}

static void the_stack_that_was_walked_is_kept_beside_the_named_one(void **state UNUSED)
{
	struct resolved_stack first, second;
	uint32_t native;

	take_places(2, false);
	answers_stack(&trial.state, &trial.stacks, &first);
	native = trial.stacks.nodes[first.stack - 1].native;
	assert_int_equal(native, stacks_walked(&trial.stacks, 0, trial.frames, 3, 7));
	assert_true(native < first.stack);
	assert_true(stacks_is_whole(&trial.stacks, native));
	/* Other frames for the same places make another stack with the same places. */
	begin(BASE + 8);
	answer()->place_count = 2;
	answer()->places[0].line = 1;
	answer()->places[1].line = 2;
	take();
	answers_stack(&trial.state, &trial.stacks, &second);
	assert_int_not_equal(second.stack, first.stack);
	assert_int_equal(frame_of(second.stack, 0), frame_of(first.stack, 0));
	assert_int_equal(stacks_parent(&trial.stacks, second.stack),
			 stacks_parent(&trial.stacks, first.stack));
	assert_int_not_equal(trial.stacks.nodes[second.stack - 1].native, native);
}

static void places_that_may_have_been_cut_make_no_whole_stack(void **state UNUSED)
{
	struct resolved_stack resolved;

	take_places(2, true);
	answers_stack(&trial.state, &trial.stacks, &resolved);
	assert_false(resolved.whole);
	assert_true(resolved.truncated && stacks_is_truncated(&trial.stacks, resolved.stack));
	take_places(VIGIL_PLACES_MAX, false);
	answers_stack(&trial.state, &trial.stacks, &resolved);
	assert_false(resolved.whole);
	take_places(VIGIL_PLACES_MAX - 1, false);
	answers_stack(&trial.state, &trial.stacks, &resolved);
	assert_true(resolved.whole);
}

static void an_answer_that_is_none_changes_nothing(void **state UNUSED)
{
	begin(BASE);
	answer()->outcome = VIGIL_NOT_MINE;
	answer()->transaction_state = CALL_NAMED;
	take();
	assert_false(answers_change_stack(&trial.state));
	assert_false(trial.state.transaction_said);
	assert_int_equal(trial.collector.answers + trial.collector.torn, 0);
	answer()->outcome = CALL_RUBBISH;
	take();
	assert_false(answers_change_stack(&trial.state));
	assert_int_equal(trial.collector.torn, 1);
}

static void a_transaction_is_taken_though_the_module_is_not(void **state UNUSED)
{
	begin(BASE + SIZE);
	answer()->transaction_state = CALL_NAMED;
	snprintf(answer()->transaction, sizeof(answer()->transaction), "ORDER");
	take();
	assert_false(trial.state.module_said);
	assert_true(trial.state.transaction_said && trial.state.transaction_known);
	assert_int_equal(trial.state.transaction_by, 3);
	assert_string_equal(transactions_name(trial.transactions, trial.state.transaction_id),
			    "ORDER");
	answer()->transaction_state = CALL_RESET;
	take();
	assert_true(trial.state.transaction_said);
	assert_false(trial.state.transaction_known);
	assert_int_equal(trial.state.transaction_id, 0);
}

static void the_transaction_in_force_is_known_to_the_first(void **state UNUSED)
{
	begin(BASE);
	assert_false(trial.state.transaction_known);
	assert_string_equal(trial.state.transaction, "");
	trial.query.in_force = transactions_id(trial.transactions, "BILL");
	answers_begin(&trial.state, &trial.query, trial.transactions);
	assert_true(trial.state.transaction_known);
	assert_string_equal(trial.state.transaction, "BILL");
	assert_false(trial.state.transaction_said);
}

/* This program is loaded in several mappings, one of which is executable. */
static void the_module_that_vigil_knows_is_as_large_as_it_is_loaded(void **state UNUSED)
{
	extern const char __ehdr_start[], _end[];
	uint64_t here = (uint64_t)(uintptr_t)&begin;
	struct space *space = space_new();
	const struct mapping *mapping;

	assert_int_equal(space_read_proc(&space, &trial.objects, getpid(), NULL), 0);
	mapping = space_find(space, here);
	assert_non_null(mapping);
	begin(here);
	trial.frames[0].mapping = mapping;
	answers_begin(&trial.state, &trial.query, trial.transactions);
	assert_true(trial.state.module_known);
	assert_true((uint64_t)(uintptr_t)__ehdr_start < mapping->start);
	assert_int_equal(trial.state.base, (uintptr_t)__ehdr_start);
	assert_true(trial.state.base + trial.state.size >= (uintptr_t)_end);
	assert_true(trial.state.base + trial.state.size < (uintptr_t)_end + 4096);
	space_drop(space);
}

static void the_median_of_delays_is_near_the_middle_one(void **state UNUSED)
{
	static const uint64_t delays[] = { 10, 20, 1000, 5000, 400000 };

	begin(BASE);
	trial.collector.client.asked_at = trial.query.time;
	for (size_t i = 0; i < ARRAY_SIZE(delays); i++) {
		answer()->read_time = trial.query.time + delays[i];
		take();
	}
	/* A read time before the call, or after its patience, is invalid. */
	answer()->read_time = trial.query.time - 1;
	take();
	answer()->read_time = trial.query.time + HOST_CLIENT_PATIENCE + 1;
	take();
	assert_int_equal(trial.collector.delay_count, ARRAY_SIZE(delays));
	assert_int_equal(trial.collector.delay_max, 400000);
	assert_in_range(answers_delay(&trial.collector), 1000 - 128, 1000 + 128);
}

/* Of two delays the longer one is the median: the shorter one is not exceeded by more than half. */
static void half_of_the_delays_are_below_the_median(void **state UNUSED)
{
	begin(BASE);
	trial.collector.client.asked_at = trial.query.time;
	answer()->read_time = trial.query.time + 2;
	take();
	assert_int_equal(answers_delay(&trial.collector), 2);
	answer()->read_time = trial.query.time + 100000;
	take();
	assert_in_range(answers_delay(&trial.collector), 80000, 120000);
	answer()->read_time = trial.query.time + 3;
	take();
	assert_int_equal(answers_delay(&trial.collector), 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_module_holds_the_addresses_from_its_base_to_before_its_end),
		cmocka_unit_test(a_range_that_passes_the_address_space_is_none),
		cmocka_unit_test(what_vigil_knew_before_is_no_claim),
		cmocka_unit_test(a_level_must_be_one_of_the_stack),
		cmocka_unit_test(where_nothing_was_seen_any_range_is_taken),
		cmocka_unit_test(a_module_alone_replaces_its_own_frame),
		cmocka_unit_test(places_replace_all_frames_from_their_level_outwards),
		cmocka_unit_test(frames_between_places_stay_where_they_were_called),
		cmocka_unit_test(what_stays_between_places_can_lie_there),
		cmocka_unit_test(frames_that_nobody_followed_lie_inside_the_places),
		cmocka_unit_test(only_places_hold_frames_that_nobody_followed),
		cmocka_unit_test(the_stack_that_was_walked_is_kept_beside_the_named_one),
		cmocka_unit_test(places_that_may_have_been_cut_make_no_whole_stack),
		cmocka_unit_test(an_answer_that_is_none_changes_nothing),
		cmocka_unit_test(a_transaction_is_taken_though_the_module_is_not),
		cmocka_unit_test(the_transaction_in_force_is_known_to_the_first),
		cmocka_unit_test(the_module_that_vigil_knows_is_as_large_as_it_is_loaded),
		cmocka_unit_test(the_median_of_delays_is_near_the_middle_one),
		cmocka_unit_test(half_of_the_delays_are_below_the_median),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
