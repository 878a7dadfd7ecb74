/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collector.h - data collectors: programs of your own that tell a measurement
 * session which module and which transaction each sample belongs to.
 *
 * A data collector is a shared object STRBxxxx.so with one symbol of the name
 * vigil_collector, a struct vigil_collector (VIGIL_COLLECTOR defines it). Its
 * entry point is called once for each task (thread) that a sample finds
 * executing, and for each wait that is looked at. It reads the observed
 * program's registers, stack and memory through this header, and changes the
 * communication area to say what it found.
 *
 * It runs in a process of its own beside the session, as the user who
 * measures, single-threaded: whatever goes wrong in it, the observed program
 * and the session's data stay whole. When it crashes, does not come back, grows
 * without end or costs too much it is switched off, and the profile says so.
 * Against intent that is no guard: it may do what its user may do.
 *
 * Rules marked [seed 000] are those of the Interface Feature this was taken
 * from; the field that carries the rule there is named.
 *
 * All names are texts that end with NUL, at most VIGIL_NAME_MAX bytes; longer
 * ones are cut. A name given back must stay valid until the entry point is
 * called again. Each distinct module, place and transaction is kept to the
 * session's end, up to 128 MB for each collector, which is some hundred
 * thousands; one that names more is switched off. So a name tells what kind of
 * work it is, and no counter or request number. Where a report's column is too
 * narrow for a name it prints a token, which the Token-Longname Cross Reference
 * explains.
 */
#ifndef VIGIL_COLLECTOR_H
#define VIGIL_COLLECTOR_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The identifying constant: what lacks it is no collector. Of one that a request names (DCC) it is
   checked too, with version, name, entry point and pseudo-sections, but not the list of programs. */
#define VIGIL_COLLECTOR_IDENTIFIER "VIGIL COLLECTOR "
/* Of this header; a collector made with a later one is not loaded. */
#define VIGIL_COLLECTOR_VERSION 3
/* In the list of programs: every program. [seed 000, DCCLIST] */
#define VIGIL_ALWAYS "*****"
#define VIGIL_NAME_MAX 255
/* Entries a pseudo-section table may have. [seed 000, DCCPCST] */
#define VIGIL_PSEUDO_SECTIONS_MAX 25
/* With base 0: take the module though its range does not hold the address; allowed for modules of
   the pseudo-section table. [seed 000, DCILCSIZ] */
#define VIGIL_FORCED_SIZE 0x7FFFFFFF
/* Bytes of the work area. [seed 000] */
#define VIGIL_WORK_AREA 256
/* Places that are taken of one answer; more are cut at the outer end. */
#define VIGIL_PLACES_MAX 64

/*
 * Activity in all modules whose names begin with prefix (three characters or
 * more) is reported under module .SYSTEM and section .NAME, where section is
 * NAME (the period is put before it unless it is there). A section may stand
 * in several entries with other prefixes. [seed 000, DCCPCST]
 */
struct vigil_pseudo_section {
	const char *section;
	const char *prefix;
};

enum vigil_task_state {
	VIGIL_EXECUTING = 1, /* on a processor when the sample was taken */
	VIGIL_WAITING = 2,   /* blocked; its state does not change while it is looked at */
};

enum vigil_task_flags {
	VIGIL_IN_KERNEL = 1, /* executing, or waiting, in the kernel on behalf of the program */
	VIGIL_HELD = 2,	     /* the task stands still until the entry point returns */
	VIGIL_WHOLE = 4,     /* the call stack was followed to its outermost frame; all are told */
	VIGIL_ENDING = 8,    /* the session ends: only vigil_count is heard (VIGIL_LAST) */
};

/* Register numbers are DWARF's; x86-64: rax rdx rcx rbx rsi rdi rbp rsp r8..r15, 16 = rip. */
#define VIGIL_REGISTERS 17

