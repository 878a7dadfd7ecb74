/* SPDX-License-Identifier: Apache-2.0 */
/*
 * STRBDASH: the line of the script that dash executes, and its function.
 * Debian's dash has no symbols: dash-layout.h says how its variables are found.
 */
#include "common/compat.h"
#include "sampler/collectors/dash-functions.h"
#include "sampler/collectors/dash-layout.h"
#include "sampler/collectors/shell.h"

#include <unistd.h>

#define INPUTS_MAX 64

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

/* Behind a function's end the line is still the function's, until the next command begins. */
static bool agree(const struct lines *lines)
{
	uint32_t begin = lines->function ? lines->function - 1 : 0;

	return lines->lineno == lines->line - begin;
}

/* The script that is read: the file that is open for it, however it was called. */
static void find_script(const struct vigil_communication *area, const struct image *image,
			char *script, size_t size)
{
	uint64_t at = vigil_pointer(area, image_address(image, DASH_INPUT));
	struct dash_input input;
	char link[48];
	ssize_t length;

	for (size_t i = 0; at && i < INPUTS_MAX; i++, at = input.previous) {
		if (vigil_read(area, at, &input, sizeof(input)) != sizeof(input))
			break;
		if (input.descriptor < 0)
			continue;
		snprintf(link, sizeof(link), "/proc/%d/fd/%d", (int)area->task->pid,
			 input.descriptor);
		length = readlink(link, script, size - 1);
		script[length > 0 ? length : 0] = 0;
		RETURN_IF(*script == '/' && strncmp(script, "/dev/", 5) != 0, );
	}
	at = vigil_pointer(area, image_address(image, DASH_SCRIPT));
	if (!at || vigil_text(area, at, script, size) <= 0)
		snprintf(script, size, "sh");
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

/* Dash forgets which file a function was read from: it is the script when its line says so, or one
   of the files that the script read. */
static void add_place(struct shell *shell, const struct vigil_communication *area,
		      const char *script, const char *function, const struct lines *lines)
{
	bool known = *script == '/' &&
		     (!lines->function ||
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

	RETURN_IF(!image, VIGIL_NOT_MINE);
	lines = read_lines(area, image);
	find_script(area, image, script, sizeof(script));
	if (lines.function)
		dash_function_name(area, image, lines.function, function, sizeof(function));
	again = read_lines(area, image);
	RETURN_IF(lines.function != again.function, VIGIL_TORN);
	if (!agree(&lines) && agree(&again))
		lines = again;
	if (!agree(&lines) || is_lineless(area->task, image))
		lines.line = 0;
	add_place(shell, area, script, function, &lines);
	snprintf(shell->id, sizeof(shell->id), "DASH");
	return shell_answer(shell, area, image);
}

static const char *const programs[] = { "dash", "sh", NULL };

VIGIL_COLLECTOR("STRBDASH", "G-00", 0, NULL, programs, entry);
VIGIL_COLLECTOR_ALIASES("SH");
