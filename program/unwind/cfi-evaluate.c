/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluates the DWARF expressions that occur in call-frame information. */
#include "common/compat.h"
#include "program/unwind/cfi.h"

#include <dwarf.h>

#define STACK_SIZE 32
#define MAX_STEPS 1000

struct machine {
	struct cursor code;
	const unsigned char *first;
	const struct cfi_values *values;
	uint64_t stack[STACK_SIZE];
	unsigned depth;
	bool failed;
};

/* Pushes a value. */
static void push(struct machine *machine, uint64_t value)
{
	if (machine->depth < STACK_SIZE)
		machine->stack[machine->depth++] = value;
	else
		machine->failed = true;
}

/* Pops the top value. */
static uint64_t pop(struct machine *machine)
{
	if (machine->depth > 0)
		return machine->stack[--machine->depth];
	machine->failed = true;
	return 0;
}

/* Pushes a copy of the value below depth others. */
static void pick(struct machine *machine, uint64_t depth)
{
	if (depth < machine->depth)
		push(machine, machine->stack[machine->depth - 1 - depth]);
	else
		machine->failed = true;
}

/* Pushes a register plus an offset. */
static void push_register(struct machine *machine, uint64_t number, int64_t offset)
{
	if (number < FRAME_REGISTERS && (machine->values->known >> number & 1))
		push(machine, machine->values->registers[number] + (uint64_t)offset);
	else
		machine->failed = true;
}

/* Replaces an address by the value stored there. */
static void load(struct machine *machine, uint64_t size)
{
	uint64_t value = 0;

	if ((size != 1 && size != 2 && size != 4 && size != 8) ||
	    !machine->values->read(machine->values->argument, pop(machine), (unsigned)size, &value))
		machine->failed = true;
	push(machine, value);
}

/*
 * Executes constants and other operations that push one value; returns false for
 * another operation.
 */
static bool run_push(struct machine *machine, unsigned code)
{
	struct cursor *operands = &machine->code;

	if (code >= DW_OP_lit0 && code <= DW_OP_lit31)
		return push(machine, code - DW_OP_lit0), true;
	if (code >= DW_OP_breg0 && code <= DW_OP_breg31)
		return push_register(machine, code - DW_OP_breg0, cursor_sleb(operands)), true;
	switch (code) {
	case DW_OP_addr:
	case DW_OP_const8u:
	case DW_OP_const8s:
		return push(machine, cursor_unsigned(operands, 8)), true;
	case DW_OP_const1u:
		return push(machine, cursor_unsigned(operands, 1)), true;
	case DW_OP_const2u:
		return push(machine, cursor_unsigned(operands, 2)), true;
	case DW_OP_const4u:
		return push(machine, cursor_unsigned(operands, 4)), true;
	case DW_OP_const1s:
		return push(machine, (uint64_t)cursor_signed(operands, 1)), true;
	case DW_OP_const2s:
		return push(machine, (uint64_t)cursor_signed(operands, 2)), true;
	case DW_OP_const4s:
		return push(machine, (uint64_t)cursor_signed(operands, 4)), true;
	case DW_OP_constu:
		return push(machine, cursor_uleb(operands)), true;
	case DW_OP_consts:
		return push(machine, (uint64_t)cursor_sleb(operands)), true;
	default:
		return false;
	}
}

/*
 * Executes operations on the stack itself or on one operand; returns false for
 * another operation.
 */
