/* SPDX-License-Identifier: Apache-2.0 */
/* Adds processes and tasks that exist already, as /proc shows them. */
#ifndef VIGIL_SAMPLER_ATTACH_H
#define VIGIL_SAMPLER_ATTACH_H

#include "sampler/perf.h"

#include <sys/types.h>

struct sampler;
struct process;
struct task;

/* Sets the program and reads the mappings of a process. */
void attach_image(struct sampler *sampler, struct process *process);
/* Add a process, or a task of it, in its current state. */
struct process *attach_process(struct sampler *sampler, pid_t pid, pid_t parent);
struct task *attach_task(struct sampler *sampler, struct process *process, pid_t tid);
/* Observes the tree of processes below the root, until no new task is found. */
enum perf_result attach_tree(struct sampler *sampler, struct error *err);

#endif
