/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of operations: what modules of each capability do to the snapshots, and when. */
#include "common/compat.h"
#include "common/clock.h"
#include "engine/engine.h"
#include "engine/timer.h"
#include "records/record-types.h"

#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>
#include <cmocka.h>

/* A type made for these tests: a reading of a gauge. */
struct record_reading {
	uint64_t gauge;
	uint64_t amount;
};

static const struct field reading_fields[] = {
	{ "gauge", FIELD_UNSIGNED, "id", SENSE_NONE, false, 0, "which gauge" },
	{ "amount", FIELD_UNSIGNED, "count", SENSE_COUNTER, true, 8, "what it shows" },
};
static const struct record_type reading = { .name = "reading",
					    .fields = reading_fields,
					    .field_count = 2,
					    .size = sizeof(struct record_reading),
					    .meaning = "a gauge as it was read" };
/* A derived type: by how much a gauge has moved. */
static const struct record_type change = { .name = "change",
					   .fields = reading_fields,
					   .field_count = 2,
					   .size = sizeof(struct record_reading),
					   .meaning = "by how much a gauge has moved" };

/* Data shared by the modules of a test. */
struct shop {
	struct engine *engine;
	struct error err;
	unsigned rounds;  /* rounds of the producer */
	unsigned halt_at; /* the producer halts the collection in this round; 0: never */
	size_t readings;  /* number seen by the consumer */
	uint64_t amounts; /* their sum */
	size_t changes;
	uint64_t change;      /* the last one seen */
	unsigned lasts;	      /* snapshots that were the last */
	unsigned ended;	      /* calls at COLLECTION_END */
	uint64_t last_number; /* sequence of the last snapshot */
	char lost[32];
};

/* Three gauges, each 10 higher than in the round before. */
static enum module_status read_gauges(struct module *module, enum sync_point point UNUSED,
				      struct snapshot *snapshot, struct error *err UNUSED)
{
	struct shop *shop = module->context;

	shop->rounds++;
	for (uint64_t gauge = 1; gauge <= 3; gauge++)
		recordset_add(snapshot_set(snapshot, module->types[0]->id),
			      &(struct record_reading){ gauge, gauge * 100 + shop->rounds * 10 });
	if (shop->rounds == shop->halt_at)
		engine_halt(module->engine);
	return MODULE_OK;
}

static const struct module_class producer = {
	.name = "GAUGES",
	.summary = "reads gauges",
	.capabilities = MODULE_PRODUCER,
	.sync_points = 1U << SYNC_SNAPSHOT,
	.produces = (const struct record_type *const[]){ &reading, &change, NULL },
	.call = read_gauges,
};

/* The first gauge, compared with the previous snapshot. */
static enum module_status derive(struct module *module, enum sync_point point UNUSED,
				 struct snapshot *snapshot, struct error *err UNUSED)
{
	const struct snapshot *before = engine_previous(module->engine);
	unsigned readings = registry_find(engine_types(module->engine), "reading")->id;
	const struct record_reading *now, *then;

	if (!before || !snapshot_records(before, readings)->count)
		return MODULE_OK;
	now = recordset_get(snapshot_records(snapshot, readings), 0);
	then = recordset_get(snapshot_records(before, readings), 0);
	recordset_add(snapshot_set(snapshot, module->types[0]->id),
		      &(struct record_reading){ now->gauge, now->amount - then->amount });
	return MODULE_OK;
}

static const struct module_class deriver = {
	.name = "CHANGES",
	.summary = "derives changes of gauges",
	.capabilities = MODULE_PRODUCER,
	.sync_points = 1U << SYNC_SNAPSHOT_END,
	.produces = (const struct record_type *const[]){ &change, NULL },
	.after = (const char *const[]){ "GAUGES", NULL },
	.call = derive,
};

/* Keeps all but the second gauge, and doubles them. */
static bool keep_gauge(void *argument UNUSED, const void *record)
{
	return ((const struct record_reading *)record)->gauge != 2;
}

static enum module_status filter_gauges(struct module *module, enum sync_point point UNUSED,
					struct snapshot *snapshot, struct error *err UNUSED)
{
	unsigned id = registry_find(engine_types(module->engine), "reading")->id;
	struct recordset *set = snapshot_set(snapshot, id);

	recordset_keep(set, keep_gauge, NULL);
	for (size_t i = 0; i < set->count; i++)
		((struct record_reading *)recordset_at(set, i))->amount *= 2;
	return MODULE_OK;
}

