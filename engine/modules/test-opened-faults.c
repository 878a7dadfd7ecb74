/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of libvigil-engine: faulty modules and clients, and the end of operations. */
#include "common/compat.h"
#include "engine/modules/test-parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>
#include <cmocka.h>

/* Notes which module was lost; part->answer is the result to return. */
static int note_loss(struct part *part, struct vigil_global *global, struct vigil_private *mine,
		     const struct vigil_set *set UNUSED)
{
	if (global->what == VIGIL_LOST) {
		assert_true(mine->lost->disabled);
		strbuf_addf(&history, "(%s: %s) ", mine->lost->name, mine->lost->reason);
		part->seen++;
	}
	return VIGIL_OK;
}

static void dependents_hear_of_a_loss_and_may_follow(void **state UNUSED)
{
	static const char *const after_gauges[] = { "GAUGES", NULL }, *const after_first[] = {
		"FIRST", NULL
	};
	struct vigil_engine *engine;

	producer(0)->fail_at = VIGIL_SNAPSHOT;
	parts[0].answer = VIGIL_ERROR;
	part(1, "FIRST", VIGIL_CONSUMER, VIGIL_AT_SNAPSHOT_END)->after = after_gauges;
	parts[1].fail_at = VIGIL_LOST;
	parts[1].answer = VIGIL_NOTHING_TO_DO;
	part(2, "SECOND", VIGIL_CONSUMER, VIGIL_AT_SNAPSHOT_END)->after = after_first;
	parts[2].act = note_loss;
	engine = engine_of(3);
	run(engine, &brief);
	assert_int_equal(parts[2].seen, 1);
	assert_message("GAUGES 3 the tape is torn");
	assert_message("GAUGES 2 it is switched off: the tape is torn");
	assert_non_null(strstr(history.text, "(FIRST: it has nothing to do without another "
					     "module) "));
	/* The first one was called neither in this snapshot nor later. */
	assert_null(strstr(history.text, "FIRST:6"));
	assert_non_null(strstr(history.text, "SECOND:6"));
	vigil_engine_finish(engine);
}

static void rubbish_switches_a_module_off(void **state UNUSED)
{
	struct vigil_engine *engine;

	producer(0)->fail_at = VIGIL_SNAPSHOT;
	parts[0].answer = 4711;
	counter(1)->fail_at = VIGIL_SNAPSHOT_END;
	parts[1].answer = VIGIL_END_OF_DATA;
	part(2, "THIRD", VIGIL_CONSUMER, VIGIL_AT_SNAPSHOT_END)->act = see_interval;
	engine = engine_of(3);
	run(engine, &brief);
	assert_message("GAUGES 2 it is switched off: it returned 4711, which is not valid here");
	assert_message("COUNT 2 it is switched off: it returned 2, which is not valid here");
	assert_null(strstr(messages.text, "THIRD"));
	vigil_engine_finish(engine);
}

/* Prepares with parts of which some are faulty, and runs: the last one works to the end. */
static void run_beside_bad(unsigned count)
{
	struct vigil_engine *engine;

	part(count, "GOOD", VIGIL_CONSUMER, VIGIL_AT_SNAPSHOT_END);
	engine = engine_of(count + 1);
	run(engine, &brief);
	assert_non_null(strstr(history.text, "GOOD:6 GOOD:12 "));
	vigil_engine_finish(engine);
}

static void dependencies_that_cannot_be_switch_off(void **state UNUSED)
{
	static const char *const after_b[] = { "B", NULL }, *const after_a[] = { "A", NULL },
				 *const after_nobody[] = { "NOBODY", NULL };

	part(0, "A", VIGIL_CONSUMER, VIGIL_AT_SNAPSHOT_END)->after = after_b;
	part(1, "B", VIGIL_CONSUMER, VIGIL_AT_SNAPSHOT_END)->after = after_a;
	parts[0].act = parts[1].act = note_loss;
	part(2, "LONELY", VIGIL_CONSUMER, VIGIL_AT_SNAPSHOT_END)->after = after_nobody;
	part(3, "GROUP", VIGIL_GROUPER, 0)->members = after_nobody;
	part(4, "EARLY", VIGIL_CONSUMER, VIGIL_AT_BASELINE);
	part(5, "VAGUE", 0, 0);
	run_beside_bad(6);
	assert_message("A 3 module A depends on itself, directly or through others");
	assert_int_equal(parts[1].seen, 1);
	assert_message("LONELY 3 module LONELY depends on module NOBODY, which does not exist");
	assert_message("GROUP 3 group GROUP names module NOBODY, which does not exist");
	assert_message("EARLY 3 module EARLY is neither a timer nor a monitor");
	assert_message("VAGUE 3 it does not declare its capabilities (capabilities)");
}

