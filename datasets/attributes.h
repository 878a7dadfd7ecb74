/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The record attributes of a data set: record format, lengths, organization and
 * keys. They are stored with the data set, so that its writer and its readers
 * agree.
 *
 * On disk they are an extended attribute of the data set's file or folder,
 * user.vigil.dcb; if the file system has none, the file
 * FOLDER/.vigil/attributes/NAME next to it. Either holds one line of text:
 *	RECFM,LRECL[,DSORG=PS|PO|IS|RR][,MIN=n][,BLKSIZE=n][,KEY=length:offset[D]]...[,ORDER=n]
 *
 * "FB,80" as written by earlier versions is such a line. The same text describes a
 * DD to a step's programs, in the environment variable VIGIL_DCB_ddname.
 */
#ifndef VIGIL_DATASETS_ATTRIBUTES_H
#define VIGIL_DATASETS_ATTRIBUTES_H

#include "common/error.h"

#define ATTRIBUTES_KEYS 17 /* the primary key and the alternate ones */

enum dataset_organization {
	ORGANIZATION_UNKNOWN,
	ORGANIZATION_SEQUENTIAL,  /* PS; also an entry-sequenced cluster */
	ORGANIZATION_PARTITIONED, /* PO: a folder; the record format is that of its members */
	ORGANIZATION_INDEXED,	  /* IS: a key-sequenced cluster, in GnuCOBOL's format */
	ORGANIZATION_RELATIVE,	  /* RR: numbered records, in GnuCOBOL's format */
};

/* A key of an indexed data set. */
struct record_key {
	unsigned offset, length; /* bytes, offset from 0 */
	bool duplicates;	 /* alternate keys only */
};

struct attributes {
	char recfm[8]; /* "FB", "VB", "FBA", "TEXT" (lines); "": unknown */
	/*
	 * Bytes, as in JCL: a variable record's length includes its four-byte descriptor.
	 * 0: unknown.
	 */
	unsigned lrecl;
	unsigned minimum; /* bytes of data of the shortest record; 0: unknown, or the same as the
			   * longest */
	unsigned block_size; /* as specified; not used */
	enum dataset_organization organization;
	struct record_key keys[ATTRIBUTES_KEYS]; /* [0] is the primary key */
	unsigned key_count;
	unsigned order; /* of a DD, never stored: number of the key that gives the reading order */
};

/* Returns whether all attributes are unknown. */
bool attributes_empty(const struct attributes *attributes);
/*
 * Returns the bytes of data of the longest record: LRECL, without the descriptor
 * of variable records.
 */
size_t attributes_data_length(const struct attributes *attributes);
/* Parses the line described above; false, and all attributes unknown, if it is invalid. */
bool attributes_parse(struct attributes *attributes, const char *text);
/* Appends that line; nothing if all attributes are unknown. */
void attributes_format(struct strbuf *sb, const struct attributes *attributes);
/* Fills in unknown attributes from others. */
void attributes_merge(struct attributes *attributes, const struct attributes *others);
/*
 * Get: reads the stored attributes, all unknown if there are none; a member
 * without its own has those of its folder. Set: stores attributes, and removes
 * stored ones if all are unknown; -1 with the reason if they can be stored
 * nowhere.
 */
void attributes_get(const char *path, struct attributes *attributes);
int attributes_set(const char *path, const struct attributes *attributes, struct error *err);
/*
 * Called after a file was renamed or removed: renames or removes the attributes
 * that are stored next to it, if any.
 */
void attributes_moved(const char *from, const char *to);
void attributes_removed(const char *path);

#endif
