/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of vigil-step.so, the library that is preloaded into a step:
 *
 *	step.c		keeps return codes above 255
 *	cobol-files.c	stands before cob_open: notes what is opened, shows lines as records
 *	cobol-abend.c	CEE3ABD and ILBOABN0 for COBOL programs, and output that was lost
 *
 * What it gets from the runner, in the environment (session/job/environment.c):
 *
 *	VIGIL_STEP_PID		the step's process; VIGIL_STEP_RC is written by it alone
 *	VIGIL_STEP_RC		file for the return code, or for an abend ("U0012 why")
 *	VIGIL_STEP_FILES	file for a line about each file that is opened
 *	VIGIL_STEP_LINES	paths of in-stream data and others in lines, each ended by a newline
 *	VIGIL_STEP_PERHAPS	paths of data sets that are lines if they look so
 *
 * The library is linked with nothing of vigil and nothing of GnuCOBOL: it
 * looks functions up in the run time that the program has loaded. A program
 * that is not COBOL never comes here, except to step.c.
 */
#ifndef VIGIL_AGENT_STEP_AREA_H
#define VIGIL_AGENT_STEP_AREA_H

#include "common/compat.h"

/*
 * The abend of the step's process: what a later return code says does not
 * count. In another process (a child of the step) nothing is written. Always
 * says it on standard error. The caller ends the process.
 */
void step_abend(const char *code, const char *why);
/* A function of GnuCOBOL's run time, not this library's of the same name; NULL: not there. */
void *cobol_function(const char *name);
/* Whether the run time is the one whose structures stand below. */
bool cobol_known(void);

/* GnuCOBOL 3.x. Programs fill these structures themselves: their beginnings do not change. */
#define COBOL_LIBRARY "libcob.so.4"

struct cobol_field {
	size_t size;
	unsigned char *data;
	const void *attributes;
};

struct cobol_key {
	struct cobol_field *field;
	int flag, duplicates, ascending, suppress, suppress_character;
	unsigned offset;
	int components; /* 2 and more: the key is put together from several fields */
};

struct cobol_file {
	const char *name;
	unsigned char *status;
	struct cobol_field *assign, *record, *variable_record;
	struct cobol_key *keys;
	void *file, *linage;
	const unsigned char *collating;
	void *handler;
	size_t minimum, maximum, key_count; /* bytes of a record; keys of an indexed file */
	int fd;
	unsigned char organization, access, lock, mode;
};

enum cobol_organization { COBOL_SEQUENTIAL, COBOL_LINES, COBOL_RELATIVE, COBOL_INDEXED };
enum cobol_mode { COBOL_CLOSED, COBOL_INPUT, COBOL_OUTPUT, COBOL_UPDATE, COBOL_EXTEND };

#endif
