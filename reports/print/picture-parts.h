/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the pictures: reasons and their inks, labels, legends. */
#ifndef VIGIL_REPORTS_PRINT_PICTURE_PARTS_H
#define VIGIL_REPORTS_PRINT_PICTURE_PARTS_H

#include "reports/print/picture.h"

/* Points per column of the texts in pictures, and the height of a line. */
#define PICTURE_PITCH 4.3
#define PICTURE_LINE 9.5

/* Returns the ink of a wait by its reason; similar reasons share one. */
enum ink picture_reason_ink(uint64_t reason);
/* Puts a text at most width wide, truncated with ".." to the columns that fit. */
struct sheet_item *picture_label(struct sheets *sheets, double x, double y, double width, const char *text);
/* Puts a swatch with a text next to it; returns the x after both. */
double picture_key(struct sheets *sheets, double x, double y, enum ink ink, const char *text);
/* Returns the width of a key with this text, points. */
double picture_key_width(const char *text);
/* Appends "12.3 %". */
void picture_percent(struct strbuf *sb, double percent);

#endif
