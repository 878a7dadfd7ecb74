/* SPDX-License-Identifier: Apache-2.0 */
/*
 * STRBBASH: reports the script line that bash executes, its function and the lines
 * that called it, from bash's exported variables: line_number is LINENO as the
 * script sees it, and the arrays FUNCNAME, BASH_SOURCE and BASH_LINENO are looked
 * up in bash's table of variables.
 */
#include "common/compat.h"
#include "collectors/loop.h"
#include "collectors/shell.h"

enum fact {
	LINE_NUMBER,
	COMMAND_LINE, /* line_number_for_err_trap */
	WAITING,      /* waiting_for_child */
	SUBSHELL,     /* subshell_environment */
	VARIABLES,    /* global_variables */
	PARAMETERS,   /* dollar_vars */
	DIST_VERSION,
	PATCH_LEVEL,
	EXECUTE,
	READ,
	SYMBOLS,
	/* Starts and ends of the functions that read and execute commands. */
	LOOPS = SYMBOLS,
	LOOPS_END = LOOPS + 4,
};

static const char *const symbols[SYMBOLS] = {
	"line_number",	     "line_number_for_err_trap",
	"waiting_for_child", "subshell_environment",
	"global_variables",  "dollar_vars",
	"dist_version",	     "patch_level",
	"execute_command_internal", "reader_loop",
};

/* Parts of bash's structures, identical in versions 4.4 to 5.3. */
#define CONTEXT_TABLE 32
struct table {
	uint64_t buckets;
	int32_t bucket_count, entries;
};
struct entry {
	uint64_t next, key, variable;
	uint32_t hash;
};
struct variable {
	uint64_t name, value;
};
struct element {
	int64_t index;
	uint64_t value, next, previous;
};

#define CHAIN_MAX 64

/* A shell array, from its first element on. */
struct array {
	uint64_t first; /* address of the first element */
	uint64_t count, left;
	struct element at;
};

enum { FUNCTIONS, SOURCES, LINES, ARRAYS };
static const char *const array_names[ARRAYS] = { "FUNCNAME", "BASH_SOURCE", "BASH_LINENO" };

/* Records the range of the function whose start is a fact. */
static void add_loop(const struct vigil_communication *area, uint64_t base, enum fact fact,
		     uint64_t *place, const uint64_t *facts)
{
	struct loop_range range;

	RETURN_IF(!facts[fact], );
	range = loop_function(area, base + facts[fact]);
	place[0] = range.start - base;
	place[1] = range.end - base;
}

static bool examine(const struct vigil_communication *area, uint64_t base,
		    uint64_t facts[IMAGE_FACTS])
{
	image_symbols(area, base, symbols, SYMBOLS, facts);
	add_loop(area, base, EXECUTE, &facts[LOOPS], facts);
	add_loop(area, base, READ, &facts[LOOPS + 2], facts);
	return facts[LINE_NUMBER] && facts[VARIABLES] && facts[PARAMETERS];
}

/* Returns the hash that bash's tables of variables use (FNV-1). */
static uint32_t name_hash(const char *name)
{
	uint32_t hash = 2166136261u;

	for (; *name; name++)
		hash = hash * 16777619u ^ (unsigned char)*name;
	return hash;
}

/* Returns the address of a global variable's structure, 0 if there is none. */
static uint64_t find_variable(const struct vigil_communication *area, const struct image *image,
			      const char *name)
{
	uint64_t context = vigil_pointer(area, image_address(image, VARIABLES));
	uint64_t at = context ? vigil_pointer(area, context + CONTEXT_TABLE) : 0;
	uint32_t hash = name_hash(name);
	struct table table;
	struct entry entry;
	char key[16];

	RETURN_IF(!at || vigil_read(area, at, &table, sizeof(table)) != sizeof(table), 0);
	RETURN_IF(table.bucket_count <= 0, 0);
	at = vigil_pointer(area, table.buckets + 8 * (hash & (uint32_t)(table.bucket_count - 1)));
	for (size_t i = 0; at && i < CHAIN_MAX; i++, at = entry.next) {
		RETURN_IF(vigil_read(area, at, &entry, sizeof(entry)) != sizeof(entry), 0);
		if (entry.hash == hash && vigil_text(area, entry.key, key, sizeof(key)) > 0 &&
		    strcmp(key, name) == 0)
			return entry.variable;
	}
	return 0;
}

/*
 * Advances to the next element. If the array changes meanwhile, the links can lead
 * back to its head, whose index is -1.
 */
static bool next_element(const struct vigil_communication *area, struct array *array)
{
	return array->left && array->left-- &&
	       vigil_read(area, array->at.next, &array->at, sizeof(array->at)) ==
		       sizeof(array->at) &&
	       array->at.index >= 0;
}

/* Returns whether the variable with this name is at address. */
static bool read_variable(const struct vigil_communication *area, uint64_t address,
			  const char *name, struct variable *variable)
{
	char text[16];

	return address &&
	       vigil_read(area, address, variable, sizeof(*variable)) == sizeof(*variable) &&
	       vigil_text(area, variable->name, text, sizeof(text)) > 0 && strcmp(text, name) == 0;
}

/*
 * Returns the value of an array's variable, 0 if there is none. Its address is
 * cached: it stays the same unless the variable is unset, or the shell
 * reinitializes for a script that the kernel does not execute.
 */
