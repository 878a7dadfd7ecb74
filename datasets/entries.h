/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entries of the catalogue (catalog.h): what is more than a file.
 *
 * An entry is the file ROOT/.vigil/catalog/NAME with lines "KEYWORD value":
 * generation group bases, alternate indexes, paths, aliases, and clusters
 * with what DEFINE said of them. Entries and attributes are replaced whole,
 * by renaming.
 */
#ifndef VIGIL_DATASETS_ENTRIES_H
#define VIGIL_DATASETS_ENTRIES_H

#include "datasets/catalog.h"

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
 * Follows aliases, paths and alternate indexes to the data set whose file holds
 * the records; its name is appended to target. key is its key number: 0 the
 * primary one, also for an alternate index that the file does not have yet. The
 * type of dsn itself; CATALOG_NONE, with dsn as target, when there is no such
 * name.
 */
enum catalog_type catalog_resolve(const struct catalog *catalog, const char *dsn,
				  struct strbuf *target, unsigned *key);
/* The entry of a name; type NONE or NONVSAM when it has none. -1: there is one that cannot be read. */
int catalog_entry_read(const struct catalog *catalog, const char *dsn, struct catalog_entry *entry,
		       struct error *err);
/* Reads the text of an entry's file, which is cut up; false when a line cannot be understood. */
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

/*
 * Deletes a data set: its files, its entry, and the entries of alternate indexes
 * and paths over it; what is not there is no error. -1 with the reason.
 */
int catalog_delete(const struct catalog *catalog, const char *dsn, struct error *err);

#endif
