/* SPDX-License-Identifier: Apache-2.0 */
/* Demangles C++ and Rust linkage names, with a limit on their length. */
#include "common/compat.h"
#include "program/names/demangle.h"

#include <libiberty/demangle.h>
#include <setjmp.h>

struct expansion {
	struct strbuf *sb;
	size_t start;
	jmp_buf too_long;
};

/* Appends a part of the readable name; aborts the demangler once the name is too long. */
static void expansion_add(const char *text, size_t length, void *argument)
{
	struct expansion *expansion = argument;

	if (expansion->sb->length - expansion->start + length > DEMANGLE_MAX)
		longjmp(expansion->too_long, 1);
	strbuf_add(expansion->sb, text, length);
}

/*
 * Neither demangler holds memory while it calls back, so it can be left at any
 * callback. Rust comes first: its older names are C++ names with a hash at the
 * end.
 */
bool demangle(const char *name, struct strbuf *sb)
{
	struct expansion expansion = { .sb = sb, .start = sb->length };
	size_t start = sb->length;

	if (name[0] != '_' || (name[1] != 'Z' && name[1] != 'R') || strlen(name) > DEMANGLE_MAX)
		return false;
	if (!setjmp(expansion.too_long)) {
		if (rust_demangle_callback(name, 0, expansion_add, &expansion))
			return true;
		strbuf_setlen(sb, start);
		if (cplus_demangle_v3_callback(name, DMGL_PARAMS | DMGL_ANSI, expansion_add,
					       &expansion))
			return true;
	}
	strbuf_setlen(sb, start);
	return false;
}
