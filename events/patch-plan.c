/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the functions of an object that are patched. */
#include "common/compat.h"
#include "events/patch-plan.h"
#include "agent/event-filter-area.h"
#include "agent/event-patch-area.h"
#include "common/path.h"
#include "common/procfs.h"
#include "common/xalloc.h"
#include "events/filter.h"
#include "program/names/demangle.h"
#include "program/objects/object-symbols.h"

#include <elf.h>
#include <sys/stat.h>

/* Maximum number of names of functions that could not be patched. */
#define REFUSED_NAMES 10
/* Maximum distance, bytes, of a patchable entry before its function. */
#define ENTRY_BEFORE 256

/* A symbol of a function; several may have the same address. */
struct candidate {
	uint64_t start, end;
	const char *name;
	/* In the first symbol at an address, for all of them: */
	bool special; /* never patched */
	bool asked;   /* by FUNCTIONS, or by a patchable entry */
	bool wanted;  /* or it may report its begin itself */
};

struct chosen {
	struct patch_plan *plan;
	struct patch_object object;
	struct candidate *candidates;
	size_t count, alloc;
	struct idmap patchable; /* starts of functions with a patchable entry */
	bool has_patchable;
	bool any; /* a function is wanted */
};

void patch_plan_init(struct patch_plan *plan, const struct event_request *request)
{
	*plan = (struct patch_plan){ .request = request, .refused = STRBUF_INIT };
	plan->fits = xcalloc(request->function_count + 1, sizeof(*plan->fits));
}

void patch_plan_release(struct patch_plan *plan)
{
	free(plan->functions);
	free(plan->fits);
	strbuf_release(&plan->refused);
	*plan = (struct patch_plan){ .refused = STRBUF_INIT };
}

static int by_start(const void *a, const void *b)
{
	const struct candidate *left = a, *right = b;

	if (left->start != right->start)
		return left->start < right->start ? -1 : 1;
	return strcmp(left->name, right->name);
}

static int by_range(const void *a, const void *b)
{
	const struct patch_range *left = a, *right = b;

	return left->start < right->start ? -1 : left->start > right->start;
}

/* Reads the functions of an object, and separate parts of functions. */
static void read_functions(struct chosen *chosen)
{
	struct patch_object *object = &chosen->object;
	struct object_symbols symbols;
	struct object_symbol symbol;

	object_symbols_begin(&symbols, object->scan.object);
	while (object_symbols_next(&symbols, &symbol)) {
		const struct code_section *section =
			code_section_of(&object->scan, symbol.address);

		if (!section || (symbol.type != STT_FUNC && symbol.type != STT_GNU_IFUNC) ||
		    !symbol.size || symbol.size > section->end - symbol.address)
			continue;
		if (strstr(symbol.name, ".cold")) {
			GROW(object->cold, object->cold_count + 1, object->cold_alloc);
			object->cold[object->cold_count++] = (struct patch_range){
				symbol.address, symbol.address + symbol.size
			};
			continue;
		}
		GROW(chosen->candidates, chosen->count + 1, chosen->alloc);
		chosen->candidates[chosen->count++] =
			(struct candidate){ .start = symbol.address,
					    .end = symbol.address + symbol.size,
					    .name = symbol.name,
					    .special = symbol.type == STT_GNU_IFUNC };
	}
	if (chosen->count)
		qsort(chosen->candidates, chosen->count, sizeof(*chosen->candidates), by_start);
	if (object->cold_count)
		qsort(object->cold, object->cold_count, sizeof(*object->cold), by_range);
}

/* Returns which function of instrumented code a name in the linkage table is. */
static enum patch_caller caller_of(const char *name)
{
	return strcmp(name, "__fentry__") == 0			   ? PATCH_CALLER_FENTRY
	       : strcmp(name, "mcount") == 0			   ? PATCH_CALLER_MCOUNT
	       : strcmp(name, "__cyg_profile_func_enter") == 0	   ? PATCH_CALLER_ENTER
								   : PATCH_CALLER_NONE;
}

/*
 * Finds the functions that instrumented code calls, and patchable entries, whose
 * section is filled in by relocations or by the linker.
 */
