/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the lines and functions of a compilation unit. */
#include "common/compat.h"
#include "program/names/names-unit.h"
#include "program/names/demangle.h"
#include "program/names/die-names.h"
#include "program/names/unit-language.h"
#include "common/idmap.h"
#include "common/path.h"
#include "common/lower-bound.h"
#include "common/xalloc.h"

#include <dwarf.h>

/* Limits for damaged information. */
#define MAX_DEPTH 200
#define MAX_DIES 8000000
/* Maximum number of ranges of a function. */
#define MAX_DEAD 1000
#define MAX_CALLS 200000

void unit_init(struct unit *unit, const Dwarf_Die *die, const Dwarf_Die *head,
	       struct name_texts *texts)
{
	memset(unit, 0, sizeof(*unit));
	unit->die = *die;
	unit->head = *head;
	unit->texts = texts;
	idmap_init(&unit->names);
}

void unit_release(struct unit *unit)
{
	for (size_t i = 0; i < unit->function_count; i++) {
		free(unit->functions[i].calls);
		free(unit->functions[i].call_ranges.items);
	}
	free(unit->functions);
	free(unit->function_ranges.items);
	free(unit->rows);
	free(unit->files);
	idmap_release(&unit->names);
}

uint32_t unit_path(struct unit *unit, const char *path)
{
	struct strbuf whole = STRBUF_INIT;
	uint32_t number;

	if (path[0] == '/' || !unit->directory[0])
		return strmap_put(&unit->texts->strings, path);
	while (!strncmp(path, "./", 2))
		path += 2;
	strbuf_addf(&whole, "%s/%s", unit->directory, path);
	number = strmap_put(&unit->texts->strings, whole.text);
	strbuf_release(&whole);
	return number;
}

void name_texts_remark(struct name_texts *texts, const char *format, ...)
{
	va_list ap;

	if (texts->remark.length)
		return;
	va_start(ap, format);
	strbuf_vaddf(&texts->remark, format, ap);
	va_end(ap);
}

/* Copies the unit's line table. */
static void load_rows(struct unit *unit)
{
	struct idmap numbers; /* address of a path in libdw -> its number here */
	Dwarf_Lines *lines;
	size_t count;

	if (dwarf_getsrclines(&unit->die, &lines, &count) || !count)
		return;
	idmap_init(&numbers);
	unit->rows = xcalloc(count, sizeof(*unit->rows));
	for (size_t i = 0; i < count; i++) {
		struct line_row *row = &unit->rows[unit->row_count];
		Dwarf_Line *line = dwarf_onesrcline(lines, i);
		const char *path = dwarf_linesrc(line, NULL, NULL);
		uint64_t file = 0;
		unsigned block;
		int number = 0;

		if (dwarf_lineaddr(line, &row->address) || dwarf_lineno(line, &number) ||
		    dwarf_lineendsequence(line, &row->end) ||
		    dwarf_linebeginstatement(line, &row->statement))
			continue;
		if (path && !idmap_get(&numbers, (uintptr_t)path, &file)) {
			file = unit_path(unit, path);
			idmap_put(&numbers, (uintptr_t)path, file);
			GROW(unit->files, unit->file_count + 1, unit->file_alloc);
			unit->files[unit->file_count++] = (uint32_t)file;
		}
		row->file = (uint32_t)file;
		row->line = number > 0 ? (uint32_t)number : 0;
		if (!dwarf_linediscriminator(line, &block))
			row->block = block;
		unit->row_count++;
	}
	idmap_release(&numbers);
}

/* Returns the row for address, NULL if there is none. */
static const struct line_row *unit_row_at(const struct unit *unit, uint64_t address)
{
	size_t behind = LOWER_BOUND(unit->row_count, at, unit->rows[at].address <= address);

	return behind && !unit->rows[behind - 1].end ? &unit->rows[behind - 1] : NULL;
}

/* Returns whether functions can be inside a DIE of this tag. */
static bool is_container(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_class_type ||
	       tag == DW_TAG_structure_type || tag == DW_TAG_union_type ||
	       tag == DW_TAG_interface_type || tag == DW_TAG_enumeration_type;
}

