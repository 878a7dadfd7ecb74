/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures the sample data set with a made-up session: bytes and CPU time a sample
 * when it is written as a session does, thinned and read back.
 *
 * 	bench-dataset [SAMPLES [SAMPLES-A-SNAPSHOT]]
 */
#include "common/compat.h"
#include "common/clock.h"
#include "engine/dataset.h"
#include "records/record-types.h"

#include <unistd.h>

/* A simulated program: its tree of call stacks and its present position in it. */
struct program {
	uint64_t random;
	uint64_t time;
	uint64_t stacks, frames; /* numbers created so far */
	uint64_t hot[64];	 /* stacks to which it returns often */
	uint64_t tasks;
};

/* Returns the next number of a xorshift generator. */
static uint64_t next_random(struct program *program)
{
	program->random ^= program->random << 13;
	program->random ^= program->random >> 7;
	program->random ^= program->random << 17;
	return program->random;
}

/* Returns a number below limit; small ones are far more frequent than large ones. */
static uint64_t skewed(struct program *program, uint64_t limit)
{
	uint64_t a = next_random(program) % limit, b = next_random(program) % limit;

	return a * b / limit * (next_random(program) % limit) / limit;
}

/* Adds a stack with new innermost levels to the tree. */
static uint64_t new_stack(struct program *program, struct snapshot *snapshot)
{
	uint64_t parent = program->stacks ? skewed(program, program->stacks) : 0;
	uint64_t levels = 1 + next_random(program) % 3;

	while (levels-- > 0) {
		uint64_t frame = 1 + skewed(program, program->frames + 4);

		if (frame > program->frames) {
			frame = ++program->frames;
			recordset_add(snapshot_set(snapshot, RECORD_FRAME),
				      &(struct record_frame){ frame, 1 + next_random(program) % 12,
							      next_random(program) % 0x200000 });
		}
		recordset_add(snapshot_set(snapshot, RECORD_STACK),
			      &(struct record_stack){ ++program->stacks, parent, frame, 0 });
		parent = program->stacks;
	}
	return parent;
}

/* Returns the stack of the next sample: mostly one seen before. */
static uint64_t pick_stack(struct program *program, struct snapshot *snapshot)
{
	uint64_t *hot = &program->hot[skewed(program, ARRAY_SIZE(program->hot))];
	uint64_t dice = next_random(program) % 1000;

	if (!*hot || dice < 20)
		*hot = new_stack(program, snapshot);
	else if (dice < 200 && program->stacks)
		return 1 + skewed(program, program->stacks);
	return *hot;
}

/* Fills a snapshot with count samples and their associated records. */
static void make_snapshot(struct program *program, struct snapshot *snapshot, unsigned count)
{
	uint64_t start = program->time;

	snapshot->sequence++;
	for (unsigned i = 0; i < count; i++) {
		struct record_sample sample = { .kind = SAMPLE_USER, .flags = SAMPLE_SOLO };

		program->time += NSEC_PER_MSEC / program->tasks + next_random(program) % 20000;
		sample.time = program->time;
		sample.task = 1 + next_random(program) % program->tasks;
		sample.stack = pick_stack(program, snapshot);
		if (next_random(program) % 20 == 0)
			sample.kind = SAMPLE_KERNEL_ESTIMATED;
		recordset_add(snapshot_set(snapshot, RECORD_SAMPLE), &sample);
	}
	snapshot->time = program->time + next_random(program) % 1000;
	for (unsigned i = 0; i < count * 2 / 5; i++) {
		uint64_t total = next_random(program) % NSEC_PER_MSEC;

		recordset_add(
			snapshot_set(snapshot, RECORD_WAIT),
			&(struct record_wait){ .time = snapshot->time,
					       .task = 1 + next_random(program) % program->tasks,
					       .stack = pick_stack(program, snapshot),
					       .reason = WAIT_FILE_READ,
					       .file = 1 + next_random(program) % 5,
					       .syscall = 1,
					       .count = 1 + next_random(program) % 20,
					       .total = total,
					       .charged = total,
					       .solo = total });
	}
	recordset_add(snapshot_set(snapshot, RECORD_STEP),
		      &(struct record_step){ .time = snapshot->time,
					     .interval = snapshot->time - start,
					     .exec = (snapshot->time - start) * 7 / 10,
					     .wait = (snapshot->time - start) * 3 / 10,
					     .tasks = program->tasks,
					     .resident = 9000 + next_random(program) % 1000 });
	for (uint64_t task = 1; task <= program->tasks; task++)
		recordset_add(
			snapshot_set(snapshot, RECORD_ACTIVITY),
			&(struct record_activity){ .time = snapshot->time,
						   .task = task,
						   .cpu = next_random(program) % NSEC_PER_SEC });
}

