/* SPDX-License-Identifier: Apache-2.0 */
/*
 * STRBCOBO - data collector for transactions of GnuCOBOL programs. vigil finds
 * their modules and procedures by itself; it cannot find which unit of work a
 * program is processing. DCCPARM says where that is stored:
 *
 * 	TRANSACTION=PROGRAM		the innermost COBOL program that executes
 * 	TRANSACTION=FIELD([PROGRAM.][GROUP.]FIELD)
 * 					the value of an item of WORKING-STORAGE
 *
 * The programs on the stack are found by the debug information of their objects
 * (cobol-object.h), the item by the source (cobol-storage.h). The source is
 * trusted only if the sizes of all records that the compiler generated agree with
 * it.
 */
#include "common/compat.h"
#include "collectors/cobol-object.h"
#include "collectors/cobol-storage.h"
#include "collectors/process-table.h"
#include "common/xalloc.h"

#include <limits.h>
#include <strings.h>

/* Offset of the pointer to the name of the source in a struct cob_module. */
#define MODULE_SOURCE 32
/* After this many calls without finding the item a message is issued. */
#define CALLS_BEFORE_MESSAGE 50

enum request_kind { WISH_NOTHING, WISH_PROGRAM, WISH_FIELD };

/* Address of the requested item in a program of a process. */
struct location {
	const struct cobol_code *code;
	uint64_t bias; /* of the code's object */
	struct cobol_type type;
	uint64_t address, offset;
	bool indirect; /* address is that of a pointer, and the item is at offset from its target */
};

/* State of one process. */
struct process {
	struct range { /* a range of a mapped file */
		uint64_t start, bias;
		const struct cobol_object *object;
	} * ranges;
	size_t range_count, range_alloc;
	struct location *locations;
	size_t location_count, location_alloc;
	size_t current;	  /* 1 + index of the location used last, 0: none yet */
	unsigned calls;	  /* calls with a COBOL program on the stack but no location */
	unsigned unnamed; /* calls in which a program did not name its source */
};

struct collector {
	enum request_kind request_kind;
	char program[64], group[64], field[64];
	struct cobol_object **objects;
	size_t object_count, object_alloc;
	/* Programs in which the item was not found. */
	const struct cobol_code **refused;
	size_t refused_count, refused_alloc;
	bool told; /* the reason was reported */
	struct source_cache sources;
	struct processes processes;
	char transaction[VIGIL_NAME_MAX + 1];
};

static void release_process(void *block)
{
	struct process *process = block;

	free(process->ranges);
	free(process->locations);
}

/* Parses "[PROGRAM.][GROUP.]FIELD)"; returns false if it is not valid. */
static bool parse_field(struct collector *collector, const char *text)
{
	char part[4][64] = { "" };
	int count = 0, length = 0;

	for (; *text && *text != ')'; text++) {
		if (*text == '.' && length > 0 && count < 2) {
			count++;
			length = 0;
		} else if (*text == '.' || *text == ' ' || length + 1 >= (int)sizeof(part[0])) {
			return false;
		} else {
			part[count][length++] = *text;
		}
	}
	if (text[0] != ')' || text[1] || length == 0)
		return false;
	snprintf(collector->field, sizeof(collector->field), "%s", part[count]);
	snprintf(collector->program, sizeof(collector->program), "%s", count > 0 ? part[0] : "");
	snprintf(collector->group, sizeof(collector->group), "%s", count > 1 ? part[1] : "");
	return true;
}

/* Parses the request's parameter; reports one that is not understood. */
static void parse_parameter(struct collector *collector, const struct vigil_communication *area)
{
	const char *text = area->parameter;

	collector->request_kind = WISH_NOTHING;
	if (!*text || !strcasecmp(text, "TRANSACTION=PROGRAM"))
		collector->request_kind = WISH_PROGRAM;
	else if (!strncasecmp(text, "TRANSACTION=FIELD(", 18) && parse_field(collector, text + 18))
		collector->request_kind = WISH_FIELD;
	else
		vigil_message(area, "DCCPARM must be TRANSACTION=PROGRAM or "
				    "TRANSACTION=FIELD([PROGRAM.][GROUP.]FIELD)");
}

