/* SPDX-License-Identifier: Apache-2.0 */
/*
 * STRBPERL: the data collector for Perl programs (Debian's perl 5.36 and 5.40,
 * built with threads).
 *
 * It walks from the thread's interpreter to the statement it executes, and over
 * its stacks of contexts to the active subs, as perl's caller() does: each sub,
 * eval of a text and required file gives a place: package, source file, name and
 * line. They replace all native frames from the innermost one in the interpreter's
 * loop outwards.
 */
#include "common/compat.h"
#include "common/path.h"
#include "collectors/interpreter.h"
#include "collectors/perl-names.h"
#include "collectors/perl-threads.h"

#define STACKS_MAX 64
#define CONTEXTS_MAX 4096 /* contexts read, including blocks and loops */
/* Sort blocks whose sub has not been reached yet. */
#define BLOCKS_MAX 8

struct process {
	struct interpreter_process common;
	const struct perl_layout *layout;
	uint64_t first_interpreter, key; /* addresses of the variables PL_curinterp and
					  * PL_thr_key */
	struct perl_threads threads;
	bool threads_looked_for;
	struct remember known;
};

struct collector {
	struct interpreter common;
	struct perl_memory memory;
	uint64_t calls;	  /* calls of the loop, up to the one that executes the current context */
	bool called;	  /* called from C: the place found last in a stack */
	uint64_t current; /* the executing statement, until a place was found */
	uint64_t checked; /* the same, while it must belong to the sub of the place: not in code
			   * of patterns */
	/* Sort blocks: they belong to the next sub that is reached. */
	struct {
		struct perl_statement statement;
		size_t place;
	} blocks[BLOCKS_MAX];
	size_t block_count;
};

static void process_release(void *block)
{
	struct process *process = block;

	remember_release(&process->known);
}

/* Reports once that this interpreter is not supported. */
static void refuse(const struct vigil_communication *area, unsigned version, bool threads)
{
	char text[120];

	snprintf(text, sizeof(text),
		 "STRBPERL supports perl 5.36 and 5.40 built with threads; this is 5.%u%s, which "
		 "is not supported",
		 version, threads ? "" : " without threads");
	vigil_message(area, text);
}

static enum interpreter_found find(struct interpreter *common,
				   struct interpreter_process *common_process, const char *pattern)
{
	struct process *process = (struct process *)common_process;
	const struct vigil_communication *area = common->pages.area;
	uint64_t run = vigil_symbol_address(area, pattern, "Perl_runops_standard"), version;
	unsigned char number = 0;

	RETURN_IF(interpreter_code(area, common_process, run), INTERPRETER_ABSENT);
	version = vigil_symbol_address(area, pattern, "PL_version");
	process->first_interpreter = vigil_symbol_address(area, pattern, "PL_curinterp");
	process->key = vigil_symbol_address(area, pattern, "PL_thr_key");
	RETURN_IF(!version || vigil_read(area, version, &number, 1) != 1, INTERPRETER_ABSENT);
	process->layout = perl_layout(number);
	RETURN_IF(process->layout && process->first_interpreter && process->key, INTERPRETER_KNOWN);
	refuse(area, number, process->key);
	return INTERPRETER_UNKNOWN;
}

/*
 * Returns the interpreter of a task: the process's first one for its first thread,
 * otherwise the thread's.
 */
static uint64_t interpreter_of(struct collector *collector, struct process *process,
			       const struct vigil_task *task)
{
	struct pages *pages = collector->memory.pages;
	uint32_t key;

	RETURN_IF(task->tid == task->pid, pages_pointer(pages, process->first_interpreter));
	if (!process->threads_looked_for)
		perl_threads_find(&process->threads, pages);
	process->threads_looked_for = true;
	RETURN_IF(!pages_read(pages, process->key, &key, sizeof(key)), 0);
	return perl_threads_value(&process->threads, pages, task->tid, key);
}

/* Returns the last part of a path, or all of it if it ends with a slash. */
static const char *file_name(const char *path)
{
	const char *base = path_base(path);

	return *base ? base : path;
}

/*
 * Fills the place of a statement within a sub, or within package's top-level code.
 * Code of package main is named by its file; evaluated texts ("(eval 7)") count as
 * one file.
 */
static void fill_place(struct vigil_place *place, const struct perl_statement *statement,
		       const char *package, const char *procedure)
{
	bool is_text = !strncmp(statement->file, "(eval ", 6);
	const char *file = is_text ? "(eval)" : file_name(statement->file);

	*place = (struct vigil_place){
		.module = package && *package && strcmp(package, "main") != 0 ? package : file,
		.section = file,
		.procedure = procedure,
		.file = is_text ? NULL : statement->file,
		.line = statement->line,
	};
	if (!place->module[0])
		place->module = "perl";
}

/* Returns a new place in the current call of the loop; NULL if there is no space. */
static struct vigil_place *new_place(struct collector *collector)
{
	struct interpreter *common = &collector->common;
	size_t count = common->place_count;

