/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the function table of Go programs. */
#include "common/compat.h"
#include "program/objects/go-functions.h"

#include <elf.h>

/*
 * The table begins with its version, padding, the size of the smallest instruction
 * and of a pointer.
 */
#define GO_1_16 0xfffffffa
#define GO_1_18 0xfffffff0
#define GO_1_20 0xfffffff1
#define MAGIC_SIZE 8
#define WORD 8
#define TABLE_ALIGNED 32
/* Words after the magic; the start of the text is missing in 1.16. */
enum { FUNCTIONS, FILES, TEXT, NAMES, UNITS, FILE_NAMES, PCS, TABLE, WORDS };
/* Fields of a function after its start; from 1.20 on followed by a line, its kind and flags. */
enum { NAME, ARGUMENTS, DEFERRED, FRAMES, FILE_TABLE, LINES, DATA_COUNT, UNIT, FIELDS };
/* Flags of a function. */
#define FLAG_OUTERMOST 1
#define FLAG_SWITCHES 2
#define FLAG_BY_HAND 4

/* Returns a cursor over size bytes of the table from offset on. */
static struct cursor cursor_in(const struct go_functions *functions, uint64_t offset, uint64_t size)
{
	bool inside = offset <= functions->size && size <= functions->size - offset;
	const unsigned char *bytes = inside ? functions->bytes + offset : NULL;

	return (struct cursor){ bytes, bytes ? bytes + size : NULL, offset, !bytes };
}

/*
 * Returns the value that the dynamic linker stores at an address, relative to the
 * load address; 0 if it stores none.
 */
static uint64_t relocated(struct object *object, uint64_t address)
{
	struct object_section section;
	const unsigned char *bytes;

	if (!object_section_named(object, ".rela.dyn", &section) &&
	    !object_section_named(object, ".rela", &section))
		return 0;
	bytes = object_section_bytes(object, &section);
	for (uint64_t at = 0; bytes && at + sizeof(Elf64_Rela) <= section.size;
	     at += sizeof(Elf64_Rela)) {
		Elf64_Rela rela;

		memcpy(&rela, bytes + at, sizeof(rela));
		if (rela.r_offset == address && ELF64_R_TYPE(rela.r_info) == R_X86_64_RELATIVE)
			return (uint64_t)rela.r_addend;
	}
	return 0;
}

/* Returns the address that function starts are relative to; 0 if unknown. */
static uint64_t text_start(struct object *object, uint64_t written, uint64_t address)
{
	struct object_section section;

	if (!written)
		written = relocated(object, address);
	if (!written && object_section_named(object, ".text", &section))
		written = section.address;
	return written;
}

/* Reads the head of the table, which is at an address. */
static bool read_head(struct go_functions *functions, struct object *object, uint64_t address)
{
	struct cursor cursor = cursor_in(functions, 0, MAGIC_SIZE + WORDS * WORD);
	uint64_t magic = cursor_unsigned(&cursor, 4), words[WORDS] = { 0 };

	if (cursor.failed || cursor_unsigned(&cursor, 4) != UINT32_C(0x08010000) ||
	    (magic != GO_1_16 && magic != GO_1_18 && magic != GO_1_20))
		return false;
	functions->wide = magic == GO_1_16;
	functions->lines = magic == GO_1_20;
	for (unsigned i = 0; i < WORDS; i++)
		if (i != TEXT || !functions->wide)
			words[i] = cursor_unsigned(&cursor, WORD);
	functions->names = words[NAMES];
	functions->frames = words[PCS];
	functions->table = words[TABLE];
	functions->count = words[FUNCTIONS] < functions->size ? (size_t)words[FUNCTIONS] : 0;
	if (!functions->wide)
		functions->text =
			text_start(object, words[TEXT], address + MAGIC_SIZE + TEXT * WORD);
	return functions->count && (functions->wide || functions->text);
}

bool go_functions_open_at(struct go_functions *functions, struct object *object,
			  const struct object_section *section, uint64_t offset)
{
	const unsigned char *bytes = object_section_bytes(object, section);

	if (!bytes || offset >= section->size)
		return false;
	memset(functions, 0, sizeof(*functions));
	functions->bytes = bytes + offset;
	functions->size = (size_t)(section->size - offset);
	if (read_head(functions, object, section->address + offset))
		return true;
	functions->bytes = NULL;
	return false;
}

