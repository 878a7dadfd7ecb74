/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of libvigil-engine: the order of calls, what each is given, and what each may do. */
#include "common/compat.h"
#include "engine/modules/test-parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>
#include <cmocka.h>

/*
 * Asserts the calls of a history at snapshots and around them, without those of
 * initialization and end.
 */
static void assert_calls(const char *expected)
{
	struct strbuf calls = STRBUF_INIT;

	for (const char *at = history.text; *at; at += strcspn(at, " ") + 1) {
		const char *what = strchr(at, ':') + 1;
		unsigned long number = strtoul(what, NULL, 10);

		if (number == VIGIL_BASELINE || number == VIGIL_SNAPSHOT ||
		    number == VIGIL_SNAPSHOT_END || number == VIGIL_COLLECTION_END)
			strbuf_addf(&calls, "%.*s ", (int)strcspn(at, " "), at);
	}
	assert_string_equal(calls.text, expected);
	strbuf_release(&calls);
}

/* Returns whether one call comes before another. */
static bool is_before(const char *first, const char *second)
{
	const char *a = strstr(history.text, first), *b = strstr(history.text, second);

	assert_non_null(a);
	assert_non_null(b);
	return a < b;
}

/* A timer that wants one snapshot. */
static int once(struct part *part, struct vigil_global *global, struct vigil_private *mine,
		const struct vigil_set *set UNUSED)
{
	if (global->what == VIGIL_DUE)
		mine->due = part->seen++ ? VIGIL_NEVER : global->now;
	return VIGIL_OK;
}

/* Makes modules of all kinds, in the opposite order of their calls. */
static void make_all_kinds(void)
{
	static const char *const after_gauges[] = { "GAUGES", NULL };
	const uint32_t both = VIGIL_AT_SNAPSHOT | VIGIL_AT_SNAPSHOT_END;

	part(0, "LOOK", VIGIL_MONITOR, 15);
	part(1, "TAKE", VIGIL_CONSUMER, both | VIGIL_AT_COLLECTION_END);
	part(2, "SIEVE", VIGIL_FILTER, both);
	part(3, "DERIVED", VIGIL_PRODUCER, VIGIL_AT_SNAPSHOT_END)->after = after_gauges;
	parts[3].type = &small_type;
	producer(4);
	part(5, "CLOCK", VIGIL_TIMER, 15)->act = once;
	part(6, "HELP", VIGIL_SUPPORTER, VIGIL_AT_COLLECTION_END);
}

static void every_kind_is_called_in_its_place(void **state UNUSED)
{
	struct vigil_operation operation = brief;
	struct vigil_engine *engine;

	make_all_kinds();
	operation.count = 0;
	engine = engine_of(7);
	run(engine, &operation);
	/* The timer wants no more: the last snapshot has no producers' data. */
	assert_non_null(strstr(history.text, "CLOCK:4 LOOK:4 "));
	assert_non_null(strstr(history.text, "CLOCK:5 GAUGES:5 SIEVE:5 TAKE:5 LOOK:5 "
					     "CLOCK:6 DERIVED:6 SIEVE:6 TAKE:6 LOOK:6 "));
	assert_null(strstr(history.text, "HELP:5"));
	assert_null(strstr(history.text, "HELP:6"));
	/* A supporter is started before all others, and ended after them. */
	assert_true(is_before("HELP:3", "CLOCK:3"));
	assert_true(is_before("HELP:3", "GAUGES:3"));
	assert_true(is_before("LOOK:12", "HELP:12"));
	assert_true(is_before("CLOCK:12", "HELP:12"));
	/* At the collection's end every module that requests it is called, after the snapshots. */
	assert_true(is_before("TAKE:6", "TAKE:7"));
	assert_true(is_before("TAKE:7", "TAKE:12"));
	assert_string_equal(messages.text, "");
	vigil_engine_finish(engine);
}

