/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The run time of GnuCOBOL that the program has loaded. The agent is not
 * linked with it: it looks functions up there, and reads the structures of
 * version 3.x, which programs fill themselves, so that their beginnings do
 * not change.
 */
#ifndef VIGIL_AGENT_COBOL_RUNTIME_H
#define VIGIL_AGENT_COBOL_RUNTIME_H

#include "agent/agent.h"

/*
 * A function of the run time, not this library's of the same name; NULL: not
 * there. Asks the dynamic loader, which takes its lock: it is called from
 * functions that stand before those of the run time, never from a signal handler
 * of the agent's.
 */
void *cobol_function(const char *name);
/* Set *function, a pointer to a function, to the one of that name, unless it is set; false: not there. */
bool cobol_find(void *function, const char *name);
/* Whether the run time is the one whose structures stand below. */
bool cobol_known(void);

/* Find out where the code of the run time is, before cobol_calls is asked; calls the dynamic loader. */
void cobol_find_code(void);
/* Whether the call that returns to an address is one of the run time's own. */
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
	int components; /* 2 and more: the key is put together from several fields */
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

/* The beginning of what a program tells of itself. */
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
	unsigned char flags[15]; /* signs and switches of the compiler */
	unsigned char unused[1];
	unsigned statement; /* source file << 20 | line */
	const char **sources;
};

struct cobol_global {
	void *error_file;
	struct cobol_module *current;
};

#endif
