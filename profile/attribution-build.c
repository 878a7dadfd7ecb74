/* SPDX-License-Identifier: Apache-2.0 */
/* Resolves what addresses mean and which place time is charged to. */
#include "common/compat.h"
#include "profile/attribution-build.h"
#include "common/path.h"
#include "common/xalloc.h"
#include "profile/profile.h"
#include "profile/pseudo-section.h"
#include "records/record-types.h"

/*
 * Minimum length of a prefix that a collector gives for a pseudo-section: shorter
 * ones would match too much.
 */
#define PREFIX_MIN 3

/* Sets the place of code that belongs to no program: module .SYSTEM and a pseudo-section. */
static void set_system(struct profile *profile, struct place *place, const char *section,
		       const char *function)
{
	place->system = true;
	place->module = strmap_put(&profile->strings, ".SYSTEM");
	place->section = strmap_put(&profile->strings, section);
	place->function = strmap_put(&profile->strings, function);
}

/* Sets the place of the program's code. */
static void set_program(struct profile *profile, struct place *place, const char *module,
			const char *section, const char *function)
{
	place->module = strmap_put(&profile->strings, module);
	place->section = strmap_put(&profile->strings, section);
	place->function = strmap_put(&profile->strings, function);
}

/*
 * Sets the place of memory without a file: the heap, a stack, or code generated at
 * run time, perhaps with a name.
 */
static void set_anonymous(struct profile *profile, struct place *place, const char *path,
			  const char *section)
{
	if (place->procedure)
		set_program(profile, place, ".PRIVATE", *section ? section : ".JIT",
			    "code made at run time");
	else if (strcmp(path, "[heap]") == 0)
		set_system(profile, place, ".HEAP", "code in the heap");
	else if (strncmp(path, "[stack", 6) == 0)
		set_system(profile, place, ".STACK", "code on a stack");
	else
		set_system(profile, place, ".PRIVATE", "anonymous memory");
}

/* Appends the description of a program's section: its language. */
static void describe_language(struct strbuf *sb, const char *language)
{
	if (*language)
		strbuf_addf(sb, "%s program", language);
}

/*
 * Sets the place of a module named by a data collector, perhaps with a place in
 * it. Such a place belongs to an interpreted program unless its language is
 * compiled; in that case other code it calls is the program's.
 */
static void set_named(struct profile *profile, struct place *place, const char *module,
		      const char *section, const char *language)
{
	struct strbuf function = STRBUF_INIT;

	place->named = true;
	if (place->offset >= FRAME_PLACES_FIRST) {
		place->interpreted = strcmp(language, "COBOL") != 0;
		place->offset = 0;
		/* Sorts the procedures of a section in source order. */
		place->start = place->line;
		if (!place->procedure && place->line)
			place->procedure = strmap_put(&profile->strings, ATTRIBUTION_NO_PROCEDURE);
	}
	describe_language(&function, language);
	set_program(profile, place, *module ? module : ".PRIVATE", section,
		    function.length ? function.text : "named by a collector");
	place->real_module = place->module;
	strbuf_release(&function);
}

/*
 * Returns the data collector's pseudo-section that a module belongs to, by the
 * longest matching prefix.
 */
static const struct record_pseudo_section *find_pseudo_section(const struct profile *profile,
							       const char *module)
{
	const struct record_pseudo_section *found = NULL;
	size_t longest = PREFIX_MIN - 1;

	for (size_t i = 0; i < profile->pseudo_sections.count; i++) {
		const struct record_pseudo_section *entry =
			id_table_at(&profile->pseudo_sections, i);
		const char *prefix = profile_text(profile, entry->prefix);
		size_t length = strlen(prefix);

		if (length > longest && strncmp(module, prefix, length) == 0) {
			longest = length;
			found = entry;
		}
	}
	return found;
}

/* Moves a module into the pseudo-section that a data collector defined for it, if there is one. */
static void apply_pseudo_section(struct profile *profile, struct place *place)
{
	const char *module = profile_text(profile, place->real_module);
	const struct record_pseudo_section *entry = find_pseudo_section(profile, module);
	const struct record_collector *collector;
	struct strbuf section = STRBUF_INIT, function = STRBUF_INIT;

	if (!entry)
		return;
	collector = id_table_get(&profile->collectors, entry->collector);
	if (*profile_text(profile, entry->section) != '.')
		strbuf_addch(&section, '.');
	strbuf_addstr(&section, profile_text(profile, entry->section));
	strbuf_addf(&function, "grouped by %s",
		    collector ? profile_text(profile, collector->name) : "a data collector");
	set_system(profile, place, section.text, function.text);
	strbuf_release(&section);
	strbuf_release(&function);
}

