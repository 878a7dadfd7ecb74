/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Part of libsampler.
 *
 * What has changed in an area that the step's programs write, as bytes: for each
 * changed part its distance from the end of the one before, its length, and the
 * bytes; the numbers as in varint.h.
 */
#ifndef VIGIL_SAMPLER_RECORDING_TAPE_AREA_H
#define VIGIL_SAMPLER_RECORDING_TAPE_AREA_H

#include "common/strbuf.h"

/*
 * Brings a part of a copy up to date and appends what has changed; from and copy
 * begin at offset of the area, and only copy belongs to the caller.
 */
void tape_area_take(void *copy, const void *from, size_t offset, size_t size, struct strbuf *changes);
/* Applies changes to an area of size bytes; false: they do not fit it. */
bool tape_area_apply(void *area, size_t size, const void *changes, size_t length);

#endif
