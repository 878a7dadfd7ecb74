/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the control statements of IEBGENER. */
#include "common/compat.h"
#include "utilities/iebgener-request.h"
#include "common/xalloc.h"
#include "datasets/catalog.h"
#include "utilities/dd.h"

#include <ctype.h>

#define LAST_COLUMN 71
#define CONTINUED_COLUMN 16 /* column at which a literal continues */
#define LONGEST_LITERAL 40
#define LARGEST_NUMBER 32760

/* A statement's operands joined from its cards, and the offset at which each card's part begins. */
struct operands {
	struct strbuf text;
	struct part {
		size_t offset;
		unsigned line, column;
	} * parts;
	size_t part_count, part_alloc;
	const char *at; /* rest that is not read yet */
};

struct reading {
	struct iebgener_request *request;
	struct utility *utility;
	const struct source *source;
	size_t next; /* index of the next card */
	struct operands operands;
	bool generate; /* GENERATE has been read */
	/* limits of GENERATE (MAXNAME and so on; 0: not given), and how many of each are used */
	size_t names, fields, literals, groups;
	size_t used_names, used_fields, used_literals, used_groups;
};

/* Reports an error at a position of the operands. Returns -1. */
static int refuse(struct reading *reading, const char *at, unsigned number, const char *format, ...)
	PRINTFLIKE(4, 5);

static int refuse(struct reading *reading, const char *at, unsigned number, const char *format, ...)
{
	const struct operands *operands = &reading->operands;
	size_t offset = (size_t)(at - operands->text.text), i = operands->part_count;
	struct strbuf text = STRBUF_INIT;
	va_list ap;

	while (i > 1 && operands->parts[i - 1].offset > offset)
		i--;
	va_start(ap, format);
	strbuf_vaddf(&text, format, ap);
	va_end(ap);
	utility_message(
		reading->utility, SEVERITY_SEVERE, number,
		"SYSIN line %u column %u: %s; nothing was copied", operands->parts[i - 1].line,
		operands->parts[i - 1].column + (unsigned)(offset - operands->parts[i - 1].offset),
		text.text);
	strbuf_release(&text);
	reading->request->invalid = true;
	return -1;
}

/* Returns a card's length without the columns after 71 and trailing blanks. */
static size_t card_length(const struct source_line *card)
{
	size_t length = card->length < LAST_COLUMN ? card->length : LAST_COLUMN;

	while (length > 0 && card->text[length - 1] == ' ')
		length--;
	return length;
}

/*
 * Adds a card's operands from column start (from 0) up to the first blank outside
 * apostrophes. Returns whether a literal is open at their end.
 */
static bool add_part(struct operands *operands, const struct source_line *card, unsigned line,
		     size_t start, bool literal)
{
	size_t length = card_length(card), end = start;

	for (; end < length && (literal || card->text[end] != ' '); end++)
		literal ^= card->text[end] == '\'';
	GROW(operands->parts, operands->part_count + 1, operands->part_alloc);
	operands->parts[operands->part_count++] =
		(struct part){ operands->text.length, line, (unsigned)start + 1 };
	if (end > start)
		strbuf_add(&operands->text, card->text + start, end - start);
	if (literal && end < LAST_COLUMN)
		strbuf_addchars(&operands->text, ' ', LAST_COLUMN - end);
	return literal;
}

/* Returns the first nonblank column at or after start. */
static size_t skip_blanks(const struct source_line *card, size_t start)
{
	size_t length = card_length(card);

	while (start < length && card->text[start] == ' ')
		start++;
	return start;
}

/*
 * Reads the cards of the next statement: sets its operation, and its operands in
 * reading. false at the end of SYSIN.
 */
static bool next_statement(struct reading *reading, char operation[9])
{
	const struct source *source = reading->source;
	struct operands *operands = &reading->operands;
	const struct source_line *card;
	size_t at, length;
	bool literal;

	while (reading->next < source->line_count &&
	       card_length(&source->lines[reading->next]) == 0)
		reading->next++;
	if (reading->next == source->line_count)
		return false;
	card = &source->lines[reading->next++];
	at = card->text[0] == ' ' ? 0 : strcspn(card->text, " ");
	at = skip_blanks(card, at);
	length = strcspn(card->text + at, " ");
	snprintf(operation, 9, "%.*s", (int)length, card->text + at);
	strbuf_reset(&operands->text);
	operands->part_count = 0;
	literal = add_part(operands, card, (unsigned)reading->next, skip_blanks(card, at + length),
			   false);
	while (reading->next < source->line_count &&
	       (literal || (operands->text.length > 0 &&
			    operands->text.text[operands->text.length - 1] == ','))) {
		card = &source->lines[reading->next++];
		at = literal ? CONTINUED_COLUMN - 1 : skip_blanks(card, 0);
		literal = add_part(operands, card, (unsigned)reading->next, at, literal);
	}
	operands->at = operands->text.text;
	return true;
}

