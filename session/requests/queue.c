/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the requests that wait for the later steps of a job. */
#include "common/compat.h"
#include "session/requests/queue.h"
#include "session/requests/pool-size.h"

#include <unistd.h>

/* Append the path of the file. */
static void add_path(const char *spool, struct strbuf *path)
{
	strbuf_addf(path, "%s/REQUESTS", spool);
}

/* Whether a line is PDPSIZE=n, which is taken then. */
static bool take_pool(struct request_queue *queue, const struct source_line *line)
{
	struct strbuf text = STRBUF_INIT;
	uint64_t kb = 0;
	bool taken;

	strbuf_add(&text, line->text, line->length);
	taken = text.length && pool_size_parm(text.text, &kb);
	if (taken)
		queue->pool_kb = kb;
	strbuf_release(&text);
	return taken;
}

/* Add the lines of each step as an input of its own. */
static void add_inputs(struct request_queue *queue, const struct source *whole,
		       struct diag_list *diags)
{
	struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < whole->line_count; i++) {
		const struct source_line *line = &whole->lines[i];
		bool end = line->length == 3 && memcmp(line->text, "END", 3) == 0;

		if (take_pool(queue, line))
			continue;
		if (!end) {
			strbuf_add(&text, line->text, line->length);
			strbuf_addch(&text, '\n');
		}
		if (text.length == 0 || (!end && i + 1 < whole->line_count))
			continue;
		statements_add_source(&queue->statements,
				      source_new(whole->name, text.text, text.length),
				      false, diags);
		strbuf_reset(&text);
	}
	strbuf_release(&text);
}

int request_queue_read(struct request_queue *queue, const char *spool, struct error *err)
{
	struct diag_list diags = DIAG_LIST_INIT;
	struct strbuf path = STRBUF_INIT;
	struct source *whole = NULL;
	int result = 0;

	*queue = (struct request_queue){ 0 };
	statements_init(&queue->statements);
	add_path(spool, &path);
	if (access(path.text, F_OK) == 0) {
		whole = source_read(path.text, err);
		result = whole ? 0 : -1;
	}
	if (whole) {
		add_inputs(queue, whole, &diags);
		queue->deck = queue->statements.deck;
		if (diag_worst(&diags) >= SEVERITY_ERROR)
			result = error_set(err, "%s holds statements that are not requests",
					   path.text);
	}
	source_free(whole);
	diag_list_release(&diags);
	strbuf_release(&path);
	return result;
}

void request_queue_release(struct request_queue *queue)
{
	statements_release(&queue->statements);
	*queue = (struct request_queue){ 0 };
}

/* Append a text to the file. */
static int append(const char *spool, const struct strbuf *text, struct error *err)
{
	struct strbuf path = STRBUF_INIT;
	FILE *stream;
	int result = -1;

	add_path(spool, &path);
	stream = fopen(path.text, "ae");
	if (stream) {
		bool whole = fwrite(text->text, 1, text->length, stream) == text->length;

		result = fclose(stream) == 0 && whole ? 0 : -1;
	}
	if (result < 0)
		error_errno(err, "cannot write %s", path.text);
	strbuf_release(&path);
	return result;
}

int request_queue_add(const char *spool, const struct control_statement *statement,
		      struct error *err)
{
	struct control_statement alone = *statement;
	const struct control_deck deck = { .statements = &alone };
	struct strbuf text = STRBUF_INIT;
	int result;

	alone.next = NULL;
	alone.block = statement->block ? 1 : 0;
	control_print(&deck, &text);
	result = append(spool, &text, err);
	strbuf_release(&text);
	return result;
}

int request_queue_add_pool(const char *spool, uint64_t kb, struct error *err)
{
	struct strbuf text = STRBUF_INIT;
	int result;

	strbuf_addf(&text, "PDPSIZE=%" PRIu64 "\n", kb);
	result = append(spool, &text, err);
	strbuf_release(&text);
	return result;
}

int request_queue_end(const char *spool, struct error *err)
{
	struct strbuf text = STRBUF_INIT;
	int result;

	strbuf_addstr(&text, "END\n");
	result = append(spool, &text, err);
	strbuf_release(&text);
	return result;
}
