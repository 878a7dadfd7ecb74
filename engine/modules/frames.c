/* SPDX-License-Identifier: Apache-2.0 */
/* Sends and receives frames with a deadline. */
#include "common/compat.h"
#include "engine/modules/frames.h"
#include "common/clock.h"

#include <poll.h>
#include <sys/socket.h>

struct frame_head {
	uint32_t kind, length;
};

/* Waits until the socket is ready for events. Returns false at the deadline. */
static bool wait_for(int fd, short events, uint64_t before)
{
	struct pollfd poll = { .fd = fd, .events = events };

	for (;;) {
		uint64_t now = clock_monotonic_ns(), left = before > now ? before - now : 0;
		const struct timespec wait = { (time_t)(left / NSEC_PER_SEC),
					       (long)(left % NSEC_PER_SEC) };
		int found = ppoll(&poll, 1, before == UINT64_MAX ? NULL : &wait, NULL);

		if (found > 0 || (found < 0 && errno != EINTR))
			return found > 0;
		if (before != UINT64_MAX && clock_monotonic_ns() >= before)
			return false;
	}
}

static bool send_all(int fd, const void *data, size_t size, uint64_t before)
{
	const char *at = data;

	while (size > 0) {
		ssize_t sent = send(fd, at, size, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (sent < 0 && errno == EAGAIN && wait_for(fd, POLLOUT, before))
			continue;
		if (sent < 0 && errno == EINTR)
			continue;
		RETURN_IF(sent <= 0, false);
		at += sent;
		size -= (size_t)sent;
	}
	return true;
}

static bool receive_all(int fd, void *data, size_t size, uint64_t before)
{
	char *at = data;

	while (size > 0) {
		ssize_t got = recv(fd, at, size, MSG_DONTWAIT);

		if (got < 0 && errno == EAGAIN && wait_for(fd, POLLIN, before))
			continue;
		if (got < 0 && errno == EINTR)
			continue;
		RETURN_IF(got <= 0, false);
		at += got;
		size -= (size_t)got;
	}
	return true;
}

bool frame_send(int fd, enum frame_kind kind, const struct strbuf *body, uint64_t before)
{
	struct frame_head head = { kind, (uint32_t)body->length };

	RETURN_IF(body->length > FRAME_MAX, false);
	return send_all(fd, &head, sizeof(head), before) &&
	       send_all(fd, body->text, body->length, before);
}

bool frame_receive(int fd, enum frame_kind *kind, struct strbuf *body, uint64_t before)
{
	struct frame_head head;

	RETURN_IF(!receive_all(fd, &head, sizeof(head), before) || head.length > FRAME_MAX, false);
	*kind = (enum frame_kind)head.kind;
	strbuf_reset(body);
	strbuf_grow(body, head.length + 1);
	RETURN_IF(!receive_all(fd, body->text, head.length, before), false);
	body->length = head.length;
	body->text[head.length] = '\0';
	return true;
}

void frame_put(struct strbuf *body, const void *data, size_t size)
{
	strbuf_add(body, data, size);
}

void frame_put_number(struct strbuf *body, uint64_t number)
{
	strbuf_add(body, &number, sizeof(number));
}

void frame_put_text(struct strbuf *body, const char *text)
{
	size_t length = strlen(text) + 1;

	frame_put_number(body, length);
	strbuf_add(body, text, length);
}

void frame_read(struct frame_reader *reader, const struct strbuf *body)
{
	*reader = (struct frame_reader){ body->text, body->length, false };
}

const void *frame_take(struct frame_reader *reader, size_t size)
{
	const void *taken = reader->at;

	reader->broken = reader->broken || size > reader->left;
	RETURN_IF(reader->broken, NULL);
	reader->at += size;
	reader->left -= size;
	return taken;
}

uint64_t frame_take_number(struct frame_reader *reader)
{
	const void *taken = frame_take(reader, sizeof(uint64_t));
	uint64_t number = 0;

	if (taken)
		memcpy(&number, taken, sizeof(number));
	return number;
}

const char *frame_take_text(struct frame_reader *reader)
{
	size_t length = frame_take_number(reader);
	const char *text = frame_take(reader, length);

	if (!text || !length || text[length - 1] != '\0') {
		reader->broken = true;
		return "";
	}
	return text;
}
