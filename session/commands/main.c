/* SPDX-License-Identifier: Apache-2.0 */
/* The main program: one table of commands. */
#include "common/compat.h"
#include "session/commands/options.h"

#include <fcntl.h>
#include <signal.h>

static const struct command *const commands[] = {
	&submit_command, &check_command,   &run_command,
	&attach_command, &control_command, &report_command, &collectors_command,
	&start_command,  &pause_command,   &list_command,
	&delete_command, &consolidate_command, &read_command, &export_command, &compare_command,
	&import_command, &replay_command, &request_command, &watch_command,   &history_command,
	&night_command,
	&collect_command, &extract_command, &modules_command,
};

/* Writes text to standard output; returns the exit status. */
static int write_out(const struct strbuf *text)
{
	if (fwrite(text->text, 1, text->length, stdout) != text->length || fflush(stdout) != 0)
		return command_message(SEVERITY_ERROR, 31, "cannot write to standard output: %s",
				       strerror(errno));
	return EXIT_OK;
}

static void overview(struct strbuf *sb)
{
	strbuf_addstr(sb, "Usage: vigil COMMAND [OPTION]... [OPERAND]...\n"
			  "Measures batch job steps and prints a Performance Profile of each.\n\n");
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		strbuf_addf(sb, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
	strbuf_addstr(sb, "\n  vigil COMMAND --help   the options of a command\n"
			  "  vigil --version        the version\n"
			  "\nThe manual page is vigil(1).\n");
}

/* Executes an option that precedes the command; -1 if word is none. */
static int general_option(const char *word)
{
	struct strbuf text = STRBUF_INIT;
	int status = -1;

	if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
		overview(&text);
	else if (strcmp(word, "--version") == 0)
		strbuf_addstr(&text, "vigil " PACKAGE_VERSION "\n");
	else if (strcmp(word, "--completion-data") == 0)
		for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
			options_completion(commands[i], &text);
	if (text.length)
		status = write_out(&text);
	strbuf_release(&text);
	return status;
}

/* Prints the usage, after a message about the error. */
static int usage(void)
{
	struct strbuf text = STRBUF_INIT;

	overview(&text);
	fwrite(text.text, 1, text.length, stderr);
	strbuf_release(&text);
	return EXIT_USAGE;
}

static int help_of(const struct command *command)
{
	struct strbuf text = STRBUF_INIT;
	int status;

	options_help(command, &text);
	status = write_out(&text);
	strbuf_release(&text);
	return status;
}

static int run_with_options(const struct command *command, int argc, char **argv)
{
	struct error err = ERROR_INIT;
	int status;

	switch (options_parse(command, &argc, argv, &err)) {
	case OPTIONS_GO:
		status = command->run(argc, argv);
		break;
	case OPTIONS_HELP:
		status = help_of(command);
		break;
	default:
		command_fail(EXIT_USAGE, "%s", error_text(&err));
		fprintf(stderr, "vigil: 'vigil %s --help' lists the options\n", command->name);
		status = EXIT_USAGE;
	}
	error_release(&err);
	return status;
}

/*
 * Gives closed standard streams a descriptor on which reading and writing fail, so
 * that no file opened later becomes one of them. Programs that vigil runs do not
 * inherit it.
 */
static void fill_standard_streams(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", (fd == 0 ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
}

/* Does nothing: unlike SIG_IGN, a handler is not inherited by programs that vigil runs. */
static void let_write_fail(int number UNUSED)
{
}

int main(int argc, char **argv)
{
	int status;

	fill_standard_streams();
	signal(SIGXFSZ, let_write_fail); /* reaching the file size limit gives an error message
					  * instead of killing vigil */

	if (argc < 2) {
		command_fail(EXIT_USAGE, "a command is missing");
		return usage();
	}
	status = general_option(argv[1]);
	if (status >= 0)
		return status;
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		if (strcmp(commands[i]->name, argv[1]) == 0)
			return run_with_options(commands[i], argc - 2, argv + 2);
	command_fail(EXIT_USAGE, "%s is not %s", argv[1],
		     argv[1][0] == '-' ? "an option" : "a command");
	return usage();
}
