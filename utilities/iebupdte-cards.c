/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the "./" statements of IEBUPDTE. */
#include "common/compat.h"
#include "utilities/iebupdte-cards.h"
#include "common/xalloc.h"
#include "datasets/catalog.h"

#include <ctype.h>
#include <strings.h>

#define STATEMENT_COLUMNS 71
#define RECORD_COLUMNS 80
#define DEFAULT_FIELD \
	{ \
		72, 8 \
	}

static const struct operation {
	const char *name;
	enum iebupdte_operation operation;
} operations[] = {
	{ "ADD", UPDATE_ADD },	   { "REPL", UPDATE_REPL },	{ "CHANGE", UPDATE_CHANGE },
	{ "REPRO", UPDATE_REPRO }, { "NUMBER", UPDATE_NUMBER }, { "DELETE", UPDATE_DELETE },
	{ "ALIAS", UPDATE_ALIAS }, { "ENDUP", UPDATE_ENDUP },
};

int iebupdte_report_error(struct utility *utility, unsigned line, const char *format, ...)
{
	struct strbuf text = STRBUF_INIT;
	va_list ap;

	va_start(ap, format);
	strbuf_vaddf(&text, format, ap);
	va_end(ap);
	utility_foreign_message(utility, "IEB805I", SEVERITY_WARNING, 5665,
		      "CONTROL STATEMENT ERROR: SYSIN line %u: %s", line, text.text);
	strbuf_release(&text);
	return -1;
}

static bool is_statement(const struct source_line *line)
{
	return line->length >= 2 && strncmp(line->text, "./", 2) == 0;
}

/* Parses a number that is the whole text. */
static bool number(const char *text, uint64_t *value)
{
	char *end;

	if (!isdigit((unsigned char)*text) || strlen(text) > 8)
		return false;
	*value = strtoull(text, &end, 10);
	return *end == '\0';
}

/* Parses "738": column (73) and length (8) of a sequence number. */
static bool read_field(const char *text, struct sequence_field *field)
{
	size_t length = strspn(text, "0123456789");

	if (length != 3)
		return false;
	field->start = (unsigned)((text[0] - '0') * 10 + (text[1] - '0'));
	field->length = (unsigned)(text[2] - '0');
	return field->start-- > 0 && field->length > 0 && field->length <= 8 &&
	       field->start + field->length <= RECORD_COLUMNS;
}

/* Parses SEQFLD=738 or (738,737): columns in the input, and in the new master. */
static bool take_fields(const char *text, struct iebupdte_statement *statement)
{
	const char *second = strchr(text, ',');

	if (*text != '(' || !second)
		return read_field(text + (*text == '('), &statement->old) &&
		       read_field(text + (*text == '('), &statement->new);
	return read_field(text + 1, &statement->old) && read_field(second + 1, &statement->new);
}

static bool take_name(const char *text, char **name)
{
	free(*name);
	*name = xstrdup(text);
	for (char *at = *name; *at; at++)
		*at = (char)toupper((unsigned char)*at);
	return catalog_member_valid(*name);
}

/* Parses a sequence number as its columns hold it; it may contain letters. */
static bool key(const char *text, char key[9])
{
	size_t length = strlen(text);

	for (const char *at = text; *at; at++)
		if (!isalnum((unsigned char)*at))
			return false;
	if (length == 0 || length > 8)
		return false;
	memcpy(key, text, length + 1);
	return true;
}

/* Reads an operand of a detail statement. */
static bool take_detail(const char *keyword, const char *value,
			struct iebupdte_statement *statement)
{
	if (strcasecmp(keyword, "SEQ1") == 0) {
		statement->all = strcasecmp(value, "ALL") == 0;
		return key(value, statement->first);
	}
	if (strcasecmp(keyword, "SEQ2") == 0)
		return key(value, statement->last);
	if (strcasecmp(keyword, "NEW1") == 0)
		return statement->has_start = number(value, &statement->start);
	if (strcasecmp(keyword, "INCR") == 0)
		return statement->has_step = number(value, &statement->step);
	if (strcasecmp(keyword, "INSERT") == 0)
		return statement->insert = strcasecmp(value, "YES") == 0;
	return false;
}

/*
 * Returns whether an operand is accepted but ignored: it describes a directory
 * entry, for which there is no field here, or the form of the new master.
 */
static bool is_ignored_operand(const char *keyword, const char *value)
{
	static const char *const keywords[] = { "LEVEL", "SOURCE", "SSI" };

	for (size_t i = 0; i < ARRAY_SIZE(keywords); i++)
		if (strcasecmp(keyword, keywords[i]) == 0)
			return true;
	if (strcasecmp(keyword, "NEW") == 0)
		return strcasecmp(value, "PO") == 0 || strcasecmp(value, "PS") == 0;
	return false;
}

/* Reads an operand; false: not recognized. */
static bool take_operand(const char *keyword, const char *value,
			 struct iebupdte_statement *statement)
{
	uint64_t column = 0;

	if (strcasecmp(keyword, "NAME") == 0)
		return take_name(value, &statement->name);
	if (statement->operation == UPDATE_NUMBER || statement->operation == UPDATE_DELETE)
		return take_detail(keyword, value, statement);
	if (statement->operation >= UPDATE_ALIAS)
		return false;
	if (strcasecmp(keyword, "MEMBER") == 0)
		return take_name(value, &statement->member);
	if (strcasecmp(keyword, "LIST") == 0)
		return statement->list = strcasecmp(value, "ALL") == 0;
	if (strcasecmp(keyword, "UPDATE") == 0)
		return statement->in_place = strcasecmp(value, "INPLACE") == 0;
	if (strcasecmp(keyword, "SEQFLD") == 0)
		return take_fields(value, statement);
	if (strcasecmp(keyword, "COLUMN") == 0) {
		if (!number(value, &column) || column < 1 || column > RECORD_COLUMNS)
			return false;
		statement->column = (unsigned)column - 1;
		return true;
	}
	return is_ignored_operand(keyword, value);
}

