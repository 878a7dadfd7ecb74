/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CPU time by section, procedure and statement, counted twice: to whom it
 * executed in (TOTAL), and to the program's own code on whose behalf it was
 * spent (CHARGED). Both add up to all samples.
 */
#ifndef VIGIL_PROFILE_USAGE_H
#define VIGIL_PROFILE_USAGE_H

#include "profile/profile.h"
#include "profile/sums.h"

enum usage_amount { USAGE_TOTAL, USAGE_SOLO, USAGE_CHARGED, USAGE_CHARGED_SOLO, USAGE_AMOUNTS };

/* Keys of rows: what makes one row of Program Usage by Procedure. */
enum usage_key {
	USAGE_MODULE,
	USAGE_SECTION,
	USAGE_REAL_MODULE, /* where section is a pseudo-section, otherwise as MODULE */
	USAGE_PROCEDURE,   /* 0 when it has no name: then START is that of a block of code, */
			   /* or SIZE is 0 as well: the place in the module is not known */
	USAGE_START,
	USAGE_SIZE,
	USAGE_FILE, /* path of the file of the line; "" unknown */
	USAGE_OTHER_FILE, /* its name, where it is not the section's own source; else "" */
	USAGE_LINE,
	USAGE_TEXT,
	USAGE_KEYS
};

struct usage {
	struct sums sections; /* module, section, function: in order of module and section */
	struct sums rows;     /* enum usage_key; in order of module, section, start, file, line */
	/* CPU samples that reach no frame of the program. */
	uint64_t unreached, unreached_solo;
};

/* Bytes of a block of code where there are no names, unless something else is asked for. */
#define USAGE_RESOLUTION 64

/* resolution: bytes of a block of code where there are no names, 0 for USAGE_RESOLUTION. */
void usage_init(struct usage *usage, const struct profile *profile, unsigned resolution);
void usage_release(struct usage *usage);
/* Sum rows up to procedures: all from FILE on becomes 0; procedures is initialized here. */
void usage_procedures(const struct usage *usage, struct sums *procedures);
/* Append the name of a procedure, or "+12C0" for a block of code without one. */
void usage_label(const struct profile *profile, const uint64_t *key, struct strbuf *sb);

#endif
