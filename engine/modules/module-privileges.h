/* SPDX-License-Identifier: Apache-2.0 */
/* Whether this process has the privileges that modules name. */
#ifndef VIGIL_ENGINE_MODULES_MODULE_PRIVILEGES_H
#define VIGIL_ENGINE_MODULES_MODULE_PRIVILEGES_H

#include "common/strbuf.h"

/*
 * "CAP_SYS_PTRACE" as capabilities(7) has them, "root", or the path of a file
 * that must be readable. A name that nobody knows is not there.
 */
bool privilege_is_there(const char *name);
/* Returns whether a name means anything. */
bool privilege_is_known(const char *name);
/*
 * Appends why a module is not to be started that needs these, "it needs X, which
 * is not there", or nothing; whether something was.
 */
bool privileges_lacking(const char *const *needs, struct strbuf *sb);
/* Bit n: names[n] is not there; of 32 at most. */
uint32_t privileges_missing(const char *const *names);

#endif
