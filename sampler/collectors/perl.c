/* SPDX-License-Identifier: Apache-2.0 */
/*
 * STRBPERL: the data collector for Perl programs (Debian's perl 5.36 and
 * 5.40, built with threads).
 *
 * From the thread's interpreter to the statement it executes, and over its
 * stacks of contexts to the subs it is in, as perl's own caller() goes: each
 * sub, eval of a text and required file gives a place: package, source file,
 * name and line. They stand for all native frames from the innermost one in
 * the interpreter outwards.
 */
#include "common/compat.h"
#include "sampler/collectors/frames.h"
#include "sampler/collectors/perl-names.h"
#include "sampler/collectors/perl-threads.h"
#include "sampler/collectors/process-table.h"

#define READS_MAX 3
#define STACKS_MAX 64
#define CONTEXTS_MAX 4096 /* looked at, blocks and loops included */

enum recognition { NEW = 0, PERL, UNKNOWN_VERSION };

struct process {
	enum recognition recognized;
	uint32_t calls; /* before it was recognized */
	const struct perl_layout *layout;
	uint64_t first_interpreter, key; /* the variables PL_curinterp and PL_thr_key */
	struct vigil_mapping text;	 /* the interpreter's instructions; path is not valid */
	struct perl_threads threads;
	bool threads_looked_for;
	struct remember known;
};

struct collector {
	struct processes processes;
	struct perl_memory memory;
	struct vigil_place places[VIGIL_PLACES_MAX];
	size_t place_count;
};

static void process_release(void *block)
{
	struct process *process = block;

	remember_release(&process->known);
}

/* Say once that this interpreter cannot be looked at. */
static void refuse(const struct vigil_communication *area, struct process *process,
		   unsigned version, bool threads)
{
	char text[120];

	snprintf(text, sizeof(text),
		 "STRBPERL knows perl 5.36 and 5.40 built with threads; this is 5.%u%s, of which "
		 "nothing is shown",
		 version, threads ? "" : " without");
	vigil_message(area, text);
	process->recognized = UNKNOWN_VERSION;
}

/* Find the interpreter in objects whose name matches pattern; false when it is not there. */
static bool recognize_in(const struct vigil_communication *area, struct process *process,
			 const char *pattern)
{
	uint64_t run = vigil_symbol_address(area, pattern, "Perl_runops_standard"), version;
	unsigned char number = 0;

	RETURN_IF(!run || vigil_mapping_at(area, run, &process->text), false);
	version = vigil_symbol_address(area, pattern, "PL_version");
	process->first_interpreter = vigil_symbol_address(area, pattern, "PL_curinterp");
	process->key = vigil_symbol_address(area, pattern, "PL_thr_key");
	RETURN_IF(!version || vigil_read(area, version, &number, 1) != 1, false);
	process->layout = perl_layout(number);
	if (process->layout && process->first_interpreter && process->key)
		process->recognized = PERL;
	else
		refuse(area, process, number, process->key);
	return true;
}

/*
 * Whether the process is one whose interpreter is known. The interpreter may
 * not be mapped yet, or never be: calls 1, 2, 4, 8, ... look for it.
 */
static bool recognize(const struct vigil_communication *area, struct process *process)
{
	if (process->recognized == NEW) {
		process->calls++;
		RETURN_IF(process->calls & (process->calls - 1), false);
		RETURN_IF(!recognize_in(area, process, "libperl.so*") &&
				  !recognize_in(area, process, area->task->program) &&
				  !recognize_in(area, process, "perl*"),
			  false);
	}
	return process->recognized == PERL;
}

/* The interpreter of a task: the process's first for its first thread, the thread's own otherwise.
 */
