/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sources of the lines of a page. A source is put into the page as it is
 * now if it still has the lines that the data set has of it: another file of
 * that name is not, nor is one of which the data set has no line. Of a large
 * one only what is around those lines is.
 */
#ifndef VIGIL_REPORTS_PAGE_PAGE_SOURCES_H
#define VIGIL_REPORTS_PAGE_PAGE_SOURCES_H

#include "reports/page/page-tree.h"

/* Append them as a JSON array of objects: file (number of its text), state, lines. */
void page_sources_json(const struct page_tree *tree, struct strbuf *out);

#endif
