/* SPDX-License-Identifier: Apache-2.0 */
/* Finds COBOL statements and paragraphs in the DWARF information of GnuCOBOL's C code. */
#include "common/compat.h"
#include "program/names/gnucobol.h"
#include "common/cobol-scan.h"
#include "program/names/names-cobol.h"
#include "program/names/names-unit.h"
#include "program/names/unit-language.h"
#include "common/idmap.h"
#include "common/in-order.h"
#include "common/path.h"
#include "common/lower-bound.h"
#include "common/xalloc.h"

#include <ctype.h>
#include <dwarf.h>

/* A COBOL statement begins at a line of the C file. */
struct statement {
	uint32_t c_line;
	uint32_t file, line; /* in the COBOL source */
};

/* A C function of the unit, which identifies a program. */
struct program_function {
	uint32_t name;	  /* name number of the program */
	uint32_t c_first; /* C line after which the procedure division begins; 0: it has none */
	uint32_t c_last;  /* C line before which it ends */
};

/* A section or paragraph known from a label. */
struct label {
	uint32_t file, line, name;
	uint32_t number; /* number of the label l_number that the C code jumps to, 0: none */
};

/*
 * Minimum distance, in lines of the C file, of the first line of a statement from
 * the line before it that has code.
 */
#define STATEMENT_HEAD 5

struct cobol_unit {
	struct unit *unit;
	uint32_t c_file;
	uint32_t source;
	const char *section;
	struct statement *statements;
	size_t statement_count, statement_alloc;
	struct program_function *functions; /* parallel to the unit's functions */
	struct label *labels;
	size_t label_count, label_alloc;
	bool has_paragraphs; /* some labels are paragraphs */
	bool optimized;
	struct cobol_piece *pieces; /* by address */
	size_t piece_count, piece_alloc;
	struct cobol_program *program;
	struct idmap starts, sizes; /* by procedure name */
	struct idmap targets;	    /* C lines of the labels l_number */
	struct idmap headings;	    /* file and line of each label, as in key_of_line */
};

static const char *text_of(const struct cobol_unit *cobol, uint32_t number)
{
	return strmap_text(&cobol->unit->texts->strings, number);
}

/* Returns whether a path has this ending. */
static bool ends_with(const char *path, const char *ending)
{
	size_t length = strlen(path), ending_length = strlen(ending);

	return length >= ending_length && !strcmp(path + length - ending_length, ending);
}

/*
 * Returns whether a file of the unit is COBOL: not one of the C files that
 * GnuCOBOL writes or includes.
 */
static bool is_source(const struct cobol_unit *cobol, uint32_t file)
{
	const char *path = text_of(cobol, file);
	size_t length = strlen(path);

	return length > 0 && !(length > 1 && path[length - 2] == '.' &&
			       (path[length - 1] == 'c' || path[length - 1] == 'h'));
}

/* Returns the number of a program's or label's name. */
static uint32_t name_number(struct cobol_unit *cobol, const char *function)
{
	struct strbuf name = STRBUF_INIT;
	uint32_t number;

	cobol_scan_program_name(function, &name);
	number = strmap_put(&cobol->unit->texts->strings, name.text);
	strbuf_release(&name);
	return number;
}

/* Takes the value of the macro COB_SOURCE_FILE if this is its definition. */
static int take_macro(Dwarf_Macro *macro, void *argument)
{
	static const char name[] = "COB_SOURCE_FILE \"";
	struct strbuf *source = argument;
	Dwarf_Attribute parameter;
	const char *text;
	unsigned opcode;

	if (dwarf_macro_opcode(macro, &opcode) ||
	    (opcode != DW_MACRO_define && opcode != DW_MACRO_define_strp &&
	     opcode != DW_MACRO_define_strx) ||
	    dwarf_macro_param(macro, 1, &parameter) || !(text = dwarf_formstring(&parameter)) ||
	    strncmp(text, name, sizeof(name) - 1))
		return DWARF_CB_OK;
	text += sizeof(name) - 1;
	strbuf_add(source, text, strcspn(text, "\""));
	return DWARF_CB_ABORT;
}

