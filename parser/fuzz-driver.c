/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a fuzz target without libFuzzer: fuzz-NAME SECONDS SEED... runs it on each
 * seed, then on damaged seeds until the time is up (0: only the seeds). Damage is
 * the same in every run, so that a crash can be reproduced; its input is in
 * fuzz-NAME.input.
 */
#include "common/compat.h"
#include "common/clock.h"
#include "common/strbuf.h"
#include "common/xalloc.h"
#include "parser/test-mutation.h"

#include <fcntl.h>
#include <unistd.h>

/* Maximum length of a damaged seed; undamaged seeds are used in full. */
#define MAXIMUM_LENGTH 6000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Saves the input so that it is available after a crash, then runs it. */
static void run(int input, const struct strbuf *text)
{
	if (pwrite(input, text->text, text->length, 0) != (ssize_t)text->length ||
	    ftruncate(input, (off_t)text->length) < 0)
		perror("the input cannot be kept");
	LLVMFuzzerTestOneInput((const uint8_t *)text->text, text->length);
}

int main(int argc, char **argv)
{
	struct strbuf path = STRBUF_INIT, text = STRBUF_INIT;
	struct strbuf *seeds = xcalloc((size_t)argc, sizeof(*seeds));
	uint64_t end = clock_monotonic_ns();
	unsigned long count = 0;
	uint32_t state = 4711;
	int input, seed_count = argc - 2;

	if (argc < 3)
		return 2;
	end += strtoull(argv[1], NULL, 10) * NSEC_PER_SEC;
	strbuf_addf(&path, "%s.input", argv[0]);
	input = open(path.text, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	for (int i = 0; i < seed_count; i++) {
		strbuf_init(&seeds[i]);
		if (strbuf_read_file(&seeds[i], argv[i + 2]) < 0)
			return 2;
		run(input, &seeds[i]);
		if (seeds[i].length > MAXIMUM_LENGTH)
			strbuf_setlen(&seeds[i], MAXIMUM_LENGTH);
	}
	for (; clock_monotonic_ns() < end; count++) {
		strbuf_reset(&text);
		strbuf_addbuf(&text, &seeds[count % (unsigned long)seed_count]);
		for (unsigned times = 0; times <= count % 5; times++)
			mutation_apply(&text, &state);
		run(input, &text);
	}
	printf("%lu inputs\n", count + (unsigned long)seed_count);
	close(input);
	unlink(path.text);
	for (int i = 0; i < seed_count; i++)
		strbuf_release(&seeds[i]);
	free(seeds);
	strbuf_release(&text);
	strbuf_release(&path);
	return 0;
}