static struct collector *begin(struct vigil_communication *area)
{
	struct collector *collector = area->anchor;

	if (collector)
		return collector;
	area->anchor = collector = xcalloc(1, sizeof(*collector));
	collector->processes.size = sizeof(struct process);
	collector->processes.release = release_process;
	source_cache_init(&collector->sources);
	parse_parameter(collector, area);
	return collector;
}

/*
 * Returns whether the object is loaded in the process with this bias; if nothing
 * of it can be compared, whether its file is unchanged.
 */
static bool object_is_mapped(const struct vigil_communication *area, const struct cobol_object *object,
			uint64_t bias)
{
	unsigned char head[COBOL_HEAD];

	if (!object->head_size)
		return cobol_object_is_current(object);
	return vigil_read(area, object->head_address + bias, head, object->head_size) ==
		       object->head_size &&
	       memcmp(head, object->head, object->head_size) == 0;
}

/* Fills a range with the object of a mapping if that object is loaded there. */
static bool take_object(struct range *range, const struct vigil_communication *area,
			const struct vigil_mapping *mapping, const struct cobol_object *object)
{
	range->object = object;
	range->bias = cobol_object_bias(object, mapping->offset, mapping->start);
	return object_is_mapped(area, object, range->bias);
}

/*
 * Finds the object of a mapping; each file is read once. The file at a path may
 * have been replaced while processes still execute the old one. Returns false if
 * the object is no longer available.
 */
static bool find_object(struct collector *collector, const struct vigil_communication *area,
			const struct vigil_mapping *mapping, struct range *range)
{
	const struct cobol_object *last = NULL;

	for (size_t i = 0; i < collector->object_count; i++) {
		if (strcmp(collector->objects[i]->path, mapping->path) != 0)
			continue;
		last = collector->objects[i];
		if (take_object(range, area, mapping, last))
			return true;
	}
	if (last && cobol_object_is_current(last))
		return false;
	if (last) { /* its source may have changed, too */
		source_cache_release(&collector->sources);
		source_cache_init(&collector->sources);
	}
	GROW(collector->objects, collector->object_count + 1, collector->object_alloc);
	collector->objects[collector->object_count++] = cobol_object_read(mapping->path);
	return take_object(range, area, mapping, collector->objects[collector->object_count - 1]);
}

/*
 * Returns the range that is mapped at an address, cached for each process; NULL:
 * not a known file.
 */
static const struct range *find_range(struct collector *collector, struct process *process,
				      const struct vigil_communication *area, uint64_t address)
{
	struct vigil_mapping mapping;
	struct range range = { 0 };

	if (vigil_mapping_at(area, address, &mapping) != 0 || mapping.path[0] != '/')
		return NULL;
	range.start = mapping.start;
	for (size_t i = 0; i < process->range_count; i++)
		if (process->ranges[i].start == mapping.start &&
		    !strcmp(process->ranges[i].object->path, mapping.path))
			return &process->ranges[i];
	if (!find_object(collector, area, &mapping, &range))
		return NULL;
	GROW(process->ranges, process->range_count + 1, process->range_alloc);
	process->ranges[process->range_count] = range;
	return &process->ranges[process->range_count++];
}

/* Returns the COBOL program whose code is at an address now; *bias is its object's. */
static const struct cobol_code *code_at(struct collector *collector, struct process *process,
					const struct vigil_communication *area, uint64_t address,
					uint64_t *bias)
{
	const struct range *range = find_range(collector, process, area, address);

	if (!range)
		return NULL;
	*bias = range->bias;
	return cobol_object_code(range->object, address - range->bias);
}

/* Returns the COBOL program that a frame of the stack executes; *bias is its object's. */
static const struct cobol_code *code_of_frame(struct collector *collector, struct process *process,
					      const struct vigil_communication *area, size_t frame,
					      uint64_t *bias)
{
	/*
	 * A call may be the last instruction of its program: look up the byte before the
	 * return address.
	 */
	return code_at(collector, process, area, area->task->frames[frame] - (frame > 0), bias);
}

