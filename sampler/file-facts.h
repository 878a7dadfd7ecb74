/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about one file that the kernel reports. */
#ifndef VIGIL_SAMPLER_FILE_FACTS_H
#define VIGIL_SAMPLER_FILE_FACTS_H

#include "common/compat.h"

#include <sys/types.h>

struct statx;

/* Returns the enum file_kind of a status. */
unsigned facts_kind(const struct statx *status, const char *path);
/*
 * Returns the peer of a process's socket ("127.0.0.1:5432", "/run/x.sock"); NULL:
 * unknown. The caller owns the text.
 */
char *facts_peer(pid_t pid, int fd);
/*
 * Returns the block device, or the type of the file system if it has none; the
 * caller owns the text.
 */
char *facts_device(const struct statx *status);
/*
 * Returns PS, PO, VS (indexed: a Berkeley DB file as GnuCOBOL writes), SQLITE,
 * PIPE, SOCKET, TERM, DUMMY, DEVICE or OTHER. at: path at which it can be opened;
 * the first bytes of a regular file are read. The text is constant.
 */
const char *facts_organization(unsigned kind, const char *path, const char *at);

#endif
