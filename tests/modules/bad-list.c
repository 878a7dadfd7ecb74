/* SPDX-License-Identifier: Apache-2.0 */
/* Module libraries that are wrong as a whole: one for each BAD_ name. */
#include <stdlib.h>
#include <unistd.h>
#include <vigil/module.h>

static int call(struct vigil_global *global, struct vigil_private *mine,
		const struct vigil_set *set)
{
	(void)set;
	if (global->what != VIGIL_LOAD)
		return VIGIL_OK;
#ifdef BAD_CRASHES
	*(volatile int *)8 = 1;
#endif
#ifdef BAD_HANGS
	for (;;)
		pause();
#endif
	mine->capabilities = VIGIL_SUPPORTER;
	return VIGIL_OK;
}

static const struct vigil_module module = {
	sizeof(module), VIGIL_MODULE_VERSION, "BAD", "", call, 0
};
static const struct vigil_module *const modules[] = {
#ifndef BAD_NOTHING
	&module,
#endif
	0
};

extern const struct vigil_module_list vigil_modules;
const struct vigil_module_list vigil_modules = {
#ifdef BAD_IDENTIFIER
	"SOMETHING ELSE",
#else
	VIGIL_MODULE_IDENTIFIER,
#endif
#ifdef BAD_VERSION
	2,
#else
	VIGIL_MODULE_VERSION,
#endif
#ifdef BAD_SIZE
	8,
#else
	sizeof(vigil_modules),
#endif
	modules
};
