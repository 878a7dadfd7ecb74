/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tsmdrivr - a program that loads and supervises its code itself.
 *
 *	tsmdrivr [MILLISECONDS]		(default 3000)
 *
 * It copies programs into anonymous memory and runs them there. For the system
 * that memory belongs to no file, so a profile shows half of the program in
 * .PRIVATE; only the chain of control blocks (tsm.h) identifies it. STRBTSMD reads
 * the chain. CPU time goes to PAYSCAN 50 %, PAYPOST 30 %, TSMDISP 15 % and TSMLOAD
 * 5 %. The last two are the loader's own; STRBTSMD shows them together.
 */
#include "tsm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

/*
 * The code image that is loaded under four names. It is position independent (it
 * calls nothing and uses no data), and in a section of its own, so that the linker
 * gives its bounds.
 */
__attribute__((section("tsmimage"), noinline, used)) static uint64_t image(uint64_t value)
{
	for (int i = 0; i < 100000; i++)
		value = value * 6364136223846793005u + 1442695040888963407u;
	return value;
}
extern const char __start_tsmimage[], __stop_tsmimage[];

/* The anchor. Collectors find it by the name of this variable. */
struct tsmanch *tsmanch;

static uint64_t cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Loads the image under a name: a copy of the code, and its block at the head of the chain. */
static struct tsmprog *load(const char *name)
{
	size_t length = (size_t)(__stop_tsmimage - __start_tsmimage);
	struct tsmprog *program = calloc(1, sizeof(*program));
	void *copy = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (!program || copy == MAP_FAILED) {
		perror("tsmdrivr: load");
		exit(1);
	}
	memcpy(copy, __start_tsmimage, length);
	if (mprotect(copy, length, PROT_READ | PROT_EXEC) != 0) {
		perror("tsmdrivr: mprotect");
		exit(1);
	}
	memcpy(program->eye, TSMPROG_EYE, sizeof(program->eye));
	memset(program->name, ' ', sizeof(program->name));
	memcpy(program->name, name, strlen(name));
	program->address = (uint64_t)(uintptr_t)copy;
	program->length = length;
	program->next = tsmanch->first;
	tsmanch->first = program;
	return program;
}

/* Runs a loaded program until the thread has used this much CPU time. */
static void run(const struct tsmprog *program, uint64_t until)
{
	uint64_t (*code)(uint64_t) = (uint64_t(*)(uint64_t))(uintptr_t)program->address;
	uint64_t value = until;

	while (cpu_ns() < until)
		value = code(value);
	/* The result must appear to be used, or the compiler drops the loop. */
	__asm__ volatile("" : : "r"(value));
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		unsigned percent; /* cumulative share of the time */
	} programs[] = {
		{ "PAYSCAN", 50 },
		{ "PAYPOST", 80 },
		{ "TSMDISP", 95 },
		{ "TSMLOAD", 100 },
	};
	struct tsmprog *loaded[4];
	uint64_t total = (argc > 1 ? strtoull(argv[1], NULL, 10) : 3000) * 1000000u;
	uint64_t round = total < 200000000u ? total : 200000000u;

	tsmanch = calloc(1, sizeof(*tsmanch));
	if (!tsmanch)
		return 1;
	memcpy(tsmanch->eye, TSMANCH_EYE, sizeof(tsmanch->eye));
	for (int i = 0; i < 4; i++)
		loaded[i] = load(programs[i].name);
	for (uint64_t at = 0, start = cpu_ns(); at < total; at += round)
		for (int i = 0; i < 4; i++)
			run(loaded[i], start + at + round * programs[i].percent / 100);
	return 0;
}
