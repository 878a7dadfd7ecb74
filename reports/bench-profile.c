/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The time to load a profile of a million samples and print all its reports
 * (DESIGN 11). With --facts FILE: the facts of a real data set, one
 * "key=value" a line, for tests/bench.py.
 */
#include "common/compat.h"
#include "common/clock.h"
#include "profile/fixture.h"
#include "reports/report.h"

#include <unistd.h>

#define SAMPLES 1000000
#define STACKS 5000
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

/* The tree of stacks: a program of 100 procedures that call 40 library functions. */
static void add_code(struct fixture *fixture)
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
	for (unsigned i = 0; fixture->stacks < STACKS; i++) {
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

static void add_snapshot(struct fixture *fixture, uint64_t number)
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
		sample.stack = 1 + (state >> 33) % STACKS;
		fixture_add(fixture, RECORD_SAMPLE, &sample);
	}
	fixture_add(fixture, RECORD_STEP, &step);
}

/* Write the data set; returns 0 or an exit status. */
static int write_data_set(const char *path)
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
	add_code(&fixture);
	for (uint64_t i = 0; i < SNAPSHOTS; i++) {
		add_snapshot(&fixture, i);
		if (fixture_write_snapshot(&fixture, writer, &err) < 0)
			return fail(&err);
	}
	if (dataset_finish(writer, &err) < 0)
		return fail(&err);
	fixture_release(&fixture);
	return 0;
}

/* Load and print once; ns, 0 when it failed. */
static uint64_t measure(const char *path, FILE *nowhere)
{
	uint64_t start = clock_monotonic_ns();
	struct error err = ERROR_INIT;
	struct report_options options;
	struct profile *profile = profile_load(path, &err);

	report_options_init(&options);
	if (!profile || report_print(profile, &options, nowhere, &err) < 0)
		return (uint64_t)fail(&err) - 1;
	if (profile->samples != SAMPLES)
		return 0;
	profile_free(profile);
	return clock_monotonic_ns() - start;
}

int main(int argc, char **argv)
{
	char path[] = "/tmp/vigil-bench-XXXXXX";
	FILE *nowhere = fopen("/dev/null", "w");
	uint64_t best = UINT64_MAX;
	int fd;

	if (argc == 3 && strcmp(argv[1], "--facts") == 0)
		return print_facts(argv[2]);
	fd = mkstemp(path);
	if (fd < 0 || !nowhere || close(fd) < 0 || write_data_set(path) != 0)
		return 1;
	for (int i = 0; i < RUNS; i++) {
		uint64_t time = measure(path, nowhere);

		if (!time)
			return 1;
		best = time < best ? time : best;
	}
	unlink(path);
	fclose(nowhere);
	printf("%.2f s\n", (double)best / 1e9);
	return 0;
}
