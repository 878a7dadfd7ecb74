/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Part of both libsampler (client.h) and collector-host.
 *
 * The protocol between the sampler and the process in which a data collector runs
 * (collector-host, one for each collector): one area of shared memory, one request
 * at a time.
 *
 * The sampler starts "collector-host AREA CONTROL": descriptors of the area (a
 * memfd of sizeof(struct call_area)) and of a Unix socket. It fills request, adds
 * 1 to called and wakes up the host (futex); the host writes answer, sets answered
 * to the value of called and wakes up the sampler. The host sleeps on called, ends
 * when the socket is closed (the sampler has gone) and dies with the sampler.
 *
 * Memory of a process is read through a descriptor of /proc/PID/mem that the
 * sampler opened (under Yama only it may do so): it is sent over the socket
 * (SCM_RIGHTS, with struct call_memory as data) before the first request for that
 * process and generation. Whenever request.memory_sent has grown, the host
 * receives what is in the socket before it continues.
 *
 * The collector may have written anywhere in the host, including the area: the
 * sampler copies an answer, then checks every number and terminates every text.
 */
#ifndef VIGIL_SAMPLER_HOST_PROTOCOL_H
#define VIGIL_SAMPLER_HOST_PROTOCOL_H

#include "include/vigil/collector.h"

#define CALL_NAME (VIGIL_NAME_MAX + 1)
#define CALL_FRAMES 128	 /* innermost frames of a stack */
#define CALL_STACK 8192	 /* captured bytes */
#define CALL_TEXTS 16384 /* bytes of texts of the places in an answer */
#define CALL_PARAMETER 1024
#define CALL_PROGRAMS 4096 /* bytes of the list of programs, each terminated by NUL, "" at the
			    * end */
#define CALL_MESSAGE 512
#define CALL_COUNTS 32 /* number of counts of transactions in an answer */

enum call_kind {
	CALL_LOAD = 1, /* path and parameter: load the object and describe it */
	CALL_TASK,     /* call the entry point */
	CALL_FORGET,   /* process pid has ended or called exec: drop its data */
};

struct call_memory {
	pid_t pid;
	uint64_t generation;
};

struct call_request {
	uint32_t kind;	      /* enum call_kind */
	uint32_t memory_sent; /* number of descriptors sent so far */
	/* CALL_LOAD */
	char path[4096];
	char parameter[CALL_PARAMETER];
	uint32_t comes_with_vigil; /* it comes with vigil: its host gets the scheduling of vigil
				    * itself */
	/* CALL_TASK; pid also CALL_FORGET */
	pid_t pid, tid;
	uint32_t state, flags, known;
	uint64_t time, generation;
	uint64_t mapped; /* changes when other code was mapped: a map read before is stale */
	uint64_t address, base, size;
	uint32_t module_known, transaction_known; /* 0: NULL */
	char program[CALL_NAME], module[CALL_NAME], transaction[CALL_NAME];
	uint64_t registers[VIGIL_REGISTERS];
	uint32_t frame_count, stack_size;
	uint64_t stack_address;
	uint64_t frames[CALL_FRAMES], stack_pointers[CALL_FRAMES];
	unsigned char stack[CALL_STACK];
};

/*
 * The outcome of an invalid answer: its data cannot be read, or the outcome is
 * unknown. Counted as rejected.
 */
#define CALL_RUBBISH 3

/* What the collector asked of the live process: bits. */
enum call_asked {
	CALL_ASKED = 1, /* something was to be read, memory or other */
	CALL_GONE = 2,	/* its memory was not there any more: it has ended, or executed another program */
};

enum call_transaction {
	CALL_UNCHANGED = 0,
	CALL_RESET, /* "" was given */
	CALL_NAMED,
};

/* Texts are offsets in answer.texts; 0 is "". */
struct call_place {
	uint32_t module, section, procedure, file, line;
};

struct call_answer {
	/* CALL_LOAD: error is "" if it succeeded, otherwise a sentence with the reason. */
	char error[CALL_MESSAGE];
	char name[9], generation[5];
	uint32_t collector_flags;
	uint32_t pseudo_section_count;
	struct {
		char section[CALL_NAME], prefix[CALL_NAME];
	} pseudo_sections[VIGIL_PSEUDO_SECTIONS_MAX];
	char programs[CALL_PROGRAMS];
	/* CALL_TASK */
	uint32_t outcome;      /* enum vigil_outcome, or CALL_RUBBISH */
	uint32_t module_named; /* base, size, module or places were changed */
	uint64_t base, size;
	char module[CALL_NAME];
	uint32_t transaction_state; /* enum call_transaction */
	char transaction[CALL_NAME];
	uint32_t id_given;
	char id[CALL_NAME];
	uint32_t level, place_count;
	uint32_t truncated; /* not 0: there was no space for all places, or for their texts */
	struct call_place places[VIGIL_PLACES_MAX];
	uint32_t between_count;
	struct vigil_between betweens[VIGIL_PLACES_MAX];
	char texts[CALL_TEXTS];
	struct call_count {
		char name[CALL_NAME];
		uint64_t count;
		uint32_t exact; /* 0, 1 */
	} counts[CALL_COUNTS];
	uint64_t cost;	    /* ns in the entry point */
	uint64_t read_time; /* CLOCK_MONOTONIC ns of its last read from live memory, 0: none */
	uint32_t asked;	    /* enum call_asked */
	uint32_t counted;   /* number of counts */
	char message[CALL_MESSAGE]; /* "": none */
};

/* What the host does, so that the reason of an end without an answer can be reported. */
enum call_phase {
	CALL_IDLE = 0,
	CALL_LOADING,	/* in the object's constructors */
	CALL_COLLECTOR, /* in the entry point */
};

struct call_area {
	uint32_t called;   /* futex, written by the sampler only */
	uint32_t answered; /* futex, written by the host only */
	uint32_t phase;	   /* enum call_phase */
	struct call_request request;
	struct call_answer answer;
};

#endif
