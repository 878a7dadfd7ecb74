/* SPDX-License-Identifier: Apache-2.0 */
/* Starts a child that waits before its exec. */
#include "common/compat.h"
#include "session/measure/gate.h"

#include <sys/socket.h>
#include <unistd.h>

/* The message sent through the gate after a failure. */
struct gate_failure {
	int number;
	char what[sizeof(((struct gate *)NULL)->what)];
};

void gate_wait(int fd, int status)
{
	char go;

	if (read(fd, &go, 1) != 1)
		_exit(status);
}

void gate_fail(int fd, const char *what, int status)
{
	struct gate_failure failure = { .number = errno };

	for (size_t i = 0; what[i] && i < sizeof(failure.what) - 1; i++)
		failure.what[i] = what[i];
	if (send(fd, &failure, sizeof(failure), MSG_NOSIGNAL) < 0)
		_exit(status);
	_exit(status);
}

int gate_fork(struct gate *gate, const char *subject, void (*become)(void *argument, int fd),
	      void *argument, struct error *err)
{
	int ends[2];

	*gate = (struct gate){ .fd = -1 };
	RETURN_IF(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0,
		  error_errno(err, "cannot start %s", subject));
	gate->pid = fork();
	if (gate->pid == 0) {
		close(ends[0]);
		become(argument, ends[1]);
		gate_fail(ends[1], "exec", 127);
	}
	if (gate->pid < 0)
		error_errno(err, "cannot start %s", subject);
	close(ends[1]);
	if (gate->pid < 0) {
		close(ends[0]);
		return -1;
	}
	gate->fd = ends[0];
	return 0;
}

void gate_open(struct gate *gate)
{
	assert(gate->fd >= 0);
	if (send(gate->fd, "g", 1, MSG_NOSIGNAL) < 0)
		gate_close(gate, false); /* the child has already ended: the reason can be read */
}

void gate_close(struct gate *gate, bool wait)
{
	struct gate_failure failure;
	ssize_t got;

	if (gate->fd < 0)
		return;
	do {
		got = recv(gate->fd, &failure, sizeof(failure), wait ? 0 : MSG_DONTWAIT);
	} while (got < 0 && errno == EINTR);
	if (got == (ssize_t)sizeof(failure)) {
		memcpy(gate->what, failure.what, sizeof(gate->what) - 1);
		gate->failure = failure.number;
	}
	close(gate->fd);
	gate->fd = -1;
}
