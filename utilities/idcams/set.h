/* SPDX-License-Identifier: Apache-2.0 */
/* The data sets that a command of IDCAMS reads and writes, by DD or by name. */
#ifndef VIGIL_UTILITIES_IDCAMS_SET_H
#define VIGIL_UTILITIES_IDCAMS_SET_H

#include "datasets/entries.h"
#include "datasets/records.h"
#include "utilities/dd.h"
#include "utilities/idcams/verb.h"

struct idcams_set {
	const char *name; /* as the command has it: ddname or data set name */
	char *dsn;	  /* of the data set that holds the records; NULL: a file without such */
	struct dd dd;	  /* its file and what is known of its records */
	struct catalog_entry entry; /* of dsn */
	unsigned key;		    /* in whose order records are read: that of a path */
};

/*
 * Finds the data set of FILE(ddname) or DATASET(name), whose keywords are given,
 * and take its lock. must_exist: a name without a file is an error. -1 after a
 * message, with nothing to release.
 */
int idcams_set_find(struct idcams *idcams, struct idcams_set *set,
		    const struct idcams_operand *operands, const char *file_keyword,
		    const char *name_keyword, bool must_exist, bool exclusive);
void idcams_set_release(struct idcams_set *set);
/* Counts the records of a file by reading them in the order of a key. -1 with the reason. */
int idcams_count(const char *path, const struct attributes *attributes, unsigned key,
		 uint64_t *count, struct error *err);
/* -1 after a message: the update of the data set never came to its end. */
int idcams_check_whole(struct idcams *idcams, const struct idcams_set *set);
/* Returns whether it is a cluster: to z/OS, a VSAM data set. */
bool idcams_set_is_cluster(const struct idcams_set *set);

/* The records of INFILE or INDATASET that FROMKEY, TOKEY, SKIP, COUNT ... select. */
struct idcams_input {
	struct idcams_set set;
	struct record_reader *reader;
	struct record first; /* read ahead */
	bool ahead;
	const struct idcams_operand *to; /* TOKEY's value */
	uint64_t to_number, count;	 /* TONUMBER, COUNT: what is left of it; 0 none */
	bool bounded, ended;
	uint64_t records; /* read */
};

/* -1 after a message, with nothing to release. */
int idcams_input_open(struct idcams *idcams, struct idcams_input *input,
		      const struct idcams_command *command);
/* 1: there is a record, 0: the end, -1 after a message. */
int idcams_input_read(struct idcams *idcams, struct idcams_input *input, struct record *record);
void idcams_input_close(struct idcams_input *input);

#endif
