/* SPDX-License-Identifier: Apache-2.0 */
/* The catalogue's entries, for names that are more than a file. */
#include "common/compat.h"
#include "datasets/entries.h"
#include "common/xalloc.h"
#include "datasets/attributes.h"
#include "datasets/folders.h"

#include <dirent.h>
#include <unistd.h>

#define HOPS 8 /* enough for an alias of a path over an alternate index */

static const char *const type_names[] = { "NONE", "NONVSAM", "CLUSTER", "AIX", "PATH", "ALIAS", "GDG" };

/* Appends ROOT/.vigil/catalog. */
static void entries_folder(const struct catalog *catalog, struct strbuf *path)
{
	strbuf_addf(path, "%s/.vigil/catalog", catalog->root);
}

static void entry_path(const struct catalog *catalog, const char *dsn, struct strbuf *path)
{
	entries_folder(catalog, path);
	strbuf_addf(path, "/%s", dsn);
}

void catalog_entry_release(struct catalog_entry *entry)
{
	free(entry->related);
	free(entry->data);
	free(entry->index);
	free(entry->created);
	*entry = (struct catalog_entry){ 0 };
}

/* Takes a keyword with a text or number as its value; false if it is unknown. */
static bool take_value(struct catalog_entry *entry, const char *keyword, const char *value)
{
	const struct {
		const char *keyword;
		char **text;
		unsigned *number;
	} values[] = {
		{ "RELATED", &entry->related, NULL },	 { "DATA", &entry->data, NULL },
		{ "INDEX", &entry->index, NULL },	 { "CREATED", &entry->created, NULL },
		{ "LIMIT", NULL, &entry->limit },	 { "OFFSET", NULL, &entry->key_offset },
		{ "LENGTH", NULL, &entry->key_length },	 { "NUMBER", NULL, &entry->number },
		{ "AVERAGE", NULL, &entry->average },
	};

	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		if (strcmp(keyword, values[i].keyword) != 0)
			continue;
		if (values[i].number) {
			*values[i].number = (unsigned)strtoul(value, NULL, 10);
		} else {
			free(*values[i].text);
			*values[i].text = xstrdup(value);
		}
		return true;
	}
	return false;
}

/* Returns the flag of an entry that a keyword names; NULL: none. */
static bool *find_flag(struct catalog_entry *entry, const char *keyword)
{
	const struct {
		const char *keyword;
		bool *flag;
	} flags[] = {
		{ "UNIQUE", &entry->unique },	{ "UPGRADE", &entry->upgrade },
		{ "EMPTY", &entry->empty },	{ "SCRATCH", &entry->scratch },
		{ "REUSE", &entry->reuse },	{ "ROLLED-OFF", &entry->rolled_off },
	};

	for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
		if (strcmp(keyword, flags[i].keyword) == 0)
			return flags[i].flag;
	return NULL;
}

/* Takes one line "KEYWORD value", which is modified. */
static bool take_line(struct catalog_entry *entry, char *line)
{
	char *value = strchr(line, ' ');
	bool *flag;

	RETURN_IF(!value, false);
	*value++ = '\0';
	if (strcmp(line, "TYPE") == 0) {
		for (size_t i = 1; i < ARRAY_SIZE(type_names); i++)
			if (strcmp(value, type_names[i]) == 0)
				entry->type = (enum catalog_type)i;
		return entry->type != CATALOG_NONE;
	}
	flag = find_flag(entry, line);
	if (flag)
		*flag = strcmp(value, "YES") == 0;
	return flag || take_value(entry, line, value);
}

bool catalog_entry_parse(struct catalog_entry *entry, char *text)
{
	*entry = (struct catalog_entry){ 0 };
	for (char *end; *text; text = end) {
		end = text + strcspn(text, "\n");
		if (*end)
			*end++ = '\0';
		if (*text && !take_line(entry, text))
			return false;
	}
	return entry->type != CATALOG_NONE;
}

/* Returns the type of a name without an entry: NONVSAM if its file exists. */
static enum catalog_type plain_type(const struct catalog *catalog, const char *dsn)
{
	struct strbuf path = STRBUF_INIT;
	bool exists;

	catalog_file(catalog, dsn, &path);
	exists = catalog_exists(path.text);
	strbuf_release(&path);
	return exists ? CATALOG_NONVSAM : CATALOG_NONE;
}

int catalog_entry_read(const struct catalog *catalog, const char *dsn, struct catalog_entry *entry,
		       struct error *err)
{
	struct strbuf path = STRBUF_INIT, text = STRBUF_INIT;
	int result = 0;

