/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The descriptors in front of records of variable length. COB_VARSEQ_FORMAT of
 * GnuCOBOL numbers their formats:
 *	0	two bytes length, big endian, and two zeros
 *	1	four bytes length, big endian
 *	2	four bytes length, in native byte order
 *	3	two bytes length, big endian
 *
 * The length does not include the descriptor.
 */
#ifndef VIGIL_DATASETS_RECORDS_VARIABLE_H
#define VIGIL_DATASETS_RECORDS_VARIABLE_H

#include "common/error.h"

#define RECORD_DESCRIPTOR_LARGEST 4

struct record_descriptor {
	unsigned format; /* 0 to 3 */
	size_t size;	 /* bytes */
	size_t longest;	 /* maximum bytes of a record */
};

/*
 * Initialises descriptor from COB_VARSEQ_FORMAT in the environment; -1 if that is
 * not one of the four. longest is that of the data set; 0: unknown.
 */
int record_descriptor_init(struct record_descriptor *descriptor, size_t longest, struct error *err);
/* Returns the length in a descriptor; SIZE_MAX if it is invalid. */
size_t record_descriptor_length(const struct record_descriptor *descriptor, const char *bytes);
/* Writes the descriptor of a record of length bytes, which must not exceed longest. */
void record_descriptor_put(const struct record_descriptor *descriptor, char *bytes, size_t length);

#endif
