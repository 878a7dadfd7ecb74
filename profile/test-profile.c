/* SPDX-License-Identifier: Apache-2.0 */
/* Tests consolidation and attribution. */
#include "common/compat.h"
#include "common/clock.h"
#include "profile/attribution-chain.h"
#include "profile/findings.h"
#include "profile/fixture.h"
#include "profile/label.h"
#include "profile/note-list.h"
#include "profile/pseudo-section.h"
#include "profile/session-facts.h"
#include "profile/sums.h"
#include "profile/usage.h"
#include "records/record-types.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <unistd.h>

static void keymap_numbers_keys(void **state UNUSED)
{
	struct keymap map;

	keymap_init(&map, 2);
	for (uint64_t i = 0; i < 3000; i++)
		assert_int_equal(keymap_put(&map, (const uint64_t[]){ i / 10, i % 10 }), i);
	for (uint64_t i = 0; i < 3000; i++)
		assert_int_equal(keymap_put(&map, (const uint64_t[]){ i / 10, i % 10 }), i);
	assert_int_equal(map.count, 3000);
	assert_true(keymap_find(&map, (const uint64_t[]){ 300, 0 }) == SIZE_MAX);
	assert_int_equal(keymap_key(&map, 1234)[0], 123);
	keymap_release(&map);
}

static void timeline_is_bounded_and_keeps_sums(void **state UNUSED)
{
	struct timeline timeline = { NULL, 0, 0 };
	uint64_t resolution = 1000;
	double cells[10] = { 0 }, sum = 0;

	for (uint64_t i = 0; i < 100000; i++) {
		struct stretch stretch = { i * 100, i * 100 + 100, { 7 } };

		while (stretch.end / 400 > resolution)
			resolution *= 2;
		timeline_add(&timeline, &stretch, resolution);
	}
	assert_true(timeline.count <= 1024);
	timeline_spread(&timeline, 0, 0, 100000 * 100, cells, 10);
	for (size_t i = 0; i < 10; i++) {
		sum += cells[i];
		assert_true(cells[i] > 69000 && cells[i] < 71000);
	}
	assert_true(sum > 699999 && sum < 700001);
	timeline_release(&timeline);
}

static void samples_are_summed_by_what_they_share(void **state UNUSED)
{
	struct profile *profile = fixture_profile("payroll");

	assert_int_equal(profile->samples, 12 * 419);
	assert_int_equal(profile->cpu_count, 7);
	assert_int_equal(profile->solo_samples, 12 * (203 + 101 + 13 + 29 + 1));
	assert_int_equal(profile->wait_count, 4);
	assert_int_equal(profile->charged, profile->step.wait + profile->step.delay);
	assert_string_equal(profile_attribute(profile, ATTR_JOB), "PAYROLL");
	assert_string_equal(profile_attribute(profile, "no.such"), "");
	assert_int_equal(profile_attribute_number(profile, ATTR_CPUS), 4);
	assert_int_equal(profile_run_time(profile),
			 profile->step.exec + profile->step.wait + profile->step.delay);
	profile_free(profile);
}

/* Returns the CPU row whose innermost place has a name. */
static const struct profile_cpu *find_row(const struct profile *profile, const char *procedure)
{
	for (size_t i = 0; i < profile->cpu_count; i++) {
		const struct place *place =
			attribution_place(&profile->attribution, profile->cpu[i].stack);

		if (strcmp(profile_text(profile, place->procedure), procedure) == 0)
			return &profile->cpu[i];
	}
	fail_msg("no sample in %s", procedure);
	return NULL;
}

static void library_time_is_charged_to_the_statement(void **state UNUSED)
{
	struct profile *profile = fixture_profile("payroll");
	const struct profile_cpu *row = find_row(profile, "__gmpn_mul_basecase");
	const struct place *place = attribution_place(&profile->attribution, row->stack);
	const struct place *caller = attribution_caller(&profile->attribution, row->stack);
	const struct place *via = attribution_via(&profile->attribution, row->stack);
	struct strbuf chain = STRBUF_INIT;

	assert_int_equal(row->count, 12 * 203);
	assert_true(place->system);
	assert_string_equal(profile_text(profile, place->module), ".SYSTEM");
	assert_string_equal(profile_text(profile, place->section), ".LIBGMP");
	assert_string_equal(profile_text(profile, place->real_module), "libgmp.so.10.4.1");
	assert_non_null(caller);
	assert_string_equal(profile_text(profile, caller->procedure), "PROJECT-PENSION");
	assert_string_equal(profile_text(profile, caller->module), "PAYCALC");
	assert_int_equal(caller->line, 164);
	assert_string_equal(profile_text(profile, via->procedure), "cob_decimal_mul");
	attribution_chain(profile, row->stack, &chain);
	assert_string_equal(chain.text, "main 12 < _start");
	row = find_row(profile, "PRINT-LINE");
	assert_null(attribution_via(&profile->attribution, row->stack));
	assert_ptr_equal(attribution_caller(&profile->attribution, row->stack),
			 attribution_place(&profile->attribution, row->stack));
	assert_int_equal(profile->reached, profile->samples);
	strbuf_release(&chain);
	profile_free(profile);
}

