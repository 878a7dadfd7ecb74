/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data pool: the memory through which a step's tasks tell vigil what
 * happens in them. A file mapped shared by all processes of the step (writers,
 * by vigil-events.so) and by the monitor (reader, events/pool.h). VIGIL_EVENTS
 * in the step's environment is its path.
 *
 *	struct event_area	state, statistics
 *	names			texts that events refer to by number
 *	counts			statements counted of the programs of these names
 *	struct event_chunk	one a chunk: whose it is
 *	chunks			slots of 16 bytes
 *
 * Lanes. Each thread of each image of a process (fork and exec begin new ones)
 * writes into a lane, which is a sequence of chunks. A chunk is claimed by
 * writing the lane's number into its owner word: a thread that is killed at any
 * instruction leaves either a free chunk or one whose lane is known.
 *
 * Slots. A thread reserves slots by one instruction that no signal handler can
 * split, and publishes them by writing the first slot's mark last; a mark is
 * never 0, and a free slot's always is. So the reader takes everything up to
 * the first mark that is 0, and a thread that is killed loses only what it had
 * not yet published. The reader zeroes what it has taken.
 *
 * Room. pool_chunks is what PDPSIZE allows. A chunk that was filled and not yet
 * read counts against it: a thread that has filled one waits while there are
 * more. The chunk that each thread is writing does not count, so that there is
 * always one for every thread, and nobody waits for a thread that sleeps.
 */
#ifndef VIGIL_AGENT_EVENT_AREA_H
#define VIGIL_AGENT_EVENT_AREA_H

#include "agent/event-filter-area.h"

#include <stdint.h>

#define EVENT_AREA_MAGIC UINT64_C(0x31544e5645474956)
#define EVENT_AREA_VERSION 4

/* Between two events from which on an anchor stands between them, ns. */
#define EVENT_GAP_NS UINT64_C(20000)

struct event_slot {
	uint64_t word;
	uint64_t mark; /* 0 free; otherwise enum event_mark in bits 0-7, above it as said there */
};

/* Chunks of a large and of a small pool; the latter is one of less than EVENT_POOL_SMALL bytes. */
#define EVENT_CHUNK_SIZE UINT64_C(16384)
#define EVENT_CHUNK_SIZE_SMALL UINT64_C(4096)
#define EVENT_POOL_SMALL (UINT64_C(1) << 20)
/* Chunks beyond the pool's, for threads to write into. */
#define EVENT_CHUNKS_BESIDE UINT64_C(8192)

/*
 * What a slot says. word is the time, in ticks, unless said otherwise. "site"
 * stands for line << 8 | name << 28 | file << 44, where name and file are
 * numbers of names. A slot "with data" is followed by EVENT_MARK_MORE(mark)
 * slots of bytes, and the length of its text stands in the mark.
 */
