/* SPDX-License-Identifier: Apache-2.0 */
/*
 * module.h - processor modules: parts of your own that bring, take, time,
 * filter or read the data of a vigil engine (engine.h has the engine).
 *
 * A library of modules is a shared object with one symbol, vigil_modules,
 * which VIGIL_MODULES defines and which lists one module or several. A client
 * may also link modules into itself and hand them over.
 *
 * A module is a struct vigil_module with one function. The engine calls it
 * with what is to be done (global->what), always from one thread, one module
 * after another:
 *
 *	VIGIL_LOAD	once after loading. Nothing may be opened yet
 *	VIGIL_PREPARE	before each operation: the private context has what
 *			VIGIL_LOAD left there; capabilities, points and what it
 *			comes after may be set anew for this operation
 *	VIGIL_START	get ready
 *	VIGIL_BASELINE	before the first snapshot; timers and monitors only
 *	VIGIL_SNAPSHOT	producers (or extractors) add records, filters look at them
 *	VIGIL_SNAPSHOT_END	producers that derive records from those of others add
 *			theirs, filters look at them, consumers take the snapshot
 *	VIGIL_COLLECTION_END	no more snapshots come, all files are closed
 *	VIGIL_DUE	a timer says when the next snapshot is due
 *	VIGIL_LOST	a module that this one comes after was switched off
 *	VIGIL_TO_PRIVATE, VIGIL_TO_PUBLIC	the other form of a record
 *	VIGIL_END	free what VIGIL_START and later calls made
 *	VIGIL_UNLOAD	once before the library goes
 *
 * At one point timers are called first, then producers or extractors,
 * filters, consumers, monitors; among them a module after those that it names
 * in "after". It is called once a point, in the first group of its
 * capabilities. In an extraction producers rest, and so does the engine's own
 * timer. Filters, consumers and monitors work the same on live and on stored
 * data.
 *
 * A module that is loaded from a shared object has a process of its own, from
 * VIGIL_START to VIGIL_END, so that the operation goes on when it crashes, does
 * not come back or calls exit; supporters, modules that accept calls, and those
 * that say VIGIL_TOGETHER, have none. So it opens nothing before VIGIL_START,
 * uses no global variables (an engine may be there several times), and says
 * VIGIL_TOGETHER when it shares memory with other modules or the client.
 *
 * It prints nothing and never ends the process: it uses vigil_warning,
 * vigil_error and vigil_fatal, and returns what they return.
 *
 * Rules marked [seed 003] are those of the overview this was taken from.
 */
#ifndef VIGIL_MODULE_H
#define VIGIL_MODULE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The identifying constant of a library, and the version of this header. A library made with a
   later version is not loaded; one made with an earlier one is. */
#define VIGIL_MODULE_IDENTIFIER "VIGIL MODULES   "
#define VIGIL_MODULE_VERSION 1
/* Characters of a module's name, which is upper case and unique in an engine. */
#define VIGIL_MODULE_NAME_MAX 31

/* What a module can do. [seed 003, Processor Module Capabilities] */
enum vigil_capability {
	VIGIL_PRODUCER = 1,  /* adds records of exactly one type */
	VIGIL_CONSUMER = 2,  /* uses the records of others and leaves them as they are */
	VIGIL_TIMER = 4,     /* says when a snapshot is taken; an operation has one at most */
	VIGIL_FILTER = 8,    /* discards records of others */
	VIGIL_EXTRACTOR = 16, /* reads snapshots from elsewhere */
	VIGIL_GROUPER = 32,  /* stands for the modules in "members" */
	VIGIL_SUPPORTER = 64, /* is there for others; not called at snapshots */
	VIGIL_MONITOR = 128, /* looks on */
};

/* Where a module is called, or-ed. [seed 003, Processor Module Synchronization] */
enum vigil_sync_point {
	VIGIL_AT_BASELINE = 1,
	VIGIL_AT_SNAPSHOT = 2,
	VIGIL_AT_SNAPSHOT_END = 4,
	VIGIL_AT_COLLECTION_END = 8,
};

