/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the operands of a command against its verb's table, and looks operands up. */
#include "common/compat.h"
#include "utilities/idcams/tree.h"
#include "datasets/catalog.h"

#include <ctype.h>

#define LONGEST_DDNAME 8

bool idcams_is(const char *names, const char *word)
{
	size_t length = strlen(word);

	while (length > 0 && *names) {
		size_t one = strcspn(names, " ");

		if (one == length && strncasecmp(names, word, length) == 0)
			return true;
		names += one;
		names += strspn(names, " ");
	}
	return false;
}

const struct idcams_operand *idcams_find(const struct idcams_operand *list, const char *keyword)
{
	size_t length = strlen(keyword);

	for (; list; list = list->next)
		if (list->keyword && strcspn(list->keyword->names, " ") == length &&
		    strncmp(list->keyword->names, keyword, length) == 0)
			return list;
	return NULL;
}

const char *idcams_value(const struct idcams_operand *list, const char *keyword)
{
	const struct idcams_operand *operand = idcams_find(list, keyword);

	return operand && operand->values ? operand->values->text : NULL;
}

unsigned idcams_number(const struct idcams_operand *list, const char *keyword, unsigned number,
		       unsigned otherwise)
{
	const struct idcams_operand *operand = idcams_find(list, keyword);
	const struct idcams_operand *value = operand ? operand->values : NULL;

	while (value && number-- > 0)
		value = value->next;
	return value ? (unsigned)strtoul(value->text, NULL, 10) : otherwise;
}

/* Reports an invalid value. */
static int improper(struct idcams_command *command, const struct idcams_operand *value,
		    const char *expected)
{
	return diag_add(&command->diags, SEVERITY_SEVERE, 5602, &value->location,
			"IDC3203I ITEM '%s' DOES NOT ADHERE TO RESTRICTIONS: expected %s",
			value->text, expected);
}

/* Returns whether a name with * and % is a valid pattern for LISTCAT or DELETE. */
static bool pattern_valid(const char *text)
{
	char plain[64];
	size_t length = strlen(text);

	if (length >= sizeof(plain))
		return false;
	for (size_t i = 0; i <= length; i++)
		plain[i] = strchr("*%", text[i]) && text[i] ? 'X' : text[i];
	return catalog_name_valid(plain);
}

/* Checks a data set name and converts it to upper case. */
static int check_name(struct idcams_command *command, struct idcams_operand *value, bool pattern)
{
	struct idcams_operand *member = value->values;

	if (strchr(value->text, '/'))
		return diag_add(&command->diags, SEVERITY_SEVERE, 5608, &value->location,
				"passwords are not supported: '%s'", value->text);
	for (char *at = value->text; *at; at++)
		*at = (char)toupper((unsigned char)*at);
	if (strlen(value->text) != value->length ||
	    !(pattern ? pattern_valid(value->text) : catalog_name_valid(value->text)))
		return improper(command, value, "a data set name");
	RETURN_IF(!value->list, 0);
	if (!member || member->next || member->values)
		return improper(command, value, "one member after the name");
	for (char *at = member->text; *at; at++)
		*at = (char)toupper((unsigned char)*at);
	return catalog_member_valid(member->text) ? 0 : improper(command, member, "a member name");
}

/* Checks a ddname and converts it to upper case. */
static int check_ddname(struct idcams_command *command, struct idcams_operand *value)
{
	for (char *at = value->text; *at; at++) {
		*at = (char)toupper((unsigned char)*at);
		if (!isalnum((unsigned char)*at) && !strchr("@#$", *at))
			return improper(command, value, "a ddname");
	}
	if (value->list || value->length == 0 || value->length > LONGEST_DDNAME)
		return improper(command, value, "a ddname");
	return 0;
}

static int check_number(struct idcams_command *command, struct idcams_operand *value)
{
	if (value->list || value->quoted || value->length == 0 || value->length > 9 ||
	    strspn(value->text, "0123456789") != value->length)
		return improper(command, value, "a number");
	return 0;
}

/* Returns how many values a keyword has. */
static size_t count_values(const struct idcams_operand *operand)
{
	size_t count = 0;

	for (const struct idcams_operand *value = operand->values; value; value = value->next)
		count++;
	return count;
}

static int check_list(struct idcams_command *command, struct idcams_operand *list,
		      const struct idcams_keyword *keywords);

/* Checks one value of a keyword. */
static int check_value(struct idcams_command *command, enum idcams_type type,
		       struct idcams_operand *value)
{
	switch (type) {
	case TYPE_NAME:
		return check_name(command, value, false);
	case TYPE_NAMES:
		return check_name(command, value, true);
	case TYPE_DD:
		return check_ddname(command, value);
	case TYPE_NUMBER:
	case TYPE_NUMBERS:
		return check_number(command, value);
	default:
		return value->list ? improper(command, value, "a value") : 0;
	}
}

