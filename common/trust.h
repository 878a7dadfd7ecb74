/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds out whether other users could have changed a file, or replaced it.
 *
 * Root and the measuring user are trusted; for root, only root. A file or folder
 * is refused if it belongs to another user, if everybody can write to it, or if a
 * group can, unless that is the private group of a trusted user (it has the user's
 * name and no other members). The same holds for all folders above it, up to the
 * root of the file system; the contents of a sticky one, such as /tmp, can be
 * replaced only by their owner and its owner, so only its owner is checked.
 */
#ifndef VIGIL_COMMON_TRUST_H
#define VIGIL_COMMON_TRUST_H

/*
 * Returns why a file or folder is refused (the caller frees it); NULL if it is not
 * refused or does not exist. The path is absolute and contains no links.
 */
char *trust_refuse(const char *path);

#endif
