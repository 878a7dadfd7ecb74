/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the area in which the programs of a step count what they read and write, by file
 * (agent/file-area.h). Like the area of transactions it lives in memory only.
 */
#ifndef VIGIL_SESSION_MEASURE_COUNTING_H
#define VIGIL_SESSION_MEASURE_COUNTING_H

struct counting {
	int fd;	    /* -1: none */
	char *path; /* what VIGIL_FILES says; NULL: none, then the session does without */
};

void counting_init(struct counting *counting);
void counting_release(struct counting *counting);

#endif
