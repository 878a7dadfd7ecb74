/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One compilation unit of a program with DWARF information: its lines, its
 * functions and, for each function, the calls inlined into it. unit-names.h
 * combines them, gnucobol.h for COBOL.
 *
 * The information is untrusted: every loop over it has a limit.
 */
#ifndef VIGIL_PROGRAM_NAMES_NAMES_UNIT_H
#define VIGIL_PROGRAM_NAMES_NAMES_UNIT_H

#include "common/idmap.h"
#include "common/strmap.h"
#include "program/names/names-ranges.h"
#include "program/names/names-source.h"
#include "program/names/names.h"

/* Shared by all units. Texts are freed only with the names. */
struct name_texts {
	struct strmap strings;
	struct source_cache sources;
	int64_t object_time;  /* modification time of the object being resolved; 0: unknown */
	struct strbuf remark; /* message for the user about it; "": none */
};

struct line_row {
	uint64_t address;
	uint32_t file; /* number of the full path in the shared strings */
	uint32_t line;
	uint32_t block; /* the compiler's number of a block of the line (discriminator), 0: none */
	bool end;	/* first address after a sequence */
	bool statement; /* recommended breakpoint: a statement begins here */
};

struct inline_call {
	Dwarf_Die die;
	uint32_t parent;     /* index + 1 of the call that this one is inlined in, 0: the
			      * function */
	uint32_t depth;	     /* 1 for calls directly in the function */
	uint32_t file, line; /* of the call site */
	const char *name;    /* NULL until requested */
};

struct unit_function {
	Dwarf_Die die;
	bool loaded;	     /* the calls below were read */
	const char *name;    /* NULL until requested */
	const char *section; /* NULL until requested */
	struct inline_call *calls;
	size_t call_count, call_alloc;
	struct range_list call_ranges; /* owners: indices in calls */
};

struct unit {
	Dwarf_Die die;		  /* the unit's content; for a split unit it is in the .dwo file */
	Dwarf_Die head;		  /* the unit in the file itself: the same, unless it is split */
	struct name_texts *texts; /* borrowed */
	bool loaded;
	const char *directory; /* compilation directory */
	const char *section; /* base name of the unit's source, with folders if others have the
			      * same */
	const char *source;  /* path of the unit's source */
	const char *language;
	bool optimised;	    /* compiled with optimisation, as far as the compiler records it */
	bool nests_classes; /* methods of local classes are inside functions, as in GCC's output */
	uint64_t dropped_end;  /* below this address there may be code that the linker has dropped */
	struct line_row *rows; /* by address */
	size_t row_count;
	uint32_t *files; /* distinct files of the rows, numbers in the shared strings */
	size_t file_count, file_alloc;
	struct unit_function *functions;
	size_t function_count, function_alloc;
	struct range_list function_ranges;
	Dwarf_Files *source_files;
	struct idmap names; /* of functions without a linkage name, by the address of their
			     * declaration */
};

void unit_init(struct unit *unit, const Dwarf_Die *die, const Dwarf_Die *head,
	       struct name_texts *texts);
void unit_release(struct unit *unit);
/* Reads the name of the unit's source; unit_load does so if needed. */
void unit_read_source(struct unit *unit);
/* Reads the unit; to be called once, before the functions below. */
void unit_load(struct unit *unit);

/*
 * Returns the function that contains address, the innermost of nested ones; NULL
 * if there is none.
 */
struct unit_function *unit_function_at(struct unit *unit, uint64_t address);
/* Reads the calls inlined into a function, at the first request. */
void unit_load_calls(struct unit *unit, struct unit_function *function);
/* Returns the innermost call inlined at address, or NULL. */
const struct inline_call *unit_call_at(struct unit *unit, struct unit_function *function,
				       uint64_t address);
/*
 * Returns the row with the line of an address: an earlier one where a compiler
 * marks code with line 0, as belonging to no line.
 */
const struct line_row *unit_row_with_line(const struct unit *unit, uint64_t address);
/*
 * Return the name of a function, or of the inlined function of a call, as its
 * programmer wrote it.
 */
const char *unit_function_name(struct unit *unit, struct unit_function *function);
const char *unit_call_name(struct unit *unit, struct inline_call *call);
/*
 * Returns the section of a function: its unit's, or that of its source if LTO
 * merged several units.
 */
const char *unit_function_section(struct unit *unit, struct unit_function *function);
/* Returns the path of that source. */
const char *unit_function_source(struct unit *unit, struct unit_function *function);
/*
 * Makes a path of the unit absolute, using the compilation directory; returns its
 * number in the strings.
 */
uint32_t unit_path(struct unit *unit, const char *path);
/* Records a message for the user about the object, once. */
void name_texts_remark(struct name_texts *texts, const char *format, ...) PRINTFLIKE(2, 3);
/* Fills the text of a level's line. */
void name_texts_place(struct name_texts *texts, struct name *level);
/* Fills file, line and the text of the line. */
void unit_place(struct unit *unit, uint32_t file, uint64_t line, struct name *level);

#endif
