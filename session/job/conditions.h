/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a step runs: COND of JOB and EXEC, EVEN and ONLY, and the IF
 * clauses it stands in, from how the earlier steps ended.
 */
#ifndef VIGIL_SESSION_JOB_CONDITIONS_H
#define VIGIL_SESSION_JOB_CONDITIONS_H

#include "parser/plan.h"

enum step_end {
	STEP_NOT_RUN, /* bypassed, or not reached */
	STEP_ENDED,   /* with a return code */
	STEP_ABENDED, /* with an abend code */
};

struct step_result {
	const struct plan_step *step;
	enum step_end end;
	unsigned return_code; /* STEP_ENDED */
	char abend[8];	      /* STEP_ABENDED: "S0C4", "U0012" */
	/* what it used, for the job's listings; 0 when it did not run */
	uint64_t user, system; /* CPU time, ns */
	uint64_t elapsed;      /* ns */
	uint64_t peak;	       /* bytes of its largest process */
	bool peak_below;       /* it was smaller; by how much is unknown */
};

/* How the steps so far ended, in order, and the IFs that were evaluated. */
struct conditions {
	struct step_result *results;
	size_t count, alloc;
	struct condition_if {
		unsigned if_number;
		bool value;
	} * ifs;
	size_t if_count, if_alloc;
};

enum condition_decision {
	CONDITION_RUN,
	CONDITION_IF,	    /* an IF or ELSE clause that does not apply */
	CONDITION_COND,	    /* a COND test of the EXEC was satisfied */
	CONDITION_ABEND,    /* an earlier step abended */
	CONDITION_NO_ABEND, /* COND=ONLY, and no step abended */
	CONDITION_JOB,	    /* a COND test of the JOB was satisfied: no further step runs */
};

void conditions_init(struct conditions *conditions);
void conditions_release(struct conditions *conditions);
/* Notes how a step ended. */
void conditions_add(struct conditions *conditions, const struct step_result *result);
/*
 * Returns whether the next step runs. Evaluates IFs that are reached the first
 * time now, so it is to be called once for each step, in order. test, when not
 * NULL, is set to the COND test that was satisfied.
 */
enum condition_decision conditions_decide(struct conditions *conditions, const struct plan_job *job,
					  const struct plan_step *step,
					  const struct plan_cond **test);
/* Returns the highest return code of the steps that ended so far, 0 when none did. */
unsigned conditions_highest(const struct conditions *conditions);
/* Returns the last step that abended, or NULL. */
const struct step_result *conditions_abend(const struct conditions *conditions);

/*
 * Returns whether a step's abnormal dispositions hold: it abended, or ABDISPCC
 * says so of its code.
 */
bool conditions_abnormal(const struct step_result *result);

#endif
