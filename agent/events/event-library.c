/* SPDX-License-Identifier: Apache-2.0 */
/* Finds what objects import, and installs hooks there. */
#include "agent/events/event-library.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__)

/* Maximum number of objects of a process; further ones are left alone. */
#define OBJECTS 1024
#define PAGE UINT64_C(4096)

/* A loaded object. */
struct object {
	uint64_t base, start, end; /* load bias; address range of its segments */
	const ElfW(Dyn) * dynamic;
	const char *path;
	const ElfW(Sym) * symbols;
	const char *strings;
	const uint32_t *hash;	  /* GNU hash table; NULL none */
	const uint16_t *versions; /* by symbol; NULL none */
	const ElfW(Verneed) * needed;
	const ElfW(Verdef) * defined;
	const ElfW(Rela) * calls, *data; /* relocations */
	size_t call_count, data_count;
	uint64_t relro, relro_end;     /* read-only after relocation */
	uint64_t data_start, data_end; /* writable data, including relro */
};

static struct object objects[OBJECTS];
static size_t object_count;
static unsigned long long added, removed; /* the loader's counts at the last scan */
static pid_t looking; /* process that is scanning; 0 none: a child may have been forked meanwhile */
uint32_t event_library_unloaded;
void event_library_dlsym(void);
void *event_library_asked(void *handle, const char *name);
/* The assembler code below uses its layout. */
struct event_hook event_loader_hook = { "dlsym", (void *)event_library_dlsym, NULL };

static bool always(const struct event_area *area UNUSED)
{
	return true;
}

const struct event_hooks event_loader_hooks = { &event_loader_hook, 1, always };
static const struct event_hooks *const *sources;
static size_t source_count;

/* Returns the last part of a path. */
static const char *file_of(const char *path)
{
	const char *last = strrchr(path, '/');

	return last ? last + 1 : path;
}

/* Returns whether an object is part of the agent, or the loader: nothing is hooked there. */
static bool is_agent_or_loader(const struct object *object)
{
	const char *file = file_of(object->path);

	return strncmp(file, "vigil-", 6) == 0 || strncmp(file, "ld-linux", 8) == 0;
}

/* Returns whether an object belongs to a run time. */
static bool is_run_time(const struct object *object)
{
	static const char *const names[] = EVENT_RUN_TIME;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (event_pattern_matches(names[i], file_of(object->path)))
			return true;
	return false;
}

static const struct object *object_at(uint64_t address)
{
	for (size_t i = 0; i < object_count; i++)
		if (address >= objects[i].start && address < objects[i].end)
			return &objects[i];
	return NULL;
}

/* Reads an object's dynamic section. */
static void read_dynamic(struct object *object)
{
	size_t calls = 0, data = 0;

	for (const ElfW(Dyn) *at = object->dynamic; at->d_tag != DT_NULL; at++) {
		/* The loader has relocated the addresses, but not in all objects. */
		uint64_t value = at->d_un.d_ptr < object->base ? at->d_un.d_ptr + object->base
							       : at->d_un.d_ptr;

		switch (at->d_tag) {
		case DT_SYMTAB:
			object->symbols = (const void *)value;
			break;
		case DT_STRTAB:
			object->strings = (const void *)value;
			break;
		case DT_GNU_HASH:
			object->hash = (const void *)value;
			break;
		case DT_VERSYM:
			object->versions = (const void *)value;
			break;
		case DT_VERNEED:
			object->needed = (const void *)value;
			break;
		case DT_VERDEF:
			object->defined = (const void *)value;
			break;
		case DT_JMPREL:
			object->calls = (const void *)value;
			break;
		case DT_RELA:
			object->data = (const void *)value;
			break;
		case DT_PLTRELSZ:
			calls = at->d_un.d_val;
			break;
		case DT_RELASZ:
			data = at->d_un.d_val;
			break;
		}
	}
	object->call_count = object->calls ? calls / sizeof(*object->calls) : 0;
	object->data_count = object->data ? data / sizeof(*object->data) : 0;
}