/* Returns the CPU time of this process in ns. */
static uint64_t cpu_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * NSEC_PER_SEC + (uint64_t)now.tv_nsec;
}

/* The costs of writing a session. */
struct cost {
	uint64_t ns, bytes, snapshots;
};

/* Writes a session; only dataset_write is measured. */
static int write_session(const char *path, uint64_t samples, unsigned per_snapshot,
			 struct cost *cost, struct dataset_writer **writer, struct error *err)
{
	struct program program = { .random = 88172645463325252U,
				   .time = 5000 * NSEC_PER_SEC,
				   .tasks = 2 };
	struct strmap strings;
	struct registry types;
	struct snapshot snapshot;

	strmap_init(&strings);
	registry_init(&types, &session_records);
	snapshot_init(&snapshot, &types);
	*writer = dataset_create(path, &strings, err);
	for (uint64_t done = 0; *writer && done < samples; done += per_snapshot) {
		uint64_t start;

		make_snapshot(&program, &snapshot, per_snapshot);
		start = cpu_now();
		RETURN_IF(dataset_write(*writer, &snapshot, err) < 0, -1);
		cost->ns += cpu_now() - start;
		cost->snapshots++;
		snapshot_clear(&snapshot);
	}
	RETURN_IF(!*writer, -1);
	cost->bytes = dataset_size(*writer);
	snapshot_release(&snapshot);
	registry_release(&types);
	strmap_release(&strings);
	return 0;
}

/* Counts the rows that are read. */
static int count_rows(void *argument, const struct snapshot *snapshot,
		      const struct strmap *strings UNUSED)
{
	*(uint64_t *)argument += snapshot_records(snapshot, RECORD_SAMPLE)->count;
	return 0;
}

/* Reads the whole file. Returns the number of samples in it. */
static uint64_t read_session(const char *path, uint64_t *ns, struct error *err)
{
	struct dataset_status status = { 0 };
	struct strmap strings;
	uint64_t samples = 0, start = cpu_now();

	strmap_init(&strings);
	if (dataset_read(path, &session_records, &strings, count_rows, &samples, &status, err) < 0)
		samples = 0;
	*ns = cpu_now() - start;
	strmap_release(&strings);
	return samples;
}

/* Keeps every second sample. */
static bool keep_half(void *argument, const void *row UNUSED)
{
	return ++*(uint64_t *)argument % 2;
}

int main(int argc, char **argv)
{
	uint64_t samples = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000;
	unsigned per_snapshot = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 50;
	char path[] = "/tmp/bench-dataset.XXXXXX";
	struct error err = ERROR_INIT;
	struct cost cost = { 0 };
	struct dataset_writer *writer;
	uint64_t start, ns, count = 0, found;

	close(mkostemp(path, 0));
	if (!per_snapshot || write_session(path, samples, per_snapshot, &cost, &writer, &err) < 0) {
		fprintf(stderr, "bench-dataset: %s\n", error_text(&err));
		return 8;
	}
	found = read_session(path, &ns, &err);
	printf("samples %" PRIu64 ", %u a snapshot\n", found, per_snapshot);
	printf("bytes a sample, all in     %8.2f\n", (double)cost.bytes / (double)samples);
	printf("writing, ns a sample       %8.0f\n", (double)cost.ns / (double)samples);
	printf("writing, us a snapshot     %8.1f\n",
	       (double)cost.ns / (double)cost.snapshots / 1000);
	printf("reading, ns a sample       %8.0f\n", (double)ns / (double)samples);
	start = cpu_now();
	if (dataset_thin(writer, &record_types[RECORD_SAMPLE], keep_half, &count, &err) < 0)
		fprintf(stderr, "bench-dataset: %s\n", error_text(&err));
	printf("thinning, ns a sample      %8.0f\n", (double)(cpu_now() - start) / (double)samples);
	dataset_finish(writer, &err);
	unlink(path);
	return found < samples ? 8 : 0;
}
