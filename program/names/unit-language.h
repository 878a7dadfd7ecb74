/* SPDX-License-Identifier: Apache-2.0 */
/* The languages of DWARF, and of files, by name. */
#ifndef VIGIL_PROGRAM_NAMES_UNIT_LANGUAGE_H
#define VIGIL_PROGRAM_NAMES_UNIT_LANGUAGE_H

#include "common/compat.h"

/* The language of a DW_LANG code and a source file; "" when it is not known. */
const char *language_name(int code, const char *file);
/* The language of a source file by the ending of its name; "" when it says nothing. */
const char *language_of_file(const char *path);
/* Whether functions of the language can stand inside functions. */
bool language_nests_functions(const char *language);
/* Whether functions of the language are told apart by their scopes and by what they take. */
bool language_has_scopes(const char *language);
/* Whether a file's name says that it is COBOL. */
bool language_is_cobol(const char *path);

#endif
