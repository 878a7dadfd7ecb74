/* SPDX-License-Identifier: Apache-2.0 */
/*
 * IKJEFT01 and its commands. A session reads command lines, echoes them on
 * SYSTSPRT behind READY, and carries out one after the other; each command
 * gives a return code, of which the last one is the step's.
 */
#ifndef VIGIL_UTILITIES_TSO_TSO_H
#define VIGIL_UTILITIES_TSO_TSO_H

#include "datasets/catalog.h"
#include "datasets/lock.h"
#include "session/job/program-search.h"
#include "utilities/utility.h"

/* The return code of a command that could not be done. */
#define TSO_FAILED 12

/* What ends a session before its commands are at an end. */
enum tso_kind {
	TSO_01, /* IKJEFT01: an abend, with return code 12 */
	TSO_1A, /* IKJEFT1A: an abend, or a return code other than 0 */
	TSO_1B, /* IKJEFT1B: the same; what the two do with a CLIST differs, and there are none */
};

/* One operand: WORD, 'word', WORD(value), or (value) with an empty word. */
struct tso_operand {
	char *word;  /* in upper case where it had no apostrophes, without them where it had */
	bool quoted; /* word was in apostrophes */
	char *value; /* what the parentheses hold, as it stands; NULL without parentheses */
};

struct tso_operands {
	struct tso_operand *items;
	size_t count, alloc;
};

struct tso_allocation;

struct tso {
	struct utility utility; /* print is SYSTSPRT */
	enum tso_kind kind;
	char *utilities;		    /* the folder of vigil's own programs */
	const char *programs;		    /* where programs are searched, parted by ':' */
	char prefix[9];			    /* of data set names without apostrophes; "" none */
	bool in_dsn;			    /* between DSN and END */
	int code;			    /* of the last command */
	int dsn_code;			    /* of the last subcommand of DSN */
	bool over;			    /* no command is read any more */
	char abend[8];			    /* of the last program, "" when it had none */
	struct tso_allocation *allocations; /* by ALLOCATE */
	unsigned names;			    /* of DDs made up so far */
	struct catalog catalog;
	struct lock_list locks;
	bool catalogued; /* catalog and locks are open */
};

/* A command: its verb as it was given, and the rest of its line. The return code. */
typedef int tso_function(struct tso *tso, const char *verb, const char *operands);

/* Takes operands apart. 0, or -1 after a message: an apostrophe or a parenthesis is not closed. */
int tso_parse(struct tso *tso, const char *text, struct tso_operands *operands);
void tso_operands_release(struct tso_operands *operands);
/* Returns whether word is one of names, parted by blanks. */
bool tso_among(const char *word, const char *names);
/* The operand whose word is one of names, parted by blanks; NULL when there is none. */
const struct tso_operand *tso_operand(const struct tso_operands *operands, const char *names);
/* Returns whether all operands from number first on are among names; otherwise a message. */
bool tso_operands_known(struct tso *tso, const struct tso_operands *operands, size_t first,
			const char *names);
/* A value without apostrophes around it. The caller frees it. */
char *tso_unquote(const char *value);
/* "IKJnnnnnI text (VIGnnnnE)". Always TSO_FAILED. */
int tso_fail(struct tso *tso, const char *id, unsigned number, const char *format, ...)
	PRINTFLIKE(4, 5);

/* tso-data-sets.c: names and files of data sets. */

/* Says that a data set is not there. Always TSO_FAILED. */
int tso_missing(struct tso *tso, const char *name);
/* Closes catalogue and locks, which the first use of a data set opens. */
void tso_catalog_end(struct tso *tso);
/*
 * The whole name of a data set: with apostrophes as it stands, without them
 * behind the prefix. "A.B(C)" also has a member. -1 after a message: it is no
 * data set name.
 */
int tso_name(struct tso *tso, const struct tso_operand *operand, struct strbuf *dsn,
	     struct strbuf *member);
/* Appends the file of a data set or member. -1 after a message: no data set root is known. */
int tso_path(struct tso *tso, const char *dsn, const char *member, struct strbuf *path);
/* Appends the file of what an operand names. TSO_FAILED after a message: it is not there. */
int tso_existing(struct tso *tso, const struct tso_operand *operand, struct strbuf *path);
/*
 * Appends the whole names, each with a blank behind it, of the data sets that an
 * operand is or lists: "(A.B C.D(E) ) " for a list. -1 after a message.
 */
int tso_whole_names(struct tso *tso, const struct tso_operand *operand, struct strbuf *text);
tso_function tso_listds;

/* tso-idcams.c. IDCAMS carries out its own commands; DELETE, ALTER and RENAME have TSO's names. */
tso_function tso_idcams, tso_alter;

/* tso-allocate.c. */
tso_function tso_allocate, tso_free;
/* Frees all that was allocated; the worst code. */
int tso_free_all(struct tso *tso);

/* copy.c. */
tso_function tso_submit, tso_ocopy;

/* tso-run.c. Search program name in library (NULL none) and where the step's programs are. */
bool tso_search(struct tso *tso, const char *library, const char *name, struct program *program);
/*
 * Runs a program that was found, with arguments behind its name (NULL at the end).
 * output: it writes to SYSTSPRT, whatever DDs there are. The return code; after an
 * abend TSO_FAILED, with tso->abend set.
 */
int tso_run(struct tso *tso, const struct program *program, const char *const *arguments,
	    bool output);
tso_function tso_call, tso_dsn_run, tso_exec, tso_shell;
/* A name that is no command: a program, or a script of SYSEXEC or SYSPROC. -1: there is none. */
int tso_implicit(struct tso *tso, const char *name, const char *operands);

#endif
