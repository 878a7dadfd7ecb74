/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds out whether the dynamic linker loads a library into a program started with
 * LD_PRELOAD. It does not if the program has no dynamic linker, or starts with
 * privileges that its user does not have.
 */
#ifndef VIGIL_PROGRAM_OBJECTS_PRELOADING_H
#define VIGIL_PROGRAM_OBJECTS_PRELOADING_H

/*
 * Returns why a library for this processor is not loaded into the program of an
 * executable file, or of the interpreter that a script names, when this user
 * starts it: the end of a sentence ("is statically linked"). NULL: it is loaded,
 * or the file does not show it.
 */
const char *preloading_obstacle(const char *path);

#endif
