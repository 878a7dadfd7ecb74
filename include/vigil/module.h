/* SPDX-License-Identifier: Apache-2.0 */
/*
 * module.h - interface for processor modules: user-written parts that produce,
 * consume, time, filter or extract the data of a vigil engine (engine.h has the
 * engine).
 *
 * A library of modules is a shared object with one symbol, vigil_modules, which
 * VIGIL_MODULES defines and which lists one or more modules. A client may also
 * link modules into itself and register them.
 *
 * A module is a struct vigil_module with one function. The engine calls it with
 * the reason of the call (global->what), always from one thread, one module after
 * another:
 *
 * 	VIGIL_LOAD	once after loading. Nothing may be opened yet
 * 	VIGIL_PREPARE	before each operation: the private context has what
 * 			VIGIL_LOAD left there; capabilities, points and what it
 * 			comes after may be set anew for this operation
 * 	VIGIL_START	get ready
 * 	VIGIL_BASELINE	before the first snapshot; timers and monitors only
 * 	VIGIL_SNAPSHOT	producers (or extractors) add records, filters look at them
 * 	VIGIL_SNAPSHOT_END	producers that derive records from those of others add
 * 			theirs, filters look at them, consumers take the snapshot
 * 	VIGIL_COLLECTION_END	no more snapshots come, all files are closed
 * 	VIGIL_DUE	a timer says when the next snapshot is due
 * 	VIGIL_LOST	a module that this one comes after was switched off
 * 	VIGIL_TO_PRIVATE, VIGIL_TO_PUBLIC	convert a record to the other form
 * 	VIGIL_END	free what VIGIL_START and later calls made
 * 	VIGIL_UNLOAD	once before the library is unloaded
 *
 * At one point timers are called first, then producers or extractors, filters,
 * consumers, monitors. Within a group a module is called after those that it names
 * in "after". A module is called once a point, in the first group of its
 * capabilities. In an extraction producers and the engine's built-in timer are not
 * called. Filters, consumers and monitors work the same on live and on stored
 * data.
 *
 * A module that is loaded from a shared object runs in a separate process from
 * VIGIL_START to VIGIL_END, so that the operation continues when it crashes, hangs
 * or calls exit. Exceptions are supporters, modules that accept calls, and modules
 * with the option VIGIL_TOGETHER. So a module opens nothing before VIGIL_START,
 * uses no global variables (a process may have several engines), and sets
 * VIGIL_TOGETHER when it shares memory with other modules or the client.
 *
 * A module never prints and never ends the process: it uses vigil_warning,
 * vigil_error and vigil_fatal, and returns what they return.
 *
 * Rules marked [seed 003] come from the overview on which this interface is based.
 */
#ifndef VIGIL_MODULE_H
#define VIGIL_MODULE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Identifying constant of a library, and version of this header. A library built
 * with a later version is not loaded; one built with an earlier version is.
 */
#define VIGIL_MODULE_IDENTIFIER "VIGIL MODULES   "
#define VIGIL_MODULE_VERSION 1
/* Maximum length in characters of a module's name, which is upper case and unique in an engine. */
#define VIGIL_MODULE_NAME_MAX 31

/* Capabilities of a module. [seed 003, Processor Module Capabilities] */
enum vigil_capability {
	VIGIL_PRODUCER = 1,  /* adds records of exactly one type */
	VIGIL_CONSUMER = 2,  /* reads the records of others and does not change them */
	VIGIL_TIMER = 4,     /* decides when a snapshot is taken; at most one in an operation */
	VIGIL_FILTER = 8,    /* discards records of others */
	VIGIL_EXTRACTOR = 16, /* reads snapshots from elsewhere */
	VIGIL_GROUPER = 32,  /* stands for the modules in "members" */
	VIGIL_SUPPORTER = 64, /* serves other modules; not called at snapshots */
	VIGIL_MONITOR = 128, /* observes only */
};

/* Bits for the points at which a module is called. [seed 003, Processor Module Synchronization] */
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

