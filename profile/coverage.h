/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which statements of its programs a session executed: coverage rows
 * (records/coverage-sums.h) as units with lines, procedures and statements, for
 * everything that shows or exports them. A unit is either a program, with the
 * lines of its source and copybooks, or a source file, with the rows of all
 * programs for it.
 *
 * Builds of one program are merged by source file and line: counts are added, and
 * the places are those of the build that executed most of the statement. Rows of
 * several programs for one file (an inline function of a header, a copybook) are
 * merged the same way, but counts by places, which are numbers of sessions, are
 * not added: the largest is taken.
 *
 * States: a statement is executed, not executed, or partly executed if only some
 * of its places were. A line is executed if all its statements are, missed if none
 * is, otherwise partly executed. Blocks are the compiler's blocks within a line; a
 * block is executed if any of its places was. In counts, partly executed counts as
 * executed, as in other tools.
 */
#ifndef VIGIL_PROFILE_COVERAGE_H
#define VIGIL_PROFILE_COVERAGE_H

#include "records/coverage-sums.h"

enum coverage_state { COVERAGE_MISSED, COVERAGE_PARTLY, COVERAGE_EXECUTED };

enum coverage_grouping { COVERAGE_BY_PROGRAM, COVERAGE_BY_FILE };

/* executed includes partly executed. */
struct coverage_counts {
	uint64_t statements, statements_executed;
	uint64_t lines, lines_executed, lines_partly;
	uint64_t procedures, procedures_executed;
	uint64_t blocks, blocks_executed;
	uint64_t places, places_executed;
};

/* Texts are string numbers of the sums. */
struct coverage_unit {
	uint64_t name;	 /* of a program; of a file its path */
	uint64_t source; /* path of the source, as compiled */
	uint64_t library, object, language;
	uint64_t reason; /* why coverage is partial */
	bool events;	 /* counts are of statement events, not of sessions */
	bool optimised, partial;
	size_t builds;		 /* number of builds merged */
	size_t line, line_count; /* its lines: line_count of the view's, from line on */
	size_t procedure, procedure_count;
	struct coverage_counts counts;
};

struct coverage_line {
	uint64_t file, line;
	size_t statement, statement_count; /* its statements: statement_count of the view's, from
					    * statement on */
	uint64_t executed;		   /* of these statements */
	uint64_t blocks, blocks_executed;
	uint64_t places, places_executed;
	uint64_t count; /* the largest of its statements */
	enum coverage_state state;
};

struct coverage_statement {
	uint64_t procedure, file, line, ordinal, verb;
	uint64_t count;
	uint64_t places, places_executed;
	size_t block, block_count; /* its blocks: block_count of the view's, from block on; 0
				    * without places */
	uint64_t blocks_executed;
	enum coverage_state state;
	size_t of_procedure; /* number of its procedure, SIZE_MAX: none in this unit */

	/* Numbers in the view. */
	size_t unit, program;
	uint64_t first_line;
};

struct coverage_procedure {
	uint64_t name;
	uint64_t program;    /* name of its program */
	uint64_t file, line; /* its first statement */
	uint64_t count;	     /* of its first statement; at least 1 if any was executed */
	uint64_t statements, executed;
	bool ambiguous; /* another procedure of the unit has the same name */
};

struct coverage_block {
	uint64_t number; /* the compiler's number */
	bool executed;
};

struct coverage_view {
	const struct coverage_sums *sums; /* borrowed */
	struct coverage_unit *units;	  /* by name */
	struct coverage_line *lines;	  /* by unit, file (the source first) and line */
	struct coverage_statement *statements;
	struct coverage_procedure *procedures;
	struct coverage_block *blocks;
	size_t unit_count, line_count, statement_count, procedure_count, block_count;
	struct coverage_counts total; /* of all units */
};

/* Which units are wanted; all zero: all. */
struct coverage_selection {
	const char *program; /* pattern with * and ?, case-insensitive; NULL: any */
	double below;	     /* units with less than this percentage of statements executed; 0:
			      * any */
	bool missed;	     /* line reports show only lines that are not fully executed */
};

/* Returns whether the session has coverage. */
static inline bool coverage_any(const struct coverage_sums *sums)
{
	return sums->program_count > 0;
}
/* Returns the text of a string number of a row or of the view. */
static inline const char *coverage_text(const struct coverage_view *view, uint64_t string)
{
	return strmap_text(view->sums->strings, (uint32_t)string);
}
/* Builds the view of the selected units. The sums must outlive it. */
void coverage_view_init(struct coverage_view *view, const struct coverage_sums *sums,
			enum coverage_grouping grouping,
			const struct coverage_selection *selection);
void coverage_view_release(struct coverage_view *view);
/* Returns the percentage of statements, or lines, that were executed; 100 if there are none. */
double coverage_statement_percent(const struct coverage_counts *counts);
double coverage_line_percent(const struct coverage_counts *counts);

#endif
