/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The quick way of most events: statements, sections, paragraphs and functions at
 * places that were seen before in the same circumstances. It asks nobody who they
 * are, and gives the same rows as the decoder, which teaches it a place each time
 * that it had to find out itself.
 *
 * It takes nothing where an answer could be another one the next time: while
 * events are filtered by their number or time, of a task that executes vigil, or
 * of a place that a filter rejects. Functions are known by address and process,
 * and forgotten as soon as any process maps something.
 */
#ifndef VIGIL_EVENTS_KNOWN_H
#define VIGIL_EVENTS_KNOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KNOWN_FUNCTIONS 1024
#define KNOWN_PLACES 2048

struct event_decoder;
struct event_process;
struct event_slot;
struct event_task;

/* Tables in which each entry has one place, and is gone when another takes it. */
struct event_known {
	struct known_function {
		uint64_t address;
		const struct event_process *process;
		uint32_t program; /* 0: free */
	} functions[KNOWN_FUNCTIONS];
	struct known_place {
		uint64_t mark;
		uint32_t program, site; /* 0: free */
	} places[KNOWN_PLACES];
};

/* A function begins at address, and filters let it pass. */
void event_known_function(struct event_known *known, const struct event_process *process,
			  uint64_t address, uint32_t program);
/* Events with this mark in a program have a site, and are kept. */
void event_known_place(struct event_known *known, uint64_t mark, uint32_t program, uint64_t site);
/* Something was mapped: addresses may be other functions. */
void event_known_forget(struct event_known *known);
/*
 * Take events of a task from the first slot on, as far as they are known; how many
 * slots they were. 0: the first one needs the decoder.
 */
size_t event_known_take(struct event_decoder *decoder, struct event_task *task,
			const struct event_slot *slots, size_t count);

#endif
