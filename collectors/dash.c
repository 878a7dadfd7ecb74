/* SPDX-License-Identifier: Apache-2.0 */
/*
 * STRBDASH: reports the script line that dash executes, and its function. Debian's
 * dash has no symbols: dash-layout.h explains how its variables are found.
 */
#include "common/compat.h"
#include "common/procfs.h"
#include "collectors/dash-functions.h"
#include "collectors/dash-layout.h"
#include "collectors/shell.h"

#include <unistd.h>

#define INPUTS_MAX 64
#define COMMANDS_MAX 64
/* Words of the stack, from its top on, in which a pipeline is looked for. */
#define PIPELINE_WORDS 128

/* The line numbers of a shell. */
struct lines {
	uint32_t line, function, lineno;
};

static uint32_t number(const struct vigil_communication *area, const struct image *image,
		       enum dash_fact fact)
{
	int32_t value = 0;

	if (vigil_read(area, image_address(image, fact), &value, sizeof(value)) != sizeof(value) ||
	    value < 0)
		return 0;
	return (uint32_t)value;
}

static struct lines read_lines(const struct vigil_communication *area, const struct image *image)
{
	return (struct lines){
		number(area, image, DASH_LINE),
		number(area, image, DASH_FUNCTION),
		number(area, image, DASH_LINENO),
	};
}

static bool agree(const struct lines *lines)
{
	return lines->lineno == lines->line - (lines->function ? lines->function - 1 : 0);
}

/* After a function ends the line is still the function's until the next command begins. */
static bool stale(const struct lines *lines, const struct lines *again)
{
	return !agree(lines) && !agree(again) && lines->line == again->line &&
	       lines->lineno == again->lineno;
}

/* Reads the text that a variable points to, "" if there is none. */
static void read_text(const struct vigil_communication *area, const struct image *image,
		      enum dash_fact fact, char *text, size_t size)
{
	uint64_t address = vigil_pointer(area, image_address(image, fact));

	*text = 0;
	if (address)
		vigil_text(area, address, text, size);
}

/* Finds the file that is open for the current input; a subshell has closed it. */
static bool find_open_file(const struct vigil_communication *area, const struct image *image,
			   char path[SHELL_PATH])
{
	uint64_t at = vigil_pointer(area, image_address(image, DASH_INPUT));
	struct dash_input input = { .descriptor = -1 };
	char link[PROCFS_PATH_SIZE];

	for (size_t i = 0; at && i < INPUTS_MAX && input.descriptor < 0; i++, at = input.previous)
		if (vigil_read(area, at, &input, sizeof(input)) != sizeof(input))
			return false;
	RETURN_IF(input.descriptor <= 0, false);
	procfs_descriptor(link, area->task->pid, "fd", input.descriptor);
	return procfs_link(link, path, SHELL_PATH) > 0 && *path == '/';
}

/*
 * Finds the script: the open file, or the name that dash has for it. Returns
 * whether it is a file.
 */
static bool find_script(const struct vigil_communication *area, const struct image *image,
			char script[SHELL_PATH])
{
	char name[SHELL_PATH];
	const char *program;

	RETURN_IF(find_open_file(area, image, script), true);
	read_text(area, image, DASH_COMMAND, name, sizeof(name));
	if (!strchr(name, '/'))
		read_text(area, image, DASH_SCRIPT, name, sizeof(name));
	program = vigil_argument(area, 0);
	if (*name && (!program || strcmp(program, name) != 0)) {
		shell_path(area, name, script);
		RETURN_IF(*script, true);
	}
	snprintf(script, SHELL_PATH, "%s", *name ? name : "sh");
	return false;
}

/* Returns whether an address is in one of a list of functions. */
static bool within(const struct image *image, size_t list, uint64_t address)
{
	for (size_t i = 0; i < 2 * DASH_FUNCTIONS_MAX && image->facts[list + i]; i += 2)
		if (address >= image->base + image->facts[list + i] &&
		    address < image->base + image->facts[list + i + 1])
			return true;
	return false;
}

