/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the GnuCOBOL run time and its functions. */
#include "agent/cobol-runtime.h"
#include "agent/agent-next.h"

#include <dlfcn.h>
#include <link.h>

/* The version whose structures are declared. */
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

bool cobol_find(void *function, const char *name)
{
	agent_any_function *place = function;
	void *found = __atomic_load_n(place, __ATOMIC_RELAXED);

	if (!found) {
		found = cobol_function(name);
		if (found)
			__atomic_store_n(place, found, __ATOMIC_RELAXED);
	}
	return found != NULL;
}

bool cobol_known(void)
{
	void *library = dlopen(KNOWN_LIBRARY, RTLD_LAZY | RTLD_NOLOAD);

	if (library)
		dlclose(library);
	return library != NULL;
}

static uintptr_t code_start, code_end;

/* Records the segment of an object that holds the run time's code; returns 1 when found. */
static int keep_code(struct dl_phdr_info *info, size_t size UNUSED, void *function)
{
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		uintptr_t start = info->dlpi_addr + part->p_vaddr;

		if (part->p_type != PT_LOAD || (uintptr_t)function < start ||
		    (uintptr_t)function >= start + part->p_memsz)
			continue;
		code_start = start;
		code_end = start + part->p_memsz;
		return 1;
	}
	return 0;
}

void cobol_find_code(void)
{
	void *function = cobol_function("cob_close");

	if (function && !code_end)
		dl_iterate_phdr(keep_code, function);
}

bool cobol_calls(const void *address)
{
	return (uintptr_t)address >= code_start && (uintptr_t)address < code_end;
}
