/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The records of a measurement session: the contract, and the only link, between
 * the sampler and the reports. These types are built in, with ids that are stable
 * in files; modules add others at run time (registry.h).
 *
 * Times are nanoseconds of CLOCK_MONOTONIC; durations are nanoseconds. Ids are
 * assigned by the producer, start at 1 and are never reused; 0 means "none". A row
 * that repeats an id replaces the earlier one (TASK, PROCESS, OBJECT, FILE,
 * TRANSACTION), so a table read to its end holds the final state.
 *
 * CPU time: each SAMPLE stands for period.final nanoseconds (an ATTRIBUTE). Waits:
 * counted exactly, from switch records; WAIT rows are sums over one snapshot. The
 * run: exec + wait + delay of a STEP row add up to its interval, and the intervals
 * to the run.
 */
#ifndef VIGIL_RECORDS_RECORD_TYPES_H
#define VIGIL_RECORDS_RECORD_TYPES_H

#include "common/object-kind.h"
#include "engine/engine-records.h"

enum record_id {
	RECORD_PROCESS = 3,
	RECORD_TASK = 4,
	RECORD_OBJECT = 5,
	RECORD_FRAME = 6,
	RECORD_STACK = 7,
	RECORD_SAMPLE = 8,
	RECORD_WAIT = 9,
	RECORD_ACTIVITY = 10,
	RECORD_STEP = 11,
	RECORD_FILE = 12,
	RECORD_FILE_ACTIVITY = 13,
	RECORD_TRANSACTION = 14,
	RECORD_NAME = 15,
	RECORD_COLLECTOR = 16,
	RECORD_PSEUDO_SECTION = 17,
	/* 1, 2 and 18 belong to the engine */
	RECORD_EVENT_SITE = 19, /* below EVENT, so that a one-pass reader gets the sites first */
	RECORD_EVENT = 20,
	RECORD_EVENT_SUM = 21,
	RECORD_COVERAGE_PROGRAM = 22,
	RECORD_COVERAGE_STATEMENT = 23,
	RECORD_COVERAGE_PLACE = 24,
	RECORD_EVENT_RUN = 25, /* above EVENT, whose records precede runs */
	RECORD_TAPE = 26,
	RECORD_ID_COUNT
};

struct record_process {
	uint64_t process;
	uint64_t pid;
	uint64_t parent; /* process id of the parent, 0 for the step's first */
	uint64_t start;
	uint64_t end;	  /* 0 while it is alive */
	uint64_t program; /* string: base name of the current executable */
	uint64_t path;	  /* string: path of the current executable */
	uint64_t execs;	  /* number of successful execs */
};

struct record_task {
	uint64_t task;
	uint64_t process;
	uint64_t tid;
	uint64_t start;
	uint64_t end;	   /* 0 while it is alive */
	uint64_t name;	   /* string: the thread's comm */
	uint64_t cpu;	   /* ns on a processor, exact */
	uint64_t wait;	   /* ns blocked */
	uint64_t delay;	   /* ns runnable but not running, as far as known */
	uint64_t switches; /* times switched out */
};

/*
 * Offsets in an OBJECT_NAMED below this are relative to the module's start; from
 * here on they are numbers of places that have NAME rows.
 */
#define FRAME_PLACES_FIRST (UINT64_C(1) << 46)

struct record_object {
	uint64_t object;
	uint64_t kind;	   /* enum object_kind */
	uint64_t path;	   /* string: as mapped; "[vdso]", "[kernel]", "[anonymous]" */
	uint64_t build_id; /* string: hex, "" none */
	uint64_t note;	   /* string: why names are missing, "" if none are */
};

/*
 * A distinct code address that was seen. offset is the address in the object's
 * address space (as in its symbol table). For a calling frame it is the address of
 * the call's last byte, so that its line is the call's.
 */
struct record_frame {
	uint64_t frame;
	uint64_t object;
	uint64_t offset;
};

/* A node of the tree of call stacks: frame, called from the stack parent. parent < stack. */
struct record_stack {
	uint64_t stack;
	uint64_t parent; /* 0: frame is the outermost known */
	uint64_t frame;
	uint64_t native; /* the stack that was walked, if data collectors named places; 0: this
			  * one. native < stack. */
};

