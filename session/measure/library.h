/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The library path of data collectors: the folders that are searched for
 * STRBxxxx.so, in order, and what stands in them. Files are looked at, not
 * loaded.
 *
 * A collector runs with the user's rights, so a folder or a file that others
 * could have changed is refused (trust.h). That is looked at once, at the start;
 * until a program needs a collector and it is loaded, nobody but root and this
 * user can put another in its place. The folder that comes with vigil is as good
 * as vigil itself.
 */
#ifndef VIGIL_SESSION_MEASURE_LIBRARY_H
#define VIGIL_SESSION_MEASURE_LIBRARY_H

#include "common/strbuf.h"

/* A data collector in a library, once however many names it has there. */
struct library_file {
	char *name;	       /* STRBxxxx: its own, or of the first link to it */
	char *path;	       /* of the file itself, links followed */
	struct strbuf names;   /* "STRBMYPR STRBOURP": its own and those of links to it */
	struct strbuf aliases; /* the same from the list in it */
	bool own;	       /* comes with vigil */
	bool always;	       /* "*" is in its list: it is found for every program */
	char *problem;	       /* why it is refused, NULL when it is not */
};

struct library {
	char *path; /* absolute where it is there */
	bool given; /* by the request */
	bool own;   /* comes with vigil */
	bool there;
	char *problem; /* why it is refused, NULL when it is not */
	struct library_file *files;
	size_t count, alloc;
};

struct library_path {
	struct library *items; /* in order of search, what comes with vigil last */
	size_t count, alloc;
};

/* The folders given, then those of the environment and of the machine, then vigil's own. */
void library_path_init(struct library_path *path, const char *const *given, size_t count);
void library_path_release(struct library_path *path);
/* The name by which a collector is found for a program: STRB and the first four characters of its
   file name in upper case. */
#define LIBRARY_NAME 9
void library_name_of(const char *program, char name[LIBRARY_NAME]);
/* Whether a file has a name, by links or in its own list. */
bool library_file_has(const struct library_file *file, const char *name);
/* The file of a library with a name: one that stands there under it, else one whose own list has
 * it; NULL. */
const struct library_file *library_find(const struct library *library, const char *name);
/* Append "A, B (refused: ...) and C": every folder of the path. */
void library_path_list(const struct library_path *path, struct strbuf *sb);

#endif
