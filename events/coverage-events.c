/* SPDX-License-Identifier: Apache-2.0 */
/* Counts statement events by statement. */
#include "common/compat.h"
#include "events/coverage-events.h"
#include "common/hash.h"
#include "common/xalloc.h"
#include "records/record-types.h"

void coverage_events_init(struct coverage_events *events, struct engine *engine)
{
	*events = (struct coverage_events){ .engine = engine };
	idmap_init(&events->sites);
	idmap_init(&events->programs);
	recordset_init(&events->rows, &record_types[RECORD_COVERAGE_PROGRAM]);
}

void coverage_events_release(struct coverage_events *events)
{
	idmap_release(&events->sites);
	idmap_release(&events->programs);
	recordset_release(&events->rows);
	free(events->statements);
}

/* Returns the index of a site's program. */
static uint64_t program_of(struct coverage_events *events, const struct record_event_site *site)
{
	struct record_coverage_program row = { .means = COVERAGE_BY_EVENTS, .partial = 1 };
	uint64_t key = hash_pair(hash_pair(site->library, site->object), site->program), number;

	if (idmap_get(&events->programs, key, &number))
		return number;
	number = events->rows.count;
	idmap_put(&events->programs, key, number);
	row.program = COVERAGE_IDS_FIRST + number;
	row.library = site->library;
	row.object = site->object;
	row.name = site->program;
	row.source = site->file;
	row.language = engine_string(events->engine, "COBOL");
	row.reason = engine_string(
		events->engine, "statements that were not executed are unknown; compile with -g");
	recordset_add(&events->rows, &row);
	return number;
}

/* Returns the position of a new statement among those of its line. */
static uint64_t ordinal_of(const struct coverage_events *events,
			   const struct coverage_counted *statement)
{
	uint64_t ordinal = 1;

	for (size_t i = 0; i < events->count; i++) {
		const struct coverage_counted *other = &events->statements[i];

		ordinal += other->program == statement->program && other->file == statement->file &&
			   other->procedure == statement->procedure &&
			   other->line == statement->line;
	}
	return ordinal;
}

/* Takes a site of events. */
static void take_site(struct coverage_events *events, const struct record_event_site *site)
{
	struct coverage_counted *statement;
	uint64_t number;

	if (idmap_get(&events->sites, site->site, &number))
		return;
	/* A program that had events is covered, even without events of statements. */
	if (site->type == EVENT_PS && site->kind == EVENT_KIND_PROGRAM)
		((struct record_coverage_program *)recordset_at(&events->rows,
								program_of(events, site)))
			->source = site->file;
	if (site->type != EVENT_NS || !site->line) {
		idmap_put(&events->sites, site->site, 0);
		return;
	}
	GROW(events->statements, events->count + 1, events->alloc);
	statement = &events->statements[events->count];
	*statement = (struct coverage_counted){ .program = program_of(events, site),
						.procedure = site->procedure,
						.file = site->file,
						.verb = site->statement,
						.line = site->line };
	statement->ordinal = ordinal_of(events, statement);
	idmap_put(&events->sites, site->site, ++events->count);
}

/* Removes the rows of a type. */
static void drop(struct snapshot *snapshot, unsigned type)
{
	if (snapshot_records(snapshot, type)->count)
		recordset_clear(snapshot_set(snapshot, type));
}

void coverage_events_apply(struct coverage_events *events, struct snapshot *snapshot)
{
	const struct recordset *sites = snapshot_records(snapshot, RECORD_EVENT_SITE);
	const struct recordset *rows = snapshot_records(snapshot, RECORD_EVENT);
	uint64_t number;

	for (size_t i = 0; i < sites->count; i++)
		take_site(events, recordset_get(sites, i));
	for (size_t i = 0; i < rows->count; i++) {
		const struct record_event *event = recordset_get(rows, i);

		if (idmap_get(&events->sites, event->site, &number) && number)
			events->statements[number - 1].count++;
	}
	drop(snapshot, RECORD_EVENT);
	drop(snapshot, RECORD_EVENT_SITE);
	drop(snapshot, RECORD_EVENT_SUM);
}

/* Returns whether a program is in an object. */
static bool is_in(const struct coverage_events *events, const struct record_coverage_program *row,
		  const char *library, const char *object)
{
	const struct strmap *strings = engine_strings(events->engine);

	return strcmp(strmap_text(strings, (uint32_t)row->object), object) == 0 &&
	       strcmp(strmap_text(strings, (uint32_t)row->library), library) == 0;
}

bool coverage_events_have(const struct coverage_events *events, const char *library,
			  const char *object)
{
	for (size_t i = 0; i < events->rows.count; i++)
		if (is_in(events, recordset_get(&events->rows, i), library, object))
			return true;
	return false;
}

void coverage_events_forget(struct coverage_events *events, const char *library, const char *object)
{
	for (size_t i = 0; i < events->rows.count; i++) {
		struct record_coverage_program *row = recordset_at(&events->rows, i);

		if (is_in(events, row, library, object))
			row->program = 0;
	}
}

/* Returns the row of a program; NULL: it is left out. */
static const struct record_coverage_program *program_at(const struct coverage_events *events,
							uint64_t number)
{
	const struct record_coverage_program *row = recordset_get(&events->rows, number);

	return row->program ? row : NULL;
}

void coverage_events_put(const struct coverage_events *events, struct snapshot *snapshot)
{
	struct recordset *programs = snapshot_set(snapshot, RECORD_COVERAGE_PROGRAM);
	struct recordset *to = snapshot_set(snapshot, RECORD_COVERAGE_STATEMENT);

	for (size_t i = 0; i < events->rows.count; i++)
		if (program_at(events, i))
			recordset_add(programs, program_at(events, i));
	for (size_t i = 0; i < events->count; i++) {
		const struct coverage_counted *from = &events->statements[i];
		const struct record_coverage_statement row = {
			.statement = COVERAGE_IDS_FIRST + i,
			.program = COVERAGE_IDS_FIRST + from->program,
			.procedure = from->procedure,
			.file = from->file,
			.line = from->line,
			.ordinal = from->ordinal,
			.verb = from->verb,
			.count = from->count,
		};

		if (program_at(events, from->program))
			recordset_add(to, &row);
	}
}
