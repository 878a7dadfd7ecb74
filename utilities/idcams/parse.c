/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the text of SYSIN into commands and operands. */
#include "common/compat.h"
#include "utilities/idcams/tree.h"
#include "common/xalloc.h"

#include <ctype.h>

#define DEEPEST_IF 10
#define DEEPEST_LIST 16
#define HIGHEST_CODE 16

struct parser {
	struct idcams_scanner scanner;
	struct idcams_text text;
	size_t at;	/* position in text */
	unsigned depth; /* nesting depth of IF */
};

static struct idcams_command *parse_command(struct parser *parser, bool clause);

/* Returns the location in SYSIN of the text from a character to the current one. */
static struct location place(const struct parser *parser, size_t start)
{
	const struct idcams_text *text = &parser->text;
	size_t end = parser->at > start ? parser->at : start + 1;
	struct location location = { .source = parser->scanner.source, .length = 1 };

	if (text->length == 0)
		return location;
	if (start >= text->length)
		start = text->length - 1;
	location.line = text->places[start].line;
	location.column = text->places[start].column;
	while (start + location.length < end && start + location.length < text->length &&
	       text->places[start + location.length].line == location.line)
		location.length++;
	return location;
}

/* Skips blanks and commas; false at the end of the command. */
static bool more(struct parser *parser)
{
	while (parser->at < parser->text.length && strchr(" ,", parser->text.text[parser->at]))
		parser->at++;
	return parser->at < parser->text.length;
}

/* Skips the rest of a command. */
static void bypass(struct parser *parser)
{
	parser->at = parser->text.length;
}

/* Continues with the next logical command when this one is used up; false at the end. */
static bool next_text(struct parser *parser)
{
	if (more(parser))
		return true;
	idcams_text_release(&parser->text);
	parser->at = 0;
	return idcams_scan(&parser->scanner, &parser->text);
}

/* Returns the length of the word at the current position. */
static size_t word_length(const struct parser *parser)
{
	return strcspn(parser->text.text + parser->at, " ,()'");
}

/* Returns whether this word is at the current position. */
static bool word_is(const struct parser *parser, const char *word)
{
	size_t length = word_length(parser);

	return parser->at < parser->text.length && length == strlen(word) &&
	       strncasecmp(parser->text.text + parser->at, word, length) == 0;
}

static bool take_word(struct parser *parser, const char *word)
{
	if (!more(parser) || !word_is(parser, word))
		return false;
	parser->at += strlen(word);
	return true;
}

static int hex_digit(char c)
{
	const char *digits = "0123456789ABCDEF", *at = strchr(digits, toupper((unsigned char)c));

	return c && at ? (int)(at - digits) : -1;
}

/* Converts an operand's hexadecimal digits to bytes. */
static int decode_hex(struct idcams_operand *operand)
{
	size_t bytes = 0;

	RETURN_IF(operand->length % 2 != 0, -1);
	for (size_t i = 0; i < operand->length; i += 2) {
		int high = hex_digit(operand->text[i]), low = hex_digit(operand->text[i + 1]);

		RETURN_IF(high < 0 || low < 0, -1);
		operand->text[bytes++] = (char)(high << 4 | low);
	}
	operand->text[bytes] = '\0';
	operand->length = bytes;
	return 0;
}

/* Reads 'text'; two apostrophes in it are one. */
static void parse_quoted(struct parser *parser, struct idcams_operand *operand)
{
	const struct idcams_text *text = &parser->text;
	struct strbuf value = STRBUF_INIT;

	for (parser->at++; parser->at < text->length; parser->at++) {
		char c = text->text[parser->at];

		if (c == '\'' && text->text[parser->at + 1] != '\'')
			break;
		parser->at += c == '\'';
		strbuf_addch(&value, c);
	}
	if (parser->at < text->length)
		parser->at++;
	operand->quoted = true;
	operand->text = strbuf_detach(&value, &operand->length);
}

static int parse_operands(struct parser *parser, struct idcams_command *command,
			  struct idcams_operand **end, unsigned depth, bool clause);

