/* SPDX-License-Identifier: Apache-2.0 */
/* Objects created in a folder, to resolve names in. */
#include "common/compat.h"
#include "program/names/test-names-subject.h"

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

char subject_folder[] = "/tmp/vigil-names-XXXXXX";

bool subject_run(const char *format, ...)
{
	struct strbuf command = STRBUF_INIT;
	va_list ap;
	int status;

	strbuf_addf(&command, "cd %s && { ", subject_folder);
	va_start(ap, format);
	strbuf_vaddf(&command, format, ap);
	va_end(ap);
	strbuf_addstr(&command, "; } >log 2>&1");
	status = system(command.text);
	strbuf_release(&command);
	return status == 0;
}

void subject_put(const char *name, const char *text)
{
	struct strbuf path = STRBUF_INIT;
	FILE *stream;

	strbuf_addf(&path, "%s/%s", subject_folder, name);
	stream = fopen(path.text, "w");
	assert_non_null(stream);
	fputs(text, stream);
	assert_int_equal(fclose(stream), 0);
	strbuf_release(&path);
}

void subject_compile_cobol(const char *options, const char *program)
{
	if (!subject_run("command -v cobc")) {
		print_message("gnucobol3 is not installed\n");
		skip();
	}
	if (!subject_run("cobc -x %s -o %s %s.cob", options, program, program)) {
		print_message("cobc failed, see %s/log\n", subject_folder);
		fail();
	}
}

void subject_open(struct subject *subject, const char *name)
{
	struct strbuf path = STRBUF_INIT;
	struct stat status;

	memset(subject, 0, sizeof(*subject));
	strbuf_addf(&path, "%s/%s", subject_folder, name);
	assert_int_equal(stat(path.text, &status), 0);
	object_list_init(&subject->list);
	subject->object = object_for_file(&subject->list, path.text, status.st_dev, status.st_ino,
					  getpid(), 0);
	subject->names = names_new();
	if (object_headers(subject->object))
		for (size_t i = 0; i < subject->object->segment_count; i++) {
			const struct object_segment *segment = &subject->object->segments[i];

			if (segment->type != PT_LOAD || !(segment->flags & PF_X))
				continue;
			subject->start = segment->address;
			subject->end = segment->address + segment->file_size;
		}
	strbuf_release(&path);
}

void subject_close(struct subject *subject)
{
	names_free(subject->names);
	object_list_release(&subject->list);
}

size_t subject_find(struct subject *subject, size_t level, const char *procedure, uint64_t line)
{
	for (uint64_t at = subject->start; at < subject->end; at++) {
		size_t count =
			names_resolve(subject->names, subject->object, at, 0, subject->levels);

		if (count > level && !strcmp(subject->levels[level].procedure, procedure) &&
		    (!line || subject->levels[level].line == line))
			return count;
	}
	return 0;
}

int subject_folder_make(void **state UNUSED)
{
	return mkdtemp(subject_folder) ? 0 : -1;
}

int subject_folder_remove(void **state UNUSED)
{
	return subject_run("rm -rf %s", subject_folder) ? 0 : 0;
}