/* Returns the source named by a macro: cobc passes -ggdb3 to the C compiler even without -g. */
static uint32_t source_of_macro(struct cobol_unit *cobol)
{
	struct strbuf source = STRBUF_INIT;
	uint32_t number = 0;

	dwarf_getmacros(&cobol->unit->die, take_macro, &source, DWARF_GETMACROS_START);
	if (source.length)
		number = unit_path(cobol->unit, source.text);
	strbuf_release(&source);
	return number;
}

/*
 * Returns whether the unit includes the files that cobc writes next to PROGRAM.c:
 * PROGRAM.c.h, PROGRAM.c.l.h.
 */
static bool has_cobc_files(struct cobol_unit *cobol, const char *stem)
{
	Dwarf_Files *files = cobol->unit->source_files;
	bool beside = false, run_time = false;
	const char *path;

	/*
	 * Other programs have a PROGRAM.c.h too (CPython's modules do), but not the
	 * headers of the run-time library.
	 */
	for (size_t i = 0; files && (path = dwarf_filesrc(files, i, NULL, NULL)); i++) {
		const char *base = path_base(path);

		run_time |= strcmp(base, "libcob.h") == 0 || ends_with(path, "libcob/common.h");
		beside |= !strncmp(base, stem, strlen(stem)) &&
			  (ends_with(base, ".c.l.h") || ends_with(base, ".c.h"));
	}
	return beside && run_time;
}

/*
 * Returns the COBOL source among the files of the line table: the one named like
 * the C file, or the first.
 */
static uint32_t source_of_rows(const struct cobol_unit *cobol, const char *stem)
{
	const struct unit *unit = cobol->unit;
	uint32_t first = 0;

	for (size_t i = 0; i < unit->file_count; i++) {
		if (!is_source(cobol, unit->files[i]))
			continue;
		if (!strncmp(path_base(text_of(cobol, unit->files[i])), stem, strlen(stem) - 1))
			return unit->files[i];
		if (!first)
			first = unit->files[i];
	}
	return first;
}

/* Finds the C file and the COBOL source; returns false if the unit is not COBOL. */
static bool find_files(struct cobol_unit *cobol)
{
	const char *name = dwarf_diename(&cobol->unit->die), *stem;
	bool cobc;

	cobol->c_file = unit_path(cobol->unit, name ? name : "");
	stem = path_base(text_of(cobol, cobol->c_file));
	if (!ends_with(stem, ".c"))
		return false;
	cobc = has_cobc_files(cobol, stem);
	cobol->source = source_of_rows(cobol, stem);
	if (cobc && !cobol->source)
		cobol->source = source_of_macro(cobol);
	if (cobc && !cobol->source)
		cobol->source = cobol->c_file;
	return cobol->source && (cobc || language_is_cobol(text_of(cobol, cobol->source)));
}

/* Returns whether a path of the line table is the unit's C file, whatever its spelling. */
static bool is_c_file(const struct cobol_unit *cobol, uint32_t file)
{
	return file == cobol->c_file ||
	       !strcmp(path_base(text_of(cobol, file)), path_base(text_of(cobol, cobol->c_file)));
}

static int compare_statements(const void *left, const void *right)
{
	const struct statement *a = left, *b = right;

	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	if (a->c_line != b->c_line)
		return a->c_line < b->c_line ? -1 : 1;
	return a->line < b->line ? -1 : a->line > b->line;
}

static int compare_c_lines(const void *left, const void *right)
{
	const struct statement *a = left, *b = right;

	if (a->c_line != b->c_line)
		return a->c_line < b->c_line ? -1 : 1;
	return a->line < b->line ? -1 : a->line > b->line;
}

static uint64_t key_of_line(uint32_t file, uint32_t line)
{
	return (uint64_t)file << 32 | line;
}

/* Returns whether a line is a heading that has a label: an optimizer leaves no code for it. */
static bool is_heading(const struct cobol_unit *cobol, uint32_t file, uint32_t line)
{
	uint64_t label;

	return idmap_get(&cobol->headings, key_of_line(file, line), &label);
}

