/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Resolves addresses to names: procedure, source file and line, inlined functions,
 * COBOL sections and paragraphs. Used once, when a session ends; reads files with
 * libdw and libelf.
 *
 * Sources of a name, best first: DWARF (line table, inlined subroutines; for COBOL
 * the paragraph headings in the source file and the labels from the compiler),
 * separate debug files (build id under /usr/lib/debug, .gnu_debuglink, debuginfod
 * only if DEBUGINFOD_URLS is set), the symbol tables (.symtab, .dynsym, the
 * compressed one in .gnu_debugdata), PLT stubs ("read@plt"), the function table of
 * Go programs, a perf map (/tmp/perf-PID.map) for anonymous memory, /proc/kallsyms
 * for the kernel. A routine of a stripped object that has no symbol is named by
 * its start ("+0x1f40"). C++ and Rust names are demangled. Names are cached for
 * later sessions if a folder is given (names-cache.h). Each object whose names are
 * not available gets a note that says why.
 */
#ifndef VIGIL_PROGRAM_NAMES_NAMES_H
#define VIGIL_PROGRAM_NAMES_NAMES_H

#include "program/objects/object.h"

struct name {
	const char *procedure; /* "": unknown; all texts live as long as the struct names */
	/*
	 * Source file name of the unit, with as many of its folders as distinguish it from
	 * others of the object; "": unknown.
	 */
	const char *section;
	const char *file;      /* full path, as recorded by the compiler */
	const char *language;
	const char *text;     /* the source line, "" if it is not readable */
	uint64_t start, size; /* of the procedure, in the object's terms */
	uint64_t line;	      /* 0: unknown */
};

#define NAMES_MAX_INLINE 32

struct names;

struct names *names_new(void);
void names_free(struct names *names);
/* Looks for the system's debug files below another folder than /usr/lib/debug. */
void names_debug_folder(struct names *names, const char *folder);
/*
 * Caches names in a folder for later sessions, and uses names cached there
 * (names-cache.h). If the folder cannot be used, there is no cache.
 */
void names_use_cache(struct names *names, const char *folder);
/*
 * Sets whether nothing waits for the names at the moment, as while a step runs:
 * then more CPU time may be spent on caching those of an object of which an
 * earlier session cached too few, so that no later session has to read it.
 */
void names_set_idle(struct names *names, bool unhurried);
/* Writes what was found since. */
void names_save_cache(struct names *names);
/*
 * Resolves one address. Fills levels, innermost first, and returns their number; 0
 * if nothing is known. pid is a process that executed it, for perf maps.
 */
size_t names_resolve(struct names *names, struct object *object, uint64_t offset, pid_t pid,
		     struct name levels[NAMES_MAX_INLINE]);
/*
 * A range of instructions with the same meaning: a level for each call inlined
 * there, innermost first, and one for the function; as names_resolve returns for
 * any address from start to end.
 */
struct name_stretch {
	uint64_t start, end; /* in the object's terms */
	bool begins;	     /* according to the compiler a statement begins at start */
	bool optimised;	     /* the unit was compiled with optimisation, as far as known */
	bool mixed;	     /* optimised, and the compiler marks nowhere the beginning of a
			      * statement of the innermost line: these instructions belong to
			      * other lines, too */
	bool doubtful;	     /* code that the linker dropped may have the same addresses */
	uint32_t block;	     /* the compiler's number of a block of the line, 0: none */
	uint32_t other_line; /* line in the same file, where a function begins: another statement
			      * that begins here, too, but has no instructions here; 0: none */
	const char *source;  /* path of the unit's source */
	const char *program; /* for COBOL the PROGRAM-ID; "": other language */
	size_t count;	     /* number of levels, at least 1 */
	struct name_level {
		const char *procedure, *section, *file, *language; /* as in struct name */
		uint64_t line; /* 0: no statement (internal code of a compiler) */
	} levels[NAMES_MAX_INLINE];
};

/* Receives a stretch, which belongs to the caller; returns false if no more are wanted. */
typedef bool names_stretch_callback(void *argument, const struct name_stretch *stretch);
/*
 * Passes to take all stretches of an object's instructions whose lines are in the
 * debug information: unit by unit, in each by address, without overlap. None if
 * there is no debug information; the object's note says why. statements.h makes a
 * list of them.
 */
void names_stretches(struct names *names, struct object *object, names_stretch_callback *take,
		     void *argument);
/* Returns the text of a line of a source file, "" if it is not readable; lives as long as names. */
const char *names_source_line(struct names *names, const char *path, uint64_t line);

/* Appends that text. */
void names_show_line(struct names *names, const char *path, uint64_t line, struct strbuf *sb);

/* Returns a copy of a text that lives as long as names. */
const char *names_keep(struct names *names, const char *text);

#endif
