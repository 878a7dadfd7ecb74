/* SPDX-License-Identifier: Apache-2.0 */
/* Tests comparisons on synthetic runs with known truth, drawn at random from fixed seeds. */
#include "common/compat.h"
#include "profile/comparison.h"
#include "common/clock.h"
#include "common/probability.h"
#include "common/xalloc.h"
#include "profile/comparison-stacks.h"
#include "profile/fixture.h"
#include "records/record-types.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define PROCEDURES 10
#define SAMPLES 10000

/* Parameters of a synthetic run. */
struct world {
	uint64_t state;		      /* of the random number generator */
	double shares[PROCEDURES];    /* work of the procedures, mean number of samples */
	double speed;		      /* of the machine: factor of the CPU time */
	double run_scatter, scatter;  /* of the run, and of each procedure */
	uint64_t period;
	uint64_t line;		      /* of the first statement */
	const char *build, *program;
	bool texts;		      /* statements have texts */
	double sleep;		      /* total ms that STEP-4 sleeps; 0: none */
	double length_scatter;	      /* of sleep, as a fraction */
	double doubt;		      /* ms: uncertainty of sleep that the session records */
	uint64_t transactions;	      /* 0: none */
	uint64_t told, told_exact;    /* transactions counted by the program itself */
	uint64_t look; /* samples that a look stands for, which placed those from STEP-3 on; 0: none did */
	uint64_t reads, sampled_out;  /* READ statements, 0: no events; how many of them were
				       * left out */
};

