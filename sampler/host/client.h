/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Part of libsampler.
 *
 * The sampler's side of the process in which one data collector runs
 * (host/protocol.h): starts it, sends it one request at a time, and switches it
 * off if it dies, hangs, is too slow or leaks memory.
 *
 * A request waits for its answer for at most patience. If there is none by then,
 * the client is BUSY until the answer comes after all; it is too late for the
 * request, but host_client_look leaves it in answer.
 *
 * Order of calls: host_client_init, host_client_start or host_client_refuse,
 * host_client_release. The owner may read all members of the struct; only client.c
 * writes them, except changed.
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
	HOST_CLIENT_OFF,  /* it ended or was switched off; problem has the reason */
};

struct host_client {
	enum host_client_state state;
	bool changed;		/* state or problem changed since the owner reset this */
	bool loaded_once;	/* loaded is valid, even if the state is OFF now */
	struct strbuf problem;	/* a sentence without full stop; "": no problem */
	struct call_area *area; /* shared with the host; NULL: none */
	/*
	 * Its answers, copied from the area and made safe: numbers within their range,
	 * texts terminated.
	 */
	struct call_answer loaded, answer;

	pid_t pid; /* of the host; 0: none */
	int pidfd, control;
	uint32_t called, sent; /* number of requests, and of memory descriptors sent */
	struct idmap memory;   /* pid -> generation whose memory was sent */
	pid_t *forget;	       /* processes to forget when it is ready again */
	size_t forget_count, forget_alloc;

	uint64_t patience; /* ns that a request waits: HOST_CLIENT_PATIENCE, except in tests */
	uint64_t asked_at, asked_cpu; /* of the last request: monotonic time, and CPU time of the
				       * host */
	uint64_t used;		      /* CPU time of the host when it ended */
	uint64_t calls;
	uint64_t
		inside; /* ns in the collector, as the host reports it: a false report harms only
			 * itself */
	/* At the beginning of the calls averaged now; delay: ns ready without a processor. */
	uint64_t mean_cpu, mean_calls, mean_inside, mean_delay;
	uint64_t name;	   /* hash of the collector's path */
	uint64_t key;	   /* of the last request (host_client_key): the host can change the area */
	uint64_t seen_at;  /* time of the last check that it exists */
	uint64_t look_at;  /* time of the next check of its memory */
	uint64_t resident; /* bytes after it was loaded */
};

/* Initializes the client: OFF, without a problem yet. */
void host_client_init(struct host_client *client);
/* Records that the collector cannot be used at all; problem is a sentence with the reason. */
void host_client_refuse(struct host_client *client, const char *problem);
/* Switches it off; the text is a sentence with the reason. */
void PRINTFLIKE(2, 3) host_client_end(struct host_client *client, const char *format, ...);
/*
 * Starts the host (its path; NULL: this machine has none) and lets it load the
 * collector; the state is then LOADING, or OFF with the problem.
 */
void host_client_start(struct host_client *client, const char *host,
		       const struct sampler_collector *collector);
/* Ends the host and frees everything. */
void host_client_release(struct host_client *client);
/*
 * Checks whether it has loaded or answered, and whether it must be switched off.
 * If the state changes from BUSY to READY, answer is the late one. Call only after
 * it was started; now is monotonic ns.
 */
void host_client_look(struct host_client *client, uint64_t now);
/* Waits until it has loaded or answered, or can no longer do so, or until a monotonic time. */
void host_client_await(struct host_client *client, uint64_t until);
/* Returns the request to fill in; only while the state is READY. */
struct call_request *host_client_request(struct host_client *client);
/* Lets it read the memory of a process through a thread of it. */
void host_client_share_memory(struct host_client *client, pid_t pid, pid_t tid,
			      uint64_t generation);
/* Sends the request. Returns true if answer is its answer; false: there was none in time. */
bool host_client_ask(struct host_client *client);
/* Does the same for requests that may take longer: waits until a monotonic time. */
bool host_client_ask_long(struct host_client *client, uint64_t until);
/*
 * Returns a number for what a collector is asked (common/outside.h): time is that of
 * the sample of a task that executes, otherwise 0. And whether it was asked that in
 * the recorded session, where that had other options; true in all other sessions.
 */
uint64_t host_client_key(const struct host_client *client, uint32_t kind, pid_t tid, uint64_t time);
bool host_client_was_asked(uint64_t key);
/* Makes what a host wrote safe to read: numbers within their range, texts terminated. */
void host_client_check(struct call_answer *answer);
/* Forgets a process that has ended or executes another program. */
void host_client_forget(struct host_client *client, pid_t pid);
/* Returns the CPU time that the host has used, ns. */
uint64_t host_client_cpu(const struct host_client *client);

#endif
