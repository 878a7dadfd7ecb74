/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decodes x86-64 instructions: their lengths, and their effect on the stack and on
 * the flow of control.
 */
#include "common/compat.h"
#include "program/unwind/decode.h"

#define RBP 6
#define RSP 7
/* All system call numbers are below this. */
#define SYSTEM_CALLS 1024

/* The parts of one instruction. */
struct parts {
	const unsigned char *bytes;
	size_t size, at;
	unsigned rex, map; /* map: 0 one byte, 1 0F, 2 0F38, 3 0F3A, and more for EVEX */
	bool operand_16, address_32, vector;
	unsigned opcode;
	bool has_modrm;
	unsigned mod, reg, rm; /* reg and rm include their REX bits */
	int base, index;       /* hardware numbers; -1: none */
	bool rip_relative;
	int64_t displacement;
	int64_t immediate;
	bool bad;
};

/* Returns the next byte. */
static unsigned next_byte(struct parts *parts)
{
	if (parts->at >= parts->size || parts->at >= 15) {
		parts->bad = true;
		return 0;
	}
	return parts->bytes[parts->at++];
}

/* Reads a signed little-endian number of 0, 1, 2, 4 or 8 bytes. */
static int64_t next_number(struct parts *parts, unsigned size)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < size; i++)
		value |= (uint64_t)next_byte(parts) << 8 * i;
	if (size == 0 || size == 8)
		return (int64_t)value;
	return (int64_t)(value << (64 - 8 * size)) >> (64 - 8 * size);
}

/* Converts a hardware register number to DWARF's. */
static int dwarf_number(unsigned hardware)
{
	static const signed char numbers[8] = { 0, 2, 1, 3, 7, 6, 4, 5 };

	return hardware < 8 ? numbers[hardware] : (int)hardware;
}

/* Reads prefixes, REX, VEX and EVEX; ends after the opcode. */
static void read_opcode(struct parts *parts)
{
	unsigned byte;

	for (;;) {
		byte = next_byte(parts);
		if (byte == 0x66)
			parts->operand_16 = true;
		else if (byte == 0x67)
			parts->address_32 = true;
		else if (byte != 0xf0 && byte != 0xf2 && byte != 0xf3 && byte != 0x2e &&
			 byte != 0x36 && byte != 0x3e && byte != 0x26 && byte != 0x64 &&
			 byte != 0x65)
			break;
		if (parts->bad)
			return;
	}
	if ((byte & 0xf0) == 0x40) {
		parts->rex = byte & 0x0f;
		byte = next_byte(parts);
	}
	if (byte == 0xc5) {
		next_byte(parts);
		parts->map = 1;
		parts->vector = true;
	} else if (byte == 0xc4) {
		parts->map = next_byte(parts) & 0x1f;
		next_byte(parts);
		parts->vector = true;
	} else if (byte == 0x62) {
		parts->map = next_byte(parts) & 0x07;
		next_byte(parts);
		next_byte(parts);
		parts->vector = true;
	}
	if (parts->vector)
		byte = next_byte(parts);
	if (!parts->vector && byte == 0x0f) {
		byte = next_byte(parts);
		parts->map = byte == 0x38 ? 2 : byte == 0x3a ? 3 : 1;
		if (parts->map > 1)
			byte = next_byte(parts);
	}
	parts->opcode = byte;
}

/* Returns whether a one-byte opcode has a ModRM byte. */
static bool modrm_one(unsigned code)
{
	if (code < 0x40)
		return (code & 7) < 4;
	if (code >= 0xd8 && code <= 0xdf)
		return true;
	return code == 0x63 || code == 0x69 || code == 0x6b || (code >= 0x80 && code <= 0x8f) ||
	       code == 0xc0 || code == 0xc1 || code == 0xc6 || code == 0xc7 ||
	       (code >= 0xd0 && code <= 0xd3) || code == 0xf6 || code == 0xf7 || code == 0xfe ||
	       code == 0xff;
}

/* Returns whether an opcode of the 0F map has a ModRM byte. */
static bool modrm_two(unsigned code)
{
	return !((code >= 0x05 && code <= 0x09) || code == 0x0b || code == 0x0e ||
		 (code >= 0x30 && code <= 0x37) || code == 0x77 || (code >= 0x80 && code <= 0x8f) ||
		 (code >= 0xa0 && code <= 0xa2) || (code >= 0xa8 && code <= 0xaa) ||
		 (code >= 0xc8 && code <= 0xcf));
}

