/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads numbers from a range of bytes of an ELF file, in the encodings of DWARF
 * and .eh_frame: little-endian, LEB128, and pointers relative to their own
 * position.
 *
 * The bytes may be damaged: a read past the end gives zeros and sets failed, which
 * stays set, so that a reader checks it once at its end. Bits beyond 64 are
 * dropped. The bytes are borrowed.
 */
#ifndef VIGIL_PROGRAM_OBJECTS_CURSOR_H
#define VIGIL_PROGRAM_OBJECTS_CURSOR_H

#include "common/compat.h"

struct cursor {
	const unsigned char *at, *end;
	uint64_t address; /* address of *at, in the object's terms */
	bool failed;
};

/*
 * Reads a number of size bytes (1 to 8), unsigned or signed. It is in the header
 * because tables of large objects consist of little else.
 */
static inline uint64_t cursor_unsigned(struct cursor *cursor, unsigned size)
{
	uint64_t value = 0;

	if ((size_t)(cursor->end - cursor->at) < size) {
		cursor->failed = true;
		cursor->at = cursor->end;
		return 0;
	}
	memcpy(&value, cursor->at, size);
	cursor->at += size;
	cursor->address += size;
	return value;
}

int64_t cursor_signed(struct cursor *cursor, unsigned size);
/* Reads a LEB128 number, unsigned or signed. */
uint64_t cursor_uleb(struct cursor *cursor);
int64_t cursor_sleb(struct cursor *cursor);
/* Skips size bytes. */
void cursor_skip(struct cursor *cursor, uint64_t size);
/* Reads the number of a pointer in one of the DW_EH_PE encodings, before its base is added. */
uint64_t cursor_encoded_number(struct cursor *cursor, uint8_t encoding);
/* Reads a pointer; data is the base of datarel. Indirect and aligned encodings fail. */
uint64_t cursor_encoded(struct cursor *cursor, uint8_t encoding, uint64_t data);

#endif
