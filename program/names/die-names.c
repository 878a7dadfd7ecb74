/* SPDX-License-Identifier: Apache-2.0 */
/* Composes the names of functions from their scopes and parameters. */
#include "common/compat.h"
#include "program/names/die-names.h"
#include "program/names/demangle.h"

#include <dwarf.h>

/* Limits for damaged information. */
#define MAX_DEPTH 200
#define MAX_NESTED 12
#define MAX_SIBLINGS 4000000
#define MAX_NAME DEMANGLE_MAX
#define LAMBDA "<lambda"

/* A name under construction. */
struct naming {
	struct strbuf *sb;
	unsigned nested; /* current nesting of names within names */
	unsigned budget; /* number of DIEs that may still be read */
};

/* The scopes that contain a DIE, from the unit inward. */
struct scopes {
	Dwarf_Die items[MAX_DEPTH];
	size_t count;
};

static void add_function(struct naming *naming, const Dwarf_Die *function);
static void add_type(struct naming *naming, const Dwarf_Die *owner);

const char *die_names_text(Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute found;
	const char *text = dwarf_formstring(dwarf_attr_integrate(die, attribute, &found));

	return text ? text : "";
}

const char *die_names_linkage(Dwarf_Die *die)
{
	const char *name = die_names_text(die, DW_AT_linkage_name);

	return name[0] ? name : die_names_text(die, DW_AT_MIPS_linkage_name);
}

/* Follows a reference of a DIE to another; returns false if it has none. */
static bool follow(const Dwarf_Die *die, unsigned attribute, Dwarf_Die *to)
{
	Dwarf_Attribute found;
	Dwarf_Die copy = *die;

	return dwarf_formref_die(dwarf_attr(&copy, attribute, &found), to) != NULL;
}

static bool has_flag(const Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute found;
	Dwarf_Die copy = *die;
	bool set = false;

	return !dwarf_formflag(dwarf_attr_integrate(&copy, attribute, &found), &set) && set;
}

void die_names_origin(const Dwarf_Die *die, Dwarf_Die *origin)
{
	Dwarf_Die next;

	*origin = *die;
	for (int i = 0; i < MAX_NESTED; i++) {
		if (!follow(origin, DW_AT_abstract_origin, &next) &&
		    !follow(origin, DW_AT_specification, &next))
			return;
		*origin = next;
	}
}

static bool is_class(int tag)
{
	return tag == DW_TAG_class_type || tag == DW_TAG_structure_type || tag == DW_TAG_union_type;
}

/* Advances to the next child of a DIE, the first if *child is empty; returns false at the end. */
static bool next_child(struct naming *naming, const Dwarf_Die *parent, Dwarf_Die *child)
{
	Dwarf_Die copy = *parent;
	Dwarf_Off before;

	if (!naming->budget)
		return false;
	naming->budget--;
	if (!child->addr)
		return dwarf_child(&copy, child) == 0;
	before = dwarf_dieoffset(child);
	return dwarf_siblingof(child, child) == 0 && dwarf_dieoffset(child) > before;
}

/* Finds the scopes that contain a DIE. */
static void find_scopes(struct naming *naming, const Dwarf_Die *die, struct scopes *scopes)
{
	Dwarf_Die copy = *die, at;
	Dwarf_Off offset = dwarf_dieoffset(&copy);

	scopes->count = 0;
	if (!dwarf_diecu(&copy, &at, NULL, NULL))
		return;
	while (scopes->count < MAX_DEPTH) {
		Dwarf_Die child = { 0 }, around = { 0 };

		/* The last child that begins before it. */
		while (next_child(naming, &at, &child) && dwarf_dieoffset(&child) < offset)
			around = child;
		if (!around.addr || (child.addr && dwarf_dieoffset(&child) == offset) ||
		    !dwarf_haschildren(&around))
			return;
		at = around;
		scopes->items[scopes->count++] = at;
	}
}

/* Finds the call operator of a closure class; returns false if the class is not one. */
static bool find_call(struct naming *naming, const Dwarf_Die *class, Dwarf_Die *call)
{
	Dwarf_Die child = { 0 };
	Dwarf_Die copy = *class;
	const char *name = die_names_text(&copy, DW_AT_name);

	if (name[0] && strncmp(name, LAMBDA, strlen(LAMBDA)) != 0)
		return false;
	while (next_child(naming, class, &child))
		if (dwarf_tag(&child) == DW_TAG_subprogram &&
		    !strcmp(die_names_text(&child, DW_AT_name), "operator()")) {
			*call = child;
			return true;
		}
	return false;
}