enum event_mark {
	EVENT_MARK_FREE = 0,
	EVENT_MARK_VOID = 1,	 /* nothing: left over */
	EVENT_MARK_ANCHOR = 2,	 /* word: CPU time of the thread, ns, at the time of the next slot;
				    << 8: ticks the agent used since the last anchor, those of
				    plain events not counted */
	EVENT_MARK_PROCESS = 3,	 /* a process begins; << 8: name of its executable, << 24: 1 it was
				    forked, 0 another image; << 25: which fork it was,
				    7 bits; << 32: parent's process id */
	EVENT_MARK_OBJECT = 4,	 /* it has mapped instructions; << 8: name of the path; one more
				    slot: start << 16 | pages of 4096, position in the file */
	EVENT_MARK_TASK_END = 5, /* the thread ends */
	EVENT_MARK_EXIT = 6,	 /* the process ends; << 8: its exit status */
	EVENT_MARK_FORK = 7,	 /* << 8: the child's process id */
	EVENT_MARK_PROGRAM = 8,	 /* a COBOL program begins; << 8: name, of three lines: program,
				    source, object */
	EVENT_MARK_PROGRAM_END = 9, /* it ends; as before */
	EVENT_MARK_SECTION = 10,    /* site */
	EVENT_MARK_PARAGRAPH = 11,  /* site */
	EVENT_MARK_STATEMENT = 12,  /* site; name is the verb */
	EVENT_MARK_ENTRY = 13,	    /* a function begins; << 8: address in it; one that began in a pause
				       is told before the next event */
	EVENT_MARK_RETURN = 14,	    /* it ends; as before */
	EVENT_MARK_USER = 15,	    /* with data; its number stands in the mark */
	EVENT_MARK_CALL = 16,	    /* a function of another library is called; << 8: its name,
				       << 24: name of the library's file */
	EVENT_MARK_CALL_DONE = 17,  /* it returns; << 8: its name, << 32: the int it returned */
	EVENT_MARK_DATABASE = 18,   /* a database call begins; with data: a word that stands for the
				       statement, the text; number: name of the function, << 16:
				       name of the database */
	EVENT_MARK_DATABASE_MORE = 19, /* another call for a statement; << 8: name of the function,
					  << 24: the lower 40 bits of the word */
	EVENT_MARK_DATABASE_DONE = 20, /* a database call ends; << 8: name of the function, << 32:
					  its return code */
	EVENT_MARK_DATABASE_FAILED = 21, /* it ends, with data: name of the function as a word, the
					    error as text; number: its return code */
	EVENT_MARK_SPAWN = 22,		 /* with data: what is started; number: process id, 0 unknown */
	EVENT_MARK_SIGNAL = 23,		 /* a signal handler of the program begins; << 8: the signal */
	EVENT_MARK_PYTHON = 24,	    /* a Python function or module body begins, or goes on; << 8: name,
				       of four lines: function, "", file, its line */
	EVENT_MARK_PYTHON_END = 25, /* it ends, or yields; as before */
	EVENT_MARK_PYTHON_LINE = 26, /* site; name is that of the function */
	EVENT_MARK_CONTEXT = 27, /* the thread goes on in another context (swapcontext); << 8: its
				    number, 0 that of the thread itself; in pauses, too */
	EVENT_MARK_FORKING = 28, /* the thread is about to fork; << 8: which fork of its process, 7 bits;
				    in pauses, too */
	EVENT_MARK_WAITED = 29, /* from here on the thread waited for room in the pool: with an anchor before it,
				   and one before the next */
	EVENT_MARK_TASK = 30, /* a thread that the program made begins; in pauses, too */
	EVENT_MARK_COUNT
};

/*
 * What begins and ends (PROCESS to PROGRAM_END, ENTRY, RETURN, PYTHON, PYTHON_END, CONTEXT, FORKING and
 * TASK) is told also while collecting is paused, with this bit.
 */
#define EVENT_MARK_PAUSED (UINT64_C(1) << 62)
/*
 * What stands above the kind, put in and read: one value, of up to 54 bits; or the number of a name, and more
 * above that. Values are put in as they are: what is wider than its place, or negative, is the writer's fault.
 */
#define EVENT_VALUE(value) ((uint64_t)(value) << 8)
#define EVENT_MARK_VALUE(mark) ((uint64_t)(mark) >> 8)
#define EVENT_MARK_NAME(mark) ((uint32_t)((mark) >> 8 & 0xffff))
/* In the upper half a number with its sign: a code, or that of a slot with data. */
#define EVENT_NUMBER(number) ((uint64_t)(uint32_t)(number) << 32)
#define EVENT_MARK_NUMBER(mark) ((int32_t)((mark) >> 32))
/* Of a slot with data: the slots that follow, bytes of text, a number. */
#define EVENT_DATA(more, length, number) \
	(EVENT_VALUE(more) | (uint64_t)(length) << 16 | EVENT_NUMBER(number))
#define EVENT_MARK_MORE(mark) ((uint64_t)((mark) >> 8 & 0xff))
#define EVENT_MARK_LENGTH(mark) ((uint64_t)((mark) >> 16 & 0xffff))
/* Longest text of one event, bytes. */
#define EVENT_TEXT_MAX 2048

#define EVENT_SITE(line, name, file) \
	((uint64_t)((line)&0xfffff) << 8 | (uint64_t)(name) << 28 | (uint64_t)(file) << 44)
#define EVENT_SITE_LINE(mark) ((uint64_t)((mark) >> 8 & 0xfffff))
#define EVENT_SITE_NAME(mark) ((uint32_t)((mark) >> 28 & 0xffff))
#define EVENT_SITE_FILE(mark) ((uint32_t)((mark) >> 44 & 0xffff))

