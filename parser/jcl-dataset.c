/* SPDX-License-Identifier: Apache-2.0 */
/* Values of DD operands: data set names, dispositions, paths, record formats. */
#include "common/compat.h"
#include "parser/jcl-dd.h"
#include "common/xalloc.h"

#include <fcntl.h>
#include <sys/stat.h>

#define MAXIMUM_NAME 44

/* Returns whether part of a data set name is a qualifier: 1 to 8 characters, the first no digit. */
static bool qualifier_valid(const char *text, size_t length)
{
	if (length == 0 || length > 8)
		return false;
	for (size_t i = 0; i < length; i++) {
		char c = text[i];
		bool letter = (c >= 'A' && c <= 'Z') || c == '@' || c == '#' || c == '$';

		if (!letter && (i == 0 || !((c >= '0' && c <= '9') || c == '-' || c == '{')))
			return false;
	}
	return true;
}

bool jcl_dsn_valid(struct jcl_evaluation *e, const struct jcl_node *node, const char *name)
{
	const char *at = name;

	if (strchr(name, '/')) {
		jcl_complain(e, SEVERITY_ERROR, 1139, node,
			     "a data set name holds no slash; PATH= names a file of the system");
		return false;
	}
	if (strlen(name) > MAXIMUM_NAME) {
		jcl_complain(e, SEVERITY_ERROR, 1105, node,
			     "the data set name %s is longer than 44 characters", name);
		return false;
	}
	for (;;) {
		size_t length = strcspn(at, ".");

		if (!qualifier_valid(at, length)) {
			jcl_complain(e, SEVERITY_ERROR, 1106, node,
				     "'%.*s' is not a qualifier of a data set name: 1 to 8 of "
				     "A-Z 0-9 @ # $ -, the first no digit",
				     (int)length, at);
			return false;
		}
		if (at[length] == '\0')
			return true;
		at += length + 1;
	}
}

/* Parses a relative generation: 0, +n or -n; false for a member name. */
static bool generation(const char *text, int *number)
{
	bool sign = *text == '+' || *text == '-';
	uint64_t value;

	if (!jcl_number(text + sign, 255, &value))
		return false;
	*number = *text == '-' ? -(int)value : (int)value;
	return true;
}

/* Evaluates the parentheses after a data set name. */
static void set_member(struct jcl_evaluation *e, struct plan_dd *dd, const struct jcl_node *node,
		       const char *text)
{
	if (generation(text, &dd->generation)) {
		dd->generation_given = true;
		return;
	}
	if (jcl_name_valid(text, strlen(text)))
		dd->member = xstrdup(text);
	else
		jcl_complain(e, SEVERITY_ERROR, 1107, node,
			     "(%s) is neither a member name nor a relative generation", text);
}

/* Gives an unnamed data set a name that no card can contain, for references to it. */
static void name_anonymous(struct jcl_evaluation *e, struct plan_dd *dd)
{
	struct strbuf sb = STRBUF_INIT;

	strbuf_addf(&sb, "&&.R%u", ++e->anonymous_count);
	free(dd->dsn);
	dd->dsn = strbuf_detach(&sb, NULL);
}

/* Evaluates DSN=*.STEP.DD: the name of an earlier DD's data set. */
static void refer_name(struct jcl_evaluation *e, struct plan_dd *dd, const struct jcl_node *node,
		       const char *text)
{
	struct plan_dd *from = jcl_dd_refer(e, node, text);

	if (!from)
		return;
	if (from->kind != DD_DATASET && from->kind != DD_DUMMY) {
		jcl_complain(e, SEVERITY_ERROR, 1108, node, "%s names no data set", text);
		return;
	}
	if (from->kind == DD_DATASET && from->dsn && !*from->dsn)
		name_anonymous(e, from);
	dd->kind = from->kind;
	dd->dsn = from->dsn ? xstrdup(from->dsn) : NULL;
	dd->member = from->member ? xstrdup(from->member) : NULL;
	dd->temporary = from->temporary;
	dd->generation = from->generation;
	dd->generation_given = from->generation_given;
	if (dd->organization == DSORG_UNKNOWN)
		dd->organization = from->organization;
}

/* Evaluates &&NAME, or &NAME with an undefined symbol. */
static void temporary_name(struct jcl_evaluation *e, struct plan_dd *dd,
			   const struct jcl_node *node, const char *name)
{
	const char *bare = name + strspn(name, "&");
	struct strbuf sb = STRBUF_INIT;

	if (bare[0] && !jcl_name_valid(bare, strlen(bare)))
		jcl_complain(e, SEVERITY_ERROR, 1109, node,
			     "%s is not a temporary name: && and 1 to 8 of A-Z 0-9 @ # $", name);
	strbuf_addf(&sb, "&&%s", bare);
	dd->dsn = strbuf_detach(&sb, NULL);
	dd->temporary = true;
}