enum sample_kind {
	SAMPLE_USER = 1,	     /* in the program's own instructions; stack exact */
	SAMPLE_KERNEL = 2,	     /* in the kernel; user part of the stack exact */
	SAMPLE_KERNEL_ESTIMATED = 3, /* kernel time that an ordinary user cannot sample; the
				      * stack is what its neighbours' stacks share */
	SAMPLE_RESIDUE = 4,	     /* CPU time of tasks too short to be sampled, added up;
				      * stack as near as known */
};

enum sample_flags {
	SAMPLE_SOLO = 1,   /* no other task executed and no file wait was in progress */
	SAMPLE_BROKEN = 2, /* the walk ended before the outermost frame */
	SAMPLE_CUT = 4,	   /* stack too deep: the outermost frames are missing */
};

struct record_sample {
	uint64_t time;
	uint64_t task;
	uint64_t stack; /* its node is the innermost frame */
	uint64_t kind;	/* enum sample_kind */
	uint64_t flags; /* enum sample_flags */
	uint64_t transaction;
};

enum wait_reason {
	WAIT_OTHER = 1,
	WAIT_FILE_READ = 2,
	WAIT_FILE_WRITE = 3,
	WAIT_FILE_SYNC = 4,  /* fsync, fdatasync, msync */
	WAIT_FILE_OTHER = 5, /* open, stat, rename, unlink, ... */
	WAIT_SOCKET = 6,
	WAIT_PIPE = 7,
	WAIT_TERMINAL = 8,
	WAIT_LOCK = 9, /* futex; a file lock if a file is named */
	WAIT_SLEEP = 10,
	WAIT_CHILD = 11,
	WAIT_PAGE = 12,	   /* page fault */
	WAIT_POLL = 13,	   /* poll, select, epoll: for any of several files */
	WAIT_SIGNAL = 14,
	WAIT_DISPATCH = 15, /* runnable but not running: preempted */
	WAIT_STOPPED = 16,  /* stopped by a signal or a debugger */
	WAIT_UNKNOWN = 17,  /* too short for a look, and no neighbouring wait had one */
	WAIT_VIGIL = 18,	    /* the agent waits, for space in the data pool or for an
				     * answer */
	WAIT_REASON_COUNT
};

/*
 * Waits of one task at one place that ended or were still open in this snapshot.
 * total is time blocked. charged is this place's share of the step's wait (time
 * when no task of the step executes): while the step waits, time is divided evenly
 * among its waiting tasks; a task that waits only for a child or for another task
 * counts only if no task waits for anything else. So charged over all rows equals
 * the STEP rows' wait + delay. solo is the part of charged during which this task
 * was the only one that counted.
 */
struct record_wait {
	uint64_t time; /* end of the snapshot */
	uint64_t task;
	uint64_t stack;
	uint64_t reason;   /* enum wait_reason */
	uint64_t file;	   /* id of the FILE waited for, or 0 */
	uint64_t syscall;  /* system call number + 1, or 0 */
	uint64_t count;	   /* waits that ended */
	uint64_t total;
	uint64_t charged;
	uint64_t solo;
	uint64_t transaction;
	uint64_t variance; /* variance of total if it is an estimate, square microseconds; 0:
			    * exact */
	/* Of waits for a lock, as far as a look has found: */
	uint64_t holder;       /* TASK that held the lock, or 0 */
	uint64_t holder_pid;   /* thread id of the holder, or its process id if that is all that
			        * is known */
	uint64_t holder_stack; /* STACK of the holder at the look, or 0 */
	/*
	 * Parts of the variance, from which profile/wait-variance.h computes that of
	 * several rows:
	 */
	uint64_t laid;		 /* ns of total from waits without a look of their own */
	uint64_t spread;	 /* variance of laid before its overall sum is known, us2 */
	uint64_t delay_variance; /* part of variance due to time the task was runnable, us2 */
};

/* What one task did in one snapshot; idle tasks have no row. */
struct record_activity {
	uint64_t time;	   /* end of the snapshot */
	uint64_t task;
	uint64_t cpu;	   /* ns on a processor */
	uint64_t cpu_solo; /* part of cpu with no other task executing and no file wait */
	uint64_t charged;  /* ns of the step's wait charged to this task */
	uint64_t charged_solo;
};

