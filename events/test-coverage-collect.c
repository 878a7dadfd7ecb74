/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the monitor's side of coverage, on objects compiled for them. */
#include "common/compat.h"
#include "events/coverage-events.h"
#include "events/coverage-merge.h"
#include "events/coverage-server.h"
#include "events/run-time.h"
#include "engine/dataset.h"
#include "program/names/test-names-subject.h"
#include "records/record-types.h"

#include <setjmp.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* Lines 4, 5, 7 and 11 to 13 have statements. */
static const char program_text[] = "static int choose(int value)\n"
				   "{\n"
				   "	/* a comment */\n"
				   "	if (value > 1)\n"
				   "		return 1;\n"
				   "	else\n"
				   "		return 2;\n"
				   "}\n"
				   "int main(void)\n"
				   "{\n"
				   "	volatile int sum = 0;\n"
				   "	sum += choose(2);\n"
				   "	return sum - 1;\n"
				   "}\n";

static void build(const char *options)
{
	subject_put("program.c", program_text);
	assert_true(subject_run("gcc %s -o program program.c", options));
}

/* Reads the plan of the program. */
static void plan_of(struct coverage_plan *plan, struct subject *subject,
		    const struct event_request *request)
{
	subject_open(subject, "program");
	coverage_plan_read(plan, subject->names, subject->object, request);
}

/* Returns the number of statements of a line. */
static size_t statements_at(const struct coverage_plan *plan, uint64_t line)
{
	size_t count = 0;

	for (size_t i = 0; i < plan->statement_count; i++)
		count += plan->statements[i].line == line;
	return count;
}

static void statements_are_those_of_the_source(void **state UNUSED)
{
	static const unsigned char expected[15] = {
		[4] = 1, [5] = 1, [7] = 1, [11] = 1, [12] = 1, [13] = 1
	};
	const struct event_request request = { .coverage = true };
	struct coverage_plan plan;
	struct subject subject;

	build("-g -O0");
	plan_of(&plan, &subject, &request);
	assert_int_equal(plan.program_count, 1);
	assert_string_equal(plan.programs[0].name, "program.c");
	assert_string_equal(plan.programs[0].language, "C");
	assert_false(plan.programs[0].optimised);
	assert_null(plan.programs[0].reason);
	assert_string_equal(plan.object, "program");
	assert_false(plan.foreign);
	for (uint64_t line = 0; line < 15; line++)
		assert_int_equal(statements_at(&plan, line), expected[line]);
	assert_true(plan.address_count >= plan.statement_count);
	for (size_t i = 1; i < plan.address_count; i++)
		assert_true(plan.addresses[i - 1] < plan.addresses[i]);
	for (size_t i = 0; i < plan.address_count; i++) {
		uint32_t bytes = 0;

		memcpy(&bytes, object_bytes(subject.object, plan.addresses[i], COVERAGE_BREAK_SIZE),
		       COVERAGE_BREAK_SIZE);
		assert_int_equal(plan.bytes[i], bytes);
	}
	for (size_t i = 0; i < plan.place_count; i++)
		for (uint32_t j = 0; j < plan.places[i].watch_count; j++)
			assert_true(plan.watches[plan.places[i].first + j] < plan.address_count);
	coverage_plan_release(&plan);
	subject_close(&subject);
}

static void optimisation_and_missing_lines_are_told(void **state UNUSED)
{
	const struct event_request request = { .coverage = true };
	struct coverage_plan plan;
	struct subject subject;

	build("-g -O2");
	plan_of(&plan, &subject, &request);
	assert_int_equal(plan.program_count, 1);
	assert_true(plan.programs[0].optimised);
	coverage_plan_release(&plan);
	subject_close(&subject);
	/* The last of several options counts. */
	build("-g -O2 -O0");
	plan_of(&plan, &subject, &request);
	assert_false(plan.programs[0].optimised);
	coverage_plan_release(&plan);
	subject_close(&subject);
	build("");
	plan_of(&plan, &subject, &request);
	assert_int_equal(plan.statement_count, 0);
	assert_false(plan.foreign);
	assert_string_equal(plan.reason, "no line information; compile with -g");
	coverage_plan_release(&plan);
	subject_close(&subject);
}

/*
 * All that is left of a function may have the line of its last brace. The
 * statement that begins there is then executed when the brace is; statements with
 * instructions elsewhere are known by those, and a brace at which no statement
 * begins is none.
 */
