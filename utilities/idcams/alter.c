/* SPDX-License-Identifier: Apache-2.0 */
/* ALTER: renames data sets, members and components, and changes the attributes of entries. */
#include "common/compat.h"
#include "utilities/idcams/set.h"
#include "utilities/idcams/verbs.h"
#include "common/xalloc.h"
#include "datasets/generations.h"

#include <unistd.h>

#define HIGHEST_LIMIT 255
#define LONGEST_NAME 44

/* Reports why an entry was not changed. Returns -1. */
static int not_altered(struct idcams *idcams, const char *name, const char *why)
{
	if (why)
		utility_message(idcams->utility, SEVERITY_ERROR, 5638, "cannot alter %s: %s", name,
				why);
	return utility_foreign_message(idcams->utility, "IDC0532I", SEVERITY_ERROR, 0,
			     "**ENTRY %s NOT ALTERED", name);
}

static void altered(struct idcams *idcams, const char *name)
{
	utility_foreign_message(idcams->utility, "IDC0531I", SEVERITY_INFO, 0, "ENTRY %s ALTERED", name);
}

static int write_entry(struct idcams *idcams, const char *name, const struct catalog_entry *entry)
{
	struct error err = ERROR_INIT;
	int result = catalog_entry_write(&idcams->catalog, name, entry, &err);

	if (result < 0)
		not_altered(idcams, name, error_text(&err));
	error_release(&err);
	return result;
}

/* Checks that a name is free; -1 after "DUPLICATE DATA SET NAME". */
static int check_free(struct idcams *idcams, const char *name, const char *new_name)
{
	RETURN_IF(idcams_name_is_free(idcams, new_name), 0);
	utility_foreign_message(idcams->utility, "IDC3013I", SEVERITY_ERROR, 5639,
		      "DUPLICATE DATA SET NAME: %s", new_name);
	return not_altered(idcams, name, NULL);
}

/* Changes the entries that refer to a name so that they refer to its new name. */
static int move_references(struct idcams *idcams, const char *name, const char *new_name)
{
	char **names;
	size_t count = catalog_list(&idcams->catalog, &names);
	int result = 0;

	for (size_t i = 0; i < count && result == 0; i++) {
		struct catalog_entry entry;

		if (catalog_entry_read(&idcams->catalog, names[i], &entry, NULL) == 0 &&
		    entry.related && strcmp(entry.related, name) == 0) {
			free(entry.related);
			entry.related = xstrdup(new_name);
			result = write_entry(idcams, names[i], &entry);
		}
		catalog_entry_release(&entry);
	}
	catalog_names_free(names, count);
	return result;
}

/* Moves a data set's file. */
static int move_file(struct idcams *idcams, const char *name, const char *new_name)
{
	struct strbuf from = STRBUF_INIT, to = STRBUF_INIT;
	int result = 0;

	catalog_file(&idcams->catalog, name, &from);
	catalog_file(&idcams->catalog, new_name, &to);
	if (catalog_exists(from.text) && catalog_rename(from.text, to.text) < 0)
		result = not_altered(idcams, name, strerror(errno));
	strbuf_release(&from);
	strbuf_release(&to);
	return result;
}

/* Renames an entry, moves its file, and updates what refers to it. */
static int rename_entry(struct idcams *idcams, const char *name, const char *new_name,
			const struct catalog_entry *entry)
{
	struct error err = ERROR_INIT;

	if (entry->type == CATALOG_GDG)
		return not_altered(idcams, name, "a generation data group cannot be renamed");
	RETURN_IF(check_free(idcams, name, new_name) < 0, -1);
	if (idcams_lock(idcams, name, true) < 0 || idcams_lock(idcams, new_name, true) < 0)
		return not_altered(idcams, name, NULL);
	if (entry->created || entry->rolled_off)
		RETURN_IF(write_entry(idcams, new_name, entry) < 0, -1);
	if ((entry->type == CATALOG_CLUSTER || entry->type == CATALOG_NONVSAM) &&
	    move_file(idcams, name, new_name) < 0) {
		catalog_entry_remove(&idcams->catalog, new_name, NULL);
		return -1;
	}
	RETURN_IF(move_references(idcams, name, new_name) < 0, -1);
	if (catalog_entry_remove(&idcams->catalog, name, &err) < 0) {
		not_altered(idcams, name, error_text(&err));
		error_release(&err);
		return -1;
	}
	return 0;
}