enum vigil_what {
	VIGIL_LOAD = 1,
	VIGIL_PREPARE = 2,
	VIGIL_START = 3,
	VIGIL_BASELINE = 4,
	VIGIL_SNAPSHOT = 5,
	VIGIL_SNAPSHOT_END = 6,
	VIGIL_COLLECTION_END = 7,
	VIGIL_DUE = 8,
	VIGIL_LOST = 9,
	VIGIL_TO_PRIVATE = 10,
	VIGIL_TO_PUBLIC = 11,
	VIGIL_END = 12,
	VIGIL_UNLOAD = 13,
};

/* What a call returns. Anything else switches the module off. */
enum vigil_status {
	VIGIL_OK = 0,
	VIGIL_NOTHING_TO_DO = 1, /* switch me off for this operation; no error */
	VIGIL_END_OF_DATA = 2,	 /* extractors: there was no further snapshot */
	VIGIL_REFUSED = 3,	 /* external calls: not for this caller, or not this */
	VIGIL_ERROR = -1,	 /* switch me off, with a message; the operation goes on */
	VIGIL_FATAL = -2,	 /* end the operation */
};

enum vigil_operation_kind { VIGIL_COLLECTION = 1, VIGIL_EXTRACTION = 2 };

/* Options of a module. */
enum vigil_module_options {
	VIGIL_TOGETHER = 1,	/* needs the memory of the client's process */
	VIGIL_ACCEPTS_CALLS = 2, /* has "external" and wants to be called by other modules */
	VIGIL_PRIVATE_FORM = 4, /* records are stored in the form of private_type */
};

/* Severities of messages; levels of trace messages are up to the module, 1 is the coarsest. */
enum vigil_message_severity {
	VIGIL_MESSAGE_TRACE = 0,
	VIGIL_MESSAGE_INFO = 1,
	VIGIL_MESSAGE_WARNING = 2,
	VIGIL_MESSAGE_ERROR = 3,
	VIGIL_MESSAGE_FATAL = 4,
};

/* The member of a record. */
enum vigil_field_type {
	VIGIL_UNSIGNED = 0, /* uint64_t */
	VIGIL_SIGNED = 1,   /* int64_t */
	VIGIL_TEXT = 2,	    /* uint64_t: what global->services->text_put returned */
	VIGIL_U8 = 3,
	VIGIL_U16 = 4,
	VIGIL_U32 = 5,
	VIGIL_I8 = 6,
	VIGIL_I16 = 7,
	VIGIL_I32 = 8,
	VIGIL_DOUBLE = 9,
};

/* What values of a field say, and so what may be done with them. */
enum vigil_field_sense {
	VIGIL_IDENTITY = 0, /* an id, a name, a code */
	VIGIL_LEVEL = 1,    /* the state at the time of the record */
	VIGIL_COUNTER = 2,  /* grows from a start: differences are amounts */
	VIGIL_AMOUNT = 3,   /* what the record's own interval brought */
};

/* A value may be missing, which is not 0: it is the largest number of an unsigned type, the smallest
   of a signed one, or a NaN. */
#define VIGIL_FIELD_OPTIONAL 1U

struct vigil_field {
	const char *name; /* lower case, words joined by '_' */
	uint32_t type;	  /* enum vigil_field_type */
	uint32_t sense;	  /* enum vigil_field_sense */
	uint32_t flags;	  /* VIGIL_FIELD_OPTIONAL */
	uint32_t offset;  /* in the record, which begins with struct vigil_prefix */
	const char *unit; /* "ns", "bytes", "count", "id", ... */
	const char *meaning;
};

struct vigil_record_type {
	const char *name; /* lower case, unique; stays in files */
	const char *meaning;
	uint32_t size;	     /* of a record with its prefix, a multiple of 8 */
	uint32_t field_size; /* sizeof(struct vigil_field) */
	uint32_t field_count;
	uint32_t reserved; /* 0 */
	const struct vigil_field *fields;
};

/* The state of a record, in its prefix. */
enum vigil_record_flags {
	VIGIL_RECORD_PRIVATE = 1, /* in private form */
	VIGIL_RECORD_FIRST = 2,	  /* what it describes was not there in the snapshot before */
	VIGIL_RECORD_GONE = 4,	  /* what it describes is there no more */
	VIGIL_RECORD_OLD = 8,	  /* the values are of an earlier time */
	VIGIL_RECORD_PARTIAL = 16, /* some values could not be had */
	VIGIL_RECORD_YOURS = 0xff00, /* these bits are the module's own */
};

