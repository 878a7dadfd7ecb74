/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the two words of tests/programs/switcher.c, in one or in two reads,
 * reports whether they match, and counts calls, torn reads and calls that it
 * declined (the program ends, or waits) in a file. The
 * parameter is the number of reads (P: two with a pause between them, in which
 * the program continues) and the file; FLAGS is VIGIL_HOLD or 0. With
 * VIGIL_HOLD it returns immediately if the task is not held: that was not
 * possible, or vigil has used up its time for that.
 */
#include <vigil/collector.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct {
	int file;
	uint64_t generation, state;
	unsigned long calls, torn, declined;
} own = { .file = -1 };

static void write_counts(const struct vigil_communication *area)
{
	char text[128];
	int length;

	if (own.file < 0)
		own.file = open(area->parameter + 2, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	length = snprintf(text, sizeof(text), "%lu %lu %lu\n", own.calls, own.torn, own.declined);
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
	    (FLAGS & VIGIL_HOLD && !(area->task->flags & VIGIL_HELD))) {
		own.declined++;
		write_counts(area);
		return VIGIL_NOT_MINE;
	}
	if (area->parameter[0] == '1') {
		vigil_read(area, own.state, words, sizeof(words));
	} else {
		words[0] = vigil_pointer(area, own.state);
		if (area->parameter[0] == 'P')
			usleep(100);
		words[1] = vigil_pointer(area, own.state + 8);
	}
	torn = words[1] != ~words[0];
	own.calls++;
	own.torn += (unsigned long)torn;
	write_counts(area);
	area->transaction = "WHOLE";
	return torn ? VIGIL_TORN : VIGIL_DONE;
}

static const char *const programs[] = { "switcher", NULL };

VIGIL_COLLECTOR("STRBSWIT", "G-00", FLAGS, NULL, programs, look);
