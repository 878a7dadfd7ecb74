/* SPDX-License-Identifier: Apache-2.0 */
/* Parses options by table, and prints the table as help and for completion. */
#include "common/compat.h"
#include "session/commands/options.h"
#include "common/xalloc.h"

/* Remaining arguments. */
struct arguments {
	char **argv;
	int count, next;
	int operands; /* number of operands moved to the front */
};

void option_list_add(struct option_list *list, const char *item)
{
	GROW(list->items, list->count + 1, list->alloc);
	list->items[list->count++] = item;
}

/* Returns the option table of a command; an empty one if it has none. */
static const struct command_option *table(const struct command *command)
{
	static const struct command_option none[] = { { .name = NULL } };

	return command->options ? command->options() : none;
}

/* Returns the option with a long name of the given length; NULL: none. */
static const struct command_option *find_name(const struct command *command, const char *name,
					      size_t length)
{
	for (const struct command_option *option = table(command); option->name; option++)
		if (strlen(option->name) == length && strncmp(option->name, name, length) == 0)
			return option;
	return NULL;
}

static const struct command_option *find_letter(const struct command *command, char letter)
{
	for (const struct command_option *option = table(command); option->name; option++)
		if (option->letter == letter)
			return option;
	return NULL;
}

static int read_number(const struct command_option *option, const char *value, struct error *err)
{
	char *end;

	errno = 0;
	*(uint64_t *)option->target = strtoull(value, &end, 10);
	if (*value < '0' || *value > '9' || *end || errno)
		return error_set(err, "--%s takes a number, not '%s'", option->name, value);
	return 0;
}

static int read_percent(const struct command_option *option, const char *value, struct error *err)
{
	char *end;
	double percent = strtod(value, &end);

	if (end == value || *end || !(percent >= 0 && percent <= 100))
		return error_set(err, "--%s takes a percentage from 0 to 100, not '%s'", option->name,
				 value);
	*(double *)option->target = percent;
	return 0;
}

/* Stores an option's value in its target. */
static int set_value(const struct command_option *option, const char *value, struct error *err)
{
	switch (option->kind) {
	case OPTION_FLAG:
		*(bool *)option->target = true;
		return 0;
	case OPTION_STRING:
	case OPTION_OPTIONAL:
		if (value && !*value)
			return error_set(err, "--%s needs a value that is not empty", option->name);
		*(const char **)option->target = value ? value : "";
		return 0;
	case OPTION_LIST:
		if (!*value)
			return error_set(err, "--%s needs a value that is not empty", option->name);
		option_list_add(option->target, value);
		return 0;
	case OPTION_NUMBER:
		return read_number(option, value, err);
	case OPTION_PERCENT:
		return read_percent(option, value, err);
	}
	return -1;
}

/* Returns whether an option takes the next argument as its value. */
static bool takes_next(const struct command_option *option)
{
	return option->kind != OPTION_FLAG && option->kind != OPTION_OPTIONAL;
}

/* Returns the value of an option given without one: the next argument; NULL: none left. */
static const char *next_value(struct arguments *arguments)
{
	return arguments->next < arguments->count ? arguments->argv[arguments->next++] : NULL;
}

/* Parses --name, --name=value, --name value. */
static enum options_outcome parse_long(const struct command *command, struct arguments *arguments,
				       const char *text, struct error *err)
{
	const char *equals = strchr(text, '=');
	const char *value = equals ? equals + 1 : NULL;
	size_t length = equals ? (size_t)(equals - text) : strlen(text);
	const struct command_option *option;

	if (strcmp(text, "help") == 0)
		return OPTIONS_HELP;
	option = find_name(command, text, length);
	if (!option) {
		error_set(err, "--%.*s is not an option of %s", (int)length, text, command->name);
		return OPTIONS_WRONG;
	}
	if (option->kind == OPTION_FLAG && value) {
		error_set(err, "--%s takes no value", option->name);
		return OPTIONS_WRONG;
	}
	if (takes_next(option) && !value && !(value = next_value(arguments))) {
		error_set(err, "--%s needs %s after it", option->name, option->argument);
		return OPTIONS_WRONG;
	}
	return set_value(option, value, err) < 0 ? OPTIONS_WRONG : OPTIONS_GO;
}

