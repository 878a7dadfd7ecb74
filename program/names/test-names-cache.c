/* SPDX-License-Identifier: Apache-2.0 */
/* Tests that cached names equal those that are read, and that nothing written by others is used. */
#include "common/compat.h"
#include "program/names/names-cache.h"
#include "program/names/names-debugfile.h"
#include "program/names/names-sums.h"
#include "program/names/test-names-subject.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#define PATH_ROOM 512

static const char source[] = "#include <stdio.h>\n"
			     "static inline __attribute__((always_inline)) int inner(int x)\n"
			     "{\n"
			     "	return x * printf(\"%d\\n\", x);\n"
			     "}\n"
			     "__attribute__((noinline)) int outer(int x)\n"
			     "{\n"
			     "	return inner(x) + inner(x + 1);\n"
			     "}\n"
			     "__attribute__((noinline)) int other(int x)\n"
			     "{\n"
			     "	return x ? outer(x) : puts(\"\");\n"
			     "}\n"
			     "int main(int argc, char **argv)\n"
			     "{\n"
			     "	(void)argv;\n"
			     "	return other(argc) == 0;\n"
			     "}\n";

/* Returns the path of the cache folder, valid until the next call. */
static const char *cache_folder(void)
{
	static char path[PATH_ROOM];

	snprintf(path, sizeof(path), "%s/cache/names", subject_folder);
	return path;
}

/* Returns how many files are in the cache; copies the path of one of them to path. */
static unsigned files(char path[PATH_ROOM])
{
	DIR *folder = opendir(cache_folder());
	struct dirent *one;
	unsigned count = 0;

	while (folder && (one = readdir(folder)))
		if (one->d_name[0] != '.') {
			snprintf(path, PATH_ROOM, "%.200s/%.255s", cache_folder(), one->d_name);
			count++;
		}
	if (folder)
		closedir(folder);
	return count;
}

/* Returns whether two levels are equal. */
static bool same(const struct name *one, const struct name *other)
{
	return !strcmp(one->procedure, other->procedure) && !strcmp(one->section, other->section) &&
	       !strcmp(one->file, other->file) && !strcmp(one->language, other->language) &&
	       !strcmp(one->text, other->text) && one->start == other->start &&
	       one->size == other->size && one->line == other->line;
}

/*
 * Compares the names read from an object with those from the cache, at addresses
 * in steps, and caches them; returns an address at which they differ, 0: none.
 */
static uint64_t differs(const char *name, unsigned step)
{
	struct subject read, kept;
	uint64_t different = 0;

	subject_open(&read, name);
	subject_open(&kept, name);
	names_use_cache(kept.names, cache_folder());
	for (uint64_t at = read.start; at < read.end && !different; at += step) {
		size_t count = names_resolve(read.names, read.object, at, 0, read.levels);

		if (names_resolve(kept.names, kept.object, at, 0, kept.levels) != count)
			different = at;
		for (size_t i = 0; i < count && !different; i++)
			different = same(&read.levels[i], &kept.levels[i]) ? 0 : at;
	}
	assert_string_equal(read.object->note ? read.object->note : "",
			    kept.object->note ? kept.object->note : "");
	names_save_cache(kept.names);
	subject_close(&read);
	subject_close(&kept);
	return different;
}

static void kept_names_are_those_that_are_read(void **state UNUSED)
{
	static const char *const forms[] = {
		"-g -O2",
		"-g -O0",
		"-gdwarf-4 -O2",
		"-g -gz=zlib -O2",
		"-g -gsplit-dwarf -O2",
		"-O2",
		"-g -O2 -static",
		"-O2 -s",
		"-g -flto -O2",
	};
	char path[PATH_ROOM];

	subject_put("kept.c", source);
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		bool is_static = strstr(forms[i], "-static");

		print_message("%s\n", forms[i]);
		assert_true(subject_run("rm -rf cache; gcc -Wl,--build-id %s -o kept kept.c",
					forms[i]));
		/* Few addresses first, so that some of the rest are cached and some are not. */
		assert_int_equal(differs("kept", is_static ? 4099 : 101), 0);
		assert_int_equal(files(path), strstr(forms[i], "split") ? 0 : 1);
		assert_int_equal(differs("kept", is_static ? 211 : 7), 0);
		assert_int_equal(differs("kept", is_static ? 211 : 1), 0);
		assert_int_equal(differs("kept", is_static ? 211 : 1), 0);
	}
}

