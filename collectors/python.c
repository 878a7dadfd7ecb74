/* SPDX-License-Identifier: Apache-2.0 */
/*
 * STRBPYTH: the data collector for Python programs (CPython 3.11 to 3.13).
 *
 * It walks from _PyRuntime over interpreters and threads to the thread state of
 * the sampled task, and from there from frame to frame; each gives a place:
 * module, source file, qualified name and line. The frames are those of the Python
 * program's stack, innermost first; they replace all native frames from the
 * innermost one in the interpreter's loop outwards.
 */
#include "common/compat.h"
#include "collectors/interpreter.h"
#include "collectors/python-code.h"

#define INTERPRETERS_MAX 1024
#define THREADS_MAX 16384
#define FRAMES_MAX 1024 /* frames read, including the interpreter's internal ones */
#define KNOWN_THREADS 64
/* At most the size of a thread state. The call that executes nothing is in it; all others are on the stack. */
#define THREAD_STATE_MAX 4096

struct process {
	struct interpreter_process common;
	struct python_layout layout;
	struct python_types types;
	uint64_t runtime;
	struct python_codes codes;
	uint64_t interpreter; /* the newest one when known was filled; 0: there were several */
	/* Cache of thread states, by the task's number. */
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

/* Finds the symbols in objects whose name matches pattern; returns false if they are not there. */
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
	       !interpreter_code(area, &process->common, evaluate);
}