/* Skips a character if it is the next one; returns whether it was. */
static bool take(struct reading *reading, char c)
{
	if (*reading->operands.at != c)
		return false;
	reading->operands.at++;
	return true;
}

static int expect(struct reading *reading, char c)
{
	if (take(reading, c))
		return 0;
	return refuse(reading, reading->operands.at, 5516, "expected '%c'", c);
}

static int take_number(struct reading *reading, size_t *number)
{
	const char *start = reading->operands.at;
	size_t value = 0;

	while (isdigit((unsigned char)*reading->operands.at) && value <= LARGEST_NUMBER)
		value = value * 10 + (size_t)(*reading->operands.at++ - '0');
	*number = value;
	if (value > 0 && value <= LARGEST_NUMBER)
		return 0;
	return refuse(reading, start, 5516, "expected a number from 1 to %d", LARGEST_NUMBER);
}

/* Reads "'text'"; the caller frees *literal. */
static int take_literal(struct reading *reading, char **literal)
{
	const char *start = reading->operands.at;
	struct strbuf text = STRBUF_INIT;

	*literal = NULL;
	if (!take(reading, '\''))
		return refuse(reading, start, 5516, "expected a text in apostrophes");
	while (*reading->operands.at) {
		if (*reading->operands.at == '\'' && *++reading->operands.at != '\'')
			break;
		strbuf_addch(&text, *reading->operands.at++);
	}
	if (reading->operands.at[-1] != '\'' || text.length == 0 || text.length > LONGEST_LITERAL) {
		strbuf_release(&text);
		return refuse(reading, start, 5516,
			      "expected a text of 1 to %d characters in apostrophes",
			      LONGEST_LITERAL);
	}
	*literal = strbuf_detach(&text, NULL);
	return 0;
}

/* Skips "KEYWORD=" if it is next; returns whether it was. */
static bool take_keyword(struct reading *reading, const char *keyword)
{
	size_t length = strlen(keyword);

	if (strncmp(reading->operands.at, keyword, length) != 0 ||
	    reading->operands.at[length] != '=')
		return false;
	reading->operands.at += length + 1;
	return true;
}

/* Rejects an operand that the statement does not have. */
static int unknown_operand(struct reading *reading, const char *statement)
{
	const char *at = reading->operands.at;

	return refuse(reading, at, 5510, "%.*s of %s is not supported", (int)strcspn(at, "=, "), at,
		      statement);
}

static int read_generate(struct reading *reading)
{
	struct {
		const char *keyword;
		size_t *value;
	} const maxima[] = {
		{ "MAXNAME", &reading->names },
		{ "MAXFLDS", &reading->fields },
		{ "MAXLITS", &reading->literals },
		{ "MAXGPS", &reading->groups },
	};

	if (reading->generate)
		return refuse(reading, reading->operands.at, 5516, "GENERATE is given twice");
	reading->generate = true;
	while (*reading->operands.at) {
		size_t i = 0;

		while (i < ARRAY_SIZE(maxima) && !take_keyword(reading, maxima[i].keyword))
			i++;
		if (i == ARRAY_SIZE(maxima)) {
			if (strncmp(reading->operands.at, "DBCS=NO", 7) != 0)
				return unknown_operand(reading, "GENERATE");
			reading->operands.at += 7;
		} else {
			RETURN_IF(take_number(reading, maxima[i].value) < 0, -1);
		}
		if (*reading->operands.at)
			RETURN_IF(expect(reading, ',') < 0, -1);
	}
	return 0;
}

/* Reads a name and adds it to the member's names. */
static int take_name(struct reading *reading, struct iebgener_member *member)
{
	const char *at = reading->operands.at;
	char *name = xstrndup(at, strcspn(at, ",()"));

	if (!catalog_member_valid(name)) {
		free(name);
		return refuse(reading, at, 5516, "expected the name of a member");
	}
	reading->operands.at += strlen(name);
	GROW(member->names, member->name_count + 1, member->name_alloc);
	member->names[member->name_count++] = name;
	reading->used_names++;
	return 0;
}

static struct iebgener_member *add_member(struct iebgener_request *request, unsigned line)
{
	GROW(request->members, request->member_count + 1, request->member_alloc);
	request->members[request->member_count] = (struct iebgener_member){ .line = line };
	return &request->members[request->member_count++];
}

