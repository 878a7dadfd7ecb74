/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One compilation unit of a program with DWARF information: its lines, its
 * functions and, function by function, the calls inlined into it. What these
 * mean together is said by unit-names.h, for COBOL by gnucobol.h.
 *
 * The information may come from anybody: every loop over it has a bound.
 */
#ifndef VIGIL_PROGRAM_NAMES_NAMES_UNIT_H
#define VIGIL_PROGRAM_NAMES_NAMES_UNIT_H

#include "common/idmap.h"
#include "common/strmap.h"
#include "program/names/names-ranges.h"
#include "program/names/names-source.h"
#include "program/names/names.h"

/* What all units share. Texts are never freed before the names are. */
struct name_texts {
	struct strmap strings;
	struct source_cache sources;
	int64_t object_time;  /* when the object now resolved was written; 0 unknown */
	struct strbuf remark; /* what the user should know of it; "" nothing */
};

struct line_row {
	uint64_t address;
	uint32_t file; /* number of the full path in the shared strings */
	uint32_t line;
	uint32_t block; /* the compiler's number of a block of the line (discriminator), 0 none */
	bool end;	/* first address after a sequence */
	bool statement; /* a good place to stop: where a statement begins */
};

struct inline_call {
	Dwarf_Die die;
	uint32_t parent;     /* index + 1 of the call that this one is inlined in, 0: function */
	uint32_t depth;	     /* 1 for calls in the function itself */
	uint32_t file, line; /* of the call */
	const char *name;    /* NULL until it is asked for */
};

struct unit_function {
	Dwarf_Die die;
	bool loaded;	     /* the calls below are read */
	const char *name;    /* NULL until it is asked for */
	const char *section; /* the same */
	struct inline_call *calls;
	size_t call_count, call_alloc;
	struct range_list call_ranges; /* owners: numbers in calls */
};

struct unit {
	Dwarf_Die die;		  /* the unit's content; of a split unit it is in the .dwo file */
	Dwarf_Die head;		  /* the unit in the file itself: the same, unless it is split */
	struct name_texts *texts; /* borrowed */
	bool loaded;
	const char *directory; /* of the compilation */
	const char *section; /* base name of the unit's source, with folders where others have it */
	const char *source;  /* path of the unit's source */
	const char *language;
	bool optimised;	    /* compiled with optimisation, as far as the compiler notes it */
	bool nests_classes; /* methods of local classes stand inside of functions, as GCC has it */
	uint64_t dead_end;  /* below it may lie what the linker has left out */
	struct line_row *rows; /* by address */
	size_t row_count;
	uint32_t *files; /* distinct files of the rows, numbers in the shared strings */
	size_t file_count, file_alloc;
	struct unit_function *functions;
	size_t function_count, function_alloc;
	struct range_list function_ranges;
	Dwarf_Files *source_files;
	struct idmap names; /* of functions without a linkage name, by the DIE that declares them */
};

void unit_init(struct unit *unit, const Dwarf_Die *die, const Dwarf_Die *head,
	       struct name_texts *texts);
void unit_release(struct unit *unit);
/* Read what the unit's source is called; unit_load does, where it was not done. */
void unit_read_source(struct unit *unit);
/* Read the unit; to be called once, before all below. */
void unit_load(struct unit *unit);

/* The function that holds address, the innermost of nested ones; NULL when none does. */
struct unit_function *unit_function_at(struct unit *unit, uint64_t address);
/* The calls inlined into a function, read when they are first asked for. */
void unit_load_calls(struct unit *unit, struct unit_function *function);
/* The innermost call inlined at address, or NULL. */
const struct inline_call *unit_call_at(struct unit *unit, struct unit_function *function,
				       uint64_t address);
/* The row that tells the line of an address: the one before where a compiler marks code with line
   0, as belonging to none. */
const struct line_row *unit_row_with_line(const struct unit *unit, uint64_t address);
/* The name of a function, or of the inlined one that a call calls, as its programmer wrote it. */
const char *unit_function_name(struct unit *unit, struct unit_function *function);
const char *unit_call_name(struct unit *unit, struct inline_call *call);
/* The section of a function: its unit's, or its own source where a unit is put together by LTO. */
const char *unit_function_section(struct unit *unit, struct unit_function *function);
/* The path of that source. */
const char *unit_function_source(struct unit *unit, struct unit_function *function);
/* A path of the unit made absolute by the directory of the compilation; a number in the strings. */
uint32_t unit_path(struct unit *unit, const char *path);
/* Say once what the user should know of the object. */
void name_texts_remark(struct name_texts *texts, const char *format, ...) PRINTFLIKE(2, 3);
/* Fill the text of a level's line. */
void name_texts_place(struct name_texts *texts, struct name *level);
/* Fill file, line and the text of the line. */
void unit_place(struct unit *unit, uint32_t file, uint64_t line, struct name *level);

#endif
