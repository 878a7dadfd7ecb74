/* SPDX-License-Identifier: Apache-2.0 */
/* Scans a statement as PostgreSQL's scanner does and writes each token in its normalized form. */
#include "common/compat.h"
#include "common/fingerprint.h"

#include <ctype.h>
#include <strings.h>

#define DEPTH_MAX 64
#define NO_DEPTH SIZE_MAX

enum kind {
	START,
	WORD,	  /* a name, or a keyword that follows an operand */
	CLAUSE,	  /* a keyword after which an operand begins */
	VALUE,	  /* ? */
	OPERATOR, /* written with blanks around it */
	JOINT,	  /* . :: : written without blanks */
	COMMA,	  /* , ; written with a blank after it */
	OPEN,
	CLOSE,
};

struct bracket {
	size_t start;	  /* its offset in text */
	bool list;	  /* the bracket follows IN or ARRAY */
	bool values_only; /* only values and commas so far */
};

struct writer {
	const char *at; /* the rest of the statement */
	char text[3 * FINGERPRINT_TEXT_MAX];
	size_t length;
	enum kind previous;
	size_t token; /* offset of the previous token in text */
	/* The previous token is a sign, and the token before it is not an operand. */
	bool sign;
	size_t before_sign;
	enum kind kind_before_sign;
	bool string; /* the previous token was a string */
	struct bracket brackets[DEPTH_MAX];
	size_t depth;
	size_t rows; /* bracket depth of the rows of VALUES, or NO_DEPTH */
};

/*
 * Keywords after which an operand begins: a sign there is not a binary operator,
 * and a bracket is not a function call.
 */
static const char *const clauses[] = {
	"all",	  "and",       "as",	  "between", "by",     "case",	    "distinct", "else",
	"except", "exists",    "explain", "fetch",   "filter", "from",	    "having",	"ilike",
	"in",	  "intersect", "into",	  "is",	     "join",   "lateral",   "like",	"limit",
	"not",	  "offset",    "on",	  "or",	     "over",   "returning", "select",	"set",
	"then",	  "union",     "using",	  "values",  "when",   "where",	    "with",
};

static bool is_clause(const char *word, size_t length)
{
	for (size_t i = 0; i < ARRAY_SIZE(clauses); i++)
		if (strlen(clauses[i]) == length && memcmp(clauses[i], word, length) == 0)
			return true;
	return false;
}

/* Returns whether the previous token is this word. */
static bool follows_word(const struct writer *writer, const char *word)
{
	size_t length = strlen(word);

	return (writer->previous == WORD || writer->previous == CLAUSE) &&
	       writer->length - writer->token == length &&
	       memcmp(writer->text + writer->token, word, length) == 0;
}

static void put(struct writer *writer, const char *bytes, size_t size)
{
	if (size < sizeof(writer->text) - writer->length) {
		memcpy(writer->text + writer->length, bytes, size);
		writer->length += size;
	}
}

/* Returns whether a blank separates the previous token from one of this kind. */
static bool wants_blank(const struct writer *writer, enum kind kind, char first)
{
	enum kind previous = writer->previous;

	if (previous == START || previous == OPEN || previous == JOINT || kind == COMMA ||
	    kind == CLOSE || kind == JOINT)
		return false;
	if (kind == OPEN && (previous == WORD || (previous == CLOSE && first == '[')))
		return false;
	return true;
}

static bool is_operand(enum kind kind)
{
	return kind == WORD || kind == VALUE || kind == CLOSE;
}

/* Writes a token; the caller has folded words to lower case. */
static void token(struct writer *writer, enum kind kind, const char *bytes, size_t size)
{
	size_t before = writer->length;
	bool sign = kind == OPERATOR && size == 1 && strchr("+-", *bytes) != NULL &&
		    !is_operand(writer->previous);

	if (writer->depth && kind != VALUE && kind != COMMA && kind != CLOSE && !sign)
		writer->brackets[writer->depth - 1].values_only = false;
	if (writer->depth == writer->rows && kind != COMMA && kind != OPEN)
		writer->rows = NO_DEPTH;
	if (sign) {
		writer->before_sign = before;
		writer->kind_before_sign = writer->previous;
	}
	if (wants_blank(writer, kind, *bytes))
		put(writer, " ", 1);
	writer->sign = sign;
	writer->string = false;
	writer->token = writer->length;
	writer->previous = kind;
	put(writer, bytes, size);
}

