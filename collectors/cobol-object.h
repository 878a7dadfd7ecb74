/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The COBOL programs of an object that GnuCOBOL made, from its debug
 * information: where the code of each stands and where its data.
 *
 * cobc turns a program into a C function NAME_ with a static variable
 * "module". Data items are counted in the order they are defined; item number
 * n is the static variable b_n when it is a record of its own (level 01 or
 * 77) that the program uses: an array of bytes, or a pointer for records that
 * lie elsewhere (EXTERNAL). Where the run time library is told of an item a
 * struct cob_field f_n says where it lies.
 */
#ifndef VIGIL_COLLECTORS_COBOL_OBJECT_H
#define VIGIL_COLLECTORS_COBOL_OBJECT_H

#include "common/compat.h"

#include <sys/types.h>
#include <time.h>

/* So much of the start of a file tells it from others: headers, and the note of its build. */
#define COBOL_HEAD 1024

enum cobol_variable_kind {
	COBOL_RECORD,	/* b_n, an array of bytes */
	COBOL_POINTER,	/* b_n, a pointer to them */
	COBOL_REGISTER, /* b_n, a number of the run time library */
	COBOL_FIELD,	/* f_n */
};

/* Addresses are those of the object; see cobol_object_bias. */
struct cobol_variable {
	enum cobol_variable_kind kind;
	uint32_t number;
	uint64_t address, size;
};

struct cobol_code {
	char *name;	     /* of the program */
	uint64_t start, end; /* of its code */
	char **sources;	     /* files its text may be in */
	size_t source_count, source_alloc;
	char *folder;	 /* it was compiled in */
	uint64_t module; /* of the pointer to its struct cob_module */
	uint32_t
		registers; /* items that GnuCOBOL counts from RETURN-CODE on before the program's */
	struct cobol_variable *variables;
	size_t variable_count, variable_alloc;
};

struct cobol_object {
	char *path;
	/* Of the file that was read. */
	dev_t device;
	ino_t inode;
	off_t size;
	struct timespec modified;
	/* As it is loaded; head_size 0: it is not. */
	unsigned char head[COBOL_HEAD];
	size_t head_size;
	uint64_t head_address;
	struct cobol_code *codes;
	size_t code_count, code_alloc;
	struct cobol_segment {
		uint64_t offset, size, address;
	} * segments; /* what is loaded of the file */
	size_t segment_count, segment_alloc;
};

/*
 * Read an object; one without COBOL programs, or that cannot be read, has no codes. The collector
 * never frees it: what is known of processes and programs refers to it.
 */
struct cobol_object *cobol_object_read(const char *path);
void cobol_object_free(struct cobol_object *object);
/* Whether the file of its path is still the one that was read, or is not there. */
bool cobol_object_is_current(const struct cobol_object *object);
/* What must be added to addresses of the object when the byte at a file offset is at an address. */
uint64_t cobol_object_bias(const struct cobol_object *object, uint64_t offset, uint64_t address);
/* The program whose code holds an address of the object, NULL: none. */
const struct cobol_code *cobol_object_code(const struct cobol_object *object, uint64_t address);
/* A variable of a program, NULL: there is none. */
const struct cobol_variable *cobol_code_variable(const struct cobol_code *code,
						 enum cobol_variable_kind kind, uint32_t number);

#endif