static void privileges_are_checked_before_the_start(void **state UNUSED)
{
	static const char *const unknown[] = { "CAP_FLY", NULL },
				 *const file[] = { "/nowhere/at/all", NULL },
				 *const there[] = { "/", "/nowhere", "/proc/self/stat", NULL };
	struct vigil_module_information info = { .size = sizeof(info) };
	struct vigil_engine *engine;

	part(0, "FLIER", VIGIL_CONSUMER, VIGIL_AT_SNAPSHOT_END)->needs = unknown;
	part(1, "READER", VIGIL_CONSUMER, VIGIL_AT_SNAPSHOT_END)->needs = file;
	part(2, "USER", VIGIL_CONSUMER, VIGIL_AT_SNAPSHOT_END)->uses = there;
	engine = engine_of(3);
	assert_int_equal(vigil_engine_prepare(engine, &brief), 0);
	assert_int_equal(vigil_engine_start(engine), 0);
	assert_null(strstr(history.text, "FLIER:3"));
	assert_null(strstr(history.text, "READER:3"));
	assert_message("FLIER 3 it needs CAP_FLY, which is not a known privilege");
	assert_message("READER 3 it needs /nowhere/at/all, which is not available");
	assert_int_equal(vigil_engine_get_module(engine, 2, &info), 0);
	assert_int_equal(info.missing, 2);
	assert_int_equal(info.description->disabled, 0);
	assert_int_equal(vigil_engine_get_module(engine, 1, &info), 0);
	assert_int_equal(info.description->disabled, 1);
	assert_string_equal(info.description->reason,
			    "it needs /nowhere/at/all, which is not available");
	vigil_engine_finish(engine);
}

/* Halts in the second snapshot. */
static int halt(struct part *part, struct vigil_global *global, struct vigil_private *mine,
		const struct vigil_set *set UNUSED)
{
	if (global->what == VIGIL_SNAPSHOT_END && ++part->seen == 2)
		global->services->halt(global);
	global->trace_level = 2;
	vigil_trace(global, mine, 2, "seen");
	vigil_trace(global, mine, 3, "not seen");
	return VIGIL_OK;
}

static void a_module_halts_an_operation(void **state UNUSED)
{
	struct vigil_operation endless = brief;
	struct vigil_engine *engine;

	endless.count = 0;
	part(0, "HALT", VIGIL_CONSUMER, VIGIL_AT_SNAPSHOT_END)->act = halt;
	engine = engine_of(1);
	run(engine, &endless);
	assert_int_equal(parts[0].seen, 3);
	assert_message("HALT 0 seen");
	assert_null(strstr(messages.text, "not seen"));
	vigil_engine_finish(engine);
}

static void a_fatal_error_ends_an_operation(void **state UNUSED)
{
	struct vigil_engine *engine;

	part(0, "FATAL", VIGIL_CONSUMER, VIGIL_AT_SNAPSHOT_END)->fail_at = VIGIL_SNAPSHOT_END;
	parts[0].answer = VIGIL_FATAL;
	engine = engine_of(1);
	assert_int_equal(vigil_engine_prepare(engine, &brief), 0);
	assert_int_equal(vigil_engine_start(engine), -1);
	assert_string_equal(vigil_engine_problem(engine),
			    "module FATAL: it failed without giving a reason");
	vigil_engine_end(engine);
	vigil_engine_finish(engine);
}

/* Registers the first part, which must be refused with a text. */
static void assert_not_taken(const char *text)
{
	struct vigil_engine *engine = engine_of(0);

	assert_int_equal(vigil_engine_register_linked(engine, &parts[0].module, 0), -1);
	assert_string_equal(vigil_engine_problem(engine), text);
	assert_message(text);
	vigil_engine_finish(engine);
}

