/* SPDX-License-Identifier: Apache-2.0 */
/* Looks for return addresses by the calls before them. */
#include "common/compat.h"
#include "program/unwind/unwind-search.h"

#include "program/unwind/decode.h"
#include "program/unwind/unwind-arch.h"

#define ENTRY_CODE 64	 /* maximum bytes of the code at an ELF file's entry point */
#define CHOICE_CODE 192	 /* code that selects a variant of itself jumps within this many bytes */
#define KEPT_FRAME 16384 /* bytes of a frame that are searched for the saved stack pointer of its
			  * caller */

/* Returns how well a slot of the caller's object matches the routine. */
static enum match match_slot(const struct code_place *place, const struct mapping *caller,
			     struct code_table *table, uint64_t address)
{
	const struct routine_slot *slot = routine_slot_at(&table->routines, address);

	if (!slot)
		return MATCH_POSSIBLE;
	if (!place->has_routine)
		return MATCH_POSSIBLE;
	if (slot->name)
		return routine_is_named(&place->table->routines, place->routine.start, slot->name)
			       ? MATCH_EXACT
			       : MATCH_ANY;
	return caller->object == place->mapping->object && slot->target == place->routine.start
		       ? MATCH_EXACT
		       : MATCH_ANY;
}

bool search_jumps_into(struct object *object, uint64_t target, const struct routine *routine)
{
	uint64_t end = object_code_end(object, target);
	size_t size = end - target < CHOICE_CODE ? (size_t)(end - target) : CHOICE_CODE;
	const unsigned char *code = end ? object_bytes(object, target, size) : NULL;
	struct instruction instruction;

	for (size_t at = 0; code && at < size; at += instruction.length) {
		/* It may come right after the target: its own jumps lead there anyway. */
		if (target + at >= routine->start && target + at < routine->end)
			return false;
		if (!decode_instruction(code + at, size - at, target + at, &instruction) ||
		    instruction.kind == INSTRUCTION_STOP)
			return false;
		if ((instruction.kind == INSTRUCTION_JUMP ||
		     instruction.kind == INSTRUCTION_BRANCH) &&
		    instruction.target >= routine->start && instruction.target < routine->end)
			return true;
	}
	return false;
}

/* Returns how well a direct call matches; target is in the terms of the caller's object. */
static enum match match_direct(struct walk *walk, const struct code_place *place,
			       const struct mapping *caller, struct code_table *table,
			       uint64_t target)
{
	bool same = place->mapping && caller->object == place->mapping->object;
	unsigned char buffer[STUB_LONGEST];
	const unsigned char *code;
	uint64_t slot = 0;

	if (same && place->has_routine &&
	    (target == place->routine.start ||
	     search_jumps_into(place->mapping->object, target, &place->routine)))
		return MATCH_EXACT;
	code = walk_code(walk, caller, target + caller->bias, buffer, sizeof(buffer));
	if (code)
		slot = decode_stub_slot(code, sizeof(buffer), target);
	if (slot && table)
		return match_slot(place, caller, table, slot);
	return same && table && !cfi_find(&table->cfi, target) ? MATCH_POSSIBLE : MATCH_ANY;
}

/* Finds the call that ends at return_address, and the mapping that contains it. */
static bool find_call(struct walk *walk, uint64_t return_address, const struct mapping **caller,
		      struct call_site *call)
{
	unsigned char buffer[CALL_LONGEST];
	const unsigned char *code;

	*caller = return_address ? space_find(walk->input->space, return_address - 1) : NULL;
	if (!*caller || return_address - (*caller)->start < CALL_LONGEST)
		return false;
	code = walk_code(walk, *caller, return_address - CALL_LONGEST, buffer, CALL_LONGEST);
	return code &&
	       decode_call_before(code, CALL_LONGEST, return_address - (*caller)->bias, call);
}

enum match search_match(struct walk *walk, const struct code_place *place, uint64_t return_address)
{
	const struct mapping *caller;
	struct code_table *table;
	struct call_site call;

	if (!find_call(walk, return_address, &caller, &call))
		return MATCH_NONE;
	table = code_table_of(caller->object);
	if (call.direct)
		return match_direct(walk, place, caller, table, call.target);
	return call.slot && table ? match_slot(place, caller, table, call.slot) : MATCH_POSSIBLE;
}

uint64_t search_target(struct walk *walk, uint64_t return_address)
{
	unsigned char buffer[STUB_LONGEST];
	const unsigned char *code = NULL;
	const struct mapping *caller;
	struct call_site call;
	uint64_t slot, target;

	if (!find_call(walk, return_address, &caller, &call))
		return 0;
	slot = call.slot;
	if (call.direct) {
		code = walk_code(walk, caller, call.target + caller->bias, buffer, sizeof(buffer));
		slot = code ? decode_stub_slot(code, sizeof(buffer), call.target) : 0;
	}
	if (!slot)
		return call.direct ? call.target + caller->bias : 0;
	return walk_word(walk, slot + caller->bias, &target) ? target : 0;
}

/*
 * Matches code that no symbol names: the call itself gives the start of the
 * routine. It is accepted if the code from there leads to this place with the
 * return address exactly where it was found.
 */
static bool match_unnamed(struct walk *walk, const struct code_place *place,
			  uint64_t return_address, uint64_t found)
{
	const struct mapping *caller;
	const struct frame_row *row;
	struct call_site call;
	struct routine routine;
	uint64_t low;

	if (!find_call(walk, return_address, &caller, &call) || !call.direct ||
	    caller->object != place->mapping->object || call.target > place->offset)
		return false;
	cfi_gap(&place->table->cfi, place->offset, &low, &routine.end);
	if (call.target < low || place->offset - call.target >= ROUTINE_LARGEST)
		return false;
	routine.start = call.target;
	row = routine_row(&place->table->routines, &routine, place->offset);
	return row && row->cfa_kind == RULE_REGISTER && row->cfa_register == REGISTER_STACK &&
	       walk->registers[REGISTER_STACK] + (uint64_t)(int64_t)row->cfa_value == found + 8;
}