/* What every record begins with. [seed 003, Data records] */
struct vigil_prefix {
	uint32_t size;	/* of the record: that of its type */
	uint16_t id;	/* the record id of its producer */
	uint16_t flags; /* enum vigil_record_flags */
	uint64_t time;	/* ns since 1970 UTC; 0: the engine puts the snapshot's in */
};

/* The records of one type in one snapshot. */
struct vigil_set {
	uint32_t size; /* of this struct */
	uint32_t id;   /* of the type */
	const struct vigil_record_type *type;
	/* Valid until records are added to or discarded from the set, the pointers of a clone until the
	   snapshot is gone. Only those of a clone may be put into another order. */
	uint64_t count;
	const struct vigil_prefix **records;
};

#define VIGIL_LAST_SNAPSHOT 1U

struct vigil_snapshot {
	uint32_t size;	/* of this struct */
	uint32_t flags; /* VIGIL_LAST_SNAPSHOT: none follows */
	uint64_t sequence; /* from 1 */
	uint64_t time;	/* ns, CLOCK_MONOTONIC of the machine that collected */
	uint64_t wall;	/* ns since 1970 UTC */
	uint64_t set_count;
	const struct vigil_set *const *sets; /* of the types that have records */
};

struct vigil_services;

/* What a module is told of another. */
struct vigil_description {
	uint32_t size; /* of this struct */
	uint32_t record_id;
	const char *name;
	const char *summary;
	const char *library;   /* its path, "" when it is linked into the client or comes with vigil */
	uint32_t capabilities; /* in this operation */
	uint32_t disabled;
	const char *reason; /* why it is disabled, or "" */
};

/*
 * The global context: the operation. Each call has a copy of its own. What a
 * module writes into the first part is put back, with a warning.
 */
struct vigil_global {
	uint32_t size;	    /* of this struct */
	uint32_t version;   /* VIGIL_MODULE_VERSION of the engine */
	uint32_t what;	    /* enum vigil_what */
	uint32_t operation; /* enum vigil_operation_kind; 0 at VIGIL_LOAD and VIGIL_UNLOAD */
	const struct vigil_services *services;
	const void *engine; /* the engine's own */
	const struct vigil_snapshot *current;  /* NULL where there is none */
	const struct vigil_snapshot *previous; /* what consumers processed last; NULL at first */
	const char *file;      /* that is written or read, NULL: none */
	uint64_t taken;	       /* snapshots so far */
	uint64_t begun;	       /* when the operation began, ns CLOCK_MONOTONIC */
	uint64_t last;	       /* VIGIL_DUE: when the last snapshot was taken */
	uint64_t now;	       /* VIGIL_DUE: ns CLOCK_MONOTONIC */
	/* Timers and monitors may write these. */
	uint64_t interval;     /* ns between snapshots */
	uint64_t count;	       /* snapshots after which the collection ends, 0: none */
	uint64_t start_time;   /* none is taken before, ns since 1970 UTC; 0: at once */
	uint64_t end_time;     /* none is taken after it; 0: none */
	/* Every module may write these. */
	uint32_t trace_level; /* trace messages up to this level are passed on; 0: none */
	uint32_t reserved;
	const void *data; /* the public data buffer: VIGIL_TO_PRIVATE is given a public record here,
			     VIGIL_TO_PUBLIC leaves one */
	uint64_t data_size;
};

/*
 * The private context of a module: between it and the engine. The module
 * writes the second part at VIGIL_LOAD and VIGIL_PREPARE, and the third at any
 * time; what it writes into the first is put back, with a warning.
 */
struct vigil_private {
	uint32_t size;	    /* of this struct */
	uint32_t record_id; /* for the prefix of its records; after VIGIL_LOAD */
	uint32_t missing;   /* bit n: the privilege uses[n] is not there */
	uint32_t disabled;
	const struct vigil_description *lost; /* VIGIL_LOST: who */
	const char *name;

