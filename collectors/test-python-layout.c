/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares the layout of this version of CPython with CPython's headers, with
 * which tests/collectors-python.bats compiles this; prints differences.
 */
#define Py_BUILD_CORE 1
#include <Python.h>
#include <internal/pycore_code.h>
#include <internal/pycore_dict.h>
#include <internal/pycore_frame.h>
#include <internal/pycore_interp.h>
#include <internal/pycore_runtime.h>

#include "common/compat.h"
#include "collectors/python-layout.h"

#if PY_VERSION_HEX < 0x030d0000
#define PYTHON_THREAD_FRAME cframe
#define PYTHON_FRAME_CODE f_code
#define PYTHON_FRAME_INSTRUCTION prev_instr
#define PYTHON_CFRAME_FRAME ((int)offsetof(_PyCFrame, current_frame))
#else
#define PYTHON_THREAD_FRAME current_frame
#define PYTHON_FRAME_CODE f_executable
#define PYTHON_FRAME_INSTRUCTION instr_ptr
#define PYTHON_CFRAME_FRAME (-1)
#endif

#if PY_VERSION_HEX < 0x030c0000
#define PYTHON_FRAME_ENTRY ((int)offsetof(_PyInterpreterFrame, is_entry))
#else
#define PYTHON_FRAME_ENTRY (-1)
#endif

static int wrong;

static void compare(const char *name, size_t here, size_t header)
{
	if (here != header) {
		printf("%s is %zu, not %zu\n", name, header, here);
		wrong = 1;
	}
}

int main(void)
{
	const struct python_layout *layout = python_layout(PY_VERSION_HEX);

	if (!layout) {
		puts("this version is not known");
		return 1;
	}
#define PYTHON_FIELD(name, structure, member) \
	compare(#name, layout->name, offsetof(structure, member));
#define PYTHON_SIZE(name, structure) compare(#name, layout->name, sizeof(structure));
	PYTHON_FIELDS(PYTHON_FIELD)
	PYTHON_SIZES(PYTHON_SIZE)
	compare("cframe_frame", (size_t)layout->cframe_frame, (size_t)PYTHON_CFRAME_FRAME);
	compare("frame_entry", (size_t)layout->frame_entry, (size_t)PYTHON_FRAME_ENTRY);
	compare("type", PYTHON_OBJECT_TYPE, offsetof(PyObject, ob_type));
	compare("size", PYTHON_OBJECT_SIZE, offsetof(PyVarObject, ob_size));
	compare("bytes", PYTHON_BYTES_TEXT, offsetof(PyBytesObject, ob_sval));
	compare("index bytes", PYTHON_KEYS_LOG2_INDEX_BYTES,
		offsetof(PyDictKeysObject, dk_log2_index_bytes));
	compare("kind", PYTHON_KEYS_KIND, offsetof(PyDictKeysObject, dk_kind));
	compare("entries", PYTHON_KEYS_ENTRIES, offsetof(PyDictKeysObject, dk_nentries));
	compare("indices", PYTHON_KEYS_INDICES, offsetof(PyDictKeysObject, dk_indices));
	compare("general keys", 0, DICT_KEYS_GENERAL);
	compare("text keys", 1, DICT_KEYS_UNICODE);
	return wrong;
}