static const struct module_class filter = {
	.name = "HALF",
	.summary = "drops a gauge",
	.capabilities = MODULE_FILTER,
	.sync_points = 1U << SYNC_SNAPSHOT,
	.after = (const char *const[]){ "GAUGES", NULL },
	.call = filter_gauges,
};

static enum module_status consume(struct module *module, enum sync_point point,
				  struct snapshot *snapshot, struct error *err UNUSED)
{
	struct shop *shop = module->context;
	const struct record_type *type = registry_find(engine_types(module->engine), "reading");
	const struct recordset *set;

	if (point == SYNC_COLLECTION_END) {
		shop->ended++;
		return MODULE_OK;
	}
	shop->lasts += snapshot->last;
	shop->last_number = snapshot->sequence;
	set = snapshot_records(snapshot, type->id);
	shop->readings += set->count;
	for (size_t i = 0; i < set->count; i++)
		shop->amounts += ((const struct record_reading *)recordset_get(set, i))->amount;
	type = registry_find(engine_types(module->engine), "change");
	set = snapshot_records(snapshot, type->id);
	shop->changes += set->count;
	if (set->count)
		shop->change = ((const struct record_reading *)recordset_get(set, 0))->amount;
	return MODULE_OK;
}

static const struct module_class consumer = {
	.name = "TILL",
	.summary = "adds up gauges",
	.capabilities = MODULE_CONSUMER,
	.sync_points = 1U << SYNC_SNAPSHOT_END | 1U << SYNC_COLLECTION_END,
	.call = consume,
};

static int open_shop(void **state)
{
	struct shop *shop = calloc(1, sizeof(*shop));

	assert_non_null(shop);
	shop->engine = engine_new(&session_records);
	error_init(&shop->err);
	*state = shop;
	return 0;
}

static int close_shop(void **state)
{
	struct shop *shop = *state;

	engine_free(shop->engine);
	error_release(&shop->err);
	free(shop);
	return 0;
}

static void add(struct shop *shop, const struct module_class *class)
{
	if (!engine_add(shop->engine, class, shop, &shop->err))
		fail_msg("%s", error_text(&shop->err));
}

/* Collects two snapshots and the last one. */
static void collect(struct shop *shop)
{
	if (engine_start(shop->engine, &shop->err) < 0)
		fail_msg("%s", error_text(&shop->err));
	for (unsigned i = 0; i < 2; i++)
		assert_int_equal(engine_snapshot(shop->engine, &shop->err), 0);
	assert_int_equal(engine_finish(shop->engine, &shop->err), 0);
}

static void types_are_registered_when_modules_bring_them(void **state)
{
	struct shop *shop = *state;
	const struct record_type *type;

	add(shop, &producer);
	add(shop, &consumer);
	assert_null(registry_find(engine_types(shop->engine), "reading"));
	collect(shop);
	type = registry_find(engine_types(shop->engine), "reading");
	assert_non_null(type);
	assert_true(type->id >= RECORD_RUNTIME_FIRST);
	assert_ptr_equal(engine_module(shop->engine, "GAUGES")->types[0], type);
	assert_string_equal(engine_module(shop->engine, "GAUGES")->types[1]->name, "change");
	assert_int_equal(shop->readings, 9);
	assert_int_equal(shop->amounts, 3 * 600 + 3 * (10 + 20 + 30));
}

static void what_is_derived_reaches_consumers(void **state)
{
	struct shop *shop = *state;

	/* Added before the one on which it depends. */
	add(shop, &consumer);
	add(shop, &deriver);
	add(shop, &producer);
	collect(shop);
	assert_int_equal(shop->changes, 2);
	assert_int_equal(shop->change, 10);
	assert_int_equal(shop->lasts, 1);
	assert_int_equal(shop->ended, 1);
	assert_int_equal(shop->last_number, 3);
}

static void a_filter_drops_and_changes_records(void **state)
{
	struct shop *shop = *state;

	add(shop, &filter);
	add(shop, &producer);
	add(shop, &deriver);
	add(shop, &consumer);
	collect(shop);
	assert_int_equal(shop->readings, 6);
	assert_int_equal(shop->amounts, 2 * (3 * 400 + 2 * (10 + 20 + 30)));
	/* Derived from what the filter kept. */
	assert_int_equal(shop->change, 20);
}