/* Writes a value; a number includes its sign. */
static void value(struct writer *writer, bool number)
{
	if (number && writer->sign) {
		writer->length = writer->before_sign;
		writer->previous = writer->kind_before_sign;
	}
	token(writer, VALUE, "?", 1);
}

static void open_bracket(struct writer *writer)
{
	bool list = follows_word(writer, *writer->at == '(' ? "in" : "array");

	if (follows_word(writer, "values"))
		writer->rows = writer->depth;
	token(writer, OPEN, writer->at++, 1);
	if (writer->depth < DEPTH_MAX)
		writer->brackets[writer->depth++] = (struct bracket){ .start = writer->length - 1,
								      .list = list,
								      .values_only = true };
}

/* Drops a row of VALUES that equals the row before it. */
static void drop_repeated_row(struct writer *writer, size_t start)
{
	size_t size = writer->length - start;

	if (start >= size + 2 && memcmp(writer->text + start - 2, ", ", 2) == 0 &&
	    memcmp(writer->text + start - 2 - size, writer->text + start, size) == 0)
		writer->length = start - 2;
}

static void close_bracket(struct writer *writer)
{
	const char *closed = writer->at++;
	struct bracket bracket;

	if (writer->depth == 0) {
		token(writer, CLOSE, closed, 1);
		return;
	}
	bracket = writer->brackets[--writer->depth];
	if (bracket.list && bracket.values_only && writer->previous == VALUE) {
		writer->length = bracket.start + 1;
		put(writer, "...", 3);
	}
	put(writer, closed, 1);
	writer->previous = CLOSE;
	writer->sign = writer->string = false;
	if (writer->rows == writer->depth)
		drop_repeated_row(writer, bracket.start);
}

