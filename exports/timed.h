/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The samples and waits of a profile in the order of its data set, with their times, for forms
 * that have a time axis. The file is read a second time; what has come into it since the profile
 * was made is left out, so that sums are the profile's.
 *
 * Samples have their own times. Waits are sums over a snapshot, so of a wait only the snapshot is
 * known in which it was.
 */
#ifndef VIGIL_EXPORTS_TIMED_H
#define VIGIL_EXPORTS_TIMED_H

#include "exports/export-form.h"
#include "records/record-types.h"

/* A CPU sample; times in ns since the profile's start. */
struct timed_sample {
	uint64_t end; /* when it was taken; it stands for the CPU time before that */
	uint64_t cpu;
	size_t stack; /* number of the stack, ATTRIBUTION_NONE it is missing in the data */
	uint64_t task, transaction, kind;
};

/* Waits of one task at one place in one snapshot. */
struct timed_wait {
	uint64_t start, end; /* of the snapshot */
	size_t stack;
	const struct record_wait *row;
};

/* Who takes them: those that were selected, snapshot by snapshot, samples before waits. */
struct timed_taker {
	void (*sample)(void *argument, const struct timed_sample *sample);
	void (*wait)(void *argument, const struct timed_wait *wait);
	void *argument;
};

/* Gives all to the taker; what goes wrong is the trouble of the export. */
void timed_read(struct exporting *exporting, const struct timed_taker *taker);

#endif
