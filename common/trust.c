/* SPDX-License-Identifier: Apache-2.0 */
/* Finds out whether other users could have changed a file. */
#include "common/compat.h"
#include "common/trust.h"
#include "common/strbuf.h"
#include "common/xalloc.h"

#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

static bool is_trusted(uid_t user)
{
	return user == 0 || user == geteuid();
}

/* Returns whether a group is the private one of a trusted user, with no other members. */
static bool is_private(gid_t number)
{
	const struct group *group = getgrgid(number);
	const struct passwd *user = group ? getpwnam(group->gr_name) : NULL;
	bool alone = user && is_trusted(user->pw_uid) && user->pw_gid == number;

	for (char **member = alone ? group->gr_mem : NULL; alone && *member; member++)
		alone = strcmp(*member, group->gr_name) == 0;
	setpwent();
	while (alone && (user = getpwent()))
		alone = user->pw_gid != number || is_trusted(user->pw_uid);
	endpwent();
	return alone;
}

/*
 * Returns why others could write to a file or folder; NULL: they could not. With
 * an access list the group bit is the mask of all its entries.
 */
static const char *writers_reason(const char *path, const struct stat *status)
{
	RETURN_IF(status->st_mode & S_IWOTH, "everybody can write to it");
	RETURN_IF(!(status->st_mode & S_IWGRP), NULL);
	RETURN_IF(getxattr(path, "system.posix_acl_access", NULL, 0) > 0,
		  "others in its access list can write to it");
	return is_private(status->st_gid) ? NULL : "others of its group can write to it";
}

/* Returns why a file or folder itself is refused; above: it is a folder above the checked one. */
static const char *refusal_reason(const char *path, bool above)
{
	struct stat status;
	const char *why;

	RETURN_IF(stat(path, &status) < 0, NULL);
	why = above && status.st_mode & S_ISVTX ? NULL : writers_reason(path, &status);
	RETURN_IF(why || is_trusted(status.st_uid), why);
	return geteuid() == 0 ? "it does not belong to root" : "it belongs to another user";
}

char *trust_refuse(const char *path)
{
	struct strbuf above = STRBUF_INIT;
	const char *why;

	RETURN_IF(*path != '/' || access(path, F_OK) < 0, NULL);
	why = refusal_reason(path, false);
	RETURN_IF(why, xstrdup(why));
	strbuf_addstr(&above, path);
	while (!why && above.length > 1) {
		size_t slash = (size_t)(strrchr(above.text, '/') - above.text);

		strbuf_setlen(&above, slash ? slash : 1);
		why = refusal_reason(above.text, true);
	}
	if (why)
		strbuf_addf(&above, " is above it: %s", why);
	else
		strbuf_release(&above);
	return why ? strbuf_detach(&above, NULL) : NULL;
}
