/* SPDX-License-Identifier: Apache-2.0 */
/* Cuts the instructions of one unit wherever what they mean may change. */
#include "common/compat.h"
#include "program/names/unit-names.h"
#include "common/lower-bound.h"
#include "common/xalloc.h"

/* The calls inlined at an address, as addresses go up: those that began and may not have ended,
   as a heap with the innermost on top. */
struct sweep {
	size_t next; /* of the function's ranges, which are by start */
	uint32_t *heap;
	size_t count, alloc;
};

/* Going through one unit. */
struct walk_through {
	struct unit_names *names;
	uint64_t *cuts; /* addresses at which another stretch may begin, by address */
	size_t cut_count, cut_alloc;
	struct sweep *sweeps; /* one for each function */
	names_take_stretch *take;
	void *argument;
};

static void add_cut(struct walk_through *walk, uint64_t address)
{
	GROW(walk->cuts, walk->cut_count + 1, walk->cut_alloc);
	walk->cuts[walk->cut_count++] = address;
}

static void add_range_cuts(struct walk_through *walk, const struct range_list *ranges)
{
	for (size_t i = 0; i < ranges->count; i++) {
		add_cut(walk, ranges->items[i].start);
		add_cut(walk, ranges->items[i].end);
	}
}

static int compare_cuts(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return a < b ? -1 : a > b;
}

/* Find all places where the meaning of the unit's instructions may change. */
static void collect_cuts(struct walk_through *walk)
{
	struct unit *unit = &walk->names->unit;
	const struct cobol_piece *pieces = NULL;
	size_t count = 0;

	for (size_t i = 0; i < unit->row_count; i++)
		add_cut(walk, unit->rows[i].address);
	add_range_cuts(walk, &unit->function_ranges);
	for (size_t i = 0; i < unit->function_count; i++) {
		unit_load_calls(unit, &unit->functions[i]);
		add_range_cuts(walk, &unit->functions[i].call_ranges);
	}
	if (walk->names->cobol)
		pieces = cobol_unit_pieces(walk->names->cobol, &count);
	for (size_t i = 0; i < count; i++) {
		add_cut(walk, pieces[i].start);
		add_cut(walk, pieces[i].end);
	}
	if (walk->cut_count)
		qsort(walk->cuts, walk->cut_count, sizeof(*walk->cuts), compare_cuts);
}

/* Whether the call of range a is further in than that of b, as unit_call_at chooses. */
static bool is_inner(const struct unit_function *function, uint32_t a, uint32_t b)
{
	const struct code_range *ranges = function->call_ranges.items;
	uint32_t depth = function->calls[ranges[a].owner].depth;
	uint32_t other = function->calls[ranges[b].owner].depth;

	return depth != other ? depth > other : a < b;
}

/* Put a range into the heap. */
static void sweep_push(struct sweep *sweep, const struct unit_function *function, uint32_t range)
{
	size_t at = sweep->count++;

	GROW(sweep->heap, sweep->count, sweep->alloc);
	for (; at > 0 && is_inner(function, range, sweep->heap[(at - 1) / 2]); at = (at - 1) / 2)
		sweep->heap[at] = sweep->heap[(at - 1) / 2];
	sweep->heap[at] = range;
}

/* Take the range on top out of the heap. */
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

/* The innermost call inlined at an address, NULL when none is. Addresses must go up. */
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

/* Fill the one level of a piece of COBOL. */
static void take_piece(const struct unit_names *names, const struct cobol_piece *piece,
		       struct name_stretch *stretch)
{
	stretch->begins = piece->start == stretch->start;
	stretch->count = 1;
	stretch->levels[0] = (struct name_level){
		.procedure = text_of(&names->unit, piece->procedure),
		.section = cobol_unit_section(names->cobol),
		.file = text_of(&names->unit, piece->file),
		.language = "COBOL",
		.line = piece->line,
	};
}

/* Fill the levels of a function and of the calls inlined into it. */
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

/* Whether one of the rows at an address says that a statement begins there. */
static bool begins_statement(const struct unit *unit, uint64_t address)
{
	size_t at = LOWER_BOUND(unit->row_count, i, unit->rows[i].address < address);

	for (; at < unit->row_count && unit->rows[at].address == address; at++)
		if (unit->rows[at].statement && !unit->rows[at].end && unit->rows[at].line)
			return true;
	return false;
}

/* Say what the stretch from start to end means; false when nothing is known. */
static bool fill_stretch(struct walk_through *walk, struct name_stretch *stretch)
{
	struct unit *unit = &walk->names->unit;
	const struct cobol_piece *piece =
		walk->names->cobol ? cobol_unit_piece_at(walk->names->cobol, stretch->start) : NULL;
	struct unit_function *function;
	const struct line_row *row;

	if (piece) {
		take_piece(walk->names, piece, stretch);
		return true;
	}
	row = unit_row_with_line(unit, stretch->start);
	function = unit_function_at(unit, stretch->start);
	stretch->begins = begins_statement(unit, stretch->start);
	if (function) {
		take_function(walk, function, row, stretch);
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

/* Give the stretches of one part of the unit. */
static bool take_part(struct walk_through *walk, uint64_t start, uint64_t end)
{
	size_t at = LOWER_BOUND(walk->cut_count, i, walk->cuts[i] <= start);
	struct name_stretch stretch;

	while (start < end) {
		while (at < walk->cut_count && walk->cuts[at] <= start)
			at++;
		stretch.start = start;
		stretch.end = at < walk->cut_count && walk->cuts[at] < end ? walk->cuts[at] : end;
		if (fill_stretch(walk, &stretch) && !walk->take(walk->argument, &stretch))
			return false;
		start = stretch.end;
	}
	return true;
}

bool unit_names_stretches(struct unit_names *names, const struct code_range *parts, size_t count,
			  names_take_stretch *take, void *argument)
{
	struct walk_through walk = { .names = names, .take = take, .argument = argument };
	bool more = true;

	unit_names_need(names);
	collect_cuts(&walk);
	walk.sweeps = xcalloc(names->unit.function_count + 1, sizeof(*walk.sweeps));
	for (size_t i = 0; more && i < count; i++)
		more = take_part(&walk, parts[i].start, parts[i].end);
	for (size_t i = 0; i < names->unit.function_count; i++)
		free(walk.sweeps[i].heap);
	free(walk.sweeps);
	free(walk.cuts);
	return more;
}