static void pseudo_sections_by_prefix(void **state UNUSED)
{
	static const struct {
		const char *path, *section;
	} cases[] = {
		{ "/usr/lib/x86_64-linux-gnu/libc.so.6", ".LIBC" },
		{ "/lib/libc-2.31.so", ".LIBC" },
		{ "/opt/gnucobol/lib/libcob.so.4.2.0", ".COBLIB" },
		{ "/opt/pay/libcobalt.so", "" },
		{ "/usr/lib/libc++.so.1", ".LIBSTDC" },
		{ "/usr/lib/libc_malloc_debug.so.0", ".LIBC_MALLOC_DEBUG" },
		{ "/usr/lib/libm.so.6", ".LIBM" },
		{ "/usr/lib/libmagic.so.1", ".LIBMAGIC" },
		{ "/opt/pay/libmagic.so.1", "" },
		{ "/lib64/ld-linux-x86-64.so.2", ".LDSO" },
		{ "/usr/lib/libdb-5.3.so", ".LIBDB" },
		{ "/usr/lib/libstdc++.so.6", ".LIBSTDC" },
		{ "/usr/lib/libpython3.11.so.1.0", "" },
		{ "/usr/lib/libpthread.so.0", ".LIBPTHREAD" },
		{ "/usr/lib/libz.so.1", ".LIBZ" },
		{ "/usr/lib/libssl.so.3", ".LIBSSL" },
		{ "/usr/bin/python3.11", "" },
		{ "/usr/lib/python3.11/lib-dynload/_json.cpython-311-x86_64-linux-gnu.so",
		  "._JSON" },
		{ "/home/me/site/_json.cpython-311-x86_64-linux-gnu.so", "" },
		{ "/jobs/PAYCALC", "" },
		{ "/jobs/PAYSUB.so", "" },
		{ "/usr/local/lib/vigil/vigil-step.so", ".VIGIL" },
		{ "/home/me/vigil/build/agent/.libs/vigil-step.so", ".VIGIL" },
		{ "/usr/local/lib/vigil/vigil-files.so", ".VIGIL" },
		{ "/usr/local/lib/vigil/vigil-events.so", ".VIGIL" },
		{ "/usr/local/lib/vigil/vigil-handler.so", ".VIGIL" },
		{ "/opt/pay/vigil-stepper.so", "" },
		{ "", "" },
	};
	struct strbuf sb = STRBUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_string_equal(pseudo_section_of(cases[i].path, NULL, &sb), cases[i].section);
	strbuf_release(&sb);
}

/* Checks the innermost place of a fixture's object of a kind. */
static void check_kind(enum object_kind kind, const char *path, const char *procedure,
		       const char *module, const char *section, bool system)
{
	struct profile *profile;
	const struct place *place;
	struct fixture f;

	fixture_init(&f);
	fixture_samples(&f, 1,
			fixture_stack(&f, 0,
				      fixture_frame(&f, fixture_object(&f, kind, path, ""), 0x40,
						    "", procedure, 0, "")),
			1, 0, 0);
	fixture_end_snapshot(&f);
	profile = fixture_end(&f);
	place = attribution_place(&profile->attribution, profile->cpu[0].stack);
	assert_string_equal(profile_text(profile, place->module), module);
	assert_string_equal(profile_text(profile, place->section), section);
	assert_int_equal(place->system, system);
	profile_free(profile);
}

static void memory_without_a_file(void **state UNUSED)
{
	check_kind(OBJECT_VDSO, "[vdso]", "clock_gettime", ".SYSTEM", ".VDSO", true);
	check_kind(OBJECT_KERNEL, "[kernel]", NULL, ".SYSTEM", ".KERNEL", true);
	check_kind(OBJECT_ANONYMOUS, "[anonymous]", NULL, ".SYSTEM", ".PRIVATE", true);
	check_kind(OBJECT_ANONYMOUS, "[anonymous]", "jitted", ".PRIVATE", ".JIT", false);
	check_kind(OBJECT_ANONYMOUS, "[heap]", NULL, ".SYSTEM", ".HEAP", true);
	check_kind(OBJECT_ANONYMOUS, "[stack]", NULL, ".SYSTEM", ".STACK", true);
	/* A place with a procedure counts as known. */
	check_kind(OBJECT_ANONYMOUS, "[heap]", "jitted", ".PRIVATE", ".JIT", false);
	check_kind(OBJECT_ANONYMOUS, "[stack]", "trampoline", ".PRIVATE", ".JIT", false);
	check_kind(OBJECT_NAMED, "LOADED", NULL, "LOADED", "", false);
	check_kind(OBJECT_NAMED, "/app/app.py", NULL, "/app/app.py", "", false);
	check_kind(OBJECT_NAMED, "", NULL, ".PRIVATE", "", false);
	check_kind(OBJECT_UNKNOWN, "", NULL, ".SYSTEM", ".UNKNOWN", true);
	check_kind(OBJECT_FILE, "/opt/pay/server", NULL, "server", "", false);
}

/* Builds a session with one sample in a module of a kind, and three pseudo-sections. */
static struct profile *condensed(enum object_kind kind, const char *path)
{
	struct profile *profile;
	struct fixture f;

	fixture_init(&f);
	fixture_pseudo_section(&f, 1, "ABC", ".AAAAAAA");
	fixture_pseudo_section(&f, 1, "DEF", "AAAAAAA");
	fixture_pseudo_section(&f, 1, "ABCLONG", ".LONGER");
	fixture_pseudo_section(&f, 1, "libm", ".MATHS");
	/* The longer of two prefixes is tested before and after the shorter one. */
	fixture_pseudo_section(&f, 1, "XYZLONG", ".LONGER");
	fixture_pseudo_section(&f, 1, "XYZ", ".XYZ");
	/* Damaged: a collector cannot give these. */
	fixture_pseudo_section(&f, 1, "", ".ALL");
	fixture_pseudo_section(&f, 1, "PA", ".PA");
	fixture_samples(&f, 1,
			fixture_stack(&f, 0,
				      fixture_frame(&f, fixture_object(&f, kind, path, ""), 0x40,
						    "", "p", 0, "")),
			1, 0, 0);
	fixture_end_snapshot(&f);
	profile = fixture_end(&f);
	return profile;
}

