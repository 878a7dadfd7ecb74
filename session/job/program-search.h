/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Searches programs by name, for steps (program.c) and for the commands of
 * IKJEFT01: in folders, in order, as NAME, name, NAME.so and name.so; then among
 * vigil's own utilities.
 */
#ifndef VIGIL_SESSION_JOB_PROGRAM_SEARCH_H
#define VIGIL_SESSION_JOB_PROGRAM_SEARCH_H

#include "common/strbuf.h"

/*
 * Passes a utility the folders where its step's programs are searched, in order,
 * separated by ':'.
 */
#define SEARCH_VARIABLE "VIGIL_PROGRAM_PATH"
/* Passes a utility the name by which it was called, where several names are one program. */
#define SEARCH_NAME_VARIABLE "VIGIL_PROGRAM"

enum program_kind {
	PROGRAM_FILE,		/* an executable file or script */
	PROGRAM_MODULE,		/* a shared object made by a COBOL compiler; needs the driver */
	PROGRAM_UTILITY,	/* one of vigil's own */
	PROGRAM_MISSING,	/* abend S806 */
	PROGRAM_NOT_EXECUTABLE, /* found, but not executable: abend S306 */
};

struct program {
	enum program_kind kind;
	char *path;   /* path of the file; NULL: missing */
	char *driver; /* path of the program that runs a module; else NULL */
};

/*
 * Each searches in one kind of location and sets what it finds; returns true when
 * the search is over. *program must be PROGRAM_MISSING at first; a file that may
 * not be executed is remembered while the search continues.
 */
bool search_file(struct program *program, const char *path);
bool search_folder(struct program *program, const char *folder, const char *name);
/* folders is separated by ':'. */
bool search_folders(struct program *program, const char *folders, const char *name);
/* utilities is their folder; NULL: none. */
bool search_utilities(struct program *program, const char *utilities, const char *name);
/* Ends a search: gives a module its driver; without one it is not executable. */
void search_end(struct program *program, const char *utilities);
void program_release(struct program *program);

#endif