/*
 * Returns whether each record generated by the compiler is the one that the source
 * has at that position, if the first item of WORKING-STORAGE has number base.
 */
static bool storage_matches(const struct cobol_storage *storage, const struct cobol_code *code,
			    uint32_t base)
{
	for (size_t i = 0; i < code->variable_count; i++) {
		const struct cobol_variable *variable = &code->variables[i];
		const struct cobol_storage_item *item = NULL;

		if (variable->kind != COBOL_RECORD || variable->number - base >= storage->numbers)
			continue;
		for (uint32_t n = 0; n < storage->count && !item; n++)
			if (storage->items[n].number == variable->number - base)
				item = &storage->items[n];
		if (!item || item->level != 1 || item->redefines != COBOL_STORAGE_NONE ||
		    item->external || (!item->refused && item->size != variable->size))
			return false;
	}
	return true;
}

/*
 * Returns the number of the first item of WORKING-STORAGE; 0: the source does not
 * match the object, or matches in more than one way.
 */
static uint32_t find_base(const struct cobol_storage *storage, const struct cobol_code *code)
{
	uint32_t first = UINT32_MAX, last = 0, found = 0, expected;

	for (size_t i = 0; i < code->variable_count; i++) {
		uint32_t number = code->variables[i].number;

		if (code->variables[i].kind == COBOL_REGISTER && number < first)
			first = number;
		if (code->variables[i].kind == COBOL_RECORD && number > last)
			last = number;
	}
	if (first > last)
		return 0;
	expected = first + code->registers + storage->before;
	if (storage_matches(storage, code, expected))
		return expected;
	for (uint32_t base = first + 1; base <= last; base++) {
		if (!storage_matches(storage, code, base))
			continue;
		if (found)
			return 0;
		found = base;
	}
	return found;
}

/*
 * Returns whether the run-time library's field for the item, if there is one, has
 * the same address and size.
 */
static bool field_agrees(const struct vigil_communication *area, const struct cobol_variable *field,
			 uint64_t bias, const struct location *location)
{
	uint64_t told[2]; /* size and address in a struct cob_field */

	return !field || location->indirect ||
	       vigil_read(area, field->address + bias, told, sizeof(told)) != sizeof(told) ||
	       (told[0] == location->type.size && told[1] == location->address);
}

/*
 * Finds the address in the process of an item that the source has; returns why it
 * cannot, or NULL.
 */
static const char *locate_item(const struct vigil_communication *area,
			      const struct cobol_storage *storage, const struct cobol_code *code,
			      uint64_t bias, uint32_t item, struct location *location)
{
	uint32_t base = find_base(storage, code), root = storage->items[item].root;
	const struct cobol_variable *record;

	if (!base)
		return "the source does not match the program: it was changed after it was "
		       "compiled, or has items that are not supported";
	while (storage->items[root].redefines != COBOL_STORAGE_NONE)
		root = storage->items[root].redefines;
	location->indirect = storage->items[root].external;
	record = cobol_code_variable(code, location->indirect ? COBOL_POINTER : COBOL_RECORD,
				     base + storage->items[root].number);
	if (!record)
		return "the program does not use its record, and the compiler removed it";
	location->type = storage->items[item].type;
	location->offset = storage->items[item].offset;
	location->address = record->address + bias + (location->indirect ? 0 : location->offset);
	if (!field_agrees(
		    area,
		    cobol_code_variable(code, COBOL_FIELD, base + storage->items[item].number),
		    bias, location))
		return "the compiler placed it at another address than the source indicates";
	return NULL;
}

/* Reads storage from a file; returns false if the file does not contain the program. */
static bool read_file(struct collector *collector, const struct cobol_code *code, const char *path,
		      bool one_byte, struct cobol_storage *storage)
{
	cobol_storage_read(storage, &collector->sources, path, code->name, one_byte);
	if (!storage->has_program)
		cobol_storage_release(storage);
	return storage->has_program;
}

/*
 * Reasons why a program cannot be read yet: its process has ended, or the program
 * has not started.
 */
static const char gone[] = "its memory cannot be read";
static const char unnamed[] = "it does not name its source";