static void check_condensed(enum object_kind kind, const char *path, const char *module,
			    const char *section)
{
	struct profile *profile = condensed(kind, path);
	const struct place *place = attribution_place(&profile->attribution, profile->cpu[0].stack);

	assert_string_equal(profile_text(profile, place->module), module);
	assert_string_equal(profile_text(profile, place->section), section);
	profile_free(profile);
}

static void
modules_that_begin_with_the_prefix_are_reported_under_system_and_the_section(void **state UNUSED)
{
	check_condensed(OBJECT_NAMED, "ABC", ".SYSTEM", ".AAAAAAA");
	check_condensed(OBJECT_NAMED, "ABCPROG1", ".SYSTEM", ".AAAAAAA");
	check_condensed(OBJECT_FILE, "/opt/pay/ABCPROG1", ".SYSTEM", ".AAAAAAA");
	check_condensed(OBJECT_FILE, "/opt/pay/ABCPROG1.so.2", ".SYSTEM", ".AAAAAAA");
	check_condensed(OBJECT_FILE, "/lib/x86_64-linux-gnu/libm.so.6", ".SYSTEM", ".MATHS");
	check_condensed(OBJECT_NAMED, "XABC", "XABC", "");
	check_condensed(OBJECT_NAMED, "abcprog", "abcprog", "");
	check_condensed(OBJECT_FILE, "/opt/ABC/PAY", "PAY", "");
	check_condensed(OBJECT_NAMED, "AB", "AB", "");
	check_condensed(OBJECT_NAMED, "PAYROLL", "PAYROLL", "");
}

static void a_pseudo_section_may_have_more_than_one_prefix(void **state UNUSED)
{
	check_condensed(OBJECT_NAMED, "DEFPROG", ".SYSTEM", ".AAAAAAA");
	check_condensed(OBJECT_NAMED, "ABCPROG", ".SYSTEM", ".AAAAAAA");
}

static void the_longest_prefix_counts(void **state UNUSED)
{
	check_condensed(OBJECT_NAMED, "ABCLONGER", ".SYSTEM", ".LONGER");
	check_condensed(OBJECT_NAMED, "ABCLON", ".SYSTEM", ".AAAAAAA");
	check_condensed(OBJECT_NAMED, "XYZLONGER", ".SYSTEM", ".LONGER");
	check_condensed(OBJECT_NAMED, "XYZLON", ".SYSTEM", ".XYZ");
}

/* The frames of an interpreted program. */
struct interpreted {
	struct fixture f;
	struct profile *profile;
	uint64_t main, compress, helper, extension, start;
};

static void interpreted_begin(struct interpreted *i, const char *language)
{
	uint64_t python, zlib, app;

	fixture_init(&i->f);
	python = fixture_object(&i->f, OBJECT_FILE, "/usr/bin/python3.11", "");
	zlib = fixture_object(&i->f, OBJECT_FILE, "/home/me/site/zlib.cpython-311.so", "");
	app = fixture_object(&i->f, OBJECT_NAMED, "app.py", "");
	i->main = fixture_stack(&i->f, 0, fixture_place(&i->f, app, "", "main", 30, language, ""));
	i->compress = fixture_stack(&i->f, i->main,
				    fixture_place(&i->f, app, "", "compress", 12, language, ""));
	i->helper = fixture_frame(&i->f, python, 0x5000, "", "list_sort", 0, "");
	i->extension = fixture_frame(&i->f, zlib, 0x1200, "", "zlib_compress", 0, "");
	i->start =
		fixture_stack(&i->f, 0, fixture_frame(&i->f, python, 0x900, "", "Py_Main", 0, ""));
}

static void interpreted_end(struct interpreted *i)
{
	profile_free(i->profile);
}

/* Returns what the first of the profile's rows with a stack id is charged to. */
static const char *charged_to(const struct profile *profile, uint64_t stack)
{
	uint64_t number;
	const struct place *place;

	assert_true(idmap_get(&profile->stacks.index, stack, &number));
	place = attribution_caller(&profile->attribution, (size_t)number);
	return place ? profile_text(profile, place->procedure) : "";
}

static void libraries_are_charged_to_the_place_that_called_them(void **state UNUSED)
{
	uint64_t libz, inner, sorted, deflate;
	struct interpreted i;

	interpreted_begin(&i, "Python");
	libz = fixture_object(&i.f, OBJECT_FILE, "/lib/x86_64-linux-gnu/libz.so.1", "");
	inner = fixture_stack(&i.f, i.compress, i.extension);
	deflate =
		fixture_stack(&i.f, inner, fixture_frame(&i.f, libz, 0x700, "", "deflate", 0, ""));
	sorted = fixture_stack(&i.f, i.main, i.helper);
	fixture_samples(&i.f, 5, deflate, 1, 0, 0);
	fixture_samples(&i.f, 3, sorted, 1, 0, 0);
	fixture_samples(&i.f, 1, i.start, 1, 0, 0);
	fixture_end_snapshot(&i.f);
	i.profile = fixture_end(&i.f);
	assert_string_equal(charged_to(i.profile, deflate), "compress");
	assert_string_equal(charged_to(i.profile, inner), "compress");
	assert_string_equal(charged_to(i.profile, sorted), "main");
	/* What the interpreter did before the program began is charged to itself. */
	assert_string_equal(charged_to(i.profile, i.start), "Py_Main");
	assert_int_equal(i.profile->reached, 9);
	interpreted_end(&i);
}

