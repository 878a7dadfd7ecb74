/* SPDX-License-Identifier: Apache-2.0 */
/* What of a document becomes lines of at most so many columns, the room, on every device with pages. */
#ifndef VIGIL_REPORTS_LISTING_LINES_H
#define VIGIL_REPORTS_LISTING_LINES_H

#include "reports/device.h"

/* Takes one line, without a newline. */
typedef void (*listing_put)(void *argument, const char *line);

/* A paragraph; further lines begin at indent. */
void listing_paragraph(const char *paragraph, size_t indent, size_t room, listing_put put,
		       void *argument);
/* Groups of pairs side by side, as many as there is room for. */
void listing_pairs(const struct block *block, size_t room, listing_put put, void *argument);

#endif
