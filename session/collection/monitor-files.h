/* SPDX-License-Identifier: Apache-2.0 */
/* MONWRITE files as collections, extractions and reports read and write them: streams, messages. */
#ifndef VIGIL_SESSION_COLLECTION_MONITOR_FILES_H
#define VIGIL_SESSION_COLLECTION_MONITOR_FILES_H

#include "metrics/monitor/monitor.h"
#include "session/collection/messages.h"

/* Damage that is printed as it comes; more than a screen of it is only counted. */
struct monitor_damage {
	const struct message_sink *sink;
	const char *path;
	uint64_t count;
};

/* A monwrite_damage; the argument is a struct monitor_damage. */
void monitor_files_damaged(void *argument, uint64_t offset, const char *text);
/* Say what else is missing in a file that was read; the exit status. */
int monitor_files_read(const struct monitor_damage *damage, const struct monitor_input *input);
/* Say which names had to give way in a file that was written, and release its texts; the status. */
int monitor_files_written(struct monitor_output *output, const struct message_sink *sink);
/*
 * A path by which what is named can be read more than once: a stream is copied to a file that
 * nobody else sees and that goes with the process. place is the caller's; the exit status.
 */
int monitor_files_place(const char *path, const struct message_sink *sink, char **place);

#endif
