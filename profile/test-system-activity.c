/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the whole system's activity over time. */
#include "common/compat.h"
#include "common/clock.h"
#include "profile/fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define NEAR(value, expected) assert_true(fabs((value) - (expected)) < 1e-6)
#define MISSING UINT64_MAX

static const struct field disk[] = {
	{ .name = "name", .type = FIELD_STRING, .unit = "name" },
	{ .name = "bytes_read", .unit = "bytes", .sense = SENSE_COUNTER },
	{ .name = "reads", .unit = "count", .sense = SENSE_COUNTER },
};
static const struct field memory[] = {
	{ .name = "total", .unit = "bytes", .sense = SENSE_LEVEL },
	{ .name = "free", .unit = "pages", .sense = SENSE_LEVEL },
};

static void add_disk(struct fixture *f, const char *name, uint64_t bytes, uint64_t reads)
{
	const uint64_t values[] = { fixture_string(f, name), bytes, reads };

	fixture_system_add(f, "dsk", disk, ARRAY_SIZE(disk), values);
}

static void add_memory(struct fixture *f, uint64_t total)
{
	const uint64_t values[] = { total, 5 };

	fixture_system_add(f, "mem", memory, ARRAY_SIZE(memory), values);
}

static struct system_slice *slices_of(const struct profile *profile, size_t count)
{
	return system_activity_slices(profile, profile_start(profile), profile_end(profile), count);
}

static double disk_rate(const struct profile *profile, size_t count, size_t number, size_t field)
{
	struct system_slice *slices = slices_of(profile, count);
	double rate = system_rate(&slices[number], SYSTEM_DISK, field);

	free(slices);
	return rate;
}

static void counters_are_rates(void **state UNUSED)
{
	struct fixture f;
	struct profile *profile;

	fixture_init(&f);
	for (uint64_t i = 0; i < 5; i++) {
		add_disk(&f, "sda", 1000 * i * i, 10 * i);
		fixture_end_snapshot(&f);
	}
	profile = fixture_end(&f);
	assert_true(system_activity_any(profile));
	assert_int_equal(system_activity_resolution(profile, 40), 4);
	assert_int_equal(system_activity_resolution(profile, 3), 3);
	for (size_t i = 0; i < 4; i++) {
		NEAR(disk_rate(profile, 4, i, SYSTEM_BYTES_READ), 1000.0 * (double)(2 * i + 1));
		NEAR(disk_rate(profile, 4, i, SYSTEM_READS), 10);
		assert_true(isnan(disk_rate(profile, 4, i, SYSTEM_WRITES)));
	}
	NEAR(disk_rate(profile, 1, 0, SYSTEM_BYTES_READ), 4000);
	profile_free(profile);
}

/* A counter that goes back and a missing value give no figure, and never one below 0. */
static void what_goes_back_is_a_gap(void **state UNUSED)
{
	static const uint64_t bytes[] = { 5000, 6000, 100, 300, MISSING, 900, 1000 };
	static const double rates[] = { 1000, NAN, 200, NAN, NAN, 100 };
	struct fixture f;
	struct profile *profile;

	fixture_init(&f);
	for (size_t i = 0; i < ARRAY_SIZE(bytes); i++) {
		add_disk(&f, "sda", bytes[i], i);
		fixture_end_snapshot(&f);
	}
	profile = fixture_end(&f);
	for (size_t i = 0; i < ARRAY_SIZE(rates); i++) {
		double rate = disk_rate(profile, 6, i, SYSTEM_BYTES_READ);

		if (isnan(rates[i]))
			assert_true(isnan(rate));
		else
			NEAR(rate, rates[i]);
		NEAR(disk_rate(profile, 6, i, SYSTEM_READS), 1);
	}
	/* The mean of what is known: 1300 bytes in 3 seconds. */
	NEAR(disk_rate(profile, 1, 0, SYSTEM_BYTES_READ), 1300.0 / 3);
	profile_free(profile);
}

/*
 * Records of one kind that are missing while others arrive are a gap; a disk that
 * appears is no burst.
 */
static void what_is_not_told_is_a_gap(void **state UNUSED)
{
	struct fixture f;
	struct profile *profile;

	fixture_init(&f);
	for (uint64_t i = 0; i < 6; i++) {
		add_memory(&f, 1000 + i);
		if (i != 2)
			add_disk(&f, "sda", 100 * i, i);
		if (i == 4 || i == 5)
			add_disk(&f, "sdb", 70000 + 10 * i, i);
		fixture_end_snapshot(&f);
	}
	profile = fixture_end(&f);
	NEAR(disk_rate(profile, 5, 0, SYSTEM_BYTES_READ), 100);
	assert_true(isnan(disk_rate(profile, 5, 1, SYSTEM_BYTES_READ)));
	assert_true(isnan(disk_rate(profile, 5, 2, SYSTEM_BYTES_READ)));
	NEAR(disk_rate(profile, 5, 3, SYSTEM_BYTES_READ), 100);
	NEAR(disk_rate(profile, 5, 4, SYSTEM_BYTES_READ), 110);
	profile_free(profile);
}