/* The state of the whole step over one snapshot. exec + wait + delay == interval. */
struct record_step {
	uint64_t time;	   /* end of the snapshot */
	uint64_t interval;
	uint64_t exec;	   /* ns with at least one task on a processor */
	uint64_t wait;	   /* ns with none on a processor and none runnable */
	uint64_t delay;	   /* ns with none on a processor and at least one preempted (STRETCH) */
	uint64_t tasks;	   /* tasks alive at the end */
	uint64_t resident; /* pages of 4096 bytes in memory, all processes, at the end */
	uint64_t minor_faults;
	uint64_t major_faults;
	uint64_t read_bytes;  /* from devices, as /proc/PID/io counts them */
	uint64_t write_bytes;
	uint64_t read_calls;
	uint64_t write_calls;
	uint64_t moved_bytes; /* bytes of these calls, from and to anything; 0 in older data sets */
};

enum file_kind {
	FILE_REGULAR = 1,
	FILE_DIRECTORY = 2,
	FILE_SOCKET = 3,
	FILE_PIPE = 4,
	FILE_CHARACTER = 5, /* terminal, /dev/null */
	FILE_BLOCK = 6,
	FILE_OTHER = 7, /* eventfd, epoll, ... */
};

struct record_file {
	uint64_t file;
	uint64_t kind;	       /* enum file_kind */
	uint64_t path;	       /* string; "socket:[...]" as in /proc if it has no path */
	uint64_t ddname;       /* string, "" if no DD names it */
	uint64_t dsn;	       /* string, data set name, "" none */
	uint64_t organization; /* string: PS, PO, VS (indexed), RR (relative), PIPE, SOCKET, ... */
	uint64_t recfm;	       /* string, "" when unknown */
	uint64_t lrecl;	       /* bytes, 0 when unknown */
	uint64_t device;       /* string: block device or file system type, "" when unknown */
	uint64_t open_flags;   /* O_ACCMODE | O_APPEND | ... when first seen, + 1; 0 unknown */
	uint64_t opens;	       /* times a new open was seen */
	uint64_t size_first;   /* bytes when first seen */
	uint64_t size_last;    /* bytes when last seen */
	uint64_t block_size;   /* st_blksize */
	uint64_t bytes_known;  /* 1: bytes of its FILE_ACTIVITY rows are complete, within a
			        * percent */
	uint64_t calls_known;  /* 1: so are the calls: none were stdio's */
};

struct record_file_activity {
	uint64_t time; /* end of the snapshot */
	uint64_t file;
	uint64_t waits; /* waits that ended */
	uint64_t total; /* ns of waiting, all tasks */
	uint64_t charged;
	uint64_t charged_solo;
	uint64_t busy;	/* ns with at least one task waiting for it (I/O time) */
	uint64_t busy_solo; /* part of busy with no task executing and no other file waited for */
	uint64_t bytes; /* read and written, as far as known: see bytes_known of FILE */
	uint64_t calls; /* reads and writes, as far as known: see calls_known of FILE */
};

struct record_transaction {
	uint64_t transaction;
	uint64_t name;	  /* string; begins with '.' for overhead */
	uint64_t count;	  /* times it was set */
	uint64_t elapsed; /* ns in force, all tasks */
	uint64_t seen;	  /* part of count: begins seen by data collectors, in samples; then
			   * count is a lower bound */
	uint64_t told;	  /* times it began by the program's own count; 0: not reported */
	uint64_t told_exact; /* 1: told is exact, 0: a lower bound */
};

/*
 * What an address means; one row per level of inlining, depth 0 is the innermost.
 * A frame without a row has no name: reports show object, offset and the object's
 * note.
 */
struct record_name {
	uint64_t frame;
	uint64_t depth;
	uint64_t section;   /* string: source file name of the compilation unit, "" unknown */
	uint64_t procedure; /* string: function, or COBOL section/paragraph; "" unknown */
	uint64_t start;	    /* offset of the procedure in the object */
	uint64_t size;	    /* bytes, 0 unknown */
	uint64_t line;	    /* 0 unknown */
	uint64_t file;	    /* string: full path of the source file of the line */
	uint64_t language;  /* string: COBOL, C, C++, ... "" unknown */
	uint64_t text;	    /* string: the source line, if the source was readable */
};

