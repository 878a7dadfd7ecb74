/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Made-up sessions for the tests of the sample data set, and the contents read
 * from a file, for comparison with them.
 */
#ifndef VIGIL_ENGINE_TEST_RECORDING_H
#define VIGIL_ENGINE_TEST_RECORDING_H

#include "engine/dataset-format.h"
#include "records/record-types.h"

/* No record type has more fields. */
#define DATASET_TEST_WIDTH 24

/* Snapshots as a session would make them. */
struct session {
	struct strmap strings;
	struct registry types;
	struct snapshot *snapshots;
	size_t count;
};

/* All rows of a file, or of a session, in order. */
struct rows {
	struct strmap strings;
	struct recordset sets[RECORD_ID_COUNT];
	size_t snapshots;
	uint64_t last_sequence, last_time;
};

/* Makes a random session: every type in every snapshot, with at most most rows of each. */
void session_make(struct session *session, uint64_t seed, size_t snapshots, size_t most);
/* Makes the session of the golden file: small, and never to change. */
void session_make_golden(struct session *session);
void session_release(struct session *session);
/* Writes it; with finish false without the end block. Returns -1 with err. */
int session_write(const struct session *session, const char *path, bool finish, struct error *err);

void rows_init(struct rows *rows);
void rows_release(struct rows *rows);
/* Adds a snapshot: a dataset_snapshot for dataset_read, argument is a struct rows. */
int rows_add(void *argument, const struct snapshot *snapshot, const struct strmap *strings);
/* Read a file, or an image of one in memory. */
int rows_read(struct rows *rows, const char *path, struct dataset_status *status,
	      struct error *err);
int rows_read_image(struct rows *rows, const void *image, size_t length,
		    struct dataset_status *status, struct error *err);
/* Returns the number of rows of all types. */
size_t rows_total(const struct rows *rows);
/* Appends the first difference as text to sb; nothing when there is none. */
void rows_compare(const struct rows *rows, const struct rows *expected, struct strbuf *sb);

/* Returns the next number of a xorshift generator; state must not be 0. */
uint64_t random_next(uint64_t *state);

#endif
