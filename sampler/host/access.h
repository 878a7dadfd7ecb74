/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Part of collector-host.
 *
 * What a collector can ask during a call (struct vigil_access): answered from
 * the request and from the process it is about. One host has one of these,
 * as the functions are told nothing but the task.
 */
#ifndef VIGIL_SAMPLER_HOST_ACCESS_H
#define VIGIL_SAMPLER_HOST_ACCESS_H

#include "sampler/host/protocol.h"

extern const struct vigil_access access_functions;

void access_start(void);
/* A call begins: request is about that process until the next. */
void access_call(const struct call_request *request, uint64_t time);
/* CLOCK_MONOTONIC ns of the last read from live memory in this call, 0: none. */
uint64_t access_read_time(void);
/* Whether the process was asked something in this call: memory, map, arguments or environment. */
bool access_asked(void);
/* The next message that was not given out yet, "" when there is none. */
const char *access_next_message(void);
/* The counts that were given in this call; how many there are. */
uint32_t access_counts(struct call_count counts[static CALL_COUNTS]);
/* Take over a descriptor of a process's memory. */
void access_memory(const struct call_memory *memory, int descriptor);
/* The process has ended or exec'ed. */
void access_forget(pid_t pid);

#endif