/* Adds an object. */
static void keep_object(const struct dl_phdr_info *info)
{
	struct object *object = &objects[object_count];

	*object = (struct object){ .base = info->dlpi_addr, .start = UINT64_MAX };
	object->path = info->dlpi_name && *info->dlpi_name ? info->dlpi_name
		       : object_count			   ? ""
							   : event_program;
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		uint64_t start = object->base + part->p_vaddr, end = start + part->p_memsz;

		if (part->p_type == PT_DYNAMIC)
			object->dynamic = (const void *)start;
		if (part->p_type == PT_GNU_RELRO) {
			object->relro = start & ~(PAGE - 1);
			object->relro_end = end & ~(PAGE - 1);
		}
		if (part->p_type != PT_LOAD)
			continue;
		if (part->p_flags & PF_W) {
			object->data_end = end;
			object->data_start = object->data_start ? object->data_start : start;
		}
		object->start = start < object->start ? start : object->start;
		object->end = end > object->end ? end : object->end;
	}
	if (object->dynamic)
		read_dynamic(object);
	object_count++;
}

static uint32_t hash_of(const char *name)
{
	uint32_t hash = 5381;

	while (*name)
		hash = hash * 33 + (unsigned char)*name++;
	return hash;
}

/* Returns the version that an object requires with one of its symbols; NULL: any. */
static const char *version_of(const struct object *object, size_t symbol)
{
	uint16_t wanted = object->versions ? object->versions[symbol] & 0x7fff : 0;
	const ElfW(Verneed) *need = object->needed;

	while (need && wanted > 1) {
		const ElfW(Vernaux) *one = (const void *)((const char *)need + need->vn_aux);

		for (unsigned i = 0; i < need->vn_cnt; i++) {
			if (one->vna_other == wanted)
				return object->strings + one->vna_name;
			one = (const void *)((const char *)one + one->vna_next);
		}
		if (!need->vn_next)
			break;
		need = (const void *)((const char *)need + need->vn_next);
	}
	return NULL;
}

/*
 * Returns whether a symbol that an object defines has a version, or is its default
 * if none is required.
 */
static bool has_version(const struct object *object, size_t symbol, const char *version)
{
	const ElfW(Verdef) *one = object->defined;

	if (!object->versions || !one)
		return true;
	if (!version)
		return !(object->versions[symbol] & 0x8000);
	for (;;) {
		const ElfW(Verdaux) *name = (const void *)((const char *)one + one->vd_aux);

		if (one->vd_ndx == (object->versions[symbol] & 0x7fff))
			return strcmp(object->strings + name->vda_name, version) == 0;
		if (!one->vd_next)
			return false;
		one = (const void *)((const char *)one + one->vd_next);
	}
}

/* Returns the symbol that an object defines under a name; NULL: none. */
static const ElfW(Sym) * look_up(const struct object *object, const char *name, const char *version)
{
	const uint32_t *head = object->hash, *buckets, *chain;
	const uint64_t *bloom;
	uint32_t hash = hash_of(name), at;

	if (!head || !object->symbols || !object->strings || !head[0] || !head[2])
		return NULL;
	bloom = (const void *)(head + 4);
	buckets = (const void *)(bloom + head[2]);
	chain = buckets + head[0];
	if (!(bloom[hash / 64 % head[2]] >> hash % 64 & 1) ||
	    !(bloom[hash / 64 % head[2]] >> (hash >> head[3]) % 64 & 1))
		return NULL;
	at = buckets[hash % head[0]];
	if (at < head[1])
		return NULL;
	for (;; at++) {
		const ElfW(Sym) *symbol = &object->symbols[at];

		if ((chain[at - head[1]] | 1) == (hash | 1) && symbol->st_shndx != SHN_UNDEF &&
		    strcmp(object->strings + symbol->st_name, name) == 0 &&
		    has_version(object, at, version))
			return symbol;
		if (chain[at - head[1]] & 1)
			return NULL;
	}
}

/* Returns the address of the function that a symbol of an object defines; 0: it is not one. */
static uint64_t function_at(const struct object *object, const ElfW(Sym) * symbol)
{
	uint64_t address = object->base + symbol->st_value;
	unsigned type = ELF64_ST_TYPE(symbol->st_info);

	if (type == STT_GNU_IFUNC)
		return ((uint64_t(*)(void))address)();
	return type == STT_FUNC || type == STT_NOTYPE ? address : 0;
}

/* Returns the function that an object imports, as the loader will resolve it; 0: there is none. */
static uint64_t find_function(const char *name, const char *version)
{
	for (size_t i = 0; i < object_count; i++) {
		const ElfW(Sym) *symbol = look_up(&objects[i], name, version);

		if (symbol)
			return function_at(&objects[i], symbol);
	}
	return 0;
}

