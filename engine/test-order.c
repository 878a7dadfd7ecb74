/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of the order across groups, of timed extractions and of reserved snapshots. */
#include "common/compat.h"
#include "engine/engine.h"
#include "records/record-types.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

struct bench {
	struct engine *engine;
	struct error err;
	struct strbuf log; /* names of the modules called */
	unsigned extracted;
	unsigned dues;
	const struct module *lost;
};

static int open_bench(void **state)
{
	struct bench *bench = calloc(1, sizeof(*bench));

	assert_non_null(bench);
	bench->engine = engine_new(&session_records);
	error_init(&bench->err);
	strbuf_init(&bench->log);
	*state = bench;
	return 0;
}

static int close_bench(void **state)
{
	struct bench *bench = *state;

	engine_free(bench->engine);
	error_release(&bench->err);
	strbuf_release(&bench->log);
	free(bench);
	return 0;
}

static enum module_status log_call(struct module *module, enum sync_point point UNUSED,
				   struct snapshot *snapshot, struct error *err UNUSED)
{
	struct bench *bench = module->context;

	strbuf_addf(&bench->log, "%s ", module->class->name);
	snapshot_attribute(snapshot, module->engine, "by", "%s", module->class->name);
	return MODULE_OK;
}

static void note_loss(struct module *module, const struct module *other)
{
	((struct bench *)module->context)->lost = other;
}

static struct module *add(struct bench *bench, const struct module_class *class)
{
	struct module *module = engine_add(bench->engine, class, bench, &bench->err);

	assert_non_null(module);
	return module;
}

#define CALLED(title, can, point) \
	.name = title, .capabilities = can, .sync_points = 1U << (point), .call = log_call

static const struct module_class source = { CALLED("SOURCE", MODULE_PRODUCER, SYNC_SNAPSHOT) };
static const struct module_class sieve = { CALLED("SIEVE", MODULE_FILTER, SYNC_SNAPSHOT) };
/* Its records are derived from what the filter kept. */
static const struct module_class derived = { CALLED("DERIVED", MODULE_PRODUCER, SYNC_SNAPSHOT_END),
					     .after = (const char *const[]){ "SIEVE", NULL },
					     .lost = note_loss };

static void a_producer_may_come_after_an_earlier_filter(void **state)
{
	struct bench *bench = *state;

	add(bench, &derived);
	add(bench, &sieve);
	add(bench, &source);
	assert_int_equal(engine_start(bench->engine, &bench->err), 0);
	assert_int_equal(engine_snapshot(bench->engine, &bench->err), 0);
	assert_string_equal(bench->log.text, "SOURCE SIEVE DERIVED ");
}

static void nobody_comes_after_a_later_point(void **state)
{
	static const char *const after_derived[] = { "DERIVED", NULL };
	static const struct module_class hasty = { CALLED("HASTY", MODULE_CONSUMER, SYNC_SNAPSHOT),
						   .after = after_derived };
	struct bench *bench = *state;
	struct module *module;

	add(bench, &derived);
	add(bench, &sieve);
	module = add(bench, &hasty);
	assert_int_equal(engine_prepare(bench->engine, OPERATION_COLLECTION, &bench->err), -1);
	assert_string_equal(error_text(&bench->err),
			    "module HASTY depends on module DERIVED, which is of a type that is "
			    "called later");
	assert_ptr_equal(engine_culprit(bench->engine), module);
}

static void a_module_is_switched_off_from_outside(void **state)
{
	struct bench *bench = *state;
	struct module *module;

	add(bench, &derived);
	module = add(bench, &sieve);
	assert_int_equal(engine_start(bench->engine, &bench->err), 0);
	engine_disable(module, "it is worn");
	engine_disable(module, "it is worn twice");
	assert_string_equal(module->reason, "it is worn");
	assert_ptr_equal(bench->lost, module);
	assert_int_equal(engine_snapshot(bench->engine, &bench->err), 0);
	assert_string_equal(bench->log.text, "DERIVED ");
	assert_int_equal(snapshot_records(engine_current(bench->engine), RECORD_NOTE)->count, 1);
}

