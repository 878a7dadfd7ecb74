/* SPDX-License-Identifier: Apache-2.0 */
/* What the verbs of IDCAMS share: names and locks of the catalogue, and messages. */
#ifndef VIGIL_UTILITIES_IDCAMS_VERB_H
#define VIGIL_UTILITIES_IDCAMS_VERB_H

#include "utilities/idcams/idcams.h"

/* Checks that the step has a data set root; false after a message. */
bool idcams_has_root(struct idcams *idcams);
/* Returns whether the catalogue has no entry with this name. */
bool idcams_name_is_free(const struct idcams *idcams, const char *name);
/* Locks a data set. -1 after a message: another job uses it. */
int idcams_lock(struct idcams *idcams, const char *dsn, bool exclusive);
/* Prints "IDC0005I NUMBER OF RECORDS PROCESSED WAS n". */
void idcams_processed(struct idcams *idcams, uint64_t records);
/* Prints "IDC3003I FUNCTION TERMINATED. CONDITION CODE IS 12". Returns -1. */
int idcams_terminated(struct idcams *idcams);
/* Prints "IDC3012I ENTRY x NOT FOUND" and the line that follows it. Returns -1. */
int idcams_not_found(struct idcams *idcams, enum severity severity, const char *name);

#endif
