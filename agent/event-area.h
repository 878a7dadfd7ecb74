/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data pool: the memory through which a step's tasks report events to vigil.
 * It is a file mapped shared by all processes of the step (writers, through
 * vigil-events.so) and by the monitor (reader, events/pool.h). VIGIL_EVENTS in the
 * step's environment is its path.
 *
 * 	struct event_area	state, statistics
 * 	names			texts that events refer to by number
 * 	counts			statements counted of the programs with these names
 * 	struct event_chunk	one per chunk: its owner
 * 	struct event_chunk_set	two: the chunks that are free, and those just claimed
 * 	chunks			slots of 16 bytes
 * 	struct event_tallies	where sums alone are wanted: tables of threads
 *
 * Lanes. Each thread of each process image (fork and exec begin new ones) writes
 * into a lane, which is a sequence of chunks. A chunk is claimed by writing the
 * lane's number into its owner word: a thread killed at any instruction leaves
 * either a free chunk or one whose lane is recorded.
 *
 * Slots. A thread reserves slots with one instruction that no signal handler can
 * split, and publishes them by writing the first slot's mark last; a published
 * mark is never 0, that of a free slot always is. So the reader takes everything
 * up to the first mark that is 0, and a thread that is killed loses only what it
 * had not published yet. The reader zeroes what it has taken.
 *
 * Space. pool_chunks is the limit set by PDPSIZE. Chunks that are filled and not
 * yet read count towards it: a thread that has filled one waits while the limit is
 * exceeded. The chunk that each thread is writing does not count, so that there is
 * always one for every thread, and no thread waits for one that sleeps.
 */
#ifndef VIGIL_AGENT_EVENT_AREA_H
#define VIGIL_AGENT_EVENT_AREA_H

#include "agent/event-chunk-set.h"
#include "agent/event-filter-area.h"
#include "agent/event-tally-area.h"

#include <stdint.h>

#define EVENT_AREA_MAGIC UINT64_C(0x31544e5645474956)
#define EVENT_AREA_VERSION 7

/* Gap, ns, above which an anchor is written before the next event. */
#define EVENT_GAP_NS UINT64_C(20000)

struct event_slot {
	uint64_t word;
	uint64_t mark; /* 0 free; otherwise enum event_mark in bits 0-7, and above them what it
		        * specifies */
};

/*
 * Chunk sizes, bytes, of a large and a small pool; a pool of less than
 * EVENT_POOL_SMALL bytes is small.
 */
#define EVENT_CHUNK_SIZE UINT64_C(16384)
#define EVENT_CHUNK_SIZE_SMALL UINT64_C(4096)
#define EVENT_POOL_SMALL (UINT64_C(1) << 20)
/* Number of chunks in addition to the pool's, for threads to write into. */
#define EVENT_CHUNKS_EXTRA UINT64_C(8192)
/* Bytes after which a thread that has waited for space waits again, behind others if many wait. */
#define EVENT_TURN UINT64_C(131072)
/* So many are woken up at once, and more if they have space for a turn each. */
#define EVENT_WOKEN_MIN 16

/*
 * The kinds of slots. word is the time, in ticks, unless stated otherwise; "<< n"
 * is the bit position of a value in mark. "site" stands for line << 8 | name << 28
 * | file << 44, where name and file are numbers of names. A slot "with data" is
 * followed by EVENT_MARK_MORE(mark) slots of bytes, and the length of its text is
 * in the mark.
 */
