/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What killed programs leave in the data set root. Berkeley DB makes an indexed file under the name
 * __db.NAME, with .1 and so on for alternate keys, and waits for ever for one that a
 * killed program left.
 */
#ifndef VIGIL_DATASETS_LEFTOVERS_H
#define VIGIL_DATASETS_LEFTOVERS_H

#include "datasets/catalog.h"

/*
 * Finishes replacements of data sets in the root (replacing.h), and removes the
 * files __db.NAME of data sets that no job and no utility has in use: nobody is
 * making them.
 */
void leftovers_clear(const struct catalog *catalog);

#endif
