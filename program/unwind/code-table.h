/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The walk's tables for the code of one object: its call-frame information and its
 * routines without any, whose rows are stored together. Created when the walk
 * first reaches an address in the object; it is attached to the object and freed
 * with it.
 */
#ifndef VIGIL_PROGRAM_UNWIND_CODE_TABLE_H
#define VIGIL_PROGRAM_UNWIND_CODE_TABLE_H

#include "program/unwind/cfi.h"
#include "program/unwind/frame-rows.h"
#include "program/unwind/routine.h"

struct code_table {
	struct frame_rows rows;
	struct cfi_table cfi;
	struct routine_table routines;
};

/* Returns the table of an object, created at the first call; NULL if the object is not readable. */
struct code_table *code_table_of(struct object *object);

#endif
