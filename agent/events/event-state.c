/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a process that has no pool, and the clocks. */
#include "agent/events/event-state.h"

static struct event_area no_area;
static const uint64_t always = TRANSACTION_COLLECTING_ACTIVE, never;

struct event_area *event_area = &no_area;
struct event_lane event_no_lane;
_Thread_local struct event_lane *event_lane = &event_no_lane;
const uint64_t *event_collecting = &always;
const uint64_t *event_changes = &never;
char event_program[PATH_MAX];
uint64_t event_image;
const uint64_t *event_blocked;
uint64_t event_gap, event_anchors, event_chunk_size = EVENT_CHUNK_SIZE;
struct event_tallies *event_tallies;
bool event_cycles;

uint64_t event_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return agent_ns(&now);
}

uint64_t event_thread_cpu(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return agent_ns(&now);
}
