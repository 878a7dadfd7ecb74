/* SPDX-License-Identifier: Apache-2.0 */
/*
 * BLDINDEX and VERIFY. GnuCOBOL keeps alternate keys in files next to the indexed
 * file, numbered in the order of the program's SELECT; here this is the order in
 * which the alternate indexes were defined. The file is rebuilt under another
 * name, which then replaces the old file.
 */
#include "common/compat.h"
#include "utilities/idcams/index.h"
#include "common/xalloc.h"
#include "datasets/btree.h"
#include "datasets/entries.h"
#include "datasets/file-names.h"
#include "datasets/update-mark.h"
#include "utilities/idcams/set.h"
#include "utilities/idcams/verbs.h"

#include <unistd.h>

/* An alternate index of a cluster. */
struct alternate {
	char *name;
	struct catalog_entry entry;
	bool built; /* the file has its key, or will have it */
};

/* The alternate indexes of a cluster, in the order of their definition. */
struct alternates {
	struct alternate *items;
	size_t count, alloc;
};

static int by_number(const void *a, const void *b)
{
	const struct alternate *x = a, *y = b;

	return x->entry.number < y->entry.number ? -1 : x->entry.number > y->entry.number;
}

/* Returns the number of an alternate index's key in the file; 0: the file does not have it. */
static unsigned key_of(const struct attributes *attributes, const struct catalog_entry *index)
{
	for (unsigned i = 1; i < attributes->key_count; i++)
		if (attributes->keys[i].offset == index->key_offset &&
		    attributes->keys[i].length == index->key_length)
			return i;
	return 0;
}

/* Finds the alternate indexes of a cluster. */
static void alternates_read(struct idcams *idcams, struct alternates *list, const char *cluster,
			    const struct attributes *attributes)
{
	char **names;
	size_t count = catalog_dependents(&idcams->catalog, cluster, &names);

	*list = (struct alternates){ 0 };
	for (size_t i = 0; i < count; i++) {
		struct alternate one = { .name = xstrdup(names[i]) };

		if (catalog_entry_read(&idcams->catalog, names[i], &one.entry, NULL) < 0 ||
		    one.entry.type != CATALOG_AIX) {
			catalog_entry_release(&one.entry);
			free(one.name);
			continue;
		}
		one.built = key_of(attributes, &one.entry) > 0;
		GROW(list->items, list->count + 1, list->alloc);
		list->items[list->count++] = one;
	}
	catalog_names_free(names, count);
	if (list->count)
		qsort(list->items, list->count, sizeof(*list->items), by_number);
}

static void alternates_release(struct alternates *list)
{
	for (size_t i = 0; i < list->count; i++) {
		free(list->items[i].name);
		catalog_entry_release(&list->items[i].entry);
	}
	free(list->items);
	*list = (struct alternates){ 0 };
}

/* Sets attributes to the keys of the alternate indexes that are built. */
static void put_keys(struct attributes *attributes, const struct alternates *list)
{
	attributes->key_count = 1;
	for (size_t i = 0; i < list->count && attributes->key_count < ATTRIBUTES_KEYS; i++) {
		const struct catalog_entry *entry = &list->items[i].entry;

		if (!list->items[i].built)
			continue;
		attributes->keys[attributes->key_count++] =
			(struct record_key){ .offset = entry->key_offset,
					     .length = entry->key_length,
					     .duplicates = !entry->unique };
	}
}

/* Copies all records. 1: a key that must be unique is not, -1: error; both with the reason. */
static int copy_records(struct record_reader *reader, struct record_writer *writer,
			struct error *err)
{
	struct record record;
	int got, put = 0;

	while (put == 0 && (got = record_read(reader, &record, err)) > 0)
		put = record_write(writer, &record, err);
	return put != 0 ? put : got;
}

/* Copies the records of a file to a new one with other keys, and stores these with it. */
static int make_copy(const char *path, const struct attributes *now, const char *copy,
		     const struct attributes *wanted, struct error *err)
{
	struct record_reader *reader = NULL;
	struct record_writer *writer = NULL;
	int result;

	RETURN_IF(record_reader_open(&reader, path, now, err) < 0, -1);
	result = record_writer_open(&writer, copy, wanted, 0, err);
	if (result == 0) {
		result = copy_records(reader, writer, err);
		if (record_writer_close(writer, result ? NULL : err) < 0 && result == 0)
			result = -1;
	}
	record_reader_close(reader);
	return result == 0 ? attributes_set(copy, wanted, err) : result;
}

/* Removes the files of keys that the file no longer has. */
static void remove_keys(const char *path, unsigned from, unsigned end)
{
	for (unsigned key = from; key < end; key++) {
		struct strbuf file = STRBUF_INIT;

		unlink(file_names_of(path, key, &file));
		strbuf_release(&file);
	}
}

