/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Part of libsampler.
 *
 * A source (common/outside.h) that asks the system, and writes every call with its
 * result on a tape.
 *
 * Memory that others write while the session reads it could not be told from what
 * the session has seen of it: so the session reads private copies of the areas that
 * the step's programs write, which are brought up to date by refresh only. Rings of
 * the kernel need none: what was written does not change until it was read.
 */
#ifndef VIGIL_SAMPLER_RECORDING_RECORDER_H
#define VIGIL_SAMPLER_RECORDING_RECORDER_H

#include "common/outside.h"
#include "sampler/recording/tape.h"

struct recorder;

struct recorder_options {
	bool objects;	/* with the content of objects */
	bool no_memory; /* without the data in the program's memory (tape-memory.h) */
};

/* Creates a recorder that writes on a tape, which is borrowed. */
struct recorder *recorder_new(struct tape_writer *tape, const struct recorder_options *options);
void recorder_free(struct recorder *recorder);
/* Returns the source; it is valid while the recorder is. */
struct outside *recorder_source(struct recorder *recorder);
/*
 * Ends the recording: the source goes on, but writes nothing more. Areas and rings
 * that it gave out stay valid.
 */
void recorder_stop(struct recorder *recorder);

#endif
