/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What each sampled address means, and to whom its time is charged.
 *
 * A place is module, section and procedure. Libraries, the stubs that lead
 * to them, the kernel and unnamed memory are condensed into pseudo-sections
 * of the pseudo-module .SYSTEM; such a place is called a system place. The
 * caller of a stack is the first place from the innermost frame outward that
 * is no system place: the statement of the program on whose behalf the time
 * was spent. Via is the system frame that the caller called; what vigil has put between (an agent
 * that stands in for a library's function) is passed over.
 *
 * A data collector names modules, and places of interpreted programs. A
 * named place is charged with all code inside of it on the stack, including
 * that of the interpreter and its extensions: like system places they serve
 * it. A module that belongs to a data collector's pseudo-section is system.
 */
#ifndef VIGIL_PROFILE_ATTRIBUTION_H
#define VIGIL_PROFILE_ATTRIBUTION_H

#include "common/strbuf.h"

#define ATTRIBUTION_NONE SIZE_MAX
/* The name of offset 0: only the object is known (the kernel, a program). */
#define ATTRIBUTION_NO_PLACE "(place not known)"
/* The procedure of a place that a data collector named by its line only. */
#define ATTRIBUTION_NO_PROCEDURE "(no procedure)"

struct place {
	bool system;
	bool named;	      /* by a data collector */
	bool interpreted;     /* named, and a place of a program that is interpreted */
	uint32_t module;      /* strings of the profile; ".SYSTEM" when system */
	uint32_t section;     /* source file or pseudo-section */
	uint32_t procedure;   /* "" when it has no name */
	uint32_t real_module; /* base name of the object's path */
	uint32_t function;    /* what the section is, for the FUNCTION column */
	uint32_t text;	      /* the source line */
	uint32_t file;	      /* path of the file of the line; "" unknown */
	uint32_t other_file;  /* its name, where it is not the source that the section is called by:
				 a header, a copybook; else "" */
	uint64_t object;      /* id */
	uint64_t offset;      /* of the address */
	uint64_t start, size; /* of the procedure; size 0 unknown */
	uint64_t line;	      /* 0 unknown */
};

struct attribution {
	struct place *places; /* by frame number; the last one stands for unknown frames */
	size_t place_count;
	size_t *parents; /* by stack number: the parent stack, or ATTRIBUTION_NONE */
	size_t *frames;	 /* by stack number: its innermost frame */
	size_t *callers; /* by stack number: the stack whose frame is the caller, or NONE */
	size_t *vias;	 /* by stack number: the stack whose frame is via, or NONE */
	size_t stack_count;
	uint32_t own_section; /* string: the pseudo-section of vigil itself */
	bool native;	      /* with the stacks that were walked, whatever data collectors named */
};

void attribution_release(struct attribution *attribution);

/* The place of the innermost frame of a stack; never NULL, ATTRIBUTION_NONE is allowed. */
const struct place *attribution_place(const struct attribution *attribution, size_t stack);
/* The program's place that a stack is charged to; NULL when it does not reach the program. */
const struct place *attribution_caller(const struct attribution *attribution, size_t stack);
/* Whether the innermost frame of a stack is a service: not the caller's own code. */
bool attribution_is_service(const struct attribution *attribution, size_t stack);
/* The service that the caller called; NULL when the innermost frame is the caller's own. */
const struct place *attribution_via(const struct attribution *attribution, size_t stack);
/* The name of a line's file, where it is not the source that its section is called by; "" otherwise. Borrowed from file. */
const char *attribution_other_file(const char *section, const char *file);

#endif