static void load_functions(struct unit *unit, Dwarf_Die *parent, unsigned depth, unsigned *budget);

/*
 * Records the size of a function that the linker has dropped: it has address 0,
 * and its lines are among those of others, as if it were there.
 */
static void note_dropped_function(struct unit *unit, Dwarf_Die *die)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t offset = 0;

	for (size_t i = 0;
	     i < MAX_DEAD && (offset = dwarf_ranges(die, offset, &base, &start, &end)) > 0; i++)
		if (start <= 1 && end > unit->dropped_end)
			unit->dropped_end = end;
}

/* Finds the methods of classes, and of lambdas, that are inside a function or a block of it. */
static void load_local_classes(struct unit *unit, Dwarf_Die *parent, unsigned depth,
			       unsigned *budget)
{
	Dwarf_Off last = 0;
	Dwarf_Die die;

	if (depth > MAX_DEPTH || dwarf_child(parent, &die))
		return;
	do {
		int tag = dwarf_tag(&die);
		Dwarf_Off offset = dwarf_dieoffset(&die);

		if (offset <= last || !*budget)
			return;
		last = offset;
		--*budget;
		if (tag == DW_TAG_lexical_block)
			load_local_classes(unit, &die, depth + 1, budget);
		else if (is_container(tag))
			load_functions(unit, &die, depth + 1, budget);
	} while (!dwarf_siblingof(&die, &die));
}

/* Adds a function that has instructions, and those nested in it. */
static void load_function(struct unit *unit, Dwarf_Die *die, unsigned depth, unsigned *budget)
{
	size_t ranges;

	if (unit->nests_classes)
		load_local_classes(unit, die, depth + 1, budget);
	ranges = unit->function_ranges.count;
	note_dropped_function(unit, die);
	range_list_add_die(&unit->function_ranges, die, (uint32_t)unit->function_count);
	if (unit->function_ranges.count == ranges)
		return;
	GROW(unit->functions, unit->function_count + 1, unit->function_alloc);
	unit->functions[unit->function_count++] = (struct unit_function){ .die = *die };
	if (language_nests_functions(unit->language))
		load_functions(unit, die, depth + 1, budget);
}

/* Finds the functions among the children of parent. */
static void load_functions(struct unit *unit, Dwarf_Die *parent, unsigned depth, unsigned *budget)
{
	Dwarf_Die die;
	Dwarf_Off last = 0;

	if (depth > MAX_DEPTH || dwarf_child(parent, &die))
		return;
	do {
		int tag = dwarf_tag(&die);
		Dwarf_Off offset = dwarf_dieoffset(&die);

		if (offset <= last || !*budget)
			return; /* damaged: siblings must have increasing offsets */
		last = offset;
		--*budget;
		if (tag == DW_TAG_subprogram)
			load_function(unit, &die, depth, budget);
		else if (is_container(tag))
			load_functions(unit, &die, depth + 1, budget);
	} while (!dwarf_siblingof(&die, &die));
}

/* Reads the line and file of an inlined call. */
static void read_call_place(struct unit *unit, struct inline_call *call)
{
	Dwarf_Attribute attribute;
	Dwarf_Word file = 0, line = 0;
	const char *path;

	if (!dwarf_formudata(dwarf_attr(&call->die, DW_AT_call_line, &attribute), &line) &&
	    line <= UINT32_MAX)
		call->line = (uint32_t)line;
	if (dwarf_formudata(dwarf_attr(&call->die, DW_AT_call_file, &attribute), &file) ||
	    !unit->source_files)
		return;
	path = dwarf_filesrc(unit->source_files, file, NULL, NULL);
	if (path)
		call->file = unit_path(unit, path);
}