/* Results of a call. Any other value switches the module off. */
enum vigil_status {
	VIGIL_OK = 0,
	VIGIL_NOTHING_TO_DO = 1, /* switch the module off for this operation; not an error */
	VIGIL_END_OF_DATA = 2,	 /* extractors: there was no further snapshot */
	VIGIL_REFUSED = 3,	 /* external calls: caller or request not accepted */
	VIGIL_ERROR = -1,	 /* switch the module off, with a message; the operation
				  * continues */
	VIGIL_FATAL = -2,	 /* end the operation */
};

enum vigil_operation_kind { VIGIL_COLLECTION = 1, VIGIL_EXTRACTION = 2 };

/* Options of a module. */
enum vigil_module_options {
	VIGIL_TOGETHER = 1,	/* must run in the client's process */
	VIGIL_ACCEPTS_CALLS = 2, /* has "external", which other modules may call */
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

/* Type of a member of a record. */
enum vigil_field_type {
	VIGIL_UNSIGNED = 0, /* uint64_t */
	VIGIL_SIGNED = 1,   /* int64_t */
	VIGIL_TEXT = 2,	    /* uint64_t: a number returned by services->text_put */
	VIGIL_U8 = 3,
	VIGIL_U16 = 4,
	VIGIL_U32 = 5,
	VIGIL_I8 = 6,
	VIGIL_I16 = 7,
	VIGIL_I32 = 8,
	VIGIL_DOUBLE = 9,
};

/* Meaning of a field's values, and so which arithmetic they allow. */
enum vigil_field_sense {
	VIGIL_IDENTITY = 0, /* an id, a name, a code */
	VIGIL_LEVEL = 1,    /* the state at the time of the record */
	VIGIL_COUNTER = 2,  /* cumulative: differences are amounts */
	VIGIL_AMOUNT = 3,   /* amount in the record's interval */
};

/*
 * Flag: a value may be missing, which is not 0 but the largest number of an
 * unsigned type, the smallest of a signed one, or a NaN.
 */
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
	const char *name; /* lower case, unique; stored in files */
	const char *meaning;
	uint32_t size;	     /* bytes of a record with its prefix, a multiple of 8 */
	uint32_t field_size; /* sizeof(struct vigil_field) */
	uint32_t field_count;
	uint32_t reserved; /* 0 */
	const struct vigil_field *fields;
};

/* The state of a record, in its prefix. */
enum vigil_record_flags {
	VIGIL_RECORD_PRIVATE = 1, /* in private form */
	VIGIL_RECORD_FIRST = 2,	  /* its object did not exist in the previous snapshot */
	VIGIL_RECORD_GONE = 4,	  /* its object no longer exists */
	VIGIL_RECORD_OLD = 8,	  /* the values are from an earlier time */
	VIGIL_RECORD_PARTIAL = 16, /* some values are not available */
	VIGIL_RECORD_YOURS = 0xff00, /* these bits are for the module's use */
};

/* The beginning of every record. [seed 003, Data records] */
struct vigil_prefix {
	uint32_t size;	/* of the record: that of its type */
	uint16_t id;	/* the record id of its producer */
	uint16_t flags; /* enum vigil_record_flags */
	uint64_t time;	/* ns since 1970 UTC; 0: the engine sets the snapshot's time */
};

/* The records of one type in one snapshot. */
struct vigil_set {
	uint32_t size; /* of this struct */
	uint32_t id;   /* of the type */
	const struct vigil_record_type *type;
	/*
	 * Valid until records are added to or discarded from the set; the pointers of a
	 * clone, until the snapshot is freed. Only the pointers of a clone may be
	 * reordered.
	 */
	uint64_t count;
	const struct vigil_prefix **records;
};

#define VIGIL_LAST_SNAPSHOT 1U

struct vigil_snapshot {
	uint32_t size;	/* of this struct */
	uint32_t flags; /* VIGIL_LAST_SNAPSHOT: none follows */
	uint64_t sequence; /* from 1 */
	uint64_t time;	/* ns, CLOCK_MONOTONIC of the machine that collected it */
	uint64_t wall;	/* ns since 1970 UTC */
	uint64_t set_count;
	const struct vigil_set *const *sets; /* the types that have records */
};

