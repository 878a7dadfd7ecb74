/* SPDX-License-Identifier: Apache-2.0 */
/* For tests of names: objects created in a folder that exists as long as the test program runs. */
#ifndef VIGIL_PROGRAM_NAMES_TEST_NAMES_SUBJECT_H
#define VIGIL_PROGRAM_NAMES_TEST_NAMES_SUBJECT_H

#include "program/names/names.h"

/* One object under test. */
struct subject {
	struct object_list list;
	struct object *object;
	struct names *names;
	struct name levels[NAMES_MAX_INLINE];
	uint64_t start, end; /* of its instructions */
};

extern char subject_folder[];

/* Setup and teardown of a group of tests. */
int subject_folder_make(void **state);
int subject_folder_remove(void **state);
/* Runs a command in the folder; returns true if it succeeds. */
bool subject_run(const char *format, ...) PRINTFLIKE(1, 2);
/* Writes a file into the folder. */
void subject_put(const char *name, const char *text);
/* Compiles PROGRAM.cob with cobc -x and options; skips the test if there is no cobc. */
void subject_compile_cobol(const char *options, const char *program);
void subject_open(struct subject *subject, const char *name);
void subject_close(struct subject *subject);
/*
 * Finds the first address whose level has this procedure and, unless line is 0,
 * this line; returns the number of levels, 0 if there is none.
 */
size_t subject_find(struct subject *subject, size_t level, const char *procedure, uint64_t line);

#endif