	RETURN_IF(!interpreter_has_space(common), NULL);
	/* After recursion was folded, calls can no longer be attributed. */
	if (common->place_count != count)
		collector->block_count = 0;
	/* Counted from 1; converted to a stack address at the end. */
	common->homes[common->place_count] = collector->calls + 1;
	return &common->places[common->place_count++];
}

/* Adds the place of a statement within a sub, and completes those of the sub's blocks. */
static void add_place(struct collector *collector, const struct perl_statement *statement,
		      const char *package, const char *procedure)
{
	struct vigil_place *place = new_place(collector);

	for (size_t i = 0; i < collector->block_count; i++)
		fill_place(&collector->common.places[collector->blocks[i].place],
			   &collector->blocks[i].statement, package, procedure);
	collector->block_count = 0;
	if (place)
		fill_place(place, statement, package, procedure);
}

/* Adds a place whose sub is found further out. */
static void add_block(struct collector *collector, const struct perl_statement *statement)
{
	struct vigil_place *place;

	if (collector->block_count == BLOCKS_MAX || !(place = new_place(collector)))
		return;
	fill_place(place, statement, statement->package, "(unknown)");
	collector->blocks[collector->block_count].statement = *statement;
	collector->blocks[collector->block_count++].place = collector->common.place_count - 1;
}

/* Returns whether a context makes a place. */
static bool is_place(const struct perl_layout *layout, const unsigned char *context)
{
	uint32_t flags = context[layout->context_type], type = flags & layout->context_types;

	if (type == layout->is_sub)
		return !(flags & layout->sub_in_pattern);
	return type == layout->is_format ||
	       (type == layout->is_eval && !(flags & layout->eval_block));
}

/*
 * Returns whether the innermost sub has not executed any of its statements yet:
 * the current statement is the one that calls it. If that sub calls itself nothing
 * is lost, because both are the same place.
 */
static bool is_being_entered(struct collector *collector, uint64_t entered)
{
	uint64_t current = collector->current;

	collector->current = 0;
	return !collector->called && entered == current;
}

/*
 * Adds the place of a context, with the statement executed in it; *statement
 * becomes the one that called it. Returns -1 if the data is inconsistent.
 */
static int take_context(struct collector *collector, const struct process *process,
			const unsigned char *context, struct perl_statement *statement)
{
	const struct perl_layout *layout = process->layout;
	struct perl_memory *memory = &collector->memory;
	uint64_t entered = pages_pointer_in(context, layout->context_statement);
	struct perl_sub sub;

	if (!is_place(layout, context)) {
		if ((context[layout->context_type] & layout->context_types) == layout->is_sub)
			collector->checked = 0;
		return 0;
	}
	collector->called = !pages_pointer_in(context, layout->context_return);
	if ((context[layout->context_type] & layout->context_types) != layout->is_eval) {
		uint64_t address = pages_pointer_in(context, layout->context_sub);

		if (is_being_entered(collector, entered))
			return 0;
		RETURN_IF(!perl_sub(memory, address, &sub), -1);
		/* Another sub may have been called, and left, since the statement was read. */
		RETURN_IF(collector->checked && !perl_sub_contains(memory, address, collector->checked),
			  -1);
		add_place(collector, statement, sub.package, sub.name);
	} else {
		add_place(collector, statement, statement->package,
			  pages_pointer_in(context, layout->context_required) ? "(require)"
									      : "(eval)");
	}
	collector->checked = 0;
	/* It does not return to an operation but to C. */
	collector->calls += collector->called;
	return perl_statement(memory, entered, statement) ? 0 : -1;
}

/*
 * Handles the outermost context of a stack that perl made for a call from C: if
 * that is a sort block, or code within a pattern, it belongs to the sub in which
 * the stack was made.
 */
static int end_stack(struct collector *collector, const struct process *process,
		     const unsigned char *context, struct perl_statement *statement)
{
	const struct perl_layout *layout = process->layout;

	if (is_place(layout, context) ||
	    (context[layout->context_type] & layout->context_types) == layout->is_eval)
		return 0;
	/* A block does not return to an operation either. */
	collector->calls -= collector->called;
	add_block(collector, statement);
	collector->calls++;
	return perl_statement(&collector->memory,
			      pages_pointer_in(context, layout->context_statement), statement)
		       ? 0
		       : -1;
}

/* Adds the places of the contexts of one stack, from its top on; *left limits how many are read. */
static int walk_contexts(struct collector *collector, const struct process *process,
			 const unsigned char *stack, struct perl_statement *statement, int *left)
{
	const struct perl_layout *layout = process->layout;
	uint64_t contexts = pages_pointer_in(stack, layout->stack_contexts);
	int32_t top, max;

	memcpy(&top, stack + layout->stack_top, sizeof(top));
	memcpy(&max, stack + layout->stack_max, sizeof(max));
	RETURN_IF(top < -1 || top > max || contexts & 7, -1);
	collector->called = false;
	for (; top >= 0 && *left > 0 && interpreter_has_space(&collector->common); top--, --*left) {
		unsigned char context[PERL_CONTEXT_MAX];

		RETURN_IF(!pages_read(collector->memory.pages,
				      contexts + (uint64_t)top * layout->context_size, context,
				      layout->context_size),
			  -1);
		RETURN_IF(take_context(collector, process, context, statement), -1);
		RETURN_IF(!top && pages_pointer_in(stack, layout->stack_previous) &&
				  end_stack(collector, process, context, statement),
			  -1);
	}
	return 0;
}