/* Reads MEMBER NAME=name or NAME=(name,alias,...). */
static int read_member(struct reading *reading)
{
	struct iebgener_request *request = reading->request;
	const char *start = reading->operands.at;
	struct iebgener_member *member;

	if (request->member_count > 0 && request->members[0].name_count == 0)
		return refuse(reading, start, 5516, "a RECORD precedes the first MEMBER");
	if (!take_keyword(reading, "NAME"))
		return refuse(reading, start, 5516, "expected NAME=");
	member = add_member(request, reading->operands.parts[0].line);
	if (!take(reading, '('))
		RETURN_IF(take_name(reading, member) < 0, -1);
	else {
		do
			RETURN_IF(take_name(reading, member) < 0, -1);
		while (take(reading, ','));
		RETURN_IF(expect(reading, ')') < 0, -1);
	}
	if (*reading->operands.at)
		return unknown_operand(reading, "MEMBER");
	return 0;
}

/* Reads IDENT=(length,'text',input location). */
static int read_ident(struct reading *reading, struct iebgener_group *group)
{
	const char *start = reading->operands.at;
	size_t length;

	if (group->ident)
		return refuse(reading, start, 5516, "IDENT is given twice");
	RETURN_IF(expect(reading, '(') < 0 || take_number(reading, &length) < 0 ||
			  expect(reading, ',') < 0 || take_literal(reading, &group->ident) < 0,
		  -1);
	if (strlen(group->ident) != length)
		return refuse(reading, start, 5516, "the text of IDENT has %zu characters, not %zu",
			      strlen(group->ident), length);
	RETURN_IF(expect(reading, ',') < 0 || take_number(reading, &group->ident_at) < 0, -1);
	group->ident_at--;
	reading->used_groups++;
	return expect(reading, ')');
}

/* Reads the conversion of a FIELD, which may be omitted. */
static int read_conversion(struct reading *reading, struct iebgener_field *field)
{
	const char *at = reading->operands.at;

	if (strncmp(at, "PZ", 2) == 0)
		field->conversion = CONVERT_PZ;
	else if (strncmp(at, "ZP", 2) == 0)
		field->conversion = CONVERT_ZP;
	else if (*at == ',' || *at == ')')
		return 0;
	else
		return refuse(reading, at, 5510, "conversion %.*s is not supported; PZ and ZP are",
			      (int)strcspn(at, ",)"), at);
	if (field->literal)
		return refuse(reading, at, 5516, "a literal cannot be converted");
	if (field->length > 16)
		return refuse(reading, at, 5516, "a number of %zu bytes cannot be converted",
			      field->length);
	reading->operands.at += 2;
	return 0;
}

/* Returns whether a subparameter is given, not omitted. */
static bool given(const struct reading *reading)
{
	return *reading->operands.at != ',' && *reading->operands.at != ')';
}

/* Reads what follows a subparameter: 1: another one, 0: it was the last, -1 after a message. */
static int more(struct reading *reading)
{
	if (take(reading, ','))
		return 1;
	return expect(reading, ')');
}

/* Reads where a field comes from: a column of the input, or a literal. */
static int read_origin(struct reading *reading, struct iebgener_field *field)
{
	const char *start = reading->operands.at;

	if (*start != '\'') {
		RETURN_IF(take_number(reading, &field->input) < 0, -1);
		field->input--;
		return 0;
	}
	RETURN_IF(take_literal(reading, &field->literal) < 0, -1);
	reading->used_literals += strlen(field->literal);
	if (strlen(field->literal) > field->length)
		return refuse(reading, start, 5516, "the literal has %zu characters, not %zu",
			      strlen(field->literal), field->length);
	return 0;
}

/* Reads the subparameters in the parentheses of FIELD=. */
static int read_subparameters(struct reading *reading, struct iebgener_field *field)
{
	int go_on;

	if (given(reading))
		RETURN_IF(take_number(reading, &field->length) < 0, -1);
	go_on = more(reading);
	RETURN_IF(go_on <= 0, go_on);
	if (given(reading))
		RETURN_IF(read_origin(reading, field) < 0, -1);
	go_on = more(reading);
	RETURN_IF(go_on <= 0, go_on);
	RETURN_IF(read_conversion(reading, field) < 0, -1);
	go_on = more(reading);
	RETURN_IF(go_on <= 0, go_on);
	if (given(reading)) {
		RETURN_IF(take_number(reading, &field->output) < 0, -1);
		field->output--;
	}
	return expect(reading, ')');
}

/* Reads FIELD=([length],[input location or 'literal'],[conversion],[output location]). */
static int read_field(struct reading *reading, struct iebgener_group *group)
{
	struct iebgener_field field = { .length = 80 };
	int result = expect(reading, '(');

	if (result == 0)
		result = read_subparameters(reading, &field);
	GROW(group->fields, group->field_count + 1, group->field_alloc);
	group->fields[group->field_count++] = field;
	reading->used_fields++;
	return result;
}