/* Reads ModRM, SIB and displacement. */
static void read_modrm(struct parts *parts)
{
	unsigned byte = next_byte(parts), size = 0;

	parts->has_modrm = true;
	parts->mod = byte >> 6;
	parts->reg = (byte >> 3 & 7) | (parts->rex & 4) << 1;
	parts->rm = byte & 7;
	parts->base = parts->index = -1;
	if (parts->mod == 3) {
		parts->rm |= (parts->rex & 1) << 3;
		return;
	}
	size = parts->mod == 1 ? 1 : parts->mod == 2 ? 4 : 0;
	if (parts->rm == 4) {
		unsigned sib = next_byte(parts);
		unsigned index = (sib >> 3 & 7) | (parts->rex & 2) << 2;

		if (index != 4)
			parts->index = (int)index;
		if ((sib & 7) == 5 && parts->mod == 0)
			size = 4;
		else
			parts->base = (int)((sib & 7) | (parts->rex & 1) << 3);
	} else if (parts->rm == 5 && parts->mod == 0) {
		size = 4;
		parts->rip_relative = true;
	} else {
		parts->base = (int)(parts->rm | (parts->rex & 1) << 3);
	}
	parts->displacement = next_number(parts, size);
}

/* Returns the size of the immediate operand of a one-byte opcode. */
static unsigned immediate_one(const struct parts *parts)
{
	unsigned code = parts->opcode, full = parts->operand_16 ? 2 : 4;

	if (code < 0x40)
		return (code & 7) == 4 ? 1 : (code & 7) == 5 ? full : 0;
	if (code >= 0x70 && code <= 0x7f)
		return 1;
	if (code >= 0xa0 && code <= 0xa3)
		return parts->address_32 ? 4 : 8;
	if (code >= 0xb0 && code <= 0xb7)
		return 1;
	if (code >= 0xb8 && code <= 0xbf)
		return parts->rex & 8 ? 8 : full;
	switch (code) {
	case 0x68:
	case 0x69:
	case 0x81:
	case 0xa9:
	case 0xc7:
		return full;
	case 0xe8:
	case 0xe9:
		return 4;
	case 0x6a:
	case 0x6b:
	case 0x80:
	case 0x83:
	case 0xa8:
	case 0xc0:
	case 0xc1:
	case 0xc6:
	case 0xcd:
	case 0xe0:
	case 0xe1:
	case 0xe2:
	case 0xe3:
	case 0xe4:
	case 0xe5:
	case 0xe6:
	case 0xe7:
	case 0xeb:
		return 1;
	case 0xc2:
	case 0xca:
		return 2;
	case 0xc8:
		return 3;
	case 0xf6:
		return (parts->reg & 7) < 2 ? 1 : 0;
	case 0xf7:
		return (parts->reg & 7) < 2 ? full : 0;
	default:
		return 0;
	}
}

/* Returns the size of the immediate operand of an opcode of the 0F map. */
static unsigned immediate_two(unsigned code)
{
	if (code >= 0x80 && code <= 0x8f)
		return 4;
	return (code >= 0x70 && code <= 0x73) || code == 0xa4 || code == 0xac || code == 0xba ||
			       code == 0xc2 || code == 0xc4 || code == 0xc5 || code == 0xc6
		       ? 1
		       : 0;
}

/* Returns whether a one-byte opcode is invalid in 64-bit mode. */
static bool invalid_one(unsigned code)
{
	if (code < 0x40)
		return (code & 7) > 5;
	return code == 0x60 || code == 0x61 || code == 0x82 || code == 0x9a || code == 0xce ||
	       (code >= 0xd4 && code <= 0xd6) || code == 0xea;
}

/* Splits an instruction into its parts. */
static bool read_parts(struct parts *parts)
{
	unsigned size = 0;

	read_opcode(parts);
	if (parts->bad)
		return false;
	if (parts->map == 0) {
		if (invalid_one(parts->opcode))
			return false;
		if (modrm_one(parts->opcode))
			read_modrm(parts);
		size = immediate_one(parts);
	} else if (parts->map == 1) {
		if (parts->vector ? parts->opcode != 0x77 : modrm_two(parts->opcode))
			read_modrm(parts);
		if (!(parts->vector && parts->opcode >= 0x80 && parts->opcode <= 0x8f))
			size = immediate_two(parts->opcode);
	} else {
		read_modrm(parts);
		size = parts->map == 3 ? 1 : 0;
	}
	parts->immediate = next_number(parts, size);
	return !parts->bad;
}

