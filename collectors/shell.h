/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The common part of the collectors of shells: collects the places that a shell
 * executes, innermost first, and answers with them.
 */
#ifndef VIGIL_COLLECTORS_SHELL_H
#define VIGIL_COLLECTORS_SHELL_H

#include "collectors/image.h"

#define SHELL_PLACES 16
#define SHELL_PATH 1024
#define SHELL_LINES 256

struct shell {
	struct images *images;
	char id[64];
	struct vigil_place places[SHELL_PLACES];
	size_t count;
	struct {
		char module[VIGIL_NAME_MAX + 1], procedure[VIGIL_NAME_MAX + 1], file[SHELL_PATH];
	} texts[SHELL_PLACES];
	/* Cache of lines that were searched for a function, by hash. */
	struct {
		uint64_t key;
		bool defines;
	} lines[SHELL_LINES];
};

/*
 * Returns the memory at the area's anchor, allocated at the first call, with its
 * places cleared; NULL: no memory.
 */
struct shell *shell_of(struct vigil_communication *area);
/* Reads words of the task's stack, from its top on; returns their number. */
size_t shell_stack(const struct vigil_communication *area, uint64_t *words, size_t count);
/* Finds the path of a script that the shell knows as source, "" if there is no such file. */
void shell_path(const struct vigil_communication *area, const char *source, char path[SHELL_PATH]);
/*
 * Adds the place that called the one added before. source is the script as the
 * shell names it; its file is included if source_known is set and the file exists.
 */
void shell_add(struct shell *shell, const struct vigil_communication *area, const char *source,
	       bool source_known, const char *procedure, uint32_t line);
/* Returns whether a line of a script defines a function: "name ()". The result is cached. */
bool shell_defines(struct shell *shell, const char *path, uint32_t line, const char *function);
/*
 * Answers with the places: they replace the shell's frames from the innermost one
 * in its loop outwards. The facts from loops on are starts and ends of the
 * functions that form the loop, with space for count of them; a start may be 0.
 */
enum vigil_outcome shell_answer(struct shell *shell, struct vigil_communication *area,
				const struct image *image, size_t loops, size_t count);

#endif
