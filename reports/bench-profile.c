/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures the time to load a profile of a million samples and print all its
 * reports (DESIGN 11); with --page FILE as a page of HTML, which is left in FILE.
 * --compare: the time to load two of them, compare them and print the result.
 * --write FILE: writes a profile of as many samples with ten times the stacks, and
 * with waits. --facts FILE: prints the facts of a real data set, one "key=value"
 * per line. All are for tests/bench.py.
 */
#include "common/compat.h"
#include "common/clock.h"
#include "profile/fixture.h"
#include "records/record-types.h"
#include "reports/device.h"
#include "reports/report-compare.h"

#include <unistd.h>

#define SAMPLES 1000000
#define STACKS 5000
#define MORE_STACKS 50000
#define SNAPSHOTS 100
#define RUNS 3

static int fail(struct error *err)
{
	fprintf(stderr, "bench-profile: %s\n", error_text(err));
	return 1;
}

static int print_facts(const char *path)
{
	struct error err = ERROR_INIT;
	struct profile *profile = profile_load(path, &err);

	if (!profile)
		return fail(&err);
	for (size_t i = 0; i < profile->attributes.count; i++)
		printf("%s=%s\n", profile->attributes.items[i].key,
		       profile->attributes.items[i].value);
	printf("stacks.program=%" PRIu64 "\n", profile->reached);
	printf("samples.reported=%" PRIu64 "\n", profile->samples);
	profile_free(profile);
	return 0;
}

/* Builds the tree of stacks: a program of 100 procedures that call 40 library functions. */
static void add_code(struct fixture *fixture, uint64_t stacks)
{
	uint64_t program = fixture_object(fixture, OBJECT_FILE, "/opt/bench/PAYCALC", "");
	uint64_t library = fixture_object(fixture, OBJECT_FILE, "/usr/lib/libcob.so.4", "");
	uint64_t root = fixture_stack(
		fixture, 0, fixture_frame(fixture, program, 0x100, "paycalc.cob", "MAIN", 1, ""));
	uint64_t frames[40];
	char name[32];

	for (unsigned i = 0; i < ARRAY_SIZE(frames); i++) {
		snprintf(name, sizeof(name), "cob_function_%u", i);
		frames[i] =
			fixture_frame(fixture, library, 0x1000 + i * 0x100, "lib.c", name, 0, "");
	}
	for (unsigned i = 0; fixture->stacks < stacks; i++) {
		uint64_t statement;

		snprintf(name, sizeof(name), "PARAGRAPH-%u", i);
		statement = fixture_stack(fixture, root,
					  fixture_frame(fixture, program, 0x10000 + i * 0x100,
							"paycalc.cob", name, 100 + i,
							"           COMPUTE A = B * C"));
		for (unsigned j = 0; j < ARRAY_SIZE(frames); j++)
			fixture_stack(fixture, statement, frames[j]);
	}
}

static void add_snapshot(struct fixture *fixture, uint64_t number, uint64_t stacks)
{
	uint64_t state = number * 2654435761u + 1;
	struct record_sample sample = { .task = 1, .kind = SAMPLE_USER };
	struct record_step step = { .time = fixture->time,
				    .interval = NSEC_PER_SEC,
				    .exec = NSEC_PER_SEC,
				    .tasks = 4,
				    .resident = 5000 };

	for (uint64_t i = 0; i < SAMPLES / SNAPSHOTS; i++) {
		state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
		sample.time = fixture->time - NSEC_PER_SEC + i * 100000;
		sample.task = 1 + (state >> 61) % 4;
		sample.flags = (state >> 50) % 4 == 0 ? SAMPLE_SOLO : 0;
		sample.stack = 1 + (state >> 33) % stacks;
		fixture_add(fixture, RECORD_SAMPLE, &sample);
	}
	fixture_add(fixture, RECORD_STEP, &step);
}

