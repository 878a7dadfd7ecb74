/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A profile prepared for the forms with stacks: the amounts of the selected tasks
 * and transactions, and the names of each frame's levels of inlining. Stacks are
 * those of the profile (profile/attribution.h, parents and frames), so they obey
 * --native.
 *
 * Amounts are exact: over all rows of a profile, the times of cpu add up to the
 * CPU time in the listing, and those of waits to its charged waits.
 */
#ifndef VIGIL_EXPORTS_STACK_VIEW_H
#define VIGIL_EXPORTS_STACK_VIEW_H

#include "common/strmap.h"
#include "profile/session-facts.h"

/* The selected rows, as patterns (common/pattern.h); NULL: all. */
struct stack_selection {
	const char *task;	 /* of task names, with or without their number */
	const char *transaction; /* of transaction names; ".NOTRAN": rows without a transaction */
};

/* A function of an object, and the source of its lines. */
struct stack_function {
	const char *name; /* never empty: MODULE+0xOFFSET if it is unknown */
	const char
		*file; /* path of the source of the lines, or the unit's name; "": unknown */
	const char *module; /* base name of the object's path; "": unknown */
	size_t object;	    /* number in profile->objects; SIZE_MAX: unknown */
	uint32_t twin;	    /* the first function with this name and file, in any object */
	bool kernel;
	bool named; /* name is from the program, not made from the address */
};

/* One inlining level of a frame. */
struct stack_level {
	uint32_t function;
	bool inlined;  /* inlined into the next level */
	uint64_t line; /* 0: unknown */
};

struct stack_cpu {
	size_t stack; /* ATTRIBUTION_NONE: missing in the data */
	uint64_t task, transaction, kind, count, time; /* count: samples; time: ns they represent */
};

struct stack_view {
	const struct profile *profile;
	struct strmap texts;
	struct stack_function *functions;
	size_t function_count, function_alloc;
	struct stack_level *levels; /* of frame i: first[i] up to first[i + 1], innermost first */
	size_t *first; /* by frame; the one after the last frame stands for frames missing in the
		        * data */
	size_t level_alloc;
	struct stack_cpu *cpu;
	struct profile_wait *waits;
	size_t cpu_count, wait_count;
	struct sample_scale scale; /* converts the first n samples of the profile to ns; one
				    * sample is a difference */
	uint64_t samples, cpu_time, charged, wait_events; /* totals of the rows */
	bool *tasks_wanted; /* by the task's number in profile->tasks; NULL: all */
	bool *transactions_wanted;
	bool no_task_wanted, no_transaction_wanted; /* rows without a task, or without a
						     * transaction, are selected */
};

void stack_view_init(struct stack_view *view, const struct profile *profile,
		     const struct stack_selection *selection);
void stack_view_release(struct stack_view *view);

/* Returns whether rows of a task and a transaction are selected. */
bool stack_view_wants(const struct stack_view *view, uint64_t task, uint64_t transaction);
/* Returns the frame of a stack; for ATTRIBUTION_NONE the one after the last. */
size_t stack_view_frame(const struct stack_view *view, size_t stack);
/* Returns the calling stack, or ATTRIBUTION_NONE. */
size_t stack_view_parent(const struct stack_view *view, size_t stack);

/* A stack as a list from the outermost caller inward. */
struct stack_path {
	size_t *stacks; /* outermost first; a single ATTRIBUTION_NONE if there is no stack */
	size_t count, alloc;
};

void stack_path_set(struct stack_path *path, const struct stack_view *view, size_t stack);
void stack_path_release(struct stack_path *path);

#endif
