/* SPDX-License-Identifier: Apache-2.0 */
/* Executes commands one after the other; keeps their condition codes and prints the listing. */
#include "common/compat.h"
#include "utilities/idcams/idcams.h"

#include <time.h>

#define ENDING_CODE 16

/* Prints the heading of the listing. */
static void print_head(const struct idcams *idcams)
{
	time_t now = time(NULL);
	struct tm when;
	char text[32] = "";

	if (localtime_r(&now, &when))
		strftime(text, sizeof(text), "%H:%M:%S        %m/%d/%y", &when);
	fprintf(idcams->utility->print,
		"IDCAMS  SYSTEM SERVICES                                           TIME: %s     "
		"PAGE      1\n",
		text);
}

/* Prints the lines of SYSIN up to last that are not yet in the listing. */
static void echo(struct idcams *idcams, size_t last)
{
	const struct source *source = idcams->source;

	if (idcams->echoed < last)
		fputc('\n', idcams->utility->print);
	for (; idcams->echoed < last && idcams->echoed < source->line_count; idcams->echoed++) {
		const struct source_line *line = &source->lines[idcams->echoed];
		size_t length = line->length;

		while (length > 0 && line->text[length - 1] == ' ')
			length--;
		utility_echo(idcams->utility->print, " ", line->text, length, "");
	}
}

/* Prints the diagnostics of a command, each with its line and a caret. */
static void print_diags(struct idcams *idcams, const struct idcams_command *command)
{
	FILE *print = idcams->utility->print;

	for (size_t i = 0; i < command->diags.count; i++) {
		const struct diag *diag = &command->diags.items[i];
		bool known = strncmp(diag->text, "IDC", 3) == 0;
		struct strbuf id = STRBUF_INIT, shown = STRBUF_INIT;
		const char *lines;

		diag_format_id(&id, diag->number, diag->severity);
		diag_format(diag, &shown);
		lines = strchr(shown.text, '\n');
		if (known)
			fprintf(print, "%s, LINE %u COLUMN %u (%s)\n", diag->text,
				diag->location.line, diag->location.column, id.text);
		else
			fprintf(print, "%s IDCAMS: line %u column %u: %s\n", id.text,
				diag->location.line, diag->location.column, diag->text);
		if (lines)
			fprintf(print, "%s", lines + 1);
		strbuf_release(&id);
		strbuf_release(&shown);
	}
	utility_foreign_message(idcams->utility, "IDC3202I", SEVERITY_SEVERE, 0,
		      "ABOVE TEXT BYPASSED UNTIL NEXT COMMAND. CONDITION CODE IS %d",
		      SEVERITY_SEVERE);
}

/* Ends a command with a condition code. */
static void set_last(struct idcams *idcams, unsigned code)
{
	idcams->last = code;
	if (code > idcams->highest)
		idcams->highest = code;
}

/* Returns whether the condition of an IF holds. */
static bool condition_holds(const struct idcams *idcams, const struct idcams_command *command)
{
	unsigned value = command->maximum ? idcams->highest : idcams->last, code = command->code;

	switch (command->relation) {
	case RELATION_EQ:
		return value == code;
	case RELATION_NE:
		return value != code;
	case RELATION_GE:
		return value >= code;
	case RELATION_LE:
		return value <= code;
	case RELATION_GT:
		return value > code;
	case RELATION_LT:
		return value < code;
	}
	return false;
}

/* Executes a command that has a verb. */
static void run_verb(struct idcams *idcams, const struct idcams_command *command)
{
	idcams->utility->worst = 0;
	command->verb->run(idcams, command);
	utility_foreign_message(idcams->utility, "IDC0001I", SEVERITY_INFO, 0,
		      "FUNCTION COMPLETED, HIGHEST CONDITION CODE WAS %u", idcams->utility->worst);
	set_last(idcams, idcams->utility->worst);
}

static void run_list(struct idcams *idcams, const struct idcams_command *list);

static void run_one(struct idcams *idcams, const struct idcams_command *command)
{
	echo(idcams, command->last_line);
	if (command->diags.count > 0) {
		print_diags(idcams, command);
		/* after a broken IF it is unclear which commands depend on it */
		idcams->ended = command->then || command->otherwise;
		set_last(idcams, idcams->ended ? ENDING_CODE : (unsigned)SEVERITY_SEVERE);
	} else if (command->kind == COMMAND_IF) {
		run_list(idcams,
			 condition_holds(idcams, command) ? command->then : command->otherwise);
	} else if (command->kind == COMMAND_VERB) {
		run_verb(idcams, command);
	} else if (command->maximum) {
		idcams->highest = command->code;
	} else {
		set_last(idcams, command->code);
	}
}

static void run_list(struct idcams *idcams, const struct idcams_command *list)
{
	for (; list && !idcams->ended; list = list->next)
		run_one(idcams, list);
}

void idcams_execute(struct idcams *idcams, const struct source *source, unsigned left,
		    unsigned right)
{
	struct idcams_command *commands = idcams_parse(source, left, right);

	idcams->source = source;
	print_head(idcams);
	run_list(idcams, commands);
	echo(idcams, source->line_count);
	if (idcams->ended)
		utility_message(idcams->utility, SEVERITY_SEVERE, 5614,
				"commands after an invalid IF are not executed");
	fputc('\n', idcams->utility->print);
	utility_foreign_message(idcams->utility, "IDC0002I", SEVERITY_INFO, 0,
		      "IDCAMS PROCESSING COMPLETE. MAXIMUM CONDITION CODE WAS %u", idcams->highest);
	idcams_commands_free(commands);
}
