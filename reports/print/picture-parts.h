/* SPDX-License-Identifier: Apache-2.0 */
/* What the pictures share: reasons and their inks, labels, legends. */
#ifndef VIGIL_REPORTS_PRINT_PICTURE_PARTS_H
#define VIGIL_REPORTS_PRINT_PICTURE_PARTS_H

#include "reports/print/picture.h"

/* Points a column of the texts in pictures, and the height of a line. */
#define PICTURE_PITCH 4.3
#define PICTURE_LINE 9.5

/* The ink of a wait by its reason; reasons that are alike share one. */
enum ink picture_reason_ink(uint64_t reason);
/* Put a text of at most width, cut with ".." to the columns that fit. */
struct sheet_item *picture_label(struct sheets *sheets, double x, double y, double width, const char *text);
/* Put a swatch and a text beside it; the x behind both. */
double picture_key(struct sheets *sheets, double x, double y, enum ink ink, const char *text);
/* The points that it takes. */
double picture_key_width(const char *text);
/* Append "12.3 %". */
void picture_percent(struct strbuf *sb, double percent);

#endif
