/* SPDX-License-Identifier: Apache-2.0 */
/* Understands the control statements of SORT. */
#include "common/compat.h"
#include "session/utilities/sort-request.h"
#include "common/xalloc.h"

#include <ctype.h>

/* A statement while its operands are read. */
struct operands {
	struct utility *utility;
	struct sort_request *request;
	unsigned line;
	const char *text; /* what is left */
	char token[64];	  /* the last one, upper case */
	size_t token_length;
	bool failed;
};

static int complain(struct operands *in, const char *expected)
{
	in->failed = true;
	return utility_message(in->utility, SEVERITY_SEVERE, 5541,
			       "SYSIN line %u: expected %s before \"%.20s\"", in->line, expected,
			       in->text);
}

/* The next word or number in token; "" when something else comes. */
static const char *word(struct operands *in)
{
	size_t length = 0;

	while (isalnum((unsigned char)*in->text) || *in->text == '-' || *in->text == '+') {
		if (length < sizeof(in->token) - 1)
			in->token[length++] = (char)toupper((unsigned char)*in->text);
		in->text++;
	}
	in->token[length] = '\0';
	return in->token;
}

static bool take(struct operands *in, char c)
{
	if (*in->text != c)
		return false;
	in->text++;
	return true;
}

static int number(struct operands *in, size_t *value, const char *what)
{
	char *end;
	const char *digits = word(in);

	*value = strtoul(digits, &end, 10);
	RETURN_IF(!isdigit((unsigned char)*digits) || *end || *value == 0 || *value > 32760,
		  complain(in, what));
	return 0;
}

static int format(struct operands *in, const char *name, enum key_format *result)
{
	static const struct {
		const char *name;
		enum key_format format;
	} formats[] = { { "CH", FORMAT_CH }, { "ZD", FORMAT_ZD }, { "PD", FORMAT_PD },
			{ "BI", FORMAT_BI }, { "FI", FORMAT_FI }, { "AC", FORMAT_CH } };

	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		if (strcmp(formats[i].name, name) == 0) {
			*result = formats[i].format;
			return 0;
		}
	return complain(in, "one of the formats CH, ZD, PD, BI, FI");
}

/* "position,length," of a field. */
static int place(struct operands *in, struct sort_key *key)
{
	RETURN_IF(number(in, &key->position, "a position from 1") < 0, -1);
	key->position--;
	RETURN_IF(!take(in, ','), complain(in, "a comma"));
	RETURN_IF(number(in, &key->length, "a length from 1") < 0, -1);
	RETURN_IF((key->format == FORMAT_BI || key->format == FORMAT_FI) && key->length > 256,
		  complain(in, "a length up to 256"));
	return take(in, ',') ? 0 : complain(in, "a comma");
}

/* "position,length[,format],A" of the list; formats that are left out are set by FORMAT=. */
static int key(struct operands *in, bool *without_format)
{
	struct sort_request *request = in->request;
	struct sort_key now = { 0 };
	const char *token;

	RETURN_IF(place(in, &now) < 0, -1);
	token = word(in);
	if (strcmp(token, "A") != 0 && strcmp(token, "D") != 0) {
		RETURN_IF(format(in, token, &now.format) < 0, -1);
		RETURN_IF(!take(in, ','), complain(in, "a comma"));
		token = word(in);
	} else {
		*without_format = true;
	}
	RETURN_IF(strcmp(token, "A") != 0 && strcmp(token, "D") != 0,
		  complain(in, "the order A or D"));
	now.descending = *token == 'D';
	GROW(request->keys, request->key_count + 1, request->key_alloc);
	request->keys[request->key_count++] = now;
	return 0;
}

/* FORMAT=xx after FIELDS gives all keys that format. */
static int common_format(struct operands *in, bool needed)
{
	enum key_format all;

	while (take(in, ',')) {
		const char *keyword = word(in);

		if (strcmp(keyword, "EQUALS") == 0 || strcmp(keyword, "NOEQUALS") == 0)
			continue;
		RETURN_IF(strcmp(keyword, "FORMAT") != 0 || !take(in, '='),
			  complain(in, "FORMAT=, EQUALS or NOEQUALS"));
		RETURN_IF(format(in, word(in), &all) < 0, -1);
		for (size_t i = 0; i < in->request->key_count; i++)
			in->request->keys[i].format = all;
		needed = false;
	}
	return needed ? complain(in, "FORMAT= for the keys without a format") : 0;
}

