/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzzes the readers of /proc: any bytes as any of the files of a process must
 * give numbers or an error, and mappings with terminated paths.
 */
#include "common/compat.h"
#include "common/procfs.h"
#include "common/test-input.h"
#include "program/objects/proc-maps.h"

#include <sys/stat.h>
#include <unistd.h>

#define PID 7

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char root[] = "/tmp/vigil-fuzz-XXXXXX";
static const char *const folders[] = { "proc", "proc/7", "proc/7/fdinfo", "proc/7/task",
				       "proc/7/task/7" };
static const char *const files[] = {
	"stat",		  "status",	    "comm",	   "io",	  "statm",
	"maps",		  "fdinfo/3",	    "task/7/stat", "task/7/comm", "task/7/schedstat",
	"task/7/syscall", "task/7/children"
};

static void file_path(char path[PROCFS_PATH_SIZE], const char *name)
{
	snprintf(path, PROCFS_PATH_SIZE, "%s/proc/7/%s", root, name);
}

static void remove_root(void)
{
	char path[PROCFS_PATH_SIZE];

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		file_path(path, files[i]);
		unlink(path);
	}
	for (size_t i = ARRAY_SIZE(folders); i-- > 0;) {
		snprintf(path, sizeof(path), "%s/%s", root, folders[i]);
		rmdir(path);
	}
	rmdir(root);
}

/* Makes a /proc of one process whose files are all links to one file in memory. */
static void make_root(const char *input)
{
	char path[PROCFS_PATH_SIZE];

	if (!mkdtemp(root))
		abort();
	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		snprintf(path, sizeof(path), "%s/%s", root, folders[i]);
		if (mkdir(path, 0700) < 0)
			abort();
	}
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		file_path(path, files[i]);
		if (symlink(input, path) < 0)
			abort();
	}
	atexit(remove_root);
	procfs_set_root(root);
}

static void read_maps(void)
{
	struct proc_region region;
	struct proc_maps maps;
	size_t length = 0;

	if (proc_maps_read(&maps, PID, NULL) < 0)
		return;
	while (proc_maps_next(&maps, &region))
		length += strlen(region.path);
	if (length > maps.text.length)
		abort();
	proc_maps_release(&maps);
}

static void read_numbers(void)
{
	struct procfs_children children;
	struct procfs_schedule schedule;
	struct procfs_position position;
	struct procfs_memory memory;
	struct procfs_stat stat;
	struct procfs_call call;
	struct procfs_io io;
	char name[PROCFS_NAME_SIZE];

	if (procfs_stat(PID, &stat) && strlen(stat.name) >= sizeof(stat.name))
		abort();
	procfs_state(PID, PID);
	procfs_name(PID, PID, name, sizeof(name));
	if (strlen(name) >= sizeof(name))
		abort();
	procfs_number(PID, "PPid:");
	procfs_inner_pid(PID);
	procfs_io(PID, &io);
	procfs_memory(PID, &memory);
	procfs_schedule(PID, PID, &schedule);
	procfs_call(PID, PID, &call);
	procfs_position(PID, 3, &position);
	procfs_children(&children, PID);
	while (procfs_next_child(&children) >= 0)
		;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *input = test_input(0, data, size);
	static bool made;

	if (!made)
		make_root(input);
	made = true;
	read_numbers();
	read_maps();
	return 0;
}
