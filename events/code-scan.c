/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes an object's instructions, and finds the possible targets of jumps. */
#include "common/compat.h"
#include "events/code-scan.h"
#include "common/xalloc.h"
#include "program/objects/object-symbols.h"

#include <elf.h>

#if defined(HAVE_ZYDIS) && defined(__x86_64__)
#include <Zydis/Zydis.h>

const char *code_unknown(void)
{
	return NULL;
}

/* Returns the kind of a jump, call or return. */
static enum code_kind kind_of_flow(const ZydisDecodedInstruction *instruction)
{
	bool direct = instruction->raw.imm[0].is_relative;

	switch (instruction->meta.category) {
	case ZYDIS_CATEGORY_COND_BR:
		/* loop and jrcxz have no longer form. */
		return instruction->opcode >= 0x70 && instruction->opcode <= 0x8f ? CODE_BRANCH
										    : CODE_FIXED;
	case ZYDIS_CATEGORY_UNCOND_BR:
		return instruction->meta.branch_type == ZYDIS_BRANCH_TYPE_FAR ? CODE_FIXED
		       : direct						      ? CODE_JUMP
									      : CODE_JUMP_INDIRECT;
	case ZYDIS_CATEGORY_CALL:
		return instruction->meta.branch_type == ZYDIS_BRANCH_TYPE_FAR ? CODE_FIXED
		       : direct						      ? CODE_CALL
									      : CODE_CALL_INDIRECT;
	case ZYDIS_CATEGORY_RET:
		return instruction->opcode == 0xc3 || instruction->opcode == 0xc2 ? CODE_RETURN
										    : CODE_FIXED;
	case ZYDIS_CATEGORY_NOP:
	case ZYDIS_CATEGORY_WIDENOP:
		return CODE_NOTHING;
	case ZYDIS_CATEGORY_INTERRUPT:
		/* Compilers use it as padding. */
		return instruction->opcode == 0xcc ? CODE_NOTHING : CODE_FIXED;
	case ZYDIS_CATEGORY_SYSRET:
		return CODE_FIXED;
	default:
		break;
	}
	switch (instruction->mnemonic) {
	case ZYDIS_MNEMONIC_XBEGIN:
	case ZYDIS_MNEMONIC_UD2:
	case ZYDIS_MNEMONIC_HLT:
		return CODE_FIXED;
	default:
		return CODE_PLAIN;
	}
}

bool code_decode(const unsigned char *bytes, size_t size, uint64_t address, struct code *code)
{
	static ZydisDecoder decoder;
	static bool begun;
	ZydisDecodedInstruction one;

	if (!begun) {
		ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
		begun = true;
	}
	if (!ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&decoder, NULL, bytes, size, &one)))
		return false;
	*code = (struct code){ .address = address, .length = one.length };
	code->kind = kind_of_flow(&one);
	code->adds = one.mnemonic == ZYDIS_MNEMONIC_ADD;
	code->from_memory = one.raw.modrm.mod != 3;
	code->indexed = code->from_memory && one.raw.modrm.rm == 4 && one.raw.sib.index != 4;
	if (one.raw.imm[0].is_relative) {
		code->target = address + one.length + (uint64_t)one.raw.imm[0].value.s;
		code->condition = one.opcode & 15;
	} else if (one.attributes & ZYDIS_ATTRIB_IS_RELATIVE && one.raw.disp.size == 32) {
		code->target = address + one.length + (uint64_t)one.raw.disp.value;
		code->data_at = one.raw.disp.offset;
		code->makes_address = one.mnemonic == ZYDIS_MNEMONIC_LEA;
	}
	/*
	 * A shorter address size truncates an address that depends on the instruction's
	 * location.
	 */
	if (one.address_width != 64 && code->data_at)
		code->kind = CODE_FIXED;
	return true;
}

#else

const char *code_unknown(void)
{
#if defined(__x86_64__)
	return "this vigil was built without libzydis";
#else
	return "this processor is not supported";
#endif
}

bool code_decode(const unsigned char *bytes UNUSED, size_t size UNUSED, uint64_t address UNUSED,
		 struct code *code UNUSED)
{
	return false;
}

#endif

static struct code_section *section_of(const struct code_scan *scan, uint64_t address)
{
	for (size_t i = 0; i < scan->count; i++)
		if (address >= scan->sections[i].start && address < scan->sections[i].end)
			return &scan->sections[i];
	return NULL;
}

const struct code_section *code_section_of(const struct code_scan *scan, uint64_t address)
{
	return section_of(scan, address);
}

bool code_at(const struct code_scan *scan, uint64_t address, struct code *code)
{
	const struct code_section *section = section_of(scan, address);

	return section && code_decode(section->bytes + (address - section->start),
				      section->end - address, address, code);
}

static void set_bit(unsigned char *bits, const struct code_section *section, uint64_t address)
{
	uint64_t at = address - section->start;

	bits[at / 8] |= (unsigned char)(1u << at % 8);
}

/*
 * Marks an address as a possible target; data: it occurs as data rather than in a
 * jump. Returns whether it is in a section.
 */
static bool mark(const struct code_scan *scan, uint64_t address, bool data)
{
	struct code_section *section = section_of(scan, address);

	if (!section)
		return false;
	set_bit(section->targets, section, address);
	if (data)
		set_bit(section->data, section, address);
	return true;
}

