/* SPDX-License-Identifier: Apache-2.0 */
/* Reads .eh_frame and .debug_frame: the list of functions, and their entries. */
#include "common/compat.h"
#include "program/unwind/cfi.h"

#include "common/xalloc.h"
#include "program/objects/frame-header.h"

#include <dwarf.h>

#define MAX_FUNCTIONS (UINT32_C(1) << 24)
#define MAX_ENTRY (UINT64_C(1) << 20)

/* Returns a cursor over size bytes at an address; a failed one if they are not present. */
static struct cursor cursor_at(struct object *object, uint64_t address, uint64_t size)
{
	const unsigned char *bytes = object_bytes(object, address, size);

	return (struct cursor){ bytes, bytes ? bytes + size : NULL, address, !bytes };
}

/* Returns a cursor over size bytes of .debug_frame; positions in it serve as addresses. */
static struct cursor cursor_in_debug(const struct cfi_table *table, uint64_t position,
				     uint64_t size)
{
	bool inside = position <= table->debug_size && size <= table->debug_size - position;
	const unsigned char *bytes = inside && table->debug ? table->debug + position : NULL;

	return (struct cursor){ bytes, bytes ? bytes + size : NULL, position, !bytes };
}

/* Returns a cursor over the body of the entry at place, after its length field. */
static struct cursor entry_at(struct cfi_table *table, bool debug, uint64_t place, bool *is_64)
{
	struct object *object = table->object;
	struct cursor head = debug ? cursor_in_debug(table, place, 4) : cursor_at(object, place, 4);
	uint64_t length = cursor_unsigned(&head, 4), body = place + 4;

	*is_64 = length == 0xffffffff;
	if (*is_64) {
		head = debug ? cursor_in_debug(table, place + 4, 8)
			     : cursor_at(object, place + 4, 8);
		length = cursor_unsigned(&head, 8);
		body += 8;
	}
	if (head.failed || length == 0 || length > MAX_ENTRY)
		return (struct cursor){ NULL, NULL, body, true };
	return debug ? cursor_in_debug(table, body, length) : cursor_at(object, body, length);
}

/* Reads the augmentation data of a CIE, as its letters describe it. */
static void read_augmentation(struct cursor *cursor, const char *letters, struct cfi_cie *cie)
{
	uint64_t size = cursor_uleb(cursor);
	struct cursor data = *cursor;

	cursor_skip(cursor, size);
	data.end = cursor->at;
	for (; *letters && !data.failed; letters++) {
		switch (*letters) {
		case 'R':
			cie->pointer_encoding = (uint8_t)cursor_unsigned(&data, 1);
			break;
		case 'L':
			cursor_skip(&data, 1);
			break;
		case 'P':
			cursor_encoded_number(&data, (uint8_t)cursor_unsigned(&data, 1));
			break;
		case 'S':
			cie->signal = true;
			break;
		default: /* the size allows skipping unknown data */
			return;
		}
	}
}

/* Reads the CIE at place. */
static bool read_cie(struct cfi_table *table, bool debug, uint64_t place, struct cfi_cie *cie)
{
	bool is_64;
	struct cursor cursor = entry_at(table, debug, place, &is_64);
	const char *letters;
	uint64_t id = cursor_unsigned(&cursor, is_64 ? 8 : 4), version;

	memset(cie, 0, sizeof(*cie));
	if (cursor.failed || (debug ? id != (is_64 ? UINT64_MAX : 0xffffffff) : id != 0))
		return false;
	version = cursor_unsigned(&cursor, 1);
	letters = (const char *)cursor.at;
	while (cursor_unsigned(&cursor, 1) != 0)
		;
	if (cursor.failed || (version != 1 && version != 3 && version != 4))
		return false;
	if (version == 4 && (cursor_unsigned(&cursor, 1) != 8 || cursor_unsigned(&cursor, 1) != 0))
		return false;
	cie->code_alignment = cursor_uleb(&cursor);
	cie->data_alignment = cursor_sleb(&cursor);
	cie->return_register = version == 1 ? cursor_unsigned(&cursor, 1) : cursor_uleb(&cursor);
	if (letters[0] == 'z') {
		cie->has_augmentation = true;
		read_augmentation(&cursor, letters + 1, cie);
	} else if (letters[0] != '\0') {
		return false;
	}
	cie->program = cursor.at;
	cie->program_size = (size_t)(cursor.end - cursor.at);
	return !cursor.failed && cie->return_register == FRAME_RETURN;
}

bool cfi_read_fde(struct cfi_table *table, bool debug, uint32_t entry, struct cfi_fde *fde)
{
	uint64_t place = debug ? entry : entry + table->object->lowest_address, cie, pointer, size;
	bool is_64;
	struct cursor cursor = entry_at(table, debug, place, &is_64);

	place = cursor.address;
	pointer = cursor_unsigned(&cursor, is_64 ? 8 : 4);
	/*
	 * 0 marks a common entry in .eh_frame, but is the position of the first one in
	 * .debug_frame.
	 */
	if (cursor.failed || (!debug && pointer == 0))
		return false;
	cie = debug ? pointer : place - pointer;
	if (!read_cie(table, debug, cie, &fde->cie))
		return false;
	fde->start = cursor_encoded(&cursor, fde->cie.pointer_encoding, table->header_address);
	size = cursor_encoded_number(&cursor, fde->cie.pointer_encoding & 0x0f);
	fde->end = fde->start + size;
	if (fde->cie.has_augmentation) {
		uint64_t augmentation = cursor_uleb(&cursor);

		cursor_skip(&cursor, augmentation);
	}
	fde->program = cursor.at;
	fde->program_size = (size_t)(cursor.end - cursor.at);
	fde->program_address = cursor.address;
	return !cursor.failed && fde->end > fde->start;
}

