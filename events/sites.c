/* SPDX-License-Identifier: Apache-2.0 */
/* Assigns sites to the places of events. */
#include "common/compat.h"
#include "events/sites.h"
#include "agent/event-program-area.h"
#include "common/hash.h"
#include "common/path.h"
#include "common/xalloc.h"
#include "records/record-types.h"

void event_sites_init(struct event_sites *sites, const struct event_pool *pool,
		      struct engine *engine)
{
	*sites = (struct event_sites){ .pool = pool, .engine = engine, .names = names_new() };
	object_list_init(&sites->objects);
	idmap_init(&sites->by_name);
	idmap_init(&sites->by_address);
	idmap_init(&sites->by_key);
	recordset_init(&sites->rows, &record_types[RECORD_EVENT_SITE]);
}

void event_sites_release(struct event_sites *sites)
{
	for (size_t i = 0; i < sites->program_count; i++) {
		free(sites->programs[i]->library);
		free(sites->programs[i]->name);
		free(sites->programs[i]->object);
		free(sites->programs[i]->source);
		free(sites->programs[i]);
	}
	free(sites->programs);
	idmap_release(&sites->by_name);
	idmap_release(&sites->by_address);
	idmap_release(&sites->by_key);
	recordset_release(&sites->rows);
	names_free(sites->names);
	object_list_release(&sites->objects);
}

/* Adds a program in an object's file. */
static struct event_program *add_program(struct event_sites *sites, uint64_t kind, const char *name,
					 const char *path)
{
	struct event_program *program = xcalloc(1, sizeof(*program));
	const char *file = path_base(path);

	program->kind = kind;
	program->name = xstrdup(name);
	program->object = xstrdup(file);
	program->library = file > path + 1 ? xstrndup(path, (size_t)(file - path - 1))
			   : file > path   ? xstrdup("/")
					   : xstrdup("");
	program->source = xstrdup("");
	GROW(sites->programs, sites->program_count + 1, sites->program_alloc);
	sites->programs[sites->program_count++] = program;
	return program;
}

/* Programs and executables share the numbers of the pool's names: bit 32 distinguishes them. */
#define KEY_EXECUTABLE (UINT64_C(1) << 32)

uint32_t event_sites_program(struct event_sites *sites, uint32_t name)
{
	struct strbuf text = STRBUF_INIT;
	struct event_program *program;
	const char *source, *object, *line;
	char *parts[EVENT_PROGRAM_PARTS];
	uint64_t number;

	if (idmap_get(&sites->by_name, name, &number))
		return (uint32_t)number;
	if (!event_pool_name(sites->pool, name, &text))
		strbuf_addstr(&text, "?");
	event_program_split(text.text, parts);
	line = parts[EVENT_PROGRAM_LINE];
	object = parts[EVENT_PROGRAM_OBJECT] ? parts[EVENT_PROGRAM_OBJECT] : "";
	source = parts[EVENT_PROGRAM_SOURCE] ? parts[EVENT_PROGRAM_SOURCE] : "";
	program = add_program(sites, EVENT_KIND_PROGRAM, parts[EVENT_PROGRAM_NAME], object);
	free(program->source);
	/* A function with a line is in the source itself, which is its object. */
	program->source = xstrdup(line ? object : source);
	program->line = line ? strtoull(line, NULL, 10) : 0;
	if (program->line)
		program->kind = EVENT_KIND_FUNCTION;
	idmap_put(&sites->by_name, name, sites->program_count);
	strbuf_release(&text);
	return (uint32_t)sites->program_count;
}

uint32_t event_sites_executable(struct event_sites *sites, uint32_t name)
{
	struct strbuf text = STRBUF_INIT;
	uint64_t number;

	if (idmap_get(&sites->by_name, name | KEY_EXECUTABLE, &number))
		return (uint32_t)number;
	if (!event_pool_name(sites->pool, name, &text))
		strbuf_addstr(&text, "?");
	add_program(sites, EVENT_KIND_PROGRAM, path_base(text.text), text.text);
	idmap_put(&sites->by_name, name | KEY_EXECUTABLE, sites->program_count);
	strbuf_release(&text);
	return (uint32_t)sites->program_count;
}

/*
 * Adds the program of the function at an offset of an object; without a name it is
 * called by its offset.
 */