void jcl_dd_dsn(struct jcl_evaluation *e, void *target, const struct jcl_node *value)
{
	struct jcl_dd *definition = target;
	struct plan_dd *dd = definition->dd;
	const char *text = jcl_plain_text(e, value);
	size_t length = strcspn(text, "("), whole = strlen(text);
	char *name = jcl_arena_text(&e->scratch, text, length);

	if (value->kind == JCL_EMPTY)
		return;
	definition->has_dsn = true;
	free(dd->dsn);
	free(dd->member);
	dd->dsn = dd->member = NULL;
	if (value->kind == JCL_WORD && strcmp(text, "NULLFILE") == 0) {
		dd->kind = DD_DUMMY;
		return;
	}
	if (strncmp(text, "*.", 2) == 0) {
		refer_name(e, dd, value, text);
		return;
	}
	if (whole == 0) {
		jcl_complain(e, SEVERITY_ERROR, 1110, value, "DSN='' names no data set");
		return;
	}
	if (value->kind == JCL_QUOTED && text[0] == '&' && text[1] != '&') {
		jcl_complain(
			e, SEVERITY_ERROR, 1226, value,
			"symbols in apostrophes are not substituted in DSN; write DSN=%s without them",
			text);
		return;
	}
	if (name[0] == '&')
		temporary_name(e, dd, value, name);
	else if (jcl_dsn_valid(e, value, name))
		dd->dsn = xstrdup(name);
	if (length == whole || (e->fragment && strcmp(text + length, "()") == 0))
		return; /* the caller of a procedure may give the member */
	if (text[whole - 1] != ')' || length + 2 > whole)
		jcl_complain(e, SEVERITY_ERROR, 1107, value,
			     "%s is neither a member name nor a relative generation",
			     text + length);
	else
		set_member(e, dd, value,
			   jcl_arena_text(&e->scratch, text + length + 1, whole - length - 2));
}

/* Evaluates one disposition: KEEP, DELETE, CATLG, UNCATLG or PASS; false if empty or invalid. */
static bool disposition(struct jcl_evaluation *e, const struct jcl_node *node, bool abnormal,
			enum disp_action *action)
{
	static const char *const names[] = { "KEEP", "DELETE", "CATLG", "UNCATLG", "PASS" };
	int choice;

	if (!node || node->kind == JCL_EMPTY)
		return false;
	choice = jcl_choice(jcl_plain_text(e, node), names, ARRAY_SIZE(names) - abnormal);
	if (choice < 0) {
		jcl_complain(e, SEVERITY_ERROR, 1104, node,
			     "disposition %s is not known; expected KEEP, DELETE, CATLG%s",
			     jcl_plain_text(e, node),
			     abnormal ? " or UNCATLG" : ", UNCATLG or PASS");
		return false;
	}
	*action = (enum disp_action)choice;
	return true;
}

void jcl_dd_default_disp(struct plan_dd *dd, bool normal_given, bool abnormal_given)
{
	enum disp_action usual = dd->status == DISP_NEW ? DISP_DELETE : DISP_KEEP;

	if (!normal_given)
		dd->normal = usual;
	if (!abnormal_given)
		dd->abnormal = dd->normal == DISP_PASS ? usual : dd->normal;
}

void jcl_dd_disp(struct jcl_evaluation *e, void *target, const struct jcl_node *value)
{
	static const char *const names[] = { "NEW", "OLD", "SHR", "MOD" };
	struct jcl_dd *definition = target;
	struct plan_dd *dd = definition->dd;
	const struct jcl_node *status = jcl_members(value);
	const struct jcl_node *normal = value->kind == JCL_LIST ? status->next : NULL;
	const struct jcl_node *abnormal = normal ? normal->next : NULL;
	bool normal_given, abnormal_given;
	int choice;

	dd->disp_given = true;
	dd->status = DISP_NEW;
	if (status->kind != JCL_EMPTY) {
		choice = jcl_choice(jcl_plain_text(e, status), names, ARRAY_SIZE(names));
		if (choice < 0)
			jcl_complain(e, SEVERITY_ERROR, 1103, status,
				     "DISP status %s is not known; expected NEW, OLD, SHR or MOD",
				     jcl_plain_text(e, status));
		else
			dd->status = (enum disp_status)choice;
	}
	normal_given = disposition(e, normal, false, &dd->normal);
	abnormal_given = disposition(e, abnormal, true, &dd->abnormal);
	if (abnormal && abnormal->next)
		jcl_complain(e, SEVERITY_ERROR, 1111, abnormal->next,
			     "DISP has three parts: status, normal and abnormal disposition");
	jcl_dd_default_disp(dd, normal_given, abnormal_given);
}

