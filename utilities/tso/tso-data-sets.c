/* SPDX-License-Identifier: Apache-2.0 */
/* Data sets in TSO commands: their names, their files, and LISTDS. */
#include "common/compat.h"
#include "common/xalloc.h"
#include "datasets/attributes.h"
#include "datasets/entries.h"
#include "utilities/tso/tso.h"

#include <ctype.h>
#include <dirent.h>
#include <unistd.h>

/* Splits a name: "A.B" from NAME, "A.B(C)" from 'NAME(MEMBER)' or NAME(MEMBER). */
static void split_name(const struct tso_operand *operand, struct strbuf *dsn, struct strbuf *member)
{
	const char *text = operand->word, *inner = strchr(text, '(');
	size_t length = inner ? (size_t)(inner - text) : strlen(text);
	size_t inner_length = inner ? strcspn(++inner, ")") : 0;

	if (!inner && operand->value) {
		inner = operand->value;
		inner_length = strlen(inner);
	}
	for (size_t i = 0; i < length; i++)
		strbuf_addch(dsn, (char)toupper((unsigned char)text[i]));
	for (size_t i = 0; i < inner_length; i++)
		strbuf_addch(member, (char)toupper((unsigned char)inner[i]));
}

int tso_name(struct tso *tso, const struct tso_operand *operand, struct strbuf *dsn,
	     struct strbuf *member)
{
	bool wants_member = operand->value || strchr(operand->word, '(');

	strbuf_reset(dsn);
	strbuf_reset(member);
	if (!operand->quoted && *tso->prefix)
		strbuf_addf(dsn, "%s.", tso->prefix);
	split_name(operand, dsn, member);
	if (catalog_name_valid(dsn->text) && (!wants_member || catalog_member_valid(member->text)))
		return 0;
	return -tso_fail(tso, "IKJ56709I", 5682, "INVALID DATA SET NAME, %s%s%s%s", operand->word,
			 operand->value ? "(" : "", operand->value ? operand->value : "",
			 operand->value ? ")" : "");
}

int tso_missing(struct tso *tso, const char *name)
{
	return tso_fail(tso, "IKJ56228I", 5684,
			"DATA SET %s NOT IN CATALOG OR CATALOG CAN NOT BE ACCESSED", name);
}

/* Opens catalogue and locks at the first use. -1 after a message. */
static int open_catalog(struct tso *tso)
{
	const char *root = getenv("VIGIL_ROOT");
	struct error err = ERROR_INIT;
	int result = 0;

	if (tso->catalogued)
		return 0;
	if (!root)
		return -tso_fail(tso, "IKJ56709I", 5695, "NO DATA SET ROOT IS KNOWN");
	lock_list_init(&tso->locks);
	if (catalog_open(&tso->catalog, root, getenv("VIGIL_MAP"), &err) < 0 ||
	    lock_list_join(&tso->locks, root, &err) < 0 || lock_list_share(&tso->locks, &err) < 0)
		result = -tso_fail(tso, "IKJ56709I", 5695, "%s", error_text(&err));
	tso->catalogued = result == 0;
	error_release(&err);
	return result;
}

void tso_catalog_end(struct tso *tso)
{
	if (!tso->catalogued)
		return;
	catalog_release(&tso->catalog);
	lock_list_release(&tso->locks);
}

int tso_path(struct tso *tso, const char *dsn, const char *member, struct strbuf *path)
{
	struct strbuf target = STRBUF_INIT;
	unsigned key;

	RETURN_IF(open_catalog(tso) < 0, -1);
	catalog_resolve(&tso->catalog, dsn, &target, &key);
	catalog_file(&tso->catalog, target.text, path);
	if (member)
		strbuf_addf(path, "/%s", member);
	strbuf_release(&target);
	return 0;
}