/* Returns the outermost call inlined at an address, or NULL. */
static const struct inline_call *outermost_call(struct unit *unit, struct unit_function *function,
						uint64_t address)
{
	const struct inline_call *call = unit_call_at(unit, function, address);

	while (call && call->parent)
		call = &function->calls[call->parent - 1];
	return call;
}

/* Returns the line of the C file that a row belongs to, seen through inlined calls; 0 if none. */
static uint32_t c_line_of(const struct cobol_unit *cobol, const struct line_row *row)
{
	const struct inline_call *call;
	struct unit_function *function;

	if (row->end || is_source(cobol, row->file))
		return 0;
	if (is_c_file(cobol, row->file))
		return row->line;
	function = unit_function_at(cobol->unit, row->address);
	call = function ? outermost_call(cobol->unit, function, row->address) : NULL;
	return call && is_c_file(cobol, call->file) ? call->line : 0;
}

/*
 * Returns the C line at which the statement of a COBOL row begins, 0 if the row
 * after it does not show it. cobc stores the statement's number in the line before
 * #line, so that line is four or five lines before the first one after it; no
 * other code is.
 */
static uint32_t first_c_line(const struct cobol_unit *cobol, const struct line_row *row)
{
	uint32_t next = c_line_of(cobol, row + 1);
	const struct line_row *note = row - 1;

	if (next && row > cobol->unit->rows && !note->end && is_c_file(cobol, note->file) &&
	    next > note->line && next - note->line >= 4 && next - note->line <= 5)
		return note->line;
	return next;
}

/* Collects each position where the line table changes from a COBOL line to a C line. */
static void collect_statements(struct cobol_unit *cobol)
{
	const struct unit *unit = cobol->unit;

	for (size_t i = 0; i + 1 < unit->row_count; i++) {
		const struct line_row *row = &unit->rows[i];
		uint32_t c_line;

		if (row->end || !row->line || !is_source(cobol, row->file) ||
		    (cobol->optimized && is_heading(cobol, row->file, row->line)) ||
		    !(c_line = first_c_line(cobol, row)))
			continue;
		GROW(cobol->statements, cobol->statement_count + 1, cobol->statement_alloc);
		cobol->statements[cobol->statement_count++] = (struct statement){
			.c_line = c_line, .file = row->file, .line = row->line
		};
	}
}

/*
 * Keeps, of the statements of one file, sorted by C line, the longest increasing
 * sequence of COBOL lines. last[k] is the statement that ends the best sequence of
 * length k + 1; before[] links each to its predecessor.
 */
static size_t keep_rising(struct statement *statements, size_t count)
{
	size_t *last = xcalloc(count, sizeof(*last)), *before = xcalloc(count, sizeof(*before));
	size_t length = 0, kept;
	struct statement *rising;

	for (size_t i = 0; i < count; i++) {
		size_t low =
			LOWER_BOUND(length, at, statements[last[at]].line < statements[i].line);

		if (low < length && statements[last[low]].line == statements[i].line)
			continue;
		before[i] = low ? last[low - 1] : SIZE_MAX;
		last[low] = i;
		if (low == length)
			length++;
	}
	rising = xcalloc(length + 1, sizeof(*rising));
	kept = length;
	for (size_t i = length ? last[length - 1] : SIZE_MAX; i != SIZE_MAX; i = before[i])
		rising[--kept] = statements[i];
	memcpy(statements, rising, length * sizeof(*statements));
	free(rising);
	free(last);
	free(before);
	return length;
}

/* Returns whether the compiler may have moved code, from the options it recorded. */
static bool is_optimized(const struct cobol_unit *cobol)
{
	Dwarf_Attribute attribute;
	const char *producer = dwarf_formstring(
		dwarf_attr_integrate(&cobol->unit->die, DW_AT_producer, &attribute));
	const char *option = producer ? strstr(producer, " -O") : NULL;

	/* Only GCC records its options. */
	return !producer || strncmp(producer, "GNU ", 4) != 0 || (option && option[3] != '0');
}

