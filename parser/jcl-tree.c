/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by all stages of JCL: the arena, locations, names of operations. */
#include "common/compat.h"
#include "parser/jcl-tree.h"
#include "common/lower-bound.h"
#include "common/xalloc.h"

#define CHUNK ((size_t)1 << FOR_FUZZERS(12, 20))

struct jcl_arena_chunk {
	struct jcl_arena_chunk *next;
	size_t room;
};

void *jcl_arena_get(struct jcl_arena *arena, size_t size)
{
	void *memory;

	size = (size + 7) & ~(size_t)7;
	if (size > arena->left) {
		size_t room = size > CHUNK / 4 ? size : CHUNK;
		struct jcl_arena_chunk *chunk = xmalloc(sizeof(*chunk) + room);

		chunk->room = room;
		chunk->next = arena->chunks;
		arena->chunks = chunk;
		if (room == size)
			return chunk + 1;
		arena->free = (char *)(chunk + 1);
		arena->left = room;
	}
	memory = arena->free;
	arena->free += size;
	arena->left -= size;
	return memory;
}

char *jcl_arena_text(struct jcl_arena *arena, const char *text, size_t length)
{
	char *copy = jcl_arena_get(arena, length + 1);

	memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}

void jcl_arena_clear(struct jcl_arena *arena)
{
	struct jcl_arena_chunk *chunk = arena->chunks;

	if (!chunk || chunk->next || chunk->room != CHUNK) {
		jcl_arena_release(arena);
		return;
	}
	arena->free = (char *)(chunk + 1);
	arena->left = chunk->room;
}

void jcl_arena_release(struct jcl_arena *arena)
{
	while (arena->chunks) {
		struct jcl_arena_chunk *next = arena->chunks->next;

		free(arena->chunks);
		arena->chunks = next;
	}
	memset(arena, 0, sizeof(*arena));
}

struct location jcl_location(const struct source *source, const struct jcl_text *text,
			     unsigned offset, unsigned length)
{
	struct location location = { source, 0, 1, length ? length : 1 };
	const struct jcl_segment *segment;
	unsigned end;
	size_t at;

	if (text->segment_count == 0)
		return location;
	/* the segment after the one that contains offset */
	at = LOWER_BOUND(text->segment_count, i, text->segments[i].offset <= offset);
	at = at ? at : 1;
	segment = &text->segments[at - 1];
	end = at < text->segment_count ? segment[1].offset : text->length;
	location.line = segment->line;
	location.column = segment->column + (segment->width ? 0 : offset - segment->offset);
	if (segment->width)
		location.length = segment->width;
	else if (offset < end && location.length > end - offset)
		location.length = end - offset;
	return location;
}

struct location jcl_statement_location(const struct source *source,
				       const struct jcl_statement *statement)
{
	struct location location = { source, statement->line, 3, 1 };
	size_t length = strlen(statement->name);

	if (length == 0) {
		location.column = statement->verb_column ? statement->verb_column : 1;
		length = strlen(statement->verb);
	}
	location.length = length ? (unsigned)length : 1;
	return location;
}

/* Sorted by verb, for jcl_operation_find. */
static const struct verb {
	const char *name;
	enum jcl_operation operation;
} verbs[] = {
	{ "DD", JCL_DD },
	{ "EXEC", JCL_EXEC },
	{ "JOB", JCL_JOB },
	{ "SET", JCL_SET },
	{ "IF", JCL_IF },
	{ "ELSE", JCL_ELSE },
	{ "ENDIF", JCL_ENDIF },
	{ "PROC", JCL_PROC },
	{ "PEND", JCL_PEND },
	{ "INCLUDE", JCL_INCLUDE },
	{ "JCLLIB", JCL_JCLLIB },
	{ "OUTPUT", JCL_OUTPUT },
	{ "EXPORT", JCL_EXPORT },
	{ "COMMAND", JCL_COMMAND },
	{ "CNTL", JCL_CNTL },
	{ "PRINTDEV", JCL_CNTL },
	{ "ENDCNTL", JCL_ENDCNTL },
	{ "XMIT", JCL_XMIT },
	{ "SCHEDULE", JCL_SCHEDULE },
	{ "NOTIFY", JCL_NOTIFY },
	{ "JOBGROUP", JCL_GROUPING },
	{ "ENDGROUP", JCL_GROUPING },
	{ "GJOB", JCL_GROUPING },
	{ "JOBSET", JCL_GROUPING },
	{ "SJOB", JCL_GROUPING },
	{ "ENDSET", JCL_GROUPING },
	{ "BEFORE", JCL_GROUPING },
	{ "AFTER", JCL_GROUPING },
	{ "CONCURRENT", JCL_GROUPING },
};

/* Operator commands that are allowed instead of an operation. */
static const char *const commands[] = {
	"ACTIVATE", "C",       "CANCEL",  "CF",	   "CHNGDUMP", "CONFIG",   "CONTROL", "D",
	"DEVSERV",  "DISPLAY", "DS",	  "DUMP",  "E",	       "F",	   "FORCE",   "H",
	"HALT",	    "HOLD",    "K",	  "L",	   "LIBRARY",  "LOG",	   "LOGON",   "M",
	"MODIFY",   "MONITOR", "MOUNT",	  "MSGRT", "N",	       "P",	   "PAGEADD", "PAGEDEL",
	"QUIESCE",  "R",       "RELEASE", "REPLY", "RESET",    "ROUTE",	   "S",	      "SEND",
	"SETPROG",  "SETSMF",  "SLIP",	  "START", "STOP",     "SWITCH",   "T",	      "TRACE",
	"U",	    "UNLOAD",  "V",	  "VARY",  "W",	       "WRITELOG", "Z",
};

/* Returns whether name is exactly the length characters at text. */
static bool same(const char *name, const char *text, size_t length)
{
	return strncmp(name, text, length) == 0 && strlen(name) == length;
}

const char *jcl_operation_verb(const char *verb, size_t length)
{
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		if (verbs[i].name[0] == verb[0] && same(verbs[i].name, verb, length))
			return verbs[i].name;
	return NULL;
}

enum jcl_operation jcl_operation_find(const char *verb, size_t length)
{
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		if (verbs[i].name[0] == verb[0] && same(verbs[i].name, verb, length))
			return verbs[i].operation;
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		if (same(commands[i], verb, length))
			return JCL_OPERATOR;
	return JCL_UNKNOWN;
}

/* Returns whether c is allowed in a name. */
static bool name_character(char c, bool first)
{
	return (c >= 'A' && c <= 'Z') || c == '@' || c == '#' || c == '$' ||
	       (!first && c >= '0' && c <= '9');
}

bool jcl_name_valid(const char *name, size_t length)
{
	if (length == 0 || length > 8)
		return false;
	for (size_t i = 0; i < length; i++)
		if (!name_character(name[i], i == 0))
			return false;
	return true;
}