/* Appends the parameter types of a function: "(int, char*)". */
static void add_parameters(struct naming *naming, const Dwarf_Die *function)
{
	Dwarf_Die child = { 0 };
	bool first = true;

	strbuf_addch(naming->sb, '(');
	while (next_child(naming, function, &child)) {
		int tag = dwarf_tag(&child);

		if ((tag != DW_TAG_formal_parameter && tag != DW_TAG_unspecified_parameters) ||
		    has_flag(&child, DW_AT_artificial))
			continue;
		if (!first)
			strbuf_addstr(naming->sb, ", ");
		first = false;
		if (tag == DW_TAG_formal_parameter)
			add_type(naming, &child);
		else
			strbuf_addstr(naming->sb, "...");
	}
	strbuf_addch(naming->sb, ')');
}

/* Replaces a type by its target if it has this tag; returns whether it did. */
static bool strip(Dwarf_Die *type, int tag)
{
	Dwarf_Die next;

	if (dwarf_tag(type) != tag || !follow(type, DW_AT_type, &next))
		return false;
	*type = next;
	return true;
}

/* Returns whether a method may be called for a constant object. */
static bool is_const(struct naming *naming, const Dwarf_Die *function)
{
	Dwarf_Die child = { 0 }, type;

	while (next_child(naming, function, &child)) {
		if (dwarf_tag(&child) != DW_TAG_formal_parameter ||
		    !has_flag(&child, DW_AT_artificial) || !follow(&child, DW_AT_type, &type))
			continue;
		strip(&type, DW_TAG_const_type);
		return strip(&type, DW_TAG_pointer_type) && dwarf_tag(&type) == DW_TAG_const_type;
	}
	return false;
}

static uint64_t number_of(const Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Die copy = *die;
	Dwarf_Attribute found;
	Dwarf_Word number = 0;

	dwarf_formudata(dwarf_attr_integrate(&copy, attribute, &found), &number);
	return number;
}

/* Returns whether one DIE is before another in the source, as far as known. */
static bool is_before(const Dwarf_Die *one, const Dwarf_Die *other)
{
	static const unsigned places[] = { DW_AT_decl_line, DW_AT_decl_column };
	Dwarf_Die first = *one, second = *other;

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		uint64_t a = number_of(one, places[i]), b = number_of(other, places[i]);

		if (a != b)
			return a < b;
	}
	return dwarf_dieoffset(&first) < dwarf_dieoffset(&second);
}

/*
 * Returns whether only closures with the same parameters are counted: GCC does so
 * from release 14 on, other compilers always did.
 */
static bool counts_alike(const Dwarf_Die *die)
{
	Dwarf_Die copy = *die, unit;
	const char *producer =
		dwarf_diecu(&copy, &unit, NULL, NULL) ? die_names_text(&unit, DW_AT_producer) : "";

	if (strncmp(producer, "GNU C++", 7) != 0)
		return true;
	producer += strcspn(producer, " ") + 1;
	producer += strcspn(producer, " ");
	return strtoul(producer, NULL, 10) >= 14;
}

/*
 * Counts the closures in a scope, including its blocks, that come before one of
 * them; takes: only those with these parameters, NULL: all.
 */
static unsigned count_before(struct naming *naming, const Dwarf_Die *scope, const Dwarf_Die *class,
			     const char *takes, unsigned depth)
{
	Dwarf_Die child = { 0 }, call;
	unsigned count = 0;

	while (depth < MAX_DEPTH && next_child(naming, scope, &child)) {
		struct strbuf text = STRBUF_INIT;
		struct naming other = *naming;

		if (dwarf_tag(&child) == DW_TAG_lexical_block)
			count += count_before(naming, &child, class, takes, depth + 1);
		if (!is_class(dwarf_tag(&child)) || !is_before(&child, class) ||
		    !find_call(naming, &child, &call))
			continue;
		other.sb = &text;
		if (takes)
			add_parameters(&other, &call);
		naming->budget = other.budget;
		count += !takes || strcmp(text.text, takes) == 0;
		strbuf_release(&text);
	}
	return count;
}

