/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is known of a data set's records: record format, lengths, organization
 * and keys. They are kept with the data set, so that the one who writes it
 * and the one who reads it agree.
 *
 * On disk they are an extended attribute of the data set's file or folder,
 * user.vigil.dcb; where the file system has none, the file
 * FOLDER/.vigil/attributes/NAME beside it. Either holds one line of text:
 *
 *	RECFM,LRECL[,DSORG=PS|PO|IS|RR][,MIN=n][,BLKSIZE=n][,KEY=length:offset[D]]...[,ORDER=n]
 *
 * "FB,80" as earlier versions wrote it is such a line. The same text
 * tells a step's programs about a DD, in the environment variable VIGIL_DCB_ddname.
 */
#ifndef VIGIL_DATASETS_ATTRIBUTES_H
#define VIGIL_DATASETS_ATTRIBUTES_H

#include "common/error.h"

#define ATTRIBUTES_KEYS 17 /* the primary key and the alternate ones */

enum dataset_organization {
	ORGANIZATION_UNKNOWN,
	ORGANIZATION_SEQUENTIAL,  /* PS; also an entry-sequenced cluster */
	ORGANIZATION_PARTITIONED, /* PO: a folder, the record format is its members' */
	ORGANIZATION_INDEXED,	  /* IS: a key-sequenced cluster, as GnuCOBOL keeps it */
	ORGANIZATION_RELATIVE,	  /* RR: numbered records, as GnuCOBOL keeps them */
};

/* A key of an indexed data set. */
struct record_key {
	unsigned offset, length; /* bytes, offset from 0 */
	bool duplicates;	 /* alternate keys only */
};

struct attributes {
	char recfm[8]; /* "FB", "VB", "FBA", "TEXT" (lines); "" not known */
	/* As JCL counts: a variable record's length includes its four-byte descriptor. 0 not known. */
	unsigned lrecl;
	unsigned minimum; /* shortest record's bytes of data; 0 not known or the same as the longest */
	unsigned block_size; /* as it was said; nothing depends on it */
	enum dataset_organization organization;
	struct record_key keys[ATTRIBUTES_KEYS]; /* [0] is the primary key */
	unsigned key_count;
	unsigned order; /* number of the key in whose order records are read: of a DD, never kept */
};

/* Returns whether nothing is known. */
bool attributes_empty(const struct attributes *attributes);
/* Bytes of data of the longest record: LRECL, without the descriptor of variable records. */
size_t attributes_data_length(const struct attributes *attributes);
/* Reads the line of text above; false and all unknown when it is not such a line. */
bool attributes_parse(struct attributes *attributes, const char *text);
/* Appends that line; nothing when nothing is known. */
void attributes_format(struct strbuf *sb, const struct attributes *attributes);
/* What is not known in attributes is taken from others. */
void attributes_merge(struct attributes *attributes, const struct attributes *others);
/*
 * Gets: all unknown when nothing is kept; a member's are those of its folder where
 * it has none of its own. Set: -1 with the reason when they can be kept nowhere;
 * nothing known removes what was kept.
 */
void attributes_get(const char *path, struct attributes *attributes);
int attributes_set(const char *path, const struct attributes *attributes, struct error *err);
/* A file got another name, or went: so does what is kept beside it, where it is kept beside it. */
void attributes_moved(const char *from, const char *to);
void attributes_removed(const char *path);

#endif