/* A very large library, with whatever debug file exists for it. */
static void kept_names_of_the_c_library_are_those_that_are_read(void **state UNUSED)
{
	assert_true(subject_run("rm -rf cache; cp \"$(gcc -print-file-name=libc.so.6)\" kept"));
	assert_int_equal(differs("kept", 20011), 0);
	assert_int_equal(differs("kept", 1009), 0);
	assert_int_equal(differs("kept", 503), 0);
	assert_int_equal(differs("kept", 503), 0);
}

/* Runs one session that resolves the name of the function at a symbol, and caches what it found. */
static void meet(const char *name, const char *function)
{
	struct subject subject;

	subject_open(&subject, name);
	names_use_cache(subject.names, cache_folder());
	names_set_idle(subject.names, true);
	assert_int_equal(subject_find(&subject, 0, function, 0), 1);
	names_save_cache(subject.names);
	subject_close(&subject);
}

/* Returns whether the cache file of an object has a name for a function. */
static bool is_kept(const char *path, const char *function)
{
	struct strbuf bytes = STRBUF_INIT;
	struct names_known known;
	struct name levels[NAMES_MAX_INLINE];
	uint64_t signature;
	bool found = false;

	assert_int_equal(strbuf_read_file(&bytes, path), 0);
	memcpy(&signature, bytes.text + 16, sizeof(signature));
	names_known_init(&known, signature);
	assert_true(names_known_read(&known, &bytes));
	for (size_t i = 0; i < known.stretch_count && !found; i++)
		found = names_known_find(&known, known.stretches[i].start, levels) &&
			!strcmp(levels[0].procedure, function);
	names_known_release(&known);
	strbuf_release(&bytes);
	return found;
}

/*
 * The first session caches what it saw, and names of the same source; the second
 * one that has to read the object caches all.
 */
static void an_object_that_is_met_again_is_kept_whole(void **state UNUSED)
{
	char path[PATH_ROOM];

	subject_put("first.c", "int first(int a) { return a * 3; }\nint other(int a) { return a + 1; }\n");
	subject_put("second.c", "int second(int a) { return a * 5; }\n");
	subject_put("third.c", "int third(int a) { return a * 7; }\nint main(void) { return third(1); }\n");
	assert_true(subject_run("rm -rf cache; gcc -g -O0 -Wl,--build-id -o kept first.c second.c third.c"));
	meet("kept", "first");
	assert_int_equal(files(path), 1);
	assert_true(is_kept(path, "other"));
	assert_false(is_kept(path, "second"));
	meet("kept", "second");
	assert_true(is_kept(path, "third"));
	assert_int_equal(differs("kept", 1), 0);
}

static void a_new_debug_file_counts_at_once(void **state UNUSED)
{
	struct subject subject;
	char path[PATH_ROOM];

	subject_put("kept.c", source);
	assert_true(subject_run("rm -rf cache; gcc -g -O2 -Wl,--build-id -o kept kept.c &&"
				"objcopy --only-keep-debug kept away.debug &&"
				"objcopy --strip-all --add-gnu-debuglink=away.debug kept &&"
				"mv away.debug kept.debug2 && : >away.debug"));
	assert_int_equal(differs("kept", 1), 0);
	assert_int_equal(files(path), 1);
	assert_true(subject_run("mv kept.debug2 away.debug"));
	assert_int_equal(differs("kept", 1), 0);
	subject_open(&subject, "kept");
	names_use_cache(subject.names, cache_folder());
	assert_int_equal(subject_find(&subject, 0, "inner", 4), 2);
	subject_close(&subject);
}

