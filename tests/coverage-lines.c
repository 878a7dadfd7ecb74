/* SPDX-License-Identifier: Apache-2.0 */
/*
 * coverage-lines FILE: prints the coverage in a sample data set, for tests,
 * separated by tabs:
 *
 *	program NAME OBJECT SOURCE LANGUAGE means=N optimised=N partial=N REASON
 *	line PROGRAM FILE LINE ORDINAL PROCEDURE VERB COUNT EXECUTED/PLACES
 *
 * in the order of their numbers; paths without folders, "-" for empty fields.
 */
#include "common/compat.h"
#include "common/idmap.h"
#include "common/path.h"
#include "common/xalloc.h"
#include "engine/dataset.h"
#include "records/record-types.h"

struct lines {
	struct idmap programs, statements, places;
	struct recordset program_rows, statement_rows, place_rows;
	struct strmap strings;
};

/* Stores a row, replacing the one with the same number. */
static void keep(struct idmap *numbers, struct recordset *rows, uint64_t number, const void *row)
{
	uint64_t at;

	if (idmap_get(numbers, number, &at)) {
		memcpy(recordset_at(rows, at), row, rows->type->size);
		return;
	}
	idmap_put(numbers, number, rows->count);
	recordset_add(rows, row);
}

static int take(void *argument, const struct snapshot *snapshot,
		const struct strmap *strings UNUSED)
{
	static const unsigned types[] = { RECORD_COVERAGE_PROGRAM, RECORD_COVERAGE_STATEMENT,
					  RECORD_COVERAGE_PLACE };
	struct lines *lines = argument;
	struct idmap *numbers[] = { &lines->programs, &lines->statements, &lines->places };
	struct recordset *rows[] = { &lines->program_rows, &lines->statement_rows,
				     &lines->place_rows };

	for (size_t type = 0; type < ARRAY_SIZE(types); type++) {
		const struct recordset *set = snapshot_records(snapshot, types[type]);

		for (size_t i = 0; i < set->count; i++) {
			const uint64_t *row = recordset_get(set, i);

			keep(numbers[type], rows[type], row[0], row);
		}
	}
	return 0;
}

static const char *text_of(const struct lines *lines, uint64_t string)
{
	const char *text = path_base(strmap_text(&lines->strings, (uint32_t)string));

	return *text ? text : "-";
}

static void print_program(const struct lines *lines, const struct record_coverage_program *row)
{
	const char *reason = strmap_text(&lines->strings, (uint32_t)row->reason);

	printf("program\t%s\t%s\t%s\t%s\tmeans=%" PRIu64 "\toptimised=%" PRIu64 "\tpartial=%" PRIu64
	       "\t%s\n",
	       text_of(lines, row->name), text_of(lines, row->object), text_of(lines, row->source),
	       text_of(lines, row->language), row->means, row->optimised, row->partial,
	       *reason ? reason : "-");
}

static void print_statement(const struct lines *lines, const struct record_coverage_statement *row)
{
	const struct record_coverage_program *program = NULL;
	uint64_t at, places = 0, executed = 0;

	if (idmap_get(&lines->programs, row->program, &at))
		program = recordset_get(&lines->program_rows, at);
	for (size_t i = 0; i < lines->place_rows.count; i++) {
		const struct record_coverage_place *place = recordset_get(&lines->place_rows, i);

		places += place->statement == row->statement;
		executed += place->statement == row->statement && place->executed;
	}
	printf("line\t%s\t%s\t%" PRIu64 "\t%" PRIu64 "\t%s\t%s\t%" PRIu64 "\t%" PRIu64 "/%" PRIu64
	       "\n",
	       program ? text_of(lines, program->name) : "?", text_of(lines, row->file), row->line,
	       row->ordinal, text_of(lines, row->procedure), text_of(lines, row->verb), row->count,
	       executed, places);
}

int main(int argc, char **argv)
{
	struct lines lines = { 0 };
	struct dataset_status status;
	struct error err = ERROR_INIT;

	if (argc != 2)
		return 2;
	idmap_init(&lines.programs);
	idmap_init(&lines.statements);
	idmap_init(&lines.places);
	recordset_init(&lines.program_rows, &record_types[RECORD_COVERAGE_PROGRAM]);
	recordset_init(&lines.statement_rows, &record_types[RECORD_COVERAGE_STATEMENT]);
	recordset_init(&lines.place_rows, &record_types[RECORD_COVERAGE_PLACE]);
	if (dataset_read(argv[1], &session_records, &lines.strings, take, &lines, &status, &err) < 0) {
		fprintf(stderr, "coverage-lines: %s\n", error_text(&err));
		return 1;
	}
	for (size_t i = 0; i < lines.program_rows.count; i++)
		print_program(&lines, recordset_get(&lines.program_rows, i));
	for (size_t i = 0; i < lines.statement_rows.count; i++)
		print_statement(&lines, recordset_get(&lines.statement_rows, i));
	return 0;
}
