/* SPDX-License-Identifier: Apache-2.0 */
/* IEBCOPY: copies members between libraries, and libraries to and from one sequential file. */
#include "common/compat.h"
#include "common/xalloc.h"
#include "datasets/catalog.h"
#include "datasets/folders.h"
#include "utilities/dd.h"
#include "utilities/iebcopy-request.h"
#include "utilities/iebcopy-unload.h"
#include "utilities/members.h"

#include <sys/stat.h>
#include <unistd.h>

/* State of a group while it is executed. */
struct copying {
	struct utility *utility;
	struct iebcopy_group *group;
	struct dd output;
	size_t copied;
};

/* How one member is copied. */
struct choice {
	const struct iebcopy_item *item; /* of SELECT; NULL: no SELECT */
	char *name;		      /* the name in the output */
	bool replace;
};

static int fail(struct utility *utility, unsigned number, const char *format, ...) PRINTFLIKE(3, 4);

/* Reports an error with return code 8; nothing more is done. Returns -1. */
static int fail(struct utility *utility, unsigned number, const char *format, ...)
{
	struct strbuf text = STRBUF_INIT;
	va_list ap;

	va_start(ap, format);
	strbuf_vaddf(&text, format, ap);
	va_end(ap);
	utility_message(utility, SEVERITY_ERROR, number, "%s", text.text);
	strbuf_release(&text);
	return -1;
}

/* Returns whether a file is the member that a statement names: NAME, or a COBOL module NAME.so. */
static bool matches_member(const char *statement, const char *file)
{
	size_t length = strlen(statement);

	return strncmp(statement, file, length) == 0 &&
	       (!file[length] || strcmp(file + length, ".so") == 0);
}

static struct iebcopy_item *find_item(const struct iebcopy_items *items, const char *file)
{
	for (size_t i = 0; i < items->count; i++)
		if (matches_member(items->items[i].name, file))
			return &items->items[i];
	return NULL;
}

/* Returns whether a member is copied. If so, *choice says how; the caller frees its name. */
static bool select_member(const struct copying *copying, const struct iebcopy_item *input,
		   const struct member *member, struct choice *choice)
{
	const struct iebcopy_group *group = copying->group;
	struct iebcopy_item *item = find_item(&group->selected, member->name);
	struct strbuf name = STRBUF_INIT;

	if (!item && group->aliases && member->target)
		item = find_item(&group->selected, member->target);
	if ((group->selected.count && !item) || find_item(&group->excluded, member->name))
		return false;
	if (item)
		item->found = true;
	if (item && item->new_name && matches_member(item->name, member->name))
		strbuf_addf(&name, "%s%s", item->new_name, member->name + strlen(item->name));
	else
		strbuf_addstr(&name, member->name);
	*choice = (struct choice){ .item = item,
				   .name = strbuf_detach(&name, NULL),
				   .replace = input->replace || (item && item->replace) };
	return true;
}

/*
 * Returns the name that an alias's member has in the output; NULL when that member
 * is not copied.
 */
static char *copied_target(const struct copying *copying, const struct iebcopy_item *input,
			   const struct member_list *members, const struct member *alias)
{
	const struct member *target = alias->target ? member_find(members, alias->target) : NULL;
	struct choice choice;

	if (!target || target->target || !select_member(copying, input, target, &choice))
		return NULL;
	return choice.name;
}

/*
 * Copies a member's record format where it differs from the output library's. The
 * input library's format is not copied.
 */
static void copy_attributes(struct copying *copying, const char *from, const char *name)
{
	struct strbuf to = STRBUF_INIT;
	struct attributes member, library;
	struct error err = ERROR_INIT;

	attributes_get(from, &member);
	attributes_get(copying->output.path, &library);
	member.organization = ORGANIZATION_UNKNOWN;
	if (*member.recfm &&
	    (strcmp(member.recfm, library.recfm) != 0 || member.lrecl != library.lrecl)) {
		strbuf_addf(&to, "%s/%s", copying->output.path, name);
		if (attributes_set(to.text, &member, &err) < 0)
			utility_message(copying->utility, SEVERITY_WARNING, 5658,
					"cannot keep the record format of %s: %s", name,
					error_text(&err));
	}
	error_release(&err);
	strbuf_release(&to);
}

