/* SPDX-License-Identifier: Apache-2.0 */
/* Names of languages, for DWARF codes and file names. */
#include "common/compat.h"
#include "program/names/unit-language.h"

#include <dwarf.h>
#include <strings.h>

static const struct language {
	int code;
	const char *name;
} languages[] = {
	{ DW_LANG_C89, "C" },
	{ DW_LANG_C, "C" },
	{ DW_LANG_C99, "C" },
	{ DW_LANG_C11, "C" },
	{ 0x2c /* C17 */, "C" },
	{ 0x3e /* C23 */, "C" },
	{ DW_LANG_C_plus_plus, "C++" },
	{ DW_LANG_C_plus_plus_03, "C++" },
	{ DW_LANG_C_plus_plus_11, "C++" },
	{ DW_LANG_C_plus_plus_14, "C++" },
	{ 0x2b /* C++17 */, "C++" },
	{ 0x2e /* C++20 */, "C++" },
	{ 0x3a /* C++23 */, "C++" },
	{ DW_LANG_Cobol74, "COBOL" },
	{ DW_LANG_Cobol85, "COBOL" },
	{ 0x48 /* Cobol 2023 */, "COBOL" },
	{ DW_LANG_Fortran77, "Fortran" },
	{ DW_LANG_Fortran90, "Fortran" },
	{ DW_LANG_Fortran95, "Fortran" },
	{ DW_LANG_Fortran03, "Fortran" },
	{ DW_LANG_Fortran08, "Fortran" },
	{ 0x2d /* Fortran 18 */, "Fortran" },
	{ DW_LANG_Ada83, "Ada" },
	{ DW_LANG_Ada95, "Ada" },
	{ 0x2f /* Ada 2005 */, "Ada" },
	{ 0x30 /* Ada 2012 */, "Ada" },
	{ DW_LANG_Pascal83, "Pascal" },
	{ DW_LANG_Modula2, "Modula-2" },
	{ DW_LANG_Modula3, "Modula-3" },
	{ DW_LANG_PLI, "PL/I" },
	{ DW_LANG_D, "D" },
	{ DW_LANG_Go, "Go" },
	{ DW_LANG_Rust, "Rust" },
	{ DW_LANG_Swift, "Swift" },
	{ DW_LANG_Java, "Java" },
	{ DW_LANG_Python, "Python" },
	{ DW_LANG_ObjC, "Objective-C" },
	{ DW_LANG_ObjC_plus_plus, "Objective-C++" },
	{ DW_LANG_OCaml, "OCaml" },
	{ DW_LANG_Haskell, "Haskell" },
	{ DW_LANG_Julia, "Julia" },
	{ 0x27 /* Zig */, "Zig" },
	{ DW_LANG_Mips_Assembler, "Assembler" },
};

bool language_is_cobol(const char *path)
{
	static const char *const endings[] = { ".cob", ".cbl", ".cobol", ".cpy", ".cpb" };
	const char *dot = strrchr(path, '.');

	for (size_t i = 0; dot && i < ARRAY_SIZE(endings); i++)
		if (!strcasecmp(dot, endings[i]))
			return true;
	return false;
}

const char *language_name(int code, const char *file)
{
	if (language_is_cobol(file))
		return "COBOL";
	for (size_t i = 0; i < ARRAY_SIZE(languages); i++)
		if (languages[i].code == code)
			return languages[i].name;
	return "";
}

const char *language_of_file(const char *path)
{
	static const char *const endings[][2] = {
		{ ".py", "Python" },	 { ".pyw", "Python" },	  { ".pl", "Perl" },
		{ ".pm", "Perl" },	 { ".t", "Perl" },	  { ".sh", "Shell" },
		{ ".bash", "Shell" },	 { ".dash", "Shell" },	  { ".ksh", "Shell" },
		{ ".sql", "SQL" },	 { ".pgsql", "SQL" },	  { ".rb", "Ruby" },
		{ ".lua", "Lua" },	 { ".js", "JavaScript" }, { ".mjs", "JavaScript" },
		{ ".ts", "TypeScript" }, { ".php", "PHP" },	  { ".tcl", "Tcl" },
		{ ".awk", "Awk" },	 { ".java", "Java" },	  { ".scala", "Scala" },
		{ ".r", "R" },		 { ".jl", "Julia" },	  { ".nsp", "Natural" },
		{ ".rexx", "REXX" },	 { ".rex", "REXX" },	  { ".c", "C" },
	};
	const char *dot = strrchr(path, '.');

	if (language_is_cobol(path))
		return "COBOL";
	for (size_t i = 0; dot && i < ARRAY_SIZE(endings); i++)
		if (!strcasecmp(dot, endings[i][0]))
			return endings[i][1];
	return "";
}

bool language_nests_functions(const char *language)
{
	static const char *const nesting[] = { "C",	   "Fortran", "Ada",   "Pascal",
					       "Modula-2", "D",	      "COBOL", "PL/I" };

	for (size_t i = 0; i < ARRAY_SIZE(nesting); i++)
		if (!strcmp(language, nesting[i]))
			return true;
	return false;
}

bool language_has_scopes(const char *language)
{
	return !strcmp(language, "C++") || !strcmp(language, "Objective-C++");
}