/* Drops statements that an optimizer has moved. */
static void drop_moved(struct cobol_unit *cobol)
{
	size_t kept = 0, from = 0;

	while (from < cobol->statement_count) {
		size_t to = from, rising;

		while (to < cobol->statement_count &&
		       cobol->statements[to].file == cobol->statements[from].file)
			to++;
		rising = keep_rising(cobol->statements + from, to - from);
		memmove(cobol->statements + kept, cobol->statements + from,
			rising * sizeof(*cobol->statements));
		kept += rising;
		from = to;
	}
	cobol->statement_count = kept;
}

/* Adds the paragraphs that are performed: they begin where the C code jumps to. */
static void add_headings(struct cobol_unit *cobol)
{
	for (size_t i = 0; i < cobol->label_count; i++) {
		const struct label *label = &cobol->labels[i];
		uint64_t c_line;

		if (!label->number || !idmap_get(&cobol->targets, label->number, &c_line))
			continue;
		GROW(cobol->statements, cobol->statement_count + 1, cobol->statement_alloc);
		cobol->statements[cobol->statement_count++] = (struct statement){
			.c_line = (uint32_t)c_line, .file = label->file, .line = label->line
		};
	}
}

/* Lines that have code: of the C file, or of a COBOL file. */
struct lines {
	uint32_t *lines;
	size_t count, alloc;
};

static int compare_lines(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	return a < b ? -1 : a > b;
}

/* Collects the lines of a file (0: the C file), sorted, each once. */
static void collect_lines(const struct cobol_unit *cobol, uint32_t file, struct lines *lines)
{
	size_t kept = 0;

	for (size_t i = 0; i < cobol->unit->row_count; i++) {
		const struct line_row *row = &cobol->unit->rows[i];
		bool own = !row->end && row->file == file;
		uint32_t line = file ? (own ? row->line : 0) : c_line_of(cobol, row);

		if (!line || (file && is_heading(cobol, file, line)))
			continue;
		GROW(lines->lines, lines->count + 1, lines->alloc);
		lines->lines[lines->count++] = line;
	}
	sort_if_needed(lines->lines, lines->count, sizeof(*lines->lines), compare_lines);
	for (size_t i = 0; i < lines->count; i++)
		if (!kept || lines->lines[i] != lines->lines[kept - 1])
			lines->lines[kept++] = lines->lines[i];
	lines->count = kept;
}

/* Returns the index of the first line after a line. */
static size_t first_behind(const struct lines *lines, uint32_t line)
{
	return LOWER_BOUND(lines->count, at, lines->lines[at] <= line);
}

/*
 * Returns whether cobc may have begun a statement at a C line: after lines that
 * only its comment and #line fill.
 */
static bool is_start(const struct lines *c_lines, size_t index)
{
	return index > 0 && index < c_lines->count &&
	       c_lines->lines[index] - c_lines->lines[index - 1] >= STATEMENT_HEAD;
}

static bool has_line(const struct lines *lines, uint32_t line)
{
	size_t index = first_behind(lines, line - 1);

	return index < lines->count && lines->lines[index] == line;
}

/*
 * Adds the statements at which the code goes back to a line before the last one:
 * those of found (the list before non-increasing lines were dropped) at whose C
 * line a statement may begin. Adds their C lines to steps.
 */
static void add_steps(struct cobol_unit *cobol, const struct statement *found, size_t found_count,
		      const struct lines *c_lines, struct lines *steps)
{
	size_t count = cobol->statement_count, last = 0;

	for (size_t i = 0; i < found_count; i++) {
		uint32_t c_line = found[i].c_line;

		while (last + 1 < count &&
		       compare_statements(&cobol->statements[last + 1], &found[i]) <= 0)
			last++;
		if (!count || cobol->statements[last].file != found[i].file ||
		    cobol->statements[last].c_line >= c_line ||
		    cobol->statements[last].line <= found[i].line ||
		    !is_start(c_lines, first_behind(c_lines, c_line - 1)))
			continue;
		GROW(cobol->statements, cobol->statement_count + 1, cobol->statement_alloc);
		cobol->statements[cobol->statement_count++] = found[i];
		GROW(steps->lines, steps->count + 1, steps->alloc);
		steps->lines[steps->count++] = c_line;
	}
	sort_if_needed(steps->lines, steps->count, sizeof(*steps->lines), compare_lines);
}

