/* SPDX-License-Identifier: Apache-2.0 */
/* The DD statement under evaluation, shared by the handlers of its keywords. */
#ifndef VIGIL_PARSER_JCL_DD_H
#define VIGIL_PARSER_JCL_DD_H

#include "parser/jcl-evaluation.h"

struct jcl_dd {
	struct plan_dd *dd; /* the result */
	bool has_dsn, has_path, has_sysout, has_ddname, has_data, dummy;
	bool substitute; /* SYMBOLS= requests symbol substitution in the data */
	bool system_symbols;
	const struct jcl_statement *data; /* the statement with the data cards */
	const struct source *source;	  /* source of these cards */
	const char *ddname;
	struct location ddname_location;
	const struct jcl_node *subsystem; /* value of SUBSYS; NULL: none */
};

/* Fills in the dispositions that were not given, depending on the status. */
void jcl_dd_default_disp(struct plan_dd *dd, bool normal_given, bool abnormal_given);

/* Keyword handlers; target is a struct jcl_dd. */
void jcl_dd_dsn(struct jcl_evaluation *e, void *target, const struct jcl_node *value);
void jcl_dd_disp(struct jcl_evaluation *e, void *target, const struct jcl_node *value);
void jcl_dd_path(struct jcl_evaluation *e, void *target, const struct jcl_node *value);
void jcl_dd_pathopts(struct jcl_evaluation *e, void *target, const struct jcl_node *value);
void jcl_dd_pathmode(struct jcl_evaluation *e, void *target, const struct jcl_node *value);
void jcl_dd_pathdisp(struct jcl_evaluation *e, void *target, const struct jcl_node *value);
void jcl_dd_filedata(struct jcl_evaluation *e, void *target, const struct jcl_node *value);
void jcl_dd_recfm(struct jcl_evaluation *e, void *target, const struct jcl_node *value);
void jcl_dd_lrecl(struct jcl_evaluation *e, void *target, const struct jcl_node *value);
void jcl_dd_blksize(struct jcl_evaluation *e, void *target, const struct jcl_node *value);
void jcl_dd_dsorg(struct jcl_evaluation *e, void *target, const struct jcl_node *value);
void jcl_dd_dcb(struct jcl_evaluation *e, void *target, const struct jcl_node *value);
void jcl_dd_refdd(struct jcl_evaluation *e, void *target, const struct jcl_node *value);
void jcl_dd_like(struct jcl_evaluation *e, void *target, const struct jcl_node *value);
void jcl_dd_space(struct jcl_evaluation *e, void *target, const struct jcl_node *value);
void jcl_dd_avgrec(struct jcl_evaluation *e, void *target, const struct jcl_node *value);
void jcl_dd_dsntype(struct jcl_evaluation *e, void *target, const struct jcl_node *value);
void jcl_dd_recorg(struct jcl_evaluation *e, void *target, const struct jcl_node *value);
void jcl_dd_keylen(struct jcl_evaluation *e, void *target, const struct jcl_node *value);
void jcl_dd_keyoff(struct jcl_evaluation *e, void *target, const struct jcl_node *value);

/* Checks a data set name; false after a message. */
bool jcl_dsn_valid(struct jcl_evaluation *e, const struct jcl_node *node, const char *name);

#endif