/* EVENT_MARK_PROCESS: forked 0 or 1, fork of 7 bits. */
#define EVENT_PROCESS(name, forked, fork, parent) \
	(EVENT_VALUE(name) | (uint64_t)(forked) << 24 | (uint64_t)(fork) << 25 | EVENT_NUMBER(parent))
#define EVENT_PROCESS_FORKED(mark) ((mark) >> 24 & 1)
#define EVENT_PROCESS_FORK(mark) ((mark) >> 25 & EVENT_FORK_MOST)
/* Forks of a process are numbered up to that, and from 0 again. */
#define EVENT_FORK_MOST 0x7f
/* The first word behind EVENT_MARK_OBJECT: where instructions are mapped; size, in bytes, is rounded up to pages. */
#define EVENT_OBJECT_PLACE(start, size) ((uint64_t)(start) << 16 | ((uint64_t)(size) + 4095) / 4096)
#define EVENT_OBJECT_START(word) ((uint64_t)(word) >> 16)
#define EVENT_OBJECT_SIZE(word) (((word) & 0xffff) * 4096)
/* EVENT_MARK_CALL: names of the function and of its library's file. */
#define EVENT_CALL(name, file) (EVENT_VALUE(name) | (uint64_t)(file) << 24)
#define EVENT_CALL_FILE(mark) ((uint32_t)((mark) >> 24 & 0xffff))
/* The number of EVENT_MARK_DATABASE: names of the function and of the database. */
#define EVENT_DATABASE(function, database) ((uint32_t)(function) | (uint32_t)(database) << 16)
#define EVENT_DATABASE_FUNCTION(number) ((uint32_t)(number) & 0xffff)
#define EVENT_DATABASE_NAME(number) ((uint32_t)(number) >> 16)
/* EVENT_MARK_DATABASE_MORE: the name of the function, and the word, of EVENT_WORD_BITS bits. */
#define EVENT_MORE(name, word) (EVENT_VALUE(name) | (uint64_t)(word) << 24)
#define EVENT_MORE_WORD(mark) ((uint64_t)(mark) >> 24)
#define EVENT_WORD_BITS 40

/* Whether slots with data, EVENT_MARK_MORE of them, follow the one of a kind. */
static inline int event_mark_has_data(uint64_t kind)
{
	return kind == EVENT_MARK_OBJECT || kind == EVENT_MARK_USER || kind == EVENT_MARK_DATABASE ||
	       kind == EVENT_MARK_DATABASE_FAILED || kind == EVENT_MARK_SPAWN;
}

/* Numbers of names are below it; 0 is "". */
#define EVENT_NAMES 65536
#define EVENT_NAME_TEXTS (UINT64_C(4) << 20)

/* One chunk. 64 bytes, so that two threads never share a line. */
struct event_chunk {
	uint64_t owner;	   /* lane, from 1; 0: free; claimed by compare and exchange */
	uint64_t sequence; /* number in its lane, from 1; written after the owner */
	uint32_t pid, tid; /* as seen by the writer; written before sequence */
	uint64_t end;	   /* bytes, once the thread has gone on to another; 0 before */
	uint64_t reserved[4];
};

/* Patterns of functions whose calls are wanted. */
#define EVENT_CALLS 16

/* A pattern of CALLS; "" as the library: any. */
struct event_call_area {
	char library[EVENT_PATTERN], function[EVENT_PATTERN];
	uint64_t found; /* functions that fitted, in all images of processes */
};

/* How statements are treated. */
#define EVENT_AREA_WRITE 1
#define EVENT_AREA_COUNT 2

/*
 * Blocked functions: a table of words at blocked, each at the place that its hash
 * says, and gone when another takes the place. An image of a process has the same
 * functions at the same addresses, as have the processes it forks.
 */
#define EVENT_BLOCKED 65536
#define EVENT_BLOCKED_WORD(image, address) \
	(((uint64_t)(image)) << 48 | UINT64_C(1) << 47 | (uint64_t)(address))
#define EVENT_BLOCKED_PLACE(address) ((uint64_t)(address)*UINT64_C(0x9e3779b97f4a7c15) >> 48)

/* What of Python was not told, because a program has profiled or traced itself. */
enum event_python_lost { EVENT_PYTHON_LINES_LOST = 1, EVENT_PYTHON_FUNCTIONS_LOST = 2 };

