/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Part of collector-host.
 *
 * What the host of a collector knows of the observed processes: the
 * descriptor their memory is read through, their address-space maps,
 * arguments and environments, kept from call to call and dropped with the
 * generation. Everything is bounded; the least recently used goes first.
 *
 * What a function gives out stays valid until the next process_call.
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
	struct strbuf text; /* of /proc/PID/maps, the paths lie in it */
	struct region *items;
	size_t count, alloc;
};

struct observed_process {
	pid_t pid;
	uint64_t generation;
	int memory;	   /* of /proc/PID/mem, or -1 */
	bool memory_tried; /* none was sent: opening it here was tried */
	bool loaded;	   /* something of what follows was read */
	uint64_t used;	   /* number of the last call */
	struct region_list regions, previous;
	uint64_t regions_call, regions_time, regions_pause; /* read in, at, not again for */
	uint64_t mapped; /* of the last call */
	struct strbuf arguments, environment;		    /* each text ended by NUL */
	uint64_t arguments_time;
	bool environment_read;
};

struct process_list {
	struct observed_process **items;
	size_t count, alloc;
	struct idmap by_pid; /* pid -> index */
	size_t loaded;
	uint64_t call;	    /* number of the present one */
	uint64_t time;	    /* its CLOCK_MONOTONIC */
	uint64_t read_time; /* of its last read of live memory, 0: none */
	bool asked;	    /* something was read of the live process */
};

void process_list_init(struct process_list *list);
/* A call for that process begins: found or made; another generation is empty. Where mapped is another
   number than at the last call, the process has mapped other code, and its map is read again. */
struct observed_process *process_call(struct process_list *list, pid_t pid, uint64_t generation,
				      uint64_t mapped, uint64_t time);
/* Take over a descriptor of a process's memory. */
void process_memory(struct process_list *list, pid_t pid, uint64_t generation, int descriptor);
void process_forget(struct process_list *list, pid_t pid);

/* Copy size bytes from address on of the live memory; returns how many could be had. */
size_t process_read(struct process_list *list, struct observed_process *process, uint64_t address,
		    void *buffer, size_t size);
/* The map, read when it is not there; empty when it cannot be. */
const struct region_list *process_regions(struct process_list *list,
					  struct observed_process *process);
/* Read the map again because something is not in it; false when that was done a moment ago. */
bool process_regions_again(struct process_list *list, struct observed_process *process);
/* The region that holds address, or NULL; of the map as it was less than a second before, and of
   code as the sampler knows it in this call. */
const struct region *process_region(struct process_list *list, struct observed_process *process,
				    uint64_t address);
/* The texts of the command line and of the environment. */
const struct strbuf *process_arguments(struct process_list *list, struct observed_process *process);
const struct strbuf *process_environment(struct process_list *list,
					 struct observed_process *process);

#endif
