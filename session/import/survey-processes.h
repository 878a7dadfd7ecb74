/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the processes that a recording is about. perf records switches, names and
 * ends of all tasks of the machine even if it samples only one command. The
 * processes of the command are those with samples, those from which they were
 * forked within the recording, and those that they fork.
 */
#ifndef VIGIL_SESSION_IMPORT_SURVEY_PROCESSES_H
#define VIGIL_SESSION_IMPORT_SURVEY_PROCESSES_H

#include "common/idmap.h"

struct survey_processes {
	bool all; /* the recording is of the whole machine: every process counts */
	struct survey_process {
		uint64_t start, end; /* times of its records; 0: none */
		uint64_t parent;     /* index + 1 of the process that forked it; 0: unknown */
		bool sampled;
	} * items;
	size_t count, alloc;
	struct idmap by_pid; /* to the index of the newest */
};

void survey_processes_init(struct survey_processes *processes);
void survey_processes_release(struct survey_processes *processes);
/* Notes a record of a process at a time (0: unknown); sampled: it is a sample. */
void survey_processes_at(struct survey_processes *processes, uint32_t pid, uint64_t time,
			 bool sampled);
void survey_processes_fork(struct survey_processes *processes, uint32_t parent, uint32_t pid);
/*
 * After all records: includes the ancestors of processes with samples. If no
 * process has samples, all count.
 */
void survey_processes_settle(struct survey_processes *processes);
/*
 * Restricts [*start, *end] to the time from the first to the last record of the
 * processes that count.
 */
void survey_processes_times(const struct survey_processes *processes, uint64_t *start, uint64_t *end);
/* Returns whether a process counts; one forked by such a process counts from then on. */
bool survey_processes_count(const struct survey_processes *processes, uint32_t pid);
void survey_processes_forked(struct survey_processes *processes, uint32_t parent, uint32_t pid);

#endif
