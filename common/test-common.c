/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of the common parts. */
#include "common/compat.h"
#include "common/clock.h"
#include "common/destination.h"
#include "common/diag.h"
#include "common/error.h"
#include "common/idmap.h"
#include "common/json.h"
#include "common/path.h"
#include "common/pattern.h"
#include "common/in-order.h"
#include "common/lower-bound.h"
#include "common/strmap.h"
#include "common/trust.h"
#include "common/xalloc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

static void strbuf_builds_text(void **state UNUSED)
{
	struct strbuf sb = STRBUF_INIT;
	char *text;

	assert_string_equal(sb.text, "");
	strbuf_addf(&sb, "%s=%d", "LRECL", 80);
	strbuf_pad_to(&sb, 12);
	strbuf_addch(&sb, '|');
	assert_string_equal(sb.text, "LRECL=80    |");
	strbuf_setlen(&sb, 8);
	strbuf_addstr(&sb, " \t\n");
	strbuf_rtrim(&sb);
	text = strbuf_detach(&sb, NULL);
	assert_string_equal(text, "LRECL=80");
	assert_int_equal(sb.length, 0);
	free(text);
	strbuf_addf(&sb, "%0200d", 7);
	assert_int_equal(sb.length, 200);
	strbuf_release(&sb);
}

/* Formats text of every length around the allocation boundaries. */
static void strbuf_formats_any_length(void **state UNUSED)
{
	for (int length = 0; length < 300; length++) {
		struct strbuf sb = STRBUF_INIT;

		strbuf_addf(&sb, "%*s", length, "");
		assert_int_equal(sb.length, length);
		assert_int_equal(strspn(sb.text, " "), length);
		strbuf_addf(&sb, "%0*d", length + 1, 0);
		assert_int_equal(strlen(sb.text), 2 * length + 1);
		strbuf_release(&sb);
	}
}

static void error_prefix_goes_in_front(void **state UNUSED)
{
	struct error err = ERROR_INIT;

	assert_int_equal(error_set(&err, "block %d is damaged", 3), -1);
	error_prefix(&err, "%s cannot be read", "a.vprf");
	assert_string_equal(error_text(&err), "a.vprf cannot be read: block 3 is damaged");
	error_release(&err);
}

/* Texts of which each is a prefix of the next are distinct. */
static void strmap_tells_prefixes_apart(void **state UNUSED)
{
	char text[500];
	struct strmap map;

	memset(text, 'x', sizeof(text));
	strmap_init(&map);
	for (size_t length = sizeof(text); length-- > 1;)
		assert_int_equal(strmap_put_n(&map, text, length), sizeof(text) - length);
	text[20] = '\0';
	assert_int_equal(strmap_find(&map, text), sizeof(text) - 20);
	strmap_release(&map);
}

static void strmap_gives_stable_numbers(void **state UNUSED)
{
	struct strmap map;
	char text[16];

	strmap_init(&map);
	assert_int_equal(strmap_put(&map, ""), 0);
	for (unsigned i = 1; i < 5000; i++) {
		snprintf(text, sizeof(text), "name%u", i);
		assert_int_equal(strmap_put(&map, text), i);
	}
	assert_int_equal(strmap_find(&map, "name4711"), 4711);
	assert_int_equal(strmap_find(&map, "none"), UINT32_MAX);
	assert_string_equal(strmap_text(&map, 17), "name17");
	assert_string_equal(strmap_text(&map, 999999), "");
	strmap_release(&map);
}

static void idmap_keeps_what_is_put(void **state UNUSED)
{
	struct idmap map;
	uint64_t value;

	idmap_init(&map);
	for (uint64_t key = 0; key < 10007; key++)
		idmap_put(&map, key * 64, key);
	for (uint64_t key = 0; key < 10007; key += 2)
		assert_true(idmap_remove(&map, key * 64));
	for (uint64_t key = 0; key < 10007; key++) {
		bool found = idmap_get(&map, key * 64, &value);

		assert_int_equal(found, key % 2);
		if (found)
			assert_int_equal(value, key);
	}
	assert_int_equal(map.count, 5003);
	idmap_release(&map);
}