/* Renames a component of a cluster or alternate index. 1: there is no such component. */
static int rename_component(struct idcams *idcams, const char *name, const char *new_name)
{
	char **names;
	size_t count = catalog_list(&idcams->catalog, &names);
	int result = 1;

	for (size_t i = 0; i < count && result > 0; i++) {
		struct catalog_entry entry;
		char **component = NULL;

		if (catalog_entry_read(&idcams->catalog, names[i], &entry, NULL) < 0)
			continue;
		if (entry.data && strcmp(entry.data, name) == 0)
			component = &entry.data;
		else if (entry.index && strcmp(entry.index, name) == 0)
			component = &entry.index;
		if (component) {
			free(*component);
			*component = xstrdup(new_name);
			result = write_entry(idcams, names[i], &entry);
		}
		catalog_entry_release(&entry);
	}
	catalog_names_free(names, count);
	return result;
}

/* Renames a member within its data set. */
static int rename_member(struct idcams *idcams, const struct idcams_operand *from,
			 const struct idcams_operand *to)
{
	struct strbuf folder = STRBUF_INIT, old = STRBUF_INIT, new = STRBUF_INIT;
	int result = -1;

	catalog_file(&idcams->catalog, from->text, &folder);
	strbuf_addf(&old, "%s/%s", folder.text, from->values->text);
	strbuf_addf(&new, "%s/%s", folder.text, to->values ? to->values->text : "");
	if (strcmp(from->text, to->text) != 0 || !to->values)
		not_altered(idcams, from->text, "NEWNAME names no member of the same data set");
	else if (!catalog_exists(old.text))
		not_altered(idcams, from->text, "it has no such member");
	else if (catalog_exists(new.text))
		not_altered(idcams, from->text, "it has a member with the new name already");
	else if (idcams_lock(idcams, from->text, true) == 0) {
		result = rename(old.text, new.text);
		if (result < 0)
			not_altered(idcams, from->text, strerror(errno));
		else
			attributes_moved(old.text, new.text);
	}
	strbuf_release(&folder);
	strbuf_release(&old);
	strbuf_release(&new);
	return result;
}

/* Deletes or uncatalogs the generations beyond a lowered LIMIT. */
static int roll_off(struct idcams *idcams, const char *base)
{
	struct generation_group group;
	struct error err = ERROR_INIT;
	char **names;
	size_t count;
	int result = 0;

	if (generation_group_read(&group, &idcams->catalog, base, &err) < 0) {
		not_altered(idcams, base, error_text(&err));
		error_release(&err);
		return -1;
	}
	count = generation_roll_off(&group, 0, &names);
	for (size_t i = 0; i < count && result == 0; i++) {
		struct strbuf path = STRBUF_INIT;
		struct catalog_entry gone = { .type = CATALOG_NONVSAM, .rolled_off = true };

		catalog_file(&idcams->catalog, names[i], &path);
		result = idcams_lock(idcams, names[i], true);
		if (result == 0 && !group.scratch)
			result = write_entry(idcams, names[i], &gone);
		else if (result == 0 && catalog_remove(path.text) < 0)
			result = not_altered(idcams, names[i], strerror(errno));
		if (result == 0)
			utility_foreign_message(idcams->utility, "IDC0550I", SEVERITY_INFO, 5553,
				      group.scratch ? "ENTRY (H) %s DELETED"
						    : "ENTRY (H) %s UNCATALOGED",
				      names[i]);
		strbuf_release(&path);
	}
	catalog_names_free(names, count);
	generation_group_release(&group);
	return result;
}

/* Sets flag if a keyword or its opposite is given. */
static bool take_flag(const struct idcams_operand *operands, const char *yes, const char *no,
		      bool *flag)
{
	if (idcams_find(operands, yes))
		*flag = true;
	else if (idcams_find(operands, no))
		*flag = false;
	else
		return false;
	return true;
}

/* Changes the attributes of an entry. 1: no attribute is to be changed, -1 after a message. */
static int change_entry(struct idcams *idcams, const char *name, struct catalog_entry *entry,
			const struct idcams_operand *operands)
{
	unsigned limit = idcams_number(operands, "LIMIT", 0, 0);
	bool group = take_flag(operands, "EMPTY", "NOEMPTY", &entry->empty);
	bool cluster = take_flag(operands, "REUSE", "NOREUSE", &entry->reuse);
	bool index = take_flag(operands, "UPGRADE", "NOUPGRADE", &entry->upgrade);

	group |= take_flag(operands, "SCRATCH", "NOSCRATCH", &entry->scratch);
	group |= idcams_find(operands, "LIMIT") != NULL;
	RETURN_IF(!group && !cluster && !index, 1);
	if ((group && entry->type != CATALOG_GDG) || (cluster && entry->type != CATALOG_CLUSTER) ||
	    (index && entry->type != CATALOG_AIX))
		return not_altered(idcams, name, "an attribute does not fit its type");
	if (idcams_find(operands, "LIMIT")) {
		if (limit == 0 || limit > HIGHEST_LIMIT)
			return not_altered(idcams, name, "LIMIT is 1 to 255");
		entry->limit = limit;
	}
	RETURN_IF(write_entry(idcams, name, entry) < 0, -1);
	return group ? roll_off(idcams, name) : 0;
}

