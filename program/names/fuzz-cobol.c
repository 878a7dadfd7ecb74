/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzzes the reader of COBOL sources: any bytes as a source give each line a
 * procedure or none; as the name of a C function (up to the first NUL) they give a
 * program name.
 */
#include "common/compat.h"
#include "common/test-input.h"
#include "common/cobol-scan.h"
#include "program/names/names-cobol.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Reads all tokens, in both formats. */
static void scan(const struct source_file *file, bool fixed)
{
	struct cobol_token token;
	struct cobol_scan scan;
	uint64_t line = 0;

	cobol_scan_init(&scan, file->lines, file->line_count, fixed);
	while (cobol_scan_next(&scan, &token)) {
		if (token.line < line || token.line > file->line_count)
			abort();
		line = token.line;
	}
	cobol_scan_release(&scan);
}

/* Reads the name of a C function. */
static void read_name(const uint8_t *data, size_t size)
{
	struct strbuf function = STRBUF_INIT, name = STRBUF_INIT;

	strbuf_add(&function, data, size);
	cobol_scan_program_name(function.text, &name);
	if (name.length > size)
		abort();
	strbuf_release(&function);
	strbuf_release(&name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = test_input(0, data, size);
	struct strbuf name = STRBUF_INIT;
	struct cobol_program *program;
	struct source_cache cache;
	const struct source_file *file;

	source_cache_init(&cache);
	file = source_file_get(&cache, path);
	scan(file, false);
	scan(file, true);
	program = cobol_program_new(&cache, path, NULL, 0);
	for (uint64_t line = 0; line <= file->line_count + 1; line++) {
		strbuf_reset(&name);
		if (program)
			cobol_program_procedure(program, path, line, &name);
		source_file_show(file, line, &name);
	}
	cobol_program_free(program);
	source_cache_release(&cache);
	strbuf_release(&name);
	read_name(data, size);
	return 0;
}