/* After many keys were added and removed, looking up an absent key still ends. */
static void idmap_forgets_removed_keys(void **state UNUSED)
{
	struct idmap map;
	uint64_t value;

	idmap_init(&map);
	for (uint64_t key = 1; key <= 10000; key++) {
		idmap_put(&map, key, key);
		assert_false(idmap_get(&map, key + 1, &value));
		assert_true(idmap_remove(&map, key));
	}
	assert_int_equal(map.count, 0);
	idmap_release(&map);
}

static void idmap_is_walked(void **state UNUSED)
{
	uint64_t key, value, sum = 0, count = 0;
	struct idmap map;

	idmap_init(&map);
	for (size_t at = 0; idmap_next(&map, &at, &key, &value);)
		count++;
	assert_int_equal(count, 0);
	for (key = 0; key < 1009; key++)
		idmap_put(&map, key << 40, key);
	for (key = 1; key < 1009; key += 2)
		assert_true(idmap_remove(&map, key << 40));
	for (size_t at = 0; idmap_next(&map, &at, &key, &value); count++) {
		assert_true(key == value << 40);
		assert_int_equal(value % 2, 0);
		sum += value;
		if (value % 4 == 0)
			assert_true(idmap_remove(&map, key));
	}
	assert_int_equal(count, 505);
	assert_int_equal(sum, 504 * 505);
	assert_int_equal(map.count, 252);
	idmap_release(&map);
}

static size_t compared;

static int compare_numbers(const void *left, const void *right)
{
	int a = *(const int *)left, b = *(const int *)right;

	compared++;
	return (a > b) - (a < b);
}

/* Any order is sorted; an array in order, also with equal elements, costs one pass. */
static void in_order_sorts_what_is_not(void **state UNUSED)
{
	static const int orders[][5] = {
		{ 1, 2, 3, 4, 5 }, { 2, 1, 3, 4, 5 }, { 1, 2, 3, 5, 4 }, { 5, 4, 3, 2, 1 },
	};
	int same[] = { 1, 2, 2, 2, 7 };

	sort_if_needed(NULL, 0, sizeof(int), compare_numbers);
	for (size_t i = 0; i < ARRAY_SIZE(orders); i++) {
		int numbers[5];

		memcpy(numbers, orders[i], sizeof(numbers));
		sort_if_needed(numbers, 5, sizeof(*numbers), compare_numbers);
		assert_memory_equal(numbers, orders[0], sizeof(numbers));
	}
	compared = 0;
	sort_if_needed(same, ARRAY_SIZE(same), sizeof(*same), compare_numbers);
	assert_int_equal(compared, 4);
	assert_int_equal(same[4], 7);
}

static void lower_bound_finds_the_first(void **state UNUSED)
{
	static const unsigned sorted[] = { 2, 3, 3, 3, 7, 11 };

	for (size_t count = 0; count <= ARRAY_SIZE(sorted); count++)
		for (unsigned key = 0; key < 13; key++) {
			size_t low = 0, high = 0;

			while (low < count && sorted[low] < key)
				low++;
			while (high < count && sorted[high] <= key)
				high++;
			assert_int_equal(LOWER_BOUND(count, at, sorted[at] < key), low);
			assert_int_equal(LOWER_BOUND(count, at, sorted[at] <= key), high);
		}
	/* No element beyond the end is evaluated, and no sum overflows. */
	assert_true(LOWER_BOUND(SIZE_MAX, at, at < SIZE_MAX - 1) == SIZE_MAX - 1);
	assert_int_equal(LOWER_BOUND((uint32_t)5, at, at < 9), 5);
}

