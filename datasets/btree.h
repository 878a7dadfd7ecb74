/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks whether the pages of an indexed file are complete. GnuCOBOL's library
 * reads a file with missing pages without any message, so this walks its tree of
 * pages, as Berkeley DB 4 and 5 write it.
 */
#ifndef VIGIL_DATASETS_BTREE_H
#define VIGIL_DATASETS_BTREE_H

#include "common/error.h"

/*
 * Returns 0 if each page with records is in the single chain of pages; -1 with the
 * reason. A file that is not a B-tree is an error; so is one of another byte
 * order, which looks the same.
 */
int btree_check(const char *path, struct error *err);

#endif