static uint64_t array_value(const struct vigil_communication *area, struct image *image,
			    size_t which)
{
	const char *name = array_names[which];
	struct variable variable;

	if (!read_variable(area, image->private_values[which], name, &variable)) {
		image->private_values[which] = find_variable(area, image, name);
		RETURN_IF(!read_variable(area, image->private_values[which], name, &variable), 0);
	}
	return variable.value;
}

/*
 * Positions before the first element of an array; up to version 5.1 a type
 * precedes the other fields.
 */
static void open_array(const struct vigil_communication *area, struct image *image, size_t which,
		       struct array *array)
{
	uint64_t value = array_value(area, image, which), fields[4], head;

	memset(array, 0, sizeof(*array));
	if (!value || vigil_read(area, value, fields, sizeof(fields)) != sizeof(fields))
		return;
	head = fields[2] > 65536 ? fields[2] : fields[3];
	if (vigil_read(area, head, &array->at, sizeof(array->at)) == sizeof(array->at))
		array->first = array->at.next;
	array->count = array->left = fields[2] > 65536 ? fields[1] : fields[2];
}

/* Reads the text of the next element, "" after the last. */
static void next_text(const struct vigil_communication *area, struct array *array, char *text,
		      size_t size)
{
	*text = 0;
	if (next_element(area, array))
		vigil_text(area, array->at.value, text, size);
}

static uint32_t number(const struct vigil_communication *area, const struct image *image,
		       enum fact fact)
{
	int32_t value = 0;

	if (vigil_read(area, image_address(image, fact), &value, sizeof(value)) != sizeof(value) ||
	    value < 0)
		return 0;
	return (uint32_t)value;
}

/*
 * Returns LINENO, except in two cases in which bash keeps the line of the last
 * simple command only for the ERR trap: while that command is waited for, and in a
 * subshell between commands, where LINENO is how far the script was read.
 */
static uint32_t current_line(const struct vigil_communication *area, const struct image *image)
{
	uint32_t line = number(area, image, LINE_NUMBER);
	uint32_t command = number(area, image, COMMAND_LINE);

	RETURN_IF(command == 0 || command == line, line);
	RETURN_IF(number(area, image, WAITING), command);
	RETURN_IF(command < line && area->task->state == VIGIL_EXECUTING &&
			  number(area, image, SUBSHELL),
		  command);
	return line;
}

/*
 * Adds the innermost places, as many as an answer can hold: each was called from
 * the line in its BASH_LINENO.
 */
static void add_places(struct shell *shell, const struct vigil_communication *area,
		       struct array arrays[ARRAYS], uint32_t line)
{
	char function[VIGIL_NAME_MAX + 1], source[SHELL_PATH], caller[24];

	while (shell->count < SHELL_PLACES) {
		next_text(area, &arrays[SOURCES], source, sizeof(source));
		next_text(area, &arrays[FUNCTIONS], function, sizeof(function));
		next_text(area, &arrays[LINES], caller, sizeof(caller));
		RETURN_IF(!*source, );
		if (strcmp(function, "main") == 0 || strcmp(function, "source") == 0)
			*function = 0;
		shell_add(shell, area, source, true, function, line);
		line = (uint32_t)strtoul(caller, NULL, 10);
	}
}

/*
 * Adds the place of a shell without a script: a command (-c), or input from a
 * terminal or a pipe.
 */
static void add_nameless(struct shell *shell, const struct vigil_communication *area,
			 const struct image *image, uint32_t line)
{
	char name[SHELL_PATH];

	if (vigil_text(area, vigil_pointer(area, image_address(image, PARAMETERS)), name,
		       sizeof(name)) <= 0)
		snprintf(name, sizeof(name), "bash");
	shell_add(shell, area, name, false, "", line);
}

static void set_id(struct shell *shell, const struct vigil_communication *area,
		   const struct image *image)
{
	char version[16] = "";
	int32_t patch = 0;

	if (shell->id[0])
		return;
	vigil_text(area, vigil_pointer(area, image_address(image, DIST_VERSION)), version,
		   sizeof(version));
	vigil_read(area, image_address(image, PATCH_LEVEL), &patch, sizeof(patch));
	snprintf(shell->id, sizeof(shell->id), "BASH %s.%d", version, patch);
}

static enum vigil_outcome entry(struct vigil_communication *area)
{
	struct shell *shell = shell_of(area);
	struct image *image = shell ? images_find(shell->images, area, examine) : NULL;
	struct array arrays[ARRAYS], again;
	uint32_t line;

	RETURN_IF(!image, VIGIL_NOT_MINE);
	open_array(area, image, FUNCTIONS, &arrays[FUNCTIONS]);
	line = current_line(area, image);
	open_array(area, image, SOURCES, &arrays[SOURCES]);
	if (arrays[FUNCTIONS].count > 1)
		open_array(area, image, LINES, &arrays[LINES]);
	else
		memset(&arrays[LINES], 0, sizeof(arrays[LINES]));
	add_places(shell, area, arrays, line);
	open_array(area, image, FUNCTIONS, &again);
	RETURN_IF(again.first != arrays[FUNCTIONS].first ||
			  again.count != arrays[FUNCTIONS].count || !image_is_alive(area, image),
		  VIGIL_TORN);
	if (shell->count == 0)
		add_nameless(shell, area, image, line);
	set_id(shell, area, image);
	return shell_answer(shell, area, image, LOOPS, (LOOPS_END - LOOPS) / 2);
}

static const char *const programs[] = { "bash", NULL };

VIGIL_COLLECTOR("STRBBASH", "G-00", VIGIL_PROMPT, NULL, programs, entry);