/*
 * Finds where, between two statements, others may begin in the C file. If there
 * are more such lines than COBOL lines only the first are taken: the end of a
 * paragraph has code to return from it.
 */
static size_t find_starts(const struct lines *c_lines, const struct lines *steps,
			  const struct statement *statement, uint32_t *starts, size_t max)
{
	size_t count = 0;

	for (size_t i = first_behind(c_lines, statement->c_line);
	     i < c_lines->count && c_lines->lines[i] < statement[1].c_line; i++) {
		if (!is_start(c_lines, i) || has_line(steps, c_lines->lines[i]))
			continue;
		RETURN_IF(count == max, count);
		starts[count++] = c_lines->lines[i];
	}
	return count;
}

/* Adds the statements between two others, if there are starts for all COBOL lines. */
static void fill_gap(struct cobol_unit *cobol, size_t index, const struct lines *c_lines,
		     const struct lines *steps, const struct lines *lines)
{
	const struct statement *statement = &cobol->statements[index];
	size_t from = first_behind(lines, statement->line), to = from, count;
	uint32_t file = statement->file, *starts;

	while (to < lines->count && lines->lines[to] < statement[1].line)
		to++;
	starts = xcalloc(to - from + 1, sizeof(*starts));
	count = find_starts(c_lines, steps, statement, starts, to - from);
	for (size_t i = 0; i < count && count == to - from; i++) {
		GROW(cobol->statements, cobol->statement_count + 1, cobol->statement_alloc);
		cobol->statements[cobol->statement_count++] = (struct statement){
			.c_line = starts[i], .file = file, .line = lines->lines[from + i]
		};
	}
	free(starts);
}

/* Finds statements whose beginning an optimizer has moved away from the rest. */
static void fill_gaps(struct cobol_unit *cobol, const struct statement *found, size_t found_count)
{
	size_t count = cobol->statement_count;
	struct lines c_lines = { 0 }, lines = { 0 }, steps = { 0 };

	collect_lines(cobol, 0, &c_lines);
	add_steps(cobol, found, found_count, &c_lines, &steps);
	for (size_t i = 0; i + 1 < count; i++) {
		uint32_t file = cobol->statements[i].file;

		if (i == 0 || cobol->statements[i - 1].file != file) {
			lines.count = 0;
			collect_lines(cobol, file, &lines);
		}
		if (cobol->statements[i + 1].file == file)
			fill_gap(cobol, i, &c_lines, &steps, &lines);
	}
	free(c_lines.lines);
	free(lines.lines);
	free(steps.lines);
}

/*
 * Finds the statements of an optimized unit. GnuCOBOL 3.2 and later, which have
 * labels of paragraphs, do not mark in the rows where each begins.
 */
static void repair_optimized(struct cobol_unit *cobol)
{
	struct statement *found;
	size_t count;

	if (cobol->has_paragraphs)
		add_headings(cobol);
	count = cobol->statement_count;
	if (!count)
		return;
	sort_if_needed(cobol->statements, count, sizeof(*cobol->statements), compare_statements);
	found = xcalloc(count, sizeof(*found));
	memcpy(found, cobol->statements, count * sizeof(*found));
	drop_moved(cobol);
	if (cobol->has_paragraphs)
		fill_gaps(cobol, found, count);
	free(found);
}

/* Builds the map from C lines to COBOL lines. */
static void load_statements(struct cobol_unit *cobol)
{
	collect_statements(cobol);
	if (cobol->optimized)
		repair_optimized(cobol);
	sort_if_needed(cobol->statements, cobol->statement_count, sizeof(*cobol->statements),
		       compare_c_lines);
}