/* Returns text to add to a message if lines of the command extend beyond the right margin. */
static const char *margin_advice(const struct parser *parser, const struct location *from)
{
	const struct source *source = parser->scanner.source;
	unsigned right = parser->scanner.right;

	for (unsigned line = from->line; line > 0 && line <= parser->text.last_line; line++) {
		const struct source_line *one = &source->lines[line - 1];

		if (one->length > right && one->text[right] != ' ' &&
		    !isdigit((unsigned char)one->text[right]))
			return right == 72 ? "; text after column 72 is not read"
					   : "; text after the margin is not read";
	}
	return "";
}

/* Reads (values...) after a word or without one. */
static int parse_list(struct parser *parser, struct idcams_command *command,
		      struct idcams_operand *operand, unsigned depth)
{
	size_t start = parser->at++;

	if (depth >= DEEPEST_LIST) {
		struct location location = place(parser, start);

		return diag_add(&command->diags, SEVERITY_SEVERE, 5607, &location,
				"more than %u parentheses are open", DEEPEST_LIST);
	}
	operand->list = true;
	RETURN_IF(parse_operands(parser, command, &operand->values, depth + 1, false) < 0, -1);
	if (!more(parser)) {
		struct location location = place(parser, start);

		return diag_add(&command->diags, SEVERITY_SEVERE, 5603, &location,
				"IDC3205I DELIMITER '(' IS NOT PROPERLY PAIRED%s",
				margin_advice(parser, &location));
	}
	parser->at++;
	return 0;
}

/* Reads one operand into *end. */
static int parse_operand(struct parser *parser, struct idcams_command *command,
			 struct idcams_operand **end, unsigned depth)
{
	struct idcams_operand *operand = *end = xcalloc(1, sizeof(*operand));
	const char *text = parser->text.text;
	size_t start = parser->at, length = word_length(parser), after;
	bool hex = length == 1 && text[start + 1] == '\'' &&
		   toupper((unsigned char)*(text + start)) == 'X';
	int result = 0;

	operand->length = length;
	if (hex || text[start] == '\'') {
		parser->at += hex;
		parse_quoted(parser, operand);
	} else {
		operand->text = xstrndup(text + start, length);
		parser->at += length;
	}
	operand->location = place(parser, start);
	if (hex && decode_hex(operand) < 0)
		return diag_add(&command->diags, SEVERITY_SEVERE, 5602, &operand->location,
				"IDC3203I ITEM '%s' DOES NOT ADHERE TO RESTRICTIONS: it has no "
				"pairs of hexadecimal digits",
				operand->text);
	after = parser->at + strspn(text + parser->at, " ");
	if (!operand->quoted && text[after] == '(') {
		parser->at = after;
		result = parse_list(parser, command, operand, depth);
	}
	return result;
}

/* Reads operands up to ')' or the end; in a clause of IF also up to ELSE. */
static int parse_operands(struct parser *parser, struct idcams_command *command,
			  struct idcams_operand **end, unsigned depth, bool clause)
{
	while (more(parser)) {
		if (parser->text.text[parser->at] == ')') {
			struct location location = place(parser, parser->at);

			RETURN_IF(depth > 0, 0);
			return diag_add(&command->diags, SEVERITY_SEVERE, 5603, &location,
					"IDC3205I DELIMITER ')' IS NOT PROPERLY PAIRED");
		}
		if (clause && word_is(parser, "ELSE"))
			return 0;
		RETURN_IF(parse_operand(parser, command, end, depth) < 0, -1);
		end = &(*end)->next;
	}
	return 0;
}

/* Reads a relation; -1: none. */
static int parse_relation(struct parser *parser)
{
	/*
	 * The not sign is one byte or two. A longer spelling precedes those that are its
	 * prefixes.
	 */
	static const struct {
		const char *text;
		enum idcams_relation relation;
	} relations[] = {
		{ "EQ", RELATION_EQ }, { "NE", RELATION_NE },	     { "GE", RELATION_GE },
		{ "LE", RELATION_LE }, { "GT", RELATION_GT },	     { "LT", RELATION_LT },
		{ "!=", RELATION_NE }, { "^=", RELATION_NE },	     { "\xac=", RELATION_NE },
		{ "<>", RELATION_NE }, { "\xc2\xac=", RELATION_NE }, { ">=", RELATION_GE },
		{ "<=", RELATION_LE }, { "=", RELATION_EQ },	     { ">", RELATION_GT },
		{ "<", RELATION_LT },
	};

	if (!more(parser))
		return -1;
	for (size_t i = 0; i < ARRAY_SIZE(relations); i++) {
		size_t length = strlen(relations[i].text);

		if (strncasecmp(parser->text.text + parser->at, relations[i].text, length) != 0)
			continue;
		parser->at += length;
		return (int)relations[i].relation;
	}
	return -1;
}