enum event_mark {
	EVENT_MARK_FREE = 0,
	EVENT_MARK_VOID = 1,	 /* left unused */
	EVENT_MARK_ANCHOR = 2,	 /* word: CPU time of the thread, ns, at the time of the next
				  * slot; << 8: ticks the agent used since the last anchor,
				  * except for plain events */
	EVENT_MARK_PROCESS = 3,	 /* a process begins; << 8: name of its executable, << 24: 1
				  * forked, 0 a new image; << 25: number of the fork, 7 bits; <<
				  * 32: parent's process id */
	EVENT_MARK_OBJECT = 4,	 /* executable code is mapped; << 8: name of the path; one more
				  * slot: start << 16 | pages of 4096, offset in the file */
	EVENT_MARK_TASK_END = 5, /* the thread ends */
	EVENT_MARK_EXIT = 6,	 /* the process ends; << 8: its exit status */
	EVENT_MARK_FORK = 7,	 /* << 8: the child's process id */
	EVENT_MARK_PROGRAM = 8,	 /* a COBOL program begins; << 8: name, of three lines: program,
				  * source, object */
	EVENT_MARK_PROGRAM_END = 9, /* it ends; same fields */
	EVENT_MARK_SECTION = 10,    /* site */
	EVENT_MARK_PARAGRAPH = 11,  /* site */
	EVENT_MARK_STATEMENT = 12,  /* site; name is the verb */
	EVENT_MARK_ENTRY = 13,	    /* a function begins; << 8: an address in it; one that began
				     * in a pause is written before the next event */
	EVENT_MARK_RETURN = 14,	    /* it ends; same field */
	EVENT_MARK_USER = 15,	    /* with data; the event's number is in the mark */
	EVENT_MARK_CALL = 16,	    /* a function of another library is called; << 8: its name,
				       << 24: name of the library's file */
	EVENT_MARK_CALL_DONE = 17,  /* it returns; << 8: its name, << 32: the int it returned */
	EVENT_MARK_DATABASE = 18,   /* a database call begins; with data: a word that identifies
				     * the statement, then the text; number: name of the
				     * function, << 16: name of the database */
	EVENT_MARK_DATABASE_MORE = 19, /* another call for a statement; << 8: name of the
				        * function, << 24: low 40 bits of the word */
	EVENT_MARK_DATABASE_DONE = 20, /* a database call ends; << 8: name of the function, << 32:
					  its return code */
	EVENT_MARK_DATABASE_FAILED = 21, /* it fails; with data: name of the function as a word,
					  * the error as text; number: its return code */
	EVENT_MARK_SPAWN = 22,		 /* with data: the program started; number: process id, 0
					  * unknown */
	EVENT_MARK_SIGNAL = 23,		 /* a signal handler of the program begins; << 8: the
					  * signal */
	EVENT_MARK_PYTHON = 24,	    /* a Python function or module body begins, or resumes; << 8:
				     * name, of four lines: function, "", file, its line */
	EVENT_MARK_PYTHON_END = 25, /* it ends, or yields; same field */
	EVENT_MARK_PYTHON_LINE = 26, /* site; name is that of the function */
	EVENT_MARK_CONTEXT = 27, /* the thread switches to another context (swapcontext); << 8:
				  * its number, 0 the thread's first; in pauses, too */
	EVENT_MARK_FORKING = 28, /* the thread is about to fork; << 8: number of the fork in its
				  * process, 7 bits; in pauses, too */
	EVENT_MARK_WAITED = 29, /* the thread waited from here on for space in the pool; an
				 * anchor precedes it and the next event */
	EVENT_MARK_TASK = 30, /* a thread created by the program begins; in pauses, too */
	EVENT_MARK_TALLY = 31, /* sums of functions; with data (event-tally-area.h) */
	EVENT_MARK_COUNT
};

/*
 * Begins and ends (PROCESS to PROGRAM_END, ENTRY, RETURN, PYTHON, PYTHON_END,
 * CONTEXT, FORKING and TASK) are also written while collecting is paused, with
 * this bit.
 */
#define EVENT_MARK_PAUSED (UINT64_C(1) << 62)
/*
 * Set and get what is above the kind in a mark: one value of up to 54 bits; or a
 * name's number, and more above it. Values are stored unchanged: a value that is
 * negative or too wide is an error of the writer.
 */
#define EVENT_VALUE(value) ((uint64_t)(value) << 8)
#define EVENT_MARK_VALUE(mark) ((uint64_t)(mark) >> 8)
#define EVENT_MARK_NAME(mark) ((uint32_t)((mark) >> 8 & 0xffff))
/* A signed number in the upper half: a code, or the number of a slot with data. */
#define EVENT_NUMBER(number) ((uint64_t)(uint32_t)(number) << 32)
#define EVENT_MARK_NUMBER(mark) ((int32_t)((mark) >> 32))
/* Of a slot with data: number of slots that follow, bytes of text, and a number. */
#define EVENT_DATA(more, length, number) \
	(EVENT_VALUE(more) | (uint64_t)(length) << 16 | EVENT_NUMBER(number))
#define EVENT_MARK_MORE(mark) ((uint64_t)((mark) >> 8 & 0xff))
#define EVENT_MARK_LENGTH(mark) ((uint64_t)((mark) >> 16 & 0xffff))
/* Maximum length of one event's text, bytes. */
#define EVENT_TEXT_MAX 2048

#define EVENT_SITE(line, name, file) \
	((uint64_t)((line)&0xfffff) << 8 | (uint64_t)(name) << 28 | (uint64_t)(file) << 44)
#define EVENT_SITE_LINE(mark) ((uint64_t)((mark) >> 8 & 0xfffff))
#define EVENT_SITE_NAME(mark) ((uint32_t)((mark) >> 28 & 0xffff))
#define EVENT_SITE_FILE(mark) ((uint32_t)((mark) >> 44 & 0xffff))

