/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Routines without a name: even a stripped object tells, for unwinding,
 * where its routines begin. So its samples can be counted by routine.
 */
#include "common/compat.h"
#include "program/names/names-symbols.h"

#include <gelf.h>

/* DW_EH_PE_datarel | DW_EH_PE_sdata4: the one form of table that linkers write. */
#define TABLE_ENCODING 0x3b
#define UDATA4 0x03
#define SDATA4_PCREL 0x1b
#define HEADER_SIZE 12

/* An entry of the table; both count from the start of the section. */
struct table_entry {
	int32_t routine, frame;
};

/* The segment of a type, with its content; NULL when there is none. */
static Elf_Data *segment_data(Elf *elf, unsigned type, GElf_Phdr *header)
{
	size_t count = 0;

	if (elf_getphdrnum(elf, &count))
		return NULL;
	for (size_t i = 0; i < count; i++)
		if (gelf_getphdr(elf, (int)i, header) && header->p_type == type)
			return elf_getdata_rawchunk(elf, (int64_t)header->p_offset,
						    header->p_filesz, ELF_T_BYTE);
	return NULL;
}

/* The end of the loaded executable segment that holds address, 0 when none does. */
static uint64_t code_end(Elf *elf, uint64_t address)
{
	size_t count = 0;
	GElf_Phdr header;

	if (elf_getphdrnum(elf, &count))
		return 0;
	for (size_t i = 0; i < count; i++)
		if (gelf_getphdr(elf, (int)i, &header) && header.p_type == PT_LOAD &&
		    (header.p_flags & PF_X) && address >= header.p_vaddr &&
		    address - header.p_vaddr < header.p_memsz)
			return header.p_vaddr + header.p_memsz;
	return 0;
}

void routine_table_load(struct routine_table *table, Elf *elf)
{
	GElf_Phdr header;
	Elf_Data *data = segment_data(elf, PT_GNU_EH_FRAME, &header);
	const unsigned char *bytes = data ? data->d_buf : NULL;
	uint32_t count;

	memset(table, 0, sizeof(*table));
	if (!bytes || data->d_size < HEADER_SIZE || bytes[0] != 1 || bytes[1] != SDATA4_PCREL ||
	    bytes[2] != UDATA4 || bytes[3] != TABLE_ENCODING)
		return;
	memcpy(&count, bytes + 8, sizeof(count));
	if (count > (data->d_size - HEADER_SIZE) / sizeof(struct table_entry))
		return;
	table->entries = bytes + HEADER_SIZE;
	table->count = count;
	table->base = header.p_vaddr;
}

/* Where a routine of the table begins. */
static uint64_t routine_start(const struct routine_table *table, uint32_t index)
{
	struct table_entry entry;

	memcpy(&entry, table->entries + index * sizeof(entry), sizeof(entry));
	return table->base + (uint64_t)(int64_t)entry.routine;
}

bool routine_table_find(const struct routine_table *table, Elf *elf, uint64_t address,
			uint64_t *start, uint64_t *size)
{
	uint64_t end = code_end(elf, address);
	uint32_t low = 0, high = table->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (routine_start(table, middle) <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || !end)
		return false;
	*start = routine_start(table, low - 1);
	if (low < table->count && routine_start(table, low) < end)
		end = routine_start(table, low);
	*size = end - *start;
	return *start < end;
}
