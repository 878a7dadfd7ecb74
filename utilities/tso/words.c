/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the operands of TSO commands. */
#include "common/compat.h"
#include "common/xalloc.h"
#include "utilities/tso/tso.h"

#include <ctype.h>
#include <strings.h>

int tso_fail(struct tso *tso, const char *id, unsigned number, const char *format, ...)
{
	struct strbuf text = STRBUF_INIT;
	va_list ap;

	va_start(ap, format);
	strbuf_vaddf(&text, format, ap);
	va_end(ap);
	utility_foreign_message(&tso->utility, id, SEVERITY_ERROR, number, "%s", text.text);
	strbuf_release(&text);
	return TSO_FAILED;
}

/* Skips blanks, commas and comments. */
static const char *skip_blanks(const char *at)
{
	for (;;) {
		const char *end;

		at += strspn(at, " ,\t");
		if (strncmp(at, "/*", 2) != 0)
			return at;
		end = strstr(at + 2, "*/");
		at = end ? end + 2 : at + strlen(at);
	}
}

/* Skips a text in apostrophes that begins at at; NULL: it does not end. */
static const char *skip_quoted(const char *at)
{
	for (at++; *at; at++) {
		if (*at != '\'')
			continue;
		if (at[1] != '\'')
			return at + 1;
		at++;
	}
	return NULL;
}

/* Skips a parenthesis that begins at at; NULL: it does not end. */
static const char *skip_parentheses(const char *at)
{
	unsigned depth = 0;

	do {
		if (*at == '\'') {
			at = skip_quoted(at);
			RETURN_IF(!at, NULL);
			continue;
		}
		depth += *at == '(';
		depth -= *at == ')';
		at++;
	} while (depth > 0 && *at);
	return depth == 0 ? at : NULL;
}

/* Returns a copy of length bytes: without their apostrophes if quoted, else in upper case. */
static char *take_word(const char *text, size_t length)
{
	struct strbuf word = STRBUF_INIT;
	bool quoted = length > 1 && text[0] == '\'' && text[length - 1] == '\'';

	for (size_t i = quoted; i < length - quoted; i++) {
		strbuf_addch(&word, quoted ? text[i] : (char)toupper((unsigned char)text[i]));
		i += quoted && text[i] == '\'';
	}
	return strbuf_detach(&word, NULL);
}

char *tso_unquote(const char *value)
{
	size_t length = strlen(value);
	const char *start = value + strspn(value, " ");

	length -= (size_t)(start - value);
	while (length > 0 && start[length - 1] == ' ')
		length--;
	if (length > 1 && *start == '\'')
		return take_word(start, length);
	return xstrndup(start, length);
}

/* Parses the operand at *at, which moves behind it. -1: it does not end. */
static int take_operand(const char **at, struct tso_operand *operand)
{
	const char *start = *at, *end = start;

	operand->quoted = *start == '\'';
	if (operand->quoted)
		end = skip_quoted(start);
	else
		end += strcspn(start, " ,\t('");
	RETURN_IF(!end, -1);
	operand->word = take_word(start, (size_t)(end - start));
	*at = skip_blanks(end);
	if (**at != '(' || (operand->quoted && end != *at))
		return 0;
	end = skip_parentheses(*at);
	RETURN_IF(!end, -1);
	operand->value = xstrndup(*at + 1, (size_t)(end - *at) - 2);
	*at = end;
	return 0;
}

int tso_parse(struct tso *tso, const char *text, struct tso_operands *operands)
{
	*operands = (struct tso_operands){ 0 };
	for (text = skip_blanks(text); *text; text = skip_blanks(text)) {
		const char *before = text;

		GROW(operands->items, operands->count + 1, operands->alloc);
		operands->items[operands->count] = (struct tso_operand){ 0 };
		if (take_operand(&text, &operands->items[operands->count++]) == 0 && text > before)
			continue;
		utility_message(&tso->utility, SEVERITY_ERROR, 5680,
				"an apostrophe or a parenthesis is not closed: %s", before);
		tso_operands_release(operands);
		return -1;
	}
	return 0;
}

void tso_operands_release(struct tso_operands *operands)
{
	for (size_t i = 0; i < operands->count; i++) {
		free(operands->items[i].word);
		free(operands->items[i].value);
	}
	free(operands->items);
	*operands = (struct tso_operands){ 0 };
}

bool tso_among(const char *word, const char *names)
{
	size_t length = strlen(word);

	for (names += strspn(names, " "); *names; names += strspn(names, " ")) {
		size_t name = strcspn(names, " ");

		if (name == length && strncasecmp(names, word, length) == 0)
			return true;
		names += name;
	}
	return false;
}

const struct tso_operand *tso_operand(const struct tso_operands *operands, const char *names)
{
	for (size_t i = 0; i < operands->count; i++)
		if (!operands->items[i].quoted && tso_among(operands->items[i].word, names))
			return &operands->items[i];
	return NULL;
}

bool tso_operands_known(struct tso *tso, const struct tso_operands *operands, size_t first,
			const char *names)
{
	for (size_t i = first; i < operands->count; i++)
		if (operands->items[i].quoted || !tso_among(operands->items[i].word, names)) {
			tso_fail(tso, "IKJ56712I", 5682, "INVALID KEYWORD, %s",
				 *operands->items[i].word ? operands->items[i].word : "(");
			return false;
		}
	return true;
}
