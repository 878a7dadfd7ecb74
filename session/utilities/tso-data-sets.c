/* SPDX-License-Identifier: Apache-2.0 */
/* Names of data sets in TSO commands, and the commands that IDCAMS carries out. */
#include "common/compat.h"
#include "common/xalloc.h"
#include "session/datasets/catalog.h"
#include "session/utilities/tso.h"

#include <ctype.h>
#include <strings.h>
#include <unistd.h>

int tso_name(struct tso *tso, const char *text, bool quoted, struct strbuf *dsn,
	     struct strbuf *member)
{
	size_t length = strcspn(text, "(");
	size_t member_length = text[length] ? strcspn(text + length + 1, ")") : 0;

	strbuf_reset(dsn);
	strbuf_reset(member);
	if (!quoted && *tso->prefix)
		strbuf_addf(dsn, "%s.", tso->prefix);
	for (size_t i = 0; i < length; i++)
		strbuf_addch(dsn, (char)toupper((unsigned char)text[i]));
	for (size_t i = 0; i < member_length; i++)
		strbuf_addch(member, (char)toupper((unsigned char)text[length + 1 + i]));
	if (catalog_name_valid(dsn->text) && (!text[length] || catalog_member_valid(member->text)))
		return 0;
	return -tso_fail(tso, "IKJ56709I", 5682, "INVALID DATA SET NAME, %s", text);
}

int tso_path(struct tso *tso, const char *dsn, const char *member, struct strbuf *path)
{
	const char *root = getenv("VIGIL_ROOT");
	struct strbuf target = STRBUF_INIT;
	struct catalog catalog;
	unsigned key;

	if (!root || catalog_open(&catalog, root, getenv("VIGIL_MAP"), NULL) < 0)
		return -tso_fail(tso, "IKJ56709I", 5695,
				 "%s CANNOT BE FOUND: NO DATA SET ROOT IS KNOWN", dsn);
	catalog_resolve(&catalog, dsn, &target, &key);
	catalog_file(&catalog, target.text, path);
	catalog_release(&catalog);
	strbuf_release(&target);
	if (member)
		strbuf_addf(path, "/%s", member);
	return 0;
}

/* Cards of a command: words on lines of their own, so that none is too long. */
static int write_cards(const char *path, const char *verb, const char *operands)
{
	FILE *file = fopen(path, "we");

	RETURN_IF(!file, -1);
	fprintf(file, " %s", verb);
	while (*operands) {
		size_t length = strcspn(operands, " ");

		if (length > 0)
			fprintf(file, " -\n  %.*s", (int)length, operands);
		operands += length + (operands[length] == ' ');
	}
	fputc('\n', file);
	return fclose(file);
}

/* Set a variable, or remove it (NULL); what it was before, which the caller frees. */
static char *exchange(const char *name, const char *value)
{
	const char *old = getenv(name);
	char *copy = old ? xstrdup(old) : NULL;

	if (value)
		setenv(name, value, 1);
	else
		unsetenv(name);
	return copy;
}

/* Run IDCAMS with its cards in a file and its messages on SYSTSPRT. */
static int run_idcams(struct tso *tso, const char *cards)
{
	static const char *const names[] = { "DD_SYSIN", "DD_SYSPRINT", "VIGIL_DCB_SYSIN" };
	const char *values[] = { cards, NULL, NULL }, *arguments[] = { NULL };
	char *old[ARRAY_SIZE(names)];
	struct program program;
	int code;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		old[i] = exchange(names[i], values[i]);
	if (tso_search(tso, NULL, "IDCAMS", &program))
		code = tso_run(tso, &program, arguments, true);
	else
		code = tso_fail(tso, "CSV003I", 5685, "REQUESTED MODULE IDCAMS NOT FOUND");
	program_release(&program);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		free(exchange(names[i], old[i]));
		free(old[i]);
	}
	return code;
}

int tso_idcams(struct tso *tso, const char *verb, const char *operands)
{
	const char *folder = getenv("TMPDIR");
	struct strbuf cards = STRBUF_INIT;
	int code;

	strbuf_addf(&cards, "%s/idcams.%d", folder ? folder : "/tmp", (int)getpid());
	if (write_cards(cards.text, verb, operands) < 0)
		code = tso_fail(tso, "IKJ56641I", 5689, "%s CANNOT BE WRITTEN: %s", cards.text,
				strerror(errno));
	else
		code = run_idcams(tso, cards.text);
	unlink(cards.text);
	strbuf_release(&cards);
	return code;
}

/* Append the whole names of the data sets that an operand is or lists. */
static int whole_names(struct tso *tso, const struct tso_operand *operand, struct strbuf *text)
{
	struct strbuf dsn = STRBUF_INIT, member = STRBUF_INIT;
	struct tso_operands list = { 0 };
	int result = 0;

	if (!*operand->word && operand->value) {
		RETURN_IF(tso_parse(tso, operand->value, &list) < 0, -1);
		strbuf_addstr(text, "(");
		for (size_t i = 0; i < list.count && result == 0; i++)
			result = whole_names(tso, &list.items[i], text);
		strbuf_addstr(text, ") ");
		tso_operands_release(&list);
		return result;
	}
	result = tso_name(tso, operand->word, operand->quoted, &dsn, &member);
	if (operand->value)
		strbuf_addstr(&member, operand->value);
	strbuf_addstr(text, dsn.text);
	if (member.length > 0)
		strbuf_addf(text, "(%s)", member.text);
	strbuf_addch(text, ' ');
	strbuf_release(&dsn);
	strbuf_release(&member);
	return result;
}

/* The names of a command's first operands, then the others as they stand. */
static int alter(struct tso *tso, const char *verb, const struct tso_operands *operands,
		 struct strbuf *text)
{
	bool rename = strcasecmp(verb, "RENAME") == 0 || strcasecmp(verb, "REN") == 0;
	size_t names = rename ? 2 : 1;

	if (operands->count < names) {
		tso_fail(tso, "IKJ56701I", 5683, "MISSING DATA SET NAME");
		return -1;
	}
	RETURN_IF(whole_names(tso, &operands->items[0], text) < 0, -1);
	if (rename) {
		strbuf_addstr(text, "NEWNAME(");
		RETURN_IF(whole_names(tso, &operands->items[1], text) < 0, -1);
		strbuf_rtrim(text);
		strbuf_addstr(text, ") ");
	}
	for (size_t i = names; i < operands->count; i++) {
		strbuf_addstr(text, operands->items[i].word);
		if (operands->items[i].value)
			strbuf_addf(text, "(%s)", operands->items[i].value);
		strbuf_addch(text, ' ');
	}
	return rename;
}

int tso_alter(struct tso *tso, const char *verb, const char *operands)
{
	struct strbuf text = STRBUF_INIT;
	struct tso_operands parsed;
	int code = TSO_FAILED, rename;

	RETURN_IF(tso_parse(tso, operands, &parsed) < 0, TSO_FAILED);
	rename = alter(tso, verb, &parsed, &text);
	if (rename >= 0)
		code = tso_idcams(tso, rename ? "ALTER" : verb, text.text);
	tso_operands_release(&parsed);
	strbuf_release(&text);
	return code;
}
