/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes JESJCL: the job's statements with numbers and level marks, and the
 * messages of the check.
 */
#include "common/compat.h"
#include "session/job/jes.h"
#include "common/xalloc.h"

#include <ctype.h>
#include <strings.h>

#define MARGIN 10	 /* column where a statement begins, after its number and a blank */
#define NUMBER_COLUMN 73 /* column of JOBnnnnn on the job's first card */
#define SUBSTITUTION_WIDTH 100

void jes_hide_password(char *text)
{
	static const char keyword[] = "PASSWORD=";

	while ((text = strcasestr(text, keyword))) {
		text += strlen(keyword);
		for (const char *end = *text == '(' ? ")\n" : ", )\n";
		     *text && !strchr(end, *text);)
			*text++ = '*';
	}
}

/*
 * Appends one line of a statement: its number or blanks, its mark instead of the
 * slashes, its text.
 */
static void add_line(struct strbuf *sb, const struct source_line *line, unsigned number,
		     const char *mark)
{
	size_t marked = *mark && line->length >= 2 ? 2 : 0;
	size_t start;

	if (number)
		strbuf_addf(sb, "%9u ", number);
	else
		strbuf_addchars(sb, ' ', MARGIN);
	strbuf_add(sb, mark, marked);
	start = sb->length;
	if (strcmp(mark, "**") == 0) /* a comment has three asterisks */
		strbuf_add(sb, "*", 1);
	strbuf_add(sb, line->text + marked + (sb->length - start),
		   line->length - marked - (sb->length - start));
	jes_hide_password(sb->text + start);
	strbuf_addch(sb, '\n');
}

/* Returns the length of the part of a text that fits, up to and including its last comma. */
static size_t piece(const char *text, size_t length)
{
	size_t end = SUBSTITUTION_WIDTH;

	if (length <= SUBSTITUTION_WIDTH)
		return length;
	while (end > 0 && text[end - 1] != ',')
		end--;
	return end ? end : SUBSTITUTION_WIDTH;
}

/* Appends the operands of a statement after symbol substitution. */
static void add_substitution(struct strbuf *sb, const char *text)
{
	size_t start = sb->length, length;

	strbuf_addchars(sb, ' ', MARGIN);
	strbuf_addstr(sb, "IEFC653I SUBSTITUTION JCL - ");
	for (size_t left = strlen(text); left > 0; left -= length, text += length) {
		length = piece(text, left);
		strbuf_add(sb, text, length);
		if (length < left) {
			strbuf_addch(sb, '\n');
			strbuf_addchars(sb, ' ', MARGIN + strlen("IEFC653I SUBSTITUTION JCL - "));
		}
	}
	jes_hide_password(sb->text + start);
	strbuf_addch(sb, '\n');
}

/* Appends a card that is not a line of the input. */
static void add_generated(struct strbuf *sb, const struct plan_card *card)
{
	strbuf_addf(sb, "%9u %s%s\n", card->number, card->mark, card->substitution);
}

/* Appends all lines of one card. */
static void add_card(struct strbuf *sb, const struct plan_card *card)
{
	if (!card->source) {
		add_generated(sb, card);
		return;
	}
	for (unsigned at = card->first_line;
	     at <= card->last_line && at <= card->source->line_count; at++)
		add_line(sb, &card->source->lines[at - 1],
			 at == card->first_line ? card->number : 0, card->mark);
	if (card->substitution)
		add_substitution(sb, card->substitution);
}

/* Puts the job's number at the end of the first line from start on, if it fits. */
static void add_job_number(struct strbuf *sb, size_t start, unsigned number)
{
	struct strbuf rest = STRBUF_INIT;
	size_t line = start + strcspn(sb->text + start, "\n"), blanks = line;
	size_t column = start + MARGIN + NUMBER_COLUMN - 1;

	while (blanks > start && sb->text[blanks - 1] == ' ')
		blanks--;
	if (line == sb->length || blanks >= column)
		return;
	strbuf_add(&rest, sb->text + line, sb->length - line);
	strbuf_setlen(sb, blanks);
	strbuf_addchars(sb, ' ', column - blanks);
	strbuf_addf(sb, "JOB%05u", number);
	strbuf_addbuf(sb, &rest);
	strbuf_release(&rest);
}

static bool covers(const struct plan_card *card, const struct location *at)
{
	return card->source && card->source == at->source && at->line >= card->first_line &&
	       at->line <= card->last_line;
}

/*
 * Returns the card that a location is on; NULL if it is none of the job's.
 * Messages are ordered by location, so the search begins at the card found last.
 */
static const struct plan_card *card_of(const struct plan_job *job, const struct plan_card *last,
				       const struct location *at)
{
	for (const struct plan_card *card = last; card; card = card->next)
		if (covers(card, at))
			return card;
	for (const struct plan_card *card = job->cards; card && card != last; card = card->next)
		if (covers(card, at))
			return card;
	return NULL;
}

bool jes_is_about(const struct plan_job *job, const struct diag *diag)
{
	const struct location *at = &diag->location;

	if (!at->source)
		return false;
	if (at->source == job->source)
		return at->line >= job->first_line && at->line <= job->last_line;
	return card_of(job, NULL, at) != NULL;
}

unsigned jes_statement_number(const struct plan_job *job, const struct location *at)
{
	const struct plan_card *card = card_of(job, NULL, at);

	return card ? card->number : 0;
}

/* Appends "STMT NO. MESSAGE" and the messages of the check about the job. */
static void add_messages(struct strbuf *sb, const struct plan_job *job,
			 const struct diag_list *diags)
{
	const struct plan_card *last = NULL;
	bool any = false;

	for (size_t i = 0; diags && i < diags->count; i++) {
		const struct diag *diag = &diags->items[i];
		const struct plan_card *card;

		if (!jes_is_about(job, diag))
			continue;
		if (!any)
			strbuf_addstr(sb, " STMT NO. MESSAGE\n");
		any = true;
		card = card_of(job, last, &diag->location);
		last = card ? card : last;
		if (card && card->number)
			strbuf_addf(sb, "%9u ", card->number);
		else
			strbuf_addchars(sb, ' ', MARGIN);
		diag_format_id(sb, diag->number, diag->severity);
		strbuf_addf(sb, " %s (%s, card %u, column %u)\n", diag->text,
			    diag->location.source->name, diag->location.line,
			    diag->location.column);
	}
}

/*
 * Returns whether MSGLEVEL asks for a card: 0 lists only the JOB statement, 2
 * omits cards of procedures.
 */
static bool wanted(const struct plan_job *job, const struct plan_card *card)
{
	if (job->failed || job->message_level[0] == 1)
		return true;
	if (job->message_level[0] == 0)
		return card->number == 1;
	return card->mark[0] != 'X' && card->mark[0] != '+';
}

int jes_list_statements(struct runner *runner, struct error *err)
{
	const struct plan_job *job = runner->plan;
	struct strbuf sb = STRBUF_INIT;
	int result;

	for (const struct plan_card *card = job->cards; card; card = card->next) {
		size_t start = sb.length;

		if (wanted(job, card))
			add_card(&sb, card);
		if (card->number == 1)
			add_job_number(&sb, start, runner->spool.number);
	}
	add_messages(&sb, job, runner->options->diags);
	result = spool_write(&runner->spool, "JESJCL", &sb, err);
	strbuf_release(&sb);
	return result;
}
