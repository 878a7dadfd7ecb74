/* SPDX-License-Identifier: Apache-2.0 */
/* The layouts of CPython's structures. */
#include "common/compat.h"
#include "collectors/python-layout.h"

/*
 * 3.11: headers of Debian's libpython3.11-dev 3.11.2-6, the same in 3.11.7.
 * 3.12: headers of CPython 3.12.1. 3.13: headers of CPython 3.13.0.
 */
static const struct python_layout layouts[] = {
	{
		.version = 0x030b,
		.cframe_frame = 8,
		.frame_entry = 68,
		.runtime_interpreters = 40,
		.interpreter_next = 0,
		.interpreter_threads = 16,
		.thread_next = 8,
		.thread_id = 160,
		.thread_frame = 56,
		.frame_code = 32,
		.frame_globals = 8,
		.frame_previous = 48,
		.frame_instruction = 56,
		.frame_owner = 69,
		.code_first_line = 72,
		.code_file = 112,
		.code_name = 128,
		.code_lines = 136,
		.code_start = 184,
		.text_length = 16,
		.text_state = 32,
		.text_ascii = 48,
		.text_compact = 72,
		.dictionary_keys = 32,
	},
	{
		.version = 0x030c,
		.cframe_frame = 0,
		.frame_entry = -1,
		.runtime_interpreters = 40,
		.interpreter_next = 0,
		.interpreter_threads = 72,
		.thread_next = 8,
		.thread_id = 144,
		.thread_frame = 56,
		.frame_code = 0,
		.frame_globals = 24,
		.frame_previous = 8,
		.frame_instruction = 56,
		.frame_owner = 70,
		.code_first_line = 68,
		.code_file = 112,
		.code_name = 128,
		.code_lines = 136,
		.code_start = 192,
		.text_length = 16,
		.text_state = 32,
		.text_ascii = 40,
		.text_compact = 56,
		.dictionary_keys = 32,
	},
	{
		.version = 0x030d,
		.cframe_frame = -1,
		.frame_entry = -1,
		.runtime_interpreters = 632,
		.interpreter_next = 7264,
		.interpreter_threads = 7344,
		.thread_next = 8,
		.thread_id = 160,
		.thread_frame = 72,
		.frame_code = 0,
		.frame_globals = 24,
		.frame_previous = 8,
		.frame_instruction = 56,
		.frame_owner = 70,
		.code_first_line = 68,
		.code_file = 112,
		.code_name = 128,
		.code_lines = 136,
		.code_start = 200,
		.text_length = 16,
		.text_state = 32,
		.text_ascii = 40,
		.text_compact = 56,
		.dictionary_keys = 32,
	},
};

const struct python_layout *python_layout(uint32_t hexversion)
{
	for (size_t i = 0; i < ARRAY_SIZE(layouts); i++)
		if (layouts[i].version == hexversion >> 16)
			return &layouts[i];
	return NULL;
}

/* _Py_DebugOffsets of 3.13 (Include/internal/pycore_runtime.h): a cookie, then 8-byte words. */
enum { WORD_COOKIE, WORD_VERSION, WORD_FREE_THREADED, WORDS = 71 };
static const struct {
	uint32_t word;
	size_t field;
} debug_words[] = {
	{ 5, offsetof(struct python_layout, runtime_interpreters) },
	{ 8, offsetof(struct python_layout, interpreter_next) },
	{ 9, offsetof(struct python_layout, interpreter_threads) },
	{ 21, offsetof(struct python_layout, thread_next) },
	{ 23, offsetof(struct python_layout, thread_frame) },
	{ 25, offsetof(struct python_layout, thread_id) },
	{ 29, offsetof(struct python_layout, frame_previous) },
	{ 30, offsetof(struct python_layout, frame_code) },
	{ 31, offsetof(struct python_layout, frame_instruction) },
	{ 33, offsetof(struct python_layout, frame_owner) },
	{ 35, offsetof(struct python_layout, code_file) },
	{ 37, offsetof(struct python_layout, code_name) },
	{ 38, offsetof(struct python_layout, code_lines) },
	{ 39, offsetof(struct python_layout, code_first_line) },
	{ 43, offsetof(struct python_layout, code_start) },
	{ 57, offsetof(struct python_layout, dictionary_keys) },
	{ 68, offsetof(struct python_layout, text_state) },
	{ 69, offsetof(struct python_layout, text_length) },
	{ 70, offsetof(struct python_layout, text_ascii) },
};

/* Returns whether every structure head that is read as a whole contains the needed fields. */
static bool is_possible(const struct python_layout *layout)
{
	return layout->frame_code <= PYTHON_FRAME_HEAD - 8 &&
	       layout->frame_globals <= PYTHON_FRAME_HEAD - 8 &&
	       layout->frame_previous <= PYTHON_FRAME_HEAD - 8 &&
	       layout->frame_instruction <= PYTHON_FRAME_HEAD - 8 &&
	       layout->frame_owner < PYTHON_FRAME_HEAD &&
	       layout->code_first_line <= PYTHON_CODE_HEAD - 8 &&
	       layout->code_file <= PYTHON_CODE_HEAD - 8 &&
	       layout->code_name <= PYTHON_CODE_HEAD - 8 &&
	       layout->code_lines <= PYTHON_CODE_HEAD - 8;
}

bool python_layout_debug(struct python_layout *layout, struct pages *pages, uint64_t runtime)
{
	uint64_t words[WORDS];

	RETURN_IF(!pages_read(pages, runtime, words, sizeof(words)), false);
	RETURN_IF(memcmp(&words[WORD_COOKIE], "xdebugpy", 8) != 0, false);
	RETURN_IF(words[WORD_VERSION] >> 16 != layout->version || words[WORD_FREE_THREADED], false);
	for (size_t i = 0; i < ARRAY_SIZE(debug_words); i++) {
		uint32_t offset = (uint32_t)words[debug_words[i].word];

		RETURN_IF(words[debug_words[i].word] > UINT16_MAX, false);
		memcpy((char *)layout + debug_words[i].field, &offset, sizeof(offset));
	}
	return is_possible(layout);
}
