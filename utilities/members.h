/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Members of libraries. A library is a folder, a member a file in it, an
 * alias a symbolic link to a member of the same folder. Files whose names
 * begin with a period are no members.
 */
#ifndef VIGIL_UTILITIES_MEMBERS_H
#define VIGIL_UTILITIES_MEMBERS_H

#include "common/error.h"

struct member {
	char *name;
	char *folder;
	char *target; /* of an alias: the member's name; NULL otherwise */
};

struct member_list {
	struct member *items; /* in order of the names */
	size_t count, alloc;
};

/* The members of folders, parted by ':'; of those with one name the first counts. -1 with the
 * reason. */
int member_list_read(struct member_list *list, const char *folders, struct error *err);
void member_list_release(struct member_list *list);
/* The member of that name, NULL when there is none. */
struct member *member_find(const struct member_list *list, const char *name);
bool member_exists(const char *folder, const char *name);

/*
 * A member in the making: a file of another name in its folder, which becomes
 * the member when it is whole. path is that file's, for the caller to write;
 * it is there, and empty, with the permissions of the member that it replaces.
 */
struct member_draft {
	char *path, *final;
};

int member_begin(struct member_draft *draft, const char *folder, const char *name,
		 struct error *err);
/* Makes it the member, in the place of the one that was there. */
int member_commit(struct member_draft *draft, struct error *err);
/* Forgets it. */
void member_abandon(struct member_draft *draft);

/* Copies a file's content, mode and times whole to a member of folder. */
int member_copy(const char *from, const char *folder, const char *name, struct error *err);
/* Makes an alias, in the place of what had its name. */
int member_alias(const char *folder, const char *alias, const char *name, struct error *err);

#endif
