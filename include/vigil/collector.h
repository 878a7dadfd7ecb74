/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collector.h - interface for data collectors: user-written programs that report
 * to a measurement session which module and which transaction each sample belongs
 * to.
 *
 * A data collector is a shared object STRBxxxx.so that exports one symbol
 * vigil_collector, a struct vigil_collector (VIGIL_COLLECTOR defines it). Its
 * entry point is called once for each task (thread) that a sample finds executing,
 * and once for each wait that is inspected. It reads the observed program's
 * registers, stack and memory through this header and reports its findings by
 * changing the communication area.
 *
 * A collector runs in a separate process next to the session, as the measuring
 * user, single-threaded: a fault in it harms neither the observed program nor the
 * session's data. It is switched off, with a note in the profile, when it crashes,
 * hangs, grows without bound or costs too much. This is no protection against
 * malice: a collector may do whatever its user may do.
 *
 * Rules marked [seed 000] come from the Interface Feature on which this interface
 * is based; the name of the field that carries the rule there is given.
 *
 * All names are NUL-terminated strings of at most VIGIL_NAME_MAX bytes; longer
 * ones are truncated. A name that is returned must stay valid until the entry
 * point is called again. Each distinct module, place and transaction is kept until
 * the session ends, up to 128 MB for each collector (some hundred thousand names);
 * a collector that exceeds this is switched off. So a name should state the kind
 * of work, not contain a counter or request number. Where a report's column is too
 * narrow for a name, the report prints a token, which the Token-Longname Cross
 * Reference explains.
 */
#ifndef VIGIL_COLLECTOR_H
#define VIGIL_COLLECTOR_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Identifying constant of a collector; a shared object without it is rejected. For
 * a collector that a request names (DCC), this constant, version, name, entry
 * point and pseudo-sections are checked too, but not the list of programs.
 */
#define VIGIL_COLLECTOR_IDENTIFIER "VIGIL COLLECTOR "
/* Version of this header; a collector built with a later one is not loaded. */
#define VIGIL_COLLECTOR_VERSION 3
/* Entry of the list of programs that matches every program. [seed 000, DCCLIST] */
#define VIGIL_ALWAYS "*****"
#define VIGIL_NAME_MAX 255
/* Maximum number of entries of a pseudo-section table. [seed 000, DCCPCST] */
#define VIGIL_PSEUDO_SECTIONS_MAX 25
/*
 * Size to set, with base 0, to have the module accepted although its range does
 * not contain the address; allowed only for modules of the pseudo-section table.
 * [seed 000, DCILCSIZ]
 */
#define VIGIL_FORCED_SIZE 0x7FFFFFFF
/* Size of the work area in bytes. [seed 000] */
#define VIGIL_WORK_AREA 256
/* Maximum number of places taken from one answer; further ones are dropped at the outer end. */
#define VIGIL_PLACES_MAX 64

/*
 * Entry of the pseudo-section table. Activity in all modules whose names begin
 * with prefix (three characters or more) is reported under module .SYSTEM and
 * section .NAME, where section is NAME (a leading period is added if missing). A
 * section may have several entries with different prefixes. [seed 000, DCCPCST]
 */
struct vigil_pseudo_section {
	const char *section;
	const char *prefix;
};

enum vigil_task_state {
	VIGIL_EXECUTING = 1, /* on a processor when the sample was taken */
	VIGIL_WAITING = 2,   /* blocked; its state does not change during the call */
};

enum vigil_task_flags {
	VIGIL_IN_KERNEL = 1, /* executing or waiting in the kernel on behalf of the program */
	VIGIL_HELD = 2,	     /* the task is stopped until the entry point returns */
	VIGIL_WHOLE = 4,     /* frames has the whole call stack, out to the outermost frame */
	VIGIL_ENDING = 8,    /* the session ends: only vigil_count has an effect (VIGIL_LAST) */
};

/* Register numbers are DWARF's; x86-64: rax rdx rcx rbx rsi rdi rbp rsp r8..r15, 16 = rip. */
#define VIGIL_REGISTERS 17

