/* SPDX-License-Identifier: Apache-2.0 */
/* Reads code objects of a Python process, and the lines of their instructions. */
#include "common/compat.h"
#include "collectors/python-code.h"

#include "common/hash.h"

#define UNITS_MAX (1u << 24)
#define LINES_MAX (1u << 20)
#define NAMES_LOOKED_AT 16 /* number of entries of a module's dictionary that are read; its name
			    * is among the first */

/*
 * Parts of a code object's head that never change: constants, names, exceptions;
 * then from the variable names to the line table.
 */
enum { CONSTANT_FROM = 24, CONSTANT_SIZE = 24, CONSTANT_LATER = 96, CONSTANT_LATER_SIZE = 48 };

/* Copies the parts of a code object's head that never change. */
static void take_constant(const struct python_layout *layout, const unsigned char *head,
			  unsigned char constant[80])
{
	memcpy(constant, head + CONSTANT_FROM, CONSTANT_SIZE);
	memcpy(constant + CONSTANT_SIZE, head + CONSTANT_LATER, CONSTANT_LATER_SIZE);
	memcpy(constant + 72, head + PYTHON_OBJECT_SIZE, 4);
	memcpy(constant + 76, head + layout->code_first_line, 4);
}

static uint64_t pointer_in(const unsigned char *head, uint32_t offset)
{
	uint64_t value;

	memcpy(&value, head + offset, sizeof(value));
	return value;
}

/* Reads the bytes of the line table; returns -1 if there is none. */
static int read_lines(struct python_memory *memory, uint64_t address, struct python_code *code)
{
	uint64_t size;

	RETURN_IF(!pages_read(memory->pages, address + PYTHON_OBJECT_SIZE, &size, sizeof(size)),
		  -1);
	RETURN_IF(size > LINES_MAX, -1);
	code->lines = malloc(size + 1);
	RETURN_IF(!code->lines, -1);
	code->lines_size = size;
	return pages_read(memory->pages, address + PYTHON_BYTES_TEXT, code->lines, size) ? 0 : -1;
}

/* Returns the value of __name__ in a dictionary, or NULL; the caller frees it. */
static char *read_name(struct python_memory *memory, uint64_t dictionary)
{
	struct pages *pages = memory->pages;
	uint64_t keys, entries = 0, entry;
	unsigned char head[PYTHON_KEYS_INDICES];
	char text[VIGIL_NAME_MAX + 1];
	uint32_t width;

	RETURN_IF(pages_pointer(pages, dictionary + PYTHON_OBJECT_TYPE) != memory->types.dictionary,
		  NULL);
	keys = pages_pointer(pages, dictionary + memory->layout->dictionary_keys);
	RETURN_IF(!keys || !pages_read(pages, keys, head, sizeof(head)), NULL);
	RETURN_IF(head[PYTHON_KEYS_LOG2_INDEX_BYTES] > 32 || head[PYTHON_KEYS_KIND] > 1, NULL);
	memcpy(&entries, head + PYTHON_KEYS_ENTRIES, sizeof(entries));
	entry = keys + PYTHON_KEYS_INDICES + (UINT64_C(1) << head[PYTHON_KEYS_LOG2_INDEX_BYTES]);
	/*
	 * Kind 0 has a hash, a key and a value; kind 1, if all keys are texts, a key and a
	 * value.
	 */
	width = head[PYTHON_KEYS_KIND] ? 16 : 24;
	for (uint64_t i = 0; i < entries && i < NAMES_LOOKED_AT; i++, entry += width) {
		uint64_t pair[2];

		RETURN_IF(!pages_read(pages, entry + width - sizeof(pair), pair, sizeof(pair)),
			  NULL);
		if (python_text(memory, pair[0], text, sizeof(text)) && !strcmp(text, "__name__"))
			return python_text(memory, pair[1], text, sizeof(text)) ? strdup(text)
										: NULL;
	}
	return NULL;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] && path[0] != '<' ? slash + 1 : path;
}

/*
 * Returns the name of the script in a file: the file's name; for the __main__.py
 * of a package or archive, the name of that.
 */
static char *script_name(const char *file)
{
	const char *name = last_part(file), *start;

	RETURN_IF(strcmp(name, "__main__.py") != 0 || name < file + 2, strdup(name));
	for (start = name - 1; start > file && start[-1] != '/'; start--)
		;
	return strndup(start, (size_t)(name - 1 - start));
}

/* Returns the module that a code object belongs to when it executes with these globals. */
static char *module_name(struct python_memory *memory, const char *file, uint64_t globals)
{
	char *name = read_name(memory, globals);

	RETURN_IF(name && *name && strcmp(name, "__main__") != 0, name);
	free(name);
	return script_name(file);
}

static void code_free(struct python_code *code)
{
	free(code->file);
	free(code->procedure);
	free(code->module);
	free(code->lines);
	free(code);
}

/* Reads what a code object's head refers to; returns -1 if it is not a code object. */
static int read_code(struct python_memory *memory, const unsigned char *head,
		     struct python_code *code)
{
	const struct python_layout *layout = memory->layout;
	char file[1024], name[VIGIL_NAME_MAX + 1];

	memcpy(&code->first_line, head + layout->code_first_line, sizeof(code->first_line));
	code->units = (uint32_t)pointer_in(head, PYTHON_OBJECT_SIZE);
	RETURN_IF(pointer_in(head, PYTHON_OBJECT_SIZE) > UNITS_MAX || code->first_line > INT32_MAX,
		  -1);
	RETURN_IF(!python_text(memory, pointer_in(head, layout->code_file), file, sizeof(file)),
		  -1);
	RETURN_IF(!python_text(memory, pointer_in(head, layout->code_name), name, sizeof(name)),
		  -1);
	RETURN_IF(read_lines(memory, pointer_in(head, layout->code_lines), code), -1);
	code->file = strdup(file);
	code->procedure = strdup(name);
	code->module = module_name(memory, file, code->globals);
	RETURN_IF(!code->file || !code->procedure || !code->module, -1);
	code->section = last_part(code->file);
	return 0;
}

