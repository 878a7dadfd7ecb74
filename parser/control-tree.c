/* SPDX-License-Identifier: Apache-2.0 */
/* Builds, compares and frees the tree of control statements. */
#include "common/compat.h"
#include "parser/control-tree.h"
#include "parser/control-grammar.h"
#include "parser/control-operands.h"
#include "common/xalloc.h"

#include <ctype.h>

struct control_value *control_tree_value(const char *text, size_t length, bool quoted,
				 const struct location *location)
{
	struct control_value *value = xcalloc(1, sizeof(*value));
	/* Upper case would turn a path into another file. */
	bool kept = quoted || text[0] == '~' || memchr(text, '/', length);
	char *to = value->text = xmalloc(length + 1);

	for (size_t i = 0; i < length; i++) {
		char c = text[i];

		*to++ = kept || c < 'a' || c > 'z' ? c : (char)(c - 'a' + 'A');
		if (quoted && c == '\'')
			i++; /* skip the second of a pair */
	}
	*to = '\0';
	value->quoted = quoted;
	value->location = *location;
	return value;
}

void control_tree_value_free(struct control_value *list)
{
	while (list) {
		struct control_value *next = list->next;

		free(list->text);
		free(list);
		list = next;
	}
}

struct control_operand *control_tree_operand(struct control_value *keyword, struct value_list values,
				     bool is_list, const struct location *location)
{
	struct control_operand *operand = xcalloc(1, sizeof(*operand));

	operand->keyword = keyword->text;
	operand->location = *location;
	operand->is_list = is_list;
	operand->values = values.first;
	free(keyword);
	return operand;
}

struct control_operand *control_tree_positional(struct control_value *word)
{
	struct control_operand *operand = xcalloc(1, sizeof(*operand));

	operand->keyword = xstrdup("");
	operand->location = word->location;
	operand->values = word;
	return operand;
}

void control_tree_operand_free(struct control_operand *list)
{
	while (list) {
		struct control_operand *next = list->next;

		free(list->keyword);
		control_tree_value_free(list->values);
		free(list);
		list = next;
	}
}

struct value_list control_tree_add_value(struct value_list list, struct control_value *value)
{
	if (list.last)
		list.last->next = value;
	else
		list.first = value;
	list.last = value;
	return list;
}

struct operand_list control_tree_add_operand(struct operand_list list, struct control_operand *operand)
{
	if (list.last)
		list.last->next = operand;
	else
		list.first = operand;
	list.last = operand;
	return list;
}

/* Appends a new statement to the deck; takes ownership of name. */
static struct control_statement *add_statement(struct control_context *context,
					       enum control_verb verb, char *name,
					       const struct location *location)
{
	struct control_statement *statement = xcalloc(1, sizeof(*statement));

	statement->verb = verb;
	statement->name = name;
	if (verb == CONTROL_FUNCTION)
		statement->function = control_find_function(name);
	statement->location = *location;
	statement->block = context->in_block ? context->deck->blocks : 0;
	*context->tail = statement;
	context->tail = &statement->next;
	return statement;
}

/* Turns single words after the first operand into keywords without a value. */
static void mark_bare_keywords(struct control_operand *operand)
{
	for (operand = operand ? operand->next : NULL; operand; operand = operand->next) {
		if (operand->keyword[0] || operand->values->quoted)
			continue;
		free(operand->keyword);
		operand->keyword = operand->values->text;
		free(operand->values);
		operand->values = NULL;
	}
}

/* Opens a block at PROFILER. */
static void open_block(struct control_context *context, const struct location *at)
{
	context->block_tail = context->tail;
	context->block_diags = context->diags->count;
	if (context->in_block)
		diag_add(
			context->diags, SEVERITY_ERROR, 2010, at,
			"a PROFILER block is still open since line %u; expected END-PROFILER first",
			context->block_start.line);
	context->in_block = true;
	context->block_start = *at;
	context->head_end = NULL;
	context->head = NULL;
	context->deck->blocks++;
}

/* Closes it at END-PROFILER. */
static void close_block(struct control_context *context, const struct location *at)
{
	if (!context->in_block)
		diag_add(context->diags, SEVERITY_ERROR, 2011, at,
			 "END-PROFILER without a PROFILER before it");
	else if (context->tail == context->block_tail &&
		 context->diags->count == context->block_diags)
		diag_add(context->diags, SEVERITY_WARNING, 2019, &context->block_start,
			 "the PROFILER block is empty and requests nothing; expected FUNCTION=INIT");
	context->in_block = false;
	context->head_end = NULL;
	context->head = NULL;
}

