/* SPDX-License-Identifier: Apache-2.0 */
/* Walks a user stack frame by frame, by the rules in unwind.h. */
#include "common/compat.h"
#include "program/unwind/unwind.h"

#include "program/unwind/recursion.h"
#include "program/unwind/unwind-arch.h"
#include "program/unwind/unwind-search.h"

/* The walk of a deep stack continues if folding of recursion leaves at most this many frames. */
#define FOLDED_FRAMES_MAX (UNWIND_MAX_FRAMES / 2)

/* Bytes of a frame on an abandoned stack that are searched for its call. */
#define LEFT_FRAME 4096

/* Result of one step to the caller. */
enum step {
	STEP_ON,	/* the registers are the caller's */
	STEP_OUTERMOST, /* there is no caller */
	STEP_NO_MEMORY,
	STEP_FAILED,
};

/* Reads memory for expressions. */
static bool read_for_expression(void *argument, uint64_t address, unsigned size, uint64_t *value)
{
	struct walk *walk = argument;
	uint64_t word;

	if (!walk_word(walk, address, &word))
		return false;
	if (!walk->deepest_read || address < walk->deepest_read)
		walk->deepest_read = address;
	*value = size < 8 ? word & ((UINT64_C(1) << 8 * size) - 1) : word;
	return true;
}

/* Evaluates an expression of a row. */
static bool evaluate(struct walk *walk, const struct frame_rows *rows, int32_t number,
		     const uint64_t *initial, uint64_t *result)
{
	struct cfi_values values = { walk->registers, walk->known, read_for_expression, walk };

	return cfi_evaluate(&rows->expressions[number], &values, initial, result);
}

/* Calculates the canonical frame address by a row. */
static bool frame_address(struct walk *walk, const struct frame_rows *rows,
			  const struct frame_row *row, uint64_t *cfa)
{
	if (row->cfa_kind == RULE_VALUE_EXPRESSION)
		return evaluate(walk, rows, row->cfa_value, NULL, cfa);
	if (row->cfa_kind != RULE_REGISTER || !(walk->known >> row->cfa_register & 1))
		return false;
	*cfa = walk->registers[row->cfa_register] + (uint64_t)(int64_t)row->cfa_value;
	return true;
}

/*
 * Returns whether a register's slot on the stack has been popped: after the pops
 * at the end of a function the call-frame information still names the slot, but
 * the register already has its old value.
 */
static bool is_popped(const struct walk *walk, const struct frame_rule *rule, uint64_t place)
{
	return (REGISTERS_CALLEE_SAVED >> rule->number & 1) && (walk->known >> REGISTER_STACK & 1) &&
	       place < walk->registers[REGISTER_STACK];
}

/* Finds the caller's value of a register by a rule; returns false if it is unavailable. */
static bool apply_rule(struct walk *walk, const struct frame_rows *rows,
		       const struct frame_rule *rule, uint64_t cfa, uint64_t *value)
{
	uint64_t place = cfa + (uint64_t)(int64_t)rule->value;

	switch (rule->kind) {
	case RULE_OFFSET:
		if (!is_popped(walk, rule, place))
			return walk_word(walk, place, value);
		__attribute__((fallthrough));
	case RULE_SAME:
		*value = walk->registers[rule->number];
		return walk->known >> rule->number & 1;
	case RULE_VALUE_OFFSET:
		*value = place;
		return true;
	case RULE_REGISTER:
		*value = walk->registers[rule->value];
		return walk->known >> rule->value & 1;
	case RULE_EXPRESSION:
		return evaluate(walk, rows, rule->value, &cfa, &place) &&
		       walk_word(walk, place, value);
	case RULE_VALUE_EXPRESSION:
		return evaluate(walk, rows, rule->value, &cfa, value);
	default:
		return false;
	}
}

/*
 * Sets the registers after a return: the callee-saved ones, and the stack pointer
 * at the frame address.
 */
