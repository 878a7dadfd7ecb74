/* SPDX-License-Identifier: Apache-2.0 */
/* Shortens C++ and Rust names. */
#include "common/compat.h"
#include "reports/name-forms.h"
#include "common/xalloc.h"

#include <ctype.h>

/* Limits for names from untrusted input. */
#define MAX_DEPTH 24
#define MAX_PARTS 64

#define ANONYMOUS "(anonymous namespace)"
#define OPERATOR "operator"

/* What a form leaves out. */
static const struct shape {
	bool arguments; /* template arguments become "<..>" */
	size_t parts;	/* kept of a qualified name; 0: all */
} shapes[] = {
	[NAME_FORM_BARE] = { 0 },
	[NAME_FORM_NO_ARGUMENTS] = { .arguments = true },
	[NAME_FORM_NO_SCOPES] = { .parts = 2 },
	[NAME_FORM_OWNER] = { .arguments = true, .parts = 2 },
	[NAME_FORM_LAST] = { .parts = 1 },
	[NAME_FORM_LAST_BARE] = { .arguments = true, .parts = 1 },
};

/* A part of a name while it is shortened. */
struct shortening {
	const char *begin, *at, *end; /* of the name */
	const struct shape *shape;
	struct strbuf *sb;
	size_t word; /* offset in sb of the qualified name being written */
	size_t parts[MAX_PARTS], part_count;
	unsigned depth;
};

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || (c & 0x80);
}

static bool starts(const char *at, const char *end, const char *text)
{
	size_t length = strlen(text);

	return (size_t)(end - at) >= length && strncmp(at, text, length) == 0;
}

/* Returns whether the word "operator" is at a position, not as part of another word. */
static bool is_operator(const char *begin, const char *at, const char *end)
{
	size_t length = strlen(OPERATOR);

	return starts(at, end, OPERATOR) && (at == begin || !is_word(at[-1])) &&
	       (at + length == end || !is_word(at[length]));
}

/*
 * Returns the end of an operator's name: "operator<<", "operator()", "operator
 * new[]", "operator bool".
 */
static const char *operator_end(const char *at, const char *end)
{
	at += strlen(OPERATOR);
	if (starts(at, end, "()") || starts(at, end, "[]"))
		return at + 2;
	if (at < end && *at == ' ') {
		while (at < end && *at != '(')
			at++;
		return at;
	}
	while (at < end && strchr("+-*/%^&|~!=<>,\"", *at))
		at++;
	return at;
}

/* Returns the position after the bracket that closes the one at a position; end if none does. */
static const char *after_bracket(const char *at, const char *end)
{
	static const char opening[] = "(<[{", closing[] = ")>]}";
	char stack[MAX_DEPTH * 4];
	const char *begin = at;
	size_t depth = 0;

	for (; at < end; at++) {
		const char *open = *at ? strchr(opening, *at) : NULL;

		if (is_operator(begin, at, end)) {
			at = operator_end(at, end) - 1;
		} else if (starts(at, end, "->")) {
			at++;
		} else if (open) {
			if (depth == sizeof(stack))
				return end;
			stack[depth++] = closing[open - opening];
		} else if (depth && *at == stack[depth - 1]) {
			if (!--depth)
				return at + 1;
		}
	}
	return end;
}

/*
 * Returns whether the bracket at the current position follows a name, so that it
 * holds parameters.
 */
static bool follows_name(const struct shortening *shortening)
{
	char before;

	if (shortening->at == shortening->begin)
		return false;
	before = shortening->at[-1];
	return is_word(before) || strchr(">)}]+-*/%^&|~!=<,\"", before);
}

/* Keeps the last parts of the qualified name that ends here. */
static void end_word(struct shortening *shortening)
{
	struct strbuf *sb = shortening->sb;
	size_t keep = shortening->shape->parts, count = shortening->part_count;
	const char *last = count ? sb->text + shortening->parts[count - 1] : NULL;

	/* The call operator of a lambda adds nothing to its closure's name. */
	if (keep && last && count > 1 && strcmp(last, OPERATOR "()") == 0)
		keep++;
	if (keep && count >= keep) {
		size_t from = shortening->parts[count - keep];
		char *rest = xstrdup(sb->text + from);

		strbuf_setlen(sb, shortening->word);
		strbuf_addstr(sb, rest);
		free(rest);
	}
	shortening->part_count = 0;
}

static void shorten_name(struct strbuf *sb, const char *begin, const char *end,
		     const struct shape *shape, unsigned depth);

/* Takes "::": a new part of the name begins. */
static void take_scope(struct shortening *shortening)
{
	size_t before =
		shortening->part_count ? shortening->parts[shortening->part_count - 1] : shortening->word;
	const char *part = shortening->sb->text + before;
	static const char *const versions[] = { "__cxx11::", "__1::" };

	shortening->at += 2;
	/* Inline namespaces for versions of the library, which do not appear in sources. */
	if (shortening->sb->length - before == 3 && strcmp(part, "std") == 0)
		for (size_t i = 0; i < ARRAY_SIZE(versions); i++)
			if (starts(shortening->at, shortening->end, versions[i]))
				shortening->at += strlen(versions[i]);
	/* The closure's own name is enough: "{lambda#1}::operator()". */
	if (shortening->sb->length > before && strncmp(part, "{lambda", 7) == 0 &&
	    starts(shortening->at, shortening->end, OPERATOR "()")) {
		shortening->at += strlen(OPERATOR "()");
		return;
	}
	strbuf_addstr(shortening->sb, "::");
	if (shortening->part_count == MAX_PARTS)
		return;
	if (!shortening->part_count)
		shortening->parts[shortening->part_count++] = shortening->word;
	if (shortening->part_count < MAX_PARTS)
		shortening->parts[shortening->part_count++] = shortening->sb->length;
}

