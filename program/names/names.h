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
 * ("read@plt"), the table that Go programs carry, a perf map (/tmp/perf-PID.map) for anonymous memory,
 * /proc/kallsyms for the kernel. A routine of a stripped object that has no
 * symbol is named by where it begins ("+0x1f40"). C++ and Rust names are shown demangled.
 * What was found is kept for later sessions where a folder is given (names-cache.h).
 * Each object whose names could not be had gets a note that says why.
 */
#ifndef VIGIL_PROGRAM_NAMES_NAMES_H
#define VIGIL_PROGRAM_NAMES_NAMES_H

#include "program/objects/object.h"

struct name {
	const char *procedure; /* "" unknown; all texts live as long as the struct names */
	/* Source file name of the unit, with as many of its folders as tell it from others of the
	   object; "" unknown. */
	const char *section;
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
/* Keep names in a folder for the next session, and take those from there that are known
   (names-cache.h). Where the folder cannot be used all is as without. */
void names_use_cache(struct names *names, const char *folder);
/*
 * Whether nobody waits for the names at the moment, as while a step runs: then more CPU time may go into keeping
 * those of an object of which an earlier session kept too few, so that no later one has to read it.
 */
void names_unhurried(struct names *names, bool unhurried);
/* Write what was found since. */
void names_save_cache(struct names *names);
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
	bool optimised;	     /* the unit was compiled with optimisation, as far as that is known */
	bool mixed;	     /* optimised, and the compiler says nowhere that a statement of the innermost
				line begins: these instructions are those of other lines, too */
	bool doubtful;	     /* code that the linker left out may have the same addresses */
	uint32_t block;	     /* the compiler's number of a block of the line, 0 none */
	uint32_t other_line; /* of the same file, where a function begins: another statement that does,
				and has no instructions there; 0 none */
	const char *source;  /* path of the unit's source */
	const char *program; /* of COBOL: its PROGRAM-ID; "" others */
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

/* Append that text. */
void names_show_line(struct names *names, const char *path, uint64_t line, struct strbuf *sb);

/* A text that lives as long as names. */
const char *names_keep(struct names *names, const char *text);

#endif
