/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entries of the catalogue (catalog.h), for names that are more than a file.
 *
 * An entry is the file ROOT/.vigil/catalog/NAME with lines "KEYWORD value": for
 * generation group bases, alternate indexes, paths, aliases, and clusters with the
 * operands of their DEFINE. Entries and attributes are replaced as a whole, by
 * renaming.
 */
#ifndef VIGIL_DATASETS_ENTRIES_H
#define VIGIL_DATASETS_ENTRIES_H

#include "datasets/catalog.h"

enum catalog_type {
	CATALOG_NONE,	 /* no such name */
	CATALOG_NONVSAM, /* a file or folder without an entry, or DEFINE NONVSAM */
	CATALOG_CLUSTER, /* DEFINE CLUSTER: a file with attributes */
	CATALOG_AIX,	 /* alternate index: a key of related's file */
	CATALOG_PATH,	 /* related: a cluster or an alternate index */
	CATALOG_ALIAS,	 /* related: the data set of which this is another name */
	CATALOG_GDG,	 /* base of a generation group */
};

/* An entry; all strings are owned, NULL: not given. */
struct catalog_entry {
	enum catalog_type type;
	char *related; /* AIX, PATH, ALIAS; a cluster's data and index components have no entries */
	char *data, *index; /* CLUSTER: names of the components */
	unsigned key_offset, key_length; /* AIX */
	bool unique, upgrade;		 /* AIX */
	unsigned number;  /* AIX: number in the order in which those of its cluster were defined,
			   * from 1 */
	unsigned average; /* CLUSTER: average record length from DEFINE */
	unsigned limit; /* GDG: maximum number of generations, 1 to 255 */
	bool empty;	/* GDG: beyond the limit all old generations leave, else only the oldest */
	bool scratch;	/* GDG: those that leave are deleted, else kept outside the group */
	bool reuse;	/* CLUSTER */
	bool rolled_off; /* NONVSAM: a generation that left its group and was kept */
	char *created;	/* "2026-11-21" */
};

/*
 * Follows aliases, paths and alternate indexes to the data set whose file contains
 * the records, and appends its name to target. key is set to the key number: 0 is
 * the primary one, also for an alternate index that the file does not have yet.
 * Returns the type of dsn itself; CATALOG_NONE, with dsn as target, if there is no
 * such name.
 */
enum catalog_type catalog_resolve(const struct catalog *catalog, const char *dsn,
				  struct strbuf *target, unsigned *key);
/* Reads the entry of a name; type NONE or NONVSAM if it has none. -1: the entry cannot be read. */
int catalog_entry_read(const struct catalog *catalog, const char *dsn, struct catalog_entry *entry,
		       struct error *err);
/* Parses the text of an entry's file, which is modified; false if a line is invalid. */
bool catalog_entry_parse(struct catalog_entry *entry, char *text);
int catalog_entry_write(const struct catalog *catalog, const char *dsn,
			const struct catalog_entry *entry, struct error *err);
/* Removes an entry; a missing entry is no error. -1 with the reason. */
int catalog_entry_remove(const struct catalog *catalog, const char *dsn, struct error *err);
void catalog_entry_release(struct catalog_entry *entry);
/*
 * Lists all names in the root, among the entries, and for which rules of the
 * mapping file without wildcards lead to a file; sorted, each once. The caller
 * frees them with catalog_names_free.
 */
size_t catalog_list(const struct catalog *catalog, char ***names);
/*
 * Lists the names of alternate indexes and paths over a data set, including paths
 * over those indexes, like catalog_list.
 */
size_t catalog_dependents(const struct catalog *catalog, const char *dsn, char ***names);
void catalog_names_free(char **names, size_t count);

/*
 * Deletes a data set: its files, its entry, and the entries of alternate indexes
 * and paths over it; missing ones are no error. -1 with the reason.
 */
int catalog_delete(const struct catalog *catalog, const char *dsn, struct error *err);

#endif