/* Returns how well the word at an address of the stack matches as the return address. */
static enum match match_at(struct walk *walk, const struct code_place *place, uint64_t at)
{
	uint64_t stack = walk->registers[REGISTER_STACK], word;

	if (at % 8 || at < stack || at - stack > SEARCH_FRAME_LARGEST || !walk_word(walk, at, &word) ||
	    word < 4096)
		return MATCH_NONE;
	return search_match(walk, place, word);
}

/*
 * Tries a word as a saved stack pointer: at the routine's start it points to the
 * return address; a frame address is one word after that. Stores the best in
 * *found; returns true if it cannot be improved.
 */
static bool try_saved_pointer(struct walk *walk, const struct code_place *place, uint64_t word,
		      enum match *best, uint64_t *found)
{
	for (uint64_t back = 0; back <= 8; back += 8) {
		enum match match = match_at(walk, place, word - back);

		if (match > MATCH_ANY && match > *best) {
			*best = match;
			*found = word - back;
		}
	}
	return *best == MATCH_EXACT;
}

bool search_saved_pointer(struct walk *walk, const struct code_place *place, uint64_t *found)
{
	uint64_t stack = walk->registers[REGISTER_STACK], address = (stack + 7) & ~UINT64_C(7);
	uint64_t end = address + KEPT_FRAME, word;
	enum match best = MATCH_NONE;

	if (!(walk->known >> REGISTER_STACK & 1) || !place->has_routine)
		return false;
	for (unsigned i = 0; i < REGISTER_RETURN; i++)
		if (i != REGISTER_STACK && (walk->known >> i & 1) &&
		    try_saved_pointer(walk, place, walk->registers[i], &best, found))
			return true;
	for (; address < end && walk_word(walk, address, &word); address += 8) {
		if (walk->words_searched++ > WALK_WORDS_MAX)
			break;
		if (word > address && try_saved_pointer(walk, place, word, &best, found))
			return true;
	}
	return best > MATCH_ANY;
}

/* Returns how far up the stack a return address of a quality is searched. */
static uint64_t search_range(const struct code_place *place, enum match match)
{
	switch (match) {
	case MATCH_EXACT:
		return place->has_routine ? 16384 : 1024;
	case MATCH_POSSIBLE:
		return 2048;
	default:
		return 512;
	}
}

/* Returns whether a word found in the stack is a return address at least as good as match. */
static bool fits(struct walk *walk, const struct code_place *place, enum match match, uint64_t word,
		 uint64_t found)
{
	if (word < 4096 || !space_find(walk->input->space, word - 1))
		return false;
	if (match == MATCH_EXACT && !place->has_routine)
		return match_unnamed(walk, place, word, found);
	return search_match(walk, place, word) >= match;
}

bool search_return(struct walk *walk, const struct code_place *place, enum match match,
		   uint64_t *found)
{
	uint64_t address = (walk->registers[REGISTER_STACK] + 7) & ~UINT64_C(7), word;
	uint64_t end = address + search_range(place, match);

	if (!(walk->known >> REGISTER_STACK & 1) || (match == MATCH_EXACT && !place->table))
		return false;
	for (; address < end && walk_word(walk, address, &word); address += 8) {
		if (walk->words_searched++ > WALK_WORDS_MAX)
			return false;
		if (fits(walk, place, match, word, address)) {
			*found = address;
			return true;
		}
	}
	return false;
}

const struct frame_row *search_row(struct walk *walk, struct code_place *place,
				   bool has_information)
{
	unsigned char buffer[STUB_LONGEST];
	const struct frame_row *row = NULL;
	const unsigned char *code;

	if (!place->table)
		return NULL;
	place->has_routine =
		has_information
			? cfi_function_at(&place->table->cfi, place->offset, &place->routine.start,
					  &place->routine.end)
			: routine_find(&place->table->routines, place->offset, &place->routine);
	if (place->has_routine)
		row = routine_row(&place->table->routines, &place->routine, place->offset);
	/*
	 * Code that cannot be reached from the symbol's start belongs to a routine without
	 * a name.
	 */
	if (row || has_information)
		return row;
	place->has_routine = false;
	code = walk_code(walk, place->mapping, place->offset + place->mapping->bias, buffer,
			 sizeof(buffer));
	if (code && decode_stub_depth(code, sizeof(buffer)) && walk->interrupted) {
		struct routine stub = { place->offset, place->offset + STUB_LONGEST };

		return routine_row(&place->table->routines, &stub, place->offset);
	}
	return NULL;
}

bool search_is_entry(const struct code_place *place)
{
	const struct object *object = place->mapping ? place->mapping->object : NULL;

	return object && object->entry && place->offset >= object->entry &&
	       place->offset - object->entry < ENTRY_CODE;
}

bool search_is_signal_return(struct walk *walk, const struct code_place *place)
{
	unsigned char buffer[SIGNAL_RETURN_LONGEST];
	const unsigned char *code;

	if (!place->mapping || walk->interrupted)
		return false;
	code = walk_code(walk, place->mapping, walk->registers[REGISTER_RETURN], buffer,
			 sizeof(buffer));
	return code && unwind_is_signal_return(code, sizeof(buffer));
}