/*
 * Reads storage from the source file that the program names to the run-time
 * library; returns why it cannot, or NULL.
 */
static const char *read_named(struct collector *collector, const struct vigil_communication *area,
			      const struct cobol_code *code, uint64_t bias, bool one_byte,
			      struct cobol_storage *storage)
{
	char name[PATH_MAX], path[2 * PATH_MAX];
	uint64_t module;

	if (vigil_read(area, code->module + bias, &module, sizeof(module)) != sizeof(module))
		return gone;
	if (vigil_text(area, vigil_pointer(area, module + MODULE_SOURCE), name, sizeof(name)) <= 0)
		return unnamed;
	snprintf(path, sizeof(path), "%s%s%s", name[0] == '/' ? "" : code->folder,
		 name[0] == '/' ? "" : "/", name);
	return read_file(collector, code, path, one_byte, storage) ? NULL
								   : "its source cannot be read";
}

/*
 * Finds the source file that contains the program, and reads storage from it;
 * returns why it cannot, or NULL.
 */
static const char *read_source(struct collector *collector, const struct vigil_communication *area,
			       const struct cobol_code *code, uint64_t bias, bool one_byte,
			       struct cobol_storage *storage)
{
	for (size_t i = 0; i < code->source_count; i++)
		if (read_file(collector, code, code->sources[i], one_byte, storage))
			return NULL;
	return read_named(collector, area, code, bias, one_byte, storage);
}

/* Looks for the item in a program; returns why it was not found, or NULL. */
static const char *locate_in(struct collector *collector, const struct vigil_communication *area,
			     const struct cobol_code *code, uint64_t bias,
			     struct location *location)
{
	const char *why;

	/*
	 * Small binary numbers can be stored in two ways: take the one with which all
	 * records agree.
	 */
	for (int one_byte = 0; one_byte < 2; one_byte++) {
		struct cobol_storage storage;
		uint32_t item;

		why = read_source(collector, area, code, bias, one_byte, &storage);
		if (why)
			return why;
		item = cobol_storage_find(&storage, collector->group, collector->field, &why);
		if (item != COBOL_STORAGE_NONE)
			why = locate_item(area, &storage, code, bias, item, location);
		cobol_storage_release(&storage);
		if (item == COBOL_STORAGE_NONE || !why)
			break;
	}
	return why;
}

/*
 * Excludes a program from now on; reports the reason, unless the item simply
 * belongs to another one.
 */
static void refuse(struct collector *collector, const struct vigil_communication *area,
		   const struct cobol_code *code, const char *why)
{
	char text[400];

	snprintf(text, sizeof(text), "%s of program %s: %s", collector->field, code->name, why);
	if (why != cobol_storage_absent || *collector->program) {
		vigil_message(area, text);
		collector->told = true;
	}
	GROW(collector->refused, collector->refused_count + 1, collector->refused_alloc);
	collector->refused[collector->refused_count++] = code;
}

static bool is_refused(const struct collector *collector, const struct cobol_code *code)
{
	for (size_t i = 0; i < collector->refused_count; i++)
		if (collector->refused[i] == code)
			return true;
	return false;
}

/* Returns the location of the item in a program, cached or looked up now; NULL: none. */
static const struct location *locate_once(struct collector *collector, struct process *process,
					  const struct vigil_communication *area,
					  const struct cobol_code *code, uint64_t bias)
{
	struct location location = { .code = code, .bias = bias };
	const char *why;

	for (size_t i = 0; i < process->location_count; i++)
		if (process->locations[i].code == code && process->locations[i].bias == bias) {
			process->current = i + 1;
			return &process->locations[i];
		}
	if (is_refused(collector, code))
		return NULL;
	why = locate_in(collector, area, code, bias, &location);
	if (why) {
		if (why != gone && (why != unnamed || ++process->unnamed == CALLS_BEFORE_MESSAGE))
			refuse(collector, area, code, why);
		return NULL;
	}
	GROW(process->locations, process->location_count + 1, process->location_alloc);
	process->locations[process->location_count++] = location;
	process->current = process->location_count;
	return &process->locations[process->current - 1];
}

