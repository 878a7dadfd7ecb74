/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The session "activity": a step of six seconds on a machine with two processors, and records of
 * the whole system with a gap, a counter that goes back, and items that are missing.
 */
#include "common/compat.h"
#include "common/clock.h"
#include "profile/fixture.h"
#include "records/record-types.h"

#define MS NSEC_PER_MSEC
#define VALUES 9

static const struct field machine_fields[] = {
	{ .name = "user", .unit = "ns", .sense = SENSE_COUNTER },
	{ .name = "system", .unit = "ns", .sense = SENSE_COUNTER },
	{ .name = "idle", .unit = "ns", .sense = SENSE_COUNTER },
	{ .name = "io_wait", .unit = "ns", .sense = SENSE_COUNTER },
	{ .name = "context_switches", .unit = "count", .sense = SENSE_COUNTER },
	{ .name = "load_1", .unit = "tasks", .sense = SENSE_LEVEL },
	{ .name = "running", .unit = "tasks", .sense = SENSE_LEVEL },
	{ .name = "blocked", .unit = "tasks", .sense = SENSE_LEVEL },
};
static const struct field processor_fields[] = {
	{ .name = "number", .unit = "id" },
	{ .name = "user", .unit = "ns", .sense = SENSE_COUNTER },
	{ .name = "system", .unit = "ns", .sense = SENSE_COUNTER },
	{ .name = "idle", .unit = "ns", .sense = SENSE_COUNTER },
	{ .name = "run_delay", .unit = "ns", .sense = SENSE_COUNTER },
};
static const struct field memory_fields[] = {
	{ .name = "total", .unit = "bytes", .sense = SENSE_LEVEL },
	{ .name = "available", .unit = "bytes", .sense = SENSE_LEVEL },
	{ .name = "free", .unit = "bytes", .sense = SENSE_LEVEL },
	{ .name = "cached", .unit = "bytes", .sense = SENSE_LEVEL },
	{ .name = "buffers", .unit = "bytes", .sense = SENSE_LEVEL },
	{ .name = "faults", .unit = "count", .sense = SENSE_COUNTER },
	/* As in another kernel release: an item in another unit counts as missing. */
	{ .name = "swap_total", .unit = "pages", .sense = SENSE_LEVEL },
};
static const struct field disk_fields[] = {
	{ .name = "name", .type = FIELD_STRING, .unit = "name" },
	{ .name = "reads", .unit = "count", .sense = SENSE_COUNTER },
	{ .name = "writes", .unit = "count", .sense = SENSE_COUNTER },
	{ .name = "bytes_read", .unit = "bytes", .sense = SENSE_COUNTER },
	{ .name = "bytes_written", .unit = "bytes", .sense = SENSE_COUNTER },
	{ .name = "read_time", .unit = "ns", .sense = SENSE_COUNTER },
	{ .name = "write_time", .unit = "ns", .sense = SENSE_COUNTER },
	{ .name = "busy_time", .unit = "ns", .sense = SENSE_COUNTER },
	{ .name = "queue_time", .unit = "ns", .sense = SENSE_COUNTER },
};
static const struct field interface_fields[] = {
	{ .name = "name", .type = FIELD_STRING, .unit = "name" },
	{ .name = "bytes_received", .unit = "bytes", .sense = SENSE_COUNTER },
	{ .name = "packets_received", .unit = "count", .sense = SENSE_COUNTER },
	{ .name = "bytes_sent", .unit = "bytes", .sense = SENSE_COUNTER },
	{ .name = "packets_sent", .unit = "count", .sense = SENSE_COUNTER },
	{ .name = "receive_errors", .unit = "count", .sense = SENSE_COUNTER },
	{ .name = "send_errors", .unit = "count", .sense = SENSE_COUNTER },
	{ .name = "receive_drops", .unit = "count", .sense = SENSE_COUNTER },
	{ .name = "send_drops", .unit = "count", .sense = SENSE_COUNTER },
};
static const struct field pressure_fields[] = {
	{ .name = "resource", .type = FIELD_STRING, .unit = "name" },
	{ .name = "some_total", .unit = "ns", .sense = SENSE_COUNTER },
	{ .name = "full_total", .unit = "ns", .sense = SENSE_COUNTER },
};