/* SORT and MERGE. */
static int sort_or_merge(struct operands *in, enum sort_kind kind)
{
	bool without_format = false;

	RETURN_IF(strcmp(word(in), "FIELDS") != 0 || !take(in, '='), complain(in, "FIELDS="));
	in->request->kind = kind;
	if (*in->text != '(') {
		RETURN_IF(strcmp(word(in), "COPY") != 0, complain(in, "COPY or a list of fields"));
		in->request->kind = SORT_COPY;
		return 0;
	}
	take(in, '(');
	if (strncmp(in->text, "COPY)", 5) == 0) {
		in->text += 5;
		in->request->kind = SORT_COPY;
		return 0;
	}
	do
		RETURN_IF(key(in, &without_format) < 0, -1);
	while (take(in, ','));
	RETURN_IF(!take(in, ')'), complain(in, "a closing parenthesis"));
	return common_format(in, without_format);
}

static int sum(struct operands *in)
{
	bool open;

	RETURN_IF(strcmp(word(in), "FIELDS") != 0 || !take(in, '='), complain(in, "FIELDS="));
	open = take(in, '(');
	RETURN_IF(strcmp(word(in), "NONE") != 0 || (open && !take(in, ')')),
		  complain(in, "NONE: sums of fields are not supported"));
	in->request->unique = true;
	return 0;
}

/* C'text', with '' for an apostrophe. */
static int text_constant(struct operands *in, struct sort_test *test)
{
	struct strbuf text = STRBUF_INIT;

	for (in->text += 2; *in->text; in->text++) {
		if (*in->text == '\'' && in->text[1] != '\'')
			break;
		in->text += *in->text == '\'';
		strbuf_addch(&text, *in->text);
	}
	test->constant = strbuf_detach(&text, &test->constant_length);
	return take(in, '\'') ? 0 : complain(in, "an apostrophe");
}

static int hex_digit(char c)
{
	if (isdigit((unsigned char)c))
		return c - '0';
	return isxdigit((unsigned char)c) ? toupper((unsigned char)c) - 'A' + 10 : -1;
}

/* X'hex'. */
static int hex_constant(struct operands *in, struct sort_test *test)
{
	struct strbuf bytes = STRBUF_INIT;

	for (in->text += 2; hex_digit(in->text[0]) >= 0 && hex_digit(in->text[1]) >= 0;
	     in->text += 2)
		strbuf_addch(&bytes, (char)(hex_digit(in->text[0]) * 16 + hex_digit(in->text[1])));
	test->constant = strbuf_detach(&bytes, &test->constant_length);
	return take(in, '\'') ? 0 : complain(in, "pairs of hexadecimal digits and an apostrophe");
}

/* What a field is compared with: a constant or another field. */
static int comparand(struct operands *in, struct sort_test *test)
{
	const char *start = in->text, *digits;

	if ((*start == 'C' || *start == 'c') && start[1] == '\'')
		return text_constant(in, test);
	if ((*start == 'X' || *start == 'x') && start[1] == '\'')
		return hex_constant(in, test);
	digits = word(in);
	RETURN_IF(!*digits || strspn(digits + strspn(digits, "+-"), "0123456789") == 0,
		  complain(in, "C'text', X'hex', a number or a field"));
	if (*in->text == ',' && isdigit((unsigned char)in->text[1])) {
		in->text = start;
		test->against_field = true;
		test->other.format = test->field.format;
		RETURN_IF(place(in, &test->other) < 0, -1);
		return format(in, word(in), &test->other.format);
	}
	test->number = true;
	test->constant = xstrdup(digits);
	test->constant_length = strlen(digits);
	return 0;
}

static int relation(struct operands *in, struct sort_test *test)
{
	static const char *const names[] = { "EQ", "NE", "GT", "GE", "LT", "LE" };
	const char *name = word(in);

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strcmp(names[i], name) == 0) {
			test->relation = (enum sort_relation)i;
			return take(in, ',') ? 0 : complain(in, "a comma");
		}
	return complain(in, "one of EQ, NE, GT, GE, LT, LE");
}