/* Adds the waits of one snapshot, each with its own stack. */
static void add_waits(struct fixture *fixture, uint64_t number)
{
	struct record_wait wait = { .time = fixture->time, .reason = WAIT_FILE_READ, .count = 2 };

	for (uint64_t i = 0; i < 500; i++) {
		wait.task = 1 + i % 4;
		wait.stack = 1 + (number * 500 + i) % MORE_STACKS;
		wait.total = wait.charged = 1000000 + i;
		fixture_add(fixture, RECORD_WAIT, &wait);
	}
}

/* Writes the data set; returns 0 or an exit status. */
static int write_data_set(const char *path, uint64_t stacks)
{
	struct error err = ERROR_INIT;
	struct dataset_writer *writer;
	struct fixture fixture;

	fixture_init(&fixture);
	writer = dataset_create(path, &fixture.strings, &err);
	if (!writer)
		return fail(&err);
	fixture_attribute(&fixture, ATTR_PROGRAM, "PAYCALC");
	fixture_number(&fixture, ATTR_PERIOD, 100000);
	add_code(&fixture, stacks);
	for (uint64_t i = 0; i < SNAPSHOTS; i++) {
		add_snapshot(&fixture, i, stacks);
		if (stacks > STACKS)
			add_waits(&fixture, i);
		if (fixture_write_snapshot(&fixture, writer, &err) < 0)
			return fail(&err);
	}
	if (dataset_finish(writer, &err) < 0)
		return fail(&err);
	fixture_release(&fixture);
	return 0;
}

/* Loads and prints once; returns the ns, 0 on failure. */
static uint64_t measure(const char *path, const struct report_options *options, FILE *stream)
{
	uint64_t start = clock_monotonic_ns();
	struct error err = ERROR_INIT;
	struct profile *profile = report_load(path, options, &err);

	rewind(stream);
	if (!profile || report_print(profile, options, stream, &err) < 0)
		return (uint64_t)fail(&err) - 1;
	if (profile->samples != SAMPLES)
		return 0;
	profile_free(profile);
	return clock_monotonic_ns() - start;
}

/* Loads two profiles, compares them and prints the result; returns the ns, 0 on failure. */
static uint64_t measure_comparison(const char *path, FILE *nowhere)
{
	uint64_t start = clock_monotonic_ns();
	struct error err = ERROR_INIT;
	struct profile *base = profile_load(path, &err), *other = profile_load(path, &err);
	const struct profile *sides[] = { base, other };
	struct comparison_request request = { .runs = { &sides[0], &sides[1] },
					      .run_counts = { 1, 1 } };
	struct comparison *comparison;
	struct report_options options;

	report_options_init(&options);
	if (!base || !other)
		return (uint64_t)fail(&err) - 1;
	comparison = comparison_new(&request, &err);
	if (!comparison ||
	    report_compare_print(comparison, &request, &options, nowhere, &err) < 0)
		return (uint64_t)fail(&err) - 1;
	comparison_free(comparison);
	profile_free(base);
	profile_free(other);
	return clock_monotonic_ns() - start;
}

int main(int argc, char **argv)
{
	bool compare = argc == 2 && strcmp(argv[1], "--compare") == 0;
	char path[] = "/tmp/vigil-bench-XXXXXX";
	bool page = argc == 3 && strcmp(argv[1], "--page") == 0;
	FILE *stream = fopen(page ? argv[2] : "/dev/null", "w");
	struct report_options options;
	uint64_t best = UINT64_MAX;
	int fd;

	if (argc == 3 && strcmp(argv[1], "--facts") == 0)
		return print_facts(argv[2]);
	if (argc == 3 && strcmp(argv[1], "--write") == 0)
		return write_data_set(argv[2], MORE_STACKS);
	report_options_init(&options);
	if (page)
		options.device = &html_device;
	fd = mkstemp(path);
	if (fd < 0 || !stream || close(fd) < 0 || write_data_set(path, STACKS) != 0)
		return 1;
	for (int i = 0; i < RUNS; i++) {
		uint64_t time = compare ? measure_comparison(path, stream)
					: measure(path, &options, stream);

		if (!time)
			return 1;
		best = time < best ? time : best;
	}
	unlink(path);
	fclose(stream);
	printf("%.2f s\n", (double)best / 1e9);
	return 0;
}
