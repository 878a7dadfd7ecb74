/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fast path for most events: statements, sections, paragraphs and functions at
 * places that were seen before in the same circumstances. It looks nothing up, and
 * gives the same rows as the decoder, which enters a place here whenever it had to
 * find it out.
 *
 * It takes no event whose result may differ the next time: while events are
 * filtered by number or time, of a task that executes vigil, or of a place that a
 * filter rejects. Functions are identified by address and process, and forgotten
 * as soon as any process maps something.
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

/* Hash tables without chaining: an entry is lost when another takes its index. */
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

/* Enters the function that begins at address; filters let it pass. */
void event_known_function(struct event_known *known, const struct event_process *process,
			  uint64_t address, uint32_t program);
/* Returns the function entered for an address; 0: none. */
uint32_t event_known_program(const struct event_known *known, const struct event_process *process,
			     uint64_t address);
/* Enters the site of events with this mark in a program; they are kept. */
void event_known_place(struct event_known *known, uint64_t mark, uint32_t program, uint64_t site);
/* Call when something was mapped: addresses may be other functions. */
void event_known_forget(struct event_known *known);
/*
 * Takes events of a task from the first slot on, as long as they are in the
 * tables; returns the number of slots taken. 0: the first one needs the decoder.
 */
size_t event_known_take(struct event_decoder *decoder, struct event_task *task,
			const struct event_slot *slots, size_t count);

#endif
