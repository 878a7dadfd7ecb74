/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The catalogue: maps data set names to files.
 *
 * A data set A.B.C is the file ROOT/A.B.C; qualifiers are not folders, so that A.B
 * and A.B.C can both exist. A partitioned data set is the folder ROOT/A.B.C with
 * one file per member. An indexed file of GnuCOBOL may have alternate keys in
 * files next to it, ROOT/A.B.C.1 and so on: they belong to the data set and are
 * renamed and removed with it (no qualifier begins with a digit, so no other data
 * set can have that name).
 *
 * A mapping file puts data sets elsewhere. It has lines "PATTERN PATH", of which
 * the first match counts. In a pattern % is one character, * the rest of a
 * qualifier, ** any number of qualifiers, including none. In a path {dsn} is the
 * name, {lower} the name in lower case, {1} {2} ... its qualifiers (a rule does
 * not match a name with fewer qualifiers). A path that does not begin with / is
 * relative to the mapping file's folder. '#' at the start of a line or after a
 * blank begins a comment.
 *
 * Names that are more than a file have an entry: entries.h.
 */
#ifndef VIGIL_DATASETS_CATALOG_H
#define VIGIL_DATASETS_CATALOG_H

#include "common/error.h"

struct catalog_rule {
	char *pattern, *path;
	unsigned line; /* line number in the mapping file */
};

struct catalog {
	char *root; /* absolute */
	char *map;  /* absolute path of the mapping file; NULL: none */
	struct catalog_rule *rules;
	size_t rule_count, rule_alloc;
};

/*
 * Opens the catalogue. root must exist; map may be NULL. -1 with the reason, such
 * as an invalid line of the mapping file or, for root, a folder that other users
 * can change (folders.h).
 */
int catalog_open(struct catalog *catalog, const char *root, const char *map, struct error *err);
void catalog_release(struct catalog *catalog);

/*
 * Returns whether dsn can be a data set name: at most 44 characters, qualifiers of
 * 1 to 8 letters, digits and @ # $ - _, separated by periods; a qualifier does not
 * begin with a digit, - or _.
 */
bool catalog_name_valid(const char *dsn);
/* Returns whether member can be a member's name. */
bool catalog_member_valid(const char *member);
/* Returns whether a name matches a pattern of the mapping file, of LISTCAT or of DELETE. */
bool catalog_matches(const char *pattern, const char *dsn);

/* Appends the path of a data set's file, by the mapping file or in the root; ignores entries. */
void catalog_file(const struct catalog *catalog, const char *dsn, struct strbuf *path);
/*
 * Appends the name by which other jobs lock the file of a data set, if it differs
 * from dsn. If a mapping file or a symbolic link leads to a data set of the root
 * it is that one's name, else the file's path. False, and nothing appended, if it
 * is dsn, or the file is a device.
 */
bool catalog_shared_name(const struct catalog *catalog, const char *dsn, struct strbuf *name);
bool catalog_exists(const char *path);
bool catalog_is_folder(const char *path);
/* Returns whether a file is a Berkeley DB file, which is GnuCOBOL's format for indexed files. */
bool catalog_is_indexed(const char *path);
/* Returns the number of files with alternate keys next to a data set's file: PATH.1 and so on. */
unsigned catalog_alternates(const char *path);
/* Removes a data set's files, including alternate keys and attributes. -1 with errno set. */
int catalog_remove(const char *path);
/* Renames the files, the data set's main file last. -1 with errno set. */
int catalog_rename(const char *from, const char *to);

#endif
