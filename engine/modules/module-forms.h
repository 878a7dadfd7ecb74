/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sample data set of an operation, written and read. Records of a module
 * with VIGIL_PRIVATE_FORM stand in it in that form; in snapshots they are
 * public, as long as the module is known to who reads.
 */
#ifndef VIGIL_ENGINE_MODULES_MODULE_FORMS_H
#define VIGIL_ENGINE_MODULES_MODULE_FORMS_H

#include "engine/modules/opened-data.h"

/* Makes the snapshot that is written: the sets of the other, but for those with a private form. */
const struct snapshot *forms_to_stored(struct vigil_engine *opened, struct snapshot *snapshot);
/* Empties the private sets again: snapshots hold the public form. */
void forms_forget(struct vigil_engine *opened, struct snapshot *snapshot);
/* The way back, for a snapshot that was read. */
void forms_to_public(struct vigil_engine *opened, struct snapshot *snapshot);

/* DATASET and DATASET.READER; their context is the struct vigil_engine. */
extern const struct module_class module_writer_class;
extern const struct module_class module_reader_class;

#endif
