/* SPDX-License-Identifier: Apache-2.0 */
/* Reads .eh_frame_hdr. */
#include "common/compat.h"
#include "program/objects/frame-header.h"

#include "common/lower-bound.h"

#include <dwarf.h>

#define HEADER_VERSION 1
/* The table format that linkers write: entries of two 4-byte numbers. */
#define SEARCHABLE (DW_EH_PE_datarel | DW_EH_PE_sdata4)
#define ENTRY_SIZE 8

bool frame_header_read(struct frame_header *header, const unsigned char *bytes, uint64_t size,
		       uint64_t address)
{
	struct cursor cursor = { bytes, bytes ? bytes + size : NULL, address, !bytes };
	uint8_t frames_encoding, count_encoding;

	memset(header, 0, sizeof(*header));
	header->address = address;
	if (cursor_unsigned(&cursor, 1) != HEADER_VERSION)
		return false;
	frames_encoding = (uint8_t)cursor_unsigned(&cursor, 1);
	count_encoding = (uint8_t)cursor_unsigned(&cursor, 1);
	header->encoding = (uint8_t)cursor_unsigned(&cursor, 1);
	header->frames = cursor_encoded(&cursor, frames_encoding, address);
	if (cursor.failed)
		return false;
	if (count_encoding != DW_EH_PE_omit && header->encoding != DW_EH_PE_omit)
		header->count = cursor_encoded(&cursor, count_encoding, address);
	if (cursor.failed)
		header->count = 0;
	header->entries = cursor;
	return true;
}

bool frame_header_next(const struct frame_header *header, struct cursor *cursor, uint64_t *start,
		       uint64_t *entry)
{
	*start = cursor_encoded(cursor, header->encoding, header->address);
	*entry = cursor_encoded(cursor, header->encoding, header->address);
	return !cursor->failed;
}

/* Returns where function number index begins, in a searchable table. */
static uint64_t start_of(const struct frame_header *header, uint64_t index)
{
	int32_t start;

	memcpy(&start, header->entries.at + index * ENTRY_SIZE, sizeof(start));
	return header->address + (uint64_t)(int64_t)start;
}

bool frame_header_find(const struct frame_header *header, uint64_t address, uint64_t *start,
		       uint64_t *end)
{
	size_t size = (size_t)(header->entries.end - header->entries.at), behind;

	if (header->encoding != SEARCHABLE || header->entries.failed ||
	    header->count > size / ENTRY_SIZE)
		return false;
	behind = LOWER_BOUND(header->count, at, start_of(header, at) <= address);
	if (behind == 0)
		return false;
	*start = start_of(header, behind - 1);
	*end = behind < header->count ? start_of(header, behind) : UINT64_MAX;
	return true;
}
