/* SPDX-License-Identifier: Apache-2.0 */
/* EXEC: queries the kernel about processes by taskstats. */
#include "common/compat.h"
#include "metrics/task-statistics.h"
#include "common/procfs.h"
#include "metrics/kinds.h"

#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <sys/socket.h>
#include <unistd.h>

/* From linux/taskstats.h, which may be older than the kernel. */
enum { COMMAND_GET = 1, COMMAND_TGID = 2, TYPE_STATISTICS = 3, TYPE_AGGREGATE_TGID = 5 };
/* Only this version has other members in the middle. */
#define VERSION_OF_ANOTHER_ORDER 15
/* Offset of the number of delays in the kernel's structure; their time follows it. */
static const size_t member_offset[DELAY_KINDS] = { 16, 32, 48, 312, 328, 352, 400 };

enum { LAYOUT, DELAYS_COUNTED, REQUESTS, ANSWERS, GONE, BYTES, COUNT };

static const struct metric_item items[] = {
	IDENTITY("version", "id", MADE, "Version of taskstats that the kernel reports."),
	LEVEL("delays_counted", "flag", MADE,
	      "Whether the kernel has counted delays other than those for processors since it was "
	      "started (delayacct): 1 yes, 0 no."),
	COUNTER("requests", "count", MADE, "Requests about processes."),
	COUNTER("answers", "count", MADE, "Such requests that were answered."),
	COUNTER("gone", "count", MADE, "Such requests about processes that had ended."),
	COUNTER("bytes", "bytes", MADE, "Bytes of all replies."),
};

_Static_assert(ARRAY_SIZE(items) == COUNT, "the items are where they are said to be");

struct task_statistics {
	int fd; /* -1: not open */
	uint16_t family;
	uint32_t sequence;
	bool counted; /* all delays are counted, since the kernel was started */
	uint64_t version, requests, answers, gone, bytes;
};

/* Attributes begin at multiples of 4, each with a head of 4 bytes. */
#define HEAD ((size_t)4)
#define ALIGNED(length) (((size_t)(length) + 3) & ~(size_t)3)

/* A request with one attribute, as it is sent. */
struct request {
	struct nlmsghdr head;
	struct genlmsghdr command;
	struct nlattr attribute;
	char value[16];
};

/* A received message, and the reading position. */
struct reply {
	_Alignas(8) unsigned char bytes[2048];
	size_t length;
};

/* Sends a request; the kernel answers before the call returns. Returns 0, or -1 with errno. */
static int ask(struct task_statistics *tasks, uint16_t family, uint8_t command, uint16_t attribute,
	       const void *value, size_t size, struct reply *reply)
{
	struct request request = {
		.head = { .nlmsg_type = family, .nlmsg_flags = NLM_F_REQUEST },
		.command = { .cmd = command, .version = 1 },
		.attribute = { (uint16_t)(HEAD + size), attribute },
	};
	struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };
	const struct nlmsghdr *head = (const void *)reply->bytes;
	ssize_t got;

	memcpy(request.value, value, size);
	request.head.nlmsg_len = (uint32_t)(offsetof(struct request, value) + ALIGNED(size));
	request.head.nlmsg_seq = ++tasks->sequence;
	RETURN_IF(sendto(tasks->fd, &request, request.head.nlmsg_len, 0,
			 (const struct sockaddr *)&kernel, sizeof(kernel)) < 0,
		  -1);
	do
		got = recv(tasks->fd, reply->bytes, sizeof(reply->bytes), MSG_DONTWAIT);
	while (got >= (ssize_t)sizeof(*head) && head->nlmsg_seq != tasks->sequence);
	RETURN_IF(got < 0, -1);
	errno = EPROTO;
	RETURN_IF(got < (ssize_t)(NLMSG_HDRLEN + GENL_HDRLEN) || head->nlmsg_len > got, -1);
	reply->length = head->nlmsg_len;
	if (head->nlmsg_type == NLMSG_ERROR) {
		errno = -((const struct nlmsgerr *)NLMSG_DATA(head))->error;
		return -1;
	}
	return 0;
}

/* Returns an attribute of a type between two addresses; NULL: none. */
static const struct nlattr *find(const unsigned char *at, const unsigned char *end, unsigned type)
{
	while ((size_t)(end - at) >= HEAD) {
		const struct nlattr *attribute = (const void *)at;

		if (attribute->nla_len < HEAD || attribute->nla_len > (size_t)(end - at))
			return NULL;
		if ((attribute->nla_type & NLA_TYPE_MASK) == type)
			return attribute;
		if (ALIGNED(attribute->nla_len) > (size_t)(end - at))
			return NULL;
		at += ALIGNED(attribute->nla_len);
	}
	return NULL;
}

/* Returns the first attribute of a reply with a type. */
static const struct nlattr *find_first(const struct reply *reply, unsigned type)
{
	return find(reply->bytes + NLMSG_HDRLEN + GENL_HDRLEN, reply->bytes + reply->length, type);
}

/* Returns the kernel's statistics of a process; NULL with errno. */
static const unsigned char *statistics(struct task_statistics *tasks, uint64_t pid,
				       struct reply *reply, size_t *length)
{
	uint32_t number = (uint32_t)pid;
	const struct nlattr *all, *one;