static void path_base_is_the_last_part(void **state UNUSED)
{
	assert_string_equal(path_base("/usr/bin/vigil"), "vigil");
	assert_string_equal(path_base("vigil"), "vigil");
	assert_string_equal(path_base("/vigil"), "vigil");
	assert_string_equal(path_base("data/"), "");
	assert_string_equal(path_base(""), "");
}

static void diag_shows_card_and_caret(void **state UNUSED)
{
	static const char text[] = "//A EXEC PGM=X\r\r\n//B DD DISP=(NEU)\n";
	struct source *source = source_new("a.jcl", text, strlen(text));
	struct diag_list list = DIAG_LIST_INIT;
	struct location at = { source, 2, 14, 3 };
	struct strbuf sb = STRBUF_INIT;

	assert_int_equal(source->line_count, 2);
	assert_int_equal(source->lines[0].length, 14);
	diag_add(&list, SEVERITY_ERROR, 1103, &at, "status %s is not known", "NEU");
	at.line = 1;
	diag_add(&list, SEVERITY_WARNING, 1001, &at, "first");
	diag_sort(&list);
	assert_int_equal(diag_max_severity(&list), SEVERITY_ERROR);
	assert_int_equal(list.items[0].number, 1001);
	diag_format(&list.items[1], &sb);
	assert_string_equal(sb.text, "a.jcl:2:14: VIG1103E status NEU is not known\n"
				     "    //B DD DISP=(NEU)\n"
				     "                 ^~~\n");
	strbuf_release(&sb);
	diag_list_release(&list);
	source_free(source);
}

/* Messages at one location keep their order; those of one line are sorted by column. */
static void messages_are_sorted_by_their_place(void **state UNUSED)
{
	static const unsigned lines[] = { 2, 1, 2, 1, 2 }, columns[] = { 5, 7, 3, 7, 5 };
	static const unsigned expected[] = { 1, 3, 2, 0, 4 };
	struct source *source = source_new("deck", "one\ntwo\n", 8);
	struct diag_list diags = DIAG_LIST_INIT;

	for (unsigned i = 0; i < ARRAY_SIZE(lines); i++)
		diag_add(&diags, SEVERITY_ERROR, i,
			 &(struct location){ source, lines[i], columns[i], 1 }, "text");
	diag_sort(&diags);
	for (unsigned i = 0; i < ARRAY_SIZE(lines); i++)
		assert_int_equal(diags.items[i].number, expected[i]);
	diag_list_release(&diags);
	source_free(source);
}

/* Two locations on one line are joined; on different lines only the first is returned. */
static void places_are_joined_within_a_line(void **state UNUSED)
{
	struct source *source = source_new("deck", "one\ntwo\n", 8);
	const struct location first = { source, 1, 5, 2 };

	assert_int_equal(location_join(&first, &(struct location){ source, 1, 9, 3 }).length, 7);
	assert_int_equal(location_join(&first, &(struct location){ source, 2, 9, 3 }).length, 2);
	assert_int_equal(location_join(&first, &(struct location){ source, 1, 1, 3 }).length, 2);
	source_free(source);
}

static void clock_prints_listing_times(void **state UNUSED)
{
	struct strbuf sb = STRBUF_INIT;

	clock_format_mmsshh(&sb, 61 * NSEC_PER_SEC + 234 * NSEC_PER_MSEC);
	assert_string_equal(sb.text, "01.01.23");
	strbuf_reset(&sb);
	clock_format_duration(&sb, 640);
	strbuf_addch(&sb, ' ');
	clock_format_duration(&sb, 7200 * NSEC_PER_USEC);
	strbuf_addch(&sb, ' ');
	clock_format_duration(&sb, 72 * NSEC_PER_MSEC);
	strbuf_addch(&sb, ' ');
	clock_format_duration(&sb, 6220 * NSEC_PER_MSEC);
	assert_string_equal(sb.text, "640 ns 7.200 ms 72.0 ms 6.22 s");
	strbuf_reset(&sb);
	clock_format_duration(&sb, 59994 * NSEC_PER_MSEC);
	strbuf_addstr(&sb, ", ");
	clock_format_duration(&sb, 59996 * NSEC_PER_MSEC);
	strbuf_addstr(&sb, ", ");
	clock_format_duration(&sb, 123440 * NSEC_PER_MSEC);
	strbuf_addstr(&sb, ", ");
	clock_format_duration(&sb, (3600 * 25 + 61) * NSEC_PER_SEC);
	assert_string_equal(sb.text, "59.99 s, 1 min 00.0 s, 2 min 03.4 s, 25 h 01 min 01.0 s");
	strbuf_release(&sb);
}