static void programs_that_compiled_places_call_are_programs(void **state UNUSED)
{
	struct interpreted i;
	uint64_t inner;

	interpreted_begin(&i, "COBOL");
	inner = fixture_stack(&i.f, i.compress, i.extension);
	fixture_samples(&i.f, 1, inner, 1, 0, 0);
	fixture_end_snapshot(&i.f);
	i.profile = fixture_end(&i.f);
	assert_string_equal(charged_to(i.profile, inner), "zlib_compress");
	interpreted_end(&i);
}

static void places_without_a_procedure_show_their_line(void **state UNUSED)
{
	struct interpreted i;
	uint64_t script, nothing, lines;
	const struct place *place;

	interpreted_begin(&i, "Shell");
	script = fixture_object(&i.f, OBJECT_NAMED, "night.sh", "");
	lines = fixture_stack(&i.f, 0, fixture_place(&i.f, script, "", "", 7, "Shell", "sort -u"));
	nothing = fixture_stack(&i.f, 0, fixture_place(&i.f, script, "", "", 0, "", ""));
	fixture_samples(&i.f, 2, lines, 1, 0, 0);
	fixture_samples(&i.f, 1, nothing, 1, 0, 0);
	fixture_end_snapshot(&i.f);
	i.profile = fixture_end(&i.f);
	assert_string_equal(charged_to(i.profile, lines), ATTRIBUTION_NO_PROCEDURE);
	place = attribution_place(&i.profile->attribution, i.profile->cpu[1].stack);
	assert_int_equal(place->offset, 0);
	assert_string_equal(profile_text(i.profile, place->procedure), "");
	interpreted_end(&i);
}

static void damaged_references_are_survived(void **state UNUSED)
{
	struct profile *profile = fixture_profile("truncated");

	assert_int_equal(profile->samples, 95);
	/*
	 * The stack that is its own parent still has its frame; two others have no frame
	 * of the program.
	 */
	assert_int_equal(profile->reached, 45);
	assert_string_not_equal(profile_damage(profile), "");
	profile_free(profile);
}

static void repeated_rows_replace(void **state UNUSED)
{
	struct profile *profile;
	struct record_task task = { .task = 3, .tid = 10 };
	struct fixture f;

	fixture_init(&f);
	task.name = fixture_string(&f, "before");
	fixture_add(&f, RECORD_TASK, &task);
	fixture_attribute(&f, ATTR_EXIT, "");
	fixture_end_snapshot(&f);
	task.name = fixture_string(&f, "after");
	fixture_add(&f, RECORD_TASK, &task);
	fixture_attribute(&f, ATTR_EXIT, "8");
	fixture_end_snapshot(&f);
	profile = fixture_end(&f);
	assert_int_equal(profile->tasks.count, 1);
	assert_string_equal(
		profile_text(profile,
			     ((const struct record_task *)id_table_get(&profile->tasks, 3))->name),
		"after");
	assert_string_equal(profile_attribute(profile, ATTR_EXIT), "8");
	profile_free(profile);
}

static void inlined_procedures_are_in_the_chain(void **state UNUSED)
{
	struct profile *profile;
	struct record_name outer = { .frame = 2, .depth = 1, .line = 70 };
	struct strbuf chain = STRBUF_INIT;
	struct fixture f;
	uint64_t object, stack;

	fixture_init(&f);
	object = fixture_object(&f, OBJECT_FILE, "/opt/pay/server", "");
	stack = fixture_stack(&f, 0, fixture_frame(&f, object, 0x100, "a.c", "main", 5, ""));
	stack = fixture_stack(&f, stack, fixture_frame(&f, object, 0x200, "a.c", "inner", 61, ""));
	outer.procedure = fixture_string(&f, "outer");
	fixture_add(&f, RECORD_NAME, &outer);
	fixture_samples(&f, 1, stack, 1, 0, 0);
	fixture_end_snapshot(&f);
	profile = fixture_end(&f);
	attribution_chain(profile, profile->cpu[0].stack, &chain);
	assert_string_equal(chain.text, "outer 70 (inlined) < main 5");
	strbuf_release(&chain);
	profile_free(profile);
}

static void loads_from_a_data_set(void **state UNUSED)
{
	char path[] = "/tmp/vigil-test-XXXXXX";
	struct error err = ERROR_INIT;
	struct dataset_writer *writer;
	struct profile *profile;
	struct fixture f;
	int fd = mkstemp(path);
	uint64_t object;

	assert_true(fd >= 0);
	close(fd);
	fixture_init(&f);
	writer = dataset_create(path, &f.strings, &err);
	assert_non_null(writer);
	fixture_attribute(&f, ATTR_PROGRAM, "STORED");
	object = fixture_object(&f, OBJECT_FILE, "/opt/pay/server", "");
	fixture_samples(
		&f, 321,
		fixture_stack(&f, 0, fixture_frame(&f, object, 0x100, "a.c", "main", 5, "")), 1, 0,
		0);
	assert_int_equal(fixture_write_snapshot(&f, writer, &err), 0);
	assert_int_equal(dataset_finish(writer, &err), 0);
	profile = profile_load(path, &err);
	assert_non_null(profile);
	assert_string_equal(profile_damage(profile), "");
	assert_string_equal(profile_program(profile), "STORED");
	assert_int_equal(profile->samples, 321);
	assert_int_equal(profile->reached, 321);
	profile_free(profile);
	assert_int_equal(truncate(path, 40), 0);
	profile = profile_load(path, &err);
	if (profile)
		assert_string_not_equal(profile_damage(profile), "");
	profile_free(profile);
	unlink(path);
	assert_null(profile_load(path, &err));
	assert_string_not_equal(error_text(&err), "");
	error_release(&err);
	fixture_release(&f);
}

