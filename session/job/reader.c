/* SPDX-License-Identifier: Apache-2.0 */
/* Queues the decks that steps wrote to the internal reader. */
#include "common/compat.h"
#include "session/job/reader.h"
#include "common/xalloc.h"

#include <ctype.h>
#include <sys/stat.h>

/* Returns whether a card is the statement to the reader with that name, and nothing else. */
static bool is_statement(const char *card, size_t length, const char *name)
{
	size_t size = strlen(name);

	while (length > 0 && isspace((unsigned char)card[length - 1]))
		length--;
	return length == size + 2 && strncmp(card, "/*", 2) == 0 &&
	       strncmp(card + 2, name, size) == 0;
}

/* Replaces the cards from start on with empty comments, so that later cards keep their numbers. */
static void blank_cards(struct strbuf *cards, size_t start)
{
	struct strbuf comments = STRBUF_INIT;

	for (size_t at = start; at < cards->length; at++)
		if (cards->text[at] == '\n')
			strbuf_addstr(&comments, "//*\n");
	strbuf_setlen(cards, start);
	strbuf_add(cards, comments.text, comments.length);
	strbuf_release(&comments);
}

/*
 * Appends the cards of one deck, up to EOF or the end of text, after applying DEL.
 * Returns the rest of text.
 */
static const char *add_cards(struct strbuf *cards, const char *text, bool *any)
{
	size_t start = cards->length;

	for (*any = false; *text;) {
		size_t length = strcspn(text, "\n");
		bool end = is_statement(text, length, "EOF");

		if (end) {
			strbuf_addstr(cards, "//*\n");
		} else if (is_statement(text, length, "DEL") ||
			   is_statement(text, length, "PURGE")) {
			strbuf_addstr(cards, "//*\n");
			blank_cards(cards, start);
			*any = false;
		} else {
			strbuf_add(cards, text, length);
			strbuf_addch(cards, '\n');
			*any = true;
		}
		text += length + (text[length] == '\n');
		if (end)
			break;
	}
	return text;
}

/* Adds one deck to the queue. */
static void queue_deck(struct runner *runner, const char *step_name, const char *path,
		       const struct strbuf *cards)
{
	struct reader *reader = runner->options->reader;
	struct submitted deck = { .name = xstrdup(path), .cards = STRBUF_INIT };
	struct strbuf by = STRBUF_INIT;

	strbuf_add(&deck.cards, cards->text, cards->length);
	strbuf_addf(&by, "job %s (JOB%05u), step %s", runner->plan->name, runner->spool.number,
		    step_name);
	deck.by = strbuf_detach(&by, NULL);
	GROW(reader->items, reader->count + 1, reader->alloc);
	reader->items[reader->count++] = deck;
}

/*
 * Adds the decks of a text to the queue. The cards before each are empty comments,
 * so that messages number cards as the file does. Returns whether all were taken.
 */
static bool queue_decks(struct runner *runner, const char *step_name, const char *path,
			const struct strbuf *text, size_t *count)
{
	struct reader *reader = runner->options->reader;
	struct strbuf cards = STRBUF_INIT;
	bool any, taken = true;

	for (const char *at = text->text; *at;) {
		blank_cards(&cards, 0);
		at = add_cards(&cards, at, &any);
		if (!any)
			continue;
		taken = reader->count < READER_LIMIT;
		if (!taken)
			break;
		queue_deck(runner, step_name, path, &cards);
		++*count;
	}
	strbuf_release(&cards);
	return taken;
}

/* Adds the decks of a file to the queue, or logs why they are not run. */
static void queue(struct runner *runner, const char *step_name, const char *ddname,
		  const char *path, const char *why_not)
{
	struct strbuf text = STRBUF_INIT;
	size_t count = 0;

	if (strbuf_read_file(&text, path) < 0) {
		why_not = strerror(errno);
	} else if (!why_not && !queue_decks(runner, step_name, path, &text, &count)) {
		why_not = "jobs of this run have submitted 100 decks";
		runner->options->reader->refused = true;
	} else if (!why_not && count == 0) {
		why_not = "it contains no cards";
	}
	if (why_not)
		job_log_message(&runner->log, SEVERITY_WARNING, 5252,
				"step %s, DD %s: the deck in %s is not submitted: %s", step_name,
				ddname, path, why_not);
	else
		job_log_message(&runner->log, SEVERITY_INFO, 5251,
				"step %s, DD %s: the deck in %s is submitted", step_name, ddname,
				path);
	strbuf_release(&text);
}

/* Takes a file with a deck; a missing or empty file is ignored. */
static void take_file(struct runner *runner, const char *step_name, const char *ddname,
		      const char *path, bool abended)
{
	struct stat info;

	if (stat(path, &info) < 0 || info.st_size == 0)
		return;
	queue(runner, step_name, ddname, path,
	      abended ? "the step abended; it may be incomplete" : NULL);
}

void reader_take(struct runner *runner, const char *step_name, const struct allocation *list,
		 bool abended)
{
	struct strbuf submitted = STRBUF_INIT;

	if (!runner->options->reader)
		return;
	strbuf_addf(&submitted, "%s/%s." READER_NAME, runner->spool.path, step_name);
	for (; list; list = list->next) {
		if (list->dd->kind != DD_SYSOUT || !list->dd->writer ||
		    strcmp(list->dd->writer, READER_NAME) != 0)
			continue;
		take_file(runner, step_name, list->dd->name, list->path, abended);
		if (strcmp(list->path, submitted.text) == 0)
			strbuf_reset(&submitted);
	}
	if (submitted.length > 0)
		take_file(runner, step_name, READER_NAME, submitted.text, abended);
	strbuf_release(&submitted);
}

void reader_release(struct reader *reader)
{
	for (size_t i = 0; i < reader->count; i++) {
		free(reader->items[i].name);
		free(reader->items[i].by);
		strbuf_release(&reader->items[i].cards);
	}
	free(reader->items);
	*reader = (struct reader){ 0 };
}
