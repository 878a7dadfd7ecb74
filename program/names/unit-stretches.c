/* SPDX-License-Identifier: Apache-2.0 */
/* Splits the instructions of one unit wherever their meaning may change. */
#include "common/compat.h"
#include "program/names/unit-names.h"
#include "common/idmap.h"
#include "common/in-order.h"
#include "common/xalloc.h"

/*
 * The calls inlined at increasing addresses: those that began and may not have
 * ended, as a heap with the innermost on top.
 */
struct sweep {
	size_t next; /* index of the function's next range; the ranges are sorted by start */
	uint32_t *heap;
	size_t count, alloc;
};

/* State of an iteration over one unit. */
struct walk_through {
	struct unit_names *names;
	/* Other addresses at which a stretch may begin, sorted, in addition to the unit's rows. */
	uint64_t *cuts;
	size_t cut_count, cut_alloc;
	const struct cobol_piece *pieces; /* none unless the unit is COBOL */
	size_t piece_count;
	/*
	 * For increasing addresses: the first row and cut not below the stretch, the first
	 * piece that ends after it.
	 */
	size_t row, cut, piece;
	struct sweep *sweeps; /* one for each function */
	struct idmap
		begun; /* file and line of rows where statements begin; empty unless optimised */
	names_stretch_callback *take;
	void *argument;
};

static void add_boundary(struct walk_through *walk, uint64_t address)
{
	GROW(walk->cuts, walk->cut_count + 1, walk->cut_alloc);
	walk->cuts[walk->cut_count++] = address;
}

static void add_range_cuts(struct walk_through *walk, const struct range_list *ranges)
{
	for (size_t i = 0; i < ranges->count; i++) {
		add_boundary(walk, ranges->items[i].start);
		add_boundary(walk, ranges->items[i].end);
	}
}

static int compare_cuts(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return a < b ? -1 : a > b;
}

/*
 * Collects all addresses other than rows where the meaning of the unit's
 * instructions may change; pieces of COBOL begin and end at rows.
 */
static void collect_cuts(struct walk_through *walk)
{
	struct unit *unit = &walk->names->unit;

	add_range_cuts(walk, &unit->function_ranges);
	for (size_t i = 0; i < unit->function_count; i++) {
		unit_load_calls(unit, &unit->functions[i]);
		add_range_cuts(walk, &unit->functions[i].call_ranges);
	}
	sort_if_needed(walk->cuts, walk->cut_count, sizeof(*walk->cuts), compare_cuts);
}

/* Advances to a stretch that begins at an address. */
static void go_to(struct walk_through *walk, uint64_t start)
{
	const struct unit *unit = &walk->names->unit;

	while (walk->row < unit->row_count && unit->rows[walk->row].address < start)
		walk->row++;
	while (walk->cut < walk->cut_count && walk->cuts[walk->cut] < start)
		walk->cut++;
	while (walk->piece < walk->piece_count && walk->pieces[walk->piece].end <= start)
		walk->piece++;
}

/*
 * Returns the end of the stretch that begins at an address: the next row or cut,
 * or the end of its part.
 */
static uint64_t end_of(const struct walk_through *walk, uint64_t start, uint64_t end)
{
	const struct unit *unit = &walk->names->unit;
	size_t row = walk->row, cut = walk->cut;

	while (row < unit->row_count && unit->rows[row].address <= start)
		row++;
	while (cut < walk->cut_count && walk->cuts[cut] <= start)
		cut++;
	if (row < unit->row_count && unit->rows[row].address < end)
		end = unit->rows[row].address;
	return cut < walk->cut_count && walk->cuts[cut] < end ? walk->cuts[cut] : end;
}

/* Returns the piece of COBOL at an address, or NULL. */
static const struct cobol_piece *piece_at(const struct walk_through *walk, uint64_t address)
{
	return walk->piece < walk->piece_count && walk->pieces[walk->piece].start <= address
		       ? &walk->pieces[walk->piece]
		       : NULL;
}

/* Returns whether the call of range a is further in than that of b, by the rule of unit_call_at. */
static bool is_inner(const struct unit_function *function, uint32_t a, uint32_t b)
{
	const struct code_range *ranges = function->call_ranges.items;
	uint32_t depth = function->calls[ranges[a].owner].depth;
	uint32_t other = function->calls[ranges[b].owner].depth;

	return depth != other ? depth > other : a < b;
}