/* An extractor of one gauge a snapshot, seen times. */
static int play(struct part *part, struct vigil_global *global, struct vigil_private *mine,
		const struct vigil_set *set UNUSED)
{
	struct gauge gauge = { .prefix = { .size = sizeof(gauge), .flags = VIGIL_RECORD_FIRST },
			       .number = 1 };

	if (global->operation == VIGIL_COLLECTION)
		return VIGIL_OK;
	if (global->what == VIGIL_START)
		mine->own = (void *)(intptr_t)global->services->add_type(global, mine, &gauge_type);
	if (global->what != VIGIL_SNAPSHOT)
		return VIGIL_OK;
	if (!part->seen)
		return VIGIL_END_OF_DATA;
	part->seen--;
	global->services->set_time(global, mine, 100 - part->seen, 1000 - part->seen);
	gauge.prefix.id = (uint16_t)(intptr_t)mine->own;
	gauge.label = global->services->text_put(global, "oil");
	return global->services->add(global, mine, &gauge);
}

/* One snapshot from the extractor, then the consumers, with a monitor at each step. */
static void an_extraction_calls_in_order(void **state UNUSED)
{
	struct vigil_operation operation = { .size = sizeof(operation),
					     .operation = VIGIL_EXTRACTION };
	struct vigil_engine *engine;

	part(0, "LOOK", VIGIL_MONITOR, VIGIL_AT_SNAPSHOT | VIGIL_AT_SNAPSHOT_END);
	part(1, "TAKE", VIGIL_CONSUMER, VIGIL_AT_SNAPSHOT_END);
	part(2, "SIEVE", VIGIL_FILTER, VIGIL_AT_SNAPSHOT);
	part(3, "TAPE", VIGIL_EXTRACTOR, VIGIL_AT_SNAPSHOT)->act = play;
	parts[3].seen = 2;
	/* Producers are not called. */
	producer(4);
	engine = engine_of(5);
	run(engine, &operation);
	assert_calls("TAPE:5 SIEVE:5 LOOK:5 TAKE:6 LOOK:6 "
		     "TAPE:5 SIEVE:5 LOOK:5 TAKE:6 LOOK:6 "
		     "TAPE:5 SIEVE:5 LOOK:5 TAKE:6 LOOK:6 ");
	vigil_engine_finish(engine);
}

/* The module that writes a file may also be the one that reads it. */
static void a_module_may_be_consumer_and_extractor(void **state UNUSED)
{
	struct vigil_operation operation = { .size = sizeof(operation),
					     .operation = VIGIL_EXTRACTION };
	struct vigil_engine *engine;

	part(0, "TAPE", VIGIL_CONSUMER | VIGIL_EXTRACTOR, VIGIL_AT_SNAPSHOT | VIGIL_AT_SNAPSHOT_END)
		->act = play;
	producer(1);
	counter(2);
	engine = engine_of(3);
	run(engine, &brief);
	/* In a collection it is a consumer: called after the producer. */
	assert_non_null(strstr(history.text, "GAUGES:5 TAPE:5 "));
	assert_int_equal(parts[2].seen, 9);
	parts[0].seen = 2;
	parts[2].seen = 0;
	run(engine, &operation);
	assert_int_equal(parts[2].seen, 2);
	assert_string_equal(messages.text, "");
	vigil_engine_finish(engine);
}

/* Checks what a call is given. */
static int look_at_set(struct part *part, struct vigil_global *global, struct vigil_private *mine,
		       const struct vigil_set *set)
{
	assert_non_null(global);
	assert_non_null(mine);
	assert_non_null(global->services);
	if (global->what == VIGIL_START)
		assert_null(set);
	if (global->what == VIGIL_SNAPSHOT_END) {
		assert_non_null(set);
		assert_int_equal(set->id, mine->record_id);
		assert_int_equal(set->count, 3);
		assert_ptr_equal(set->type, vigil_set_of(global->current, "gauge")->type);
		/* A set for each producer that has records. */
		assert_int_equal(global->current->set_count,
				 vigil_set_of(global->current, "clock") ? 2 : 1);
	}
	return add_gauges(part, global, mine, set);
}

static void a_producer_is_given_its_own_records(void **state UNUSED)
{
	struct vigil_engine *engine;

	producer(0)->act = look_at_set;
	parts[0].sync_points |= VIGIL_AT_SNAPSHOT_END;
	engine = engine_of(1);
	run(engine, &brief);
	assert_int_equal(parts[0].seen, 3);
	assert_string_equal(messages.text, "");
	vigil_engine_finish(engine);
}