/* Copies a member. An alias is made again as an alias when its member is copied too. */
static int copy_one(struct copying *copying, const struct iebcopy_item *input,
		    const struct member_list *members, const struct member *member,
		    const struct choice *choice)
{
	char *target = copied_target(copying, input, members, member);
	struct strbuf from = STRBUF_INIT;
	struct error err = ERROR_INIT;
	int result;

	strbuf_addf(&from, "%s/%s", member->folder, member->name);
	if (target)
		result = member_alias(copying->output.path, choice->name, target, &err);
	else
		result = member_copy(from.text, copying->output.path, choice->name, &err);
	if (result < 0)
		fail(copying->utility, 5654, "%s", error_text(&err));
	else if (!target)
		copy_attributes(copying, from.text, choice->name);
	strbuf_release(&from);
	error_release(&err);
	free(target);
	return result;
}

/* Reports what was copied or unloaded. */
static void report_copied(struct copying *copying, const struct member *member,
		     const struct choice *choice, const char *what)
{
	copying->copied++;
	if (!copying->group->list)
		return;
	if (strcmp(member->name, choice->name) != 0)
		utility_foreign_message(copying->utility, "IEB155I", SEVERITY_INFO, 0,
			      "%-8s HAS BEEN SUCCESSFULLY %s AND IS A \"NEW NAME\" (OLD NAME "
			      "%s)",
			      choice->name, what, member->name);
	else
		utility_foreign_message(copying->utility, "IEB154I", SEVERITY_INFO, 0,
			      "%-8s HAS BEEN SUCCESSFULLY %s", choice->name, what);
}

/* Copies the chosen members of an input. */
static int copy_members(struct copying *copying, const struct iebcopy_item *input,
			const struct member_list *members)
{
	int result = 0;

	for (size_t i = 0; i < members->count && result == 0; i++) {
		const struct member *member = &members->items[i];
		struct choice choice;

		if (!select_member(copying, input, member, &choice))
			continue;
		if (!choice.replace && member_exists(copying->output.path, choice.name)) {
			utility_message(copying->utility, SEVERITY_INFO, 5653,
					"%s was not copied: %s has it already, and there is no R",
					member->name, copying->group->output);
		} else {
			result = copy_one(copying, input, members, member, &choice);
			if (result == 0)
				report_copied(copying, member, &choice, "COPIED");
		}
		free(choice.name);
	}
	return result;
}

/* Returns whether records of the two formats cannot be in one library. Lines can be in any. */
static bool differ(const struct attributes *in, const struct attributes *out)
{
	if (!*in->recfm || !*out->recfm || strcmp(in->recfm, "TEXT") == 0 ||
	    strcmp(out->recfm, "TEXT") == 0)
		return false;
	return in->recfm[0] != out->recfm[0] ||
	       (in->recfm[0] == 'F' && in->lrecl && out->lrecl && in->lrecl != out->lrecl);
}

/* Checks that the records of the input library may be in the output library. */
static int check_attributes(struct copying *copying, const struct dd *input)
{
	struct attributes in, out, merged;
	struct error err = ERROR_INIT;

	attributes_get(input->path, &in);
	attributes_get(copying->output.path, &out);
	attributes_merge(&in, &input->attributes);
	merged = copying->output.attributes;
	attributes_merge(&merged, &out);
	if (differ(&in, &merged))
		return fail(copying->utility, 5655,
			    "%s has RECFM=%s,LRECL=%u and %s RECFM=%s,LRECL=%u: nothing was copied",
			    input->name, in.recfm, in.lrecl, copying->output.name, merged.recfm,
			    merged.lrecl);
	attributes_merge(&merged, &in);
	if (!*out.recfm && *merged.recfm && attributes_set(copying->output.path, &merged, &err) < 0)
		utility_message(copying->utility, SEVERITY_WARNING, 5658,
				"cannot keep the record format of %s: %s", copying->output.name,
				error_text(&err));
	error_release(&err);
	return 0;
}

