/* SPDX-License-Identifier: Apache-2.0 */
/* Reads .eh_frame_hdr, .eh_frame and .debug_frame: which functions there are, and their entries. */
#include "common/compat.h"
#include "program/unwind/cfi.h"

#include "common/xalloc.h"

#include <dwarf.h>
#include <elf.h>

#define MAX_FUNCTIONS (UINT32_C(1) << 24)
#define MAX_ENTRY (UINT64_C(1) << 20)

uint64_t cfi_unsigned(struct cfi_cursor *cursor, unsigned size)
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

int64_t cfi_signed(struct cfi_cursor *cursor, unsigned size)
{
	uint64_t value = cfi_unsigned(cursor, size);
	unsigned shift = 64 - 8 * size;

	return (int64_t)(value << shift) >> shift;
}

uint64_t cfi_uleb(struct cfi_cursor *cursor)
{
	uint64_t value = 0;
	unsigned shift = 0, byte;

	do {
		byte = (unsigned)cfi_unsigned(cursor, 1);
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while ((byte & 0x80) && !cursor->failed);
	return value;
}

int64_t cfi_sleb(struct cfi_cursor *cursor)
{
	uint64_t value = 0;
	unsigned shift = 0, byte;

	do {
		byte = (unsigned)cfi_unsigned(cursor, 1);
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while ((byte & 0x80) && !cursor->failed);
	if ((byte & 0x40) && shift < 64)
		value |= ~UINT64_C(0) << shift;
	return (int64_t)value;
}

void cfi_skip(struct cfi_cursor *cursor, uint64_t size)
{
	if ((uint64_t)(cursor->end - cursor->at) < size) {
		cursor->failed = true;
		size = (uint64_t)(cursor->end - cursor->at);
	}
	cursor->at += size;
	cursor->address += size;
}

/* The number of an encoded pointer, before its base is added. */
static uint64_t encoded_number(struct cfi_cursor *cursor, uint8_t encoding)
{
	switch (encoding & 0x0f) {
	case DW_EH_PE_absptr:
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
		return cfi_unsigned(cursor, 8);
	case DW_EH_PE_uleb128:
		return cfi_uleb(cursor);
	case DW_EH_PE_udata2:
		return cfi_unsigned(cursor, 2);
	case DW_EH_PE_udata4:
		return cfi_unsigned(cursor, 4);
	case DW_EH_PE_sleb128:
		return (uint64_t)cfi_sleb(cursor);
	case DW_EH_PE_sdata2:
		return (uint64_t)cfi_signed(cursor, 2);
	case DW_EH_PE_sdata4:
		return (uint64_t)cfi_signed(cursor, 4);
	default:
		cursor->failed = true;
		return 0;
	}
}

uint64_t cfi_encoded(struct cfi_cursor *cursor, uint8_t encoding, uint64_t data)
{
	uint64_t place = cursor->address, value;

	if (encoding == DW_EH_PE_aligned || (encoding & DW_EH_PE_indirect)) {
		cursor->failed = true;
		return 0;
	}
	value = encoded_number(cursor, encoding);
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

/* A cursor over size bytes at an address; nothing to read when they are not there. */
static struct cfi_cursor cursor_at(struct object *object, uint64_t address, uint64_t size)
{
	const unsigned char *bytes = object_bytes(object, address, size);

	return (struct cfi_cursor){ bytes, bytes ? bytes + size : NULL, address, !bytes };
}

/* A cursor over size bytes of the file; positions stand for addresses. */
static struct cfi_cursor cursor_in_file(struct object *object, uint64_t position, uint64_t size)
{
	const unsigned char *bytes = object_part(object, position, size);

	return (struct cfi_cursor){ bytes, bytes ? bytes + size : NULL, position, !bytes };
}

/* A cursor over the body of the entry at place (behind its length field); where is its address. */
static struct cfi_cursor entry_at(struct cfi_table *table, bool debug, uint64_t place, bool *is_64)
{
	struct object *object = table->object;
	struct cfi_cursor head =
		debug ? cursor_in_file(object, place, 4) : cursor_at(object, place, 4);
	uint64_t length = cfi_unsigned(&head, 4), body = place + 4;

	*is_64 = length == 0xffffffff;
	if (*is_64) {
		head = debug ? cursor_in_file(object, place + 4, 8)
			     : cursor_at(object, place + 4, 8);
		length = cfi_unsigned(&head, 8);
		body += 8;
	}
	if (head.failed || length == 0 || length > MAX_ENTRY)
		return (struct cfi_cursor){ NULL, NULL, body, true };
	return debug ? cursor_in_file(object, body, length) : cursor_at(object, body, length);
}

/* The data of a CIE's augmentation, as its letters say. */
static void read_augmentation(struct cfi_cursor *cursor, const char *letters, struct cfi_cie *cie)
{
	uint64_t size = cfi_uleb(cursor);
	struct cfi_cursor data = *cursor;

	cfi_skip(cursor, size);
	data.end = cursor->at;
	for (; *letters && !data.failed; letters++) {
		switch (*letters) {
		case 'R':
			cie->pointer_encoding = (uint8_t)cfi_unsigned(&data, 1);
			break;
		case 'L':
			cfi_skip(&data, 1);
			break;
		case 'P':
			encoded_number(&data, (uint8_t)cfi_unsigned(&data, 1));
			break;
		case 'S':
			cie->signal = true;
			break;
		default: /* the size allows skipping what is not known */
			return;
		}
	}
}

/* Read the CIE at place. */
static bool read_cie(struct cfi_table *table, bool debug, uint64_t place, struct cfi_cie *cie)
{
	bool is_64;
	struct cfi_cursor cursor = entry_at(table, debug, place, &is_64);
	const char *letters;
	uint64_t id = cfi_unsigned(&cursor, is_64 ? 8 : 4), version;

	memset(cie, 0, sizeof(*cie));
	if (cursor.failed || (debug ? id != (is_64 ? UINT64_MAX : 0xffffffff) : id != 0))
		return false;
	version = cfi_unsigned(&cursor, 1);
	letters = (const char *)cursor.at;
	while (cfi_unsigned(&cursor, 1) != 0)
		;
	if (cursor.failed || (version != 1 && version != 3 && version != 4))
		return false;
	if (version == 4 && (cfi_unsigned(&cursor, 1) != 8 || cfi_unsigned(&cursor, 1) != 0))
		return false;
	cie->code_alignment = cfi_uleb(&cursor);
	cie->data_alignment = cfi_sleb(&cursor);
	cie->return_register = version == 1 ? cfi_unsigned(&cursor, 1) : cfi_uleb(&cursor);
	if (letters[0] == 'z') {
		cie->has_augmentation = true;
		read_augmentation(&cursor, letters + 1, cie);
	} else if (letters[0] != '\0') {
		return false;
	}
	cie->program = cursor.at;
	cie->program_size = (size_t)(cursor.end - cursor.at);
	return !cursor.failed && cie->return_register == CFI_RETURN;
}

bool cfi_read_fde(struct cfi_table *table, bool debug, uint32_t entry, struct cfi_fde *fde)
{
	uint64_t place = debug ? entry : entry + table->object->lowest_address, cie, pointer, size;
	bool is_64;
	struct cfi_cursor cursor = entry_at(table, debug, place, &is_64);

	place = cursor.address;
	pointer = cfi_unsigned(&cursor, is_64 ? 8 : 4);
	/* 0 marks a common entry in .eh_frame, but is the place of the first one in .debug_frame.
	 */
	if (cursor.failed || (!debug && pointer == 0))
		return false;
	cie = debug ? table->debug_position + pointer : place - pointer;
	if (!read_cie(table, debug, cie, &fde->cie))
		return false;
	fde->start = cfi_encoded(&cursor, fde->cie.pointer_encoding, table->header_address);
	size = encoded_number(&cursor, fde->cie.pointer_encoding & 0x0f);
	fde->end = fde->start + size;
	if (fde->cie.has_augmentation) {
		uint64_t augmentation = cfi_uleb(&cursor);

		cfi_skip(&cursor, augmentation);
	}
	fde->program = cursor.at;
	fde->program_size = (size_t)(cursor.end - cursor.at);
	fde->program_address = cursor.address;
	return !cursor.failed && fde->end > fde->start;
}

/* Add a function to an index; addresses too far away are left out. */
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

/* By address; equal ones by entry, so that the order is always the same. */
static int compare_pairs(const void *a, const void *b)
{
	const uint64_t *first = a, *second = b;

	return (*first > *second) - (*first < *second);
}

/* Bring an index into order and make room for what is compiled. */
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

/* Read all entries of a section one after the other; stops at what is damaged. */
static void scan_entries(struct cfi_table *table, bool debug, uint64_t place, uint64_t size)
{
	struct cfi_index *index = debug ? &table->debug_frames : &table->frames;
	uint64_t end = place + size, low = debug ? 0 : table->object->lowest_address;

	while (place + 4 < end) {
		bool is_64;
		struct cfi_cursor body = entry_at(table, debug, place, &is_64);
		struct cfi_fde fde;

		if (body.failed)
			return;
		if (place - low <= UINT32_MAX &&
		    cfi_read_fde(table, debug, (uint32_t)(place - low), &fde) && fde.start != 0)
			index_add(table, index, fde.start, place - low);
		place = body.address + (uint64_t)(body.end - body.at);
	}
}

/* How many bytes are loaded from address on, in its segment. */
static uint64_t loaded_behind(const struct object *object, uint64_t address)
{
	for (size_t i = 0; i < object->segment_count; i++) {
		const struct object_segment *segment = &object->segments[i];

		if (segment->type == PT_LOAD && address >= segment->address &&
		    address - segment->address < segment->file_size)
			return segment->file_size - (address - segment->address);
	}
	return 0;
}

/* The sorted table of .eh_frame_hdr. */
static bool read_search_table(struct cfi_table *table, struct cfi_cursor *cursor, uint8_t encoding,
			      uint64_t count)
{
	uint64_t low = table->object->lowest_address;

	if (count == 0 || count > MAX_FUNCTIONS)
		return false;
	for (uint64_t i = 0; i < count && !cursor->failed; i++) {
		uint64_t start = cfi_encoded(cursor, encoding, table->header_address);
		uint64_t entry = cfi_encoded(cursor, encoding, table->header_address);

		if (!cursor->failed && entry >= low)
			index_add(table, &table->frames, start, entry - low);
	}
	return table->frames.count > 0;
}

/* Index by PT_GNU_EH_FRAME. */
static bool index_by_header(struct cfi_table *table, const struct object_segment *segment)
{
	uint64_t size = segment->memory_size, frames, count = 0;
	struct cfi_cursor cursor;
	uint8_t frames_encoding, count_encoding, table_encoding;

	if (size > loaded_behind(table->object, segment->address))
		size = loaded_behind(table->object, segment->address);
	cursor = cursor_at(table->object, segment->address, size);
	table->header_address = segment->address;
	if (cfi_unsigned(&cursor, 1) != 1)
		return false;
	frames_encoding = (uint8_t)cfi_unsigned(&cursor, 1);
	count_encoding = (uint8_t)cfi_unsigned(&cursor, 1);
	table_encoding = (uint8_t)cfi_unsigned(&cursor, 1);
	frames = cfi_encoded(&cursor, frames_encoding, table->header_address);
	if (cursor.failed)
		return false;
	if (count_encoding != DW_EH_PE_omit && table_encoding != DW_EH_PE_omit)
		count = cfi_encoded(&cursor, count_encoding, table->header_address);
	if (!cursor.failed && read_search_table(table, &cursor, table_encoding, count))
		return true;
	scan_entries(table, false, frames, loaded_behind(table->object, frames));
	return table->frames.count > 0;
}

bool cfi_index_frames(struct cfi_table *table)
{
	struct object *object = table->object;
	struct object_section section;
	bool found = false;

	for (size_t i = 0; i < object->segment_count && !found; i++)
		if (object->segments[i].type == PT_GNU_EH_FRAME)
			found = index_by_header(table, &object->segments[i]);
	if (!found && object_section_named(object, ".eh_frame", &section))
		scan_entries(table, false, section.address, section.size);
	index_finish(&table->frames);
	return table->frames.count > 0;
}

bool cfi_index_debug_frames(struct cfi_table *table)
{
	struct object_section section;

	if (object_section_named(table->object, ".debug_frame", &section) &&
	    object_section_bytes(table->object, &section)) {
		table->debug_position = section.position;
		scan_entries(table, true, section.position, section.size);
	}
	index_finish(&table->debug_frames);
	return table->debug_frames.count > 0;
}
