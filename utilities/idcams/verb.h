/* SPDX-License-Identifier: Apache-2.0 */
/* What the verbs of IDCAMS share: names and locks of the catalogue, and messages. */
#ifndef VIGIL_UTILITIES_IDCAMS_VERB_H
#define VIGIL_UTILITIES_IDCAMS_VERB_H

#include "utilities/idcams/idcams.h"

/* Returns whether the step has a data set root; false after a message. */
bool idcams_has_root(struct idcams *idcams);
/* Returns whether nothing in the catalogue has that name. */
bool idcams_name_is_free(const struct idcams *idcams, const char *name);
/* Takes the lock of a data set. -1 after a message when another job has it in use. */
int idcams_lock(struct idcams *idcams, const char *dsn, bool exclusive);
/* "IDC0005I NUMBER OF RECORDS PROCESSED WAS n". */
void idcams_processed(struct idcams *idcams, uint64_t records);
/* "IDC3003I FUNCTION TERMINATED. CONDITION CODE IS 12". Returns -1. */
int idcams_terminated(struct idcams *idcams);
/* "IDC3012I ENTRY x NOT FOUND" with the line that follows it. Returns -1. */
int idcams_not_found(struct idcams *idcams, enum severity severity, const char *name);

#endif
