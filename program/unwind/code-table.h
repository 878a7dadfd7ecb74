/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the walk knows of one object's code: its call-frame information and
 * its routines without any, which both keep their rows in one place. Made
 * when the first address in the object is walked through; it hangs on the
 * object and goes with it.
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

/* The table of an object, made when it is first asked for; NULL when the object cannot be read. */
struct code_table *code_table_of(struct object *object);

#endif
