/* SPDX-License-Identifier: Apache-2.0 */
/* Tests option parsing, help and completion, and files that appear complete or not at all. */
#include "common/compat.h"
#include "session/commands/options.h"
#include "session/output.h"
#include "session/measure/privilege.h"

#include <setjmp.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

static bool quiet, all;
static const char *output, *measure;
static struct option_list includes;
static uint64_t lines;
static double baseline;

static const struct command_option *table(void)
{
	static const struct command_option options[] = {
		{ "quiet", 'q', OPTION_FLAG, NULL, "say nothing", &quiet },
		{ "all", 'a', OPTION_FLAG, NULL, "all rows", &all },
		{ "output", 'o', OPTION_STRING, "FILE", "write to FILE", &output },
		{ "measure", 0, OPTION_OPTIONAL, "STEPS", "measure them", &measure },
		{ "include", 'I', OPTION_LIST, "DIR", "look there", &includes },
		{ "lines", 0, OPTION_NUMBER, "N", "lines a page", &lines },
		{ "baseline", 0, OPTION_PERCENT, "PCT", "lowest share", &baseline },
		{ NULL, 0, OPTION_FLAG, NULL, NULL, NULL },
	};

	return options;
}

static struct command command = {
	.name = "try", .arguments = "FILE...", .summary = "Tries", .options = table
};

/* Parses words (NULL-terminated) and keeps the operands in argv. */
static enum options_outcome parse(char **argv, int *argc, struct error *err,
				  const char *const *words)
{
	quiet = all = false;
	output = measure = NULL;
	includes.count = 0;
	lines = 60;
	baseline = 2;
	for (*argc = 0; words[*argc]; (*argc)++)
		argv[*argc] = (char *)(uintptr_t)words[*argc];
	argv[*argc] = NULL;
	return options_parse(&command, argc, argv, err);
}

#define PARSE(...) parse(argv, &argc, &err, (const char *const[]){ __VA_ARGS__, NULL })

static void options_and_operands_mix(void **state UNUSED)
{
	struct error err = ERROR_INIT;
	char *argv[16];
	int argc;

	assert_int_equal(PARSE("a", "--output=x", "-", "-I", "one", "b", "--include", "two", "-q",
			       "--lines", "20"),
			 OPTIONS_GO);
	assert_int_equal(argc, 3);
	assert_string_equal(argv[0], "a");
	assert_string_equal(argv[1], "-");
	assert_string_equal(argv[2], "b");
	assert_null(argv[3]);
	assert_string_equal(output, "x");
	assert_int_equal(includes.count, 2);
	assert_string_equal(includes.items[1], "two");
	assert_true(quiet && !all);
	assert_int_equal(lines, 20);
	error_release(&err);
}

static void letters_combine(void **state UNUSED)
{
	struct error err = ERROR_INIT;
	char *argv[16];
	int argc;

	assert_int_equal(PARSE("-qao", "file"), OPTIONS_GO);
	assert_true(quiet && all);
	assert_string_equal(output, "file");
	assert_int_equal(PARSE("-aofile"), OPTIONS_GO);
	assert_string_equal(output, "file");
	assert_int_equal(PARSE("-o", "first", "-osecond"), OPTIONS_GO);
	assert_string_equal(output, "second");
	error_release(&err);
}

static void double_dash_ends_options(void **state UNUSED)
{
	struct error err = ERROR_INIT;
	char *argv[16];
	int argc;

	assert_int_equal(PARSE("-q", "--", "-a", "--output=x"), OPTIONS_GO);
	assert_int_equal(argc, 2);
	assert_string_equal(argv[0], "-a");
	assert_false(all);
	assert_null(output);
	error_release(&err);
}

static void a_value_may_be_left_out(void **state UNUSED)
{
	struct error err = ERROR_INIT;
	struct strbuf text = STRBUF_INIT;
	char *argv[16];
	int argc;

	assert_int_equal(PARSE("--measure", "deck"), OPTIONS_GO);
	assert_string_equal(measure, "");
	assert_int_equal(argc, 1);
	assert_string_equal(argv[0], "deck");
	assert_int_equal(PARSE("--measure=S1,S2"), OPTIONS_GO);
	assert_string_equal(measure, "S1,S2");
	assert_int_equal(PARSE("deck"), OPTIONS_GO);
	assert_null(measure);
	assert_int_equal(PARSE("--measure="), OPTIONS_WRONG);
	assert_string_equal(error_text(&err), "--measure needs a value that is not empty");
	options_help(&command, &text);
	assert_non_null(strstr(text.text, "      --measure[=STEPS]     measure them\n"));
	strbuf_reset(&text);
	/* The next word does not belong to it. */
	options_completion(&command, &text);
	assert_non_null(strstr(text.text, "option try --measure -\n"));
	strbuf_release(&text);
	error_release(&err);
}

