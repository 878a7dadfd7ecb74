/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data set names and the files they stand for.
 *
 * A data set A.B.C is the file ROOT/A.B.C; qualifiers are no folders, so
 * that A.B and A.B.C can both exist. A partitioned data set is the folder
 * ROOT/A.B.C with a file a member. An indexed file of GnuCOBOL may have
 * alternate keys in files beside it, ROOT/A.B.C.1 and so on: they belong to
 * the data set and are renamed and removed with it (no qualifier begins with
 * a digit, so no other data set can have that name).
 */
#ifndef VIGIL_SESSION_JOB_CATALOG_H
#define VIGIL_SESSION_JOB_CATALOG_H

#include "common/error.h"

/* Whether dsn can be a data set name: qualifiers of A-Z 0-9 @ # $ -, parted by periods. */
bool catalog_name_valid(const char *dsn);
/* Whether member can be a member's name. */
bool catalog_member_valid(const char *member);
/* Append ROOT/DSN. */
void catalog_path(struct strbuf *sb, const char *root, const char *dsn);
bool catalog_exists(const char *path);
bool catalog_is_folder(const char *path);
/* Remove a data set with its alternate keys. -1 with errno set. */
int catalog_remove(const char *path);
/* Move a data set with its alternate keys; the data set itself last. -1 with errno set. */
int catalog_rename(const char *from, const char *to);
/*
 * RECFM and LRECL of a data set are kept as an extended attribute of its file
 * (user.vigil.dcb, "FB,80"), where the file system has such. Get: "" and 0
 * when they are not known. Set: a file system without attributes is no error.
 */
void catalog_get_dcb(const char *path, char recfm[8], unsigned *lrecl);
void catalog_set_dcb(const char *path, const char *recfm, unsigned lrecl);
/*
 * The highest generation of a group that exists: the number of BASE.GnnnnV00,
 * 0 when there is none.
 */
unsigned catalog_highest_generation(const char *root, const char *base);
/*
 * Append the name of a generation: relative 0 is the newest of those up to
 * highest, -1 the one before that exists, +1 the next number. -1 when there
 * is none.
 */
int catalog_generation(struct strbuf *name, const char *root, const char *base, unsigned highest,
		       int relative);

#endif
