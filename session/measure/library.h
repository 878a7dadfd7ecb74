/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The library path of data collectors: the folders that are searched for
 * STRBxxxx.so, in order, and the collectors in them. Files are inspected, not
 * loaded.
 *
 * A collector runs with the user's rights, so a folder or file that others could
 * have changed is refused (trust.h). This is checked once, at the start; only root
 * and this user can replace a file between the check and the load. The folder that
 * comes with vigil is trusted like vigil itself.
 */
#ifndef VIGIL_SESSION_MEASURE_LIBRARY_H
#define VIGIL_SESSION_MEASURE_LIBRARY_H

#include "common/strbuf.h"

/* A data collector in a library; one entry, however many names it has there. */
struct library_file {
	char *name;	       /* STRBxxxx: of the file, or of the first link to it */
	char *path;	       /* path of the file, links resolved */
	struct strbuf names;   /* "STRBMYPR STRBOURP": names of the file and of the links to it */
	struct strbuf aliases; /* names from the list inside the file, in the same form */
	bool own;	       /* comes with vigil */
	bool always;	       /* its list has "*": it is found for every program */
	char *problem;	       /* why it is refused; NULL: usable */
};

struct library {
	char *path; /* absolute if the folder exists */
	bool given; /* named by the request */
	bool own;   /* comes with vigil */
	bool there;
	char *problem; /* why it is refused; NULL: usable */
	struct library_file *files;
	size_t count, alloc;
};

struct library_path {
	struct library *items; /* in search order, vigil's last */
	size_t count, alloc;
};

/* Collects the given folders, then those of the environment and of the machine, then vigil's. */
void library_path_init(struct library_path *path, const char *const *given, size_t count);
void library_path_release(struct library_path *path);
/*
 * Size of the name by which a collector is found for a program: STRB and the first
 * four characters of the program's file name in upper case, and NUL.
 */
#define LIBRARY_NAME 9
void library_name_of(const char *program, char name[LIBRARY_NAME]);
/* Returns whether a file has a name, through links or in its list. */
bool library_file_has(const struct library_file *file, const char *name);
/*
 * Returns the file of a library with a name: a file or link of this name, else a
 * file whose list has it; NULL: none.
 */
const struct library_file *library_find(const struct library *library, const char *name);
/* Appends "A, B (refused: ...) and C": every folder of the path. */
void library_path_list(const struct library_path *path, struct strbuf *sb);

#endif
