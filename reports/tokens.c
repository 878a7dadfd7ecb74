/* SPDX-License-Identifier: Apache-2.0 */
/* Makes tokens of long names. */
#include "common/compat.h"
#include "reports/tokens.h"
#include "common/xalloc.h"
#include "reports/name-forms.h"
#include "reports/text.h"

#include <ctype.h>

/* The owner of a form that several names share. */
#define MANY UINT32_MAX

void tokens_init(struct tokens *tokens)
{
	memset(tokens, 0, sizeof(*tokens));
	strmap_init(&tokens->requests);
	strmap_init(&tokens->taken);
	strmap_init(&tokens->known);
	strmap_init(&tokens->forms);
	strmap_init(&tokens->words);
}

void tokens_release(struct tokens *tokens)
{
	for (size_t i = 0; i < tokens->count; i++) {
		free(tokens->items[i].token);
		free(tokens->items[i].name);
	}
	free(tokens->items);
	free(tokens->answers);
	free(tokens->owners);
	free(tokens->names);
	strmap_release(&tokens->requests);
	strmap_release(&tokens->taken);
	strmap_release(&tokens->known);
	strmap_release(&tokens->forms);
	strmap_release(&tokens->words);
	memset(tokens, 0, sizeof(*tokens));
}

/* Records that a known name has a form. */
static void register_form(struct tokens *tokens, uint32_t name, const char *form)
{
	size_t before = tokens->forms.count;
	uint32_t number = strmap_put(&tokens->forms, form);

	GROW(tokens->names, (size_t)number + 1, tokens->name_alloc);
	if (number >= before)
		tokens->names[number] = name;
	else if (tokens->names[number] != name)
		tokens->names[number] = MANY;
}

void tokens_register(struct tokens *tokens, const char *name)
{
	size_t before = tokens->known.count;
	uint32_t number = strmap_put(&tokens->known, name);
	struct strbuf form = STRBUF_INIT;

	if (number < before)
		return;
	register_form(tokens, number, name);
	for (int i = 0; i < NAME_FORMS && name_forms_has(name); i++) {
		strbuf_reset(&form);
		name_forms_add(&form, name, (enum name_form)i);
		register_form(tokens, number, form.text);
	}
	strbuf_release(&form);
}

/* Returns the item of a token that was assigned, or NULL. */
static const struct token *given(const struct tokens *tokens, const char *token)
{
	uint32_t number = strmap_find(&tokens->taken, token);

	return number == UINT32_MAX ? NULL : &tokens->items[tokens->owners[number - 1]];
}

/* Returns whether a name cannot have a token because another name has it or looks like it. */
static bool is_taken(const struct tokens *tokens, const char *token, const char *name)
{
	const struct token *item = given(tokens, token);

	return item ? strcmp(item->name, name) != 0
		    : strmap_find(&tokens->known, token) != UINT32_MAX;
}

/* Returns whether a name has short forms: only those of code do, not SQL or a path. */
static bool has_forms(const struct tokens *tokens, const char *name)
{
	return strmap_find(&tokens->known, name) != UINT32_MAX && name_forms_has(name);
}

/*
 * Appends the text that a token is made from if no form fits: everything that
 * distinguishes the name.
 */
static void add_essence(const struct tokens *tokens, struct strbuf *sb, const char *name)
{
	if (has_forms(tokens, name))
		name_forms_add(sb, name, NAME_FORM_NO_SCOPES);
	else
		strbuf_addstr(sb, name);
}

/*
 * Makes the longest short form of a name that fits and belongs to no other;
 * returns false if there is none.
 */
static bool make_form(struct tokens *tokens, struct strbuf *sb, const char *name, size_t width)
{
	if (!has_forms(tokens, name))
		return false;
	for (int i = 0; i < NAME_FORMS; i++) {
		strbuf_reset(sb);
		name_forms_add(sb, name, (enum name_form)i);
		if (sb->length && text_width(sb->text) <= width &&
		    !is_taken(tokens, sb->text, name) &&
		    tokens->names[strmap_find(&tokens->forms, sb->text)] != MANY)
			return true;
	}
	return false;
}