/* Changes one byte of a file; a second call restores it. */
static void flip(const char *path, long at)
{
	FILE *file = fopen(path, "r+");
	int byte;

	assert_non_null(file);
	fseek(file, at, SEEK_SET);
	byte = fgetc(file);
	fseek(file, at, SEEK_SET);
	fputc(byte ^ 0x41, file);
	fclose(file);
}

/*
 * Returns how many files of decompressed debug information there are; copies the
 * path of one of them to path.
 */
static unsigned unpacked_files(char path[PATH_ROOM])
{
	DIR *folder = opendir(cache_folder());
	struct dirent *one;
	unsigned count = 0;

	while (folder && (one = readdir(folder)))
		if (strstr(one->d_name, "-debug-")) {
			snprintf(path, PATH_ROOM, "%.200s/%.255s", cache_folder(), one->d_name);
			count++;
		}
	if (folder)
		closedir(folder);
	return count;
}

static void packed_debug_files_are_kept_unpacked(void **state UNUSED)
{
	char path[PATH_ROOM];
	struct stat status;

	subject_put("kept.c", source);
	assert_true(subject_run(
		"rm -rf cache; gcc -g -O2 -Wl,--build-id -o kept kept.c &&"
		"objcopy --only-keep-debug --compress-debug-sections=zlib kept away.debug &&"
		"objcopy --strip-all --add-gnu-debuglink=away.debug kept"));
	assert_int_equal(differs("kept", 97), 0);
	assert_int_equal(unpacked_files(path), 1);
	/*
	 * The cached names are removed, so that everything is read from the copy; the copy
	 * is unchanged.
	 */
	assert_true(subject_run("cp -p '%s' copy && rm $(ls cache/names/*.names | grep -v debug)",
				path));
	assert_int_equal(differs("kept", 1), 0);
	assert_true(subject_run("cmp '%s' copy", path));
	/* A damaged copy is harmless: it is read like a file from an untrusted source. */
	assert_int_equal(stat(path, &status), 0);
	for (long at = 0; at < status.st_size; at += 61) {
		struct subject subject;

		flip(path, at);
		assert_true(subject_run("rm -f $(ls cache/names/*.names | grep -v debug)"));
		subject_open(&subject, "kept");
		names_use_cache(subject.names, cache_folder());
		for (uint64_t address = subject.start; address < subject.end; address += 13)
			names_resolve(subject.names, subject.object, address, 0, subject.levels);
		subject_close(&subject);
		flip(path, at);
	}
	/* Another debug file has another copy. */
	assert_true(subject_run("rm -rf cache/names/*; touch -d '-1 hour' away.debug"));
	assert_int_equal(differs("kept", 5), 0);
	assert_true(subject_run("touch away.debug"));
	assert_int_equal(differs("kept", 5), 0);
	assert_int_equal(unpacked_files(path), 2);
}

/* Returns how often a text occurs in the only file of the cache. */
static unsigned occurs(const char *text)
{
	struct strbuf bytes = STRBUF_INIT;
	char path[PATH_ROOM];
	unsigned count = 0;

	assert_int_equal(files(path), 1);
	assert_int_equal(strbuf_read_file(&bytes, path), 0);
	for (const char *at = bytes.text, *end = at + bytes.length;
	     (at = memmem(at, (size_t)(end - at), text, strlen(text))); at++)
		count++;
	strbuf_release(&bytes);
	return count;
}

