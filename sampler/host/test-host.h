/* SPDX-License-Identifier: Apache-2.0 */
/* Drives collector-host as the sampler does, for the tests. */
#ifndef VIGIL_SAMPLER_HOST_TEST_HOST_H
#define VIGIL_SAMPLER_HOST_TEST_HOST_H

#include "sampler/host/protocol.h"

struct test_host {
	pid_t pid;
	int control; /* the test's end of the socket */
	struct call_area *area;
	int status; /* from wait, once it has ended */
};

/* Starts a host, which has loaded nothing. */
void host_start(struct test_host *host);
/* Closes the socket, waits for its end (at most some seconds) and frees everything. */
void host_stop(struct test_host *host);
/* Does the same for a host whose way to end does not matter: it is killed. */
void host_end(struct test_host *host);
/* Executes area->request; returns false if the host has ended instead of answering. */
bool host_call(struct test_host *host);
/* Loads tests/collectors/NAME.so of the build tree; returns false if the host has ended. */
bool host_load(struct test_host *host, const char *name, const char *parameter);
/* Makes a request of CALL_TASK about pid, without other data. */
void host_task(struct test_host *host, pid_t pid);
/* Sends a descriptor of pid's memory, as the sampler does. */
void host_send_memory(struct test_host *host, pid_t pid, uint64_t generation);
/* Waits until the process has ended; returns its status. */
int host_wait_end(struct test_host *host);

#endif
