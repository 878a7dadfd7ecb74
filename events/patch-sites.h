/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where and how one function is patched (agent/event-patch-area.h): its entry, and
 * each place where it is left, by a return or by a jump into another function.
 *
 * What is taken away are whole instructions of which all can be executed
 * elsewhere, five bytes together at least, with nothing that leads into their
 * midst. A function whose entry has none such is not patched at all. An end
 * that cannot be patched is left as it is.
 */
#ifndef VIGIL_EVENTS_PATCH_SITES_H
#define VIGIL_EVENTS_PATCH_SITES_H

#include "common/idmap.h"
#include "common/strbuf.h"
#include "events/code-scan.h"
#include "program/unwind/cfi.h"

enum patch_outcome {
	PATCH_DONE,
	PATCH_SHORT,	    /* it is too short */
	PATCH_JUMP,	    /* a jump leads into its first bytes */
	PATCH_FIXED,	    /* an instruction there works in its place alone */
	PATCH_UNREADABLE,   /* it has bytes that are no instructions */
	PATCH_INSTRUMENTED, /* it tells its events itself */
	PATCH_SPECIAL,	    /* it must not be patched, by its name */
	PATCH_OUTCOMES
};

/* Functions that a compiler lets instrumented code call. */
enum patch_caller { PATCH_CALLER_NONE, PATCH_CALLER_FENTRY, PATCH_CALLER_MCOUNT, PATCH_CALLER_ENTER };

struct patch_range {
	uint64_t start, end;
};

/* What is known of an object whose functions are patched. */
struct patch_object {
	struct code_scan scan;
	struct idmap callers;	  /* slot of the linkage table -> enum patch_caller */
	struct patch_range *cold; /* parts of functions that stand apart, by start */
	size_t cold_count, cold_alloc;
	struct cfi_table *frames; /* tells parts of functions and whole ones apart without symbols */
	struct idmap claimed;	  /* starts of parts that some function has */
};

struct patch_function {
	uint64_t start, end;
	uint64_t key;	  /* of the sites' */
	bool begun_alone; /* only one that tells its entry itself is wanted: its ends */
	/* Set: */
	bool ends_known;  /* all its ends are patched */
	enum patch_caller source;
};

/*
 * Append the sites of a function to plan, none unless PATCH_DONE is returned;
 * count goes up by them.
 */
enum patch_outcome patch_function(struct patch_object *object,
				  struct patch_function *function, struct strbuf *plan,
				  uint64_t *count);

#endif