/* Extracts the name from a label: SECTION_name, PARAGRAPH_name_l_number. */
static void read_heading(struct cobol_unit *cobol, const char *text, struct label *label)
{
	struct strbuf name = STRBUF_INIT;
	char *end;

	strbuf_addstr(&name, strchr(text, '_') + 1);
	end = name.text + strlen(name.text);
	while (end > name.text && isdigit((unsigned char)end[-1]))
		end--;
	if (*end && end - name.text > 3 && !strncmp(end - 3, "_l_", 3)) {
		label->number = (uint32_t)strtoul(end, NULL, 10);
		end[-3] = '\0';
	}
	label->name = name_number(cobol, name.text);
	strbuf_release(&name);
}

/* Numbers the section of the last label: the paragraph after it has the next number. */
static void number_section(struct cobol_unit *cobol, uint32_t paragraph)
{
	struct label *last = cobol->label_count ? &cobol->labels[cobol->label_count - 1] : NULL;

	if (last && !last->number)
		last->number = paragraph - 1;
}

/* Takes a label of a function: a bound of its procedure division, or a heading. */
static void take_label(struct cobol_unit *cobol, struct program_function *function, Dwarf_Die *die)
{
	const char *name = dwarf_diename(die), *file = dwarf_decl_file(die);
	int line = 0;

	if (!name || !file || dwarf_decl_line(die, &line) || line <= 0)
		return;
	if (!strcmp(name, "P_ret_initialize")) {
		function->c_first = (uint32_t)line;
	} else if (!strcmp(name, "P_cgerror") || !strcmp(name, "l_1")) {
		if (!function->c_last || (uint32_t)line < function->c_last)
			function->c_last = (uint32_t)line;
	} else if (!strncmp(name, "l_", 2)) {
		idmap_put(&cobol->targets, strtoul(name + 2, NULL, 10), (uint64_t)line);
	} else if (!strncmp(name, "SECTION_", 8) || !strncmp(name, "PARAGRAPH_", 10)) {
		struct label label = { .file = unit_path(cobol->unit, file),
				       .line = (uint32_t)line };

		read_heading(cobol, name, &label);
		if (label.number)
			number_section(cobol, label.number);
		cobol->has_paragraphs |= name[0] == 'P';
		GROW(cobol->labels, cobol->label_count + 1, cobol->label_alloc);
		idmap_put(&cobol->headings, key_of_line(label.file, label.line),
			  cobol->label_count);
		cobol->labels[cobol->label_count++] = label;
	}
}

/* Reads the labels of each function. */
static void load_functions(struct cobol_unit *cobol)
{
	struct unit *unit = cobol->unit;

	cobol->functions = xcalloc(unit->function_count + 1, sizeof(*cobol->functions));
	for (size_t i = 0; i < unit->function_count; i++) {
		const char *name = dwarf_diename(&unit->functions[i].die);
		Dwarf_Off last = 0;
		Dwarf_Die die;

		cobol->functions[i].name = name_number(cobol, name ? name : "");
		if (dwarf_child(&unit->functions[i].die, &die))
			continue;
		do {
			if (dwarf_dieoffset(&die) <= last)
				break;
			last = dwarf_dieoffset(&die);
			if (dwarf_tag(&die) == DW_TAG_label)
				take_label(cobol, &cobol->functions[i], &die);
		} while (!dwarf_siblingof(&die, &die));
	}
}

/*
 * Returns the statement that a line of the C file belongs to; NULL for a program's
 * internal code.
 */
static const struct statement *statement_of(const struct cobol_unit *cobol,
					    const struct program_function *function,
					    uint32_t c_line)
{
	size_t behind;

	if (!function->c_last || c_line <= function->c_first || c_line >= function->c_last)
		return NULL;
	behind = LOWER_BOUND(cobol->statement_count, at, cobol->statements[at].c_line <= c_line);
	return behind && cobol->statements[behind - 1].c_line > function->c_first
		       ? &cobol->statements[behind - 1]
		       : NULL;
}

/* Finds file and line of the COBOL statement that a line belongs to. */
static void place_of(const struct cobol_unit *cobol, const struct program_function *function,
		     uint32_t file, uint32_t line, struct cobol_piece *piece)
{
	const struct statement *statement;

	piece->file = piece->line = 0;
	if (is_source(cobol, file)) {
		piece->file = file;
		piece->line = line;
	} else if (is_c_file(cobol, file) && (statement = statement_of(cobol, function, line))) {
		piece->file = statement->file;
		piece->line = statement->line;
	}
}

