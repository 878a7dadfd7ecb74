/* SPDX-License-Identifier: Apache-2.0 */
/* Plants breakpoints into running processes. */
#include "common/compat.h"
#include "events/coverage-plant.h"
#include "common/path.h"
#include "common/procfs.h"
#include "program/objects/proc-maps.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Finds the object in a process; *base: address in memory - address in the object. */
static bool find_base(pid_t pid, const struct stat *area, const struct coverage_served *served,
		      uint64_t *base)
{
	bool watched = false, found = false;
	struct error err = ERROR_INIT;
	struct proc_region region;
	struct proc_maps maps;

	if (proc_maps_read(&maps, pid, &err) == 0) {
		while (proc_maps_next(&maps, &region)) {
			int64_t bias;

			watched |= region.inode == area->st_ino &&
				   strncmp(region.path, "/memfd:vigil-coverage", 21) == 0;
			if (!region.executable || region.inode != served->inode ||
			    strcmp(path_base(region.path), served->plan.object) != 0 ||
			    !object_bias(served->file, region.offset, &bias))
				continue;
			*base = region.start - region.offset - (uint64_t)bias;
			found = true;
		}
		proc_maps_release(&maps);
	}
	error_release(&err);
	return watched && found;
}

/* Plants into one process, whose memory is open. */
static void plant(int memory, const struct coverage_served *served, uint64_t base)
{
	const struct coverage_plan *plan = &served->plan;
	const uint32_t planted = COVERAGE_BREAK;

	for (size_t i = 0; i < plan->address_count; i++) {
		off_t address = (off_t)(base + plan->addresses[i]);
		uint32_t now = 0;

		if (coverage_served_executed(served, (uint32_t)i) ||
		    plan->bytes[i] == COVERAGE_BREAK)
			continue;
		if (pread(memory, &now, COVERAGE_BREAK_SIZE, address) == COVERAGE_BREAK_SIZE &&
		    now == plan->bytes[i] &&
		    pwrite(memory, &planted, COVERAGE_BREAK_SIZE, address) < 0)
			return;
	}
}

static void plant_process(pid_t pid, const struct stat *area, const struct coverage_served *served)
{
	char path[PROCFS_PATH_SIZE];
	uint64_t base = 0;
	int memory;

	if (!find_base(pid, area, served, &base))
		return;
	memory = open(procfs_living_process(path, pid, "mem"), O_RDWR | O_CLOEXEC);
	if (memory < 0)
		return;
	plant(memory, served, base);
	close(memory);
}

void coverage_plant(int area, const struct coverage_served *served)
{
	struct procfs_numbers walk;
	struct stat status;
	long pid;

	if (fstat(area, &status) < 0)
		return;
	procfs_processes(&walk);
	while ((pid = procfs_next_number(&walk)) >= 0)
		if (pid != getpid())
			plant_process((pid_t)pid, &status, served);
}
