/* SPDX-License-Identifier: Apache-2.0 */
/* The data sets that a command of IDCAMS reads and writes, by DD or by name. */
#ifndef VIGIL_UTILITIES_IDCAMS_SET_H
#define VIGIL_UTILITIES_IDCAMS_SET_H

#include "datasets/entries.h"
#include "datasets/records.h"
#include "utilities/dd.h"
#include "utilities/idcams/verb.h"

struct idcams_set {
	const char *name; /* as given in the command: ddname or data set name */
	char *dsn;	  /* the data set that holds the records; NULL: a file that is no data
			   * set */
	struct dd dd;	  /* its file and the attributes of its records */
	struct catalog_entry entry; /* of dsn */
	unsigned key;		    /* the key that orders the records: a path's; 0: the prime
				     * key */
};

/*
 * Finds the data set of FILE(ddname) or DATASET(name), given by their keywords,
 * and locks it. must_exist: a name without a file is an error. -1 after a message,
 * with nothing to release.
 */
int idcams_set_find(struct idcams *idcams, struct idcams_set *set,
		    const struct idcams_operand *operands, const char *file_keyword,
		    const char *name_keyword, bool must_exist, bool exclusive);
void idcams_set_release(struct idcams_set *set);
/* Counts the records of a file by reading them in the order of key. -1 with the reason. */
int idcams_count(const char *path, const struct attributes *attributes, unsigned key,
		 uint64_t *count, struct error *err);
/* Checks that the last update of the data set was completed; -1 after a message. */
int idcams_check_whole(struct idcams *idcams, const struct idcams_set *set);
/* Returns whether the data set is a cluster, in terms of z/OS a VSAM data set. */
bool idcams_set_is_cluster(const struct idcams_set *set);

/* The records of INFILE or INDATASET that FROMKEY, TOKEY, SKIP, COUNT and so on select. */
struct idcams_input {
	struct idcams_set set;
	struct record_reader *reader;
	struct record first; /* the record read ahead */
	bool ahead;
	const struct idcams_operand *to; /* TOKEY's value */
	uint64_t to_number, count;	 /* TONUMBER, remaining records of COUNT; 0: none given */
	bool bounded, ended;
	uint64_t records; /* number of records read */
};

/* Opens the input. -1 after a message, with nothing to release. */
int idcams_input_open(struct idcams *idcams, struct idcams_input *input,
		      const struct idcams_command *command);
/* Reads the next record. 1: read, 0: end, -1 after a message. */
int idcams_input_read(struct idcams *idcams, struct idcams_input *input, struct record *record);
void idcams_input_close(struct idcams_input *input);

#endif
