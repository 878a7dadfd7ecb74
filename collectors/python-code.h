/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is known of the code objects of one Python process: names and the
 * table of lines, read once. A code object is known by its address as long as
 * everything in it that never changes is the same; otherwise another one has
 * taken its place, and it is read anew.
 */
#ifndef VIGIL_COLLECTORS_PYTHON_CODE_H
#define VIGIL_COLLECTORS_PYTHON_CODE_H

#include "collectors/python-layout.h"

/* Bytes kept for all code objects of a process, about; then all are forgotten. */
#define PYTHON_CODES_SIZE ((size_t)1 << 20)
#define PYTHON_CODES_SLOTS 2048

/* Addresses of the types in the process: what an object must be of. */
struct python_types {
	uint64_t code, text, dictionary;
};

struct python_code {
	struct python_code *next; /* of the same slot */
	uint64_t address, globals;
	unsigned char constant[80]; /* of the head: what never changes */
	uint32_t first_line, units; /* of the code, 2 bytes each */
	char *file, *procedure, *module;
	const char *section; /* in file */
	unsigned char *lines;
	size_t lines_size;
};

struct python_codes {
	struct python_code *slots[PYTHON_CODES_SLOTS];
	size_t size; /* bytes kept */
};

struct python_memory {
	struct pages *pages; /* of the call at hand */
	const struct python_layout *layout; /* of the process at hand */
	struct python_types types;
};

/* The code object at address, executed with these globals; NULL when there is none. */
const struct python_code *python_codes_find(struct python_codes *codes,
					    struct python_memory *memory, uint64_t address,
					    uint64_t globals);
/* Forget all when there are too many: what was found before is valid no more. */
void python_codes_trim(struct python_codes *codes);
void python_codes_release(struct python_codes *codes);
/* The line of the instruction that begins offset bytes behind the code's start; 0: it has none. */
uint32_t python_code_line(const struct python_code *code, uint32_t offset);
/* The text at address as UTF-8, size - 1 bytes at most; false when that is no text. */
bool python_text(struct python_memory *memory, uint64_t address, char *buffer, size_t size);

#endif
