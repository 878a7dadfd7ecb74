/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines as records. A program whose file is ORGANIZATION SEQUENTIAL reads records;
 * cards and other files of lines are presented to it through a second file, as
 * records of its FD: each line padded with blanks, or truncated.
 */
#ifndef VIGIL_AGENT_STEP_COBOL_LINES_H
#define VIGIL_AGENT_STEP_COBOL_LINES_H

#include "agent/cobol-runtime.h"

/*
 * Returns whether a file is opened to read records, and its path is that of a file
 * of lines: one of VIGIL_STEP_LINES, or one of VIGIL_STEP_PERHAPS whose content
 * looks like lines.
 */
bool cobol_reads_lines(const struct cobol_file *file, const char *path, int mode);
/*
 * Gets the path of the records of a file of lines. Writes them if they do not
 * exist yet, or are older than the lines; errors are reported on standard error,
 * and the run time then does not find the file.
 */
void cobol_make_records(const struct cobol_file *file, const char *lines, char records[PATH_MAX]);

#endif
