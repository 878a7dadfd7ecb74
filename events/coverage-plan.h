/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What coverage watches in one object: its statements by program, their places,
 * and the addresses for breakpoints.
 *
 * A program is a compilation unit, identified by its source; in COBOL each
 * PROGRAM-ID.
 *
 * A statement is one of program/names/statements.h in the source itself: what the
 * compiler has included from system headers is left out unless FNAT=ON, and so are
 * units of Go, whose run time has its own signals and stacks. If the source can be
 * read, headings of COBOL and lines of braces only are not statements.
 *
 * A place of a statement is where its code begins according to the compiler (in
 * COBOL: where the line table has the COBOL line). A statement without such a
 * place is watched at all of its code, unless it was optimized: then it is left
 * out, since its code also belongs to other statements. A statement that consists
 * of inlined calls is one place, executed when any of that code is. A line of
 * braces to which an optimizer has assigned all code of a function stands for the
 * statement that begins there.
 *
 * Code that the linker has left out may have got addresses of other code: such
 * places are not watched, and the program is partial.
 */
#ifndef VIGIL_EVENTS_COVERAGE_PLAN_H
#define VIGIL_EVENTS_COVERAGE_PLAN_H

#include "events/event-request.h"
#include "program/names/statements.h"

struct coverage_plan_program {
	const char *name, *source, *language;
	bool optimised;
	const char *reason; /* why it is partial; NULL: it is complete */
};

struct coverage_plan_statement {
	uint32_t program; /* index in programs */
	uint32_t places;  /* number of places */
	const char *procedure, *file, *verb;
	uint64_t line;
	bool executed;
};

struct coverage_plan_place {
	uint32_t statement;
	uint32_t block;
	uint64_t start, end;	     /* addresses in the object */
	uint32_t first, watch_count; /* range of watches: executed if any of them was */
	bool executed;
};

/* Texts belong to the names it was read with, or to the plan. */
struct coverage_plan {
	char *library, *object; /* folder and file name of the object */
	char *build_id;		/* NULL when foreign */
	struct coverage_plan_program *programs;
	size_t program_count, program_alloc;
	struct coverage_plan_statement *statements;
	size_t statement_count, statement_alloc;
	struct coverage_plan_place *places; /* ordered by statement */
	size_t place_count, place_alloc;
	uint32_t *watches; /* indices of addresses */
	size_t watch_count, watch_alloc;
	uint64_t *addresses; /* ascending, without duplicates */
	uint32_t *bytes;     /* the file's bytes there */
	size_t address_count;
	bool foreign; /* it is the system's, or excluded: nothing is reported of it */
	const char *reason; /* why nothing is covered; NULL: something is */
};

void coverage_plan_read(struct coverage_plan *plan, struct names *names, struct object *object,
			const struct event_request *request);
void coverage_plan_release(struct coverage_plan *plan);

#endif