static void registers_kept(const struct walk *walk, uint64_t cfa, struct walk_registers *caller)
{
	memcpy(caller->registers, walk->registers, sizeof(caller->registers));
	caller->known = walk->known & REGISTERS_CALLEE_SAVED;
	caller->registers[REGISTER_STACK] = cfa;
	caller->known |= 1u << REGISTER_STACK;
}

/* Finds the caller's registers by a row, with the frame address cfa. */
static enum step apply_row(struct walk *walk, const struct frame_rows *rows,
			   const struct frame_row *row, uint64_t cfa, struct walk_registers *caller)
{
	const struct frame_rule *rule = rows->rules + row->first_rule;

	registers_kept(walk, cfa, caller);
	for (unsigned i = 0; i < row->rule_count; i++, rule++) {
		if (rule->number == REGISTER_RETURN && rule->kind == RULE_UNDEFINED)
			return STEP_OUTERMOST;
		caller->known &= ~(1u << rule->number);
		if (apply_rule(walk, rows, rule, cfa, &caller->registers[rule->number]))
			caller->known |= 1u << rule->number;
		else if (rule->number == REGISTER_RETURN)
			return STEP_NO_MEMORY;
	}
	if (!(caller->known >> REGISTER_RETURN & 1))
		return STEP_FAILED;
	/* A return to address 0 is possible only after a signal interrupted a jump there. */
	return caller->registers[REGISTER_RETURN] == 0 && !row->signal ? STEP_OUTERMOST : STEP_ON;
}

/*
 * Returns whether the caller's frame is above this one, as it must be unless a
 * signal switched stacks. Only in the innermost frame the return address may
 * already have been popped (as in vfork).
 */
static bool is_above(const struct walk *walk, const struct walk_registers *caller)
{
	uint64_t now = walk->registers[REGISTER_STACK], then = caller->registers[REGISTER_STACK];

	if (!(walk->known >> REGISTER_STACK & 1) || !(caller->known >> REGISTER_STACK & 1))
		return true;
	return then > now || (walk->interrupted && then == now);
}

/* Makes the caller's registers the current ones of the walk. */
static void enter_caller(struct walk *walk, const struct walk_registers *caller, bool interrupted)
{
	memcpy(walk->registers, caller->registers, sizeof(walk->registers));
	walk->known = caller->known;
	walk->interrupted = interrupted;
}

/*
 * Returns whether the return address is after a call that may have led here. If
 * memory below the stack pointer was read (in a running thread its contents have
 * changed by now), the call must certainly have led here. Code that keeps its
 * frame address in memory is hand-written, and not always described correctly.
 */
static bool is_called(struct walk *walk, struct code_place *place,
		      const struct walk_registers *caller)
{
	enum match required = walk->deepest_read < walk->input->stack_start ? MATCH_EXACT :
									   MATCH_POSSIBLE;

	place->has_routine = cfi_function_at(&place->table->cfi, place->offset,
					     &place->routine.start, &place->routine.end);
	return search_match(walk, place, caller->registers[REGISTER_RETURN]) >= required;
}

/* Rule 1: by the object's call-frame information. */
static enum step step_by_row(struct walk *walk, struct code_place *place,
			     const struct frame_row *row)
{
	const struct frame_rows *rows = &place->table->rows;
	struct walk_registers caller;
	enum step step;
	uint64_t cfa;

	/* The outermost frame is marked as such, whatever its frame address. */
	for (unsigned i = 0; i < row->rule_count; i++)
		if (rows->rules[row->first_rule + i].number == REGISTER_RETURN &&
		    rows->rules[row->first_rule + i].kind == RULE_UNDEFINED)
			return STEP_OUTERMOST;
	walk->deepest_read = 0;
	if (!frame_address(walk, rows, row, &cfa))
		return STEP_FAILED;
	step = apply_row(walk, rows, row, cfa, &caller);
	if (row->cfa_kind == RULE_VALUE_EXPRESSION && walk->interrupted && walk->deepest_read &&
	    (step != STEP_ON || !is_called(walk, place, &caller)))
		return STEP_FAILED;
	if (step != STEP_ON)
		return step;
	if (!row->signal &&
	    (!is_above(walk, &caller) ||
	     !space_find(walk->input->space, caller.registers[REGISTER_RETURN] - 1)))
		return STEP_FAILED;
	enter_caller(walk, &caller, row->signal);
	return STEP_ON;
}

