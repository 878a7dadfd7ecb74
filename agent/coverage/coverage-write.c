/* SPDX-License-Identifier: Apache-2.0 */
/* Writes into the process's memory, also where that is read-only. */
#include "agent/coverage/coverage-agent.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#define PAGE UINT64_C(4096)

static struct coverage_process no_process;
struct coverage_process *coverage_process = &no_process;

/*
 * Lowest number of the descriptor kept open, so that a program that expects the
 * lowest free ones gets them.
 */
#define MEMORY_LOWEST 900

void coverage_process_begin(void)
{
	void *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page != MAP_FAILED && madvise(page, PAGE, MADV_WIPEONFORK) == 0)
		coverage_process = page;
}

/* Returns the descriptor that is kept open; below 0: there is none. */
static long kept_memory(void)
{
	struct stat status;
	uint64_t fd = __atomic_load_n(&coverage_process->fd, __ATOMIC_ACQUIRE);

	if (!fd || coverage_call(SYS_fstat, (long)fd - 1, (long)&status, 0, 0) ||
	    status.st_ino != coverage_process->inode || status.st_dev != coverage_process->device)
		return -1;
	return (long)fd - 1;
}

/* Keeps a duplicate of a descriptor of the memory open. */
static void keep_memory(long fd)
{
	struct stat status;
	long high;

	if (coverage_process == &no_process || coverage_call(SYS_fstat, fd, (long)&status, 0, 0))
		return;
	high = coverage_call(SYS_fcntl, fd, F_DUPFD_CLOEXEC, MEMORY_LOWEST, 0);
	if (high < 0)
		return;
	coverage_process->inode = status.st_ino;
	coverage_process->device = status.st_dev;
	__atomic_store_n(&coverage_process->fd, (uint64_t)high + 1, __ATOMIC_RELEASE);
}

/* Writes through the process's memory file; returns false if that is not possible. */
static bool write_memory(uint64_t address, const void *bytes, size_t size)
{
	long fd = kept_memory(), opened = -1, written;

	if (fd < 0)
		fd = opened = coverage_call(SYS_openat, AT_FDCWD, (long)"/proc/self/mem",
					    O_RDWR | O_CLOEXEC, 0);
	if (fd < 0)
		return false;
	written = coverage_call(SYS_pwrite64, fd, (long)bytes, (long)size, (long)address);
	if (opened >= 0) {
		keep_memory(opened);
		coverage_call(SYS_close, opened, 0, 0, 0);
	}
	return written == (long)size;
}

void coverage_write_data(uint64_t address, const void *bytes, size_t size)
{
	write_memory(address, bytes, size);
}

bool coverage_write(uint64_t address, const void *bytes, size_t size)
{
	uint64_t page = address & ~(PAGE - 1);

	if (write_memory(address, bytes, size))
		return true;
	if (coverage_call(SYS_mprotect, (long)page, (long)(address + size - page),
			  PROT_READ | PROT_WRITE | PROT_EXEC, 0) < 0)
		return false;
	for (size_t i = 0; i < size; i += COVERAGE_BREAK_SIZE)
		memcpy((char *)address + i, (const char *)bytes + i, COVERAGE_BREAK_SIZE);
	__builtin___clear_cache((char *)address, (char *)address + size);
	return true;
}