/* Handles PROFILER and END-PROFILER; returns whether verb was one of them. */
static bool block_border(struct control_context *context, const struct control_value *verb,
			 const struct operand_list *operands)
{
	bool opens = strcmp(verb->text, "PROFILER") == 0;

	if (!opens && strcmp(verb->text, "END-PROFILER") != 0)
		return false;
	if (operands->first)
		diag_add(context->diags, SEVERITY_ERROR, 2012, &operands->first->location,
			 "%s has no operands; expected the end of the line", verb->text);
	if (opens)
		open_block(context, &verb->location);
	else
		close_block(context, &verb->location);
	return true;
}

void control_tree_request(struct control_context *context, struct control_value *verb,
		  struct operand_list operands)
{
	struct control_statement *statement;
	enum control_verb kind = control_find_verb(verb->text);

	if (block_border(context, verb, &operands)) {
		control_tree_operand_free(operands.first);
		control_tree_value_free(verb);
		return;
	}
	if (context->in_block) {
		if (kind != CONTROL_UNKNOWN || control_verb_later(verb->text))
			diag_add(context->diags, SEVERITY_ERROR, 2013, &verb->location,
				 "%s is not allowed in a PROFILER block; expected END-PROFILER "
				 "before it",
				 verb->text);
		else
			diag_add(context->diags, SEVERITY_ERROR, 2014, &verb->location,
				 "%s is not a function, a filter or a keyword with its value; "
				 "expected KEYWORD=value",
				 verb->text);
		kind = CONTROL_UNKNOWN;
	}
	statement = add_statement(context, kind, verb->text, &verb->location);
	statement->operands = operands.first;
	mark_bare_keywords(operands.first);
	free(verb);
	if (context->in_block) {
		context->head_end = NULL;
		context->head = statement;
	}
}

/* Turns FUNCTION=name or FILTER=name into a statement; takes ownership of pair. */
static void add_head(struct control_context *context, struct control_operand *pair)
{
	bool function = strcmp(pair->keyword, "FUNCTION") == 0;

	if (pair->is_list)
		diag_add(context->diags, SEVERITY_ERROR, 2015, &pair->location,
			 "%s has one name, not a list", pair->keyword);
	context->head_end = NULL;
	context->head = add_statement(context,
				      pair->is_list ? CONTROL_UNKNOWN
				      : function    ? CONTROL_FUNCTION
						    : CONTROL_FILTER,
				      xstrdup(pair->values->text), &pair->location);
	control_tree_operand_free(pair);
}

/* Appends a pair to its FUNCTION or FILTER; takes ownership of pair. */
static void add_to_head(struct control_context *context, struct control_operand *pair)
{
	if (!context->head_end) {
		context->head_end = &context->head->operands;
		while (*context->head_end)
			context->head_end = &(*context->head_end)->next;
	}
	*context->head_end = pair;
	context->head_end = &pair->next;
}

/* Turns PDPSIZE=n in the queue of a job into a statement; takes ownership of pair. */
static void add_pool(struct control_context *context, struct control_operand *pair)
{
	struct control_statement *statement = add_statement(
		context, CONTROL_PDPSIZE, xstrdup(pair->keyword), &pair->location);

	statement->operands = pair;
}

/* Adds one pair of a line; takes ownership of it. */
static void add_pair(struct control_context *context, struct control_operand *pair)
{
	bool head = strcmp(pair->keyword, "FUNCTION") == 0 || strcmp(pair->keyword, "FILTER") == 0;

	if (context->in_block && head) {
		add_head(context, pair);
	} else if (context->in_block && context->head) {
		add_to_head(context, pair);
	} else if (!context->in_block && context->deck->from_job_queue &&
		   strcmp(pair->keyword, "PDPSIZE") == 0) {
		add_pool(context, pair);
	} else {
		if (context->in_block)
			diag_add(context->diags, SEVERITY_ERROR, 2016, &pair->location,
				 "%s belongs to no function or filter; expected FUNCTION=name or "
				 "FILTER=name before it",
				 pair->keyword);
		else
			diag_add(context->diags, SEVERITY_ERROR, 2017, &pair->location,
				 "%s=value is outside a PROFILER block; expected a verb (ADD, "
				 "REPORT, ...) or PROFILER before it",
				 pair->keyword);
		control_tree_operand_free(pair);
	}
}