/* Returns the profile that an engine's consumer makes of a file. */
static struct profile *extract(const char *path)
{
	struct dataset_extractor extractor = { .path = path };
	struct profile_consumer consumer = { 0 };
	struct engine *engine = engine_new(&session_records);
	struct error err = ERROR_INIT;

	assert_non_null(engine_add(engine, &dataset_extractor_class, &extractor, &err));
	assert_non_null(engine_add(engine, &profile_consumer_class, &consumer, &err));
	assert_int_equal(engine_extract(engine, &err), 0);
	engine_free(engine);
	assert_null(consumer.consolidation);
	assert_non_null(consumer.profile);
	return consumer.profile;
}

static void an_extraction_makes_the_same_profile(void **state UNUSED)
{
	char path[] = "/tmp/vigil-test-XXXXXX";
	struct profile *loaded, *extracted;
	struct error err = ERROR_INIT;
	struct dataset_writer *writer;
	struct fixture f;
	uint64_t object, stack;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	close(fd);
	fixture_init(&f);
	writer = dataset_create(path, &f.strings, &err);
	assert_non_null(writer);
	fixture_attribute(&f, ATTR_PROGRAM, "STORED");
	object = fixture_object(&f, OBJECT_FILE, "/opt/pay/server", "");
	stack = fixture_stack(&f, 0, fixture_frame(&f, object, 0x100, "a.c", "main", 5, ""));
	fixture_samples(&f, 20, stack, 1, SAMPLE_SOLO, 0);
	assert_int_equal(fixture_write_snapshot(&f, writer, &err), 0);
	fixture_samples(&f, 5, stack, 2, 0, 0);
	fixture_attribute(&f, ATTR_COMPLETE, "1");
	assert_int_equal(fixture_write_snapshot(&f, writer, &err), 0);
	assert_int_equal(dataset_finish(writer, &err), 0);
	fixture_release(&f);
	loaded = profile_load(path, &err);
	extracted = extract(path);
	unlink(path);
	assert_non_null(loaded);
	assert_int_equal(extracted->samples, 25);
	assert_int_equal(extracted->cpu_count, 2);
	assert_int_equal(extracted->reached, loaded->reached);
	assert_int_equal(extracted->notes.count, 0);
	assert_int_equal(extracted->first_time, loaded->first_time);
	assert_int_equal(extracted->last_time, loaded->last_time);
	assert_int_equal(profile_run_time(extracted), profile_run_time(loaded));
	assert_string_equal(profile_program(extracted), "STORED");
	profile_free(loaded);
	profile_free(extracted);
}

/* Delivers a fixture's records as if they had just been observed. */
static enum module_status bring(struct module *module, enum sync_point point UNUSED,
				struct snapshot *snapshot, struct error *err UNUSED)
{
	struct fixture *f = module->context;

	for (uint32_t i = 0; i < f->strings.count; i++)
		assert_int_equal(engine_string(module->engine, strmap_text(&f->strings, i)), i);
	for (unsigned id = 0; id < f->snapshot.set_count; id++)
		if (snapshot_records(&f->snapshot, id)->count)
			recordset_append(snapshot_set(snapshot, id),
					 snapshot_records(&f->snapshot, id));
	snapshot_clear(&f->snapshot);
	return MODULE_OK;
}

/* Fills a fixture's snapshot with samples, a wait, and the step's record. */
static void fill(struct fixture *f, uint64_t stack, uint64_t samples)
{
	uint64_t now = clock_monotonic_ns();

	fixture_samples(f, samples, stack, 1, SAMPLE_SOLO, 0);
	fixture_add(f, RECORD_WAIT,
		    &(struct record_wait){ .time = now,
					   .task = 1,
					   .stack = stack,
					   .reason = WAIT_SLEEP,
					   .count = 2,
					   .total = samples * 1000,
					   .charged = samples * 900 });
	fixture_add(
		f, RECORD_STEP,
		&(struct record_step){
			.time = now, .interval = 5000, .exec = 4000, .wait = 1000, .tasks = 2 });
}

/* Asserts that two profiles have the same content. */
static void assert_same(const struct profile *a, const struct profile *b)
{
	assert_int_equal(a->samples, b->samples);
	assert_int_equal(a->solo_samples, b->solo_samples);
	assert_int_equal(a->reached, b->reached);
	assert_int_equal(a->cpu_count, b->cpu_count);
	assert_memory_equal(a->cpu, b->cpu, a->cpu_count * sizeof(*a->cpu));
	assert_int_equal(a->wait_count, b->wait_count);
	assert_memory_equal(a->waits, b->waits, a->wait_count * sizeof(*a->waits));
	assert_int_equal(a->charged, b->charged);
	assert_int_equal(a->snapshots, b->snapshots);
	assert_int_equal(a->first_time, b->first_time);
	assert_int_equal(a->last_time, b->last_time);
	assert_int_equal(a->step.exec, b->step.exec);
	assert_int_equal(a->step.wait, b->step.wait);
	assert_int_equal(a->notes.count, b->notes.count);
	assert_int_equal(a->strings.count, b->strings.count);
	for (uint32_t i = 0; i < a->strings.count; i++)
		assert_string_equal(strmap_text(&a->strings, i), strmap_text(&b->strings, i));
	assert_string_equal(profile_program(a), profile_program(b));
}