/* Looks for a table that the linker of another language placed among other constants. */
static bool find_table(struct go_functions *functions, struct object *object)
{
	static const char *const names[] = { ".data.rel.ro", ".rodata" };
	struct object_section section;

	if (!object_section_named(object, ".go.buildinfo", &section))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (object_section_named(object, names[i], &section))
			for (uint64_t at = -section.address % TABLE_ALIGNED; at < section.size;
			     at += TABLE_ALIGNED)
				if (go_functions_open_at(functions, object, &section, at))
					return true;
	return false;
}

bool go_functions_open(struct go_functions *functions, struct object *object)
{
	static const char *const names[] = { ".gopclntab", ".data.rel.ro.gopclntab" };
	struct object_section section;

	memset(functions, 0, sizeof(*functions));
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (object_section_named(object, names[i], &section))
			return go_functions_open_at(functions, object, &section, 0);
	return find_table(functions, object);
}

/*
 * Returns the entry of a function: its start, and where the rest of it is. The
 * entry after the last has only a start.
 */
static struct cursor entry_of(const struct go_functions *functions, size_t number, uint64_t *start)
{
	unsigned width = functions->wide ? WORD : WORD / 2;
	struct cursor cursor = cursor_in(functions, functions->table + number * 2 * width,
					 number < functions->count ? UINT64_C(2) * width : width);

	*start = functions->text + cursor_unsigned(&cursor, width);
	return cursor;
}

bool go_function_at(const struct go_functions *functions, size_t number,
		    struct go_function *function)
{
	unsigned width = functions->wide ? WORD : WORD / 2;
	struct cursor cursor, fields;
	uint64_t values[FIELDS] = { 0 }, at, flags;

	if (!functions->bytes || number >= functions->count)
		return false;
	entry_of(functions, number + 1, &function->end);
	cursor = entry_of(functions, number, &function->start);
	at = functions->table + cursor_unsigned(&cursor, width);
	fields = cursor_in(functions, at + width,
			   (functions->lines ? FIELDS + 1 : FIELDS) * sizeof(uint32_t) + 2);
	for (unsigned i = 0; i < FIELDS; i++)
		values[i] = cursor_unsigned(&fields, sizeof(uint32_t));
	cursor_skip(&fields, functions->lines ? sizeof(uint32_t) + 1 : 1);
	flags = cursor_unsigned(&fields, 1);
	function->outermost = flags & FLAG_OUTERMOST;
	function->switches = flags & FLAG_SWITCHES;
	function->by_hand = flags & FLAG_BY_HAND;
	if (cursor.failed || fields.failed || function->end <= function->start)
		return false;
	function->number = number;
	function->frames = values[FRAMES];
	cursor = cursor_in(functions, functions->names + values[NAME], 1);
	function->name = (const char *)cursor.at;
	return !cursor.failed &&
	       memchr(cursor.at, 0, (size_t)(functions->bytes + functions->size - cursor.at));
}

bool go_function_find(const struct go_functions *functions, uint64_t address,
		      struct go_function *function)
{
	size_t low = 0, high = functions->bytes ? functions->count : 0;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		uint64_t start;

		entry_of(functions, middle, &start);
		if (start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && go_function_at(functions, low - 1, function) && address >= function->start &&
	       address < function->end;
}

void go_frames_begin(struct go_frames *frames, const struct go_functions *functions,
		     const struct go_function *function)
{
	uint64_t at = functions->frames + function->frames;

	*frames = (struct go_frames){ .from = function->start, .to = function->start, .bytes = -1 };
	frames->cursor = cursor_in(functions, at, at < functions->size ? functions->size - at : 0);
	/* 0: no table. */
	frames->cursor.failed |= !function->frames;
}

bool go_frames_next(struct go_frames *frames)
{
	uint64_t delta = cursor_uleb(&frames->cursor);

	if (frames->cursor.failed || (!delta && frames->begun))
		return false;
	frames->begun = true;
	frames->bytes += delta & 1 ? ~(int64_t)(delta >> 1) : (int64_t)(delta >> 1);
	frames->from = frames->to;
	frames->to += cursor_uleb(&frames->cursor);
	return !frames->cursor.failed;
}
