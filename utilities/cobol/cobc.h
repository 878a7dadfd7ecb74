/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the COBOL compiler step (IGYCRCTL) and the binder step (IEWL) share:
 * running cobc, and the object deck that passes between them.
 *
 * An object deck is the content of SYSLIN: objects, one after the other,
 * each with a line before it,
 *
 *	VIGIL-OBJECT PROGRAM-ID bytes SIGN
 *
 * and then that many bytes and a newline; SIGN is the kind of sign (signs.h) that
 * the object was compiled for, and is missing in decks of earlier versions. Binder statements may stand
 * between objects as lines of text, for SYSLIN is often a concatenation.
 */
#ifndef VIGIL_UTILITIES_COBOL_COBC_H
#define VIGIL_UTILITIES_COBOL_COBC_H

#include "utilities/utility.h"

#define OBJECT_MARK "VIGIL-OBJECT"
/*
 * A module keeps the kind of sign its objects were compiled for as a symbol
 * SIGN_SYMBOL "ASCII" or "EBCDIC", so that a copy has it, too.
 */
#define SIGN_SYMBOL "vigil_sign_"

/*
 * Runs cobc in a folder; what it says on both its streams is appended to output.
 * Its exit status, or -1 with the reason.
 */
int cobc_run(const char *const *arguments, const char *folder, struct strbuf *output, struct error *err);
/*
 * Makes a folder for work files, in TMPDIR; NULL with the reason. The caller frees
 * and removes it.
 */
char *cobc_make_folder(struct error *err);
/*
 * Appends the name of a program as a symbol: what is no letter or digit as "_2E",
 * a hyphen as "__".
 */
void cobc_symbol(struct strbuf *sb, const char *program);
/*
 * Cuts the next word off *text, which is left behind it; separators are those
 * characters. NULL: none.
 */
char *cobc_word(char **text, const char *separators);

#endif