static int read_record(struct reading *reading)
{
	struct iebgener_request *request = reading->request;
	unsigned line = reading->operands.parts[0].line;
	struct iebgener_member *member;
	struct iebgener_group *group;

	member = request->member_count ? &request->members[request->member_count - 1]
				       : add_member(request, line);
	if (member->group_count && !member->groups[member->group_count - 1].ident)
		return refuse(reading, reading->operands.at, 5516,
			      "the previous RECORD, without IDENT, takes all records");
	GROW(member->groups, member->group_count + 1, member->group_alloc);
	group = &member->groups[member->group_count++];
	*group = (struct iebgener_group){ .line = line };
	while (*reading->operands.at) {
		if (take_keyword(reading, "FIELD"))
			RETURN_IF(read_field(reading, group) < 0, -1);
		else if (take_keyword(reading, "IDENT"))
			RETURN_IF(read_ident(reading, group) < 0, -1);
		else
			return unknown_operand(reading, "RECORD");
		if (*reading->operands.at)
			RETURN_IF(expect(reading, ',') < 0, -1);
	}
	return 0;
}

static int read_statement(struct reading *reading, const char *operation)
{
	if (strcmp(operation, "GENERATE") == 0)
		return read_generate(reading);
	if (strcmp(operation, "MEMBER") == 0 || strcmp(operation, "RECORD") == 0) {
		reading->request->edits = true;
		if (!reading->generate)
			return refuse(reading, reading->operands.at, 5516,
				      "GENERATE must precede %s", operation);
		return *operation == 'M' ? read_member(reading) : read_record(reading);
	}
	return refuse(reading, reading->operands.text.text, 5510, "%s is not supported",
		      *operation ? operation : "a statement without operation");
}

/* Checks that a limit of GENERATE is given and not exceeded. */
static void check_maximum(struct reading *reading, const char *keyword, size_t said, size_t used)
{
	if (used <= said)
		return;
	utility_message(reading->utility, SEVERITY_SEVERE, 5516,
			"GENERATE must specify at least %s=%zu; nothing was copied", keyword, used);
	reading->request->invalid = true;
}

/* Checks that each member but the last says where its records end. */
static void check_ends(struct reading *reading)
{
	const struct iebgener_request *request = reading->request;

	for (size_t i = 0; i + 1 < request->member_count; i++) {
		const struct iebgener_member *member = &request->members[i];

		if (member->group_count && member->groups[member->group_count - 1].ident)
			continue;
		utility_message(reading->utility, SEVERITY_SEVERE, 5516,
				"SYSIN line %u: member %s has no RECORD with IDENT at its end, so "
				"nothing is left for %s; nothing was copied",
				member->line, member->names[0], member[1].names[0]);
		reading->request->invalid = true;
	}
}

int iebgener_request_read(struct iebgener_request *request, struct utility *utility)
{
	struct source *source = dd_source(utility, "SYSIN");
	struct reading reading = { .request = request,
				   .utility = utility,
				   .source = source,
				   .operands = { .text = STRBUF_INIT } };
	char operation[9];

	*request = (struct iebgener_request){ .invalid = !source && utility->worst > 0 };
	while (source && next_statement(&reading, operation))
		read_statement(&reading, operation);
	if (!request->invalid) {
		check_maximum(&reading, "MAXNAME", reading.names, reading.used_names);
		check_maximum(&reading, "MAXFLDS", reading.fields, reading.used_fields);
		check_maximum(&reading, "MAXLITS", reading.literals, reading.used_literals);
		check_maximum(&reading, "MAXGPS", reading.groups, reading.used_groups);
		check_ends(&reading);
	}
	if (request->member_count == 0)
		add_member(request, 0);
	source_free(source);
	strbuf_release(&reading.operands.text);
	free(reading.operands.parts);
	return request->invalid ? -1 : 0;
}

static void release_group(struct iebgener_group *group)
{
	for (size_t i = 0; i < group->field_count; i++)
		free(group->fields[i].literal);
	free(group->fields);
	free(group->ident);
}

void iebgener_request_release(struct iebgener_request *request)
{
	for (size_t i = 0; i < request->member_count; i++) {
		struct iebgener_member *member = &request->members[i];

		for (size_t k = 0; k < member->group_count; k++)
			release_group(&member->groups[k]);
		for (size_t k = 0; k < member->name_count; k++)
			free(member->names[k]);
		free(member->groups);
		free(member->names);
	}
	free(request->members);
	*request = (struct iebgener_request){ 0 };
}
