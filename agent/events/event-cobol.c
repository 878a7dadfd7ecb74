/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events of GnuCOBOL programs: interposes on the run-time functions that compiled
 * programs call. Programs begin and end in any of them; sections, paragraphs and
 * statements are reported by programs compiled with -ftrace and -ftraceall.
 */
#include "agent/agent-next.h"
#include "agent/cobol-runtime.h"
#include "agent/event-program-area.h"
#include "agent/events/event-lane.h"
#include "agent/events/event-names.h"

#include <dlfcn.h>
#include <link.h>

AGENT_VISIBLE int cob_module_global_enter(struct cobol_module **module,
					  struct cobol_global **global, int automatic, int entry,
					  const unsigned *hash);
AGENT_VISIBLE void cob_module_enter(struct cobol_module **module, struct cobol_global **global,
				    int automatic);
AGENT_VISIBLE void cob_set_cancel(struct cobol_module *module);
AGENT_VISIBLE void cob_module_leave(struct cobol_module *module);
AGENT_VISIBLE void cob_trace_sect(const char *name);
AGENT_VISIBLE void cob_trace_para(const char *name);
AGENT_VISIBLE void cob_trace_stmt(const char *name);
AGENT_VISIBLE void cob_trace_statement(int statement);

/* The next functions after this library's, found at the first call. */
static int (*next_global_enter)(struct cobol_module **, struct cobol_global **, int, int,
				const unsigned *);
static void (*next_enter)(struct cobol_module **, struct cobol_global **, int);
static void (*next_set_cancel)(struct cobol_module *);
static void (*next_leave)(struct cobol_module *);
static void (*next_sect)(const char *), (*next_para)(const char *), (*next_stmt)(const char *);
static void (*next_statement)(int);
static const char *const *statement_names; /* from version 3.2 on */
static struct cobol_global *runtime;
static struct cobol_module *nameless; /* begun, but has not set its name yet */

/*
 * Sets *function, a pointer to a function, to the next one after this library's;
 * returns false if there is none. Called for every statement.
 */
static inline __attribute__((always_inline)) bool find(void *function, const char *name)
{
	return agent_next(function, name) || cobol_find(function, name);
}

/* Returns the program that executes; NULL: unknown. */
static struct cobol_module *current(void)
{
	struct cobol_global *(*get)(void) = NULL;

	if (!runtime && cobol_known())
		runtime = cobol_find(&get, "cob_get_global_ptr") ? get() : NULL;
	return runtime ? runtime->current : NULL;
}

/* Cached data of a program. */
struct known {
	const struct cobol_module *module;
	const char *name;
	uint32_t number;
	bool blocked; /* by filters: its events are not written */
	uint32_t filters; /* filters that match it, as bits */
	bool lines;	  /* each of these filters has line bounds */
};

/*
 * The lane's cursor after the mark written for a statement blocked by its line; 0:
 * none was written.
 */
static _Thread_local uint64_t blocked_at __attribute__((tls_model("initial-exec")));

/* Finds out which program filters match a program in an object. */
static void look_at_filters(struct known *known, const char *name, const char *object)
{
	const struct event_area *area = event_area;
	const char *slash = strrchr(object, '/');
	char folder[PATH_MAX] = "";

	known->filters = 0;
	known->lines = true;
	if (slash && slash != object && (size_t)(slash - object) < sizeof(folder))
		memcpy(folder, object, (size_t)(slash - object));
	for (uint64_t i = 0; i < area->filter_count && i < EVENT_FILTERS; i++)
		if (event_filter_matches(area->filters[i].library, area->filters[i].program, folder,
				      name)) {
			known->filters |= UINT32_C(1) << i;
			known->lines &= area->filters[i].line_from || area->filters[i].line_to;
		}
	known->blocked = area->filter_count > 0 && !known->filters;
	known->lines &= known->filters != 0;
}

/* Returns whether a line of a program is outside the bounds of all its filters. */
static bool is_line_blocked(const struct known *known, uint64_t line)
{
	for (unsigned i = 0; i < EVENT_FILTERS; i++) {
		const struct event_filter_area *one = &event_area->filters[i];

		if (known->filters >> i & 1 && line >= one->line_from &&
		    (!one->line_to || line <= one->line_to))
			return false;
	}
	return true;
}

/* Returns whether coverage watches a program's instructions: then its statements need no events. */
static bool is_watched(const struct link_map *object)
{
	static bool (*watches)(const struct link_map *);
	static bool sought;

	if (!sought)
		find(&watches, "vigil_coverage_watches");
	sought = true;
	return watches && object && watches(object);
}