void jcl_dd_path(struct jcl_evaluation *e, void *target, const struct jcl_node *value)
{
	struct jcl_dd *definition = target;
	const char *text = jcl_plain_text(e, value);

	definition->has_path = true;
	if (text[0] != '/')
		jcl_complain(e, SEVERITY_ERROR, 1112, value,
			     "PATH must begin with a slash, not '%s'", text);
	else if (strlen(text) > 4095)
		jcl_complain(e, SEVERITY_ERROR, 1112, value, "PATH is longer than 4095 characters");
	else if (strcmp(text, "/dev/null") == 0)
		definition->dd->kind = DD_DUMMY;
	free(definition->dd->path);
	definition->dd->path = xstrdup(text);
}

/* A word and its bits. */
struct flag {
	const char *name;
	unsigned bits;
};

/* Returns the bits of a list of words; unknown ones are errors. */
static unsigned flags(struct jcl_evaluation *e, const struct jcl_node *value,
		      const struct flag *table, size_t count, const char *keyword)
{
	unsigned bits = 0;

	for (const struct jcl_node *at = jcl_members(value); at;
	     at = value->kind == JCL_LIST ? at->next : NULL) {
		const char *text = jcl_plain_text(e, at);
		size_t i = 0;

		while (i < count && strcmp(table[i].name, text) != 0)
			i++;
		if (i < count)
			bits |= table[i].bits;
		else
			jcl_complain(e, SEVERITY_ERROR, 1113, at, "%s is not known in %s", text,
				     keyword);
	}
	return bits;
}

void jcl_dd_pathopts(struct jcl_evaluation *e, void *target, const struct jcl_node *value)
{
	static const struct flag options[] = {
		{ "ORDONLY", O_RDONLY }, { "OWRONLY", O_WRONLY },     { "ORDWR", O_RDWR },
		{ "OAPPEND", O_APPEND }, { "OCREAT", O_CREAT },	      { "OEXCL", O_EXCL },
		{ "ONOCTTY", O_NOCTTY }, { "ONONBLOCK", O_NONBLOCK }, { "OSYNC", O_SYNC },
		{ "OTRUNC", O_TRUNC },
	};
	struct plan_dd *dd = ((struct jcl_dd *)target)->dd;

	dd->path_options = flags(e, value, options, ARRAY_SIZE(options), "PATHOPTS");
	dd->path_options_given = true;
	if ((dd->path_options & O_ACCMODE) == O_ACCMODE)
		jcl_complain(e, SEVERITY_ERROR, 1114, value,
			     "PATHOPTS has OWRONLY and ORDWR, which exclude each other");
}

void jcl_dd_pathmode(struct jcl_evaluation *e, void *target, const struct jcl_node *value)
{
	static const struct flag modes[] = {
		{ "SIRUSR", S_IRUSR }, { "SIWUSR", S_IWUSR }, { "SIXUSR", S_IXUSR },
		{ "SIRWXU", S_IRWXU }, { "SIRGRP", S_IRGRP }, { "SIWGRP", S_IWGRP },
		{ "SIXGRP", S_IXGRP }, { "SIRWXG", S_IRWXG }, { "SIROTH", S_IROTH },
		{ "SIWOTH", S_IWOTH }, { "SIXOTH", S_IXOTH }, { "SIRWXO", S_IRWXO },
		{ "SISUID", S_ISUID }, { "SISGID", S_ISGID },
	};

	((struct jcl_dd *)target)->dd->path_mode =
		flags(e, value, modes, ARRAY_SIZE(modes), "PATHMODE");
}

void jcl_dd_pathdisp(struct jcl_evaluation *e, void *target, const struct jcl_node *value)
{
	static const char *const names[] = { "KEEP", "DELETE" };
	struct plan_dd *dd = ((struct jcl_dd *)target)->dd;
	const struct jcl_node *at = jcl_members(value);

	for (unsigned i = 0; at && i < 2; i++, at = value->kind == JCL_LIST ? at->next : NULL) {
		int choice = 0;

		if (at->kind != JCL_EMPTY)
			choice = jcl_choice(jcl_plain_text(e, at), names, ARRAY_SIZE(names));
		if (choice < 0)
			jcl_complain(e, SEVERITY_ERROR, 1115, at,
				     "PATHDISP %s is not known; expected KEEP or DELETE",
				     jcl_plain_text(e, at));
		else if (i == 0)
			dd->path_normal = dd->path_abnormal = choice ? DISP_DELETE : DISP_KEEP;
		else if (at->kind != JCL_EMPTY)
			dd->path_abnormal = choice ? DISP_DELETE : DISP_KEEP;
	}
}