static void modules_that_are_wrong_are_not_taken(void **state UNUSED)
{
	static const struct vigil_record_type odd = {
		"odd", "", 17, sizeof(struct vigil_field), 3, 0, gauge_fields
	};
	struct vigil_engine *engine;

	producer(0)->module.size = 8;
	assert_not_taken("a module was built with a header of another size");
	producer(0)->module.version = 2;
	assert_not_taken("module GAUGES was built for version 2 of the interface, this is version "
			 "1");
	producer(0)->module.call = NULL;
	assert_not_taken("module GAUGES has no function to call");
	producer(0)->module.name = "small";
	assert_not_taken("a module's name is not 1 to 31 upper-case characters");
	producer(0)->module.name = "TIMER";
	assert_not_taken("module TIMER has a name that is reserved for the engine");
	producer(0)->type = &odd;
	assert_not_taken("module GAUGES: the size of record type odd is not a multiple of 8");
	producer(0);
	engine = engine_of(1);
	assert_int_equal(vigil_engine_register_linked(engine, &parts[0].module, 0), -1);
	assert_string_equal(vigil_engine_problem(engine), "module GAUGES already exists");
	vigil_engine_finish(engine);
}

static void a_grouper_brings_its_members(void **state UNUSED)
{
	static const char *const members[] = { "GAUGES", "?NOBODY", NULL };
	struct vigil_engine *engine;

	part(0, "GROUP", VIGIL_GROUPER, 0)->members = members;
	counter(1);
	producer(2);
	engine = engine_of(2);
	assert_int_equal(vigil_engine_register_linked(engine, &parts[2].module, VIGIL_OFFER), 0);
	run(engine, &brief);
	assert_int_equal(parts[1].seen, 9);
	assert_int_equal(vigil_engine_choose(engine, "GROUP", 0), 0);
	run(engine, &brief);
	assert_int_equal(parts[1].seen, 9);
	assert_int_equal(vigil_engine_choose(engine, "GAUGES", 1), 0);
	run(engine, &brief);
	assert_int_equal(parts[1].seen, 18);
	vigil_engine_finish(engine);
}

static void engines_share_nothing(void **state UNUSED)
{
	const struct vigil_snapshot *here, *there;
	struct vigil_engine *engine, *other;

	producer(0);
	engine = engine_of(1);
	other = engine_of(1);
	assert_int_equal(vigil_engine_prepare(engine, &brief), 0);
	assert_int_equal(vigil_engine_prepare(other, &brief), 0);
	assert_int_equal(vigil_engine_collect_snapshot(engine, 0, &here), 0);
	assert_int_equal(vigil_engine_collect_snapshot(engine, 0, &here), 0);
	assert_int_equal(vigil_engine_collect_snapshot(other, 0, &there), 0);
	assert_int_equal(here->sequence, 2);
	assert_int_equal(there->sequence, 1);
	assert_ptr_not_equal(here, there);
	vigil_engine_finish(engine);
	assert_int_equal(vigil_set_of(there, "gauge")->count, 3);
	vigil_engine_finish(other);
}

static void the_client_is_told_what_it_does_wrong(void **state UNUSED)
{
	const struct vigil_options old = { .size = 4 };
	struct vigil_operation operation = brief;
	struct vigil_engine *engine;

	assert_null(vigil_engine_init(&old));
	producer(0);
	engine = engine_of(1);
	assert_int_equal(vigil_engine_start(engine), -1);
	assert_string_equal(vigil_engine_problem(engine), "no operation is prepared");
	operation.operation = 3;
	assert_int_equal(vigil_engine_prepare(engine, &operation), -1);
	assert_int_equal(vigil_engine_prepare(engine, &brief), 0);
	assert_int_equal(vigil_engine_prepare(engine, &brief), -1);
	assert_int_equal(vigil_engine_read_snapshot(engine, NULL), -1);
	assert_string_equal(vigil_engine_problem(engine),
			    "the prepared operation is of the other type");
	assert_int_equal(vigil_engine_register(engine, "X", 0), -1);
	assert_int_equal(vigil_engine_end(engine), 0);
	assert_int_equal(vigil_engine_register(engine, "there-is-none", 0), -1);
	assert_string_equal(vigil_engine_problem(engine), "there is no library there-is-none");
	operation = (struct vigil_operation){ .size = sizeof(operation),
					      .operation = VIGIL_EXTRACTION,
					      .file = "/nowhere/x" };
	assert_int_equal(vigil_engine_prepare(engine, &operation), 0);
	assert_int_equal(vigil_engine_read_snapshot(engine, NULL), -1);
	vigil_engine_finish(engine);
}

