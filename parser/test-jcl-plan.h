/* SPDX-License-Identifier: Apache-2.0 */
/* One-line descriptions of a plan for the tests of the JCL parser. */
#ifndef VIGIL_PARSER_TEST_JCL_PLAN_H
#define VIGIL_PARSER_TEST_JCL_PLAN_H

#include "parser/plan.h"

/*
 * Appends "JOB: STEP COND(4 LT S1) IF(S1.RC GE 4) D[cards] ; STEP ..." for each
 * job without errors, "-" if there is none: what decides whether a step runs, and
 * the in-stream data as the program reads it.
 */
void plan_describe(struct strbuf *sb, const struct plan_job *jobs);

/*
 * Appends a line for each step: "STEP.PROCSTEP PGM=P PARM=text TIME=seconds
 * REGION=bytes", then for each DD " / NAME" and each of its members: a data set
 * with its dispositions and known record attributes, or PATH=, SYSOUT=, DUMMY,
 * [cards].
 */
void plan_describe_steps(struct strbuf *sb, const struct plan_job *jobs);

#endif