int tso_existing(struct tso *tso, const struct tso_operand *operand, struct strbuf *path)
{
	struct strbuf dsn = STRBUF_INIT, member = STRBUF_INIT;
	int code = 0;

	if (tso_name(tso, operand, &dsn, &member) < 0 ||
	    tso_path(tso, dsn.text, member.length ? member.text : NULL, path) < 0)
		code = TSO_FAILED;
	else if (access(path->text, F_OK) < 0)
		code = tso_missing(tso, operand->word);
	strbuf_release(&dsn);
	strbuf_release(&member);
	return code;
}

int tso_whole_names(struct tso *tso, const struct tso_operand *operand, struct strbuf *text)
{
	struct strbuf dsn = STRBUF_INIT, member = STRBUF_INIT;
	struct tso_operands list = { 0 };
	int result = 0;

	if (!*operand->word && operand->value) {
		RETURN_IF(tso_parse(tso, operand->value, &list) < 0, -1);
		strbuf_addstr(text, "(");
		for (size_t i = 0; i < list.count && result == 0; i++)
			result = tso_whole_names(tso, &list.items[i], text);
		strbuf_addstr(text, ") ");
		tso_operands_release(&list);
		return result;
	}
	result = tso_name(tso, operand, &dsn, &member);
	strbuf_addstr(text, dsn.text);
	if (member.length > 0)
		strbuf_addf(text, "(%s)", member.text);
	strbuf_addch(text, ' ');
	strbuf_release(&dsn);
	strbuf_release(&member);
	return result;
}

static int visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static void list_members(struct tso *tso, const char *path)
{
	struct dirent **entries;
	int count = scandir(path, &entries, visible, alphasort);

	fprintf(tso->utility.print, "--MEMBERS--\n");
	for (int i = 0; i < count; i++) {
		utility_echo(tso->utility.print, "  ", entries[i]->d_name,
			     strlen(entries[i]->d_name), "");
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
}

/* Prints the attributes of a data set's records. */
static void list_data_set(struct tso *tso, const char *dsn, const char *path, bool members)
{
	static const char *const organizations[] = { "**", "PS", "PO", "IS", "RR" };
	bool folder = catalog_is_folder(path);
	struct attributes known;

	attributes_get(path, &known);
	if (known.organization == ORGANIZATION_UNKNOWN)
		known.organization = folder ? ORGANIZATION_PARTITIONED : ORGANIZATION_SEQUENTIAL;
	fprintf(tso->utility.print, "%s\n--RECFM-LRECL-BLKSIZE-DSORG\n  %-5s %-5u %-7u %s\n", dsn,
		known.recfm[0] ? known.recfm : "**", known.lrecl, known.block_size,
		organizations[known.organization]);
	if (members && folder)
		list_members(tso, path);
}

/* LISTDS 'name' MEMBERS */
int tso_listds(struct tso *tso, const char *verb, const char *operands)
{
	struct strbuf names = STRBUF_INIT, path = STRBUF_INIT;
	struct tso_operands parsed;
	char *rest, *dsn;
	int code = TSO_FAILED;

	(void)verb;
	RETURN_IF(tso_parse(tso, operands, &parsed) < 0, TSO_FAILED);
	if (parsed.count == 0)
		tso_fail(tso, "IKJ56701I", 5683, "MISSING DATA SET NAME");
	else if (tso_operands_known(tso, &parsed, 1, "MEMBERS M STATUS S HISTORY H LABEL") &&
		 tso_whole_names(tso, &parsed.items[0], &names) == 0)
		code = 0;
	rest = names.text;
	while (code == 0 && (dsn = strsep(&rest, "() "))) {
		strbuf_reset(&path);
		if (!*dsn)
			continue;
		if (tso_path(tso, dsn, NULL, &path) < 0)
			code = TSO_FAILED;
		else if (!catalog_exists(path.text))
			code = tso_missing(tso, dsn);
		else
			list_data_set(tso, dsn, path.text, tso_operand(&parsed, "MEMBERS M"));
	}
	tso_operands_release(&parsed);
	strbuf_release(&names);
	strbuf_release(&path);
	return code;
}
