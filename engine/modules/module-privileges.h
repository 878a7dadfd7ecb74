/* SPDX-License-Identifier: Apache-2.0 */
/* Checks whether this process has the privileges that modules name. */
#ifndef VIGIL_ENGINE_MODULES_MODULE_PRIVILEGES_H
#define VIGIL_ENGINE_MODULES_MODULE_PRIVILEGES_H

#include "common/strbuf.h"

/*
 * Returns whether a privilege is held: a capability as in capabilities(7)
 * ("CAP_SYS_PTRACE"), "root", or the path of a file that must be readable. An
 * unknown name counts as not held.
 */
bool privilege_is_there(const char *name);
/* Returns whether a name is valid. */
bool privilege_is_known(const char *name);
/*
 * Appends why a module that needs these is not started, "it needs X, which is not
 * there", or nothing. Returns whether something was appended.
 */
bool privileges_lacking(const char *const *needs, struct strbuf *sb);
/* Returns a mask: bit n: names[n] is not held; at most 32 names are checked. */
uint32_t privileges_missing(const char *const *names);

#endif