static void a_collection_makes_the_profile_of_its_file(void **state UNUSED)
{
	static const struct module_class producer = { .name = "FIXTURE",
						      .summary = "brings a fixture",
						      .capabilities = MODULE_PRODUCER,
						      .sync_points = 1U << SYNC_SNAPSHOT,
						      .call = bring };
	char path[] = "/tmp/vigil-test-XXXXXX";
	struct dataset_consumer store = { .path = path };
	struct profile_consumer consumer = { 0 };
	struct engine *engine = engine_new(&session_records);
	struct error err = ERROR_INIT;
	struct profile *stored;
	struct fixture f;
	uint64_t object, stack;

	close(mkstemp(path));
	fixture_init(&f);
	assert_non_null(engine_add(engine, &producer, &f, &err));
	assert_non_null(engine_add(engine, &profile_consumer_class, &consumer, &err));
	assert_non_null(engine_add(engine, &dataset_consumer_class, &store, &err));
	assert_int_equal(engine_start(engine, &err), 0);
	fixture_attribute(&f, ATTR_PROGRAM, "LIVE");
	object = fixture_object(&f, OBJECT_FILE, "/opt/pay/server", "");
	stack = fixture_stack(&f, 0, fixture_frame(&f, object, 0x100, "a.c", "main", 5, ""));
	fill(&f, stack, 20);
	assert_int_equal(engine_snapshot(engine, &err), 0);
	stack = fixture_stack(&f, stack, fixture_frame(&f, object, 0x200, "b.c", "sub", 9, ""));
	fill(&f, stack, 7);
	assert_int_equal(engine_snapshot(engine, &err), 0);
	/* The last snapshot, made by engine_finish, has records too. */
	fill(&f, stack, 3);
	fixture_attribute(&f, ATTR_COMPLETE, "1");
	assert_int_equal(engine_finish(engine, &err), 0);
	engine_free(engine);
	stored = profile_load(path, &err);
	unlink(path);
	assert_non_null(stored);
	assert_non_null(consumer.profile);
	assert_int_equal(consumer.profile->samples, 30);
	assert_same(consumer.profile, stored);
	profile_free(stored);
	profile_free(consumer.profile);
	fixture_release(&f);
}

static void attributes_are_read_without_a_profile(void **state UNUSED)
{
	char path[] = "/tmp/vigil-test-XXXXXX";
	struct session_attributes attributes;
	struct error err = ERROR_INIT;
	struct dataset_writer *writer;
	struct fixture f;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	close(fd);
	fixture_init(&f);
	writer = dataset_create(path, &f.strings, &err);
	assert_non_null(writer);
	fixture_attribute(&f, ATTR_JOB, "PAYROLL");
	fixture_attribute(&f, ATTR_EXIT, "");
	fixture_samples(&f, 10, 1, 1, 0, 0);
	assert_int_equal(fixture_write_snapshot(&f, writer, &err), 0);
	fixture_attribute(&f, ATTR_EXIT, "8");
	fixture_number(&f, ATTR_TAKEN, 10);
	assert_int_equal(fixture_write_snapshot(&f, writer, &err), 0);
	assert_int_equal(dataset_finish(writer, &err), 0);
	assert_int_equal(session_attributes_read(path, &attributes, &err), 0);
	assert_int_equal(attributes.count, 3);
	assert_string_equal(attributes.items[0].key, ATTR_JOB);
	assert_string_equal(session_attributes_text(&attributes, ATTR_JOB), "PAYROLL");
	assert_string_equal(session_attributes_text(&attributes, ATTR_EXIT), "8");
	assert_string_equal(session_attributes_text(&attributes, "no.such"), "");
	assert_int_equal(session_attributes_number(&attributes, ATTR_TAKEN), 10);
	assert_int_equal(session_attributes_number(&attributes, "no.such"), 0);
	session_attributes_release(&attributes);
	unlink(path);
	assert_int_equal(session_attributes_read(path, &attributes, &err), -1);
	assert_non_null(strstr(error_text(&err), path));
	error_release(&err);
	fixture_release(&f);
}

static void sums_are_ordered_by_several_amounts(void **state UNUSED)
{
	static const struct {
		uint64_t key, amounts[2];
	} rows[] = { { 7, { 1, 5 } }, { 3, { 2, 1 } }, { 9, { 1, 5 } }, { 8, { 1, 8 } } };
	static const uint64_t expected[] = { 3, 8, 7, 9 };
	struct sums sums;

	sums_init(&sums, 1, 2);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		memcpy(sums_at(&sums, &rows[i].key), rows[i].amounts, sizeof(rows[i].amounts));
	sums_sort_amounts(&sums, (const size_t[]){ 0, 1 }, 2);
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++)
		assert_int_equal(*sums_key(&sums, sums.order[i]), expected[i]);
	sums_release(&sums);
}

/* A fixture with one program whose statements can be distinguished by their stacks. */
struct statements {
	struct fixture f;
	uint64_t object, root;
};

static void statements_begin(struct statements *s)
{
	fixture_init(&s->f);
	s->object = fixture_object(&s->f, OBJECT_FILE, "/opt/pay/server", "");
	s->root = fixture_stack(&s->f, 0,
				fixture_frame(&s->f, s->object, 0x100, "a.c", "main", 5, ""));
}

static uint64_t statement(struct statements *s, const char *procedure, uint64_t line)
{
	return fixture_stack(
		&s->f, s->root,
		fixture_frame(&s->f, s->object, 0x1000 * line, "a.c", procedure, line, ""));
}