/* Returns the name in the last label at or before a line, or 0. */
static uint32_t label_of(const struct cobol_unit *cobol, uint32_t file, uint32_t line)
{
	const struct label *best = NULL;

	for (size_t i = 0; i < cobol->label_count; i++) {
		const struct label *label = &cobol->labels[i];

		if (label->file == file && label->line <= line &&
		    (!best || label->line >= best->line))
			best = label;
	}
	return best ? best->name : 0;
}

/* Names the procedure of a piece: by the source, by labels, or by the program. */
static void name_piece(struct cobol_unit *cobol, const struct program_function *function,
		       struct cobol_piece *piece)
{
	struct strbuf name = STRBUF_INIT;

	piece->procedure = 0;
	if (piece->line && cobol->program &&
	    cobol_program_procedure(cobol->program, text_of(cobol, piece->file), piece->line,
				    &name))
		piece->procedure = strmap_put(&cobol->unit->texts->strings, name.text);
	else if (piece->line && !cobol->program)
		piece->procedure = label_of(cobol, piece->file, piece->line);
	if (!piece->procedure)
		piece->procedure = function->name;
	strbuf_release(&name);
}

/* Adds a piece, or extends the last one if it is of the same statement. */
static void add_piece(struct cobol_unit *cobol, const struct program_function *function,
		      struct cobol_piece *piece)
{
	struct cobol_piece *last =
		cobol->piece_count ? &cobol->pieces[cobol->piece_count - 1] : NULL;

	if (last && last->end == piece->start && piece->line && last->file == piece->file &&
	    last->line == piece->line) {
		last->end = piece->end;
		return;
	}
	name_piece(cobol, function, piece);
	if (!piece->line)
		piece->file = cobol->source;
	GROW(cobol->pieces, cobol->piece_count + 1, cobol->piece_alloc);
	cobol->pieces[cobol->piece_count++] = *piece;
}

/* Splits the unit's instructions into pieces of one statement each. */
static void load_pieces(struct cobol_unit *cobol)
{
	struct unit *unit = cobol->unit;

	for (size_t i = 0; i + 1 < unit->row_count; i++) {
		const struct line_row *row = &unit->rows[i];
		struct cobol_piece piece = { .start = row->address, .end = row[1].address };
		const struct inline_call *call;
		struct unit_function *function;
		size_t index;

		if (row->end || piece.start >= piece.end ||
		    !(function = unit_function_at(unit, row->address)))
			continue;
		index = (size_t)(function - unit->functions);
		place_of(cobol, &cobol->functions[index], row->file, row->line, &piece);
		if (!piece.line && (call = outermost_call(unit, function, row->address)))
			place_of(cobol, &cobol->functions[index], call->file, call->line, &piece);
		add_piece(cobol, &cobol->functions[index], &piece);
	}
}

/* Calculates the start and the size in bytes of each procedure. */
static void measure_procedures(struct cobol_unit *cobol)
{
	idmap_init(&cobol->starts);
	idmap_init(&cobol->sizes);
	for (size_t i = 0; i < cobol->piece_count; i++) {
		const struct cobol_piece *piece = &cobol->pieces[i];
		uint64_t start, size = 0;

		if (!idmap_get(&cobol->starts, piece->procedure, &start) || piece->start < start)
			idmap_put(&cobol->starts, piece->procedure, piece->start);
		idmap_get(&cobol->sizes, piece->procedure, &size);
		idmap_put(&cobol->sizes, piece->procedure, size + piece->end - piece->start);
	}
}

