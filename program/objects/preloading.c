/* SPDX-License-Identifier: Apache-2.0 */
/* Finds out why nothing can be preloaded into a program. */
#include "common/compat.h"
#include "program/objects/preloading.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#ifdef __x86_64__
#define NATIVE_MACHINE EM_X86_64
#elif defined(__aarch64__)
#define NATIVE_MACHINE EM_AARCH64
#endif
/* The kernel's limit on nested script interpreters. */
#define INTERPRETERS 4

/* Returns whether the program's file gives it privileges that this user does not have. */
static bool gives_rights(int fd)
{
	struct stat status;

	RETURN_IF(fstat(fd, &status) < 0, false);
	if ((status.st_mode & S_ISUID) && status.st_uid != getuid())
		return true;
	if ((status.st_mode & S_ISGID) && status.st_gid != getgid())
		return true;
	return getuid() != 0 && fgetxattr(fd, "security.capability", NULL, 0) > 0;
}

/* Returns whether the file names a dynamic linker; true if it is not readable. */
static bool has_linker(int fd, const Elf64_Ehdr *header)
{
	for (unsigned i = 0; i < header->e_phnum; i++) {
		Elf64_Phdr segment;
		off_t at = (off_t)(header->e_phoff + (uint64_t)i * header->e_phentsize);

		if (pread(fd, &segment, sizeof(segment), at) != (ssize_t)sizeof(segment) ||
		    segment.p_type == PT_INTERP)
			return true;
	}
	return false;
}

static const char *obstacle_in(int fd)
{
	Elf64_Ehdr header;

	if (gives_rights(fd))
		return "gets privileges that its user does not have (set-user-ID, set-group-ID or "
		       "capabilities)";
	if (pread(fd, &header, sizeof(header), 0) != (ssize_t)sizeof(header) ||
	    memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
		return NULL;
	if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != NATIVE_MACHINE)
		return "is built for another type of processor";
	return has_linker(fd, &header) ? NULL : "is statically linked";
}

/* Reads the interpreter in the first line of a script; returns false if it is not a script. */
static bool interpreter_of(int fd, char *path, size_t size)
{
	ssize_t length = pread(fd, path, size - 1, 0);
	char *from = path + 2;

	if (length < 2)
		return false;
	path[length] = '\0';
	if (path[0] != '#' || path[1] != '!')
		return false;
	from += strspn(from, " \t");
	from[strcspn(from, " \t\n")] = '\0';
	memmove(path, from, strlen(from) + 1);
	return *path;
}

const char *preloading_obstacle(const char *path)
{
	const char *why = NULL;
	char interpreter[256];
	bool script = true;

	for (int i = 0; i <= INTERPRETERS && script; i++) {
		int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

		if (fd < 0)
			break;
		script = interpreter_of(fd, interpreter, sizeof(interpreter));
		if (!script)
			why = obstacle_in(fd);
		path = interpreter;
		close(fd);
	}
	return why;
}