	RETURN_IF(ask(tasks, tasks->family, COMMAND_GET, COMMAND_TGID, &number, sizeof(number),
		      reply) < 0,
		  NULL);
	errno = EPROTO;
	all = find_first(reply, TYPE_AGGREGATE_TGID);
	RETURN_IF(!all, NULL);
	one = find((const unsigned char *)all + HEAD, (const unsigned char *)all + all->nla_len,
		   TYPE_STATISTICS);
	RETURN_IF(!one || one->nla_len < HEAD + member_offset[DELAY_SWAP], NULL);
	*length = one->nla_len - HEAD;
	return (const unsigned char *)one + HEAD;
}

static uint64_t number_at(const unsigned char *bytes, size_t at)
{
	uint64_t number;

	memcpy(&number, bytes + at, sizeof(number));
	return number;
}

void task_delays_take(const unsigned char *bytes, size_t length, bool counted,
		      struct task_delays *delays)
{
	memset(delays, 0xff, sizeof(*delays));
	for (size_t i = DELAY_BLOCK; i < DELAY_KINDS && member_offset[i] + 16 <= length; i++)
		counted = counted || number_at(bytes, member_offset[i]);
	for (size_t i = 0; i < DELAY_KINDS && member_offset[i] + 16 <= length; i++) {
		if (i != DELAY_CPU && !counted)
			continue;
		delays->count[i] = number_at(bytes, member_offset[i]);
		delays->total[i] = number_at(bytes, member_offset[i] + 8);
	}
}

bool task_statistics_ask(struct task_statistics *tasks, uint64_t pid, struct task_delays *delays)
{
	struct reply reply;
	const unsigned char *bytes;
	size_t length;

	tasks->requests++;
	bytes = statistics(tasks, pid, &reply, &length);
	if (!bytes) {
		tasks->gone += errno == ESRCH;
		return false;
	}
	tasks->answers++;
	tasks->bytes += reply.length;
	task_delays_take(bytes, length, tasks->counted, delays);
	return true;
}

/* Returns whether the kernel has counted delays since it was started. */
static bool counts_delays(void)
{
	char path[PROCFS_PATH_SIZE], text[4096] = " ";
	bool can_be_switched =
		procfs_read(procfs_path(path, "/proc/sys/kernel/task_delayacct"), text, 8) > 0;

	if (procfs_read(procfs_path(path, "/proc/cmdline"), text + 1, sizeof(text) - 1) < 0)
		return false;
	text[strcspn(text, "\n")] = ' ';
	return can_be_switched ? strstr(text, " delayacct ") != NULL
			       : strstr(text, " nodelayacct ") == NULL;
}

/* Opens the socket to the kernel. Returns the reason of a failure, NULL: none. */
static const char *connect_kernel(struct task_statistics *tasks)
{
	char path[PROCFS_PATH_SIZE];
	const struct nlattr *family;
	struct reply reply;
	const unsigned char *bytes;
	size_t length;

	if (strcmp(procfs_path(path, "/proc"), "/proc") != 0)
		return "a recorded machine cannot be queried by taskstats";
	tasks->fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	if (tasks->fd < 0)
		return "the kernel has no generic netlink";
	if (ask(tasks, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, CTRL_ATTR_FAMILY_NAME, "TASKSTATS", 10,
		&reply) < 0)
		return "the kernel has no taskstats";
	family = find_first(&reply, CTRL_ATTR_FAMILY_ID);
	if (!family || family->nla_len < HEAD + sizeof(tasks->family))
		return "the kernel has no taskstats";
	memcpy(&tasks->family, (const unsigned char *)family + HEAD, sizeof(tasks->family));
	bytes = statistics(tasks, (uint64_t)getpid(), &reply, &length);
	if (!bytes)
		return errno == EPERM ? "only root can query the kernel by taskstats"
				      : "the kernel does not reply to taskstats requests";
	tasks->version = (uint64_t)(bytes[0] | bytes[1] << 8);
	if (tasks->version == VERSION_OF_ANOTHER_ORDER)
		return "the kernel's taskstats has version 15, whose fields are in another order";
	return NULL;
}

static void begin(struct metric_source *source)
{
	struct task_statistics *tasks = source->own;

	tasks->fd = -1;
	source->why = connect_kernel(tasks);
	if (source->why)
		return;
	tasks->counted = counts_delays();
	source->support->tasks = tasks;
}

static void read_all(struct metric_source *source)
{
	const struct task_statistics *tasks = source->own;
	uint64_t *values = source->values;

	if (!source->support->tasks)
		return;
	values[LAYOUT] = tasks->version;
	values[DELAYS_COUNTED] = tasks->counted;
	values[REQUESTS] = tasks->requests;
	values[ANSWERS] = tasks->answers;
	values[GONE] = tasks->gone;
	values[BYTES] = tasks->bytes;
	metric_add(source);
}

static void release(struct metric_source *source)
{
	const struct task_statistics *tasks = source->own;

	if (tasks->fd >= 0)
		close(tasks->fd);
	source->support->tasks = NULL;
}

const struct metric_kind task_statistics_kind = {
	.name = "EXEC",
	.record = "exec",
	.summary = "supports PRO: queries the kernel by taskstats for delays of processes",
	.meaning = "The requests to the kernel before this snapshot.",
	METRIC_ITEMS(items),
	.supports = true,
	.private_size = sizeof(struct task_statistics),
	.begin = begin,
	.read = read_all,
	.release = release,
};
