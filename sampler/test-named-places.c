/* SPDX-License-Identifier: Apache-2.0 */
/* Tests modules and places that data collectors name. */
#include "common/compat.h"
#include "sampler/named-places.h"
#include "program/names/unit-language.h"

#include <setjmp.h>
#include <stdarg.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static struct object_list objects;
static struct stacks stacks;
static struct named_places *places;
static struct names *names;
static struct name levels[NAMES_MAX_INLINE];
static char folder[] = "/tmp/vigil-places-XXXXXX";

static int set_up(void **state UNUSED)
{
	object_list_init(&objects);
	stacks_init(&stacks, &objects);
	places = named_places_new(&objects, &stacks);
	names = names_new();
	return 0;
}

static int tear_down(void **state UNUSED)
{
	names_free(names);
	named_places_free(places);
	stacks_release(&stacks);
	object_list_release(&objects);
	return 0;
}

static int make_folder(void **state UNUSED)
{
	return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int remove_folder(void **state UNUSED)
{
	unlink("app.py");
	unlink("fixed.cob");
	return chdir("/") == 0 ? rmdir(folder) : -1;
}

static void put_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

/* Resolves the name of a frame; returns the number of levels. */
static size_t resolve(uint32_t frame)
{
	const struct stacks_frame *place = &stacks.frames[frame - 1];

	return named_places_resolve(places, names, place->object, place->offset, levels);
}

static uint32_t frame_of(const char *module, const char *section, const char *procedure,
			 const char *file, uint64_t line)
{
	const struct named_place_text text = { module, section, procedure, file, line };

	return named_places_frame(places, &text, getpid());
}

static void equal_places_are_one_frame(void **state UNUSED)
{
	uint32_t first = frame_of("app.py", "", "main", "/a/app.py", 12);
	char module[] = "app.py", procedure[] = "main";
	struct named_place_text copy = { module, "", procedure, "/a/app.py", 12 };

	assert_int_equal(named_places_frame(places, &copy, 1), first);
	/* The texts are copied. */
	memset(module, 'x', sizeof(module) - 1);
	memset(procedure, 'x', sizeof(procedure) - 1);
	assert_int_equal(frame_of("app.py", "", "main", "/a/app.py", 12), first);
	for (unsigned i = 0; i < 100000; i++)
		frame_of("app.py", "", "main", "/a/app.py", 12);
	assert_int_equal(stacks.frame_count, 1);
	assert_int_equal(objects.count, 1);
	assert_int_equal(objects.items[0]->kind, OBJECT_NAMED);
	assert_string_equal(objects.items[0]->path, "app.py");
}

static void every_text_tells_places_apart(void **state UNUSED)
{
	const uint32_t frames[] = {
		frame_of("m", "s", "p", "/f", 1), frame_of("M", "s", "p", "/f", 1),
		frame_of("m", "S", "p", "/f", 1), frame_of("m", "s", "P", "/f", 1),
		frame_of("m", "s", "p", "/F", 1), frame_of("m", "s", "p", "/f", 2),
		frame_of("m", "", "sp", "/f", 1), frame_of("m", "p", "s", "/f", 1),
		frame_of("", "m", "s", "p", 0),	  frame_of("", "", "", "", 0),
	};

	for (size_t i = 0; i < ARRAY_SIZE(frames); i++)
		for (size_t j = 0; j < i; j++)
			assert_int_not_equal(frames[i], frames[j]);
	assert_int_equal(resolve(frames[3]), 1);
	assert_string_equal(levels[0].section, "s");
	assert_string_equal(levels[0].procedure, "P");
	assert_string_equal(levels[0].file, "/f");
	assert_string_equal(levels[0].text, "");
	assert_int_equal(levels[0].line, 1);
	assert_int_equal(objects.count, 3);
}

static void modules_have_offsets_without_names(void **state UNUSED)
{
	uint32_t first = named_places_module(places, "LOADED", 0x40, 1);
	uint32_t forced = named_places_module(places, "ABCPROG", UINT64_C(0x7fffdeadbeef), 1);

	assert_int_equal(named_places_module(places, "LOADED", 0x40, 2), first);
	assert_int_not_equal(named_places_module(places, "LOADED", 0x48, 1), first);
	assert_int_equal(stacks.frames[first - 1].offset, 0x40);
	assert_int_equal(resolve(first), 0);
	/* A forced module has no start; its address is not a number of a place. */
	assert_int_equal(stacks.frames[forced - 1].offset, 0);
	assert_int_equal(frame_of("ABCPROG", "", "", "", 0), 4);
	assert_int_equal(resolve(4), 1);
	assert_int_equal(objects.count, 2);
}

/* There is none after the last place. */
static void places_end_with_the_last_one(void **state UNUSED)
{
	uint32_t frame = frame_of("m", "s", "p", "/f", 1);
	const struct stacks_frame *place = &stacks.frames[frame - 1];
	uint32_t object = place->object;
	uint64_t offset = place->offset;

	assert_int_equal(named_places_resolve(places, names, object, offset, levels), 1);
	assert_int_equal(named_places_resolve(places, names, object, offset + 1, levels), 0);
	assert_int_equal(named_places_resolve(places, names, object, offset - 1, levels), 0);
	assert_int_equal(named_places_resolve(places, names, object + 1, offset, levels), 0);
}

static void frames_of_others_are_left_alone(void **state UNUSED)
{
	const struct object *kernel = object_for_kind(&objects, OBJECT_KERNEL, 1, 0, 0);

	assert_int_equal(
		named_places_resolve(places, names, kernel->id, NAMED_PLACES_FIRST, levels), 0);
	assert_int_equal(named_places_resolve(places, names, 99, NAMED_PLACES_FIRST, levels), 0);
	named_places_module(places, "LOADED", 1, 1);
	assert_int_equal(named_places_resolve(places, names, 2, NAMED_PLACES_FIRST + 7, levels), 0);
}

static void source_lines_are_shown(void **state UNUSED)
{
	char path[sizeof(folder) + 20];

	put_file("app.py", "import zlib\n\tdata = zlib.compress(text)  \n");
	put_file("fixed.cob", "000100 IDENTIFICATION DIVISION.\n000200 PROGRAM-ID. FIXED.\n"
			      "000300 PROCEDURE DIVISION.\n"
			      "000400     MOVE 1 TO N.\n");
	snprintf(path, sizeof(path), "%s/app.py", folder);
	assert_int_equal(resolve(frame_of("app", "app.py", "compress", path, 2)), 1);
	assert_string_equal(levels[0].text, "data = zlib.compress(text)");
	assert_string_equal(levels[0].language, "Python");
	/* A relative path is relative to the directory of the process. */
	assert_int_equal(resolve(frame_of("app", "app.py", "compress", "./app.py", 1)), 1);
	assert_string_equal(levels[0].file, path);
	assert_string_equal(levels[0].text, "import zlib");
	assert_int_equal(resolve(frame_of("FIXED", "fixed.cob", "MAIN", "fixed.cob", 4)), 1);
	assert_string_equal(levels[0].text, "MOVE 1 TO N.");
	assert_string_equal(levels[0].language, "COBOL");
	assert_int_equal(resolve(frame_of("app", "", "compress", path, 77)), 1);
	assert_string_equal(levels[0].text, "");
	assert_int_equal(resolve(frame_of("app", "", "<module>", "<string>", 1)), 1);
	assert_string_equal(levels[0].file, "<string>");
	assert_string_equal(levels[0].text, "");
}

static void the_ending_of_a_file_tells_the_language(void **state UNUSED)
{
	static const char *const files[][2] = {
		{ "/a/app.py", "Python" }, { "app.PL", "Perl" },  { "/a/Module.pm", "Perl" },
		{ "night.sh", "Shell" },   { "q.sql", "SQL" },	  { "a.cob", "COBOL" },
		{ "A.CBL", "COBOL" },	   { "noending", "" },	  { "", "" },
		{ "a.py/script", "" },	   { "strange.xyz", "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		assert_string_equal(language_of_file(files[i][0]), files[i][1]);
}

static void a_million_samples_need_memory_for_distinct_places_only(void **state UNUSED)
{
	char procedure[20];

	for (unsigned i = 0; i < 1000000; i++) {
		snprintf(procedure, sizeof(procedure), "p%u", i % 200);
		frame_of("m", "s", procedure, "/f", i % 200);
		named_places_module(places, "m", i % 64, 1);
	}
	assert_int_equal(stacks.frame_count, 200 + 64);
	assert_int_equal(objects.count, 1);
}

static void modules_are_told_apart_however_many_there_are(void **state UNUSED)
{
	const uint32_t count = 3 << 16;
	const uint64_t offsets[] = { 0, UINT64_C(0x7fffffffffff) };
	char module[20];

	for (int round = 0; round < 2; round++)
		for (uint32_t i = 0; i < count; i++) {
			const uint64_t offset = offsets[i % ARRAY_SIZE(offsets)];
			const struct stacks_frame *frame;
			const struct object *object;
			uint32_t id;

			snprintf(module, sizeof(module), "M%u", i);
			if (round == 0)
				object_add_named(&objects, module);
			object = object_get(&objects, i + 1);
			id = stacks_frame(&stacks, object, offset, 1);
			assert_int_equal(id, i + 1);
			frame = &stacks.frames[id - 1];
			assert_int_equal(frame->object, object->id);
			assert_int_equal(frame->offset, offset);
		}
	assert_int_equal(stacks.frame_count, count);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(equal_places_are_one_frame),
		TEST(every_text_tells_places_apart),
		TEST(modules_have_offsets_without_names),
		TEST(places_end_with_the_last_one),
		TEST(frames_of_others_are_left_alone),
		TEST(source_lines_are_shown),
		TEST(the_ending_of_a_file_tells_the_language),
		TEST(modules_are_told_apart_however_many_there_are),
		TEST(a_million_samples_need_memory_for_distinct_places_only),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
