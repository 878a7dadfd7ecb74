/* SPDX-License-Identifier: Apache-2.0 */
/* Names of languages, by DWARF code and by file name. */
#ifndef VIGIL_PROGRAM_NAMES_UNIT_LANGUAGE_H
#define VIGIL_PROGRAM_NAMES_UNIT_LANGUAGE_H

#include "common/compat.h"

/* Returns the language for a DW_LANG code and a source file; "": unknown. */
const char *language_name(int code, const char *file);
/* Returns the language of a source file by its extension; "": unknown. */
const char *language_of_file(const char *path);
/* Returns whether functions of the language can be nested in functions. */
bool language_nests_functions(const char *language);
/* Returns whether functions of the language are distinguished by their scopes and parameters. */
bool language_has_scopes(const char *language);
/* Returns whether a file's name is that of a COBOL source. */
bool language_is_cobol(const char *path);

#endif