/* Returns whether the executed command has no line: a pipeline that is waited for. */
static bool is_lineless(const struct vigil_task *task, const struct image *image)
{
	for (size_t i = 0; i < task->frame_count; i++) {
		RETURN_IF(within(image, DASH_LINELESS, task->frames[i]), true);
		RETURN_IF(within(image, DASH_LINED, task->frames[i]), false);
	}
	return false;
}

/* A command as the parser created it, and the list of a pipeline. */
enum {
	COMMAND = 0,
	PIPELINE = 1,
	REDIRECTED = 2,
	BACKGROUND = 3,
	SUBSHELL = 4,
	FOR = 11,
	CASE = 12
};
struct node {
	int32_t type, line; /* line: only for the types above other than PIPELINE */
	uint64_t list;
};
struct list {
	uint64_t next, node;
};

static bool has_line(const struct node *node)
{
	switch (node->type) {
	case COMMAND:
	case REDIRECTED:
	case BACKGROUND:
	case SUBSHELL:
	case FOR:
	case CASE:
		return node->line > 0;
	default:
		return false;
	}
}

/* Returns the line of a pipeline at an address: of its first command that has one. 0: none. */
static uint32_t line_of_pipeline(const struct vigil_communication *area, uint64_t address)
{
	struct node node;
	struct list list;

	if (!address || address % 8 ||
	    vigil_read(area, address, &node, sizeof(node)) != sizeof(node))
		return 0;
	RETURN_IF(node.type != PIPELINE || node.line < 0 || node.line > 1, 0);
	for (size_t i = 0; node.list && i < COMMANDS_MAX; i++, node.list = list.next) {
		struct node command;

		if (vigil_read(area, node.list, &list, sizeof(list)) != sizeof(list) ||
		    vigil_read(area, list.node, &command, sizeof(command)) != sizeof(command))
			return 0;
		RETURN_IF(has_line(&command), (uint32_t)command.line);
	}
	return 0;
}

/*
 * Returns the line of the pipeline that is waited for: the waiting functions have
 * its address on the stack.
 */
static uint32_t find_pipeline(const struct vigil_communication *area)
{
	uint64_t words[PIPELINE_WORDS];
	size_t count = shell_stack(area, words, PIPELINE_WORDS);
	uint32_t line = 0;

	for (size_t i = 0; i < count && !line; i++)
		line = line_of_pipeline(area, words[i]);
	return line;
}

/*
 * Adds a place. dash does not keep the file that a function was read from: it is
 * the script if that line defines it, otherwise one of the files that the script
 * read.
 */
static void add_place(struct shell *shell, const struct vigil_communication *area,
		      const char *script, bool is_file, const char *function,
		      const struct lines *lines)
{
	bool known =
		is_file && (!lines->function ||
			    (*function && shell_defines(shell, script, lines->function, function)));

	shell_add(shell, area, script, known, function, lines->line);
	if (lines->function && !known)
		shell->places[0].section = ".SOURCED";
}

static enum vigil_outcome entry(struct vigil_communication *area)
{
	struct shell *shell = shell_of(area);
	struct image *image = shell ? images_find(shell->images, area, dash_examine) : NULL;
	char script[SHELL_PATH], function[VIGIL_NAME_MAX + 1] = "";
	struct lines lines, again;
	bool is_file;

	RETURN_IF(!image, VIGIL_NOT_MINE);
	lines = read_lines(area, image);
	is_file = find_script(area, image, script);
	if (lines.function)
		dash_function_name(area, image, lines.function, function, sizeof(function));
	again = read_lines(area, image);
	RETURN_IF(lines.function != again.function || !image_is_alive(area, image), VIGIL_TORN);
	if (is_lineless(area->task, image))
		lines.line = find_pipeline(area);
	else if (stale(&lines, &again))
		lines.line = 0;
	add_place(shell, area, script, is_file, function, &lines);
	snprintf(shell->id, sizeof(shell->id), "DASH");
	return shell_answer(shell, area, image, DASH_LINED, (DASH_END - DASH_LINED) / 2);
}

static const char *const programs[] = { "dash", "sh", NULL };

VIGIL_COLLECTOR("STRBDASH", "G-00", VIGIL_PROMPT, NULL, programs, entry);
VIGIL_COLLECTOR_ALIASES("SH");