/* A monitor that ends the collection after two snapshots. */
static int shorten(struct part *part, struct vigil_global *global,
		   struct vigil_private *mine UNUSED, const struct vigil_set *set UNUSED)
{
	if (global->what == VIGIL_BASELINE)
		global->count = 2;
	part->seen += global->what == VIGIL_SNAPSHOT_END;
	return VIGIL_OK;
}

static void a_monitor_may_change_the_operation(void **state UNUSED)
{
	struct vigil_operation operation = brief;
	struct vigil_engine *engine;

	operation.count = 50;
	part(0, "SHORT", VIGIL_MONITOR, VIGIL_AT_BASELINE | VIGIL_AT_SNAPSHOT_END)->act = shorten;
	engine = engine_of(1);
	run(engine, &operation);
	assert_int_equal(parts[0].seen, 2);
	vigil_engine_finish(engine);
}

/* A consumer that tries what only other modules may do. */
static int meddle(struct part *part, struct vigil_global *global, struct vigil_private *mine,
		  const struct vigil_set *set UNUSED)
{
	const struct vigil_set *gauges = vigil_set_of(global->current, "gauge");
	struct gauge gauge = { .prefix = { .size = sizeof(gauge) } };

	if (global->what != VIGIL_SNAPSHOT_END || part->seen++)
		return VIGIL_OK;
	gauge.prefix.id = gauges->records[0]->id;
	assert_int_equal(global->services->discard(global, mine, gauges, 0), VIGIL_ERROR);
	assert_int_equal(global->services->add(global, mine, &gauge), VIGIL_ERROR);
	return VIGIL_OK;
}

static void a_consumer_leaves_records_as_they_are(void **state UNUSED)
{
	static const char *const after[] = { "MEDDLE", NULL };
	struct vigil_engine *engine;

	producer(0);
	part(1, "MEDDLE", VIGIL_CONSUMER, VIGIL_AT_SNAPSHOT_END)->act = meddle;
	counter(2)->after = after;
	engine = engine_of(3);
	run(engine, &brief);
	assert_int_equal(parts[2].seen, 9);
	vigil_engine_finish(engine);
}

/* Messages of all severities except the last let a module continue. */
static int say_all(struct part *part, struct vigil_global *global, struct vigil_private *mine,
		   const struct vigil_set *set UNUSED)
{
	if (global->what != VIGIL_SNAPSHOT_END)
		return VIGIL_OK;
	part->seen++;
	vigil_trace(global, mine, 1, "not wanted");
	vigil_info(global, mine, "snapshot %u", (unsigned)part->seen);
	vigil_warning(global, mine, "it is %s", "hot");
	return part->seen == 2 ? vigil_fatal(global, mine, "the house is on fire") : VIGIL_OK;
}

static void messages_have_their_severity(void **state UNUSED)
{
	struct vigil_engine *engine;

	part(0, "ALARM", VIGIL_CONSUMER, VIGIL_AT_SNAPSHOT_END)->act = say_all;
	engine = engine_of(1);
	assert_int_equal(vigil_engine_prepare(engine, &brief), 0);
	assert_int_equal(vigil_engine_start(engine), -1);
	assert_string_equal(vigil_engine_problem(engine), "module ALARM: the house is on fire");
	assert_int_equal(parts[0].seen, 2);
	assert_string_equal(messages.text, "ALARM 1 snapshot 1\nALARM 2 it is hot\n"
					   "ALARM 1 snapshot 2\nALARM 2 it is hot\n"
					   "ALARM 4 the house is on fire\n");
	vigil_engine_end(engine);
	vigil_engine_finish(engine);
}

/* Called by another module: calls it back, which is refused as that one is active. */
static int call_back(struct vigil_global *global, struct vigil_private *mine,
		     const struct vigil_set *set UNUSED, const struct vigil_description *caller,
		     const void *input, void *output)
{
	assert_string_equal(caller->name, "CALLER");
	*(int *)output = global->services->call(global, mine, caller->name, input, output);
	return VIGIL_OK;
}

static int call_first(struct part *part, struct vigil_global *global, struct vigil_private *mine,
		      const struct vigil_set *set UNUSED)
{
	int output = 0;

	if (global->what != VIGIL_SNAPSHOT_END)
		return VIGIL_OK;
	assert_int_equal(global->services->call(global, mine, "CALLED", NULL, &output), VIGIL_OK);
	assert_int_equal(output, VIGIL_REFUSED);
	part->seen++;
	return VIGIL_OK;
}

