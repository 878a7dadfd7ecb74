/* SPDX-License-Identifier: Apache-2.0 */
/* x86-64: follows the stack pointer through code without call-frame information. */
#include "common/compat.h"
#include "program/unwind/routine.h"

#include "common/xalloc.h"
#include "program/unwind/decode.h"
#include "program/unwind/unwind-arch.h"

#define UNKNOWN INT32_MIN
#define DEEPEST (INT32_C(1) << 20)

/* State before an instruction. */
struct state {
	int32_t depth;	   /* canonical frame address - stack pointer, or UNKNOWN */
	int32_t frame;	   /* canonical frame address - rbp, or UNKNOWN: rbp is not a frame
			    * pointer */
	int32_t saved[16]; /* offset of the caller's register from the frame address; 0:
			    * unchanged */
	bool reached;
	uint8_t length; /* length of the instruction; 0: not decoded */
};

/* A routine being read. */
struct reading {
	const unsigned char *code;
	uint64_t start;
	uint32_t size;
	struct state *states; /* one for each byte of code */
	uint32_t *pending;    /* offsets that were reached but not read yet */
	size_t pending_count, pending_alloc;
	struct state body; /* state of a jump to an unknown target */
	bool has_body;
};

/* Returns whether a register is callee-saved. */
static bool is_kept(int number)
{
	return number >= 0 && number < 16 && (REGISTERS_CALLEE_SAVED >> number & 1);
}

/*
 * Records that the routine stores a register at an offset from the frame address:
 * the first store saves it.
 */
static void note_save(struct state *state, int number, int32_t offset)
{
	if (is_kept(number) && state->saved[number] == 0 && offset != 0)
		state->saved[number] = offset;
}

/*
 * Records that the routine loads a register from an offset: if it was saved there,
 * it is restored.
 */
static void note_load(struct state *state, int number, int32_t offset)
{
	if (number == REGISTER_FRAME)
		state->frame = UNKNOWN;
	if (is_kept(number) && state->saved[number] == offset)
		state->saved[number] = 0;
}

/* Moves the stack pointer; an implausible depth counts as unknown. */
static void move_stack(struct state *state, int64_t depth)
{
	state->depth = depth < 8 || depth > DEEPEST ? UNKNOWN : (int32_t)depth;
}

/* Sets the stack pointer from a register. */
static void stack_from(struct state *state, const struct instruction *instruction)
{
	if (instruction->number == REGISTER_STACK && state->depth != UNKNOWN)
		move_stack(state, state->depth - instruction->value);
	else if (instruction->number == REGISTER_FRAME && state->frame != UNKNOWN)
		move_stack(state, state->frame - instruction->value);
	else
		state->depth = UNKNOWN;
}

/*
 * Returns the offset of a memory operand from the frame address; UNKNOWN if it is
 * not on the stack.
 */
static int32_t memory_offset(const struct state *state, const struct instruction *instruction)
{
	int32_t from = instruction->base == REGISTER_STACK ? state->depth : state->frame;

	if (from == UNKNOWN || instruction->value > DEEPEST || instruction->value < -DEEPEST)
		return UNKNOWN;
	return (int32_t)instruction->value - from;
}

/* Applies a push or a pop. */
static void apply_push_pop(struct state *state, const struct instruction *instruction)
{
	bool push = instruction->kind == INSTRUCTION_PUSH;

	if (state->depth == UNKNOWN) {
		if (!push && instruction->number == REGISTER_FRAME)
			state->frame = UNKNOWN;
		return;
	}
	if (push) {
		move_stack(state, state->depth + 8);
		if (state->depth != UNKNOWN)
			note_save(state, instruction->number, -state->depth);
	} else {
		note_load(state, instruction->number, -state->depth);
		if (instruction->number == REGISTER_STACK)
			state->depth = UNKNOWN;
		else
			move_stack(state, state->depth - 8);
	}
}

/* Applies an instruction to the state. */
static void apply(struct state *state, const struct instruction *instruction)
{
	int32_t offset;

	switch (instruction->kind) {
	case INSTRUCTION_PUSH:
	case INSTRUCTION_POP:
		apply_push_pop(state, instruction);
		break;
	case INSTRUCTION_ADJUST:
		if (state->depth != UNKNOWN)
			move_stack(state, state->depth - instruction->value);
		break;
	case INSTRUCTION_STACK_LOST:
		state->depth = UNKNOWN;
		break;
	case INSTRUCTION_STACK_FROM:
		stack_from(state, instruction);
		break;
	case INSTRUCTION_COPY_STACK:
		if (instruction->number == REGISTER_FRAME && state->depth != UNKNOWN)
			state->frame = state->depth - (int32_t)instruction->value;
		break;
	case INSTRUCTION_LEAVE:
		state->depth = state->frame == UNKNOWN ? UNKNOWN : state->frame - 8;
		state->frame = UNKNOWN;
		state->saved[REGISTER_FRAME] = 0;
		break;
	case INSTRUCTION_SAVE:
	case INSTRUCTION_LOAD:
		offset = memory_offset(state, instruction);
		if (offset != UNKNOWN && instruction->kind == INSTRUCTION_SAVE)
			note_save(state, instruction->number, offset);
		else if (instruction->kind == INSTRUCTION_LOAD)
			note_load(state, instruction->number, offset);
		break;
	default:
		break;
	}
}

