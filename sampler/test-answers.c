/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of what is made of a collector's answer; the answers are made by hand. */
#include "common/compat.h"
#include "sampler/answers.h"
#include "sampler/collect.h"
#include "sampler/named-places.h"
#include "sampler/stacks.h"
#include "sampler/tasks.h"
#include "sampler/transactions.h"

#include <setjmp.h>
#include <stdarg.h>

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
	struct process process;
	struct task task;
	struct unwind_frame frames[4]; /* the last is none of the stack */
	struct query query;
	struct query_state state;
	struct collector collector;
} trial;

/* The answer of the collector, to be filled in. */
static struct call_answer *answer(void)
{
	return &trial.collector.client.answer;
}

/* Begin anew: the innermost frame lies at an address, and the collector names a module there. */
static void begin(uint64_t address)
{
	memset(&trial.collector, 0, sizeof(trial.collector));
	trial.collector.id = 3;
	trial.process = (struct process){ .pid = 7, .program = program };
	trial.task = (struct task){ .process = &trial.process, .tid = 7 };
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
	trial.transactions = transactions_new(NULL, NULL);
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

/* The frame of a stack, counted from the innermost; 0 when it is not so deep. */
static uint32_t frame_of(uint32_t stack, unsigned level)
{
	while (level-- && stack)
		stack = stacks_parent(&trial.stacks, stack);
	return stack ? trial.stacks.nodes[stack - 1].frame : 0;
}

/* The name of the object of a frame. */
static const char *module_of(uint32_t frame)
{
	return object_get(&trial.objects, trial.stacks.frames[frame - 1].object)->path;
}

/* Whether the module that is named for BASE and SIZE is taken at an address. */
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

/* Whether a module with such a range is taken at BASE. */
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

/* An answer with so many places, innermost first. */
static void take_places(uint32_t count, bool cut)
{
	begin(BASE);
	for (uint32_t i = 0; i < count; i++)
		answer()->places[i].line = i + 1;
	answer()->place_count = count;
	answer()->cut = cut;
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

static void places_that_may_have_been_cut_make_no_whole_stack(void **state UNUSED)
{
	struct resolved_stack resolved;

	take_places(2, true);
	answers_stack(&trial.state, &trial.stacks, &resolved);
	assert_false(resolved.whole);
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

static void the_median_of_delays_is_near_the_middle_one(void **state UNUSED)
{
	static const uint64_t delays[] = { 10, 20, 1000, 5000, 400000 };

	begin(BASE);
	trial.collector.client.asked_at = trial.query.time;
	for (size_t i = 0; i < ARRAY_SIZE(delays); i++) {
		answer()->read_time = trial.query.time + delays[i];
		take();
	}
	/* What is read before the call, or after the patience with it, is none. */
	answer()->read_time = trial.query.time - 1;
	take();
	answer()->read_time = trial.query.time + HOST_CLIENT_PATIENCE + 1;
	take();
	assert_int_equal(trial.collector.delay_count, ARRAY_SIZE(delays));
	assert_int_equal(trial.collector.delay_most, 400000);
	assert_in_range(answers_delay(&trial.collector), 1000 - 128, 1000 + 128);
}

/* Of two delays the longer one is taken: the shorter is not exceeded by more than half. */
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
		cmocka_unit_test(places_that_may_have_been_cut_make_no_whole_stack),
		cmocka_unit_test(an_answer_that_is_none_changes_nothing),
		cmocka_unit_test(a_transaction_is_taken_though_the_module_is_not),
		cmocka_unit_test(the_transaction_in_force_is_known_to_the_first),
		cmocka_unit_test(the_median_of_delays_is_near_the_middle_one),
		cmocka_unit_test(half_of_the_delays_are_below_the_median),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
