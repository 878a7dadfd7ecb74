/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps input files in memory and reuses them, so that an input does not need a new file. */
#include "common/compat.h"
#include "common/test-input.h"

#include <sys/mman.h>
#include <unistd.h>

const char *test_input(unsigned number, const void *data, size_t size)
{
	static struct {
		int fd;
		char path[32];
	} files[TEST_INPUTS];

	if (number >= TEST_INPUTS)
		abort();
	if (!files[number].path[0]) {
		files[number].fd = memfd_create("input", MFD_CLOEXEC);
		snprintf(files[number].path, sizeof(files[number].path), "/proc/self/fd/%d",
			 files[number].fd);
	}
	/* A reader can have moved only the position of its private descriptor. */
	if (ftruncate(files[number].fd, 0) < 0 ||
	    pwrite(files[number].fd, data, size, 0) != (ssize_t)size)
		abort();
	return files[number].path;
}
