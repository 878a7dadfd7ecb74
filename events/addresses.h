/* SPDX-License-Identifier: Apache-2.0 */
/* Which function of a process an event's address is. */
#ifndef VIGIL_EVENTS_ADDRESSES_H
#define VIGIL_EVENTS_ADDRESSES_H

#include "events/decoder.h"

/*
 * Returns the number in sites of the function of an event at a time, ns: by its
 * number if it was patched, otherwise by its address. process NULL: unknown.
 */
uint32_t event_function_at(struct event_decoder *decoder, struct event_process *process, uint64_t address,
			   uint64_t time);

#endif
