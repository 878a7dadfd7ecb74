/* SPDX-License-Identifier: Apache-2.0 */
/* DELETE: data sets, members, and the entries of the catalogue. */
#include "common/compat.h"
#include "utilities/idcams/index.h"
#include "utilities/idcams/set.h"
#include "utilities/idcams/verbs.h"
#include "common/xalloc.h"
#include "datasets/file-names.h"
#include "datasets/generations.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* The request of a DELETE's keywords. */
struct request {
	const struct idcams_operand *operands;
	bool typed; /* a type is given; entries of other types are not deleted */
	bool erase, force, keep;
};

static const struct {
	enum catalog_type type;
	const char *keyword;
	char letter; /* in "ENTRY (C) A.B DELETED" */
} types[] = {
	{ CATALOG_NONVSAM, "NONVSAM", 'A' },	{ CATALOG_CLUSTER, "CLUSTER", 'C' },
	{ CATALOG_AIX, "ALTERNATEINDEX", 'G' }, { CATALOG_PATH, "PATH", 'R' },
	{ CATALOG_ALIAS, "ALIAS", 'X' },	{ CATALOG_GDG, "GENERATIONDATAGROUP", 'B' },
};

static char type_letter(enum catalog_type type, const char *name)
{
	size_t length;
	unsigned number;

	if (type == CATALOG_NONVSAM && generation_parse(name, &length, &number))
		return 'H';
	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (types[i].type == type)
			return types[i].letter;
	return '?';
}

static void print_deleted(struct idcams *idcams, char letter, const char *name)
{
	utility_foreign_message(idcams->utility, "IDC0550I", SEVERITY_INFO, 5553, "ENTRY (%c) %s DELETED",
		      letter, name);
}

/* Reports the reason why a name was not deleted, and that it was not. Returns -1. */
static int not_deleted(struct idcams *idcams, const char *name, const char *why)
{
	if (why)
		utility_message(idcams->utility, SEVERITY_ERROR, 5552, "cannot delete %s: %s", name,
				why);
	return utility_foreign_message(idcams->utility, "IDC0551I", SEVERITY_ERROR, 0,
			     "** ENTRY %s NOT DELETED", name);
}

static int missing(struct idcams *idcams, const char *name)
{
	idcams_not_found(idcams, SEVERITY_ERROR, name);
	return not_deleted(idcams, name, NULL);
}