/* A data collector and its results in this session. */
struct record_collector {
	uint64_t collector;
	uint64_t name;	     /* string: STRBxxxx */
	uint64_t generation; /* string, "" unknown */
	uint64_t path;	     /* string, "" not found */
	uint64_t origin;     /* 1 comes with vigil, 2 found by name, 3 named by the request */
	uint64_t problem;    /* string: why it was not loaded, or was switched off; "" none */
	uint64_t calls;
	uint64_t answers;  /* calls whose answer was used */
	uint64_t outside;  /* answers dropped because their range does not contain the address */
	uint64_t torn;	   /* answers that it rejected itself */
	uint64_t late;	   /* samples without an answer because it did not return in time */
	uint64_t cost;	   /* ns in its entry point */
	uint64_t delay;	   /* ns from a sample to the last read of live memory, median */
	uint64_t delay_most;
	uint64_t held;	   /* calls made while the task was held */
	uint64_t loaded;   /* 1: it was loaded; 0 also if the data set does not say, but a
			    * generation implies it */
};

/* Modules whose names begin with prefix are reported in .SYSTEM under section. */
struct record_pseudo_section {
	uint64_t entry; /* id */
	uint64_t collector;
	uint64_t prefix;  /* string */
	uint64_t section; /* string, with its period */
};

/*
 * Types of events, with the Natural Profiler's codes; the first letter of a code
 * is its group. K is vigil's own group: what the system did for a task. The
 * numbers are stable in files.
 */
enum event_type {
	EVENT_SI = 1,	/* session initialization */
	EVENT_ST = 2,	/* session termination */
	EVENT_PL = 3,	/* program load */
	EVENT_PS = 4,	/* program start: the site is the program that starts */
	EVENT_PT = 5,	/* program termination: the site is the program that ends */
	EVENT_PR = 6,	/* program resume: the site is the program that continues */
	EVENT_PP = 7,	/* a section or paragraph of the program begins (vigil's own) */
	EVENT_NS = 8,	/* statement */
	EVENT_DB = 9,	/* before a database call; data is its text */
	EVENT_DA = 10,	/* after it; code is its return code */
	EVENT_IB = 11,	/* before terminal I/O */
	EVENT_IA = 12,	/* after it */
	EVENT_CB = 13,	/* before a call of a program in another object; data is its name */
	EVENT_CA = 14,	/* after it */
	EVENT_E = 15,	/* run-time error; code is its number */
	EVENT_U = 16,	/* user event; code is its number, data its text */
	EVENT_MP = 17,	/* the session pauses; the time up to a task's next event is not counted */
	EVENT_KF = 18,	/* fork; code is the child's process id */
	EVENT_KX = 19,	/* exec; data is the path */
	EVENT_KT = 20,	/* a thread begins */
	EVENT_KE = 21,	/* a thread or process ends; code is the exit status */
	EVENT_KP = 22,	/* spawn; code is the child's process id, data the path */
	EVENT_KS = 23,	/* a signal is delivered; code is its number */
	EVENT_MB = 24,	/* collecting is blocked in a task (vigil's own); the time up to its next
			 * event is not counted; code is enum event_block */
	EVENT_TYPE_COUNT
};

/* Why collecting is blocked in a task. */
enum event_block {
	EVENT_BLOCK_FILTERS = 0, /* filters by program, line, number or time; no code */
	EVENT_BLOCK_ROOM = 1,	 /* the data pool was full, and the task waited */
};

/* What kind of program a site has. */
enum event_kind {
	EVENT_KIND_NONE = 0,	 /* events of the session: none */
	EVENT_KIND_PROGRAM = 1,	 /* a COBOL program, or the program of a process */
	EVENT_KIND_FUNCTION = 2, /* a function of an object or script: program is its name */
};

/* Where events happen: what all events of one site share, stored once. */
struct record_event_site {
	uint64_t site;
	uint64_t type;	    /* enum event_type */
	uint64_t kind;	    /* enum event_kind */
	uint64_t library;   /* string: folder of the object or script, "" unknown */
	uint64_t program;   /* string */
	uint64_t object;    /* string: file name of the object or script the program is in */
	uint64_t procedure; /* string: section or paragraph, "" none */
	uint64_t line;	    /* 0 unknown */
	uint64_t file;	    /* string: path of the source file of the line, "" unknown */
	uint64_t statement; /* string: verb of a statement, "" none; the function called, of DB,
			     * DA, CB and CA */
	uint64_t database;  /* string: of DB and DA, "" none */
	uint64_t counted;   /* statements of the program counted by STATEMENT=COUNT; such a site
			     * has no events */
};

