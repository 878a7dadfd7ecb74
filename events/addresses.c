/* SPDX-License-Identifier: Apache-2.0 */
/* Finds functions by address. */
#include "common/compat.h"
#include "events/addresses.h"
#include "agent/event-patch-area.h"
#include "common/clock.h"

/* Minimum ns between two reads of a process's mappings. */
#define MAPS_READ_NS (10 * NSEC_PER_MSEC)

/* Returns the mappings of a process; read again if an address is new (dlopen). */
static struct space *space_of(struct event_decoder *decoder, struct event_process *process,
			      uint64_t address, uint64_t time)
{
	struct error err = ERROR_INIT;

	if (!process)
		return NULL;
	if (!space_find(process->space, address) && !process->end &&
	    time - process->looked > MAPS_READ_NS) {
		process->looked = time;
		/* Of a process that has ended by now, only what it wrote is known. */
		event_known_forget(&decoder->known);
		if (space_read_proc(&process->space, &decoder->sites->objects, process->pid, &err) <
		    0)
			error_release(&err);
	}
	return process->space;
}

uint32_t event_function_at(struct event_decoder *decoder, struct event_process *process, uint64_t address, uint64_t time)
{
	struct space *space;

	if (address & EVENT_FUNCTION_NUMBER && decoder->patches)
		return patch_plan_program(decoder->patches, address & ~EVENT_FUNCTION_NUMBER);
	space = space_of(decoder, process, address, time);
	return event_sites_function(decoder->sites, space, address);
}
