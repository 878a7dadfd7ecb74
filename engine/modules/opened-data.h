/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Internal data of libvigil-engine: the engine as external modules and clients see
 * it (include/vigil).
 *
 * The modules of a struct vigil_engine stay registered until the client frees it.
 * Each operation has a separate engine (engine/engine.h), to which every
 * registered module is added with a class made for the operation.
 */
#ifndef VIGIL_ENGINE_MODULES_OPENED_DATA_H
#define VIGIL_ENGINE_MODULES_OPENED_DATA_H

#include "engine/dataset.h"
#include "engine/engine.h"
#include "vigil/engine.h"

struct apart;
struct snapshot_view;

/* First number of texts created by a module in a separate process. */
#define LOCAL_TEXTS (UINT64_C(1) << 32)

/* A registered module. */
struct registered_module {
	struct vigil_engine *opened;
	const struct vigil_module *module;
	char *library; /* path, "" for one linked into the client */
	char *parameter;
	bool takes_part;
	struct vigil_private at_load;		       /* copy made after VIGIL_LOAD */
	struct vigil_private mine;		       /* for the operation */
	const struct record_type *type, *private_type; /* in opened->types, NULL: none */

	/* For the operation. */
	struct module_class class;
	const struct record_type *produces[3];
	struct module *inner; /* in the operation's engine */
	char *refusal;	      /* why it cannot take part, NULL: it can */
	struct strbuf last_error;   /* its last error */
	struct vigil_description lost;
	struct apart *apart; /* its process, NULL: it is called here */
	bool active;	     /* a call is in progress */
	bool warned_write;	     /* it was reported that the module changed a field that it must not */
	bool called;	     /* between VIGIL_START and VIGIL_END */
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
	struct registry types; /* of all registered modules: their ids are the same in every
			        * operation */
	struct registered_module **registered_module;
	size_t count, alloc;
	struct loaded_library *libraries;
	size_t library_count, library_alloc;
	bool no_file;  /* DATASET takes no part */
	char **chosen; /* names of built-in modules that take part */
	size_t chosen_count, chosen_alloc;
	void *offered; /* result of offering the built-in modules to the operation */

	/* The operation. */
	struct engine *inner; /* NULL: none */
	struct vigil_operation operation;
	char *file;
	bool started, halted;
	struct vigil_global settings; /* what modules may change, and what all are given */
	struct dataset_consumer consumer;
	struct dataset_extractor extractor;
	struct snapshot stored; /* the snapshot as it is written: with private forms */
	struct snapshot_view **views;
	size_t view_count, view_alloc;
	struct type_view **type_views; /* by type id */
	size_t type_view_count;
	uint64_t stage;		/* incremented when records may have changed in place */
	uint64_t consumed;	/* sequence of the snapshot whose consumers are being called, 0:
				 * none */
	struct strbuf *dropped; /* in a module's process: type and number of each discarded
				 * record; otherwise NULL */
	struct strmap *local;	/* texts created in a module's process; NULL: this is none */
	struct vigil_description described; /* for the client */
	struct call *call;		    /* the client's call context, for the services */
};

/* A call of a module, or (module NULL) the client. The first member is the module's view. */
struct call {
	struct vigil_global global;
	struct vigil_engine *opened;
	struct registered_module *registered_module;
	struct snapshot *snapshot; /* records may be added to it; NULL: none */
	bool dropping;		   /* a filter: records may be discarded */
};

#endif
