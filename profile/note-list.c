/* SPDX-License-Identifier: Apache-2.0 */
/* A list of messages. */
#include "common/compat.h"
#include "profile/note-list.h"
#include "common/strbuf.h"
#include "common/xalloc.h"

void note_list_init(struct note_list *list)
{
	memset(list, 0, sizeof(*list));
}

void note_list_release(struct note_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->items[i].text);
	free(list->items);
	note_list_init(list);
}

void note_list_add(struct note_list *list, enum severity severity, unsigned number,
		   const char *format, ...)
{
	struct strbuf text = STRBUF_INIT;
	va_list ap;

	va_start(ap, format);
	strbuf_vaddf(&text, format, ap);
	va_end(ap);
	GROW(list->items, list->count + 1, list->alloc);
	list->items[list->count++] = (struct note){ severity, number, strbuf_detach(&text, NULL) };
}
