/* SPDX-License-Identifier: Apache-2.0 */
/* The module that draws PDF, SVG and PNG (reports/print/painter.h), loaded when it is needed. */
#ifndef VIGIL_SESSION_PAINTER_LOAD_H
#define VIGIL_SESSION_PAINTER_LOAD_H

#include "common/error.h"
#include "reports/report.h"

/* Numbers of messages on why nothing can be drawn. */
#define PAINTER_MISSING 6740 /* there is no module, or not this version's */
#define PAINTER_NO_FONT 6741

/*
 * Gives options a painter where something is drawn; it stays loaded. -1 with the
 * reason, and the number of its message.
 */
int painter_give(struct report_options *options, unsigned *number, struct error *err);

#endif
