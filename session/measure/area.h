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

/* paused: what the step is told at first; it may be started and paused from then on. */
int area_init(struct area *area, bool paused, struct error *err);
/* Whether collecting was active at any time. */
bool area_was_started(const struct area *area);
void area_release(struct area *area);

#endif