/* Reports once that this interpreter is not supported. */
static void refuse(const struct vigil_communication *area, uint32_t hexversion)
{
	char version[32] = "an older version", text[120];

	if (hexversion)
		snprintf(version, sizeof(version), "%u.%u", hexversion >> 24,
			 hexversion >> 16 & 0xff);
	snprintf(text, sizeof(text),
		 "STRBPYTH supports Python 3.11 to 3.13 (with its global lock); this is %s, which "
		 "is not supported",
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

/* Adds the place of a frame; returns -1 if the data is inconsistent. */
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

	/* Before the first instruction it points one unit before the code. */
	RETURN_IF(!code || offset < -2 || offset >= (int64_t)code->units * 2 || offset & 1, -1);
	*place = (struct vigil_place){
		.module = code->module,
		.section = code->section,
		.procedure = code->procedure,
		.file = code->file[0] == '<' ? NULL : code->file,
		.line = offset < 0 ? code->first_line : python_code_line(code, (uint32_t)offset),
	};
	common->homes[common->place_count++] = 0;
	return 0;
}

/* A _PyCFrame: one call of the interpreter's loop, on the thread's stack. */
struct loop_call {
	uint64_t address, frame, previous; /* frame: its innermost frame */
};

/* A walk over frames, from one call of the loop to the one that called it. */
struct frame_walk {
	uint64_t frame;
	struct loop_call call, outer; /* only if the layout has entry frames */
	size_t first;		      /* the innermost place of the call */
};

/* Reads the _PyCFrame at an address; returns false if it is not readable. */
static bool read_call(struct collector *collector, const struct process *process, uint64_t address,
		      struct loop_call *call)
{
	uint64_t fields[2];

	*call = (struct loop_call){ .address = address };
	RETURN_IF(address & 7 || !pages_read(collector->memory.pages,
					     address + (uint32_t)process->layout.cframe_frame,
					     fields, sizeof(fields)),
		  false);
	call->frame = fields[0];
	call->previous = fields[1];
	return true;
}

/*
 * Starts with a call of the loop; returns false if that call, or the one that
 * called it, is not readable.
 */
static bool enter_call(struct collector *collector, const struct process *process,
		       const struct loop_call *call, struct frame_walk *walk)
{
	walk->call = *call;
	walk->frame = call->frame;
	walk->first = collector->common.place_count;
	walk->outer = (struct loop_call){ 0 };
	return !walk->call.previous ||
	       read_call(collector, process, walk->call.previous, &walk->outer);
}

/* Sets the home of all places of a call of the loop, which is complete. */
static void end_call(struct interpreter *common, struct frame_walk *walk, uint64_t home)
{
	for (size_t i = walk->first; i < common->place_count; i++)
		common->homes[i] = home;
	walk->first = common->place_count;
}

/* Advances from a frame to its caller; returns -1 if they are inconsistent. */
static int to_caller(struct collector *collector, const struct process *process,
		 struct frame_walk *walk, const unsigned char *frame)
{
	const struct python_layout *layout = &process->layout;
	uint64_t previous = pages_pointer_in(frame, layout->frame_previous);

	RETURN_IF(previous == walk->frame, -1);
	if (layout->frame_entry < 0) {
		if (frame[layout->frame_owner] >= PYTHON_OWNED_BY_INTERPRETER)
			end_call(&collector->common, walk, walk->frame);
		walk->frame = previous;
		return 0;
	}
	if (frame[layout->frame_entry]) {
		end_call(&collector->common, walk, walk->call.address);
		RETURN_IF(!enter_call(collector, process, &walk->outer, walk), -1);
		/*
		 * The frame knows its caller better: the outer call may have gone on since, and for
		 * some instructions after it became the thread's one the call has what was on the
		 * stack before.
		 */
		RETURN_IF(!previous != !walk->frame, -1);
		walk->frame = previous;
		return 0;
	}
	/* The frames of one call of the loop do not include those of the next. */
	RETURN_IF(!previous || previous == walk->outer.frame, -1);
	walk->frame = previous;
	return 0;
}

/*
 * Adds the places of the frames of a walk, from its first one outwards; returns -1
 * if the data is inconsistent.
 */
static int walk_frames(struct collector *collector, struct process *process,
		       struct frame_walk *walk)
{
	const struct python_layout *layout = &process->layout;
	struct interpreter *common = &collector->common;

	for (int i = 0; walk->frame && i < FRAMES_MAX; i++) {
		unsigned char frame[PYTHON_FRAME_HEAD];

		if (!interpreter_has_space(common))
			return 0;
		/* Recursion may have been folded. */
		if (walk->first > common->place_count)
			walk->first = common->place_count;
		RETURN_IF(walk->frame & 7 || !pages_read(collector->memory.pages, walk->frame,
							 frame, sizeof(frame)),
			  -1);
		/* Where calls of the loop have entry frames no frame is the interpreter's. */
		RETURN_IF((frame[layout->frame_owner] < PYTHON_OWNED_BY_INTERPRETER || layout->frame_entry >= 0) &&
				  add_place(collector, process, frame),
			  -1);
		RETURN_IF(to_caller(collector, process, walk, frame), -1);
	}
	return 0;
}

/*
 * Finds the call of the loop that the sample saw. It may have returned since, or
 * called the loop again: its data on the stack is known as it was sampled. Returns
 * false if it is not found.
 */
static bool find_sampled_call(struct collector *collector, const struct process *process,
			      struct loop_call *call)
{
	const struct interpreter *common = &collector->common;
	struct interpreter_homes homes;
	struct loop_call outer;

	RETURN_IF(common->reads || !process->interpreter, false);
	homes = interpreter_homes(common->pages.area, &process->common);
	RETURN_IF(!homes.inner || !read_call(collector, process, homes.inner, call), false);
	RETURN_IF(!call->frame || !call->previous, false);
	if (homes.outer)
		return call->previous == homes.outer;
	/* After the last is one that executes nothing. */
	return read_call(collector, process, call->previous, &outer) && !outer.frame &&
	       !outer.previous;
}

/* Adds the places of a thread state. */
static int walk_thread(struct collector *collector, struct process *process, uint64_t thread)
{
	struct pages *pages = collector->memory.pages;
	uint64_t state = pages_pointer(pages, thread + process->layout.thread_frame);
	struct frame_walk walk = { .frame = state, .first = collector->common.place_count };
	struct loop_call call;

	if (process->layout.cframe_frame < 0)
		return walk_frames(collector, process, &walk);
	RETURN_IF(!state, -1);
	if (process->layout.frame_entry < 0 || !find_sampled_call(collector, process, &call))
		RETURN_IF(!read_call(collector, process, state, &call) ||
				  (!call.frame && state - thread > THREAD_STATE_MAX),
			  -1);
	RETURN_IF(process->layout.frame_entry >= 0 && !enter_call(collector, process, &call, &walk),
		  -1);
	walk.frame = call.frame;
	return walk_frames(collector, process, &walk);
}

/* Returns whether the thread state at address is that of a task. */
static bool is_thread_of(struct collector *collector, const struct process *process,
			 uint64_t thread, pid_t tid)
{
	return (pid_t)pages_pointer(collector->memory.pages, thread + process->layout.thread_id) ==
	       tid;
}

/*
 * Adds the places of all thread states that the task has in an interpreter. *found
 * is the last one.
 */
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
 * Adds the places of a task: those of its thread state (found by its number alone
 * while there is one interpreter) or, if it runs nested interpreters, of all its
 * thread states: the newest is the innermost.
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
	/* In its library, in the program, or in the target of a link such as python3. */
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
