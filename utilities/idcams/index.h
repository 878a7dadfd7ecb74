/* SPDX-License-Identifier: Apache-2.0 */
/* The alternate keys of an indexed cluster's file, which follow its alternate indexes. */
#ifndef VIGIL_UTILITIES_IDCAMS_INDEX_H
#define VIGIL_UTILITIES_IDCAMS_INDEX_H

#include "datasets/entries.h"
#include "utilities/idcams/idcams.h"

/*
 * Makes the file of an alternate index's cluster anew without its key, when it has
 * it. -1 after a message, with the file as it was.
 */
int idcams_index_drop(struct idcams *idcams, const struct catalog_entry *index);

#endif