/* Pushes a range onto the heap. */
static void sweep_push(struct sweep *sweep, const struct unit_function *function, uint32_t range)
{
	size_t at = sweep->count++;

	GROW(sweep->heap, sweep->count, sweep->alloc);
	for (; at > 0 && is_inner(function, range, sweep->heap[(at - 1) / 2]); at = (at - 1) / 2)
		sweep->heap[at] = sweep->heap[(at - 1) / 2];
	sweep->heap[at] = range;
}

/* Pops the top range off the heap. */
static void sweep_pop(struct sweep *sweep, const struct unit_function *function)
{
	uint32_t last = sweep->heap[--sweep->count];
	size_t at = 0;

	for (;;) {
		size_t child = 2 * at + 1;

		if (child + 1 < sweep->count &&
		    is_inner(function, sweep->heap[child + 1], sweep->heap[child]))
			child++;
		if (child >= sweep->count || !is_inner(function, sweep->heap[child], last))
			break;
		sweep->heap[at] = sweep->heap[child];
		at = child;
	}
	sweep->heap[at] = last;
}

/*
 * Returns the innermost call inlined at an address, NULL if there is none.
 * Addresses must increase.
 */
static struct inline_call *sweep_to(struct sweep *sweep, struct unit_function *function,
				    uint64_t address)
{
	const struct range_list *ranges = &function->call_ranges;

	while (sweep->next < ranges->count && ranges->items[sweep->next].start <= address)
		sweep_push(sweep, function, (uint32_t)sweep->next++);
	while (sweep->count && ranges->items[sweep->heap[0]].end <= address)
		sweep_pop(sweep, function);
	return sweep->count ? &function->calls[ranges->items[sweep->heap[0]].owner] : NULL;
}

static const char *text_of(const struct unit *unit, uint32_t number)
{
	return strmap_text(&unit->texts->strings, number);
}

/* Fills the only level of a piece of COBOL. */
static void take_piece(const struct walk_through *walk, const struct cobol_piece *piece,
		       struct name_stretch *stretch)
{
	const struct unit_names *names = walk->names;

	stretch->begins = piece->line && cobol_unit_begins(names->cobol, walk->row, stretch->start);
	stretch->source = cobol_unit_source(names->cobol);
	stretch->program = cobol_unit_program(names->cobol, stretch->start);
	stretch->count = 1;
	stretch->levels[0] = (struct name_level){
		.procedure = text_of(&names->unit, piece->procedure),
		.section = cobol_unit_section(names->cobol),
		.file = text_of(&names->unit, piece->file),
		.language = "COBOL",
		.line = piece->line,
	};
}

static uint64_t key_of_row(const struct line_row *row)
{
	return (uint64_t)row->file << 32 | row->line;
}

/* Collects the lines for which the compiler marks the beginning of a statement anywhere. */
static void collect_begun(struct walk_through *walk)
{
	const struct unit *unit = &walk->names->unit;

	idmap_init(&walk->begun);
	for (size_t i = 0; unit->optimised && i < unit->row_count; i++)
		if (unit->rows[i].statement && !unit->rows[i].end)
			idmap_put(&walk->begun, key_of_row(&unit->rows[i]), 1);
}

/* Returns whether a row belongs to a line without such a mark. */
static bool is_mixed(const struct walk_through *walk, const struct line_row *row)
{
	uint64_t begun;

	return walk->names->unit.optimised && row &&
	       !idmap_get(&walk->begun, key_of_row(row), &begun);
}

/*
 * Returns the last line that a row at the first address of a function begins, in
 * the file of the row told, if it is not told's line; 0: none. At other addresses
 * an optimizer may have copied the code without such rows.
 */
static uint32_t other_line_at(const struct walk_through *walk, uint64_t address,
			      const struct line_row *line_row_at)
{
	const struct unit *unit = &walk->names->unit;
	const struct code_range *function = range_list_find(&unit->function_ranges, address);
	uint32_t line = 0;

	if (!function || function->start != address)
		return 0;
	for (size_t at = walk->row; at < unit->row_count && unit->rows[at].address == address;
	     at++) {
		const struct line_row *row = &unit->rows[at];

		if (row->statement && !row->end && row->line && row->file == line_row_at->file &&
		    row->line != line_row_at->line)
			line = row->line;
	}
	return line;
}

