/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Common to every page: style and script, as make-page joined them from the files
 * in this folder and those of vendor/.
 */
#ifndef VIGIL_REPORTS_PAGE_PAGE_FILES_H
#define VIGIL_REPORTS_PAGE_PAGE_FILES_H

#include <stddef.h>

struct page_file {
	const unsigned char *bytes;
	size_t length;
	const char *hash; /* "sha256-..." of the bytes, as a Content-Security-Policy names it */
};

extern const struct page_file page_style, page_script;

#endif
