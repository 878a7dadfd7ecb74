/* SPDX-License-Identifier: Apache-2.0 */
/*
 * private MS [FILE]: executes instructions in memory without a name for MS; with
 * FILE also until that exists, 30 seconds at most.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define LONGEST UINT64_C(30000000000)

/* mov ecx, 1000000; dec ecx; jnz back; ret */
static const unsigned char code[] = { 0xb9, 0x40, 0x42, 0x0f, 0x00, 0xff, 0xc9, 0x75, 0xfc, 0xc3 };

int main(int argc, char **argv)
{
	uint64_t total = (argc > 1 ? strtoull(argv[1], NULL, 10) : 300) * 1000000u;
	void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const char *file = argc > 2 ? argv[2] : NULL;
	struct timespec now;
	uint64_t used;

	if (memory == MAP_FAILED)
		return 1;
	memcpy(memory, code, sizeof(code));
	do {
		((void (*)(void))memory)();
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
		used = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
	} while (used < total || (file && used < LONGEST && access(file, F_OK) != 0));
	return 0;
}
