/* SPDX-License-Identifier: Apache-2.0 */
/* Answers from a tape. */
#include "common/compat.h"
#include "sampler/recording/player-data.h"
#include "common/clock.h"
#include "common/hash.h"
#include "common/xalloc.h"
#include "sampler/recording/tape-area.h"

#include <linux/perf_event.h>
#include <sys/mman.h>
#include <unistd.h>

static struct player *player_of(struct outside *self)
{
	return (struct player *)self;
}

/* Returns the answer to a question, and sets errno as its call did; NULL: it fails with error. */
static const struct tape_entry *take(struct outside *self, struct tape_entry asked, int error)
{
	const struct tape_entry *entry;

	if (!asked.text)
		asked.text = "";
	entry = player_find(player_of(self), &asked);
	errno = entry ? entry->error : error;
	return entry;
}

/* Copies the data of an entry; returns the number of bytes. */
static size_t fill(const struct tape_entry *entry, void *buffer, size_t size)
{
	size_t length = entry->size < size ? entry->size : size;

	if (length)
		memcpy(buffer, entry->data, length);
	return length;
}

/* Returns the result of a call whose data are a buffer's content. */
static ssize_t filled(const struct tape_entry *entry, void *buffer, size_t size)
{
	if (!entry || entry->result < 0)
		return -1;
	return (ssize_t)fill(entry, buffer, size);
}

/* Returns the result of a call whose data, if it succeeds, are a struct. */
static int filled_whole(const struct tape_entry *entry, void *buffer, size_t size)
{
	if (!entry || entry->result < 0)
		return -1;
	if (fill(entry, buffer, size) == size)
		return (int)entry->result;
	errno = EIO;
	return -1;
}

static int result_of(const struct tape_entry *entry)
{
	return entry ? (int)entry->result : -1;
}

/*
 * A clock never goes back. Without an answer of its own it goes on, in one call by
 * more each time, so that nobody waits for ever, and little as long as nobody does:
 * time that has not passed would be CPU time that nobody used.
 */
static uint64_t play_clock(struct outside *self, clockid_t id)
{
	struct player *player = player_of(self);
	const struct tape_entry *entry;
	uint64_t before = 0, now = 0;

	entry = take(self, (struct tape_entry){ .kind = TAPE_CLOCK, .a = (uint64_t)id }, EINVAL);
	RETURN_IF(!entry && id < 0, 0); /* of a process that has none */
	idmap_get(&player->clocks, (uint64_t)(uint32_t)id, &before);
	if (entry && !player->again)
		now = (uint64_t)entry->result;
	else
		before += ++player->unanswered * NSEC_PER_USEC;
	/* The last call has to see all that the session saw. */
	if (player->again && player->view && !player->has_call && id == CLOCK_MONOTONIC && before < player->end)
		before = player->end;
	/* The time of day may go back. */
	if (now < before && !(entry && !player->again && id == CLOCK_REALTIME))
		now = before;
	idmap_put(&player->clocks, (uint64_t)(uint32_t)id, now);
	return now;
}

/* Visits a file, as far as the session has other options; -2: it is opened as any other. */
static int visit(struct player *player, const char *path)
{
	int fd;

	RETURN_IF(!player->view, -2);
	fd = tape_visits_open(&player->visits, path);
	player->asked += fd != -2;
	return fd;
}

static int play_open(struct outside *self, const char *path, int flags)
{
	int fd = visit(player_of(self), path);

	RETURN_IF(fd != -2, fd);
	return result_of(take(self, (struct tape_entry){ .kind = TAPE_OPEN, .text = path,
							 .a = (uint64_t)flags }, ENOENT));
}

static int play_close(struct outside *self, int fd)
{
	RETURN_IF(fd >= TAPE_VISIT_FIRST, tape_visits_close(&player_of(self)->visits, fd));
	return result_of(take(self, (struct tape_entry){ .kind = TAPE_CLOSE, .a = (uint64_t)fd }, EBADF));
}

/* A number may be read again; a file that is read to its end may not. */
static ssize_t play_read(struct outside *self, int fd, void *buffer, size_t size, off_t offset)
{
	const struct tape_entry *entry;

	RETURN_IF(fd >= TAPE_VISIT_FIRST,
		  tape_visits_read(&player_of(self)->visits, fd, TAPE_READ, offset, buffer, size));
	entry = take(self, (struct tape_entry){ .kind = TAPE_READ, .a = (uint64_t)fd, .b = (uint64_t)offset }, EBADF);
	if (entry && player_of(self)->again && offset < 0 && size != sizeof(uint64_t)) {
		errno = EBADF;
		return -1;
	}
	return filled(entry, buffer, size);
}