static double uniform(struct world *world)
{
	uint64_t value = world->state += UINT64_C(0x9e3779b97f4a7c15);

	value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
	return ((double)((value ^ value >> 31) >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(struct world *world)
{
	return sqrt(-2 * log(uniform(world))) * cos(6.283185307179586 * uniform(world));
}

/* Draws a Poisson number. */
static uint64_t poisson(struct world *world, double mean)
{
	uint64_t count = 0;
	double left = mean;

	if (mean > 200)
		return (uint64_t)fmax(0, mean + sqrt(mean) * normal(world) + 0.5);
	while ((left += log(uniform(world))) > 0)
		count++;
	return count;
}

static struct world world_of(uint64_t seed)
{
	struct world world = { .state = seed * 7919 + 1,
			       .shares = { 0.30, 0.22, 0.14, 0.10, 0.08, 0.06, 0.04, 0.03, 0.02,
					   0.01 },
			       .speed = 1,
			       .run_scatter = 0.02,
			       .scatter = 0.005,
			       .period = 100000,
			       .line = 100,
			       .build = "b1",
			       .program = "PAYCALC",
			       .texts = true };

	for (int i = 0; i < PROCEDURES; i++)
		world.shares[i] *= SAMPLES;
	return world;
}

static void add_sleep(struct fixture *fixture, uint64_t stack, double ms, double doubt)
{
	struct record_wait wait = { .time = fixture->time,
				    .task = 1,
				    .stack = stack,
				    .reason = WAIT_SLEEP,
				    .count = 100,
				    .total = (uint64_t)(ms * 1e6),
				    .charged = (uint64_t)(ms * 1e6),
				    .variance = (uint64_t)(doubt * doubt * 1e6) };

	fixture_add(fixture, RECORD_WAIT, &wait);
}

/*
 * Adds samples at stacks with these means: their sum is known, and looks choose the place
 * of each world->look of them.
 */
static void add_placed(struct fixture *fixture, struct world *world, const uint64_t *stacks, const double *means,
		       size_t count)
{
	struct record_sample sample = { .time = fixture->time, .task = 1, .kind = SAMPLE_KERNEL_ESTIMATED };
	double all = 0, unit = (double)world->period / 1000;
	uint64_t placed;

	for (size_t i = 0; i < count; i++)
		all += means[i];
	placed = poisson(world, all);
	for (uint64_t i = 0; i < placed; i++) {
		if (i % world->look == 0) {
			double at = uniform(world) * all;
			size_t place = 0;

			while (place + 1 < count && at >= means[place])
				at -= means[place++];
			sample.stack = stacks[place];
		}
		fixture_add(fixture, RECORD_SAMPLE, &sample);
	}
	fixture->taken += placed;
	fixture_number(fixture, ATTR_KERNEL_SQUARES, (uint64_t)((double)(placed * (world->look - 1)) * unit * unit));
}

/* Adds samples of each procedure, on two of its statements. */
static void add_samples(struct fixture *fixture, struct world *world, uint64_t object)
{
	double run = world->speed * exp(world->run_scatter * normal(world)), means[2 * PROCEDURES];
	uint64_t stacks[2 * PROCEDURES];
	size_t placed = 0;

	for (unsigned i = 0; i < PROCEDURES; i++) {
		double mean = world->shares[i] * run * exp(world->scatter * normal(world)) *
			      100000 / (double)world->period;
		char name[32], text[32];

		snprintf(name, sizeof(name), "STEP-%u", i);
		for (unsigned j = 0; j < 2; j++) {
			uint64_t frame, stack;

			snprintf(text, sizeof(text), "    COMPUTE A%u = %u", i, j);
			frame = fixture_frame(fixture, object, 0x1000 + i * 64 + j * 4,
					      "paycalc.cob", name, world->line + 10 * i + j,
					      world->texts ? text : "");
			stack = fixture_stack(fixture, 0, frame);
			if (world->look && i >= 3) {
				stacks[placed] = stack;
				means[placed++] = mean / 2;
			} else {
				fixture_samples(fixture, poisson(world, mean / 2), stack, 1, 0,
						world->transactions ? 1 : 0);
			}
			if (i == 4 && !j && world->sleep > 0)
				add_sleep(fixture, stack,
					  world->sleep * (1 + world->length_scatter * normal(world)),
					  world->doubt);
		}
	}
	if (placed)
		add_placed(fixture, world, stacks, means, placed);
}

/* Adds READs, and half as many starts of LEDGER, as sums. */
static void add_events(struct fixture *fixture, const struct world *world)
{
	for (uint64_t id = 1; id <= 2; id++) {
		struct record_event_site site = { .site = id, .type = id == 1 ? EVENT_NS : EVENT_PS };
		struct record_event_sum sum = { .site = id, .hits = world->reads / id };

		site.program = fixture_string(fixture, id == 1 ? "PAYCALC" : "LEDGER");
		site.statement = fixture_string(fixture, id == 1 ? "READ" : "");
		fixture_add(fixture, RECORD_EVENT_SITE, &site);
		fixture_add(fixture, RECORD_EVENT_SUM, &sum);
	}
	fixture_number(fixture, ATTR_EVENTS_SAMPLED_OUT, world->sampled_out);
}

/* Makes a run. */
static struct profile *run_of(struct world *world)
{
	struct record_object object = { .object = 1, .kind = OBJECT_FILE };
	struct record_step step = { .interval = NSEC_PER_SEC, .exec = NSEC_PER_SEC };
	struct fixture fixture;

	fixture_init(&fixture);
	fixture_attribute(&fixture, ATTR_PROGRAM, world->program);
	fixture_attribute(&fixture, ATTR_COMPLETE, "1");
	fixture_number(&fixture, ATTR_PERIOD, world->period);
	object.path = fixture_string(&fixture, "/opt/pay/PAYCALC");
	object.build_id = fixture_string(&fixture, world->build);
	object.object = fixture_object(&fixture, OBJECT_FILE, "/opt/pay/PAYCALC", "");
	fixture_add(&fixture, RECORD_OBJECT, &object);
	if (world->transactions) {
		struct record_transaction transaction = { .transaction = 1,
							   .count = world->transactions,
							   .seen = world->told,
							   .told = world->told,
							   .told_exact = world->told_exact };

		transaction.name = fixture_string(&fixture, "PAYSLIP");
		fixture_add(&fixture, RECORD_TRANSACTION, &transaction);
	}
	if (world->reads)
		add_events(&fixture, world);
	add_samples(&fixture, world, object.object);
	step.time = fixture.time;
	fixture_add(&fixture, RECORD_STEP, &step);
	fixture_end_snapshot(&fixture);
	return fixture_end(&fixture);
}

/* Compares runs of two worlds, this many on each side; work as in comparison_request. */
static struct comparison *compare_per(struct world *base, struct world *other, size_t runs,
				      const char *work)
{
	struct profile *sides[COMPARISON_SIDES][8];
	struct comparison_request request = { .run_counts = { runs, runs }, .work = work };
	struct error err = ERROR_INIT;
	struct comparison *comparison;

	for (size_t i = 0; i < runs; i++) {
		sides[COMPARISON_BASE][i] = run_of(base);
		sides[COMPARISON_OTHER][i] = run_of(other);
	}
	for (int side = 0; side < COMPARISON_SIDES; side++)
		request.runs[side] = (const struct profile *const *)sides[side];
	comparison = comparison_new(&request, &err);
	assert_string_equal(error_text(&err), "");
	for (size_t i = 0; i < runs; i++)
		for (int side = 0; side < COMPARISON_SIDES; side++)
			profile_free(sides[side][i]);
	return comparison;
}

static struct comparison *compare(struct world *base, struct world *other, size_t runs)
{
	return compare_per(base, other, runs, NULL);
}

/* Returns a row of a kind by name; fails if there is none. */
static const struct comparison_row *row_named(const struct comparison *comparison,
					      enum comparison_kind kind, enum comparison_name name,
					      const char *text)
{
	for (size_t i = comparison->from[kind]; i < comparison->from[kind + 1]; i++)
		if (strcmp(comparison_text(comparison, &comparison->rows[i], name), text) == 0)
			return &comparison->rows[i];
	fail_msg("there is no row %s", text);
	return NULL;
}

/* Compares pairs of equal runs and counts rows, claims, and pairs with a claim. */
static void count_claims(size_t pairs, size_t runs, double scatter, uint64_t look, size_t *rows, size_t *claims,
			 size_t *with)
{
	*rows = *claims = *with = 0;
	for (size_t i = 0; i < pairs; i++) {
		struct world world = world_of(i + 1000 * runs);
		struct comparison *comparison;

		world.run_scatter *= scatter;
		world.scatter *= scatter;
		world.look = look;
		comparison = compare(&world, &world, runs);
		*rows += comparison->tested;
		*claims += comparison->claims;
		*with += comparison->claims != 0;
		comparison_free(comparison);
	}
}

static void equal_runs_claim_nothing(void **state UNUSED)
{
	size_t rows, claims, with;

	count_claims(400, 1, 1, 0, &rows, &claims, &with);
	assert_true(rows > 400 * 2 * PROCEDURES);
	assert_true(claims * 20 <= rows);
	/* The rule applies to the whole comparison, not only to each row. */
	assert_true(with * 20 <= 400);
}

static void equal_runs_of_several_a_side_claim_nothing(void **state UNUSED)
{
	size_t rows, claims, with;

	/* Five times the scatter allowed with one run per side: margins come from the runs. */
	count_claims(150, 3, 5, 0, &rows, &claims, &with);
	assert_true(claims * 20 <= rows);
	assert_true(with * 10 <= 150);
	count_claims(150, 2, 1, 0, &rows, &claims, &with);
	assert_true(claims * 20 <= rows);
	assert_true(with * 10 <= 150);
}

/* What looks placed scatters by itself, whether there are many of them or few. */
static void equal_runs_of_which_looks_placed_a_part_claim_nothing(void **state UNUSED)
{
	static const uint64_t looks[] = { 3, 20, 100 };
	size_t rows, claims, with;

	for (size_t i = 0; i < ARRAY_SIZE(looks); i++) {
		count_claims(1000, 1, 1, looks[i], &rows, &claims, &with);
		print_message("# a look of %u samples: %zu of %zu rows, %zu of 1000 pairs\n", (unsigned)looks[i], claims, rows, with);
		assert_true(claims * 20 <= rows);
		assert_true(with * 20 <= 1000);
	}
	count_claims(100, 3, 1, 20, &rows, &claims, &with);
	assert_true(claims * 20 <= rows);
	assert_true(with * 10 <= 100);
}

/* Returns how many of these pairs name the slower procedure first. look: as in struct world. */
static size_t named_first(size_t pairs, size_t runs, double samples, unsigned slower, uint64_t look)
{
	char name[32];
	size_t first = 0;

	snprintf(name, sizeof(name), "STEP-%u", slower);
	for (size_t i = 0; i < pairs; i++) {
		struct world base = world_of(i + 1), other = world_of(i + 500000);
		struct comparison *comparison;

		for (int j = 0; j < PROCEDURES; j++)
			other.shares[j] = base.shares[j] *= samples / SAMPLES;
		other.shares[slower] *= 1.1;
		base.look = other.look = look;
		comparison = compare(&base, &other, runs);
		first += strcmp(comparison_text(comparison, &comparison->rows[0], COMPARISON_NAME),
				name) == 0;
		comparison_free(comparison);
	}
	return first;
}

static void a_slower_procedure_is_named_first(void **state UNUSED)
{
	size_t first;

	assert_true(named_first(200, 1, 20000, 0, 0) >= 190);
	assert_true(named_first(200, 1, 40000, 1, 0) >= 190);
	/* Several runs show what one run does not. */
	assert_true(named_first(100, 1, 3000, 0, 0) < 95);
	assert_true(named_first(100, 6, 3000, 0, 0) >= 95);
	/* What looks placed elsewhere takes nothing away. */
	first = named_first(200, 1, 20000, 0, 20);
	print_message("# beside looks of 20 samples %zu of 200\n", first);
	assert_true(first >= 190);
}

/* Returns whether the first of all rows, claimed or not, belongs to a procedure. */
static bool is_most_certain(const struct comparison *comparison, const char *name)
{
	return comparison->surest != SIZE_MAX &&
	       strcmp(comparison_text(comparison, &comparison->rows[comparison->surest],
				      COMPARISON_NAME),
		      name) == 0;
}

/* Machines make whole runs faster or slower: that must claim nothing, and hide nothing. */
static void a_machine_that_changes_is_no_difference(void **state UNUSED)
{
	size_t rows = 0, claims = 0, with = 0, first = 0;

	for (size_t i = 0; i < 200; i++) {
		struct world base = world_of(i + 1), other = world_of(i + 500000);
		struct comparison *comparison;

		other.speed = i % 2 ? 1.36 : 1 / 1.36;
		comparison = compare(&base, &other, 1);
		rows += comparison->tested;
		claims += comparison->claims;
		with += comparison->claims != 0;
		comparison_free(comparison);
		for (int j = 0; j < PROCEDURES; j++)
			other.shares[j] = base.shares[j] *= 2;
		other.shares[0] *= 1.1;
		comparison = compare(&base, &other, 1);
		first += is_most_certain(comparison, "STEP-0");
		comparison_free(comparison);
	}
	assert_true(claims * 20 <= rows);
	assert_true(with * 20 <= 1000);
	assert_true(first >= 190);
}

/* The difference reported as visible is seen in 95 of 100 pairs, half of it rarely. */
static void what_is_said_to_be_seen_is_seen(void **state UNUSED)
{
	struct world base = world_of(77), other = world_of(78);
	struct comparison *comparison = compare(&base, &other, 1);
	double least = comparison->rows[comparison->largest].least;
	size_t seen = 0, half = 0;

	assert_true(least > 10 && least < 25);
	comparison_free(comparison);
	for (size_t i = 0; i < 200; i++) {
		base = world_of(i + 1);
		other = world_of(i + 500000);
		other.shares[0] *= 1 + (i % 2 ? least : least / 2) / 100;
		comparison = compare(&base, &other, 1);
		*(i % 2 ? &seen : &half) += row_named(comparison, COMPARISON_PROCEDURE,
						      COMPARISON_NAME, "STEP-0")
						    ->verdict == COMPARISON_SLOWER;
		comparison_free(comparison);
	}
	assert_true(seen >= 90);
	assert_true(half <= 50);
}

/* With few samples little can be seen; the report says so, and how many more show 10 %. */
static void few_samples_are_told_with_what_they_lack(void **state UNUSED)
{
	size_t claimed = 0, told = 0, few = 0;

	for (size_t i = 0; i < 100; i++) {
		struct world base = world_of(i + 1), other = world_of(i + 500000);
		struct comparison *comparison;
		double more;

		for (int j = 0; j < PROCEDURES; j++)
			other.shares[j] = base.shares[j] *= 0.3;
		comparison = compare(&base, &other, 1);
		assert_true(comparison->rows[comparison->largest].least > 20);
		more = comparison->sample_factor;
		comparison_free(comparison);
		other.shares[0] *= 1.1;
		comparison = compare(&base, &other, 1);
		few += row_named(comparison, COMPARISON_PROCEDURE, COMPARISON_NAME, "STEP-0")
			       ->verdict == COMPARISON_SLOWER;
		comparison_free(comparison);
		/*
		 * If few rows show more scatter by chance, no number of samples is reported as
		 * enough.
		 */
		if (!(more > 4 && more < 40))
			continue;
		told++;
		for (int j = 0; j < PROCEDURES; j++)
			other.shares[j] = base.shares[j] *= more;
		other.shares[0] *= 1.1;
		comparison = compare(&base, &other, 1);
		claimed += row_named(comparison, COMPARISON_PROCEDURE, COMPARISON_NAME, "STEP-0")
				   ->verdict == COMPARISON_SLOWER;
		comparison_free(comparison);
	}
	assert_true(told >= 90);
	assert_true(claimed * 5 >= told * 4);
	assert_true(few * 5 <= told);
}

/* The place of a wait may be uncertain in each run: several runs show how much it varies. */
static void a_longer_sleep_is_found_by_what_several_runs_show(void **state UNUSED)
{
	size_t claimed = 0, wrong = 0;

	for (size_t i = 0; i < 200; i++) {
		struct world base = world_of(i + 1), other = world_of(i + 500000);
		struct comparison *comparison;

		base.sleep = other.sleep = 300;
		base.doubt = other.doubt = 60;
		base.length_scatter = other.length_scatter = 0.02;
		other.sleep *= i % 2 ? 1.1 : 1;
		comparison = compare(&base, &other, 6);
		*(i % 2 ? &claimed : &wrong) +=
			row_named(comparison, COMPARISON_WAIT_PLACE, COMPARISON_NAME, "STEP-4")
				->verdict == COMPARISON_SLOWER;
		comparison_free(comparison);
	}
	assert_true(claimed >= 80);
	assert_true(wrong <= 2);
}

/*
 * The procedure that makes up most of the run is found, and the others are not
 * reported relative to it.
 */
static void the_largest_procedure_is_no_measure_of_the_others(void **state UNUSED)
{
	size_t first = 0;

	for (size_t i = 0; i < 100; i++) {
		struct world base = world_of(i + 1), other = world_of(i + 500000);
		struct comparison *comparison;

		base.shares[0] = other.shares[0] = 15000;
		other.shares[0] *= 1.15;
		comparison = compare(&base, &other, 1);
		first += strcmp(comparison_text(comparison, &comparison->rows[0], COMPARISON_NAME),
				"STEP-0") == 0;
		comparison_free(comparison);
	}
	assert_true(first >= 95);
}

/*
 * If all are slower by the same factor, it is reported as the factor of the run,
 * not of a procedure.
 */
static void a_slower_machine_is_no_difference(void **state UNUSED)
{
	struct world base = world_of(1), other = world_of(2);
	struct comparison *comparison;

	other.run_scatter = 0;
	base.run_scatter = 0;
	for (int i = 0; i < PROCEDURES; i++)
		other.shares[i] *= 1.04;
	comparison = compare(&base, &other, 1);
	assert_int_equal(comparison->claims, 0);
	assert_true(fabs(comparison->factor - 1.04) < 0.03);
	comparison_free(comparison);
}

/* But if all are slower by far more than machines cause, all claim it. */
static void a_much_slower_run_is_a_difference(void **state UNUSED)
{
	struct world base = world_of(1), other = world_of(2);
	struct comparison *comparison;

	for (int i = 0; i < PROCEDURES; i++)
		other.shares[i] *= 1.6;
	comparison = compare(&base, &other, 1);
	assert_int_equal(row_named(comparison, COMPARISON_PROCEDURE, COMPARISON_NAME, "STEP-0")
				 ->verdict,
			 COMPARISON_SLOWER);
	assert_int_equal(comparison->rows[comparison->from[COMPARISON_TOTAL]].verdict,
			 COMPARISON_SLOWER);
	comparison_free(comparison);
}

static void the_same_run_twice_has_no_difference(void **state UNUSED)
{
	struct world world = world_of(5);
	struct profile *profile = run_of(&world);
	const struct profile *runs[] = { profile };
	struct comparison_request request = { .runs = { runs, runs }, .run_counts = { 1, 1 } };
	struct error err = ERROR_INIT;
	struct comparison *comparison = comparison_new(&request, &err);

	assert_non_null(comparison);
	assert_int_equal(comparison->claims, 0);
	for (size_t i = 0; i < comparison->count; i++) {
		assert_true(comparison->rows[i].difference == 0);
		assert_int_equal(comparison->rows[i].verdict, COMPARISON_SAME);
	}
	comparison_free(comparison);
	profile_free(profile);
}

static void what_comes_and_goes_is_said(void **state UNUSED)
{
	struct world base = world_of(7), other = world_of(8);
	struct comparison *comparison;
	const struct comparison_row *row;

	base.shares[3] = 0;
	other.shares[6] = 0;
	comparison = compare(&base, &other, 1);
	row = row_named(comparison, COMPARISON_PROCEDURE, COMPARISON_NAME, "STEP-3");
	assert_int_equal(row->verdict, COMPARISON_ADDED);
	assert_true(isinf(row->percent));
	row = row_named(comparison, COMPARISON_PROCEDURE, COMPARISON_NAME, "STEP-6");
	assert_int_equal(row->verdict, COMPARISON_REMOVED);
	comparison_free(comparison);
}

/* Another period gives more samples for the same time. */
static void another_rate_is_no_difference(void **state UNUSED)
{
	struct world base = world_of(11), other = world_of(12);
	struct comparison *comparison;

	other.period = 300000;
	comparison = compare(&base, &other, 1);
	assert_int_equal(comparison->claims, 0);
	assert_true(fabs(comparison->factor - 1) < 0.06);
	assert_true(comparison->samples[0] > 2 * comparison->samples[1]);
	comparison_free(comparison);
}

/* Checks the lines of a row with a text. */
static void check_lines(const struct comparison *comparison, const char *text, uint64_t base,
			uint64_t other)
{
	const struct comparison_row *row =
		row_named(comparison, COMPARISON_STATEMENT, COMPARISON_TEXT, text);

	assert_int_equal(row->lines[COMPARISON_BASE], base);
	assert_int_equal(row->lines[COMPARISON_OTHER], other);
	assert_string_equal(comparison_text(comparison, &comparison->rows[row->procedure],
					    COMPARISON_NAME),
			    comparison_text(comparison, row, COMPARISON_NAME));
}

static void statements_of_another_build_are_found_by_their_text(void **state UNUSED)
{
	struct world base = world_of(13), other = world_of(14);
	struct comparison *comparison;

	other.build = "b2";
	other.line = 117;
	comparison = compare(&base, &other, 1);
	assert_int_equal(comparison->from[COMPARISON_STATEMENT + 1] -
				 comparison->from[COMPARISON_STATEMENT],
			 2 * PROCEDURES);
	check_lines(comparison, "COMPUTE A2 = 1", 121, 138);
	assert_int_equal(comparison->claims, 0);
	comparison_free(comparison);
}

static void statements_without_text_are_found_by_their_distance(void **state UNUSED)
{
	struct world base = world_of(15), other = world_of(16);
	struct comparison *comparison;

	base.texts = other.texts = false;
	other.build = "b2";
	other.line = 117;
	comparison = compare(&base, &other, 1);
	assert_int_equal(comparison->from[COMPARISON_STATEMENT + 1] -
				 comparison->from[COMPARISON_STATEMENT],
			 2 * PROCEDURES);
	for (size_t i = comparison->from[COMPARISON_STATEMENT];
	     i < comparison->from[COMPARISON_STATEMENT + 1]; i++)
		assert_int_equal(comparison->rows[i].lines[COMPARISON_OTHER] -
					 comparison->rows[i].lines[COMPARISON_BASE],
				 17);
	comparison_free(comparison);
}

static void a_longer_sleep_is_named_with_its_place(void **state UNUSED)
{
	struct world base = world_of(17), other = world_of(18);
	struct comparison *comparison;
	const struct comparison_row *row;

	base.sleep = 600;
	other.sleep = 660;
	comparison = compare(&base, &other, 1);
	row = row_named(comparison, COMPARISON_WAIT, COMPARISON_REASON, "SLEEP");
	assert_int_equal(row->verdict, COMPARISON_SLOWER);
	row = row_named(comparison, COMPARISON_WAIT_PLACE, COMPARISON_NAME, "STEP-4");
	assert_int_equal(row->verdict, COMPARISON_SLOWER);
	assert_true(fabs(row->percent - 10) < 0.01);
	assert_int_equal(comparison->claims, 2);
	comparison_free(comparison);
}

/* Twice the work in twice the time is no difference; the time per unit of work is the same. */
static void work_is_set_to_that_of_the_base(void **state UNUSED)
{
	struct world base = world_of(19), other = world_of(20);
	struct comparison *comparison;
	const struct comparison_row *row;

	base.transactions = 100;
	other.transactions = 200;
	for (int i = 0; i < PROCEDURES; i++)
		other.shares[i] *= 2;
	comparison = compare(&base, &other, 1);
	assert_string_equal(comparison->work.name, "transactions");
	assert_int_equal(comparison->claims, 0);
	row = row_named(comparison, COMPARISON_TRANSACTION, COMPARISON_NAME, "PAYSLIP");
	assert_true(row->amounts[COMPARISON_OTHER] > 1.8 * row->amounts[COMPARISON_BASE]);
	assert_true(fabs(row->units[COMPARISON_OTHER] / row->units[COMPARISON_BASE] - 1) < 0.1);
	assert_true(fabs(row->units[COMPARISON_BASE] * 100 - row->amounts[COMPARISON_BASE]) < 1);
	comparison_free(comparison);
}

/* Checks the units of work of the sides, 0: unknown. */
static void check_work(const char *work, const struct world *base, const struct world *other,
		       double base_units, double other_units)
{
	struct world one = *base, two = *other;
	struct comparison *comparison = compare_per(&one, &two, 1, work);

	assert_true(comparison->work.units[COMPARISON_BASE] == base_units);
	assert_true(comparison->work.units[COMPARISON_OTHER] == other_units);
	assert_int_equal(*comparison->work.name != 0, base_units > 0);
	comparison_free(comparison);
}

static void events_are_work(void **state UNUSED)
{
	struct world base = world_of(25), other = world_of(26);

	base.reads = 1000;
	other.reads = 1500;
	check_work("statement:read", &base, &other, 1000, 1500);
	check_work("statement:WRITE", &base, &other, 0, 0);
	check_work("program:LEDGER", &base, &other, 500, 750);
	check_work("event:NS", &base, &other, 1000, 1500);
	check_work("EVENT:P", &base, &other, 500, 750);
	check_work("event:XX", &base, &other, 0, 0);
	check_work("event:U", &base, &other, 0, 0);
	/* Not requested. */
	check_work(NULL, &base, &other, 0, 0);
	/* Omitted events cannot be counted. */
	other.sampled_out = 1;
	check_work("event:NS", &base, &other, 0, 0);
	other.reads = 0;
	check_work("event:NS", &base, &other, 0, 0);
}

/* vigil_count of a data collector: exact counts are work, a lower bound is not. */
static void transactions_that_collectors_tell_are_work(void **state UNUSED)
{
	struct world base = world_of(27), other = world_of(28);

	base.transactions = other.transactions = 20;
	base.told = 400;
	other.told = 800;
	check_work(NULL, &base, &other, 0, 0);
	base.told_exact = other.told_exact = 1;
	check_work(NULL, &base, &other, 400, 800);
	check_work("transactions", &base, &other, 400, 800);
}

/* Checks that comparing one run each of two worlds fails with these words. */
static void check_refused(struct world *base, struct world *other, const char *words)
{
	struct profile *one = run_of(base), *two = run_of(other);
	const struct profile *first[] = { one }, *second[] = { two };
	struct comparison_request request = { .runs = { first, second }, .run_counts = { 1, 1 } };
	struct error err = ERROR_INIT;

	assert_null(comparison_new(&request, &err));
	assert_non_null(strstr(error_text(&err), words));
	error_release(&err);
	profile_free(one);
	profile_free(two);
}

static void what_cannot_be_compared_is_refused(void **state UNUSED)
{
	struct world base = world_of(21), other = world_of(22);

	other.program = "LEDGER";
	check_refused(&base, &other, "different programs");
	other.program = base.program;
	for (int i = 0; i < PROCEDURES; i++)
		other.shares[i] = 0;
	check_refused(&base, &other, "neither samples nor waits");
}

/* The folded stacks add up to the CPU time of both sides. */
static void stacks_have_all_cpu_time_of_both_sides(void **state UNUSED)
{
	struct world base = world_of(23), other = world_of(24);
	struct profile *one = run_of(&base), *two = run_of(&other);
	const struct profile *first[] = { one }, *second[] = { two };
	struct comparison_request request = { .runs = { first, second }, .run_counts = { 1, 1 } };
	struct strbuf text = STRBUF_INIT;
	unsigned long long sums[2] = { 0 };

	comparison_stacks(&request, &text);
	for (char *line = text.text, *end; (end = strchr(line, '\n')); line = end + 1) {
		char *second_count;

		*end = '\0';
		second_count = strrchr(line, ' ');

		assert_int_equal(strncmp(line, "STEP-", 5), 0);
		sums[1] += strtoull(second_count, NULL, 10);
		*second_count = '\0';
		sums[0] += strtoull(strrchr(line, ' '), NULL, 10);
	}
	assert_int_equal(sums[0], one->samples * 100);
	assert_int_equal(sums[1], two->samples * 100);
	strbuf_release(&text);
	profile_free(one);
	profile_free(two);
}

/* Compares with values from tables of the distributions. */
static void probabilities_are_those_of_the_tables(void **state UNUSED)
{
	assert_true(fabs(probability_normal(1.959964) - 0.05) < 1e-6);
	assert_true(fabs(probability_student(12.7062, 1) - 0.05) < 1e-5);
	assert_true(fabs(probability_student(2.776445, 4) - 0.05) < 1e-6);
	assert_true(fabs(probability_student(-1.959964, INFINITY) - 0.05) < 1e-6);
	/* 10 of 10 at even chances: 2 / 1024. */
	assert_true(fabs(probability_counts(0, 10, 0.5) - 2.0 / 1024) < 1e-9);
	/* 1 or fewer of 6 at a chance of a third: 2 * (64 + 6 * 32) / 729. */
	assert_true(fabs(probability_counts(5, 1, 1.0 / 3) - 2.0 * 256 / 729) < 1e-9);
	assert_true(probability_counts(5, 5, 0.5) == 1);
	assert_true(fabs(probability_deviations(0.05) - 1.959964) < 1e-4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(probabilities_are_those_of_the_tables),
		cmocka_unit_test(equal_runs_claim_nothing),
		cmocka_unit_test(equal_runs_of_several_a_side_claim_nothing),
		cmocka_unit_test(equal_runs_of_which_looks_placed_a_part_claim_nothing),
		cmocka_unit_test(a_slower_procedure_is_named_first),
		cmocka_unit_test(a_machine_that_changes_is_no_difference),
		cmocka_unit_test(what_is_said_to_be_seen_is_seen),
		cmocka_unit_test(few_samples_are_told_with_what_they_lack),
		cmocka_unit_test(a_longer_sleep_is_found_by_what_several_runs_show),
		cmocka_unit_test(the_largest_procedure_is_no_measure_of_the_others),
		cmocka_unit_test(a_slower_machine_is_no_difference),
		cmocka_unit_test(a_much_slower_run_is_a_difference),
		cmocka_unit_test(the_same_run_twice_has_no_difference),
		cmocka_unit_test(what_comes_and_goes_is_said),
		cmocka_unit_test(another_rate_is_no_difference),
		cmocka_unit_test(statements_of_another_build_are_found_by_their_text),
		cmocka_unit_test(statements_without_text_are_found_by_their_distance),
		cmocka_unit_test(a_longer_sleep_is_named_with_its_place),
		cmocka_unit_test(work_is_set_to_that_of_the_base),
		cmocka_unit_test(events_are_work),
		cmocka_unit_test(transactions_that_collectors_tell_are_work),
		cmocka_unit_test(what_cannot_be_compared_is_refused),
		cmocka_unit_test(stacks_have_all_cpu_time_of_both_sides),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
