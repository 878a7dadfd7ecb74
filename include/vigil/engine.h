/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine.h - interface for client programs of vigil's engine, which collect data
 * with processor modules (module.h) or read them back.
 *
 * 	vigil_engine_init
 * 	vigil_engine_register, _register_linked, _choose	as often as needed
 * 	vigil_engine_prepare				for an operation
 * 	vigil_engine_start				runs it to its end; or
 * 	vigil_engine_collect_snapshot, _read_snapshot	one snapshot at a time
 * 	vigil_engine_end				of the operation
 * 	vigil_engine_finish
 *
 * After vigil_engine_end another operation can be prepared. A process may have
 * several engines; they share nothing. One engine is used by one thread at a time.
 *
 * Functions that return int return 0 on success unless stated otherwise, or -1;
 * vigil_engine_problem then returns a sentence. The engine never prints: messages
 * go to the client's message function.
 */
#ifndef VIGIL_ENGINE_H
#define VIGIL_ENGINE_H

#include "vigil/module.h"

#ifdef __cplusplus
extern "C" {
#endif

struct vigil_engine;

struct vigil_engine_message {
	uint32_t size;	   /* of this struct */
	uint32_t severity; /* enum vigil_message_severity */
	uint32_t level;	   /* of a trace message, 1: coarsest */
	uint32_t reserved;
	const char *module; /* name of the module that sent it, "" for the engine */
	const char *text;
};

struct vigil_options {
	uint32_t size; /* sizeof(struct vigil_options) */
	uint32_t trace_level;
	void (*message)(void *argument, const struct vigil_engine_message *message); /* receives
										      * all
										      * messages;
										      * or NULL */
	void *argument;
	/* Folders to search first for libraries, separated by colons; or NULL. */
	const char *folders;
	uint64_t patience; /* timeout in ns of a call of a module in a separate process; 0: 10 s */
};

/*
 * Creates an engine. options may be NULL. Returns NULL when the size of options is
 * of another version.
 */
struct vigil_engine *vigil_engine_init(const struct vigil_options *options);
/* Frees an engine; ends its operation first. engine may be NULL. */
void vigil_engine_finish(struct vigil_engine *engine);
/* Returns the last error as a sentence, "" when there was none. Valid until the next call. */
const char *vigil_engine_problem(const struct vigil_engine *engine);

/*
 * Flag of the register functions: the modules are only made available, for
 * groupers and vigil_engine_choose; without it all of them take part.
 */
#define VIGIL_OFFER 1U

/*
 * Loads a library of modules. library is a path, or a name: then NAME.so is
 * searched in the folders of the options, of VIGIL_MODULES (separated by colons),
 * in $XDG_DATA_HOME/vigil/modules (~/.local/share/vigil/modules), in
 * /usr/local/lib/vigil/modules and in vigil's module folder. Only root and the
 * user may have write access to the file and the folders above it. An invalid
 * module gets a message and is skipped. Returns the number of modules accepted, or
 * -1.
 */
int vigil_engine_register(struct vigil_engine *engine, const char *library, uint32_t flags);
/* Does the same, with a text for its modules (parameter in the private context); NULL: none. */
int vigil_engine_register_with(struct vigil_engine *engine, const char *library,
			       const char *parameter, uint32_t flags);
/* Registers a module that is linked into the client. */
int vigil_engine_register_linked(struct vigil_engine *engine, const struct vigil_module *module,
				 uint32_t flags);
/*
 * Sets whether a module takes part in the following operations. "DATASET" is the
 * module that writes the file.
 */
int vigil_engine_choose(struct vigil_engine *engine, const char *name, int takes_part);

struct vigil_operation {
	uint32_t size;	    /* sizeof(struct vigil_operation) */
	uint32_t operation; /* enum vigil_operation_kind */
	/* Path of the sample data set to write or read; NULL: none. */
	const char *file;
	uint64_t interval; /* ns between snapshots, 0: one second */
	uint64_t count;	   /* number of snapshots, 0: until end_time, or until a timer or a
			    * module ends it */
	uint64_t start_time, end_time; /* ns since 1970 UTC, or 0 */
};

/*
 * Prepares an operation: loads the modules, lets each declare what it does in it,
 * and checks privileges and dependencies. A module that cannot take part is
 * switched off with a message, and the modules that depend on it are notified.
 */
int vigil_engine_prepare(struct vigil_engine *engine, const struct vigil_operation *operation);
/* Runs the operation to its end. */
int vigil_engine_start(struct vigil_engine *engine);
/*
 * Waits until the timer's next snapshot is due (wait 0: does not wait) and takes
 * it. snapshot may be NULL; *snapshot is valid until the next one is taken.
 * Returns 1, and takes none, when the timer wants no more.
 */
int vigil_engine_collect_snapshot(struct vigil_engine *engine, int wait,
				  const struct vigil_snapshot **snapshot);
/*
 * Reads one snapshot. Returns 1 when there are no more; the snapshot then has the
 * records added at the end.
 */
int vigil_engine_read_snapshot(struct vigil_engine *engine, const struct vigil_snapshot **snapshot);
/* Ends the operation that was prepared or started. */
int vigil_engine_end(struct vigil_engine *engine);
/* Requests the early end of a running operation; may be called from a message function. */
void vigil_engine_halt(struct vigil_engine *engine);

enum vigil_engine_state {
	VIGIL_ENGINE_IDLE = 0,
	VIGIL_ENGINE_PREPARED = 1,
	VIGIL_ENGINE_STARTED = 2,
};

struct vigil_engine_information {
	uint32_t size;	    /* set it to sizeof(struct vigil_engine_information) */
	uint32_t version;   /* VIGIL_MODULE_VERSION of the library */
	uint32_t state;	    /* enum vigil_engine_state */
	uint32_t operation; /* enum vigil_operation_kind, 0: none yet */
	uint32_t modules;   /* number of registered modules */
	uint32_t reserved;
	uint64_t snapshots;				 /* of the operation */
	uint64_t file_size;				 /* bytes of the file that is written, 0:
							  * none */
	const struct vigil_snapshot *current, *previous; /* or NULL */
	/* The global context, for calls of the services (text, reserve, copy, clone). */
	struct vigil_global *global;
};

/* Fills in the state of the engine. */
int vigil_engine_get_info(struct vigil_engine *engine, struct vigil_engine_information *info);

struct vigil_module_information {
	uint32_t size; /* set it to sizeof(struct vigil_module_information) */
	uint32_t takes_part;
	uint32_t missing; /* bit n: the privilege uses[n] of its private context is missing */
	uint32_t apart;	  /* it now runs in a separate process */
	uint64_t calls;	  /* number of calls in the operation */
	uint64_t cost;	  /* ns that these calls took */
	const struct vigil_record_type *type;	     /* NULL: none */
	const struct vigil_description *description; /* valid until the next call */
};

/* Fills in the state of a module, by number from 0 to modules - 1. */
int vigil_engine_get_module(struct vigil_engine *engine, uint32_t number,
			    struct vigil_module_information *info);

#ifdef __cplusplus
}
#endif

#endif