	*entry = (struct catalog_entry){ 0 };
	RETURN_IF(!catalog_name_valid(dsn), 0);
	entry_path(catalog, dsn, &path);
	if (strbuf_read_file(&text, path.text) < 0) {
		if (errno == ENOENT || errno == ENOTDIR)
			entry->type = plain_type(catalog, dsn);
		else
			result = error_errno(err, "the catalog entry %s cannot be read", path.text);
	} else if (!catalog_entry_parse(entry, text.text)) {
		catalog_entry_release(entry);
		result = error_set(err, "the catalog entry %s is damaged", path.text);
	}
	strbuf_release(&path);
	strbuf_release(&text);
	return result;
}

static void format_text(struct strbuf *sb, const char *keyword, const char *value)
{
	if (value)
		strbuf_addf(sb, "%s %s\n", keyword, value);
}

static void format_number(struct strbuf *sb, const char *keyword, unsigned value)
{
	if (value)
		strbuf_addf(sb, "%s %u\n", keyword, value);
}

static void format_flag(struct strbuf *sb, const char *keyword, bool value)
{
	if (value)
		strbuf_addf(sb, "%s YES\n", keyword);
}

static void format_entry(struct strbuf *sb, const struct catalog_entry *entry)
{
	format_text(sb, "TYPE", type_names[entry->type]);
	format_text(sb, "CREATED", entry->created);
	format_text(sb, "RELATED", entry->related);
	format_text(sb, "DATA", entry->data);
	format_text(sb, "INDEX", entry->index);
	format_number(sb, "OFFSET", entry->key_offset);
	format_number(sb, "LENGTH", entry->key_length);
	format_number(sb, "NUMBER", entry->number);
	format_number(sb, "AVERAGE", entry->average);
	format_flag(sb, "UNIQUE", entry->unique);
	format_flag(sb, "UPGRADE", entry->upgrade);
	format_number(sb, "LIMIT", entry->limit);
	format_flag(sb, "EMPTY", entry->empty);
	format_flag(sb, "SCRATCH", entry->scratch);
	format_flag(sb, "REUSE", entry->reuse);
	format_flag(sb, "ROLLED-OFF", entry->rolled_off);
}

int catalog_entry_write(const struct catalog *catalog, const char *dsn,
			const struct catalog_entry *entry, struct error *err)
{
	struct strbuf folder = STRBUF_INIT, text = STRBUF_INIT;
	int result = 0;

	RETURN_IF(!catalog_name_valid(dsn), error_set(err, "%s is not a data set name", dsn));
	entries_folder(catalog, &folder);
	format_entry(&text, entry);
	if (folders_write_file(folder.text, dsn, &text) < 0)
		result = error_errno(err, "the catalog entry of %s cannot be written in %s", dsn,
				     folder.text);
	strbuf_release(&folder);
	strbuf_release(&text);
	return result;
}

int catalog_entry_remove(const struct catalog *catalog, const char *dsn, struct error *err)
{
	struct strbuf path = STRBUF_INIT;
	int result = 0;

	RETURN_IF(!catalog_name_valid(dsn), error_set(err, "%s is not a data set name", dsn));
	entry_path(catalog, dsn, &path);
	if (unlink(path.text) < 0 && errno != ENOENT)
		result = error_errno(err, "the catalog entry %s cannot be removed", path.text);
	strbuf_release(&path);
	return result;
}

/*
 * Returns the key number of an alternate index in a data set's file, 0 if the file
 * has no such key.
 */
static unsigned key_number(const struct catalog *catalog, const char *dsn,
			   const struct catalog_entry *index)
{
	struct strbuf path = STRBUF_INIT;
	struct attributes attributes;
	unsigned number = 0;

	catalog_file(catalog, dsn, &path);
	attributes_get(path.text, &attributes);
	for (unsigned i = 1; i < attributes.key_count && !number; i++)
		if (attributes.keys[i].offset == index->key_offset &&
		    attributes.keys[i].length == index->key_length)
			number = i;
	strbuf_release(&path);
	return number;
}

enum catalog_type catalog_resolve(const struct catalog *catalog, const char *dsn,
				  struct strbuf *target, unsigned *key)
{
	enum catalog_type type = CATALOG_NONE;
	struct catalog_entry entry, index = { 0 };
	char *name = xstrdup(dsn);

