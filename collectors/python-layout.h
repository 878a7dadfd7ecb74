/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Offsets of the fields of CPython's structures that lead from _PyRuntime to the
 * line that a thread executes. The tables are made from the headers of each
 * version (Include/internal of its development files; test-python-layout.c checks
 * them); from 3.13 on the interpreter's own description (_Py_DebugOffsets, at the
 * head of _PyRuntime) takes precedence.
 */
#ifndef VIGIL_COLLECTORS_PYTHON_LAYOUT_H
#define VIGIL_COLLECTORS_PYTHON_LAYOUT_H

#include "collectors/pages.h"

/* Field, structure and member. */
#define PYTHON_FIELDS(FIELD) \
	FIELD(runtime_interpreters, _PyRuntimeState, interpreters.head) \
	FIELD(interpreter_next, PyInterpreterState, next) \
	FIELD(interpreter_threads, PyInterpreterState, threads.head) \
	FIELD(thread_next, PyThreadState, next) \
	FIELD(thread_id, PyThreadState, native_thread_id) \
	FIELD(thread_frame, PyThreadState, PYTHON_THREAD_FRAME) \
	FIELD(frame_code, _PyInterpreterFrame, PYTHON_FRAME_CODE) \
	FIELD(frame_globals, _PyInterpreterFrame, f_globals) \
	FIELD(frame_previous, _PyInterpreterFrame, previous) \
	FIELD(frame_instruction, _PyInterpreterFrame, PYTHON_FRAME_INSTRUCTION) \
	FIELD(frame_owner, _PyInterpreterFrame, owner) \
	FIELD(code_first_line, PyCodeObject, co_firstlineno) \
	FIELD(code_file, PyCodeObject, co_filename) \
	FIELD(code_name, PyCodeObject, co_qualname) \
	FIELD(code_lines, PyCodeObject, co_linetable) \
	FIELD(code_start, PyCodeObject, co_code_adaptive) \
	FIELD(text_length, PyASCIIObject, length) \
	FIELD(text_state, PyASCIIObject, state) \
	FIELD(dictionary_keys, PyDictObject, ma_keys)

/* Field, and the structure whose size it is. */
#define PYTHON_SIZES(SIZE) \
	SIZE(text_ascii, PyASCIIObject) \
	SIZE(text_compact, PyCompactUnicodeObject)

struct python_layout {
	uint32_t version; /* 0x030b: 3.11 */
	/*
	 * thread_frame is the address of a _PyCFrame, which has the frame at this offset;
	 * -1: it is the address of the frame.
	 */
	int cframe_frame;
	/*
	 * Offset of the flag that marks the outermost frame of its _PyCFrame; the next
	 * _PyCFrame is 8 bytes after the frame. -1: such a frame is owned by the
	 * interpreter.
	 */
	int frame_entry;
#define PYTHON_FIELD(name, structure, member) uint32_t name;
#define PYTHON_SIZE(name, structure) uint32_t name;
	PYTHON_FIELDS(PYTHON_FIELD)
	PYTHON_SIZES(PYTHON_SIZE)
#undef PYTHON_FIELD
#undef PYTHON_SIZE
};

/* The same in all versions: heads of objects, bytes, and the keys of a dictionary. */
enum {
	PYTHON_OBJECT_TYPE = 8,
	PYTHON_OBJECT_SIZE = 16,
	PYTHON_BYTES_TEXT = 32,
	PYTHON_KEYS_LOG2_INDEX_BYTES = 9,
	PYTHON_KEYS_KIND = 10,
	PYTHON_KEYS_ENTRIES = 24,
	PYTHON_KEYS_INDICES = 32,
	PYTHON_FRAME_HEAD = 72, /* a frame without its variables */
	PYTHON_CODE_HEAD = 184, /* the part of a code object that is read */
};

/*
 * Owners from this value on: not a frame of the program, but an internal one of
 * the interpreter on the C stack.
 */
#define PYTHON_OWNED_BY_INTERPRETER 3

/* Returns the layout of a version (as in Py_Version), NULL if it is unknown. */
const struct python_layout *python_layout(uint32_t hexversion);
/*
 * Takes the offsets that the interpreter with its _PyRuntime at runtime describes;
 * returns false if they are not plausible, or the interpreter has no global lock.
 */
bool python_layout_debug(struct python_layout *layout, struct pages *pages, uint64_t runtime);

#endif