void *event_library_sibling(const void *function, const char *name)
{
	const struct object *object = object_at((uint64_t)function);
	const ElfW(Sym) *symbol = object ? look_up(object, name, NULL) : NULL;

	return symbol ? (void *)function_at(object, symbol) : NULL;
}

/* Returns the function that replaces the one at target; NULL: there is no hook for it. */
static void *hook_of(const char *name, uint64_t target)
{
	for (size_t i = 0; i < source_count; i++) {
		if (!sources[i]->wanted(event_area))
			continue;
		for (size_t j = 0; j < sources[i]->count; j++) {
			struct event_hook *hook = &sources[i]->hooks[j];

			if (hook->name[0] != name[0] || strcmp(hook->name, name) != 0)
				continue;
			/* Another copy of the library is left alone. */
			if (!hook->real)
				__atomic_store_n(&hook->real, (void *)target, __ATOMIC_RELEASE);
			return hook->real == (void *)target ? hook->instead : NULL;
		}
	}
	return NULL;
}

/*
 * Returns the address of the function to which an import leads; 0: it is no
 * function, or none of another object. Before its first call the import may lead
 * to the object itself.
 */
static uint64_t target_of(const struct object *object, const ElfW(Rela) * import, uint64_t there)
{
	size_t number = ELF64_R_SYM(import->r_info);
	const ElfW(Sym) *symbol = &object->symbols[number];
	const char *name = object->strings + symbol->st_name;
	const struct object *to;

	if (there && (there < object->start || there >= object->end)) {
		if (ELF64_R_TYPE(import->r_info) == R_X86_64_JUMP_SLOT)
			return there;
		to = object_at(there);
		symbol = to ? look_up(to, name, version_of(object, number)) : NULL;
		return symbol && function_at(to, symbol) == there ? there : 0;
	}
	if (ELF64_R_TYPE(import->r_info) != R_X86_64_JUMP_SLOT || symbol->st_shndx != SHN_UNDEF)
		return 0;
	return find_function(name, version_of(object, number));
}

/* Returns the address to store in a table of imports instead of the present one; 0: keep that. */
static uint64_t instead_of(const struct object *object, const ElfW(Rela) * import, uint64_t there,
			   bool calls)
{
	const ElfW(Sym) *symbol = &object->symbols[ELF64_R_SYM(import->r_info)];
	uint64_t target = target_of(object, import, there);
	const struct object *to = target ? object_at(target) : NULL;
	const char *name = object->strings + symbol->st_name;
	void *hook;

	if (!to || to == object || object_at((uint64_t)event_library_begin) == to)
		return 0;
	hook = hook_of(name, target);
	if (hook)
		return (uint64_t)hook;
	return calls && !is_agent_or_loader(to) ? event_library_stub(file_of(to->path), name, target) : 0;
}

/* Installs hooks in one table of imports. */
static void patch_table(const struct object *object, const ElfW(Rela) * imports, size_t count,
			bool calls)
{
	for (size_t i = 0; i < count; i++) {
		const ElfW(Rela) *import = &imports[i];
		unsigned type = ELF64_R_TYPE(import->r_info);
		uint64_t *place = (uint64_t *)(object->base + import->r_offset), instead;

		if ((type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT) ||
		    !ELF64_R_SYM(import->r_info) || (uint64_t)place < object->data_start ||
		    (uint64_t)(place + 1) > object->data_end)
			continue;
		instead =
			instead_of(object, import, __atomic_load_n(place, __ATOMIC_RELAXED), calls);
		if (instead)
			__atomic_store_n(place, instead, __ATOMIC_RELEASE);
	}
}

/* Installs hooks in an object. */
static void patch_object(const struct object *object)
{
	size_t length = object->relro_end - object->relro;
	bool calls = event_area->call_count && (event_area->run_time || !is_run_time(object));

	if (!object->symbols || !object->strings || is_agent_or_loader(object))
		return;
	if (object->relro && length &&
	    mprotect((void *)object->relro, length, PROT_READ | PROT_WRITE))
		return;
	patch_table(object, object->calls, object->call_count, calls);
	patch_table(object, object->data, object->data_count, calls);
	if (object->relro && length)
		mprotect((void *)object->relro, length, PROT_READ);
}

