/* SPDX-License-Identifier: Apache-2.0 */
/* What the kernel tells about one file. */
#ifndef VIGIL_SAMPLER_FILE_FACTS_H
#define VIGIL_SAMPLER_FILE_FACTS_H

#include "common/compat.h"

#include <sys/types.h>

struct statx;

/* The enum file_kind of a status. */
unsigned facts_kind(const struct statx *status, const char *path);
/*
 * Who is at the other end of a process's socket ("127.0.0.1:5432", "/run/x.sock"); NULL when that cannot be
 * told. The caller owns the text.
 */
char *facts_peer(pid_t pid, int fd);
/* The block device, or the type of the file system when it lies on none; the caller owns the text. */
char *facts_device(const struct statx *status);
/*
 * PS, PO, VS (indexed: a Berkeley DB file as GnuCOBOL writes), SQLITE, PIPE,
 * SOCKET, TERM, DUMMY, DEVICE or OTHER. at is where it can be opened; a
 * regular file is read for its first bytes. The text is constant.
 */
const char *facts_organization(unsigned kind, const char *path, const char *at);

#endif
