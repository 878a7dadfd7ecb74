/* SPDX-License-Identifier: Apache-2.0 */
/* Overrides of procedures: merges operands of EXEC and DD keyword by keyword. */
#include "common/compat.h"
#include "parser/jcl-procedure.h"
#include "common/xalloc.h"

/* A list of operands under construction. */
struct merged {
	struct jcl_node *first, **tail;
};

/* Appends a copy of a node. */
static void merged_add(struct jcl_evaluation *e, struct merged *list, const struct jcl_node *node)
{
	struct jcl_node *copy = jcl_arena_get(&e->scratch, sizeof(*copy));

	*copy = *node;
	copy->next = NULL;
	*list->tail = copy;
	list->tail = &copy->next;
}

/* Returns the keyword operand with a name; NULL: none. */
static const struct jcl_node *find(const struct jcl_node *operands, const char *keyword)
{
	for (; operands; operands = operands->next)
		if (operands->kind == JCL_KEYWORD && strcmp(operands->text, keyword) == 0)
			return operands;
	return NULL;
}

/*
 * Returns whether a keyword of the calling EXEC applies to the current step;
 * *keyword: without step name.
 */
static bool applies_to_step(struct jcl_evaluation *e, const struct jcl_node *node, const char **keyword)
{
	const char *dot = strchr(node->text, '.');

	if (!dot) {
		*keyword = node->text;
		if (!jcl_exec_keyword(node->text) || strcmp(node->text, "PGM") == 0)
			return false;
		return (strcmp(node->text, "PARM") != 0 && strcmp(node->text, "PARMDD") != 0) ||
		       e->call->steps == 1;
	}
	*keyword = jcl_arena_text(&e->scratch, node->text, (size_t)(dot - node->text));
	return strcmp(*keyword, "PGM") != 0 && strcmp(dot + 1, e->call->procstep) == 0;
}

/*
 * Returns the last operand of the call that gives keyword for the current step;
 * one that names the step takes precedence.
 */
static const struct jcl_node *exec_override(struct jcl_evaluation *e, const char *keyword)
{
	const struct jcl_node *found = NULL;
	bool named = false;

	for (const struct jcl_node *at = e->call->operands; at; at = at->next) {
		const char *word;
		bool dotted = at->kind == JCL_KEYWORD && strchr(at->text, '.');

		if (at->kind != JCL_KEYWORD || !applies_to_step(e, at, &word) ||
		    strcmp(word, keyword) != 0 || (named && !dotted))
			continue;
		found = at;
		named = dotted;
	}
	return found;
}

/* Appends a keyword operand without step name; an operand without a value only removes. */
static void add_override(struct jcl_evaluation *e, struct merged *list, const struct jcl_node *node,
			 const char *keyword)
{
	struct jcl_node renamed = *node;

	if (node->child->kind == JCL_EMPTY)
		return;
	renamed.text = keyword;
	renamed.text_length = (unsigned)strlen(keyword);
	merged_add(e, list, &renamed);
}

struct jcl_node *jcl_merge_exec(struct jcl_evaluation *e, struct jcl_node *operands)
{
	struct merged list = { NULL, &list.first };
	bool parm_given =
		find(e->call->operands, "PARM") || find(e->call->operands, "PARMDD");

	for (const struct jcl_node *at = operands; at; at = at->next) {
		bool parm = at->kind == JCL_KEYWORD && (strcmp(at->text, "PARM") == 0 ||
							strcmp(at->text, "PARMDD") == 0);

		if (at->kind == JCL_KEYWORD && exec_override(e, at->text))
			continue;
		if (parm && (exec_override(e, "PARM") || exec_override(e, "PARMDD") ||
			     (parm_given && e->call->steps > 1)))
			continue;
		merged_add(e, &list, at);
	}
	for (const struct jcl_node *at = e->call->operands; at; at = at->next) {
		const char *keyword;

		if (at->kind == JCL_KEYWORD && strcmp(at->text, "PROC") != 0 &&
		    applies_to_step(e, at, &keyword) && exec_override(e, keyword) == at)
			add_override(e, &list, at, keyword);
	}
	return list.first;
}

/* Kinds of DDs: an override with the first operand of a row removes the others of the row. */
static const char *const dd_kinds[][9] = {
	{ "DSN", "SYSOUT", "PATH", "PATHOPTS", "PATHMODE", "PATHDISP", "DDNAME", NULL },
	{ "DSNAME", "SYSOUT", "PATH", "PATHOPTS", "PATHMODE", "PATHDISP", "DDNAME", "DSN", NULL },
	{ "SYSOUT", "DSN", "DSNAME", "DISP", "PATH", "PATHOPTS", "PATHDISP", "DDNAME", NULL },
	{ "PATH", "DSN", "DSNAME", "DISP", "SYSOUT", "DDNAME", NULL },
	{ "DDNAME", "DSN", "DSNAME", "DISP", "SYSOUT", "PATH", "PATHOPTS", "PATHDISP", NULL },
};

