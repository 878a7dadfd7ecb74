/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a request as changed by a CHANGE. */
#include "common/compat.h"
#include "parser/control-lookup.h"
#include "common/xalloc.h"

/* Operands of the ADD that an operand of a CHANGE removes, in addition to the same operand. */
static const struct {
	const char *given, *gone;
} instead[] = {
	{ "DCC", "DCCPARM" },	     { "LIMIT", "NOLIMIT" },	 { "NOLIMIT", "LIMIT" },
	{ "STARTDATE", "STARTDAY" }, { "STARTDATE", "ENDDATE" }, { "STARTDAY", "STARTDATE" },
	{ "ENDDATE", "STARTDATE" },  { "ACTIVE", "QUEUED" },	 { "QUEUED", "ACTIVE" },
	{ "PID", "CGROUP" },	     { "PID", "UNIT" },		 { "CGROUP", "PID" },
	{ "CGROUP", "UNIT" },	     { "UNIT", "PID" },		 { "UNIT", "CGROUP" },
};

/* Returns the canonical spelling of an operand's keyword. */
static const char *spelling(const struct control_operand *operand)
{
	const struct control_rule *rule = control_find_rule(FORM_ADD, operand->keyword);

	return rule && rule->canonical ? rule->canonical : operand->keyword;
}

/* Returns whether the CHANGE removes an operand of the ADD. */
static bool is_removed(const struct control_operand *operand, const struct control_statement *change)
{
	const char *keyword = spelling(operand);

	if (!*keyword)
		return false; /* the job */
	if (strcmp(keyword, "STORE") == 0)
		return true;
	RETURN_IF(!change, false);
	if (control_operand(change, change->verb == CONTROL_SUBMIT ? FORM_SUBMIT : FORM_CHANGE,
			    keyword))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(instead); i++)
		if (strcmp(instead[i].gone, keyword) == 0 &&
		    control_operand(change, FORM_CHANGE, instead[i].given))
			return true;
	return false;
}

/* Returns the number of operands of two statements. */
static size_t count_of(const struct control_statement *add, const struct control_statement *change)
{
	size_t count = 0;

	for (const struct control_operand *one = add->operands; one; one = one->next)
		count++;
	for (const struct control_operand *one = change ? change->operands : NULL; one;
	     one = one->next)
		count++;
	return count;
}

/* Appends a copy of an operand; what it points to remains owned by the original. */
static struct control_operand **append(struct control_operand **end, struct control_operand *copy,
				       const struct control_operand *operand)
{
	*copy = *operand;
	copy->next = NULL;
	*end = copy;
	return &copy->next;
}

void control_print_changed(const struct control_statement *add,
			   const struct control_statement *change, struct strbuf *sb)
{
	struct control_statement whole = { .verb = CONTROL_ADD, .name = add->name };
	struct control_operand *copies = xcalloc(count_of(add, change) + 1, sizeof(*copies));
	struct control_operand **end = &whole.operands;
	size_t used = 0;

	for (const struct control_operand *one = add->operands; one; one = one->next)
		if (!is_removed(one, change))
			end = append(end, &copies[used++], one);
	for (const struct control_operand *one = change ? change->operands : NULL; one;
	     one = one->next)
		if (one->keyword[0] && strcmp(one->keyword, "STORE") != 0)
			end = append(end, &copies[used++], one);
	control_print(&(struct control_deck){ .statements = &whole }, sb);
	free(copies);
}
