/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of vigil-step.so, the library that is preloaded into a step:
 *
 * 	return-code.c	keeps return codes above 255, and abends
 * 	cobol-files.c	interposes on cob_open: notes which files are opened
 * 	cobol-lines.c	presents lines as records to programs that read records
 * 	cobol-abend.c	CEE3ABD and ILBOABN0 for COBOL programs, and output that was lost
 * 	cobol-ending.c	lets a program ended by a signal close its indexed files
 * 	cobol-mark.c	marks an indexed file while it is open for update
 * 	cobol-notes.c	notes for vigil which files are opened and closed
 * 	cobol-runtime.c	finds the run time that the program has loaded
 *
 * Its input from the runner, in the environment (session/job/environment.c):
 *
 * 	VIGIL_STEP_PID		the step's process; only it writes VIGIL_STEP_RC
 * 	VIGIL_STEP_RC		file for the return code, or for an abend ("U0012 why")
 * 	VIGIL_STEP_FILES	file for a line about each file that is opened, and each
 * 				indexed one that was open for update and is closed
 * 	VIGIL_STEP_LINES	paths of in-stream data and other files of lines, one per line
 * 	VIGIL_STEP_PERHAPS	paths of data sets that may be files of lines: the content decides
 *
 * and VIGIL_FILES (file-area.h) from a session that measures it.
 *
 * In a program that is not COBOL only return-code.c does anything.
 */
#ifndef VIGIL_AGENT_STEP_AREA_H
#define VIGIL_AGENT_STEP_AREA_H

/*
 * The mark of an indexed file that is open for update: an extended attribute that
 * says who updates it: process id, nanoseconds since boot, and a text for users
 * ("4711 123456789 job NAME, step NAME"). On a file system without extended
 * attributes it is a file with that text, .vigil/updated/NAME in the file's
 * folder.
 */
#define STEP_UPDATE_ATTRIBUTE "user.vigil.updated"
#define STEP_UPDATE_FOLDER "/updated" /* in .vigil */

/*
 * Records an abend of the step's process; later return codes are ignored. In
 * another process (a child of the step) nothing is recorded. Always writes a
 * message to standard error. The caller ends the process.
 */
void step_abend(const char *code, const char *why);

#endif
