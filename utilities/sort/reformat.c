/* SPDX-License-Identifier: Apache-2.0 */
/* Reformats records: BUILD, OVERLAY, FINDREP, IFTHEN with groups. */
#include "common/compat.h"
#include "utilities/sort/reformat.h"

void reformat_set_descriptor(char *record, size_t length)
{
	record[0] = (char)(length >> 8);
	record[1] = (char)length;
	record[2] = record[3] = '\0';
}

struct sort_record reformat_line(const struct item_lines *lines, size_t i)
{
	size_t start = i ? lines->ends[i - 1] : 0;

	return (struct sort_record){ lines->text.text + start, lines->ends[i] - start };
}

size_t reformat_length(const struct reformat *reformat, size_t length)
{
	size_t longest = length;
	bool conditional = false;

	RETURN_IF(reformat->length > 0, reformat->length);
	for (size_t i = 0; i < reformat->count; i++) {
		const struct reformat_clause *clause = &reformat->clauses[i];
		size_t now = length;

		conditional |= clause->when != CLAUSE_ALWAYS;
		if (clause->action == CLAUSE_BUILD)
			now = item_list_length(&clause->items, 0, longest);
		else if (clause->action == CLAUSE_OVERLAY)
			now = item_list_length(&clause->items, longest, longest);
		for (size_t n = 0; n < clause->group.push_count; n++) {
			const struct group_push *push = &clause->group.pushes[n];
			size_t end = push->column + push->field.length;

			now = end > now ? end : now;
		}
		longest = now > longest || (!conditional && clause->action == CLAUSE_BUILD)
				  ? now
				  : longest;
	}
	return longest;
}

bool reformat_has(const struct reformat *reformat, enum item_kind kind)
{
	for (size_t i = 0; i < reformat->count; i++)
		if (item_list_has(&reformat->clauses[i].items, kind))
			return true;
	return false;
}

int reformat_check(const struct reformat *reformat, struct error *err)
{
	for (size_t i = 0; i < reformat->count; i++) {
		const struct reformat_clause *clause = &reformat->clauses[i];
		const struct sort_item *first = clause->items.items;

		if (clause->action == CLAUSE_BUILD &&
		    (first->kind != ITEM_FIELD || first->field.position != 0 ||
		     first->field.length < DESCRIPTOR_SIZE ||
		     (first->column != SIZE_MAX && first->column != 0)))
			return error_set(
				err, "records of variable length: what is built must begin with "
				     "their descriptor, 1,4");
	}
	return 0;
}

/* The bytes of a text and FINDREP's position in them. */
struct replacing {
	const struct reformat_clause *clause;
	const char *data;
	size_t length, at, done;
};

/* Returns the replacement that matches at the current position; NULL: none. */
static const struct replacement *found(const struct replacing *state, size_t end)
{
	const struct reformat_clause *clause = state->clause;

	if (state->at < clause->from || (clause->most && state->done >= clause->most))
		return NULL;
	for (size_t i = 0; i < clause->replacement_count; i++) {
		const struct strbuf *find = &clause->replacements[i].find;

		if (state->at + find->length <= end &&
		    memcmp(state->data + state->at, find->text, find->length) == 0)
			return &clause->replacements[i];
	}
	return NULL;
}

/*
 * Executes FINDREP. fixed: the record keeps its length; blanks are added or
 * removed at its end, and it is an error to remove anything else.
 */
static int replace(const struct reformat_clause *clause, const struct sort_record *record,
		   size_t fixed, bool variable, struct item_lines *lines, struct error *err)
{
	struct replacing state = { clause, record->data, record->length, 0, 0 };
	size_t end = clause->to && clause->to < record->length ? clause->to : record->length;

	if (variable) {
		strbuf_add(&lines->text, record->data, DESCRIPTOR_SIZE);
		state.at = DESCRIPTOR_SIZE;
	}
	while (state.at < record->length) {
		const struct replacement *one = found(&state, end);

		if (one) {
			strbuf_addbuf(&lines->text, &one->set);
			state.at += one->find.length;
			state.done++;
		} else {
			strbuf_addch(&lines->text, record->data[state.at++]);
		}
	}
	while (fixed && lines->text.length > fixed) {
		if (lines->text.text[lines->text.length - 1] != ' ')
			return error_set(err, "FINDREP makes a record longer than %zu bytes",
					 fixed);
		strbuf_setlen(&lines->text, lines->text.length - 1);
	}
	if (fixed)
		strbuf_addchars(&lines->text, ' ', fixed - lines->text.length);
	return 0;
}

/* Returns whether the record begins a group. */
static bool group_begins(struct group *group, const struct sort_record *record,
			 const struct item_context *context)
{
	struct strbuf scratch = STRBUF_INIT;
	bool begins = false;

	if (group->begin && condition_holds(group->begin, record, context->altseq))
		begins = true;
	if (group->key.length > 0) {
		const char *key = field_bytes(&group->key, record, &scratch);

		begins |= !group->keyed || memcmp(key, group->last.text, group->key.length) != 0;
		strbuf_reset(&group->last);
		strbuf_add(&group->last, key, group->key.length);
		group->keyed = true;
		strbuf_release(&scratch);
	}
	if (!group->begin && group->key.length == 0)
		begins = !group->open;
	return begins;
}

