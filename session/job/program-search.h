/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The search for programs by name, as steps (program.c) and the commands of
 * IKJEFT01 make it: folders in order, in each NAME, name, NAME.so and
 * name.so; then vigil's own utilities.
 */
#ifndef VIGIL_SESSION_JOB_PROGRAM_SEARCH_H
#define VIGIL_SESSION_JOB_PROGRAM_SEARCH_H

#include "common/strbuf.h"

/* Tells a utility the folders where its step's programs are searched, in order, parted by ':'. */
#define SEARCH_VARIABLE "VIGIL_PROGRAM_PATH"
/* Tells a utility the name it was called by, where several names are one program. */
#define SEARCH_NAME_VARIABLE "VIGIL_PROGRAM"

enum program_kind {
	PROGRAM_FILE,		/* an executable file or script */
	PROGRAM_MODULE,		/* a shared object that a COBOL compiler made: needs the driver */
	PROGRAM_UTILITY,	/* one of vigil's own */
	PROGRAM_MISSING,	/* abend S806 */
	PROGRAM_NOT_EXECUTABLE, /* found, but may not be executed: abend S306 */
};

struct program {
	enum program_kind kind;
	char *path;   /* of the file; NULL when missing */
	char *driver; /* of the program that runs a module; NULL otherwise */
};

/*
 * Each looks where it says and sets what it finds; true when the search is
 * over. *program must be PROGRAM_MISSING at first; a file that may not be
 * executed is remembered while the search goes on.
 */
bool search_file(struct program *program, const char *path);
bool search_folder(struct program *program, const char *folder, const char *name);
/* Folders parted by ':'. */
bool search_folders(struct program *program, const char *folders, const char *name);
/* utilities is their folder, NULL none. */
bool search_utilities(struct program *program, const char *utilities, const char *name);
/* The end of a search: a module gets its driver, or cannot be executed without one. */
void search_end(struct program *program, const char *utilities);
void program_release(struct program *program);

#endif