static void a_grouper_stands_for_its_members(void **state)
{
	static const char *const inner_members[] = { "TILL", "?NOT.HERE", NULL };
	static const struct module_class inner = {
		.name = "INNER",
		.summary = "the consumer",
		.capabilities = MODULE_GROUPER,
		.members = inner_members,
	};
	static const char *const outer_members[] = { "GAUGES", "INNER", NULL };
	static const struct module_class outer = {
		.name = "OUTER",
		.summary = "all of it",
		.capabilities = MODULE_GROUPER,
		.members = outer_members,
	};
	struct shop *shop = *state;
	const struct module *const *modules;

	assert_non_null(engine_offer(shop->engine, &outer, NULL, &shop->err));
	assert_non_null(engine_offer(shop->engine, &inner, NULL, &shop->err));
	assert_non_null(engine_offer(shop->engine, &producer, shop, &shop->err));
	assert_non_null(engine_offer(shop->engine, &deriver, shop, &shop->err));
	assert_non_null(engine_offer(shop->engine, &consumer, shop, &shop->err));
	assert_int_equal(engine_enable(shop->engine, "NOBODY", &shop->err), -1);
	assert_string_equal(error_text(&shop->err), "there is no module NOBODY");
	assert_int_equal(engine_enable(shop->engine, "OUTER", &shop->err), 0);
	collect(shop);
	assert_int_equal(shop->readings, 9);
	/* A module that is offered and not requested takes no part. */
	assert_int_equal(shop->changes, 0);
	assert_int_equal(engine_modules(shop->engine, &modules), 3);
}

static void a_group_of_nobody_is_an_error(void **state)
{
	static const char *const nobody[] = { "NOBODY", NULL };
	static const struct module_class group = {
		.name = "GROUP",
		.summary = "names nobody",
		.capabilities = MODULE_GROUPER,
		.members = nobody,
	};
	struct shop *shop = *state;

	add(shop, &group);
	assert_int_equal(engine_start(shop->engine, &shop->err), -1);
	assert_string_equal(error_text(&shop->err),
			    "group GROUP names module NOBODY, which does not exist");
}

/* A module that always fails. */
static enum module_status give_up(struct module *module UNUSED, enum sync_point point UNUSED,
				  struct snapshot *snapshot UNUSED, struct error *err)
{
	error_set(err, "the gauges are gone");
	return MODULE_ERROR;
}

static void hear_of_loss(struct module *module, const struct module *other)
{
	struct shop *shop = module->context;

	snprintf(shop->lost, sizeof(shop->lost), "%s", other->class->name);
}

static void dependents_hear_of_a_loss(void **state)
{
	static const struct module_class weak = { .name = "WEAK",
						  .summary = "fails",
						  .capabilities = MODULE_PRODUCER,
						  .sync_points = 1U << SYNC_SNAPSHOT,
						  .call = give_up };
	static const char *const after_weak[] = { "WEAK", NULL };
	static const struct module_class dependent = {
		.name = "DEPENDENT",
		.summary = "needs it",
		.capabilities = MODULE_FILTER,
		.after = after_weak,
		.lost = hear_of_loss,
	};
	struct shop *shop = *state;

	add(shop, &weak);
	add(shop, &dependent);
	collect(shop);
	assert_string_equal(shop->lost, "WEAK");
}

static void an_extraction_has_no_producers_and_no_timer(void **state)
{
	struct shop *shop = *state;
	const struct module *const *modules;

	add(shop, &producer);
	add(shop, &deriver);
	add(shop, &interval_timer_class);
	assert_int_equal(engine_extract(shop->engine, &shop->err), 0);
	assert_int_equal(engine_modules(shop->engine, &modules), 0);
	assert_int_equal(shop->rounds, 0);
}

static void two_timers_are_one_too_many(void **state)
{
	static struct module_class second;
	struct shop *shop = *state;
	struct interval_timer timers[2] = { { .longest = 1 }, { .longest = 1 } };

	second = interval_timer_class;
	second.name = "SECOND";
	assert_non_null(engine_add(shop->engine, &interval_timer_class, &timers[0], &shop->err));
	assert_non_null(engine_add(shop->engine, &second, &timers[1], &shop->err));
	assert_int_equal(engine_start(shop->engine, &shop->err), -1);
	assert_string_equal(error_text(&shop->err),
			    "modules TIMER and SECOND are both timers, but only one is allowed");
}

