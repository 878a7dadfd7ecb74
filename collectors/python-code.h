/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cache of the code objects of one Python process: names and line tables, read
 * once. A code object is identified by its address while everything in it that
 * never changes is the same; otherwise another one is there now, and it is read
 * again.
 */
#ifndef VIGIL_COLLECTORS_PYTHON_CODE_H
#define VIGIL_COLLECTORS_PYTHON_CODE_H

#include "collectors/python-layout.h"

/* Approximate limit in bytes for all code objects of a process; then all are dropped. */
#define PYTHON_CODES_SIZE ((size_t)1 << 20)
#define PYTHON_CODES_SLOTS 2048

/* Addresses of the type objects in the process; objects are checked against them. */
struct python_types {
	uint64_t code, text, dictionary;
};

struct python_code {
	struct python_code *next; /* next in the same slot */
	uint64_t address, globals;
	unsigned char constant[80]; /* the parts of the head that never change */
	uint32_t first_line, units; /* units: of the code, 2 bytes each */
	char *file, *procedure, *module;
	const char *section; /* points into file */
	unsigned char *lines;
	size_t lines_size;
};

struct python_codes {
	struct python_code *slots[PYTHON_CODES_SLOTS];
	size_t size; /* bytes allocated */
};

struct python_memory {
	struct pages *pages; /* of the current call */
	const struct python_layout *layout; /* of the current process */
	struct python_types types;
};

/* Returns the code object at address, executed with these globals; NULL if there is none. */
const struct python_code *python_codes_find(struct python_codes *codes,
					    struct python_memory *memory, uint64_t address,
					    uint64_t globals);
/* Drops all if there are too many; what was found before becomes invalid. */
void python_codes_trim(struct python_codes *codes);
void python_codes_release(struct python_codes *codes);
/* Returns the line of the instruction at offset bytes after the code's start; 0: none. */
uint32_t python_code_line(const struct python_code *code, uint32_t offset);
/* Reads the text at address as UTF-8, at most size - 1 bytes; returns false if it is not a text. */
bool python_text(struct python_memory *memory, uint64_t address, char *buffer, size_t size);

#endif
