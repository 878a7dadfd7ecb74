/* SPDX-License-Identifier: Apache-2.0 */
/* Listens to the kernel's process connector. */
#include "common/compat.h"
#include "session/watch/connector.h"
#include "common/clock.h"

#include <arpa/inet.h>
#include <linux/cn_proc.h>
#include <linux/connector.h>
#include <linux/filter.h>
#include <linux/netlink.h>
#include <poll.h>
#include <stddef.h>
#include <sys/socket.h>
#include <unistd.h>

/* Offset of the event in a message. */
#define EVENT_AT (NLMSG_LENGTH(0) + sizeof(struct cn_msg))
/* Receive buffer in bytes: enough for seconds at a thousand programs per second. */
#define WAITING (1024 * 1024)

/* Switches the kernel's reports on or off. */
static int ask(int fd, enum proc_cn_mcast_op what)
{
	_Alignas(struct nlmsghdr) char text[NLMSG_SPACE(sizeof(struct cn_msg) + sizeof(what))] = { 0 };
	struct nlmsghdr *header = (struct nlmsghdr *)(void *)text;
	struct cn_msg *message = NLMSG_DATA(header);

	header->nlmsg_len = NLMSG_LENGTH(sizeof(*message) + sizeof(what));
	header->nlmsg_type = NLMSG_DONE;
	message->id.idx = CN_IDX_PROC;
	message->id.val = CN_VAL_PROC;
	message->len = sizeof(what);
	memcpy(message->data, &what, sizeof(what));
	return send(fd, text, header->nlmsg_len, 0) < 0 ? -1 : 0;
}

/* Makes the kernel drop everything but exec: there are three more events per process. */
static void leave_out(int fd)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, EVENT_AT + offsetof(struct proc_event, what)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, htonl(PROC_EVENT_EXEC), 1, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, htonl(PROC_EVENT_NONE), 0, 1),
		BPF_STMT(BPF_RET | BPF_K, 0xffffffff),
		BPF_STMT(BPF_RET | BPF_K, 0),
	};
	const struct sock_fprog program = { .len = ARRAY_SIZE(code), .filter = code };

	/* Without the filter more is read and dropped here. */
	if (setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof(program)) < 0)
		errno = 0;
}

/* Reads the event of a message into *event: 1; 0: nothing to read; -1: some were lost. */
static int next_event(int fd, struct proc_event *event)
{
	char text[512];
	ssize_t length = recv(fd, text, sizeof(text), MSG_DONTWAIT);

	if (length < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -1;
	memset(event, 0, sizeof(*event));
	if ((size_t)length > EVENT_AT)
		memcpy(event, text + EVENT_AT,
		       (size_t)length - EVENT_AT < sizeof(*event) ? (size_t)length - EVENT_AT
								 : sizeof(*event));
	return 1;
}

/* Returns whether the kernel confirms that it will report. */
static bool is_answered(int fd)
{
	const uint64_t until = clock_monotonic_ns() + NSEC_PER_SEC;
	struct pollfd waiting = { .fd = fd, .events = POLLIN };
	struct proc_event event;

	while (clock_monotonic_ns() < until && poll(&waiting, 1, 100) >= 0)
		while (next_event(fd, &event) > 0)
			if (event.what == PROC_EVENT_NONE)
				return event.event_data.ack.err == 0;
	return false;
}

int connector_open(void)
{
	const struct sockaddr_nl address = { .nl_family = AF_NETLINK, .nl_groups = CN_IDX_PROC };
	const int size = WAITING;
	int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_CONNECTOR);

	RETURN_IF(fd < 0, -1);
	leave_out(fd);
	if (bind(fd, (const struct sockaddr *)&address, sizeof(address)) < 0 ||
	    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size)) < 0 ||
	    ask(fd, PROC_CN_MCAST_LISTEN) < 0 || !is_answered(fd)) {
		close(fd);
		return -1;
	}
	return fd;
}

void connector_close(int fd)
{
	if (fd < 0)
		return;
	ask(fd, PROC_CN_MCAST_IGNORE);
	close(fd);
}

void connector_leave(int fd)
{
	if (fd >= 0)
		close(fd);
}

int connector_next(int fd, pid_t *pid)
{
	struct proc_event event;
	int result;

	while ((result = next_event(fd, &event)) > 0)
		if (event.what == PROC_EVENT_EXEC) {
			*pid = event.event_data.exec.process_tgid;
			return 1;
		}
	return result;
}
