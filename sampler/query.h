/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Questions to data collectors and their results: a query is a task as it was
 * seen, the query state is what is known of it while one collector after the other
 * is asked, the resolved stack is the result.
 */
#ifndef VIGIL_SAMPLER_QUERY_H
#define VIGIL_SAMPLER_QUERY_H

#include "program/unwind/unwind.h"
#include "sampler/host/protocol.h"

struct task;

/* A task as it was seen. All pointers are borrowed. */
struct query {
	struct task *task;
	uint64_t time;			   /* monotonic */
	uint32_t state, flags;		   /* as in struct vigil_task */
	struct unwind_input input;	   /* registers and captured stack */
	const struct unwind_frame *frames; /* innermost first */
	size_t depth;			   /* number of frames; 0: only the program is known */
	bool whole;			   /* the walk reached the outermost frame */
	bool truncated;			   /* it gave up, as the stack is too deep */
	uint64_t in_force; /* id of the transaction in force for the task at that time; 0: none */
};

/* What is known of a query so far; answers.c adds what collectors said. */
struct query_state {
	const struct query *query;
	uint64_t base, size;
	bool module_known;
	char module[CALL_NAME];
	bool transaction_known;
	char transaction[CALL_NAME];
	/* Answers of collectors. */
	bool module_said, transaction_said;
	bool unanswered; /* an answer was late, or a collector read inconsistent data */
	uint64_t transaction_id, transaction_by; /* by: id of the collector that named it last */
	uint64_t transaction_at;		 /* time at which that one read it in the
						  * program's memory */
	uint32_t level, place_count;
	bool truncated;			   /* there were more places */
	uint32_t module_frame;		   /* FRAME id, used if no places are given */
	uint32_t places[VIGIL_PLACES_MAX]; /* FRAME ids, innermost first */
	uint32_t between_count;
	struct vigil_between betweens[VIGIL_PLACES_MAX]; /* what stays between the places */
};

/* Result of a query. */
struct resolved_stack {
	uint32_t stack;	 /* 0 only if the query has no frames and there was no answer */
	bool whole;	 /* it reaches the outermost frame */
	bool truncated;	 /* it does not, as it is too deep */
	bool asked;	 /* data collectors were asked */
	bool unanswered; /* another look may find more */
	bool transaction_said;
	uint64_t transaction;	 /* id; 0: it is reset */
	uint64_t transaction_by; /* id of the collector that named it */
	uint64_t transaction_at; /* time at which that one read it */
	/* Of a sample: whether it was in the kernel, and the stack with the kernel's frames. */
	bool in_kernel;
	uint32_t inner;
};

#endif
