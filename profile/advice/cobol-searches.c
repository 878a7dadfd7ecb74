/* SPDX-License-Identifier: Apache-2.0 */
/* Finds SEARCH statements, and the WHENs that belong to them. */
#include "common/compat.h"
#include "profile/advice/cobol-searches.h"
#include "common/cobol-scan.h"
#include "common/xalloc.h"

#include <strings.h>

/* Maximum nesting of statements with WHEN. */
#define DEPTH 16
#define NO_SEARCH SIZE_MAX

struct finding_searches {
	struct cobol_searches *searches;
	size_t open[DEPTH]; /* numbers of searches; NO_SEARCH: EVALUATE, or a SEARCH ALL */
	size_t depth;
	bool named; /* the previous word was SEARCH */
	uint64_t line;
};

static void begin(struct finding_searches *finding, size_t number)
{
	if (finding->depth < DEPTH)
		finding->open[finding->depth] = number;
	finding->depth++;
}

/* Ends the innermost statement. */
static void end(struct finding_searches *finding, uint64_t line)
{
	size_t number;

	if (!finding->depth || --finding->depth >= DEPTH)
		return;
	number = finding->open[finding->depth];
	if (number != NO_SEARCH)
		finding->searches->items[number].end = line;
}

static void add_search(struct finding_searches *finding, const char *table)
{
	struct cobol_searches *searches = finding->searches;

	GROW(searches->items, searches->count + 1, searches->alloc);
	searches->items[searches->count] = (struct cobol_search){
		.line = finding->line, .end = finding->line, .table = xstrdup(table)
	};
	begin(finding, searches->count++);
}

static void add_condition(struct finding_searches *finding, uint64_t line)
{
	struct cobol_searches *searches = finding->searches;
	size_t number = finding->depth && finding->depth <= DEPTH
				? finding->open[finding->depth - 1]
				: NO_SEARCH;

	if (number == NO_SEARCH)
		return;
	GROW(searches->conditions, searches->condition_count + 1, searches->condition_alloc);
	searches->conditions[searches->condition_count++] =
		(struct cobol_condition){ .search = number, .line = line };
}

static void take(struct finding_searches *finding, const struct cobol_token *token)
{
	const char *word = token->kind == COBOL_WORD ? token->text : "";

	if (token->kind == COBOL_PERIOD) {
		while (finding->depth)
			end(finding, token->line);
	} else if (finding->named) {
		if (strcasecmp(word, "ALL"))
			add_search(finding, word);
		else
			begin(finding, NO_SEARCH);
	} else if (!strcasecmp(word, "EVALUATE")) {
		begin(finding, NO_SEARCH);
	} else if (!strcasecmp(word, "END-SEARCH") || !strcasecmp(word, "END-EVALUATE")) {
		end(finding, token->line);
	} else if (!strcasecmp(word, "WHEN")) {
		add_condition(finding, token->line);
	}
	finding->named = !strcasecmp(word, "SEARCH");
	finding->line = token->line;
}

void cobol_searches_init(struct cobol_searches *searches, const struct cobol_source *source,
			 const char *file)
{
	struct finding_searches finding = { .searches = searches };
	struct cobol_token token;
	struct cobol_scan scan;
	size_t count;
	char *const *lines = source_texts_lines(source->texts, file, &count);

	memset(searches, 0, sizeof(*searches));
	searches->file = file;
	cobol_scan_init(&scan, lines, count, source->fixed);
	while (cobol_scan_next(&scan, &token))
		take(&finding, &token);
	while (finding.depth)
		end(&finding, count);
	cobol_scan_release(&scan);
}

void cobol_searches_release(struct cobol_searches *searches)
{
	for (size_t i = 0; i < searches->count; i++)
		free(searches->items[i].table);
	free(searches->items);
	free(searches->conditions);
}

const struct cobol_search *cobol_searches_at(const struct cobol_searches *searches, uint64_t line,
					     bool *looking)
{
	const struct cobol_search *found = NULL;

	*looking = false;
	for (size_t i = 0; i < searches->count; i++)
		if (searches->items[i].line <= line && line <= searches->items[i].end)
			found = &searches->items[i];
	if (!found)
		return NULL;
	*looking = found->line == line;
	for (size_t i = 0; i < searches->condition_count; i++)
		*looking |= &searches->items[searches->conditions[i].search] == found &&
			    searches->conditions[i].line == line;
	return found;
}
