/* SPDX-License-Identifier: Apache-2.0 */
/* Ways to open a file that a process has mapped. */
#include "common/compat.h"
#include "program/objects/object-open.h"

#include "common/outside.h"
#include "common/procfs.h"
#include "common/strbuf.h"
#include "program/objects/object-notes.h"
#include "program/objects/object.h"
#include "program/objects/proc-maps.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define COMPARE_SIZE 4096

/* Reads memory by the number of a thread. */
static bool read_memory_of(pid_t tid, uint64_t address, void *buffer, size_t size)
{
	char path[PROCFS_PATH_SIZE];
	ssize_t got;
	int fd;

	if (outside_image(tid, address, buffer, size) == (ssize_t)size)
		return true;
	fd = outside_open(procfs_process(path, tid, "mem"), O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	got = outside_read_at(fd, buffer, size, (off_t)address);
	outside_close(fd);
	return got == (ssize_t)size;
}

bool object_read_memory(pid_t pid, uint64_t address, void *buffer, size_t size)
{
	pid_t heir;

	if (pid <= 0)
		return false;
	if (read_memory_of(pid, address, buffer, size))
		return true;
	heir = procfs_heir(pid);
	return heir && read_memory_of(heir, address, buffer, size);
}

/* Finds the mapping of pid that begins at start; returns false if there is none. */
static bool find_region(pid_t pid, uint64_t start, struct proc_region *found)
{
	struct proc_maps maps;
	bool ok = false;

	if (proc_maps_read(&maps, pid, NULL) < 0)
		return false;
	while (!ok && proc_maps_next(&maps, found))
		ok = start >= found->start && start < found->end;
	proc_maps_release(&maps);
	return ok;
}

/* Returns whether fd contains the bytes that pid has mapped in region. */
static bool same_bytes(int fd, pid_t pid, const struct proc_region *region)
{
	unsigned char mapped[COMPARE_SIZE], file[COMPARE_SIZE];
	ssize_t got = pread(fd, file, sizeof(file), (off_t)region->offset);

	if (got < 64 || region->writable)
		return false;
	return object_read_memory(pid, region->start, mapped, (size_t)got) &&
	       memcmp(mapped, file, (size_t)got) == 0;
}

/* Returns whether fd is the mapped file: by inode, or by content on stacked file systems. */
static bool is_mapped_file(int fd, dev_t device, ino_t inode, pid_t pid, uint64_t start)
{
	struct proc_region region;
	struct stat st;

	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return false;
	if (inode == 0)
		return true;
	/* btrfs and overlayfs report another device number to stat than to the memory map. */
	if (st.st_ino == inode)
		return true;
	(void)device;
	return find_region(pid, start, &region) && same_bytes(fd, pid, &region);
}

/* Opens path if it is the mapped file. */
static int open_verified(const char *path, dev_t device, ino_t inode, pid_t pid, uint64_t start)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0 || is_mapped_file(fd, device, inode, pid, start))
		return fd;
	close(fd);
	return -1;
}

