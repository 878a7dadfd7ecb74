/* SPDX-License-Identifier: Apache-2.0 */
/* The texts that several producers read. */
#include "common/compat.h"
#include "metrics/shared-texts.h"
#include "common/procfs.h"
#include "common/xalloc.h"

const char *shared_text_of_file(struct procfs_file *file, const char *path, bool one_line,
				int *error)
{
	char full[PROCFS_PATH_SIZE];

	*error = 0;
	if (file->fd < 0 && procfs_file_open(file, procfs_path(full, "%s", path)) < 0) {
		*error = errno;
		return NULL;
	}
	if ((one_line ? procfs_file_read_line : procfs_file_read)(file) == 0)
		return file->text.text;
	*error = errno;
	procfs_file_close(file);
	return NULL;
}

size_t shared_texts_want(struct shared_texts *texts, const char *path, bool one_line)
{
	size_t number = 0;

	while (number < texts->count && strcmp(texts->list[number].path, path) != 0)
		number++;
	if (number == texts->count) {
		GROW(texts->list, number + 1, texts->alloc);
		texts->list[texts->count++] = (struct shared_text){ .path = path, .one_line = one_line };
		texts->list[number].file.fd = -1;
		strbuf_init(&texts->list[number].file.text);
	}
	texts->list[number].readers++;
	return number;
}

bool shared_texts_has(const struct shared_texts *texts, size_t number)
{
	return texts->list[number].readers > 1;
}

const char *shared_texts_read(struct shared_texts *texts, size_t number, uint64_t snapshot,
			      int *error)
{
	struct shared_text *one = &texts->list[number];

	if (one->snapshot == snapshot) {
		texts->saved++;
	} else {
		one->text = shared_text_of_file(&one->file, one->path, one->one_line,
						&one->error);
		one->snapshot = snapshot;
		texts->reads++;
		texts->bytes += one->text ? one->file.text.length : 0;
	}
	*error = one->error;
	return one->text;
}

void shared_texts_release(struct shared_texts *texts)
{
	for (size_t i = 0; i < texts->count; i++)
		procfs_file_close(&texts->list[i].file);
	free(texts->list);
}