/* Executes ALTER for one existing entry. */
static void alter_name(struct idcams *idcams, const char *name, const char *new_name,
		       const struct idcams_operand *operands)
{
	struct catalog_entry entry;
	struct error err = ERROR_INIT;
	int result = 1;

	if (catalog_entry_read(&idcams->catalog, name, &entry, &err) < 0) {
		not_altered(idcams, name, error_text(&err));
	} else if (entry.type == CATALOG_NONE) {
		if (new_name)
			result = rename_component(idcams, name, new_name);
		if (result > 0) {
			idcams_not_found(idcams, SEVERITY_ERROR, name);
			not_altered(idcams, name, NULL);
		} else if (result == 0) {
			altered(idcams, name);
		}
	} else {
		result = change_entry(idcams, name, &entry, operands);
		if (result >= 0 && new_name)
			result = rename_entry(idcams, name, new_name, &entry);
		if (result >= 0)
			altered(idcams, name);
	}
	catalog_entry_release(&entry);
	error_release(&err);
}

/*
 * Returns the new name of one that matches a generic name: the '*' of both
 * patterns stands for the same qualifier.
 */
static char *generic_name(const char *pattern, const char *new_pattern, const char *name)
{
	size_t before = strcspn(pattern, "*"), after = strlen(pattern + before + 1);
	size_t new_before = strcspn(new_pattern, "*");
	struct strbuf text = STRBUF_INIT;

	strbuf_add(&text, new_pattern, new_before);
	strbuf_add(&text, name + before, strlen(name) - before - after);
	strbuf_addstr(&text, new_pattern + new_before + 1);
	return strbuf_detach(&text, NULL);
}

/* Returns whether both names have one '*' and no other wildcard. */
static bool generic_pair(const char *pattern, const char *new_pattern)
{
	const char *star = strchr(pattern, '*'), *new_star = strchr(new_pattern, '*');

	return star && new_star && !strchr(star + 1, '*') && !strchr(new_star + 1, '*') &&
	       !strchr(pattern, '%') && !strchr(new_pattern, '%');
}

/* Executes ALTER A.*.C NEWNAME(B.*.C). */
static void alter_matching(struct idcams *idcams, const char *pattern, const char *new_pattern,
			   const struct idcams_operand *operands)
{
	size_t count, matched = 0;
	char **names;

	if (new_pattern && !generic_pair(pattern, new_pattern)) {
		not_altered(idcams, pattern, "a generic name and its NEWNAME have one * each");
		return;
	}
	count = catalog_list(&idcams->catalog, &names);
	for (size_t i = 0; i < count; i++) {
		char *new_name;

		if (!catalog_matches(pattern, names[i]))
			continue;
		new_name = new_pattern ? generic_name(pattern, new_pattern, names[i]) : NULL;
		alter_name(idcams, names[i], new_name, operands);
		free(new_name);
		matched++;
	}
	catalog_names_free(names, count);
	if (matched > 0)
		return;
	idcams_not_found(idcams, SEVERITY_ERROR, pattern);
	not_altered(idcams, pattern, NULL);
}

void idcams_alter(struct idcams *idcams, const struct idcams_command *command)
{
	const struct idcams_operand *name = command->operands, *operands = name->next;
	const struct idcams_operand *to = idcams_find(operands, "NEWNAME");

	if (!idcams_has_root(idcams))
		return;
	to = to ? to->values : NULL;
	if (idcams_find(operands, "ADDVOLUMES") || idcams_find(operands, "REMOVEVOLUMES"))
		utility_message(idcams->utility, SEVERITY_INFO, 5640,
				"volumes have no meaning here and are ignored");
	if (name->length == 0 || (to && to->next))
		utility_message(idcams->utility, SEVERITY_SEVERE, 5604,
				"ALTER takes one name, and NEWNAME too");
	else if (name->values && to) {
		if (rename_member(idcams, name, to) == 0)
			altered(idcams, name->text);
	} else if (name->values || (to && to->values))
		not_altered(idcams, name->text, "of members only NEWNAME can be altered");
	else if (strpbrk(name->text, "*%"))
		alter_matching(idcams, name->text, to ? to->text : NULL, operands);
	else if (to && strpbrk(to->text, "*%"))
		not_altered(idcams, name->text, "NEWNAME is generic, the name is not");
	else
		alter_name(idcams, name->text, to ? to->text : NULL, operands);
}
