/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage rows of a session, or of several sessions merged. Who merges data
 * sets and who reports on them gets the same rows from here.
 *
 * What is the same in two sessions:
 * - a program: build id, PROGRAM-ID, source and means are the same. Programs
 *   without a build id are the same when object and folder are, too; but when
 *   they are covered by places they never are, since equal addresses of two
 *   builds mean nothing.
 *   Paths are compared without parts that lead nowhere ("src/../inc/a.h").
 * - a statement: program, procedure, file, line and ordinal are the same.
 * - a place: statement, start, end and block are the same.
 * So builds of one source stay apart here, each with its own places;
 * profile/coverage.h joins them by source file and line.
 *
 * What becomes of two rows that are the same: counts are added, so that by places
 * a statement counts the sessions in which it was executed; a place was executed
 * when it was in any. A program is partial when it was in
 * any session, for the reason of the first.
 *
 * Within a session a later row replaces an earlier one of its number. A statement
 * whose program, and a place whose statement, has not come yet (it may be lost in a
 * damaged file) is left out and counted. Memory grows with distinct rows.
 */
#ifndef VIGIL_RECORDS_COVERAGE_SUMS_H
#define VIGIL_RECORDS_COVERAGE_SUMS_H

#include "common/idmap.h"
#include "common/keymap.h"
#include "common/strbuf.h"
#include "common/strmap.h"
#include "records/record-types.h"
#include "engine/snapshot.h"

/* Rows of one type by their keys; its own. */
struct coverage_index {
	struct keymap keys;   /* key i is that of row i */
	struct idmap numbers; /* number in the session to index into rows */
	struct idmap counted; /* number in the session to the count it brought so far */
};

/* Row i has the number i + 1, whatever the sessions called it; texts are numbers of strings. */
struct coverage_sums {
	struct strmap *strings; /* borrowed */
	struct record_coverage_program *programs;
	struct record_coverage_statement *statements;
	struct record_coverage_place *places;
	size_t program_count, statement_count, place_count;
	uint64_t orphans; /* rows left out */

	/* Its own. */
	size_t program_alloc, statement_alloc, place_alloc;
	struct coverage_index program_index, statement_index, place_index;
	uint64_t session;
	struct strbuf text;
};

/* strings gets the texts of all rows; it outlives the sums. */
void coverage_sums_init(struct coverage_sums *sums, struct strmap *strings);
void coverage_sums_release(struct coverage_sums *sums);
/* What follows is of another session: its numbers have nothing to do with those before. */
void coverage_sums_begin(struct coverage_sums *sums);
/* Take the coverage rows of a snapshot whose texts are numbers of strings. */
void coverage_sums_take(struct coverage_sums *sums, const struct snapshot *snapshot,
			const struct strmap *strings);
/* Take all rows of others, as one more session. */
void coverage_sums_add(struct coverage_sums *sums, const struct coverage_sums *from);
/*
 * The same in steps, for who knows of programs that are the same though of different
 * builds: begin, add each program (by index), and then the rest. same: the index of the
 * program of the sums that it is; SIZE_MAX: what it is says so. Returns that index.
 */
size_t coverage_sums_add_program(struct coverage_sums *sums, const struct coverage_sums *from,
				 size_t program, size_t same);
void coverage_sums_add_rest(struct coverage_sums *sums, const struct coverage_sums *from);
/* Add all rows to a snapshot whose strings are those of the sums. */
void coverage_sums_put(const struct coverage_sums *sums, struct snapshot *snapshot);

#endif
