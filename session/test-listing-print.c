/* SPDX-License-Identifier: Apache-2.0 */
/* Tests that reports reach each target whole, or leave it as it was. */
#include "common/compat.h"
#include "session/listing-print.h"
#include "common/test-folder.h"
#include "profile/fixture.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char *const known[] = { "PSU" }, *const unknown[] = { "NONE" };

/* Prints the listing of a fixture, with valid or invalid report codes. 0, or -1 with the reason. */
static int print(const char *const *code, const struct output_target *target, struct error *err)
{
	struct profile *profile = fixture_profile("payroll");
	struct report_options options;
	int result;

	report_options_init(&options);
	options.codes = code;
	options.code_count = 1;
	result = listing_print(profile, &options, target, err);
	profile_free(profile);
	return result;
}

/* Reads a file; "" if it does not exist. */
static void read_back(const char *path, struct strbuf *text)
{
	strbuf_reset(text);
	if (strbuf_read_file(text, path) < 0)
		strbuf_reset(text);
}

static void write_file(const char *path, const char *text)
{
	FILE *stream = fopen(path, "w");

	assert_non_null(stream);
	fputs(text, stream);
	assert_int_equal(fclose(stream), 0);
}

/* Prints the listing to the caller's stream, which stays open. */
static void print_to_stream(struct strbuf *listing)
{
	struct error err = ERROR_INIT;
	char *text = NULL;
	size_t length;
	FILE *stream = open_memstream(&text, &length);
	const struct output_target target = { .kind = OUTPUT_STREAM, .stream = stream };

	assert_int_equal(print(known, &target, &err), 0);
	strbuf_addstr(listing, text);
	assert_true(length > 1000);
	assert_int_equal(print(unknown, &target, &err), -1);
	fputs("more", stream);
	assert_int_equal(fclose(stream), 0);
	assert_int_equal(length, listing->length + 4);
	error_release(&err);
	free(text);
}

static void every_target_has_the_same_listing_or_what_it_had(void **state)
{
	/*
	 * The content before, what a failure leaves of it, and how much of it precedes the
	 * listing.
	 */
	static const struct {
		enum output_kind kind;
		const char *left, *before;
	} targets[] = {
		{ OUTPUT_WHOLE, "old\n", "" },
		{ OUTPUT_APPENDED, "old\n", "old\n" },
		{ OUTPUT_ANEW, "", "" },
		{ OUTPUT_IN_PLACE, "", "" },
	};
	struct strbuf listing = STRBUF_INIT, path = STRBUF_INIT, text = STRBUF_INIT;
	struct error err = ERROR_INIT;

	print_to_stream(&listing);
	strbuf_addf(&path, "%s/listing", (char *)*state);
	for (size_t i = 0; i < ARRAY_SIZE(targets); i++) {
		const struct output_target target = { .kind = targets[i].kind, .path = path.text };
		size_t before = strlen(targets[i].before);

		write_file(path.text, "old\n");
		assert_int_equal(print(known, &target, &err), 0);
		read_back(path.text, &text);
		assert_memory_equal(text.text, targets[i].before, before);
		assert_string_equal(text.text + before, listing.text);
		write_file(path.text, "old\n");
		assert_int_equal(print(unknown, &target, &err), -1);
		read_back(path.text, &text);
		assert_string_equal(text.text, targets[i].left);
		/* After a failure a new file does not exist, but a DD always does. */
		assert_int_equal(access(path.text, F_OK), targets[i].kind == OUTPUT_ANEW ? -1 : 0);
	}
	error_release(&err);
	strbuf_release(&listing);
	strbuf_release(&path);
	strbuf_release(&text);
}

/* Only what this output wrote is removed, and no byte of the previous content. */
static void an_appended_file_is_cut_where_it_ended(void **state)
{
	struct strbuf path = STRBUF_INIT, text = STRBUF_INIT;
	struct error err = ERROR_INIT;
	struct output output;

	strbuf_addf(&path, "%s/listing", (char *)*state);
	for (unsigned i = 0; i < 2; i++) {
		const char *old = i ? "" : "old\n";

		write_file(path.text, old);
		assert_int_equal(output_begin(&output,
					      &(struct output_target){ .kind = OUTPUT_APPENDED,
								       .path = path.text },
					      &err),
				 0);
		fputs("half", output.stream);
		fflush(output.stream);
		output_abandon(&output);
		read_back(path.text, &text);
		assert_string_equal(text.text, old);
		assert_int_equal(access(path.text, F_OK), 0);
	}
	strbuf_release(&path);
	strbuf_release(&text);
}

/* Counts the names in a folder that begin with start. */
static unsigned names_in(const char *folder, const char *start)
{
	DIR *stream = opendir(folder);
	struct dirent *entry;
	unsigned count = 0;

	assert_non_null(stream);
	while ((entry = readdir(stream)))
		count += strncmp(entry->d_name, start, strlen(start)) == 0;
	closedir(stream);
	return count;
}

