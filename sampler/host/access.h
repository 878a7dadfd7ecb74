/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Part of collector-host.
 *
 * What a collector can ask during a call (struct vigil_access): answered from the
 * request and from the process that it is about. There is one global state per
 * host, as the functions get only the task as context.
 */
#ifndef VIGIL_SAMPLER_HOST_ACCESS_H
#define VIGIL_SAMPLER_HOST_ACCESS_H

#include "sampler/host/protocol.h"

extern const struct vigil_access access_functions;

void access_start(void);
/* Begins a call: request is about that process until the next call. */
void access_call(const struct call_request *request, uint64_t time);
/* Returns the CLOCK_MONOTONIC ns of the last read from live memory in this call; 0: none. */
uint64_t access_read_time(void);
/*
 * Returns whether the collector read anything of the process in this call, memory,
 * map, arguments or environment, and whether the memory was there: enum call_asked.
 */
uint32_t access_asked(void);
/* Returns the next message that was not returned yet; "": none. */
const char *access_next_message(void);
/* Copies the counts that the collector gave in this call; returns their number. */
uint32_t access_counts(struct call_count counts[static CALL_COUNTS]);
/* Takes ownership of a descriptor of a process's memory. */
void access_memory(const struct call_memory *memory, int descriptor);
/* Forgets a process that has ended or called exec. */
void access_forget(pid_t pid);

#endif