/* Returns whether ModRM's rm names the stack pointer. */
static bool rm_is_stack(const struct parts *parts)
{
	return parts->mod == 3 && parts->rm == 4;
}

/* Classifies group FF: increments, calls, jumps and pushes. */
static void classify_ff(const struct parts *parts, struct instruction *instruction)
{
	switch (parts->reg & 7) {
	case 2:
	case 3:
		instruction->kind = INSTRUCTION_CALL;
		break;
	case 4:
	case 5:
		instruction->kind = INSTRUCTION_INDIRECT;
		break;
	case 6:
		instruction->kind = INSTRUCTION_PUSH;
		instruction->number = parts->mod == 3 ? dwarf_number(parts->rm) : -1;
		break;
	default:
		if (rm_is_stack(parts))
			instruction->kind = INSTRUCTION_STACK_LOST;
	}
}

/* Classifies arithmetic with an immediate operand (80, 81, 83). */
static void classify_group1(const struct parts *parts, struct instruction *instruction)
{
	unsigned operation = parts->reg & 7;

	if (!rm_is_stack(parts) || operation == 7)
		return;
	instruction->kind = INSTRUCTION_STACK_LOST;
	if (operation == 0 || operation == 5) {
		instruction->kind = INSTRUCTION_ADJUST;
		instruction->value = operation == 0 ? parts->immediate : -parts->immediate;
	}
}

/* Classifies moves between registers and memory (89, 8B) and LEA (8D), all of 64 bits. */
static void classify_move(const struct parts *parts, struct instruction *instruction)
{
	bool store = parts->opcode == 0x89;
	unsigned to = store ? parts->rm : parts->reg, from = store ? parts->reg : parts->rm;

	if (parts->mod == 3 && parts->opcode != 0x8d) {
		if (to == 4) {
			instruction->kind = INSTRUCTION_STACK_FROM;
			instruction->number = dwarf_number(from);
		} else if (from == 4) {
			instruction->kind = INSTRUCTION_COPY_STACK;
			instruction->number = dwarf_number(to);
		}
		return;
	}
	instruction->value = parts->displacement;
	if (parts->opcode == 0x8d) {
		if (parts->reg == 4) {
			bool simple = parts->base >= 0 && parts->index < 0;

			instruction->kind =
				simple ? INSTRUCTION_STACK_FROM : INSTRUCTION_STACK_LOST;
			instruction->number = simple ? dwarf_number((unsigned)parts->base) : -1;
		} else if (parts->base == 4 && parts->index < 0) {
			instruction->kind = INSTRUCTION_COPY_STACK;
			instruction->number = dwarf_number(parts->reg);
		}
		return;
	}
	if (!store && parts->reg == 4) {
		instruction->kind = INSTRUCTION_STACK_LOST;
	} else if (parts->index < 0 && (parts->base == 4 || parts->base == 5)) {
		instruction->kind = store ? INSTRUCTION_SAVE : INSTRUCTION_LOAD;
		instruction->number = dwarf_number(parts->reg);
		instruction->base = parts->base == 4 ? RSP : RBP;
	}
}

/* Classifies one-byte opcodes. */
static void classify_one(const struct parts *parts, struct instruction *instruction)
{
	unsigned code = parts->opcode;

	if (code >= 0x50 && code <= 0x5f) {
		instruction->kind = code < 0x58 ? INSTRUCTION_PUSH : INSTRUCTION_POP;
		instruction->number = dwarf_number((code & 7) | (parts->rex & 1) << 3);
	} else if (code == 0x68 || code == 0x6a || code == 0x9c) {
		instruction->kind = INSTRUCTION_PUSH;
	} else if (code == 0x9d || code == 0x8f) {
		instruction->kind = INSTRUCTION_POP;
		if (code == 0x8f && parts->mod == 3)
			instruction->number = dwarf_number(parts->rm);
	} else if (code == 0x80 || code == 0x81 || code == 0x83) {
		classify_group1(parts, instruction);
	} else if ((code == 0x89 || code == 0x8b || code == 0x8d) && (parts->rex & 8)) {
		classify_move(parts, instruction);
	} else if (code == 0xff) {
		classify_ff(parts, instruction);
	} else if (code < 0x40 && (code & 7) == 1 && rm_is_stack(parts) && (code & 0x38) != 0x38) {
		instruction->kind = INSTRUCTION_STACK_LOST;
	} else if (code < 0x38 && (code & 7) == 3 && parts->reg == 4) {
		instruction->kind = INSTRUCTION_STACK_LOST;
	} else if (code == 0x87 && (rm_is_stack(parts) || parts->reg == 4)) {
		instruction->kind = INSTRUCTION_STACK_LOST;
	} else if (code == 0xc9) {
		instruction->kind = INSTRUCTION_LEAVE;
	} else if (code == 0xc8) {
		instruction->kind = INSTRUCTION_STACK_LOST;
	} else if (code == 0xc2 || code == 0xc3) {
		instruction->kind = INSTRUCTION_RETURN;
	} else if (code == 0xf4 || code == 0xcf) {
		instruction->kind = INSTRUCTION_STOP;
	}
}