static void diag_shows_a_window_of_a_long_card(void **state UNUSED)
{
	struct strbuf text = STRBUF_INIT, sb = STRBUF_INIT;
	struct diag_list list = DIAG_LIST_INIT;
	struct source *source;
	struct location at = { NULL, 1, 5001, 3 };

	strbuf_addchars(&text, 'x', 5000);
	strbuf_addstr(&text, "ABC\001\377");
	strbuf_addchars(&text, 'y', 5000);
	source = source_new("a", text.text, text.length);
	at.source = source;
	diag_add(&list, SEVERITY_ERROR, 1103, &at, "wrong");
	diag_format(&list.items[0], &sb);
	assert_non_null(strstr(sb.text, "\n ...xxxx"));
	assert_non_null(strstr(sb.text, "xABC..yyy"));
	assert_non_null(strstr(sb.text, "yyy...\n"));
	assert_non_null(strstr(sb.text, "\n                                           ^~~\n"));
	assert_true(sb.length < 300);
	strbuf_release(&sb);
	strbuf_release(&text);
	diag_list_release(&list);
	source_free(source);
}

static void messages_escape_what_a_terminal_obeys(void **state UNUSED)
{
	struct strbuf sb = STRBUF_INIT;
	struct diag_list list = DIAG_LIST_INIT;
	struct source *source = source_new("a\033[2Jb\r.jcl", "card\n", 5);
	struct location at = { source, 1, 1, 4 };

	strbuf_addstr(&sb, "\n\033");
	strbuf_addstr(&sb, "a\nb\rc\td\033e\177f\001g");
	diag_escape(&sb, 2);
	assert_string_equal(sb.text, "\n\033a\\nb\\rc\\td\\033e\\177f\\001g");
	strbuf_reset(&sb);
	strbuf_addstr(&sb, "gr\303\266\303\237e \233x \302\233y \303");
	diag_escape(&sb, 0);
	assert_string_equal(sb.text, "gr\303\266\303\237e \\233x \\302\\233y \\303");
	strbuf_reset(&sb);
	/* ESC and CSI in more bytes than they need, a surrogate, and a character behind the last one. */
	strbuf_addstr(&sb, "\340\200\233 \340\202\233 \355\240\200 \364\220\200\200");
	diag_escape(&sb, 0);
	assert_string_equal(sb.text, "\\340\\200\\233 \\340\\202\\233 \\355\\240\\200 "
				     "\\364\\220\\200\\200");
	strbuf_reset(&sb);
	diag_add(&list, SEVERITY_ERROR, 1103, &at, "no %s", "x\n00.00.00 JOB00001  forged");
	diag_format(&list.items[0], &sb);
	assert_string_equal(sb.text,
			    "a\\033[2Jb\\r.jcl:1:1: VIG1103E no x\\n00.00.00 JOB00001  forged\n"
			    "    card\n    ^~~~\n");
	diag_list_release(&list);
	source_free(source);
	strbuf_release(&sb);
}

/* Asserts what a path refers to and where a file would be written. */
static void assert_destination(const char *path, enum destination_kind kind, const char *place)
{
	struct destination destination;
	struct error err = ERROR_INIT;

	assert_int_equal(destination_find(&destination, path, &err), 0);
	assert_int_equal(destination.kind, kind);
	assert_string_equal(destination.path, place);
	destination_release(&destination);
	error_release(&err);
}