/* Reads LASTCC or MAXCC, a relation and a number. */
static int parse_condition(struct parser *parser, struct idcams_command *command)
{
	const char *at;
	char *end;
	int relation;

	RETURN_IF(!more(parser), -1);
	at = parser->text.text + parser->at;
	command->maximum = strncasecmp(at, "MAXCC", 5) == 0;
	RETURN_IF(!command->maximum && strncasecmp(at, "LASTCC", 6) != 0, -1);
	parser->at += command->maximum ? 5 : 6;
	relation = parse_relation(parser);
	RETURN_IF(relation < 0 || !more(parser), -1);
	command->relation = (enum idcams_relation)relation;
	at = parser->text.text + parser->at;
	RETURN_IF(!isdigit((unsigned char)*at), -1);
	command->code = (unsigned)strtoul(at, &end, 10);
	parser->at += (size_t)(end - at);
	return 0;
}

/* Reads the commands between DO and END. */
static struct idcams_command *parse_group(struct parser *parser, struct idcams_command *command)
{
	struct idcams_command *list = NULL, **end = &list;

	while (next_text(parser)) {
		if (take_word(parser, "END"))
			return list;
		*end = parse_command(parser, true);
		end = &(*end)->next;
	}
	diag_add(&command->diags, SEVERITY_SEVERE, 5609, &command->location,
		 "a DO of this IF has no END");
	return list;
}

/* Reads the clause after THEN or ELSE; NULL is a null clause. */
static struct idcams_command *parse_clause(struct parser *parser, struct idcams_command *command)
{
	if (!more(parser) && !(next_text(parser) && word_is(parser, "DO")))
		return NULL;
	if (word_is(parser, "ELSE"))
		return NULL;
	if (take_word(parser, "DO"))
		return parse_group(parser, command);
	return parse_command(parser, true);
}

/* Reads what follows IF. */
static void parse_if(struct parser *parser, struct idcams_command *command)
{
	struct location location;
	size_t start = parser->at;

	if (parse_condition(parser, command) < 0 || !take_word(parser, "THEN")) {
		more(parser);
		location = place(parser, parser->at < parser->text.length ? parser->at : start);
		diag_add(&command->diags, SEVERITY_SEVERE, 5558, &location,
			 "invalid IF; expected LASTCC or MAXCC, a relation, a "
			 "number and THEN");
		while (more(parser) && !word_is(parser, "THEN"))
			parser->at += word_length(parser) + (word_length(parser) == 0);
		if (!take_word(parser, "THEN"))
			return;
	}
	command->then = parse_clause(parser, command);
	if (next_text(parser) && take_word(parser, "ELSE"))
		command->otherwise = parse_clause(parser, command);
}

/* Reads what follows SET. */
static void parse_set(struct parser *parser, struct idcams_command *command)
{
	size_t start = parser->at;

	if (parse_condition(parser, command) < 0 || command->relation != RELATION_EQ) {
		struct location location = place(parser, more(parser) ? parser->at : start);

		diag_add(&command->diags, SEVERITY_SEVERE, 5610, &location,
			 "invalid SET; expected LASTCC or MAXCC, = and a number");
	} else if (command->code > HIGHEST_CODE) {
		command->code = HIGHEST_CODE;
	}
}

/* Returns the verb with this name; NULL: none. */
static const struct idcams_verb *find_verb(const char *word)
{
	for (const struct idcams_verb *verb = idcams_verbs; verb->names; verb++)
		if (idcams_is(verb->names, word))
			return verb;
	return NULL;
}

