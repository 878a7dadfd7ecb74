/* SPDX-License-Identifier: Apache-2.0 */
/* Maps data set names to files and handles the files of one data set together. */
#include "common/compat.h"
#include "datasets/catalog.h"
#include "common/pattern.h"
#include "common/xalloc.h"
#include "datasets/attributes.h"
#include "datasets/folders.h"
#include "datasets/file-names.h"
#include "datasets/replacing.h"
#include "datasets/update-mark.h"

#include <ctype.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define QUALIFIERS 22 /* maximum in a name of 44 characters */

/* Returns whether c is allowed in a qualifier, at its start or later. */
static bool name_char(char c, bool first)
{
	if (isalpha((unsigned char)c) || c == '@' || c == '#' || c == '$')
		return true;
	return !first && (isdigit((unsigned char)c) || c == '-' || c == '_');
}

bool catalog_name_valid(const char *dsn)
{
	size_t length = 0; /* of the current qualifier */

	for (const char *at = dsn; *at; at++) {
		if (*at == '.' && length > 0 && at[1]) {
			length = 0;
			continue;
		}
		if (!name_char(*at, length == 0) || ++length > 8)
			return false;
	}
	return length > 0 && strlen(dsn) <= 44;
}

bool catalog_member_valid(const char *member)
{
	for (const char *at = member; *at; at++)
		if (!name_char(*at, at == member))
			return false;
	return *member && strlen(member) <= 8;
}

/* Returns whether a qualifier ends at this position of a text. */
static bool qualifier_ends(const char *at)
{
	return *at == '\0' || *at == '.';
}

/*
 * Returns whether a qualifier matches one of a pattern; both end at a period or
 * the end of the text.
 */
static bool qualifier_matches(const char *pattern, const char *name)
{
	return pattern_matches_part(pattern, strcspn(pattern, "."), name, strcspn(name, "."),
				 PATTERN_IGNORE_CASE | PATTERN_PERCENT | PATTERN_NO_QUESTION_MARK);
}

/* Returns what follows the first qualifier: the next one, or the end. */
static const char *next_qualifier(const char *at)
{
	at += strcspn(at, ".");
	return *at == '.' ? at + 1 : at;
}

/* Returns whether the first qualifier of a pattern is "**". */
static bool any_qualifiers(const char *pattern)
{
	return strncmp(pattern, "**", 2) == 0 && qualifier_ends(pattern + 2);
}

/*
 * Works like qualifier_matches, with qualifiers instead of characters and "**"
 * instead of the asterisk.
 */
bool catalog_matches(const char *pattern, const char *dsn)
{
	const char *behind = NULL, *taken = NULL;

	while (*pattern || *dsn) {
		if (any_qualifiers(pattern)) {
			behind = pattern = next_qualifier(pattern);
			taken = dsn;
		} else if (*pattern && *dsn && qualifier_matches(pattern, dsn)) {
			pattern = next_qualifier(pattern);
			dsn = next_qualifier(dsn);
		} else if (behind && *taken) {
			pattern = behind;
			dsn = taken = next_qualifier(taken);
		} else {
			return false;
		}
	}
	return true;
}

/* Appends the n-th qualifier of a name, counted from 1; false if it has fewer. */
static bool add_qualifier(struct strbuf *sb, const char *dsn, unsigned number)
{
	while (*dsn && --number > 0)
		dsn = next_qualifier(dsn);
	strbuf_add(sb, dsn, strcspn(dsn, "."));
	return *dsn != '\0';
}

/*
 * Appends the value of the "{...}" at *at, and moves *at after it. false: the name
 * has no such qualifier. dsn NULL: only checks that it is valid.
 */
static bool add_placeholder(struct strbuf *sb, const char **at, const char *dsn)
{
	const char *inside = *at + 1, *end = strchr(inside, '}');
	unsigned number = 0;

	RETURN_IF(!end, false);
	*at = end + 1;
	if (end - inside == 3 && memcmp(inside, "dsn", 3) == 0) {
		strbuf_addstr(sb, dsn ? dsn : "");
		return true;
	}
	if (end - inside == 5 && memcmp(inside, "lower", 5) == 0) {
		for (; dsn && *dsn; dsn++)
			strbuf_addch(sb, (char)tolower((unsigned char)*dsn));
		return true;
	}
	for (; isdigit((unsigned char)*inside) && number <= QUALIFIERS; inside++)
		number = number * 10 + (unsigned)(*inside - '0');
	RETURN_IF(inside != end || number == 0 || number > QUALIFIERS, false);
	return !dsn || add_qualifier(sb, dsn, number);
}

/* Appends a rule's path for a name; false if the path uses a qualifier that the name lacks. */
static bool expand(struct strbuf *sb, const char *path, const char *dsn)
{
	size_t length = sb->length;

	while (*path) {
		if (*path != '{') {
			strbuf_addch(sb, *path++);
		} else if (!add_placeholder(sb, &path, dsn)) {
			strbuf_setlen(sb, length);
			return false;
		}
	}
	return true;
}

