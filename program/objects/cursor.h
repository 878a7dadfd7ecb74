/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers in a stretch of bytes of an ELF file, as DWARF and .eh_frame write
 * them: little-endian, LEB128, and pointers relative to where they stand.
 *
 * The bytes may be damaged: reading past the end gives zeros and sets failed,
 * which stays set, so that a reader asks once at its end. Shifts beyond 64
 * bits drop what does not fit. The bytes are borrowed.
 */
#ifndef VIGIL_PROGRAM_OBJECTS_CURSOR_H
#define VIGIL_PROGRAM_OBJECTS_CURSOR_H

#include "common/compat.h"

struct cursor {
	const unsigned char *at, *end;
	uint64_t address; /* of at, in the object's terms */
	bool failed;
};

/* A number of size bytes (1 to 8), without or with a sign. In the header, as tables of large objects
   consist of little else. */
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
/* A LEB128 number, without or with a sign. */
uint64_t cursor_uleb(struct cursor *cursor);
int64_t cursor_sleb(struct cursor *cursor);
/* Go size bytes on. */
void cursor_skip(struct cursor *cursor, uint64_t size);
/* The number of a pointer in one of the DW_EH_PE encodings, before its base is added. */
uint64_t cursor_encoded_number(struct cursor *cursor, uint8_t encoding);
/* The pointer itself; data is the base of datarel. Indirect and aligned ones fail. */
uint64_t cursor_encoded(struct cursor *cursor, uint8_t encoding, uint64_t data);

#endif