static ssize_t play_link(struct outside *self, const char *path, char *target, size_t size)
{
	return filled(take(self, (struct tape_entry){ .kind = TAPE_LINK, .text = path }, ENOENT), target, size);
}

/* A folder that was read to its end is not read again. */
static ssize_t play_entries(struct outside *self, int fd, void *buffer, size_t size)
{
	const struct tape_entry *entry;

	RETURN_IF(fd >= TAPE_VISIT_FIRST,
		  tape_visits_read(&player_of(self)->visits, fd, TAPE_ENTRIES, -1, buffer, size));
	entry = take(self, (struct tape_entry){ .kind = TAPE_ENTRIES, .a = (uint64_t)fd }, EBADF);
	if (entry && player_of(self)->again) {
		errno = EBADF;
		return -1;
	}
	return filled(entry, buffer, size);
}

static int play_status(struct outside *self, int folder, const char *path, int flags, struct statx *status)
{
	return filled_whole(take(self, (struct tape_entry){ .kind = TAPE_STATUS, .text = path,
							    .a = (uint64_t)folder,
							    .b = (uint64_t)flags }, ENOENT),
			    status, sizeof(*status));
}

static ssize_t play_memory(struct outside *self, pid_t tid, uint64_t address, void *buffer, size_t size)
{
	return filled(take(self, (struct tape_entry){ .kind = TAPE_MEMORY, .a = (uint64_t)tid,
						      .b = address }, ESRCH), buffer, size);
}

static int play_peer(struct outside *self, pid_t pid, int fd, struct sockaddr_storage *address, socklen_t *size)
{
	const struct tape_entry *entry = take(self, (struct tape_entry){ .kind = TAPE_PEER,
									 .a = (uint64_t)pid,
									 .b = (uint64_t)fd }, ESRCH);
	ssize_t length = filled(entry, address, sizeof(*address));

	RETURN_IF(length < 0, -1);
	*size = (socklen_t)length;
	return (int)entry->result;
}

static int play_poll(struct outside *self, struct pollfd *polls, size_t count, uint64_t timeout UNUSED)
{
	const struct tape_entry *entry = take(self, (struct tape_entry){ .kind = TAPE_POLL, .a = count }, 0);
	int ready[2], found = 0;

	for (size_t i = 0; i < count; i++)
		polls[i].revents = 0;
	RETURN_IF(!entry, 0);
	RETURN_IF(entry->result < 0, -1);
	for (size_t at = 0; at + sizeof(ready) <= entry->size; at += sizeof(ready)) {
		memcpy(ready, (const char *)entry->data + at, sizeof(ready));
		for (size_t i = 0; i < count; i++)
			if (polls[i].fd == ready[0] && !polls[i].revents) {
				polls[i].revents = (short)ready[1];
				found++;
			}
	}
	return found;
}

static int play_timer(struct outside *self)
{
	return result_of(take(self, (struct tape_entry){ .kind = TAPE_TIMER }, EMFILE));
}

static int play_set_timer(struct outside *self, int fd, uint64_t first UNUSED, uint64_t interval UNUSED)
{
	return result_of(take(self, (struct tape_entry){ .kind = TAPE_SET_TIMER, .a = (uint64_t)fd }, EBADF));
}

static int play_process(struct outside *self, pid_t pid)
{
	return result_of(take(self, (struct tape_entry){ .kind = TAPE_PROCESS, .a = (uint64_t)pid }, ESRCH));
}

static pid_t play_own(struct outside *self)
{
	const struct tape_entry *entry = take(self, (struct tape_entry){ .kind = TAPE_OWN }, 0);

	return entry ? (pid_t)entry->result : 0;
}

static long play_processors(struct outside *self)
{
	const struct tape_entry *entry = take(self, (struct tape_entry){ .kind = TAPE_PROCESSORS }, 0);

	return entry && entry->result > 0 && entry->result < INT16_MAX ? (long)entry->result : 1;
}

static int play_descriptors(struct outside *self, struct rlimit *limit, bool raise)
{
	return filled_whole(take(self, (struct tape_entry){ .kind = TAPE_DESCRIPTORS, .a = raise }, EPERM),
			    limit, sizeof(*limit));
}

