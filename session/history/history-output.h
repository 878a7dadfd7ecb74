/* SPDX-License-Identifier: Apache-2.0 */
/* Prints documents about the history: the same rows on each device. */
#ifndef VIGIL_SESSION_HISTORY_HISTORY_OUTPUT_H
#define VIGIL_SESSION_HISTORY_HISTORY_OUTPUT_H

#include "reports/device.h"

/* What to print, and its heading. Texts are borrowed, "" if there is none. */
struct history_output {
	const char *heading, *code, *name; /* static: "STEP HISTORY", "HST", "Step History" */
	const char *title, *job, *step, *program, *date;
	const char *trend; /* data drawn by the script of a page (page-trend.h); NULL: none */
};

/* Fills a document. */
typedef void (*history_fill)(struct document *document, const void *argument);

/*
 * Writes a document according to options: device, lines, ansi_control, title. -1
 * on a write error.
 */
int history_output_print(const struct history_output *output, const struct report_options *options,
			 history_fill fill, const void *argument, FILE *stream, struct error *err);

#endif
