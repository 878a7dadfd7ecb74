/* SPDX-License-Identifier: Apache-2.0 */
/* Tests how snapshots become a profile: times, stretches, and names. */
#include "common/compat.h"
#include "common/clock.h"
#include "profile/attribution-chain.h"
#include "profile/fixture.h"
#include "profile/label.h"
#include "records/record-types.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/*
 * What happens at a point in time is shown in the cell of that point; at the ends
 * of the run, in the outermost cells.
 */
static void points_in_time_stay_inside_the_run(void **state UNUSED)
{
	static const uint64_t points[] = { 50, 100, 109, 110, 199, 200, 250 };
	static const double expected[] = { 3, 1, 0, 0, 0, 0, 0, 0, 0, 3, 0 };
	struct timeline timeline = { NULL, 0, 0 };
	double cells[11] = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(points); i++)
		timeline_add(&timeline, &(struct stretch){ points[i], points[i], { 1 } }, 0);
	timeline_spread(&timeline, 0, 100, 200, cells, 10);
	for (size_t i = 0; i < ARRAY_SIZE(cells); i++)
		if (cells[i] != expected[i])
			fail_msg("cell %zu has %g, not %g", i, cells[i], expected[i]);
	timeline_release(&timeline);
}

static void add_activity(struct fixture *f, uint64_t cpu)
{
	struct record_activity activity = { .time = f->time, .task = 1, .cpu = cpu };

	fixture_add(f, RECORD_ACTIVITY, &activity);
}

static void add_step(struct fixture *f, uint64_t interval)
{
	struct record_step step = { .time = f->time, .interval = interval, .exec = 1 };

	fixture_add(f, RECORD_STEP, &step);
}

/* Checks a stretch, by number, of the first task's activity. */
static void assert_stretch(const struct profile *profile, size_t number, uint64_t start,
			   uint64_t end)
{
	const struct activity_sum *sum = activity_find(&profile->task_activity, 1);

	assert_non_null(sum);
	assert_true(number < sum->timeline.count);
	assert_int_equal(sum->timeline.items[number].start, start);
	assert_int_equal(sum->timeline.items[number].end, end);
}

/* A snapshot begins where its STEP row says, else where the previous one ended. */
static void a_snapshot_begins_where_the_last_ended(void **state UNUSED)
{
	struct profile *profile;
	struct fixture f;
	uint64_t begun;

	fixture_init(&f);
	begun = f.time;
	add_activity(&f, 1);
	fixture_end_snapshot(&f);
	add_activity(&f, 1);
	fixture_end_snapshot(&f);
	add_step(&f, NSEC_PER_SEC / 4);
	add_activity(&f, 1);
	fixture_end_snapshot(&f);
	add_step(&f, UINT64_MAX); /* a damaged row: before time 0 */
	add_activity(&f, 1);
	fixture_end_snapshot(&f);
	profile = fixture_end(&f);
	assert_int_equal(profile->first_time, begun);
	assert_int_equal(profile->last_time, begun + 3 * NSEC_PER_SEC);
	assert_stretch(profile, 0, begun, begun);
	assert_stretch(profile, 1, begun, begun + NSEC_PER_SEC);
	assert_stretch(profile, 2, begun + 2 * NSEC_PER_SEC - NSEC_PER_SEC / 4,
		       begun + 2 * NSEC_PER_SEC);
	assert_stretch(profile, 3, begun + 2 * NSEC_PER_SEC, begun + 3 * NSEC_PER_SEC);
	profile_free(profile);
}

/* The run extends to its latest snapshot even if one is out of order. */
static void a_snapshot_out_of_order_does_not_shorten_the_run(void **state UNUSED)
{
	struct profile *profile;
	struct fixture f;
	uint64_t latest;

	fixture_init(&f);
	fixture_end_snapshot(&f);
	latest = f.time;
	fixture_end_snapshot(&f);
	f.time -= 3 * NSEC_PER_SEC / 2;
	fixture_end_snapshot(&f);
	profile = fixture_end(&f);
	assert_int_equal(profile->last_time, latest);
	profile_free(profile);
}

/* Returns the period of a session that did not change it. */
static uint64_t period_of(const char *key, uint64_t period)
{
	struct profile *profile;
	struct fixture f;

	fixture_init(&f);
	if (key)
		fixture_number(&f, key, period);
	fixture_number(&f, ATTR_PERIOD_INITIAL, 1000);
	fixture_end_snapshot(&f);
	profile = fixture_end(&f);
	period = profile_period(profile);
	profile_free(profile);
	return period;
}

static void the_period_is_the_last_one_or_the_first(void **state UNUSED)
{
	assert_int_equal(period_of(ATTR_PERIOD, 4000), 4000);
	assert_int_equal(period_of(ATTR_PERIOD, 0), 1000);
	assert_int_equal(period_of(NULL, 0), 1000);
}

