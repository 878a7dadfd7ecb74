/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes a day of a thousand metrics of a machine at one second: "bench-day FILE
 * [SNAPSHOTS]". Part of "make bench", which extracts one of them. The last line of
 * its output: bytes a snapshot and CPU time for one.
 */
#include "common/compat.h"
#include "common/clock.h"
#include "engine/dataset.h"
#include "records/record-types.h"

#include <time.h>

enum { FIELDS_MAX = 16 };

/* A kind of record: the number of records, and of items; the last items hardly ever change. */
struct kind {
	const char *name;
	size_t records, items;
	unsigned busy; /* percent of the records that are active in a second */
	unsigned max_growth; /* maximum growth of a counter in that second */
	uint64_t step; /* of which the growth is a multiple */
};

/* 32 * 12 + 24 * 14 + 8 * 14 + 12 * 14: a thousand. */
static const struct kind kinds[] = {
	{ "processor", 32, 12, 90, 90, 10000000 },
	{ "disk", 24, 14, 20, 5000, 1 },
	{ "interface", 8, 14, 50, 900000, 1 },
	{ "volume", 12, 14, 10, 60000, 1 },
};

struct day {
	struct registry types;
	struct strmap strings;
	struct snapshot snapshot;
	const struct record_type *of[ARRAY_SIZE(kinds)];
	uint64_t values[ARRAY_SIZE(kinds)][32][FIELDS_MAX];
	uint64_t random;
};

static uint64_t draw(struct day *day, uint64_t below)
{
	day->random ^= day->random << 13;
	day->random ^= day->random >> 7;
	day->random ^= day->random << 17;
	return day->random % below;
}

/* Makes the types: a name, and items of which every fourth is a level. */
static bool make_types(struct day *day)
{
	static char names[FIELDS_MAX][16];

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		struct field fields[FIELDS_MAX];
		struct record_type type = { .name = kinds[i].name,
					    .fields = fields,
					    .field_count = kinds[i].items + 1,
					    .size = (kinds[i].items + 1) * sizeof(uint64_t),
					    .meaning = "" };

		for (size_t j = 0; j <= kinds[i].items; j++) {
			snprintf(names[j], sizeof(names[j]), j ? "item_%zu" : "number", j);
			fields[j] = (struct field){ .name = names[j],
						    .unit = "count",
						    .sense = !j	       ? SENSE_NONE
							     : j % 4 ? SENSE_COUNTER
									: SENSE_LEVEL,
						    .optional = true,
						    .offset = j * sizeof(uint64_t),
						    .meaning = "" };
		}
		day->of[i] = registry_add(&day->types, &type, NULL);
		if (!day->of[i])
			return false;
		for (size_t record = 0; record < kinds[i].records; record++)
			day->values[i][record][0] = record;
	}
	return true;
}

/* Advances one record by a second. */
static void pass(struct day *day, const struct kind *kind, uint64_t *values)
{
	bool busy = draw(day, 100) < kind->busy;

	for (size_t item = 1; busy && item <= kind->items; item++) {
		/* Most items do not change in most seconds. */
		if (draw(day, item) > 1)
			continue;
		if (item % 4 == 0)
			values[item] = draw(day, 100);
		else
			values[item] += draw(day, kind->max_growth) * kind->step;
	}
}

/* Makes the snapshot of a second. */
static void take(struct day *day)
{
	struct snapshot *snapshot = &day->snapshot;
	const uint64_t wall = 1700000000 * NSEC_PER_SEC;

	snapshot_clear(snapshot);
	snapshot->sequence++;
	snapshot->time = snapshot->sequence * NSEC_PER_SEC;
	if (snapshot->sequence == 1)
		recordset_add(snapshot_set(snapshot, RECORD_CLOCK),
			      &(struct record_clock){ .time = snapshot->time, .wall = wall });
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		for (size_t record = 0; record < kinds[i].records; record++) {
			pass(day, &kinds[i], day->values[i][record]);
			recordset_add(snapshot_set(snapshot, day->of[i]->id),
				      day->values[i][record]);
		}
}

/* Returns the CPU time of this process in us. */
static double used(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

/* Writes the day, and prints the cost. */
static int write_day(struct day *day, const char *path, unsigned snapshots, struct error *err)
{
	struct dataset_writer *writer = dataset_create(path, &day->strings, err);
	double spent = 0;
	uint64_t size;

	RETURN_IF(!writer, -1);
	for (unsigned i = 0; i < snapshots; i++) {
		double begun;

		take(day);
		begun = used();
		if (dataset_write(writer, &day->snapshot, err) < 0)
			return dataset_finish(writer, NULL);
		spent += used() - begun;
	}
	size = dataset_size(writer);
	RETURN_IF(dataset_finish(writer, err) < 0, -1);
	printf("%.0f bytes a snapshot, %.1f us; %.1f MB\n", (double)size / snapshots,
	       spent / snapshots, (double)size / 1e6);
	return 0;
}

int main(int argc, char **argv)
{
	static struct day day = { .random = 88172645463325252 };
	struct error err = ERROR_INIT;
	int failed = argc < 2;

	registry_init(&day.types, &session_records);
	strmap_init(&day.strings);
	strmap_put(&day.strings, "");
	snapshot_init(&day.snapshot, &day.types);
	if (!failed)
		failed = !make_types(&day) ||
			 write_day(&day, argv[1], argc > 2 ? (unsigned)atoi(argv[2]) : 86400,
				   &err) < 0;
	if (failed)
		fprintf(stderr, "bench-day: %s\n", error_text(&err));
	error_release(&err);
	snapshot_release(&day.snapshot);
	strmap_release(&day.strings);
	registry_release(&day.types);
	return failed;
}
