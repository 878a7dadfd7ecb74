/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The header of call-frame information (.eh_frame_hdr, PT_GNU_EH_FRAME): a sorted
 * table of the start addresses of an executable file's functions, which even a
 * stripped file has. This is its only reader: the walk indexes functions by it,
 * names count samples of nameless routines by it, a collector finds functions in
 * the memory of a process by it.
 *
 * The header borrows the bytes it is read from. They may be damaged: an entry that
 * does not fit ends the table.
 */
#ifndef VIGIL_PROGRAM_OBJECTS_FRAME_HEADER_H
#define VIGIL_PROGRAM_OBJECTS_FRAME_HEADER_H

#include "program/objects/cursor.h"

struct object;

struct frame_header {
	uint64_t address;      /* address of the header: base of datarel */
	uint64_t frames;       /* address of .eh_frame */
	uint64_t count;	       /* number of functions in the table; 0: no table */
	uint8_t encoding;      /* encoding of its entries */
	struct cursor entries; /* positioned at the first entry */
};

/* Reads the header from size bytes located at address; returns false if it is not one. */
bool frame_header_read(struct frame_header *header, const unsigned char *bytes, uint64_t size,
		       uint64_t address);
/* Reads the header of an object; returns false if it has none, or an unreadable one. */
bool frame_header_of(struct frame_header *header, struct object *object);
/*
 * Reads the next entry at cursor (initially a copy of entries): the start of a
 * function, and the address of its entry in .eh_frame. Returns false at the end.
 */
bool frame_header_next(const struct frame_header *header, struct cursor *cursor, uint64_t *start,
		       uint64_t *entry);
/*
 * Finds the function that contains address: from its start up to the start of the
 * next one, UINT64_MAX after the last. Returns false if address is before the
 * first one, or the table does not have the searchable format that linkers write.
 */
bool frame_header_find(const struct frame_header *header, uint64_t address, uint64_t *start,
		       uint64_t *end);

#endif