/* The sampled task. Everything is for information only. [seed 000, DCILCTCB] */
struct vigil_task {
	pid_t pid, tid;
	uint32_t state;	     /* enum vigil_task_state */
	uint32_t flags;	     /* enum vigil_task_flags */
	uint64_t time;	     /* ns of CLOCK_MONOTONIC at which the sample was taken */
	uint64_t generation; /* another value after each exec of the process: what was found in its
				memory before is no longer valid */
	const char *program; /* file name of what it executes */
	/* Exactly as sampled. Waiting tasks have the instruction and the stack pointer only. */
	uint64_t registers[VIGIL_REGISTERS];
	uint32_t known; /* bit n: registers[n] is known */
	/* The call stack, innermost first: frames[0] is the address, the others are calls, by the last
	   byte of the call instruction (or what a signal interrupted). */
	const uint64_t *frames;
	size_t frame_count;
	/* The innermost bytes of the stack, exactly as sampled; vigil_read uses them too. */
	uint64_t stack_address;
	const unsigned char *stack;
	size_t stack_size;
	/* From version 3 on. The stack pointer with which each of the frames executes: what it
	   keeps on the stack lies from there on, below that of the next. 0: unknown. */
	const uint64_t *stack_pointers;
};

/* Something of the program's own that lies at an address, or executes through it. */
struct vigil_place {
	const char *module;    /* NULL: the area's module */
	const char *section;   /* NULL or "": none */
	const char *procedure; /* NULL or "": none */
	const char *file;      /* path of the source file, NULL or "": unknown */
	uint32_t line;	       /* in it, 0: unknown */
};

/* Frames that stay on the stack between two places, as what executes in the outer one called the
   program itself and that called the inner one. */
struct vigil_between {
	uint32_t place;	       /* the place that called them; they called the one before it */
	uint32_t level, count; /* the innermost of the frames, and how many */
};

struct vigil_access;

/* The communication area. [seed 000, DCILCOMM] */
struct vigil_communication {
	/* The sampled instruction; changes are ignored. [DCILCPSW] 0 where it is not known. */
	uint64_t address;
	const struct vigil_task *task; /* [DCILCTCB] */
	/*
	 * The module in control: on entry what vigil or an earlier collector
	 * found: where the whole of an object is loaded. module is NULL when
	 * nobody knows it, and base and size may be 0 although it is known:
	 * test module. To name it, set all three; the
	 * module and its places are dropped, and counted, unless base <= address
	 * < base + size (of frames[level], when level is set) or it is forced
	 * (VIGIL_FORCED_SIZE). Transaction and ID text are taken all the same.
	 * [DCILCBAS, DCILCSIZ, DCILCNMA]
	 */
	uint64_t base, size;
	const char *module;
	/*
	 * The transaction in control, NULL when there is none. One that is set
	 * stays in force for this task's later CPU time and waits until it is
	 * replaced, or reset by the name "". Names that begin with '.' mean
	 * overhead; give one of those rather than none, so that the totals
	 * close. Names that begin with ".UNKNOWN" say that nobody knows which it
	 * is: they do not count, nor does the one before when it follows
	 * again, which may have gone on. [DCILCTRA]
	 */
	const char *transaction;
	/* Yours: kept between calls, NULL at the first. [DCILCOLA] */
	void *anchor;
	/* Text for the SUBSYSTEM field of the Measurement Session Data; NULL before each call. The
	   last for a process counts, beside those of other processes and collectors. [DCILCIDA] */
	const char *id;
	/*
	 * Beyond the seed, for interpreters: what executes within the module,
	 * innermost first, place_count of them (0: the module is all that is
	 * known). level is the frame of the stack through which it executes (0:
	 * the sampled instruction): the frames inside it stay as they are (the
	 * libraries called), those from it outwards are replaced by the places
	 * (the interpreter). level frame_count: none is replaced, as the stack
	 * could not be followed out to the interpreter; all its frames were
	 * called by the places, in a way that nobody saw, and base and size
	 * must hold the outermost one. All are 0 before each call.
	 */
	const struct vigil_place *places;
	size_t place_count;
	uint32_t level;
	/* VIGIL_WORK_AREA bytes, yours for this call; what is in it does not survive. */
	void *work_area;
	const char *parameter;		   /* DCCPARM of the request, "" when none was given */
	const struct vigil_access *access; /* use the functions below */
	/*
	 * From version 3 on: frames farther out than level that stay, too,
	 * between_count of them, from the innermost on: place and level grow.
	 * All other frames from level outwards are replaced. 0 before each call.
	 */
	const struct vigil_between *betweens;
	size_t between_count;
};

enum vigil_outcome {
	VIGIL_DONE = 0,	    /* the area says what is known, perhaps unchanged */
	VIGIL_NOT_MINE = 1, /* not a program this collector knows: the area is not looked at */
	VIGIL_TORN = 2,	    /* what was read does not belong together: counted as rejected */
};