/* Checks the parentheses of a keyword. */
static int check_values(struct idcams_command *command, struct idcams_operand *operand)
{
	const struct idcams_keyword *keyword = operand->keyword;
	size_t count = count_values(operand);
	size_t wanted = keyword->type == TYPE_NUMBERS ? 2 : 1;

	RETURN_IF(keyword->type == TYPE_ANY, 0);
	if (keyword->type == TYPE_FLAG)
		return operand->list ? improper(command, operand, "no parentheses after it") : 0;
	if (count == 0)
		return improper(command, operand, "a value in parentheses");
	if (keyword->type == TYPE_GROUP)
		return check_list(command, operand->values, keyword->group);
	if (keyword->type == TYPE_DD && keyword->group) {
		RETURN_IF(check_ddname(command, operand->values) < 0, -1);
		return check_list(command, operand->values->next, keyword->group);
	}
	if (keyword->type != TYPE_NAMES && count != wanted)
		return improper(command, operand, wanted == 2 ? "two numbers" : "one value");
	for (struct idcams_operand *value = operand->values; value; value = value->next)
		RETURN_IF(check_value(command, keyword->type, value) < 0, -1);
	return 0;
}

/* Looks up an operand's keyword. */
static int check_keyword(struct idcams_command *command, struct idcams_operand *list,
			 struct idcams_operand *operand, const struct idcams_keyword *keywords)
{
	const struct idcams_keyword *keyword = keywords;

	while (keyword->names && (operand->quoted || !idcams_is(keyword->names, operand->text)))
		keyword++;
	if (!keyword->names)
		return diag_add(&command->diags, SEVERITY_SEVERE, 5601, &operand->location,
				"IDC3211I KEYWORD '%s' IS IMPROPER", operand->text);
	for (; list != operand; list = list->next)
		if (list->keyword == keyword)
			return diag_add(&command->diags, SEVERITY_SEVERE, 5605, &operand->location,
					"%s is given twice", operand->text);
	if (keyword->refused)
		return diag_add(&command->diags, SEVERITY_SEVERE, 5606, &operand->location,
				"%s is not supported: %s", operand->text, keyword->refused);
	operand->keyword = keyword;
	return check_values(command, operand);
}

/* Returns whether two keywords exclude each other. */
static bool exclude(const struct idcams_keyword *one, const struct idcams_keyword *other)
{
	static const char *const sets[] = {
		"CHARACTER HEX DUMP",	     "ENTRIES LEVEL",
		"FROMKEY FROMNUMBER SKIP",   "INDEXED NONINDEXED NUMBERED",
		"INTERNALSORT EXTERNALSORT", "TOKEY TONUMBER COUNT",
		"UNIQUEKEY NONUNIQUEKEY",
	};
	char first[32], second[32];

	snprintf(first, sizeof(first), "%.*s", (int)strcspn(one->names, " "), one->names);
	snprintf(second, sizeof(second), "%.*s", (int)strcspn(other->names, " "), other->names);
	for (size_t i = 0; i < ARRAY_SIZE(sets); i++)
		if (idcams_is(sets[i], first) && idcams_is(sets[i], second))
			return true;
	return (strncmp(first, "NO", 2) == 0 && strcmp(first + 2, second) == 0) ||
	       (strncmp(second, "NO", 2) == 0 && strcmp(second + 2, first) == 0);
}

/* Reports earlier operands that an operand excludes. */
static int check_exclusive(struct idcams_command *command, const struct idcams_operand *list,
			   const struct idcams_operand *operand)
{
	for (; operand->keyword && list != operand; list = list->next)
		if (list->keyword && exclude(list->keyword, operand->keyword))
			return diag_add(&command->diags, SEVERITY_SEVERE, 5605, &operand->location,
					"%s and %s exclude each other", list->text, operand->text);
	return 0;
}

/* Checks a list of keyword operands. */
static int check_list(struct idcams_command *command, struct idcams_operand *list,
		      const struct idcams_keyword *keywords)
{
	int result = 0;

	for (struct idcams_operand *operand = list; operand; operand = operand->next)
		if (check_keyword(command, list, operand, keywords) < 0 ||
		    check_exclusive(command, list, operand) < 0)
			result = -1;
	return result;
}

/* Checks the names before the keywords: "A.B", "A.B(MEMBER)" or "(A.B C.D)". */
static int check_positional(struct idcams_command *command, struct idcams_operand *operand)
{
	if (!operand || (operand->length == 0 && !operand->values))
		return diag_add(&command->diags, SEVERITY_SEVERE, 5604, &command->location,
				"a data set name is missing after the verb");
	if (operand->length > 0 || operand->quoted)
		return check_name(command, operand, true);
	for (struct idcams_operand *value = operand->values; value; value = value->next)
		RETURN_IF(check_name(command, value, true) < 0, -1);
	return 0;
}

void idcams_check(struct idcams_command *command)
{
	struct idcams_operand *operands = command->operands;

	if (command->verb->positional) {
		if (check_positional(command, operands) < 0)
			return;
		operands = operands->next;
	}
	check_list(command, operands, command->verb->keywords);
}
