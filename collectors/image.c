/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about executable files, and where these are loaded in the processes that run them. */
#include "common/compat.h"
#include "collectors/image.h"

#include <sys/mman.h>

#define FILES 8
#define PROCESSES 512
/*
 * The start of a file as it is loaded, with its headers and build id,
 * distinguishes it from others with the same path (another version, another mount
 * namespace).
 */
#define HEAD 1024

struct known_file {
	char path[512];
	unsigned char head[HEAD];
	bool accepted;
	uint64_t facts[IMAGE_FACTS];
};

struct known_process {
	pid_t pid;
	uint64_t generation;
	bool accepted;
	struct image image;
};

/* Both tables evict entries: a new file replaces the oldest, a new process the one in its slot. */
struct images {
	struct known_file files[FILES];
	size_t next_file;
	struct known_process processes[PROCESSES];
};

struct images *images_new(void)
{
	return calloc(1, sizeof(struct images));
}

/* Finds the code of the file loaded at base: its first executable mapping. */
static void find_code(const struct vigil_communication *area, uint64_t base, uint64_t *facts)
{
	struct vigil_mapping mapping = { .end = base };

	for (size_t i = 0; i < 8 && vigil_mapping_at(area, mapping.end, &mapping) == 0; i++)
		if (mapping.protection & PROT_EXEC) {
			facts[IMAGE_CODE] = mapping.start - base;
			facts[IMAGE_CODE_END] = mapping.end - base;
			return;
		}
}

static bool is_readable(const struct vigil_communication *area, uint64_t base)
{
	char byte;

	return vigil_read(area, base, &byte, 1) == 1;
}

/*
 * Returns the file with a path that is loaded at base, cached or examined now;
 * NULL: the process has ended.
 */
static const struct known_file *find_file(struct images *images,
					  const struct vigil_communication *area, const char *path,
					  uint64_t base, image_examine *examine)
{
	unsigned char head[HEAD];
	struct known_file *file;

	RETURN_IF(vigil_read(area, base, head, HEAD) != HEAD, NULL);
	for (size_t i = 0; i < FILES; i++)
		if (strcmp(images->files[i].path, path) == 0 &&
		    memcmp(images->files[i].head, head, HEAD) == 0)
			return &images->files[i];
	file = &images->files[images->next_file];
	images->next_file = (images->next_file + 1) % FILES;
	memset(file, 0, sizeof(*file));
	snprintf(file->path, sizeof(file->path), "%s", path);
	memcpy(file->head, head, HEAD);
	find_code(area, base, file->facts);
	file->accepted = examine(area, base, file->facts);
	if (!is_readable(area, base)) { /* it has ended meanwhile: examine again in another
					 * process */
		file->accepted = false;
		file->path[0] = 0;
	}
	return file;
}

struct image *images_find(struct images *images, const struct vigil_communication *area,
			  image_examine *examine)
{
	const struct vigil_task *task = area->task;
	struct known_process *process = &images->processes[(size_t)task->pid % PROCESSES];
	const struct known_file *file;
	struct vigil_mapping mapping;
	char path[sizeof(file->path)];

	if (process->pid == task->pid && process->generation == task->generation)
		return process->accepted ? &process->image : NULL;
	RETURN_IF(vigil_mapping_named(area, task->program, &mapping) != 0, NULL);
	memset(process, 0, sizeof(*process));
	process->pid = task->pid;
	process->generation = task->generation;
	process->image.base = mapping.start - mapping.offset;
	snprintf(path, sizeof(path), "%s", mapping.path);
	file = find_file(images, area, path, process->image.base, examine);
	RETURN_IF(!file, NULL);
	process->accepted = file->accepted;
	memcpy(process->image.facts, file->facts, sizeof(file->facts));
	return process->accepted ? &process->image : NULL;
}

bool image_is_alive(const struct vigil_communication *area, const struct image *image)
{
	return is_readable(area, image->base);
}

void image_symbols(const struct vigil_communication *area, uint64_t base, const char *const names[],
		   size_t count, uint64_t *facts)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t address = vigil_symbol_address(area, area->task->program, names[i]);

		facts[i] = address > base ? address - base : 0;
	}
}

uint64_t image_address(const struct image *image, size_t fact)
{
	return image->facts[fact] ? image->base + image->facts[fact] : 0;
}
