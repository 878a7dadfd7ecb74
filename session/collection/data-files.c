/* SPDX-License-Identifier: Apache-2.0 */
/* Names the files of a long collection, and removes the oldest. */
#include "common/compat.h"
#include "session/collection/data-files.h"
#include "common/clock.h"
#include "common/xalloc.h"

#include <ctype.h>
#include <dirent.h>
#include <time.h>
#include <unistd.h>

#define SUFFIX ".vprf"
/* Form of the time in a name; '0' stands for any digit. */
#define TIME_FORM "-00000000T000000.000Z"

bool rotation_parse(const char *text, struct rotation_time *rotation)
{
	char *end;

	*rotation = (struct rotation_time){ ROTATE_SECONDS, 0 };
	if (strcasecmp(text, "hourly") == 0)
		rotation->kind = ROTATE_HOURLY;
	else if (strcasecmp(text, "daily") == 0)
		rotation->kind = ROTATE_DAILY;
	if (rotation->kind != ROTATE_SECONDS)
		return true;
	rotation->seconds = isdigit((unsigned char)*text) ? strtoull(text, &end, 10) : 0;
	return rotation->seconds > 0 && rotation->seconds <= 366 * 86400 && !*end;
}

bool rotation_parse_size(const char *text, uint64_t *bytes)
{
	static const char units[] = "kMGT";
	const char *unit;
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	*bytes = strtoull(text, &end, 10);
	unit = *end ? strchr(units, *end == 'K' ? 'k' : *end) : NULL;
	if (*end && (!unit || end[1] || *bytes >> 20))
		return false;
	if (unit)
		*bytes <<= 10 * (unit - units + 1);
	return *bytes >= 4096;
}

uint64_t rotation_period(const struct rotation_time *rotation, uint64_t wall)
{
	time_t seconds = (time_t)(wall / NSEC_PER_SEC);
	uint64_t days;
	struct tm tm;

	if (rotation->kind == ROTATE_NEVER)
		return 0;
	if (rotation->kind == ROTATE_SECONDS)
		return (uint64_t)seconds / rotation->seconds;
	localtime_r(&seconds, &tm);
	/* An hour repeated by a clock change counts as one; the next file begins after it. */
	days = (uint64_t)tm.tm_year * 366 + (uint64_t)tm.tm_yday;
	return rotation->kind == ROTATE_DAILY ? days : days * 24 + (uint64_t)tm.tm_hour;
}

/* Returns the length of a pattern without its suffix. */
static size_t stem_of(const char *pattern)
{
	size_t length = strlen(pattern), suffix = strlen(SUFFIX);

	return length > suffix && strcmp(pattern + length - suffix, SUFFIX) == 0 ? length - suffix
										 : length;
}

void data_files_name(struct strbuf *sb, const char *pattern, uint64_t wall)
{
	time_t seconds = (time_t)(wall / NSEC_PER_SEC);
	char text[32];
	struct tm tm;

	gmtime_r(&seconds, &tm);
	strftime(text, sizeof(text), "%Y%m%dT%H%M%S", &tm);
	strbuf_add(sb, pattern, stem_of(pattern));
	strbuf_addf(sb, "-%s.%03uZ" SUFFIX, text, (unsigned)(wall % NSEC_PER_SEC / NSEC_PER_MSEC));
}

/*
 * Returns whether a folder entry is a file of a pattern, whose base name has this
 * length without suffix.
 */
static bool is_file(const char *name, const char *base, size_t length)
{
	const char *form = TIME_FORM SUFFIX, *at = name + length;

	if (strncmp(name, base, length) != 0 || strlen(at) != strlen(form))
		return false;
	for (; *form; form++, at++)
		if (*form == '0' ? !isdigit((unsigned char)*at) : *at != *form)
			return false;
	return true;
}

/* The files of a pattern. */
struct names {
	char **items;
	size_t count, alloc;
};

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void find_files(const char *folder, const char *base, struct names *names)
{
	DIR *directory = opendir(folder);
	struct dirent *entry;

	while (directory && (entry = readdir(directory)))
		if (is_file(entry->d_name, base, stem_of(base))) {
			GROW(names->items, names->count + 1, names->alloc);
			names->items[names->count++] = xstrdup(entry->d_name);
		}
	if (directory)
		closedir(directory);
	if (names->count)
		qsort(names->items, names->count, sizeof(*names->items), by_name);
}

int data_files_keep(const char *pattern, size_t keep, struct error *err)
{
	const char *slash = strrchr(pattern, '/'), *base = slash ? slash + 1 : pattern;
	char *folder = slash ? xstrndup(pattern, (size_t)(slash - pattern) + 1) : xstrdup("./");
	struct names names = { 0 };
	int removed = 0, result = 0;

	find_files(folder, base, &names);
	for (size_t i = 0; i < names.count; i++) {
		struct strbuf path = STRBUF_INIT;

		strbuf_addf(&path, "%s%s", folder, names.items[i]);
		if (names.count - i > keep && unlink(path.text) == 0)
			removed++;
		else if (names.count - i > keep && errno != ENOENT)
			result = error_errno(err, "%s cannot be removed", path.text);
		strbuf_release(&path);
		free(names.items[i]);
	}
	free(names.items);
	free(folder);
	return result < 0 ? -1 : removed;
}
