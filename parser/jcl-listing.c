/* SPDX-License-Identifier: Apache-2.0 */
/* Records the statements of a job in the order of evaluation, for its listing. */
#include "common/compat.h"
#include "parser/jcl-procedure.h"
#include "common/xalloc.h"

#define MAXIMUM_CARDS 100000 /* limit per job, because a listing is meant for reading */

/* Appends a card to the job's list; NULL if the limit is reached, or without job. */
static struct plan_card *card_add(struct jcl_evaluation *e, const char *mark)
{
	struct plan_card *card;

	if (!e->job || e->card_count >= MAXIMUM_CARDS)
		return NULL;
	e->card_count++;
	card = xcalloc(1, sizeof(*card));
	memcpy(card->mark, mark, strlen(mark) + 1);
	*e->card_tail = card;
	e->card_tail = &card->next;
	return card;
}

/* Appends a card of one or more lines, unless they are already in the list. */
static struct plan_card *lines_add(struct jcl_evaluation *e, const struct source *source,
				   const char *mark, unsigned first, unsigned last)
{
	struct plan_card *card = card_add(e, mark);

	e->listed = source;
	e->listed_line = last;
	if (!card)
		return NULL;
	card->source = source;
	card->first_line = first;
	card->last_line = last;
	return card;
}

void jcl_list_comments(struct jcl_evaluation *e, const struct source *source, unsigned before)
{
	unsigned floor = e->listed == source && e->listed_line < before ? e->listed_line : 0;
	unsigned first = before;

	while (first - 1 > floor && source->lines[first - 2].length >= 3 &&
	       memcmp(source->lines[first - 2].text, "//*", 3) == 0)
		first--;
	if (first < before)
		lines_add(e, source, "**", first, before - 1);
}

/* Returns the level mark of the text in a source. */
static const char *mark_of(const struct jcl_evaluation *e, const struct source *source,
			   bool overridden)
{
	if (source != e->deck->source)
		return overridden ? "X/" : "XX";
	if (!e->call)
		return "//";
	return overridden ? "+/" : "++";
}

/* Appends the statement itself with the comments before it. */
static void statement_add(struct jcl_evaluation *e, const struct jcl_statement *statement,
			  const struct source *source, const struct jcl_text *text,
			  const char *mark)
{
	bool card_of_jes = statement->operation == JCL_JES2 || statement->operation == JCL_JES3;
	struct plan_card *card;

	jcl_list_comments(e, source, statement->line);
	if (statement->operation == JCL_STRAY) {
		card = card_add(e, "//");
		if (card)
			card->substitution = xstrdup("SYSIN    DD *        GENERATED STATEMENT");
	} else {
		card = lines_add(e, source, card_of_jes ? "" : mark, statement->line,
				 statement->last_line);
	}
	if (statement->has_data && statement->data_count > 0) {
		e->listed = source;
		e->listed_line = statement->data_line + statement->data_count - 1;
	}
	if (!card)
		return;
	if (!card_of_jes && statement->operation != JCL_NULL)
		card->number = ++e->statement_number;
	if (text && text->text != statement->text.text &&
	    strcmp(text->text, statement->text.text) != 0)
		card->substitution = xstrndup(text->text, text->length);
}

void jcl_list_statement(struct jcl_evaluation *e, bool overridden)
{
	statement_add(e, e->statement, e->source, e->text, mark_of(e, e->source, overridden));
}

void jcl_list_definition(struct jcl_evaluation *e, const struct jcl_statement *first,
			 const struct jcl_statement *end)
{
	for (; first && first != end; first = first->next)
		statement_add(e, first, e->source, NULL,
			      e->source == e->deck->source ? "//" : "XX");
}

void jcl_list_head(struct jcl_evaluation *e, const struct jcl_procedure *procedure)
{
	if (procedure->head)
		statement_add(e, procedure->head, procedure->source, NULL,
			      procedure->source == e->deck->source ? "++" : "XX");
}

void jcl_list_override(struct jcl_evaluation *e, const struct jcl_override *override)
{
	/* marked with the level of the call, one level further out */
	bool outermost = !e->call || !e->call->outer;
	const char *mark = override->source != e->deck->source ? "XX" : outermost ? "//" : "++";

	statement_add(e, override->statement, override->source, override->text, mark);
}