/*
 * One event. In a snapshot the events of a task are in order of time. An event
 * lasts until the next event of its task, in CPU time and in elapsed time; the
 * last one of a task until the task or the session ends, which is an event, too
 * (KE, ST).
 */
struct record_event {
	uint64_t time;
	int64_t idle;  /* ns: time less its task's CPU time so far, vigil's CPU time excluded;
		        * constant while the task executes */
	uint64_t task; /* id of a TASK; 0 for SI, ST and MP of the whole session */
	uint64_t site;
	uint64_t level; /* number of active programs of the task, including this one */
	int64_t code;	/* missing: none */
	uint64_t data;	/* string, "" none */
	uint64_t transaction;
};

/*
 * Plain events of one task in a row, stored together: event-runs.h describes the
 * bytes. Readers of files get EVENT records in their place. In a snapshot the EVENT
 * records of a task precede its runs.
 */
struct record_event_run {
	struct record_bytes times;   /* of each slot: ns since the slot before */
	struct record_bytes numbers; /* of each slot: number of its step */
	struct record_bytes steps;   /* the steps, with their sums */
	struct record_bytes clocks;  /* how the CPU time grows */
	uint64_t task;
	uint64_t count; /* number of EVENT records it stands for */
	uint64_t level; /* of the event before the first slot, or of the first one */
	uint64_t time;	/* ns: of the first slot */
	uint64_t end;	/* ns: of the last slot */
	int64_t cpu;	/* ns: the task's CPU time at the first slot */
	int64_t end_cpu; /* ns: the same at the last slot */
	uint64_t transaction; /* TRANSACTION id, 0 none; of runs with sums alone */
};

/*
 * Returns the task's CPU time at an event, ns. It grows from event to event of a
 * task; in a faulty row it may be smaller, even below 0, so readers count only
 * increases.
 */
static inline int64_t record_event_cpu(const struct record_event *event)
{
	return (int64_t)(event->time - (uint64_t)event->idle);
}

/*
 * A part of a piece of a recording's tape (sampler/recording): the parts of a piece
 * are in one snapshot.
 */
struct record_tape {
	struct record_bytes bytes;
	uint64_t piece; /* from 1 */
	uint64_t part;	/* from 0 */
	uint64_t parts; /* number of parts of the piece */
};

/*
 * Events of one kind, consolidated (records/event-sums.h): replaces an earlier row
 * of its site and transaction. If a session has such rows they cover all its
 * events, even if it also has EVENT rows.
 */
struct record_event_sum {
	uint64_t site;
	uint64_t transaction;
	uint64_t hits;	  /* number of events */
	uint64_t cpu;	  /* ns: sum of their durations in CPU time */
	uint64_t elapsed; /* ns: the same in elapsed time */
	uint64_t database; /* ns of elapsed time from DB events to their DA events */
};

/* How a session finds out that a statement was executed. */
enum coverage_means {
	COVERAGE_BY_PLACES = 0, /* by the first execution of each instruction range of the
				 * statement */
	COVERAGE_BY_EVENTS = 1, /* by counting the program's statement events */
};

/* A program whose statements are covered; replaces an earlier row with its number. */
struct record_coverage_program {
	uint64_t program;   /* number in the session */
	uint64_t means;	    /* enum coverage_means */
	uint64_t library;   /* string: folder of its object */
	uint64_t object;    /* string: file name of its object */
	uint64_t build_id;  /* string: hexadecimal, "" none; runs of one build are merged by
			     * place */
	uint64_t name;	    /* string: PROGRAM-ID, or the source of the unit without folders */
	uint64_t source;    /* string: path of the unit's source when it was compiled */
	uint64_t language;  /* string, "" unknown */
	uint64_t optimised; /* 1: compiled with optimisation; its lines are those of the line
			     * table */
	uint64_t partial;   /* 1: some statements are unknown or could not be watched */
	uint64_t reason;    /* string: why it is partial, "" if it is not */
};