/* EVENT_MARK_PROCESS: forked is 0 or 1, fork has 7 bits. */
#define EVENT_PROCESS(name, forked, fork, parent) \
	(EVENT_VALUE(name) | (uint64_t)(forked) << 24 | (uint64_t)(fork) << 25 | EVENT_NUMBER(parent))
#define EVENT_PROCESS_FORKED(mark) ((mark) >> 24 & 1)
#define EVENT_PROCESS_FORK(mark) ((mark) >> 25 & EVENT_FORK_MAX)
/* Forks of a process are numbered up to this, then from 0 again. */
#define EVENT_FORK_MAX 0x7f
/*
 * The first word after EVENT_MARK_OBJECT: the address of the mapped code, and its
 * size in bytes, rounded up to pages.
 */
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
/* EVENT_MARK_DATABASE_MORE: name of the function, and the word, of EVENT_WORD_BITS bits. */
#define EVENT_MORE(name, word) (EVENT_VALUE(name) | (uint64_t)(word) << 24)
#define EVENT_MORE_WORD(mark) ((uint64_t)(mark) >> 24)
#define EVENT_WORD_BITS 40

/* Returns whether a slot of a kind is followed by EVENT_MARK_MORE slots of data. */
static inline int event_mark_has_data(uint64_t kind)
{
	return kind == EVENT_MARK_OBJECT || kind == EVENT_MARK_USER || kind == EVENT_MARK_DATABASE ||
	       kind == EVENT_MARK_DATABASE_FAILED || kind == EVENT_MARK_SPAWN || kind == EVENT_MARK_TALLY;
}

/* Limit of the numbers of names; number 0 is "". */
#define EVENT_NAMES 65536
#define EVENT_NAME_TEXTS (UINT64_C(4) << 20)

/* One chunk; 64 bytes, so that two threads never share a cache line. */
struct event_chunk {
	uint64_t owner;	   /* lane, from 1; 0: free; claimed by compare-and-exchange */
	uint64_t sequence; /* index in its lane, from 1; written after the owner */
	uint32_t pid, tid; /* as seen by the writer; written before sequence */
	uint64_t end;	   /* bytes used, once the thread has moved to another; 0 before */
	uint64_t reserved[4];
};

/* Maximum number of patterns of functions whose calls are collected. */
#define EVENT_CALLS 16

/* A pattern of CALLS; library "": any. */
struct event_call_area {
	char library[EVENT_PATTERN], function[EVENT_PATTERN];
	uint64_t found; /* functions that matched, in all process images */
};

/* What is done with statements: bits of event_area.statements. */
#define EVENT_AREA_WRITE 1
#define EVENT_AREA_COUNT 2

/*
 * Blocked functions: a table of words at blocked, each at the index given by its
 * hash; a word is lost when another takes its index. Within a process image and
 * the processes it forks, functions have the same addresses.
 */
#define EVENT_BLOCKED 65536
#define EVENT_BLOCKED_IMAGE(image) ((uint64_t)(image) << 48 | UINT64_C(1) << 47)
#define EVENT_BLOCKED_WORD(image, address) (EVENT_BLOCKED_IMAGE(image) | (uint64_t)(address))
#define EVENT_BLOCKED_PLACE(address) ((uint64_t)(address)*UINT64_C(0x9e3779b97f4a7c15) >> 48)

/* What is missing of Python because a program has profiled or traced itself. */
enum event_python_lost { EVENT_PYTHON_LINES_LOST = 1, EVENT_PYTHON_FUNCTIONS_LOST = 2 };

enum event_state {
	EVENT_STATE_OFF = 0,	/* no reader: the agent writes nothing */
	EVENT_STATE_PAUSED = 1, /* initialized; only begins and ends are written */
	EVENT_STATE_ACTIVE = 2,
};

/* What a function that begins or ends has to ask, in one word (event_area_set_gate). */
enum event_gate {
	EVENT_GATE_ASK = 0,    /* everything: state, functions, blocking */
	EVENT_GATE_OPEN = 1,   /* nothing: it is collected, at the time of the cycle counter */
	EVENT_GATE_FILTER = 2, /* whether it is a blocked function; otherwise as OPEN */
	EVENT_GATE_PAUSED = 3, /* nothing: functions are noted only */
	EVENT_GATE_TALLY = 4,  /* as OPEN, but that it may be tallied */
};

