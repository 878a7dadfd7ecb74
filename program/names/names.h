/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What addresses mean: procedure, source file and line, inlined functions,
 * COBOL sections and paragraphs. Used once, when a session ends; libdw and
 * libelf do the reading.
 *
 * Sources of a name, best first: DWARF (line table, inlined subroutines,
 * for COBOL the source file's own paragraph headings and the labels the
 * compiler leaves), separate debug files (build id under /usr/lib/debug,
 * .gnu_debuglink, debuginfod only when DEBUGINFOD_URLS is set), the symbol
 * tables (.symtab, .dynsym, the compressed one in .gnu_debugdata), PLT stubs
 * ("read@plt"), a perf map (/tmp/perf-PID.map) for anonymous memory,
 * /proc/kallsyms for the kernel. A routine of a stripped object that has no
 * symbol is named by where it begins ("+0x1f40"). C++ and Rust names are shown demangled.
 * Each object whose names could not be had gets a note that says why.
 */
#ifndef VIGIL_PROGRAM_NAMES_NAMES_H
#define VIGIL_PROGRAM_NAMES_NAMES_H

#include "program/objects/object.h"

struct name {
	const char *procedure; /* "" unknown; all texts live as long as the struct names */
	const char *section;   /* source file name of the unit, without folders; "" unknown */
	const char *file;      /* full path as the compiler knew it */
	const char *language;
	const char *text;     /* the source line, "" when it cannot be read */
	uint64_t start, size; /* of the procedure, object's terms */
	uint64_t line;	      /* 0 unknown */
};

#define NAMES_MAX_INLINE 32

struct names;

struct names *names_new(void);
void names_free(struct names *names);
/* Look for the debug files of the system below another folder than /usr/lib/debug. */
void names_debug_folder(struct names *names, const char *folder);
/*
 * Resolve one address. Fills levels, innermost first, and returns how many;
 * 0 when nothing is known. pid is a process that ran it, for perf maps.
 */
size_t names_resolve(struct names *names, struct object *object, uint64_t offset, pid_t pid,
		     struct name levels[NAMES_MAX_INLINE]);
/* Instructions that all mean the same, and what: a level for each call inlined there, innermost
   first, and one for the function; as names_resolve says for any address from start to end. */
struct name_stretch {
	uint64_t start, end; /* in the object's terms */
	bool begins;	     /* the compiler says that a statement begins at start */
	size_t count;	     /* levels, at least 1 */
	struct name_level {
		const char *procedure, *section, *file, *language; /* as in struct name */
		uint64_t line; /* 0: of no statement (housekeeping of a compiler) */
	} levels[NAMES_MAX_INLINE];
};

/* Takes a stretch, which is the caller's; false: no more are wanted. */
typedef bool names_take_stretch(void *argument, const struct name_stretch *stretch);
/*
 * Give all stretches of an object's instructions that debug information tells
 * the lines of: unit by unit, in each by address, without overlap. None when
 * there is no debug information; the object's note says why. statements.h makes
 * a list of them.
 */
void names_stretches(struct names *names, struct object *object, names_take_stretch *take,
		     void *argument);
/* The text of a line of a source file, "" when it cannot be read; lives as long as names. */
const char *names_source_line(struct names *names, const char *path, uint64_t line);

#endif