static void read_relocations(struct chosen *chosen, struct object *file)
{
	struct object_relocations relocations;
	struct object_relocation relocation;
	struct object_section entries;
	const unsigned char *words = NULL;

	chosen->has_patchable =
		object_section_named(file, "__patchable_function_entries", &entries);
	if (chosen->has_patchable)
		words = object_section_bytes(file, &entries);
	for (uint64_t at = 0; words && at + 8 <= entries.size; at += 8) {
		uint64_t word;

		memcpy(&word, words + at, sizeof(word));
		if (word)
			idmap_put(&chosen->patchable, word, 1);
	}
	object_relocations_begin(&relocations, file);
	while (object_relocations_next(&relocations, &relocation)) {
		enum patch_caller caller = relocation.symbol && relocation.name
						   ? caller_of(relocation.name)
						   : PATCH_CALLER_NONE;

		if (caller)
			idmap_put(&chosen->object.callers, relocation.address, caller);
		if (chosen->has_patchable && !relocation.symbol &&
		    relocation.address - entries.address < entries.size)
			idmap_put(&chosen->patchable, relocation.addend, 1);
	}
}

/* Returns whether a function has a patchable entry, which may begin before it. */
static bool is_patchable(const struct chosen *chosen, const struct candidate *function,
			 uint64_t behind_last)
{
	uint64_t value, from = function->start - ENTRY_BEFORE;

	if (from < behind_last)
		from = behind_last;
	for (uint64_t at = from; at < function->end && at <= function->start + 4; at++)
		if (idmap_get(&chosen->patchable, at, &value))
			return true;
	return false;
}

/* Returns whether a pattern, OBJECT!FUNCTION or FUNCTION, matches. */
static bool fits(const char *pattern, const char *object, const char *name, const char *readable)
{
	const char *mark = strchr(pattern, '!');
	char folder[EVENT_PATTERN * 8];

	if (mark && (size_t)(mark - pattern) < sizeof(folder)) {
		memcpy(folder, pattern, (size_t)(mark - pattern));
		folder[mark - pattern] = '\0';
		if (!event_pattern_matches(folder, object))
			return false;
		pattern = mark + 1;
	}
	return event_pattern_matches(pattern, name) || event_pattern_matches(pattern, readable);
}

/* Returns whether FUNCTIONS requests a function. */
static bool is_asked(struct patch_plan *plan, const char *object, const char *name,
		     const char *readable)
{
	bool found = false;

	for (size_t i = 0; i < plan->request->function_count; i++)
		if (fits(plan->request->functions[i], object, name, readable)) {
			plan->fits[i] = true;
			found = true;
		}
	return found;
}

/*
 * Returns whether a function is never patched: one that begins a program or does
 * not return normally, or that the agent itself calls in the C library.
 */
