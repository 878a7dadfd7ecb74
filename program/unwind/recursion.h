/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Deep recursion: functions that call each other again and again are kept
 * twice, so that a stack shows who began it, and stacks of other depths are the
 * same one.
 */
#ifndef VIGIL_PROGRAM_UNWIND_RECURSION_H
#define VIGIL_PROGRAM_UNWIND_RECURSION_H

#include "program/unwind/unwind.h"

/* Calls of a round that is recognized. */
#define RECURSION_LONGEST 8

/* Fold count frames, innermost first; returns how many are left. */
size_t recursion_fold(struct unwind_frame *frames, size_t count);

#endif