/* An entry of the process's address-space map. */
struct vigil_mapping {
	uint64_t start, end; /* [start, end) */
	uint64_t offset;     /* of start in the file */
	uint32_t protection; /* PROT_READ | PROT_WRITE | PROT_EXEC */
	const char *path;    /* "" for anonymous memory, "[heap]", ...; valid during the call */
};

struct vigil_symbol {
	const char *name;     /* valid during the call */
	const char *object;   /* path of the file it is in */
	uint64_t start, size; /* address in the process; size 0: unknown */
};

/*
 * What a collector can ask. None of these fails worse than by its return
 * value: an address that cannot be read, a process that has ended, a map that
 * changes meanwhile are ordinary.
 */
struct vigil_access {
	uint32_t version; /* VIGIL_COLLECTOR_VERSION of the host */
	size_t (*read)(const struct vigil_task *task, uint64_t address, void *buffer, size_t size);
	int (*text)(const struct vigil_task *task, uint64_t address, char *buffer, size_t size);
	int (*mapping)(const struct vigil_task *task, uint64_t address,
		       struct vigil_mapping *mapping);
	int (*mapping_named)(const struct vigil_task *task, const char *pattern,
			     struct vigil_mapping *mapping);
	int (*symbol)(const struct vigil_task *task, uint64_t address, struct vigil_symbol *symbol);
	uint64_t (*symbol_address)(const struct vigil_task *task, const char *pattern,
				   const char *name);
	const char *(*argument)(const struct vigil_task *task, size_t number);
	const char *(*variable)(const struct vigil_task *task, const char *name);
	void (*message)(const struct vigil_task *task, const char *text);
	/* From version 2 on. */
	int (*count)(const struct vigil_task *task, const char *transaction, uint64_t count,
		     int exact);
};

/*
 * Copy size bytes of the program's memory; returns how many could be had
 * (from address on), 0 when none. Bytes of the captured stack are those of
 * the sample; all others are read now, while the program goes on unless the
 * task is held or waits: up to a millisecond after the sample, with
 * VIGIL_PROMPT 0.12 to 0.25 ms, and later where the processors are busy.
 */
static inline size_t vigil_read(const struct vigil_communication *area, uint64_t address,
				void *buffer, size_t size)
{
	return area->access->read(area->task, address, buffer, size);
}

/* The 8 bytes at address, 0 when they cannot be read. */
static inline uint64_t vigil_pointer(const struct vigil_communication *area, uint64_t address)
{
	uint64_t value = 0;

	return vigil_read(area, address, &value, sizeof(value)) == sizeof(value) ? value : 0;
}

/* A text that ends with NUL, cut to size - 1 bytes; returns its length, or -1 when it cannot be
   read (buffer is "" then). */
static inline int vigil_text(const struct vigil_communication *area, uint64_t address, char *buffer,
			     size_t size)
{
	return area->access->text(area->task, address, buffer, size);
}

/* The mapping that holds address: 0, or -1. */
static inline int vigil_mapping_at(const struct vigil_communication *area, uint64_t address,
				   struct vigil_mapping *mapping)
{
	return area->access->mapping(area->task, address, mapping);
}

/* The first mapping of a file whose name (without folders) matches pattern (fnmatch): 0, or -1. */
static inline int vigil_mapping_named(const struct vigil_communication *area, const char *pattern,
				      struct vigil_mapping *mapping)
{
	return area->access->mapping_named(area->task, pattern, mapping);
}

/* The function or variable at an address, of .symtab and .dynsym: 0, or -1. */
static inline int vigil_symbol_at(const struct vigil_communication *area, uint64_t address,
				  struct vigil_symbol *symbol)
{
	return area->access->symbol(area->task, address, symbol);
}

/* The address of a symbol in the first mapped file whose name matches pattern (NULL: in any), 0
   when there is none. Remember it for a generation: the search is not cheap. */
static inline uint64_t vigil_symbol_address(const struct vigil_communication *area,
					    const char *pattern, const char *name)
{
	return area->access->symbol_address(area->task, pattern, name);
}

/* Argument number of the process (0: the program as it was called), NULL behind the last. Valid
   during the call. */
static inline const char *vigil_argument(const struct vigil_communication *area, size_t number)
{
	return area->access->argument(area->task, number);
}

