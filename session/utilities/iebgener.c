/* SPDX-License-Identifier: Apache-2.0 */
/* IEBGENER: copies SYSUT1 to SYSUT2 as it stands. */
#include "common/compat.h"
#include "common/xalloc.h"
#include "session/utilities/utility.h"

#include <fcntl.h>
#include <unistd.h>

#define BUFFER_SIZE ((size_t)256 * 1024)

/* Whether the statements ask for nothing but a copy. */
static int check_statements(struct utility *utility)
{
	struct statement *list = statements_read(utility, "SYSIN");
	int result = utility->worst ? -1 : 0;

	for (const struct statement *one = list; one; one = one->next) {
		size_t start = strspn(one->text, " ");
		size_t length = strcspn(one->text + start, " ");

		if (length == 8 && strncmp(one->text + start, "GENERATE", 8) == 0)
			continue;
		result = utility_message(
			utility, SEVERITY_SEVERE, 5510,
			"SYSIN line %u: %.*s is not supported: only whole copies are "
			"made, nothing was copied",
			one->line, (int)length, one->text + start);
	}
	statements_free(list);
	return result;
}

/* Open a DD, or say why not. */
static int open_dd(struct utility *utility, const char *ddname, int flags)
{
	const char *path = utility_dd(ddname);
	int fd;

	if (!path)
		return utility_message(utility, SEVERITY_SEVERE, 5502, "DD %s is missing", ddname);
	fd = open(path, flags | O_CLOEXEC, 0666);
	if (fd < 0)
		utility_message(utility, SEVERITY_SEVERE, 5503, "DD %s: %s cannot be opened: %s",
				ddname, path, strerror(errno));
	return fd;
}

static int write_all(int fd, const char *data, size_t size)
{
	while (size > 0) {
		ssize_t now = write(fd, data, size);

		if (now < 0 && errno == EINTR)
			continue;
		RETURN_IF(now <= 0, -1);
		data += now;
		size -= (size_t)now;
	}
	return 0;
}

/* Copy all bytes and count them. */
static int copy(struct utility *utility, int from, int to)
{
	char *buffer = xmalloc(BUFFER_SIZE);
	uint64_t bytes = 0;
	ssize_t got;
	int result = 0;

	while (result == 0 && (got = read(from, buffer, BUFFER_SIZE)) != 0) {
		if (got < 0)
			result = utility_message(utility, SEVERITY_SEVERE, 5504,
						 "SYSUT1 cannot be read: %s", strerror(errno));
		else if (write_all(to, buffer, (size_t)got) < 0)
			result = utility_message(utility, SEVERITY_SEVERE, 5505,
						 "SYSUT2 cannot be written: %s", strerror(errno));
		else
			bytes += (uint64_t)got;
	}
	free(buffer);
	if (result == 0)
		utility_message(utility, SEVERITY_INFO, 5511, "%" PRIu64 " bytes copied", bytes);
	return result;
}

/* Whether the input would be lost by opening the output. */
static bool same_file(struct utility *utility)
{
	const char *from = utility_dd("SYSUT1"), *to = utility_dd("SYSUT2");

	if (!from || !to || !utility_same_file(from, to))
		return false;
	utility_message(utility, SEVERITY_SEVERE, 5506, "SYSUT1 and SYSUT2 are the same file");
	return true;
}

int main(void)
{
	struct utility utility;
	int from = -1, to = -1;

	utility_init(&utility, "IEBGENER");
	if (check_statements(&utility) == 0 && !same_file(&utility)) {
		from = open_dd(&utility, "SYSUT1", O_RDONLY);
		if (from >= 0)
			to = open_dd(&utility, "SYSUT2", O_WRONLY | O_CREAT | O_TRUNC);
		if (to >= 0)
			copy(&utility, from, to);
		if (to >= 0 && close(to) < 0)
			utility_message(&utility, SEVERITY_SEVERE, 5505,
					"SYSUT2 cannot be written: %s", strerror(errno));
		if (from >= 0)
			close(from);
	}
	return utility_end(&utility);
}
