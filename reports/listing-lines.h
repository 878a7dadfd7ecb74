/* SPDX-License-Identifier: Apache-2.0 */
/* Formats parts of a document as lines of at most room columns, for every device with pages. */
#ifndef VIGIL_REPORTS_LISTING_LINES_H
#define VIGIL_REPORTS_LISTING_LINES_H

#include "reports/device.h"

/* Receives one line, without a newline. */
typedef void (*listing_put)(void *argument, const char *line);

/* Formats a paragraph; lines after the first begin at indent. */
void listing_paragraph(const char *paragraph, size_t indent, size_t line_width, listing_put put,
		       void *argument);
/* Formats groups of pairs side by side, as many as fit. */
void listing_pairs(const struct block *block, size_t line_width, listing_put put, void *argument);

#endif