/* Fills the place from the innermost NAME row of its frame. Returns that row, or NULL. */
static const struct record_name *set_name(struct profile *profile, struct place *place,
					  uint64_t frame)
{
	const struct record_name *name = name_table_find(&profile->names, frame, 0);

	if (!name)
		return NULL;
	place->procedure = (uint32_t)name->procedure;
	place->text = (uint32_t)name->text;
	place->file = name->line ? (uint32_t)name->file : 0;
	place->start = name->start;
	place->size = name->size;
	place->line = name->line;
	return name;
}

/* Returns whether a procedure is the linkage stub of a library's procedure. */
static bool is_stub(const char *procedure)
{
	size_t length = strlen(procedure);

	return length > 4 && strcmp(procedure + length - 4, "@plt") == 0;
}

/*
 * Sets the place of code in a file: a library's code goes into a pseudo-section,
 * and so do stubs that lead to one.
 */
static void set_file(struct profile *profile, struct place *place, const char *path,
		     const char *section, const char *language)
{
	struct strbuf made = STRBUF_INIT, function = STRBUF_INIT;
	const char *what, *pseudo = pseudo_section_of(path, &what, &made);

	describe_language(&function, language);
	if (!*pseudo && is_stub(profile_text(profile, place->procedure)))
		set_system(profile, place, ".PLT", "linkage to libraries");
	else if (*pseudo)
		set_system(profile, place, pseudo, what);
	else
		set_program(profile, place, path_base(path), section, *what ? what : function.text);
	if (!place->system)
		place->other_file = strmap_put(
			&profile->strings, attribution_other_file(section, profile_text(profile, place->file)));
	strbuf_release(&made);
	strbuf_release(&function);
}

/* Sets the place of one frame. */
static void set_place(struct profile *profile, struct place *place,
		      const struct record_frame *frame)
{
	const struct record_object *object = id_table_get(&profile->objects, frame->object);
	const struct record_name *name = set_name(profile, place, frame->frame);
	const char *path = object ? profile_text(profile, object->path) : "";
	const char *section = name ? profile_text(profile, name->section) : "";
	const char *language = name ? profile_text(profile, name->language) : "";

	place->object = frame->object;
	place->offset = frame->offset;
	place->real_module = strmap_put(&profile->strings, path_base(path));
	switch (object ? object->kind : 0) {
	case OBJECT_VDSO:
		set_system(profile, place, ".VDSO", "kernel's shared object");
		break;
	case OBJECT_KERNEL:
		set_system(profile, place, ".KERNEL", "operating system kernel");
		break;
	case OBJECT_ANONYMOUS:
		set_anonymous(profile, place, path, section);
		break;
	case OBJECT_NAMED:
		set_named(profile, place, path, section, language);
		apply_pseudo_section(profile, place);
		break;
	case OBJECT_FILE:
		set_file(profile, place, path, section, language);
		apply_pseudo_section(profile, place);
		break;
	default:
		set_system(profile, place, ".UNKNOWN", "address in no known mapping");
		break;
	}
}

/* Gives all places of a section the same function: the first nonempty one. */
static void unify_functions(const struct profile *profile, struct attribution *attribution)
{
	struct keymap sections;
	uint32_t *functions = xcalloc(attribution->place_count + 1, sizeof(*functions));

	keymap_init(&sections, 2);
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i <= attribution->place_count; i++) {
			struct place *place = &attribution->places[i];
			uint64_t key[] = { place->module, place->section };
			size_t number = keymap_put(&sections, key);

			if (!*profile_text(profile, functions[number]))
				functions[number] = place->function;
			place->function = functions[number];
		}
	keymap_release(&sections);
	free(functions);
}

/* Builds the places of all frames, plus one for stacks that are missing in the data. */
static void build_places(struct profile *profile)
{
	struct attribution *attribution = &profile->attribution;

	attribution->place_count = profile->frames.count;
	attribution->places = xcalloc(attribution->place_count + 1, sizeof(*attribution->places));
	for (size_t i = 0; i < attribution->place_count; i++)
		set_place(profile, &attribution->places[i], id_table_at(&profile->frames, i));
	set_system(profile, &attribution->places[attribution->place_count], ".UNKNOWN",
		   "no call stack");
	unify_functions(profile, attribution);
}

/* Returns the number of an id that a record refers to; none if it is not below limit. */
static size_t number_below(const struct id_table *table, uint64_t id, size_t limit)
{
	size_t number = id ? id_table_number(table, id) : ATTRIBUTION_NONE;

	return number < limit ? number : ATTRIBUTION_NONE;
}

/*
 * Returns whether the innermost frame of a stack is vigil's code, inserted between
 * a program and what it calls.
 */
static bool is_vigil_frame(const struct attribution *attribution, size_t stack)
{
	const struct place *place =
		stack == ATTRIBUTION_NONE ? NULL : attribution_place(attribution, stack);

	return place && place->system && place->section == attribution->vigil_section;
}

