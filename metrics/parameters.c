/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PAR: the parameters of the kernel and its modules.
 *
 * A parameter is a writable file below /proc/sys: a read-only file is state. Files
 * that are not readable by everybody are left out, as they may be keys. For
 * network interfaces, only the settings of "all" and "default" are reported, not
 * those of each.
 */
#include "common/compat.h"
#include "common/procfs.h"
#include "metrics/kinds.h"
#include "metrics/metric-scan.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#define VALUE_MAX 256
#define DEPTH_MAX 8

static const struct metric_file files[] = {
	{ "/proc/sys", METRIC_OTHER },
	{ "/sys/module", METRIC_OTHER },
	{ "/proc/cmdline", METRIC_OTHER },
};

enum { SYSCTL = 1, MODULES, COMMAND_LINE };
enum { VALUE = METRIC_SCAN_ITEMS };

static const struct metric_item items[] = {
	METRIC_SCAN_HEAD("The parameter: kernel.pid_max, MODULE:PARAMETER, or cmdline."),
	TEXT_LEVEL("value", "text", MADE, "Its value, at most 256 bytes, on one line."),
};

/* Returns whether a file is no parameter although it is writable: it changes by itself. */
static bool is_state(const char *name)
{
	return strcmp(name, "kernel/ns_last_pid") == 0 ||
	       strncmp(name, "kernel/sched_domain", 19) == 0 ||
	       strncmp(name, "fs/binfmt_misc", 14) == 0;
}

/* Returns whether a folder has the settings of a single network interface. */
static bool is_of_interface(const char *folder, const char *name)
{
	const char *last = strrchr(folder, '/');

	return last && strncmp(folder, "net/", 4) == 0 &&
	       (strcmp(last, "/conf") == 0 || strcmp(last, "/neigh") == 0) &&
	       strcmp(name, "all") != 0 && strcmp(name, "default") != 0;
}

/* Adds the files below a folder of /proc/sys. */
static void list_sysctl(struct metric_source *source, const char *folder, unsigned depth)
{
	char path[PROCFS_PATH_SIZE], name[PROCFS_PATH_SIZE];
	DIR *stream = opendir(procfs_path(path, "/proc/sys/%s", folder));
	const struct dirent *entry;
	struct stat file;

	if (!stream) {
		source->texts[SYSCTL - 1].error = depth ? 0 : errno;
		return;
	}
	while ((entry = readdir(stream))) {
		if (entry->d_name[0] == '.' || is_of_interface(folder, entry->d_name))
			continue;
		snprintf(name, sizeof(name), "%s%s%s", folder, *folder ? "/" : "", entry->d_name);
		if (fstatat(dirfd(stream), entry->d_name, &file, AT_SYMLINK_NOFOLLOW) < 0 ||
		    is_state(name))
			continue;
		if (S_ISDIR(file.st_mode) && depth < DEPTH_MAX)
			list_sysctl(source, name, depth + 1);
		else if (S_ISREG(file.st_mode) && file.st_mode & 0222 && file.st_mode & 0004)
			metric_scan_add(source->own, SYSCTL, name);
	}
	closedir(stream);
}

/* Adds the parameters of one module of the kernel. */
static void list_module(struct metric_source *source, const char *module)
{
	char path[PROCFS_PATH_SIZE], name[PROCFS_PATH_SIZE];
	DIR *stream = opendir(procfs_path(path, "/sys/module/%s/parameters", module));
	const struct dirent *entry;
	struct stat file;

	if (!stream)
		return;
	while ((entry = readdir(stream))) {
		if (entry->d_name[0] == '.' ||
		    fstatat(dirfd(stream), entry->d_name, &file, AT_SYMLINK_NOFOLLOW) < 0 ||
		    !S_ISREG(file.st_mode) || !(file.st_mode & 0004))
			continue;
		snprintf(name, sizeof(name), "%s:%s", module, entry->d_name);
		metric_scan_add(source->own, MODULES, name);
	}
	closedir(stream);
}

static void list(struct metric_source *source)
{
	char path[PROCFS_PATH_SIZE];
	DIR *stream = opendir(procfs_path(path, "/sys/module"));
	const struct dirent *entry;

	metric_scan_add(source->own, COMMAND_LINE, "cmdline");
	list_sysctl(source, "", 0);
	if (!stream)
		return;
	while ((entry = readdir(stream)))
		if (entry->d_name[0] != '.')
			list_module(source, entry->d_name);
	closedir(stream);
}

/* Builds the path of a parameter. */
static void path_of(const struct metric_scan_entry *entry, char path[PROCFS_PATH_SIZE])
{
	const char *colon = strchr(entry->name, ':');

	if (entry->file == SYSCTL)
		procfs_path(path, "/proc/sys/%s", entry->name);
	else if (entry->file == MODULES)
		procfs_path(path, "/sys/module/%.*s/parameters/%s", (int)(colon - entry->name),
			    entry->name, colon + 1);
	else
		procfs_path(path, "/proc/cmdline");
}

/* Reads a parameter; an unreadable one is not reported. */
static bool look(struct metric_source *source, const struct metric_scan_entry *entry)
{
	char path[PROCFS_PATH_SIZE], text[VALUE_MAX + 1];
	ssize_t length;

	path_of(entry, path);
	length = procfs_read(path, text, sizeof(text));
	while (length > 0 && (unsigned char)text[length - 1] <= ' ')
		length--;
	if (length < 0)
		return false;
	for (ssize_t i = 0; i < length; i++)
		if ((unsigned char)text[i] < ' ')
			text[i] = ' ';
	source->values[VALUE] = strmap_put_n(source->strings, text, (size_t)length);
	return true;
}

static void read_all(struct metric_source *source)
{
	metric_scan_read(source, list, look);
}

const struct metric_kind parameters_kind = {
	.name = "PAR",
	.record = "par",
	.summary = "parameters of the kernel and its modules; recorded when they change",
	.meaning = "A parameter, when it is first found or has changed.",
	METRIC_ITEMS(items),
	METRIC_FILES(files),
	.private_size = sizeof(struct metric_scan),
	.read = read_all,
	.release = metric_scan_release,
};