/* If code has no names at all, the next session knows all routines after one that was seen. */
static void one_routine_brings_those_behind_it(void **state UNUSED)
{
	struct subject subject;

	subject_put("kept.c", source);
	assert_true(subject_run("rm -rf cache; gcc -O1 -s -Wl,--build-id -o kept kept.c"));
	subject_open(&subject, "kept");
	names_use_cache(subject.names, cache_folder());
	for (uint64_t at = subject.start; at < subject.end; at++)
		if (names_resolve(subject.names, subject.object, at, 0, subject.levels) &&
		    subject.levels[0].procedure[0] == '+')
			break;
	names_save_cache(subject.names);
	subject_close(&subject);
	assert_in_range(occurs("+0x"), 3, 100);
	assert_int_equal(differs("kept", 1), 0);
}

/* An empty list of servers counts as none. */
static void an_empty_list_of_servers_is_none(void **state UNUSED)
{
	struct subject subject;
	uint64_t with, without;
	Elf *elf;

	subject_put("kept.c", source);
	assert_true(subject_run("gcc -g -Wl,--build-id -o kept kept.c"));
	subject_open(&subject, "kept");
	elf_version(EV_CURRENT);
	elf = elf_begin(subject.object->fd, ELF_C_READ, NULL);
	assert_int_equal(unsetenv("DEBUGINFOD_URLS"), 0);
	without = debugfile_signature(elf, subject.object->path, "/usr/lib/debug");
	assert_int_equal(setenv("DEBUGINFOD_URLS", "", 1), 0);
	with = debugfile_signature(elf, subject.object->path, "/usr/lib/debug");
	assert_int_equal(with, without);
	assert_int_equal(setenv("DEBUGINFOD_URLS", "http://127.0.0.1:1", 1), 0);
	with = debugfile_signature(elf, subject.object->path, "/usr/lib/debug");
	assert_int_not_equal(with, without);
	assert_int_equal(unsetenv("DEBUGINFOD_URLS"), 0);
	elf_end(elf);
	subject_close(&subject);
}

/* The text of a line is that of the current source. */
static void changed_sources_are_told_of(void **state UNUSED)
{
	struct subject subject;

	subject_put("kept.c", source);
	assert_true(subject_run("rm -rf cache; gcc -g -O2 -Wl,--build-id -o kept kept.c"));
	assert_int_equal(differs("kept", 1), 0);
	assert_true(subject_run(
		"sed -i 's/x \\* printf/5 * printf/' kept.c && touch -d '+1 hour' kept.c"));
	assert_int_equal(differs("kept", 1), 0);
	subject_open(&subject, "kept");
	names_use_cache(subject.names, cache_folder());
	assert_int_equal(subject_find(&subject, 0, "inner", 4), 2);
	assert_string_equal(subject.levels[0].text, "return 5 * printf(\"%d\\n\", x);");
	assert_non_null(strstr(subject.object->note, "was changed after it was compiled"));
	subject_close(&subject);
}

static void damaged_files_are_not_believed(void **state UNUSED)
{
	char path[PATH_ROOM];
	struct stat status;

	subject_put("kept.c", source);
	assert_true(subject_run("rm -rf cache; gcc -g -O2 -Wl,--build-id -o kept kept.c"));
	assert_int_equal(differs("kept", 1), 0);
	assert_int_equal(files(path), 1);
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	for (long at = 0; at < status.st_size; at += 37) {
		flip(path, at);
		assert_int_equal(differs("kept", 5), 0);
	}
	for (long length = 0; length < status.st_size; length += status.st_size / 8 + 1) {
		assert_int_equal(truncate(path, length), 0);
		assert_int_equal(differs("kept", 5), 0);
	}
	/* The rewritten file is intact again. */
	assert_int_equal(differs("kept", 1), 0);
}

