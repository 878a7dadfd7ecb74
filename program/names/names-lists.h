/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Symbols listed as text: perf maps, which programs that generate code at run time
 * write (Python, Java, Node.js), and the kernel's own list.
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
 * Reads /tmp/perf-PID.map, in the process's own file system while it lives. The
 * file must belong to the process's user; if the process has ended, to vigil's
 * user. Returns false with the reason in why.
 */
bool symbol_list_read_perf_map(struct symbol_list *list, pid_t pid, struct strbuf *why);
/* Reads an open perf map; closes fd. */
bool symbol_list_read_map(struct symbol_list *list, int fd);
/* Reads a list in the format of /proc/kallsyms; returns false if it hides the addresses. */
bool symbol_list_read_kernel(struct symbol_list *list, const char *path, struct strbuf *why);

#endif
