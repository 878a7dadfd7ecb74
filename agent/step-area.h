/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of vigil-step.so, the library that is preloaded into a step:
 *
 *	return-code.c	keeps return codes above 255, and abends
 *	cobol-files.c	stands before cob_open: notes what is opened
 *	cobol-lines.c	shows lines as records to programs that read records
 *	cobol-abend.c	CEE3ABD and ILBOABN0 for COBOL programs, and output that was lost
 *	cobol-ending.c	lets a program that a signal ends close its indexed files
 *	cobol-mark.c	marks an indexed file while it is open for update
 *	cobol-notes.c	notes for vigil what is opened and closed
 *	cobol-runtime.c	finds the run time that the program has loaded
 *
 * What it gets from the runner, in the environment (session/job/environment.c):
 *
 *	VIGIL_STEP_PID		the step's process; VIGIL_STEP_RC is written by it alone
 *	VIGIL_STEP_RC		file for the return code, or for an abend ("U0012 why")
 *	VIGIL_STEP_FILES	file for a line about each file that is opened, and each
 *				indexed one that was open for update and is closed
 *	VIGIL_STEP_LINES	paths of in-stream data and others in lines, each ended by a newline
 *	VIGIL_STEP_PERHAPS	paths of data sets that are lines if they look so
 *
 * and from a session that measures it VIGIL_FILES (file-area.h).
 *
 * A program that is not COBOL never comes here, except to return-code.c.
 */
#ifndef VIGIL_AGENT_STEP_AREA_H
#define VIGIL_AGENT_STEP_AREA_H

/*
 * The mark of an indexed file that is open for update: the extended attribute
 * says who updates it: process id, nanoseconds since boot, and a text for
 * people ("4711 123456789 job NAME, step NAME"). Where the file system keeps
 * none it is a file with that text, .vigil/updated/NAME in the file's folder.
 */
#define STEP_UPDATE_ATTRIBUTE "user.vigil.updated"
#define STEP_UPDATE_FOLDER "/updated" /* in .vigil */

/*
 * The abend of the step's process: what a later return code says does not
 * count. In another process (a child of the step) nothing is written. Always
 * says it on standard error. The caller ends the process.
 */
void step_abend(const char *code, const char *why);

#endif
