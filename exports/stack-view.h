/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A profile as forms with stacks want it: the amounts of the tasks and transactions that were
 * selected, and what each frame is called at each level of inlining. Stacks are the profile's own
 * (profile/attribution.h, parents and frames), so they follow --native.
 *
 * Amounts are exact: over all rows of a profile the times of cpu add up to the CPU time that the
 * listing prints, those of waits to its charged waits.
 */
#ifndef VIGIL_EXPORTS_STACK_VIEW_H
#define VIGIL_EXPORTS_STACK_VIEW_H

#include "common/strmap.h"
#include "profile/session-facts.h"

/* Which rows are wanted: patterns (common/pattern.h), NULL all. */
struct stack_selection {
	const char *task;	 /* of names of tasks, with or without their number */
	const char *transaction; /* of names of transactions; ".NOTRAN" is none */
};

/* A function of an object, with the source of its lines. */
struct stack_function {
	const char *name; /* never empty: MODULE+0xOFFSET where there is none */
	const char
		*file; /* path of the source of the lines, or the name of the unit's; "" unknown */
	const char *module; /* base name of the object's path, "" unknown */
	size_t object;	    /* number in profile->objects, SIZE_MAX not known */
	uint32_t twin;	    /* the first function of that name and file, in whatever object */
	bool kernel;
	bool named; /* the name is one of the program, not made of the address */
};

/* One level of a frame. */
struct stack_level {
	uint32_t function;
	bool inlined;  /* into the next level */
	uint64_t line; /* 0 unknown */
};

struct stack_cpu {
	size_t stack; /* ATTRIBUTION_NONE it is missing in the data */
	uint64_t task, transaction, kind, count, time; /* samples, and ns that they stand for */
};

struct stack_view {
	const struct profile *profile;
	struct strmap texts;
	struct stack_function *functions;
	size_t function_count, function_alloc;
	struct stack_level *levels; /* of frame i: from first[i] to first[i + 1], innermost first */
	size_t *first; /* the frame behind the last stands for what is not in the data */
	size_t level_alloc;
	struct stack_cpu *cpu;
	struct profile_wait *waits;
	size_t cpu_count, wait_count;
	struct sample_scale scale; /* ns of the first n samples of all; of one: a difference */
	uint64_t samples, cpu_time, charged, wait_events; /* sums of the rows */
	bool *tasks_wanted; /* by number of the task in profile->tasks; NULL all */
	bool *transactions_wanted;
	bool no_task_wanted, no_transaction_wanted; /* rows whose task, or transaction, is none */
};

void stack_view_init(struct stack_view *view, const struct profile *profile,
		     const struct stack_selection *selection);
void stack_view_release(struct stack_view *view);

/* Returns whether rows of a task and a transaction were selected. */
bool stack_view_wants(const struct stack_view *view, uint64_t task, uint64_t transaction);
/* The frame of a stack; that behind the last for ATTRIBUTION_NONE. */
size_t stack_view_frame(const struct stack_view *view, size_t stack);
/* The stack that called, or ATTRIBUTION_NONE. */
size_t stack_view_parent(const struct stack_view *view, size_t stack);

/* A stack from the outside inward. */
struct stack_path {
	size_t *stacks; /* outermost first; one ATTRIBUTION_NONE where there is no stack */
	size_t count, alloc;
};

void stack_path_set(struct stack_path *path, const struct stack_view *view, size_t stack);
void stack_path_release(struct stack_path *path);

#endif
