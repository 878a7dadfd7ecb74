/* SPDX-License-Identifier: Apache-2.0 */
/*
 * STRBDASH: the line of the script that dash executes, and its function.
 * Debian's dash has no symbols: dash-layout.h says how its variables are found.
 */
#include "common/compat.h"
#include "common/procfs.h"
#include "collectors/dash-functions.h"
#include "collectors/dash-layout.h"
#include "collectors/shell.h"

#include <unistd.h>

#define INPUTS_MAX 64
#define COMMANDS_MAX 64
/* Of the stack, from its top on, in which a pipeline is looked for. */
#define PIPELINE_WORDS 128

/* The lines that a shell is at. */
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

/* Behind a function's end the line is still the function's, until the next command begins. */
static bool stale(const struct lines *lines, const struct lines *again)
{
	return !agree(lines) && !agree(again) && lines->line == again->line &&
	       lines->lineno == again->lineno;
}

/* A text that a variable points to, "" when there is none. */
static void read_text(const struct vigil_communication *area, const struct image *image,
		      enum dash_fact fact, char *text, size_t size)
{
	uint64_t address = vigil_pointer(area, image_address(image, fact));

	*text = 0;
	if (address)
		vigil_text(area, address, text, size);
}

/* The file that is open for what is read now; a subshell has closed it. */
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

/* The script: by the file that is open, or as dash calls it. Whether it is a file. */
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

/* Whether an address lies in one of a list of functions. */
static bool within(const struct image *image, size_t list, uint64_t address)
{
	for (size_t i = 0; i < 2 * DASH_FUNCTIONS_MAX && image->facts[list + i]; i += 2)
		if (address >= image->base + image->facts[list + i] &&
		    address < image->base + image->facts[list + i + 1])
			return true;
	return false;
}

/* Whether what is executed has no line of its own: a pipeline that is waited for. */
static bool is_lineless(const struct vigil_task *task, const struct image *image)
{
	for (size_t i = 0; i < task->frame_count; i++) {
		RETURN_IF(within(image, DASH_LINELESS, task->frames[i]), true);
		RETURN_IF(within(image, DASH_LINED, task->frames[i]), false);
	}
	return false;
}

/* A command as the parser made it, and the list that a pipeline has. */
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
	int32_t type, line; /* line: of those named above but the pipeline */
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

/* The line of a pipeline at an address: of its first command that has one. 0: there is none. */
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

/* The line of the pipeline that is waited for: the functions that wait have it on the stack. */
static uint32_t find_pipeline(const struct vigil_communication *area)
{
	uint64_t words[PIPELINE_WORDS];
	size_t count = shell_stack(area, words, PIPELINE_WORDS);
	uint32_t line = 0;

	for (size_t i = 0; i < count && !line; i++)
		line = line_of_pipeline(area, words[i]);
	return line;
}

/* Dash forgets which file a function was read from: it is the script when its line says so, or one
   of the files that the script read. */
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
	RETURN_IF(lines.function != again.function || !image_lives(area, image), VIGIL_TORN);
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
