/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TSO commands that IDCAMS executes: IDCAMS's commands, and those whose names
 * follow TSO's rules.
 */
#include "common/compat.h"
#include "common/xalloc.h"
#include "utilities/tso/tso.h"

#include <strings.h>
#include <unistd.h>

/* Writes a command to a new file of cards, one word per line, so that no line is too long. */
static int write_cards(char *path, const char *verb, const char *operands)
{
	int fd = mkstemp(path);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");

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

/* Sets a variable, or removes it (NULL). Returns the old value, which the caller frees. */
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

/* Runs IDCAMS with the cards in a file and its messages on SYSTSPRT. */
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

	strbuf_addf(&cards, "%s/idcams.XXXXXX", folder ? folder : "/tmp");
	if (write_cards(cards.text, verb, operands) < 0)
		code = tso_fail(tso, "IKJ56641I", 5689, "%s CANNOT BE WRITTEN: %s", cards.text,
				strerror(errno));
	else
		code = run_idcams(tso, cards.text);
	unlink(cards.text);
	strbuf_release(&cards);
	return code;
}

/* Writes the names of a command's first operands, then the other operands unchanged. */
static int alter(struct tso *tso, const char *verb, const struct tso_operands *operands,
		 struct strbuf *text)
{
	bool rename = strcasecmp(verb, "RENAME") == 0 || strcasecmp(verb, "REN") == 0;
	size_t names = rename ? 2 : 1;

	if (operands->count < names) {
		tso_fail(tso, "IKJ56701I", 5683, "MISSING DATA SET NAME");
		return -1;
	}
	RETURN_IF(tso_whole_names(tso, &operands->items[0], text) < 0, -1);
	if (rename) {
		strbuf_addstr(text, "NEWNAME(");
		RETURN_IF(tso_whole_names(tso, &operands->items[1], text) < 0, -1);
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