struct event_area {
	uint64_t magic, version;
	uint64_t size;				       /* of the whole area */
	uint64_t chunk_size;			       /* bytes */
	uint64_t pool_chunks;			       /* limit of chunks filled and unread */
	uint64_t chunk_count;			       /* including those in addition to the pool */
	uint64_t names, counts, texts, blocked, chunks, slots; /* offsets of the parts, bytes */
	/* The same, of the sets of chunks: free, and claimed since the monitor looked. */
	uint64_t free_set, claimed_set;
	uint64_t tallies; /* the same, of struct event_tallies (event-tally-area.h); 0: none */
	uint64_t cycles;  /* 1: ticks are the processor's cycle counter; 0: ns of CLOCK_MONOTONIC */
	uint64_t gap;	  /* ticks between events above which an anchor is written */
	uint64_t anchors; /* ticks after which an anchor is due */
	uint64_t statements;	/* EVENT_AREA_WRITE, EVENT_AREA_COUNT, or 0: not collected */
	uint64_t sections;	/* 1: sections and paragraphs are collected */
	uint64_t functions;	/* 1: functions are collected */
	uint64_t run_time;	/* 1: also those of run times, and calls that these make
				 * (FNAT=ON) */
	uint64_t from;		/* ticks before which statements and sections are not collected;
				 * 0: none */
	uint64_t monitor;	/* process id of the monitor, in its own namespace */
	uint64_t monitor_start; /* field 22 of its /proc/PID/stat */
	uint32_t state;		/* enum event_state; rarely changed */
	uint32_t gate;		/* enum event_gate: follows from state, functions, blocking and cycles */
	uint64_t blocking;     /* 1: there are blocked functions */
	/*
	 * Descriptors of the monitor (event-objects-area.h): objects with their plans, and
	 * the bell; 0: none.
	 */
	uint32_t objects, bell;
	uint64_t filter_count; /* filters of programs; 0: all programs pass */
	struct event_filter_area filters[EVENT_FILTERS];
	/* On a separate cache line: written by both sides. */
	_Alignas(64) int64_t full;  /* chunks filled and not yet read; may be below 0 for a
				     * moment */
	uint32_t waiting;	    /* threads that wait for space and are not yet woken up, about */
	uint32_t space;		    /* a futex: changes when there is space again */
	uint64_t lanes;		    /* number of lanes assigned */
	uint64_t most;		    /* chunks from here on were never used */
	/* Statistics, changed by atomic additions. */
	_Alignas(64) uint64_t waits; /* waits of threads because the pool was full */
	uint64_t wait_time;	     /* ticks of these waits */
	uint64_t empty_after_full;   /* waits after which the pool had been read completely */
	int64_t full_max;	     /* maximum of full */
	uint64_t text_used;	     /* bytes used by the texts of names */
	uint64_t names_lost;	     /* texts that got no number */
	uint64_t cost;	  /* of a plain event, 1/256 ticks, measured by a process of the step */
	uint64_t counted; /* statements counted and not written */
	uint64_t images;  /* process images so far */
	uint64_t python;  /* enum event_python_lost: what programs use themselves */
	/* What is collected of calls that leave an object (event-library.h); 1: collected. */
	uint64_t database, spawns, signals, threads;
	uint64_t call_count;
	struct event_call_area calls[EVENT_CALLS];
	uint64_t call_cost;  /* of a call without its two events, ticks, measured by a process */
	uint64_t calls_left; /* functions that match a pattern, but found no free entry */
};

/*
 * Sets gate. Call after each change of state, functions or blocking: the monitor
 * makes them, and when it is gone whoever notices.
 */
static inline void event_area_set_gate(struct event_area *area)
{
	uint32_t state = __atomic_load_n(&area->state, __ATOMIC_RELAXED), gate = EVENT_GATE_ASK;
	uint64_t blocking = __atomic_load_n(&area->blocking, __ATOMIC_RELAXED);

	if (area->functions && area->cycles && state == EVENT_STATE_ACTIVE)
		gate = blocking ? EVENT_GATE_FILTER : area->tallies ? EVENT_GATE_TALLY : EVENT_GATE_OPEN;
	else if (area->functions && state == EVENT_STATE_PAUSED && !blocking)
		gate = EVENT_GATE_PAUSED;
	__atomic_store_n(&area->gate, gate, __ATOMIC_SEQ_CST);
}

/*
 * Names: EVENT_NAMES words at names, open addressing from a hash of the text: 0
 * free; otherwise the upper half of the hash in bits 32-63 and, below, the text's
 * offset in texts, where its length (uint32_t) and the text are. Entered by
 * compare-and-exchange once the text is there. Counts: as many words at counts,
 * incremented atomically.
 */

/* Returns one of the area's sets of chunks, at an offset. */
static inline struct event_chunk_set event_area_set(struct event_area *area, uint64_t offset)
{
	return event_chunk_set_at((uint64_t *)(void *)((char *)area + offset), area->chunk_count);
}

/* Returns the offset of a chunk's slot 0. */
static inline uint64_t event_chunk_at(const struct event_area *area, uint64_t chunk)
{
	return area->slots + chunk * area->chunk_size;
}

/* Returns the number of slots of an event that begins with mark. */
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
