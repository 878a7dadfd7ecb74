/* SPDX-License-Identifier: Apache-2.0 */
/* Makes records from the entries of folders, with one small file an item. */
#include "common/compat.h"
#include "common/procfs.h"
#include "metrics/metric-scan.h"

#include <dirent.h>

/* Calls each for the entries of a folder, in no particular order. */
static void walk(struct metric_source *source, unsigned file, const char *before, const char *after,
		 const char *prefix)
{
	char path[PROCFS_PATH_SIZE], name[PROCFS_PATH_SIZE], below[PROCFS_PATH_SIZE];
	DIR *folder = opendir(procfs_path(path, "%s", before));
	const struct dirent *entry;

	if (!folder) {
		source->texts[file - 1].error = errno;
		return;
	}
	while ((entry = readdir(folder))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(name, sizeof(name), "%s%s", prefix, entry->d_name);
		if (!after) {
			metric_scan_add(source->own, file, name);
			continue;
		}
		snprintf(below, sizeof(below), "%s%s%s", before, entry->d_name, after);
		snprintf(name, sizeof(name), "%s%s/", prefix, entry->d_name);
		walk(source, file, below, NULL, name);
	}
	closedir(folder);
}

/* Adds the entries of all folders. */
static void list(struct metric_source *source)
{
	for (unsigned file = 1; file <= source->kind->file_count; file++) {
		const char *path = source->kind->files[file - 1].path, *any = strchr(path, '?');
		char before[PROCFS_PATH_SIZE];

		if (source->kind->files[file - 1].form != METRIC_OTHER)
			continue;
		snprintf(before, sizeof(before), "%.*s",
			 any ? (int)(any - path) : (int)strlen(path), path);
		source->texts[file - 1].error = 0;
		walk(source, file, before, any ? any + 1 : NULL, "");
	}
}

/* Builds the path of an entry: the "?" is replaced by its name. */
static void entry_path(const struct metric_source *source, const struct metric_scan_entry *entry,
		       char path[PROCFS_PATH_SIZE])
{
	const char *folder = source->kind->files[entry->file - 1].path, *any = strchr(folder, '?');
	const char *slash = any ? strchr(entry->name, '/') : NULL;

	if (slash)
		snprintf(path, PROCFS_PATH_SIZE, "%.*s%.*s%s%s", (int)(any - folder), folder,
			 (int)(slash - entry->name), entry->name, any + 1, slash);
	else
		snprintf(path, PROCFS_PATH_SIZE, "%s/%s", folder, entry->name);
}

/* Takes the last component of a link's target. */
static bool take_link(struct metric_source *source, size_t item, const char *path)
{
	char target[PROCFS_PATH_SIZE];
	const char *slash;

	if (procfs_link(path, target, sizeof(target)) < 1)
		return false;
	slash = strrchr(target, '/');
	metric_string(source, item, slash ? slash + 1 : target);
	return true;
}

/* Takes all items of one entry. */
static bool look(struct metric_source *source, const struct metric_scan_entry *entry)
{
	const struct metric_kind *kind = source->kind;
	char folder[PROCFS_PATH_SIZE], path[PROCFS_PATH_SIZE];
	bool any = false;

	entry_path(source, entry, folder);
	for (size_t i = 0; i < kind->item_count; i++) {
		const char *key = kind->items[i].from.key;

		if (kind->items[i].from.file != entry->file || !key)
			continue;
		procfs_path(path, "%s/%s", folder, *key == '@' ? key + 1 : key);
		if (*key == '@' ? take_link(source, i, path) : metric_small_file(source, i, path))
			any = true;
	}
	return any && (!kind->complete || kind->complete(source));
}

void metric_folder_read(struct metric_source *source)
{
	metric_scan_read(source, list, look);
}

void metric_folder_read_all(struct metric_source *source)
{
	struct metric_scan *scan = source->own;

	if (!scan->round++)
		idmap_init(&scan->known);
	for (size_t i = 0; i < scan->count; i++)
		free(scan->entries[i].name);
	scan->count = scan->at = 0;
	list(source);
	for (; scan->at < scan->count; scan->at++) {
		const struct metric_scan_entry *entry = &scan->entries[scan->at];

		metric_begin(source);
		if (!look(source, entry))
			continue;
		metric_string(source, METRIC_SCAN_NAME, entry->name);
		metric_add(source);
	}
}