/* Restores the registers from a kernel's signal frame that no call-frame information describes. */
static enum step step_signal(struct walk *walk)
{
	struct walk_registers caller = { .known = 0 };
	uint64_t stack = walk->registers[REGISTER_STACK];

	if (!(walk->known >> REGISTER_STACK & 1))
		return STEP_FAILED;
	for (unsigned i = 0; i < UNWIND_REGISTERS; i++) {
		if (!walk_word(walk, stack + unwind_signal_offsets[i], &caller.registers[i]))
			return STEP_NO_MEMORY;
		caller.known |= 1u << i;
	}
	if (!space_find(walk->input->space, caller.registers[REGISTER_RETURN]))
		return STEP_FAILED;
	enter_caller(walk, &caller, true);
	return STEP_ON;
}

/*
 * Rule 2 with a row: the return address is where the routine's code puts it, and
 * there is a call before it. If the call-frame information of the routine needs a
 * register that is unknown, rest (its row) gives everything but the frame address.
 */
static enum step step_by_code(struct walk *walk, const struct code_place *place,
			      const struct frame_row *row, const struct frame_row *rest)
{
	struct walk_registers caller;
	uint64_t cfa;

	if (!frame_address(walk, &place->table->rows, row, &cfa) ||
	    apply_row(walk, &place->table->rows, rest ? rest : row, cfa, &caller) != STEP_ON ||
	    !is_above(walk, &caller) ||
	    search_match(walk, place, caller.registers[REGISTER_RETURN]) < MATCH_ANY)
		return STEP_FAILED;
	enter_caller(walk, &caller, false);
	return STEP_ON;
}

/* Steps to a return address that was found in the stack; row, if any, gives the other registers. */
static enum step step_to_found(struct walk *walk, const struct code_place *place,
			       const struct frame_row *row, uint64_t found)
{
	struct walk_registers caller;
	uint64_t cfa = found + 8;

	if (!row || apply_row(walk, &place->table->rows, row, cfa, &caller) != STEP_ON) {
		registers_kept(walk, cfa, &caller);
		/* A frame pointer that is not above it is no longer valid. */
		if (caller.registers[REGISTER_FRAME] < cfa)
			caller.known &= ~(1u << REGISTER_FRAME);
		if (!walk_word(walk, found, &caller.registers[REGISTER_RETURN]))
			return STEP_NO_MEMORY;
		caller.known |= 1u << REGISTER_RETURN;
	}
	enter_caller(walk, &caller, false);
	return STEP_ON;
}

/* Rule 3: the chain of frame pointers. */
static enum step step_by_frame_pointer(struct walk *walk, const struct code_place *place)
{
	uint64_t frame = walk->registers[REGISTER_FRAME], saved, back;
	struct walk_registers caller;

	if (!(walk->known >> REGISTER_FRAME & 1) || !(walk->known >> REGISTER_STACK & 1) ||
	    frame % 8 != 0 || frame < walk->registers[REGISTER_STACK] ||
	    frame - walk->registers[REGISTER_STACK] > SEARCH_FRAME_LARGEST ||
	    !walk_word(walk, frame, &saved) || !walk_word(walk, frame + 8, &back))
		return STEP_FAILED;
	if (back == 0 && saved == 0)
		return STEP_OUTERMOST;
	if ((saved <= frame && saved != 0) || search_match(walk, place, back) < MATCH_ANY)
		return STEP_FAILED;
	registers_kept(walk, frame + 16, &caller);
	caller.registers[REGISTER_FRAME] = saved;
	caller.registers[REGISTER_RETURN] = back;
	caller.known = 1u << REGISTER_STACK | 1u << REGISTER_FRAME | 1u << REGISTER_RETURN;
	enter_caller(walk, &caller, false);
	return STEP_ON;
}