static bool run_stack(struct machine *machine, unsigned code)
{
	uint64_t first, second, third;

	switch (code) {
	case DW_OP_nop:
		return true;
	case DW_OP_bregx:
		first = cursor_uleb(&machine->code);
		return push_register(machine, first, cursor_sleb(&machine->code)), true;
	case DW_OP_dup:
		return pick(machine, 0), true;
	case DW_OP_over:
		return pick(machine, 1), true;
	case DW_OP_pick:
		return pick(machine, cursor_unsigned(&machine->code, 1)), true;
	case DW_OP_drop:
		return pop(machine), true;
	case DW_OP_swap:
		first = pop(machine);
		second = pop(machine);
		return push(machine, first), push(machine, second), true;
	case DW_OP_rot:
		first = pop(machine);
		second = pop(machine);
		third = pop(machine);
		return push(machine, first), push(machine, third), push(machine, second), true;
	case DW_OP_deref:
		return load(machine, 8), true;
	case DW_OP_deref_size:
		return load(machine, cursor_unsigned(&machine->code, 1)), true;
	case DW_OP_neg:
		return push(machine, 0 - pop(machine)), true;
	case DW_OP_not:
		return push(machine, ~pop(machine)), true;
	case DW_OP_abs:
		first = pop(machine);
		return push(machine, (int64_t)first < 0 ? 0 - first : first), true;
	case DW_OP_plus_uconst:
		first = pop(machine);
		return push(machine, first + cursor_uleb(&machine->code)), true;
	default:
		return false;
	}
}

/* Executes comparisons: 1 or 0 in *result; returns false for another operation. */
static bool compare(unsigned code, int64_t left, int64_t right, uint64_t *result)
{
	switch (code) {
	case DW_OP_eq:
		return *result = left == right, true;
	case DW_OP_ne:
		return *result = left != right, true;
	case DW_OP_lt:
		return *result = left < right, true;
	case DW_OP_le:
		return *result = left <= right, true;
	case DW_OP_gt:
		return *result = left > right, true;
	case DW_OP_ge:
		return *result = left >= right, true;
	default:
		return false;
	}
}

/* Executes operations on two values; left was pushed first. */
static void run_binary(struct machine *machine, unsigned code)
{
	uint64_t right = pop(machine), left = pop(machine), shift = right & 63;
	int64_t signed_left = (int64_t)left, signed_right = (int64_t)right;

	switch (code) {
	case DW_OP_plus:
		push(machine, left + right);
		break;
	case DW_OP_minus:
		push(machine, left - right);
		break;
	case DW_OP_mul:
		push(machine, left * right);
		break;
	case DW_OP_and:
		push(machine, left & right);
		break;
	case DW_OP_or:
		push(machine, left | right);
		break;
	case DW_OP_xor:
		push(machine, left ^ right);
		break;
	case DW_OP_shl:
		push(machine, right > 63 ? 0 : left << shift);
		break;
	case DW_OP_shr:
		push(machine, right > 63 ? 0 : left >> shift);
		break;
	case DW_OP_shra:
		push(machine, (uint64_t)(signed_left >> (right > 63 ? 63 : shift)));
		break;
	case DW_OP_div:
		if (right == 0 || (signed_left == INT64_MIN && signed_right == -1))
			machine->failed = true;
		else
			push(machine, (uint64_t)(signed_left / signed_right));
		break;
	case DW_OP_mod:
		if (right == 0)
			machine->failed = true;
		else
			push(machine, left % right);
		break;
	default:
		if (!compare(code, signed_left, signed_right, &right))
			machine->failed = true;
		else
			push(machine, right);
	}
}

/* Jumps to another position in the expression. */
static void jump(struct machine *machine, bool taken)
{
	int64_t distance = cursor_signed(&machine->code, 2);

	if (!taken)
		return;
	if (distance < machine->first - machine->code.at ||
	    distance > machine->code.end - machine->code.at)
		machine->failed = true;
	else
		machine->code.at += distance;
}

bool cfi_evaluate(const struct frame_expression *expression, const struct cfi_values *values,
		  const uint64_t *initial, uint64_t *result)
{
	struct machine machine = { .code = { expression->bytes,
					     expression->bytes + expression->size, 0, false },
				   .first = expression->bytes,
				   .values = values };
	unsigned steps = 0;

	if (initial)
		push(&machine, *initial);
	while (machine.code.at < machine.code.end && !machine.failed) {
		unsigned code = (unsigned)cursor_unsigned(&machine.code, 1);

		if (++steps > MAX_STEPS)
			return false;
		if (code == DW_OP_skip)
			jump(&machine, true);
		else if (code == DW_OP_bra)
			jump(&machine, pop(&machine) != 0);
		else if (!run_push(&machine, code) && !run_stack(&machine, code))
			run_binary(&machine, code);
	}
	*result = pop(&machine);
	return !machine.failed && !machine.code.failed;
}
