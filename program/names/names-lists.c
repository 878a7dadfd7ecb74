/* SPDX-License-Identifier: Apache-2.0 */
/* Reads perf maps and the kernel's list of symbols. */
#include "common/compat.h"
#include "program/names/names-lists.h"
#include "common/procfs.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_LIST_SIZE (256U << 20)

void symbol_list_init(struct symbol_list *list)
{
	symbol_table_init(&list->table);
	strbuf_init(&list->text);
}

void symbol_list_release(struct symbol_list *list)
{
	symbol_table_release(&list->table);
	strbuf_release(&list->text);
}

/*
 * Returns the next line of a text, terminated; NULL at the end. The last line need
 * not end with a newline.
 */
static char *next_line(char **at, char *end)
{
	char *line = *at, *newline;

	if (line >= end)
		return NULL;
	newline = memchr(line, '\n', (size_t)(end - line));
	if (newline)
		*newline = '\0';
	*at = newline ? newline + 1 : end;
	return line;
}

/* Parses "START SIZE NAME", numbers in hex with or without 0x. */
static void add_map_line(struct symbol_list *list, char *line)
{
	struct symbol symbol = { .section = "", .sized = true, .rank = SYMBOL_GLOBAL };
	char *after_start, *after_size;

	symbol.start = strtoull(line, &after_start, 16);
	if (after_start == line || *after_start != ' ')
		return;
	symbol.size = strtoull(after_start, &after_size, 16);
	if (after_size == after_start || *after_size != ' ' || !symbol.size ||
	    symbol.start + symbol.size < symbol.start)
		return;
	symbol.name = after_size + strspn(after_size, " ");
	if (symbol.name[0])
		symbol_table_add(&list->table, &symbol);
}

/*
 * Of overlapping entries the one written later is the newer code: shortens the
 * older ones to end where it begins. Entries are sorted by start.
 */
static void drop_overlaps(struct symbol_table *table)
{
	for (size_t i = 0; i + 1 < table->count; i++) {
		struct symbol *symbol = &table->items[i];

		if (symbol->start + symbol->size > symbol[1].start)
			symbol->size = symbol[1].start - symbol->start;
	}
}

bool symbol_list_read_map(struct symbol_list *list, int fd)
{
	struct stat status;
	char *at, *line;
	bool read = !fstat(fd, &status) && S_ISREG(status.st_mode) &&
		    status.st_size <= MAX_LIST_SIZE && !strbuf_read_fd(&list->text, fd);

	close(fd);
	if (!read)
		return false;
	at = list->text.text;
	while ((line = next_line(&at, list->text.text + list->text.length)))
		add_map_line(list, line);
	symbol_table_sort(&list->table);
	drop_overlaps(&list->table);
	return true;
}

/* Opens a perf map that must belong to owner. */
static int open_map(const char *path, uid_t owner, struct strbuf *why)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW);
	struct stat status;

	if (fd < 0) {
		strbuf_addf(why, "code generated at run time, without a perf map %s", path);
		return -1;
	}
	if (fstat(fd, &status) || status.st_uid != owner) {
		strbuf_addf(why, "%s is not used: it belongs to another user", path);
		close(fd);
		return -1;
	}
	return fd;
}

bool symbol_list_read_perf_map(struct symbol_list *list, pid_t pid, struct strbuf *why)
{
	char folder[PROCFS_PATH_SIZE];
	struct strbuf path = STRBUF_INIT;
	struct stat process;
	uid_t owner;
	int fd;

	if (!stat(procfs_process(folder, pid, ""), &process)) {
		owner = process.st_uid;
		strbuf_addf(&path, "%s/tmp/perf-%d.map", procfs_living_process(folder, pid, "root"),
			    (int)procfs_inner_pid(pid));
	} else {
		owner = geteuid();
		strbuf_addf(&path, "/tmp/perf-%d.map", (int)pid);
	}
	fd = open_map(path.text, owner, why);
	strbuf_release(&path);
	return fd >= 0 && symbol_list_read_map(list, fd);
}

/* Parses "ADDRESS TYPE NAME" or "ADDRESS TYPE NAME\t[MODULE]". */
static void add_kernel_line(struct symbol_list *list, char *line)
{
	struct symbol symbol = { .section = "", .limit = UINT64_MAX };
	char *after, *module;

	symbol.start = strtoull(line, &after, 16);
	if (after == line || *after != ' ' || !after[1] || after[2] != ' ' || !symbol.start ||
	    !strchr("tTwW", after[1]))
		return;
	symbol.rank = after[1] == 'T'	? SYMBOL_GLOBAL
		      : after[1] == 't' ? SYMBOL_LOCAL
					: SYMBOL_WEAK;
	symbol.name = after + 3;
	module = strchr(after + 3, '\t');
	if (module && module[1] == '[') {
		*module = '\0';
		module[strcspn(module + 1, "]") + 1] = '\0';
		symbol.section = module + 2;
	}
	if (symbol.name[0])
		symbol_table_add(&list->table, &symbol);
}

bool symbol_list_read_kernel(struct symbol_list *list, const char *path, struct strbuf *why)
{
	char *at, *line;

	if (strbuf_read_file(&list->text, path)) {
		strbuf_addf(why, "%s cannot be read", path);
		return false;
	}
	at = list->text.text;
	while ((line = next_line(&at, list->text.text + list->text.length)))
		add_kernel_line(list, line);
	if (!list->table.count) {
		strbuf_addf(why, "%s hides the addresses from this user", path);
		return false;
	}
	symbol_table_sort(&list->table);
	return true;
}
