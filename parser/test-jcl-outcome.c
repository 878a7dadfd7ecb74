/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the tests of the JCL parser. */
#include "common/compat.h"
#include "parser/test-jcl-outcome.h"

static const struct jcl_options test_options = { .user = "TESTER", .deck_folder = "/decks" };

struct outcome outcome_of(const char *text, size_t length, bool evaluate)
{
	struct outcome made = { .diags = DIAG_LIST_INIT };

	made.source = source_new("deck", text, length);
	made.deck = jcl_parse(made.source, &test_options, &made.diags);
	if (evaluate)
		made.jobs = jcl_evaluate(made.deck, &test_options, &made.diags);
	diag_sort(&made.diags);
	return made;
}

struct outcome outcome_with(const char *text, size_t length, const struct jcl_options *options)
{
	struct outcome made = { .diags = DIAG_LIST_INIT };

	made.source = source_new("deck", text, length);
	made.deck = jcl_parse(made.source, options, &made.diags);
	made.jobs = jcl_evaluate(made.deck, options, &made.diags);
	diag_sort(&made.diags);
	return made;
}

void outcome_release(struct outcome *made)
{
	plan_free(made->jobs);
	jcl_free(made->deck);
	source_free(made->source);
	diag_list_release(&made->diags);
}

void add_messages(struct strbuf *sb, const struct diag_list *diags)
{
	for (size_t i = 0; i < diags->count; i++) {
		strbuf_addstr(sb, i ? " " : "");
		diag_format_id(sb, diags->items[i].number, diags->items[i].severity);
		strbuf_addf(sb, ":%u:%u", diags->items[i].location.line,
			    diags->items[i].location.column);
	}
	if (diags->count == 0)
		strbuf_addch(sb, '-');
}

bool print_parses_equal(const struct jcl_deck *deck)
{
	struct strbuf sb = STRBUF_INIT;
	struct outcome again;
	bool equal;

	jcl_print(deck, &sb);
	again = outcome_of(sb.text, sb.length, false);
	equal = jcl_equal(deck, again.deck);
	outcome_release(&again);
	strbuf_release(&sb);
	return equal;
}

struct strbuf *read_test_file(struct strbuf *sb, const char *name)
{
	const char *root = getenv("VIGIL_SOURCE");
	struct strbuf path = STRBUF_INIT;
	int result;

	strbuf_addf(&path, "%s/%s", root ? root : ".", name);
	result = strbuf_read_file(sb, path.text);
	strbuf_release(&path);
	return result < 0 ? NULL : sb;
}

void add_unescaped(struct strbuf *sb, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (text[i] != '\\' || i + 1 == length) {
			strbuf_addch(sb, text[i]);
			continue;
		}
		i++;
		strbuf_addch(sb, (char)(text[i] == 'n' ? '\n' : text[i] == 't' ? '\t' : text[i]));
	}
}
