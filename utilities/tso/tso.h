/* SPDX-License-Identifier: Apache-2.0 */
/*
 * IKJEFT01 and its commands. A session reads command lines, echoes them on
 * SYSTSPRT after READY, and executes one after the other; each command gives a
 * return code, and that of the last one is the step's.
 */
#ifndef VIGIL_UTILITIES_TSO_TSO_H
#define VIGIL_UTILITIES_TSO_TSO_H

#include "datasets/catalog.h"
#include "datasets/lock.h"
#include "session/job/program-search.h"
#include "utilities/utility.h"

/* return code of a command that failed */
#define TSO_FAILED 12

/* The program, by what ends a session early. */
enum tso_kind {
	TSO_01, /* IKJEFT01: an abend, with return code 12 */
	TSO_1A, /* IKJEFT1A: an abend, or a return code other than 0 */
	TSO_1B, /* IKJEFT1B: likewise; the two differ in how they treat a CLIST, which is not
		 * supported */
};

/* One operand: WORD, 'word', WORD(value), or (value) with an empty word. */
struct tso_operand {
	char *word;  /* in upper case, or without its apostrophes if it was quoted */
	bool quoted; /* word was in apostrophes */
	char *value; /* content of the parentheses, unchanged; NULL: no parentheses */
};

struct tso_operands {
	struct tso_operand *items;
	size_t count, alloc;
};

struct tso_allocation;

struct tso {
	struct utility utility; /* print is SYSTSPRT */
	enum tso_kind kind;
	char *utilities;		    /* the folder of vigil's utilities */
	const char *programs;		    /* search path for programs, separated by ':' */
	char prefix[9];			    /* of data set names without apostrophes; "": none */
	bool in_dsn;			    /* between DSN and END */
	int code;			    /* of the last command */
	int dsn_code;			    /* of the last subcommand of DSN */
	bool over;			    /* the session ends; no more commands are read */
	char abend[8];			    /* abend code of the last program, "": none */
	struct tso_allocation *allocations; /* made by ALLOCATE */
	unsigned names;			    /* number of DD names generated so far */
	struct catalog catalog;
	struct lock_list locks;
	bool catalogued; /* catalog and locks are open */
};

/*
 * Executes a command. verb: as it was given; operands: the rest of its line.
 * Returns the return code.
 */
typedef int tso_function(struct tso *tso, const char *verb, const char *operands);

/* Parses operands. -1 after a message: an apostrophe or a parenthesis is not closed. */
int tso_parse(struct tso *tso, const char *text, struct tso_operands *operands);
void tso_operands_release(struct tso_operands *operands);
/* Returns whether word is one of names, separated by blanks. */
bool tso_among(const char *word, const char *names);
/* Returns the operand whose word is one of names, separated by blanks; NULL: none. */
const struct tso_operand *tso_operand(const struct tso_operands *operands, const char *names);
/* Checks that all operands from index first on are among names; false after a message. */
bool tso_operands_known(struct tso *tso, const struct tso_operands *operands, size_t first,
			const char *names);
/* Returns a copy of a value without the apostrophes around it. The caller frees it. */
char *tso_unquote(const char *value);
/* Prints "IKJnnnnnI text (VIGnnnnE)". Always returns TSO_FAILED. */
int tso_fail(struct tso *tso, const char *id, unsigned number, const char *format, ...)
	PRINTFLIKE(4, 5);

/* tso-data-sets.c: names and files of data sets. */

/* Reports that a data set does not exist. Always returns TSO_FAILED. */
int tso_missing(struct tso *tso, const char *name);
/* Closes catalogue and locks, which the first use of a data set opens. */
void tso_catalog_end(struct tso *tso);
/*
 * Returns the full name of a data set: unchanged with apostrophes, prefixed
 * without them. "A.B(C)" also has a member. -1 after a message: invalid name.
 */
int tso_name(struct tso *tso, const struct tso_operand *operand, struct strbuf *dsn,
	     struct strbuf *member);
/* Appends the path of a data set or member. -1 after a message: there is no data set root. */
int tso_path(struct tso *tso, const char *dsn, const char *member, struct strbuf *path);
/*
 * Appends the path of the existing data set or member that an operand names.
 * TSO_FAILED after a message: it does not exist.
 */
int tso_existing(struct tso *tso, const struct tso_operand *operand, struct strbuf *path);
/*
 * Appends the full names of the data sets that an operand is or lists, each
 * followed by a blank: "(A.B C.D(E) ) " for a list. -1 after a message.
 */
int tso_whole_names(struct tso *tso, const struct tso_operand *operand, struct strbuf *text);
tso_function tso_listds;

/*
 * tso-idcams.c. IDCAMS executes its own commands; for DELETE, ALTER and RENAME the
 * names are converted from TSO's rules.
 */
tso_function tso_idcams, tso_alter;

/* tso-allocate.c. */
tso_function tso_allocate, tso_free;
/* Frees all allocations; returns the highest code. */
int tso_free_all(struct tso *tso);

/* copy.c. */
tso_function tso_submit, tso_ocopy;

/* tso-run.c. Searches program name in library (NULL: none) and in the step's program libraries. */
bool tso_search(struct tso *tso, const char *library, const char *name, struct program *program);
/*
 * Runs a program that was found, with arguments after its name (ends with NULL).
 * output: it writes to SYSTSPRT, whatever DDs there are. Returns the return code;
 * after an abend TSO_FAILED, with tso->abend set.
 */
int tso_run(struct tso *tso, const struct program *program, const char *const *arguments,
	    bool output);
tso_function tso_call, tso_dsn_run, tso_exec, tso_shell;
/*
 * Runs the program, or the script of SYSEXEC or SYSPROC, with a name that is no
 * command. -1: there is none.
 */
int tso_implicit(struct tso *tso, const char *name, const char *operands);

#endif