	for (unsigned hop = 0; hop < HOPS; hop++) {
		bool further = catalog_entry_read(catalog, name, &entry, NULL) == 0 && entry.related;

		if (hop == 0)
			type = entry.type;
		if (further) {
			free(name);
			name = xstrdup(entry.related);
		}
		if (entry.type == CATALOG_AIX) {
			catalog_entry_release(&index);
			index = entry;
			entry = (struct catalog_entry){ 0 };
		}
		catalog_entry_release(&entry);
		if (!further)
			break;
	}
	*key = index.type == CATALOG_AIX ? key_number(catalog, name, &index) : 0;
	strbuf_addstr(target, name);
	free(name);
	catalog_entry_release(&index);
	return type;
}

/* A list of names under construction. */
struct names {
	char **items;
	size_t count, alloc;
};

static void names_add(struct names *names, const char *name)
{
	GROW(names->items, names->count + 1, names->alloc);
	names->items[names->count++] = xstrdup(name);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sorts the names, and keeps each once. */
static size_t names_finish(struct names *names, char ***items)
{
	size_t kept = 0;

	if (names->count)
		qsort(names->items, names->count, sizeof(*names->items), by_name);
	for (size_t i = 0; i < names->count; i++) {
		if (kept && strcmp(names->items[kept - 1], names->items[i]) == 0)
			free(names->items[i]);
		else
			names->items[kept++] = names->items[i];
	}
	*items = names->items;
	return kept;
}

/* Adds all data set names in a folder; with catalog only those that no rule puts elsewhere. */
static void names_in(struct names *names, const char *path, const struct catalog *catalog)
{
	DIR *folder = opendir(path);
	struct dirent *found;

	if (!folder)
		return;
	while ((found = readdir(folder))) {
		struct strbuf file = STRBUF_INIT, here = STRBUF_INIT;

		if (!catalog_name_valid(found->d_name))
			continue;
		if (catalog) {
			catalog_file(catalog, found->d_name, &file);
			strbuf_addf(&here, "%s/%s", path, found->d_name);
		}
		if (strcmp(file.text, here.text) == 0)
			names_add(names, found->d_name);
		strbuf_release(&file);
		strbuf_release(&here);
	}
	closedir(folder);
}

void catalog_names_free(char **names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(names[i]);
	free(names);
}

size_t catalog_list(const struct catalog *catalog, char ***items)
{
	struct names names = { 0 };
	struct strbuf entries = STRBUF_INIT;

	names_in(&names, catalog->root, catalog);
	entries_folder(catalog, &entries);
	names_in(&names, entries.text, NULL);
	strbuf_release(&entries);
	for (size_t i = 0; i < catalog->rule_count; i++) {
		const char *name = catalog->rules[i].pattern;

		if (catalog_name_valid(name) && plain_type(catalog, name) == CATALOG_NONVSAM)
			names_add(&names, name);
	}
	return names_finish(&names, items);
}

/* Adds the alternate indexes and paths directly over a data set. */
static void add_dependents(struct names *found, const struct catalog *catalog, char **all,
			   size_t count, const char *dsn)
{
	for (size_t i = 0; i < count; i++) {
		struct catalog_entry entry;

		if (catalog_entry_read(catalog, all[i], &entry, NULL) < 0)
			continue;
		if ((entry.type == CATALOG_AIX || entry.type == CATALOG_PATH) && entry.related &&
		    strcmp(entry.related, dsn) == 0)
			names_add(found, all[i]);
		catalog_entry_release(&entry);
	}
}

size_t catalog_dependents(const struct catalog *catalog, const char *dsn, char ***items)
{
	struct names all = { 0 }, found = { 0 };
	struct strbuf entries = STRBUF_INIT;
	size_t direct;

	entries_folder(catalog, &entries);
	names_in(&all, entries.text, NULL);
	add_dependents(&found, catalog, all.items, all.count, dsn);
	direct = found.count;
	for (size_t i = 0; i < direct; i++)
		add_dependents(&found, catalog, all.items, all.count, found.items[i]);
	catalog_names_free(all.items, all.count);
	strbuf_release(&entries);
	return names_finish(&found, items);
}

int catalog_delete(const struct catalog *catalog, const char *dsn, struct error *err)
{
	struct strbuf path = STRBUF_INIT;
	char **names;
	size_t count = catalog_dependents(catalog, dsn, &names);
	int result = 0;

	catalog_file(catalog, dsn, &path);
	if (catalog_remove(path.text) < 0)
		result = error_errno(err, "%s cannot be removed", path.text);
	for (size_t i = 0; i < count && result == 0; i++)
		result = catalog_entry_remove(catalog, names[i], err);
	catalog_names_free(names, count);
	if (result == 0)
		result = catalog_entry_remove(catalog, dsn, err);
	strbuf_release(&path);
	return result;
}
