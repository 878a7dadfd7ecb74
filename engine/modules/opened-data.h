/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of libvigil-engine: the engine as others see it (include/vigil).
 *
 * A struct vigil_engine knows modules for as long as the client has it. Each
 * operation has an engine of its own (engine/engine.h), to which every known
 * module is given as a class that is made for the operation.
 */
#ifndef VIGIL_ENGINE_MODULES_OPENED_DATA_H
#define VIGIL_ENGINE_MODULES_OPENED_DATA_H

#include "engine/dataset.h"
#include "engine/engine.h"
#include "vigil/engine.h"

struct apart;
struct snapshot_view;

/* The numbers of texts that a module in a process of its own has put there begin here. */
#define LOCAL_TEXTS (UINT64_C(1) << 32)

/* A module that is known. */
struct known {
	struct vigil_engine *opened;
	const struct vigil_module *module;
	char *library; /* path, "" when it is the client's */
	char *parameter;
	bool takes_part;
	struct vigil_private at_load;		       /* as VIGIL_LOAD left it */
	struct vigil_private mine;		       /* of the operation */
	const struct record_type *type, *private_type; /* in opened->types, NULL: none */

	/* Of the operation. */
	struct module_class class;
	const struct record_type *produces[3];
	struct module *inner; /* in the operation's engine */
	char *refusal;	      /* why it cannot take part, NULL: it can */
	struct strbuf said;   /* its last error */
	struct vigil_description lost;
	struct apart *apart; /* its process, NULL: it is called here */
	bool active;	     /* a call has not come back */
	bool told;	     /* that it wrote what is not its own */
	bool called;	     /* VIGIL_START was passed, VIGIL_END is to come */
	uint64_t calls, cost;
};

struct loaded_library {
	char *path;
	void *handle;
};

struct vigil_engine {
	struct vigil_options options;
	char *folders;
	struct error problem;
	struct registry types; /* of all known modules: their ids hold in every operation */
	struct known **known;
	size_t count, alloc;
	struct loaded_library *libraries;
	size_t library_count, library_alloc;
	bool no_file;  /* DATASET takes no part */
	char **chosen; /* built-in modules that take part */
	size_t chosen_count, chosen_alloc;
	void *offered; /* what the built-in modules of the operation have */

	/* The operation. */
	struct engine *inner; /* NULL: none */
	struct vigil_operation operation;
	char *file;
	bool started, halted;
	struct vigil_global settings; /* what modules may write, and what all are told */
	struct dataset_consumer consumer;
	struct dataset_extractor extractor;
	struct snapshot stored; /* as it is written: with private forms */
	struct snapshot_view **views;
	size_t view_count, view_alloc;
	struct type_view **type_views; /* by type id */
	size_t type_view_count;
	uint64_t stage;		/* grows when records may have changed in place */
	uint64_t consumed;	/* the snapshot whose consumers are being called, 0: none */
	struct strbuf *dropped; /* of a module's process: type and number of each record, or NULL */
	struct strmap *local;	/* texts of a module's process; NULL: this is none */
	struct vigil_description described; /* for the client */
	struct call *call;		    /* the client's own, for the services */
};

/* A call of a module, or (module NULL) the client. The first member is what the module sees. */
struct call {
	struct vigil_global global;
	struct vigil_engine *opened;
	struct known *known;
	struct snapshot *snapshot; /* records may be added to; NULL: none */
	bool dropping;		   /* a filter: records may be discarded */
};

#endif
