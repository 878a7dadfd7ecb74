/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The catalogue: data set names and what they stand for.
 *
 * A data set A.B.C is the file ROOT/A.B.C; qualifiers are no folders, so
 * that A.B and A.B.C can both exist. A partitioned data set is the folder
 * ROOT/A.B.C with a file a member. An indexed file of GnuCOBOL may have
 * alternate keys in files beside it, ROOT/A.B.C.1 and so on: they belong to
 * the data set and are renamed and removed with it (no qualifier begins with
 * a digit, so no other data set can have that name).
 *
 * A mapping file puts data sets elsewhere: lines "PATTERN PATH", the first
 * that matches counts. In a pattern % is one character, * the rest of a
 * qualifier, ** any qualifiers, none too; in a path {dsn} is the name, {lower}
 * the name in lower case, {1} {2} ... its qualifiers (a rule does not match
 * a name that has not so many). A path that does not begin with / begins at
 * the mapping file's folder. '#' at the start or after a blank begins a comment.
 *
 * What is more than a file has an entry: entries.h.
 */
#ifndef VIGIL_DATASETS_CATALOG_H
#define VIGIL_DATASETS_CATALOG_H

#include "common/error.h"

struct catalog_rule {
	char *pattern, *path;
	unsigned line; /* of the mapping file */
};

struct catalog {
	char *root; /* absolute */
	char *map;  /* absolute path of the mapping file, NULL none */
	struct catalog_rule *rules;
	size_t rule_count, rule_alloc;
};

/*
 * root must exist. map may be NULL. -1 with the reason (a line of the
 * mapping file that cannot be understood is one; for root also a folder that
 * others can change, folders.h).
 */
int catalog_open(struct catalog *catalog, const char *root, const char *map, struct error *err);
void catalog_release(struct catalog *catalog);

/*
 * Returns whether dsn can be a data set name: qualifiers of 1 to 8 of A-Z 0-9 @ #
 * $ -, parted by periods.
 */
bool catalog_name_valid(const char *dsn);
/* Returns whether member can be a member's name. */
bool catalog_member_valid(const char *member);
/* Returns whether a name matches a pattern of the mapping file, of LISTCAT or of DELETE. */
bool catalog_matches(const char *pattern, const char *dsn);

/*
 * Appends the path of a data set's file, by the mapping file or in the root;
 * entries are not looked at.
 */
void catalog_file(const struct catalog *catalog, const char *dsn, struct strbuf *path);
/*
 * Appends the name under which jobs are kept from the file of a data set, when
 * that is another than its own: where a mapping file or a symbolic link leads to a
 * data set of the root its name, else the file's path. False, and nothing
 * appended, when it is dsn, or no file (a device).
 */
bool catalog_shared_name(const struct catalog *catalog, const char *dsn, struct strbuf *name);
bool catalog_exists(const char *path);
bool catalog_is_folder(const char *path);
/* Returns whether a file is one of Berkeley DB, in which GnuCOBOL keeps indexed files. */
bool catalog_is_indexed(const char *path);
/* How many files with alternate keys are beside a data set's file: PATH.1 and so on. */
unsigned catalog_alternates(const char *path);
/* Removes a data set's files, with alternate keys and attributes. -1 with errno set. */
int catalog_remove(const char *path);
/* Moves the files; the data set itself last. -1 with errno set. */
int catalog_rename(const char *from, const char *to);

#endif
