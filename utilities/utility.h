/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the utility programs share: DDs by name, and messages on SYSPRINT with
 * the highest severity as return code.
 */
#ifndef VIGIL_UTILITIES_UTILITY_H
#define VIGIL_UTILITIES_UTILITY_H

#include "common/diag.h"
#include "common/error.h"

struct utility {
	const char *name; /* "IEBGENER" */
	FILE *print;	  /* SYSPRINT, or standard output without such a DD */
	unsigned worst;	  /* highest severity so far: the return code */
};

/* Opens SYSPRINT. */
void utility_init(struct utility *utility, const char *name);
/*
 * Closes SYSPRINT. Returns the return code; 12 when messages could not be written.
 * A step that ran out of space for its records has abended (SB37), whatever the
 * code.
 */
int utility_end(struct utility *utility);
/* Prints a line of the user's between two texts, escaped for a terminal (diag_add_printable). */
void utility_echo(FILE *print, const char *before, const char *text, size_t length,
		  const char *behind);
/* Prints a line on standard error, escaped by diag_escape. */
void utility_print_error(const char *format, ...) PRINTFLIKE(1, 2);
/* Prints "VIGnnnnX text" on SYSPRINT, escaped by diag_escape. Returns -1. */
int utility_message(struct utility *utility, enum severity severity, unsigned number,
		    const char *format, ...) PRINTFLIKE(4, 5);
/*
 * Prints a message that users know by another product's id, which comes first,
 * with vigil's id at the end: "IDC3012I ENTRY A.B NOT FOUND (VIG5551E)". number 0:
 * vigil has no id for it; the severity still counts. Returns -1.
 */
int utility_foreign_message(struct utility *utility, const char *id, enum severity severity, unsigned number,
		  const char *format, ...) PRINTFLIKE(5, 6);
/*
 * Parses the arguments of a call from the shell: --dd
 * NAME=PATH[,RECFM=x][,LRECL=n], --root DIR, --map FILE, --sign KIND, --help,
 * --version. *parm is the remaining one, PARM, or NULL. -1 after a message on
 * standard error; 1: nothing is left to do (--help).
 */
int utility_arguments(struct utility *utility, int argc, char **argv, const char **parm);
/* Returns a DD's path; NULL: the step has no such DD. */
const char *utility_dd(const char *ddname);
/*
 * Returns the name of a DD's data set; NULL: it has none or it is unknown (a call
 * from the shell).
 */
const char *utility_dsn(const char *ddname);
/*
 * Returns whether a path is a SYSOUT data set, a device, a pipe or a stream of the
 * process. Such a file has lines by default, stores no record format, and may have
 * several writers.
 */
bool utility_is_stream(const char *path);
/*
 * Opens a file for a listing: a data set is truncated, a stream is appended to.
 * NULL with errno set.
 */
FILE *utility_listing(const char *path);
/*
 * Returns whether two paths are the same regular file; then reading one while
 * writing the other would lose data.
 */
bool utility_same_file(const char *a, const char *b);

#endif
