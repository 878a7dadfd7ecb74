/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether others could have changed a file, or put another in its place.
 *
 * Root and the user who measures are trusted, for root only root. A file or
 * folder is refused when it belongs to somebody else, when everybody can
 * write to it, or when a group can, unless that is the group of one of the
 * trusted (it has his name) and nobody else is in it. The same holds for all
 * folders above it, up to the root of the file system; what is in a sticky one,
 * such as /tmp, can be replaced by its owner alone, so only that is looked at.
 */
#ifndef VIGIL_COMMON_TRUST_H
#define VIGIL_COMMON_TRUST_H

/* Why a file or folder is refused; NULL when it is not, or is not there. The path is absolute and
   has no links. */
char *trust_refuse(const char *path);

#endif
