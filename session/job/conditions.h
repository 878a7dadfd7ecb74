/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides whether a step runs, from the ends of the earlier steps: COND of JOB and
 * EXEC, EVEN and ONLY, and the IF clauses around the step.
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
	/* What the step used, for the job's listings; 0 if it did not run. */
	uint64_t user, system; /* CPU time, ns */
	uint64_t elapsed;      /* ns */
	uint64_t peak;	       /* resident bytes of its largest process */
	bool peak_below;       /* the real peak is smaller than peak, by an unknown amount */
};

/* How the earlier steps ended, in order, and the IFs evaluated so far. */
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
/* Records how a step ended. */
void conditions_add(struct conditions *conditions, const struct step_result *result);
/*
 * Returns whether the next step runs. IFs that are reached for the first time are
 * evaluated now, so this must be called once per step, in order. test, if not
 * NULL, is set to the COND test that was satisfied.
 */
enum condition_decision conditions_decide(struct conditions *conditions, const struct plan_job *job,
					  const struct plan_step *step,
					  const struct plan_cond **test);
/* Returns the highest return code of the steps that ended so far, 0 if none did. */
unsigned conditions_highest(const struct conditions *conditions);
/* Returns the last step that abended, or NULL. */
const struct step_result *conditions_abend(const struct conditions *conditions);

/*
 * Returns whether a step's abnormal dispositions apply: it abended, or its return
 * code satisfies ABDISPCC.
 */
bool conditions_abnormal(const struct step_result *result);

#endif
