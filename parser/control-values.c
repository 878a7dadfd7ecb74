/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the values of operands by type and range. */
#include "common/compat.h"
#include "parser/control-values.h"

#include <ctype.h>

/* No sensible list is longer; every value is compared with all before it. */
#define LIST_MAX 1000

bool control_read_number(const char *text, uint64_t *number)
{
	uint64_t sum = 0;

	RETURN_IF(!*text, false);
	for (; *text; text++) {
		uint64_t digit = (uint64_t)(*text - '0');

		RETURN_IF(*text < '0' || *text > '9' || sum > (UINT64_MAX - digit) / 10, false);
		sum = sum * 10 + digit;
	}
	*number = sum;
	return true;
}

bool control_read_percent(const char *text, double *percent)
{
	double value = 0, scale = 0.1;
	const char *at = text;

	for (; *at >= '0' && *at <= '9' && value <= 100; at++)
		value = value * 10 + (*at - '0');
	RETURN_IF(at == text, false);
	if (*at == '.') {
		RETURN_IF(!isdigit((unsigned char)at[1]), false);
		for (at++; *at >= '0' && *at <= '9'; at++, scale /= 10)
			value += (*at - '0') * scale;
	}
	RETURN_IF(*at != '\0' || value > 100, false);
	*percent = value;
	return true;
}

/* Parses one or two digits up to a limit and advances past them. */
static bool two_digits(const char **text, unsigned limit, unsigned *value)
{
	unsigned sum = 0, count = 0;

	for (; count < 2 && **text >= '0' && **text <= '9'; count++, (*text)++)
		sum = sum * 10 + (unsigned)(**text - '0');
	*value = sum;
	return count > 0 && sum <= limit;
}

/* Parses hh:mm:ss into seconds. */
static bool control_read_clock(const char *text, uint64_t *seconds)
{
	unsigned hours, minutes, rest;

	RETURN_IF(!two_digits(&text, 99, &hours) || *text++ != ':', false);
	RETURN_IF(!two_digits(&text, 59, &minutes) || *text++ != ':', false);
	RETURN_IF(!two_digits(&text, 59, &rest) || *text != '\0', false);
	*seconds = ((uint64_t)hours * 60 + minutes) * 60 + rest;
	return true;
}

bool control_read_bound(const char *text, uint64_t *bound)
{
	return strchr(text, ':') ? control_read_clock(text, bound)
				 : control_read_number(text, bound);
}

bool control_read_time(const char *text, unsigned *minute)
{
	unsigned hours, minutes;

	RETURN_IF(!two_digits(&text, 24, &hours) || *text++ != ':', false);
	RETURN_IF(!two_digits(&text, 59, &minutes), false);
	while (*text == ' ')
		text++;
	*minute = hours * 60 + minutes;
	if (*text == '\0')
		return hours < 24;
	RETURN_IF(hours < 1 || hours > 12, false);
	*minute = hours % 12 * 60 + minutes + (strcasecmp(text, "pm") == 0 ? 12 * 60 : 0);
	return strcasecmp(text, "am") == 0 || strcasecmp(text, "pm") == 0;
}

