/* SPDX-License-Identifier: Apache-2.0 */
/* Interns modules and places that data collectors name, and provides their names at the end. */
#include "common/compat.h"
#include "sampler/named-places.h"
#include "common/hash.h"
#include "common/outside.h"
#include "common/procfs.h"
#include "common/strmap.h"
#include "common/xalloc.h"
#include "program/names/unit-language.h"

/* Bytes per entry of a lookup table, which is half full. */
#define LOOK_UP_COST (2 * sizeof(struct idmap_slot))

/* A place; the texts are numbers in strings. */
struct place_entry {
	uint32_t section, procedure, file, line;
};

struct named_places {
	struct object_list *objects;
	struct stacks *stacks;
	struct strmap strings;
	struct idmap modules; /* number of the name -> object id */
	/*
	 * The texts of a place are a path in a tree: a node (0: the root) and a value lead
	 * to the next node. Each last node of a path has a frame.
	 */
	struct idmap nodes;
	uint32_t node_count;
	struct idmap frames;	     /* node -> frame */
	struct place_entry *entries; /* indexed by number of the place */
	size_t count, alloc;
	uint64_t text_size;    /* bytes of all strings */
	uint64_t frames_named; /* frames of modules and places */
};

struct named_places *named_places_new(struct object_list *objects, struct stacks *stacks)
{
	struct named_places *places = xcalloc(1, sizeof(*places));

	places->objects = objects;
	places->stacks = stacks;
	strmap_init(&places->strings);
	idmap_init(&places->modules);
	idmap_init(&places->nodes);
	idmap_init(&places->frames);
	return places;
}

void named_places_free(struct named_places *places)
{
	if (!places)
		return;
	strmap_release(&places->strings);
	idmap_release(&places->modules);
	idmap_release(&places->nodes);
	idmap_release(&places->frames);
	free(places->entries);
	free(places);
}

uint64_t named_places_size(const struct named_places *places)
{
	return places->text_size + places->strings.count * sizeof(char *) +
	       places->modules.count * (sizeof(struct object) + LOOK_UP_COST) +
	       places->node_count * LOOK_UP_COST +
	       places->frames_named * (sizeof(struct stacks_frame) + LOOK_UP_COST) +
	       places->count * (sizeof(struct place_entry) + LOOK_UP_COST);
}

/* Returns the number of a text. */
static uint32_t put_text(struct named_places *places, const char *text)
{
	size_t before = places->strings.count;
	uint32_t number = strmap_put(&places->strings, text);

	if (places->strings.count > before)
		places->text_size += strlen(text) + 1;
	return number;
}

/* Returns the frame of an offset in a module. */
static uint32_t module_frame(struct named_places *places, const struct object *module,
			     uint64_t offset, pid_t pid)
{
	size_t before = places->stacks->frame_count;
	uint32_t frame = stacks_frame(places->stacks, module, offset, pid);

	places->frames_named += places->stacks->frame_count - before;
	return frame;
}

/* Returns the object of a module; makes it if the name is new. */
static const struct object *module_object(struct named_places *places, const char *module)
{
	uint32_t name = put_text(places, module);
	uint64_t id;

	if (!idmap_get(&places->modules, name, &id)) {
		id = object_add_named(places->objects, module)->id;
		idmap_put(&places->modules, name, id);
	}
	return object_get(places->objects, (uint32_t)id);
}

uint32_t named_places_module(struct named_places *places, const char *module, uint64_t offset,
			     pid_t pid)
{
	/* A forced module has no start: the address says nothing about it. */
	if (offset >= NAMED_PLACES_FIRST)
		offset = 0;
	return module_frame(places, module_object(places, module), offset, pid);
}

/* Returns the node that a value leads to. */
static uint32_t next_node(struct named_places *places, uint32_t node, uint32_t value)
{
	uint64_t key = (uint64_t)node << 32 | value, next;

	if (!idmap_get(&places->nodes, key, &next)) {
		next = ++places->node_count;
		idmap_put(&places->nodes, key, next);
	}
	return (uint32_t)next;
}

/*
 * Returns the number of a file's absolute path; relative paths are relative to the
 * process's directory.
 */
static uint32_t absolute_path(struct named_places *places, const char *file, pid_t pid)
{
	struct strbuf path = STRBUF_INIT;
	char link[PROCFS_PATH_SIZE], folder[PATH_MAX];
	ssize_t length = -1;
	uint32_t number;

	if (*file && *file != '/' && *file != '<')
		length = procfs_link(procfs_process(link, pid, "cwd"), folder, sizeof(folder));
	if (length > 0 && folder[0] == '/') {
		strbuf_add(&path, folder, (size_t)length);
		strbuf_addch(&path, '/');
	}
	strbuf_addstr(&path, strncmp(file, "./", 2) == 0 && path.length ? file + 2 : file);
	number = put_text(places, path.text);
	strbuf_release(&path);
	return number;
}

uint32_t named_places_frame(struct named_places *places, const struct named_place_text *text,
			    pid_t pid)
{
	struct place_entry entry = {
		.section = put_text(places, text->section),
		.procedure = put_text(places, text->procedure),
		.file = put_text(places, text->file),
		.line = text->line < UINT32_MAX ? (uint32_t)text->line : 0,
	};
	uint32_t values[] = { put_text(places, text->module), entry.section, entry.procedure,
			      entry.file, entry.line };
	uint32_t node = 0;
	uint64_t frame;

	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		node = next_node(places, node, values[i]);
	if (idmap_get(&places->frames, node, &frame))
		return (uint32_t)frame;
	entry.file = absolute_path(places, text->file, pid);
	GROW(places->entries, places->count + 1, places->alloc);
	places->entries[places->count] = entry;
	frame = module_frame(places, module_object(places, text->module),
			     NAMED_PLACES_FIRST + places->count++, pid);
	idmap_put(&places->frames, node, frame);
	return (uint32_t)frame;
}

/* Returns the text of a line of a source; "" if it is not readable. */
static const char *source_line(struct names *names, const char *file, uint64_t line)
{
	const uint64_t key = hash_pair(hash_bytes(file, strlen(file)), line);
	struct outside *session;
	const char *known, *text;
	struct strbuf copy = STRBUF_INIT;
	size_t size;

	known = outside_recall_of(OUTSIDE_SOURCE_LINE, key, &size);
	if (known) {
		strbuf_add(&copy, known, size);
		text = names_keep(names, copy.text);
		strbuf_release(&copy);
		return text;
	}
	session = outside_step_aside();
	text = names_source_line(names, file, line);
	outside_step_back(session);
	outside_note_of(OUTSIDE_SOURCE_LINE, key, text, strlen(text));
	return text;
}

size_t named_places_resolve(struct named_places *places, struct names *names, uint32_t object,
			    uint64_t offset, struct name levels[NAMES_MAX_INLINE])
{
	const struct object *module = object_get(places->objects, object);
	const struct place_entry *entry;
	const char *file;

	if (!module || module->kind != OBJECT_NAMED || offset < NAMED_PLACES_FIRST ||
	    offset - NAMED_PLACES_FIRST >= places->count)
		return 0;
	entry = &places->entries[offset - NAMED_PLACES_FIRST];
	file = strmap_text(&places->strings, entry->file);
	levels[0] = (struct name){
		.procedure = strmap_text(&places->strings, entry->procedure),
		.section = strmap_text(&places->strings, entry->section),
		.file = file,
		.language = language_of_file(file),
		.text = *file && entry->line ? source_line(names, file, entry->line) : "",
		.line = entry->line,
	};
	return 1;
}