static struct python_code *code_new(struct python_memory *memory, uint64_t address,
				    const unsigned char *head, uint64_t globals)
{
	struct python_code *code = calloc(1, sizeof(*code));

	RETURN_IF(!code, NULL);
	code->address = address;
	code->globals = globals;
	take_constant(memory->layout, head, code->constant);
	if (!read_code(memory, head, code))
		return code;
	code_free(code);
	return NULL;
}

/* Returns whether the line table at address is that of a code object. */
static bool are_lines_same(struct python_memory *memory, uint64_t address,
			   const struct python_code *code)
{
	unsigned char part[256];
	uint64_t size;

	RETURN_IF(!pages_read(memory->pages, address + PYTHON_OBJECT_SIZE, &size, sizeof(size)) ||
			  size != code->lines_size,
		  false);
	address += PYTHON_BYTES_TEXT;
	for (size_t at = 0, now; at < size; at += now) {
		now = size - at < sizeof(part) ? (size_t)size - at : sizeof(part);
		RETURN_IF(!pages_read(memory->pages, address + at, part, now) ||
				  memcmp(part, code->lines + at, now) != 0,
			  false);
	}
	return true;
}

/*
 * Returns whether a code object whose parts are at the same addresses is still the
 * same. Code without a file may be generated repeatedly (exec) and all its parts
 * be allocated at the same addresses: so their contents are compared.
 */
static bool is_same(struct python_memory *memory, const unsigned char *head,
		    const struct python_code *code)
{
	const struct python_layout *layout = memory->layout;
	char file[1024], name[VIGIL_NAME_MAX + 1];

	RETURN_IF(code->file[0] != '<', true);
	return are_lines_same(memory, pointer_in(head, layout->code_lines), code) &&
	       python_text(memory, pointer_in(head, layout->code_name), name, sizeof(name)) &&
	       strcmp(name, code->procedure) == 0 &&
	       python_text(memory, pointer_in(head, layout->code_file), file, sizeof(file)) &&
	       strcmp(file, code->file) == 0;
}

/*
 * A replaced code object is kept, after the new one, until all are dropped: a
 * place of the current call may refer to it.
 */
const struct python_code *python_codes_find(struct python_codes *codes,
					    struct python_memory *memory, uint64_t address,
					    uint64_t globals)
{
	struct python_code **slot = &codes->slots[hash_u64(address) % PYTHON_CODES_SLOTS], *code;
	unsigned char head[PYTHON_CODE_HEAD], constant[80];

	RETURN_IF(!address || !pages_read(memory->pages, address, head, sizeof(head)), NULL);
	RETURN_IF(pointer_in(head, PYTHON_OBJECT_TYPE) != memory->types.code, NULL);
	take_constant(memory->layout, head, constant);
	for (code = *slot; code; code = code->next)
		if (code->address == address && code->globals == globals &&
		    !memcmp(code->constant, constant, sizeof(constant)) &&
		    is_same(memory, head, code))
			return code;
	code = code_new(memory, address, head, globals);
	RETURN_IF(!code, NULL);
	code->next = *slot;
	*slot = code;
	codes->size += sizeof(*code) + code->lines_size + strlen(code->file) +
		       strlen(code->procedure) + strlen(code->module);
	return code;
}

void python_codes_release(struct python_codes *codes)
{
	for (size_t i = 0; i < PYTHON_CODES_SLOTS; i++) {
		while (codes->slots[i]) {
			struct python_code *code = codes->slots[i];

			codes->slots[i] = code->next;
			code_free(code);
		}
	}
	codes->size = 0;
}

void python_codes_trim(struct python_codes *codes)
{
	if (codes->size > PYTHON_CODES_SIZE)
		python_codes_release(codes);
}

/* Reads the number at *at, six bits per byte, lowest first; advances *at. */
static uint32_t read_number(const struct python_code *code, size_t *at)
{
	uint32_t value = 0, byte = 0x40;

	for (unsigned shift = 0; byte & 0x40 && *at < code->lines_size && shift < 32; shift += 6) {
		byte = code->lines[(*at)++];
		value |= (byte & 0x3f) << shift;
	}
	return value;
}

/*
 * The line table (PEP 626, Objects/locations.md of CPython): each entry is a byte
 * 1kkkklll (kind, code units - 1) and bytes below 128 that depend on its kind: 10
 * to 12 advance 0 to 2 lines, 13 and 14 have a signed number of lines first, 15
 * has no line.
 */
uint32_t python_code_line(const struct python_code *code, uint32_t offset)
{
	enum { SMALL = 10, SMALL_END = 12, NO_COLUMNS = 13, LONG = 14, NONE = 15 };
	uint32_t line = code->first_line, end = 0;

	for (size_t at = 0; at < code->lines_size;) {
		uint32_t byte = code->lines[at++], kind = byte >> 3 & 15;

		if (kind >= SMALL && kind <= SMALL_END) {
			line += kind - SMALL;
		} else if (kind == NO_COLUMNS || kind == LONG) {
			uint32_t change = read_number(code, &at);

			line += change & 1 ? -(change >> 1) : change >> 1;
		}
		while (at < code->lines_size && !(code->lines[at] & 0x80))
			at++;
		end += ((byte & 7) + 1) * 2;
		if (offset < end)
			return kind == NONE || line > INT32_MAX ? 0 : line;
	}
	return 0;
}
