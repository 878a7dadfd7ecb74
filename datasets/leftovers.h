/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Removes what killed programs left in the data set root. Berkeley DB creates an
 * indexed file under the name __db.NAME, with .1 and so on for alternate keys, and
 * waits forever for one that a killed program left.
 */
#ifndef VIGIL_DATASETS_LEFTOVERS_H
#define VIGIL_DATASETS_LEFTOVERS_H

#include "datasets/catalog.h"

/*
 * Completes replacements of data sets in the root (replacing.h), and removes the
 * files __db.NAME of data sets that no job or utility uses, which means that no
 * process is creating them.
 */
void leftovers_clear(const struct catalog *catalog);

#endif