static void destinations_are_told_apart(void **state UNUSED)
{
	char folder[] = "/tmp/vigil-common-XXXXXX", *before = getcwd(NULL, 0);
	struct destination destination;
	struct error err = ERROR_INIT;

	assert_non_null(mkdtemp(folder));
	assert_int_equal(chdir(folder), 0);
	close(open("file", O_CREAT | O_WRONLY | O_CLOEXEC, 0640));
	assert_int_equal(mkfifo("pipe", 0600), 0);
	assert_int_equal(symlink("file", "link"), 0);
	assert_int_equal(symlink("./link", "second"), 0);
	assert_int_equal(symlink("not/there", "dangling"), 0);
	assert_int_equal(symlink("circle", "circle"), 0);
	assert_destination("new", DESTINATION_NEW, "new");
	assert_destination("file", DESTINATION_FILE, "file");
	assert_destination("second", DESTINATION_FILE, "./file");
	assert_destination("dangling", DESTINATION_NEW, "not/there");
	assert_destination(".", DESTINATION_FOLDER, ".");
	assert_destination("pipe", DESTINATION_STREAM, "pipe");
	assert_destination("/dev/null", DESTINATION_STREAM, "/dev/null");
	assert_int_equal(destination_find(&destination, "circle", &err), -1);
	assert_non_null(strstr(error_text(&err), "cannot write circle"));
	destination_release(&destination);
	assert_true(destination_same("second", "file"));
	assert_int_equal(link("file", "hard"), 0);
	assert_true(destination_same("hard", "link"));
	assert_false(destination_same("new", "new"));
	assert_false(destination_same("pipe", "file"));
	for (const char *const *name = (const char *const[]){ "file", "hard", "pipe", "link",
							      "second", "dangling", "circle",
							      NULL };
	     *name; name++)
		assert_int_equal(unlink(*name), 0);
	assert_int_equal(chdir(before), 0);
	assert_int_equal(rmdir(folder), 0);
	free(before);
	error_release(&err);
}

static void an_open_descriptor_is_no_file_to_replace(void **state UNUSED)
{
	char file[] = "/tmp/vigil-common-XXXXXX", text[16] = "";
	int fd = mkstemp(file), other;
	struct destination destination;
	struct error err = ERROR_INIT;
	struct strbuf path = STRBUF_INIT;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, "one ", 4), 4);
	strbuf_addf(&path, "/dev/fd/%d", fd);
	assert_int_equal(destination_find(&destination, path.text, &err), 0);
	assert_int_equal(destination.kind, DESTINATION_DESCRIPTOR);
	other = destination_open(&destination);
	assert_true(other >= 0 && other != fd);
	assert_int_equal(write(other, "two ", 4), 4);
	assert_int_equal(write(fd, "three", 5), 5);
	assert_int_equal(pread(fd, text, sizeof(text) - 1, 0), 13);
	assert_string_equal(text, "one two three");
	close(other);
	close(fd);
	unlink(file);
	destination_release(&destination);
	strbuf_release(&path);
	error_release(&err);
}

/*
 * A file that others can write is not trusted, nor is anything in a folder they
 * can write; a sticky folder above it is.
 */
static void what_others_can_write_is_not_trusted(void **state UNUSED)
{
	char folder[] = "/tmp/vigil-test-trust-XXXXXX";
	char *why;

	assert_non_null(mkdtemp(folder));
	assert_int_equal(chmod(folder, 0700), 0);
	assert_null(trust_refuse(folder));
	assert_int_equal(chmod(folder, 01777), 0);
	why = trust_refuse(folder);
	assert_string_equal(why, "everybody can write to it");
	free(why);
	assert_int_equal(rmdir(folder), 0);
	assert_null(trust_refuse(folder)); /* does not exist: nothing to refuse */
}

