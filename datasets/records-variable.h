/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The descriptors before records of variable length, as GnuCOBOL's
 * COB_VARSEQ_FORMAT numbers their forms:
 *
 *	0	two bytes length, big endian, and two zeros
 *	1	four bytes length, big endian
 *	2	four bytes length, as the processor has them
 *	3	two bytes length, big endian
 *
 * The length does not count the descriptor.
 */
#ifndef VIGIL_DATASETS_RECORDS_VARIABLE_H
#define VIGIL_DATASETS_RECORDS_VARIABLE_H

#include "common/error.h"

#define RECORD_DESCRIPTOR_LARGEST 4

struct record_descriptor {
	unsigned format; /* 0 to 3 */
	size_t size;	 /* bytes */
	size_t longest;	 /* record there can be */
};

/*
 * By COB_VARSEQ_FORMAT of the environment; -1 when that is none of the
 * four. longest is that of the data set, 0 not known.
 */
int record_descriptor_init(struct record_descriptor *descriptor, size_t longest, struct error *err);
/* Returns the length a descriptor says; SIZE_MAX when it cannot be one. */
size_t record_descriptor_length(const struct record_descriptor *descriptor, const char *bytes);
/* Puts the descriptor of a record of length bytes, which is not above longest. */
void record_descriptor_put(const struct record_descriptor *descriptor, char *bytes, size_t length);

#endif