static void transactions_of_one_task_are_told_apart(void **state UNUSED)
{
	struct statements s;
	struct profile *profile;
	uint64_t counts[3] = { 0 };

	statements_begin(&s);
	for (unsigned i = 0; i < 10; i++) {
		fixture_samples(&s.f, 1, s.root, 1, 0, 1);
		fixture_samples(&s.f, 2, s.root, 1, 0, 2);
	}
	fixture_end_snapshot(&s.f);
	profile = fixture_end(&s.f);
	assert_int_equal(profile->cpu_count, 2);
	for (size_t i = 0; i < profile->cpu_count; i++)
		counts[profile->cpu[i].transaction] += profile->cpu[i].count;
	assert_int_equal(counts[1], 10);
	assert_int_equal(counts[2], 20);
	profile_free(profile);
}

/* Adds a wait of this many ms for a reason without a file. */
static void add_wait(struct fixture *f, uint64_t stack, enum wait_reason reason, uint64_t file,
		     uint64_t ms)
{
	struct record_wait wait = { .time = f->time,
				    .task = 1,
				    .stack = stack,
				    .reason = reason,
				    .file = file,
				    .count = 1,
				    .total = 2 * ms * NSEC_PER_MSEC,
				    .charged = ms * NSEC_PER_MSEC,
				    .solo = ms * NSEC_PER_MSEC / 2 };

	fixture_add(f, RECORD_WAIT, &wait);
}

static void a_finding_names_the_statement_that_waited_most(void **state UNUSED)
{
	struct record_step step = { .interval = NSEC_PER_SEC,
				    .exec = NSEC_PER_SEC / 10,
				    .wait = NSEC_PER_SEC * 9 / 10 };
	struct statements s;
	struct findings findings;
	struct profile *profile;

	statements_begin(&s);
	add_wait(&s.f, statement(&s, "lock_little", 11), WAIT_LOCK, 0, 100);
	add_wait(&s.f, statement(&s, "lock_much", 22), WAIT_LOCK, 0, 120);
	add_wait(&s.f, statement(&s, "lock_little", 11), WAIT_LOCK, 0, 10);
	/* Longer than those, but not these waits: another reason, and a lock on a file. */
	add_wait(&s.f, statement(&s, "sleep_long", 33), WAIT_SLEEP, 0, 350);
	add_wait(&s.f, statement(&s, "lock_file", 44), WAIT_LOCK, 7, 320);
	step.time = s.f.time;
	fixture_add(&s.f, RECORD_STEP, &step);
	fixture_end_snapshot(&s.f);
	profile = fixture_end(&s.f);
	findings_init(&findings, profile, 8);
	assert_int_equal(findings.count, 3);
	assert_string_equal(findings.items[0].what, "waiting, sleep");
	assert_string_equal(findings.items[0].where, "a.c: sleep_long line 33");
	assert_string_equal(findings.items[1].what, "waiting for FILE 7, lock");
	assert_string_equal(findings.items[2].what, "waiting, lock");
	assert_string_equal(findings.items[2].where, "a.c: lock_much line 22");
	assert_true(findings.items[2].run_percent > 22.9 && findings.items[2].run_percent < 23.1);
	findings_release(&findings);
	findings_init(&findings, profile, 2);
	assert_int_equal(findings.count, 2);
	findings_release(&findings);
	profile_free(profile);
}

/* Checks start and size of the row of the only procedure. */
static void check_pieces(const uint64_t starts[2], const uint64_t sizes[2], uint64_t start,
			 uint64_t size)
{
	struct statements s;
	struct profile *profile;
	struct usage usage;
	size_t rows = 0;

	statements_begin(&s);
	for (size_t i = 0; i < 2; i++) {
		uint64_t frame = fixture_frame(&s.f, s.object, starts[i] + 8, "a.c", NULL, 0, "");
		struct record_name name = { .frame = frame,
					    .section = fixture_string(&s.f, "a.c"),
					    .procedure = fixture_string(&s.f, "copied"),
					    .start = starts[i],
					    .size = sizes[i],
					    .line = 40 };

		fixture_add(&s.f, RECORD_NAME, &name);
		fixture_samples(&s.f, 1 + i, fixture_stack(&s.f, s.root, frame), 1, 0, 0);
	}
	fixture_end_snapshot(&s.f);
	profile = fixture_end(&s.f);
	usage_init(&usage, profile, 0);
	for (size_t i = 0; i < usage.rows.keys.count; i++) {
		const uint64_t *key = sums_key(&usage.rows, i);

		if (strcmp(profile_text(profile, key[USAGE_PROCEDURE]), "copied") != 0)
			continue;
		rows++;
		assert_int_equal(key[USAGE_START], start);
		assert_int_equal(key[USAGE_SIZE], size);
		assert_int_equal(sums_values(&usage.rows, i)[USAGE_TOTAL], 3);
		assert_int_equal(sums_values(&usage.rows, i)[USAGE_CHARGED], 3);
	}
	assert_int_equal(rows, 1);
	usage_release(&usage);
	profile_free(profile);
}

static void inlined_copies_stand_under_the_lowest_address(void **state UNUSED)
{
	const uint64_t low = 0x2000, high = 0x7000;

	check_pieces((const uint64_t[]){ low, high }, (const uint64_t[]){ 0x20, 0x90 }, low, 0x20);
	check_pieces((const uint64_t[]){ high, low }, (const uint64_t[]){ 0x90, 0x20 }, low, 0x20);
}

