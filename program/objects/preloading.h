/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether the dynamic linker puts a library into a program that is started with
 * LD_PRELOAD. It does not where there is none in the program, and where the
 * program begins with rights that its user does not have.
 */
#ifndef VIGIL_PROGRAM_OBJECTS_PRELOADING_H
#define VIGIL_PROGRAM_OBJECTS_PRELOADING_H

/*
 * Why a library for this processor is not loaded into the program of an executable file, or
 * of the interpreter that a script names, when this user starts it: the end of a
 * sentence ("is statically linked"). NULL: it is loaded, or the file does not tell.
 */
const char *preloading_obstacle(const char *path);

#endif