	uint32_t capabilities; /* enum vigil_capability */
	uint32_t sync_points;  /* enum vigil_sync_point */
	uint32_t options;      /* enum vigil_module_options */
	uint32_t reserved;
	/* Names, ended by NULL; or NULL. One that begins with '?' need not be there. */
	const char *const *after;   /* modules on which this one depends */
	const char *const *members; /* of a grouper */
	/* Privileges, ended by NULL; or NULL: names of capabilities(7) ("CAP_SYS_PTRACE"), "root", or
	   the path of a file that must be readable. */
	const char *const *needs; /* without one of these the module is not started */
	const char *const *uses;  /* it does with less without these: see missing */
	/* Of a producer: its records, and with VIGIL_PRIVATE_FORM how they are stored. */
	const struct vigil_record_type *type;
	const struct vigil_record_type *private_type;

	void *own;	/* the module's own */
	void *shared;	/* what other modules get from services->shared */
	uint64_t due;	/* VIGIL_DUE: ns CLOCK_MONOTONIC, or VIGIL_NEVER: no more snapshots */
	const void *data; /* the private data buffer: VIGIL_TO_PUBLIC is given a private record here,
			     VIGIL_TO_PRIVATE leaves one, valid until the next call */
	uint64_t data_size;
	int32_t status; /* enum vigil_status that the message functions have set */
	uint32_t yours;
	const char *parameter; /* what the user has for it, "" when there is nothing; the engine's */
};

#define VIGIL_NEVER UINT64_MAX

/* What modules ask of the engine; use the functions below. Later versions have more at the end. */
struct vigil_services {
	uint32_t size; /* of this struct */
	uint32_t version;
	/*
	 * Add a copy of a record to the current snapshot: a producer its own, an
	 * extractor those of any type. VIGIL_OK, or VIGIL_ERROR with a message
	 * where its prefix is wrong or the call has no snapshot.
	 */
	int (*add)(struct vigil_global *global, struct vigil_private *mine, const void *record);
	/* A filter: let record number "number" of a set of the current snapshot go, when the call
	   returns. */
	int (*discard)(struct vigil_global *global, struct vigil_private *mine,
		       const struct vigil_set *set, uint64_t number);
	/* The number of a text for a VIGIL_TEXT member, and the text of a number ("": unknown; valid
	   during the operation). */
	uint64_t (*text_put)(struct vigil_global *global, const char *text);
	const char *(*text)(struct vigil_global *global, uint64_t number);
	/* Keep a snapshot as it is until it is released. It costs no copy. */
	const struct vigil_snapshot *(*reserve)(struct vigil_global *global,
						const struct vigil_snapshot *snapshot);
	void (*release)(struct vigil_global *global, const struct vigil_snapshot *snapshot);
	/* A copy with records of its own, for copy_free; it outlives the operation, without texts. */
	struct vigil_snapshot *(*copy)(struct vigil_global *global,
				       const struct vigil_snapshot *snapshot);
	void (*copy_free)(struct vigil_global *global, struct vigil_snapshot *copy);
	/* Another header for the same records, whose pointers may be put into another order; free it
	   before the snapshot goes. */
	struct vigil_set *(*clone)(struct vigil_global *global, const struct vigil_set *set);
	void (*clone_free)(struct vigil_global *global, struct vigil_set *clone);
	/* What a module of the name left in its "shared"; NULL: nothing, or no such module. */
	void *(*shared)(struct vigil_global *global, const char *name);
	/* Call the module of a name: what it returns, or VIGIL_REFUSED where it does not accept calls,
	   takes no part, or is active. */
	int (*call)(struct vigil_global *global, struct vigil_private *mine, const char *name,
		    const void *input, void *output);
	/* 0 and the description of a module that takes part, by number from 0; -1: there is none. */
	int (*describe)(struct vigil_global *global, uint32_t number,
			struct vigil_description *description);
	/* Let the operation end with the snapshot after this one. */
	void (*halt)(struct vigil_global *global);
	/* Pass a message on; level counts for VIGIL_MESSAGE_TRACE. */
	void (*message)(struct vigil_global *global, struct vigil_private *mine, uint32_t severity,
			uint32_t level, const char *format, ...)
#ifdef __GNUC__
		__attribute__((format(printf, 5, 6)))
#endif
		;
	/* An extractor: what time the current snapshot is of, and a type that it brings (its record
	   id, or -1). */
	int (*set_time)(struct vigil_global *global, struct vigil_private *mine, uint64_t time,
			uint64_t wall);
	int (*add_type)(struct vigil_global *global, struct vigil_private *mine,
			const struct vigil_record_type *type);
};

