/* SPDX-License-Identifier: Apache-2.0 */
/*
 * STRBPYTH: the data collector for Python programs (CPython 3.11 to 3.13).
 *
 * From _PyRuntime over interpreters and threads to the thread state of the
 * sampled task, from there from frame to frame; each gives a place: module,
 * source file, qualified name and line. The frames are those of the Python
 * program's stack, innermost first; they stand for all native frames from the
 * innermost one in the interpreter outwards.
 */
#include "common/compat.h"
#include "sampler/collectors/interpreter.h"
#include "sampler/collectors/python-code.h"

#define INTERPRETERS_MAX 1024
#define THREADS_MAX 16384
#define FRAMES_MAX 1024 /* looked at, the interpreter's own included */
#define KNOWN_THREADS 64

struct process {
	struct interpreter_process common;
	struct python_layout layout;
	struct python_types types;
	uint64_t runtime;
	struct python_codes codes;
	uint64_t interpreter; /* the newest, when known was filled; 0: there were several */
	/* The thread state that a task was found to have, by the task's number. */
	struct {
		pid_t tid;
		uint64_t state;
	} known[KNOWN_THREADS];
};

struct collector {
	struct interpreter common;
	struct python_memory memory;
};

static void process_release(void *block)
{
	struct process *process = block;

	python_codes_release(&process->codes);
}

/* Find the symbols in objects whose name matches pattern; false when they are not there. */
static bool find_symbols(const struct vigil_communication *area, struct process *process,
			 const char *pattern, uint32_t *hexversion)
{
	uint64_t evaluate, version;

	process->runtime = vigil_symbol_address(area, pattern, "_PyRuntime");
	RETURN_IF(!process->runtime, false);
	version = vigil_symbol_address(area, pattern, "Py_Version");
	evaluate = vigil_symbol_address(area, pattern, "_PyEval_EvalFrameDefault");
	process->types.code = vigil_symbol_address(area, pattern, "PyCode_Type");
	process->types.text = vigil_symbol_address(area, pattern, "PyUnicode_Type");
	process->types.dictionary = vigil_symbol_address(area, pattern, "PyDict_Type");
	*hexversion = (uint32_t)vigil_pointer(area, version);
	return process->types.code && process->types.text && process->types.dictionary &&
	       evaluate && !vigil_mapping_at(area, evaluate, &process->common.text);
}

/* Say once that this interpreter cannot be looked at. */
static void refuse(const struct vigil_communication *area, uint32_t hexversion)
{
	char version[32] = "an older one", text[120];

	if (hexversion)
		snprintf(version, sizeof(version), "%u.%u", hexversion >> 24,
			 hexversion >> 16 & 0xff);
	snprintf(text, sizeof(text),
		 "STRBPYTH knows Python 3.11 to 3.13 (with its global lock); this is %s, of which "
		 "nothing is shown",
		 version);
	vigil_message(area, text);
}

static enum interpreter_found find(struct interpreter *common,
				   struct interpreter_process *common_process, const char *pattern)
{
	struct process *process = (struct process *)common_process;
	const struct python_layout *layout;
	uint32_t hexversion = 0;

	RETURN_IF(!find_symbols(common->pages.area, process, pattern, &hexversion),
		  INTERPRETER_ABSENT);
	layout = python_layout(hexversion);
	if (layout)
		process->layout = *layout;
	if (!layout || (hexversion >> 16 >= 0x030d &&
			!python_layout_debug(&process->layout, &common->pages, process->runtime))) {
		refuse(common->pages.area, hexversion);
		return INTERPRETER_UNKNOWN;
	}
	return INTERPRETER_KNOWN;
}

/* The place of a frame whose code object is at code; -1 when it does not fit together. */
static int add_place(struct collector *collector, struct process *process,
		     const unsigned char *frame)
{
	const struct python_layout *layout = &process->layout;
	uint64_t address = pages_pointer_in(frame, layout->frame_code);
	uint64_t instruction = pages_pointer_in(frame, layout->frame_instruction);
	int64_t offset = (int64_t)(instruction - address - layout->code_start);
	const struct python_code *code =
		python_codes_find(&process->codes, &collector->memory, address,
				  pages_pointer_in(frame, layout->frame_globals));
	struct interpreter *common = &collector->common;
	struct vigil_place *place = &common->places[common->place_count];

	/* Before the first instruction it is one unit in front of the code. */
	RETURN_IF(!code || offset < -2 || offset >= (int64_t)code->units * 2 || offset & 1, -1);
	*place = (struct vigil_place){
		.module = code->module,
		.section = code->section,
		.procedure = code->procedure,
		.file = code->file[0] == '<' ? NULL : code->file,
		.line = offset < 0 ? code->first_line : python_code_line(code, (uint32_t)offset),
	};
	common->place_count++;
	return 0;
}