enum event_state {
	EVENT_STATE_OFF = 0,	/* nobody reads: the agent writes nothing */
	EVENT_STATE_PAUSED = 1, /* initialized; only what begins and ends is written */
	EVENT_STATE_ACTIVE = 2,
};

struct event_area {
	uint64_t magic, version;
	uint64_t size;				       /* of the whole area */
	uint64_t chunk_size;			       /* bytes */
	uint64_t pool_chunks;			       /* that may be filled and unread */
	uint64_t chunk_count;			       /* with those beside the pool */
	uint64_t names, counts, texts, blocked, chunks, slots; /* where the parts begin, bytes */
	uint64_t cycles;  /* 1: ticks are the processor's cycle counter; 0: ns of CLOCK_MONOTONIC */
	uint64_t gap;	  /* ticks between two events from which on an anchor stands between */
	uint64_t anchors; /* ticks after which an anchor is due */
	uint64_t statements;	/* EVENT_AREA_WRITE, EVENT_AREA_COUNT, or 0: not wanted */
	uint64_t sections;	/* 1: sections and paragraphs are wanted */
	uint64_t functions;	/* 1: functions are wanted */
	uint64_t run_time;	/* 1: also those of the run time, and calls that it makes (FNAT=ON) */
	uint64_t from;		/* ticks before which no statement or section is wanted; 0: none */
	uint64_t monitor;	/* process id of the monitor, as it sees itself */
	uint64_t monitor_start; /* field 22 of its /proc/PID/stat */
	uint32_t state;		/* enum event_state; seldom changed */
	uint32_t unused;
	uint64_t blocking;     /* 1: there are blocked functions */
	/* Descriptors of the monitor (event-objects-area.h): objects and their plans, the bell; 0: none. */
	uint32_t objects, bell;
	uint64_t filter_count; /* of programs; 0: each may pass */
	struct event_filter_area filters[EVENT_FILTERS];
	/* A line of its own: changed by both. */
	_Alignas(64) int64_t full;  /* chunks filled and not yet read; for a moment below 0 */
	uint32_t waiting;	    /* threads that wait for room */
	uint32_t room;		    /* a futex: changes when there is room again */
	uint64_t lanes;		    /* given out */
	uint64_t hint;		    /* no chunk below it is free, as far as is known */
	uint64_t most;		    /* chunks from here on were never used */
	/* Statistics, changed by atomic additions. */
	_Alignas(64) uint64_t waits; /* of threads because the pool was full */
	uint64_t wait_time;	     /* ticks of them */
	uint64_t empty_after_full;   /* of them: all had been read before the thread went on */
	int64_t most_full;	     /* largest value of full */
	uint64_t text_used;	     /* bytes of the texts of names */
	uint64_t names_lost;	     /* texts for which there was no number */
	uint64_t cost;	  /* of a plain event, 1/256 ticks, as a process of the step found */
	uint64_t counted; /* statements that were counted and not written */
	uint64_t images;  /* of processes, so far */
	uint64_t python;  /* enum event_python_lost: what programs took over for themselves */
	/* What is asked for of calls that leave an object (event-library.h); 1: it is wanted. */
	uint64_t database, spawns, signals, threads;
	uint64_t call_count;
	struct event_call_area calls[EVENT_CALLS];
	uint64_t call_cost;  /* of a call beside its two events, ticks, as a process found */
	uint64_t calls_left; /* functions that fit a pattern, for which there was no room */
};

/*
 * Names: EVENT_NAMES words at names, open addressing from a hash of the text: 0
 * free; otherwise the upper half of the hash in bits 32-63 and, below it, where
 * in texts it stands: its length (uint32_t), the text. Entered by compare and
 * exchange once the text is there. Counts: as many words at counts, changed by
 * atomic additions.
 */

/* Where slot 0 of a chunk is. */
static inline uint64_t event_chunk_at(const struct event_area *area, uint64_t chunk)
{
	return area->slots + chunk * area->chunk_size;
}

/* How many slots an event that begins with mark takes. */
static inline uint64_t event_slots_of(uint64_t mark)
{
	return 1 + (event_mark_has_data(mark & 0xff) ? EVENT_MARK_MORE(mark) : 0);
}

/* FNV-1a. */
static inline uint64_t event_name_hash(const char *text, uint64_t length)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	while (length--)
		hash = (hash ^ (unsigned char)*text++) * UINT64_C(0x100000001b3);
	return hash ? hash : 1;
}

#endif