/* The period of the event is that of the recorded one. */
static int play_event(struct outside *self, struct perf_event_attr *attr, pid_t pid, int processor)
{
	const struct player *player = player_of(self);
	const struct tape_entry *entry;
	struct perf_event_attr opened;

	/* A version that did not ask for this kind of event was not told that there is none. */
	errno = EACCES;
	RETURN_IF(player->view && !(player->events >> (attr->config % 64) & 1), -1);
	entry = take(self, (struct tape_entry){ .kind = TAPE_EVENT, .a = (uint64_t)pid,
						.b = tape_event_of(attr, processor) }, EACCES);
	if (entry && entry->result >= 0 && fill(entry, &opened, sizeof(opened)) == sizeof(opened))
		attr->sample_period = opened.sample_period;
	return result_of(entry);
}

static int play_control(struct outside *self, int fd, unsigned long request, uint64_t *number)
{
	const struct tape_entry *entry = take(self, (struct tape_entry){ .kind = TAPE_CONTROL,
									 .a = (uint64_t)fd,
									 .b = request }, EBADF);

	if (entry && entry->result >= 0 && number)
		fill(entry, number, sizeof(*number));
	return result_of(entry);
}

static void *play_ring(struct outside *self, int fd, size_t size)
{
	const struct tape_entry *entry = take(self, (struct tape_entry){ .kind = TAPE_RING,
									 .a = (uint64_t)fd, .b = size },
					      EPERM);
	struct held *held = NULL;

	if (entry && entry->result >= 0)
		held = held_give(&player_of(self)->rings, entry->result, held_page() + size, size);
	return held ? held->memory : MAP_FAILED;
}

static void play_drop_ring(struct outside *self, void *ring, size_t size UNUSED)
{
	struct held_list *rings = &player_of(self)->rings;
	size_t number = held_number(rings, ring, held_page());

	take(self, (struct tape_entry){ .kind = TAPE_DROP_RING, .a = number }, 0);
	held_release(rings, number, held_page());
}

/*
 * Applies an entry of the present call, after those before it that were not asked
 * for: each has only what is new.
 */
static void apply_up_to(struct player *player, const struct tape_entry *entry)
{
	const struct answer *last = (const struct answer *)(const void *)entry;

	for (struct answer *answer = player->answers; answer < last; answer++)
		if (!answer->used && answer->entry.kind == entry->kind && answer->entry.a == entry->a) {
			answer->used = true;
			player_apply(player, &answer->entry);
		}
	player_apply(player, entry);
}

static uint64_t play_ring_head(struct outside *self, void *page)
{
	struct held_list *rings = &player_of(self)->rings;
	size_t number = held_number(rings, page, held_page());
	const struct tape_entry *entry = take(
		self, (struct tape_entry){ .kind = TAPE_RING_HEAD, .a = number }, 0);

	RETURN_IF(number == rings->count, 0);
	if (entry)
		apply_up_to(player_of(self), entry);
	return rings->items[number].head;
}

static int play_trace(struct outside *self, int request, pid_t tid, uint64_t address UNUSED, void *data)
{
	const struct tape_entry *entry = take(self, (struct tape_entry){ .kind = TAPE_TRACE,
									 .a = (uint64_t)request,
									 .b = (uint64_t)tid }, ESRCH);

	if (entry && entry->result >= 0 && data && entry->size)
		fill(entry, data, tape_traced_size(request));
	return result_of(entry);
}

static int play_wait_task(struct outside *self, pid_t tid, siginfo_t *info, int options)
{
	return filled_whole(take(self, (struct tape_entry){ .kind = TAPE_WAIT_TASK, .a = (uint64_t)tid,
							    .b = (uint64_t)options }, ECHILD),
			    info, sizeof(*info));
}

static void play_sleep(struct outside *self, uint64_t ns)
{
	take(self, (struct tape_entry){ .kind = TAPE_SLEEP, .a = ns }, 0);
}

static const void *play_share(struct outside *self, const char *path UNUSED, size_t *size)
{
	const struct tape_entry *entry = take(self, (struct tape_entry){ .kind = TAPE_SHARE }, ENOENT);
	struct held *held;

	RETURN_IF(!entry || entry->result < 0, NULL);
	held = held_give(&player_of(self)->areas, entry->result, entry->b, entry->b);
	RETURN_IF(!held, NULL);
	*size = held->size;
	return held->memory;
}

static void play_refresh(struct outside *self, const void *part, size_t size UNUSED)
{
	struct player *player = player_of(self);
	size_t number = held_number(&player->areas, part, 0);
	const struct tape_entry *entry = take(
		self, (struct tape_entry){ .kind = TAPE_REFRESH, .a = number }, 0);

	if (entry)
		apply_up_to(player, entry);
}