/* A folder that is moved while a file is written gets the file and nothing else. */
static void a_folder_may_be_moved(void **state)
{
	struct strbuf folder = STRBUF_INIT, away = STRBUF_INIT, path = STRBUF_INIT,
		      text = STRBUF_INIT;
	struct error err = ERROR_INIT;
	struct output output;

	strbuf_addf(&folder, "%s/sub", (char *)*state);
	strbuf_addf(&away, "%s/away", (char *)*state);
	strbuf_addf(&path, "%s/listing", folder.text);
	assert_int_equal(mkdir(folder.text, 0777), 0);
	assert_int_equal(output_open(&output, path.text, &err), 0);
	fputs("one", output.stream);
	assert_int_equal(rename(folder.text, away.text), 0);
	assert_int_equal(output_commit(&output, &err), 0);
	assert_int_equal(output_open(&output, path.text, &err), -1);
	error_release(&err);
	assert_int_equal(rename(away.text, folder.text), 0);
	read_back(path.text, &text);
	assert_string_equal(text.text, "one");
	assert_int_equal(output_open(&output, path.text, &err), 0);
	assert_int_equal(rename(folder.text, away.text), 0);
	output_abandon(&output);
	assert_int_equal(names_in(away.text, "listing"), 1);
	strbuf_release(&folder);
	strbuf_release(&away);
	strbuf_release(&path);
	strbuf_release(&text);
}

/* A process with the same pid (there are few in a container) may have been killed while writing. */
static void what_a_killed_process_left_is_in_nobodys_way(void **state)
{
	struct strbuf path = STRBUF_INIT, left = STRBUF_INIT, text = STRBUF_INIT;
	struct error err = ERROR_INIT;
	struct output output;

	strbuf_addf(&path, "%s/listing", (char *)*state);
	strbuf_addf(&left, "%s.%d.part", path.text, getpid());
	write_file(left.text, "half");
	assert_int_equal(output_open(&output, path.text, &err), 0);
	fputs("whole", output.stream);
	assert_int_equal(output_commit(&output, &err), 0);
	read_back(path.text, &text);
	assert_string_equal(text.text, "whole");
	read_back(left.text, &text);
	assert_string_equal(text.text, "half");
	assert_int_equal(names_in(*state, "listing"), 2);
	unlink(left.text);
	strbuf_release(&path);
	strbuf_release(&left);
	strbuf_release(&text);
}

/* A full disk is an error for every file, and anything but a regular file is never deleted. */
static void a_full_device_is_an_error(void **state UNUSED)
{
	static const enum output_kind kinds[] = { OUTPUT_WHOLE, OUTPUT_IN_PLACE, OUTPUT_ANEW,
						  OUTPUT_APPENDED };
	struct error err = ERROR_INIT;
	struct stat facts;

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		assert_int_equal(
			print(known,
			      &(struct output_target){ .kind = kinds[i], .path = "/dev/full" },
			      &err),
			-1);
		error_release(&err);
		assert_int_equal(stat("/dev/full", &facts), 0);
		assert_true(S_ISCHR(facts.st_mode));
	}
}

/* A measurement is not replaced by output that can be printed again. */
static void a_sample_data_set_is_no_target(void **state)
{
	static const enum output_kind kinds[] = { OUTPUT_WHOLE, OUTPUT_IN_PLACE, OUTPUT_ANEW,
						  OUTPUT_APPENDED };
	struct strbuf path = STRBUF_INIT, before = STRBUF_INIT, after = STRBUF_INIT;
	struct error err = ERROR_INIT;

	strbuf_addf(&path, "%s/a.vprf", (char *)*state);
	write_file(path.text, "\x89VPRF\r\n\x1a and no more");
	read_back(path.text, &before);
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		assert_int_equal(
			print(known, &(struct output_target){ .kind = kinds[i], .path = path.text },
			      &err),
			-1);
		assert_non_null(strstr(error_text(&err), "is a sample data set"));
		error_release(&err);
		read_back(path.text, &after);
		assert_string_equal(after.text, before.text);
	}
	strbuf_release(&path);
	strbuf_release(&before);
	strbuf_release(&after);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(every_target_has_the_same_listing_or_what_it_had,
						test_folder_make, test_folder_drop),
		cmocka_unit_test_setup_teardown(an_appended_file_is_cut_where_it_ended,
						test_folder_make, test_folder_drop),
		cmocka_unit_test_setup_teardown(a_folder_may_be_moved, test_folder_make,
						test_folder_drop),
		cmocka_unit_test_setup_teardown(what_a_killed_process_left_is_in_nobodys_way,
						test_folder_make, test_folder_drop),
		cmocka_unit_test(a_full_device_is_an_error),
		cmocka_unit_test_setup_teardown(a_sample_data_set_is_no_target, test_folder_make,
						test_folder_drop),
	};

	return cmocka_run_group_tests_name("listing-print", tests, NULL, NULL);
}
