/* SPDX-License-Identifier: Apache-2.0 */
/* Finds COBOL programs and their data in the debug information of an object. */
#include "common/compat.h"
#include "collectors/cobol-object.h"
#include "common/strbuf.h"
#include "common/xalloc.h"
#include "common/cobol-scan.h"
#include "program/names/dwarf-open.h"

#include <dwarf.h>
#include <fcntl.h>
#include <gelf.h>
#include <sys/stat.h>
#include <unistd.h>

/* RETURN-CODE and the registers after it. */
#define REGISTERS 6
#define REGISTERS_SINCE_3_2 15

/* Finds the type of a variable without typedefs and qualifiers; returns false if it has none. */
static bool type_of(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute attribute;

	return dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute), type) &&
	       dwarf_peel_type(type, type) == 0;
}

/* Finds the address of a static variable; returns false if it has none (any more). */
static bool address_of(Dwarf_Die *die, uint64_t *address)
{
	Dwarf_Attribute attribute;
	Dwarf_Op *operations;
	size_t count;

	if (!dwarf_attr(die, DW_AT_location, &attribute) ||
	    dwarf_getlocation(&attribute, &operations, &count) != 0 || count != 1 ||
	    operations[0].atom != DW_OP_addr)
		return false;
	*address = operations[0].number;
	return true;
}

static enum cobol_variable_kind kind_of(char letter, Dwarf_Die *type)
{
	if (letter == 'f')
		return COBOL_FIELD;
	switch (dwarf_tag(type)) {
	case DW_TAG_array_type:
		return COBOL_RECORD;
	case DW_TAG_pointer_type:
		return COBOL_POINTER;
	default:
		return COBOL_REGISTER;
	}
}

/* Adds a variable if it is a data item. */
static void take_variable(struct cobol_code *code, Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);
	struct cobol_variable variable;
	Dwarf_Die type;
	Dwarf_Word size;
	char *end;

	if (!name || (name[0] != 'b' && name[0] != 'f') || name[1] != '_')
		return;
	variable.number = (uint32_t)strtoul(name + 2, &end, 10);
	if (!name[2] || *end || !address_of(die, &variable.address) || !type_of(die, &type) ||
	    dwarf_aggregate_size(&type, &size) != 0)
		return;
	variable.kind = kind_of(name[0], &type);
	variable.size = size;
	GROW(code->variables, code->variable_count + 1, code->variable_alloc);
	code->variables[code->variable_count++] = variable;
}

/* Adds the data items among a function's variables; returns false if it is not a COBOL program. */
static bool take_variables(struct cobol_code *code, Dwarf_Die *function)
{
	Dwarf_Die child;
	bool module = false;

	if (dwarf_child(function, &child) != 0)
		return false;
	do {
		const char *name =
			dwarf_tag(&child) == DW_TAG_variable ? dwarf_diename(&child) : NULL;

		if (name && !strcmp(name, "module"))
			module = address_of(&child, &code->module);
		if (name)
			take_variable(code, &child);
	} while (dwarf_siblingof(&child, &child) == 0);
	return module;
}

static void code_release(struct cobol_code *code)
{
	free(code->name);
	for (size_t i = 0; i < code->source_count; i++)
		free(code->sources[i]);
	free(code->sources);
	free(code->folder);
	free(code->variables);
}

/* Returns whether a file of a unit is not one of the C files that GnuCOBOL writes or includes. */
static bool is_source(const char *path)
{
	size_t length = strlen(path);

	return length > 2 && strcmp(path + length - 2, ".c") != 0 &&
	       strcmp(path + length - 2, ".h") != 0;
}

/* Records the COBOL files of a unit, and the folder that their names are relative to. */
static void take_sources(struct cobol_code *code, Dwarf_Die *unit)
{
	Dwarf_Attribute attribute;
	Dwarf_Files *files;
	const char *folder;
	size_t count;

	folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
	code->folder = xstrdup(folder ? folder : "");
	if (dwarf_getsrcfiles(unit, &files, &count) != 0)
		return;
	for (size_t i = 0; i < count; i++) {
		const char *path = dwarf_filesrc(files, i, NULL, NULL);

		if (!path || !is_source(path))
			continue;
		GROW(code->sources, code->source_count + 1, code->source_alloc);
		code->sources[code->source_count++] = xstrdup(path);
	}
}

/* Reads the code range of a function; returns false if it has none. */
static bool take_range(struct cobol_code *code, Dwarf_Die *function)
{
	Dwarf_Addr low, high;

	if (dwarf_lowpc(function, &low) != 0 || dwarf_highpc(function, &high) != 0)
		return false;
	code->start = low;
	code->end = high;
	return true;
}

/* Adds a function if it is a COBOL program. */
static void take_function(struct cobol_object *object, Dwarf_Die *unit, Dwarf_Die *function,
			  uint32_t registers)
{
	const char *name = dwarf_diename(function);
	size_t length = name ? strlen(name) : 0;
	struct cobol_code code = { .registers = registers };
	struct strbuf program = STRBUF_INIT;

	if (length < 2 || name[length - 1] != '_' || !take_range(&code, function))
		return;
	if (!take_variables(&code, function)) {
		code_release(&code);
		return;
	}
	cobol_scan_program_name(name, &program);
	code.name = strbuf_detach(&program, NULL);
	take_sources(&code, unit);
	GROW(object->codes, object->code_count + 1, object->code_alloc);
	object->codes[object->code_count++] = code;
}

