/* SPDX-License-Identifier: Apache-2.0 */
/* Finds which objects the loader has mapped. */
#include "agent/coverage/coverage-agent.h"

#include <link.h>
#include <sys/syscall.h>
#include <unistd.h>

static char program[PATH_MAX];

/* Gets the absolute path of an object of the loader; returns false if it is no file. */
static bool find_path(const struct link_map *map, char whole[PATH_MAX])
{
	const char *name = map->l_name;
	size_t length, folder = 0;

	if (!*name)
		name = program;
	length = strlen(name);
	if (!strchr(name, '/') || length + 2 > PATH_MAX)
		return false;
	if (*name != '/') {
		if (syscall(SYS_getcwd, whole, PATH_MAX) <= 0)
			return false;
		folder = strlen(whole);
		if (folder + length + 2 > PATH_MAX)
			return false;
		whole[folder++] = '/';
	}
	memcpy(whole + folder, name, length + 1);
	return true;
}

/*
 * Counts a process whose loader has objects in other namespaces (dlmopen). They
 * have their own C library, whose signal calls are not intercepted, so a
 * breakpoint might occur while SIGTRAP is blocked.
 */
static void look_for_namespaces(void)
{
	/* Layout of the loader since version 2 of r_debug; older headers do not declare it. */
	struct extended {
		struct r_debug base;
		const struct extended *next;
	} const *at;
	const struct r_debug *debug = &_r_debug;
	static bool noted;

	if (noted || debug->r_version < 2)
		return;
	/* Hides from the compiler that the declared r_debug ends earlier. */
	__asm__("" : "=r"(at) : "0"(debug));
	for (at = at->next; at && !noted; at = at->next)
		noted = at->base.r_map != NULL;
	if (noted)
		__atomic_fetch_add(&coverage_area->other_namespaces, 1, __ATOMIC_RELAXED);
}

void coverage_scan(void)
{
	char whole[PATH_MAX];

	look_for_namespaces();

	coverage_objects_begin();
	for (const struct link_map *map = _r_debug.r_map; map; map = map->l_next) {
		/*
		 * The program is the first one; its name is empty. Others without a name are no
		 * files.
		 */
		if ((*map->l_name || map == _r_debug.r_map) && find_path(map, whole))
			coverage_object_add(whole, map->l_addr);
	}
	coverage_objects_end();
}

void coverage_scan_begin(void)
{
	ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);

	program[length > 0 ? length : 0] = '\0';
	coverage_scan();
}
