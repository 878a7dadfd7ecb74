/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One compilation unit of a program with DWARF information, read when the
 * first address in it is asked for: its lines, its functions and, function
 * by function, the calls inlined into it.
 *
 * The information may come from anybody: every loop over it has a bound.
 */
#ifndef VIGIL_PROGRAM_NAMES_NAMES_UNIT_H
#define VIGIL_PROGRAM_NAMES_NAMES_UNIT_H

#include "common/strmap.h"
#include "program/names/names-source.h"
#include "program/names/names.h"

#include <elfutils/libdw.h>

/* What all units share. Texts are never freed before the names are. */
struct name_texts {
	struct strmap strings;
	struct source_cache sources;
	int64_t object_time;  /* when the object now resolved was written; 0 unknown */
	struct strbuf remark; /* what the user should know of it; "" nothing */
};

struct code_range {
	uint64_t start, end;
	uint64_t reach; /* highest end of this range and all before; set by range_list_sort */
	uint32_t owner;
};

struct range_list {
	struct code_range *items;
	size_t count, alloc;
};

/* Add the address ranges of a DIE. */
void range_list_add_die(struct range_list *list, Dwarf_Die *die, uint32_t owner);
void range_list_sort(struct range_list *list);
/* The smallest range that holds address, or NULL. */
const struct code_range *range_list_find(const struct range_list *list, uint64_t address);
/* Lowest address and bytes in all of the ranges of one owner. */
void range_list_extent(const struct range_list *list, uint32_t owner, uint64_t *start,
		       uint64_t *size);

struct line_row {
	uint64_t address;
	uint32_t file; /* number of the full path in the shared strings */
	uint32_t line;
	bool end; /* first address after a sequence */
};

struct inline_call {
	Dwarf_Die die;
	uint32_t parent;     /* index + 1 of the call that this one is inlined in, 0: function */
	uint32_t depth;	     /* 1 for calls in the function itself */
	uint32_t file, line; /* of the call */
};

struct unit_function {
	Dwarf_Die die;
	bool loaded; /* the calls below are read */
	struct inline_call *calls;
	size_t call_count, call_alloc;
	struct range_list call_ranges;
};

struct cobol_unit;

struct unit {
	Dwarf_Die die;	/* the unit's content; of a split unit it is in the .dwo file */
	Dwarf_Die head; /* the unit in the file itself: the same, unless it is split */
	struct name_texts *texts; /* borrowed */
	bool loaded;
	const char *directory; /* of the compilation */
	const char *section;   /* base name of the unit's source */
	const char *language;
	struct line_row *rows; /* by address */
	size_t row_count;
	uint32_t *files; /* distinct files of the rows, numbers in the shared strings */
	size_t file_count, file_alloc;
	struct unit_function *functions;
	size_t function_count, function_alloc;
	struct range_list function_ranges;
	Dwarf_Files *source_files;
	struct cobol_unit *cobol; /* NULL: not made by a COBOL compiler */
};

void unit_init(struct unit *unit, const Dwarf_Die *die, const Dwarf_Die *head,
	       struct name_texts *texts);
void unit_release(struct unit *unit);
/* Fill levels for an address of the unit; returns how many, 0 when it knows nothing. */
size_t unit_resolve(struct unit *unit, uint64_t address, struct name levels[NAMES_MAX_INLINE]);

/* For the COBOL part. */
struct unit_function *unit_function_at(struct unit *unit, uint64_t address);
/* The innermost call inlined at address, or NULL. */
const struct inline_call *function_call_at(struct unit *unit, struct unit_function *function,
					   uint64_t address);
const struct line_row *unit_row_at(const struct unit *unit, uint64_t address);
/* A path of the unit made absolute by the directory of the compilation; a number in the strings. */
uint32_t unit_path(struct unit *unit, const char *path);
/* Say once what the user should know of the object. */
void unit_remark(const struct unit *unit, const char *format, ...) PRINTFLIKE(2, 3);
/* The part of a path after its last slash. */
const char *path_base(const char *path);
/* Fill file, line and the text of the line. */
void unit_place(struct unit *unit, uint32_t file, uint64_t line, struct name *level);

#endif