static void calls_do_not_go_in_a_circle(void **state UNUSED)
{
	struct vigil_engine *engine;

	part(0, "CALLED", VIGIL_SUPPORTER, 0)->options = VIGIL_ACCEPTS_CALLS;
	parts[0].module.external = call_back;
	part(1, "CALLER", VIGIL_CONSUMER, VIGIL_AT_SNAPSHOT_END)->act = call_first;
	parts[1].options = VIGIL_ACCEPTS_CALLS;
	parts[1].module.external = call_back;
	engine = engine_of(2);
	run(engine, &brief);
	assert_int_equal(parts[1].seen, 3);
	vigil_engine_finish(engine);
}

/* Adds gauges with flags for the module's use, and with an earlier time. */
static int add_flagged(struct part *part UNUSED, struct vigil_global *global,
		       struct vigil_private *mine, const struct vigil_set *set UNUSED)
{
	struct gauge gauge = { .number = 1, .level = INT32_MIN };

	if (global->what != VIGIL_SNAPSHOT)
		return VIGIL_OK;
	gauge.label = global->services->text_put(global, "oil");
	return vigil_add(global, mine, &gauge,
			 VIGIL_RECORD_GONE | VIGIL_RECORD_OLD | VIGIL_RECORD_PARTIAL | 0x4200);
}

static int see_flags(struct part *part, struct vigil_global *global,
		     struct vigil_private *mine UNUSED, const struct vigil_set *set UNUSED)
{
	const struct vigil_set *gauges = vigil_set_of(global->current, "gauge");

	if (global->what != VIGIL_SNAPSHOT_END || !gauges)
		return VIGIL_OK;
	assert_int_equal(gauges->records[0]->flags,
			 VIGIL_RECORD_GONE | VIGIL_RECORD_OLD | VIGIL_RECORD_PARTIAL | 0x4200);
	assert_int_equal(gauges->records[0]->size, sizeof(struct gauge));
	part->seen++;
	return VIGIL_OK;
}

static void flags_of_a_record_are_kept_in_files(void **state UNUSED)
{
	struct vigil_engine *engine;

	producer(0)->act = add_flagged;
	part(1, "SEE", VIGIL_CONSUMER, VIGIL_AT_SNAPSHOT_END)->act = see_flags;
	engine = engine_of(2);
	run_with_file(engine, VIGIL_COLLECTION);
	assert_int_equal(parts[1].seen, 3);
	run_with_file(engine, VIGIL_EXTRACTION);
	assert_int_equal(parts[1].seen, 6);
	vigil_engine_finish(engine);
}

/* Checks that the record id is the one given at VIGIL_START. */
static int keep_id(struct part *part, struct vigil_global *global, struct vigil_private *mine,
		   const struct vigil_set *set UNUSED)
{
	if (global->what == VIGIL_START)
		part->seen = mine->record_id;
	if (global->what > VIGIL_START && global->what < VIGIL_END)
		assert_int_equal(part->seen, mine->record_id);
	return VIGIL_OK;
}

static void every_producer_has_a_record_id_of_its_own(void **state UNUSED)
{
	struct vigil_engine *engine;

	producer(0)->act = keep_id;
	part(1, "SMALL", VIGIL_PRODUCER, VIGIL_AT_SNAPSHOT)->act = keep_id;
	parts[1].type = &small_type;
	engine = engine_of(2);
	run(engine, &brief);
	assert_true(parts[0].seen > 0 && parts[1].seen > 0);
	assert_int_not_equal(parts[0].seen, parts[1].seen);
	vigil_engine_finish(engine);
}

/* A filter that discards the first gauge that is left. */
static int drop_first(struct part *part UNUSED, struct vigil_global *global,
		      struct vigil_private *mine, const struct vigil_set *set UNUSED)
{
	const struct vigil_set *gauges = vigil_set_of(global->current, "gauge");

	if (global->what != VIGIL_SNAPSHOT || !gauges || !gauges->count)
		return VIGIL_OK;
	return global->services->discard(global, mine, gauges, 0);
}