void catalog_file(const struct catalog *catalog, const char *dsn, struct strbuf *path)
{
	for (size_t i = 0; i < catalog->rule_count; i++) {
		const struct catalog_rule *rule = &catalog->rules[i];

		if (catalog_matches(rule->pattern, dsn) && expand(path, rule->path, dsn))
			return;
	}
	strbuf_addf(path, "%s/%s", catalog->root, dsn);
}

/* Returns the path without symbolic links, also for a missing file; the caller frees it. */
static char *real_path(const char *path)
{
	const char *slash = strrchr(path, '/');
	struct strbuf real = STRBUF_INIT;
	char *found = realpath(path, NULL), *folder;

	if (found || !slash)
		return found ? found : xstrdup(path);
	folder = xstrndup(path, (size_t)(slash - path));
	found = realpath(*folder ? folder : "/", NULL);
	strbuf_addf(&real, "%s%s", found ? found : folder, slash);
	free(folder);
	free(found);
	return strbuf_detach(&real, NULL);
}

bool catalog_shared_name(const struct catalog *catalog, const char *dsn, struct strbuf *name)
{
	struct strbuf path = STRBUF_INIT;
	char *root = real_path(catalog->root), *file;
	size_t length = strlen(root), before = name->length;
	struct stat info;

	catalog_file(catalog, dsn, &path);
	file = real_path(path.text);
	if (strncmp(file, root, length) == 0 && file[length] == '/' &&
	    catalog_name_valid(file + length + 1)) {
		if (strcmp(file + length + 1, dsn) != 0)
			strbuf_addstr(name, file + length + 1);
	} else if (stat(file, &info) != 0 || S_ISREG(info.st_mode) || S_ISDIR(info.st_mode)) {
		strbuf_addstr(name, file);
	}
	free(file);
	free(root);
	strbuf_release(&path);
	return name->length > before;
}

/* Returns whether a pattern of the mapping file has only valid characters. */
static bool pattern_valid(const char *pattern)
{
	for (const char *at = pattern; *at; at++)
		if (!name_char(*at, false) && !strchr(".%*", *at))
			return false;
	return *pattern && *pattern != '.' && !strstr(pattern, "..");
}

/* Returns what is wrong with a path of the mapping file; NULL: nothing. */
static const char *path_fault(const char *path)
{
	struct strbuf nothing = STRBUF_INIT;
	const char *at = path, *fault = NULL;

	if (!*path)
		return "a path is missing after the pattern";
	if (path[strlen(path) - 1] == '/')
		return "the path names a folder; for a file in it append {dsn}";
	while (!fault && (at = strchr(at, '{')))
		if (!add_placeholder(&nothing, &at, NULL))
			fault = "in a path {dsn}, {lower}, {1}, {2} ... stand for parts of the name";
	strbuf_release(&nothing);
	return fault;
}

/*
 * Takes one line of the mapping file, which is modified; returns what is wrong
 * with it, NULL: nothing.
 */
static const char *take_rule(struct catalog *catalog, char *line, unsigned number)
{
	char *pattern = line + strspn(line, " \t"), *path, *slash;
	struct strbuf absolute = STRBUF_INIT;
	const char *fault;

	if (!*pattern || *pattern == '#')
		return NULL;
	path = pattern + strcspn(pattern, " \t");
	if (*path)
		*path++ = '\0';
	path += strspn(path, " \t");
	if (!pattern_valid(pattern))
		return "the pattern is not a data set name with %, * and **";
	fault = path_fault(path);
	if (fault)
		return fault;
	slash = strrchr(catalog->map, '/');
	if (*path != '/')
		strbuf_add(&absolute, catalog->map, (size_t)(slash - catalog->map) + 1);
	strbuf_addstr(&absolute, path);
	GROW(catalog->rules, catalog->rule_count + 1, catalog->rule_alloc);
	catalog->rules[catalog->rule_count++] = (struct catalog_rule){
		.pattern = xstrdup(pattern), .path = strbuf_detach(&absolute, NULL), .line = number
	};
	return NULL;
}

/*
 * Removes a comment and the blanks before it. '#' is also valid in names, so a
 * comment must follow a blank.
 */
static void cut_comment(char *line)
{
	size_t length;

	for (char *at = line; (at = strchr(at, '#')); at++) {
		if (at == line || at[-1] == ' ' || at[-1] == '\t') {
			*at = '\0';
			break;
		}
	}
	for (length = strlen(line); length > 0 && strchr(" \t\r", line[length - 1]); length--)
		line[length - 1] = '\0';
}

/* Reads the mapping file. */
static int read_rules(struct catalog *catalog, struct error *err)
{
	struct strbuf text = STRBUF_INIT;
	unsigned number = 0;
	int result = 0;

	if (strbuf_read_file(&text, catalog->map) < 0)
		return error_errno(err, "the mapping file %s cannot be read", catalog->map);
	for (char *line = text.text, *end; result == 0 && *line; line = end) {
		const char *fault;

		end = line + strcspn(line, "\n");
		if (*end)
			*end++ = '\0';
		cut_comment(line);
		fault = take_rule(catalog, line, ++number);
		if (fault)
			result = error_set(err, "line %u of the mapping file %s: %s", number,
					   catalog->map, fault);
	}
	strbuf_release(&text);
	return result;
}

