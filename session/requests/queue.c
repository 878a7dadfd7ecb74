/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the requests that wait for the later steps of a job. */
#include "common/compat.h"
#include "session/requests/queue.h"
#include "session/requests/pool-size.h"

#include <unistd.h>

/* Appends the path of the file. */
static void add_path(const char *spool, struct strbuf *path)
{
	strbuf_addf(path, "%s/REQUESTS", spool);
}

/* Takes PDPSIZE of the last step that gave one; false if it is not a size. */
static bool take_pool(struct request_queue *queue)
{
	const struct control_statement *one = queue->deck->statements;

	for (; one; one = one->next)
		if (one->verb == CONTROL_PDPSIZE && one->checked &&
		    !pool_size_read(one->operands->values->text, &queue->pool_kb))
			return false;
	return true;
}

/* Parses and checks the statements in the file. */
static int take_statements(struct request_queue *queue, struct error *err)
{
	struct diag_list diags = DIAG_LIST_INIT;
	bool good;

	queue->deck = control_parse_queue(queue->source, &diags);
	control_check(queue->deck, &diags);
	good = diag_max_severity(&diags) < SEVERITY_ERROR && take_pool(queue);
	diag_list_release(&diags);
	return good ? 0 : error_set(err, "%s contains statements that are not requests",
				    queue->source->name);
}

int request_queue_read(struct request_queue *queue, const char *spool, struct error *err)
{
	struct strbuf path = STRBUF_INIT;
	int result = 0;

	*queue = (struct request_queue){ 0 };
	add_path(spool, &path);
	if (access(path.text, F_OK) == 0) {
		queue->source = source_read(path.text, err);
		result = queue->source ? take_statements(queue, err) : -1;
	}
	strbuf_release(&path);
	return result;
}

void request_queue_release(struct request_queue *queue)
{
	control_free(queue->deck);
	source_free(queue->source);
	*queue = (struct request_queue){ 0 };
}

/* Appends a text to the file. */
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
	char number[24], keyword[] = "PDPSIZE";
	struct control_value value = { .text = number };
	struct control_operand operand = { .keyword = keyword, .values = &value };

	snprintf(number, sizeof(number), "%" PRIu64, kb);
	return request_queue_add(spool,
				 &(struct control_statement){ .verb = CONTROL_PDPSIZE,
							      .name = keyword,
							      .operands = &operand },
				 err);
}

int request_queue_end(const char *spool, struct error *err)
{
	char name[] = "END";

	return request_queue_add(
		spool, &(struct control_statement){ .verb = CONTROL_END, .name = name }, err);
}
