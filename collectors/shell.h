/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the collectors of shells have in common: the places that a shell
 * executes are put together, innermost first, and given as the answer.
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
	/* Lines that were looked at for a function, by their hash. */
	struct {
		uint64_t key;
		bool defines;
	} lines[SHELL_LINES];
};

/* The memory behind the area's anchor, made at the first call; without places. NULL: none. */
struct shell *shell_of(struct vigil_communication *area);
/* Read words of the task's stack, from its top on; returns how many there are. */
size_t shell_stack(const struct vigil_communication *area, uint64_t *words, size_t count);
/* The path of a script that the shell was given as source, "" when there is no such file. */
void shell_path(const struct vigil_communication *area, const char *source, char path[SHELL_PATH]);
/*
 * Add the place that called the one added before. source is the script as the
 * shell calls it; its file is given when source_known and there is one.
 */
void shell_add(struct shell *shell, const struct vigil_communication *area, const char *source,
	       bool source_known, const char *procedure, uint32_t line);
/* Whether a function is defined in a line of a script: "name ()". Read once. */
bool shell_defines(struct shell *shell, const char *path, uint32_t line, const char *function);
/*
 * Answer with the places: they replace the shell's frames from the innermost one in its loop
 * outwards. The facts from loops on are starts and ends of the functions that are the loop, room
 * for count of them; a start may be 0.
 */
enum vigil_outcome shell_answer(struct shell *shell, struct vigil_communication *area,
				const struct image *image, size_t loops, size_t count);

#endif
