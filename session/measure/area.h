/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Creates the area through which a step reports its transactions
 * (agent/transaction-area.h). It exists only in memory: its path goes through
 * /proc to a descriptor of this process, so nothing remains however the process
 * ends.
 */
#ifndef VIGIL_SESSION_MEASURE_AREA_H
#define VIGIL_SESSION_MEASURE_AREA_H

#include "common/error.h"

struct area {
	int fd;	    /* -1: none */
	char *path; /* value of VIGIL_TRANSACTIONS */
};

/*
 * paused: initial state of collecting; from then on it may be started and paused.
 * online: requests for the newest events are answered.
 */
int area_init(struct area *area, bool paused, bool online, struct error *err);
/* Stops answering requests for the newest events. */
void area_end_online(const struct area *area);
/* Returns the number of the last request for the newest events; 0: none. */
uint64_t area_last_request(const struct area *area);
/* Answers all requests up to number with a descriptor of this process; -1: none. */
void area_send_answer(const struct area *area, uint64_t number, int fd);
void area_release(struct area *area);

#endif
