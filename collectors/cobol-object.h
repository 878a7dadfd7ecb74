/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The COBOL programs of an object built by GnuCOBOL, from its debug information:
 * the addresses of their code and data.
 *
 * cobc turns a program into a C function NAME_ with a static variable "module".
 * Data items are numbered in order of definition; item number n is the static
 * variable b_n if it is a record (level 01 or 77) that the program uses: an array
 * of bytes, or a pointer for records stored elsewhere (EXTERNAL). For an item that
 * is passed to the run-time library, a struct cob_field f_n has its address.
 */
#ifndef VIGIL_COLLECTORS_COBOL_OBJECT_H
#define VIGIL_COLLECTORS_COBOL_OBJECT_H

#include "common/compat.h"

#include <sys/types.h>
#include <time.h>

/*
 * This many bytes at the start of a file identify it: the headers, and the note
 * with its build id.
 */
#define COBOL_HEAD 1024

enum cobol_variable_kind {
	COBOL_RECORD,	/* b_n, an array of bytes */
	COBOL_POINTER,	/* b_n, a pointer to an array of bytes */
	COBOL_REGISTER, /* b_n, a number of the run-time library */
	COBOL_FIELD,	/* f_n */
};

/* Addresses are link-time addresses of the object; see cobol_object_bias. */
struct cobol_variable {
	enum cobol_variable_kind kind;
	uint32_t number;
	uint64_t address, size;
};

struct cobol_code {
	char *name;	     /* of the program */
	uint64_t start, end; /* of its code */
	char **sources;	     /* source files that may contain the program */
	size_t source_count, source_alloc;
	char *folder;	 /* folder it was compiled in */
	uint64_t module; /* address of the pointer to its struct cob_module */
	uint32_t
		registers; /* number of items, RETURN-CODE first, that GnuCOBOL counts before the
			    * program's */
	struct cobol_variable *variables;
	size_t variable_count, variable_alloc;
};

struct cobol_object {
	char *path;
	/* Identity of the file that was read. */
	dev_t device;
	ino_t inode;
	off_t size;
	struct timespec modified;
	/* The start of the file as it is loaded; head_size 0: it is not loaded. */
	unsigned char head[COBOL_HEAD];
	size_t head_size;
	uint64_t head_address;
	struct cobol_code *codes;
	size_t code_count, code_alloc;
	struct cobol_segment {
		uint64_t offset, size, address;
	} * segments; /* loaded parts of the file */
	size_t segment_count, segment_alloc;
};

/*
 * Reads an object; one that has no COBOL programs or cannot be read has no codes.
 * The collector never frees it, because its tables of processes and programs refer
 * to it.
 */
struct cobol_object *cobol_object_read(const char *path);
void cobol_object_free(struct cobol_object *object);
/*
 * Returns whether the file at the object's path is still the one that was read, or
 * does not exist.
 */
bool cobol_object_is_current(const struct cobol_object *object);
/*
 * Returns what must be added to the object's addresses if the byte at a file
 * offset is loaded at address.
 */
uint64_t cobol_object_bias(const struct cobol_object *object, uint64_t offset, uint64_t address);
/* Returns the program whose code contains an address of the object, NULL: none. */
const struct cobol_code *cobol_object_code(const struct cobol_object *object, uint64_t address);
/* Returns a variable of a program, NULL: none. */
const struct cobol_variable *cobol_code_variable(const struct cobol_code *code,
						 enum cobol_variable_kind kind, uint32_t number);

#endif
