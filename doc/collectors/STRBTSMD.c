/* SPDX-License-Identifier: Apache-2.0 */
/*
 * STRBTSMD - example of a data collector: modules of a program that loads its code
 * itself (tsmdrivr.c).
 *
 * vigil takes the module of a sample from the files that are mapped into the
 * program. Code that a program copied into anonymous memory has no file: without
 * this collector it is reported as .PRIVATE. TSM keeps a block for each program it
 * has loaded; the collector follows the chain of blocks until one contains the
 * sampled address, and returns its name, start and length.
 *
 *	vigil-config --build STRBTSMD.c
 *
 * The name begins as tsmdrivr does, so that vigil finds it for that program in the
 * folder that DCCLIB names.
 */
#include <vigil/collector.h>

#include <string.h>

#include "tsm.h"

/* More blocks than this are a cycle or garbage. Each costs a read, and the call must be fast. */
#define CHAIN_MAX 256
/* A longer program is not plausible. */
#define LENGTH_MAX (UINT64_C(1) << 30)

/* Called for this program only; case does not matter. */
static const char *const programs[] = { "TSMDRIVR", NULL };

/* Modules TSM... are the loader's own: one section .TSMSYST of module .SYSTEM for them all. */
static const struct vigil_pseudo_section pseudo_sections[] = {
	{ "TSMSYST", "TSM" },
	{ NULL, NULL },
};

/*
 * Returns the address of the anchor block, to which a variable of the program
 * points. The symbol is looked up at each call, because it is rarely needed twice;
 * STRBDC1 shows how to cache it. For a program that keeps its anchor in a
 * register, use area->task->registers[3] (rbx).
 */
static uint64_t find_anchor(const struct vigil_communication *area)
{
	uint64_t variable = vigil_symbol_address(area, "tsmdrivr*", "tsmanch");

	return variable ? vigil_pointer(area, variable) : 0;
}

/* Reads a whole block in one copy; false unless it has its eye-catcher. */
static int read_block(const struct vigil_communication *area, uint64_t address,
		      struct tsmprog *program)
{
	return vigil_read(area, address, program, sizeof(*program)) == sizeof(*program) &&
	       memcmp(program->eye, TSMPROG_EYE, sizeof(program->eye)) == 0 &&
	       program->length <= LENGTH_MAX;
}

/*
 * Sets the module name without its blanks; it is stored in the work area, where it
 * stays until the next call.
 */
static void name_module(struct vigil_communication *area, const struct tsmprog *program)
{
	char *name = (char *)area->work_area;
	size_t length = sizeof(program->name);

	while (length > 0 && program->name[length - 1] == ' ')
		length--;
	memcpy(name, program->name, length);
	name[length] = '\0';
	area->base = program->address;
	area->size = program->length;
	area->module = name;
}

static enum vigil_outcome entry(struct vigil_communication *area)
{
	struct tsmanch anchor;
	struct tsmprog program, again;
	uint64_t block;

	/* The module is already named, or there is no address to look up. */
	if (area->module || !area->address)
		return VIGIL_DONE;
	if (vigil_read(area, find_anchor(area), &anchor, sizeof(anchor)) != sizeof(anchor) ||
	    memcmp(anchor.eye, TSMANCH_EYE, sizeof(anchor.eye)) != 0)
		return VIGIL_NOT_MINE;

	block = (uint64_t)(uintptr_t)anchor.first;
	for (int count = 0; block && count < CHAIN_MAX; count++) {
		/*
		 * The program continues while its memory is read. A block may have been freed and
		 * reused since the pointer to it was read. The result would be nonsense, so report
		 * that instead.
		 */
		if (!read_block(area, block, &program))
			return VIGIL_TORN;
		if (area->address - program.address < program.length) {
			if (!read_block(area, block, &again) ||
			    memcmp(&program, &again, sizeof(program)) != 0)
				return VIGIL_TORN;
			name_module(area, &program);
			return VIGIL_DONE;
		}
		block = (uint64_t)(uintptr_t)program.next;
	}
	/* A chain without an end is torn, too. One that ended does not contain the address. */
	return block ? VIGIL_TORN : VIGIL_DONE;
}

VIGIL_COLLECTOR("STRBTSMD", "G-00", VIGIL_PROMPT, pseudo_sections, programs, entry);