static bool is_word_start(char c)
{
	return isalpha((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static bool is_word_part(char c)
{
	return is_word_start(c) || isdigit((unsigned char)c) || c == '$';
}

/* Skips text quoted by the character at *at; a doubled quote stands for itself. */
static void skip_quoted(const char **at, bool backslashes)
{
	char quote = *(*at)++;

	for (; **at; (*at)++) {
		if (backslashes && **at == '\\' && (*at)[1])
			(*at)++;
		else if (**at == quote && (*at)[1] == quote)
			(*at)++;
		else if (**at == quote) {
			(*at)++;
			return;
		}
	}
}

/* Reads a string; one that continues another on a new line is part of it. */
static void read_string(struct writer *writer, bool backslashes)
{
	skip_quoted(&writer->at, backslashes);
	if (!writer->string)
		value(writer, false);
	writer->string = true;
}

static void read_quoted_name(struct writer *writer)
{
	const char *start = writer->at;

	skip_quoted(&writer->at, false);
	token(writer, WORD, start, (size_t)(writer->at - start));
}

/*
 * Returns the length of the prefix of a string or quoted name (E'...', U&"...");
 * 0: there is none.
 */
static size_t prefix_length(const char *at)
{
	RETURN_IF(strchr("eEbBxXnN", *at) && at[1] == '\'', 1);
	RETURN_IF(strchr("uU", *at) && at[1] == '&' && (at[2] == '\'' || at[2] == '"'), 2);
	return 0;
}

static void read_word(struct writer *writer)
{
	char word[128];
	const char *start = writer->at;
	size_t prefix = prefix_length(start), length = 0;

	if (prefix) {
		writer->at += prefix;
		if (*writer->at == '"')
			read_quoted_name(writer);
		else
			read_string(writer, strchr("eE", *start) != NULL);
		return;
	}
	for (; is_word_part(*writer->at) && length < sizeof(word); length++) {
		unsigned char c = (unsigned char)*writer->at++;

		word[length] = (char)(c < 0x80 ? tolower(c) : c);
	}
	token(writer, is_clause(word, length) ? CLAUSE : WORD, word, length);
}

static void read_number(struct writer *writer)
{
	const char *at = writer->at;

	if (at[0] == '0' && at[1] && strchr("xXoObB", at[1])) {
		for (at += 2; isxdigit((unsigned char)*at) || *at == '_'; at++)
			;
	} else {
		while (isdigit((unsigned char)*at) || *at == '_' || (*at == '.' && at[1] != '.'))
			at++;
		if ((*at == 'e' || *at == 'E') &&
		    isdigit((unsigned char)at[1 + (at[1] == '+' || at[1] == '-')]))
			for (at += 2; isdigit((unsigned char)*at); at++)
				;
	}
	writer->at = at;
	value(writer, true);
}

/* Reads a parameter ($1), or a string between $tag$ and $tag$. */
static void read_dollar(struct writer *writer)
{
	const char *at = writer->at + 1, *end;
	char tag[128];
	size_t length;

	if (isdigit((unsigned char)*at)) {
		while (isdigit((unsigned char)*at))
			at++;
		writer->at = at;
		value(writer, true);
		return;
	}
	while (is_word_part(*at) && *at != '$')
		at++;
	length = (size_t)(at + 1 - writer->at);
	if (*at != '$' || length >= sizeof(tag)) {
		token(writer, OPERATOR, writer->at++, 1);
		return;
	}
	memcpy(tag, writer->at, length);
	tag[length] = 0;
	end = strstr(at + 1, tag);
	writer->at = end ? end + length : at + strlen(at);
	value(writer, false);
}

/* Skips blanks and comments; comments may be nested. */
static void skip_blanks(struct writer *writer)
{
	for (;;) {
		size_t depth = 0;

		while (*writer->at && (unsigned char)*writer->at <= ' ')
			writer->at++;
		if (writer->at[0] == '-' && writer->at[1] == '-') {
			writer->at += strcspn(writer->at, "\n");
		} else if (writer->at[0] == '/' && writer->at[1] == '*') {
			do {
				bool open = writer->at[0] == '/' && writer->at[1] == '*';
				bool close = writer->at[0] == '*' && writer->at[1] == '/';

				depth += open;
				depth -= close;
				writer->at += open || close ? 2 : 1;
			} while (depth && *writer->at);
		} else {
			return;
		}
	}
}

/*
 * Reads an operator. It ends before a comment; an operator of plain characters
 * only does not end with a sign.
 */
static void read_operator(struct writer *writer)
{
	const char *start = writer->at;
	size_t length = 0, plain;

	while (start[length] && strchr("+-*/<>=~!@#%^&|`?", start[length]) &&
	       memcmp(start + length, "--", 2) != 0 && memcmp(start + length, "/*", 2) != 0)
		length++;
	plain = strspn(start, "+-*/<>=");
	while (length > 1 && plain >= length && strchr("+-", start[length - 1]))
		length--;
	if (length == 0)
		length = 1;
	token(writer, OPERATOR, start, length);
	writer->at += length;
}

static void read_joint(struct writer *writer)
{
	size_t length = writer->at[0] == ':' && writer->at[1] == ':' ? 2 : 1;

	if (writer->at[0] == ':' && writer->at[1] == '=')
		token(writer, OPERATOR, writer->at, length = 2);
	else
		token(writer, JOINT, writer->at, length);
	writer->at += length;
}

static void read_token(struct writer *writer)
{
	char c = *writer->at;

	if (is_word_start(c))
		read_word(writer);
	else if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)writer->at[1])))
		read_number(writer);
	else if (c == '\'')
		read_string(writer, false);
	else if (c == '"')
		read_quoted_name(writer);
	else if (c == '$')
		read_dollar(writer);
	else if (c == '(' || c == '[')
		open_bracket(writer);
	else if (c == ')' || c == ']')
		close_bracket(writer);
	else if (c == ',' || c == ';')
		token(writer, COMMA, writer->at++, 1);
	else if (c == '.' || c == ':')
		read_joint(writer);
	else
		read_operator(writer);
}

/* Returns a 32-bit hash of a text (FNV-1a). */
static uint32_t text_hash(const char *text, size_t length)
{
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)text[i]) * 16777619u;
	return hash;
}

/* Writes the name; never truncates within a UTF-8 character. */
static void name_of(const struct writer *writer, char name[FINGERPRINT_SIZE])
{
	size_t length = writer->length;

	if (length > FINGERPRINT_MAX) {
		length = FINGERPRINT_MAX - 9;
		while (length > 0 && ((unsigned char)writer->text[length] & 0xC0) == 0x80)
			length--;
		snprintf(name + length, FINGERPRINT_SIZE - length, "~%08X",
			 text_hash(writer->text, writer->length));
	} else {
		name[length] = 0;
	}
	memcpy(name, writer->text, length);
}

void fingerprint(const char *statement, char name[FINGERPRINT_SIZE])
{
	struct writer writer;

	writer.at = statement;
	writer.length = writer.token = writer.depth = 0;
	writer.previous = START;
	writer.sign = writer.string = false;
	writer.rows = NO_DEPTH;
	for (skip_blanks(&writer); *writer.at; skip_blanks(&writer))
		read_token(&writer);
	while (writer.length > 0 && strchr("; ", writer.text[writer.length - 1]))
		writer.length--;
	name_of(&writer, name);
}