static void the_timer_clocks_a_collection(void **state)
{
	struct shop *shop = *state;
	struct interval_timer timer = { .shortest = 20 * NSEC_PER_MSEC,
					.longest = 20 * NSEC_PER_MSEC,
					.limit = 4 };
	uint64_t start = clock_monotonic_ns(), took;

	add(shop, &producer);
	add(shop, &consumer);
	assert_non_null(engine_add(shop->engine, &interval_timer_class, &timer, &shop->err));
	assert_int_equal(engine_collect(shop->engine, &shop->err), 0);
	took = clock_monotonic_ns() - start;
	assert_int_equal(timer.taken, 4);
	assert_int_equal(shop->readings, 12);
	assert_int_equal(shop->lasts, 1);
	assert_true(took >= 60 * NSEC_PER_MSEC);
}

static void a_module_may_halt_a_collection(void **state)
{
	struct shop *shop = *state;
	struct interval_timer timer = { .longest = NSEC_PER_MSEC };

	shop->halt_at = 3;
	add(shop, &producer);
	add(shop, &consumer);
	assert_non_null(engine_add(shop->engine, &interval_timer_class, &timer, &shop->err));
	assert_int_equal(engine_collect(shop->engine, &shop->err), 0);
	assert_int_equal(shop->rounds, 4);
	assert_int_equal(shop->lasts, 1);
}

static void the_interval_follows_the_age(void **state UNUSED)
{
	struct interval_timer timer = { .shortest = 50, .longest = 1000, .wanted = 100 };

	assert_int_equal(interval_timer_due(&timer, 0, 0, 0), 50);
	assert_int_equal(interval_timer_due(&timer, 19000, 20000, 0), 19200);
	assert_int_equal(interval_timer_due(&timer, 900000, 900001, 0), 901000);
	timer.wanted = 0;
	assert_int_equal(interval_timer_due(&timer, 7, 8, 0), 1007);
	timer.aligned = true;
	/* The time of day is 123 later; its next whole thousand is 10000. */
	assert_int_equal(interval_timer_due(&timer, 9000, 9000, 123), 9877);
	assert_int_equal(interval_timer_due(&timer, 9877, 9877, 123), 10877);
}

static void clocks_that_part_either_way_are_noticed(void **state UNUSED)
{
	const uint64_t before = 1700000000 * NSEC_PER_SEC;

	assert_false(clock_offset_moved(before, before));
	assert_false(clock_offset_moved(before + NSEC_PER_MSEC, before));
	assert_false(clock_offset_moved(before - NSEC_PER_MSEC, before));
	assert_true(clock_offset_moved(before + NSEC_PER_MSEC + 1, before));
	assert_true(clock_offset_moved(before - NSEC_PER_MSEC - 1, before));
	assert_true(clock_offset_moved(0, before));
}

/* Takes longer than the interval. */
static enum module_status dawdle(struct module *module UNUSED, enum sync_point point UNUSED,
				 struct snapshot *snapshot UNUSED, struct error *err UNUSED)
{
	usleep(35000);
	return MODULE_OK;
}

static void intervals_that_are_left_out_are_counted(void **state)
{
	static const struct module_class slow = { .name = "SLOW",
						  .summary = "takes long",
						  .capabilities = MODULE_PRODUCER,
						  .sync_points = 1U << SYNC_SNAPSHOT,
						  .call = dawdle };
	struct shop *shop = *state;
	struct interval_timer timer = { .longest = 10 * NSEC_PER_MSEC, .limit = 3 };

	add(shop, &slow);
	assert_non_null(engine_add(shop->engine, &interval_timer_class, &timer, &shop->err));
	assert_int_equal(engine_collect(shop->engine, &shop->err), 0);
	assert_int_equal(timer.taken, 3);
	assert_true(timer.overruns >= 2);
}

/*
 * Whole intervals after the one that was due are skipped; the last snapshot is
 * taken at any time.
 */
