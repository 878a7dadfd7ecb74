/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures how long it takes to read a data set of 20 million events and print
 * their reports, and its bytes per event (DESIGN 11): "bench-events [EVENTS]". Two
 * tasks of a COBOL program have statement events; the sums are stored with the
 * events, as sessions write them. The second time is that of a data set without
 * sums, whose events are added up while it is read.
 */
#include "common/compat.h"
#include "common/clock.h"
#include "events/event-consolidate.h"
#include "profile/fixture.h"
#include "reports/report.h"

#include <unistd.h>

#define SNAPSHOT 1000000
#define SITES 400
#define RUNS 3

static int fail(struct error *err)
{
	fprintf(stderr, "bench-events: %s\n", error_text(err));
	return 1;
}

/* Adds the sites of 20 programs; the first two are the session's. */
static void add_sites(struct fixture *fixture)
{
	char program[32], procedure[32];

	for (uint64_t i = 1; i <= SITES; i++) {
		struct record_event_site site = { .site = i, .type = EVENT_NS, .kind = 1 };

		snprintf(program, sizeof(program), "PAYSUB%02u", (unsigned)(i / 20));
		snprintf(procedure, sizeof(procedure), "PARAGRAPH-%u", (unsigned)(i / 5));
		site.type = i == 1 ? EVENT_SI : i == 2 ? EVENT_ST : i % 20 ? EVENT_NS : EVENT_PS;
		site.library = fixture_string(fixture, "/opt/pay/bin");
		site.program = fixture_string(fixture, i > 2 ? program : "");
		site.procedure = fixture_string(fixture, procedure);
		site.line = 100 + i * 2;
		site.file = fixture_string(fixture, "/opt/pay/src/pay.cob");
		site.statement = fixture_string(fixture, i % 3 ? "MOVE" : "COMPUTE");
		fixture_add(fixture, RECORD_EVENT_SITE, &site);
	}
}

/* A running program: loops over some statements, and executes others now and then. */
struct program {
	uint64_t random, time[3], cpu[3], place[3];
};

static void add_events(struct fixture *fixture, struct program *program, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		uint64_t task = 1 + i * 2 / count, dice, step;
		struct record_event event = { .task = task, .level = 2, .code = INT64_MIN };

		program->random ^= program->random << 13;
		program->random ^= program->random >> 7;
		program->random ^= program->random << 17;
		dice = program->random >> 32;
		if (dice % 16 == 0)
			program->place[task] = 3 + dice / 16 % (SITES - 3);
		else
			program->place[task] = 3 + (program->place[task] - 2) % (SITES - 3);
		step = 60 + dice % 120;
		program->time[task] += step;
		program->cpu[task] += step;
		if (dice % 5000 == 0)
			program->time[task] += 20000;
		event.time = program->time[task];
		event.idle = (int64_t)(program->time[task] - program->cpu[task]);
		event.site = program->place[task];
		fixture_add(fixture, RECORD_EVENT, &event);
	}
}

/* Writes the data set; returns 0 or an exit status. */
static int write_data_set(const char *path, uint64_t events, bool with_sums)
{
	struct event_consolidate consolidate = { .drop = false };
	struct program program = { .random = 88172645463325252u };
	struct error err = ERROR_INIT;
	struct dataset_writer *writer;
	struct fixture fixture;

	fixture_init(&fixture);
	event_consolidate_init(&consolidate);
	program.time[1] = program.time[2] = fixture.time;
	writer = dataset_create(path, &fixture.strings, &err);
	if (!writer)
		return fail(&err);
	add_sites(&fixture);
	for (uint64_t done = 0; done < events; done += SNAPSHOT) {
		add_events(&fixture, &program, SNAPSHOT);
		if (with_sums)
			event_consolidate_apply(&consolidate, &fixture.snapshot);
		if (fixture_write_snapshot(&fixture, writer, &err) < 0)
			return fail(&err);
	}
	if (dataset_finish(writer, &err) < 0)
		return fail(&err);
	event_consolidate_release(&consolidate);
	fixture_release(&fixture);
	return 0;
}

/* Reads the data set and prints the reports; returns the minimum ns of several runs, 0: failed. */
static uint64_t measure(const char *path, uint64_t events, uint64_t *bytes)
{
	FILE *nowhere = fopen("/dev/null", "w");
	uint64_t best = UINT64_MAX;

	for (int i = 0; nowhere && i < RUNS; i++) {
		uint64_t start = clock_monotonic_ns(), time, total[EVENT_AMOUNTS];
		struct error err = ERROR_INIT;
		struct report_options options;
		struct profile *profile = profile_load(path, &err);

		report_options_init(&options);
		if (!profile || report_print(profile, &options, nowhere, &err) < 0)
			return (uint64_t)fail(&err) - 1;
		time = clock_monotonic_ns() - start;
		best = time < best ? time : best;
		*bytes = profile->file_bytes;
		event_usage_total(profile, total);
		profile_free(profile);
		if (total[EVENT_AMOUNT_EVENTS] != events)
			return 0;
	}
	if (nowhere)
		fclose(nowhere);
	return nowhere ? best : 0;
}

int main(int argc, char **argv)
{
	uint64_t events = argc > 1 ? strtoull(argv[1], NULL, 10) : 20000000;
	char path[] = "/tmp/vigil-bench-XXXXXX";
	uint64_t times[2], bytes[2];
	int fd = mkstemp(path);

	events = (events + SNAPSHOT - 1) / SNAPSHOT * SNAPSHOT;
	if (fd < 0 || close(fd) < 0)
		return 1;
	for (int i = 0; i < 2; i++) {
		if (write_data_set(path, events, i == 0) != 0)
			return 1;
		times[i] = measure(path, events, &bytes[i]);
		if (!times[i])
			return 1;
	}
	unlink(path);
	printf("%.3f s, without sums %.3f s; %.2f bytes an event\n", (double)times[0] / 1e9,
	       (double)times[1] / 1e9, (double)bytes[0] / (double)events);
	return 0;
}