/* Files numbered from 1: the name of each, and the file it is merged into. */
static const struct {
	const char *path, *ddname, *label;
	uint64_t kind, like;
} files[] = {
	{ "/data/PAY.MASTER", "", "PAY.MASTER", FILE_REGULAR, 1 },
	{ "/data/PAY.MASTER", "MASTER", "MASTER", FILE_REGULAR, 2 },
	{ "/data/folder/", "", "/data/folder/", FILE_DIRECTORY, 3 },
	{ "/", "", "/", FILE_DIRECTORY, 4 },
	{ "anon", "", "anon", FILE_OTHER, 5 },
	{ "", "", "FILE 6", FILE_REGULAR, 6 },
	{ "/tmp/queue", "", "queue", FILE_PIPE, 7 },
	/*
	 * Files that cannot be distinguished are merged: pipes without a name, sockets
	 * without a peer.
	 */
	{ "pipe:[7]", "", ".PIPE", FILE_PIPE, 8 },
	{ "pipe:[8]", "IN", "IN", FILE_PIPE, 9 },
	{ "pipe:[9]", "", ".PIPE", FILE_PIPE, 8 },
	{ "socket:[7]", "", ".SOCKET", FILE_SOCKET, 11 },
	{ "socket:[8] 127.0.0.1:80", "", "127.0.0.1:80", FILE_SOCKET, 12 },
	{ "pipe:[10]", "", ".PIPE", FILE_PIPE, 8 },
	{ "socket:[9]", "", ".SOCKET", FILE_SOCKET, 11 },
	/* So are files of one path: each was created after the one before was removed. */
	{ "/data/base-journal", "", "base-journal", FILE_REGULAR, 15 },
	{ "/data/base-journal", "", "base-journal", FILE_REGULAR, 15 },
	{ "/data/base-journal", "JOURNAL", "JOURNAL", FILE_REGULAR, 17 },
	{ "", "", "FILE 18", FILE_REGULAR, 18 },
	{ "/data/base-journal", "", "base-journal", FILE_REGULAR, 15 },
};

#define OPENS 4

/* Builds a session of two snapshots; each has all files, and a wait for each. */
static struct profile *profile_of_files(void)
{
	struct fixture f;

	fixture_init(&f);
	for (int snapshot = 0; snapshot < 2; snapshot++) {
		for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
			struct record_file file = { .file = i + 1,
						    .kind = files[i].kind,
						    .path = fixture_string(&f, files[i].path),
						    .ddname = fixture_string(&f, files[i].ddname),
						    .opens = OPENS };
			struct record_file_activity activity = { .file = i + 1, .waits = 1 };
			struct record_wait wait = { .file = i + 1, .count = 1 };

			fixture_add(&f, RECORD_FILE, &file);
			fixture_add(&f, RECORD_FILE_ACTIVITY, &activity);
			fixture_add(&f, RECORD_WAIT, &wait);
		}
		fixture_end_snapshot(&f);
	}
	return fixture_end(&f);
}

static void files_are_named_by_the_end_of_their_path(void **state UNUSED)
{
	struct profile *profile = profile_of_files();
	struct strbuf label = STRBUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		strbuf_reset(&label);
		label_file(profile, files[i].like, &label);
		assert_string_equal(label.text, files[i].label);
	}
	strbuf_release(&label);
	profile_free(profile);
}

/* As many folders as needed, and none if the name is unique. */
static void files_whose_paths_end_alike_have_folders_in_their_names(void **state UNUSED)
{
	static const struct {
		const char *path, *label;
	} alike[] = {
		{ "/lib/Zlib.pm", "lib/Zlib.pm" },
		{ "/lib/Raw/Zlib.pm", "Raw/Zlib.pm" },
		{ "/old/deep/x", "old/deep/x" },
		{ "/new/deep/x", "new/deep/x" },
		{ "/x", "/x" },
		{ "/new/deep/y", "y" },
		{ "/data/PAY", "PAY" },
	};
	struct strbuf label = STRBUF_INIT;
	struct profile *profile;
	struct fixture f;

	fixture_init(&f);
	for (size_t i = 0; i < ARRAY_SIZE(alike); i++) {
		struct record_file file = { .file = i + 1,
					    .kind = FILE_REGULAR,
					    .path = fixture_string(&f, alike[i].path) };

		fixture_add(&f, RECORD_FILE, &file);
	}
	fixture_end_snapshot(&f);
	profile = fixture_end(&f);
	for (size_t i = 0; i < ARRAY_SIZE(alike); i++) {
		strbuf_reset(&label);
		label_file(profile, i + 1, &label);
		assert_string_equal(label.text, alike[i].label);
	}
	strbuf_release(&label);
	profile_free(profile);
}