/* Adds a function to an index; addresses too far away are omitted. */
static void index_add(struct cfi_table *table, struct cfi_index *index, uint64_t start,
		      uint64_t entry)
{
	uint64_t low = table->object->lowest_address;
	size_t want = index->count + 1;

	if (start < low || start - low > UINT32_MAX || entry > UINT32_MAX ||
	    index->count >= MAX_FUNCTIONS)
		return;
	if (want > index->alloc) {
		index->alloc = index->alloc * 2 + 64;
		index->starts = xreallocarray(index->starts, index->alloc, sizeof(uint32_t));
		index->entries = xreallocarray(index->entries, index->alloc, sizeof(uint32_t));
	}
	index->starts[index->count] = (uint32_t)(start - low);
	index->entries[index->count++] = (uint32_t)entry;
}

/* Orders by address, then by entry, so that the order is deterministic. */
static int compare_pairs(const void *a, const void *b)
{
	const uint64_t *first = a, *second = b;

	return (*first > *second) - (*first < *second);
}

/* Sorts an index and allocates space for the compiled functions. */
static void index_finish(struct cfi_index *index)
{
	bool sorted = true;
	uint64_t *pairs;

	for (size_t i = 1; i < index->count && sorted; i++)
		sorted = index->starts[i - 1] <= index->starts[i];
	if (!sorted) {
		pairs = xcalloc(index->count, sizeof(*pairs));
		for (size_t i = 0; i < index->count; i++)
			pairs[i] = (uint64_t)index->starts[i] << 32 | index->entries[i];
		qsort(pairs, index->count, sizeof(*pairs), compare_pairs);
		for (size_t i = 0; i < index->count; i++) {
			index->starts[i] = (uint32_t)(pairs[i] >> 32);
			index->entries[i] = (uint32_t)pairs[i];
		}
		free(pairs);
	}
	index->compiled = xcalloc(index->count + 1, sizeof(uint32_t));
}

/* Reads all entries of a section one after the other; stops at a damaged one. */
static void scan_entries(struct cfi_table *table, bool debug, uint64_t place, uint64_t size)
{
	struct cfi_index *index = debug ? &table->debug_frames : &table->frames;
	uint64_t end = place + size, low = debug ? 0 : table->object->lowest_address;

	while (place + 4 < end) {
		bool is_64;
		struct cursor body = entry_at(table, debug, place, &is_64);
		struct cfi_fde fde;

		if (body.failed)
			return;
		if (place - low <= UINT32_MAX &&
		    cfi_read_fde(table, debug, (uint32_t)(place - low), &fde) && fde.start != 0)
			index_add(table, index, fde.start, place - low);
		place = body.address + (uint64_t)(body.end - body.at);
	}
}

/* Reads the functions of the sorted table. */
static bool read_search_table(struct cfi_table *table, const struct frame_header *header)
{
	uint64_t low = table->object->lowest_address, start, entry;
	struct cursor cursor = header->entries;

	if (header->count == 0 || header->count > MAX_FUNCTIONS)
		return false;
	for (uint64_t i = 0;
	     i < header->count && frame_header_next(header, &cursor, &start, &entry); i++)
		if (entry >= low)
			index_add(table, &table->frames, start, entry - low);
	return table->frames.count > 0;
}

/* Builds the index from .eh_frame_hdr: from its table, or from the entries that it points to. */
static bool index_by_header(struct cfi_table *table)
{
	struct frame_header header;

	if (!frame_header_of(&header, table->object))
		return false;
	table->header_address = header.address;
	if (read_search_table(table, &header))
		return true;
	scan_entries(table, false, header.frames,
		     object_loaded_from(table->object, header.frames));
	return table->frames.count > 0;
}

bool cfi_index_frames(struct cfi_table *table)
{
	struct object_section section;

	if (!index_by_header(table) && object_section_named(table->object, ".eh_frame", &section))
		scan_entries(table, false, section.address, section.size);
	index_finish(&table->frames);
	return table->frames.count > 0;
}

/* Finds .debug_frame; decompresses it, once. */
static bool find_debug_frames(struct cfi_table *table)
{
	static const char *const names[] = { ".debug_frame", ".zdebug_frame" };
	struct object_section section;

	if (object_section_named(table->object, names[0], &section)) {
		table->debug = object_section_bytes(table->object, &section);
		table->debug_size = table->debug ? (size_t)section.size : 0;
	}
	for (size_t i = 0; !table->debug && i < ARRAY_SIZE(names); i++)
		table->debug = table->unpacked =
			object_section_unpacked(table->object, names[i], &table->debug_size);
	return table->debug != NULL;
}

bool cfi_index_debug_frames(struct cfi_table *table)
{
	if (find_debug_frames(table))
		scan_entries(table, true, 0, table->debug_size);
	index_finish(&table->debug_frames);
	return table->debug_frames.count > 0;
}
