/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Part of collector-host.
 *
 * The observed processes as the host of a collector knows them: the descriptor for
 * reading their memory, their address-space maps, arguments and environments, kept
 * between calls and dropped when the generation changes. Everything is limited;
 * the least recently used is dropped first.
 *
 * What a function returns stays valid until the next process_call.
 */
#ifndef VIGIL_SAMPLER_HOST_PROCESS_H
#define VIGIL_SAMPLER_HOST_PROCESS_H

#include "common/idmap.h"
#include "common/strbuf.h"

#include <sys/types.h>

/* One line of the map. */
struct region {
	uint64_t start, end, offset;
	dev_t device;
	ino_t inode;
	uint32_t protection; /* PROT_* */
	const char *path;    /* without " (deleted)" */
	bool deleted;
};

struct region_list {
	struct strbuf text; /* of /proc/PID/maps; contains the paths */
	struct region *items;
	size_t count, alloc;
};

struct observed_process {
	pid_t pid;
	uint64_t generation;
	int memory;	   /* descriptor of /proc/PID/mem, or -1 */
	bool memory_tried; /* none was received: opening it here was tried */
	bool loaded;	   /* some of the following was read */
	uint64_t used;	   /* number of the last call */
	struct region_list regions, previous;
	uint64_t regions_call, regions_time, regions_pause; /* call and time of the last reading,
							     * and minimum time until the next */
	uint64_t mapped; /* at the last call */
	struct strbuf arguments, environment;		    /* texts terminated by NUL */
	uint64_t arguments_time;
	bool environment_read;
};

struct process_list {
	struct observed_process **items;
	size_t count, alloc;
	struct idmap by_pid; /* pid -> index */
	size_t loaded;
	uint64_t call;	    /* number of the current one */
	uint64_t time;	    /* its time, CLOCK_MONOTONIC */
	uint64_t read_time; /* time of its last read of live memory; 0: none */
	bool asked, gone;   /* something of the live process was read; its memory was not there any more */
};

void process_list_init(struct process_list *list);
/*
 * Begins a call for this process, which is found or added; its data is dropped if
 * the generation has changed. If mapped differs from the last call, the process
 * has mapped other code, and its map is read again.
 */
struct observed_process *process_call(struct process_list *list, pid_t pid, uint64_t generation,
				      uint64_t mapped, uint64_t time);
/* Takes ownership of a descriptor of a process's memory. */
void process_memory(struct process_list *list, pid_t pid, uint64_t generation, int descriptor);
void process_forget(struct process_list *list, pid_t pid);

/* Copies size bytes of the live memory from address on; returns the number that could be read. */
size_t process_read(struct process_list *list, struct observed_process *process, uint64_t address,
		    void *buffer, size_t size);
/* Returns the map, which is read if it is not present; empty if it cannot be read. */
const struct region_list *process_regions(struct process_list *list,
					  struct observed_process *process);
/*
 * Reads the map again because something is not in it; returns false if that was
 * done a moment ago.
 */
bool process_regions_again(struct process_list *list, struct observed_process *process);
/*
 * Returns the region that contains address; NULL: none. The map is less than a
 * second old, and its code is as the sampler knows it in this call.
 */
const struct region *process_region(struct process_list *list, struct observed_process *process,
				    uint64_t address);
/* Return the texts of the command line and of the environment. */
const struct strbuf *process_arguments(struct process_list *list, struct observed_process *process);
const struct strbuf *process_environment(struct process_list *list,
					 struct observed_process *process);

#endif