/* A message, and what is to be returned: the first lets the module go on. */
#define vigil_trace(global, mine, level, ...) \
	((global)->services->message((global), (mine), VIGIL_MESSAGE_TRACE, (level), __VA_ARGS__))
#define vigil_info(global, mine, ...) \
	((global)->services->message((global), (mine), VIGIL_MESSAGE_INFO, 0, __VA_ARGS__))
#define vigil_warning(global, mine, ...) \
	((global)->services->message((global), (mine), VIGIL_MESSAGE_WARNING, 0, __VA_ARGS__))
#define vigil_error(global, mine, ...) \
	((global)->services->message((global), (mine), VIGIL_MESSAGE_ERROR, 0, __VA_ARGS__), \
	 VIGIL_ERROR)
#define vigil_fatal(global, mine, ...) \
	((global)->services->message((global), (mine), VIGIL_MESSAGE_FATAL, 0, __VA_ARGS__), \
	 VIGIL_FATAL)

/* Fill in the prefix of a record and add it. */
static inline int vigil_add(struct vigil_global *global, struct vigil_private *mine, void *record,
			    uint32_t flags)
{
	struct vigil_prefix *prefix = (struct vigil_prefix *)record;

	prefix->size = mine->type->size;
	prefix->id = (uint16_t)mine->record_id;
	prefix->flags = (uint16_t)flags;
	prefix->time = 0;
	return global->services->add(global, mine, record);
}

/* The set of a type in a snapshot, by the type's name; NULL: it has no such records. */
static inline const struct vigil_set *vigil_set_of(const struct vigil_snapshot *snapshot,
						   const char *type)
{
	uint64_t i;

	for (i = 0; snapshot && i < snapshot->set_count; i++) {
		const char *a = snapshot->sets[i]->type->name, *b = type;

		while (*a && *a == *b) {
			a++;
			b++;
		}
		if (*a == *b)
			return snapshot->sets[i];
	}
	return (const struct vigil_set *)0;
}

struct vigil_module {
	uint32_t size;	  /* of this struct */
	uint32_t version; /* VIGIL_MODULE_VERSION */
	const char *name;
	const char *summary; /* one line */
	/* set: the module's own records in the current snapshot; NULL where there are none yet. */
	int (*call)(struct vigil_global *global, struct vigil_private *mine,
		    const struct vigil_set *set);
	/*
	 * With VIGIL_ACCEPTS_CALLS: another module calls. caller says who, so that
	 * calls may be refused (VIGIL_REFUSED); input and output are a matter of
	 * the two. Otherwise NULL.
	 */
	int (*external)(struct vigil_global *global, struct vigil_private *mine,
			const struct vigil_set *set, const struct vigil_description *caller,
			const void *input, void *output);
};

struct vigil_module_list {
	char identifier[17]; /* VIGIL_MODULE_IDENTIFIER */
	uint32_t version;    /* VIGIL_MODULE_VERSION */
	uint32_t size;	     /* of this struct */
	const struct vigil_module *const *modules; /* ended by NULL */
};

#ifdef __cplusplus
#define VIGIL_EXTERN_C extern "C"
#else
#define VIGIL_EXTERN_C extern
#endif

/* The list of a library: VIGIL_MODULES(&one, &other); */
#define VIGIL_MODULES(...) \
	static const struct vigil_module *const vigil_modules_listed[] = { __VA_ARGS__, 0 }; \
	VIGIL_EXTERN_C __attribute__(( \
		visibility("default"))) const struct vigil_module_list vigil_modules; \
	const struct vigil_module_list vigil_modules = { VIGIL_MODULE_IDENTIFIER, \
							 VIGIL_MODULE_VERSION, \
							 sizeof(struct vigil_module_list), \
							 vigil_modules_listed }

#ifdef __cplusplus
}
#endif

#endif
