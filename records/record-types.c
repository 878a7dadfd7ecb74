/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptions of the record types of a measurement session. */
#include "common/compat.h"
#include "records/record-types.h"
#include "records/event-runs.h"

/* One member per line: */
/* clang-format off */

/*
 * Each description is stored at its member's index, so names and order cannot
 * drift from the struct.
 */
#define MEMBER(record, member, kind, unit, sense, meaning)                                         \
	[offsetof(struct record_##record, member) / sizeof(uint64_t)] = {                          \
		#member, FIELD_##kind, unit, SENSE_##sense, false,                                 \
		offsetof(struct record_##record, member), meaning }

#define OPTIONAL(record, member, kind, unit, sense, meaning)                                       \
	[offsetof(struct record_##record, member) / sizeof(uint64_t)] = {                          \
		#member, FIELD_##kind, unit, SENSE_##sense, true,                                  \
		offsetof(struct record_##record, member), meaning }

static const struct field attribute_fields[] = {
	MEMBER(attribute, key, STRING, "text", NONE, "name of the fact about the session"),
	MEMBER(attribute, value, STRING, "text", NONE, "value of the fact; numbers in decimal"),
};

static const struct field note_fields[] = {
	MEMBER(note, severity, UNSIGNED, "enum", NONE, "0 information, 4 warning, 8 error, 12 severe"),
	MEMBER(note, number, UNSIGNED, "enum", NONE, "digits of the message id"),
	MEMBER(note, text, STRING, "text", NONE, "the message"),
};

static const struct field process_fields[] = {
	MEMBER(process, process, UNSIGNED, "id", NONE, "id of the process"),
	MEMBER(process, pid, UNSIGNED, "id", NONE, "process id in the system"),
	MEMBER(process, parent, UNSIGNED, "id", NONE, "id of the parent, 0 for the first of the step"),
	MEMBER(process, start, UNSIGNED, "ns", NONE, "when it started"),
	MEMBER(process, end, UNSIGNED, "ns", NONE, "when it ended, 0 while it runs"),
	MEMBER(process, program, STRING, "text", NONE, "base name of the executable"),
	MEMBER(process, path, STRING, "text", NONE, "path of the executable"),
	MEMBER(process, execs, UNSIGNED, "count", COUNTER, "number of its calls of exec"),
};

static const struct field task_fields[] = {
	MEMBER(task, task, UNSIGNED, "id", NONE, "id of the thread"),
	MEMBER(task, process, UNSIGNED, "id", NONE, "id of its process"),
	MEMBER(task, tid, UNSIGNED, "id", NONE, "thread id in the system"),
	MEMBER(task, start, UNSIGNED, "ns", NONE, "when it started"),
	MEMBER(task, end, UNSIGNED, "ns", NONE, "when it ended, 0 while it runs"),
	MEMBER(task, name, STRING, "text", NONE, "the thread's name"),
	MEMBER(task, cpu, UNSIGNED, "ns", COUNTER, "time on a processor"),
	MEMBER(task, wait, UNSIGNED, "ns", COUNTER, "time blocked"),
	MEMBER(task, delay, UNSIGNED, "ns", COUNTER, "time runnable but not running"),
	MEMBER(task, switches, UNSIGNED, "count", COUNTER, "number of times it was switched out"),
};

static const struct field object_fields[] = {
	MEMBER(object, object, UNSIGNED, "id", NONE, "id of the object"),
	MEMBER(object, kind, UNSIGNED, "enum", NONE, "1 ELF file, 2 vDSO, 3 kernel, 4 memory without a file, 5 unknown, 6 named by a data collector"),
	MEMBER(object, path, STRING, "text", NONE, "path as mapped"),
	MEMBER(object, build_id, STRING, "text", NONE, "build id in hexadecimal"),
	MEMBER(object, note, STRING, "text", NONE, "why names are missing"),
};

static const struct field frame_fields[] = {
	MEMBER(frame, frame, UNSIGNED, "id", NONE, "id of the address"),
	MEMBER(frame, object, UNSIGNED, "id", NONE, "the object it is in"),
	MEMBER(frame, offset, UNSIGNED, "address", NONE, "address relative to the object"),
};

static const struct field stack_fields[] = {
	MEMBER(stack, stack, UNSIGNED, "id", NONE, "id of the call stack"),
	MEMBER(stack, parent, UNSIGNED, "id", NONE, "the caller, 0 for the outermost"),
	MEMBER(stack, frame, UNSIGNED, "id", NONE, "the innermost address"),
	MEMBER(stack, native, UNSIGNED, "id", NONE,
	       "the stack as it was walked, where data collectors named places, else 0"),
};

static const struct field sample_fields[] = {
	MEMBER(sample, time, UNSIGNED, "ns", NONE, "when it was taken"),
	MEMBER(sample, task, UNSIGNED, "id", NONE, "the thread seen"),
	MEMBER(sample, stack, UNSIGNED, "id", NONE, "its call stack"),
	MEMBER(sample, kind, UNSIGNED, "enum", NONE, "1 user, 2 kernel, 3 kernel estimated, 4 residue of short tasks"),
	MEMBER(sample, flags, UNSIGNED, "enum", NONE, "1 no other task executed, 2 the stack is broken, 4 the stack is cut, being too deep"),
	MEMBER(sample, transaction, UNSIGNED, "id", NONE, "the transaction in force"),
};

static const struct field wait_fields[] = {
	MEMBER(wait, time, UNSIGNED, "ns", NONE, "end of the snapshot"),
	MEMBER(wait, task, UNSIGNED, "id", NONE, "the thread that waited"),
	MEMBER(wait, stack, UNSIGNED, "id", NONE, "where it waited"),
	MEMBER(wait, reason, UNSIGNED, "enum", NONE, "what it waited for"),
	MEMBER(wait, file, UNSIGNED, "id", NONE, "the file it waited for"),
	MEMBER(wait, syscall, UNSIGNED, "enum", NONE, "system call number plus 1"),
	MEMBER(wait, count, UNSIGNED, "count", AMOUNT, "waits that ended"),
	MEMBER(wait, total, UNSIGNED, "ns", AMOUNT, "time blocked"),
	MEMBER(wait, charged, UNSIGNED, "ns", AMOUNT, "part of the step's own wait"),
	MEMBER(wait, solo, UNSIGNED, "ns", AMOUNT, "part of this with no other task waiting"),
	MEMBER(wait, transaction, UNSIGNED, "id", NONE, "the transaction in force"),
	MEMBER(wait, variance, UNSIGNED, "us2", NONE, "variance of total if it is an estimate, 0 exact"),
	MEMBER(wait, holder, UNSIGNED, "id", NONE, "the thread that held the lock"),
	MEMBER(wait, holder_pid, UNSIGNED, "number", NONE, "thread or process that held the lock"),
	MEMBER(wait, holder_stack, UNSIGNED, "id", NONE, "where the thread that held the lock was"),
	MEMBER(wait, laid, UNSIGNED, "ns", AMOUNT, "part of total assigned here by the waits observed"),
	MEMBER(wait, spread, UNSIGNED, "us2", NONE, "variance of laid, if its sum over the task were unknown"),
	MEMBER(wait, delay_variance, UNSIGNED, "us2", NONE, "part of variance due to time ready"),
};

static const struct field activity_fields[] = {
	MEMBER(activity, time, UNSIGNED, "ns", NONE, "end of the snapshot"),
	MEMBER(activity, task, UNSIGNED, "id", NONE, "the thread"),
	MEMBER(activity, cpu, UNSIGNED, "ns", AMOUNT, "time on a processor"),
	MEMBER(activity, cpu_solo, UNSIGNED, "ns", AMOUNT, "part of this with no other task executing"),
	MEMBER(activity, charged, UNSIGNED, "ns", AMOUNT, "part of the step's wait assigned to the thread"),
	MEMBER(activity, charged_solo, UNSIGNED, "ns", AMOUNT, "part of this with no other task waiting"),
};

static const struct field step_fields[] = {
	MEMBER(step, time, UNSIGNED, "ns", NONE, "end of the snapshot"),
	MEMBER(step, interval, UNSIGNED, "ns", AMOUNT, "length of the snapshot"),
	MEMBER(step, exec, UNSIGNED, "ns", AMOUNT, "time with a task on a processor"),
	MEMBER(step, wait, UNSIGNED, "ns", AMOUNT, "time with none on a processor and none runnable"),
	MEMBER(step, delay, UNSIGNED, "ns", AMOUNT, "time with none on a processor and one preempted"),
	MEMBER(step, tasks, UNSIGNED, "count", LEVEL, "threads alive"),
	MEMBER(step, resident, UNSIGNED, "pages", LEVEL, "memory, pages of 4096 bytes"),
	MEMBER(step, minor_faults, UNSIGNED, "count", AMOUNT, "page faults without reading"),
	MEMBER(step, major_faults, UNSIGNED, "count", AMOUNT, "page faults with reading"),
	MEMBER(step, read_bytes, UNSIGNED, "bytes", AMOUNT, "bytes read from devices"),
	MEMBER(step, write_bytes, UNSIGNED, "bytes", AMOUNT, "bytes written to devices"),
	MEMBER(step, read_calls, UNSIGNED, "count", AMOUNT, "number of read calls"),
	MEMBER(step, write_calls, UNSIGNED, "count", AMOUNT, "number of write calls"),
	MEMBER(step, moved_bytes, UNSIGNED, "bytes", AMOUNT, "bytes read and written by these calls"),
};

static const struct field file_fields[] = {
	MEMBER(file, file, UNSIGNED, "id", NONE, "id of the file"),
	MEMBER(file, kind, UNSIGNED, "enum", NONE, "1 regular, 2 directory, 3 socket, 4 pipe, 5 character device, 6 block device, 7 other"),
	MEMBER(file, path, STRING, "text", NONE, "path"),
	MEMBER(file, ddname, STRING, "text", NONE, "name of its DD"),
	MEMBER(file, dsn, STRING, "text", NONE, "name of the data set"),
	MEMBER(file, organization, STRING, "text", NONE, "PS, PO, VS, RR, PIPE, SOCKET"),
	MEMBER(file, recfm, STRING, "text", NONE, "record format"),
	MEMBER(file, lrecl, UNSIGNED, "bytes", LEVEL, "record length"),
	MEMBER(file, device, STRING, "text", NONE, "block device or type of file system"),
	MEMBER(file, open_flags, UNSIGNED, "enum", NONE, "flags of open, plus 1"),
	MEMBER(file, opens, UNSIGNED, "count", COUNTER, "number of times it was found newly opened"),
	MEMBER(file, size_first, UNSIGNED, "bytes", LEVEL, "size when first seen"),
	MEMBER(file, size_last, UNSIGNED, "bytes", LEVEL, "size when last seen"),
	MEMBER(file, block_size, UNSIGNED, "bytes", LEVEL, "preferred block size"),
	MEMBER(file, bytes_known, UNSIGNED, "count", LEVEL, "1: its bytes are known"),
	MEMBER(file, calls_known, UNSIGNED, "count", LEVEL, "1: its calls are known"),
};

static const struct field file_activity_fields[] = {
	MEMBER(file_activity, time, UNSIGNED, "ns", NONE, "end of the snapshot"),
	MEMBER(file_activity, file, UNSIGNED, "id", NONE, "the file"),
	MEMBER(file_activity, waits, UNSIGNED, "count", AMOUNT, "waits that ended"),
	MEMBER(file_activity, total, UNSIGNED, "ns", AMOUNT, "time waited, all threads"),
	MEMBER(file_activity, charged, UNSIGNED, "ns", AMOUNT, "part of the step's own wait"),
	MEMBER(file_activity, charged_solo, UNSIGNED, "ns", AMOUNT, "part of this with no other task waiting"),
	MEMBER(file_activity, busy, UNSIGNED, "ns", AMOUNT, "time with a thread waiting for it"),
	MEMBER(file_activity, busy_solo, UNSIGNED, "ns", AMOUNT, "part of this with no task executing"),
	MEMBER(file_activity, bytes, UNSIGNED, "bytes", AMOUNT, "bytes read and written, as far as known"),
	MEMBER(file_activity, calls, UNSIGNED, "count", AMOUNT, "number of read and write calls, as far as known"),
};

static const struct field transaction_fields[] = {
	MEMBER(transaction, transaction, UNSIGNED, "id", NONE, "id of the transaction"),
	MEMBER(transaction, name, STRING, "text", NONE, "its name; with a leading period for overhead"),
	MEMBER(transaction, count, UNSIGNED, "count", COUNTER, "number of times it was set"),
	MEMBER(transaction, elapsed, UNSIGNED, "ns", COUNTER, "time in force, all threads"),
	MEMBER(transaction, seen, UNSIGNED, "count", COUNTER,
	       "part of count: begins seen by data collectors in samples"),
	MEMBER(transaction, told, UNSIGNED, "count", COUNTER,
	       "number of begins according to the program's own count, 0 unknown"),
	MEMBER(transaction, told_exact, UNSIGNED, "flag", NONE, "1: told is exact"),
};

static const struct field name_fields[] = {
	MEMBER(name, frame, UNSIGNED, "id", NONE, "the address"),
	MEMBER(name, depth, UNSIGNED, "count", LEVEL, "level of inlining, 0 innermost"),
	MEMBER(name, section, STRING, "text", NONE, "source file of the compilation unit"),
	MEMBER(name, procedure, STRING, "text", NONE, "function, or COBOL section or paragraph"),
	MEMBER(name, start, UNSIGNED, "address", NONE, "start of the procedure in the object"),
	MEMBER(name, size, UNSIGNED, "bytes", LEVEL, "length of the procedure"),
	MEMBER(name, line, UNSIGNED, "line", NONE, "line of the source"),
	MEMBER(name, file, STRING, "text", NONE, "path of the source"),
	MEMBER(name, language, STRING, "text", NONE, "programming language"),
	MEMBER(name, text, STRING, "text", NONE, "the source line"),
};

static const struct field collector_fields[] = {
	MEMBER(collector, collector, UNSIGNED, "id", NONE, "id of the data collector"),
	MEMBER(collector, name, STRING, "text", NONE, "its name"),
	MEMBER(collector, generation, STRING, "text", NONE, "its generation"),
	MEMBER(collector, path, STRING, "text", NONE, "where it was found"),
	MEMBER(collector, origin, UNSIGNED, "enum", NONE, "1 comes with vigil, 2 found by its name, 3 named by the request"),
	MEMBER(collector, problem, STRING, "text", NONE, "why it was not loaded or was switched off"),
	MEMBER(collector, calls, UNSIGNED, "count", COUNTER, "number of calls"),
	MEMBER(collector, answers, UNSIGNED, "count", COUNTER, "answers accepted"),
	MEMBER(collector, outside, UNSIGNED, "count", COUNTER, "answers whose range does not contain the address"),
	MEMBER(collector, torn, UNSIGNED, "count", COUNTER, "answers it rejected itself"),
	MEMBER(collector, late, UNSIGNED, "count", COUNTER, "samples that it did not answer in time"),
	MEMBER(collector, cost, UNSIGNED, "ns", COUNTER, "time in its entry point"),
	MEMBER(collector, delay, UNSIGNED, "ns", LEVEL, "from a sample to the last read of memory, median"),
	MEMBER(collector, delay_most, UNSIGNED, "ns", LEVEL, "the same, longest"),
	MEMBER(collector, held, UNSIGNED, "count", COUNTER, "calls with the task held"),
	MEMBER(collector, loaded, UNSIGNED, "enum", NONE, "1 it was loaded"),
};

static const struct field clock_fields[] = {
	MEMBER(clock, time, UNSIGNED, "ns", NONE, "the moment on the monotonic clock"),
	MEMBER(clock, wall, UNSIGNED, "ns", NONE, "the same moment since 1970 UTC"),
};

static const struct field pseudo_section_fields[] = {
	MEMBER(pseudo_section, entry, UNSIGNED, "id", NONE, "id of the entry"),
	MEMBER(pseudo_section, collector, UNSIGNED, "id", NONE, "the data collector that made it"),
	MEMBER(pseudo_section, prefix, STRING, "text", NONE, "first characters of names of modules"),
	MEMBER(pseudo_section, section, STRING, "text", NONE, "pseudo-section they are reported under"),
};

/* Every member of a struct must be described. */
static const struct field event_fields[] = {
	MEMBER(event, time, UNSIGNED, "ns", NONE, "when"),
	MEMBER(event, idle, SIGNED, "ns", NONE, "time minus the CPU time that the thread had used until then"),
	MEMBER(event, task, UNSIGNED, "id", NONE, "the thread, 0 for the whole session"),
	MEMBER(event, site, UNSIGNED, "id", NONE, "what happened and where"),
	MEMBER(event, level, UNSIGNED, "count", LEVEL, "number of active programs of the thread"),
	OPTIONAL(event, code, SIGNED, "enum", NONE, "return code, error number or user-defined number"),
	MEMBER(event, data, STRING, "text", NONE, "statement text, path or user data"),
	MEMBER(event, transaction, UNSIGNED, "id", NONE, "transaction in force"),
};

static const struct field event_run_fields[] = {
	MEMBER(event_run, times, BYTES, "bytes", NONE, "time from each slot to the next"),
	MEMBER(event_run, numbers, BYTES, "bytes", NONE, "number of the step of each slot"),
	MEMBER(event_run, steps, BYTES, "bytes", NONE, "what the slots report, with sums"),
	MEMBER(event_run, clocks, BYTES, "bytes", NONE, "how the CPU time grows"),
	MEMBER(event_run, task, UNSIGNED, "id", NONE, "the thread"),
	MEMBER(event_run, count, UNSIGNED, "count", AMOUNT, "number of events"),
	MEMBER(event_run, level, UNSIGNED, "count", LEVEL, "number of active programs at the event before, or at the first one"),
	MEMBER(event_run, time, UNSIGNED, "ns", NONE, "when the first slot was written"),
	MEMBER(event_run, end, UNSIGNED, "ns", NONE, "when the last slot was written"),
	MEMBER(event_run, cpu, SIGNED, "ns", NONE, "CPU time of the thread at the first slot"),
	MEMBER(event_run, end_cpu, SIGNED, "ns", NONE, "CPU time of the thread at the last slot"),
	MEMBER(event_run, transaction, UNSIGNED, "id", NONE, "the transaction, in a run that has sums alone"),
};

static const struct field event_site_fields[] = {
	MEMBER(event_site, site, UNSIGNED, "id", NONE, "id of the site"),
	MEMBER(event_site, type, UNSIGNED, "enum", NONE, "type of its events, as vigil-dataset(5) lists them"),
	MEMBER(event_site, kind, UNSIGNED, "enum", NONE, "0 the session, 1 a program, 2 a function"),
	MEMBER(event_site, library, STRING, "text", NONE, "folder of the object or script"),
	MEMBER(event_site, program, STRING, "text", NONE, "the program or function"),
	MEMBER(event_site, object, STRING, "text", NONE, "file name of the object or script"),
	MEMBER(event_site, procedure, STRING, "text", NONE, "section or paragraph"),
	MEMBER(event_site, line, UNSIGNED, "line", NONE, "line of the source, 0 unknown"),
	MEMBER(event_site, file, STRING, "text", NONE, "source file of the line"),
	MEMBER(event_site, statement, STRING, "text", NONE, "verb of the statement, or called function"),
	MEMBER(event_site, database, STRING, "text", NONE, "name or file of the database"),
	MEMBER(event_site, counted, UNSIGNED, "count", NONE, "statements of the program that were counted instead of recorded"),
};

static const struct field event_sum_fields[] = {
	MEMBER(event_sum, site, UNSIGNED, "id", NONE, "what happened and where"),
	MEMBER(event_sum, transaction, UNSIGNED, "id", NONE, "transaction in force"),
	MEMBER(event_sum, hits, UNSIGNED, "count", COUNTER, "number of events"),
	MEMBER(event_sum, cpu, UNSIGNED, "ns", COUNTER, "CPU time until the next event"),
	MEMBER(event_sum, elapsed, UNSIGNED, "ns", COUNTER, "elapsed time until the next event"),
	MEMBER(event_sum, database, UNSIGNED, "ns", COUNTER, "elapsed time in database calls"),
};

static const struct field tape_fields[] = {
	MEMBER(tape, bytes, BYTES, "bytes", NONE, "entries of the tape, or a part of them"),
	MEMBER(tape, piece, UNSIGNED, "id", NONE, "number of the piece"),
	MEMBER(tape, part, UNSIGNED, "id", NONE, "number of the part in the piece, from 0"),
	MEMBER(tape, parts, UNSIGNED, "count", LEVEL, "number of parts of the piece"),
};

static const struct field coverage_program_fields[] = {
	MEMBER(coverage_program, program, UNSIGNED, "id", NONE, "number of the program"),
	MEMBER(coverage_program, means, UNSIGNED, "enum", NONE, "0 by places, 1 by statement events"),
	MEMBER(coverage_program, library, STRING, "text", NONE, "folder of the object"),
	MEMBER(coverage_program, object, STRING, "text", NONE, "file name of the object"),
	MEMBER(coverage_program, build_id, STRING, "text", NONE, "build id of the object"),
	MEMBER(coverage_program, name, STRING, "text", NONE, "the program"),
	MEMBER(coverage_program, source, STRING, "text", NONE, "source of the program"),
	MEMBER(coverage_program, language, STRING, "text", NONE, "language of the source"),
	MEMBER(coverage_program, optimised, UNSIGNED, "flag", NONE, "1 compiled with optimisation"),
	MEMBER(coverage_program, partial, UNSIGNED, "flag", NONE, "1 statements are missing"),
	MEMBER(coverage_program, reason, STRING, "text", NONE, "why statements are missing"),
};

static const struct field coverage_statement_fields[] = {
	MEMBER(coverage_statement, statement, UNSIGNED, "id", NONE, "number of the statement"),
	MEMBER(coverage_statement, program, UNSIGNED, "id", NONE, "its program"),
	MEMBER(coverage_statement, procedure, STRING, "text", NONE, "section, paragraph or function"),
	MEMBER(coverage_statement, file, STRING, "text", NONE, "source file of the line"),
	MEMBER(coverage_statement, line, UNSIGNED, "line", NONE, "line of the source"),
	MEMBER(coverage_statement, ordinal, UNSIGNED, "count", NONE, "number of the statement in the line"),
	MEMBER(coverage_statement, verb, STRING, "text", NONE, "verb of the statement"),
	MEMBER(coverage_statement, count, UNSIGNED, "count", COUNTER, "number of times it was executed"),
};

static const struct field coverage_place_fields[] = {
	MEMBER(coverage_place, place, UNSIGNED, "id", NONE, "number of the place"),
	MEMBER(coverage_place, statement, UNSIGNED, "id", NONE, "its statement"),
	MEMBER(coverage_place, start, UNSIGNED, "address", NONE, "first instruction"),
	MEMBER(coverage_place, end, UNSIGNED, "address", NONE, "first address after the last instruction"),
	MEMBER(coverage_place, block, UNSIGNED, "id", NONE, "block of the line, 0 none"),
	MEMBER(coverage_place, executed, UNSIGNED, "flag", NONE, "1 executed"),
};

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
CHECK(clock);
CHECK(event);
CHECK(event_run);
CHECK(event_site);
CHECK(event_sum);
CHECK(coverage_program);
CHECK(coverage_statement);
CHECK(coverage_place);

#define RECORD(id, record, meaning)                                                                \
	[RECORD_##id] = { RECORD_##id, #record, record##_fields, ARRAY_SIZE(record##_fields),      \
			  sizeof(struct record_##record), meaning }

const struct record_type record_types[RECORD_ID_COUNT] = {
	RECORD(ATTRIBUTE, attribute, "a fact about the session"),
	RECORD(NOTE, note, "a message about the session"),
	RECORD(PROCESS, process, "a process of the step"),
	RECORD(TASK, task, "a thread of the step"),
	RECORD(OBJECT, object, "where instructions come from"),
	RECORD(FRAME, frame, "an address that was seen"),
	RECORD(STACK, stack, "a node of the tree of call stacks"),
	RECORD(SAMPLE, sample, "a task that was seen executing"),
	RECORD(WAIT, wait, "waits of one task at one place in one snapshot"),
	RECORD(ACTIVITY, activity, "what one task did in one snapshot"),
	RECORD(STEP, step, "the whole step over one snapshot"),
	RECORD(FILE, file, "a file the step used"),
	RECORD(FILE_ACTIVITY, file_activity, "waits for one file in one snapshot"),
	RECORD(TRANSACTION, transaction, "a transaction"),
	RECORD(NAME, name, "what an address means"),
	RECORD(COLLECTOR, collector, "a data collector and its results"),
	RECORD(CLOCK, clock, "relation of the monotonic clock to the time of day"),
	[RECORD_EVENT] = { RECORD_EVENT, "event", event_fields, ARRAY_SIZE(event_fields),
			   sizeof(struct record_event), "an event", .many = true },
	RECORD(EVENT_SITE, event_site, "where events happen"),
	RECORD(EVENT_SUM, event_sum, "consolidated events of the same site and transaction"),
	RECORD(COVERAGE_PROGRAM, coverage_program, "a program whose statements are covered"),
	RECORD(COVERAGE_STATEMENT, coverage_statement, "a statement, executed or not"),
	RECORD(COVERAGE_PLACE, coverage_place, "instructions of a statement, executed or not"),
	[RECORD_EVENT_RUN] = { RECORD_EVENT_RUN, "event_run", event_run_fields,
			       ARRAY_SIZE(event_run_fields), sizeof(struct record_event_run),
			       "plain events in a row", .many = true, .expand = event_runs_expand },
	[RECORD_TAPE] = { RECORD_TAPE, "tape", tape_fields, ARRAY_SIZE(tape_fields),
			  sizeof(struct record_tape), "what a session learned", .many = true },
	RECORD(PSEUDO_SECTION, pseudo_section, "modules reported under a pseudo-section"),
};

const struct record_catalogue session_records = { record_types, RECORD_ID_COUNT };
