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
 * What is more than a file has an entry, the file ROOT/.vigil/catalog/NAME
 * with lines "KEYWORD value": generation group bases, alternate indexes,
 * paths, aliases, and clusters with what DEFINE said of them. Entries and
 * attributes are replaced whole, by renaming.
 */
#ifndef VIGIL_SESSION_DATASETS_CATALOG_H
#define VIGIL_SESSION_DATASETS_CATALOG_H

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

enum catalog_type {
	CATALOG_NONE,	 /* nothing of that name */
	CATALOG_NONVSAM, /* a file or folder without an entry, or DEFINE NONVSAM */
	CATALOG_CLUSTER, /* DEFINE CLUSTER: a file with attributes */
	CATALOG_AIX,	 /* alternate index: key number of related's file */
	CATALOG_PATH,	 /* related: a cluster or an alternate index */
	CATALOG_ALIAS,	 /* related: another name of that data set */
	CATALOG_GDG,	 /* base of a generation group */
};

/* An entry; all strings are the entry's own, NULL when not said. */
struct catalog_entry {
	enum catalog_type type;
	char *related; /* AIX, PATH, ALIAS; a cluster's data and index have no entries */
	char *data, *index; /* CLUSTER: names of the components */
	unsigned key_offset, key_length; /* AIX */
	bool unique, upgrade;		 /* AIX */
	unsigned number;  /* AIX: in the order in which those of a cluster were defined, from 1 */
	unsigned average; /* CLUSTER: record length as DEFINE said it */
	unsigned limit; /* GDG: how many generations are kept, 1 to 255 */
	bool empty;	/* GDG: when the limit is passed all go, else the oldest */
	bool scratch;	/* GDG: those that go are deleted, else they only leave the group */
	bool reuse;	/* CLUSTER */
	bool rolled_off; /* NONVSAM: a generation that left its group and was kept */
	char *created;	/* "2026-11-21" */
};

/*
 * root must exist. map may be NULL. -1 with the reason (a line of the
 * mapping file that cannot be understood is one; for root also a folder that
 * others can change, folders.h).
 */
int catalog_open(struct catalog *catalog, const char *root, const char *map, struct error *err);
void catalog_release(struct catalog *catalog);

/* Whether dsn can be a data set name: qualifiers of 1 to 8 of A-Z 0-9 @ # $ -, parted by periods. */
bool catalog_name_valid(const char *dsn);
/* Whether member can be a member's name. */
bool catalog_member_valid(const char *member);
/* Whether a name matches a pattern of the mapping file, of LISTCAT or of DELETE. */
bool catalog_matches(const char *pattern, const char *dsn);

/* Append the path of a data set's file, by the mapping file or in the root; entries are not looked at. */
void catalog_file(const struct catalog *catalog, const char *dsn, struct strbuf *path);
/*
 * Append the name under which jobs are kept from the file of a data set, when that is
 * another than its own: where a mapping file or a symbolic link leads to a
 * data set of the root its name, else the file's path. False, and nothing
 * appended, when it is dsn, or no file (a device).
 */
bool catalog_shared_name(const struct catalog *catalog, const char *dsn, struct strbuf *name);
/*
 * Follow aliases, paths and alternate indexes to the data set whose file
 * holds the records; its name is appended to target. key is its key number: 0
 * the primary one, also for an alternate index that the file does not have yet.
 * The type of dsn itself; CATALOG_NONE, with dsn as target, when there is no such name.
 */
enum catalog_type catalog_resolve(const struct catalog *catalog, const char *dsn,
				  struct strbuf *target, unsigned *key);
/* The entry of a name; type NONE or NONVSAM when it has none. -1: there is one that cannot be read. */
int catalog_entry_read(const struct catalog *catalog, const char *dsn, struct catalog_entry *entry,
		       struct error *err);
/* Read the text of an entry's file, which is cut up; false when a line cannot be understood. */
bool catalog_entry_parse(struct catalog_entry *entry, char *text);
int catalog_entry_write(const struct catalog *catalog, const char *dsn,
			const struct catalog_entry *entry, struct error *err);
/* -1 with the reason; an entry that is not there is none. */
int catalog_entry_remove(const struct catalog *catalog, const char *dsn, struct error *err);
void catalog_entry_release(struct catalog_entry *entry);
/*
 * All names in the root, among the entries and where the mapping file's
 * rules without wildcards lead, in order of the names, each once. They are
 * the caller's, until catalog_names_free.
 */
size_t catalog_list(const struct catalog *catalog, char ***names);
/* Names of alternate indexes and paths over a data set, also paths over those, as catalog_list. */
size_t catalog_dependents(const struct catalog *catalog, const char *dsn, char ***names);
void catalog_names_free(char **names, size_t count);

bool catalog_exists(const char *path);
bool catalog_is_folder(const char *path);
/* Whether a file is one of Berkeley DB, in which GnuCOBOL keeps indexed files. */
bool catalog_is_indexed(const char *path);
/* How many files with alternate keys are beside a data set's file: PATH.1 and so on. */
unsigned catalog_alternates(const char *path);
/* Remove a data set's files, with alternate keys and attributes. -1 with errno set. */
int catalog_remove(const char *path);
/*
 * Delete a data set: its files, its entry, and the entries of alternate
 * indexes and paths over it; what is not there is no error. -1 with the reason.
 */
int catalog_delete(const struct catalog *catalog, const char *dsn, struct error *err);
/* Move the files; the data set itself last. -1 with errno set. */
int catalog_rename(const char *from, const char *to);

#endif
