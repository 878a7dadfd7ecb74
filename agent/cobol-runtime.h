/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The GnuCOBOL run time that the program has loaded. The agent is not linked with
 * it: it looks up its functions, and reads the structures of version 3.x; programs
 * fill these themselves, so their beginnings do not change.
 */
#ifndef VIGIL_AGENT_COBOL_RUNTIME_H
#define VIGIL_AGENT_COBOL_RUNTIME_H

#include "agent/agent.h"

/*
 * Returns a function of the run time, not this library's of the same name; NULL:
 * not found. Calls the dynamic loader, which takes its lock: only for functions
 * that interpose on the run time's, never in a signal handler of the agent.
 */
void *cobol_function(const char *name);
/*
 * Sets *function, a pointer to a function, to the run time's of that name, unless
 * it is set; returns false if there is none.
 */
bool cobol_find(void *function, const char *name);
/* Returns whether the loaded run time is the version whose structures are declared below. */
bool cobol_known(void);

/* Finds the run time's code, for cobol_calls; call it first. Calls the dynamic loader. */
void cobol_find_code(void);
/*
 * Returns whether a return address lies in the run time's code, so that the run
 * time made the call.
 */
bool cobol_calls(const void *address);

struct cobol_field {
	size_t size;
	unsigned char *data;
	const void *attributes;
};

struct cobol_key {
	struct cobol_field *field;
	int flag, duplicates, ascending, suppress, suppress_character;
	unsigned offset;
	int components; /* 2 or more: the key consists of several fields */
};

struct cobol_file {
	const char *name;
	unsigned char *status;
	struct cobol_field *assign, *record, *variable_record;
	struct cobol_key *keys;
	void *file, *linage;
	const unsigned char *collating;
	void *handler;
	size_t minimum, maximum, key_count; /* bytes of a record; keys of an indexed file */
	int fd;
	unsigned char organization, access, lock, mode;
};

enum cobol_organization { COBOL_SEQUENTIAL, COBOL_LINES, COBOL_RELATIVE, COBOL_INDEXED };
enum cobol_mode { COBOL_CLOSED, COBOL_INPUT, COBOL_OUTPUT, COBOL_UPDATE, COBOL_EXTEND };

/* The beginning of a program's description of itself. */
struct cobol_module {
	struct cobol_module *next;
	void *parameters;
	const char *name, *date, *source;
	void *entry, *cancel;
	const void *collating, *crt_status, *cursor;
	unsigned *references;
	const char **path;
	unsigned active, compiled_date, compiled_time, type, parameter_count, returning;
	int given_count;
	unsigned char flags[15]; /* characters and switches set by the compiler */
	unsigned char unused[1];
	unsigned statement; /* source file << 20 | line */
	const char **sources;
};

struct cobol_global {
	void *error_file;
	struct cobol_module *current;
};

#endif