/* Rebuilds a cluster's file with other alternate keys. Returns as make_copy does. */
static int rebuild(const char *path, const struct attributes *now, const struct attributes *wanted,
		   struct error *err)
{
	struct strbuf copy = STRBUF_INIT;
	int result;

	strbuf_addf(&copy, "%s~", path);
	catalog_remove(copy.text); /* left by a process that was killed */
	result = make_copy(path, now, copy.text, wanted, err);
	if (result == 0 && catalog_rename(copy.text, path) < 0)
		result = error_errno(err, "%s cannot replace %s", copy.text, path);
	if (result == 0)
		remove_keys(path, wanted->key_count, now->key_count);
	else
		catalog_remove(copy.text);
	strbuf_release(&copy);
	return result;
}

/* Finds the file of a data set and its attributes. */
static void cluster_file(struct idcams *idcams, const char *dsn, struct strbuf *path,
			 struct attributes *attributes)
{
	catalog_file(&idcams->catalog, dsn, path);
	attributes_get(path->text, attributes);
}

int idcams_index_drop(struct idcams *idcams, const struct catalog_entry *index)
{
	struct strbuf path = STRBUF_INIT;
	struct attributes now, wanted;
	struct alternates list;
	struct error err = ERROR_INIT;
	int result = 0;

	cluster_file(idcams, index->related, &path, &now);
	if (key_of(&now, index) > 0 && catalog_exists(path.text)) {
		alternates_read(idcams, &list, index->related, &now);
		for (size_t i = 0; i < list.count; i++)
			list.items[i].built &= list.items[i].entry.number != index->number;
		wanted = now;
		put_keys(&wanted, &list);
		alternates_release(&list);
		result = idcams_lock(idcams, index->related, true);
		if (result == 0 && rebuild(path.text, &now, &wanted, &err) != 0)
			result =
				utility_message(idcams->utility, SEVERITY_ERROR, 5628,
						"the key of an alternate index cannot be removed "
						"from %s: %s",
						index->related, error_text(&err));
	}
	error_release(&err);
	strbuf_release(&path);
	return result;
}

/* Marks an alternate index that BLDINDEX names. -1 after a message. */
static int mark(struct idcams *idcams, struct alternates *list, const char *cluster,
		const char *name)
{
	struct strbuf target = STRBUF_INIT;
	struct catalog_entry entry;
	unsigned key;
	int result = -1;

	catalog_entry_read(&idcams->catalog, name, &entry, NULL);
	if (entry.type == CATALOG_PATH && entry.related)
		name = entry.related;
	catalog_resolve(&idcams->catalog, name, &target, &key);
	for (size_t i = 0; i < list->count; i++) {
		if (strcmp(list->items[i].name, name) != 0)
			continue;
		list->items[i].built = true;
		result = 0;
	}
	if (result < 0)
		utility_message(idcams->utility, SEVERITY_SEVERE, 5629,
				"%s is not an alternate index of %s", name, cluster);
	catalog_entry_release(&entry);
	strbuf_release(&target);
	return result;
}

/* Marks those that OUTDATASET or OUTFILE names. */
static int mark_all(struct idcams *idcams, struct alternates *list, const char *cluster,
		    const struct idcams_command *command)
{
	const struct idcams_operand *names = idcams_find(command->operands, "OUTDATASET");
	const struct idcams_operand *file = idcams_find(command->operands, "OUTFILE");

	if (file) {
		const char *name = utility_dsn(file->values->text);

		if (!name)
			return utility_foreign_message(idcams->utility, "IDC3300I", SEVERITY_SEVERE, 5554,
					     "ERROR OPENING %s: THE STEP HAS NO SUCH DD",
					     file->values->text);
		return mark(idcams, list, cluster, name);
	}
	if (!names)
		return utility_message(idcams->utility, SEVERITY_SEVERE, 5554,
				       "OUTDATASET or OUTFILE is needed");
	for (const struct idcams_operand *name = names->values; name; name = name->next)
		RETURN_IF(mark(idcams, list, cluster, name->text) < 0, -1);
	return 0;
}

/* Builds the keys of the marked alternate indexes. */
static void build(struct idcams *idcams, const struct idcams_set *set,
		  const struct alternates *list)
{
	const struct attributes *now = &set->dd.attributes;
	struct attributes wanted = *now;
	struct error err = ERROR_INIT;
	int result;

	put_keys(&wanted, list);
	result = rebuild(set->dd.path, now, &wanted, &err);
	for (size_t i = 0; i < list->count && result == 0; i++)
		if (list->items[i].built)
			utility_foreign_message(idcams->utility, "IDC0652I", SEVERITY_INFO, 0,
				      "%s SUCCESSFULLY BUILT", list->items[i].name);
	if (result > 0)
		utility_message(idcams->utility, SEVERITY_SEVERE, 5630,
				"%s is unchanged: a key that must be unique is not: %s", set->dsn,
				error_text(&err));
	else if (result < 0)
		utility_message(idcams->utility, SEVERITY_SEVERE, 5631,
				"cannot build the alternate indexes of %s: %s", set->dsn,
				error_text(&err));
	error_release(&err);
}