static void a_statement_is_found_behind_a_brace(void **state UNUSED)
{
	static const unsigned char expected[20] = { [3] = 1, [7] = 1, [13] = 1 };
	const struct event_request request = { .coverage = true };
	struct coverage_plan plan;
	struct subject subject;

	subject_put("brace.c", "int constant(void)\n"
			       "{\n"
			       "	return 7;\n"
			       "}\n"
			       "int one(int a)\n"
			       "{\n"
			       "	return a + 1;\n"
			       "}\n"
			       "void empty(void)\n"
			       "{\n"
			       "}\n"
			       "int main(void)\n"
			       "{ return 3;\n"
			       "}\n");
	assert_true(subject_run("gcc -g -O2 -o program brace.c"));
	plan_of(&plan, &subject, &request);
	assert_int_equal(plan.program_count, 1);
	for (uint64_t line = 0; line < ARRAY_SIZE(expected); line++)
		assert_int_equal(statements_at(&plan, line), expected[line]);
	assert_int_equal(plan.address_count, 3);
	coverage_plan_release(&plan);
	subject_close(&subject);
}

static void filters_choose(void **state UNUSED)
{
	struct event_program_filter filter = { .program = "PROGRAM.*",
					       .line_from = 5,
					       .line_to = 11 };
	const struct event_request request = { .coverage = true,
					       .programs = &filter,
					       .program_count = 1 };
	struct coverage_plan plan;
	struct subject subject;

	build("-g -O0");
	plan_of(&plan, &subject, &request);
	assert_int_equal(plan.statement_count, 3);
	assert_int_equal(statements_at(&plan, 4), 0);
	assert_int_equal(statements_at(&plan, 5), 1);
	coverage_plan_release(&plan);
	subject_close(&subject);
	filter = (struct event_program_filter){ .library = "/nowhere/*" };
	plan_of(&plan, &subject, &request);
	assert_int_equal(plan.statement_count, 0);
	assert_true(plan.foreign);
	coverage_plan_release(&plan);
	subject_close(&subject);
	assert_true(event_is_run_time("libc.so.6"));
	assert_true(event_is_run_time("vigil-events.so"));
	assert_false(event_is_run_time("PAYROLL"));
}

/* Requests a file from the server as a process does; returns the state of its entry. */
static uint32_t ask(struct coverage_area *area, unsigned number, const char *name)
{
	struct coverage_entry *entry = &area->entries[number];
	struct stat status;

	snprintf(entry->path, sizeof(entry->path), "%s/%s", subject_folder, name);
	assert_int_equal(stat(entry->path, &status), 0);
	entry->pid = (uint64_t)getpid();
	entry->device = status.st_dev;
	entry->inode = status.st_ino;
	entry->size = (uint64_t)status.st_size;
	entry->time =
		(uint64_t)status.st_mtim.tv_sec * 1000000000 + (uint64_t)status.st_mtim.tv_nsec;
	__atomic_store_n(&area->states[number], COVERAGE_ENTRY_ASKED, __ATOMIC_RELEASE);
	for (int i = 0; i < 10000; i++) {
		uint32_t now = __atomic_load_n(&area->states[number], __ATOMIC_ACQUIRE);

		if (now != COVERAGE_ENTRY_ASKED)
			return now;
		usleep(1000);
	}
	return COVERAGE_ENTRY_ASKED;
}

