/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Symbols that are listed as text: perf maps, which programs that make code
 * at run time write (Python, Java, Node.js), and the kernel's own list.
 */
#ifndef VIGIL_PROGRAM_NAMES_NAMES_LISTS_H
#define VIGIL_PROGRAM_NAMES_NAMES_LISTS_H

#include "common/strbuf.h"
#include "program/names/names-symbols.h"

#include <sys/types.h>

/* A list that was read: the names in the table point into text. */
struct symbol_list {
	struct symbol_table table;
	struct strbuf text;
};

void symbol_list_init(struct symbol_list *list);
void symbol_list_release(struct symbol_list *list);

/*
 * Read /tmp/perf-PID.map, in the process's own file system as long as it
 * lives. The file must belong to the process's user; when the process is
 * gone, to ours. False with the reason in why.
 */
bool symbol_list_read_perf_map(struct symbol_list *list, pid_t pid, struct strbuf *why);
/* Read a perf map that is open; closes fd. */
bool symbol_list_read_map(struct symbol_list *list, int fd);
/* Read a list in the form of /proc/kallsyms; false when it hides the addresses. */
bool symbol_list_read_kernel(struct symbol_list *list, const char *path, struct strbuf *why);

#endif
