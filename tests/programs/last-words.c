/* SPDX-License-Identifier: Apache-2.0 */
/*
 * last-words [MILLISECONDS [CALLS]]: executes for this long, makes this many
 * writes of one byte each at the very end, and exits.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	long calls = argc > 2 ? atol(argv[2]) : 5000;
	clock_t end = clock() + (argc > 1 ? atol(argv[1]) : 100) * CLOCKS_PER_SEC / 1000;
	int fd = open("/dev/null", O_WRONLY);

	while (clock() < end)
		;
	while (calls-- > 0)
		if (write(fd, "x", 1) != 1)
			_exit(1);
	_exit(0);
}
