/* SPDX-License-Identifier: Apache-2.0 */
/* Drives collector-host as the sampler does, for the tests. */
#ifndef VIGIL_SAMPLER_HOST_TEST_HOST_H
#define VIGIL_SAMPLER_HOST_TEST_HOST_H

#include "sampler/host/protocol.h"

struct test_host {
	pid_t pid;
	int control; /* this end of the socket */
	struct call_area *area;
	int status; /* of wait, once it has ended */
};

/* Start one; it has loaded nothing. */
void host_start(struct test_host *host);
/* Close the socket, wait for its end (at most some seconds) and put everything away. */
void host_stop(struct test_host *host);
/* The same of one of which nobody asks how it ends: it is killed. */
void host_end(struct test_host *host);
/* Do area->request; false when the host has ended instead of answering. */
bool host_call(struct test_host *host);
/* Load tests/collectors/NAME.so of the build tree; false when the host has ended. */
bool host_load(struct test_host *host, const char *name, const char *parameter);
/* Make a request of CALL_TASK about pid, with nothing known but that. */
void host_task(struct test_host *host, pid_t pid);
/* Send a descriptor of pid's memory, as the sampler does. */
void host_send_memory(struct test_host *host, pid_t pid, uint64_t generation);
/* Wait until the process has ended; its status. */
int host_wait_end(struct test_host *host);

#endif
