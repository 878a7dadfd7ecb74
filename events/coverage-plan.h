/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What coverage watches in one object: its statements by program, the places
 * that tell of each, and the addresses at which breakpoints have to stand.
 *
 *   A program is a unit of the compiler, by its source; of COBOL each PROGRAM-ID.
 *   A statement is one of program/names/statements.h, of the source's own: what
 *   the compiler has put in from headers of the system is left out unless FNAT=ON,
 *   and so are units of Go, whose run time has signals and stacks of its own. Where
 *   the source can be read, headings of COBOL and lines of braces are no statements.
 *   A place of a statement is where its code begins, as the compiler says (of
 *   COBOL: where the line table has the COBOL line). A statement with no such
 *   place is known by all of its code, unless an optimizer was at work: then it
 *   is left out, for its code is that of other statements, too. One that consists
 *   of calls that were inlined is one place, executed when any of that code is.
 *   A line of braces that all code of a function has been merged into stands for
 *   the statement that begins with it.
 *   What the linker has left out may have got addresses of other code: such
 *   places are not watched, and the program is partial.
 */
#ifndef VIGIL_EVENTS_COVERAGE_PLAN_H
#define VIGIL_EVENTS_COVERAGE_PLAN_H

#include "events/event-request.h"
#include "program/names/statements.h"

struct coverage_plan_program {
	const char *name, *source, *language;
	bool optimised;
	const char *reason; /* why it is partial; NULL: it is not */
};

struct coverage_plan_statement {
	uint32_t program; /* number in the plan */
	uint32_t places;  /* how many */
	const char *procedure, *file, *verb;
	uint64_t line;
	bool executed;
};

struct coverage_plan_place {
	uint32_t statement;
	uint32_t block;
	uint64_t start, end;	     /* in the object's terms */
	uint32_t first, watch_count; /* in watches: any of them executed, it is */
	bool executed;
};

/* Texts are those of the names it was read with, or its own. */
struct coverage_plan {
	char *library, *object; /* folder and file name of the object */
	char *build_id;		/* NULL when foreign */
	struct coverage_plan_program *programs;
	size_t program_count, program_alloc;
	struct coverage_plan_statement *statements;
	size_t statement_count, statement_alloc;
	struct coverage_plan_place *places; /* by statement */
	size_t place_count, place_alloc;
	uint32_t *watches; /* numbers of addresses */
	size_t watch_count, watch_alloc;
	uint64_t *addresses; /* in order, each once */
	uint32_t *bytes;     /* what stands there */
	size_t address_count;
	bool foreign; /* it is the system's, or nobody wants it: there is nothing to say of it */
	const char *reason; /* why nothing is covered; NULL */
};

void coverage_plan_read(struct coverage_plan *plan, struct names *names, struct object *object,
			const struct event_request *request);
void coverage_plan_release(struct coverage_plan *plan);

#endif