struct vigil_services;

/* Description of a module, for other modules. */
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
 * The global context: the operation. Each call gets a private copy. Changes by the
 * module to the first part are undone, with a warning.
 */
struct vigil_global {
	uint32_t size;	    /* of this struct */
	uint32_t version;   /* VIGIL_MODULE_VERSION of the engine */
	uint32_t what;	    /* enum vigil_what */
	uint32_t operation; /* enum vigil_operation_kind; 0 at VIGIL_LOAD and VIGIL_UNLOAD */
	const struct vigil_services *services;
	const void *engine; /* for the engine's use */
	const struct vigil_snapshot *current;  /* NULL where there is none */
	const struct vigil_snapshot *previous; /* the last one that consumers processed; NULL at
					        * first */
	const char *file;      /* path of the file that is written or read, NULL: none */
	uint64_t taken;	       /* snapshots taken so far */
	uint64_t begun;	       /* start of the operation, ns CLOCK_MONOTONIC */
	uint64_t last;	       /* VIGIL_DUE: time of the last snapshot */
	uint64_t now;	       /* VIGIL_DUE: ns CLOCK_MONOTONIC */
	/* Timers and monitors may change these. */
	uint64_t interval;     /* ns between snapshots */
	uint64_t count;	       /* snapshots after which the collection ends, 0: no limit */
	uint64_t start_time;   /* time of the first snapshot, ns since 1970 UTC; 0: at once */
	uint64_t end_time;     /* no snapshot is taken after it; 0: no limit */
	/* Every module may change these. */
	uint32_t trace_level; /* trace messages up to this level are passed on; 0: none */
	uint32_t reserved;
	const void *data; /* the public data buffer: input (a public record) of VIGIL_TO_PRIVATE,
			   * output of VIGIL_TO_PUBLIC */
	uint64_t data_size;
};

/*
 * The private context of a module, shared by it and the engine. The module may
 * change the second part at VIGIL_LOAD and VIGIL_PREPARE, and the third at any
 * time. Changes by the module to the first part are undone, with a warning.
 */
struct vigil_private {
	uint32_t size;	    /* of this struct */
	uint32_t record_id; /* for the prefix of its records; set after VIGIL_LOAD */
	uint32_t missing;   /* bit n: the privilege uses[n] is missing */
	uint32_t disabled;
	const struct vigil_description *lost; /* VIGIL_LOST: the module that was switched off */
	const char *name;

	uint32_t capabilities; /* enum vigil_capability */
	uint32_t sync_points;  /* enum vigil_sync_point */
	uint32_t options;      /* enum vigil_module_options */
	uint32_t reserved;
	/* Names, ended by NULL; or NULL. A name that begins with '?' is optional. */
	const char *const *after;   /* modules on which this one depends */
	const char *const *members; /* of a grouper */
	/*
	 * Privileges, ended by NULL; or NULL: names of capabilities(7) ("CAP_SYS_PTRACE"),
	 * "root", or the path of a file that must be readable.
	 */
	const char *const *needs; /* required: if one is missing, the module is not started */
	const char *const *uses;  /* optional: it delivers less without them, see missing */
	/*
	 * For producers: the type of the records, and with VIGIL_PRIVATE_FORM their type
	 * in files.
	 */
	const struct vigil_record_type *type;
	const struct vigil_record_type *private_type;

	void *own;	/* for the module's use */
	void *shared;	/* returned to other modules by services->shared */
	uint64_t due;	/* VIGIL_DUE: next snapshot, ns CLOCK_MONOTONIC; VIGIL_NEVER: no more */
	const void *data; /* the private data buffer: input (a private record) of
			   * VIGIL_TO_PUBLIC, output of VIGIL_TO_PRIVATE, valid until the next
			   * call */
	uint64_t data_size;
	int32_t status; /* enum vigil_status, set by the message functions */
	uint32_t yours;
	const char *parameter; /* the user's parameter for it, "": none; owned by the engine */
};

#define VIGIL_NEVER UINT64_MAX

/*
 * Services of the engine for modules; use the functions below. Later versions add
 * members at the end.
 */