static void play_unshare(struct outside *self, const void *area, size_t size UNUSED)
{
	struct player *player = player_of(self);
	size_t number = held_number(&player->areas, area, 0);

	take(self, (struct tape_entry){ .kind = TAPE_UNSHARE, .a = number }, 0);
	held_release(&player->areas, number, 0);
}

/* Returns whether a data collector was asked this in the present call; the recorded session asks what it asked. */
static const void *recall_asked(const struct player *player, uint64_t key, size_t *size)
{
	uint64_t call;

	RETURN_IF(!player->view, NULL);
	*size = idmap_get(&player->asked_in, key, &call) && call == player->calls;
	return "";
}

static const void *play_recall(struct outside *self, enum outside_note what, uint64_t key, size_t *size)
{
	struct tape_entry asked = { .kind = TAPE_NOTE, .a = what, .b = key, .text = "" };
	const struct tape_entry *entry;

	if (what == OUTSIDE_HOST_ASKED)
		return recall_asked(player_of(self), key, size);

	if (player_is_unordered(&asked)) {
		player_pass_unordered(player_of(self));
		entry = player_recall(player_of(self), &asked);
	} else {
		entry = take(self, asked, 0);
	}
	*size = entry ? entry->size : 0;
	return entry ? entry->data : "";
}

/* Of what is found out only the lack of something is of interest; all else was recalled. */
static void play_note(struct outside *self, enum outside_note what, uint64_t key UNUSED, const void *found,
		      size_t size)
{
	struct player *player = player_of(self);

	if (what != OUTSIDE_OBJECT_MISSING)
		return;
	if (!player->missing_paths.count)
		strbuf_add(&player->missing, found, size);
	idmap_put(&player->missing_paths, hash_bytes(found, size), 1);
}

static const struct outside playing = {
	.clock = play_clock,
	.open = play_open,
	.close = play_close,
	.read = play_read,
	.link = play_link,
	.entries = play_entries,
	.status = play_status,
	.memory = play_memory,
	.image = play_memory,
	.peer = play_peer,
	.poll = play_poll,
	.timer = play_timer,
	.set_timer = play_set_timer,
	.process = play_process,
	.own = play_own,
	.processors = play_processors,
	.descriptors = play_descriptors,
	.event = play_event,
	.control = play_control,
	.ring = play_ring,
	.drop_ring = play_drop_ring,
	.ring_head = play_ring_head,
	.trace = play_trace,
	.wait_task = play_wait_task,
	.sleep = play_sleep,
	.share = play_share,
	.refresh = play_refresh,
	.unshare = play_unshare,
	.recall = play_recall,
	.note = play_note,
};

struct player *player_new(const struct tape_pieces *pieces)
{
	struct player *player = xcalloc(1, sizeof(*player));

	player->source = playing;
	player->pieces = pieces;
	tape_reader_init(&player->reader);
	idmap_init(&player->last);
	idmap_init(&player->clocks);
	tape_visits_init(&player->visits);
	idmap_init(&player->asked_in);
	idmap_init(&player->missing_paths);
	strbuf_init(&player->difference);
	strbuf_init(&player->missing);
	return player;
}

void player_free(struct player *player)
{
	if (!player)
		return;
	for (size_t i = 0; i < player->rings.count; i++)
		held_release(&player->rings, i, held_page());
	for (size_t i = 0; i < player->areas.count; i++)
		held_release(&player->areas, i, 0);
	free(player->rings.items);
	free(player->areas.items);
	free(player->answers);
	free(player->kept);
	idmap_release(&player->last);
	idmap_release(&player->clocks);
	tape_visits_release(&player->visits);
	idmap_release(&player->asked_in);
	idmap_release(&player->missing_paths);
	strbuf_release(&player->difference);
	strbuf_release(&player->missing);
	tape_reader_release(&player->reader);
	free(player);
}

uint64_t player_unanswered(const struct player *player, uint64_t *asked)
{
	*asked = player->asked;
	return player->lacking;
}

struct outside *player_source(struct player *player)
{
	return &player->source;
}

uint64_t player_missing(const struct player *player, const char **first)
{
	*first = player->missing.text;
	return player->missing_paths.count;
}

uint64_t player_differences(const struct player *player)
{
	return player->differences;
}

const char *player_difference(const struct player *player)
{
	return player->difference.text;
}
