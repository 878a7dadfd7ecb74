/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Creates the area in which the programs of a step count reads and writes by file
 * (agent/file-area.h). Like the transaction area it exists only in memory.
 */
#ifndef VIGIL_SESSION_MEASURE_COUNTING_H
#define VIGIL_SESSION_MEASURE_COUNTING_H

struct counting {
	int fd;	    /* -1: none */
	char *path; /* value of VIGIL_FILES; NULL: none, the session works without it */
};

void counting_init(struct counting *counting);
void counting_release(struct counting *counting);

#endif