static uint64_t interpreter_of(struct collector *collector, struct process *process,
			       const struct vigil_task *task)
{
	struct pages *pages = &collector->memory.pages;
	uint32_t key;

	RETURN_IF(task->tid == task->pid, pages_pointer(pages, process->first_interpreter));
	if (!process->threads_looked_for)
		perl_threads_find(&process->threads, pages);
	process->threads_looked_for = true;
	RETURN_IF(!pages_read(pages, process->key, &key, sizeof(key)), 0);
	return perl_threads_value(&process->threads, pages, task->tid, key);
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/*
 * Add the place of a statement within a sub, or within package's own code.
 * What belongs to main is named by its file; texts that are evaluated ("(eval
 * 7)") are one file.
 */
static void add_place(struct collector *collector, const struct perl_statement *statement,
		      const char *package, const char *procedure)
{
	struct vigil_place *place = &collector->places[collector->place_count];
	bool is_text = !strncmp(statement->file, "(eval ", 6);
	const char *file = is_text ? "(eval)" : last_part(statement->file);

	if (collector->place_count == VIGIL_PLACES_MAX)
		return;
	collector->place_count++;
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

static uint64_t pointer_in(const unsigned char *structure, uint32_t offset)
{
	uint64_t value;

	memcpy(&value, structure + offset, sizeof(value));
	return value;
}

/* Whether a context is one that makes a place. */
static bool is_place(const struct perl_layout *layout, const unsigned char *context)
{
	uint32_t flags = context[layout->context_type], type = flags & layout->context_types;

	if (type == layout->is_sub)
		return !(flags & layout->sub_in_pattern);
	return type == layout->is_format ||
	       (type == layout->is_eval && !(flags & layout->eval_block));
}

/* Add the place that a context is, with the statement executed in it; *statement becomes the one
   that it was entered from. -1: it does not fit together. */
static int take_context(struct collector *collector, const struct process *process,
			const unsigned char *context, struct perl_statement *statement)
{
	const struct perl_layout *layout = process->layout;
	struct perl_memory *memory = &collector->memory;
	struct perl_sub sub;

	RETURN_IF(!is_place(layout, context), 0);
	if ((context[layout->context_type] & layout->context_types) != layout->is_eval) {
		RETURN_IF(!perl_sub(memory, pointer_in(context, layout->context_sub), &sub), -1);
		add_place(collector, statement, sub.package, sub.name);
	} else {
		add_place(collector, statement, statement->package,
			  pointer_in(context, layout->context_required) ? "(require)" : "(eval)");
	}
	return perl_statement(memory, pointer_in(context, layout->context_statement), statement)
		       ? 0
		       : -1;
}

/* The places of the contexts of one stack, from its top on; *left bounds how many are looked at. */
static int walk_contexts(struct collector *collector, const struct process *process,
			 const unsigned char *stack, struct perl_statement *statement, int *left)
{
	const struct perl_layout *layout = process->layout;
	uint64_t contexts = pointer_in(stack, layout->stack_contexts);
	int32_t top, max;

	memcpy(&top, stack + layout->stack_top, sizeof(top));
	memcpy(&max, stack + layout->stack_max, sizeof(max));
	RETURN_IF(top < -1 || top > max || contexts & 7, -1);
	for (; top >= 0 && *left > 0 && collector->place_count < VIGIL_PLACES_MAX; top--, --*left) {
		unsigned char context[PERL_CONTEXT_MAX];

		RETURN_IF(!pages_read(&collector->memory.pages,
				      contexts + (uint64_t)top * layout->context_size, context,
				      layout->context_size),
			  -1);
		RETURN_IF(take_context(collector, process, context, statement), -1);
	}
	return 0;
}

/* Where the program is as far as subs go: what changes when one is entered or left. */
struct position {
	uint64_t stack, context, sub;
};

/* The innermost place's context, as it is read now; false when it cannot be. */
static bool find_position(struct collector *collector, const struct process *process,
			  struct position *position)
{
	const struct perl_layout *layout = process->layout;
	struct pages *pages = &collector->memory.pages;
	unsigned char head[PERL_STACK_HEAD], context[PERL_CONTEXT_MAX];
	uint64_t contexts;
	int32_t top;

	*position = (struct position){
		.stack = pages_pointer(pages, collector->memory.interpreter + layout->stack),
	};
	RETURN_IF(!position->stack, true);
	RETURN_IF(!pages_read(pages, position->stack, head, sizeof(head)), false);
	contexts = pointer_in(head, layout->stack_contexts);
	memcpy(&top, head + layout->stack_top, sizeof(top));
	for (int left = CONTEXTS_MAX; top >= 0 && left > 0; top--, left--) {
		position->context = contexts + (uint64_t)top * layout->context_size;
		RETURN_IF(!pages_read(pages, position->context, context, layout->context_size),
			  false);
		if (is_place(layout, context)) {
			position->sub = pointer_in(context, layout->context_sub);
			return true;
		}
	}
	position->context = 0;
	return true;
}

/* The places of an interpreter; -1 when it does not fit together. */
static int walk(struct collector *collector, const struct process *process)
{
	const struct perl_layout *layout = process->layout;
	struct perl_memory *memory = &collector->memory;
	uint64_t stack = pages_pointer(&memory->pages, memory->interpreter + layout->stack);
	uint64_t current = pages_pointer(&memory->pages, memory->interpreter + layout->current);
	struct perl_statement statement;
	int left = CONTEXTS_MAX;

	collector->place_count = 0;
	/* Not begun yet, or over. */
	RETURN_IF(!stack || !current, 0);
	RETURN_IF(!perl_statement(memory, current, &statement), -1);
	for (int i = 0; stack; i++) {
		unsigned char head[PERL_STACK_HEAD];

		RETURN_IF(i == STACKS_MAX, 0);
		RETURN_IF(stack & 7 || !pages_read(&memory->pages, stack, head, sizeof(head)), -1);
		RETURN_IF(walk_contexts(collector, process, head, &statement, &left), -1);
		stack = pointer_in(head, layout->stack_previous);
	}
	if (left && *statement.file)
		add_place(collector, &statement, statement.package, "(main)");
	return 0;
}

/* The same, when the program was in one sub all the while: the statement and the contexts are read
   one after the other. */
static int walk_once(struct collector *collector, const struct process *process,
		     const struct vigil_communication *area)
{
	struct position before, after;

	RETURN_IF(!find_position(collector, process, &before), -1);
	pages_begin(&collector->memory.pages, area);
	RETURN_IF(walk(collector, process), -1);
	RETURN_IF(!find_position(collector, process, &after), -1);
	return before.stack == after.stack && before.context == after.context &&
			       before.sub == after.sub
		       ? 0
		       : -1;
}

/* The collector of this process. */
static struct collector *collector_of(struct vigil_communication *area)
{
	struct collector *collector = processes_anchor(area, sizeof(*collector));

	RETURN_IF(!collector, NULL);
	collector->processes.size = sizeof(struct process);
	collector->processes.release = process_release;
	return collector;
}

static enum vigil_outcome collect(struct vigil_communication *area)
{
	struct collector *collector = collector_of(area);
	struct process *process =
		collector ? processes_find(&collector->processes, area->task) : NULL;
	struct perl_memory *memory;

	RETURN_IF(!process, VIGIL_NOT_MINE);
	memory = &collector->memory;
	pages_begin(&memory->pages, area);
	RETURN_IF(!recognize(area, process), VIGIL_NOT_MINE);
	memory->layout = process->layout;
	memory->interpreter = interpreter_of(collector, process, area->task);
	memory->known = &process->known;
	remember_begin(&process->known);
	RETURN_IF(!memory->interpreter, VIGIL_DONE);
	/* What is torn is read once more, a moment later. */
	for (int i = 1; walk_once(collector, process, area); i++) {
		RETURN_IF(i == READS_MAX, VIGIL_TORN);
		pages_begin(&collector->memory.pages, area);
	}
	if (collector->place_count)
		answer_places(area, &process->text, collector->places, collector->place_count);
	return VIGIL_DONE;
}

static const char *const programs[] = { "perl*", NULL };

VIGIL_COLLECTOR("STRBPERL", "G-00", VIGIL_PROMPT, NULL, programs, collect);