static void some_commands_stop_at_the_operand(void **state UNUSED)
{
	struct error err = ERROR_INIT;
	char *argv[16];
	int argc;

	command.stop_at_operand = true;
	assert_int_equal(PARSE("-q", "ls", "-a", "--", "--output=x"), OPTIONS_GO);
	assert_int_equal(argc, 4);
	assert_string_equal(argv[1], "-a");
	assert_string_equal(argv[2], "--");
	assert_true(quiet && !all);
	assert_int_equal(PARSE("-q", "--", "ls", "--", "-a"), OPTIONS_GO);
	assert_int_equal(argc, 3);
	assert_string_equal(argv[1], "--");
	command.stop_at_operand = false;
	error_release(&err);
}

static void wrong_options_are_explained(void **state UNUSED)
{
	struct error err = ERROR_INIT;
	char *argv[16];
	int argc;

	assert_int_equal(PARSE("--colour=red"), OPTIONS_WRONG);
	assert_string_equal(error_text(&err), "--colour is not an option of try");
	assert_int_equal(PARSE("-x"), OPTIONS_WRONG);
	assert_string_equal(error_text(&err), "-x is not an option of try");
	assert_int_equal(PARSE("--output"), OPTIONS_WRONG);
	assert_string_equal(error_text(&err), "--output needs FILE after it");
	assert_int_equal(PARSE("-qo"), OPTIONS_WRONG);
	assert_string_equal(error_text(&err), "-o needs FILE after it");
	assert_int_equal(PARSE("--output="), OPTIONS_WRONG);
	assert_int_equal(PARSE("--quiet=yes"), OPTIONS_WRONG);
	assert_string_equal(error_text(&err), "--quiet takes no value");
	assert_int_equal(PARSE("--lines=ten"), OPTIONS_WRONG);
	assert_string_equal(error_text(&err), "--lines takes a number, not 'ten'");
	assert_int_equal(PARSE("--lines=-1"), OPTIONS_WRONG);
	assert_int_equal(PARSE("--lines=1k"), OPTIONS_WRONG);
	assert_int_equal(PARSE("--lines=99999999999999999999"), OPTIONS_WRONG);
	assert_int_equal(PARSE("--baseline=100", "--lines=18446744073709551615"), OPTIONS_GO);
	assert_true(baseline >= 100 && lines == UINT64_MAX);
	assert_int_equal(PARSE("--baseline=0", "--lines=0"), OPTIONS_GO);
	assert_int_equal(PARSE("--baseline=100.1"), OPTIONS_WRONG);
	assert_int_equal(PARSE("--baseline=-1"), OPTIONS_WRONG);
	assert_int_equal(PARSE("--baseline=101"), OPTIONS_WRONG);
	assert_int_equal(PARSE("--baseline=nan"), OPTIONS_WRONG);
	assert_int_equal(PARSE("--baseline=x"), OPTIONS_WRONG);
	error_release(&err);
}

static void help_comes_first(void **state UNUSED)
{
	struct error err = ERROR_INIT;
	struct strbuf text = STRBUF_INIT;
	char *argv[16];
	int argc;

	assert_int_equal(PARSE("--help", "--colour"), OPTIONS_HELP);
	assert_int_equal(PARSE("-h"), OPTIONS_HELP);
	assert_int_equal(PARSE("--baseline", "0.5"), OPTIONS_GO);
	assert_true(baseline > 0.49 && baseline < 0.51);
	options_help(&command, &text);
	assert_non_null(strstr(text.text, "Usage: vigil try [OPTION]... FILE...\n"));
	assert_non_null(strstr(text.text, "  -o, --output FILE         write to FILE\n"));
	assert_non_null(strstr(text.text, "      --lines N             lines a page\n"));
	strbuf_reset(&text);
	options_completion(&command, &text);
	assert_non_null(strstr(text.text, "command try\n"));
	assert_non_null(strstr(text.text, "option try --output FILE\noption try -o FILE\n"));
	assert_non_null(strstr(text.text, "option try --quiet -\n"));
	strbuf_release(&text);
	error_release(&err);
}

/* Reads the content of a file, "" if it does not exist. */
static void read_back(const char *path, struct strbuf *sb)
{
	strbuf_reset(sb);
	if (strbuf_read_file(sb, path) < 0)
		strbuf_reset(sb);
}

