/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A COBOL program that updates indexed files ends whole when a signal ends it:
 * Berkeley DB keeps pages in memory, and a file that is not closed has only
 * some of them. While the program is in a verb of the run time the signal
 * waits until the verb is done; then the run time closes all files, and the
 * signal ends the program. SIGXCPU, which the run time does not know, does the
 * same. A fault within a verb ends the program at once: the run time's handler
 * would wait for a lock of the library that faulted.
 *
 * No signal is touched in a program that opens no indexed file.
 */
#ifndef VIGIL_AGENT_STEP_COBOL_ENDING_H
#define VIGIL_AGENT_STEP_COBOL_ENDING_H

#include "agent/cobol-runtime.h"

/* A verb of the run time begins and is done; verbs may call others. */
void cobol_verb_begins(void);
void cobol_verb_done(void);
/* The program abends: by a signal, by an error of the run time, or because it asked for it. */
void cobol_abends(void);
/* A file was opened, and is marked when it is an indexed one that may be changed. path is absolute.
 */
void cobol_opened(const struct cobol_file *file, const char *path);
/*
 * A file was closed: its mark goes when nothing was lost. That it was is noted in VIGIL_STEP_FILES;
 * by the program, or (implicit) by the run time for a program that ends, or abends:
 *
 *	path TAB CLOSED|ENDED|ABENDED TAB
 */
void cobol_closed(const struct cobol_file *file, bool implicit);

#endif