/* Stretches are found by address, whatever the order in which they were added. */
static void stretches_stand_by_address(void **state UNUSED)
{
	static const uint64_t starts[] = { 100, 110, 120, 50, 60, 300, 115, 130, 10, 290, 55, 400 };
	struct name levels[NAMES_MAX_INLINE];
	struct names_known known;

	names_known_init(&known, 7);
	for (size_t i = 0; i < ARRAY_SIZE(starts); i++) {
		const struct name name = { .procedure = "p",
					   .section = "",
					   .file = "",
					   .language = "",
					   .text = "",
					   .start = starts[i],
					   .size = 5,
					   .line = starts[i] };

		assert_true(names_known_add(&known, starts[i], starts[i] + 5, &name, 1));
	}
	names_known_merge(&known);
	for (size_t i = 0; i < ARRAY_SIZE(starts); i++) {
		assert_int_equal(names_known_find(&known, starts[i] + 4, levels), 1);
		assert_int_equal(levels[0].line, starts[i]);
		assert_int_equal(names_known_end(&known, starts[i]), starts[i] + 5);
	}
	assert_int_equal(names_known_find(&known, 105, levels), 0);
	assert_int_equal(names_known_next(&known, 130), 290);
	names_known_release(&known);
}

/* Invalid numbers with a correct checksum: wrong names, but no access outside the bytes. */
static void wrong_numbers_lead_nowhere(void **state UNUSED)
{
	const struct name name = { .procedure = "one",
				   .section = "s.c",
				   .file = "/s.c",
				   .language = "C",
				   .text = "",
				   .start = 16,
				   .size = 32,
				   .line = 3 };
	struct name levels[NAMES_MAX_INLINE];
	struct strbuf bytes = STRBUF_INIT;
	struct names_known known;

	names_known_init(&known, 7);
	assert_true(names_known_add(&known, 16, 48, &name, 1));
	names_known_merge(&known);
	assert_int_equal(names_known_find(&known, 47, levels), 1);
	assert_string_equal(levels[0].procedure, "one");
	assert_int_equal(names_known_find(&known, 48, levels), 0);
	assert_int_equal(names_known_find(&known, 15, levels), 0);
	known.levels[0].outer = 1; /* a cycle */
	known.levels[0].procedure = 1U << 30;
	names_known_write(&known, &bytes);
	names_known_release(&known);
	names_known_init(&known, 7);
	assert_true(names_known_read(&known, &bytes));
	assert_int_equal(names_known_find(&known, 20, levels), NAMES_MAX_INLINE);
	assert_string_equal(levels[0].procedure, "");
	known.stretches[0].level = 99;
	assert_int_equal(names_known_find(&known, 20, levels), 0);
	known.stretches[0].level = KNOWN_PLAIN | 0x7fffffff;
	assert_int_equal(names_known_find(&known, 20, levels), 1);
	assert_string_equal(levels[0].procedure, "");
	names_known_release(&known);
	/* With another signature nothing is known. */
	names_known_init(&known, 8);
	names_known_add(&known, 16, 48, &name, 1);
	names_known_merge(&known);
	names_known_write(&known, &bytes);
	names_known_release(&known);
	names_known_init(&known, 7);
	assert_false(names_known_read(&known, &bytes));
	names_known_release(&known);
	strbuf_release(&bytes);
}

static void what_others_could_change_is_left_alone(void **state UNUSED)
{
	struct names_cache *cache;
	char path[PATH_ROOM];

	subject_put("kept.c", source);
	assert_true(subject_run("rm -rf cache; mkdir cache; mkdir -m 777 cache/names"));
	assert_null(names_cache_open(cache_folder()));
	assert_true(subject_run(
		"rm -rf cache; mkdir cache elsewhere; ln -s elsewhere/none cache/names"));
	assert_null(names_cache_open(cache_folder()));
	assert_null(names_cache_open("names"));
	assert_true(subject_run("rm -rf cache; gcc -g -O2 -Wl,--build-id -o kept kept.c"));
	cache = names_cache_open(cache_folder());
	assert_non_null(cache);
	names_cache_close(cache);
	assert_int_equal(differs("kept", 3), 0);
	assert_int_equal(files(path), 1);
	/* A link, and a file that others may write to, are not used; new files replace them. */
	assert_true(subject_run("cp '%s' target && rm '%s' && ln -s '%s/target' '%s'", path, path,
				subject_folder, path));
	assert_int_equal(differs("kept", 3), 0);
	assert_true(subject_run("test -f '%s' -a ! -L '%s' && chmod 666 '%s'", path, path, path));
	assert_int_equal(differs("kept", 3), 0);
	assert_true(subject_run("test \"$(stat -c %%a '%s')\" = 600", path));
}

