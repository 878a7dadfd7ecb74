/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the script in an interpreter's command line. */
#include "common/compat.h"
#include "session/commands/script-name.h"
#include "common/path.h"

struct interpreter {
	const char *name;    /* a version may follow: python3.11 */
	const char *valued;  /* letters of options with a value */
	const char *without; /* letters of options after which there is no script */
	char module;	     /* letter of the option that names a module; 0: none */
};

static const struct interpreter interpreters[] = {
	{ "python", "WX", "cVh", 'm' },
	{ "pypy", "WX", "cVh", 'm' },
	{ "perl", "I", "eEv", 0 },
	{ "ruby", "rIC", "ev", 0 },
	{ "node", "r", "epvi", 0 },
	{ "sh", "o", "cs", 0 },
	{ "bash", "oO", "cs", 0 },
	{ "dash", "o", "cs", 0 },
	{ "ksh", "o", "cs", 0 },
	{ "zsh", "o", "cs", 0 },
	{ "cobcrun", "cM", "hivV", 0 },
};

/*
 * Returns whether a program is an interpreter: its name, optionally followed by
 * digits and periods.
 */
static bool is_called(const char *program, const struct interpreter *interpreter)
{
	size_t length = strlen(interpreter->name);

	return strncmp(program, interpreter->name, length) == 0 &&
	       program[length + strspn(program + length, "0123456789.")] == '\0';
}

static const struct interpreter *find(const char *program)
{
	for (size_t i = 0; i < ARRAY_SIZE(interpreters); i++)
		if (is_called(program, &interpreters[i]))
			return &interpreters[i];
	return NULL;
}

/* Result of reading options. */
enum reading { READING_GO, READING_NEXT_IS_VALUE, READING_NEXT_IS_NAME, READING_NO_SCRIPT };

/* Reads the letters of one argument; *name: the module name that follows its letter. */
static enum reading read_letters(const struct interpreter *interpreter, const char *letters,
				 const char **name)
{
	for (; *letters; letters++) {
		bool last = letters[1] == '\0';

		if (strchr(interpreter->without, *letters))
			return READING_NO_SCRIPT;
		if (interpreter->module && *letters == interpreter->module) {
			*name = last ? NULL : letters + 1;
			return READING_NEXT_IS_NAME;
		}
		if (strchr(interpreter->valued, *letters))
			return last ? READING_NEXT_IS_VALUE : READING_GO;
	}
	return READING_GO;
}

/* Returns the operand that is the script; NULL: none. */
static const char *find_script(const struct interpreter *interpreter, char *const *argv)
{
	for (; *argv; argv++) {
		const char *name = NULL;

		if (strcmp(*argv, "--") == 0)
			return argv[1];
		if ((**argv != '-' && **argv != '+') || (*argv)[1] == '\0')
			return **argv == '-' ? NULL : *argv;
		if ((*argv)[1] == '-')
			continue; /* a long option; those with a separate value are rare */
		switch (read_letters(interpreter, *argv + 1, &name)) {
		case READING_GO:
			break;
		case READING_NEXT_IS_VALUE:
			if (!*++argv)
				return NULL;
			break;
		case READING_NEXT_IS_NAME:
			return name ? name : argv[1];
		case READING_NO_SCRIPT:
			return NULL;
		}
	}
	return NULL;
}

const char *script_name(char *const *argv)
{
	const char *program = path_base(argv[0]);
	const struct interpreter *interpreter = find(program);
	const char *script = interpreter ? find_script(interpreter, argv + 1) : NULL;

	return script && *path_base(script) ? path_base(script) : program;
}
