/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the folders of data collectors, and the files in them. */
#include "common/compat.h"
#include "session/measure/library.h"
#include "common/path.h"
#include "common/xalloc.h"
#include "sampler/host/aliases.h"
#include "common/trust.h"
#include "common/paths.h"

#include <ctype.h>
#include <dirent.h>

#define PREFIX "STRB"
#define SUFFIX ".so"

void library_name_of(const char *program, char name[LIBRARY_NAME])
{
	size_t length = strlen(PREFIX);

	memcpy(name, PREFIX, length);
	for (program = path_base(program); *program && length < LIBRARY_NAME - 1; program++)
		name[length++] = (char)toupper((unsigned char)*program);
	name[length] = '\0';
}

/* Returns whether a list of words separated by blanks contains a word. */
static bool has_word(const char *words, const char *word)
{
	size_t length = strlen(word);

	while (*words) {
		size_t end = strcspn(words, " ");

		if (end == length && memcmp(words, word, length) == 0)
			return true;
		words += end;
		words += strspn(words, " ");
	}
	return false;
}

bool library_file_has(const struct library_file *file, const char *name)
{
	return has_word(file->names.text, name) || has_word(file->aliases.text, name);
}

const struct library_file *library_find(const struct library *library, const char *name)
{
	const struct library_file *listed = NULL;

	for (size_t i = 0; i < library->count; i++) {
		const struct library_file *file = &library->files[i];

		if (has_word(file->names.text, name))
			return file;
		if (!listed && library_file_has(file, name))
			listed = file;
	}
	return listed;
}

/* Returns whether a file name is STRBxxxx.so. */
static bool is_collector_name(const char *name)
{
	size_t length = strlen(name), rest = strlen(PREFIX) + strlen(SUFFIX);

	return length > rest && length <= rest + 4 && strncmp(name, PREFIX, strlen(PREFIX)) == 0 &&
	       strcmp(name + length - strlen(SUFFIX), SUFFIX) == 0;
}

static int is_collector(const struct dirent *entry)
{
	return is_collector_name(entry->d_name);
}

static void add_word(struct strbuf *words, const char *word, size_t length)
{
	if (words->length)
		strbuf_addch(words, ' ');
	strbuf_add(words, word, length);
}

/* Reads the list in the object: "OURP YOUR" as names, "*" for every program. */
static void add_aliases(struct library_file *file)
{
	struct strbuf list = STRBUF_INIT;
	char name[LIBRARY_NAME];

	if (collector_aliases(file->path, &list, NULL) < 0)
		strbuf_reset(&list); /* loading it will report the reason */
	for (char *rest, *word = strtok_r(list.text, " ", &rest); word;
	     word = strtok_r(NULL, " ", &rest)) {
		if (strcmp(word, "*") == 0) {
			file->always = true;
			continue;
		}
		library_name_of(word, name);
		add_word(&file->aliases, name, strlen(name));
	}
	strbuf_release(&list);
}

/* Returns the file at a path, new or already added under another name. Takes ownership of path. */
static struct library_file *add_file(struct library *library, char *path)
{
	struct library_file *file;

	for (size_t i = 0; i < library->count; i++)
		if (strcmp(library->files[i].path, path) == 0) {
			free(path);
			return &library->files[i];
		}
	GROW(library->files, library->count + 1, library->alloc);
	file = &library->files[library->count++];
	*file = (struct library_file){ .path = path, .own = library->own };
	strbuf_init(&file->names);
	strbuf_init(&file->aliases);
	file->problem = library->own ? NULL : trust_refuse(path);
	if (!file->problem)
		add_aliases(file);
	return file;
}

/* Adds the target of a file name in a library. */
static void add_entry(struct library *library, const char *entry)
{
	size_t length = strlen(entry) - strlen(SUFFIX);
	struct strbuf link = STRBUF_INIT;
	struct library_file *file;
	char *path;

	strbuf_addf(&link, "%s/%s", library->path, entry);
	path = realpath(link.text, NULL);
	file = add_file(library, path ? path : xstrdup(link.text));
	if (!path && !file->problem)
		file->problem = xstrdup("the link points to no file");
	add_word(&file->names, entry, length);
	if (!file->name || strcmp(path_base(file->path), entry) == 0) {
		free(file->name);
		file->name = xstrndup(entry, length);
	}
	strbuf_release(&link);
}

