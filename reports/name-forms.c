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
struct cutting {
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
static const char *behind(const char *at, const char *end)
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
static bool follows_name(const struct cutting *cutting)
{
	char before;

	if (cutting->at == cutting->begin)
		return false;
	before = cutting->at[-1];
	return is_word(before) || strchr(">)}]+-*/%^&|~!=<,\"", before);
}

/* Keeps the last parts of the qualified name that ends here. */
static void end_word(struct cutting *cutting)
{
	struct strbuf *sb = cutting->sb;
	size_t keep = cutting->shape->parts, count = cutting->part_count;
	const char *last = count ? sb->text + cutting->parts[count - 1] : NULL;

	/* The call operator of a lambda adds nothing to its closure's name. */
	if (keep && last && count > 1 && strcmp(last, OPERATOR "()") == 0)
		keep++;
	if (keep && count >= keep) {
		size_t from = cutting->parts[count - keep];
		char *rest = xstrdup(sb->text + from);

		strbuf_setlen(sb, cutting->word);
		strbuf_addstr(sb, rest);
		free(rest);
	}
	cutting->part_count = 0;
}

static void cut_name(struct strbuf *sb, const char *begin, const char *end,
		     const struct shape *shape, unsigned depth);

/* Takes "::": a new part of the name begins. */
static void take_scope(struct cutting *cutting)
{
	size_t before =
		cutting->part_count ? cutting->parts[cutting->part_count - 1] : cutting->word;
	const char *part = cutting->sb->text + before;
	static const char *const versions[] = { "__cxx11::", "__1::" };

	cutting->at += 2;
	/* Inline namespaces for versions of the library, which do not appear in sources. */
	if (cutting->sb->length - before == 3 && strcmp(part, "std") == 0)
		for (size_t i = 0; i < ARRAY_SIZE(versions); i++)
			if (starts(cutting->at, cutting->end, versions[i]))
				cutting->at += strlen(versions[i]);
	/* The closure's own name is enough: "{lambda#1}::operator()". */
	if (cutting->sb->length > before && strncmp(part, "{lambda", 7) == 0 &&
	    starts(cutting->at, cutting->end, OPERATOR "()")) {
		cutting->at += strlen(OPERATOR "()");
		return;
	}
	strbuf_addstr(cutting->sb, "::");
	if (cutting->part_count == MAX_PARTS)
		return;
	if (!cutting->part_count)
		cutting->parts[cutting->part_count++] = cutting->word;
	if (cutting->part_count < MAX_PARTS)
		cutting->parts[cutting->part_count++] = cutting->sb->length;
}

/* Takes "(": leaves out parameters and what follows them. */
static void take_parameters(struct cutting *cutting)
{
	const char *next = behind(cutting->at, cutting->end);
	static const char *const suffixes[] = { " const", " volatile", " &&", " &", "&&", "&" };
	bool parameters = follows_name(cutting);

	if (starts(cutting->at, cutting->end, ANONYMOUS)) {
		strbuf_addstr(cutting->sb, "{anon}");
		cutting->at += strlen(ANONYMOUS);
		return;
	}
	if (!parameters)
		strbuf_add(cutting->sb, cutting->at, (size_t)(next - cutting->at));
	cutting->at = next;
	for (size_t i = 0; parameters && i < ARRAY_SIZE(suffixes); i++)
		if (starts(cutting->at, cutting->end, suffixes[i]))
			cutting->at += strlen(suffixes[i]);
}

/* Takes "{lambda(int)#1}", leaving out the parameters. */
static void take_closure(struct cutting *cutting)
{
	const char *next = behind(cutting->at, cutting->end);
	const char *open = memchr(cutting->at, '(', (size_t)(next - cutting->at));
	const char *close = open ? behind(open, next) : NULL;

	if (open && close < next) {
		strbuf_add(cutting->sb, cutting->at, (size_t)(open - cutting->at));
		strbuf_add(cutting->sb, close, (size_t)(next - close));
	} else {
		strbuf_add(cutting->sb, cutting->at, (size_t)(next - cutting->at));
	}
	cutting->at = next;
}

/* Takes "<": template arguments, or in Rust the type that a function belongs to. */
static void take_arguments(struct cutting *cutting)
{
	const char *next = behind(cutting->at, cutting->end);
	bool arguments = follows_name(cutting);

	if (next[-1] != '>' || next - cutting->at < 2) {
		strbuf_add(cutting->sb, cutting->at, (size_t)(next - cutting->at));
	} else if (arguments && cutting->shape->arguments &&
		   (size_t)(next - cutting->at) > strlen("<..>")) {
		strbuf_addstr(cutting->sb, "<..>");
	} else {
		strbuf_addch(cutting->sb, '<');
		cut_name(cutting->sb, cutting->at + 1, next - 1, cutting->shape,
			 cutting->depth + 1);
		strbuf_addch(cutting->sb, '>');
	}
	cutting->at = next;
}

/* Takes what is between names. */
static void take_between(struct cutting *cutting)
{
	bool separates = cutting->at > cutting->begin && cutting->at[-1] != ',';
	char c = *cutting->at++;

	end_word(cutting);
	/* " [clone .cold]" */
	if (c == ' ' && starts(cutting->at, cutting->end, "[clone ")) {
		const char *next = behind(cutting->at, cutting->end);

		if (next[-1] == ']')
			strbuf_add(cutting->sb, cutting->at + 7, (size_t)(next - cutting->at - 8));
		cutting->at = next;
	} else if (c != ' ' || (cutting->at < cutting->end && separates)) {
		strbuf_addch(cutting->sb, c);
	}
	cutting->word = cutting->sb->length;
}

/* Shortens a name, or the text between its brackets. */
static void cut_name(struct strbuf *sb, const char *begin, const char *end,
		     const struct shape *shape, unsigned depth)
{
	struct cutting cutting = { .begin = begin,
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
	while (cutting.at < end) {
		const char *next;

		if (is_operator(begin, cutting.at, end)) {
			next = operator_end(cutting.at, end);
			strbuf_add(sb, cutting.at, (size_t)(next - cutting.at));
			cutting.at = next;
		} else if (starts(cutting.at, end, "::")) {
			take_scope(&cutting);
		} else if (*cutting.at == '(') {
			take_parameters(&cutting);
		} else if (*cutting.at == '{') {
			take_closure(&cutting);
		} else if (*cutting.at == '<') {
			take_arguments(&cutting);
		} else if (*cutting.at == ' ' || *cutting.at == ',') {
			take_between(&cutting);
		} else {
			strbuf_addch(sb, *cutting.at++);
		}
	}
	end_word(&cutting);
}

/* Returns the position after the return type, which names of templates include. */
static const char *behind_result(const char *name)
{
	const char *end = name + strlen(name), *start = name;

	for (const char *at = name; at < end;) {
		if (is_operator(name, at, end))
			return start;
		if (*at == '(' && at > name && !starts(at, end, ANONYMOUS))
			return start;
		if (strchr("(<{[", *at)) {
			at = behind(at, end);
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
	start = behind_result(name);
	cut_name(sb, start, start + strlen(start), &shapes[form], 0);
}