/*
 * Determines which place a stack is charged to. hosted: by stack number, whether
 * an interpreted place is on it: code inside that place (the interpreter, its
 * extensions) works for it.
 */
static void set_caller(struct attribution *attribution, size_t stack, size_t parent, bool *hosted)
{
	const struct place *place = &attribution->places[attribution->frames[stack]];
	size_t caller = parent == ATTRIBUTION_NONE ? parent : attribution->callers[parent];
	bool inside = parent != ATTRIBUTION_NONE && hosted[parent];

	hosted[stack] = inside || place->interpreted;
	if (!place->system && (place->named || !inside || caller == ATTRIBUTION_NONE)) {
		attribution->callers[stack] = stack;
	} else if (parent != ATTRIBUTION_NONE) {
		attribution->callers[stack] = caller;
		attribution->vias[stack] = caller == parent ? stack : attribution->vias[parent];
		if (is_vigil_frame(attribution, attribution->vias[stack]) && !is_vigil_frame(attribution, stack))
			attribution->vias[stack] = stack;
	}
}

/* Returns whether a data collector named a stack's innermost frame. */
static bool is_named(const struct profile *profile, const struct record_stack *stack)
{
	size_t frame = number_below(&profile->frames, stack->frame, SIZE_MAX);

	return frame != ATTRIBUTION_NONE && profile->attribution.places[frame].named;
}

/*
 * Gives the caller of a stack what belongs to it from the corresponding native
 * stack. A place replaces all frames outside the ones it called; what called a
 * named module is as it was walked.
 */
static void take_from_native(const struct profile *profile, size_t *natives, size_t number)
{
	const struct id_table *stacks = &profile->stacks;
	const struct record_stack *stack = id_table_at(stacks, number), *caller, *native;
	size_t parent = number_below(stacks, stack->parent, number), outer = natives[number];

	if (outer == ATTRIBUTION_NONE || parent == ATTRIBUTION_NONE)
		return;
	caller = id_table_at(stacks, parent);
	native = id_table_at(stacks, outer);
	if (caller->native || (is_named(profile, stack) && !is_named(profile, caller)))
		return;
	if (!is_named(profile, stack))
		outer = number_below(stacks, native->parent, outer);
	if (outer < parent)
		natives[parent] = outer;
}

/*
 * Returns, by stack number, the walked stack that corresponds to one with places
 * named by data collectors; NONE: the stack itself. Estimated samples are within
 * such stacks.
 */
static size_t *find_natives(const struct profile *profile)
{
	const struct id_table *stacks = &profile->stacks;
	size_t *natives = xcalloc(stacks->count + 1, sizeof(*natives));

	for (size_t i = 0; i < stacks->count; i++) {
		const struct record_stack *stack = id_table_at(stacks, i);

		natives[i] = number_below(stacks, stack->native, i);
	}
	for (size_t i = stacks->count; i-- > 0;)
		take_from_native(profile, natives, i);
	return natives;
}

/*
 * Fills frame, parent, caller and via of each stack. A parent precedes its
 * children in the data, so one forward pass is enough; in a damaged file that
 * breaks this rule a stack merely ends early.
 */
static void build_stacks(struct profile *profile, bool native)
{
	struct attribution *attribution = &profile->attribution;
	size_t count = profile->stacks.count;
	bool *hosted = xcalloc(count + 1, sizeof(*hosted));
	size_t *natives = native ? find_natives(profile) : NULL;

	attribution->stack_count = count;
	attribution->vigil_section = strmap_put(&profile->strings, PSEUDO_SECTION_VIGIL);
	attribution->parents = xcalloc(count + 1, sizeof(size_t));
	attribution->frames = xcalloc(count + 1, sizeof(size_t));
	attribution->callers = xcalloc(count + 1, sizeof(size_t));
	attribution->vias = xcalloc(count + 1, sizeof(size_t));
	for (size_t i = 0; i < count; i++) {
		const struct record_stack *stack = id_table_at(&profile->stacks, i);
		size_t parent = number_below(&profile->stacks, stack->parent, i);
		size_t frame = number_below(&profile->frames, stack->frame, SIZE_MAX);

		attribution->parents[i] = parent;
		attribution->frames[i] =
			frame == ATTRIBUTION_NONE ? attribution->place_count : frame;
		if (natives && natives[i] != ATTRIBUTION_NONE) {
			parent = attribution->parents[i] = attribution->parents[natives[i]];
			attribution->frames[i] = attribution->frames[natives[i]];
		}
		attribution->callers[i] = attribution->vias[i] = ATTRIBUTION_NONE;
		set_caller(attribution, i, parent, hosted);
	}
	free(hosted);
	free(natives);
}

void attribution_build(struct profile *profile, bool native)
{
	build_places(profile);
	build_stacks(profile, native);
	profile->attribution.native = native;
}
