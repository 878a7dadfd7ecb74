/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The DDs of a utility: files by name, with what is known of their records.
 *
 * In a step they come from the environment (DD_name, VIGIL_DCB_name), from
 * the shell also as arguments: --dd NAME=PATH[,RECFM=FB][,LRECL=80].
 */
#ifndef VIGIL_UTILITIES_DD_H
#define VIGIL_UTILITIES_DD_H

#include "datasets/records.h"
#include "utilities/utility.h"

struct dd {
	const char *name;
	char *path;
	struct attributes attributes; /* of the DD, else of the file */
};

/*
 * Looks a DD up. false, with nothing to release, when there is none; without
 * SYSIN, SYSIN is standard input where that is no terminal.
 */
bool dd_find(struct dd *dd, const char *name);
void dd_release(struct dd *dd);
/* Opens for reading; -1 after a message. */
int dd_reader(struct utility *utility, const char *name, struct record_reader **reader,
	      struct attributes *attributes);
/*
 * Opens for writing. What is not known of the output is taken from defaults (the
 * input's, as a rule; NULL: nothing) and kept with the file; attributes, which may
 * be NULL, is what it came to. -1 after a message.
 */
int dd_writer(struct utility *utility, const char *name, const struct attributes *defaults,
	      unsigned options, struct record_writer **writer, struct attributes *attributes);
/* The same for a DD, or any file, that is known already; -1 with the reason. */
int dd_open_writer(struct utility *utility, struct dd *dd, const struct attributes *defaults,
		   unsigned options, struct record_writer **writer, struct error *err);
/*
 * What is not known of an output is taken from an input: of one with keys or
 * numbers what a sequential data set can have; a length makes room for a
 * descriptor or gives it back.
 */
void dd_complete(struct attributes *attributes, const struct attributes *defaults);
/*
 * A DD's records as the lines of a source, whatever their form (control
 * statements). NULL when there is no such DD, and after a message.
 */
struct source *dd_source(struct utility *utility, const char *name);

#endif
