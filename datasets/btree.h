/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether the pages of an indexed file belong together. GnuCOBOL's library
 * reads a file that lacks pages without a word: its tree of pages is walked
 * here, as Berkeley DB 4 and 5 write it.
 */
#ifndef VIGIL_DATASETS_BTREE_H
#define VIGIL_DATASETS_BTREE_H

#include "common/error.h"

/*
 * 0: each page with records is in its place in the one chain of pages; -1 with
 * the reason. A file of another kind than a B-tree is an error; one of another
 * byte order is taken for such.
 */
int btree_check(const char *path, struct error *err);

#endif