static void a_late_snapshot_leaves_out_whole_intervals(void **state UNUSED)
{
	struct interval_timer timer = { .shortest = 100, .longest = 100 };
	struct module module = { .class = &interval_timer_class, .context = &timer };
	struct snapshot snapshot = { .time = 1450 };

	/* Nothing was due yet. */
	interval_timer_class.call(&module, SYNC_SNAPSHOT, &snapshot, NULL);
	assert_int_equal(timer.overruns, 0);
	timer.due = 1150;
	interval_timer_class.call(&module, SYNC_SNAPSHOT, &snapshot, NULL);
	assert_int_equal(timer.overruns, 3);
	snapshot.time = 1249;
	interval_timer_class.call(&module, SYNC_SNAPSHOT, &snapshot, NULL);
	snapshot.time = 1000; /* a snapshot was requested early */
	interval_timer_class.call(&module, SYNC_SNAPSHOT, &snapshot, NULL);
	assert_int_equal(timer.overruns, 3);
	snapshot = (struct snapshot){ .time = 1450, .last = true };
	interval_timer_class.call(&module, SYNC_SNAPSHOT, &snapshot, NULL);
	assert_int_equal(timer.overruns, 3);
	assert_int_equal(timer.taken, 5);
}

/* The first snapshot is due at the first multiple of the interval from the start time on. */
static void nothing_is_due_before_the_time_to_begin(void **state UNUSED)
{
	struct interval_timer timer = { .shortest = 10 * NSEC_PER_SEC,
					.longest = 10 * NSEC_PER_SEC,
					.aligned = true };
	struct module module = { .class = &interval_timer_class, .context = &timer };
	uint64_t now = clock_monotonic_ns(), offset = clock_wall_ns() - now, hour, due;

	hour = (now + offset) / timer.longest * timer.longest + 3600 * NSEC_PER_SEC;
	timer.from = hour;
	due = interval_timer_class.due(&module, now, now) + offset;
	assert_true(due + NSEC_PER_SEC > hour && due < hour + NSEC_PER_SEC);
	timer.from = hour + NSEC_PER_SEC;
	due = interval_timer_class.due(&module, now, now) + offset;
	assert_true(due + NSEC_PER_SEC > hour + timer.longest &&
		    due < hour + timer.longest + NSEC_PER_SEC);
}

/* Keeps the clock record of the last snapshot. */
static enum module_status look_at_clock(struct module *module, enum sync_point point UNUSED,
					struct snapshot *snapshot, struct error *err UNUSED)
{
	uint64_t *seen = module->context;

	seen[0] = snapshot->time;
	seen[1] = snapshot->wall;
	seen[2] += snapshot_records(snapshot, RECORD_CLOCK)->count;
	return MODULE_OK;
}

static void snapshots_know_the_time_of_day(void **state)
{
	static const struct module_class class = { .name = "WATCH",
						   .summary = "looks at the clock",
						   .capabilities = MODULE_MONITOR,
						   .sync_points = 1U << SYNC_SNAPSHOT_END,
						   .call = look_at_clock };
	struct shop *shop = *state;
	uint64_t seen[3] = { 0, 0, 0 };
	uint64_t offset = clock_wall_ns() - clock_monotonic_ns();

	assert_non_null(engine_add(shop->engine, &class, seen, &shop->err));
	collect(shop);
	assert_true(seen[1] - seen[0] - offset + NSEC_PER_SEC < 2 * NSEC_PER_SEC);
	/* Recorded once, and again only if a clock was set. */
	assert_in_range(seen[2], 1, 3);
}

#define SHOP_TEST(name) cmocka_unit_test_setup_teardown(name, open_shop, close_shop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SHOP_TEST(types_are_registered_when_modules_bring_them),
		SHOP_TEST(what_is_derived_reaches_consumers),
		SHOP_TEST(a_filter_drops_and_changes_records),
		SHOP_TEST(a_grouper_stands_for_its_members),
		SHOP_TEST(a_group_of_nobody_is_an_error),
		SHOP_TEST(dependents_hear_of_a_loss),
		SHOP_TEST(an_extraction_has_no_producers_and_no_timer),
		SHOP_TEST(two_timers_are_one_too_many),
		SHOP_TEST(the_timer_clocks_a_collection),
		SHOP_TEST(a_module_may_halt_a_collection),
		cmocka_unit_test(the_interval_follows_the_age),
		SHOP_TEST(intervals_that_are_left_out_are_counted),
		cmocka_unit_test(clocks_that_part_either_way_are_noticed),
		cmocka_unit_test(a_late_snapshot_leaves_out_whole_intervals),
		cmocka_unit_test(nothing_is_due_before_the_time_to_begin),
		SHOP_TEST(snapshots_know_the_time_of_day),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
