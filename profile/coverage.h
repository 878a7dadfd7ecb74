/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which statements of its programs a session executed: coverage rows
 * (records/coverage-sums.h) as units with lines, procedures and statements, for
 * all who show or export them. A unit is a program, with the lines of its
 * source and of its copybooks, or a source file, with what all programs have of it.
 *
 * Here builds of one program are joined by source file and line: counts are
 * added, and of places those of the build count that executed most of the
 * statement. What several programs have of one file (an inline function of a header,
 * a copybook) is joined in the same way, but counts by places, which are numbers of
 * sessions, are not added: the largest counts.
 *
 * States: a statement is executed, not executed, or partly executed when some of its
 * places were and others were not. A line is executed when all its statements are, missed
 * when none is, and partly executed otherwise. Blocks are the compiler's blocks within a
 * line; a block was executed when any of its places was. Where counts say how much was
 * executed, what is partly executed counts as executed, as other tools count it.
 */
#ifndef VIGIL_PROFILE_COVERAGE_H
#define VIGIL_PROFILE_COVERAGE_H

#include "records/coverage-sums.h"

enum coverage_state { COVERAGE_MISSED, COVERAGE_PARTLY, COVERAGE_EXECUTED };

enum coverage_grouping { COVERAGE_BY_PROGRAM, COVERAGE_BY_FILE };

/* executed includes what is partly executed. */
struct coverage_counts {
	uint64_t statements, statements_executed;
	uint64_t lines, lines_executed, lines_partly;
	uint64_t procedures, procedures_executed;
	uint64_t blocks, blocks_executed;
	uint64_t places, places_executed;
};

/* Texts are numbers of the sums' strings. */
struct coverage_unit {
	uint64_t name;	 /* of a program; of a file its path */
	uint64_t source; /* path of the source, as it was compiled */
	uint64_t library, object, language;
	uint64_t reason; /* why it is partial */
	bool events;	 /* counts are those of statement events, not of sessions */
	bool optimised, partial;
	size_t builds;		 /* how many builds were joined */
	size_t line, line_count; /* its lines: of the view's, from line on */
	size_t procedure, procedure_count;
	struct coverage_counts counts;
};

struct coverage_line {
	uint64_t file, line;
	size_t statement, statement_count; /* of the view's, from statement on */
	uint64_t executed;		   /* of these */
	uint64_t blocks, blocks_executed;
	uint64_t places, places_executed;
	uint64_t count; /* the largest of its statements */
	enum coverage_state state;
};

struct coverage_statement {
	uint64_t procedure, file, line, ordinal, verb;
	uint64_t count;
	uint64_t places, places_executed;
	size_t block, block_count; /* of the view's, from block on; 0 without places */
	uint64_t blocks_executed;
	enum coverage_state state;
	size_t of_procedure; /* number of its procedure, SIZE_MAX: none in this unit */

	/* The view's own. */
	size_t unit, program;
	uint64_t first_line;
};

struct coverage_procedure {
	uint64_t name;
	uint64_t program;    /* name of the program it is of */
	uint64_t file, line; /* its first statement */
	uint64_t count;	     /* of its first statement; at least 1 when any was executed */
	uint64_t statements, executed;
	bool ambiguous; /* another procedure of the unit has the same name */
};

struct coverage_block {
	uint64_t number; /* the compiler's */
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

/* What is wanted; all zero: all. */
struct coverage_selection {
	const char *program; /* pattern with * and ?, in either case; NULL: any */
	double below;	     /* units of which less than so many percent of the statements were
				executed; 0: any */
	bool missed;	     /* reports of lines show only those that are not executed in full */
};

/* Whether the session has coverage. */
static inline bool coverage_any(const struct coverage_sums *sums)
{
	return sums->program_count > 0;
}
/* The text of a number of a row or of the view. */
static inline const char *coverage_text(const struct coverage_view *view, uint64_t string)
{
	return strmap_text(view->sums->strings, (uint32_t)string);
}
/* Make the view of those that are wanted. The sums outlive it. */
void coverage_view_init(struct coverage_view *view, const struct coverage_sums *sums,
			enum coverage_grouping grouping,
			const struct coverage_selection *selection);
void coverage_view_release(struct coverage_view *view);
/* Percent of the statements, or lines, that were executed; 100 when there are none. */
double coverage_statement_percent(const struct coverage_counts *counts);
double coverage_line_percent(const struct coverage_counts *counts);

#endif