/*
 * Counts a call in which a COBOL program executes but the item was not found;
 * after some of them issues a message.
 */
static void miss(struct collector *collector, struct process *process,
		 const struct vigil_communication *area)
{
	char text[200];

	if (++process->calls != CALLS_BEFORE_MESSAGE || collector->told)
		return;
	snprintf(text, sizeof(text), "%s is not found: no active COBOL program%s%s has it",
		 collector->field, *collector->program ? " " : "", collector->program);
	vigil_message(area, text);
}

/* Returns the location used last, unless its program has been unloaded (CANCEL). */
static const struct location *last_location(struct collector *collector, struct process *process,
					    const struct vigil_communication *area)
{
	const struct location *location;
	uint64_t bias = 0;

	if (!process->current)
		return NULL;
	location = &process->locations[process->current - 1];
	if (code_at(collector, process, area, location->code->start + location->bias, &bias) ==
		    location->code &&
	    bias == location->bias)
		return location;
	process->current = 0;
	return NULL;
}

/*
 * Looks for the item in the programs on the stack, innermost first; if none of
 * them has it, the location used last still counts. Returns NULL if there is none;
 * sets *executes if there is a COBOL program on the stack.
 */
static const struct location *locate(struct collector *collector, struct process *process,
				     const struct vigil_communication *area, bool *executes)
{
	const struct location *location = NULL;
	uint64_t bias = 0;

	*executes = false;
	for (size_t i = 0; i < area->task->frame_count && !location; i++) {
		const struct cobol_code *code = code_of_frame(collector, process, area, i, &bias);

		*executes = *executes || code;
		if (code && (!*collector->program || !strcasecmp(code->name, collector->program)))
			location = locate_once(collector, process, area, code, bias);
	}
	if (!location)
		location = last_location(collector, process, area);
	if (!location && *executes)
		miss(collector, process, area);
	return location;
}

/* Sets the transaction to the value of the item. */
static enum vigil_outcome by_field(struct collector *collector, struct process *process,
				   struct vigil_communication *area)
{
	unsigned char bytes[VIGIL_NAME_MAX + 1];
	const struct location *location;
	struct cobol_type type;
	uint64_t address;
	bool executes;

	location = locate(collector, process, area, &executes);
	if (!location && process->location_count && executes) { /* its program has been unloaded */
		area->transaction = "";
		return VIGIL_DONE;
	}
	if (!location)
		return VIGIL_NOT_MINE;
	address = location->address;
	if (location->indirect)
		address = vigil_pointer(area, address) + location->offset;
	type = location->type;
	if (type.size > VIGIL_NAME_MAX)
		type.size = VIGIL_NAME_MAX;
	if (vigil_read(area, address, bytes, type.size) != type.size)
		return VIGIL_NOT_MINE;
	cobol_type_text(&type, bytes, collector->transaction, sizeof(collector->transaction));
	area->transaction = *collector->transaction ? collector->transaction : ".BLANK";
	return VIGIL_DONE;
}

/* Sets the transaction to the innermost COBOL program on the stack. */
static enum vigil_outcome by_program(struct collector *collector, struct process *process,
				     struct vigil_communication *area)
{
	uint64_t bias;

	for (size_t i = 0; i < area->task->frame_count; i++) {
		const struct cobol_code *code = code_of_frame(collector, process, area, i, &bias);

		if (!code)
			continue;
		area->transaction = code->name;
		return VIGIL_DONE;
	}
	return VIGIL_NOT_MINE;
}

static enum vigil_outcome entry(struct vigil_communication *area)
{
	struct collector *collector = begin(area);
	struct process *process;

	if (collector->request_kind == WISH_NOTHING)
		return VIGIL_NOT_MINE;
	process = processes_find(&collector->processes, area->task);
	if (!process)
		return VIGIL_NOT_MINE;
	return collector->request_kind == WISH_FIELD ? by_field(collector, process, area)
					     : by_program(collector, process, area);
}

/* Not started for any program by default: a request must name it and its parameter. */
static const char *const programs[] = { NULL };

VIGIL_COLLECTOR("STRBCOBO", "G-00", VIGIL_PROMPT, NULL, programs, entry);
