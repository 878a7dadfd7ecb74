/* SPDX-License-Identifier: Apache-2.0 */
/* Drives collector-host as the sampler does. */
#include "common/compat.h"
#include "sampler/host/test-host.h"

#include "common/xalloc.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

void host_start(struct test_host *host)
{
	const char *build = getenv("VIGIL_BUILD");
	int sockets[2], memory = memfd_create("area", 0);
	char path[PATH_MAX], area[16], control[16];

	memset(host, 0, sizeof(*host));
	assert_true(memory >= 0);
	assert_int_equal(ftruncate(memory, sizeof(*host->area)), 0);
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets), 0);
	host->area = mmap(NULL, sizeof(*host->area), PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
	assert_true(host->area != MAP_FAILED);
	snprintf(path, sizeof(path), "%s/sampler/host/collector-host", build ? build : ".");
	snprintf(area, sizeof(area), "%d", memory);
	snprintf(control, sizeof(control), "%d", sockets[1]);
	host->pid = fork();
	assert_true(host->pid >= 0);
	if (host->pid == 0) {
		fcntl(sockets[1], F_SETFD, 0);
		execl(path, path, area, control, NULL);
		_exit(127);
	}
	close(memory);
	close(sockets[1]);
	host->control = sockets[0];
}

/* Returns whether the host has ended. */
static bool ended(struct test_host *host)
{
	if (host->pid && waitpid(host->pid, &host->status, WNOHANG) == host->pid)
		host->pid = 0;
	return host->pid == 0;
}

bool host_call(struct test_host *host)
{
	static const struct timespec pause = { .tv_nsec = 20000000 };
	uint32_t called = host->area->called + 1, answered;
	int patience = 500;

	__atomic_store_n(&host->area->called, called, __ATOMIC_RELEASE);
	syscall(SYS_futex, &host->area->called, FUTEX_WAKE, 1, NULL, NULL, 0);
	while ((answered = __atomic_load_n(&host->area->answered, __ATOMIC_ACQUIRE)) != called) {
		if (ended(host))
			return false;
		assert_true(patience-- > 0);
		syscall(SYS_futex, &host->area->answered, FUTEX_WAIT, answered, &pause, NULL, 0);
	}
	return true;
}

bool host_load(struct test_host *host, const char *name, const char *parameter)
{
	const char *build = getenv("VIGIL_BUILD");
	struct call_request *request = &host->area->request;

	request->kind = CALL_LOAD;
	snprintf(request->path, sizeof(request->path), "%s/tests/collectors/%s.so",
		 build ? build : ".", name);
	snprintf(request->parameter, sizeof(request->parameter), "%s", parameter);
	return host_call(host);
}

void host_task(struct test_host *host, pid_t pid)
{
	struct call_request *request = &host->area->request;
	uint32_t sent = request->memory_sent;

	memset(request, 0, sizeof(*request));
	request->kind = CALL_TASK;
	request->memory_sent = sent;
	request->pid = request->tid = pid;
	request->state = VIGIL_EXECUTING;
	request->generation = 1;
	snprintf(request->program, sizeof(request->program), "MYPROG");
}

void host_send_memory(struct test_host *host, pid_t pid, uint64_t generation)
{
	union {
		struct cmsghdr header;
		char space[CMSG_SPACE(sizeof(int))];
	} control = { 0 };
	struct call_memory memory = { .pid = pid, .generation = generation };
	struct iovec data = { &memory, sizeof(memory) };
	struct msghdr message = {
		.msg_iov = &data,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	char path[64];
	int descriptor;

	snprintf(path, sizeof(path), "/proc/%d/mem", (int)pid);
	descriptor = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(descriptor >= 0);
	control.header.cmsg_level = SOL_SOCKET;
	control.header.cmsg_type = SCM_RIGHTS;
	control.header.cmsg_len = CMSG_LEN(sizeof(descriptor));
	memcpy(CMSG_DATA(&control.header), &descriptor, sizeof(descriptor));
	assert_int_equal(sendmsg(host->control, &message, 0), sizeof(memory));
	close(descriptor);
	host->area->request.memory_sent++;
}

int host_wait_end(struct test_host *host)
{
	/* A host that does not end is killed, and its status shows it. */
	for (int i = 0; i < 1000 && !ended(host); i++)
		usleep(10000);
	if (host->pid) {
		kill(host->pid, SIGKILL);
		waitpid(host->pid, &host->status, 0);
		host->pid = 0;
	}
	return host->status;
}

void host_end(struct test_host *host)
{
	if (host->pid)
		kill(host->pid, SIGKILL);
	host_stop(host);
}

void host_stop(struct test_host *host)
{
	close(host->control);
	host_wait_end(host);
	munmap(host->area, sizeof(*host->area));
}
