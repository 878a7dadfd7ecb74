/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Modules that come with libvigil-engine, from a room that knows the engine.
 * It defines built_in_modules; linked without it, the library has none.
 */
#ifndef VIGIL_ENGINE_MODULES_BUILT_IN_H
#define VIGIL_ENGINE_MODULES_BUILT_IN_H

#include "engine/engine.h"

struct built_in_modules {
	/*
	 * Offers all to an operation's engine; what is returned is freed after it. NULL
	 * with err.
	 */
	void *(*offer)(struct engine *engine, struct error *err);
	void (*free)(void *offered);
};

extern const struct built_in_modules built_in_modules __attribute__((weak));

#endif
