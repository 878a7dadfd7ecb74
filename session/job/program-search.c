/* SPDX-License-Identifier: Apache-2.0 */
/* Searches programs in folders and among the utilities. */
#include "common/compat.h"
#include "session/job/program-search.h"
#include "common/xalloc.h"

#include <ctype.h>
#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* The file in the utilities' folder for each program name. */
static const struct utility {
	const char *name, *file;
} utilities_table[] = {
	{ "IEFBR14", "iefbr14" },   { "IEBGENER", "iebgener" }, { "ICEGENER", "iebgener" },
	{ "SORT", "sort" },	    { "ICEMAN", "sort" },	{ "DFSORT", "sort" },
	{ "IDCAMS", "idcams" },	    { "IEBCOPY", "iebcopy" },	{ "IEBUPDTE", "iebupdte" },
	{ "IEHPROGM", "iehprogm" }, { "BPXBATCH", "bpxbatch" }, { "BPXBATSL", "bpxbatch" },
	{ "AOPBATCH", "bpxbatch" }, { "VIGIL", "vigil" },	{ "IKJEFT01", "ikjeft01" },
	{ "IKJEFT1A", "ikjeft01" }, { "IKJEFT1B", "ikjeft01" }, { "IGYCRCTL", "igycrctl" },
	{ "IEWL", "iewl" },	    { "HEWL", "iewl" },		{ "IEWBLINK", "iewl" },
	{ "LINKEDIT", "iewl" },
};

/*
 * Returns whether a file is a shared object that cannot be started: a COBOL
 * module, whatever its name, as a compile step puts it into a load library.
 */
static bool is_module(const char *path)
{
	size_t length = strlen(path);
	Elf64_Ehdr header;
	bool module;
	int fd;

	if (length > 3 && strcmp(path + length - 3, ".so") == 0)
		return true;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return false;
	module = read(fd, &header, sizeof(header)) == (ssize_t)sizeof(header) &&
		 memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_type == ET_DYN &&
		 header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_entry == 0;
	close(fd);
	return module;
}

bool search_file(struct program *program, const char *path)
{
	struct stat info;
	bool module;

	if (stat(path, &info) < 0 || !S_ISREG(info.st_mode))
		return false;
	module = is_module(path);
	if (access(path, module ? R_OK : X_OK) == 0)
		program->kind = module ? PROGRAM_MODULE : PROGRAM_FILE;
	else if (program->kind == PROGRAM_MISSING)
		program->kind = PROGRAM_NOT_EXECUTABLE;
	else
		return false;
	free(program->path);
	program->path = xstrdup(path);
	return program->kind != PROGRAM_NOT_EXECUTABLE;
}

bool search_folder(struct program *program, const char *folder, const char *name)
{
	static const char *const suffixes[] = { "", ".so" };
	struct strbuf path = STRBUF_INIT;
	bool found = false;

	for (size_t form = 0; form < 4 && !found; form++) {
		strbuf_reset(&path);
		strbuf_addf(&path, "%s/", folder);
		for (const char *at = name; *at; at++)
			strbuf_addch(&path, form & 1 ? (char)tolower((unsigned char)*at) : *at);
		strbuf_addstr(&path, suffixes[form / 2]);
		found = search_file(program, path.text);
	}
	strbuf_release(&path);
	return found;
}

bool search_folders(struct program *program, const char *folders, const char *name)
{
	char *copy = xstrdup(folders), *rest = copy, *folder;
	bool found = false;

	while (!found && (folder = strsep(&rest, ":")))
		found = *folder && search_folder(program, folder, name);
	free(copy);
	return found;
}

bool search_utilities(struct program *program, const char *utilities, const char *name)
{
	struct strbuf path = STRBUF_INIT;
	bool found = false;

	for (size_t i = 0; utilities && i < ARRAY_SIZE(utilities_table) && !found; i++) {
		if (strcmp(utilities_table[i].name, name) != 0)
			continue;
		strbuf_addf(&path, "%s/%s", utilities, utilities_table[i].file);
		found = search_file(program, path.text);
		if (found)
			program->kind = PROGRAM_UTILITY;
	}
	strbuf_release(&path);
	return found;
}

void search_end(struct program *program, const char *utilities)
{
	struct strbuf driver = STRBUF_INIT;

	if (program->kind != PROGRAM_MODULE)
		return;
	if (utilities) {
		strbuf_addf(&driver, "%s/cobol-step", utilities);
		if (access(driver.text, X_OK) == 0)
			program->driver = strbuf_detach(&driver, NULL);
	}
	if (!program->driver)
		program->kind = PROGRAM_NOT_EXECUTABLE;
	strbuf_release(&driver);
}

void program_release(struct program *program)
{
	free(program->path);
	free(program->driver);
	*program = (struct program){ .kind = PROGRAM_MISSING };
}
