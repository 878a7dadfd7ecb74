/* SPDX-License-Identifier: Apache-2.0 */
/* Answers requests for the newest events of a session. */
#include "common/compat.h"
#include "session/measure/online.h"

#include <fcntl.h>
#include <unistd.h>

void online_init(struct online *online, uint64_t size)
{
	*online = (struct online){ .wanted = true, .buffer = { .size = size } };
	for (size_t i = 0; i < ARRAY_SIZE(online->fds); i++)
		online->fds[i] = -1;
}

static void close_answer(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void online_end(struct online *online, const struct area *area)
{
	if (online->wanted)
		area_end_online(area);
	for (size_t i = 0; online->wanted && i < ARRAY_SIZE(online->fds); i++)
		close_answer(&online->fds[i]);
}

/* Writes the buffer to a file; returns its descriptor, or -1. */
static int write_buffer(struct online *online, const char *output)
{
	struct strbuf path = STRBUF_INIT;
	struct error err = ERROR_INIT;
	int fd = -1;

	strbuf_addf(&path, "%s.online", output);
	if (event_online_write(&online->buffer, path.text, &err) == 0)
		fd = open(path.text, O_RDONLY | O_CLOEXEC);
	unlink(path.text);
	error_release(&err); /* the reader is notified that there is no answer */
	strbuf_release(&path);
	return fd;
}

int online_serve(struct online *online, const struct area *area, struct events *events,
		 struct engine *engine, const char *output, struct error *err)
{
	uint64_t asked = online->wanted ? area_last_request(area) : 0;
	int *fd;

	if (asked == online->answered)
		return 0;
	events_settle(events);
	RETURN_IF(engine_snapshot(engine, err) < 0, -1);
	fd = &online->fds[online->next++ % ARRAY_SIZE(online->fds)];
	close_answer(fd);
	*fd = write_buffer(online, output);
	online->answered = asked;
	area_send_answer(area, asked, *fd);
	return 0;
}