/* Rule 2: searches for a return address at least as good as match. */
static enum step step_by_search(struct walk *walk, const struct code_place *place,
				const struct frame_row *row, enum match match)
{
	uint64_t found;

	if (!search_return(walk, place, match, &found))
		return STEP_FAILED;
	return step_to_found(walk, place, row, found);
}

/* Steps by the stack pointer that the routine has saved. */
static enum step step_by_kept(struct walk *walk, const struct code_place *place,
			      const struct frame_row *row)
{
	uint64_t found;

	if (!place->table || !search_saved_pointer(walk, place, &found))
		return STEP_FAILED;
	return step_to_found(walk, place, row, found);
}

/*
 * Steps from a jump to an invalid address: if it was a call, the return address is
 * on top of the stack.
 */
static enum step step_from_nothing(struct walk *walk, const struct code_place *place)
{
	uint64_t stack = walk->registers[REGISTER_STACK], word;

	if (!(walk->known >> REGISTER_STACK & 1) || !walk_word(walk, stack, &word) ||
	    search_match(walk, place, word) < MATCH_ANY)
		return STEP_FAILED;
	return step_to_found(walk, place, NULL, stack);
}

/* Rules 2 and 3, for code without call-frame information or if that failed. */
static enum step step_by_guess(struct walk *walk, struct code_place *place,
			       const struct frame_row *failed)
{
	const struct frame_row *row;
	struct frame_row code;
	enum step step;

	if (!place->mapping && (step = step_from_nothing(walk, place)) == STEP_ON)
		return step;
	if (!failed && search_is_signal_return(walk, place))
		return step_signal(walk);
	row = search_row(walk, place, failed != NULL);
	if (!failed && search_is_entry(place))
		return STEP_OUTERMOST;
	if (row) {
		code = *row;
		row = &code;
	}
	if (row && (step = step_by_code(walk, place, row, failed)) == STEP_ON)
		return step;
	/* Even if its code loses the stack pointer, it shows which registers are saved. */
	if (!row || row->cfa_kind != RULE_REGISTER)
		if ((step = step_by_kept(walk, place, failed ? failed : row)) == STEP_ON)
			return step;
	if ((step = step_by_search(walk, place, failed, MATCH_EXACT)) == STEP_ON)
		return step;
	if (!failed && (step = step_by_frame_pointer(walk, place)) != STEP_FAILED)
		return step;
	if ((step = step_by_search(walk, place, failed, MATCH_POSSIBLE)) == STEP_ON)
		return step;
	return failed ? STEP_FAILED : step_by_search(walk, place, NULL, MATCH_ANY);
}

/*
 * Steps to a return address on a stack that the program has left; frame is the
 * frame pointer there.
 */
static enum step step_to_left(struct walk *walk, struct code_place *place, uint64_t found,
			      uint64_t frame)
{
	struct walk_registers caller;
	uint64_t back;

	if (!walk_word(walk, found, &back) || search_match(walk, place, back) != MATCH_EXACT)
		return STEP_FAILED;
	registers_kept(walk, found + 8, &caller);
	caller.registers[REGISTER_FRAME] = frame;
	caller.registers[REGISTER_RETURN] = back;
	caller.known |= 1u << REGISTER_FRAME | 1u << REGISTER_RETURN;
	enter_caller(walk, &caller, false);
	return STEP_ON;
}

/*
 * Returns whether the function that continues after a call has exactly the frame
 * that ends at frame.
 */
static bool has_frame(const struct walk *walk, uint64_t found, uint64_t back, uint64_t frame)
{
	const struct mapping *mapping = space_find(walk->input->space, back - 1);
	struct code_table *table = mapping ? code_table_of(mapping->object) : NULL;
	const struct frame_row *row = table ? cfi_find(&table->cfi, back - 1 - mapping->bias) : NULL;

	return row && row->cfa_kind == RULE_REGISTER && row->cfa_register == REGISTER_STACK &&
	       found + 8 + (uint64_t)row->cfa_value == frame + 16;
}

