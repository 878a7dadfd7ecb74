/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PLT stubs: each jumps through a slot of the global offset table, and the
 * relocation of that slot names the function it calls. The slot is decoded from
 * the stub's instructions (decode.h), so the stub layouts of all linkers are
 * supported. Only stubs of x86-64 are named so far.
 */
#include "common/compat.h"
#include "program/names/names-symbols.h"
#include "common/idmap.h"
#include "program/objects/object-symbols.h"
#include "program/unwind/decode.h"

#include <elf.h>

/* Slot address -> name of its relocation's symbol (a pointer). */
struct slot_names {
	struct idmap names;
};

/* Returns whether a relocation of this type fills a slot that stubs jump through. */
static bool is_jump(uint64_t type)
{
	return type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT ||
	       type == R_X86_64_IRELATIVE;
}

/* Returns whether a name has fewer leading underscores than another or, if equal, is shorter. */
static bool is_plainer(const char *name, const char *other)
{
	size_t before = strspn(name, "_"), other_before = strspn(other, "_");

	return before != other_before ? before < other_before : strlen(name) < strlen(other);
}

/*
 * Returns the name of the function at an address, the plainest of several; NULL if
 * there is none.
 */
static const char *name_at(const struct symbol_table *table, uint64_t address)
{
	const char *best = NULL;

	for (size_t i = 0; i < table->count; i++)
		if (table->items[i].start == address &&
		    (!best || is_plainer(table->items[i].name, best)))
			best = table->items[i].name;
	return best;
}

/*
 * Returns the name that a relocation gives its slot: that of its symbol or,
 * without one, of the function that chooses the implementation (IFUNC).
 */
static const char *slot_name(const struct symbol_table *table,
			     const struct object_relocation *relocation)
{
	if (relocation->symbol)
		return relocation->name;
	return (int64_t)relocation->addend > 0 ? name_at(table, relocation->addend) : NULL;
}

/* Stores the name of each jump relocation. */
static void read_slots(const struct symbol_table *table, struct object *object,
		       struct slot_names *slots)
{
	struct object_relocations relocations;
	struct object_relocation relocation;

	object_relocations_begin(&relocations, object);
	while (object_relocations_next(&relocations, &relocation)) {
		const char *name = is_jump(relocation.type) ? slot_name(table, &relocation) : NULL;

		if (name && name[0])
			idmap_put(&slots->names, relocation.address, (uintptr_t)name);
	}
}

/* Returns the size of a stub in bytes: 8 if the next one follows at once, otherwise 16. */
static size_t stub_size(const unsigned char *code, size_t size)
{
	return size < 16 || decode_stub_slot(code + 8, size - 8, 0) ? 8 : 16;
}

/* Adds the stubs of one section. */
static void add_stubs(struct symbol_table *table, struct object *object,
		      const struct object_section *section, const struct slot_names *slots)
{
	const unsigned char *code = object_section_bytes(object, section);
	uint64_t at = 0;

	while (code && at < section->size) {
		struct symbol symbol = { .start = section->address + at,
					 .section = "",
					 .plt = true,
					 .sized = true,
					 .rank = SYMBOL_GLOBAL,
					 .size = stub_size(code + at, section->size - at) };
		uint64_t slot = decode_stub_slot(code + at, section->size - at, symbol.start), name;

		if (!slot || !idmap_get(&slots->names, slot, &name)) {
			at += 8;
			continue;
		}
		symbol.name = (const char *)(uintptr_t)name;
		symbol_table_add(table, &symbol);
		at += symbol.size;
	}
}

void symbol_table_add_plt(struct symbol_table *table, struct object *object)
{
	struct object_section section;
	struct slot_names slots;

	if (!object_headers(object) || object->elf_machine != EM_X86_64)
		return;
	idmap_init(&slots.names);
	read_slots(table, object, &slots);
	for (unsigned i = 1; object_section_at(object, i, &section); i++)
		if (section.type == SHT_PROGBITS &&
		    (!strcmp(section.name, ".plt") || !strcmp(section.name, ".plt.sec") ||
		     !strcmp(section.name, ".plt.got")))
			add_stubs(table, object, &section, &slots);
	idmap_release(&slots.names);
}