static void output_appears_whole_or_not_at_all(void **state UNUSED)
{
	char folder[] = "/tmp/vigil-test-XXXXXX";
	struct strbuf path = STRBUF_INIT, text = STRBUF_INIT;
	struct error err = ERROR_INIT;
	struct output out;

	assert_non_null(mkdtemp(folder));
	strbuf_addf(&path, "%s/listing", folder);
	assert_int_equal(output_open(&out, path.text, &err), 0);
	fputs("first", out.stream);
	fflush(out.stream);
	read_back(path.text, &text);
	assert_string_equal(text.text, "");
	assert_int_equal(output_commit(&out, &err), 0);
	read_back(path.text, &text);
	assert_string_equal(text.text, "first");
	assert_int_equal(output_open(&out, path.text, &err), 0);
	fputs("second", out.stream);
	output_abandon(&out);
	read_back(path.text, &text);
	assert_string_equal(text.text, "first");
	assert_int_equal(output_open(&out, folder, &err), -1);
	assert_int_equal(output_open(&out, "/dev/full", &err), 0);
	fputs("lost", out.stream);
	assert_int_equal(output_commit(&out, &err), -1);
	assert_non_null(strstr(error_text(&err), "cannot write /dev/full"));
	assert_int_equal(unlink(path.text), 0);
	assert_int_equal(rmdir(folder), 0);
	strbuf_release(&path);
	strbuf_release(&text);
	error_release(&err);
}

static void output_follows_a_link_and_leaves_it(void **state UNUSED)
{
	char folder[] = "/tmp/vigil-test-XXXXXX";
	struct strbuf path = STRBUF_INIT, target = STRBUF_INIT, text = STRBUF_INIT;
	struct error err = ERROR_INIT;
	struct output out;
	struct stat facts;

	assert_non_null(mkdtemp(folder));
	strbuf_addf(&path, "%s/link", folder);
	strbuf_addf(&target, "%s/target", folder);
	assert_int_equal(symlink("target", path.text), 0);
	for (unsigned i = 0; i < 2; i++) { /* first the target is new, then it exists */
		assert_int_equal(output_open(&out, path.text, &err), 0);
		fputs(i ? "second" : "first", out.stream);
		assert_int_equal(output_commit(&out, &err), 0);
		assert_int_equal(lstat(path.text, &facts), 0);
		assert_true(S_ISLNK(facts.st_mode));
		read_back(target.text, &text);
		assert_string_equal(text.text, i ? "second" : "first");
	}
	assert_int_equal(output_open(&out, path.text, &err), 0);
	fputs("third", out.stream);
	output_abandon(&out);
	read_back(target.text, &text);
	assert_string_equal(text.text, "second");
	unlink(path.text);
	unlink(target.text);
	assert_int_equal(rmdir(folder), 0);
	strbuf_release(&path);
	strbuf_release(&target);
	strbuf_release(&text);
	error_release(&err);
}

/* VIGIL_PRIVILEGE is a limit: it names a level, in upper or lower case, or nothing. */
static void the_environment_limits_privilege(void **state UNUSED)
{
	static const struct {
		const char *value; /* NULL: not set */
		int result;
		enum privilege limit;
	} rows[] = {
		{ NULL, 0, PRIVILEGE_AUTO },	{ "", 0, PRIVILEGE_AUTO },
		{ "auto", 0, PRIVILEGE_AUTO },	{ "FULL", 0, PRIVILEGE_FULL },
		{ "user", 0, PRIVILEGE_USER },	{ "Proc", 0, PRIVILEGE_PROC },
		{ "root", -1, PRIVILEGE_AUTO },
	};
	struct error err = ERROR_INIT;
	enum privilege limit;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (rows[i].value)
			setenv("VIGIL_PRIVILEGE", rows[i].value, 1);
		else
			unsetenv("VIGIL_PRIVILEGE");
		assert_int_equal(privilege_limit(&limit, &err), rows[i].result);
		assert_int_equal(limit, rows[i].limit);
	}
	assert_string_equal(error_text(&err),
			    "VIGIL_PRIVILEGE is \"root\"; expected FULL, USER or PROC");
	unsetenv("VIGIL_PRIVILEGE");
	error_release(&err);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_and_operands_mix),
		cmocka_unit_test(letters_combine),
		cmocka_unit_test(double_dash_ends_options),
		cmocka_unit_test(a_value_may_be_left_out),
		cmocka_unit_test(some_commands_stop_at_the_operand),
		cmocka_unit_test(wrong_options_are_explained),
		cmocka_unit_test(help_comes_first),
		cmocka_unit_test(the_environment_limits_privilege),
		cmocka_unit_test(output_appears_whole_or_not_at_all),
		cmocka_unit_test(output_follows_a_link_and_leaves_it),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	free(includes.items);
	return failed;
}
