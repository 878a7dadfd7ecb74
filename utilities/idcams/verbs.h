/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The verbs, each in the file of its name (BLDINDEX and VERIFY in index.c). A verb
 * executes a checked command and prints messages; their highest severity is its
 * condition code.
 */
#ifndef VIGIL_UTILITIES_IDCAMS_VERBS_H
#define VIGIL_UTILITIES_IDCAMS_VERBS_H

#include "utilities/idcams/idcams.h"

void idcams_alter(struct idcams *idcams, const struct idcams_command *command);
void idcams_bldindex(struct idcams *idcams, const struct idcams_command *command);
void idcams_define(struct idcams *idcams, const struct idcams_command *command);
void idcams_delete(struct idcams *idcams, const struct idcams_command *command);
void idcams_listcat(struct idcams *idcams, const struct idcams_command *command);
void idcams_print(struct idcams *idcams, const struct idcams_command *command);
void idcams_repro(struct idcams *idcams, const struct idcams_command *command);
void idcams_verify(struct idcams *idcams, const struct idcams_command *command);

#endif