static void files_that_look_alike_are_one(void **state UNUSED)
{
	struct profile *profile = profile_of_files();

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		const struct record_file *file = id_table_get(&profile->files, i + 1);
		const struct activity_sum *sum = activity_find(&profile->file_activity, i + 1);
		size_t of_it = 0, waits = 0;

		for (size_t other = 0; other < ARRAY_SIZE(files); other++)
			of_it += files[other].like == i + 1;
		for (size_t wait = 0; wait < profile->wait_count; wait++)
			if (profile->waits[wait].file == i + 1)
				waits += profile->waits[wait].count;
		assert_int_equal(waits, 2 * of_it);
		assert_int_equal(sum ? sum->waits : 0, 2 * of_it);
		assert_int_equal(file ? file->opens : 0, OPENS * of_it);
		if (file)
			assert_string_equal(profile_text(profile, file->path),
					    of_it == 1 || files[i].path[0] == '/' ? files[i].path : "");
	}
	profile_free(profile);
}

/* A recursive procedure is shown once for each line of the recursive call. */
static void calls_of_itself_are_told_apart_by_line(void **state UNUSED)
{
	static const uint64_t lines[] = { 5, 12, 12, 14, 12 };
	struct strbuf chain = STRBUF_INIT;
	uint64_t object, stack = 0;
	struct profile *profile;
	struct fixture f;

	fixture_init(&f);
	object = fixture_object(&f, OBJECT_FILE, "/opt/pay/server", "");
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		stack = fixture_stack(
			&f, stack,
			fixture_frame(&f, object, 0x200 + i, "a.c", "walk", lines[i], ""));
	stack = fixture_stack(&f, stack, fixture_frame(&f, object, 0x900, "a.c", "leaf", 1, ""));
	fixture_samples(&f, 1, stack, 1, 0, 0);
	fixture_end_snapshot(&f);
	profile = fixture_end(&f);
	attribution_chain(profile, profile->cpu[0].stack, &chain);
	assert_string_equal(chain.text, "walk 12 < walk 14 < walk 12 < walk 5");
	strbuf_release(&chain);
	profile_free(profile);
}

/* A function that an agent wraps is called through it: the program called the library. */
static void agents_are_passed_over(void **state UNUSED)
{
	struct fixture f;
	struct profile *profile;
	const struct attribution *attribution;
	uint64_t program, agent, library, main, opening, noting, opened;

	fixture_init(&f);
	program = fixture_object(&f, OBJECT_FILE, "/opt/pay/PAYCALC", "");
	agent = fixture_object(&f, OBJECT_FILE, "/usr/lib/vigil/vigil-step.so", "");
	library = fixture_object(&f, OBJECT_FILE, "/usr/lib/libcob.so.4", "");
	main = fixture_stack(&f, 0, fixture_frame(&f, program, 0x100, "pay.cob", "MAIN", 5, ""));
	opening = fixture_stack(&f, main, fixture_frame(&f, agent, 0x100, "", "cob_open", 0, ""));
	noting = fixture_stack(&f, opening, fixture_frame(&f, agent, 0x200, "", "note", 0, ""));
	opened = fixture_stack(&f, opening,
			       fixture_frame(&f, library, 0x900, "", "cob_open", 0, ""));
	fixture_samples(&f, 10, noting, 1, 0, 0);
	fixture_samples(&f, 10, opened, 1, 0, 0);
	fixture_end_snapshot(&f);
	profile = fixture_end(&f);
	attribution = &profile->attribution;
	for (size_t i = 0; i < profile->cpu_count; i++) {
		size_t stack = profile->cpu[i].stack;
		const struct place *via = attribution_via(attribution, stack);
		bool own = attribution_place(attribution, stack)->procedure != via->procedure;

		assert_string_equal(
			profile_text(profile, attribution_caller(attribution, stack)->procedure),
			"MAIN");
		assert_string_equal(profile_text(profile, via->procedure), "cob_open");
		assert_string_equal(profile_text(profile, via->section),
				    own ? ".VIGIL" : ".COBLIB");
	}
	assert_int_equal(profile->cpu_count, 2);
	profile_free(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agents_are_passed_over),
		cmocka_unit_test(points_in_time_stay_inside_the_run),
		cmocka_unit_test(a_snapshot_begins_where_the_last_ended),
		cmocka_unit_test(a_snapshot_out_of_order_does_not_shorten_the_run),
		cmocka_unit_test(the_period_is_the_last_one_or_the_first),
		cmocka_unit_test(files_are_named_by_the_end_of_their_path),
		cmocka_unit_test(files_whose_paths_end_alike_have_folders_in_their_names),
		cmocka_unit_test(files_that_look_alike_are_one),
		cmocka_unit_test(calls_of_itself_are_told_apart_by_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