/* "position,length,format,relation,value". */
static int test(struct operands *in)
{
	struct sort_request *request = in->request;
	struct sort_test *now;

	GROW(request->tests, request->test_count + 1, request->test_alloc);
	now = &request->tests[request->test_count++];
	*now = (struct sort_test){ 0 };
	RETURN_IF(place(in, &now->field) < 0, -1);
	RETURN_IF(format(in, word(in), &now->field.format) < 0, -1);
	RETURN_IF(!take(in, ','), complain(in, "a comma"));
	RETURN_IF(relation(in, now) < 0 || comparand(in, now) < 0, -1);
	RETURN_IF(now->number && now->field.format == FORMAT_CH,
		  complain(in, "C'text' or X'hex' for a field of characters"));
	RETURN_IF(!now->number && !now->against_field && now->field.format != FORMAT_CH &&
			  now->field.format != FORMAT_BI,
		  complain(in, "a number for a decimal field"));
	return 0;
}

/* COND=(test,AND|OR,test,...) of INCLUDE and OMIT. */
static int tests(struct operands *in, bool omit)
{
	struct sort_request *request = in->request;

	RETURN_IF(request->test_count > 0, complain(in, "only one INCLUDE or OMIT"));
	RETURN_IF(strcmp(word(in), "COND") != 0 || !take(in, '=') || !take(in, '('),
		  complain(in, "COND=("));
	request->omit = omit;
	for (;;) {
		const char *joint;

		RETURN_IF(test(in) < 0, -1);
		if (take(in, ')'))
			return 0;
		RETURN_IF(!take(in, ','), complain(in, "a comma"));
		joint = word(in);
		RETURN_IF(strcmp(joint, "AND") != 0 && strcmp(joint, "OR") != 0,
			  complain(in, "AND or OR"));
		request->tests[request->test_count - 1].or_follows = *joint == 'O';
		RETURN_IF(!take(in, ','), complain(in, "a comma"));
	}
}

static int option(struct operands *in)
{
	do {
		const char *name = word(in);

		if (strcmp(name, "COPY") == 0)
			in->request->kind = SORT_COPY;
		else if (strcmp(name, "EQUALS") != 0 && strcmp(name, "NOEQUALS") != 0)
			return complain(in, "COPY, EQUALS or NOEQUALS");
	} while (take(in, ','));
	return 0;
}

/* Understand one statement. */
static int statement(struct operands *in, bool *sorts)
{
	const char *verb = word(in);
	char name[16];

	snprintf(name, sizeof(name), "%s", verb);
	in->text += strspn(in->text, " ");
	*sorts |= strcmp(name, "SORT") == 0 || strcmp(name, "MERGE") == 0 ||
		  (strcmp(name, "OPTION") == 0 && strstr(in->text, "COPY"));
	if (strcmp(name, "SORT") == 0)
		return sort_or_merge(in, SORT_SORT);
	if (strcmp(name, "MERGE") == 0)
		return sort_or_merge(in, SORT_MERGE);
	if (strcmp(name, "SUM") == 0)
		return sum(in);
	if (strcmp(name, "INCLUDE") == 0 || strcmp(name, "OMIT") == 0)
		return tests(in, *name == 'O');
	if (strcmp(name, "OPTION") == 0)
		return option(in);
	if (strcmp(name, "RECORD") == 0 || strcmp(name, "END") == 0)
		return 0;
	return utility_message(in->utility, SEVERITY_SEVERE, 5540,
			       "SYSIN line %u: %s is not supported; nothing was sorted", in->line,
			       *name ? name : in->text);
}

int sort_request_read(struct sort_request *request, struct utility *utility,
		      struct statement *statements)
{
	bool sorts = false;
	int result = 0;

	for (; statements; statements = statements->next) {
		struct operands in = { .utility = utility,
				       .request = request,
				       .line = statements->line,
				       .text = statements->text + strspn(statements->text, " ") };

		if (statement(&in, &sorts) < 0)
			result = -1;
		else if (*in.text && *in.text != ' ' &&
			 strncmp(statements->text, "RECORD", 6) != 0 &&
			 !strstr(statements->text, "RECORD "))
			result = complain(&in, "the end of the statement");
	}
	if (result == 0 && !sorts)
		result = utility_message(utility, SEVERITY_SEVERE, 5542,
					 "SYSIN has no SORT or MERGE statement");
	return result;
}

void sort_request_release(struct sort_request *request)
{
	for (size_t i = 0; i < request->test_count; i++)
		free(request->tests[i].constant);
	free(request->tests);
	free(request->keys);
	*request = (struct sort_request){ 0 };
}
