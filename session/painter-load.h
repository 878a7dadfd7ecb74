/* SPDX-License-Identifier: Apache-2.0 */
/* Loads, on demand, the module that draws PDF, SVG and PNG (reports/print/painter.h). */
#ifndef VIGIL_SESSION_PAINTER_LOAD_H
#define VIGIL_SESSION_PAINTER_LOAD_H

#include "common/error.h"
#include "reports/report.h"

/* Numbers of the messages if nothing can be drawn. */
#define PAINTER_MISSING 6740 /* the module is missing, or of another version */
#define PAINTER_NO_FONT 6741

/*
 * Gives options a painter if their device draws; it stays loaded. -1 with the
 * reason, and the number of its message.
 */
int painter_give(struct report_options *options, unsigned *number, struct error *err);

#endif
