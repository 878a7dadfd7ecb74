/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CPU time by section, procedure and statement, counted twice: where it executed
 * (TOTAL), and for which part of the program's code it was spent (CHARGED). Both
 * add up to all samples.
 */
#ifndef VIGIL_PROFILE_USAGE_H
#define VIGIL_PROFILE_USAGE_H

#include "profile/profile.h"
#include "profile/sums.h"

/* PLACED: the part of profile_cpu_placed, for margins; where it executed it is the kernel's alone. */
enum usage_amount {
	USAGE_TOTAL,
	USAGE_SOLO,
	USAGE_CHARGED,
	USAGE_CHARGED_SOLO,
	USAGE_CHARGED_PLACED,
	USAGE_AMOUNTS
};

/* Keys of rows: they identify one row of Program Usage by Procedure. */
enum usage_key {
	USAGE_MODULE,
	USAGE_SECTION,
	USAGE_REAL_MODULE, /* if section is a pseudo-section, else the same as MODULE */
	USAGE_PROCEDURE,   /* 0: no name; then START is that of a block of code, */
			   /* or SIZE is 0 as well: the place in the module is unknown */
	USAGE_START,
	USAGE_SIZE,
	USAGE_FILE, /* path of the line's file; "" unknown */
	USAGE_OTHER_FILE, /* base name of that file if it is not the section's main source; else
			   * "" */
	USAGE_LINE,
	USAGE_TEXT,
	USAGE_KEYS
};

struct usage {
	struct sums sections; /* module, section, function: sorted by module and section */
	struct sums rows;     /* enum usage_key; sorted by module, section, start, file, line */
	/* CPU samples without a frame of the program on their stack. */
	uint64_t unreached[USAGE_AMOUNTS];
};

/* Default bytes per block of code without names. */
#define USAGE_RESOLUTION 64

/* resolution: bytes per block of code without names, 0: USAGE_RESOLUTION. */
void usage_init(struct usage *usage, const struct profile *profile, unsigned resolution);
void usage_release(struct usage *usage);
/* Sums rows by procedure: the keys from FILE on become 0; initializes procedures. */
void usage_procedures(const struct usage *usage, struct sums *procedures);
/* Appends the name of a procedure, or "+12C0" for a block of code without a name. */
void usage_label(const struct profile *profile, const uint64_t *key, struct strbuf *sb);

#endif
