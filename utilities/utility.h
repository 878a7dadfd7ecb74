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
 * Closes SYSPRINT; the return code, 12 when the messages could not be written. A
 * step whose records found no room has abended (SB37), whatever the code.
 */
int utility_end(struct utility *utility);
/* A line of the user's as it may be shown on a terminal (diag_add_printable), between two texts. */
void utility_echo(FILE *print, const char *before, const char *text, size_t length,
		  const char *behind);
/* A line on standard error, escaped as diag_escape says. */
void utility_say(const char *format, ...) PRINTFLIKE(1, 2);
/* "VIGnnnnX text" on SYSPRINT, escaped as diag_escape says. Returns -1. */
int utility_message(struct utility *utility, enum severity severity, unsigned number,
		    const char *format, ...) PRINTFLIKE(4, 5);
/*
 * A message that users know by another product's id, which then stands first
 * and the one of vigil's own behind it: "IDC3012I ENTRY A.B NOT FOUND (VIG5551E)".
 * number 0: there is no such, the severity is still counted. Returns -1.
 */
int utility_known(struct utility *utility, const char *id, enum severity severity, unsigned number,
		  const char *format, ...) PRINTFLIKE(5, 6);
/*
 * Takes the arguments of a call from the shell, --dd
 * NAME=PATH[,RECFM=x][,LRECL=n], --root DIR, --map FILE, --sign KIND, --help,
 * --version; what is left is PARM, NULL when there is none. -1 after a message on
 * standard error; 1: nothing is left to do (--help).
 */
int utility_arguments(struct utility *utility, int argc, char **argv, const char **parm);
/* The path of a DD, NULL when the step has none. */
const char *utility_dd(const char *ddname);
/* The name of a DD's data set, NULL when it has none or nobody says it (a call from the shell). */
const char *utility_dsn(const char *ddname);
/*
 * Returns whether a path is a SYSOUT data set, a device, a pipe or a stream of the
 * process: it has lines when nothing else is said, keeps no record format, and
 * several may write to it.
 */
bool utility_is_stream(const char *path);
/* Open a file for a listing: a data set begins anew, a stream goes on. NULL with errno set. */
FILE *utility_listing(const char *path);
/*
 * Returns whether two paths are one regular file: reading one while writing the
 * other would lose it.
 */
bool utility_same_file(const char *a, const char *b);

#endif