/* Records that control reaches an address with a state; the first state found for it is kept. */
static void reach(struct reading *reading, uint64_t address, const struct state *state)
{
	uint64_t at = address - reading->start;

	if (at >= reading->size || reading->states[at].reached)
		return;
	reading->states[at] = *state;
	reading->states[at].reached = true;
	GROW(reading->pending, reading->pending_count + 1, reading->pending_alloc);
	reading->pending[reading->pending_count++] = (uint32_t)at;
}

/* Reads one instruction and marks its successors as reached. */
static void read_instruction(struct reading *reading, uint32_t at)
{
	struct state state = reading->states[at];
	struct instruction instruction;
	uint64_t address = reading->start + at;

	if (!decode_instruction(reading->code + at, reading->size - at, address, &instruction))
		return;
	reading->states[at].length = (uint8_t)instruction.length;
	apply(&state, &instruction);
	switch (instruction.kind) {
	case INSTRUCTION_JUMP:
		reach(reading, instruction.target, &state);
		return;
	case INSTRUCTION_BRANCH:
		reach(reading, instruction.target, &state);
		break;
	case INSTRUCTION_INDIRECT:
		reading->body = state;
		reading->has_body = true;
		return;
	case INSTRUCTION_RETURN:
	case INSTRUCTION_STOP:
		return;
	default:
		break;
	}
	reach(reading, address + instruction.length, &state);
}

/* Follows the control flow from all addresses that were reached. */
static void follow(struct reading *reading)
{
	while (reading->pending_count > 0)
		read_instruction(reading, reading->pending[--reading->pending_count]);
}

/* Reads code that is reached only by a jump through a table, assuming the state of that jump. */
static void follow_rest(struct reading *reading)
{
	uint32_t at = 0;

	while (reading->has_body && at < reading->size) {
		struct instruction instruction;

		if (!reading->states[at].reached) {
			reach(reading, reading->start + at, &reading->body);
			follow(reading);
		}
		if (!decode_instruction(reading->code + at, reading->size - at, reading->start + at,
					&instruction))
			return;
		at += instruction.length;
	}
}

/* Converts the rules of a state to a row. */
static void make_row(const struct state *state, struct frame_row *row, struct frame_rule *rules)
{
	row->cfa_kind = RULE_UNSPECIFIED;
	if (state->depth != UNKNOWN) {
		row->cfa_kind = RULE_REGISTER;
		row->cfa_register = REGISTER_STACK;
		row->cfa_value = state->depth;
	} else if (state->frame != UNKNOWN) {
		row->cfa_kind = RULE_REGISTER;
		row->cfa_register = REGISTER_FRAME;
		row->cfa_value = state->frame;
	}
	rules[row->rule_count++] = (struct frame_rule){ REGISTER_RETURN, RULE_OFFSET, -8 };
	for (uint8_t i = 0; i < 16; i++)
		if (state->saved[i] != 0)
			rules[row->rule_count++] =
				(struct frame_rule){ i, RULE_OFFSET, state->saved[i] };
}

/* Returns whether two states give the same row. */
static bool same_state(const struct state *a, const struct state *b)
{
	return a->depth == b->depth && a->frame == b->frame &&
	       memcmp(a->saved, b->saved, sizeof(a->saved)) == 0;
}

/*
 * Converts the states to rows, one for each change. Code that was not reached gets
 * a row without rules.
 */
static uint32_t emit_rows(struct frame_rows *rows, const struct reading *reading)
{
	const struct state *last = NULL;
	uint32_t count = 0, behind = 0;

	for (uint32_t at = 0; at < reading->size; at++) {
		const struct state *state = &reading->states[at];
		struct frame_rule rules[FRAME_REGISTERS];
		struct frame_row row = { .start = reading->start + at };

		if (state->reached && at + state->length > behind)
			behind = at + state->length;
		if (state->reached ? last && same_state(last, state)
				   : at < behind || (count > 0 && !last))
			continue;
		if (state->reached)
			make_row(state, &row, rules);
		last = state->reached ? state : NULL;
		frame_rows_add(rows, &row, rules);
		count++;
	}
	return count;
}

bool routine_analyse(struct object *object, const struct routine *routine, struct frame_rows *rows,
		     uint32_t *first_row, uint32_t *row_count)
{
	struct state entry = { .depth = 8, .frame = UNKNOWN };
	uint64_t size = routine->end - routine->start;
	struct reading reading = { .start = routine->start };

	*first_row = (uint32_t)rows->row_count;
	*row_count = 0;
	if (routine->end <= routine->start)
		return false;
	reading.size = (uint32_t)(size < ROUTINE_LARGEST ? size : ROUTINE_LARGEST);
	reading.code = object_bytes(object, routine->start, reading.size);
	if (!reading.code)
		return false;
	reading.states = xcalloc(reading.size, sizeof(*reading.states));
	reach(&reading, routine->start, &entry);
	follow(&reading);
	follow_rest(&reading);
	*row_count = emit_rows(rows, &reading);
	free(reading.states);
	free(reading.pending);
	return *row_count > 0;
}
