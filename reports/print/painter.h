/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who draws sheets. The painter with cairo and pango is a module of its own,
 * vigil-print.so, which is loaded when something is drawn: no other command
 * loads those libraries.
 */
#ifndef VIGIL_REPORTS_PRINT_PAINTER_H
#define VIGIL_REPORTS_PRINT_PAINTER_H

#include "reports/print/sheets.h"

/* Changes whenever the sheets or what is below do. */
#define PAINTER_VERSION 1
#define PAINTER_SYMBOL "vigil_painter"

enum paint_form { PAINT_PDF, PAINT_SVG, PAINT_PNG };

struct painter {
	unsigned version;
	/* NULL when there is a font to write with; else a sentence why not, static. */
	const char *(*check)(void);
	/*
	 * Draw all sheets (SVG and PNG: the first) and give the bytes of the file to write, which returns -1
	 * when it takes no more. The same sheets make the same bytes. NULL, or what went wrong, static.
	 * scale: pixels a point, of PNG.
	 */
	const char *(*paint)(const struct sheets *sheets, enum paint_form form, double scale,
			     int (*write)(void *argument, const void *bytes, size_t length), void *argument);
};

#endif
