/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing and reading the sample data set of an operation. Records of a module
 * with VIGIL_PRIVATE_FORM are in the file in that form. In snapshots they are
 * public, provided that the module is registered with the reader.
 */
#ifndef VIGIL_ENGINE_MODULES_MODULE_FORMS_H
#define VIGIL_ENGINE_MODULES_MODULE_FORMS_H

#include "engine/modules/opened-data.h"

/*
 * Makes the snapshot that is written: the sets of the given one, except those with
 * a private form.
 */
const struct snapshot *forms_to_stored(struct vigil_engine *opened, struct snapshot *snapshot);
/* Empties the private sets again: snapshots hold the public form. */
void forms_forget(struct vigil_engine *opened, struct snapshot *snapshot);
/* Converts the records of a snapshot that was read to their public form. */
void forms_to_public(struct vigil_engine *opened, struct snapshot *snapshot);

/* DATASET and DATASET.READER; their context is the struct vigil_engine. */
extern const struct module_class module_writer_class;
extern const struct module_class module_reader_class;

#endif
