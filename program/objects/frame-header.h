/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The header of call-frame information (.eh_frame_hdr, PT_GNU_EH_FRAME): a
 * sorted table of where the functions of an executable file begin, which even
 * a stripped one has. The one reader of it: the walk indexes functions by it,
 * names count samples of nameless routines by it, a collector finds functions
 * in the memory of a process by it.
 *
 * The header borrows the bytes it is read from. They may be damaged: what
 * does not fit ends the table.
 */
#ifndef VIGIL_PROGRAM_OBJECTS_FRAME_HEADER_H
#define VIGIL_PROGRAM_OBJECTS_FRAME_HEADER_H

#include "program/objects/cursor.h"

struct object;

struct frame_header {
	uint64_t address;      /* of the header: base of datarel */
	uint64_t frames;       /* address of .eh_frame */
	uint64_t count;	       /* functions in the table; 0: there is no table */
	uint8_t encoding;      /* of its entries */
	struct cursor entries; /* at the first entry */
};

/* Read the header in size bytes that lie at address; false when it is none. */
bool frame_header_read(struct frame_header *header, const unsigned char *bytes, uint64_t size,
		       uint64_t address);
/* The header of an object; false when it has none that can be read. */
bool frame_header_of(struct frame_header *header, struct object *object);
/* Take the next entry at cursor (begun as a copy of entries): where a function begins, and the
   address of its entry in .eh_frame. False when there is no more. */
bool frame_header_next(const struct frame_header *header, struct cursor *cursor, uint64_t *start,
		       uint64_t *entry);
/*
 * The function that holds address: from its start up to the next one's,
 * UINT64_MAX behind the last. False when address lies before the first one, or
 * the table is not in the one form that linkers write and that can be searched.
 */
bool frame_header_find(const struct frame_header *header, uint64_t address, uint64_t *start,
		       uint64_t *end);

#endif