/* Takes "(": leaves out parameters and what follows them. */
static void take_parameters(struct shortening *shortening)
{
	const char *next = after_bracket(shortening->at, shortening->end);
	static const char *const suffixes[] = { " const", " volatile", " &&", " &", "&&", "&" };
	bool parameters = follows_name(shortening);

	if (starts(shortening->at, shortening->end, ANONYMOUS)) {
		strbuf_addstr(shortening->sb, "{anon}");
		shortening->at += strlen(ANONYMOUS);
		return;
	}
	if (!parameters)
		strbuf_add(shortening->sb, shortening->at, (size_t)(next - shortening->at));
	shortening->at = next;
	for (size_t i = 0; parameters && i < ARRAY_SIZE(suffixes); i++)
		if (starts(shortening->at, shortening->end, suffixes[i]))
			shortening->at += strlen(suffixes[i]);
}

/* Takes "{lambda(int)#1}", leaving out the parameters. */
static void take_closure(struct shortening *shortening)
{
	const char *next = after_bracket(shortening->at, shortening->end);
	const char *open = memchr(shortening->at, '(', (size_t)(next - shortening->at));
	const char *close = open ? after_bracket(open, next) : NULL;

	if (open && close < next) {
		strbuf_add(shortening->sb, shortening->at, (size_t)(open - shortening->at));
		strbuf_add(shortening->sb, close, (size_t)(next - close));
	} else {
		strbuf_add(shortening->sb, shortening->at, (size_t)(next - shortening->at));
	}
	shortening->at = next;
}

/* Takes "<": template arguments, or in Rust the type that a function belongs to. */
static void take_arguments(struct shortening *shortening)
{
	const char *next = after_bracket(shortening->at, shortening->end);
	bool arguments = follows_name(shortening);

	if (next[-1] != '>' || next - shortening->at < 2) {
		strbuf_add(shortening->sb, shortening->at, (size_t)(next - shortening->at));
	} else if (arguments && shortening->shape->arguments &&
		   (size_t)(next - shortening->at) > strlen("<..>")) {
		strbuf_addstr(shortening->sb, "<..>");
	} else {
		strbuf_addch(shortening->sb, '<');
		shorten_name(shortening->sb, shortening->at + 1, next - 1, shortening->shape,
			 shortening->depth + 1);
		strbuf_addch(shortening->sb, '>');
	}
	shortening->at = next;
}

/* Takes what is between names. */
static void take_between(struct shortening *shortening)
{
	bool separates = shortening->at > shortening->begin && shortening->at[-1] != ',';
	char c = *shortening->at++;

	end_word(shortening);
	/* " [clone .cold]" */
	if (c == ' ' && starts(shortening->at, shortening->end, "[clone ")) {
		const char *next = after_bracket(shortening->at, shortening->end);

		if (next[-1] == ']')
			strbuf_add(shortening->sb, shortening->at + 7, (size_t)(next - shortening->at - 8));
		shortening->at = next;
	} else if (c != ' ' || (shortening->at < shortening->end && separates)) {
		strbuf_addch(shortening->sb, c);
	}
	shortening->word = shortening->sb->length;
}

/* Shortens a name, or the text between its brackets. */
static void shorten_name(struct strbuf *sb, const char *begin, const char *end,
		     const struct shape *shape, unsigned depth)
{
	struct shortening shortening = { .begin = begin,
				   .at = begin,
				   .end = end,
				   .shape = shape,
				   .sb = sb,
				   .word = sb->length,
				   .depth = depth };

	if (depth == MAX_DEPTH) {
		strbuf_addstr(sb, "..");
		return;
	}
	while (shortening.at < end) {
		const char *next;

		if (is_operator(begin, shortening.at, end)) {
			next = operator_end(shortening.at, end);
			strbuf_add(sb, shortening.at, (size_t)(next - shortening.at));
			shortening.at = next;
		} else if (starts(shortening.at, end, "::")) {
			take_scope(&shortening);
		} else if (*shortening.at == '(') {
			take_parameters(&shortening);
		} else if (*shortening.at == '{') {
			take_closure(&shortening);
		} else if (*shortening.at == '<') {
			take_arguments(&shortening);
		} else if (*shortening.at == ' ' || *shortening.at == ',') {
			take_between(&shortening);
		} else {
			strbuf_addch(sb, *shortening.at++);
		}
	}
	end_word(&shortening);
}

/* Returns the position after the return type, which names of templates include. */
static const char *after_return_type(const char *name)
{
	const char *end = name + strlen(name), *start = name;

	for (const char *at = name; at < end;) {
		if (is_operator(name, at, end))
			return start;
		if (*at == '(' && at > name && !starts(at, end, ANONYMOUS))
			return start;
		if (strchr("(<{[", *at)) {
			at = after_bracket(at, end);
			continue;
		}
		if (*at == ' ' && at[1] != '[')
			start = at + 1;
		at++;
	}
	return name;
}

bool name_forms_has(const char *name)
{
	for (const char *at = name; *at; at++) {
		if (at[0] == ':' && at[1] == ':')
			return true;
		/* Not "(no procedure)", not ".OTHER (12)" and not "<module>". */
		if ((*at == '(' || *at == '<') && at > name && at[-1] != ' ')
			return true;
	}
	return false;
}

void name_forms_add(struct strbuf *sb, const char *name, enum name_form form)
{
	const char *start;

	if (!name_forms_has(name)) {
		strbuf_addstr(sb, name);
		return;
	}
	start = after_return_type(name);
	shorten_name(sb, start, start + strlen(start), &shapes[form], 0);
}