/* Classifies direct jumps and calls. */
static void classify_flow(const struct parts *parts, uint64_t address,
			  struct instruction *instruction)
{
	unsigned code = parts->opcode;

	if (parts->map == 1 && code >= 0x80 && code <= 0x8f)
		instruction->kind = INSTRUCTION_BRANCH;
	else if (parts->map == 0 &&
		 ((code >= 0x70 && code <= 0x7f) || (code >= 0xe0 && code <= 0xe3)))
		instruction->kind = INSTRUCTION_BRANCH;
	else if (parts->map == 0 && (code == 0xe9 || code == 0xeb))
		instruction->kind = INSTRUCTION_JUMP;
	else if (parts->map == 0 && code == 0xe8)
		instruction->kind = INSTRUCTION_CALL;
	else
		return;
	instruction->target = address + parts->at + (uint64_t)parts->immediate;
}

bool decode_instruction(const unsigned char *bytes, size_t size, uint64_t address,
			struct instruction *instruction)
{
	struct parts parts = { .bytes = bytes, .size = size, .base = -1, .index = -1 };

	if (!read_parts(&parts))
		return false;
	*instruction = (struct instruction){
		.kind = INSTRUCTION_OTHER, .length = (unsigned)parts.at, .number = -1, .base = -1
	};
	if (parts.vector)
		return true;
	if (parts.map == 0)
		classify_one(&parts, instruction);
	else if (parts.map == 1 && (parts.opcode == 0xa0 || parts.opcode == 0xa8))
		instruction->kind = INSTRUCTION_PUSH;
	else if (parts.map == 1 && (parts.opcode == 0xa1 || parts.opcode == 0xa9))
		instruction->kind = INSTRUCTION_POP;
	else if (parts.map == 1 && parts.opcode == 0x0b)
		instruction->kind = INSTRUCTION_STOP;
	classify_flow(&parts, address, instruction);
	return true;
}

/* Returns the signed 32-bit number at bytes. */
static int64_t number_at(const unsigned char *bytes)
{
	int32_t value;

	memcpy(&value, bytes, sizeof(value));
	return value;
}

/* Returns whether the last length bytes are one indirect call. */
static bool indirect_call(const unsigned char *end, size_t size, unsigned length, uint64_t address,
			  struct call_site *call)
{
	struct parts parts = { .bytes = end - length, .size = length, .base = -1, .index = -1 };

	if (length > size || !read_parts(&parts) || parts.at != length || parts.map != 0 ||
	    parts.vector || parts.opcode != 0xff || (parts.reg & 7) != 2)
		return false;
	call->direct = false;
	call->slot = parts.rip_relative ? address + (uint64_t)parts.displacement : 0;
	return true;
}

bool decode_call_before(const unsigned char *bytes, size_t size, uint64_t end,
			struct call_site *call)
{
	const unsigned char *behind = bytes + size;

	*call = (struct call_site){ 0 };
	if (size >= 5 && behind[-5] == 0xe8) {
		call->direct = true;
		call->target = end + (uint64_t)number_at(behind - 4);
		return true;
	}
	for (unsigned length = 2; length <= CALL_LONGEST; length++)
		if (indirect_call(behind, size, length, end, call))
			return true;
	return false;
}