struct vigil_services {
	uint32_t size; /* of this struct */
	uint32_t version;
	/*
	 * Adds a copy of a record to the current snapshot: a producer may add records of
	 * its type, an extractor of any type. Returns VIGIL_OK, or VIGIL_ERROR with a
	 * message where the prefix is invalid or the call has no snapshot.
	 */
	int (*add)(struct vigil_global *global, struct vigil_private *mine, const void *record);
	/*
	 * For filters: discards record number "number" of a set of the current snapshot,
	 * when the call returns.
	 */
	int (*discard)(struct vigil_global *global, struct vigil_private *mine,
		       const struct vigil_set *set, uint64_t number);
	/*
	 * Return the number of a text for a VIGIL_TEXT member, and the text of a number
	 * ("": unknown; valid during the operation).
	 */
	uint64_t (*text_put)(struct vigil_global *global, const char *text);
	const char *(*text)(struct vigil_global *global, uint64_t number);
	/* Keeps a snapshot unchanged until it is released, without copying. */
	const struct vigil_snapshot *(*reserve)(struct vigil_global *global,
						const struct vigil_snapshot *snapshot);
	void (*release)(struct vigil_global *global, const struct vigil_snapshot *snapshot);
	/*
	 * Copies a snapshot and its records; free it with copy_free. The copy outlives the
	 * operation, but has no texts.
	 */
	struct vigil_snapshot *(*copy)(struct vigil_global *global,
				       const struct vigil_snapshot *snapshot);
	void (*copy_free)(struct vigil_global *global, struct vigil_snapshot *copy);
	/*
	 * Returns another header for the same records, whose pointers may be reordered;
	 * free it before the snapshot is freed.
	 */
	struct vigil_set *(*clone)(struct vigil_global *global, const struct vigil_set *set);
	void (*clone_free)(struct vigil_global *global, struct vigil_set *clone);
	/* Returns "shared" of the module with this name; NULL: not set, or no such module. */
	void *(*shared)(struct vigil_global *global, const char *name);
	/*
	 * Calls the module with this name. Returns its result, or VIGIL_REFUSED if it does
	 * not accept calls, takes no part, or is active.
	 */
	int (*call)(struct vigil_global *global, struct vigil_private *mine, const char *name,
		    const void *input, void *output);
	/*
	 * Describes a module that takes part, by number from 0. Returns 0, or -1 when
	 * there is none.
	 */
	int (*describe)(struct vigil_global *global, uint32_t number,
			struct vigil_description *description);
	/* Ends the operation after the next snapshot. */
	void (*halt)(struct vigil_global *global);
	/* Passes on a message; level is used only for VIGIL_MESSAGE_TRACE. */
	void (*message)(struct vigil_global *global, struct vigil_private *mine, uint32_t severity,
			uint32_t level, const char *format, ...)
#ifdef __GNUC__
		__attribute__((format(printf, 5, 6)))
#endif
		;
	/*
	 * For extractors: sets the time of the current snapshot, and declares a type that
	 * it delivers (its record id, or -1).
	 */
	int (*set_time)(struct vigil_global *global, struct vigil_private *mine, uint64_t time,
			uint64_t wall);
	int (*add_type)(struct vigil_global *global, struct vigil_private *mine,
			const struct vigil_record_type *type);
};

/* Send a message. The value is what the module returns; that of vigil_trace lets it continue. */
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

/* Fills in the prefix of a record and adds it. */
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

/* Returns the set of a type in a snapshot, by the type's name; NULL: it has no such records. */
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
	/*
	 * The function of the module. set: the module's records in the current snapshot;
	 * NULL where there are none yet.
	 */
	int (*call)(struct vigil_global *global, struct vigil_private *mine,
		    const struct vigil_set *set);
	/*
	 * With VIGIL_ACCEPTS_CALLS: called by another module, otherwise NULL. caller names
	 * that module, so that calls may be refused (VIGIL_REFUSED); the two modules
	 * define input and output.
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

/* Defines the list of a library: VIGIL_MODULES(&one, &other); */
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