/* Returns the length of an operand: up to a comma outside parentheses. */
static size_t operand_length(const char *text)
{
	size_t length = strcspn(text, ",(");

	if (text[length] == '(')
		length += strcspn(text + length, ")");
	return length + strcspn(text + length, ",");
}

static int take_operands(struct utility *utility, const char *text,
			 struct iebupdte_statement *statement)
{
	while (*text) {
		char *operand = xstrndup(text, operand_length(text));
		char *value = strchr(operand, '=');
		bool good = value != NULL;

		text += strlen(operand);
		text += *text == ',';
		if (good) {
			*value++ = '\0';
			good = take_operand(operand, value, statement);
			value[-1] = '=';
		}
		if (!good)
			iebupdte_report_error(utility, statement->line, "%s is not a valid operand",
				      operand);
		free(operand);
		RETURN_IF(!good, -1);
	}
	return 0;
}

/* Returns the operation of a card, after "./" and its label; *at moves behind it. -1: none. */
static int find_operation(const char **at)
{
	size_t length;

	*at += 2;
	*at += strcspn(*at, " ");
	*at += strspn(*at, " ");
	length = strcspn(*at, " ");
	for (size_t i = 0; i < ARRAY_SIZE(operations); i++)
		if (strlen(operations[i].name) == length &&
		    strncasecmp(operations[i].name, *at, length) == 0) {
			*at += length;
			return (int)operations[i].operation;
		}
	return -1;
}

/* Appends a card's operand field, which ends at a blank, to those of the cards before. */
static void add_operands(struct strbuf *operands, const char *text)
{
	text += strspn(text, " ");
	strbuf_add(operands, text, strcspn(text, " "));
}

/* Checks that a statement has the operands it needs and no others. */
static int check(struct utility *utility, const struct iebupdte_statement *statement)
{
	bool detail = statement->operation == UPDATE_NUMBER;

	if (statement->operation == UPDATE_ALIAS && !statement->name)
		return iebupdte_report_error(utility, statement->line, "ALIAS needs NAME=");
	if (statement->operation == UPDATE_DELETE &&
	    (!*statement->first || !*statement->last || statement->all))
		return iebupdte_report_error(utility, statement->line, "DELETE needs SEQ1= and SEQ2=");
	if (detail && statement->insert && (!*statement->first || statement->all))
		return iebupdte_report_error(utility, statement->line,
				     "INSERT=YES needs SEQ1= with a number");
	if (detail && statement->has_step && statement->step == 0)
		return iebupdte_report_error(utility, statement->line, "INCR must not be 0");
	return 0;
}

/* Reads the statement at line *at of the source; *at moves to its last card. */
static struct iebupdte_statement *read_one(struct utility *utility, const struct source *source,
					   size_t *at)
{
	struct iebupdte_statement *statement = xcalloc(1, sizeof(*statement));
	struct strbuf operands = STRBUF_INIT;
	int operation = -1;

	*statement = (struct iebupdte_statement){ .line = (unsigned)*at + 1,
						  .old = DEFAULT_FIELD,
						  .new = DEFAULT_FIELD };
	for (bool first = true;; first = false, ++*at) {
		const struct source_line *line = &source->lines[*at];
		char *card =
			xstrndup(line->text, line->length < STATEMENT_COLUMNS ? line->length
									      : STATEMENT_COLUMNS);
		const char *text = first ? card : card + 2;

		if (first)
			operation = find_operation(&text);
		add_operands(&operands, text);
		free(card);
		if (operands.length == 0 || operands.text[operands.length - 1] != ',' ||
		    *at + 1 == source->line_count || !is_statement(&source->lines[*at + 1]))
			break;
	}
	statement->operation = operation < 0 ? UPDATE_NUMBER : (enum iebupdte_operation)operation;
	if (operation < 0)
		iebupdte_report_error(utility, statement->line, "unknown operation");
	if (operation == UPDATE_ENDUP)
		strbuf_reset(&operands); /* what follows is a comment */
	statement->broken = operation < 0 || take_operands(utility, operands.text, statement) < 0 ||
			    check(utility, statement) < 0;
	strbuf_release(&operands);
	return statement;
}

/* Attaches the data cards after a statement, whose last card is at *at. */
static void attach_data(struct iebupdte_statement *statement, const struct source *source, size_t *at)
{
	statement->data = source->lines + *at + 1;
	while (*at + 1 < source->line_count && !is_statement(&source->lines[*at + 1])) {
		statement->data_count++;
		++*at;
	}
}

struct iebupdte_statement *iebupdte_read(struct utility *utility, const struct source *source)
{
	struct iebupdte_statement *list = NULL, **end = &list, *function = NULL;
	size_t at = 0;

	while (at < source->line_count && !is_statement(&source->lines[at]))
		at++;
	if (at > 0)
		iebupdte_report_error(utility, 1,
			      "a statement with \"./\" in columns 1 and 2 was expected");
	for (; at < source->line_count; at++) {
		struct iebupdte_statement *one = read_one(utility, source, &at);

		*end = one;
		end = &one->next;
		if (one->operation == UPDATE_ENDUP)
			break;
		attach_data(one, source, &at);
		if (one->operation < UPDATE_NUMBER)
			function = one;
		else if (one->broken && function)
			function->broken = true;
	}
	return list;
}

void iebupdte_free(struct iebupdte_statement *list)
{
	while (list) {
		struct iebupdte_statement *next = list->next;

		free(list->name);
		free(list->member);
		free(list);
		list = next;
	}
}