/* Returns the number of records that have their producer's name. */
static size_t makers(const struct snapshot *snapshot)
{
	return snapshot_records(snapshot, RECORD_ATTRIBUTE)->count;
}

static void reserved_snapshots_stay_as_they_are(void **state)
{
	struct bench *bench = *state;
	const struct snapshot *first;

	add(bench, &source);
	assert_int_equal(engine_start(bench->engine, &bench->err), 0);
	assert_null(engine_current(bench->engine));
	assert_int_equal(engine_snapshot(bench->engine, &bench->err), 0);
	first = engine_current(bench->engine);
	engine_reserve(first);
	engine_reserve(first);
	for (uint64_t sequence = 2; sequence <= 4; sequence++) {
		assert_int_equal(engine_snapshot(bench->engine, &bench->err), 0);
		assert_int_equal(engine_current(bench->engine)->sequence, sequence);
		assert_int_equal(engine_previous(bench->engine)->sequence, sequence - 1);
		assert_int_equal(first->sequence, 1);
		assert_int_equal(makers(first), 1);
	}
	assert_true(engine_release(first));
	assert_true(engine_release(first));
	assert_false(engine_release(first));
	/* It is no longer reserved, so it is reused. */
	assert_int_equal(engine_snapshot(bench->engine, &bench->err), 0);
	assert_ptr_equal(engine_current(bench->engine), first);
	assert_int_equal(first->sequence, 5);
	assert_int_equal(makers(first), 1);
}

static enum module_status extract(struct module *module, enum sync_point point UNUSED,
				  struct snapshot *snapshot, struct error *err UNUSED)
{
	struct bench *bench = module->context;

	snapshot->time = ++bench->extracted;
	return bench->extracted > 3 ? MODULE_END_OF_DATA : MODULE_OK;
}

static uint64_t due_at_once(struct module *module, uint64_t last UNUSED, uint64_t now)
{
	((struct bench *)module->context)->dues++;
	return now;
}

static uint64_t due_once(struct module *module, uint64_t last UNUSED, uint64_t now)
{
	return ((struct bench *)module->context)->dues++ ? TIMER_NEVER : now;
}

static const struct module_class tape = { .name = "TAPE",
					  .capabilities = MODULE_EXTRACTOR,
					  .sync_points = 1U << SYNC_SNAPSHOT,
					  .call = extract };

static void a_timer_may_time_an_extraction(void **state)
{
	static const struct module_class pace = { .name = "PACE",
						  .capabilities = MODULE_TIMER,
						  .due = due_at_once,
						  .times_extractions = true };
	struct bench *bench = *state;

	add(bench, &tape);
	add(bench, &pace);
	assert_int_equal(engine_extract(bench->engine, &bench->err), 0);
	assert_int_equal(bench->extracted, 4);
	assert_int_equal(bench->dues, 4);
}

static void a_timer_may_end_an_extraction(void **state)
{
	static const struct module_class once = { .name = "ONCE",
						  .capabilities = MODULE_TIMER,
						  .due = due_once,
						  .times_extractions = true };
	struct bench *bench = *state;

	add(bench, &tape);
	add(bench, &once);
	assert_int_equal(engine_extract(bench->engine, &bench->err), 0);
	assert_int_equal(bench->extracted, 1);
	assert_true(engine_is_halted(bench->engine));
}

#define BENCH_TEST(name) cmocka_unit_test_setup_teardown(name, open_bench, close_bench)

int main(void)
{
	const struct CMUnitTest tests[] = {
		BENCH_TEST(a_producer_may_come_after_an_earlier_filter),
		BENCH_TEST(nobody_comes_after_a_later_point),
		BENCH_TEST(a_module_is_switched_off_from_outside),
		BENCH_TEST(reserved_snapshots_stay_as_they_are),
		BENCH_TEST(a_timer_may_time_an_extraction),
		BENCH_TEST(a_timer_may_end_an_extraction),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
