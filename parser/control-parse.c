/* SPDX-License-Identifier: Apache-2.0 */
/* Reads control statements: runs scanner and grammar on one input. */
#include "common/compat.h"
#include "parser/control-tree.h"
#include "parser/control-grammar.h"
#include "common/xalloc.h"

/* Builds the text for the scanner: of a card only columns 1 to 72 count. */
static void scan_text(const struct source *source, bool cards, struct strbuf *sb)
{
	for (size_t i = 0; i < source->line_count; i++) {
		size_t length = source->lines[i].length;

		strbuf_add(sb, source->lines[i].text, cards && length > 72 ? 72 : length);
		strbuf_addch(sb, '\n');
	}
}

/* Parses a source into an empty deck, which it returns. */
static struct control_deck *parse(struct control_deck *deck, const struct source *source, bool cards,
				  struct diag_list *diags)
{
	struct control_context context = {
		.source = source, .diags = diags, .deck = deck, .cards = cards, .line = 1, .column = 1
	};
	struct strbuf text = STRBUF_INIT;
	yyscan_t scanner;

	context.tail = &context.deck->statements;
	scan_text(source, cards, &text);
	if (text.length > INT_MAX || control_yylex_init_extra(&context, &scanner) != 0) {
		diag_add(diags, SEVERITY_SEVERE, 2006, NULL, "%s is too large to be read",
			 source->name);
		strbuf_release(&text);
		return context.deck;
	}
	control_yy_scan_bytes(text.text, (int)text.length, scanner);
	control_yyparse(scanner, &context);
	control_yylex_destroy(scanner);
	if (context.in_block)
		diag_add(diags, SEVERITY_ERROR, 2018, &context.block_start,
			 "the PROFILER block does not end; expected END-PROFILER");
	strbuf_release(&text);
	return context.deck;
}

struct control_deck *control_parse(const struct source *source, bool cards, struct diag_list *diags)
{
	return parse(xcalloc(1, sizeof(struct control_deck)), source, cards, diags);
}

struct control_deck *control_parse_queue(const struct source *source, struct diag_list *diags)
{
	struct control_deck *deck = xcalloc(1, sizeof(*deck));

	deck->from_job_queue = true;
	return parse(deck, source, false, diags);
}