static void name_function(struct event_sites *sites, struct object *object, uint64_t offset)
{
	struct name levels[NAMES_MAX_INLINE];
	size_t count = object ? names_resolve(sites->names, object, offset, 0, levels) : 0;
	const struct name *function = count ? &levels[count - 1] : NULL;
	struct event_program *program;
	struct strbuf text = STRBUF_INIT;

	if (function && function->procedure[0])
		strbuf_addstr(&text, function->procedure);
	else
		strbuf_addf(&text, "+0x%" PRIx64, offset);
	program = add_program(sites, EVENT_KIND_FUNCTION, text.text, object ? object->path : "");
	if (function) {
		free(program->source);
		program->source = xstrdup(function->file);
		program->line = function->line;
	}
	strbuf_release(&text);
}

void event_sites_prepare(struct event_sites *sites, struct object *object, uint64_t offset)
{
	struct name levels[NAMES_MAX_INLINE];

	names_resolve(sites->names, object, offset, 0, levels);
}

uint32_t event_sites_function_of(struct event_sites *sites, struct object *object, uint64_t offset)
{
	uint64_t key = hash_pair(object ? object->id : 0, offset), number;

	if (idmap_get(&sites->by_address, key, &number))
		return (uint32_t)number;
	name_function(sites, object, offset);
	idmap_put(&sites->by_address, key, sites->program_count);
	return (uint32_t)sites->program_count;
}

uint32_t event_sites_function(struct event_sites *sites, struct space *space, uint64_t address)
{
	const struct mapping *mapping = space ? space_find(space, address) : NULL;

	return event_sites_function_of(sites, mapping ? mapping->object : NULL,
				       mapping ? address - mapping->bias : address);
}

const struct event_program *event_sites_at(const struct event_sites *sites, uint32_t program)
{
	return program ? sites->programs[program - 1] : NULL;
}

/* Returns a name of the pool as a string of the engine; 0 if there is none. */
static uint64_t string_of(const struct event_sites *sites, uint32_t name)
{
	struct strbuf text = STRBUF_INIT;
	uint64_t string = 0;

	if (event_pool_name(sites->pool, name, &text))
		string = engine_string(sites->engine, text.text);
	strbuf_release(&text);
	return string;
}

/* Adds the row of a new site. */
static uint64_t add_site(struct event_sites *sites, struct record_event_site *row,
			 const struct event_program *of)
{
	row->site = ++sites->count;
	if (of) {
		row->kind = of->kind;
		row->library = engine_string(sites->engine, of->library);
		row->program = engine_string(sites->engine, of->name);
		row->object = engine_string(sites->engine, of->object);
		if (!row->line)
			row->line = of->line;
		if (!row->file)
			row->file = engine_string(sites->engine, of->source);
	}
	recordset_add(&sites->rows, row);
	return row->site;
}

void event_sites_count(struct event_sites *sites)
{
	for (uint32_t name = 0; name < EVENT_NAMES; name++) {
		struct record_event_site row = { .type = EVENT_NS };

		row.counted = event_pool_count(sites->pool, name);
		if (row.counted)
			add_site(sites, &row,
				 event_sites_at(sites, event_sites_program(sites, name)));
	}
}

uint64_t event_sites_get(struct event_sites *sites, unsigned type, uint32_t program,
			 const struct event_place *place)
{
	static const struct event_place nowhere;
	struct event_program *of = program ? sites->programs[program - 1] : NULL;
	const struct event_place *at = place ? place : &nowhere;
	bool plain = of && memcmp(at, &nowhere, sizeof(nowhere)) == 0;
	struct record_event_site row = { .type = type, .line = at->line };
	uint64_t key, site;

	if (plain && of->sites[type])
		return of->sites[type];
	key = hash_pair((uint64_t)type << 32 | program, (uint64_t)at->file << 32 | at->line);
	key = hash_pair(key, (uint64_t)at->procedure << 32 | at->statement);
	key = at->database ? hash_pair(key, at->database) : key;
	if (idmap_get(&sites->by_key, key, &site))
		return site;
	row.file = string_of(sites, at->file);
	row.procedure = string_of(sites, at->procedure);
	row.statement = string_of(sites, at->statement);
	row.database = string_of(sites, at->database);
	site = add_site(sites, &row, of);
	idmap_put(&sites->by_key, key, site);
	if (plain)
		of->sites[type] = site;
	return site;
}