/* For root: refuses a folder where another user could put links. */
static int check_trust(const char *path, const char *what, struct error *err)
{
	char *why = folders_refuse(path);
	int result = 0;

	if (why)
		result = error_set(err, "%s %s is not used by root: %s", what, path, why);
	free(why);
	return result;
}

/* Returns the longest folder that all paths of a rule begin with, whatever the name. */
static char *rule_folder(const struct catalog_rule *rule)
{
	size_t length = strcspn(rule->path, "{");

	while (length > 1 && rule->path[length - 1] != '/')
		length--;
	return xstrndup(rule->path, length);
}

/*
 * For root: checks that no other user can change the root, vigil's folders in it,
 * and the folders where the mapping file puts data sets.
 */
static int check_places(const struct catalog *catalog, struct error *err)
{
	static const char *const own[] = { "", "/.vigil", "/.vigil/catalog", "/.vigil/attributes" };
	int result = 0;

	for (size_t i = 0; i < ARRAY_SIZE(own) && result == 0; i++) {
		struct strbuf path = STRBUF_INIT;

		strbuf_addf(&path, "%s%s", catalog->root, own[i]);
		result = check_trust(path.text, "the data set root", err);
		strbuf_release(&path);
	}
	if (catalog->map && result == 0)
		result = check_trust(catalog->map, "the mapping file", err);
	for (size_t i = 0; i < catalog->rule_count && result == 0; i++) {
		char *folder = rule_folder(&catalog->rules[i]);

		result = check_trust(folder, "the folder of data sets", err);
		free(folder);
	}
	return result;
}

int catalog_open(struct catalog *catalog, const char *root, const char *map, struct error *err)
{
	int result = 0;

	*catalog = (struct catalog){ .root = realpath(root, NULL) };
	if (!catalog->root)
		return error_errno(err, "the data set root %s cannot be used", root);
	if (map) {
		catalog->map = realpath(map, NULL);
		result = catalog->map ? read_rules(catalog, err) :
					error_errno(err, "the mapping file %s cannot be used", map);
	}
	if (result == 0)
		result = check_places(catalog, err);
	if (result < 0)
		catalog_release(catalog);
	return result;
}

void catalog_release(struct catalog *catalog)
{
	for (size_t i = 0; i < catalog->rule_count; i++) {
		free(catalog->rules[i].pattern);
		free(catalog->rules[i].path);
	}
	free(catalog->rules);
	free(catalog->root);
	free(catalog->map);
	*catalog = (struct catalog){ 0 };
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

bool catalog_is_indexed(const char *path)
{
	static const uint32_t magics[] = { 0x00053162, 0x62310500 };
	uint32_t magic = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t got = fd < 0 ? -1 : pread(fd, &magic, sizeof(magic), 12);

	if (fd >= 0)
		close(fd);
	return got == (ssize_t)sizeof(magic) && (magic == magics[0] || magic == magics[1]);
}

/*
 * Returns the file of alternate key number key next to a data set; NULL: none. The
 * caller frees it.
 */
static char *key_path(const char *path, unsigned key)
{
	struct strbuf sb = STRBUF_INIT;

	file_names_add(&sb, path, key);
	if (!catalog_is_indexed(sb.text))
		strbuf_release(&sb);
	return sb.length ? strbuf_detach(&sb, NULL) : NULL;
}

unsigned catalog_alternates(const char *path)
{
	unsigned count = 0;
	char *file;

	while ((file = key_path(path, count + 1))) {
		free(file);
		count++;
	}
	return count;
}

int catalog_remove(const char *path)
{
	char *file;
	bool folder = catalog_is_folder(path);

	replacing_finish(path);
	for (unsigned key = 1; !folder && (file = key_path(path, key)); key++) {
		int removed = unlink(file);

		free(file);
		RETURN_IF(removed < 0, -1);
	}
	if (unlink(path) < 0 && errno != ENOENT)
		RETURN_IF((errno != EISDIR && errno != EPERM) || folders_remove(path) < 0, -1);
	attributes_removed(path);
	update_mark_clear(path);
	return 0;
}

int catalog_rename(const char *from, const char *to)
{
	char *file;

	replacing_finish(from);
	for (unsigned key = 1; (file = key_path(from, key)); key++) {
		struct strbuf target = STRBUF_INIT;
		int moved;

		file_names_add(&target, to, key);
		moved = rename(file, target.text);
		strbuf_release(&target);
		free(file);
		RETURN_IF(moved < 0, -1);
	}
	RETURN_IF(rename(from, to) < 0, -1);
	attributes_moved(from, to);
	update_mark_moved(from, to);
	return 0;
}
