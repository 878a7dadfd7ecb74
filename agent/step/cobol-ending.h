/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lets a COBOL program that updates indexed files leave them complete when a
 * signal ends it: Berkeley DB keeps pages in memory, and a file that is not closed
 * lacks some of them. While the program is in a verb of the run time the signal
 * waits until the verb is done; then the run time closes all files, and the signal
 * ends the program. SIGXCPU, which the run time does not handle, is treated the
 * same way. A fault within a verb ends the program at once: the run time's handler
 * would wait for a lock of the library that faulted.
 *
 * Signals are left alone in a program that opens no indexed file.
 */
#ifndef VIGIL_AGENT_STEP_COBOL_ENDING_H
#define VIGIL_AGENT_STEP_COBOL_ENDING_H

#include "agent/cobol-runtime.h"

/* Mark the begin and end of a verb of the run time; verbs may nest. */
void cobol_verb_begins(void);
void cobol_verb_done(void);
/*
 * Records that the program abends: by a signal, by an error of the run time, or at
 * its own request.
 */
void cobol_abends(void);
/* Marks a file that was opened if it is an indexed one that may be changed. path is absolute. */
void cobol_opened(const struct cobol_file *file, const char *path);
/*
 * Removes the mark of a file that was closed without loss, and notes the close in
 * VIGIL_STEP_FILES; it was closed by the program, or (implicit) by the run time
 * when the program ends or abends:
 *
 * 	path TAB CLOSED|ENDED|ABENDED TAB
 */
void cobol_closed(const struct cobol_file *file, bool implicit);

#endif
