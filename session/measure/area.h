/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the area through which a step tells its transactions
 * (agent/transaction-area.h). It lives in memory only: its path leads
 * through /proc to a descriptor of this process, so nothing is left behind
 * however the process ends.
 */
#ifndef VIGIL_SESSION_MEASURE_AREA_H
#define VIGIL_SESSION_MEASURE_AREA_H

#include "common/error.h"

struct area {
	int fd;	    /* -1: none */
	char *path; /* what VIGIL_TRANSACTIONS says */
};

/*
 * paused: what the step is told at first; it may be started and paused from then on. online: who
 * asks for the newest events gets them.
 */
int area_init(struct area *area, bool paused, bool online, struct error *err);
/* From now on nobody gets them any more. */
void area_end_online(const struct area *area);
/* The number of the last who asked for them; 0: nobody has. */
uint64_t area_asked(const struct area *area);
/* Answer up to a number: by a descriptor of this process, -1 none. */
void area_answer(const struct area *area, uint64_t number, int fd);
void area_release(struct area *area);

#endif