/* A consumer that counts the gauges that are left. */
static int count_left(struct part *part, struct vigil_global *global,
		      struct vigil_private *mine UNUSED, const struct vigil_set *set UNUSED)
{
	const struct vigil_set *gauges = vigil_set_of(global->current, "gauge");

	if (global->what == VIGIL_SNAPSHOT_END && gauges)
		part->seen += gauges->count;
	return VIGIL_OK;
}

static void there_may_be_many_filters_and_consumers(void **state UNUSED)
{
	static const char *const names[] = { "ONE", "TWO", "THREE" };
	struct vigil_engine *engine;

	for (unsigned i = 0; i < 3; i++)
		part(i, names[i], VIGIL_CONSUMER, VIGIL_AT_SNAPSHOT_END)->act = count_left;
	part(3, "SIEVE", VIGIL_FILTER, VIGIL_AT_SNAPSHOT)->act = drop_first;
	part(4, "SIFT", VIGIL_FILTER, VIGIL_AT_SNAPSHOT)->act = drop_first;
	producer(5);
	engine = engine_of(6);
	run_with_file(engine, VIGIL_COLLECTION);
	for (unsigned i = 0; i < 3; i++) {
		/* Two of three are discarded in each of three snapshots. */
		assert_int_equal(parts[i].seen, 3);
		parts[i].seen = 0;
	}
	/* The file has the remaining records; without the filters nothing more is discarded. */
	assert_int_equal(vigil_engine_choose(engine, "SIEVE", 0), 0);
	assert_int_equal(vigil_engine_choose(engine, "SIFT", 0), 0);
	run_with_file(engine, VIGIL_EXTRACTION);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(parts[i].seen, 3);
	vigil_engine_finish(engine);
}

/* Counts the snapshots in the private data of the module. */
static int count_own(struct part *part, struct vigil_global *global, struct vigil_private *mine,
		     const struct vigil_set *set UNUSED)
{
	uint64_t *own = mine->own;

	if (global->what == VIGIL_START) {
		assert_null(own);
		mine->own = calloc(1, sizeof(*own));
	}
	if (global->what == VIGIL_SNAPSHOT_END) {
		++*own;
		assert_int_equal(*own, global->current->sequence);
	}
	if (global->what == VIGIL_END) {
		part->seen = part->seen * 10 + *own;
		free(own);
		mine->own = NULL;
	}
	return VIGIL_OK;
}

static void what_a_module_owns_is_of_one_engine(void **state UNUSED)
{
	const struct vigil_snapshot *snapshot;
	struct vigil_engine *engine, *other;

	part(0, "OWNER", VIGIL_CONSUMER, VIGIL_AT_SNAPSHOT_END)->act = count_own;
	engine = engine_of(1);
	other = engine_of(1);
	assert_int_equal(vigil_engine_prepare(engine, &brief), 0);
	assert_int_equal(vigil_engine_prepare(other, &brief), 0);
	assert_int_equal(vigil_engine_collect_snapshot(engine, 0, &snapshot), 0);
	assert_int_equal(vigil_engine_collect_snapshot(other, 0, &snapshot), 0);
	assert_int_equal(vigil_engine_collect_snapshot(engine, 0, &snapshot), 0);
	vigil_engine_finish(engine);
	vigil_engine_finish(other);
	/* The end adds a last snapshot to each. */
	assert_int_equal(parts[0].seen, 32);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_is_called_in_its_place),
		cmocka_unit_test(an_extraction_calls_in_order),
		cmocka_unit_test(a_module_may_be_consumer_and_extractor),
		cmocka_unit_test(a_producer_is_given_its_own_records),
		cmocka_unit_test(a_monitor_may_change_the_operation),
		cmocka_unit_test(a_consumer_leaves_records_as_they_are),
		cmocka_unit_test(messages_have_their_severity),
		cmocka_unit_test(calls_do_not_go_in_a_circle),
		cmocka_unit_test(flags_of_a_record_are_kept_in_files),
		cmocka_unit_test(every_producer_has_a_record_id_of_its_own),
		cmocka_unit_test(there_may_be_many_filters_and_consumers),
		cmocka_unit_test(what_a_module_owns_is_of_one_engine),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	strbuf_release(&history);
	strbuf_release(&messages);
	return failed;
}