/* The sampled task, read-only information. [seed 000, DCILCTCB] */
struct vigil_task {
	pid_t pid, tid;
	uint32_t state;	     /* enum vigil_task_state */
	uint32_t flags;	     /* enum vigil_task_flags */
	uint64_t time;	     /* ns, CLOCK_MONOTONIC, of the sample */
	uint64_t generation; /* changes with each exec of the process; what was found in its
			      * memory before is then no longer valid */
	const char *program; /* file name of the executed program */
	/*
	 * Register values as sampled. Waiting tasks have only the instruction and the
	 * stack pointer.
	 */
	uint64_t registers[VIGIL_REGISTERS];
	uint32_t known; /* bit n: registers[n] is valid */
	/*
	 * The call stack, innermost first: frames[0] is the sampled address, each other
	 * one the address of the last byte of a call instruction (or the instruction that
	 * a signal interrupted).
	 */
	const uint64_t *frames;
	size_t frame_count;
	/* The innermost bytes of the stack as sampled; vigil_read uses them too. */
	uint64_t stack_address;
	const unsigned char *stack;
	size_t stack_size;
	/*
	 * From version 3 on: the stack pointer of each of the frames. The stack data of a
	 * frame begin there and end below the stack pointer of the next. 0: unknown.
	 */
	const uint64_t *stack_pointers;
};

/*
 * A place in the program's terms (for example a line of an interpreted program)
 * that is at an address or executes through it.
 */
struct vigil_place {
	const char *module;    /* NULL: the module of the communication area */
	const char *section;   /* NULL or "": none */
	const char *procedure; /* NULL or "": none */
	const char *file;      /* path of the source file, NULL or "": unknown */
	uint32_t line;	       /* line of the file, 0: unknown */
};

/*
 * Frames to keep on the stack between two places: the code of the outer place
 * called native functions, which in turn called the inner place.
 */
struct vigil_between {
	uint32_t place;	       /* index of the place that called them; they called the place
			        * before it */
	uint32_t level, count; /* index of the innermost of these frames, and their number */
};

struct vigil_access;

/* The communication area: input and output of the entry point. [seed 000, DCILCOMM] */
struct vigil_communication {
	/* The sampled instruction, 0 where unknown; changes are ignored. [DCILCPSW] */
	uint64_t address;
	const struct vigil_task *task; /* [DCILCTCB] */
	/*
	 * The module in control. On entry: what vigil or an earlier collector found, with
	 * the range at which the whole object is loaded. module is NULL when the module is
	 * unknown. base and size may be 0 although it is known, so test module. To name a
	 * module, set all three. The module and its places are dropped, and counted,
	 * unless base <= address < base + size (with frames[level] for address when level
	 * is set) or the size is VIGIL_FORCED_SIZE. Transaction and ID text are taken even
	 * then. [DCILCBAS, DCILCSIZ, DCILCNMA]
	 */
	uint64_t base, size;
	const char *module;
	/*
	 * The transaction in control, NULL when there is none. Once set, it applies to
	 * this task's later CPU time and waits until it is replaced, or reset by the name
	 * "". Names that begin with '.' mean overhead. Set one of those rather than none,
	 * so that the totals add up. Names that begin with ".UNKNOWN" mean that the
	 * transaction is not known: they are not counted as begun. Neither is the
	 * transaction before one when it follows again, as it may have continued.
	 * [DCILCTRA]
	 */
	const char *transaction;
	/* For the collector's use: kept between calls, NULL at the first. [DCILCOLA] */
	void *anchor;
	/*
	 * Text for the SUBSYSTEM field of the Measurement Session Data. NULL before each
	 * call. The last text set for a process is used, in addition to those of other
	 * processes and collectors. [DCILCIDA]
	 */
	const char *id;
	/*
	 * Beyond the seed, for interpreters: the places at which the module executes,
	 * innermost first, place_count of them (0: only the module is known). level is the
	 * index of the frame through which the places execute (0: the sampled
	 * instruction). The frames inside level (called libraries) stay as they are. The
	 * places replace the frames from level outwards (the interpreter). With level
	 * equal to frame_count no frame is replaced, because the stack could not be
	 * followed out to the interpreter: all its frames count as called by the places,
	 * through unknown callers, and base and size must contain the outermost frame. All
	 * are 0 before each call.
	 */
	const struct vigil_place *places;
	size_t place_count;
	uint32_t level;
	/* VIGIL_WORK_AREA bytes for the collector's use during this call; contents are not kept */
	void *work_area;
	const char *parameter;		   /* DCCPARM of the request, "" when none was given */
	const struct vigil_access *access; /* use the functions below instead */
	/*
	 * From version 3 on: frames farther out than level that stay too, between_count of
	 * them, innermost first, with place and level ascending. All other frames from
	 * level outwards are replaced. 0 before each call.
	 */
	const struct vigil_between *betweens;
	size_t between_count;
};

