/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the answer of a shell's collector. */
#include "common/compat.h"
#include "collectors/shell.h"
#include "common/hash.h"
#include "common/path.h"
#include "common/procfs.h"
#include "collectors/loop.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes of a script, from its start, in which functions are looked for. */
#define TEXT_MAX (1u << 20)
#define STACK_POINTER 7

struct shell *shell_of(struct vigil_communication *area)
{
	struct shell *shell = area->anchor;

	if (!shell) {
		shell = calloc(1, sizeof(*shell));
		RETURN_IF(!shell, NULL);
		shell->images = images_new();
		if (!shell->images) {
			free(shell);
			return NULL;
		}
		area->anchor = shell;
	}
	shell->count = 0;
	return shell;
}

size_t shell_stack(const struct vigil_communication *area, uint64_t *words, size_t count)
{
	const struct vigil_task *task = area->task;

	RETURN_IF(!(task->known & 1u << STACK_POINTER), 0);
	return vigil_read(area, task->registers[STACK_POINTER], words, count * sizeof(*words)) /
	       sizeof(*words);
}

/* Makes the path of a script below a folder; returns 0 if the file exists. */
static int path_below(char *path, const char *folder, const char *source)
{
	RETURN_IF(!folder || !*folder, -1);
	RETURN_IF(snprintf(path, SHELL_PATH, "%s/%s", folder, source) >= SHELL_PATH, -1);
	return access(path, F_OK);
}

void shell_path(const struct vigil_communication *area, const char *source, char path[SHELL_PATH])
{
	char link[PROCFS_PATH_SIZE], folder[SHELL_PATH];

	if (*source == '/') {
		snprintf(path, SHELL_PATH, "%s", source);
		return;
	}
	/* Relative to where the shell was started, or to its current folder. */
	if (strncmp(source, "./", 2) == 0)
		source += 2;
	RETURN_IF(path_below(path, vigil_variable(area, "PWD"), source) == 0, );
	if (procfs_link(procfs_process(link, area->task->pid, "cwd"), folder, sizeof(folder)) < 0)
		*folder = 0;
	if (path_below(path, folder, source) != 0)
		*path = 0;
}

void shell_add(struct shell *shell, const struct vigil_communication *area, const char *source,
	       bool source_known, const char *procedure, uint32_t line)
{
	struct vigil_place *place = &shell->places[shell->count];
	char *module, *name, *file;

	RETURN_IF(shell->count >= SHELL_PLACES, );
	module = shell->texts[shell->count].module;
	name = shell->texts[shell->count].procedure;
	file = shell->texts[shell->count].file;
	snprintf(module, VIGIL_NAME_MAX + 1, "%s", path_base(source));
	snprintf(name, VIGIL_NAME_MAX + 1, "%s", procedure);
	*file = 0;
	if (source_known)
		shell_path(area, source, file);
	*place = (struct vigil_place){ module, module, name, file, line };
	shell->count++;
}

/*
 * Returns whether a text defines a function: its name as a whole word, followed by
 * a parenthesis.
 */
static bool defines(const char *text, const char *function)
{
	const char *at = text;

	while ((at = strstr(at, function)) != NULL) {
		const char *end = at + strlen(function);

		end += strspn(end, " \t");
		if (*end == '(' && (at == text || strchr(" \t;&|{(", at[-1])))
			return true;
		at++;
	}
	return false;
}

/*
 * Returns the text of a regular file, which the caller frees, or NULL; a FIFO or a
 * terminal must be left to the shell.
 */
static char *read_text(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat status;
	char *text = NULL;

	RETURN_IF(fd < 0, NULL);
	if (!fstat(fd, &status) && S_ISREG(status.st_mode))
		text = malloc(TEXT_MAX + 1);
	if (text) {
		ssize_t size = read(fd, text, TEXT_MAX);

		text[size > 0 ? size : 0] = 0;
	}
	close(fd);
	return text;
}

/* Returns whether a line of a file defines a function. */
static bool line_defines(const char *path, uint32_t line, const char *function)
{
	char *text = read_text(path), *at = text;
	bool found;

	for (; at && line > 1; line--) {
		at = strchr(at, '\n');
		at = at ? at + 1 : NULL;
	}
	if (at)
		at[strcspn(at, "\n")] = 0;
	found = at && line == 1 && defines(at, function);
	free(text);
	return found;
}

bool shell_defines(struct shell *shell, const char *path, uint32_t line, const char *function)
{
	/* Including their NULs, which separate them. */
	uint64_t key = hash_more(hash_more(HASH_START ^ line, path, strlen(path) + 1), function,
				 strlen(function) + 1);
	size_t slot = key % SHELL_LINES;

	if (shell->lines[slot].key != key) {
		shell->lines[slot].key = key;
		shell->lines[slot].defines = line_defines(path, line, function);
	}
	return shell->lines[slot].defines;
}

enum vigil_outcome shell_answer(struct shell *shell, struct vigil_communication *area,
				const struct image *image, size_t loops, size_t count)
{
	const struct loop_range code = { image->base + image->facts[IMAGE_CODE],
					 image->base + image->facts[IMAGE_CODE_END] };
	struct loop_range ranges[IMAGE_FACTS / 2];
	size_t known = 0;

	for (size_t i = 0; i < count; i++)
		if (image->facts[loops + 2 * i])
			ranges[known++] = (struct loop_range){
				image->base + image->facts[loops + 2 * i],
				image->base + image->facts[loops + 2 * i + 1]
			};
	area->id = shell->id;
	area->module = shell->places[0].module;
	area->places = shell->places;
	area->place_count = shell->count;
	loop_level(area, &code, ranges, known);
	return VIGIL_DONE;
}
