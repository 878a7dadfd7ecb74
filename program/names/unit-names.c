/* SPDX-License-Identifier: Apache-2.0 */
/* Resolves addresses of one compilation unit. */
#include "common/compat.h"
#include "program/names/unit-names.h"
#include "common/lower-bound.h"

void unit_names_init(struct unit_names *names, const Dwarf_Die *die, const Dwarf_Die *head,
		     struct name_texts *texts)
{
	unit_init(&names->unit, die, head, texts);
	names->cobol = NULL;
}

void unit_names_release(struct unit_names *names)
{
	unit_release(&names->unit);
	cobol_unit_free(names->cobol);
}

void unit_names_need(struct unit_names *names)
{
	if (names->unit.loaded)
		return;
	unit_load(&names->unit);
	names->cobol = cobol_unit_new(&names->unit);
}

/* Fills one level for each call inlined at address and one for the function. */
static size_t resolve_function(struct unit *unit, struct unit_function *function, uint64_t address,
			       struct name levels[NAMES_MAX_INLINE])
{
	const struct inline_call *innermost = unit_call_at(unit, function, address);
	struct inline_call *call = innermost ? &function->calls[innermost - function->calls] : NULL;
	const struct line_row *row = unit_row_with_line(unit, address);
	uint32_t file = row ? row->file : 0, line = row ? row->line : 0;
	size_t count = 0;

	for (;;) {
		struct name *level = &levels[count++];

		memset(level, 0, sizeof(*level));
		level->procedure =
			call ? unit_call_name(unit, call) : unit_function_name(unit, function);
		level->section = unit_function_section(unit, function);
		level->language = unit->language;
		unit_place(unit, file, line, level);
		range_list_extent(call ? &function->call_ranges : &unit->function_ranges,
				  call ? (uint32_t)(call - function->calls)
				       : (uint32_t)(function - unit->functions),
				  &level->start, &level->size);
		if (!call || count == NAMES_MAX_INLINE)
			return count;
		file = call->file;
		line = call->line;
		call = call->parent ? &function->calls[call->parent - 1] : NULL;
	}
}

size_t unit_names_resolve(struct unit_names *names, uint64_t address,
			  struct name levels[NAMES_MAX_INLINE])
{
	struct unit *unit = &names->unit;
	struct unit_function *function;
	const struct line_row *row;

	unit_names_need(names);
	if (names->cobol && cobol_unit_resolve(names->cobol, address, &levels[0]))
		return 1;
	function = unit_function_at(unit, address);
	if (function)
		return resolve_function(unit, function, address, levels);
	row = unit_row_with_line(unit, address);
	if (!row)
		return 0;
	levels[0] = (struct name){ .procedure = "",
				   .section = unit->section,
				   .language = unit->language };
	unit_place(unit, row->file, row->line, &levels[0]);
	return 1;
}

/* Returns the first start or end of ranges after address. */
static uint64_t next_bound(const struct range_list *ranges, uint64_t address)
{
	uint64_t next = UINT64_MAX;

	for (size_t i = 0; i < ranges->count && ranges->items[i].start < next; i++) {
		if (ranges->items[i].start > address)
			next = ranges->items[i].start;
		else if (ranges->items[i].end > address && ranges->items[i].end < next)
			next = ranges->items[i].end;
	}
	return next;
}

uint64_t unit_names_next(struct unit_names *names, uint64_t address)
{
	struct unit *unit = &names->unit;
	struct unit_function *function = unit_function_at(unit, address);
	size_t row = LOWER_BOUND(unit->row_count, at, unit->rows[at].address <= address);
	uint64_t next = row < unit->row_count ? unit->rows[row].address : UINT64_MAX;
	uint64_t bound = next_bound(&unit->function_ranges, address);

	if (bound < next)
		next = bound;
	bound = function ? next_bound(&function->call_ranges, address) : next;
	return bound < next ? bound : next;
}

const struct range_list *unit_names_functions(const struct unit_names *names)
{
	return &names->unit.function_ranges;
}