enum vigil_outcome {
	VIGIL_DONE = 0,	    /* the area has the answer, perhaps unchanged */
	VIGIL_NOT_MINE = 1, /* the program is not one of this collector's: the area is ignored */
	VIGIL_TORN = 2,	    /* the data read are inconsistent: counted as rejected */
};

/* An entry of the process's address-space map. */
struct vigil_mapping {
	uint64_t start, end; /* half-open: [start, end) */
	uint64_t offset;     /* offset in the file of start */
	uint32_t protection; /* PROT_READ | PROT_WRITE | PROT_EXEC */
	const char *path;    /* "" for anonymous memory, "[heap]", ...; valid during the call */
};

struct vigil_symbol {
	const char *name;     /* valid during the call */
	const char *object;   /* path of the file that has it */
	uint64_t start, size; /* address in the process, and bytes; size 0: unknown */
};

/*
 * The services that a collector can call. They report failure only by their return
 * value. Unreadable addresses, ended processes and maps that change during a call
 * are normal cases.
 */
struct vigil_access {
	uint32_t version; /* VIGIL_COLLECTOR_VERSION of vigil */
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
 * Copies size bytes of the program's memory. Returns the number of bytes that
 * could be read (from address on), 0 when none. Bytes of the captured stack are
 * those of the sample. All others are read now, while the program runs on unless
 * the task is held or waits: up to a millisecond after the sample, with
 * VIGIL_PROMPT 0.12 to 0.25 ms, and later where the processors are busy.
 */
static inline size_t vigil_read(const struct vigil_communication *area, uint64_t address,
				void *buffer, size_t size)
{
	return area->access->read(area->task, address, buffer, size);
}

/* Returns the 8 bytes at address, 0 when they cannot be read. */
static inline uint64_t vigil_pointer(const struct vigil_communication *area, uint64_t address)
{
	uint64_t value = 0;

	return vigil_read(area, address, &value, sizeof(value)) == sizeof(value) ? value : 0;
}

/*
 * Reads a NUL-terminated string, truncated to size - 1 bytes. Returns its length,
 * or -1 when it cannot be read (buffer is "" then).
 */
static inline int vigil_text(const struct vigil_communication *area, uint64_t address, char *buffer,
			     size_t size)
{
	return area->access->text(area->task, address, buffer, size);
}

/* Finds the mapping that contains address. Returns 0, or -1 when there is none. */
static inline int vigil_mapping_at(const struct vigil_communication *area, uint64_t address,
				   struct vigil_mapping *mapping)
{
	return area->access->mapping(area->task, address, mapping);
}

/*
 * Finds the first mapping of a file whose name (without folders) matches pattern
 * (fnmatch). Returns 0, or -1 when there is none.
 */
static inline int vigil_mapping_named(const struct vigil_communication *area, const char *pattern,
				      struct vigil_mapping *mapping)
{
	return area->access->mapping_named(area->task, pattern, mapping);
}

/*
 * Finds the function or variable at an address, from .symtab and .dynsym. Returns
 * 0, or -1 when there is none.
 */
static inline int vigil_symbol_at(const struct vigil_communication *area, uint64_t address,
				  struct vigil_symbol *symbol)
{
	return area->access->symbol(area->task, address, symbol);
}

/*
 * Returns the address of a symbol in the first mapped file whose name matches
 * pattern (NULL: any file), 0 when there is none. Cache the result for a
 * generation: the search is expensive.
 */
static inline uint64_t vigil_symbol_address(const struct vigil_communication *area,
					    const char *pattern, const char *name)
{
	return area->access->symbol_address(area->task, pattern, name);
}

/*
 * Returns command-line argument number of the process (0: the program as it was
 * invoked), NULL after the last. Valid during the call.
 */
static inline const char *vigil_argument(const struct vigil_communication *area, size_t number)
{
	return area->access->argument(area->task, number);
}

/*
 * Returns a variable of the environment with which the process was started, NULL:
 * not set. Valid during the call.
 */
static inline const char *vigil_variable(const struct vigil_communication *area, const char *name)
{
	return area->access->variable(area->task, name);
}

/* Adds a sentence to the notes of the profile; each distinct text once, at most eight a session. */
static inline void vigil_message(const struct vigil_communication *area, const char *text)
{
	area->access->message(area->task, text);
}

/*
 * Reports how often a transaction has begun in this session by the program's own
 * counters, which samples cannot show. exact: the counters cover the whole
 * session; otherwise count is a lower bound. Works only in the calls at the
 * session's end (VIGIL_LAST), and only for transactions that were sampled; the
 * last count of a name is used. Returns 0, or -1 when no more fit: then return
 * VIGIL_DONE and continue in the next call, which follows at once.
 */
static inline int vigil_count(const struct vigil_communication *area, const char *transaction,
			      uint64_t count, int exact)
{
	return area->access->count(area->task, transaction, count, exact);
}

enum vigil_collector_flags {
	/*
	 * Hold the task while the entry point is called: everything it reads is
	 * consistent, and registers and stack are captured again once the task is stopped.
	 * Costs the observed program some ten microseconds a sample. When the task cannot
	 * be held (it no longer executes, its sample is older than 20 ms, or the kernel
	 * forbids it), the entry point is called without VIGIL_HELD in the task's flags.
	 */
	VIGIL_HOLD = 1,
	/*
	 * Call the entry point some tenths of a millisecond after the sample, for data
	 * that would be outdated a millisecond later, such as an interpreter's stack. The
	 * kernel then wakes the session at each sample, which costs the observed program
	 * some percent at 1000 samples a second. Without this flag samples are processed
	 * each millisecond; those of a collector that asks the program nothing, several
	 * together. VIGIL_HOLD implies it. Works for collectors of the step's first
	 * program.
	 */
	VIGIL_PROMPT = 2,
	/*
	 * Call the entry point also when the session ends, with VIGIL_ENDING in the task's
	 * flags, for vigil_count: for each process that is left, or, if there is none,
	 * once for one that has ended.
	 */
	VIGIL_LAST = 4,
};

struct vigil_collector {
	char identifier[17];				    /* VIGIL_COLLECTOR_IDENTIFIER */
	char name[9];					    /* STRBxxxx */
	char generation[5];				    /* chosen by the collector, such as
							     * "G-00" */
	uint32_t version;				    /* VIGIL_COLLECTOR_VERSION */
	uint32_t flags;					    /* enum vigil_collector_flags */
	const struct vigil_pseudo_section *pseudo_sections; /* ended by { NULL, NULL }; NULL:
							     * none. [seed 000, DCCPCST] */
	/*
	 * Patterns of the programs that it handles, ended by NULL. '*' matches any text
	 * and '%' any character, case is ignored. The collector is called for a program
	 * only when one of them matches the program's name or a MAPPROGRAM name of the
	 * request. VIGIL_ALWAYS matches each program. Ignored when the request names the
	 * collector. [seed 000, DCCLIST]
	 */
	const char *const *programs;
	/*
	 * Called for each sample of each task. Must be quick, keep nothing but the anchor,
	 * and return VIGIL_NOT_MINE at once for programs it does not know.
	 */
	enum vigil_outcome (*entry)(struct vigil_communication *area);
};

/* Defines the collector of a shared object. */
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
 * Defines further names under which the collector is found, as symbolic links
 * would: the first four characters of program names, separated by blanks ("OURP
 * YOUR"). "*" is every program; the list of programs then selects.
 */
#define VIGIL_COLLECTOR_ALIASES(list) \
	static const char vigil_collector_aliases[] \
		__attribute__((section(".vigil.aliases"), used)) = list

#ifdef __cplusplus
}
#endif

#endif
