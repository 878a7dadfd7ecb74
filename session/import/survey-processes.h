/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which processes a recording is of. perf writes down switches, names and ends of all tasks of the
 * machine also where it samples one command only. Those of the command are the processes that
 * have samples, what they were forked from within the recording, and what they fork.
 */
#ifndef VIGIL_SESSION_IMPORT_SURVEY_PROCESSES_H
#define VIGIL_SESSION_IMPORT_SURVEY_PROCESSES_H

#include "common/idmap.h"

struct survey_processes {
	bool all; /* it is of the whole machine: every process is its */
	struct survey_process {
		uint64_t start, end; /* times of its records; 0: none */
		uint64_t parent;     /* number + 1 of the process that forked it; 0 not known */
		bool sampled;
	} * items;
	size_t count, alloc;
	struct idmap by_pid; /* to the number of the newest */
};

void survey_processes_init(struct survey_processes *processes);
void survey_processes_release(struct survey_processes *processes);
/* A process has a record at a time (0: not told); sampled: a sample. */
void survey_processes_at(struct survey_processes *processes, uint32_t pid, uint64_t time,
			 bool sampled);
void survey_processes_fork(struct survey_processes *processes, uint32_t parent, uint32_t pid);
/* All records were seen: from what process those with samples came is taken in. Where none has, all are. */
void survey_processes_settle(struct survey_processes *processes);
/* The time from the first to the last record of the processes that count, within [*start, *end]. */
void survey_processes_times(const struct survey_processes *processes, uint64_t *start, uint64_t *end);
/* Whether a process counts; one that is forked by such a one does from then on. */
bool survey_processes_count(const struct survey_processes *processes, uint32_t pid);
void survey_processes_forked(struct survey_processes *processes, uint32_t parent, uint32_t pid);

#endif
