/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines as records. A program whose file is ORGANIZATION SEQUENTIAL reads
 * records; cards and other files of lines are shown to it in a second file,
 * as records of its FD: each line filled with blanks, or cut.
 */
#ifndef VIGIL_AGENT_STEP_COBOL_LINES_H
#define VIGIL_AGENT_STEP_COBOL_LINES_H

#include "agent/cobol-runtime.h"

/*
 * Whether a file is opened to read records, and its path is that of a file of lines: one
 * of VIGIL_STEP_LINES, or one of VIGIL_STEP_PERHAPS that looks so.
 */
bool cobol_reads_lines(const struct cobol_file *file, const char *path, int mode);
/*
 * The path of the records of these lines. They are made when they are not there yet, or older
 * than the lines; what goes wrong is said on standard error, and the run time does not find the
 * file.
 */
void cobol_make_records(const struct cobol_file *file, const char *lines, char records[PATH_MAX]);

#endif