static void patterns_fit_whole_names(void **state UNUSED)
{
	assert_true(pattern_matches("*", "", 0));
	assert_true(pattern_matches("", "", 0));
	assert_true(pattern_matches("N*1", "NIGHT1", 0));
	assert_true(pattern_matches("NIGHT?", "NIGHT1", 0));
	assert_true(pattern_matches("*A*B*", "xxAyyBzz", 0));
	assert_true(pattern_matches("*ab", "aab", 0));
	assert_true(pattern_matches("**", "x", 0));
	assert_true(pattern_matches("operator[]", "operator[]", 0));
	assert_false(pattern_matches("", "x", 0));
	assert_false(pattern_matches("NIGHT", "NIGHT1", 0));
	assert_false(pattern_matches("NIGHT?", "NIGHT", 0));
	assert_false(pattern_matches("*A*B*", "xxByyAzz", 0));
	assert_false(pattern_matches("[ab]", "a", 0));
	/* Case, and the percent sign. */
	assert_false(pattern_matches("night*", "NIGHT1", 0));
	assert_true(pattern_matches("night*", "NIGHT1", PATTERN_IGNORE_CASE));
	assert_false(pattern_matches("NIGHT%", "NIGHT1", PATTERN_IGNORE_CASE));
	assert_true(pattern_matches("NIGHT%", "NIGHT%", 0));
	assert_true(pattern_matches("NIGHT%", "NIGHT1", PATTERN_PERCENT));
	assert_false(pattern_matches("%", "", PATTERN_PERCENT));
}

static void json_is_valid_whatever_the_text_is(void **state UNUSED)
{
	struct strbuf sb = STRBUF_INIT;

	json_key(&sb, "a\"b\\", true);
	json_string(&sb, "\xff\x01\u00e4\n\x7f");
	json_key(&sb, "t", false);
	json_time(&sb, 1234567, 1000);
	strbuf_addch(&sb, ' ');
	json_time(&sb, 5000000, 1000000);
	strbuf_addch(&sb, ' ');
	json_time(&sb, 1, 1000000);
	assert_string_equal(sb.text, "\"a\\\"b\\\\\":\"\xef\xbf\xbd\\u0001\u00e4\\u000a\\u007f\""
				     ",\"t\":1234.567 5 0.000001");
	strbuf_release(&sb);
}

static void numbers_are_appended_in_decimal(void **state UNUSED)
{
	struct strbuf sb = STRBUF_INIT;

	strbuf_addnum(&sb, 0);
	strbuf_addch(&sb, ' ');
	strbuf_addnum(&sb, UINT64_MAX);
	assert_string_equal(sb.text, "0 18446744073709551615");
	strbuf_release(&sb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(json_is_valid_whatever_the_text_is),
		cmocka_unit_test(numbers_are_appended_in_decimal),
		cmocka_unit_test(strbuf_builds_text),
		cmocka_unit_test(strbuf_formats_any_length),
		cmocka_unit_test(strmap_tells_prefixes_apart),
		cmocka_unit_test(idmap_forgets_removed_keys),
		cmocka_unit_test(messages_are_sorted_by_their_place),
		cmocka_unit_test(places_are_joined_within_a_line),
		cmocka_unit_test(what_others_can_write_is_not_trusted),
		cmocka_unit_test(error_prefix_goes_in_front),
		cmocka_unit_test(strmap_gives_stable_numbers),
		cmocka_unit_test(idmap_keeps_what_is_put),
		cmocka_unit_test(idmap_is_walked),
		cmocka_unit_test(in_order_sorts_what_is_not),
		cmocka_unit_test(lower_bound_finds_the_first),
		cmocka_unit_test(path_base_is_the_last_part),
		cmocka_unit_test(diag_shows_card_and_caret),
		cmocka_unit_test(diag_shows_a_window_of_a_long_card),
		cmocka_unit_test(clock_prints_listing_times),
		cmocka_unit_test(messages_escape_what_a_terminal_obeys),
		cmocka_unit_test(destinations_are_told_apart),
		cmocka_unit_test(an_open_descriptor_is_no_file_to_replace),
		cmocka_unit_test(patterns_fit_whole_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