/* Finds the calls inlined under a DIE of function. */
static void load_calls(struct unit *unit, struct unit_function *function, Dwarf_Die *parent,
		       uint32_t parent_call, uint32_t depth, unsigned nesting)
{
	Dwarf_Die die;
	Dwarf_Off last = 0;

	if (nesting > MAX_DEPTH || dwarf_child(parent, &die))
		return;
	do {
		int tag = dwarf_tag(&die);
		Dwarf_Off offset = dwarf_dieoffset(&die);
		uint32_t index = (uint32_t)function->call_count;

		if (offset <= last || index >= MAX_CALLS)
			return;
		last = offset;
		if (tag == DW_TAG_lexical_block || tag == DW_TAG_try_block ||
		    tag == DW_TAG_catch_block) {
			load_calls(unit, function, &die, parent_call, depth, nesting + 1);
		} else if (tag == DW_TAG_inlined_subroutine) {
			struct inline_call call = { .die = die,
						    .parent = parent_call,
						    .depth = depth + 1 };

			read_call_place(unit, &call);
			GROW(function->calls, function->call_count + 1, function->call_alloc);
			function->calls[function->call_count++] = call;
			range_list_add_die(&function->call_ranges, &die, index);
			load_calls(unit, function, &die, index + 1, depth + 1, nesting + 1);
		}
	} while (!dwarf_siblingof(&die, &die));
}

void unit_load_calls(struct unit *unit, struct unit_function *function)
{
	if (!function->loaded) {
		function->loaded = true;
		load_calls(unit, function, &function->die, 0, 0, 0);
		range_list_sort(&function->call_ranges);
	}
}

const struct inline_call *unit_call_at(struct unit *unit, struct unit_function *function,
				       uint64_t address)
{
	const struct inline_call *innermost = NULL;
	const struct code_range *ranges;
	size_t at;

	unit_load_calls(unit, function);
	ranges = function->call_ranges.items;
	at = LOWER_BOUND(function->call_ranges.count, i, ranges[i].start <= address);
	/* Of several equally deep calls take the first. */
	while (at-- > 0 && address < ranges[at].reach) {
		const struct inline_call *call = &function->calls[ranges[at].owner];

		if (address < ranges[at].end && (!innermost || call->depth >= innermost->depth))
			innermost = call;
	}
	return innermost;
}

struct unit_function *unit_function_at(struct unit *unit, uint64_t address)
{
	const struct code_range *range = range_list_find(&unit->function_ranges, address);

	return range ? &unit->functions[range->owner] : NULL;
}

/*
 * Returns the base name of the unit's source. Rust compiles a crate in parts,
 * named "src/main.rs/@/part": they are shown as the one source.
 */
static const char *unit_section(struct unit *unit)
{
	const char *name = die_names_text(&unit->die, DW_AT_name), *part = strstr(name, "/@/");
	uint32_t whole;

	if (!part)
		return path_base(name);
	whole = strmap_put_n(&unit->texts->strings, name, (size_t)(part - name));
	return path_base(strmap_text(&unit->texts->strings, whole));
}

/* Returns the path of the unit's source. */
static const char *unit_source(struct unit *unit)
{
	const char *name = die_names_text(&unit->die, DW_AT_name), *part = strstr(name, "/@/");
	struct strbuf whole = STRBUF_INIT;
	uint32_t path;

	strbuf_add(&whole, name, part ? (size_t)(part - name) : strlen(name));
	path = unit_path(unit, whole.text);
	strbuf_release(&whole);
	return strmap_text(&unit->texts->strings, path);
}

void unit_read_source(struct unit *unit)
{
	if (unit->source)
		return;
	unit->directory = die_names_text(&unit->head, DW_AT_comp_dir);
	unit->section = unit_section(unit);
	unit->source = unit_source(unit);
}

/* Returns whether the options that GCC records request optimisation: the last one counts. */
static bool is_optimised(const char *producer)
{
	bool optimised = false;

	for (const char *at = producer; (at = strstr(at, " -O")); at += 3)
		optimised = at[3] != '0';
	return optimised;
}

