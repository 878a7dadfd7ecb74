/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Part of libsampler.
 *
 * The kernel's records of a recording, as perf.c asks for them (attr_base).
 */
#ifndef VIGIL_SAMPLER_RECORDING_TAPE_RECORDS_H
#define VIGIL_SAMPLER_RECORDING_TAPE_RECORDS_H

#include "common/idmap.h"
#include "common/strbuf.h"

/* Returns how many of the bytes are whole records, at least as long as they must be. */
size_t tape_records_whole(const unsigned char *bytes, size_t size);
/*
 * Appends what a session that may not sample the kernel would have got instead of
 * these whole records: no samples of the kernel, none of the events in leavings
 * (ids), and samples without the kernel's call chain.
 */
void tape_records_of_user(const unsigned char *bytes, size_t size, const struct idmap *leavings,
			  struct strbuf *records);

#endif
