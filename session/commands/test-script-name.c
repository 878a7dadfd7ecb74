/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the name of a command line. */
#include "common/compat.h"
#include "session/commands/script-name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static void scripts_are_found_behind_their_interpreters(void **state UNUSED)
{
	static const struct {
		const char *words[6]; /* the command line */
		const char *name;
	} cases[] = {
		{ { "./payroll", "2026-11" }, "payroll" },
		{ { "/opt/x/nightly.py", "now" }, "nightly.py" },
		{ { "python3", "nightly.py", "now" }, "nightly.py" },
		{ { "/usr/bin/python3.11", "-u", "/opt/x/nightly.py" }, "nightly.py" },
		{ { "python3", "-W", "error", "-X", "dev", "a.py" }, "a.py" },
		{ { "python3", "-Werror", "a.py" }, "a.py" },
		{ { "python3", "-m", "http.server" }, "http.server" },
		{ { "python3", "-Bmhttp.server" }, "http.server" },
		{ { "python3", "-c", "print(1)" }, "python3" },
		{ { "python3", "-Bc", "print(1)" }, "python3" },
		{ { "python3", "-" }, "python3" },
		{ { "python3" }, "python3" },
		{ { "python3", "-m" }, "python3" },
		{ { "python3", "-W" }, "python3" },
		{ { "python3", "--" }, "python3" },
		{ { "python3", "--", "-odd.py" }, "-odd.py" },
		{ { "python3", "" }, "python3" },
		{ { "python3", "folder/" }, "python3" },
		{ { "python3-config", "x" }, "python3-config" },
		{ { "perl", "-I", "lib", "-w", "a.pl" }, "a.pl" },
		{ { "perl", "-ne", "print", "file" }, "perl" },
		{ { "bash", "--norc", "-o", "pipefail", "job.sh" }, "job.sh" },
		{ { "bash", "+e", "-eu", "job.sh" }, "job.sh" },
		{ { "sh", "-c", "sleep 1", "name" }, "sh" },
		{ { "sh", "-s", "operand" }, "sh" },
		{ { "cobcrun", "-M", "lib", "PAYCALC" }, "PAYCALC" },
		{ { "cobcrun", "PAYCALC", "x" }, "PAYCALC" },
		{ { "shred", "x" }, "shred" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char *argv[7];

		for (size_t n = 0; n < 6; n++)
			argv[n] = (char *)(uintptr_t)cases[i].words[n];
		argv[6] = NULL;
		assert_string_equal(script_name(argv), cases[i].name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scripts_are_found_behind_their_interpreters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