/* Returns the cached data of a program: the number of its name, source and object. */
static const struct known *know(const struct cobol_module *module)
{
	/* A cache of recent programs: those that call each other are looked up again and again. */
	static struct known all[64];
	struct known *one = &all[(uintptr_t)module / 64 % ARRAY_SIZE(all)];
	char text[EVENT_TEXT_MAX];
	struct link_map *map = NULL;
	const char *object;
	Dl_info found;

	if (one->module == module && one->name == module->name)
		return one;
	if (!module->entry || !dladdr1(module->entry, &found, (void **)&map, RTLD_DL_LINKMAP))
		found.dli_fname = "";
	/* For the executable, the loader has the name by which it was called. */
	object = *found.dli_fname == '/' ? found.dli_fname : event_program;
	one->module = module;
	one->name = module->name;
	one->number = event_name(
		text, event_program_join(text, sizeof(text),
					 (const char *const[]){ module->name, module->source, object },
					 EVENT_PROGRAM_LINE));
	look_at_filters(one, module->name, object);
	one->blocked |= is_watched(map);
	return one;
}

/* Reports that a program begins. On its first call a program has no name until it has set it. */
static void begin(struct cobol_module *module)
{
	if (!event_has_monitor() || !module || !cobol_known())
		return;
	if (!module->name) {
		nameless = module;
		return;
	}
	event_write(EVENT_MARK_PROGRAM | event_pause_bit() | EVENT_VALUE(know(module)->number));
}

/* Writes an event of the program that executes, or counts it. */
static void report_event(enum event_mark mark, const char *name, bool count)
{
	const struct cobol_module *module = current();
	const struct known *known = module && module->name ? know(module) : NULL;
	uint64_t line = module ? module->statement & 0xfffff : 0;
	bool outside = known && mark == EVENT_MARK_STATEMENT && known->lines &&
		       is_line_blocked(known, line);
	uint32_t file = 0;

	if (known && known->blocked)
		return;
	if (count) {
		if (!outside)
			event_count(known ? known->number : 0);
		return;
	}
	/*
	 * After the first blocked statement the monitor counts the time for no event until
	 * the next one.
	 */
	if (outside && blocked_at == event_lane->cursor)
		return;
	if (module && module->sources)
		file = event_name_of_constant(module->sources[module->statement >> 20]);
	event_write(mark | EVENT_SITE(line, event_name_of_constant(name), file));
	if (outside)
		blocked_at = event_lane->cursor;
}

/* Returns whether it is before the time from which on filters let events pass. */
static bool is_early(void)
{
	return event_area->from && event_ticks() < event_area->from;
}

static void report_statement(const char *name)
{
	if (event_active() && event_area->statements && !is_early())
		report_event(EVENT_MARK_STATEMENT, name, event_area->statements == EVENT_AREA_COUNT);
}

static void report_procedure(enum event_mark mark, const char *name)
{
	if (name && event_active() && event_area->sections && !is_early())
		report_event(mark, name, false);
}

int cob_module_global_enter(struct cobol_module **module, struct cobol_global **global,
			    int automatic, int entry, const unsigned *hash)
{
	int result;

	if (!find(&next_global_enter, "cob_module_global_enter"))
		abort();
	result = next_global_enter(module, global, automatic, entry, hash);
	if (result == 0 && entry >= 0)
		begin(*module);
	return result;
}

void cob_module_enter(struct cobol_module **module, struct cobol_global **global, int automatic)
{
	if (!find(&next_enter, "cob_module_enter"))
		abort();
	next_enter(module, global, automatic);
	begin(*module);
}

void cob_set_cancel(struct cobol_module *module)
{
	if (nameless == module) {
		nameless = NULL;
		begin(module);
	}
	if (find(&next_set_cancel, "cob_set_cancel"))
		next_set_cancel(module);
}

void cob_module_leave(struct cobol_module *module)
{
	if (event_has_monitor() && module && cobol_known() && module->name)
		event_write(EVENT_MARK_PROGRAM_END | event_pause_bit() |
			    EVENT_VALUE(know(module)->number));
	if (find(&next_leave, "cob_module_leave"))
		next_leave(module);
}

void cob_trace_sect(const char *name)
{
	report_procedure(EVENT_MARK_SECTION, name);
	if (find(&next_sect, "cob_trace_sect"))
		next_sect(name);
}

void cob_trace_para(const char *name)
{
	report_procedure(EVENT_MARK_PARAGRAPH, name);
	if (find(&next_para, "cob_trace_para"))
		next_para(name);
}

void cob_trace_stmt(const char *name)
{
	report_statement(name);
	if (find(&next_stmt, "cob_trace_stmt"))
		next_stmt(name);
}

void cob_trace_statement(int statement)
{
	bool named = statement > 0 && find(&statement_names, "cob_statement_name");

	report_statement(named ? statement_names[statement] : NULL);
	if (find(&next_statement, "cob_trace_statement"))
		next_statement(statement);
}