void control_tree_pairs(struct control_context *context, struct operand_list pairs)
{
	struct control_operand *pair = pairs.first;

	while (pair) {
		struct control_operand *next = pair->next;

		pair->next = NULL;
		add_pair(context, pair);
		pair = next;
	}
}

void control_tree_broken(struct control_context *context)
{
	context->invalid = false;
	if (!context->in_block || !context->first_is_head)
		return;
	/* The following pairs belong to an unknown head: keep them from the head before. */
	context->head_end = NULL;
	context->head = add_statement(context, CONTROL_UNKNOWN, xstrdup(""), &context->first);
}

void control_free_texts(char **texts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(texts[i]);
	free(texts);
}

static void free_request(struct control_request *request)
{
	free(request->job);
	free(request->step);
	free(request->procstep);
	free(request->program);
	control_free_texts(request->collectors, request->collector_count);
	control_free_texts(request->parameters, request->parameter_count);
	free(request->collector_library);
	control_free_texts(request->map_programs, request->map_program_count);
	free(request->notify);
	free(request->owner);
	free(request->schedule.dates);
	free(request->schedule.zone);
	free(request->cgroup);
	free(request->unit);
	free(request->store);
	free(request->group);
}

static void free_report(struct control_report *report)
{
	free(report->job);
	free(report->step);
	control_free_texts(report->codes, report->code_count);
	free(report->dsname);
	free(report->input);
	free(report->title);
	free(report->procedure);
}

static void free_filter(struct control_filter *filter)
{
	control_free_texts(filter->events, filter->event_count);
	free(filter->library);
	free(filter->program);
}

static void free_resource(struct control_resource *resource)
{
	free(resource->name);
	free(resource->library);
}

static void free_init(struct control_init *init)
{
	control_free_texts(init->functions, init->function_count);
	control_free_texts(init->calls, init->call_count);
	free_filter(&init->filter);
	free_resource(&init->resource);
}

static void free_operation(struct control_operation *operation)
{
	free_resource(&operation->resource);
	control_free_texts(operation->reports, operation->report_count);
	free(operation->export);
	free_filter(&operation->filter);
}

static void free_payload(struct control_statement *statement)
{
	switch (statement->payload) {
	case CONTROL_REQUEST:
		free_request(&statement->request);
		break;
	case CONTROL_REPORTING:
		free_report(&statement->report);
		break;
	case CONTROL_INITIAL:
		free_init(&statement->init);
		break;
	case CONTROL_FILTERING:
		free_filter(&statement->filter);
		break;
	case CONTROL_OPERATION:
		free_operation(&statement->operation);
		break;
	case CONTROL_COLLECTION: /* both borrow from the operands */
	case CONTROL_COMPARISON:
	case CONTROL_NO_PAYLOAD:
		break;
	}
}

void control_free(struct control_deck *deck)
{
	struct control_statement *statement = deck ? deck->statements : NULL;

	while (statement) {
		struct control_statement *next = statement->next;

		free(statement->name);
		control_tree_operand_free(statement->operands);
		free_payload(statement);
		free(statement);
		statement = next;
	}
	free(deck);
}

static bool values_equal(const struct control_value *a, const struct control_value *b)
{
	for (; a && b; a = a->next, b = b->next)
		if (a->quoted != b->quoted || strcmp(a->text, b->text) != 0)
			return false;
	return !a && !b;
}

static bool operands_equal(const struct control_operand *a, const struct control_operand *b)
{
	for (; a && b; a = a->next, b = b->next)
		if (a->is_list != b->is_list || strcmp(a->keyword, b->keyword) != 0 ||
		    !values_equal(a->values, b->values))
			return false;
	return !a && !b;
}

bool control_equal(const struct control_deck *a, const struct control_deck *b)
{
	const struct control_statement *left = a->statements, *right = b->statements;

	for (; left && right; left = left->next, right = right->next)
		if (left->verb != right->verb || left->block != right->block ||
		    strcmp(left->name, right->name) != 0 ||
		    !operands_equal(left->operands, right->operands))
			return false;
	return !left && !right && a->blocks == b->blocks;
}
