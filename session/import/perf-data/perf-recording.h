/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads a perf recording (perf.data) record by record, from a file or a pipe,
 * compressed or not. It does not depend on the use of the records.
 *
 * A recording is walked twice: first in file order (after which the header is
 * complete, also for a pipe, whose features come last), then in time order.
 *
 * Damage is reported with its position: a record that cannot be decoded is
 * skipped; after an invalid length nothing more can be read.
 */
#ifndef VIGIL_SESSION_IMPORT_PERF_DATA_PERF_RECORDING_H
#define VIGIL_SESSION_IMPORT_PERF_DATA_PERF_RECORDING_H

#include "session/import/perf-data/perf-record.h"

/* Receives a record; false: no more are wanted. */
typedef bool perf_take_record(void *argument, const struct perf_record *record);
/* Receives a message about damage at an offset of the file. */
typedef void perf_take_damage(void *argument, uint64_t place, const char *text);

struct perf_data;

/* Returns whether these first bytes of a file are those of a recording, in any form. */
bool perf_data_is(const unsigned char *bytes, size_t size);
/*
 * Reads the header of an open file and takes ownership of it; NULL if it is no
 * readable recording.
 */
struct import_input;
struct perf_data *perf_data_open(struct import_input *input, struct error *err);
void perf_data_close(struct perf_data *data);
const struct perf_header *perf_data_header(const struct perf_data *data);
/* Returns the last modification of the file, ns since 1970; 0: read from a pipe. */
uint64_t perf_data_written(const struct perf_data *data);
/* Returns whether part of it could not be read because libzstd is missing. */
bool perf_data_lacks_zstd(const struct perf_data *data);
/* Walks in file order. damage may be NULL. */
void perf_data_walk(struct perf_data *data, perf_take_record *take, perf_take_damage *damage,
		    void *argument);
/* Walks in time order; returns how many records came too late for that. */
uint64_t perf_data_walk_ordered(struct perf_data *data, perf_take_record *take,
				perf_take_damage *damage, void *argument);

#endif