/* Overwrites a regular file with zeros; leaves anything else unchanged. */
static int erase_file(int folder, const char *path)
{
	static const char zeros[65536];
	int fd = openat(folder, path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat info = { 0 };
	off_t left;
	int result;

	RETURN_IF(fd < 0, errno == ENOENT ? 0 : -1);
	result = fstat(fd, &info);
	left = S_ISREG(info.st_mode) ? info.st_size : 0;
	for (ssize_t now = 1; left > 0 && now > 0; left -= now > 0 ? now : 0)
		now = write(fd, zeros, left < (off_t)sizeof(zeros) ? (size_t)left : sizeof(zeros));
	result = result < 0 || left > 0 ? -1 : fsync(fd);
	close(fd);
	return result;
}

/* Overwrites the members of a partitioned data set. */
static int erase_members(const char *path)
{
	DIR *folder = opendir(path);
	struct dirent *member;
	int result = folder ? 0 : -1;

	while (folder && result == 0 && (member = readdir(folder)))
		if (catalog_member_valid(member->d_name))
			result = erase_file(dirfd(folder), member->d_name);
	if (folder)
		closedir(folder);
	return result;
}

/* Overwrites the files of a data set with zeros, including those of alternate keys. */
static int erase(const char *path)
{
	struct strbuf file = STRBUF_INIT;
	bool more = true;
	int result;

	if (catalog_is_folder(path))
		return erase_members(path);
	result = erase_file(AT_FDCWD, path);
	for (unsigned key = 1; result == 0 && more; key++) {
		more = catalog_is_indexed(file_names_of(path, key, &file));
		/*
		 * once overwritten, it cannot be recognized as part of the data set, so it is
		 * removed now
		 */
		if (more && erase_file(AT_FDCWD, file.text) < 0)
			result = -1;
		else if (more)
			result = unlink(file.text);
	}
	strbuf_release(&file);
	return result;
}

/* Removes the file of a data set. */
static int remove_file(struct idcams *idcams, const struct request *request, const char *name)
{
	struct strbuf path = STRBUF_INIT;
	int result = 0;

	catalog_file(&idcams->catalog, name, &path);
	if (request->erase && erase(path.text) < 0)
		result = not_deleted(idcams, name, strerror(errno));
	else if (catalog_remove(path.text) < 0)
		result = not_deleted(idcams, name, strerror(errno));
	strbuf_release(&path);
	return result;
}

static int remove_entry(struct idcams *idcams, const char *name)
{
	struct error err = ERROR_INIT;
	int result = catalog_entry_remove(&idcams->catalog, name, &err);

	if (result < 0)
		not_deleted(idcams, name, error_text(&err));
	error_release(&err);
	return result;
}

/* Deletes the entries of the alternate indexes and paths over a data set. */
static int delete_dependents(struct idcams *idcams, const char *name)
{
	char **names;
	size_t count = catalog_dependents(&idcams->catalog, name, &names);
	int result = 0;

	for (size_t i = 0; i < count && result == 0; i++) {
		struct catalog_entry entry;

		catalog_entry_read(&idcams->catalog, names[i], &entry, NULL);
		result = remove_entry(idcams, names[i]);
		if (result == 0)
			print_deleted(idcams, type_letter(entry.type, names[i]), names[i]);
		catalog_entry_release(&entry);
	}
	catalog_names_free(names, count);
	return result;
}

/* Prints the components of a cluster or an alternate index, which are deleted with it. */
static void print_components(struct idcams *idcams, const struct catalog_entry *entry)
{
	if (entry->data)
		print_deleted(idcams, 'D', entry->data);
	if (entry->index)
		print_deleted(idcams, 'I', entry->index);
}

/* Deletes the generations of a base; only with FORCE. */
static int delete_generations(struct idcams *idcams, const struct request *request,
			      const char *base)
{
	struct generation_group group;
	int result = 0;

	if (generation_group_read(&group, &idcams->catalog, base, NULL) < 0)
		return not_deleted(idcams, base, "its generations cannot be read");
	if (group.count > 0 && !request->force)
		result = not_deleted(idcams, base, "it has generations and FORCE is not given");
	for (size_t i = 0; i < group.count && result == 0; i++) {
		struct strbuf name = STRBUF_INIT;

		generation_name(&group, (int)i - (int)group.count + 1, &name);
		result = idcams_lock(idcams, name.text, true);
		if (result == 0 && !request->keep)
			result = remove_file(idcams, request, name.text);
		if (result == 0)
			result = remove_entry(idcams, name.text);
		if (result == 0)
			print_deleted(idcams, 'H', name.text);
		strbuf_release(&name);
	}
	generation_group_release(&group);
	return result;
}

/* Deletes what belongs to a name other than its entry. */
static int delete_content(struct idcams *idcams, const struct request *request, const char *name,
			  const struct catalog_entry *entry)
{
	if (entry->type == CATALOG_GDG)
		return delete_generations(idcams, request, name);
	if (entry->type == CATALOG_PATH || entry->type == CATALOG_ALIAS)
		return 0;
	RETURN_IF(delete_dependents(idcams, name) < 0, -1);
	if (entry->type == CATALOG_AIX)
		return idcams_index_drop(idcams, entry) < 0 ? not_deleted(idcams, name, NULL) : 0;
	if (!request->keep)
		return remove_file(idcams, request, name);
	if (entry->type == CATALOG_NONVSAM && !entry->created)
		return not_deleted(idcams, name,
				   "NOSCRATCH would leave its file, which is its catalogue entry");
	return 0;
}

/* Returns whether the keywords allow an entry of this type. */
static bool type_wanted(const struct request *request, enum catalog_type type)
{
	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (types[i].type == type && idcams_find(request->operands, types[i].keyword))
			return true;
	return !request->typed;
}

/* Deletes one name. missing_is_error: the name was given explicitly, not by a pattern. */
static void delete_name(struct idcams *idcams, const struct request *request, const char *name,
			bool missing_is_error)
{
	struct catalog_entry entry;
	struct error err = ERROR_INIT;

	if (catalog_entry_read(&idcams->catalog, name, &entry, &err) < 0) {
		not_deleted(idcams, name, error_text(&err));
	} else if (entry.type == CATALOG_NONE || !type_wanted(request, entry.type)) {
		if (missing_is_error)
			missing(idcams, name);
	} else if (idcams_lock(idcams, name, true) < 0) {
		not_deleted(idcams, name, NULL);
	} else if (delete_content(idcams, request, name, &entry) == 0 &&
		   remove_entry(idcams, name) == 0) {
		print_components(idcams, &entry);
		print_deleted(idcams, type_letter(entry.type, name), name);
	}
	catalog_entry_release(&entry);
	error_release(&err);
}

/* Deletes a member of a partitioned data set. */
static void delete_member(struct idcams *idcams, const char *name, const char *member)
{
	struct strbuf path = STRBUF_INIT, shown = STRBUF_INIT, dsn = STRBUF_INIT;
	unsigned key;

	catalog_resolve(&idcams->catalog, name, &dsn, &key);
	catalog_file(&idcams->catalog, dsn.text, &path);
	strbuf_addf(&path, "/%s", member);
	strbuf_addf(&shown, "%s(%s)", name, member);
	if (!catalog_exists(path.text) || catalog_is_folder(path.text))
		missing(idcams, shown.text);
	else if (idcams_lock(idcams, dsn.text, true) < 0)
		not_deleted(idcams, shown.text, NULL);
	else if (unlink(path.text) < 0)
		not_deleted(idcams, shown.text, strerror(errno));
	else
		utility_foreign_message(idcams->utility, "IDC0549I", SEVERITY_INFO, 5553, "MEMBER %s DELETED",
			      member);
	attributes_removed(path.text);
	strbuf_release(&path);
	strbuf_release(&shown);
	strbuf_release(&dsn);
}

/*
 * Returns whether a generic name without MASK is valid: exactly one qualifier, not
 * the first, is '*'.
 */
static bool generic_valid(const char *pattern)
{
	const char *star = strchr(pattern, '*');

	return star && star > pattern && star[-1] == '.' && (star[1] == '.' || star[1] == '\0') &&
	       !strchr(star + 1, '*') && !strchr(pattern, '%');
}

/* Deletes all names that match. */
static void delete_matching(struct idcams *idcams, const struct request *request,
			    const char *pattern)
{
	size_t count, matched = 0;
	char **names;

	if (!idcams_find(request->operands, "MASK") && !generic_valid(pattern)) {
		utility_message(idcams->utility, SEVERITY_ERROR, 5550,
				"%s: without MASK one qualifier, but not the first, can be *",
				pattern);
		return;
	}
	count = catalog_list(&idcams->catalog, &names);
	for (size_t i = 0; i < count; i++) {
		if (!catalog_matches(pattern, names[i]))
			continue;
		matched++;
		delete_name(idcams, request, names[i], false);
	}
	catalog_names_free(names, count);
	if (matched == 0)
		missing(idcams, pattern);
}

static void delete_operand(struct idcams *idcams, const struct request *request,
			   const struct idcams_operand *name)
{
	bool pattern = strpbrk(name->text, "*%") != NULL;

	if (pattern && name->values)
		utility_message(idcams->utility, SEVERITY_ERROR, 5550,
				"%s(%s): members of one data set only can be deleted", name->text,
				name->values->text);
	else if (name->values)
		delete_member(idcams, name->text, name->values->text);
	else if (pattern)
		delete_matching(idcams, request, name->text);
	else
		delete_name(idcams, request, name->text, true);
}

void idcams_delete(struct idcams *idcams, const struct idcams_command *command)
{
	const struct idcams_operand *names = command->operands;
	struct request request = { .operands = names->next };

	request.erase = idcams_find(request.operands, "ERASE");
	request.force = idcams_find(request.operands, "FORCE");
	request.keep = idcams_find(request.operands, "NOSCRATCH");
	request.typed = idcams_find(request.operands, "PAGESPACE");
	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		request.typed |= idcams_find(request.operands, types[i].keyword) != NULL;
	if (!idcams_has_root(idcams))
		return;
	if (names->length > 0) {
		delete_operand(idcams, &request, names);
		return;
	}
	for (names = names->values; names; names = names->next)
		delete_operand(idcams, &request, names);
}
