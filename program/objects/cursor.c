/* SPDX-License-Identifier: Apache-2.0 */
/* Reads numbers and encoded pointers out of bytes of an ELF file. */
#include "common/compat.h"
#include "program/objects/cursor.h"

#include <dwarf.h>

int64_t cursor_signed(struct cursor *cursor, unsigned size)
{
	uint64_t value = cursor_unsigned(cursor, size);
	unsigned shift = 64 - 8 * size;

	return (int64_t)(value << shift) >> shift;
}

/* Reads a number of seven bits per byte; returns also its last byte and its number of bits. */
static uint64_t read_leb(struct cursor *cursor, unsigned *last, unsigned *bits)
{
	uint64_t value = 0;

	*bits = 0;
	do {
		*last = (unsigned)cursor_unsigned(cursor, 1);
		if (*bits < 64)
			value |= (uint64_t)(*last & 0x7f) << *bits;
		*bits += 7;
	} while ((*last & 0x80) && !cursor->failed);
	return value;
}

uint64_t cursor_uleb(struct cursor *cursor)
{
	unsigned last, bits;

	return read_leb(cursor, &last, &bits);
}

int64_t cursor_sleb(struct cursor *cursor)
{
	unsigned last, bits;
	uint64_t value = read_leb(cursor, &last, &bits);

	if ((last & 0x40) && bits < 64)
		value |= ~UINT64_C(0) << bits;
	return (int64_t)value;
}

void cursor_skip(struct cursor *cursor, uint64_t size)
{
	if ((uint64_t)(cursor->end - cursor->at) < size) {
		cursor->failed = true;
		size = (uint64_t)(cursor->end - cursor->at);
	}
	cursor->at += size;
	cursor->address += size;
}

uint64_t cursor_encoded_number(struct cursor *cursor, uint8_t encoding)
{
	switch (encoding & 0x0f) {
	case DW_EH_PE_absptr:
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
		return cursor_unsigned(cursor, 8);
	case DW_EH_PE_uleb128:
		return cursor_uleb(cursor);
	case DW_EH_PE_udata2:
		return cursor_unsigned(cursor, 2);
	case DW_EH_PE_udata4:
		return cursor_unsigned(cursor, 4);
	case DW_EH_PE_sleb128:
		return (uint64_t)cursor_sleb(cursor);
	case DW_EH_PE_sdata2:
		return (uint64_t)cursor_signed(cursor, 2);
	case DW_EH_PE_sdata4:
		return (uint64_t)cursor_signed(cursor, 4);
	default:
		cursor->failed = true;
		return 0;
	}
}

uint64_t cursor_encoded(struct cursor *cursor, uint8_t encoding, uint64_t data)
{
	uint64_t place = cursor->address, value;

	if (encoding == DW_EH_PE_aligned || (encoding & DW_EH_PE_indirect)) {
		cursor->failed = true;
		return 0;
	}
	value = cursor_encoded_number(cursor, encoding);
	switch (encoding & 0x70) {
	case DW_EH_PE_absptr:
		return value;
	case DW_EH_PE_pcrel:
		return value + place;
	case DW_EH_PE_datarel:
		return value + data;
	default:
		cursor->failed = true;
		return 0;
	}
}
