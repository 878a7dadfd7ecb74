/* SPDX-License-Identifier: Apache-2.0 */
/* Takes in processes and tasks that are there already. */
#include "common/compat.h"
#include "sampler/attach.h"
#include "sampler/core.h"
#include "sampler/present.h"

void attach_image(struct sampler *sampler, struct process *process)
{
	char path[4096];

	space_clear(&process->space);
	space_read_proc(&process->space, &sampler->objects, process->pid, NULL);
	if (!present_program(process->pid, path, sizeof(path)))
		return;
	tasks_set_image(process, path);
	process->residue = residues_get(&sampler->residues, process->path);
	for (size_t i = 0; i < sampler->objects.count; i++)
		if (strcmp(sampler->objects.items[i]->path, path) == 0)
			process->image = sampler->objects.items[i];
}

struct process *attach_process(struct sampler *sampler, pid_t pid, pid_t parent)
{
	struct tasks *tasks = &sampler->tasks;
	struct process *process =
		tasks_add_process(tasks, pid, tasks_process(tasks, parent), sampler->clock.now);

	attach_image(sampler, process);
	return process;
}

struct task *attach_task(struct sampler *sampler, struct process *process, pid_t tid)
{
	char name[16];
	struct task *task;

	present_name(process->pid, tid, name, sizeof(name));
	task = tasks_add_task(&sampler->tasks, process, tid, name, sampler->clock.now);
	state_set(sampler, task,
		  present_state(process->pid, tid) == 'R' ? TASK_RUNNING : TASK_BLOCKED);
	return task;
}
