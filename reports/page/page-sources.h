/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sources of a page's lines. A source is put into the page in its current
 * state if it still contains the lines that the data set has from it; a different
 * file of the same name is left out, and so is a file of which the data set has no
 * line. Of a large source only the surroundings of those lines are included.
 */
#ifndef VIGIL_REPORTS_PAGE_PAGE_SOURCES_H
#define VIGIL_REPORTS_PAGE_PAGE_SOURCES_H

#include "reports/page/page-tree.h"

/* Appends them as a JSON array of objects: file (number of its text), state, lines. */
void page_sources_json(const struct page_tree *tree, struct strbuf *out);

#endif