/* Appends "{lambda(int)#2}", numbered within the scope that contains its class. */
static void add_closure(struct naming *naming, const Dwarf_Die *class, const Dwarf_Die *call,
			const Dwarf_Die *around)
{
	struct strbuf takes = STRBUF_INIT;
	struct naming other = *naming;

	other.sb = &takes;
	add_parameters(&other, call);
	naming->budget = other.budget;
	strbuf_addf(
		naming->sb, "{lambda%s#%u}", takes.text,
		count_before(naming, around, class, counts_alike(class) ? takes.text : NULL, 0) +
			1);
	strbuf_release(&takes);
}

/* Appends the arguments of a template from its parameters, "<int, 3>". */
static void add_arguments(struct naming *naming, const Dwarf_Die *template)
{
	Dwarf_Die child = { 0 };
	Dwarf_Attribute found;
	bool first = true;

	strbuf_addch(naming->sb, '<');
	while (next_child(naming, template, &child)) {
		int tag = dwarf_tag(&child);
		Dwarf_Sword value;

		if (tag != DW_TAG_template_type_parameter && tag != DW_TAG_template_value_parameter)
			continue;
		if (!first)
			strbuf_addstr(naming->sb, ", ");
		first = false;
		if (tag == DW_TAG_template_type_parameter)
			add_type(naming, &child);
		else if (!dwarf_formsdata(dwarf_attr(&child, DW_AT_const_value, &found), &value))
			strbuf_addf(naming->sb, "%" PRId64, (int64_t)value);
	}
	strbuf_addch(naming->sb, '>');
}

/* Appends the unqualified name of a DIE. A template with closures as arguments is named by them. */
static void add_own_name(struct naming *naming, const Dwarf_Die *die)
{
	Dwarf_Die copy = *die;
	const char *name = die_names_text(&copy, DW_AT_name);
	const char *arguments = strstr(name, LAMBDA) ? strchr(name, '<') : NULL;

	if (!arguments || arguments == name) {
		strbuf_addstr(naming->sb, name);
		return;
	}
	strbuf_add(naming->sb, name, (size_t)(arguments - name));
	add_arguments(naming, die);
}

/* Returns the tag of a DIE; libdw does not accept a constant one. */
static int tag_of(const Dwarf_Die *die)
{
	Dwarf_Die copy = *die;

	return dwarf_tag(&copy);
}

/* Appends a class's name without its scopes; its scope is the innermost one that is not a block. */
static void add_class(struct naming *naming, const Dwarf_Die *class, const struct scopes *scopes,
		      size_t count)
{
	Dwarf_Die call, around, copy = *class;

	if (!find_call(naming, class, &call)) {
		add_own_name(naming, class);
		return;
	}
	while (count && tag_of(&scopes->items[count - 1]) == DW_TAG_lexical_block)
		count--;
	if (count)
		around = scopes->items[count - 1];
	else if (!dwarf_diecu(&copy, &around, NULL, NULL))
		return;
	add_closure(naming, class, &call, &around);
}

/* Appends one scope of a name. */
static void add_scope(struct naming *naming, const struct scopes *scopes, size_t number)
{
	const Dwarf_Die *scope = &scopes->items[number];
	int tag = tag_of(scope);
	size_t start = naming->sb->length;

	if (tag == DW_TAG_subprogram) {
		add_function(naming, scope);
	} else if (tag == DW_TAG_namespace) {
		Dwarf_Die copy = *scope;
		const char *name = die_names_text(&copy, DW_AT_name);

		strbuf_addstr(naming->sb, name[0] ? name : "(anonymous namespace)");
	} else if (is_class(tag)) {
		add_class(naming, scope, scopes, number);
	}
	if (naming->sb->length > start)
		strbuf_addstr(naming->sb, "::");
}

/*
 * Appends the scopes of a DIE: from the innermost function on, whose name includes
 * its scopes, or all.
 */
static void add_scopes(struct naming *naming, const struct scopes *scopes)
{
	size_t first = 0;

	for (size_t i = 0; i < scopes->count; i++)
		if (tag_of(&scopes->items[i]) == DW_TAG_subprogram)
			first = i;
	for (size_t i = first; i < scopes->count; i++)
		add_scope(naming, scopes, i);
}

/* Appends a class, or another named type, with its scopes. */
static void add_named_type(struct naming *naming, const Dwarf_Die *type)
{
	Dwarf_Die declared;
	struct scopes scopes;

	die_names_origin(type, &declared);
	find_scopes(naming, &declared, &scopes);
	add_scopes(naming, &scopes);
	add_class(naming, &declared, &scopes, scopes.count);
}

