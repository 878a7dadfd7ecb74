/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine.h - client programs of vigil's engine: collect data with processor
 * modules (module.h), or read it back.
 *
 *	vigil_engine_init
 *	vigil_engine_register, _register_linked, _choose	as often as needed
 *	vigil_engine_prepare				for an operation
 *	vigil_engine_start				runs it to its end; or
 *	vigil_engine_collect_snapshot, _read_snapshot	one snapshot at a time
 *	vigil_engine_end				of the operation
 *	vigil_engine_finish
 *
 * After vigil_engine_end another operation can be prepared. A process may have
 * several engines; they share nothing. One engine is used by one thread at a
 * time.
 *
 * Functions that return int return 0 unless they say otherwise, or -1, and
 * vigil_engine_problem has a sentence then. Nothing is ever printed:
 * messages go to the client's function.
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
	uint32_t level;	   /* of a trace message */
	uint32_t reserved;
	const char *module; /* who says it, "" for the engine */
	const char *text;
};

struct vigil_options {
	uint32_t size; /* sizeof(struct vigil_options) */
	uint32_t trace_level;
	void (*message)(void *argument, const struct vigil_engine_message *message); /* or NULL */
	void *argument;
	/* Folders in which libraries are looked for first, divided by colons; or NULL. */
	const char *folders;
	uint64_t patience; /* ns a module in a process of its own may take for a call; 0: 10 s */
};

/* options may be NULL. NULL when they are of another version. */
struct vigil_engine *vigil_engine_init(const struct vigil_options *options);
/* Ends the operation too. May be called with NULL. */
void vigil_engine_finish(struct vigil_engine *engine);
/* What went wrong last, "" when nothing did. Valid until the next call. */
const char *vigil_engine_problem(const struct vigil_engine *engine);

/* With register: make the modules known, for groupers and vigil_engine_choose; without it they all
   take part. */
#define VIGIL_OFFER 1U

/*
 * Load a library of modules: a path, or a name that stands for NAME.so in the
 * folders of the options, of VIGIL_MODULES (divided by colons), of
 * $XDG_DATA_HOME/vigil/modules (~/.local/share/vigil/modules), in
 * /usr/local/lib/vigil/modules and in vigil's own. It, and the folders above
 * it, must be such that only root and the user can change them. A module of it
 * that is wrong gets a message and is left out. The number of modules that were taken, or -1.
 */
int vigil_engine_register(struct vigil_engine *engine, const char *library, uint32_t flags);
/* The same, with a text for its modules (parameter in the private context); NULL: none. */
int vigil_engine_register_with(struct vigil_engine *engine, const char *library,
			       const char *parameter, uint32_t flags);
/* A module that is a part of the client. */
int vigil_engine_register_linked(struct vigil_engine *engine, const struct vigil_module *module,
				 uint32_t flags);
/* Whether a module takes part in the operations to come. "DATASET" is what writes the file. */
int vigil_engine_choose(struct vigil_engine *engine, const char *name, int takes_part);

struct vigil_operation {
	uint32_t size;	    /* sizeof(struct vigil_operation) */
	uint32_t operation; /* enum vigil_operation_kind */
	/* The sample data set that is written or read; NULL: none. */
	const char *file;
	uint64_t interval; /* ns between snapshots, 0: one second */
	uint64_t count;	   /* of snapshots, 0: until end_time, a timer or a module ends it */
	uint64_t start_time, end_time; /* ns since 1970 UTC, or 0 */
};

/*
 * Load what there is to load, let the modules say what they do in this
 * operation, check privileges and dependencies. A module that cannot take part
 * is switched off with a message, and the modules that come after it are told.
 */
int vigil_engine_prepare(struct vigil_engine *engine, const struct vigil_operation *operation);
/* Run the operation to its end. */
int vigil_engine_start(struct vigil_engine *engine);
/* Wait until the timer wants a snapshot (wait 0: take it at once) and take it. *snapshot may be
   NULL; it is valid until the next one is taken. 1: the timer wants no more, and none was taken. */
int vigil_engine_collect_snapshot(struct vigil_engine *engine, int wait,
				  const struct vigil_snapshot **snapshot);
/* Read one snapshot. 1: there are no more; the snapshot has what came at the end. */
int vigil_engine_read_snapshot(struct vigil_engine *engine, const struct vigil_snapshot **snapshot);
/* End the operation that was prepared or started. */
int vigil_engine_end(struct vigil_engine *engine);
/* Let a running operation end early; may be called from a message function. */
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
	uint32_t modules;   /* that are known */
	uint32_t reserved;
	uint64_t snapshots;				 /* of the operation */
	uint64_t file_size;				 /* of the file that is written, 0: none */
	const struct vigil_snapshot *current, *previous; /* or NULL */
	/* The global context, for functions of the services (text, reserve, copy, clone). */
	struct vigil_global *global;
};

/* What the engine does. */
int vigil_engine_get_info(struct vigil_engine *engine, struct vigil_engine_information *info);

struct vigil_module_information {
	uint32_t size; /* set it to sizeof(struct vigil_module_information) */
	uint32_t takes_part;
	uint32_t missing; /* bit n: the privilege uses[n] of its private context is not there */
	uint32_t apart;	  /* it has a process of its own now */
	uint64_t calls;	  /* in the operation */
	uint64_t cost;	  /* ns that they took */
	const struct vigil_record_type *type;	     /* NULL: none */
	const struct vigil_description *description; /* valid until the next call */
};

/* A module by number, from 0 to modules - 1. */
int vigil_engine_get_module(struct vigil_engine *engine, uint32_t number,
			    struct vigil_module_information *info);

#ifdef __cplusplus
}
#endif

#endif
