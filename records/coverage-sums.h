/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage rows of a session, or of several sessions merged. The merge of data
 * sets and the reports both get their rows from here.
 *
 * Two rows of different sessions are the same:
 * - a program: if build id, PROGRAM-ID, source and means are equal. Programs
 *   without a build id are the same if object and folder are equal, too; but if
 *   they are covered by places they never are, since equal addresses of two
 *   builds mean nothing.
 *   Paths are compared in normal form ("src/../inc/a.h" is "inc/a.h").
 * - a statement: if program, procedure, file, line and ordinal are equal.
 * - a place: if statement, start, end and block are equal.
 *
 * So different builds of one source stay separate here, each with its own places;
 * profile/coverage.h joins them by source file and line.
 *
 * Rows that are the same are merged: counts are added, so by places a statement
 * counts the sessions in which it was executed; a place is executed if it was in
 * any session. A program is partial if it was in any session, for the first one's
 * reason.
 *
 * Within a session a later row replaces an earlier one with its number. A
 * statement whose program has not appeared yet, or a place whose statement has not
 * (it may be lost in a damaged file), is left out and counted. Memory grows with
 * the number of distinct rows.
 */
#ifndef VIGIL_RECORDS_COVERAGE_SUMS_H
#define VIGIL_RECORDS_COVERAGE_SUMS_H

#include "common/idmap.h"
#include "common/keymap.h"
#include "common/strbuf.h"
#include "common/strmap.h"
#include "records/record-types.h"
#include "engine/snapshot.h"

/* Rows of one type by key; private. */
struct coverage_index {
	struct keymap keys;   /* key i belongs to row i */
	struct idmap numbers; /* number in the session to index into rows */
	struct idmap counted; /* number in the session to the count already added for it */
};

/* Row i has number i + 1, whatever its number in the sessions; texts are indices into strings. */
struct coverage_sums {
	struct strmap *strings; /* borrowed */
	struct record_coverage_program *programs;
	struct record_coverage_statement *statements;
	struct record_coverage_place *places;
	size_t program_count, statement_count, place_count;
	uint64_t orphans; /* number of rows left out */

	/* Private. */
	size_t program_alloc, statement_alloc, place_alloc;
	struct coverage_index program_index, statement_index, place_index;
	uint64_t session;
	struct strbuf text;
};

/* Initializes the sums. The texts of all rows are put into strings, which must outlive the sums. */
void coverage_sums_init(struct coverage_sums *sums, struct strmap *strings);
void coverage_sums_release(struct coverage_sums *sums);
/* Begins another session: its numbers are unrelated to earlier ones. */
void coverage_sums_begin(struct coverage_sums *sums);
/* Takes the coverage rows of a snapshot; their texts are indices into strings. */
void coverage_sums_take(struct coverage_sums *sums, const struct snapshot *snapshot,
			const struct strmap *strings);
/* Takes all rows of other sums, as one more session. */
void coverage_sums_add(struct coverage_sums *sums, const struct coverage_sums *from);
/*
 * Does the same in steps, for a caller that knows programs to be the same although
 * their builds differ: call coverage_sums_begin, add each program by index, then
 * add the rest. same: index of the program in sums that it is; SIZE_MAX: its key
 * decides. Returns its index in sums.
 */
size_t coverage_sums_add_program(struct coverage_sums *sums, const struct coverage_sums *from,
				 size_t program, size_t same);
void coverage_sums_add_rest(struct coverage_sums *sums, const struct coverage_sums *from);
/* Adds all rows to a snapshot, whose strings must be those of the sums. */
void coverage_sums_put(const struct coverage_sums *sums, struct snapshot *snapshot);

#endif
