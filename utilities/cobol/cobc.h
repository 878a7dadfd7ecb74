/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the COBOL compiler step (IGYCRCTL) and the binder step (IEWL) share:
 * running cobc, and the object deck passed between them.
 *
 * An object deck is the content of SYSLIN: a sequence of objects, each preceded by
 * a line
 *
 *	VIGIL-OBJECT PROGRAM-ID bytes SIGN
 *
 * and followed, after that many bytes, by a newline. SIGN is the kind of sign
 * (signs.h) for which the object was compiled; decks of earlier versions lack it.
 * Binder statements may be between objects as lines of text, for SYSLIN is often a
 * concatenation.
 */
#ifndef VIGIL_UTILITIES_COBOL_COBC_H
#define VIGIL_UTILITIES_COBOL_COBC_H

#include "utilities/utility.h"

#define OBJECT_MARK "VIGIL-OBJECT"
/*
 * Prefix of a symbol, with "ASCII" or "EBCDIC", by which a module records the kind
 * of sign its objects were compiled for, so that a copy of the module has it too.
 */
#define SIGN_SYMBOL "vigil_sign_"

/*
 * Runs cobc in a folder; appends its output of both streams to output. Returns its
 * exit status, or -1 with the reason.
 */
int cobc_run(const char *const *arguments, const char *folder, struct strbuf *output, struct error *err);
/*
 * Creates a folder for work files in TMPDIR; NULL with the reason. The caller
 * frees the name and removes the folder.
 */
char *cobc_make_folder(struct error *err);
/*
 * Appends the name of a program as a symbol: a character that is no letter or
 * digit as "_2E", a hyphen as "__".
 */
void cobc_symbol(struct strbuf *sb, const char *program);
/*
 * Returns the next word of *text, which is terminated in place; *text moves behind
 * it. NULL: none.
 */
char *cobc_word(char **text, const char *separators);

#endif
