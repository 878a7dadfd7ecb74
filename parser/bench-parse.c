/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures how many cards of JCL per second are converted from text to plan; the
 * last line is the number.
 */
#include "common/compat.h"
#include "common/clock.h"
#include "parser/jcl.h"

#define JOBS 400
#define STEPS 100
#define ROUNDS 3 /* the best one counts */

/* Appends one step of 12 cards typical of decks. */
static void add_step(struct strbuf *sb, unsigned job, unsigned step)
{
	strbuf_addf(sb, "//*-------- STEP %u OF JOB %u\n", step, job);
	strbuf_addf(sb, "//STEP%03u  EXEC PGM=PAYCALC,PARM='RUN %u',COND=(4,LT),\n", step, step);
	strbuf_addstr(sb, "//             REGION=64M,TIME=(1,30)\n");
	strbuf_addstr(sb, "//STEPLIB  DD DSN=&HLQ..LOADLIB,DISP=SHR\n");
	strbuf_addf(sb, "//MASTER   DD DSN=&HLQ..MASTER.S%u,DISP=OLD\n", step);
	strbuf_addstr(sb, "//OUTPUT   DD DSN=&&WORK,DISP=(NEW,PASS,DELETE),      work file\n");
	strbuf_addstr(sb, "//             SPACE=(CYL,(5,5),RLSE),UNIT=SYSDA,\n");
	strbuf_addstr(sb, "//             DCB=(RECFM=FB,LRECL=80,BLKSIZE=0)\n");
	strbuf_addstr(sb, "//SYSOUT   DD SYSOUT=*\n");
	strbuf_addstr(sb, "//SYSIN    DD *\n  SELECT ALL WHERE DEPARTMENT = 'D11'\n/*\n");
}

/* Appends one job: its steps and four cards. */
static void add_job(struct strbuf *sb, unsigned job)
{
	strbuf_addf(sb, "//NIGHT%03u JOB (ACCT,%u),'NIGHT BATCH',CLASS=A,MSGCLASS=X,\n", job, job);
	strbuf_addstr(sb, "//             NOTIFY=&SYSUID\n");
	strbuf_addstr(sb, "//         SET HLQ=PAY.PROD\n");
	for (unsigned step = 0; step < STEPS; step++)
		add_step(sb, job, step);
	strbuf_addstr(sb, "//\n");
}

/* Parses and evaluates once; returns the seconds used. */
static double round_once(const struct source *source)
{
	static const struct jcl_options options = { .user = "BENCH", .deck_folder = "/deck" };
	struct diag_list diags = DIAG_LIST_INIT;
	uint64_t begin = clock_monotonic_ns(), parsed, evaluated;
	struct jcl_deck *deck = jcl_parse(source, &options, &diags);
	struct plan_job *jobs;

	parsed = clock_monotonic_ns();
	jobs = jcl_evaluate(deck, &options, &diags);
	evaluated = clock_monotonic_ns();
	printf("%zu cards, %zu statements, %zu messages; parse %.3f s, evaluate %.3f s\n",
	       source->line_count, jcl_statement_count(deck), diags.count,
	       (double)(parsed - begin) / 1e9, (double)(evaluated - parsed) / 1e9);
	plan_free(jobs);
	jcl_free(deck);
	diag_list_release(&diags);
	return (double)(evaluated - begin) / 1e9;
}

int main(void)
{
	struct strbuf text = STRBUF_INIT;
	struct source *source;
	double best = 0;

	for (unsigned job = 0; job < JOBS; job++)
		add_job(&text, job);
	source = source_new("bench", text.text, text.length);
	for (unsigned i = 0; i < ROUNDS; i++) {
		double seconds = round_once(source);

		if (i == 0 || seconds < best)
			best = seconds;
	}
	printf("%.0f\n", (double)source->line_count / best);
	source_free(source);
	strbuf_release(&text);
	return 0;
}
