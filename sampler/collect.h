/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data collectors (include/vigil/collector.h) from the sampler's side: which
 * of them are called for a process, calling them in order for a task that was
 * seen executing or waiting, and what their answers make of it.
 *
 * Nothing of this is there in a session whose configuration names no
 * collectors (collect_new gives NULL).
 */
#ifndef VIGIL_SAMPLER_COLLECT_H
#define VIGIL_SAMPLER_COLLECT_H

#include "engine/engine.h"
#include "sampler/host/client.h"
#include "program/unwind/unwind.h"

#define COLLECT_DELAYS 256

struct sampler;
struct process;
struct task;

/* One data collector. */
struct collector {
	uint64_t id;
	const struct sampler_collector *wanted; /* borrowed */
	struct caller caller;
	bool started; /* the caller was; otherwise it was never needed */
	bool called;  /* for a process of the step */
	unsigned quiet; /* samples in a row for which it asked the program nothing */
	uint64_t named; /* bytes of memory that what it named takes */
	bool changed; /* a row is due */
	bool sections_told;
	/* As in struct record_collector. */
	uint64_t calls, answers, outside, torn, late, cost, held;
	uint64_t delay_most, delay_count, delays[COLLECT_DELAYS]; /* by magnitude */
};

/* The collectors that are called for a program, in order. */
struct choice {
	struct choice *next;
	char *program;
	bool first; /* it is the step's first program */
	size_t count;
	struct chosen {
		struct collector *collector;
		enum { CHOSEN_OPEN, CHOSEN_CALLED, CHOSEN_SKIPPED } state;
	} * members;
};

/* A task as it was seen, to be shown to collectors. */
struct sighting {
	struct task *task;
	uint64_t time;		   /* monotonic */
	uint32_t state, flags;	   /* as in struct vigil_task */
	struct unwind_input input; /* registers and captured stack */
	const struct unwind_frame *frames;
	size_t depth; /* 0: nothing is known but the program */
	bool whole;   /* the walk reached the outermost frame */
};

/* What is to be made of it. */
struct verdict {
	uint32_t stack; /* 0 only when the sighting has no frames and nobody said anything */
	bool whole;
	bool unanswered; /* another look may bring more */
	bool transaction_said;
	uint64_t transaction; /* id, 0: it is reset */
	/* Of a sample (samples.c): whether it was in the kernel, and the stack with its frames. */
	bool in_kernel;
	uint32_t inner;
};

/* What is known of a sighting while one collector after the other is asked. */
struct finding {
	const struct sighting *sighting;
	uint64_t base, size;
	bool module_known;
	char module[CALL_NAME];
	bool transaction_known;
	char transaction[CALL_NAME];
	/* What collectors said. */
	bool module_said, transaction_said;
	bool unanswered; /* one was late, or read what did not belong together */
	uint64_t transaction_id;
	uint32_t level, place_count;
	bool cut;	       /* there were more places */
	uint32_t module_frame; /* FRAME id, when no places are given */
	uint32_t places[VIGIL_PLACES_MAX]; /* FRAME ids, innermost first */
};

struct collect;

struct collect *collect_new(const struct sampler_config *config);
void collect_free(struct collect *collect);
/* Load the collectors of the step's first program, before it begins; whether one wants to be called
   at once. */
bool collect_prepare(struct sampler *sampler);
/* Whether collectors are called for a process; those that are needed are loaded. Changes the
   process's choice, so it comes before what is asked of that. */
bool collect_wants(struct sampler *sampler, struct process *process);
/* Whether one that may be called is still being loaded. */
bool collect_loads(struct sampler *sampler, struct process *process);
/*
 * Whether one of them wants the task to be held. What comes with vigil may hold tasks for a
 * hundredth of the session, so that nobody notices; what the user brings gets what it asks for.
 */
bool collect_wants_hold(const struct sampler *sampler, const struct process *process);
/* What is to be shown of a sighting; wanted: after its collectors were asked in turn. */
void collect_judge(struct sampler *sampler, const struct sighting *sighting, bool wanted,
		   struct verdict *verdict);
/* Put the transaction that they named in force. */
void collect_apply(struct sampler *sampler, const struct task *task, const struct verdict *verdict,
		   uint64_t time);
/* At each tick: see what has become of late ones. */
void collect_look(struct sampler *sampler);
/* Whether the samples of some process of the step are shown to collectors. */
bool collect_busy(const struct sampler *sampler);
/* Whether a collector may ask the program something when it is called: those who never do can be
   called later, for many samples at a time. */
bool collect_asks(const struct sampler *sampler);
/* A number that is another one after each exec of a process. */
uint64_t collect_generation(const struct process *process);
/* A process has ended or executes something else. */
void collect_forget(struct sampler *sampler, struct process *process);
/* Whether a process is one that collectors run in. */
bool collect_owns(const struct collect *collect, pid_t pid);
/* CPU time of the processes that collectors run in. */
uint64_t collect_cpu(const struct collect *collect);
/* Text for the SUBSYSTEM attribute when it has changed since the last call, or NULL. */
const char *collect_subsystem(struct collect *collect);

/* Collectors in the order in which they were first considered. */
size_t collect_count(const struct collect *collect);
struct collector *collect_get(const struct collect *collect, size_t number);
/* Text for a note that was not told yet, or NULL. */
const char *collect_next_message(struct collect *collect, const struct collector **from);

/* collect-match.c: whether a list of programs (each ended by NUL, "" at the end) has one. */
bool collect_matches(const char *list, const char *program);
/* Whether a name matches a pattern: '*' is any text, '%' any character, upper and lower case are
   one. */
bool collect_match(const char *pattern, const char *name);

/* answers.c */
/* What vigil knows of the module in control. */
void answers_begin(struct finding *finding);
/* Take over what a collector said. */
void answers_take(struct sampler *sampler, struct collector *collector, struct finding *finding);
/* The stack as it is to be shown. */
void answers_stack(struct sampler *sampler, const struct finding *finding, struct verdict *verdict);
/* Median of the delays, ns. */
uint64_t answers_delay(const struct collector *collector);

/* collect-rows.c */
void collect_rows(struct sampler *sampler, struct engine *engine, struct recordset *set);
void collect_section_rows(struct sampler *sampler, struct engine *engine, struct recordset *set);
/* The subsystem they tell, their messages, and what is wrong with them. */
void collect_notes(struct sampler *sampler, struct engine *engine, struct snapshot *snapshot);

#endif