void fixture_system_add(struct fixture *fixture, const char *name, const struct field *fields,
			size_t count, const uint64_t *values)
{
	struct field laid[VALUES];
	const struct record_type *type;
	struct error err = ERROR_INIT;

	assert(count <= VALUES);
	for (size_t i = 0; i < count; i++) {
		laid[i] = fields[i];
		laid[i].offset = i * sizeof(*values);
		laid[i].optional = laid[i].type == FIELD_UNSIGNED && laid[i].sense;
	}
	type = registry_add(&fixture->types,
			    &(struct record_type){ .name = name,
						   .fields = laid,
						   .field_count = count,
						   .size = count * sizeof(*values) },
			    &err);
	assert(type);
	recordset_add(snapshot_set(&fixture->snapshot, type->id), values);
	error_release(&err);
}

#define ADD(f, name, fields, ...) \
	fixture_system_add(f, name, fields, ARRAY_SIZE(fields), (const uint64_t[]){ __VA_ARGS__ })

/* Adds the counters of processors and memory at a second. */
static void add_machine(struct fixture *f, uint64_t second)
{
	uint64_t user = 50000 + 900 * second, idle = 90000 + 800 * second;

	ADD(f, "sys", machine_fields, user * MS, (2000 + 200 * second) * MS, idle * MS,
	    (700 + 100 * second) * MS, 4000 + 2500 * second, 2, 3, second % 2);
	ADD(f, "cpu", processor_fields, 0, (25000 + 700 * second) * MS, (1000 + 100 * second) * MS,
	    (45000 + 200 * second) * MS, (800 + 300 * second) * MS);
	ADD(f, "cpu", processor_fields, 1, (25000 + 200 * second) * MS, (1000 + 100 * second) * MS,
	    (45000 + 700 * second) * MS, (100 + 100 * second) * MS);
	ADD(f, "mem", memory_fields, 8000000000, 6000000000 - 100000000 * second,
	    4000000000 - 100000000 * second, 1500000000, 100000000, 10000 + 900 * second, 5000);
}

/* Adds disks and interfaces. In the fourth second the interface is recreated. */
static void add_devices(struct fixture *f, uint64_t second)
{
	uint64_t reads = 200 * second, bytes = 1000000 * second, made = second > 3 ? 3 : 0;

	ADD(f, "dsk", disk_fields, fixture_string(f, "sda"), 5000 + reads, 900, 80000000 + bytes,
	    5000000, (400 + second * 100) * MS, 90 * MS, (300 + 80 * second) * MS,
	    (500 + 100 * second) * MS);
	ADD(f, "dsk", disk_fields, fixture_string(f, "sda1"), 4000 + reads, 900, 70000000 + bytes,
	    5000000, (400 + second * 100) * MS, 90 * MS, (300 + 80 * second) * MS,
	    (500 + 100 * second) * MS);
	ADD(f, "dsk", disk_fields, fixture_string(f, "sdb"), 10, 10, 40960, 40960, MS, MS, MS, MS);
	ADD(f, "nti", interface_fields, fixture_string(f, "lo"), 700000 + 4096 * second,
	    900 + 4 * second, 700000 + 4096 * second, 900 + 4 * second, 0, 0, 0, 0);
	ADD(f, "nti", interface_fields, fixture_string(f, "eth0"), 250000 * (second - made),
	    300 * (second - made), 50000 * (second - made), 100 * (second - made), 0, 0,
	    second - made, 0);
}

/* Adds pressure; none is reported in the third second. */
static void add_pressure(struct fixture *f, uint64_t second)
{
	if (second == 3)
		return;
	ADD(f, "psi", pressure_fields, fixture_string(f, "cpu"), (5000 + 400 * second) * MS, 0);
	ADD(f, "psi", pressure_fields, fixture_string(f, "memory"), 70 * MS, 20 * MS);
	ADD(f, "psi", pressure_fields, fixture_string(f, "io"), (900 + 150 * second) * MS,
	    (400 + 50 * second) * MS);
}

/*
 * Adds what the step did in one second: 600 ms on a processor, 250 ready, 150
 * waiting for its file.
 */
