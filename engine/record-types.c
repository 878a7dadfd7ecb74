/* SPDX-License-Identifier: Apache-2.0 */
/* The descriptions of the records of a measurement session. */
#include "common/compat.h"
#include "engine/record-types.h"

/* One member a line: */
/* clang-format off */

/* A member stands at its own place, so names and order cannot drift from the struct. */
#define MEMBER(record, member, kind, unit)                                                         \
	[offsetof(struct record_##record, member) / sizeof(uint64_t)] = { #member, FIELD_##kind, unit }

static const struct field attribute_fields[] = {
	MEMBER(attribute, key, STRING, "text"),
	MEMBER(attribute, value, STRING, "text"),
};

static const struct field note_fields[] = {
	MEMBER(note, severity, UNSIGNED, "enum"),
	MEMBER(note, number, UNSIGNED, "enum"),
	MEMBER(note, text, STRING, "text"),
};

static const struct field process_fields[] = {
	MEMBER(process, process, UNSIGNED, "id"),
	MEMBER(process, pid, UNSIGNED, "id"),
	MEMBER(process, parent, UNSIGNED, "id"),
	MEMBER(process, start, UNSIGNED, "ns"),
	MEMBER(process, end, UNSIGNED, "ns"),
	MEMBER(process, program, STRING, "text"),
	MEMBER(process, path, STRING, "text"),
	MEMBER(process, execs, UNSIGNED, "count"),
};

static const struct field task_fields[] = {
	MEMBER(task, task, UNSIGNED, "id"),
	MEMBER(task, process, UNSIGNED, "id"),
	MEMBER(task, tid, UNSIGNED, "id"),
	MEMBER(task, start, UNSIGNED, "ns"),
	MEMBER(task, end, UNSIGNED, "ns"),
	MEMBER(task, name, STRING, "text"),
	MEMBER(task, cpu, UNSIGNED, "ns"),
	MEMBER(task, wait, UNSIGNED, "ns"),
	MEMBER(task, delay, UNSIGNED, "ns"),
	MEMBER(task, switches, UNSIGNED, "count"),
};

static const struct field object_fields[] = {
	MEMBER(object, object, UNSIGNED, "id"),
	MEMBER(object, kind, UNSIGNED, "enum"),
	MEMBER(object, path, STRING, "text"),
	MEMBER(object, build_id, STRING, "text"),
	MEMBER(object, note, STRING, "text"),
};

static const struct field frame_fields[] = {
	MEMBER(frame, frame, UNSIGNED, "id"),
	MEMBER(frame, object, UNSIGNED, "id"),
	MEMBER(frame, offset, UNSIGNED, "address"),
};

static const struct field stack_fields[] = {
	MEMBER(stack, stack, UNSIGNED, "id"),
	MEMBER(stack, parent, UNSIGNED, "id"),
	MEMBER(stack, frame, UNSIGNED, "id"),
};

static const struct field sample_fields[] = {
	MEMBER(sample, time, UNSIGNED, "ns"),
	MEMBER(sample, task, UNSIGNED, "id"),
	MEMBER(sample, stack, UNSIGNED, "id"),
	MEMBER(sample, kind, UNSIGNED, "enum"),
	MEMBER(sample, flags, UNSIGNED, "enum"),
	MEMBER(sample, transaction, UNSIGNED, "id"),
};

static const struct field wait_fields[] = {
	MEMBER(wait, time, UNSIGNED, "ns"),
	MEMBER(wait, task, UNSIGNED, "id"),
	MEMBER(wait, stack, UNSIGNED, "id"),
	MEMBER(wait, reason, UNSIGNED, "enum"),
	MEMBER(wait, file, UNSIGNED, "id"),
	MEMBER(wait, syscall, UNSIGNED, "enum"),
	MEMBER(wait, count, UNSIGNED, "count"),
	MEMBER(wait, total, UNSIGNED, "ns"),
	MEMBER(wait, charged, UNSIGNED, "ns"),
	MEMBER(wait, solo, UNSIGNED, "ns"),
	MEMBER(wait, transaction, UNSIGNED, "id"),
};

static const struct field activity_fields[] = {
	MEMBER(activity, time, UNSIGNED, "ns"),
	MEMBER(activity, task, UNSIGNED, "id"),
	MEMBER(activity, cpu, UNSIGNED, "ns"),
	MEMBER(activity, cpu_solo, UNSIGNED, "ns"),
	MEMBER(activity, charged, UNSIGNED, "ns"),
	MEMBER(activity, charged_solo, UNSIGNED, "ns"),
};

static const struct field step_fields[] = {
	MEMBER(step, time, UNSIGNED, "ns"),
	MEMBER(step, interval, UNSIGNED, "ns"),
	MEMBER(step, exec, UNSIGNED, "ns"),
	MEMBER(step, wait, UNSIGNED, "ns"),
	MEMBER(step, delay, UNSIGNED, "ns"),
	MEMBER(step, tasks, UNSIGNED, "count"),
	MEMBER(step, resident, UNSIGNED, "pages"),
	MEMBER(step, minor_faults, UNSIGNED, "count"),
	MEMBER(step, major_faults, UNSIGNED, "count"),
	MEMBER(step, read_bytes, UNSIGNED, "bytes"),
	MEMBER(step, write_bytes, UNSIGNED, "bytes"),
	MEMBER(step, read_calls, UNSIGNED, "count"),
	MEMBER(step, write_calls, UNSIGNED, "count"),
};

static const struct field file_fields[] = {
	MEMBER(file, file, UNSIGNED, "id"),
	MEMBER(file, kind, UNSIGNED, "enum"),
	MEMBER(file, path, STRING, "text"),
	MEMBER(file, ddname, STRING, "text"),
	MEMBER(file, dsn, STRING, "text"),
	MEMBER(file, organization, STRING, "text"),
	MEMBER(file, recfm, STRING, "text"),
	MEMBER(file, lrecl, UNSIGNED, "bytes"),
	MEMBER(file, device, STRING, "text"),
	MEMBER(file, open_flags, UNSIGNED, "enum"),
	MEMBER(file, opens, UNSIGNED, "count"),
	MEMBER(file, size_first, UNSIGNED, "bytes"),
	MEMBER(file, size_last, UNSIGNED, "bytes"),
	MEMBER(file, block_size, UNSIGNED, "bytes"),
};

static const struct field file_activity_fields[] = {
	MEMBER(file_activity, time, UNSIGNED, "ns"),
	MEMBER(file_activity, file, UNSIGNED, "id"),
	MEMBER(file_activity, waits, UNSIGNED, "count"),
	MEMBER(file_activity, total, UNSIGNED, "ns"),
	MEMBER(file_activity, charged, UNSIGNED, "ns"),
	MEMBER(file_activity, charged_solo, UNSIGNED, "ns"),
	MEMBER(file_activity, busy, UNSIGNED, "ns"),
	MEMBER(file_activity, busy_solo, UNSIGNED, "ns"),
	MEMBER(file_activity, bytes, UNSIGNED, "bytes"),
};

static const struct field transaction_fields[] = {
	MEMBER(transaction, transaction, UNSIGNED, "id"),
	MEMBER(transaction, name, STRING, "text"),
	MEMBER(transaction, count, UNSIGNED, "count"),
	MEMBER(transaction, elapsed, UNSIGNED, "ns"),
};

static const struct field name_fields[] = {
	MEMBER(name, frame, UNSIGNED, "id"),
	MEMBER(name, depth, UNSIGNED, "count"),
	MEMBER(name, section, STRING, "text"),
	MEMBER(name, procedure, STRING, "text"),
	MEMBER(name, start, UNSIGNED, "address"),
	MEMBER(name, size, UNSIGNED, "bytes"),
	MEMBER(name, line, UNSIGNED, "line"),
	MEMBER(name, file, STRING, "text"),
	MEMBER(name, language, STRING, "text"),
	MEMBER(name, text, STRING, "text"),
};

static const struct field collector_fields[] = {
	MEMBER(collector, collector, UNSIGNED, "id"),
	MEMBER(collector, name, STRING, "text"),
	MEMBER(collector, generation, STRING, "text"),
	MEMBER(collector, path, STRING, "text"),
	MEMBER(collector, origin, UNSIGNED, "enum"),
	MEMBER(collector, problem, STRING, "text"),
	MEMBER(collector, calls, UNSIGNED, "count"),
	MEMBER(collector, answers, UNSIGNED, "count"),
	MEMBER(collector, outside, UNSIGNED, "count"),
	MEMBER(collector, torn, UNSIGNED, "count"),
	MEMBER(collector, late, UNSIGNED, "count"),
	MEMBER(collector, cost, UNSIGNED, "ns"),
	MEMBER(collector, delay, UNSIGNED, "ns"),
	MEMBER(collector, delay_most, UNSIGNED, "ns"),
	MEMBER(collector, held, UNSIGNED, "count"),
	MEMBER(collector, loaded, UNSIGNED, "enum"),
};

static const struct field pseudo_section_fields[] = {
	MEMBER(pseudo_section, entry, UNSIGNED, "id"),
	MEMBER(pseudo_section, collector, UNSIGNED, "id"),
	MEMBER(pseudo_section, prefix, STRING, "text"),
	MEMBER(pseudo_section, section, STRING, "text"),
};

/* Every member of a struct must be described. */
#define CHECK(record)                                                                              \
	static_assert(ARRAY_SIZE(record##_fields) * sizeof(uint64_t) ==                            \
			      sizeof(struct record_##record),                                      \
		      "a member of record " #record " has no description")
CHECK(attribute);
CHECK(note);
CHECK(process);
CHECK(task);
CHECK(object);
CHECK(frame);
CHECK(stack);
CHECK(sample);
CHECK(wait);
CHECK(activity);
CHECK(step);
CHECK(file);
CHECK(file_activity);
CHECK(transaction);
CHECK(name);
CHECK(collector);
CHECK(pseudo_section);

#define RECORD(id, record)                                                                         \
	[RECORD_##id] = { RECORD_##id, #record, record##_fields, ARRAY_SIZE(record##_fields) }

const struct record_type record_types[RECORD_ID_COUNT] = {
	RECORD(ATTRIBUTE, attribute),
	RECORD(NOTE, note),
	RECORD(PROCESS, process),
	RECORD(TASK, task),
	RECORD(OBJECT, object),
	RECORD(FRAME, frame),
	RECORD(STACK, stack),
	RECORD(SAMPLE, sample),
	RECORD(WAIT, wait),
	RECORD(ACTIVITY, activity),
	RECORD(STEP, step),
	RECORD(FILE, file),
	RECORD(FILE_ACTIVITY, file_activity),
	RECORD(TRANSACTION, transaction),
	RECORD(NAME, name),
	RECORD(COLLECTOR, collector),
	RECORD(PSEUDO_SECTION, pseudo_section),
};
