/* SPDX-License-Identifier: Apache-2.0 */
/* MONWRITE files in collections, extractions and reports: streams, messages. */
#ifndef VIGIL_SESSION_COLLECTION_MONITOR_FILES_H
#define VIGIL_SESSION_COLLECTION_MONITOR_FILES_H

#include "metrics/monitor/monitor.h"
#include "session/collection/messages.h"

/* Prints damage as it is found; beyond a screenful it is only counted. */
struct monitor_damage {
	const struct message_sink *sink;
	const char *path;
	uint64_t count;
};

/* Implements monwrite_damage; argument is a struct monitor_damage. */
void monitor_files_damaged(void *argument, uint64_t offset, const char *text);
/* Reports what else is missing in a file that was read; returns the exit status. */
int monitor_files_read(const struct monitor_damage *damage, const struct monitor_input *input);
/*
 * Reports which short names and devices in a written file deviate from the rule
 * or were left out, and releases its texts; returns the exit status.
 */
int monitor_files_written(struct monitor_output *output, const struct message_sink *sink);
/*
 * Returns a path whose content can be read repeatedly: a stream is copied to an
 * unnamed file, which disappears with the process. The caller frees *place;
 * returns the exit status.
 */
int monitor_files_place(const char *path, const struct message_sink *sink, char **place);

#endif
