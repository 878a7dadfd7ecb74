/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Folds deep recursion: of functions that call each other repeatedly only two
 * cycles are kept, so that a stack still shows the first caller, and stacks of
 * different depths are the same.
 */
#ifndef VIGIL_PROGRAM_UNWIND_RECURSION_H
#define VIGIL_PROGRAM_UNWIND_RECURSION_H

#include "program/unwind/unwind.h"

/* Maximum number of calls in a cycle that is recognized. */
#define RECURSION_LONGEST 8

/* Folds count frames, innermost first; returns how many are left. */
size_t recursion_fold(struct unwind_frame *frames, size_t count);

#endif