static void each_figure_of_the_step_is_summed_by_itself(void **state UNUSED)
{
	struct profile *profile;
	struct fixture f;

	fixture_init(&f);
	for (uint64_t i = 1; i <= 2; i++) {
		struct record_step step = { .time = f.time,
					    .interval = 6 * i,
					    .exec = 1 * i,
					    .wait = 2 * i,
					    .delay = 3 * i,
					    .tasks = 9 - i,
					    .resident = 100 * i,
					    .minor_faults = 5 * i,
					    .major_faults = 7 * i,
					    .read_bytes = 11 * i,
					    .write_bytes = 13 * i,
					    .read_calls = 17 * i,
					    .write_calls = 19 * i };

		fixture_add(&f, RECORD_STEP, &step);
		fixture_end_snapshot(&f);
	}
	profile = fixture_end(&f);
	assert_int_equal(profile->step.interval, 18);
	assert_int_equal(profile->step.exec, 3);
	assert_int_equal(profile->step.wait, 6);
	assert_int_equal(profile->step.delay, 9);
	assert_int_equal(profile->step.minor_faults, 15);
	assert_int_equal(profile->step.major_faults, 21);
	assert_int_equal(profile->step.read_bytes, 33);
	assert_int_equal(profile->step.write_bytes, 39);
	assert_int_equal(profile->step.read_calls, 51);
	assert_int_equal(profile->step.write_calls, 57);
	assert_int_equal(profile->step.peak_tasks, 8);
	assert_int_equal(profile->step.peak_resident, 200);
	profile_free(profile);
}

/* Returns the CPU time of a session whose counters were last written at 40 ms, of 730. */
static uint64_t cpu_time_of(bool complete)
{
	struct profile *profile;
	struct fixture f;
	uint64_t time;

	fixture_init(&f);
	fixture_number(&f, ATTR_CPU_EXACT, 40 * NSEC_PER_MSEC);
	fixture_number(&f, ATTR_COMPLETE, complete);
	for (uint64_t task = 1; task <= 2; task++) {
		struct record_activity activity = { .time = f.time,
						    .task = task,
						    .cpu = 365 * NSEC_PER_MSEC };

		fixture_add(&f, RECORD_ACTIVITY, &activity);
	}
	fixture_end_snapshot(&f);
	profile = fixture_end(&f);
	time = session_facts_cpu_time(profile);
	profile_free(profile);
	return time;
}

static void the_cpu_time_of_a_session_cut_off_is_that_of_its_last_snapshot(void **state UNUSED)
{
	assert_int_equal(cpu_time_of(false), 730 * NSEC_PER_MSEC);
	assert_int_equal(cpu_time_of(true), 40 * NSEC_PER_MSEC);
}

static void tasks_of_one_name_are_numbered(void **state UNUSED)
{
	static const char *const names[] = { "worker", "main", "worker" };
	static const char *const labels[] = { "worker 1", "main", "worker 2", "TASK 9" };
	struct strbuf sb = STRBUF_INIT;
	struct profile *profile;
	struct fixture f;

	fixture_init(&f);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct record_task task = { .task = 1 + i, .name = fixture_string(&f, names[i]) };

		fixture_add(&f, RECORD_TASK, &task);
	}
	fixture_end_snapshot(&f);
	profile = fixture_end(&f);
	for (size_t i = 0; i < ARRAY_SIZE(labels); i++) {
		strbuf_reset(&sb);
		label_task(profile, i < ARRAY_SIZE(names) ? 1 + i : 9, &sb);
		assert_string_equal(sb.text, labels[i]);
	}
	strbuf_release(&sb);
	profile_free(profile);
}

static void notes_are_kept_in_order(void **state UNUSED)
{
	struct note_list notes;

	note_list_init(&notes);
	note_list_add(&notes, SEVERITY_WARNING, 6003, "only %d samples", 7);
	note_list_add(&notes, SEVERITY_INFO, 0, "plain");
	assert_int_equal(notes.count, 2);
	assert_string_equal(notes.items[0].text, "only 7 samples");
	assert_int_equal(notes.items[0].severity, SEVERITY_WARNING);
	assert_int_equal(notes.items[0].number, 6003);
	assert_string_equal(notes.items[1].text, "plain");
	note_list_release(&notes);
	assert_int_equal(notes.count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keymap_numbers_keys),
		cmocka_unit_test(timeline_is_bounded_and_keeps_sums),
		cmocka_unit_test(samples_are_summed_by_what_they_share),
		cmocka_unit_test(library_time_is_charged_to_the_statement),
		cmocka_unit_test(pseudo_sections_by_prefix),
		cmocka_unit_test(memory_without_a_file),
		cmocka_unit_test(
			modules_that_begin_with_the_prefix_are_reported_under_system_and_the_section),
		cmocka_unit_test(a_pseudo_section_may_have_more_than_one_prefix),
		cmocka_unit_test(the_longest_prefix_counts),
		cmocka_unit_test(libraries_are_charged_to_the_place_that_called_them),
		cmocka_unit_test(programs_that_compiled_places_call_are_programs),
		cmocka_unit_test(places_without_a_procedure_show_their_line),
		cmocka_unit_test(damaged_references_are_survived),
		cmocka_unit_test(repeated_rows_replace),
		cmocka_unit_test(inlined_procedures_are_in_the_chain),
		cmocka_unit_test(loads_from_a_data_set),
		cmocka_unit_test(an_extraction_makes_the_same_profile),
		cmocka_unit_test(a_collection_makes_the_profile_of_its_file),
		cmocka_unit_test(attributes_are_read_without_a_profile),
		cmocka_unit_test(sums_are_ordered_by_several_amounts),
		cmocka_unit_test(transactions_of_one_task_are_told_apart),
		cmocka_unit_test(a_finding_names_the_statement_that_waited_most),
		cmocka_unit_test(inlined_copies_stand_under_the_lowest_address),
		cmocka_unit_test(each_figure_of_the_step_is_summed_by_itself),
		cmocka_unit_test(the_cpu_time_of_a_session_cut_off_is_that_of_its_last_snapshot),
		cmocka_unit_test(tasks_of_one_name_are_numbered),
		cmocka_unit_test(notes_are_kept_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
