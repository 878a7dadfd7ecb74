/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The members of libraries. A library is a folder, a member a file in it, an alias
 * a symbolic link to a member of the same folder. Files whose names begin with a
 * period are not members.
 */
#ifndef VIGIL_UTILITIES_MEMBERS_H
#define VIGIL_UTILITIES_MEMBERS_H

#include "common/error.h"

struct member {
	char *name;
	char *folder;
	char *target; /* of an alias: the member's name; else NULL */
};

struct member_list {
	struct member *items; /* sorted by name */
	size_t count, alloc;
};

/*
 * Lists the members of folders, separated by ':'; of members with the same name
 * the first one counts. -1 with the reason.
 */
int member_list_read(struct member_list *list, const char *folders, struct error *err);
void member_list_release(struct member_list *list);
/* Returns the member with this name; NULL: none. */
struct member *member_find(const struct member_list *list, const char *name);
bool member_exists(const char *folder, const char *name);

/*
 * A member being written: a file with another name in its folder, which becomes
 * the member once it is complete. path is this file, for the caller to write; it
 * exists, is empty, and has the permissions of the member that it replaces.
 */
struct member_draft {
	char *path, *final;
};

int member_begin(struct member_draft *draft, const char *folder, const char *name,
		 struct error *err);
/* Makes the draft the member, replacing the old one. */
int member_commit(struct member_draft *draft, struct error *err);
/* Discards the draft. */
void member_abandon(struct member_draft *draft);

/*
 * Copies a file with its mode and times to a member of folder; the member appears
 * only once it is complete.
 */
int member_copy(const char *from, const char *folder, const char *name, struct error *err);
/* Makes an alias, replacing whatever had its name. */
int member_alias(const char *folder, const char *alias, const char *name, struct error *err);

#endif
