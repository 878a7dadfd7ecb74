/* SPDX-License-Identifier: Apache-2.0 */
/* Turns data set names into files and handles the files of one data set together. */
#include "common/compat.h"
#include "session/job/catalog.h"
#include "common/xalloc.h"
#include "session/job/spool.h"

#include <ctype.h>
#include <dirent.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#define HIGHEST_GENERATION 9999

/* Whether c may stand in a qualifier, at its start or later. */
static bool name_char(char c, bool first)
{
	if (isalpha((unsigned char)c) || c == '@' || c == '#' || c == '$')
		return true;
	return !first && (isdigit((unsigned char)c) || c == '-' || c == '_');
}

bool catalog_name_valid(const char *dsn)
{
	bool first = true;

	for (const char *at = dsn; *at; at++) {
		if (*at == '.' && !first && at[1]) {
			first = true;
			continue;
		}
		if (!name_char(*at, first))
			return false;
		first = false;
	}
	return !first && strlen(dsn) <= 44;
}

bool catalog_member_valid(const char *member)
{
	for (const char *at = member; *at; at++)
		if (!name_char(*at, at == member))
			return false;
	return *member && strlen(member) <= 8;
}

void catalog_path(struct strbuf *sb, const char *root, const char *dsn)
{
	strbuf_addf(sb, "%s/%s", root, dsn);
}

bool catalog_exists(const char *path)
{
	struct stat info;

	return lstat(path, &info) == 0;
}

bool catalog_is_folder(const char *path)
{
	struct stat info;

	return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* The file of alternate key number key beside a data set. */
static char *key_path(const char *path, unsigned key)
{
	struct strbuf sb = STRBUF_INIT;

	strbuf_addf(&sb, "%s.%u", path, key);
	return strbuf_detach(&sb, NULL);
}

int catalog_remove(const char *path)
{
	for (unsigned key = 1;; key++) {
		char *file = key_path(path, key);
		int removed = unlink(file);

		free(file);
		if (removed < 0)
			break;
	}
	if (unlink(path) == 0 || errno == ENOENT)
		return 0;
	return errno == EISDIR || errno == EPERM ? remove_tree(path) : -1;
}

int catalog_rename(const char *from, const char *to)
{
	for (unsigned key = 1;; key++) {
		char *file = key_path(from, key), *target = key_path(to, key);
		int moved = rename(file, target);

		free(file);
		free(target);
		if (moved < 0 && errno == ENOENT)
			break;
		RETURN_IF(moved < 0, -1);
	}
	return rename(from, to);
}

#define DCB_ATTRIBUTE "user.vigil.dcb"

void catalog_get_dcb(const char *path, char recfm[8], unsigned *lrecl)
{
	char text[32] = "";
	const char *comma;

	recfm[0] = '\0';
	*lrecl = 0;
	if (getxattr(path, DCB_ATTRIBUTE, text, sizeof(text) - 1) <= 0)
		return;
	comma = strchr(text, ',');
	if (!comma || comma - text > 7)
		return;
	memcpy(recfm, text, (size_t)(comma - text));
	recfm[comma - text] = '\0';
	*lrecl = (unsigned)strtoul(comma + 1, NULL, 10);
}

void catalog_set_dcb(const char *path, const char *recfm, unsigned lrecl)
{
	struct strbuf text = STRBUF_INIT;

	if (!*recfm && !lrecl)
		return;
	strbuf_addf(&text, "%s,%u", recfm, lrecl);
	if (setxattr(path, DCB_ATTRIBUTE, text.text, text.length, 0) < 0)
		errno = 0; /* then a DD must say it again */
	strbuf_release(&text);
}

/* The number in "BASE.GnnnnV00", 0 when name is not a generation of base. */
static unsigned generation_number(const char *name, const char *base)
{
	size_t length = strlen(base);
	const char *at = name + length + 2;

	if (strncmp(name, base, length) != 0 || strncmp(name + length, ".G", 2) != 0)
		return 0;
	for (int i = 0; i < 4; i++)
		if (!isdigit((unsigned char)at[i]))
			return 0;
	return strcmp(at + 4, "V00") == 0 ? (unsigned)strtoul(at, NULL, 10) : 0;
}

/* The highest generation at or below limit that exists. */
static unsigned generation_below(const char *root, const char *base, unsigned limit)
{
	DIR *folder = opendir(root);
	unsigned highest = 0;
	struct dirent *entry;

	RETURN_IF(!folder, 0);
	while ((entry = readdir(folder))) {
		unsigned number = generation_number(entry->d_name, base);

		if (number > highest && number <= limit)
			highest = number;
	}
	closedir(folder);
	return highest;
}

unsigned catalog_highest_generation(const char *root, const char *base)
{
	return generation_below(root, base, HIGHEST_GENERATION);
}

int catalog_generation(struct strbuf *name, const char *root, const char *base, unsigned highest,
		       int relative)
{
	unsigned number = highest;

	if (relative > 0) {
		number = highest + (unsigned)relative;
	} else {
		for (int back = 0; back > relative && number > 0; back--)
			number = generation_below(root, base, number - 1);
	}
	RETURN_IF(number == 0 || number > HIGHEST_GENERATION, -1);
	strbuf_addf(name, "%s.G%04uV00", base, number);
	return 0;
}