/* Parses -a, -abc, -oVALUE, -o VALUE. */
static enum options_outcome parse_letters(const struct command *command,
					  struct arguments *arguments, const char *letters,
					  struct error *err)
{
	for (; *letters; letters++) {
		const struct command_option *option = find_letter(command, *letters);
		const char *value = letters + 1;

		if (!option && *letters == 'h')
			return OPTIONS_HELP;
		if (!option) {
			error_set(err, "-%c is not an option of %s", *letters, command->name);
			return OPTIONS_WRONG;
		}
		if (option->kind == OPTION_FLAG) {
			set_value(option, NULL, err);
			continue;
		}
		if (!*value && !(value = next_value(arguments))) {
			error_set(err, "-%c needs %s after it", option->letter, option->argument);
			return OPTIONS_WRONG;
		}
		return set_value(option, value, err) < 0 ? OPTIONS_WRONG : OPTIONS_GO;
	}
	return OPTIONS_GO;
}

/* Moves all remaining arguments to the operands. */
static void rest_is_operands(struct arguments *arguments)
{
	while (arguments->next < arguments->count)
		arguments->argv[arguments->operands++] = arguments->argv[arguments->next++];
}

enum options_outcome options_parse(const struct command *command, int *argc, char **argv,
				   struct error *err)
{
	struct arguments arguments = { .argv = argv, .count = *argc };
	enum options_outcome outcome = OPTIONS_GO;

	while (outcome == OPTIONS_GO && arguments.next < arguments.count) {
		char *text = argv[arguments.next++];

		if (strcmp(text, "--") == 0) {
			rest_is_operands(&arguments);
		} else if (text[0] == '-' && text[1] == '-') {
			outcome = parse_long(command, &arguments, text + 2, err);
		} else if (text[0] == '-' && text[1]) {
			outcome = parse_letters(command, &arguments, text + 1, err);
		} else {
			argv[arguments.operands++] = text;
			if (command->stop_at_operand)
				rest_is_operands(&arguments);
		}
	}
	argv[arguments.operands] = NULL;
	*argc = arguments.operands;
	return outcome;
}

/* Appends "  -o, --output FILE". */
static void option_head(const struct command_option *option, struct strbuf *sb)
{
	if (option->letter)
		strbuf_addf(sb, "  -%c, ", option->letter);
	else
		strbuf_addstr(sb, "      ");
	strbuf_addf(sb, "--%s", option->name);
	if (option->kind == OPTION_OPTIONAL)
		strbuf_addf(sb, "[=%s]", option->argument);
	else if (option->argument)
		strbuf_addf(sb, " %s", option->argument);
}

void options_help(const struct command *command, struct strbuf *sb)
{
	static const struct command_option help = {
		"help", 'h', OPTION_FLAG, NULL, "print this help", NULL
	};

	strbuf_addf(sb, "Usage: vigil %s [OPTION]... %s\n%s.\n\n", command->name,
		    command->arguments, command->summary);
	for (const struct command_option *option = table(command);; option++) {
		const struct command_option *shown = option->name ? option : &help;

		option_head(shown, sb);
		strbuf_addch(sb, ' ');
		strbuf_pad_to(sb, 28);
		strbuf_addf(sb, "%s\n", shown->help);
		if (!option->name)
			break;
	}
	strbuf_addf(sb, "\nThe manual page is vigil-%s(1).\n", command->name);
}

void options_completion(const struct command *command, struct strbuf *sb)
{
	strbuf_addf(sb, "command %s\n", command->name);
	for (const struct command_option *option = table(command); option->name; option++) {
		strbuf_addf(sb, "option %s --%s %s\n", command->name, option->name,
			    takes_next(option) ? option->argument : "-");
		if (option->letter)
			strbuf_addf(sb, "option %s -%c %s\n", command->name, option->letter,
				    option->argument ? option->argument : "-");
	}
}
