/* SPDX-License-Identifier: Apache-2.0 */
/* Combines the walk's tables for the code of one object. */
#include "common/compat.h"
#include "program/unwind/code-table.h"

#include "common/xalloc.h"

#include <elf.h>

/* Frees a table; called when the object is freed. */
static void code_table_free(struct code_table *code)
{
	routine_release(&code->routines);
	cfi_release(&code->cfi);
	frame_rows_release(&code->rows);
	free(code);
}

struct code_table *code_table_of(struct object *object)
{
	struct code_table *code;

	if (object->code || object->code_failed)
		return object->code;
	if (!object_headers(object) || object->elf_class != 64 ||
	    object->elf_machine != EM_X86_64) {
		object->code_failed = true;
		return NULL;
	}
	code = xcalloc(1, sizeof(*code));
	/* Even without functions the table is useful, for code without call-frame information. */
	cfi_init(&code->cfi, object, &code->rows);
	routine_init(&code->routines, &code->cfi);
	object->code = code;
	object->code_free = code_table_free;
	return code;
}