static bool is_function(Dwarf_Die *die, const char *name)
{
	const char *own = dwarf_tag(die) == DW_TAG_subprogram ? dwarf_diename(die) : NULL;

	return own && !strcmp(own, name);
}

/*
 * Returns how many registers the unit's compiler counts: GnuCOBOL 3.2 has more of
 * them than its predecessors, and is the first to generate a function that checks
 * the version when the object is loaded.
 */
static uint32_t registers_of(Dwarf_Die *unit)
{
	Dwarf_Die child;

	if (dwarf_child(unit, &child) != 0)
		return REGISTERS;
	do
		if (is_function(&child, "gc_module_so_init"))
			return REGISTERS_SINCE_3_2;
	while (dwarf_siblingof(&child, &child) == 0);
	return REGISTERS;
}

static void take_unit(struct cobol_object *object, Dwarf_Die *unit)
{
	uint32_t registers = registers_of(unit);
	Dwarf_Die child;

	if (dwarf_child(unit, &child) != 0)
		return;
	do {
		if (dwarf_tag(&child) == DW_TAG_subprogram)
			take_function(object, unit, &child, registers);
	} while (dwarf_siblingof(&child, &child) == 0);
}

/*
 * Returns whether a symbol table contains a name of GnuCOBOL's run-time library;
 * each COBOL program uses some.
 */
static bool names_run_time(Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Data *content = elf_getdata(section, NULL);
	GElf_Sym symbol;

	for (int i = 0; content && gelf_getsym(content, i, &symbol); i++) {
		const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);

		if (name && !strncmp(name, "cob_", 4))
			return true;
	}
	return false;
}

/*
 * Returns whether an object can contain COBOL programs: reading the debug
 * information of others, such as large libraries, would waste time.
 */
static bool uses_run_time(Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) &&
		    (header.sh_type == SHT_DYNSYM || header.sh_type == SHT_SYMTAB) &&
		    names_run_time(elf, section, &header))
			return true;
	return false;
}

static void take_segments(struct cobol_object *object, Elf *elf)
{
	size_t count;

	if (elf_getphdrnum(elf, &count) != 0)
		return;
	for (size_t i = 0; i < count; i++) {
		GElf_Phdr header;

		if (!gelf_getphdr(elf, (int)i, &header) || header.p_type != PT_LOAD)
			continue;
		GROW(object->segments, object->segment_count + 1, object->segment_alloc);
		object->segments[object->segment_count++] =
			(struct cobol_segment){ header.p_offset, header.p_filesz, header.p_vaddr };
	}
}

/* Reads the start of the file as it is loaded with the segment that begins with it. */
static void take_head(struct cobol_object *object, int fd)
{
	for (size_t i = 0; i < object->segment_count; i++) {
		const struct cobol_segment *segment = &object->segments[i];
		ssize_t got;

		if (segment->offset != 0)
			continue;
		got = pread(fd, object->head,
			    segment->size < COBOL_HEAD ? segment->size : COBOL_HEAD, 0);
		object->head_size = got > 0 ? (size_t)got : 0;
		object->head_address = segment->address;
		return;
	}
}

static void take_file(struct cobol_object *object, int fd)
{
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	struct dwarf_file file = { 0 };
	Dwarf_CU *unit = NULL;
	struct stat status;
	Dwarf_Die die;

	if (fstat(fd, &status) == 0) {
		object->device = status.st_dev;
		object->inode = status.st_ino;
		object->size = status.st_size;
		object->modified = status.st_mtim;
	}
	take_segments(object, elf);
	take_head(object, fd);
	if (uses_run_time(elf) && dwarf_file_open(&file, elf))
		while (dwarf_get_units(file.dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0)
			take_unit(object, &die);
	dwarf_file_close(&file);
	elf_end(elf);
}

struct cobol_object *cobol_object_read(const char *path)
{
	struct cobol_object *object = xcalloc(1, sizeof(*object));
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	elf_version(EV_CURRENT);
	object->path = xstrdup(path);
	if (fd < 0)
		return object;
	take_file(object, fd);
	close(fd);
	return object;
}

void cobol_object_free(struct cobol_object *object)
{
	for (size_t i = 0; i < object->code_count; i++)
		code_release(&object->codes[i]);
	free(object->codes);
	free(object->segments);
	free(object->path);
	free(object);
}

bool cobol_object_is_current(const struct cobol_object *object)
{
	struct stat status;

	return stat(object->path, &status) != 0 ||
	       (status.st_dev == object->device && status.st_ino == object->inode &&
		status.st_size == object->size &&
		status.st_mtim.tv_sec == object->modified.tv_sec &&
		status.st_mtim.tv_nsec == object->modified.tv_nsec);
}

uint64_t cobol_object_bias(const struct cobol_object *object, uint64_t offset, uint64_t address)
{
	for (size_t i = 0; i < object->segment_count; i++) {
		const struct cobol_segment *segment = &object->segments[i];

		if (offset - segment->offset < segment->size)
			return address - (segment->address + (offset - segment->offset));
	}
	return address - offset;
}

const struct cobol_code *cobol_object_code(const struct cobol_object *object, uint64_t address)
{
	for (size_t i = 0; i < object->code_count; i++)
		if (address >= object->codes[i].start && address < object->codes[i].end)
			return &object->codes[i];
	return NULL;
}

const struct cobol_variable *cobol_code_variable(const struct cobol_code *code,
						 enum cobol_variable_kind kind, uint32_t number)
{
	for (size_t i = 0; i < code->variable_count; i++)
		if (code->variables[i].kind == kind && code->variables[i].number == number)
			return &code->variables[i];
	return NULL;
}
