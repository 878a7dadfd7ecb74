/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the commands of IDCAMS share: the catalogue, the locks of the job, the
 * listing and the condition codes. A command's condition code is the highest
 * severity of the messages it prints.
 */
#ifndef VIGIL_UTILITIES_IDCAMS_IDCAMS_H
#define VIGIL_UTILITIES_IDCAMS_IDCAMS_H

#include "session/datasets/catalog.h"
#include "session/datasets/lock.h"
#include "utilities/idcams/tree.h"
#include "utilities/utility.h"

struct idcams {
	struct utility *utility;
	struct catalog catalog; /* root NULL: the step has none */
	struct lock_list locks;
	const struct source *source; /* SYSIN */
	size_t echoed;		     /* lines of it in the listing */
	unsigned last, highest;	     /* LASTCC, MAXCC */
	bool ended;		     /* by a code of 16 */
};

/* Understand SYSIN and carry it out; highest is the return code. */
void idcams_execute(struct idcams *idcams, const struct source *source, unsigned left,
		    unsigned right);

/* The verbs. */
void idcams_alter(struct idcams *idcams, const struct idcams_command *command);
void idcams_bldindex(struct idcams *idcams, const struct idcams_command *command);
void idcams_define(struct idcams *idcams, const struct idcams_command *command);
void idcams_delete(struct idcams *idcams, const struct idcams_command *command);
void idcams_listcat(struct idcams *idcams, const struct idcams_command *command);
void idcams_print(struct idcams *idcams, const struct idcams_command *command);
void idcams_repro(struct idcams *idcams, const struct idcams_command *command);
void idcams_verify(struct idcams *idcams, const struct idcams_command *command);

/* Free a list of names of the catalogue. */
void idcams_names_free(char **names, size_t count);
/* Whether nothing in the catalogue has a name. */
bool idcams_name_free(const struct idcams *idcams, const char *name);
/* "IDC3003I FUNCTION TERMINATED. CONDITION CODE IS 12". Returns -1. */
int idcams_terminated(struct idcams *idcams);
/* "IDC3012I ENTRY x NOT FOUND" with the line that follows it. Returns -1. */
int idcams_not_found(struct idcams *idcams, enum severity severity, const char *name);

#endif