/* Maximum number of entries examined in a table of distances. */
#define TABLE_LONGEST 65536

/*
 * Marks the targets of a table of distances from itself, if there is one at an
 * address in the object's data.
 */
static void mark_table(const struct code_scan *scan, uint64_t table)
{
	for (uint64_t i = 0; i < TABLE_LONGEST; i++) {
		const unsigned char *at = object_bytes(scan->object, table + i * 4, 4);
		int32_t distance;

		if (!at)
			return;
		memcpy(&distance, at, sizeof(distance));
		if (!mark(scan, table + (uint64_t)(int64_t)distance, true))
			return;
	}
}

/* Returns the first symbol after an address and before another; 0: none. */
static uint64_t symbol_between(const struct code_section *section, uint64_t from, uint64_t to)
{
	for (uint64_t at = from + 1; at < to && at < section->end; at++)
		if (code_bit(section->symbols, section, at))
			return at;
	return 0;
}

/* Marks the targets of a section's instructions; function is the address of the last symbol. */
static void scan_section(const struct code_scan *scan, struct code_section *section)
{
	uint64_t at = section->start, function = at;

	while (at < section->end) {
		struct code code;
		uint64_t next;

		if (code_bit(section->symbols, section, at))
			function = at;
		if (!code_at(scan, at, &code)) {
			at++;
			continue;
		}
		next = symbol_between(section, at, at + code.length);
		at = next ? next : at + code.length;
		if (!code.target)
			continue;
		if (!code.data_at) {
			mark(scan, code.target, false);
			if (code.kind != CODE_CALL && code.target == function)
				set_bit(section->looped, section, function);
		} else if (!mark(scan, code.target, true) && code.makes_address) {
			mark_table(scan, code.target);
		}
	}
}

/* Marks words of data that could be addresses of instructions. */
static void scan_data(const struct code_scan *scan)
{
	struct object_section section;

	for (unsigned i = 0; object_section_at(scan->object, i, &section); i++) {
		const unsigned char *bytes;

		if (section.type == SHT_NOBITS || !(section.flags & SHF_ALLOC) ||
		    section.flags & SHF_EXECINSTR || section.address % 8)
			continue;
		bytes = object_section_bytes(scan->object, &section);
		for (uint64_t at = 0; bytes && at + 8 <= section.size; at += 8) {
			uint64_t word;

			memcpy(&word, bytes + at, sizeof(word));
			mark(scan, word, true);
		}
	}
}

static void scan_relocations(const struct code_scan *scan)
{
	struct object_relocations relocations;
	struct object_relocation relocation;

	object_relocations_begin(&relocations, scan->object);
	while (object_relocations_next(&relocations, &relocation))
		if (!relocation.symbol)
			mark(scan, relocation.addend, true);
}

static void scan_symbols(const struct code_scan *scan)
{
	struct object_symbols symbols;
	struct object_symbol symbol;

	object_symbols_begin(&symbols, scan->object);
	while (object_symbols_next(&symbols, &symbol)) {
		struct code_section *section = section_of(scan, symbol.address);

		if (!section || symbol.type == STT_SECTION || symbol.type == STT_FILE)
			continue;
		set_bit(section->symbols, section, symbol.address);
		set_bit(section->targets, section, symbol.address);
	}
}

/* Adds the sections of code, except those of linkage stubs. */
static void add_sections(struct code_scan *scan)
{
	struct object_section section;

	for (unsigned i = 0; object_section_at(scan->object, i, &section); i++) {
		struct code_section one = { section.address, section.address + section.size, NULL,
					    NULL,	     NULL,			     NULL,
					    NULL };
		size_t bits = section.size / 8 + 1;

		if (section.type != SHT_PROGBITS || !(section.flags & SHF_ALLOC) ||
		    !(section.flags & SHF_EXECINSTR) || !section.size ||
		    strncmp(section.name, ".plt", 4) == 0)
			continue;
		one.bytes = object_section_bytes(scan->object, &section);
		if (!one.bytes)
			continue;
		one.targets = xcalloc(bits, 1);
		one.data = xcalloc(bits, 1);
		one.symbols = xcalloc(bits, 1);
		one.looped = xcalloc(bits, 1);
		GROW(scan->sections, scan->count + 1, scan->alloc);
		scan->sections[scan->count++] = one;
	}
}

void code_scan_init(struct code_scan *scan, struct object *object)
{
	*scan = (struct code_scan){ .object = object };
	if (!object_headers(object) || object->elf_class != 64 || object->elf_machine != EM_X86_64)
		return;
	add_sections(scan);
}

void code_scan_targets(struct code_scan *scan)
{
	scan_symbols(scan);
	for (size_t i = 0; i < scan->count; i++)
		scan_section(scan, &scan->sections[i]);
	scan_data(scan);
	scan_relocations(scan);
}

void code_scan_release(struct code_scan *scan)
{
	for (size_t i = 0; i < scan->count; i++) {
		free(scan->sections[i].targets);
		free(scan->sections[i].data);
		free(scan->sections[i].symbols);
		free(scan->sections[i].looped);
	}
	free(scan->sections);
	*scan = (struct code_scan){ 0 };
}