/* A variable of the environment the process was started with, NULL: not set. Valid during the
   call. */
static inline const char *vigil_variable(const struct vigil_communication *area, const char *name)
{
	return area->access->variable(area->task, name);
}

/* A sentence for the notes of the profile; each text once, eight a session. */
static inline void vigil_message(const struct vigil_communication *area, const char *text)
{
	area->access->message(area->task, text);
}

/*
 * How often a transaction has begun in this session by the program's own books:
 * samples cannot tell. exact: the books were followed from the first to the
 * last; otherwise it began at least so often. Only in the calls at the
 * session's end (VIGIL_LAST), and only for transactions that samples saw; the
 * last count of a name holds. 0, or -1 when no more fit: return VIGIL_DONE, and
 * go on in the next call, which comes at once.
 */
static inline int vigil_count(const struct vigil_communication *area, const char *transaction,
			      uint64_t count, int exact)
{
	return area->access->count(area->task, transaction, count, exact);
}

enum vigil_collector_flags {
	/*
	 * Hold the task while the entry point is called: everything it reads
	 * belongs together exactly, and registers and stack are taken anew when
	 * the task stands still. Costs the observed program some ten
	 * microseconds a sample. When it cannot be held (it does not execute
	 * any more, its sample is older than 20 ms, the kernel forbids it)
	 * the entry point is called without VIGIL_HELD in the task's flags.
	 */
	VIGIL_HOLD = 1,
	/*
	 * Call the entry point at once, some tenths of a millisecond after the
	 * sample: for what changes so fast that a millisecond later it is
	 * another thing, such as an interpreter's stack. The kernel wakes the
	 * session at each sample then, which costs the observed program some
	 * percent at 1000 samples a second. Without it samples are looked at
	 * each millisecond; those of a collector that asks the program nothing,
	 * several at a time. VIGIL_HOLD is prompt too. It works for
	 * collectors of the step's first program.
	 */
	VIGIL_PROMPT = 2,
	/*
	 * Call the entry point when the session ends, too, with VIGIL_ENDING in
	 * the task's flags, for vigil_count: for each process that is left, or,
	 * where none is, once for one that has ended.
	 */
	VIGIL_LAST = 4,
};

struct vigil_collector {
	char identifier[17];				    /* VIGIL_COLLECTOR_IDENTIFIER */
	char name[9];					    /* STRBxxxx */
	char generation[5];				    /* yours, such as "G-00" */
	uint32_t version;				    /* VIGIL_COLLECTOR_VERSION */
	uint32_t flags;					    /* enum vigil_collector_flags */
	const struct vigil_pseudo_section *pseudo_sections; /* ended by { NULL, NULL }; NULL: none.
						      [seed 000, DCCPCST] */
	/*
	 * Programs it is for, ended by NULL; '*' and '%' stand for any text and
	 * any character, upper and lower case are one. It is called for a
	 * program only when one of them matches the program's name or a
	 * MAPPROGRAM name of the request; VIGIL_ALWAYS: for each. Not looked at
	 * when the request names the collector. [seed 000, DCCLIST]
	 */
	const char *const *programs;
	/* Called for each sample of each task; must be quick, keep nothing but the anchor, and
	   return VIGIL_NOT_MINE at once for what it does not know. */
	enum vigil_outcome (*entry)(struct vigil_communication *area);
};

/* Define the collector of a shared object. */
#define VIGIL_COLLECTOR(name_, generation_, flags_, pseudo_sections_, programs_, entry_) \
	__attribute__(( \
		visibility("default"))) extern const struct vigil_collector vigil_collector; \
	const struct vigil_collector \
		vigil_collector = { \
			VIGIL_COLLECTOR_IDENTIFIER, \
			name_, \
			generation_, \
			VIGIL_COLLECTOR_VERSION, \
			flags_, \
			pseudo_sections_, \
			programs_, \
			entry_, \
		}

/*
 * Further names under which it is found, as links would give it: the first
 * four characters of programs, divided by blanks ("OURP YOUR"); "*" is every
 * program, of which its list of programs chooses.
 */
#define VIGIL_COLLECTOR_ALIASES(list) \
	static const char vigil_collector_aliases[] \
		__attribute__((section(".vigil.aliases"), used)) = list

#ifdef __cplusplus
}
#endif

#endif