/* Position of the program in terms of subs: changes whenever one is entered or left. */
struct position {
	uint64_t stack, context, sub;
};

/* Reads the context of the innermost place as it is now; returns false if it is not readable. */
static bool find_position(struct collector *collector, const struct process *process,
			  struct position *position)
{
	const struct perl_layout *layout = process->layout;
	struct pages *pages = collector->memory.pages;
	unsigned char head[PERL_STACK_HEAD], context[PERL_CONTEXT_MAX];
	uint64_t contexts;
	int32_t top;

	*position = (struct position){
		.stack = pages_pointer(pages, collector->memory.interpreter + layout->stack),
	};
	RETURN_IF(!position->stack, true);
	RETURN_IF(!pages_read(pages, position->stack, head, sizeof(head)), false);
	contexts = pages_pointer_in(head, layout->stack_contexts);
	memcpy(&top, head + layout->stack_top, sizeof(top));
	for (int left = CONTEXTS_MAX; top >= 0 && left > 0; top--, left--) {
		position->context = contexts + (uint64_t)top * layout->context_size;
		RETURN_IF(!pages_read(pages, position->context, context, layout->context_size),
			  false);
		if (is_place(layout, context)) {
			position->sub = pages_pointer_in(context, layout->context_sub);
			return true;
		}
	}
	position->context = 0;
	return true;
}

/* Adds the places of an interpreter; returns -1 if the data is inconsistent. */
static int walk(struct collector *collector, const struct process *process)
{
	const struct perl_layout *layout = process->layout;
	struct perl_memory *memory = &collector->memory;
	uint64_t stack = pages_pointer(memory->pages, memory->interpreter + layout->stack);
	uint64_t current = pages_pointer(memory->pages, memory->interpreter + layout->current);
	struct perl_statement statement;
	int left = CONTEXTS_MAX;

	collector->common.place_count = collector->block_count = 0;
	collector->calls = 0;
	collector->current = current;
	collector->checked = current == memory->interpreter + layout->compiling ? 0 : current;
	/* Not started yet, or finished. */
	RETURN_IF(!stack || !current, 0);
	RETURN_IF(!perl_statement(memory, current, &statement), -1);
	for (int i = 0; stack; i++) {
		unsigned char head[PERL_STACK_HEAD];

		RETURN_IF(i == STACKS_MAX, 0);
		RETURN_IF(stack & 7 || !pages_read(memory->pages, stack, head, sizeof(head)), -1);
		RETURN_IF(walk_contexts(collector, process, head, &statement, &left), -1);
		stack = pages_pointer_in(head, layout->stack_previous);
	}
	if (left && *statement.file)
		add_place(collector, &statement, statement.package, "(main)");
	interpreter_homes_of_calls(&collector->common, &process->common, left ? collector->calls + 1 : 0);
	return 0;
}

static bool begin(struct interpreter *common, struct interpreter_process *common_process)
{
	struct collector *collector = (struct collector *)common;
	struct process *process = (struct process *)common_process;
	struct perl_memory *memory = &collector->memory;

	memory->pages = &common->pages;
	memory->layout = process->layout;
	memory->interpreter = interpreter_of(collector, process, common->pages.area->task);
	memory->known = &process->known;
	remember_begin(&process->known);
	return memory->interpreter != 0;
}

/*
 * Adds the places if the program stayed in one sub meanwhile: the statement and
 * the contexts are read one after the other.
 */
static int walk_once(struct interpreter *common, struct interpreter_process *common_process)
{
	struct collector *collector = (struct collector *)common;
	const struct process *process = (const struct process *)common_process;
	struct position before, after;

	RETURN_IF(!find_position(collector, process, &before), -1);
	pages_begin(&common->pages, common->pages.area);
	RETURN_IF(walk(collector, process), -1);
	RETURN_IF(!find_position(collector, process, &after), -1);
	return before.stack == after.stack && before.context == after.context &&
			       before.sub == after.sub
		       ? 0
		       : -1;
}

static enum vigil_outcome collect(struct vigil_communication *area)
{
	static const char *const objects[] = { "libperl.so*", "perl*", NULL };
	static const struct interpreter_kind kind = {
		.size = sizeof(struct collector),
		.process_size = sizeof(struct process),
		.objects = objects,
		.find = find,
		.begin = begin,
		.walk = walk_once,
		.release = process_release,
	};

	return interpreter_collect(area, &kind);
}

static const char *const programs[] = { "perl*", NULL };

VIGIL_COLLECTOR("STRBPERL", "G-00", VIGIL_PROMPT, NULL, programs, collect);
