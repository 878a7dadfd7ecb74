/* SPDX-License-Identifier: Apache-2.0 */
/* Damages a text slightly, the same in every run. */
#include "common/compat.h"
#include "parser/test-mutation.h"

/* A small random number generator. */
static uint32_t random_next(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

void mutation_apply(struct strbuf *sb, uint32_t *state)
{
	static const char bytes[] = "'(),=&.*/ \n\t%|0AZz\xac\0";
	unsigned changes = 1 + random_next(state) % 4;

	while (changes-- && sb->length > 2) {
		size_t at = random_next(state) % sb->length;
		size_t length = 1 + random_next(state) % 12;

		if (length > sb->length - at)
			length = sb->length - at;
		switch (random_next(state) % 4) {
		case 0:
			sb->text[at] = bytes[random_next(state) % (sizeof(bytes) - 1)];
			break;
		case 1: /* remove */
			memmove(sb->text + at, sb->text + at + length, sb->length - at - length);
			strbuf_setlen(sb, sb->length - length);
			break;
		case 2: /* repeat at the end */
			strbuf_grow(sb, length + 1);
			strbuf_add(sb, sb->text + at, length);
			break;
		default:
			sb->text[at] = (char)random_next(state);
			break;
		}
	}
}