/*
 * Only the needed parts of a file of many megabytes are read, and none of it
 * counts once a part is found to be damaged.
 */
static void large_files_are_read_where_they_are_needed(void **state UNUSED)
{
	enum { COUNT = 60000 };
	struct name levels[NAMES_MAX_INLINE];
	struct strbuf bytes = STRBUF_INIT;
	struct names_known known;
	const struct name more = { "new", "", "", "", "", 16 * COUNT, 8, 0 };
	char text[32];

	names_known_init(&known, 7);
	for (uint64_t i = 0; i < COUNT; i++) {
		const struct name name = {
			.procedure = text, .section = "", .file = "/s.c", .language = "C", .text = "",
			.start = 16 * i, .size = 16, .line = i,
		};

		snprintf(text, sizeof(text), "procedure_%" PRIu64, i);
		assert_true(names_known_add(&known, 16 * i, 16 * i + 16, &name, 1));
	}
	names_known_merge(&known);
	names_known_write(&known, &bytes);
	names_known_release(&known);
	for (uint64_t damaged = 0; damaged < 2; damaged++) {
		struct strbuf copy = STRBUF_INIT;

		strbuf_add(&copy, bytes.text, bytes.length);
		/* The last text: that of the last procedure. */
		copy.text[copy.length - 2] = (char)(copy.text[copy.length - 2] ^ (damaged ? 1 : 0));
		names_known_init(&known, 7);
		assert_true(names_known_read(&known, &copy));
		assert_int_equal(names_known_find(&known, 16 * 100 + 3, levels), 1);
		assert_string_equal(levels[0].procedure, "procedure_100");
		assert_int_equal(levels[0].line, 100);
		assert_true(names_sums_read(known.sums) < names_sums_count(bytes.length) / 4);
		assert_int_equal(names_known_find(&known, 16 * COUNT - 1, levels), damaged ? 0 : 1);
		assert_int_equal(names_known_find(&known, 16 * 100, levels), damaged ? 0 : 1);
		assert_int_equal(names_known_end(&known, 16 * 100), damaged ? 0 : 16 * 101);
		assert_int_equal(names_known_is_intact(&known), !damaged);
		/* After adding one, only that is known, or one more than before. */
		names_known_add(&known, more.start, more.start + more.size, &more, 1);
		names_known_merge(&known);
		assert_int_equal(known.stretch_count, damaged ? 1 : COUNT + 1);
		assert_int_equal(names_known_find(&known, 16 * 100, levels), damaged ? 0 : 1);
		assert_int_equal(names_known_find(&known, 16 * COUNT, levels), 1);
		names_known_release(&known);
		strbuf_release(&copy);
	}
	strbuf_release(&bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kept_names_are_those_that_are_read),
		cmocka_unit_test(kept_names_of_the_c_library_are_those_that_are_read),
		cmocka_unit_test(an_object_that_is_met_again_is_kept_whole),
		cmocka_unit_test(a_new_debug_file_counts_at_once),
		cmocka_unit_test(packed_debug_files_are_kept_unpacked),
		cmocka_unit_test(one_routine_brings_those_behind_it),
		cmocka_unit_test(an_empty_list_of_servers_is_none),
		cmocka_unit_test(changed_sources_are_told_of),
		cmocka_unit_test(damaged_files_are_not_believed),
		cmocka_unit_test(large_files_are_read_where_they_are_needed),
		cmocka_unit_test(stretches_stand_by_address),
		cmocka_unit_test(wrong_numbers_lead_nowhere),
		cmocka_unit_test(what_others_could_change_is_left_alone),
	};

	return cmocka_run_group_tests(tests, subject_folder_make, subject_folder_remove);
}
