/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where and how one function is patched (agent/event-patch-area.h): its entry, and
 * each instruction that leaves it, by a return or by a jump into another function.
 *
 * A site consists of whole instructions that can all be executed elsewhere,
 * together at least five bytes, with no jump into their middle. A function whose
 * entry has no such instructions is not patched at all. An end that cannot be
 * patched is left as it is.
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
	PATCH_FIXED,	    /* an instruction there only works at its address */
	PATCH_UNREADABLE,   /* some bytes are not instructions */
	PATCH_INSTRUMENTED, /* it reports its events itself */
	PATCH_SPECIAL,	    /* its name is excluded from patching */
	PATCH_OUTCOMES
};

/* Functions called by code that a compiler has instrumented. */
enum patch_caller { PATCH_CALLER_NONE, PATCH_CALLER_FENTRY, PATCH_CALLER_MCOUNT, PATCH_CALLER_ENTER };

struct patch_range {
	uint64_t start, end;
};

/* Data of an object whose functions are patched. */
struct patch_object {
	struct code_scan scan;
	struct idmap callers;	  /* slot of the linkage table -> enum patch_caller */
	struct patch_range *cold; /* separate (cold) parts of functions, ordered by start */
	size_t cold_count, cold_alloc;
	struct cfi_table *frames; /* distinguishes functions from their parts without symbols */
	struct idmap claimed;	  /* starts of parts assigned to a function */
};

struct patch_function {
	uint64_t start, end;
	uint64_t key;	  /* of its sites */
	bool begun_alone; /* only the ends are wanted, of a function that reports its begin
			   * itself */
	/* Results: */
	bool ends_known;  /* all its ends are patched */
	enum patch_caller source;
};

/*
 * Appends the sites of a function to plan, none unless PATCH_DONE is returned;
 * adds their number to count.
 */
enum patch_outcome patch_function(struct patch_object *object,
				  struct patch_function *function, struct strbuf *plan,
				  uint64_t *count);

#endif