static void a_collection_ends_with_its_count_or_time(void **state UNUSED)
{
	struct vigil_operation operation = brief;
	const struct vigil_snapshot *snapshot;
	struct vigil_engine *engine;

	producer(0);
	engine = engine_of(1);
	assert_int_equal(vigil_engine_prepare(engine, &brief), 0);
	for (unsigned i = 1; i <= 3; i++) {
		assert_int_equal(vigil_engine_collect_snapshot(engine, 1, &snapshot), 0);
		assert_int_equal(snapshot->sequence, i);
		assert_int_equal(snapshot->flags, i == 3 ? VIGIL_LAST_SNAPSHOT : 0);
	}
	assert_int_equal(vigil_engine_collect_snapshot(engine, 1, &snapshot), 1);
	assert_null(snapshot);
	assert_int_equal(vigil_engine_end(engine), 0);
	/* An end time in the past ends it with the first snapshot. */
	operation.count = 0;
	operation.end_time = 1;
	parts[0].seen = 0;
	run(engine, &operation);
	assert_int_equal(parts[0].seen, 1);
	vigil_engine_finish(engine);
}

/* An extractor of the client: three snapshots of made-up gauges. */
static int make_up(struct part *part, struct vigil_global *global, struct vigil_private *mine,
		   const struct vigil_set *set UNUSED)
{
	struct gauge gauge = { .prefix = { .size = sizeof(gauge), .flags = VIGIL_RECORD_FIRST } };

	if (global->what == VIGIL_START) {
		int id = global->services->add_type(global, mine, &gauge_type);

		assert_true(id > 0);
		mine->own = (void *)(intptr_t)id;
	}
	if (global->what != VIGIL_SNAPSHOT)
		return VIGIL_OK;
	if (part->seen == 3)
		return VIGIL_END_OF_DATA;
	part->seen++;
	assert_int_equal(global->services->set_time(global, mine, part->seen, part->seen * 100), 0);
	gauge.prefix.id = (uint16_t)(intptr_t)mine->own;
	gauge.number = 1;
	gauge.label = global->services->text_put(global, "oil");
	return global->services->add(global, mine, &gauge);
}

static void a_client_may_bring_its_own_extractor(void **state UNUSED)
{
	struct vigil_operation operation = { .size = sizeof(operation),
					     .operation = VIGIL_EXTRACTION };
	struct vigil_engine *engine;

	part(0, "TAPE", VIGIL_EXTRACTOR, VIGIL_AT_SNAPSHOT)->act = make_up;
	counter(1);
	engine = engine_of(2);
	run(engine, &operation);
	assert_int_equal(parts[1].seen, 3);
	assert_string_equal(messages.text, "");
	vigil_engine_finish(engine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dependents_hear_of_a_loss_and_may_follow),
		cmocka_unit_test(rubbish_switches_a_module_off),
		cmocka_unit_test(dependencies_that_cannot_be_switch_off),
		cmocka_unit_test(privileges_are_checked_before_the_start),
		cmocka_unit_test(a_module_halts_an_operation),
		cmocka_unit_test(a_fatal_error_ends_an_operation),
		cmocka_unit_test(modules_that_are_wrong_are_not_taken),
		cmocka_unit_test(a_grouper_brings_its_members),
		cmocka_unit_test(engines_share_nothing),
		cmocka_unit_test(the_client_is_told_what_it_does_wrong),
		cmocka_unit_test(a_collection_ends_with_its_count_or_time),
		cmocka_unit_test(a_client_may_bring_its_own_extractor),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	strbuf_release(&history);
	strbuf_release(&messages);
	return failed;
}
