/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Converts texts of a Python process to UTF-8: compact strings with one, two and
 * four bytes per character.
 */
#include "common/compat.h"
#include "collectors/python-code.h"

#define TEXT_MAX 1024 /* characters read */

/* Fields of PyASCIIObject.state: the kind (bytes per character) from bit 2, compact, ascii. */
#define STATE_KIND(state) ((state) >> 2 & 7)
#define STATE_COMPACT(state) ((state) >> 5 & 1)
#define STATE_ASCII(state) ((state) >> 6 & 1)

/*
 * Encodes a character as UTF-8 (unpaired surrogates and invalid code points become
 * the replacement character); returns the number of bytes.
 */
static size_t encode(uint32_t character, char out[4])
{
	if (character > 0x10ffff || (character >= 0xd800 && character < 0xe000))
		character = 0xfffd;
	if (character < 0x80) {
		out[0] = (char)character;
		return 1;
	}
	if (character < 0x800) {
		out[0] = (char)(0xc0 | character >> 6);
		out[1] = (char)(0x80 | (character & 0x3f));
		return 2;
	}
	if (character < 0x10000) {
		out[0] = (char)(0xe0 | character >> 12);
		out[1] = (char)(0x80 | (character >> 6 & 0x3f));
		out[2] = (char)(0x80 | (character & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | character >> 18);
	out[1] = (char)(0x80 | (character >> 12 & 0x3f));
	out[2] = (char)(0x80 | (character >> 6 & 0x3f));
	out[3] = (char)(0x80 | (character & 0x3f));
	return 4;
}

/* Converts count characters of kind bytes each to UTF-8, with a NUL. */
static void convert(const unsigned char *from, uint32_t kind, size_t count, char *buffer,
		    size_t size)
{
	size_t used = 0;

	for (size_t i = 0; i < count; i++) {
		uint32_t character = 0;
		char out[4];
		size_t length;

		memcpy(&character, from + i * kind, kind);
		length = encode(character, out);
		if (used + length >= size)
			break;
		memcpy(buffer + used, out, length);
		used += length;
	}
	buffer[used] = '\0';
}

bool python_text(struct python_memory *memory, uint64_t address, char *buffer, size_t size)
{
	const struct python_layout *layout = memory->layout;
	unsigned char head[72], from[4 * TEXT_MAX];
	uint64_t length;
	uint32_t state, kind;

	RETURN_IF(!address || layout->text_state > sizeof(head) - 4 ||
			  layout->text_length > sizeof(head) - 8,
		  false);
	/*
	 * A short text may be shorter than the full head and end at the end of its page:
	 * read only the needed part first.
	 */
	RETURN_IF(!pages_read(memory->pages, address, head, layout->text_state + 4), false);
	RETURN_IF(memcmp(head + PYTHON_OBJECT_TYPE, &memory->types.text, 8) != 0, false);
	memcpy(&length, head + layout->text_length, sizeof(length));
	memcpy(&state, head + layout->text_state, sizeof(state));
	kind = STATE_KIND(state);
	RETURN_IF(!STATE_COMPACT(state) || (kind != 1 && kind != 2 && kind != 4), false);
	RETURN_IF(length > INT32_MAX || (STATE_ASCII(state) && kind != 1), false);
	length = length < TEXT_MAX ? length : TEXT_MAX;
	RETURN_IF(!pages_read(memory->pages,
			      address + (STATE_ASCII(state) ? layout->text_ascii
							    : layout->text_compact),
			      from, length * kind),
		  false);
	convert(from, kind, length, buffer, size);
	return true;
}
