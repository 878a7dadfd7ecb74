/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Maintains the alternate keys of an indexed cluster's file, which correspond to
 * its alternate indexes.
 */
#ifndef VIGIL_UTILITIES_IDCAMS_INDEX_H
#define VIGIL_UTILITIES_IDCAMS_INDEX_H

#include "datasets/entries.h"
#include "utilities/idcams/idcams.h"

/*
 * Rebuilds the file of an alternate index's cluster without this key, if the file
 * has it. -1 after a message; the file is unchanged.
 */
int idcams_index_drop(struct idcams *idcams, const struct catalog_entry *index);

#endif