bool control_read_date(const char *text, struct control_date *date)
{
	static const unsigned char days[] = { 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	char separator;
	size_t digits;

	RETURN_IF(!two_digits(&text, 12, &date->month) || date->month == 0, false);
	separator = *text;
	RETURN_IF(!separator || !strchr("/-.", separator), false);
	text++;
	RETURN_IF(!two_digits(&text, 31, &date->day) || date->day == 0 || *text != separator,
		  false);
	text++;
	digits = strspn(text, "0123456789");
	RETURN_IF(text[digits] != '\0' || (digits != 2 && digits != 4), false);
	date->year = (unsigned)strtoul(text, NULL, 10) + (digits == 2 ? 2000 : 0);
	RETURN_IF(date->day > days[date->month - 1], false);
	return date->month != 2 || date->day < 29 ||
	       (date->year % 4 == 0 && (date->year % 100 != 0 || date->year % 400 == 0));
}

bool control_is_pattern(const char *text, size_t maximum)
{
	size_t length = strlen(text);

	RETURN_IF(length == 0 || length > maximum, false);
	for (; *text; text++)
		RETURN_IF(!isalnum((unsigned char)*text) && !strchr("@#$_-.+*%?", *text), false);
	return true;
}

/*
 * Checks for step or procstep alone, or step.procstep; each a pattern of at most
 * maximum characters.
 */
static bool is_step(const char *text, size_t maximum)
{
	const char *dot = strchr(text, '.');
	char first[16];

	if (!dot)
		return control_is_pattern(text, maximum);
	RETURN_IF((size_t)(dot - text) >= sizeof(first), false);
	snprintf(first, sizeof(first), "%.*s", (int)(dot - text), text);
	return control_is_pattern(first, maximum) && !strchr(dot + 1, '.') &&
	       control_is_pattern(dot + 1, maximum);
}

/* Checks for STRB and one to four more characters that are allowed in program names. */
static bool is_collector(const char *text)
{
	size_t length = strlen(text);

	RETURN_IF(length < 5 || length > 8 || strncmp(text, "STRB", 4) != 0, false);
	for (; *text; text++)
		RETURN_IF(!isalnum((unsigned char)*text) && !strchr("@#$_-.+", *text), false);
	return true;
}

/* Checks for a report code: letters and digits, a letter first; "ALL" names every report. */
static bool is_code(const char *text, const struct control_rule *rule)
{
	size_t length = strlen(text);

	RETURN_IF(length < rule->minimum || length > rule->maximum, false);
	RETURN_IF(!isalpha((unsigned char)*text), false);
	for (; *text; text++)
		RETURN_IF(!isalnum((unsigned char)*text), false);
	return true;
}

/* Checks for a name that is one part of a path, without wildcards unless they are allowed. */
static bool is_resource(const char *text, size_t maximum, bool wildcards)
{
	size_t length = strlen(text);

	RETURN_IF(length == 0 || length > maximum || text[0] == '.', false);
	for (; *text; text++)
		RETURN_IF(*text == '/' || iscntrl((unsigned char)*text) ||
				  (!wildcards && (*text == '*' || *text == '?')),
			  false);
	return true;
}

static bool check_number(const struct control_value *value, const char *keyword,
			 const struct control_rule *rule, struct diag_list *diags)
{
	uint64_t number;

	if (!control_read_number(value->text, &number))
		diag_add(diags, SEVERITY_ERROR, 2106, &value->location,
			 "%s is not a valid number for %s; expected digits", value->text,
			 keyword);
	else if (rule->kind == OPERAND_LINES && number == 0)
		return true;
	else if (number < rule->minimum || number > rule->maximum)
		diag_add(diags, SEVERITY_ERROR, 2107, &value->location,
			 "%s %s is out of range; expected %s%" PRIu64 " to %" PRIu64, keyword,
			 value->text, rule->kind == OPERAND_LINES ? "0 (no pages), or " : "",
			 rule->minimum, rule->maximum);
	else
		return true;
	return false;
}

/* Queues "X is not what KEYWORD takes; expected ..." unless good. */
static bool check_form(bool good, const struct control_value *value, const char *keyword,
		       const char *expected, struct diag_list *diags)
{
	if (!good)
		diag_add(diags, SEVERITY_ERROR, 2108, &value->location,
			 "'%s' is not a valid value of %s; expected "
			 "%s", value->text, keyword, expected);
	return good;
}

static bool check_pattern(const struct control_value *value, const char *keyword,
			  const struct control_rule *rule, struct diag_list *diags)
{
	char expected[96];

	snprintf(expected, sizeof(expected),
		 "a name of at most %" PRIu64 " characters, * and %% allowed", rule->maximum);
	return check_form(control_is_pattern(value->text, rule->maximum), value, keyword, expected,
			  diags);
}

static bool check_resource(const struct control_value *value, const char *keyword,
			   const struct control_rule *rule, struct diag_list *diags)
{
	bool wildcards = rule->kind == OPERAND_RESOURCES;
	char expected[128];

	snprintf(expected, sizeof(expected),
		 "a name of at most %" PRIu64 " characters without a path%s that begins with no "
		 "period",
		 rule->maximum, wildcards ? ", * and ? allowed," : " or wildcards");
	return check_form(is_resource(value->text, rule->maximum, wildcards), value, keyword,
			  expected, diags);
}

static bool check_choice(const struct control_value *value, const char *keyword,
			 const struct control_rule *rule, struct diag_list *diags)
{
	bool good = control_in_words(rule->choices, value->text);

	if (!good)
		diag_add(diags, SEVERITY_ERROR, 2109, &value->location,
			 "%s %s is not known; expected one of %s", keyword, value->text,
			 rule->choices);
	return good;
}

static bool check_text(const struct control_value *value, const char *keyword,
		       const struct control_rule *rule, struct diag_list *diags)
{
	size_t length = strlen(value->text);

	if (length >= rule->minimum && length <= rule->maximum)
		return true;
	diag_add(diags, SEVERITY_ERROR, 2110, &value->location,
		 "the value of %s has %zu characters; expected %" PRIu64 " to %" PRIu64, keyword,
		 length, rule->minimum, rule->maximum);
	return false;
}

/* Checks one value by the type of its operand. */
static bool check_value(const struct control_value *value, const char *keyword,
			const struct control_rule *rule, struct diag_list *diags)
{
	struct control_date date;
	unsigned minute;
	uint64_t seconds;
	double percent;

	switch (rule->kind) {
	case OPERAND_NUMBER:
	case OPERAND_LINES:
	case OPERAND_RANGE:
		return check_number(value, keyword, rule, diags);
	case OPERAND_PERCENT:
		return check_form(control_read_percent(value->text, &percent) &&
					  percent >= (double)rule->minimum,
				  value, keyword,
				  rule->minimum ? "percent from 1 to 100" : "percent from 0 to 100",
				  diags);
	case OPERAND_CHOICE:
	case OPERAND_CHOICES:
		return check_choice(value, keyword, rule, diags);
	case OPERAND_PATTERN:
	case OPERAND_PATTERNS:
		return check_pattern(value, keyword, rule, diags);
	case OPERAND_STEP:
		return check_form(is_step(value->text, rule->maximum), value, keyword,
				  "a step name, or step.procstep, * and % allowed", diags);
	case OPERAND_COLLECTORS:
		return check_form(is_collector(value->text), value, keyword,
				  "STRB and one to four more characters", diags);
	case OPERAND_CODES:
		return check_form(is_code(value->text, rule), value, keyword,
				  "report codes such as MSD or PSU, or ALL", diags);
	case OPERAND_TEXT:
	case OPERAND_TEXTS:
		return check_text(value, keyword, rule, diags);
	case OPERAND_RESOURCE:
	case OPERAND_RESOURCES:
		return check_resource(value, keyword, rule, diags);
	case OPERAND_CLOCK:
	case OPERAND_CLOCKS:
		return check_form(control_read_clock(value->text, &seconds), value, keyword,
				  "hh:mm:ss", diags);
	case OPERAND_DATE:
	case OPERAND_DATES:
		return check_form(control_read_date(value->text, &date), value, keyword,
				  "a day of the calendar as mm/dd/yy or mm/dd/yyyy, separated by / - "
				  "or .",
				  diags);
	case OPERAND_TIMES:
		return check_form(control_read_time(value->text, &minute), value, keyword,
				  "hh:mm, with am or pm in 12 hours", diags);
	case OPERAND_FLAG:
	case OPERAND_LIMIT:
	case OPERAND_ANY:
		break;
	}
	return true;
}

/* Returns whether an operand of this type may have a list of values. */
static bool takes_list(const struct control_rule *rule)
{
	switch (rule->kind) {
	case OPERAND_CHOICES:
	case OPERAND_PATTERNS:
	case OPERAND_COLLECTORS:
	case OPERAND_CODES:
	case OPERAND_TEXTS:
	case OPERAND_DATES:
	case OPERAND_TIMES:
	case OPERAND_LIMIT:
	case OPERAND_RANGE:
	case OPERAND_CLOCKS:
	case OPERAND_ANY:
		return true;
	default:
		return false;
	}
}

/* Checks LIMIT=n or LIMIT=(n,action); n must be 1 with an action that continues to the end. */
static bool check_limit(const struct control_operand *operand, const struct control_rule *rule,
			struct diag_list *diags)
{
	const struct control_value *number = operand->values, *action = number->next;
	uint64_t limit = 0;

	RETURN_IF(!check_number(number, operand->keyword, rule, diags), false);
	RETURN_IF(!action, true);
	RETURN_IF(!check_choice(action, operand->keyword, rule, diags), false);
	if (action->next) {
		diag_add(diags, SEVERITY_ERROR, 2111, &action->next->location,
			 "LIMIT has too many values; expected LIMIT=(n,action)");
		return false;
	}
	control_read_number(number->text, &limit);
	if (limit != 1 && control_in_words("CONTINUE NOLIMIT", action->text)) {
		diag_add(diags, SEVERITY_ERROR, 2112, &number->location,
			 "with %s the session never ends at its limit; expected 1 before it",
			 action->text);
		return false;
	}
	return true;
}

/* Checks KEYWORD=(from,to), from not above to. */
static bool check_range(const struct control_operand *operand, const struct control_rule *rule,
			struct diag_list *diags)
{
	const struct control_value *from = operand->values, *to = from->next;
	uint64_t low = 0, high = 0;

	if (!to || to->next) {
		diag_add(diags, SEVERITY_ERROR, 2111, &operand->location,
			 "%s has two values; expected %s=(from,to)", operand->keyword,
			 operand->keyword);
		return false;
	}
	RETURN_IF(!check_value(from, operand->keyword, rule, diags), false);
	RETURN_IF(!check_value(to, operand->keyword, rule, diags), false);
	control_read_bound(from->text, &low);
	control_read_bound(to->text, &high);
	if (low > high)
		diag_add(diags, SEVERITY_ERROR, 2113, &from->location,
			 "%s begins after it ends: %s is above %s", operand->keyword, from->text,
			 to->text);
	return low <= high;
}

/* Checks that a value is present or absent, as the type requires. */
static bool check_presence(const struct control_operand *operand, const struct control_rule *rule,
			   struct diag_list *diags)
{
	bool flag = rule->kind == OPERAND_FLAG;

	if (rule->kind == OPERAND_ANY || flag == !operand->values)
		return true;
	if (flag)
		diag_add(diags, SEVERITY_ERROR, 2104, &operand->location,
			 "%s has no value; expected %s alone", operand->keyword, operand->keyword);
	else
		diag_add(diags, SEVERITY_ERROR, 2103, &operand->location,
			 "%s needs a value; expected %s=value", operand->keyword, operand->keyword);
	return false;
}

/* Checks whether a list repeats a value, and its length. */
static bool check_list(const struct control_operand *operand, const struct control_rule *rule,
		       struct diag_list *diags)
{
	uint64_t maximum = rule->kind == OPERAND_TIMES ? rule->maximum : LIST_MAX, count = 0;

	for (const struct control_value *value = operand->values; value; value = value->next) {
		if (++count > maximum) {
			diag_add(diags, SEVERITY_ERROR, 2111, &value->location,
				 "%s has too many values; expected at most %" PRIu64,
				 operand->keyword, maximum);
			return false;
		}
		for (const struct control_value *other = operand->values; other != value;
		     other = other->next)
			if (rule->kind != OPERAND_TEXTS && strcmp(other->text, value->text) == 0) {
				diag_add(diags, SEVERITY_ERROR, 2102, &value->location,
					 "%s names %s twice", operand->keyword, value->text);
				return false;
			}
	}
	return true;
}

bool control_check_values(const struct control_operand *operand, const struct control_rule *rule,
			  struct diag_list *diags)
{
	bool good = true;

	RETURN_IF(!check_presence(operand, rule, diags), false);
	RETURN_IF(!operand->values || rule->kind == OPERAND_ANY, true);
	if (operand->is_list && !takes_list(rule)) {
		diag_add(diags, SEVERITY_ERROR, 2105, &operand->location,
			 "%s has one value, not a list", operand->keyword);
		return false;
	}
	if (rule->kind == OPERAND_LIMIT)
		return check_limit(operand, rule, diags);
	if (rule->kind == OPERAND_RANGE || rule->kind == OPERAND_CLOCKS)
		return check_range(operand, rule, diags);
	for (const struct control_value *value = operand->values; value; value = value->next)
		good = check_value(value, operand->keyword, rule, diags) && good;
	return good && check_list(operand, rule, diags);
}