void unit_load(struct unit *unit)
{
	unsigned budget = MAX_DIES;
	size_t file_count;

	unit->loaded = true;
	unit_read_source(unit);
	unit->optimised = is_optimised(die_names_text(&unit->head, DW_AT_producer)) ||
			  is_optimised(die_names_text(&unit->die, DW_AT_producer));
	unit->language = language_name(dwarf_srclang(&unit->die), unit->section);
	unit->nests_classes = language_has_scopes(unit->language) &&
			      !strncmp(die_names_text(&unit->die, DW_AT_producer), "GNU", 3);
	if (dwarf_getsrcfiles(&unit->die, &unit->source_files, &file_count))
		unit->source_files = NULL;
	load_rows(unit);
	load_functions(unit, &unit->die, 0, &budget);
	range_list_sort(&unit->function_ranges);
}

void unit_place(struct unit *unit, uint32_t file, uint64_t line, struct name *level)
{
	level->file = strmap_text(&unit->texts->strings, file);
	level->line = line;
	name_texts_place(unit->texts, level);
}

void name_texts_place(struct name_texts *texts, struct name *level)
{
	struct strbuf text = STRBUF_INIT;
	const struct source_file *source;

	level->text = "";
	if (!level->line || !level->file[0])
		return;
	source = source_file_get(&texts->sources, level->file);
	if (source->line_count && texts->object_time && source->modified > texts->object_time)
		name_texts_remark(texts,
				  "%s was changed after it was compiled: the lines shown may not "
				  "match",
				  level->file);
	source_file_show(source, level->line, &text);
	level->text = strmap_text(&texts->strings, strmap_put(&texts->strings, text.text));
	strbuf_release(&text);
}

/* Returns the readable name of a function without a linkage name, cached by its origin. */
static const char *composed_name(struct unit *unit, Dwarf_Die *die)
{
	struct strbuf readable = STRBUF_INIT;
	Dwarf_Die origin;
	uint64_t number;

	die_names_origin(die, &origin);
	if (!idmap_get(&unit->names, (uintptr_t)origin.addr, &number)) {
		die_names_add(die, &readable);
		number = strmap_put(&unit->texts->strings, readable.text);
		idmap_put(&unit->names, (uintptr_t)origin.addr, number);
	}
	strbuf_release(&readable);
	return strmap_text(&unit->texts->strings, (uint32_t)number);
}

/* Returns the readable name of a DIE or of its origin. */
static const char *die_name(struct unit *unit, Dwarf_Die *die)
{
	const char *name = die_names_linkage(die);
	struct strbuf readable = STRBUF_INIT;

	if (!name[0] && language_has_scopes(unit->language))
		return composed_name(unit, die);
	if (!name[0])
		name = die_names_text(die, DW_AT_name);
	if (demangle(name, &readable))
		name = readable.text;
	name = strmap_text(&unit->texts->strings, strmap_put(&unit->texts->strings, name));
	strbuf_release(&readable);
	return name;
}

const char *unit_function_name(struct unit *unit, struct unit_function *function)
{
	if (!function->name)
		function->name = die_name(unit, &function->die);
	return function->name;
}

const char *unit_call_name(struct unit *unit, struct inline_call *call)
{
	if (!call->name)
		call->name = die_name(unit, &call->die);
	return call->name;
}

const char *unit_function_section(struct unit *unit, struct unit_function *function)
{
	const char *file = NULL;

	if (function->section)
		return function->section;
	if (unit->section[0] == '<')
		file = dwarf_decl_file(&function->die);
	function->section =
		file ? path_base(strmap_text(&unit->texts->strings, unit_path(unit, file)))
		     : unit->section;
	return function->section;
}

const char *unit_function_source(struct unit *unit, struct unit_function *function)
{
	const char *file = unit->section[0] == '<' ? dwarf_decl_file(&function->die) : NULL;

	return file ? strmap_text(&unit->texts->strings, unit_path(unit, file)) : unit->source;
}

const struct line_row *unit_row_with_line(const struct unit *unit, uint64_t address)
{
	const struct line_row *row = unit_row_at(unit, address), *known = row;

	while (known && !known->line && known > unit->rows && !known[-1].end)
		known--;
	return known && known->line ? known : row;
}