/* Returns whether the override removes an operand of the procedure's DD. */
static bool is_removed_by(const struct jcl_node *operand, const struct jcl_node *override)
{
	bool data = override && override->kind == JCL_WORD && strcmp(override->text, "DUMMY") != 0;

	if (operand->kind != JCL_KEYWORD) {
		if (data)
			return true;
		for (size_t i = 0; i < ARRAY_SIZE(dd_kinds); i++)
			if (find(override, dd_kinds[i][0]))
				return true;
		return false;
	}
	if (find(override, operand->text) ||
	    (strcmp(operand->text, "DSN") == 0 && find(override, "DSNAME")) ||
	    (strcmp(operand->text, "DSNAME") == 0 && find(override, "DSN")))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(dd_kinds); i++)
		for (size_t j = 1; dd_kinds[i][j]; j++)
			if (strcmp(dd_kinds[i][j], operand->text) == 0 &&
			    (data || find(override, dd_kinds[i][0])))
				return true;
	return false;
}

/* Appends a DCB with the attributes of both; those of the override take precedence. */
static void add_dcb(struct jcl_evaluation *e, struct merged *list, const struct jcl_node *old,
		    const struct jcl_node *new)
{
	struct jcl_node *attributes = jcl_arena_get(&e->scratch, sizeof(*attributes));
	struct jcl_node keyword = *new;
	struct merged members = { NULL, &members.first };
	const struct jcl_node *changes = jcl_members(new->child);

	if (changes->kind != JCL_KEYWORD) { /* a model comes first */
		merged_add(e, &members, changes);
		changes = changes->next;
	}
	for (const struct jcl_node *at = jcl_members(old->child); at; at = at->next)
		if (at->kind != JCL_KEYWORD ? !members.first : !find(changes, at->text))
			merged_add(e, &members, at);
	for (const struct jcl_node *at = changes; at; at = at->next)
		merged_add(e, &members, at);
	*attributes = *new->child;
	attributes->kind = JCL_LIST;
	attributes->text = "";
	attributes->text_length = 0;
	attributes->child = members.first;
	keyword.child = attributes;
	merged_add(e, list, &keyword);
}

struct jcl_node *jcl_merge_dd(struct jcl_evaluation *e, struct jcl_node *operands,
			      struct jcl_node *override)
{
	struct merged list = { NULL, &list.first };
	const struct jcl_node *old_dcb = find(operands, "DCB");

	if (!override || (override->kind == JCL_WORD && strcmp(override->text, "NULLOVRD") == 0))
		return operands;
	if (override->kind == JCL_WORD) /* *, DATA or DUMMY comes first */
		merged_add(e, &list, override);
	for (const struct jcl_node *at = operands; at; at = at->next)
		if (!is_removed_by(at, override) && !(at->kind == JCL_WORD && list.first))
			merged_add(e, &list, at);
	for (const struct jcl_node *at = override; at; at = at->next) {
		if (at->kind != JCL_KEYWORD || at->child->kind == JCL_EMPTY)
			continue;
		if (old_dcb && strcmp(at->text, "DCB") == 0)
			add_dcb(e, &list, old_dcb, at);
		else
			merged_add(e, &list, at);
	}
	return list.first;
}

/* Returns whether an override applies to the current step. */
static bool applies(const struct jcl_evaluation *e, const struct jcl_override *override)
{
	if (!override->procstep)
		return e->call->steps == 1;
	return strcmp(override->procstep, e->call->procstep) == 0;
}

struct jcl_override *jcl_override_of(struct jcl_evaluation *e, const char *name)
{
	struct jcl_override *found = NULL;

	if (!e->call || !e->call->procstep)
		return NULL;
	if (name[0] == '\0') {
		found = e->call->members;
		if (found)
			e->call->members = found->concat;
		return found;
	}
	assert(!e->call->members);
	for (struct jcl_override *at = e->call->overrides; at && !found; at = at->next)
		if (!at->used && applies(e, at) && strcmp(at->name, name) == 0)
			found = at;
	if (!found)
		return NULL;
	found->used = true;
	e->call->members = found->concat;
	return found;
}

struct jcl_override *jcl_override_members(struct jcl_evaluation *e)
{
	struct jcl_override *members;

	if (!e->call || !e->call->procstep)
		return NULL;
	members = e->call->members;
	e->call->members = NULL;
	return members;
}

struct jcl_override *jcl_override_next(struct jcl_evaluation *e)
{
	if (!e->call || !e->call->procstep)
		return NULL;
	for (struct jcl_override *at = e->call->overrides; at; at = at->next)
		if (!at->used && applies(e, at)) {
			at->used = true;
			return at;
		}
	return NULL;
}