static void levels_hold_until_their_record(void **state UNUSED)
{
	struct fixture f;
	struct profile *profile;
	struct system_slice *slices;

	fixture_init(&f);
	for (uint64_t i = 0; i < 3; i++) {
		add_memory(&f, 1000 * (i + 1));
		fixture_end_snapshot(&f);
	}
	profile = fixture_end(&f);
	slices = slices_of(profile, 2);
	NEAR(system_rate(&slices[0], SYSTEM_MEMORY, SYSTEM_TOTAL), 2000);
	NEAR(system_rate(&slices[1], SYSTEM_MEMORY, SYSTEM_TOTAL), 3000);
	/* Its unit is not the expected one. */
	assert_true(isnan(system_rate(&slices[0], SYSTEM_MEMORY, SYSTEM_FREE)));
	free(slices);
	profile_free(profile);
}

/* Partitions, and devices on top of other disks, are in no sum. */
static void disks_count_once(void **state UNUSED)
{
	static const char *const names[] = { "sda",  "sda1",	 "sda12", "nvme0n1", "nvme0n1p2",
					     "dm-0", "nvme0n12", "md127", "loop3",   "sdaa" };
	static const bool counted[] = { true,  false, false, true,  false,
					false, true,  false, false, true };
	struct fixture f;
	struct profile *profile;

	fixture_init(&f);
	for (uint64_t i = 0; i < 2; i++) {
		for (size_t j = 0; j < ARRAY_SIZE(names); j++)
			add_disk(&f, names[j], i * 100, i);
		fixture_end_snapshot(&f);
	}
	profile = fixture_end(&f);
	assert_int_equal(profile->system.series[SYSTEM_DISK].count, ARRAY_SIZE(names));
	for (size_t j = 0; j < ARRAY_SIZE(names); j++)
		assert_int_equal(profile->system.series[SYSTEM_DISK].items[j].counted, counted[j]);
	NEAR(disk_rate(profile, 1, 0, SYSTEM_READS), 4);
	profile_free(profile);
}

static void the_step_stands_beside_it(void **state UNUSED)
{
	struct profile *profile = fixture_profile("activity");
	struct system_slice *all = slices_of(profile, 1);

	NEAR(system_step_rate(all, SYSTEM_STEP_CPU), 0.6);
	NEAR(system_step_rate(all, SYSTEM_STEP_READY), 0.25);
	NEAR(system_step_rate(all, SYSTEM_STEP_IO), 0.13);
	NEAR(system_step_rate(all, SYSTEM_STEP_SOCKET), 0.02);
	NEAR(system_step_rate(all, SYSTEM_STEP_PAGE), 0);
	NEAR(system_step_rate(all, SYSTEM_STEP_RESIDENT), 50000.0 * 4096);
	NEAR(system_step_rate(all, SYSTEM_STEP_READ) * 1e9, 600000);
	/* One of its two files is a network socket. */
	NEAR(system_step_rate(all, SYSTEM_STEP_NETWORK) * 1e9, 25000);
	assert_int_equal(system_processors(profile), 2);
	free(all);
	profile_free(profile);
}

static void sessions_without_records(void **state UNUSED)
{
	struct profile *profile = fixture_profile("payroll");
	struct system_slice *all = slices_of(profile, 1);

	assert_false(system_activity_any(profile));
	assert_int_equal(system_activity_resolution(profile, 40), 0);
	assert_true(isnan(system_rate(all, SYSTEM_MACHINE, SYSTEM_USER)));
	free(all);
	profile_free(profile);
}

/* Records of a single moment give no course; impossible values do no harm. */
static void odd_records(void **state UNUSED)
{
	struct fixture f;
	struct profile *profile;

	fixture_init(&f);
	add_disk(&f, "sda", 5, 5);
	fixture_end_snapshot(&f);
	profile = fixture_end(&f);
	assert_true(system_activity_any(profile));
	assert_int_equal(system_activity_resolution(profile, 40), 0);
	profile_free(profile);
	fixture_init(&f);
	for (uint64_t i = 0; i < 10000; i++) {
		char name[32];

		snprintf(name, sizeof(name), "disk%" PRIu64 "x", i);
		add_disk(&f, name, i, 1);
	}
	add_disk(&f, "disk0x", MISSING - 1, MISSING);
	fixture_end_snapshot(&f);
	add_disk(&f, "disk1x", MISSING - 1, 0);
	add_disk(&f, "", 3, 4);
	fixture_end_snapshot(&f);
	profile = fixture_end(&f);
	assert_true(profile->system.series[SYSTEM_DISK].count <= 8192);
	assert_true(disk_rate(profile, 1, 0, SYSTEM_BYTES_READ) > 1e18);
	profile_free(profile);
}

/* Sums of a long run are the same as those of a short one, in bounded memory. */
static void long_runs_stay_whole(void **state UNUSED)
{
	struct fixture f;
	struct profile *profile;

	fixture_init(&f);
	for (uint64_t i = 0; i < 5000; i++) {
		add_disk(&f, "sda", 300 * i, i);
		fixture_end_snapshot(&f);
	}
	profile = fixture_end(&f);
	assert_true(profile->system.series[SYSTEM_DISK].courses[0].count <= 1024);
	for (size_t i = 0; i < 40; i++)
		NEAR(disk_rate(profile, 40, i, SYSTEM_BYTES_READ), 300);
	profile_free(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counters_are_rates),
		cmocka_unit_test(what_goes_back_is_a_gap),
		cmocka_unit_test(what_is_not_told_is_a_gap),
		cmocka_unit_test(levels_hold_until_their_record),
		cmocka_unit_test(disks_count_once),
		cmocka_unit_test(the_step_stands_beside_it),
		cmocka_unit_test(sessions_without_records),
		cmocka_unit_test(odd_records),
		cmocka_unit_test(long_runs_stay_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