/* A statement of such a program; replaces an earlier row with its number. */
struct record_coverage_statement {
	uint64_t statement; /* number in the session */
	uint64_t program;   /* number of a COVERAGE_PROGRAM */
	uint64_t procedure; /* string: section, paragraph or function, "" none */
	uint64_t file;	    /* string: path of the line's source file: the unit's, or a
			     * copybook's */
	uint64_t line;
	uint64_t ordinal; /* position among the statements of its line in the procedure, from 1 */
	uint64_t verb;	  /* string, "" unknown */
	uint64_t count;	  /* number of executions; by places: number of sessions */
};

/*
 * A range of instructions of a statement (means COVERAGE_BY_PLACES); replaces an
 * earlier row with its number.
 */
struct record_coverage_place {
	uint64_t place; /* number in the session */
	uint64_t statement;
	uint64_t start, end; /* addresses in the object */
	uint64_t block;	     /* the compiler's block number within the line (DWARF
			      * discriminator), 0 none */
	uint64_t executed;   /* 0 or 1 */
};

/*
 * Keys of ATTRIBUTE. Written at the start, whenever a value changes, and at the
 * end; a truncated file has the values as of the last full second before its end.
 */
#define ATTR_VERSION "vigil.version"
#define ATTR_JOB "job.name"
#define ATTR_JOB_NUMBER "job.number"
#define ATTR_STEP "job.step"
#define ATTR_PROCSTEP "job.procstep"
#define ATTR_PROGRAM "program"
#define ATTR_COMMAND "command"
#define ATTR_USER "user"
#define ATTR_HOST "host.name"
#define ATTR_KERNEL "host.kernel"
#define ATTR_CPU_MODEL "host.cpu"
#define ATTR_CPUS "host.cpus"
#define ATTR_REQUEST_NUMBER "request.number"
#define ATTR_REQUEST_TYPE "request.type"	 /* "QUEUED" or "ACTIVE" */
#define ATTR_REQUEST_SAMPLES "request.samples"	 /* target sample size */
#define ATTR_REQUEST_SESSION "request.session"	 /* minutes, 0 when not given */
#define ATTR_REQUEST_LIMIT "request.limit"	 /* "1 QUIT", "2 STOP", "NOLIMIT" */
#define ATTR_REQUEST_OPTIONS "request.options"
#define ATTR_SUBSYSTEM "subsystem"
#define ATTR_DATA_SET "session.dataset"
#define ATTR_RESOURCE "session.resource"	 /* name in a resource library; absent without
						  * one */
#define ATTR_START_WALL "session.start_wall"	 /* ns since 1970 */
#define ATTR_START "session.start"		 /* ns monotonic */
#define ATTR_END "session.end"			 /* ns monotonic */
#define ATTR_COMPLETE "session.complete"	 /* "1" if the session ended in order */
#define ATTR_PAUSED "session.paused"		 /* ns that are not counted; absent without a
						  * pause */
#define ATTR_EXIT "step.exit"			 /* return code, "" while unknown */
#define ATTR_ABEND "step.abend"			 /* "S0C4", "" if it ended normally */
#define ATTR_PRIVILEGE "session.privilege"	 /* "FULL", "USER" or "PROC" */
#define ATTR_PERIOD_INITIAL "period.initial"	 /* ns of CPU time per sample */
#define ATTR_PERIOD "period.final"
#define ATTR_TAKEN "samples.taken"
#define ATTR_PROCESSED "samples.processed"
#define ATTR_THINNED "samples.thinned"
#define ATTR_LOST "samples.lost"
#define ATTR_LOST_SQUARES "samples.lost_squares" /* us2: sum of squares of lost time made up at
						  * one place; absent without losses */
#define ATTR_KERNEL_SQUARES "samples.kernel_squares" /* us2: variance of where kernel time was spent
						      * that was not sampled; absent without any */