/* Opens through /proc/PID/map_files, which also leads to deleted files but needs a privilege. */
static int open_map_files(pid_t pid, uint64_t start)
{
	struct proc_region region;
	char path[PROCFS_PATH_SIZE], name[64];

	if (!find_region(pid, start, &region))
		return -1;
	snprintf(name, sizeof(name), "map_files/%" PRIx64 "-%" PRIx64, region.start, region.end);
	return open(procfs_living_process(path, pid, name), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

/* Opens /proc/PID/exe if it is the file: works for an executable that was deleted since. */
static int open_exe(pid_t pid, dev_t device, ino_t inode, uint64_t start)
{
	char path[PROCFS_PATH_SIZE];

	procfs_living_process(path, pid, "exe");
	return inode ? open_verified(path, device, inode, pid, start) : -1;
}

/* Opens the file by one way after the other. */
static int open_file(const char *path, bool deleted, dev_t device, ino_t inode, pid_t pid, uint64_t start)
{
	struct strbuf rooted = STRBUF_INIT;
	char process_root[PROCFS_PATH_SIZE];
	int fd = -1;

	if (!deleted) {
		strbuf_addf(&rooted, "%s%s", procfs_living_process(process_root, pid, "root"), path);
		fd = open_verified(rooted.text, device, inode, pid, start);
		strbuf_release(&rooted);
		/* The process may have ended since: then look for its files here. */
		if (fd < 0)
			fd = open_verified(path, device, inode, pid, start);
	}
	if (fd < 0)
		fd = open_exe(pid, device, inode, start);
	if (fd < 0)
		fd = open_map_files(pid, start);
	return fd;
}

int object_open_file(const char *path, bool deleted, dev_t device, ino_t inode, pid_t pid,
		     uint64_t start, bool *stands_in)
{
	struct outside *session;
	int fd;

	if (object_recall_file(path, &fd, stands_in))
		return fd;
	*stands_in = false;
	session = outside_step_aside();
	fd = open_file(path, deleted, device, inode, pid, start);
	outside_step_back(session);
	object_note_file(path, fd);
	return fd;
}

/* Finds the address at which the file mapped at start has its first page (file offset 0). */
static bool find_base(pid_t pid, uint64_t start, uint64_t *base)
{
	struct proc_region region, first = { 0 };
	struct proc_maps maps;
	bool found = false;

	if (proc_maps_read(&maps, pid, NULL) < 0)
		return false;
	while (!found && proc_maps_next(&maps, &region)) {
		if (region.offset == 0 && region.inode != 0)
			first = region;
		found = start >= region.start && start < region.end;
	}
	proc_maps_release(&maps);
	*base = first.start;
	return found && first.end != 0 && first.inode == region.inode &&
	       first.device == region.device;
}

/*
 * Finds the lowest and highest address of the loaded segments; returns false if
 * the headers are not plausible.
 */
static bool loaded_extent(const Elf64_Phdr *headers, unsigned count, uint64_t *low, uint64_t *high)
{
	*low = UINT64_MAX;
	*high = 0;
	for (unsigned i = 0; i < count; i++) {
		uint64_t end = headers[i].p_vaddr + headers[i].p_filesz;

		if (headers[i].p_type != PT_LOAD)
			continue;
		if (end < headers[i].p_vaddr)
			return false;
		if ((headers[i].p_vaddr & ~UINT64_C(4095)) < *low)
			*low = headers[i].p_vaddr & ~UINT64_C(4095);
		if (end > *high)
			*high = end;
	}
	return *low < *high;
}

/* Copies the segments that are not writable; unreadable parts stay zero. */
static void copy_segments(pid_t pid, uint64_t base, uint64_t low, const Elf64_Phdr *headers,
			  unsigned count, unsigned char *image)
{
	for (unsigned i = 0; i < count; i++) {
		uint64_t at = headers[i].p_vaddr - low;

		if (headers[i].p_type != PT_LOAD || (headers[i].p_flags & PF_W))
			continue;
		object_read_memory(pid, base + at, image + at, (size_t)headers[i].p_filesz);
	}
}

void *object_copy_mapped(pid_t pid, uint64_t start, uint64_t limit, size_t *size)
{
	Elf64_Phdr headers[64];
	Elf64_Ehdr header;
	uint64_t base, low, high;
	void *image;

	if (!find_base(pid, start, &base) ||
	    !object_read_memory(pid, base, &header, sizeof(header)) ||
	    memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
	    header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phnum == 0 ||
	    header.e_phnum > ARRAY_SIZE(headers) || header.e_phentsize != sizeof(headers[0]) ||
	    !object_read_memory(pid, base + header.e_phoff, headers,
				header.e_phnum * sizeof(headers[0])) ||
	    !loaded_extent(headers, header.e_phnum, &low, &high) || high - low > limit)
		return NULL;
	image = mmap(NULL, (size_t)(high - low), PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (image == MAP_FAILED)
		return NULL;
	copy_segments(pid, base, low, headers, header.e_phnum, image);
	*size = (size_t)(high - low);
	return image;
}
