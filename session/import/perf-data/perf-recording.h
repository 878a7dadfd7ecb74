/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A recording of perf (perf.data), read record by record, from a file or from a pipe, compressed
 * or not. It knows what is in the file, and nothing of what becomes of it.
 *
 * A recording is walked twice: first as it stands (then all of the header is known, also that of
 * a pipe, whose features come last), then in the order of time.
 *
 * What is damaged is told with its place: a record that cannot be taken apart is left out; where
 * the length of one makes no sense, nothing behind it can be read.
 */
#ifndef VIGIL_SESSION_IMPORT_PERF_DATA_PERF_RECORDING_H
#define VIGIL_SESSION_IMPORT_PERF_DATA_PERF_RECORDING_H

#include "session/import/perf-data/perf-record.h"

/* Takes a record; false: no more are wanted. */
typedef bool perf_take_record(void *argument, const struct perf_record *record);
/* Takes a sentence on damage at a place of the file. */
typedef void perf_take_damage(void *argument, uint64_t place, const char *text);

struct perf_data;

/* Whether these first bytes of a file are those of a recording, of any form. */
bool perf_data_is(const unsigned char *bytes, size_t size);
/* Read the header of an open file, which is taken over; NULL when it is no recording that can be
   read. */
struct import_input;
struct perf_data *perf_data_open(struct import_input *input, struct error *err);
void perf_data_close(struct perf_data *data);
const struct perf_header *perf_data_header(const struct perf_data *data);
/* When the file was changed last, ns since 1970; 0: it came by a pipe. */
uint64_t perf_data_written(const struct perf_data *data);
/* Whether a part of it could not be read for want of libzstd. */
bool perf_data_is_sealed(const struct perf_data *data);
/* As it stands. damage may be NULL. */
void perf_data_walk(struct perf_data *data, perf_take_record *take, perf_take_damage *damage,
		    void *argument);
/* In the order of time; returns how many records came too late for that. */
uint64_t perf_data_walk_ordered(struct perf_data *data, perf_take_record *take,
				perf_take_damage *damage, void *argument);

#endif
