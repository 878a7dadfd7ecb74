/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The samples and waits of a profile in the order of their times, for forms with a
 * time axis. The file is read a second time; what was added to it since the profile
 * was made is ignored, so that the sums equal the profile's.
 *
 * Samples have individual times. Waits are sums over a snapshot, so only the
 * snapshot of a wait is known.
 */
#ifndef VIGIL_EXPORTS_TIMED_H
#define VIGIL_EXPORTS_TIMED_H

#include "exports/export-form.h"
#include "records/record-types.h"

/* A CPU sample; times in ns since the profile's start. */
struct timed_sample {
	uint64_t end; /* when it was taken; cpu ns before this time are charged to it */
	uint64_t cpu;
	size_t stack; /* number of the stack; ATTRIBUTION_NONE: missing in the data */
	uint64_t task, transaction, kind;
	size_t number; /* position among those selected, in the data set */
};

/* Waits of one task at one place in one snapshot, in ns since the profile's start. */
struct timed_wait {
	uint64_t start, end; /* begin and end of the snapshot */
	size_t stack;
	const struct record_wait *row;
};

/* Receives the selected samples and waits; a snapshot's waits after the samples before its end. */
struct timed_sink {
	void (*sample)(void *argument, const struct timed_sample *sample);
	void (*wait)(void *argument, const struct timed_wait *wait);
	void *argument;
};

/* Passes all of them to the taker. Sets exporting->trouble on an error. */
void timed_read(struct exporting *exporting, const struct timed_sink *taker);

#endif
