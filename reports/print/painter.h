/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interface that draws sheets. The painter with cairo and pango is a separate
 * module, vigil-print.so, loaded only when something is drawn: no other command
 * loads those libraries.
 */
#ifndef VIGIL_REPORTS_PRINT_PAINTER_H
#define VIGIL_REPORTS_PRINT_PAINTER_H

#include "reports/print/sheets.h"

/* Incremented whenever the sheets or the interface below change. */
#define PAINTER_VERSION 1
#define PAINTER_SYMBOL "vigil_painter"

enum paint_form { PAINT_PDF, PAINT_SVG, PAINT_PNG };

struct painter {
	unsigned version;
	/* Returns NULL if a font is available; else a sentence that says why not, static. */
	const char *(*check)(void);
	/*
	 * Draws all sheets (SVG and PNG: the first) and passes the bytes of the file to
	 * write, which returns -1 to stop. The same sheets give the same bytes. scale:
	 * pixels per point, for PNG. Returns NULL, or what went wrong, static.
	 */
	const char *(*paint)(const struct sheets *sheets, enum paint_form form, double scale,
			     int (*write)(void *argument, const void *bytes, size_t length), void *argument);
};

#endif
