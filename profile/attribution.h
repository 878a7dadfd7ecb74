/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What each sampled address means, and which place its time is charged to.
 *
 * A place is module, section and procedure. Libraries, the stubs that lead to
 * them, the kernel and unnamed memory are grouped into pseudo-sections of the
 * pseudo-module .SYSTEM; such a place is called a system place. The caller of a
 * stack is the first place that is not a system place, searched from the innermost
 * frame outward: the statement of the program that caused the time to be spent.
 * Via is the system frame that the caller called; frames that vigil inserted (an
 * agent that wraps a library's function) are skipped.
 *
 * A data collector names modules, and places of interpreted programs. A named
 * place is charged with all code inside it on the stack, including the code of the
 * interpreter and its extensions: like system places, these work for it. A module
 * that belongs to a data collector's pseudo-section is system.
 */
#ifndef VIGIL_PROFILE_ATTRIBUTION_H
#define VIGIL_PROFILE_ATTRIBUTION_H

#include "common/strbuf.h"

#define ATTRIBUTION_NONE SIZE_MAX
/* The name of offset 0: only the object is known (the kernel, a program). */
#define ATTRIBUTION_NO_PLACE "(place not known)"
/* The procedure of a place for which a data collector gave a line only. */
#define ATTRIBUTION_NO_PROCEDURE "(no procedure)"

struct place {
	bool system;
	bool named;	      /* a data collector named it */
	bool interpreted;     /* named, and part of an interpreted program */
	uint32_t module;      /* strings of the profile; ".SYSTEM" when system */
	uint32_t section;     /* source file or pseudo-section */
	uint32_t procedure;   /* "" when it has no name */
	uint32_t real_module; /* base name of the object's path */
	uint32_t function;    /* what the section does, for the FUNCTION column */
	uint32_t text;	      /* the source line */
	uint32_t file;	      /* path of the line's file; "" unknown */
	uint32_t other_file;  /* base name of that file if it is not the source that names the
			       * section: a header, a copybook; else "" */
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
	size_t *callers; /* by stack number: the stack whose frame is the caller, or
			  * ATTRIBUTION_NONE */
	size_t *vias;	 /* by stack number: the stack whose frame is via, or ATTRIBUTION_NONE */
	size_t stack_count;
	uint32_t vigil_section; /* string: the pseudo-section of vigil's own code */
	bool native;	      /* uses the stacks as they were walked, ignoring the names of data
			       * collectors */
};

void attribution_release(struct attribution *attribution);

/* Returns the place of the innermost frame of a stack; never NULL, ATTRIBUTION_NONE is allowed. */
const struct place *attribution_place(const struct attribution *attribution, size_t stack);
/*
 * Returns the program's place that a stack is charged to; NULL if no frame belongs
 * to the program.
 */
const struct place *attribution_caller(const struct attribution *attribution, size_t stack);
/* Returns whether the innermost frame of a stack is a service, not the caller itself. */
bool attribution_is_service(const struct attribution *attribution, size_t stack);
/* Returns the service that the caller called; NULL if the innermost frame is the caller itself. */
const struct place *attribution_via(const struct attribution *attribution, size_t stack);
/*
 * Returns the base name of a line's file if it is not the source that names its
 * section, else "". Borrowed from file.
 */
const char *attribution_other_file(const char *section, const char *file);

#endif
