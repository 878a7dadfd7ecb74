/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the requests that wait for the later steps of a job. */
#include "common/compat.h"
#include "session/requests/queue.h"

#include <unistd.h>

/* Append the path of the file. */
static void add_path(const char *spool, struct strbuf *path)
{
	strbuf_addf(path, "%s/REQUESTS", spool);
}

int request_queue_read(struct request_queue *queue, const char *spool, struct error *err)
{
	struct diag_list diags = DIAG_LIST_INIT;
	struct strbuf path = STRBUF_INIT;
	int result = 0;

	*queue = (struct request_queue){ 0 };
	add_path(spool, &path);
	if (access(path.text, F_OK) == 0) {
		queue->source = source_read(path.text, err);
		result = queue->source ? 0 : -1;
	}
	if (queue->source) {
		queue->deck = control_parse(queue->source, false, &diags);
		control_check(queue->deck, &diags);
		if (diag_worst(&diags) >= SEVERITY_ERROR)
			result = error_set(err, "%s holds statements that are not requests", path.text);
	}
	diag_list_release(&diags);
	strbuf_release(&path);
	return result;
}

void request_queue_release(struct request_queue *queue)
{
	control_free(queue->deck);
	source_free(queue->source);
	*queue = (struct request_queue){ 0 };
}

int request_queue_add(const char *spool, const struct control_statement *statement,
		      struct error *err)
{
	struct control_statement alone = *statement;
	const struct control_deck deck = { .statements = &alone };
	struct strbuf path = STRBUF_INIT, text = STRBUF_INIT;
	FILE *stream;
	int result = -1;

	alone.next = NULL;
	control_print(&deck, &text);
	add_path(spool, &path);
	stream = fopen(path.text, "ae");
	if (stream) {
		bool whole = fwrite(text.text, 1, text.length, stream) == text.length;

		result = fclose(stream) == 0 && whole ? 0 : -1;
	}
	if (result < 0)
		error_errno(err, "cannot write %s", path.text);
	strbuf_release(&path);
	strbuf_release(&text);
	return result;
}
