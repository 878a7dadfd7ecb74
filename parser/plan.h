/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The plan: what a deck requests, after symbols, procedures and defaults. Built by
 * jcl_evaluate (parser/jcl.h), executed by session/job. It does not depend on the
 * machine on which it will run: data set names are not yet paths, programs are not
 * yet files.
 *
 * Every node has the location from which it came, for messages at run time.
 */
#ifndef VIGIL_PARSER_PLAN_H
#define VIGIL_PARSER_PLAN_H

#include "common/diag.h"

enum disp_status { DISP_NEW, DISP_OLD, DISP_SHR, DISP_MOD };
enum disp_action { DISP_KEEP, DISP_DELETE, DISP_CATLG, DISP_UNCATLG, DISP_PASS };

enum dd_kind {
	DD_DUMMY,     /* DUMMY, DSN=NULLFILE, PATH=/dev/null */
	DD_INSTREAM,  /* * or DATA: content in data */
	DD_SYSOUT,    /* SYSOUT=class */
	DD_DATASET,   /* DSN=name, also temporary and passed ones */
	DD_PATH,      /* PATH='/unix/file' */
};

enum organization_hint { DSORG_UNKNOWN, DSORG_PS, DSORG_PO };

/* RECORG=: the kind of cluster of a new data set. */
enum record_organization { RECORG_NONE, RECORG_KS, RECORG_ES, RECORG_RR, RECORG_LS };

/* SPACE=(unit,(primary,secondary,directory)); not a limit on Linux. */
struct plan_space {
	char unit[8];	   /* "TRK", "CYL", or the block length; "": not given */
	unsigned primary, secondary;
	unsigned directory; /* blocks: more than 0 makes a partitioned data set */
	char average;	   /* AVGREC=: U, K, M; '\0': not given */
};

/* One data set of a DD; concatenations are lists. */
struct plan_dd {
	char *name;	       /* upper case; the same in all members of a concatenation */
	enum dd_kind kind;
	struct location location;

	/* DD_DATASET */
	char *dsn;	       /* "A.B.C", "&&X" if temporary, "" if anonymous, "&&.n" if
			        * anonymous and referred to */
	char *member;	       /* member of a PDS; NULL: none */
	bool generation_given; /* a relative generation was in the parentheses */
	int generation;	       /* +1, 0, -1 */
	bool temporary;
	enum disp_status status;
	enum disp_action normal, abnormal;
	bool disp_given;
	enum organization_hint organization;
	char *recfm;	       /* "FB"; NULL: unknown */
	unsigned lrecl;	       /* 0: unknown */
	unsigned block_size;
	enum record_organization record_organization;
	unsigned key_length;   /* KEYLEN=; 0: not given */
	bool key_offset_given;
	unsigned key_offset;   /* KEYOFF= or RKP=, from 0 */
	struct plan_space space;
	/*
	 * LIKE=name or DCB=name: the data set from which a new one gets the attributes
	 * that the DD does not give; "&&X" for a temporary one, NULL: none. REFDD= and
	 * DCB=*.DD are already resolved: the attributes of the other DD are here, and its
	 * data set is the model if it gave fewer.
	 */
	char *model;
	bool free_at_close;    /* FREE=CLOSE */
	char *unit_affinity;   /* UNIT=AFF=: the DD whose unit is shared; recorded only */

	/* DD_PATH */
	char *path;
	unsigned path_options; /* O_* flags of PATHOPTS; 0: not given */
	bool path_options_given;
	unsigned path_mode;    /* permission bits; 0: not given */
	enum disp_action path_normal, path_abnormal; /* KEEP or DELETE */
	bool filedata_given, filedata_text; /* FILEDATA=TEXT or BINARY */

	/* DD_SYSOUT */
	char sysout_class;     /* letter or digit; '*' has been replaced by the MSGCLASS */
	char *writer;	       /* second positional, "INTRDR"; NULL: none */
	unsigned output_limit; /* OUTLIM=, logical records; 0: none */

	/* DD_INSTREAM: the unchanged cards, each ending with '\n' */
	char *data;
	size_t data_length;
	const struct source *data_source; /* source of the cards: one per line, starting at
					   * data_line */
	unsigned data_line;
	bool implicit_sysin;   /* cards without a DD statement */

	struct plan_dd *next_concat; /* next data set of the concatenation */
	struct plan_dd *next;	     /* next DD of the step (first members only) */
};

enum relation { REL_GT, REL_GE, REL_EQ, REL_LT, REL_LE, REL_NE };

/* One COND test: bypass when "code relation rc" holds. */
struct plan_cond {
	unsigned code;		  /* 0..4095 */
	enum relation relation;
	char *step, *procstep;	  /* NULL: every earlier step */
	struct plan_cond *next;
};

