/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the run time of GnuCOBOL and its functions. */
#include "agent/cobol-runtime.h"

#include <dlfcn.h>

/* The one whose structures are known. */
#define KNOWN_LIBRARY "libcob.so.4"

void *cobol_function(const char *name)
{
	static const char *const libraries[] = { KNOWN_LIBRARY, "libcob.so.5", "libcob.so.1" };
	void *library = NULL, *function = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(libraries) && !library; i++)
		library = dlopen(libraries[i], RTLD_LAZY | RTLD_NOLOAD);
	if (library) {
		function = dlsym(library, name);
		dlclose(library); /* it stays loaded: others have it open */
	}
	return function;
}

bool cobol_known(void)
{
	void *library = dlopen(KNOWN_LIBRARY, RTLD_LAZY | RTLD_NOLOAD);

	if (library)
		dlclose(library);
	return library != NULL;
}
