/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables that are searched serially from their start, where SEARCH ALL would halve
 * the rest at each step.
 */
#include "common/compat.h"
#include "common/xalloc.h"
#include "profile/advice/cobol-searches.h"
#include "profile/advice/cobol-statements.h"

/* A serial search of a smaller table is as fast. */
#define SMALL_TABLE 16

/* One SEARCH statement. */
struct hit {
	const struct cobol_search *search;
	const struct place *place; /* of the condition with the most samples */
	uint64_t most, samples;
	uint32_t occurs; /* 0: unknown */
};

struct tables {
	struct cobol_statements statements;
	struct cobol_searches *files;
	size_t file_count, file_alloc;
	struct hit *hits;
	size_t count, alloc;
	uint64_t *own; /* by statement: self samples, in the program's code */
};

/* Returns the searches of a file, reading it on the first request. */
static const struct cobol_searches *searches_of(struct tables *tables,
						const struct cobol_source *source, const char *file)
{
	for (size_t i = 0; i < tables->file_count; i++)
		if (tables->files[i].file == file)
			return &tables->files[i];
	GROW(tables->files, tables->file_count + 1, tables->file_alloc);
	cobol_searches_init(&tables->files[tables->file_count], source, file);
	return &tables->files[tables->file_count++];
}

static struct hit *hit_of(struct tables *tables, const struct cobol_search *search)
{
	for (size_t i = 0; i < tables->count; i++)
		if (tables->hits[i].search == search)
			return &tables->hits[i];
	GROW(tables->hits, tables->count + 1, tables->alloc);
	tables->hits[tables->count] = (struct hit){ .search = search };
	return &tables->hits[tables->count++];
}

/*
 * Takes a statement inside a search: all its samples if it is a condition, else
 * its self samples.
 */
static void take(struct tables *tables, size_t number)
{
	const struct cobol_statement *statement = &tables->statements.items[number];
	struct strbuf why = STRBUF_INIT;
	const char *file;
	const struct cobol_source *source =
		cobol_statements_source(&tables->statements, statement, &file, &why);
	const struct cobol_search *search;
	const struct cobol_item *table;
	struct hit *hit;
	bool looking;

	strbuf_release(&why);
	if (!source)
		return;
	search = cobol_searches_at(searches_of(tables, source, file), statement->place->line, &looking);
	if (!search)
		return;
	hit = hit_of(tables, search);
	table = cobol_source_item(source, search->table, file, search->line);
	hit->occurs = table ? table->occurs : 0;
	hit->samples += looking ? statement->samples : tables->own[number];
	if (looking && statement->samples > hit->most) {
		hit->most = statement->samples;
		hit->place = statement->place;
	}
}

static void add(struct advice_search *search, const struct hit *hit)
{
	struct strbuf row = STRBUF_INIT;
	struct place place;
	struct advice *advice;

	if (!hit->place || (hit->occurs && hit->occurs <= SMALL_TABLE))
		return;
	advice = advice_add_cpu(search, "TABLE-SEARCH", hit->samples, ADVICE_PLACED_UNKNOWN,
				"Keep the table in the order of its key, name the key (ASCENDING "
				"KEY IS), and use SEARCH ALL: it looks at 10 of 1000 entries. If "
				"the table has no order, put the entries that are looked for most "
				"often first.");
	if (!advice)
		return;
	advice_what(advice, "table %s is searched entry by entry", hit->search->table);
	if (hit->occurs)
		advice_what(advice, "table %s of %" PRIu32 " entries is searched entry by entry",
			    hit->search->table, hit->occurs);
	place = *hit->place;
	place.line = hit->search->line;
	advice_where_place(search, advice, &place);
	cobol_statement_label(search->profile, hit->place, &row);
	advice_evidence(advice, "PUP", "%s, %" PRIu64 " CPU samples", row.text, hit->most);
	strbuf_release(&row);
}

/* Returns whether a sample is in the program's code. */
static bool is_program_code(const struct profile *profile, size_t stack)
{
	return !attribution_is_service(&profile->attribution, stack) && !cobol_helper(profile, stack);
}

void advice_table(struct advice_search *search)
{
	const struct profile *profile = search->profile;
	struct tables tables = { .count = 0 };

	cobol_statements_init(&tables.statements, profile);
	tables.own = xcalloc(tables.statements.count + 1, sizeof(*tables.own));
	for (size_t i = 0; i < profile->cpu_count; i++)
		if (tables.statements.of[i] != ATTRIBUTION_NONE &&
		    is_program_code(profile, profile->cpu[i].stack))
			tables.own[tables.statements.of[i]] += profile->cpu[i].count;
	for (size_t i = 0; i < tables.statements.count; i++)
		take(&tables, i);
	for (size_t i = 0; i < tables.count; i++)
		add(search, &tables.hits[i]);
	for (size_t i = 0; i < tables.file_count; i++)
		cobol_searches_release(&tables.files[i]);
	free(tables.files);
	free(tables.hits);
	free(tables.own);
	cobol_statements_release(&tables.statements);
}