#define ATTR_SWITCHES "switches.count"
#define ATTR_SWITCHES_LOST "switches.lost"	 /* records of any kind dropped by the kernel */
#define ATTR_STACKS_WHOLE "stacks.whole"	 /* samples whose walk reached the outermost frame */
#define ATTR_STACKS_BROKEN "stacks.broken"
#define ATTR_CPU_EXACT "cpu.switches"		 /* ns, from switch records, less stolen time */
#define ATTR_STOLEN "cpu.stolen"		 /* ns taken by a hypervisor; absent if none */
#define ATTR_STACKS_CUT "stacks.cut" /* stacks too deep to be followed */
#define ATTR_CPU_USER "cpu.rusage_user"		 /* ns, from rusage of the step */
#define ATTR_CPU_SYSTEM "cpu.rusage_system"
#define ATTR_PEAK_RESIDENT "memory.peak"	 /* bytes, of the largest process */
#define ATTR_IO_UNKNOWN "io.unknown"		 /* 1: of at least one process */
/* Of sessions made from a recording of another program (vigil import). */
#define ATTR_RECORDING "recording.version"	 /* of a recording: the version of its tape */
#define ATTR_RECORDING_MACHINE "recording.machine" /* sizes that entries depend on */
#define ATTR_IMPORT "import.from"		 /* "perf.data", "perf script"; absent in others */
#define ATTR_IMPORT_VERSION "import.version"	 /* of the recording program */
#define ATTR_IMPORT_EVENTS "import.events"	 /* as requested */
#define ATTR_IMPORT_SAMPLES "import.samples"	 /* in the recording, of CPU time */
#define ATTR_MEMORY_UNKNOWN "memory.unknown"	 /* 1: pages in memory and page faults are
						  * unknown */
#define ATTR_WAITS_UNKNOWN "waits.unknown"	 /* 1: when tasks waited or executed alone is
						  * unknown */
/* Of sessions with events; absent in others. */
#define ATTR_EVENTS "events.kept"		 /* number in the data set */
#define ATTR_EVENTS_OFFERED "events.offered"	 /* made by the sources, including those below */
#define ATTR_EVENTS_FILTERED "events.filtered"	 /* rejected by filters, as far as counted */
#define ATTR_EVENTS_SAMPLED_OUT "events.sampled_out"
#define ATTR_EVENTS_OVERWRITTEN "events.overwritten" /* by newer ones, with ONLINE=ON */
#define ATTR_EVENTS_STATEMENTS "events.statements" /* counted with STATEMENT=COUNT */
#define ATTR_EVENTS_FILTERS "events.filters"	 /* as statements, "" none */
#define ATTR_EVENTS_INTERVAL "events.interval"	 /* ns of CPU time, "0" without sampling */
#define ATTR_EVENTS_PAUSES "events.pauses"
#define ATTR_EVENTS_OWN_CPU "events.own_cpu"	 /* ns the agent used in the step's tasks */
#define ATTR_EVENTS_SOURCES "events.sources"	 /* "COBOL, functions": the sources that made
						  * events */
#define ATTR_POOL_SIZE "pool.size"		 /* bytes */
#define ATTR_POOL_FULL "pool.full"		 /* waits of tasks because the pool was full */
#define ATTR_POOL_FULL_TIME "pool.full_time"	 /* ns of these waits, all tasks */
#define ATTR_POOL_EMPTY_AFTER_FULL "pool.empty_after_full"
#define ATTR_POOL_MAX "pool.most"		 /* maximum bytes in use */
#define ATTR_POOL_READ "pool.read"		 /* bytes read from the pool */
#define ATTR_OVERHEAD_CPU "overhead.cpu"	 /* ns of CPU time vigil used for the session */
#define ATTR_OVERHEAD_AFTER "overhead.after"	 /* part of it after the step's end; "" unknown */
#define ATTR_OVERHEAD_COLLECTORS "overhead.collectors" /* part of it in data collectors'
						        * processes */
#define ATTR_OVERHEAD_NAMES "overhead.names" /* part of it in the thread that finds names while the
						* step runs */
#define ATTR_OVERHEAD_METRICS "overhead.metrics" /* part of it for system metrics; absent without
						  * them */
/* Of sessions that limit their cost (COST). */
#define ATTR_COST_ASKED "cost.asked"	 /* limit, percent of the step's CPU time */
#define ATTR_COST_OWN "cost.own"	 /* ns of CPU time vigil used for observing, collectors
					  * included */
#define ATTR_COST_ADDED "cost.added"	 /* ns that switch records added to the step, estimated */
#define ATTR_COST_UNSEEN "cost.unseen"	 /* ns in which switches were not observed */
#define ATTR_COST_LOOKS "cost.looks"	 /* lowest rate of looks: one wait in this many */
#define ATTR_COST_HALVED "cost.halved"	 /* how often the sample rate was halved to keep the
					  * limit */

extern const struct record_type record_types[RECORD_ID_COUNT]; /* by id; [0] is unused */
/* The same as a catalogue, for engines and registries. */
extern const struct record_catalogue session_records;

#endif