/* Checks a folder and adds the files in it. */
static void scan(struct library *library)
{
	struct dirent **entries = NULL;
	int count;

	library->problem = library->own ? NULL : trust_refuse(library->path);
	library->there = library->problem != NULL;
	if (library->problem)
		return;
	count = scandir(library->path, &entries, is_collector, alphasort);
	library->there = count >= 0;
	if (count < 0 && errno != ENOENT)
		library->problem = xstrdup(strerror(errno));
	for (int i = 0; i < count; i++) {
		add_entry(library, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
}

/* Adds a folder to the path unless it is already there. */
static void add_library(struct library_path *path, const char *folder, size_t length)
{
	char *text = xstrndup(folder, length), *real = realpath(text, NULL);
	struct library *library;

	if (real) {
		free(text);
		text = real;
	}
	for (size_t i = 0; i < path->count; i++)
		if (strcmp(path->items[i].path, text) == 0) {
			free(text);
			return;
		}
	GROW(path->items, path->count + 1, path->alloc);
	library = &path->items[path->count++];
	*library = (struct library){ .path = text };
}

/* Adds the folders of VIGIL_COLLECTORS, separated by colons. */
static void add_variable(struct library_path *path)
{
	const char *folders = getenv("VIGIL_COLLECTORS");

	while (folders && *folders) {
		size_t length = strcspn(folders, ":");

		if (length)
			add_library(path, folders, length);
		folders += length + (folders[length] == ':');
	}
}

/* Adds the folder in the user's home. */
static void add_home(struct library_path *path)
{
	const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
	struct strbuf folder = STRBUF_INIT;

	if (data && data[0] == '/')
		strbuf_addf(&folder, "%s/vigil/collectors", data);
	else if (home && home[0] == '/')
		strbuf_addf(&folder, "%s/.local/share/vigil/collectors", home);
	if (folder.length)
		add_library(path, folder.text, folder.length);
	strbuf_release(&folder);
}

/* Marks the folder that comes with vigil, even if it was named elsewhere in the path. */
static void add_own(struct library_path *path)
{
	char *folder = paths_collectors(), *own = folder ? realpath(folder, NULL) : NULL;

	if (own)
		add_library(path, own, strlen(own));
	for (size_t i = 0; own && i < path->count; i++)
		if (strcmp(path->items[i].path, own) == 0)
			path->items[i].own = true;
	free(folder);
	free(own);
}

void library_path_init(struct library_path *path, const char *const *given, size_t count)
{
	static const char machine[] = "/usr/local/lib/vigil/collectors";

	*path = (struct library_path){ 0 };
	for (size_t i = 0; i < count; i++)
		add_library(path, given[i], strlen(given[i]));
	for (size_t i = 0; i < path->count; i++)
		path->items[i].given = true;
	add_variable(path);
	add_home(path);
	add_library(path, machine, strlen(machine));
	add_own(path);
	for (size_t i = 0; i < path->count; i++)
		scan(&path->items[i]);
}

static void library_release(struct library *library)
{
	for (size_t i = 0; i < library->count; i++) {
		struct library_file *file = &library->files[i];

		free(file->name);
		free(file->path);
		free(file->problem);
		strbuf_release(&file->names);
		strbuf_release(&file->aliases);
	}
	free(library->files);
	free(library->path);
	free(library->problem);
}

void library_path_release(struct library_path *path)
{
	for (size_t i = 0; i < path->count; i++)
		library_release(&path->items[i]);
	free(path->items);
	*path = (struct library_path){ 0 };
}

void library_path_list(const struct library_path *path, struct strbuf *sb)
{
	for (size_t i = 0; i < path->count; i++) {
		if (i > 0)
			strbuf_addstr(sb, i + 1 < path->count ? ", " : " and ");
		strbuf_addstr(sb, path->items[i].path);
		if (path->items[i].problem)
			strbuf_addf(sb, " (refused: %s)", path->items[i].problem);
	}
}