void jcl_dd_filedata(struct jcl_evaluation *e, void *target, const struct jcl_node *value)
{
	static const char *const names[] = { "TEXT", "BINARY", "RECORD" };
	struct plan_dd *dd = ((struct jcl_dd *)target)->dd;
	int choice = jcl_choice(jcl_plain_text(e, value), names, ARRAY_SIZE(names));

	if (choice < 0)
		jcl_complain(e, SEVERITY_ERROR, 1116, value,
			     "FILEDATA %s is not known; expected TEXT, BINARY or RECORD",
			     jcl_plain_text(e, value));
	dd->filedata_given = true;
	dd->filedata_text = choice == 0;
}

void jcl_dd_recfm(struct jcl_evaluation *e, void *target, const struct jcl_node *value)
{
	struct plan_dd *dd = ((struct jcl_dd *)target)->dd;
	const char *text = jcl_plain_text(e, value);

	if (value->kind == JCL_EMPTY)
		return;
	if (!strchr("FVUD", text[0]) || text[0] == '\0' ||
	    text[1 + strspn(text + 1, "BSTAM")] != '\0') {
		jcl_complain(e, SEVERITY_ERROR, 1117, value,
			     "RECFM %s is not known; expected F, V, U or D with B, S, A, M, T",
			     text);
		return;
	}
	free(dd->recfm);
	dd->recfm = xstrdup(text);
}

void jcl_dd_lrecl(struct jcl_evaluation *e, void *target, const struct jcl_node *value)
{
	struct plan_dd *dd = ((struct jcl_dd *)target)->dd;
	const char *text = jcl_plain_text(e, value);
	size_t length = strlen(text);
	bool kilo = length > 1 && text[length - 1] == 'K';
	char *digits = jcl_arena_text(&e->scratch, text, length - kilo);
	uint64_t number;

	if (value->kind == JCL_EMPTY || strcmp(text, "X") == 0)
		return;
	if (jcl_number(digits, kilo ? 16383 : 65535, &number))
		dd->lrecl = (unsigned)number << (kilo ? 10 : 0);
	else
		jcl_complain(e, SEVERITY_ERROR, 1118, value,
			     "LRECL %s is not from 0 to 65535, or 1K to 16383K", text);
}

void jcl_dd_blksize(struct jcl_evaluation *e, void *target, const struct jcl_node *value)
{
	struct plan_dd *dd = ((struct jcl_dd *)target)->dd;
	const char *text = jcl_plain_text(e, value);
	size_t length = strlen(text);
	char *digits = jcl_arena_text(&e->scratch, text, length);
	unsigned shift = 0;
	uint64_t number;

	if (value->kind == JCL_EMPTY)
		return;
	if (length > 1 && strchr("KMG", text[length - 1])) {
		shift = text[length - 1] == 'K' ? 10 : text[length - 1] == 'M' ? 20 : 30;
		digits[length - 1] = '\0';
	}
	if (jcl_number(digits, UINT64_C(0x7fffffff) >> shift, &number))
		dd->block_size = (unsigned)(number << shift);
	else
		jcl_complain(e, SEVERITY_ERROR, 1119, value,
			     "BLKSIZE %s is not a number of bytes below 2G", text);
}

void jcl_dd_dsorg(struct jcl_evaluation *e, void *target, const struct jcl_node *value)
{
	static const char *const names[] = { "PS",  "PSU", "PO", "POU", "DA", "DAU", "IS",
					     "ISU", "CX",  "MQ", "GS",	"TR", "TX",  "TQ" };
	struct plan_dd *dd = ((struct jcl_dd *)target)->dd;
	int choice = jcl_choice(jcl_plain_text(e, value), names, ARRAY_SIZE(names));

	if (value->kind == JCL_EMPTY)
		return;
	if (choice < 0)
		jcl_complain(e, SEVERITY_ERROR, 1120, value,
			     "DSORG %s is not known; expected PS, PO, DA, ...",
			     jcl_plain_text(e, value));
	else if (choice < 2)
		dd->organization = DSORG_PS;
	else if (choice < 4)
		dd->organization = DSORG_PO;
}
