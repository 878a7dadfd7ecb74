/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The internals of a sampler: the parts it consists of. Private to the conductors,
 * which pass the data from part to part; a part knows only those below it, which
 * it gets when it is made (sampler.c), and can be tested without the others.
 *
 * The conductors: observe.c applies the kernel's records, which perf.c reads in
 * order of time, to the parts; proc.c does so with what it finds in /proc where
 * there are no records; tick.c decides when, windows.c whether at all, and duty.c
 * accounts for the time between windows; attach.c adds what exists already;
 * producers.c makes rows at each snapshot, notes.c reports what is missing, and
 * sampler.c creates and frees everything.
 */
#ifndef VIGIL_SAMPLER_SAMPLER_DATA_H
#define VIGIL_SAMPLER_SAMPLER_DATA_H

#include "common/idmap.h"
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
#include "sampler/kernel-looks.h"
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
	struct error refusal; /* why a higher level was refused */
	pid_t root;	      /* first process of the step */
	bool follow;	      /* it is observed from its first exec on; false: attached to */
	uint64_t start;	      /* monotonic ns */

	bool suspended; /* by sampler_pause */
	uint64_t proc_used; /* PROC: ns of CPU time of all tasks in the last scan */
	struct idmap proc_starts; /* PROC: process id -> start, in clock ticks, of each process seen */
	uint64_t used;	/* ns of CPU time that the system counted for the ended step; 0: not
			 * known */

	/* What is known about the step. */
	struct step *step;
	struct step *own; /* the same if the sampler made it and must free it; else NULL */
	struct step_clock clock;
	struct tasks tasks;
	struct object_list objects;
	struct stacks stacks;
	struct names *names;
	struct files *files;
	struct file_counts *counts; /* NULL: no program can count what it reads and writes */
	struct transactions *transactions; /* of the step; the sampler keeps them up to date */

	/* Sources of data. */
	struct perf perf; /* open except at level PROC */
	struct prober *prober;
	struct task_stops task_stops;
	struct named_places *named_places;
	struct collect *collect; /* data collectors; NULL: none */
	bool wakeup_each_sample;	 /* the kernel wakes up vigil at each sample, as a collector
				  * needs it */
	struct stack_resolver stack_resolver;
	struct prompt *prompt; /* NULL: no kernel records or no data collectors */

	/* Execution. */
	struct sample_ledger ledger;
	struct residues residues;
	struct short_tasks short_tasks;
	struct thin thin;
	struct estimate estimate;
	struct stolen stolen;
	struct samples samples;
	struct kernel_looks kernel_looks;

	/* Waits, and other states of tasks. */
	struct waits waits;
	struct wait_looks wait_looks;
	struct switch_places switch_places;
	struct fault_files fault_files;
	struct states states;
	struct losses losses;
	struct resource_usage resource_usage;

	/* State of the conductors. */
	struct cost_watch cost;
	struct duty duty;
	struct windows windows;
	struct observe observe;
	struct tick tick;
	struct notes notes;
	struct name_rows name_rows;
	struct { /* rows of the snapshot being made */
		struct record_step step;
		struct recordset waits;
	} snapshot_rows;
};

#endif