/* An IF expression, evaluated when reached at run time. */
struct plan_expr {
	enum plan_expr_kind {
		EXPR_AND, EXPR_OR, EXPR_NOT, /* left, right */
		EXPR_RC,	/* step.RC relation number */
		EXPR_ABENDCC,	/* step.ABENDCC relation code */
		EXPR_ABEND,	/* step.ABEND */
		EXPR_RUN,	/* step.RUN */
		EXPR_CONSTANT,	/* a comparison of constants (from symbols): value in number */
	} kind;
	struct plan_expr *left, *right;
	enum relation relation;
	char *step, *procstep;	/* NULL: the job as a whole */
	unsigned number;
	char *code;		/* "S0C4", "U0012" */
	struct location location;
	struct plan_expr *next;	/* of the job's expressions (whole conditions only) */
};

/* A step belongs to a stack of IF clauses: it runs only if all hold. */
struct plan_guard {
	struct plan_expr *expr; /* shared with other steps of the same IF; owned by the job */
	unsigned if_number;	/* the same for all steps of one IF: evaluated once */
	bool wanted;		/* true in THEN, false in ELSE */
	struct plan_guard *outer;
	struct plan_guard *next; /* of the job's guards */
};

struct plan_step {
	char *name;	    /* of the EXEC in the job stream; "": none */
	char *procstep;	    /* of the EXEC in the procedure; "" outside procedures */
	char *procedure;    /* name of the procedure; "": none */
	struct location location;
	char *program;	    /* PGM=; for PGM=*.STEP.DD see program_dd */
	struct plan_dd *program_dd; /* borrowed: the DD that PGM=*.step.dd refers to; NULL: none */
	char *parm;	    /* without apostrophes, doubled characters reduced to one; NULL: not
			     * given */
	char *parm_dd;	    /* PARMDD=: the DD of this step whose text is the PARM; NULL: none */
	bool even, only;
	struct plan_cond *conditions;
	struct plan_guard *guard;   /* NULL outside IF */
	bool time_given;
	uint64_t cpu_limit; /* seconds of CPU time; 0: unlimited */
	uint64_t region;    /* bytes; 0: unlimited or not given */
	uint64_t memory_limit;	    /* MEMLIMIT= in bytes; 0: not given or NOLIMIT; recorded only */
	/* ABDISPCC=(code,relation): abnormal dispositions also apply if "rc relation code" holds */
	bool abnormal_code_given;
	unsigned abnormal_code;
	enum relation abnormal_relation; /* REL_GT or REL_GE */
	struct plan_dd *dds;	    /* in order, including STEPLIB */
	struct plan_step *next;
};

/*
 * A statement of the job, or a comment, in order of evaluation: the content of
 * JESJCL. Its text is first_line to last_line of source.
 */
struct plan_card {
	const struct source *source;
	unsigned first_line, last_line;
	unsigned number;     /* of the statement, counted through the job; 0 for a comment */
	char mark[3];	     /* "//", "XX", "X/", "++", "+/", "**" for a comment */
	char *substitution;  /* the operands after symbol substitution; NULL: no symbols */
	struct plan_card *next;
};

struct plan_job {
	char *name;
	struct location location;
	const struct source *source;
	unsigned first_line, last_line; /* the job's cards in the source */
	char *account, *programmer;     /* "": not given */
	char job_class, message_class;  /* default 'A' */
	unsigned message_level[2];
	char *notify, *user;
	bool scan;	    /* TYPRUN=SCAN */
	bool hold;	    /* TYPRUN=HOLD or JCLHOLD: parsed, not run */
	bool copy;	    /* TYPRUN=COPY */
	char *restart_step, *restart_procstep; /* NULL: from the start */
	struct plan_cond *conditions;
	bool time_given;
	uint64_t cpu_limit;
	uint64_t region;
	uint64_t memory_limit;	     /* as of a step */
	bool generations_by_step;    /* GDGBIAS=STEP: relative generations are counted per step */
	enum job_code_source { JOBRC_MAXIMUM, JOBRC_LAST, JOBRC_STEP } code_source; /* JOBRC= */
	char *code_step, *code_procstep; /* of JOBRC=(STEP,name) */
	struct plan_card *cards;     /* the job as evaluated, for its listing */
	struct plan_dd *joblib; /* a concatenation; NULL: none */
	struct plan_step *steps;
	size_t step_count;
	bool failed;	    /* had an error: must not be run */
	struct plan_job *next;
	struct plan_guard *guards; /* all guards of the job, freed with it */
	struct plan_expr *expressions;
};

void plan_free(struct plan_job *jobs);
/* Frees one data set of a DD, without the others in its list. */
void plan_dd_free(struct plan_dd *dd);

/* Return names for messages and listings. */
const char *plan_disp_status_name(enum disp_status status);
const char *plan_disp_action_name(enum disp_action action);
const char *plan_relation_name(enum relation relation);

#endif