/*
 * Steps from a Go function that calls on another stack: the frame pointer is that
 * of the function itself, or of its caller, on the stack that was left.
 */
static enum step step_switched(struct walk *walk, struct code_place *place)
{
	uint64_t frame = walk->registers[REGISTER_FRAME], saved, back;

	place->has_routine = cfi_function_at(&place->table->cfi, place->offset,
					     &place->routine.start, &place->routine.end);
	if (!place->has_routine || !(walk->known >> REGISTER_FRAME & 1) || frame % 8 != 0 ||
	    !walk_word(walk, frame, &saved))
		return STEP_FAILED;
	if (step_to_left(walk, place, frame + 8, saved) == STEP_ON)
		return STEP_ON;
	for (uint64_t below = 8; below < LEFT_FRAME && below < frame; below += 8)
		if (walk_word(walk, frame - below, &back) && back &&
		    has_frame(walk, frame - below, back, frame) &&
		    step_to_left(walk, place, frame - below, frame) == STEP_ON)
			return STEP_ON;
	return STEP_FAILED;
}

/* Steps to the caller of the code at place. */
static enum step step_on(struct walk *walk, struct code_place *place, bool *guessed)
{
	const struct frame_row *row = NULL;
	struct frame_row failed;
	enum step step = STEP_FAILED;

	*guessed = false;
	if (place->table)
		row = cfi_find(&place->table->cfi, place->offset);
	/* The end of a handler may begin right after another function's information. */
	if (row && !walk->interrupted) {
		if (!cfi_find(&place->table->cfi, place->offset + 1) &&
		    search_is_signal_return(walk, place))
			return step_signal(walk);
		/* Compiling may have moved the rows. */
		row = cfi_find(&place->table->cfi, place->offset);
	}
	if (row && row->switched && !walk->interrupted) {
		*guessed = true;
		return step_switched(walk, place);
	}
	if (row) {
		failed = *row; /* rows may move while others are compiled */
		step = step_by_row(walk, place, &failed);
		if (step != STEP_FAILED)
			return step;
	}
	*guessed = true;
	return step_by_guess(walk, place, row ? &failed : NULL);
}

/* Determines the current place of the walk; returns false if the address is in no mapping. */
static bool find_place(struct walk *walk, struct code_place *place, struct unwind_frame *frame)
{
	uint64_t address = walk->registers[REGISTER_RETURN] - (walk->interrupted ? 0 : 1);

	*place = (struct code_place){ .mapping = space_find(walk->input->space, address) };
	frame->mapping = place->mapping;
	frame->address = address;
	frame->offset = place->mapping ? address - place->mapping->bias : address;
	frame->guessed = walk->guessed;
	frame->stack = walk->known >> REGISTER_STACK & 1 ? walk->registers[REGISTER_STACK] : 0;
	place->offset = frame->offset;
	if (place->mapping)
		place->table = code_table_of(place->mapping->object);
	return place->mapping != NULL;
}

size_t unwind_walk(const struct unwind_input *input, struct unwind_frame *frames,
		   enum unwind_end *end)
{
	struct walk walk;
	struct code_place place;
	size_t count = 0, steps = 0;
	enum step step = STEP_ON;

	walk_init(&walk, input);
	while (step == STEP_ON && steps++ < UNWIND_MAX_STEPS &&
	       (count < UNWIND_MAX_FRAMES || (count = recursion_fold(frames, count)) <= FOLDED_FRAMES_MAX)) {
		find_place(&walk, &place, &frames[count++]);
		step = step_on(&walk, &place, &walk.guessed);
	}
	if (steps > UNWIND_MAX_FRAMES)
		count = recursion_fold(frames, count);
	*end = step == STEP_ON		? UNWIND_TOO_DEEP
	       : step == STEP_OUTERMOST ? UNWIND_WHOLE
	       : step == STEP_NO_MEMORY ? UNWIND_NO_MEMORY
					: UNWIND_NO_RULE;
	return count;
}