/* The places of the frames from the one at address outwards; -1 when they do not fit together. */
static int walk_frames(struct collector *collector, struct process *process, uint64_t address)
{
	const struct python_layout *layout = &process->layout;

	for (int i = 0; address && i < FRAMES_MAX; i++) {
		unsigned char frame[PYTHON_FRAME_HEAD];

		if (collector->common.place_count == VIGIL_PLACES_MAX)
			return 0;
		RETURN_IF(address & 7 || !pages_read(collector->memory.pages, address, frame,
						     sizeof(frame)),
			  -1);
		RETURN_IF(frame[layout->frame_owner] < PYTHON_OWNED_BY_INTERPRETER &&
				  add_place(collector, process, frame),
			  -1);
		RETURN_IF(pages_pointer_in(frame, layout->frame_previous) == address, -1);
		address = pages_pointer_in(frame, layout->frame_previous);
	}
	return 0;
}

/* The places of a thread state. */
static int walk_thread(struct collector *collector, struct process *process, uint64_t thread)
{
	struct pages *pages = collector->memory.pages;
	uint64_t frame = pages_pointer(pages, thread + process->layout.thread_frame);

	if (process->layout.cframe_frame >= 0) {
		RETURN_IF(!frame, -1);
		RETURN_IF(!pages_read(pages, frame + (uint32_t)process->layout.cframe_frame, &frame,
				      sizeof(frame)),
			  -1);
	}
	return walk_frames(collector, process, frame);
}

/* Whether the thread state at address is that of a task. */
static bool is_thread_of(struct collector *collector, const struct process *process,
			 uint64_t thread, pid_t tid)
{
	return (pid_t)pages_pointer(collector->memory.pages, thread + process->layout.thread_id) ==
	       tid;
}

/* The places of all thread states that the task has in an interpreter. *found is the last. */
static int walk_interpreter(struct collector *collector, struct process *process,
			    uint64_t interpreter, pid_t tid, uint64_t *found)
{
	struct pages *pages = collector->memory.pages;
	uint64_t thread = pages_pointer(pages, interpreter + process->layout.interpreter_threads);

	for (int i = 0; thread; i++) {
		RETURN_IF(i == THREADS_MAX || thread & 7, -1);
		if (is_thread_of(collector, process, thread, tid)) {
			*found = thread;
			RETURN_IF(walk_thread(collector, process, thread), -1);
		}
		RETURN_IF(!pages_read(pages, thread + process->layout.thread_next, &thread,
				      sizeof(thread)),
			  -1);
	}
	return 0;
}

/*
 * The places of a task: of its thread state (found by its number alone while
 * there is one interpreter), or, when it runs interpreters within
 * interpreters, of all it has: the newest is the innermost.
 */
static int walk_task(struct collector *collector, struct process *process, pid_t tid)
{
	struct pages *pages = collector->memory.pages;
	uint64_t interpreter =
		pages_pointer(pages, process->runtime + process->layout.runtime_interpreters);
	uint64_t next = interpreter, found = 0;
	uint32_t slot = (uint32_t)tid % KNOWN_THREADS;
	bool is_only = false;

	collector->common.place_count = 0;
	if (interpreter && process->interpreter == interpreter && process->known[slot].tid == tid &&
	    is_thread_of(collector, process, process->known[slot].state, tid))
		return walk_thread(collector, process, process->known[slot].state);
	for (int i = 0; next; i++) {
		RETURN_IF(i == INTERPRETERS_MAX || next & 7, -1);
		RETURN_IF(walk_interpreter(collector, process, next, tid, &found), -1);
		RETURN_IF(!pages_read(pages, next + process->layout.interpreter_next, &next,
				      sizeof(next)),
			  -1);
		is_only = !i && !next;
	}
	process->interpreter = is_only ? interpreter : 0;
	process->known[slot].tid = found ? tid : 0;
	process->known[slot].state = found;
	return 0;
}

static bool begin(struct interpreter *common, struct interpreter_process *common_process)
{
	struct collector *collector = (struct collector *)common;
	struct process *process = (struct process *)common_process;

	collector->memory.pages = &common->pages;
	collector->memory.layout = &process->layout;
	collector->memory.types = process->types;
	python_codes_trim(&process->codes);
	return true;
}

static int walk(struct interpreter *common, struct interpreter_process *process)
{
	return walk_task((struct collector *)common, (struct process *)process,
			 common->pages.area->task->tid);
}

static enum vigil_outcome collect(struct vigil_communication *area)
{
	/* In its library, in the program, or in what a link such as python3 leads to. */
	static const char *const objects[] = { "libpython3*", "python3*", NULL };
	static const struct interpreter_kind kind = {
		.size = sizeof(struct collector),
		.process_size = sizeof(struct process),
		.objects = objects,
		.find = find,
		.begin = begin,
		.walk = walk,
		.release = process_release,
	};

	return interpreter_collect(area, &kind);
}

static const char *const programs[] = { "python*", NULL };

VIGIL_COLLECTOR("STRBPYTH", "G-00", VIGIL_PROMPT, NULL, programs, collect);