/* Appends the start of a name, a joint, and its end. */
static void join(struct strbuf *sb, const char *name, size_t width, size_t end, const char *joint)
{
	strbuf_reset(sb);
	text_add_start(sb, name, width - end - strlen(joint));
	strbuf_addstr(sb, joint);
	text_add_end(sb, name, end);
}

/* Appends the start of a name, '-', and the part where it differs from another. */
static void join_difference(struct strbuf *sb, const char *name, const char *other, size_t width,
			    const char *joint)
{
	size_t same = 0;

	while (name[same] && name[same] == other[same])
		same++;
	/* Start at the beginning of the word if that is not much earlier. */
	for (size_t back = 0; back < width / 4 && back < same; back++)
		if (!isalnum((unsigned char)name[same - back - 1])) {
			same -= back;
			break;
		}
	while (same && (name[same] & 0xc0) == 0x80)
		same--;
	strbuf_reset(sb);
	text_add_start(sb, name, width / 4);
	strbuf_addstr(sb, joint);
	text_add_start(sb, name + same, width - text_width(sb->text));
}

/* Returns the name that a token was assigned to, or looks like. */
static const char *holder(const struct tokens *tokens, const char *token)
{
	const struct token *item = given(tokens, token);

	return item ? item->name : token;
}

/*
 * Makes the token of a name of which no form fits; try above 1 is a number that
 * replaces its end.
 */
static void make_token(const struct tokens *tokens, struct strbuf *sb, const char *name,
		       size_t width, bool tail, unsigned try)
{
	struct strbuf shorter = STRBUF_INIT;
	bool forms = has_forms(tokens, name);
	char number[16];

	add_essence(tokens, &shorter, name);
	snprintf(number, sizeof(number), "-%03u", try > 1 ? try - 1 : 1);
	if (tail) {
		strbuf_reset(sb);
		strbuf_addstr(sb, try ? number : "...");
		text_add_end(sb, name, width - strlen(sb->text));
	} else if (try > 1) {
		join(sb, shorter.text, width, 0, number);
	} else if (try) {
		struct strbuf other = STRBUF_INIT;

		add_essence(tokens, &other, holder(tokens, sb->text));
		join_difference(sb, shorter.text, other.text, width, forms ? ".." : "-");
		strbuf_release(&other);
	} else {
		join(sb, shorter.text, width, forms ? width / 2 : 3, forms ? ".." : "-");
	}
	strbuf_release(&shorter);
}

/* Keeps a token, if it is new; returns the number of its item. */
static size_t keep(struct tokens *tokens, const char *token, const char *name)
{
	const struct token *before = given(tokens, token);
	struct token *item;
	uint32_t number;

	if (before)
		return (size_t)(before - tokens->items);
	number = strmap_put(&tokens->taken, token);
	GROW(tokens->owners, number, tokens->owner_alloc);
	tokens->owners[number - 1] = tokens->count;
	GROW(tokens->items, tokens->count + 1, tokens->alloc);
	item = &tokens->items[tokens->count++];
	item->token = xstrdup(token);
	item->name = xstrdup(name);
	return tokens->count - 1;
}

const char *tokens_put(struct tokens *tokens, const char *name, size_t width, bool tail)
{
	struct strbuf sb = STRBUF_INIT;
	size_t before = tokens->requests.count;
	unsigned try = 0;
	uint32_t request;

	assert(width >= 8);
	strbuf_addf(&sb, "%zu%c%s", width, tail ? 't' : 'h', name);
	request = strmap_put(&tokens->requests, sb.text);
	if (request < before) {
		strbuf_release(&sb);
		return tokens->items[tokens->answers[request - 1]].token;
	}
	if (tail || !make_form(tokens, &sb, name, width)) {
		do
			make_token(tokens, &sb, name, width, tail, try++);
		while (is_taken(tokens, sb.text, name));
	}
	GROW(tokens->answers, request, tokens->answer_alloc);
	tokens->answers[request - 1] = keep(tokens, sb.text, name);
	strbuf_release(&sb);
	return tokens->items[tokens->answers[request - 1]].token;
}

const char *tokens_word(struct tokens *tokens, const char *name, size_t width)
{
	if (text_width(name) > width)
		return tokens_put(tokens, name, width, false);
	return strmap_text(&tokens->words, strmap_put(&tokens->words, name));
}
