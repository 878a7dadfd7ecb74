/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Output of the lines of TRACE=ON: standard output, or a file. Whole lines are
 * written, several at once, and only as much as is possible without blocking: a
 * slow or stopped reader never delays the session. Lines that it does not read in
 * time are dropped, and a line reports how many. After an error nothing more is
 * written.
 */
#ifndef VIGIL_SESSION_MEASURE_TRACE_OUTPUT_H
#define VIGIL_SESSION_MEASURE_TRACE_OUTPUT_H

#include "common/error.h"

/* Bytes that are buffered for a slow reader. */
#define TRACE_OUTPUT_WAITING (UINT64_C(1) << 20)

struct trace_output {
	int fd; /* -1: nothing is written */
	bool own;
	struct strbuf waiting;
	size_t written; /* bytes of the buffer already written */
	uint64_t lost;	/* lines dropped since the last accepted one */
	struct error failure; /* why nothing more is written; "": no error */
};

/* wanted: false if nothing is ever written. path: a file to create; NULL: standard output. */
void trace_output_init(struct trace_output *output, bool wanted, const char *path);
void trace_output_release(struct trace_output *output);
/* Buffers a line (event_lines.take); it is written with later ones. */
void trace_output_line(void *output, const char *line, size_t length);
/*
 * Writes what can be written now. last: waits up to a second for the rest; what is
 * left then is a failure.
 */
void trace_output_flush(struct trace_output *output, bool last);
/* Returns why lines are missing; "": none are. */
const char *trace_output_failure(const struct trace_output *output);

#endif