/* Marks all places of an entry. */
static void mark_all(const struct coverage_entry *entry)
{
	FILE *file = fopen(entry->places, "r+");
	struct coverage_places head;
	char *memory;

	assert_non_null(file);
	assert_int_equal(fread(&head, sizeof(head), 1, file), 1);
	assert_true(head.magic == COVERAGE_PLACES_MAGIC && head.marks % 4096 == 0);
	memory = mmap(NULL, head.size, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
	assert_true(memory != MAP_FAILED);
	memset(memory + head.marks, COVERAGE_EXECUTED, head.count);
	memcpy(memory + head.tally, &head.count, sizeof(head.count));
	/* A program that overwrites what it should only read does not harm the monitor. */
	memset(memory, 0xff, sizeof(head));
	munmap(memory, head.size);
	fclose(file);
}

static void the_server_answers_once(void **state UNUSED)
{
	const struct event_request request = { .coverage = true, .started = true };
	struct error err = ERROR_INIT;
	struct coverage_server *server = coverage_server_new(&request, NULL, &err);
	struct coverage_served *served;
	struct coverage_area *area;

	build("-g -O0");
	assert_non_null(server);
	area = (struct coverage_area *)(uintptr_t)coverage_server_area(server);
	assert_int_equal(area->active, 1);
	assert_null(coverage_server_object(server, 0));
	assert_int_equal(ask(area, 17, "program"), COVERAGE_ENTRY_PLACES);
	assert_int_equal(ask(area, 4000, "program"), COVERAGE_ENTRY_PLACES);
	assert_string_equal(area->entries[17].places, area->entries[4000].places);
	assert_int_equal(ask(area, 18, "program.c"), COVERAGE_ENTRY_NOTHING);
	served = coverage_server_object(server, 0);
	assert_non_null(served);
	assert_int_equal(coverage_served_tally(served), 0);
	assert_false(coverage_served_executed(served, 0));
	mark_all(&area->entries[17]);
	assert_int_equal(coverage_served_tally(served), served->plan.address_count);
	for (size_t i = 0; i < served->plan.address_count; i++)
		assert_true(coverage_served_executed(served, (uint32_t)i));
	assert_null(coverage_server_object(server, 2));
	coverage_server_free(server);
	error_release(&err);
}

static uint64_t string(struct engine *engine, const char *text)
{
	return engine_string(engine, text);
}

/* Returns a site in the program PAY. */
static struct record_event_site site_of_pay(struct engine *engine, uint64_t site, uint64_t type,
					    uint64_t line, const char *statement)
{
	return (struct record_event_site){
		.site = site,
		.type = type,
		.kind = EVENT_KIND_PROGRAM,
		.line = line,
		.program = string(engine, "PAY"),
		.object = string(engine, "pay"),
		.library = string(engine, "/opt"),
		.file = string(engine, "pay.cob"),
		.statement = statement ? string(engine, statement) : 0,
	};
}

static void statement_events_are_counted(void **state UNUSED)
{
	struct engine *engine = engine_new(&session_records);
	const struct record_event_site sites[] = {
		site_of_pay(engine, 1, EVENT_PS, 0, NULL),
		site_of_pay(engine, 2, EVENT_NS, 12, "MOVE"),
		site_of_pay(engine, 3, EVENT_NS, 12, "ADD"),
	};
	struct coverage_events events;
	struct snapshot snapshot;
	const struct recordset *rows;
	const struct record_coverage_statement *second;

	snapshot_init(&snapshot, engine_types(engine));
	coverage_events_init(&events, engine);
	for (size_t i = 0; i < ARRAY_SIZE(sites); i++)
		recordset_add(snapshot_set(&snapshot, RECORD_EVENT_SITE), &sites[i]);
	for (uint64_t i = 0; i < 10; i++)
		recordset_add(snapshot_set(&snapshot, RECORD_EVENT),
			      &(struct record_event){ .site = 1 + i % 3 });
	coverage_events_apply(&events, &snapshot);
	assert_int_equal(snapshot_records(&snapshot, RECORD_EVENT)->count, 0);
	assert_int_equal(snapshot_records(&snapshot, RECORD_EVENT_SITE)->count, 0);
	assert_true(coverage_events_have(&events, "/opt", "pay"));
	assert_false(coverage_events_have(&events, "/opt", "other"));
	coverage_events_put(&events, &snapshot);
	assert_int_equal(snapshot_records(&snapshot, RECORD_COVERAGE_PROGRAM)->count, 1);
	rows = snapshot_records(&snapshot, RECORD_COVERAGE_STATEMENT);
	assert_int_equal(rows->count, 2);
	second = recordset_get(rows, 1);
	assert_int_equal(second->count, 3);
	assert_int_equal(second->ordinal, 2);
	assert_int_equal(second->line, 12);
	snapshot_clear(&snapshot);
	coverage_events_forget(&events, "/opt", "pay");
	coverage_events_put(&events, &snapshot);
	assert_true(snapshot_is_empty(&snapshot));
	coverage_events_release(&events);
	snapshot_release(&snapshot);
	engine_free(engine);
}

/* Writes a data set with one program of two statements, with two places each. */
static void write_coverage(const char *path, const char *build_id, uint64_t line, uint64_t executed)
{
	struct error err = ERROR_INIT;
	struct dataset_writer *writer;
	struct strmap strings;
	struct registry types;
	struct snapshot snapshot;
	struct record_coverage_program program = { .program = 40 };

	strmap_init(&strings);
	registry_init(&types, &session_records);
	snapshot_init(&snapshot, &types);
	program.name = strmap_put(&strings, "PAY");
	program.build_id = strmap_put(&strings, build_id);
	recordset_add(snapshot_set(&snapshot, RECORD_COVERAGE_PROGRAM), &program);
	for (uint64_t i = 0; i < 4; i++) {
		struct record_coverage_place place = { .place = 7 + i,
						       .statement = 50 + i / 2,
						       .start = 0x1000 + 16 * i,
						       .executed = executed >> i & 1 };
		struct record_coverage_statement statement = { .statement = 50 + i / 2,
							       .program = 40,
							       .line = line + i / 2,
							       .count = (executed >> i / 2 * 2 &
									 3) > 0 };

		recordset_add(snapshot_set(&snapshot, RECORD_COVERAGE_PLACE), &place);
		recordset_add(snapshot_set(&snapshot, RECORD_COVERAGE_STATEMENT), &statement);
	}
	writer = dataset_create(path, &strings, &err);
	assert_non_null(writer);
	assert_int_equal(dataset_write(writer, &snapshot, &err), 0);
	assert_int_equal(dataset_finish(writer, &err), 0);
	snapshot_release(&snapshot);
	registry_release(&types);
	strmap_release(&strings);
}

/* The content of a merged data set. */
struct found {
	uint64_t programs, statements, places, executed, counts;
};

static int find(void *argument, const struct snapshot *snapshot,
		const struct strmap *strings UNUSED)
{
	const struct recordset *places = snapshot_records(snapshot, RECORD_COVERAGE_PLACE);
	const struct recordset *statements = snapshot_records(snapshot, RECORD_COVERAGE_STATEMENT);
	struct found *found = argument;

	found->programs += snapshot_records(snapshot, RECORD_COVERAGE_PROGRAM)->count;
	found->statements += statements->count;
	found->places += places->count;
	for (size_t i = 0; i < places->count; i++) {
		const struct record_coverage_place *row = recordset_get(places, i);

		found->executed |= row->executed << i;
	}
	for (size_t i = 0; i < statements->count; i++) {
		const struct record_coverage_statement *row = recordset_get(statements, i);

		found->counts = found->counts * 10 + row->count;
	}
	return 0;
}

/* Merges two data sets and returns the content of the result. */
static struct found merge(const char *one, const char *two)
{
	const char *from[] = { one, two };
	struct coverage_merge_result result;
	struct error err = ERROR_INIT;
	struct dataset_status status;
	struct found found = { 0 };
	struct strbuf to = STRBUF_INIT;
	struct strmap strings;

	strbuf_addf(&to, "%s/all.vcvf", subject_folder);
	assert_int_equal(coverage_merge(from, 2, to.text, true, &result, &err), 0);
	assert_int_equal(result.damage.length, 0);
	strbuf_release(&result.damage);
	strmap_init(&strings);
	assert_int_equal(dataset_read(to.text, &session_records, &strings, find, &found, &status, &err), 0);
	assert_true(status.complete);
	strmap_release(&strings);
	assert_int_equal(coverage_merge(from, 2, to.text, false, &result, &err), -1);
	error_release(&err);
	strbuf_release(&to);
	return found;
}

/*
 * Merges a run that executed the first place with another, of a given build and
 * first line, that executed the second and third.
 */
static struct found merge_with(const char *build, uint64_t line)
{
	char one[64], two[64];

	snprintf(one, sizeof(one), "%s/one.vcvf", subject_folder);
	snprintf(two, sizeof(two), "%s/two.vcvf", subject_folder);
	write_coverage(one, "aa", 10, 1);
	write_coverage(two, build, line, 6);
	return merge(one, two);
}

static void runs_are_merged(void **state UNUSED)
{
	static const struct {
		const char *build;
		uint64_t line;
		struct found found;
	} cases[] = {
		{ "aa", 10, { 1, 2, 4, 7, 21 } },
		/* Another build with the same statements: no places. */
		{ "bb", 10, { 1, 2, 0, 0, 21 } },
		/* A file without a build id. */
		{ "", 10, { 1, 2, 0, 0, 21 } },
		/* Another build with other statements. */
		{ "bb", 11, { 2, 4, 8, 0x61, 1011 } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct found found = merge_with(cases[i].build, cases[i].line);

		assert_memory_equal(&found, &cases[i].found, sizeof(found));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(statements_are_those_of_the_source),
		cmocka_unit_test(optimisation_and_missing_lines_are_told),
		cmocka_unit_test(a_statement_is_found_behind_a_brace),
		cmocka_unit_test(filters_choose),
		cmocka_unit_test(the_server_answers_once),
		cmocka_unit_test(statement_events_are_counted),
		cmocka_unit_test(runs_are_merged),
	};

	return cmocka_run_group_tests(tests, subject_folder_make, subject_folder_remove);
}