static bool is_special(const char *object, const char *name)
{
	static const char *const names[] = {
		"_start", "_init", "_fini", "*setjmp", "*longjmp*", "vfork", "__vfork",
		"*swapcontext", "*getcontext", "*setcontext", "__start_context", "__restore_rt",
		"_dl_*", "__libc_start*", "__fentry__", "mcount", "_mcount", "__cyg_profile_*",
		"__tls_get_addr", "__sigsetjmp",
	};
	static const char *const of_agent[] = {
		"clock_gettime", "__clock_gettime", "mem*", "__mem*", "str*", "__str*", "*sigprocmask",
		"pthread_sigmask", "sigfillset", "mmap*", "__mmap*", "munmap", "madvise", "mprotect",
		"syscall", "getpid", "stat", "stat64", "open", "open64", "__open*", "close", "__close*",
		"pwrite*", "write", "__write", "read", "__read", "pthread_setspecific",
		"__errno_location", "dl_iterate_phdr", "pthread_getspecific",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (event_pattern_matches(names[i], name))
			return true;
	for (size_t i = 0; i < ARRAY_SIZE(of_agent); i++)
		if (strncmp(object, "libc.so", 7) == 0 && event_pattern_matches(of_agent[i], name))
			return true;
	return false;
}

/* Returns whether filters let a function pass. */
static bool passes(const struct patch_plan *plan, const char *path, const char *name)
{
	const char *file = path_base(path);
	char *library = file > path + 1 ? xstrndup(path, (size_t)(file - path - 1)) : xstrdup("/");
	bool pass = event_filter_function(plan->request, library, file, name);

	free(library);
	return pass;
}

/* Records a function that could not be patched. */
static void refuse(struct patch_plan *plan, const char *name, enum patch_outcome outcome)
{
	if (outcome == PATCH_INSTRUMENTED || outcome == PATCH_SPECIAL ||
	    plan->refused_count++ >= REFUSED_NAMES)
		return;
	strbuf_addf(&plan->refused, "%s%s", plan->refused.length ? ", " : "", name);
}

/* Sets *asked and *pass if a symbol of a function is requested, and passes. */
static void judge(struct chosen *chosen, const struct candidate *symbol, bool *asked, bool *pass)
{
	const char *path = chosen->object.scan.object->path;
	struct strbuf readable = STRBUF_INIT;

	demangle(symbol->name, &readable);
	if (passes(chosen->plan, path, readable.length ? readable.text : symbol->name)) {
		*pass = true;
		*asked |= is_asked(chosen->plan, path_base(path), symbol->name, readable.text);
	}
	strbuf_release(&readable);
}

/* Decides from the symbols at one address, from first to end, whether their function is patched. */
static void choose(struct chosen *chosen, size_t first, size_t end)
{
	struct candidate *all = chosen->candidates, *of = &all[first];
	const char *object = path_base(chosen->object.scan.object->path);
	bool asked = false, pass = false;

	for (size_t i = first; i < end; i++) {
		judge(chosen, &all[i], &asked, &pass);
		of->special |= all[i].special || is_special(object, all[i].name);
		if (all[i].end > of->end)
			of->end = all[i].end;
	}
	asked |= chosen->has_patchable && is_patchable(chosen, of, first ? all[first - 1].end : 0);
	of->asked = asked && pass;
	of->wanted = of->asked || (pass && chosen->object.callers.count > 0);
	chosen->any |= of->wanted;
}

/* Makes the sites of a function. */
static void plan_function(struct chosen *chosen, const struct candidate *of, struct strbuf *text,
			  uint64_t *sites)
{
	struct patch_plan *plan = chosen->plan;
	struct patch_function function = { .start = of->start,
					   .end = of->end,
					   .key = EVENT_FUNCTION_NUMBER | plan->count,
					   .begun_alone = !of->asked };
	enum patch_outcome outcome =
		of->special ? PATCH_SPECIAL
			    : patch_function(&chosen->object, &function, text, sites);

	if (!of->asked && outcome != PATCH_DONE)
		return;
	plan->outcomes[outcome]++;
	if (outcome != PATCH_DONE) {
		refuse(plan, of->name, outcome);
		return;
	}
	plan->ends_unknown += !function.ends_known;
	/* A number is used up even if the function identifies itself in its events. */
	GROW(plan->functions, plan->count + 1, plan->alloc);
	plan->functions[plan->count++] =
		(struct patch_numbered){ chosen->object.scan.object, of->start, 0 };
}

/* Chooses functions, and makes a plan if there are any. */
static uint64_t plan_functions(struct chosen *chosen, struct strbuf *text)
{
	struct frame_rows rows = { 0 };
	struct cfi_table frames;
	uint64_t sites = 0;

	read_functions(chosen);
	for (size_t first = 0, end; first < chosen->count; first = end) {
		for (end = first + 1;
		     end < chosen->count &&
		     chosen->candidates[end].start == chosen->candidates[first].start;)
			end++;
		choose(chosen, first, end);
	}
	/* Its first event decides whether a filter blocks it: the sooner the better. */
	if (chosen->count && chosen->object.callers.count && chosen->plan->request->program_count)
		event_sites_prepare(chosen->plan->sites, chosen->object.scan.object, chosen->candidates[0].start);
	if (!chosen->any)
		return 0;
	code_scan_targets(&chosen->object.scan);
	cfi_init(&frames, chosen->object.scan.object, &rows);
	chosen->object.frames = &frames;
	strbuf_add(text, &sites, sizeof(sites));
	for (size_t i = 0; i < chosen->count; i++)
		if (chosen->candidates[i].wanted)
			plan_function(chosen, &chosen->candidates[i], text, &sites);
	memcpy(text->text + offsetof(struct event_plan, count), &sites, sizeof(sites));
	cfi_release(&frames);
	frame_rows_release(&rows);
	return sites;
}

/* Returns whether an object is vigil's own program, which may also run in a step. */
static bool is_vigil_program(const struct object *object)
{
	char self[PROCFS_PATH_SIZE];
	struct stat own;

	return stat(procfs_process(self, PROCFS_SELF, "exe"), &own) == 0 &&
	       own.st_dev == object->device && own.st_ino == object->inode;
}

bool patch_plan_object(void *argument, struct object *object, struct strbuf *text)
{
	struct chosen chosen = { .plan = argument };
	uint64_t sites = 0;

	if (code_unknown() || is_vigil_program(object) || !object_headers(object))
		return false;
	idmap_init(&chosen.patchable);
	idmap_init(&chosen.object.callers);
	idmap_init(&chosen.object.claimed);
	read_relocations(&chosen, object);
	if (chosen.plan->request->function_count || chosen.has_patchable ||
	    chosen.object.callers.count) {
		code_scan_init(&chosen.object.scan, object);
		sites = plan_functions(&chosen, text);
		code_scan_release(&chosen.object.scan);
	}
	free(chosen.candidates);
	free(chosen.object.cold);
	idmap_release(&chosen.patchable);
	idmap_release(&chosen.object.callers);
	idmap_release(&chosen.object.claimed);
	return sites > 0;
}

uint32_t patch_plan_program(struct patch_plan *plan, uint64_t number)
{
	struct patch_numbered *function;

	if (number >= plan->count)
		return 0;
	function = &plan->functions[number];
	if (!function->program)
		function->program =
			event_sites_function_of(plan->sites, function->object, function->offset);
	return function->program;
}

static void add_reason(struct strbuf *why, uint64_t count, const char *reason)
{
	if (count)
		strbuf_addf(why, "%s%" PRIu64 " %s", why->length ? ", " : "", count, reason);
}

/* Notes what processes of the step could not patch. */
static void note_processes(const struct event_objects_area *table, struct engine *engine,
			   struct snapshot *snapshot)
{
	struct strbuf why = STRBUF_INIT;

	add_reason(&why, table->threads, "because other threads had started");
	add_reason(&why, table->far, "because there is no free memory near them");
	add_reason(&why, table->locked, "because their instructions cannot be changed");
	add_reason(&why, table->differ, "because the file differs from the code in memory");
	if (table->next > EVENT_OBJECTS)
		add_reason(&why, table->next - EVENT_OBJECTS,
			   "objects beyond the maximum number");
	if (why.length)
		snapshot_note(snapshot, engine, SEVERITY_WARNING, 3143,
			      "function places that processes did not patch: %s", why.text);
	strbuf_release(&why);
}

void patch_plan_notes(const struct patch_plan *plan, const struct event_objects_area *table,
		      struct engine *engine, struct snapshot *snapshot)
{
	const uint64_t *outcomes = plan->outcomes;
	struct strbuf why = STRBUF_INIT;

	if (plan->request->function_count && code_unknown())
		snapshot_note(snapshot, engine, SEVERITY_WARNING, 3144,
			      "FUNCTIONS: functions cannot be patched: %s", code_unknown());
	for (size_t i = 0; i < plan->request->function_count && !code_unknown(); i++)
		if (!plan->fits[i])
			snapshot_note(snapshot, engine, SEVERITY_WARNING, 3140,
				      "FUNCTIONS=%s: no function with a symbol matches",
				      plan->request->functions[i]);
	add_reason(&why, outcomes[PATCH_SHORT], "too short");
	add_reason(&why, outcomes[PATCH_JUMP], "with a jump into their first bytes");
	add_reason(&why, outcomes[PATCH_FIXED], "with first instructions that cannot be moved");
	add_reason(&why, outcomes[PATCH_UNREADABLE], "with bytes that are not instructions");
	add_reason(&why, outcomes[PATCH_SPECIAL], "that must not be patched");
	if (why.length)
		snapshot_note(snapshot, engine, SEVERITY_INFO, 3141,
			      "requested functions that have no events: %s%s%s%s",
			      why.text, plan->refused.length ? "; first " : "", plan->refused.text,
			      plan->refused_count > REFUSED_NAMES ? ", ..." : "");
	if (plan->ends_unknown)
		snapshot_note(snapshot, engine, SEVERITY_INFO, 3142,
			      "the end of %" PRIu64 " of %" PRIu64 " patched functions cannot be "
			      "patched: it is seen when the next function begins or ends",
			      plan->ends_unknown, plan->outcomes[PATCH_DONE]);
	if (table)
		note_processes(table, engine, snapshot);
	strbuf_release(&why);
}