/* Adds an object that is new. */
static int scan_object(struct dl_phdr_info *info, size_t size UNUSED, void *number)
{
	size_t *passed = number;

	added = info->dlpi_adds;
	if (info->dlpi_subs != removed) {
		removed = info->dlpi_subs;
		object_count = 0;
	}
	if ((*passed)++ >= object_count && object_count < OBJECTS)
		keep_object(info);
	return 0;
}

/* Removes the functions of unloaded objects from the hooks. */
static void forget_unloaded(void)
{
	for (size_t i = 0; i < source_count; i++)
		for (size_t j = 0; j < sources[i]->count; j++)
			if (!object_at((uint64_t)sources[i]->hooks[j].real))
				sources[i]->hooks[j].real = NULL;
	__atomic_fetch_add(&event_library_unloaded, 1, __ATOMIC_RELEASE);
}

/* Scans for new objects. */
static void scan_objects(void)
{
	pid_t own = getpid(), other = __atomic_load_n(&looking, __ATOMIC_RELAXED);
	size_t passed = 0, before = object_count;
	unsigned long long gone = removed;
	int saved = errno;

	if (other == own || !__atomic_compare_exchange_n(&looking, &other, own, false,
							 __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		return;
	dl_iterate_phdr(scan_object, &passed);
	if (gone != removed)
		forget_unloaded();
	for (size_t i = gone == removed ? before : 0; i < object_count; i++)
		patch_object(&objects[i]);
	__atomic_store_n(&looking, 0, __ATOMIC_RELEASE);
	errno = saved;
}

/* Finds out whether the loader has loaded or unloaded objects since. */
static int has_changed(struct dl_phdr_info *info, size_t size UNUSED, void *changed)
{
	*(bool *)changed = info->dlpi_adds != added || info->dlpi_subs != removed;
	return 1;
}

/*
 * Returns the hook of a function that a program requests from the loader; NULL:
 * the program gets what it requested.
 */
void *event_library_asked(void *handle, const char *name)
{
	void *(*real)(void *, const char *), *found;
	bool changed = false;
	int saved = errno;

	dl_iterate_phdr(has_changed, &changed);
	if (changed)
		scan_objects();
	errno = saved;
	/* The result for the special handles depends on the caller. */
	if (!name || (strncmp(name, "sqlite3_", 8) != 0 && strncmp(name, "PQ", 2) != 0) ||
	    handle == RTLD_DEFAULT || handle == RTLD_NEXT)
		return NULL;
	memcpy(&real, &event_loader_hook.real, sizeof(real));
	found = real(handle, name);
	return found ? hook_of(name, (uint64_t)found) : NULL;
}

/* Interposes on dlsym, which looks at its return address: it is reached by a jump. */
__asm__(".text\n"
	".globl event_library_dlsym\n .hidden event_library_dlsym\n"
	".type event_library_dlsym, @function\n"
	"event_library_dlsym:\n .cfi_startproc\n endbr64\n"
	"push %rdi\n .cfi_adjust_cfa_offset 8\n push %rsi\n .cfi_adjust_cfa_offset 8\n"
	"sub $8, %rsp\n .cfi_adjust_cfa_offset 8\n call event_library_asked\n"
	"add $8, %rsp\n .cfi_adjust_cfa_offset -8\n"
	"pop %rsi\n .cfi_adjust_cfa_offset -8\n pop %rdi\n .cfi_adjust_cfa_offset -8\n"
	"test %rax, %rax\n jnz 1f\n jmp *event_loader_hook+16(%rip)\n"
	"1: ret\n .cfi_endproc\n .size event_library_dlsym, .-event_library_dlsym\n");
_Static_assert(offsetof(struct event_hook, real) == 16, "as event_library_dlsym has it");

void event_library_begin(const struct event_hooks *const hooks[], size_t count)
{
	const struct event_area *area = event_area;

	sources = hooks;
	source_count = count;
	if (!area->database && !area->spawns && !area->signals && !area->threads && !area->call_count)
		return;
	if (area->call_count)
		event_calls_measure();
	scan_objects();
}

#else

uint32_t event_library_unloaded;

void *event_library_sibling(const void *function UNUSED, const char *name UNUSED)
{
	return NULL;
}

void event_library_begin(const struct event_hooks *const hooks[] UNUSED, size_t count UNUSED)
{
}

#endif
