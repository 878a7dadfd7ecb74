/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of a sampler: the parts it is made of. Private to the conductors,
 * who lead the data from part to part; a part knows only those below it, which
 * it got when it was made (sampler.c), and can be tested without the others.
 *
 * The conductors: observe.c applies the kernel's records, which perf.c reads in
 * order of time, to the parts; proc.c does it with what it sees in /proc where
 * there are no records; tick.c decides when, windows.c when at all, and duty.c
 * settles the time between; attach.c takes in what is there
 * already; producers.c makes rows of what came together at each snapshot,
 * notes.c tells what is missing, and sampler.c is the life of it all.
 */
#ifndef VIGIL_SAMPLER_SAMPLER_DATA_H
#define VIGIL_SAMPLER_SAMPLER_DATA_H

#include "records/record-types.h"
#include "sampler/collect.h"
#include "sampler/cost-watch.h"
#include "sampler/duty.h"
#include "sampler/estimate.h"
#include "sampler/fault-files.h"
#include "sampler/file-counts.h"
#include "sampler/files.h"
#include "sampler/losses.h"
#include "sampler/name-rows.h"
#include "sampler/named-places.h"
#include "sampler/notes.h"
#include "sampler/observe.h"
#include "sampler/perf.h"
#include "sampler/probe.h"
#include "sampler/prompt.h"
#include "sampler/residue.h"
#include "sampler/resource-usage.h"
#include "sampler/sample-ledger.h"
#include "sampler/sampler.h"
#include "sampler/samples.h"
#include "sampler/short-tasks.h"
#include "sampler/stack-resolve.h"
#include "sampler/stacks.h"
#include "sampler/states.h"
#include "sampler/step-clock.h"
#include "sampler/stolen.h"
#include "sampler/switch-places.h"
#include "sampler/task-stop.h"
#include "sampler/tasks.h"
#include "sampler/thin.h"
#include "sampler/tick.h"
#include "sampler/wait-looks.h"
#include "sampler/waits.h"
#include "sampler/windows.h"
#include "step/step-account.h"

struct sampler {
	struct sampler_config config;
	enum privilege privilege;
	struct error refusal; /* why a higher rung could not be had */
	pid_t root;	      /* the step's first process */
	bool follow;	      /* it is observed from its first exec on, not attached to */
	uint64_t start;	      /* monotonic */

	bool suspended; /* by sampler_pause */
	uint64_t proc_used; /* PROC: ns of CPU time of all tasks in the scan */
	uint64_t used;	/* ns of CPU time the system counted for the step that has ended; 0 not known */

	/* What is known of the step. */
	struct step *step;
	struct step *own; /* the same where nobody else looks at it, to be freed; NULL */
	struct step_clock clock;
	struct tasks tasks;
	struct object_list objects;
	struct stacks stacks;
	struct names *names;
	struct files *files;
	struct file_counts *counts; /* NULL: no program can count what it reads and writes */
	struct transactions *transactions; /* of the step; the sampler leads them */

	/* How it is found out. */
	struct perf perf; /* open but on the rung PROC */
	struct prober *prober;
	struct task_stops task_stops;
	struct named_places *named_places;
	struct collect *collect; /* data collectors; NULL: none */
	bool wake_each_sample;	 /* the kernel wakes vigil at each, as one of them wants it */
	struct stack_resolver stack_resolver;
	struct prompt *prompt; /* NULL without kernel records or data collectors */

	/* Executing. */
	struct sample_ledger ledger;
	struct residues residues;
	struct short_tasks short_tasks;
	struct thin thin;
	struct estimate estimate;
	struct stolen stolen;
	struct samples samples;

	/* Waiting, and what else a task does. */
	struct waits waits;
	struct wait_looks wait_looks;
	struct switch_places switch_places;
	struct fault_files fault_files;
	struct states states;
	struct losses losses;
	struct resource_usage resource_usage;

	/* The conductors' own. */
	struct cost_watch cost;
	struct duty duty;
	struct windows windows;
	struct observe observe;
	struct tick tick;
	struct notes notes;
	struct name_rows name_rows;
	struct { /* of the snapshot being made */
		struct record_step step;
		struct recordset waits;
	} cut;
};

#endif