/* Returns whether two paths are the same library. */
static bool same_folder(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Handles INDD and OUTDD that are one library: a compress, which a folder never needs. */
static int compress(struct copying *copying, const struct iebcopy_item *input)
{
	if (copying->group->selected.count || copying->group->excluded.count)
		return fail(copying->utility, 5656,
			    "INDD=%s and OUTDD=%s are one library: SELECT and EXCLUDE have no "
			    "meaning",
			    input->name, copying->group->output);
	utility_foreign_message(copying->utility, "IEB161I", SEVERITY_INFO, 0,
		      "COMPRESS TO BE DONE USING INDD NAMED %s", input->name);
	utility_message(copying->utility, SEVERITY_INFO, 5657,
			"a library needs no compress here: nothing was moved");
	return 0;
}

static int copy_library(struct copying *copying, const struct iebcopy_item *input,
			const struct dd *from)
{
	struct member_list members;
	struct error err = ERROR_INIT;
	int result;

	if (same_folder(from->path, copying->output.path))
		return compress(copying, input);
	RETURN_IF(check_attributes(copying, from) < 0, -1);
	if (member_list_read(&members, from->path, &err) < 0) {
		fail(copying->utility, 5652, "INDD=%s: %s", input->name, error_text(&err));
		error_release(&err);
		return -1;
	}
	utility_foreign_message(copying->utility, "IEB167I", SEVERITY_INFO, 0,
		      "FOLLOWING MEMBER(S) COPIED FROM INPUT DATA SET REFERENCED BY %s",
		      input->name);
	copying->copied = 0;
	result = copy_members(copying, input, &members);
	utility_foreign_message(copying->utility, "IEB1098I", SEVERITY_INFO, 0,
		      "%zu OF %zu MEMBERS COPIED FROM INPUT DATA SET REFERENCED BY %s",
		      copying->copied, members.count, input->name);
	member_list_release(&members);
	return result;
}

/* Loads a sequential file as input: a library that was unloaded to it. */
static int load(struct copying *copying, const struct iebcopy_item *input, const struct dd *from)
{
	struct dd library = { .name = from->name };
	struct error err = ERROR_INIT;
	int result = iebcopy_unload_extract(from->path, &library.path, &err);

	if (result < 0)
		fail(copying->utility, 5652, "INDD=%s: %s", input->name, error_text(&err));
	else
		result = copy_library(copying, input, &library);
	if (library.path)
		folders_remove(library.path);
	dd_release(&library);
	error_release(&err);
	return result;
}

/* Returns whether a DD is a library or a concatenation of libraries. */
static bool is_library(const char *path)
{
	char *first = xstrndup(path, strcspn(path, ":"));
	bool folder = catalog_is_folder(path) || catalog_is_folder(first);

	free(first);
	return folder;
}

/* Unloads a library to a sequential file. */
static int unload(struct copying *copying, const struct iebcopy_item *input, const struct dd *from)
{
	struct error err = ERROR_INIT;
	struct member_list members = { 0 };
	struct iebcopy_unload *file = NULL;
	int result = 0;

	if (copying->group->inputs.count > 1 || !is_library(from->path))
		return fail(copying->utility, 5651,
			    "OUTDD=%s is not a library: only one library can be unloaded into it",
			    copying->group->output);
	if (member_list_read(&members, from->path, &err) < 0 ||
	    iebcopy_unload_create(&file, copying->output.path, &from->attributes, &err) < 0)
		result = -1;
	for (size_t i = 0; i < members.count && result == 0; i++) {
		struct choice choice;

		if (!select_member(copying, input, &members.items[i], &choice))
			continue;
		result = iebcopy_unload_add(file, &members.items[i], choice.name, &err);
		if (result == 0)
			report_copied(copying, &members.items[i], &choice, "UNLOADED");
		free(choice.name);
	}
	if (file && iebcopy_unload_finish(file, result == 0 ? &err : NULL) < 0)
		result = -1;
	if (result < 0)
		fail(copying->utility, 5654, "%s", error_text(&err));
	utility_foreign_message(copying->utility, "IEB1098I", SEVERITY_INFO, 0,
		      "%zu OF %zu MEMBERS UNLOADED FROM INPUT DATA SET REFERENCED BY %s",
		      copying->copied, members.count, input->name);
	member_list_release(&members);
	error_release(&err);
	return result;
}

/* Returns a DD's library for the listing: the data set name, or the path when no name is known. */
static const char *library_name(const char *ddname, const struct dd *dd)
{
	const char *dsn = utility_dsn(ddname);

	return dsn ? dsn : dd->path;
}

/* Copies from one input. */
static int copy_input(struct copying *copying, const struct iebcopy_item *input)
{
	bool to_library = catalog_is_folder(copying->output.path);
	struct dd from;
	int result;

	if (!dd_find(&from, input->name))
		return fail(copying->utility, 5659, "DD %s is missing", input->name);
	utility_foreign_message(copying->utility, "IEB1013I", SEVERITY_INFO, 0, "COPYING FROM INDD=%s %s",
		      input->name, library_name(input->name, &from));
	utility_foreign_message(copying->utility, "IEB1014I", SEVERITY_INFO, 0, "          TO OUTDD=%s %s",
		      copying->group->output,
		      library_name(copying->group->output, &copying->output));
	if (!to_library)
		result = unload(copying, input, &from);
	else if (is_library(from.path))
		result = copy_library(copying, input, &from);
	else
		result = load(copying, input, &from);
	dd_release(&from);
	return result;
}

/* Reports members of SELECT that no input had. */
static void report_missing(struct copying *copying)
{
	const struct iebcopy_items *selected = &copying->group->selected;

	for (size_t i = 0; i < selected->count; i++)
		if (!selected->items[i].found)
			utility_foreign_message(copying->utility, "IEB177I", SEVERITY_WARNING, 5660,
				      "%-8s WAS SELECTED BUT NOT FOUND IN ANY INPUT DATA SET",
				      selected->items[i].name);
}

static int iebcopy_group(struct utility *utility, struct iebcopy_group *group)
{
	struct copying copying = { .utility = utility, .group = group };
	int result = 0;

	if (!dd_find(&copying.output, group->output))
		return fail(utility, 5659, "DD %s is missing", group->output);
	for (size_t i = 0; i < group->inputs.count && result == 0; i++)
		result = copy_input(&copying, &group->inputs.items[i]);
	if (result == 0)
		report_missing(&copying);
	dd_release(&copying.output);
	return result;
}

int main(int argc, char **argv)
{
	struct utility utility = { .name = "IEBCOPY" };
	struct iebcopy_group *list;
	const char *parm;
	int result = utility_arguments(&utility, argc, argv, &parm);

	if (result != 0)
		return result < 0 ? SEVERITY_ERROR : 0;
	utility_init(&utility, "IEBCOPY");
	list = iebcopy_request_read(&utility, parm);
	for (struct iebcopy_group *group = list; group; group = group->next)
		if (iebcopy_group(&utility, group) < 0)
			break;
	iebcopy_request_free(list);
	if (utility.worst > SEVERITY_ERROR)
		utility.worst = SEVERITY_ERROR;
	utility_foreign_message(&utility, "IEB147I", SEVERITY_INFO, 0,
		      "END OF JOB -%02u WAS HIGHEST SEVERITY CODE", utility.worst);
	return utility_end(&utility);
}
