/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The DDs of a utility: files by name, with the attributes of their records as far
 * as they are known.
 *
 * In a step they come from the environment (DD_name, VIGIL_DCB_name), from the
 * shell also from arguments: --dd NAME=PATH[,RECFM=FB][,LRECL=80].
 */
#ifndef VIGIL_UTILITIES_DD_H
#define VIGIL_UTILITIES_DD_H

#include "datasets/records.h"
#include "utilities/utility.h"

struct dd {
	const char *name;
	char *path;
	struct attributes attributes; /* from the DD, else from the file */
};

/*
 * Looks a DD up. false: there is none, and nothing to release. Without a DD SYSIN,
 * SYSIN is standard input unless that is a terminal.
 */
bool dd_find(struct dd *dd, const char *name);
void dd_release(struct dd *dd);
/* Opens a DD for reading; -1 after a message. */
int dd_reader(struct utility *utility, const char *name, struct record_reader **reader,
	      struct attributes *attributes);
/*
 * Opens a DD for writing. Unknown attributes of the output are taken from defaults
 * (usually the input's; NULL: none) and stored with the file. *attributes gets the
 * result; attributes may be NULL. -1 after a message.
 */
int dd_writer(struct utility *utility, const char *name, const struct attributes *defaults,
	      unsigned options, struct record_writer **writer, struct attributes *attributes);
/* Does the same for a DD that is already found, or for any file; -1 with the reason in err. */
int dd_open_writer(struct utility *utility, struct dd *dd, const struct attributes *defaults,
		   unsigned options, struct record_writer **writer, struct error *err);
/*
 * Completes an output's unknown attributes from those of an input. From an input
 * with keys or numbers it takes what a sequential data set can have. A length
 * grows or shrinks by the record descriptor where the formats differ.
 */
void dd_complete(struct attributes *attributes, const struct attributes *defaults);
/*
 * Returns a DD's records, whatever their format, as the lines of a source (control
 * statements). NULL without such a DD, and after a message.
 */
struct source *dd_source(struct utility *utility, const char *name);

#endif