/* Fills the levels of a function and of the calls inlined into it. */
static void take_function(struct walk_through *walk, struct unit_function *function,
			  const struct line_row *row, struct name_stretch *stretch)
{
	struct unit *unit = &walk->names->unit;
	struct inline_call *call =
		sweep_to(&walk->sweeps[function - unit->functions], function, stretch->start);
	uint32_t file = row ? row->file : 0, line = row ? row->line : 0;

	stretch->count = 0;
	do {
		stretch->levels[stretch->count++] = (struct name_level){
			.procedure = call ? unit_call_name(unit, call)
					  : unit_function_name(unit, function),
			.section = unit_function_section(unit, function),
			.file = text_of(unit, file),
			.language = unit->language,
			.line = line,
		};
		if (!call)
			return;
		file = call->file;
		line = call->line;
		call = call->parent ? &function->calls[call->parent - 1] : NULL;
	} while (stretch->count < NAMES_MAX_INLINE);
}

/*
 * Returns whether one of the rows at an address marks the beginning of a statement
 * of told's line; *block is the block of the last of these rows.
 */
static bool begins_statement(const struct walk_through *walk, uint64_t address,
			     const struct line_row *line_row_at, uint32_t *block)
{
	const struct unit *unit = &walk->names->unit;
	bool begins = false;

	*block = 0;
	for (size_t at = walk->row; at < unit->row_count && unit->rows[at].address == address;
	     at++) {
		begins |= unit->rows[at].statement && !unit->rows[at].end && unit->rows[at].line &&
			  line_row_at && unit->rows[at].line == line_row_at->line &&
			  unit->rows[at].file == line_row_at->file;
		*block = unit->rows[at].end ? 0 : unit->rows[at].block;
	}
	return begins;
}

/* Fills the meaning of the stretch from start to end; returns false if nothing is known. */
static bool fill_stretch(struct walk_through *walk, struct name_stretch *stretch)
{
	struct unit *unit = &walk->names->unit;
	const struct cobol_piece *piece = piece_at(walk, stretch->start);
	struct unit_function *function;
	const struct line_row *row;

	stretch->optimised = unit->optimised;
	stretch->doubtful = stretch->start < unit->dropped_end;
	stretch->block = 0;
	stretch->other_line = 0;
	stretch->mixed = false;
	if (piece) {
		take_piece(walk, piece, stretch);
		return true;
	}
	row = unit_row_with_line(unit, stretch->start);
	function = unit_function_at(unit, stretch->start);
	stretch->mixed = is_mixed(walk, row);
	stretch->begins = begins_statement(walk, stretch->start, row, &stretch->block);
	stretch->source = function ? unit_function_source(unit, function) : unit->source;
	stretch->program = "";
	if (function) {
		take_function(walk, function, row, stretch);
		if (row && stretch->count == 1)
			stretch->other_line = other_line_at(walk, stretch->start, row);
		return true;
	}
	if (!row)
		return false;
	stretch->count = 1;
	stretch->levels[0] = (struct name_level){ .procedure = "",
						  .section = unit->section,
						  .file = text_of(unit, row->file),
						  .language = unit->language,
						  .line = row->line };
	return true;
}

/* Passes on the stretches of one part of the unit. */
static bool take_part(struct walk_through *walk, uint64_t start, uint64_t end)
{
	struct name_stretch stretch;

	while (start < end) {
		go_to(walk, start);
		stretch.start = start;
		stretch.end = end_of(walk, start, end);
		if (fill_stretch(walk, &stretch) && !walk->take(walk->argument, &stretch))
			return false;
		start = stretch.end;
	}
	return true;
}

bool unit_names_stretches(struct unit_names *names, const struct code_range *parts, size_t count,
			  names_stretch_callback *take, void *argument)
{
	struct walk_through walk = { .names = names, .take = take, .argument = argument };
	bool more = true;

	unit_names_need(names);
	collect_cuts(&walk);
	collect_begun(&walk);
	if (names->cobol)
		walk.pieces = cobol_unit_pieces(names->cobol, &walk.piece_count);
	walk.sweeps = xcalloc(names->unit.function_count + 1, sizeof(*walk.sweeps));
	for (size_t i = 0; more && i < count; i++)
		more = take_part(&walk, parts[i].start, parts[i].end);
	for (size_t i = 0; i < names->unit.function_count; i++)
		free(walk.sweeps[i].heap);
	free(walk.sweeps);
	idmap_release(&walk.begun);
	free(walk.cuts);
	return more;
}
