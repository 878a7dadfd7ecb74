/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the two words of tests/programs/switcher.c, in one or in two reads,
 * says whether they belong together, and counts that in a file: calls, torn
 * ones. The parameter is the number of reads (P: two with a
 * pause between them, in which the program goes on) and the file; FLAGS is
 * VIGIL_HOLD or 0. With VIGIL_HOLD it leaves at once when the task is not
 * held: it could not be, or vigil has spent enough of its time on that.
 */
#include <vigil/collector.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct {
	int file;
	uint64_t generation, state;
	unsigned long calls, torn;
} own = { .file = -1 };

static void count(const struct vigil_communication *area, int torn)
{
	char text[128];
	int length;

	own.calls++;
	own.torn += (unsigned long)torn;
	if (own.file < 0)
		own.file = open(area->parameter + 2, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	length = snprintf(text, sizeof(text), "%lu %lu\n", own.calls, own.torn);
	if (pwrite(own.file, text, (size_t)length, 0) != length)
		abort();
}

static enum vigil_outcome look(struct vigil_communication *area)
{
	uint64_t words[2] = { 0, 0 };
	int torn;

	if (area->task->generation != own.generation) {
		own.generation = area->task->generation;
		own.state = vigil_symbol_address(area, "switcher", "switcher_state");
	}
	if (!own.state || area->task->state != VIGIL_EXECUTING ||
	    (FLAGS & VIGIL_HOLD && !(area->task->flags & VIGIL_HELD)))
		return VIGIL_NOT_MINE;
	if (area->parameter[0] == '1') {
		vigil_read(area, own.state, words, sizeof(words));
	} else {
		words[0] = vigil_pointer(area, own.state);
		if (area->parameter[0] == 'P')
			usleep(100);
		words[1] = vigil_pointer(area, own.state + 8);
	}
	torn = words[1] != ~words[0];
	count(area, torn);
	area->transaction = "WHOLE";
	return torn ? VIGIL_TORN : VIGIL_DONE;
}

static const char *const programs[] = { "switcher", NULL };

VIGIL_COLLECTOR("STRBSWIT", "G-00", FLAGS, NULL, programs, look);
