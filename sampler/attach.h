/* SPDX-License-Identifier: Apache-2.0 */
/* Takes in processes and tasks that are there already, as /proc shows them. */
#ifndef VIGIL_SAMPLER_ATTACH_H
#define VIGIL_SAMPLER_ATTACH_H

#include "sampler/perf.h"

#include <sys/types.h>

struct sampler;
struct process;
struct task;

/* Take over program and mappings of a process. */
void attach_image(struct sampler *sampler, struct process *process);
/* Add a process, or a task of it, in the state it is in. */
struct process *attach_process(struct sampler *sampler, pid_t pid, pid_t parent);
struct task *attach_task(struct sampler *sampler, struct process *process, pid_t tid);
/* Observe the tree of processes below the root, until no new task is found. */
enum perf_result attach_tree(struct sampler *sampler, struct error *err);

#endif
