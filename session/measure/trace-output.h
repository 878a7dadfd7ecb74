/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the lines of TRACE=ON go: standard output, or a file. Lines are written
 * whole, several at once, and only as much as goes without waiting: a reader that
 * is slow or stopped never holds the session up. What he does not take in time is
 * left out, and a line says how much. After an error nothing more is written.
 */
#ifndef VIGIL_SESSION_MEASURE_TRACE_OUTPUT_H
#define VIGIL_SESSION_MEASURE_TRACE_OUTPUT_H

#include "common/error.h"

/* Bytes that may wait for a slow reader. */
#define TRACE_OUTPUT_WAITING (UINT64_C(1) << 20)

struct trace_output {
	int fd; /* -1: nothing is written */
	bool own;
	struct strbuf waiting;
	size_t written; /* bytes of what waits that are written */
	uint64_t lost;	/* lines left out since the last that was taken */
	struct error failure; /* why nothing more is written; "" all is well */
};

/* wanted: false when nothing is ever written. path: a file to make; NULL: standard output. */
void trace_output_init(struct trace_output *output, bool wanted, const char *path);
void trace_output_release(struct trace_output *output);
/* Take a line (event_lines.take); it is written with later ones. */
void trace_output_line(void *output, const char *line, size_t length);
/* Write what can be written now. last: wait a second for what is left, which is a failure then. */
void trace_output_flush(struct trace_output *output, bool last);
/* Why lines are missing; "" when none are. */
const char *trace_output_failure(const struct trace_output *output);

#endif