/* Returns whether an instruction is a move or a calculation that does not change rax. */
static bool leaves_rax(const struct parts *parts)
{
	unsigned to;

	if (parts->map != 0 || parts->vector)
		return false;
	switch (parts->opcode) {
	case 0x31: /* xor, mov, and, or, add and sub whose destination is rm */
	case 0x80:
	case 0x81:
	case 0x83:
	case 0x89:
	case 0xc7:
		return parts->mod != 3 || parts->rm != 0;
	case 0x33:
	case 0x8b:
	case 0x8d:
		return parts->reg != 0;
	default:
		to = (parts->opcode & 7) | (parts->rex & 1) << 3;
		return (parts->opcode & 0xf8) == 0xb8 && to != 0;
	}
}

/* Finds what an instruction loads into rax; copied: from a register with its current value. */
static bool sets_rax(const struct parts *parts, const uint64_t *registers, long *number,
		     bool *copied)
{
	bool wide = parts->rex & 8;

	*copied = false;
	if (parts->map != 0 || parts->vector || parts->operand_16)
		return false;
	if (parts->opcode == 0xb8 && !(parts->rex & 1))
		*number = (long)parts->immediate;
	else if (parts->opcode == 0xc7 && wide && parts->mod == 3 && parts->rm == 0)
		*number = (long)parts->immediate;
	else if ((parts->opcode == 0x31 || parts->opcode == 0x33) && parts->mod == 3 &&
		 parts->rm == 0 && parts->reg == 0)
		*number = 0;
	else if (parts->opcode == 0x89 && parts->mod == 3 && parts->rm == 0 && parts->reg != 0 &&
		 parts->reg != 1 && parts->reg != 11) {
		/* A system call changes rcx and r11. */
		*number = (long)(uint32_t)registers[dwarf_number(parts->reg)];
		*copied = true;
	} else
		return false;
	return *number >= 0 && *number < SYSTEM_CALLS;
}

/* Returns whether the code from bytes on first sets rax and ends with the system call. */
static bool leads_to_call(const unsigned char *bytes, size_t size, const uint64_t *registers,
			  long *number)
{
	struct parts parts = { .bytes = bytes, .size = size, .base = -1, .index = -1 };
	bool copied;
	size_t at;

	if (!read_parts(&parts) || !sets_rax(&parts, registers, number, &copied))
		return false;
	for (at = parts.at; at < size; at += parts.at) {
		parts = (struct parts){
			.bytes = bytes + at, .size = size - at, .base = -1, .index = -1
		};
		if (copied || !read_parts(&parts) || !leaves_rax(&parts))
			return false;
	}
	return at == size;
}

bool decode_system_call(const unsigned char *bytes, size_t size, const uint64_t *registers,
			long *number)
{
	if (size < 2 || bytes[size - 2] != 0x0f || bytes[size - 1] != 0x05)
		return false;
	size -= 2;
	for (size_t length = 2; length <= size; length++)
		if (leads_to_call(bytes + size - length, length, registers, number))
			return true;
	return false;
}

/* Returns the length of ENDBR64 and a BND prefix. */
static size_t skip_landing(const unsigned char *bytes, size_t size)
{
	static const unsigned char endbr[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	size_t at = 0;

	if (size >= sizeof(endbr) && memcmp(bytes, endbr, sizeof(endbr)) == 0)
		at = sizeof(endbr);
	if (at < size && bytes[at] == 0xf2)
		at++;
	return at;
}

bool decode_has_system_call(const unsigned char *code, size_t size)
{
	for (size_t i = 0; i + 1 < size; i++)
		if (code[i] == 0x0f && code[i + 1] == 0x05)
			return true;
	return false;
}

uint64_t decode_stub_slot(const unsigned char *bytes, size_t size, uint64_t address)
{
	size_t at = skip_landing(bytes, size);

	if (at + 6 > size || bytes[at] != 0xff || bytes[at + 1] != 0x25)
		return 0;
	return address + at + 6 + (uint64_t)number_at(bytes + at + 2);
}

unsigned decode_stub_depth(const unsigned char *bytes, size_t size)
{
	size_t at = skip_landing(bytes, size);

	if (at + 6 <= size && bytes[at] == 0xff && bytes[at + 1] == 0x25)
		return 8;
	/* push $index; jmp to the first stub */
	if (at + 10 <= size && bytes[at] == 0x68 &&
	    (bytes[at + 5] == 0xe9 || (bytes[at + 5] == 0xf2 && bytes[at + 6] == 0xe9)))
		return 8;
	return 0;
}