/* Reads the headings of the source. */
static void load_source(struct cobol_unit *cobol)
{
	const struct unit *unit = cobol->unit;
	const char **copybooks;
	size_t count = 0;

	if (!cobol->statement_count) {
		name_texts_remark(unit->texts,
			    "%s was compiled without cobc -g: its paragraphs and statements are "
			    "unknown",
			    cobol->section);
		return;
	}
	copybooks = xcalloc(unit->file_count + 1, sizeof(*copybooks));
	for (size_t i = 0; i < unit->file_count; i++)
		if (is_source(cobol, unit->files[i]))
			copybooks[count++] = text_of(cobol, unit->files[i]);
	cobol->program = cobol_program_new(&unit->texts->sources, text_of(cobol, cobol->source),
					   copybooks, count);
	free(copybooks);
	if (!cobol->program)
		name_texts_remark(unit->texts, "%s cannot be read: its %s", text_of(cobol, cobol->source),
			    cobol->has_paragraphs ? "statements have no text"
						  : "paragraphs have no names");
}

struct cobol_unit *cobol_unit_new(struct unit *unit)
{
	struct cobol_unit *cobol = xcalloc(1, sizeof(*cobol));

	cobol->unit = unit;
	if (!find_files(cobol)) {
		free(cobol);
		return NULL;
	}
	cobol->section = path_base(text_of(cobol, cobol->source));
	cobol->optimized = is_optimized(cobol);
	idmap_init(&cobol->targets);
	idmap_init(&cobol->headings);
	load_functions(cobol);
	load_statements(cobol);
	load_source(cobol);
	load_pieces(cobol);
	measure_procedures(cobol);
	return cobol;
}

void cobol_unit_free(struct cobol_unit *cobol)
{
	if (!cobol)
		return;
	free(cobol->statements);
	free(cobol->functions);
	free(cobol->labels);
	free(cobol->pieces);
	cobol_program_free(cobol->program);
	idmap_release(&cobol->starts);
	idmap_release(&cobol->sizes);
	idmap_release(&cobol->targets);
	idmap_release(&cobol->headings);
	free(cobol);
}

const struct cobol_piece *cobol_unit_pieces(const struct cobol_unit *cobol, size_t *count)
{
	*count = cobol->piece_count;
	return cobol->pieces;
}

/* Returns the piece that contains an address, or NULL. */
static const struct cobol_piece *find_piece(const struct cobol_unit *cobol, uint64_t address)
{
	size_t behind = LOWER_BOUND(cobol->piece_count, at, cobol->pieces[at].start <= address);

	return behind && address < cobol->pieces[behind - 1].end ? &cobol->pieces[behind - 1]
								 : NULL;
}

const char *cobol_unit_program(const struct cobol_unit *cobol, uint64_t address)
{
	const struct unit_function *at = unit_function_at(cobol->unit, address);
	const struct program_function *function =
		at ? &cobol->functions[at - cobol->unit->functions] : NULL;

	/*
	 * Code that an optimizer has moved elsewhere belongs to the only program, or to
	 * the first one.
	 */
	for (size_t i = 0; (!function || !function->c_last) && i < cobol->unit->function_count; i++)
		function = cobol->functions[i].c_last ? &cobol->functions[i] : function;
	return function ? text_of(cobol, function->name) : "";
}

bool cobol_unit_begins(const struct cobol_unit *cobol, size_t row, uint64_t address)
{
	const struct unit *unit = cobol->unit;

	for (size_t at = row; at < unit->row_count && unit->rows[at].address == address; at++)
		if (unit->rows[at].line && !unit->rows[at].end &&
		    is_source(cobol, unit->rows[at].file))
			return true;
	return false;
}

const char *cobol_unit_source(const struct cobol_unit *cobol)
{
	return text_of(cobol, cobol->source);
}

const char *cobol_unit_section(const struct cobol_unit *cobol)
{
	return cobol->section;
}

bool cobol_unit_resolve(const struct cobol_unit *cobol, uint64_t address, struct name *level)
{
	const struct cobol_piece *piece = find_piece(cobol, address);

	if (!piece)
		return false;
	memset(level, 0, sizeof(*level));
	level->procedure = text_of(cobol, piece->procedure);
	level->section = cobol->section;
	level->language = "COBOL";
	unit_place(cobol->unit, piece->file, piece->line, level);
	idmap_get(&cobol->starts, piece->procedure, &level->start);
	idmap_get(&cobol->sizes, piece->procedure, &level->size);
	return true;
}