static void add_own(struct fixture *f, uint64_t stack)
{
	struct record_step step = { .time = f->time,
				    .interval = NSEC_PER_SEC,
				    .exec = 600 * MS,
				    .wait = 150 * MS,
				    .delay = 250 * MS,
				    .tasks = 1,
				    .resident = 50000,
				    .minor_faults = 300,
				    .read_bytes = 600000,
				    .write_bytes = 8192 };
	struct record_activity activity = { f->time, 1, 600 * MS, 600 * MS, 400 * MS, 400 * MS };
	struct record_wait waits[] = {
		{ .time = f->time, .task = 1, .stack = stack, .reason = WAIT_DISPATCH, .count = 9 },
		{ .time = f->time,
		  .task = 1,
		  .stack = stack,
		  .reason = WAIT_FILE_READ,
		  .file = 1,
		  .count = 5 },
		{ .time = f->time, .task = 1, .stack = stack, .reason = WAIT_SOCKET, .file = 2 },
	};
	static const uint64_t lengths[] = { 250 * MS, 130 * MS, 20 * MS };
	struct record_file_activity files[] = {
		{ .time = f->time,
		  .file = 1,
		  .total = 130 * MS,
		  .busy = 130 * MS,
		  .bytes = 600000 },
		{ .time = f->time, .file = 2, .total = 20 * MS, .busy = 20 * MS, .bytes = 25000 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(waits); i++) {
		waits[i].total = waits[i].charged = waits[i].solo = lengths[i];
		fixture_add(f, RECORD_WAIT, &waits[i]);
	}
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		fixture_add(f, RECORD_FILE_ACTIVITY, &files[i]);
	fixture_add(f, RECORD_STEP, &step);
	fixture_add(f, RECORD_ACTIVITY, &activity);
	fixture_samples(f, 600, stack, 1, SAMPLE_SOLO, 0);
}

/* Adds the header, the step's task, code and files; returns the stack of its samples. */
static uint64_t begin(struct fixture *f)
{
	struct record_task task = { .task = 1,
				    .process = 1,
				    .tid = 4001,
				    .start = f->time - NSEC_PER_SEC,
				    .name = fixture_string(f, "sums") };
	struct record_process process = { .process = 1,
					  .pid = 4001,
					  .start = f->time - NSEC_PER_SEC,
					  .program = task.name,
					  .execs = 1 };
	struct record_file file = { .file = 1,
				    .kind = FILE_REGULAR,
				    .path = fixture_string(f, "/data/sums.dat") };
	struct record_file peer = { .file = 2,
				    .kind = FILE_SOCKET,
				    .path = fixture_string(f, "10.1.2.3:5432") };
	uint64_t object;

	fixture_attribute(f, ATTR_VERSION, "0.1.0");
	fixture_attribute(f, ATTR_PROGRAM, "sums");
	fixture_attribute(f, ATTR_CPUS, "2");
	fixture_attribute(f, ATTR_PRIVILEGE, "USER");
	fixture_number(f, ATTR_START, f->time - NSEC_PER_SEC);
	fixture_number(f, ATTR_PERIOD, MS);
	fixture_add(f, RECORD_TASK, &task);
	fixture_add(f, RECORD_PROCESS, &process);
	fixture_add(f, RECORD_FILE, &file);
	fixture_add(f, RECORD_FILE, &peer);
	object = fixture_object(f, OBJECT_FILE, "/app/sums", "");
	return fixture_stack(f, 0, fixture_frame(f, object, 0x1000, "sums.c", "main", 10, ""));
}

void fixture_system(struct fixture *f)
{
	uint64_t stack = begin(f);

	for (uint64_t second = 1; second <= 6; second++) {
		add_own(f, stack);
		add_machine(f, second);
		add_devices(f, second);
		add_pressure(f, second);
		if (second == 6) {
			fixture_number(f, ATTR_TAKEN, f->taken);
			fixture_number(f, ATTR_PROCESSED, f->taken);
			fixture_number(f, ATTR_END, f->time);
			fixture_number(f, ATTR_COMPLETE, 1);
			fixture_number(f, ATTR_EXIT, 0);
			fixture_number(f, ATTR_OVERHEAD_METRICS, 3 * MS);
		}
		fixture_end_snapshot(f);
	}
}
