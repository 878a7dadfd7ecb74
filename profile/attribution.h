/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What each address that was seen means in the terms of the reports, and to
 * whom it is charged.
 *
 * A place is module, section and procedure. Library code, the stubs that
 * lead to it, the kernel and memory without a name are condensed into pseudo-sections of the
 * pseudo-module .SYSTEM; their place is "system". The caller of a stack is
 * the first place, from the innermost frame outward, that is not system: the
 * program's own statement on whose behalf the time was spent. Via is the
 * system frame that the caller called.
 *
 * Data collectors name modules, and places of programs that are interpreted.
 * Such a place is charged with all code inside of it on the stack, that of the
 * interpreter and of extensions included: they are services, as system places
 * are. A module that belongs to a data collector's pseudo-section is system.
 */
#ifndef VIGIL_PROFILE_ATTRIBUTION_H
#define VIGIL_PROFILE_ATTRIBUTION_H

#include "common/strbuf.h"

struct profile;

#define ATTRIBUTION_NONE SIZE_MAX
/* The name of offset 0: the sampler knows the object (the kernel, a program), but no more. */
#define ATTRIBUTION_NO_PLACE "(place not known)"
/* What a data collector named has a line, but no procedure. */
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
	uint64_t object;      /* id */
	uint64_t offset;      /* of the address */
	uint64_t start, size; /* of the procedure; size 0 unknown */
	uint64_t line;	      /* 0 unknown */
};

struct attribution {
	struct place *places; /* by number of the frame; one more at the end: no frame known */
	size_t place_count;
	size_t *parents; /* by number of the stack: that of the caller, or ATTRIBUTION_NONE */
	size_t *frames;	 /* by number of the stack: that of its innermost frame */
	size_t *callers; /* by number of the stack: the stack whose frame is the caller, or NONE */
	size_t *vias;	 /* by number of the stack: the stack whose frame is via, or NONE */
	size_t stack_count;
};

/* Work the attribution of a profile out from its records. */
void attribution_build(struct profile *profile);
void attribution_release(struct attribution *attribution);

/* The place of the innermost frame of a stack; never NULL, ATTRIBUTION_NONE is allowed. */
const struct place *attribution_place(const struct attribution *attribution, size_t stack);
/* The program's place a stack is charged to, NULL when the stack does not reach the program. */
const struct place *attribution_caller(const struct attribution *attribution, size_t stack);
/* Whether the innermost frame of a stack is no program's own place: it serves the caller. */
bool attribution_is_service(const struct attribution *attribution, size_t stack);
/* The service the caller called, NULL when the innermost frame is the caller's own. */
const struct place *attribution_via(const struct attribution *attribution, size_t stack);
/*
 * Append who invoked the caller, outward: "MAIN-LINE 92 < main 12". System
 * places are left out, repeated ones (recursion) are shown once.
 */
void attribution_chain(const struct profile *profile, size_t stack, struct strbuf *sb);

#endif
