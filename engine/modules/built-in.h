/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Modules that come with libvigil-engine, from a folder that uses the engine. That
 * folder defines built_in_modules; linked without it, the library has none.
 */
#ifndef VIGIL_ENGINE_MODULES_BUILT_IN_H
#define VIGIL_ENGINE_MODULES_BUILT_IN_H

#include "engine/engine.h"

struct built_in_modules {
	/*
	 * Offers all of them to an operation's engine. The result is freed after it.
	 * Returns NULL with err.
	 */
	void *(*offer)(struct engine *engine, struct error *err);
	void (*free)(void *offered);
};

extern const struct built_in_modules built_in_modules __attribute__((weak));

#endif
