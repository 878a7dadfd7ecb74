/* SPDX-License-Identifier: Apache-2.0 */
/* Queries the kernel by rtnetlink. */
#include "common/compat.h"
#include "metrics/route-netlink.h"
#include "common/procfs.h"

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>
#include <unistd.h>

/* Attributes begin at multiples of 4, each with a head of 4 bytes. */
#define HEAD ((size_t)4)

size_t route_aligned(size_t length)
{
	return (length + 3) & ~(size_t)3;
}

const unsigned char *route_attribute(const unsigned char *at, size_t left, unsigned type,
				     size_t *length)
{
	while (left >= HEAD) {
		uint16_t head[2];

		memcpy(head, at, sizeof(head));
		if (head[0] < HEAD || head[0] > left)
			return NULL;
		if ((head[1] & 0x3fffU) == type) {
			*length = head[0] - HEAD;
			return at + HEAD;
		}
		if (route_aligned(head[0]) > left)
			return NULL;
		at += route_aligned(head[0]);
		left -= route_aligned(head[0]);
	}
	return NULL;
}

int route_take(const struct route_netlink *kernel, unsigned answer, const unsigned char *bytes,
	       size_t length, route_taker *take, void *argument)
{
	while (length >= sizeof(struct nlmsghdr)) {
		struct nlmsghdr head;

		memcpy(&head, bytes, sizeof(head));
		RETURN_IF(head.nlmsg_len < sizeof(head) || head.nlmsg_len > length, -1);
		if (head.nlmsg_seq == kernel->sequence) {
			RETURN_IF(head.nlmsg_type == NLMSG_DONE, 0);
			RETURN_IF(head.nlmsg_type == NLMSG_ERROR, -1);
			if (head.nlmsg_type == answer)
				take(argument, bytes + sizeof(head), head.nlmsg_len - sizeof(head));
		}
		RETURN_IF(route_aligned(head.nlmsg_len) > length, 1);
		bytes += route_aligned(head.nlmsg_len);
		length -= route_aligned(head.nlmsg_len);
	}
	return 1;
}

/* Opens the socket to the kernel. */
static int open_kernel(void)
{
	char path[PROCFS_PATH_SIZE];

	RETURN_IF(strcmp(procfs_path(path, "/proc"), "/proc") != 0, -1);
	return socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
}

bool route_ask(struct route_netlink *kernel, unsigned request, const void *members, size_t size,
	       unsigned answer, route_taker *take, void *argument)
{
	struct {
		struct nlmsghdr head;
		unsigned char members[ROUTE_QUESTION_MAX];
	} question = { .head = { .nlmsg_len = (uint32_t)(sizeof(question.head) + size),
				 .nlmsg_type = (uint16_t)request,
				 .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP } };
	struct sockaddr_nl address = { .nl_family = AF_NETLINK };
	_Alignas(8) unsigned char bytes[32768];
	int more = 1;

	assert(size <= sizeof(question.members));
	memcpy(question.members, members, size);
	if (!kernel->begun)
		kernel->fd = open_kernel();
	kernel->begun = true;
	RETURN_IF(kernel->fd < 0, false);
	question.head.nlmsg_seq = ++kernel->sequence;
	RETURN_IF(sendto(kernel->fd, &question, question.head.nlmsg_len, 0,
			 (const struct sockaddr *)&address, sizeof(address)) < 0,
		  false);
	while (more == 1) {
		ssize_t got = recv(kernel->fd, bytes, sizeof(bytes), MSG_DONTWAIT);

		RETURN_IF(got <= 0, false);
		more = route_take(kernel, answer, bytes, (size_t)got, take, argument);
	}
	return more == 0;
}

void route_release(struct route_netlink *kernel)
{
	if (kernel->begun && kernel->fd >= 0)
		close(kernel->fd);
}