/* Appends a built-in type, spelled as a demangler does. */
static void add_base_type(struct naming *naming, const char *name)
{
	static const char *const words[][2] = {
		{ "long int", "long" },
		{ "long unsigned int", "unsigned long" },
		{ "short int", "short" },
		{ "short unsigned int", "unsigned short" },
		{ "long long int", "long long" },
		{ "long long unsigned int", "unsigned long long" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(name, words[i][0]))
			name = words[i][1];
	strbuf_addstr(naming->sb, name);
}

/* Appends a pointer or reference type. */
static void add_pointer(struct naming *naming, const Dwarf_Die *type, const char *sign)
{
	Dwarf_Die to;

	if (follow(type, DW_AT_type, &to) && dwarf_tag(&to) == DW_TAG_subroutine_type) {
		add_type(naming, &to);
		strbuf_addf(naming->sb, " (%s)", sign);
		add_parameters(naming, &to);
		return;
	}
	add_type(naming, type);
	strbuf_addstr(naming->sb, sign);
}

/* Appends a type by its DIE. */
static void add_this_type(struct naming *naming, Dwarf_Die *type)
{
	switch (dwarf_tag(type)) {
	case DW_TAG_base_type:
		add_base_type(naming, die_names_text(type, DW_AT_name));
		break;
	case DW_TAG_unspecified_type:
		strbuf_addstr(naming->sb, die_names_text(type, DW_AT_name));
		break;
	case DW_TAG_pointer_type:
		add_pointer(naming, type, "*");
		break;
	case DW_TAG_reference_type:
		add_pointer(naming, type, "&");
		break;
	case DW_TAG_rvalue_reference_type:
		add_pointer(naming, type, "&&");
		break;
	case DW_TAG_const_type:
		add_type(naming, type);
		strbuf_addstr(naming->sb, " const");
		break;
	case DW_TAG_volatile_type:
		add_type(naming, type);
		strbuf_addstr(naming->sb, " volatile");
		break;
	case DW_TAG_array_type:
		add_type(naming, type);
		strbuf_addstr(naming->sb, " []");
		break;
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
		add_named_type(naming, type);
		break;
	default: /* a typedef, or what a function returns */
		add_type(naming, type);
		break;
	}
}

/* Appends the type of a DIE: of a parameter, or the target of a pointer. */
static void add_type(struct naming *naming, const Dwarf_Die *owner)
{
	Dwarf_Die type;

	if (!follow(owner, DW_AT_type, &type)) {
		strbuf_addstr(naming->sb, "void");
		return;
	}
	if (naming->nested == MAX_NESTED || naming->sb->length > MAX_NAME) {
		strbuf_addstr(naming->sb, "...");
		return;
	}
	naming->nested++;
	add_this_type(naming, &type);
	naming->nested--;
}

/*
 * Returns whether a function is an instance of a template: their linkage names
 * include the return type.
 */
static bool is_template(struct naming *naming, const Dwarf_Die *function)
{
	Dwarf_Die child = { 0 };

	while (next_child(naming, function, &child))
		if (dwarf_tag(&child) == DW_TAG_template_type_parameter ||
		    dwarf_tag(&child) == DW_TAG_template_value_parameter)
			return true;
	return false;
}

/* Appends a function's name, from its linkage name if it has one. */
static void add_function(struct naming *naming, const Dwarf_Die *function)
{
	Dwarf_Die declared, copy = *function;
	const char *linkage = die_names_linkage(&copy);
	struct scopes scopes;

	if (linkage[0] && demangle(linkage, naming->sb))
		return;
	die_names_origin(function, &declared);
	if (has_flag(&declared, DW_AT_external) || naming->nested == MAX_NESTED) {
		strbuf_addstr(naming->sb, die_names_text(&declared, DW_AT_name));
		return;
	}
	naming->nested++;
	if (naming->nested == 1 && is_template(naming, &declared)) {
		add_type(naming, &declared);
		strbuf_addch(naming->sb, ' ');
	}
	find_scopes(naming, &declared, &scopes);
	add_scopes(naming, &scopes);
	add_own_name(naming, &declared);
	add_parameters(naming, &declared);
	if (is_const(naming, &declared))
		strbuf_addstr(naming->sb, " const");
	naming->nested--;
}

void die_names_add(const Dwarf_Die *function, struct strbuf *sb)
{
	struct naming naming = { .sb = sb, .budget = MAX_SIBLINGS };

	add_function(&naming, function);
}