/* Reads a verb of the table and its operands. */
static void parse_verb(struct parser *parser, struct idcams_command *command, const char *word,
		       bool clause)
{
	command->verb = find_verb(word);
	if (!command->verb)
		diag_add(&command->diags, SEVERITY_SEVERE, 5600, &command->location,
			 "IDC3219I VERB NAME '%s' UNKNOWN", word);
	else if (!command->verb->keywords)
		diag_add(&command->diags, SEVERITY_SEVERE, 5559, &command->location,
			 "the command %s is not supported", word);
	else if (parse_operands(parser, command, &command->operands, 0, clause) == 0)
		idcams_check(command);
}

/* Reports what the scanner found: an apostrophe or a comment that is not closed. */
static void check_text(const struct parser *parser, struct idcams_command *command)
{
	const struct idcams_text *text = &parser->text;
	const char *quote = text->open ? strrchr(text->text, '\'') : NULL;
	struct location location = { .source = parser->scanner.source,
				     .line = text->comment.line,
				     .column = text->comment.column,
				     .length = 2 };

	if (text->comment.line)
		diag_add(&command->diags, SEVERITY_SEVERE, 5603, &location,
			 "IDC3205I DELIMITER '/*' IS NOT PROPERLY PAIRED");
	if (!quote)
		return;
	location.line = text->places[quote - text->text].line;
	location.column = text->places[quote - text->text].column;
	location.length = 1;
	diag_add(&command->diags, SEVERITY_SEVERE, 5603, &location,
		 "IDC3205I DELIMITER ''' IS NOT PROPERLY PAIRED");
}

/* Reads what follows a verb. */
static void parse_rest(struct parser *parser, struct idcams_command *command, const char *word,
		       bool clause)
{
	if (strcasecmp(word, "IF") == 0) {
		command->kind = COMMAND_IF;
		if (++parser->depth <= DEEPEST_IF) {
			parse_if(parser, command);
		} else {
			diag_add(&command->diags, SEVERITY_SEVERE, 5607, &command->location,
				 "IFs are nested more than %u deep", DEEPEST_IF);
			bypass(parser);
		}
		parser->depth--;
	} else if (strcasecmp(word, "SET") == 0) {
		command->kind = COMMAND_SET;
		parse_set(parser, command);
	} else if (idcams_is("THEN ELSE DO END", word)) {
		diag_add(&command->diags, SEVERITY_SEVERE, 5609, &command->location,
			 "%s does not belong to an IF", word);
	} else {
		parse_verb(parser, command, word, clause);
	}
}

/* Reads the command at the current position; in a clause of IF it may end with ELSE. */
static struct idcams_command *parse_command(struct parser *parser, bool clause)
{
	struct idcams_command *command = xcalloc(1, sizeof(*command));
	size_t start, length;
	char *word;

	more(parser);
	start = parser->at;
	length = word_length(parser);
	word = xstrndup(parser->text.text + start, length);
	parser->at += length;
	command->location = place(parser, start);
	command->last_line = parser->text.last_line;
	check_text(parser, command);
	if (command->diags.count == 0)
		parse_rest(parser, command, word, clause);
	if (command->diags.count > 0 && command->kind != COMMAND_IF)
		bypass(parser);
	if (more(parser) && !(clause && (word_is(parser, "ELSE") || word_is(parser, "END"))) &&
	    command->kind == COMMAND_SET) {
		struct location location = place(parser, parser->at);

		diag_add(&command->diags, SEVERITY_SEVERE, 5610, &location,
			 "unexpected text after the number of SET");
		bypass(parser);
	}
	free(word);
	return command;
}

struct idcams_command *idcams_parse(const struct source *source, unsigned left, unsigned right)
{
	struct parser parser = { .scanner = { .source = source, .left = left, .right = right } };
	struct idcams_command *list = NULL, **end = &list;

	while (next_text(&parser)) {
		*end = parse_command(&parser, false);
		end = &(*end)->next;
	}
	idcams_text_release(&parser.text);
	return list;
}

static void operands_free(struct idcams_operand *list)
{
	while (list) {
		struct idcams_operand *next = list->next;

		operands_free(list->values);
		free(list->text);
		free(list);
		list = next;
	}
}

void idcams_commands_free(struct idcams_command *list)
{
	while (list) {
		struct idcams_command *next = list->next;

		idcams_commands_free(list->then);
		idcams_commands_free(list->otherwise);
		operands_free(list->operands);
		diag_list_release(&list->diags);
		free(list);
		list = next;
	}
}
