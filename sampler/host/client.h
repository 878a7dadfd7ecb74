/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Part of libsampler.
 *
 * The sampler's end of the process that one data collector runs in
 * (host/protocol.h): starts it, asks it one thing at a time, and switches it off
 * when it dies, hangs, is too slow or leaks memory.
 *
 * A request waits for its answer for patience at most. When none has
 * come the client is BUSY until the answer comes after all; that one is too late
 * for what was asked, but host_client_look leaves it in answer.
 *
 * Life: host_client_init, host_client_start or host_client_refuse,
 * host_client_release. Everything in the struct is read by its owner and written
 * by client.c alone, but for changed.
 */
#ifndef VIGIL_SAMPLER_HOST_CLIENT_H
#define VIGIL_SAMPLER_HOST_CLIENT_H

#include "common/clock.h"
#include "common/idmap.h"
#include "sampler/host/protocol.h"
#include "sampler/sampler-config.h"

#include <sys/types.h>

/* ns that a sample waits for its answer. */
#define HOST_CLIENT_PATIENCE (5 * NSEC_PER_MSEC)

enum host_client_state {
	HOST_CLIENT_LOADING,
	HOST_CLIENT_READY,
	HOST_CLIENT_BUSY, /* it has not answered in time */
	HOST_CLIENT_OFF,  /* it ended or was switched off; problem says why */
};

struct host_client {
	enum host_client_state state;
	bool changed;		/* state or problem, since the owner reset this */
	bool loaded_once;	/* loaded says what it is, even when it is off now */
	struct strbuf problem;	/* a sentence without full stop, "" while all is well */
	struct call_area *area; /* shared with the host; NULL when there is none */
	/* What it said, copied from the area and made safe: numbers in their range, texts ended. */
	struct call_answer loaded, answer;

	pid_t pid; /* of the host, 0: none */
	int pidfd, control;
	uint32_t called, sent; /* requests, and memory descriptors */
	struct idmap memory;   /* pid -> generation whose memory was sent */
	pid_t *forget;	       /* processes to be forgotten when it is ready again */
	size_t forget_count, forget_alloc;

	uint64_t patience; /* ns that a request waits: HOST_CLIENT_PATIENCE, but for tests */
	uint64_t asked_at, asked_cpu; /* of the last request: monotonic, and CPU time of the host */
	uint64_t used;		      /* CPU time of the host when it ended */
	uint64_t calls;
	uint64_t
		inside; /* ns in the collector, as its host says: one that lies harms itself only */
	/* At the beginning of the calls that are averaged now; delay: ns ready without a processor.
	 */
	uint64_t mean_cpu, mean_calls, mean_inside, mean_delay;
	uint64_t seen_at;  /* when it was last seen to be there */
	uint64_t look_at;  /* when its memory is looked at next */
	uint64_t resident; /* bytes once it was loaded */
};

/* OFF, without a problem yet. */
void host_client_init(struct host_client *client);
/* The collector cannot be used at all; problem is a sentence that says why. */
void host_client_refuse(struct host_client *client, const char *problem);
/* Switch it off; a sentence says why. */
void PRINTFLIKE(2, 3) host_client_end(struct host_client *client, const char *format, ...);
/* Start the host and let it load the collector; the state is LOADING, or OFF with the problem. */
void host_client_start(struct host_client *client, const char *host,
		       const struct sampler_collector *collector);
/* End the host. */
void host_client_release(struct host_client *client);
/* See whether it has loaded or answered, and whether it must be switched off. When BUSY has become
   READY, answer is the late one. Only once it was started; now is monotonic ns. */
void host_client_look(struct host_client *client, uint64_t now);
/* Wait until it has loaded and answered, or cannot any more, or until a monotonic time. */
void host_client_await(struct host_client *client, uint64_t until);
/* The request to be filled in; only while the state is READY. */
struct call_request *host_client_request(struct host_client *client);
/* Let it read the memory of a process through a thread of it. */
void host_client_share_memory(struct host_client *client, pid_t pid, pid_t tid,
			      uint64_t generation);
/* Ask what stands in the request. True: answer is its answer; false: none has come in time. */
bool host_client_ask(struct host_client *client);
/* The same for what may take longer: until a monotonic time. */
bool host_client_ask_long(struct host_client *client, uint64_t until);
/* Make what a host wrote safe to be read: numbers in their range, texts ended. */
void host_client_check(struct call_answer *answer);
/* The process has ended or executes something else. */
void host_client_forget(struct host_client *client, pid_t pid);
/* CPU time the host has used, ns. */
uint64_t host_client_cpu(const struct host_client *client);

#endif