void idcams_bldindex(struct idcams *idcams, const struct idcams_command *command)
{
	struct idcams_set set;
	struct alternates list;

	if (!idcams_has_root(idcams) ||
	    idcams_set_find(idcams, &set, command->operands, "INFILE", "INDATASET", true, true) < 0)
		return;
	if (!set.dsn || set.dd.attributes.organization != ORGANIZATION_INDEXED) {
		utility_message(idcams->utility, SEVERITY_SEVERE, 5629,
				"%s is not an INDEXED cluster", set.name);
		idcams_set_release(&set);
		return;
	}
	alternates_read(idcams, &list, set.dsn, &set.dd.attributes);
	if (mark_all(idcams, &list, set.dsn, command) == 0)
		build(idcams, &set, &list);
	alternates_release(&list);
	idcams_set_release(&set);
}

/* Checks that all records are found by an alternate key. -1 with the reason. */
static int verify_key(const struct idcams_set *set, unsigned key, uint64_t records,
		      struct error *err)
{
	const struct attributes *attributes = &set->dd.attributes;
	uint64_t found;

	if (idcams_count(set->dd.path, attributes, key, &found, err) < 0)
		return error_prefix(err,
				    "alternate key %u does not match the records; BLDINDEX "
				    "rebuilds it",
				    key);
	RETURN_IF(found == records, 0);
	return error_set(err,
			 "alternate key %u has %" PRIu64 " of %" PRIu64 " records; BLDINDEX "
			 "rebuilds it",
			 key, found, records);
}

/*
 * Counts the records of a cluster by each of its keys. 1: an alternate key is
 * wrong, -1: the records themselves cannot be read; both with the reason.
 */
static int examine(const struct idcams_set *set, uint64_t *records, struct error *err)
{
	const struct attributes *attributes = &set->dd.attributes;

	RETURN_IF(idcams_count(set->dd.path, attributes, 0, records, err) < 0, -1);
	for (unsigned key = 1; key < attributes->key_count; key++)
		RETURN_IF(verify_key(set, key, *records, err) < 0, 1);
	return 0;
}

/*
 * Repairs a file whose last update was interrupted: the records that can be read
 * in order become the file, with its keys rebuilt. -1 with the reason; the file is
 * unchanged.
 */
static int repair_file(struct idcams *idcams, const struct idcams_set *set, const char *who,
		uint64_t *records, struct error *err)
{
	const struct attributes *attributes = &set->dd.attributes;
	struct strbuf mark = STRBUF_INIT;
	int result;

	RETURN_IF(set->dsn && idcams_lock(idcams, set->dsn, true) < 0,
		  error_set(err, "it is in use"));
	update_mark_take_over(set->dd.path, &mark);
	result = btree_check(set->dd.path, err);
	if (result == 0)
		result = idcams_count(set->dd.path, attributes, 0, records, err);
	if (result == 0)
		result = rebuild(set->dd.path, attributes, attributes, err);
	if (result != 0)
		update_mark_restore(set->dd.path, &mark);
	strbuf_release(&mark);
	RETURN_IF(result != 0, -1);
	update_mark_clear(set->dd.path);
	utility_message(idcams->utility, SEVERITY_WARNING, 5643,
			"%s is repaired: %" PRIu64 " records; the last changes of %s may be "
			"missing",
			set->name, *records, who);
	return 0;
}

void idcams_verify(struct idcams *idcams, const struct idcams_command *command)
{
	struct idcams_set set;
	struct error err = ERROR_INIT;
	struct strbuf who = STRBUF_INIT;
	uint64_t records = 0;
	int result;

	if (idcams_set_find(idcams, &set, command->operands, "FILE", "DATASET", true, false) < 0)
		return;
	if (!idcams_set_is_cluster(&set) && catalog_is_indexed(set.dd.path))
		result = error_set(
			&err, "it is an indexed file, but its keys are not known; a job with a "
			      "COBOL program that opens it for update (I-O) makes them known");
	else if (!idcams_set_is_cluster(&set))
		result = error_set(&err, "it is not a cluster");
	else if (update_mark_stale(set.dd.path, &who))
		result = repair_file(idcams, &set, who.text, &records, &err);
	else
		result = examine(&set, &records, &err);
	if (result != 0)
		utility_message(idcams->utility, SEVERITY_SEVERE, 5632, "%s: %s", set.name,
				error_text(&err));
	else
		utility_message(idcams->utility, SEVERITY_INFO, 5633,
				"%s is intact: %" PRIu64 " records", set.name, records);
	error_release(&err);
	strbuf_release(&who);
	idcams_set_release(&set);
}