/* Stores what the group's records get from its first record. */
static void group_open(struct group *group, const struct sort_record *record)
{
	struct strbuf scratch = STRBUF_INIT;

	group->open = true;
	group->number++;
	group->sequence = 0;
	for (size_t i = 0; i < group->push_count; i++) {
		struct group_push *push = &group->pushes[i];

		strbuf_reset(&push->bytes);
		if (push->kind == PUSH_FIELD)
			strbuf_add(&push->bytes, field_bytes(&push->field, record, &scratch),
				   push->field.length);
	}
	strbuf_release(&scratch);
}

/* Appends the bytes that a push puts into a record. */
static void push_bytes(const struct group *group, const struct group_push *push, struct strbuf *out)
{
	uint64_t number = push->kind == PUSH_NUMBER ? group->number : group->sequence;

	if (push->kind == PUSH_FIELD) {
		strbuf_addbuf(out, &push->bytes);
		return;
	}
	strbuf_addchars(out, '0', push->field.length);
	for (size_t i = push->field.length; i-- > 0; number /= 10)
		out->text[i] = (char)('0' + number % 10);
}

/* Puts the pushed bytes into the record in lines if it belongs to a group. */
static void push(struct group *group, const struct sort_record *record,
		 const struct item_context *context, struct item_lines *lines)
{
	if (group_begins(group, record, context))
		group_open(group, record);
	else if (group->open && group->records && group->sequence >= group->records)
		group->open = false;
	if (!group->open)
		return;
	group->sequence++;
	for (size_t i = 0; i < group->push_count; i++) {
		struct strbuf bytes = STRBUF_INIT;
		size_t at = group->pushes[i].column, end;

		push_bytes(group, &group->pushes[i], &bytes);
		end = at + bytes.length;
		if (lines->text.length < end)
			strbuf_addchars(&lines->text, ' ', end - lines->text.length);
		memcpy(lines->text.text + at, bytes.text, bytes.length);
		strbuf_release(&bytes);
	}
	if ((group->end && condition_holds(group->end, record, context->altseq)) ||
	    (group->records && group->sequence >= group->records))
		group->open = false;
}

/* Applies a clause to a record; the result is in lines. */
static int act(struct reformat_clause *clause, const struct sort_record *record,
	       const struct item_context *context, bool variable, bool fixed,
	       struct item_lines *lines, struct error *err)
{
	int result = 0;

	item_lines_reset(lines);
	if (clause->action == CLAUSE_OVERLAY || clause->action == CLAUSE_PUSH)
		strbuf_add(&lines->text, record->data, record->length);
	if (clause->action == CLAUSE_BUILD || clause->action == CLAUSE_OVERLAY)
		item_list_run(&clause->items, record, context, lines);
	else if (clause->action == CLAUSE_PUSH)
		push(&clause->group, record, context, lines);
	else
		result = replace(clause, record, fixed ? record->length : 0, variable, lines, err);
	item_lines_end(lines);
	return result;
}

/*
 * Returns whether a clause applies; hit: an earlier condition held, so the later
 * ones are not evaluated.
 */
static bool applies(struct reformat_clause *clause, const struct sort_record *record,
		    const struct item_context *context, bool hit, bool any)
{
	switch (clause->when) {
	case CLAUSE_CONDITION:
		return !hit && condition_holds(clause->condition, record, context->altseq);
	case CLAUSE_NONE:
		return !any;
	default:
		return true;
	}
}

/* Gives the record the length of IFOUTLEN and sets the descriptors. */
static void finish(const struct reformat *reformat, bool variable, struct item_lines *lines)
{
	if (reformat->length > 0 && lines->count == 1 && !variable) {
		if (lines->text.length > reformat->length)
			strbuf_setlen(&lines->text, reformat->length);
		strbuf_addchars(&lines->text, ' ', reformat->length - lines->text.length);
		lines->ends[0] = lines->text.length;
	}
	for (size_t i = 0; variable && i < lines->count; i++) {
		size_t start = i ? lines->ends[i - 1] : 0;

		if (lines->ends[i] - start >= DESCRIPTOR_SIZE)
			reformat_set_descriptor(lines->text.text + start, lines->ends[i] - start);
	}
}

const struct item_lines *reformat_run(struct reformat *reformat, const struct sort_record *record,
				      const struct item_context *context, bool variable,
				      struct error *err)
{
	struct sort_record now = *record;
	struct item_lines *lines = &reformat->lines[0];
	bool hit = false, any = false, fixed = context->fixed && !variable;
	size_t turn = 0;

	for (size_t i = 0; i < reformat->count; i++) {
		struct reformat_clause *clause = &reformat->clauses[i];

		if (!applies(clause, &now, context, hit, any))
			continue;
		if (clause->when == CLAUSE_CONDITION) {
			any = true;
			hit = !clause->hit_next;
		}
		if (clause->action == CLAUSE_NOTHING)
			continue;
		lines = &reformat->lines[turn++ % 2];
		RETURN_IF(act(clause, &now, context, variable, fixed, lines, err) < 0, NULL);
		now = reformat_line(lines, 0);
	}
	if (turn == 0) {
		item_lines_reset(lines);
		strbuf_add(&lines->text, record->data, record->length);
		item_lines_end(lines);
	}
	finish(reformat, variable, lines);
	return lines;
}
