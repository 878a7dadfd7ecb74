/* SPDX-License-Identifier: Apache-2.0 */
/* Answers from a tape. */
#include "common/compat.h"
#include "sampler/recording/player.h"
#include "common/clock.h"
#include "common/hash.h"
#include "common/idmap.h"
#include "common/xalloc.h"
#include "sampler/recording/tape-area.h"
#include "sampler/recording/tape-view.h"
#include "sampler/recording/tape-visits.h"

#include <linux/perf_event.h>
#include <sys/mman.h>
#include <unistd.h>

/* Areas and rings are not larger than this, whatever a damaged tape says. */
#define SIZE_MAX_HELD (UINT64_C(1) << 28)
/* Bytes of the shortest record of the kernel: its head, and who, when and by which event. */
#define RECORD_LEAST 32
/* Entries of one call of the session that are searched for one answer, and for all of them. */
#define SEARCHED 100000
#define SEARCHED_ALL 10000000
/* Entries that are searched for a clock of a session with other options: time goes on in small steps. */
#define SEARCHED_FOR_CLOCK 16

/* An entry of the present call. */
struct answer {
	struct tape_entry entry; /* first, so that the answer can be found by it */
	bool used;
};

/* Memory that was given out: a ring with its first page, or an area. */
struct held {
	unsigned char *memory; /* NULL: none */
	size_t size;	       /* of the data */
	uint64_t head;
};

struct held_list {
	struct held *items;
	size_t count, alloc;
};

struct player {
	struct outside source;
	const struct tape_pieces *pieces;
	size_t piece; /* number of those that were fed */
	struct tape_reader reader;
	bool damaged;
	struct tape_entry call; /* of the session, the next one to return, if any */
	bool has_call;
	struct answer *answers; /* of the present call */
	size_t count, alloc;
	size_t next; /* the first that may be unused and is in order */
	struct idmap last; /* hash of a question -> number in kept + 1 */
	struct tape_entry *kept;
	size_t kept_count, kept_alloc;
	struct held_list rings, areas;
	bool again;		/* the last answer was one that had been given before */
	struct idmap clocks;	/* id of a clock -> what it showed last */
	uint64_t unanswered;	/* how often a clock had no answer, in this call */
	uint64_t searched;	/* entries that were looked at for an answer, in this call */
	/* Of a session with other options; view NULL: it is the recorded one. */
	struct tape_view *view;
	struct tape_visits visits;
	uint64_t end;	     /* CLOCK_MONOTONIC at the end of the call */
	struct idmap asked_in; /* key of a question to a data collector -> the last call with its answer */
	uint64_t asked, lacking;	/* questions, and those without any answer */
	uint64_t calls, differences;
	struct strbuf difference;
	struct idmap missing_paths; /* hashes of the paths of objects that are not there */
	struct strbuf missing;	/* path of the first one */
};

static struct player *player_of(struct outside *self)
{
	return (struct player *)self;
}

/* Which numbers, and whether the text, make the question. */
static const struct question {
	bool a, b, text, holds; /* holds: an answer may be given again */
} questions[TAPE_KINDS] = {
	[TAPE_CLOCK] = { .a = true, .holds = true },
	[TAPE_OPEN] = { .text = true, .holds = true },
	[TAPE_CLOSE] = { .a = true },
	[TAPE_READ] = { .a = true, .b = true },
	[TAPE_LINK] = { .text = true, .holds = true },
	[TAPE_ENTRIES] = { .a = true },
	[TAPE_STATUS] = { .a = true, .text = true, .holds = true },
	[TAPE_MEMORY] = { .a = true, .b = true },
	[TAPE_PEER] = { .a = true, .b = true, .holds = true },
	[TAPE_SET_TIMER] = { .a = true },
	[TAPE_PROCESS] = { .a = true },
	[TAPE_OWN] = { .holds = true },
	[TAPE_PROCESSORS] = { .holds = true },
	[TAPE_DESCRIPTORS] = { .a = true, .holds = true },
	[TAPE_EVENT] = { .a = true, .b = true },
	[TAPE_CONTROL] = { .a = true, .b = true },
	[TAPE_RING] = { .a = true, .b = true },
	[TAPE_DROP_RING] = { .a = true },
	[TAPE_RING_HEAD] = { .a = true },
	[TAPE_TRACE] = { .a = true, .b = true },
	[TAPE_WAIT_TASK] = { .a = true, .b = true },
	[TAPE_REFRESH] = { .a = true },
	[TAPE_UNSHARE] = { .a = true },
	[TAPE_NOTE] = { .a = true, .b = true },
};

/* Returns whether a note of an earlier version has no key, where there is one now. */
static bool lacks_key(const struct tape_entry *entry)
{
	return entry->kind == TAPE_NOTE && !entry->b &&
	       (entry->a == OUTSIDE_HOST_STARTED || entry->a == OUTSIDE_HOST_ANSWERED ||
		entry->a == OUTSIDE_HOST_ANSWER);
}

/* Returns whether an entry answers a question. */
static bool answers(const struct tape_entry *entry, const struct tape_entry *asked)
{
	const struct question *question = &questions[asked->kind];

	return entry->kind == asked->kind && (!question->a || entry->a == asked->a) &&
	       (!question->b || entry->b == asked->b || lacks_key(entry)) &&
	       (!question->text || strcmp(entry->text, asked->text) == 0);
}

/* Returns a number for a question; different ones have the same hardly ever. */
static uint64_t hash_of(const struct tape_entry *asked)
{
	const struct question *question = &questions[asked->kind];
	uint64_t hash = asked->kind;

	if (question->a)
		hash = (hash ^ asked->a) * UINT64_C(0x9e3779b97f4a7c15);
	if (question->b)
		hash = (hash ^ (hash >> 29) ^ asked->b) * UINT64_C(0xbf58476d1ce4e5b9);
	for (const char *at = question->text ? asked->text : ""; *at; at++)
		hash = (hash ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
	return hash ^ hash >> 32;
}

/* Returns whether an answer may be given again. */
static bool holds(const struct tape_entry *entry)
{
	if (entry->kind != TAPE_NOTE)
		return questions[entry->kind].holds;
	switch (entry->a) {
	case OUTSIDE_NAME:
		return entry->size; /* not that there was no name yet */
	case OUTSIDE_HOST_STARTED:
	case OUTSIDE_SOURCE_LINE:
	case OUTSIDE_OBJECT:
	case OUTSIDE_COLLECTORS:
	case OUTSIDE_MACHINE:
	case OUTSIDE_OBJECT_PART:
	case OUTSIDE_OBJECT_STATE:
		return true;
	default:
		return false;
	}
}

/*
 * Returns whether an answer may be asked for at any time once it was noted: it is no
 * part of the order, which may then change with how objects are read.
 */
static bool is_unordered(const struct tape_entry *entry)
{
	return entry->kind == TAPE_NOTE &&
	       (entry->a == OUTSIDE_OBJECT_PART || entry->a == OUTSIDE_OBJECT_STATE);
}

/* Keeps an answer that may be given again; with other options also what a file that stays open had last. */
static void keep(struct player *player, const struct tape_entry *entry)
{
	uint64_t hash, number;

	if (!holds(entry) && !(player->view && entry->kind == TAPE_READ))
		return;
	hash = hash_of(entry);
	if (!idmap_get(&player->last, hash, &number)) {
		GROW(player->kept, player->kept_count + 1, player->kept_alloc);
		number = ++player->kept_count;
		idmap_put(&player->last, hash, number);
	}
	player->kept[number - 1] = *entry;
}

/* Keeps what was noted in between up to here. */
static void pass_unordered(struct player *player)
{
	for (; player->next < player->count; player->next++) {
		struct answer *answer = &player->answers[player->next];

		if (!is_unordered(&answer->entry) && !(player->view && answer->used))
			break;
		if (!answer->used)
			keep(player, &answer->entry);
		answer->used = true;
	}
}

/* Appends what an entry is about. */
static void describe(struct strbuf *sb, const struct tape_entry *entry)
{
	const struct question *question = &questions[entry->kind];

	strbuf_addstr(sb, tape_kind_name(entry->kind));
	if (entry->text[0])
		strbuf_addf(sb, " %s", entry->text);
	else if (question->a || question->b)
		strbuf_addf(sb, " (%" PRId64 ", %" PRId64 ")", (int64_t)entry->a, (int64_t)entry->b);
}

/* Counts a difference, and describes the first one. */
static void differ(struct player *player, const struct tape_entry *asked)
{
	struct strbuf *sb = &player->difference;

	if (player->view || player->differences++)
		return;
	strbuf_addf(sb, "in call %" PRIu64 " of the session, entry %zu, it asks for ", player->calls,
		    player->next + 1);
	describe(sb, asked);
	strbuf_addstr(sb, " where the recording has ");
	if (player->next < player->count)
		describe(sb, &player->answers[player->next].entry);
	else
		strbuf_addstr(sb, "no more answers");
}

/* Returns how many entries are searched for an answer. */
static size_t search_most(const struct player *player, const struct tape_entry *asked)
{
	size_t rest = player->count - player->next;

	if (!player->view || asked->kind != TAPE_CLOCK)
		return player->count < SEARCHED ? player->count : SEARCHED;
	return rest < SEARCHED_FOR_CLOCK ? rest : SEARCHED_FOR_CLOCK;
}

/* Finds an answer out of order; NULL: the call has none. */
static const struct tape_entry *search(struct player *player, const struct tape_entry *asked)
{
	size_t most = search_most(player, asked);

	for (size_t i = 0; i < most && player->searched < SEARCHED_ALL; i++) {
		size_t number = (player->next + i) % player->count;
		struct answer *answer = &player->answers[number];

		player->searched++;
		if (answer->used || !answers(&answer->entry, asked))
			continue;
		answer->used = true;
		if (number >= player->next)
			player->next = number + 1;
		return &answer->entry;
	}
	return NULL;
}

/* Finds an answer that was given before. */
static const struct tape_entry *recall_answer(struct player *player, const struct tape_entry *asked)
{
	uint64_t number;

	if (!idmap_get(&player->last, hash_of(asked), &number))
		return NULL;
	return &player->kept[number - 1];
}

/* Returns whether a session learns something from the answer: that there is none is counted. */
static bool tells(enum tape_kind kind)
{
	return kind != TAPE_CLOCK && kind != TAPE_CONTROL && kind != TAPE_CLOSE && kind != TAPE_SET_TIMER &&
	       kind != TAPE_REFRESH && kind != TAPE_UNSHARE;
}

/* Returns the answer to a question; NULL: there is none. */
static const struct tape_entry *find(struct player *player, const struct tape_entry *asked)
{
	const struct tape_entry *entry;

	pass_unordered(player);
	player->asked++;
	if (player->next < player->count && !player->answers[player->next].used &&
	    answers(&player->answers[player->next].entry, asked)) {
		player->answers[player->next].used = true;
		entry = &player->answers[player->next++].entry;
	} else {
		differ(player, asked);
		entry = search(player, asked);
	}
	player->again = !entry;
	if (!entry) {
		entry = recall_answer(player, asked);
		player->lacking += !entry && tells(asked->kind);
		return entry;
	}
	keep(player, entry);
	return entry;
}

/* Returns the answer to a question, and sets errno as its call did; NULL: it fails with error. */
static const struct tape_entry *take(struct outside *self, struct tape_entry asked, int error)
{
	const struct tape_entry *entry;

	if (!asked.text)
		asked.text = "";
	entry = find(player_of(self), &asked);
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

static ssize_t play_read(struct outside *self, int fd, void *buffer, size_t size, off_t offset)
{
	RETURN_IF(fd >= TAPE_VISIT_FIRST,
		  tape_visits_read(&player_of(self)->visits, fd, TAPE_READ, offset, buffer, size));
	return filled(take(self, (struct tape_entry){ .kind = TAPE_READ, .a = (uint64_t)fd,
						      .b = (uint64_t)offset }, EBADF), buffer, size);
}

static ssize_t play_link(struct outside *self, const char *path, char *target, size_t size)
{
	return filled(take(self, (struct tape_entry){ .kind = TAPE_LINK, .text = path }, ENOENT), target, size);
}

static ssize_t play_entries(struct outside *self, int fd, void *buffer, size_t size)
{
	RETURN_IF(fd >= TAPE_VISIT_FIRST,
		  tape_visits_read(&player_of(self)->visits, fd, TAPE_ENTRIES, -1, buffer, size));
	return filled(take(self, (struct tape_entry){ .kind = TAPE_ENTRIES, .a = (uint64_t)fd }, EBADF),
		      buffer, size);
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
	const struct tape_entry *entry = take(
		self, (struct tape_entry){ .kind = TAPE_EVENT, .a = (uint64_t)pid,
					   .b = tape_event_of(attr, processor) }, EACCES);
	struct perf_event_attr opened;

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

/*
 * Holds memory under the number that the recording has for it; returns NULL with
 * errno set if that cannot be.
 */
static struct held *hold(struct held_list *list, int64_t number, size_t size, size_t data)
{
	struct held *held;

	errno = EINVAL;
	if (number < 0 || (uint64_t)number > list->count || size > SIZE_MAX_HELD)
		return NULL;
	if ((uint64_t)number == list->count) {
		GROW(list->items, list->count + 1, list->alloc);
		list->items[list->count++] = (struct held){ 0 };
	}
	held = &list->items[number];
	RETURN_IF(held->memory, NULL);
	held->memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (held->memory == MAP_FAILED) {
		held->memory = NULL;
		return NULL;
	}
	held->size = data;
	held->head = 0;
	return held;
}

/* Returns the number of what begins, or has its part, at an address; the list's count: none does. */
static size_t number_at(const struct held_list *list, const void *at, size_t before)
{
	size_t number = 0;

	for (; number < list->count; number++) {
		const unsigned char *memory = list->items[number].memory;

		if (memory && (const unsigned char *)at >= memory &&
		    (const unsigned char *)at < memory + before + list->items[number].size)
			break;
	}
	return number;
}

static void release(struct held_list *list, size_t number, size_t before)
{
	struct held *held = number < list->count ? &list->items[number] : NULL;

	if (!held || !held->memory)
		return;
	munmap(held->memory, before + held->size);
	held->memory = NULL;
}

static size_t page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

static void *play_ring(struct outside *self, int fd, size_t size)
{
	const struct tape_entry *entry = take(self, (struct tape_entry){ .kind = TAPE_RING,
									 .a = (uint64_t)fd, .b = size },
					      EPERM);
	struct held *held = NULL;

	if (entry && entry->result >= 0)
		held = hold(&player_of(self)->rings, entry->result, page_size() + size, size);
	return held ? held->memory : MAP_FAILED;
}

static void play_drop_ring(struct outside *self, void *ring, size_t size UNUSED)
{
	struct held_list *rings = &player_of(self)->rings;
	size_t number = number_at(rings, ring, page_size());

	take(self, (struct tape_entry){ .kind = TAPE_DROP_RING, .a = number }, 0);
	release(rings, number, page_size());
}

/* Returns how many of the bytes are whole records of the kernel, at least as long as they must be. */
static size_t whole_records(const unsigned char *bytes, size_t size)
{
	struct perf_event_header header;
	size_t at = 0;

	while (size - at >= sizeof(header)) {
		memcpy(&header, bytes + at, sizeof(header));
		if (header.size < RECORD_LEAST || header.size % 8 || header.size > size - at)
			break;
		at += header.size;
	}
	return at;
}

/* Writes what the kernel wrote into a ring. */
static void write_ring(struct held *ring, const struct tape_entry *entry)
{
	const struct perf_event_mmap_page *page = (const void *)ring->memory;
	uint64_t space = ring->size - (ring->head - page->data_tail);
	const unsigned char *bytes = entry->data;
	size_t size = whole_records(bytes, entry->size < space ? entry->size : space);
	unsigned char *data = ring->memory + page_size();

	while (size) {
		size_t offset = ring->head & (ring->size - 1), part = ring->size - offset;

		part = part < size ? part : size;
		memcpy(data + offset, bytes, part);
		bytes += part;
		ring->head += part;
		size -= part;
	}
}

/* Applies what an entry says of a ring or an area: what was written since the one before. */
static void apply(struct player *player, const struct tape_entry *entry)
{
	struct held_list *list = entry->kind == TAPE_RING_HEAD ? &player->rings : &player->areas;
	struct held *held = entry->a < list->count ? &list->items[entry->a] : NULL;

	if (!held || !held->memory)
		return;
	if (entry->kind == TAPE_RING_HEAD)
		write_ring(held, entry);
	else
		tape_area_apply(held->memory, held->size, entry->data, entry->size);
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
			apply(player, &answer->entry);
		}
	apply(player, entry);
}

static uint64_t play_ring_head(struct outside *self, void *page)
{
	struct held_list *rings = &player_of(self)->rings;
	size_t number = number_at(rings, page, page_size());
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
	held = hold(&player_of(self)->areas, entry->result, entry->b, entry->b);
	RETURN_IF(!held, NULL);
	*size = held->size;
	return held->memory;
}

static void play_refresh(struct outside *self, const void *part, size_t size UNUSED)
{
	struct player *player = player_of(self);
	size_t number = number_at(&player->areas, part, 0);
	const struct tape_entry *entry = take(
		self, (struct tape_entry){ .kind = TAPE_REFRESH, .a = number }, 0);

	if (entry)
		apply_up_to(player, entry);
}

static void play_unshare(struct outside *self, const void *area, size_t size UNUSED)
{
	struct player *player = player_of(self);
	size_t number = number_at(&player->areas, area, 0);

	take(self, (struct tape_entry){ .kind = TAPE_UNSHARE, .a = number }, 0);
	release(&player->areas, number, 0);
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

	if (is_unordered(&asked)) {
		pass_unordered(player_of(self));
		entry = recall_answer(player_of(self), &asked);
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
		release(&player->rings, i, page_size());
	for (size_t i = 0; i < player->areas.count; i++)
		release(&player->areas, i, 0);
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

bool player_set_view(struct player *player, struct tape_view *view)
{
	struct tape_reader reader;
	struct tape_entry entry;

	bool all = true;

	player->view = view;
	tape_reader_init(&reader);
	for (size_t i = 0; i < player->pieces->count; i++) {
		tape_feed(&reader, player->pieces->items[i].text, player->pieces->items[i].length);
		while (tape_read(&reader, &entry) > 0)
			all &= !lacks_key(&entry);
	}
	tape_reader_release(&reader);
	return all;
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

/* Reads the next entry, from the next piece if necessary; as tape_read. */
static int read_next(struct player *player, struct tape_entry *entry)
{
	int result;

	while ((result = tape_read(&player->reader, entry)) == 0 && player->piece < player->pieces->count) {
		const struct strbuf *piece = &player->pieces->items[player->piece++];

		tape_feed(&player->reader, piece->text, piece->length);
	}
	player->damaged |= result < 0;
	return result;
}

/* An entry belongs to a visit. */
static void use_for_visit(void *argument, size_t number)
{
	struct player *player = argument;

	player->answers[number].used = true;
}

/* Prepares the answers of a call for a session with other options. */
static void prepare_answers(struct player *player)
{
	if (!player->view)
		return;
	tape_visits_next(&player->visits);
	tape_visits_take(&player->visits, player->answers, sizeof(*player->answers), player->count,
			 use_for_visit, player);
	for (size_t i = 0; i < player->count; i++) {
		const struct tape_entry *entry = &player->answers[i].entry;

		if (entry->kind == TAPE_CLOCK && entry->a == CLOCK_MONOTONIC)
			player->end = (uint64_t)entry->result;
		if (entry->kind == TAPE_NOTE && entry->a == OUTSIDE_HOST_ANSWERED)
			idmap_put(&player->asked_in, entry->b, player->calls);
	}
}

/* Reads the answers up to the next call of the session, and keeps this one. */
static void read_answers(struct player *player)
{
	struct tape_entry entry;

	player->has_call = false;
	while (!player->damaged && read_next(player, &entry) > 0) {
		if (entry.kind == TAPE_SESSION) {
			player->call = entry;
			player->has_call = true;
			return;
		}
		if (player->view && !tape_view_change(player->view, &entry))
			continue;
		GROW(player->answers, player->count + 1, player->alloc);
		player->answers[player->count++] = (struct answer){ entry, false };
	}
}

/* Keeps the answers that the present call did not use, and applies what others build on. */
static void pass_answers(struct player *player)
{
	for (size_t i = 0; i < player->count; i++) {
		const struct answer *answer = &player->answers[i];

		if (answer->used)
			continue;
		keep(player, &answer->entry);
		if (answer->entry.kind == TAPE_RING_HEAD || answer->entry.kind == TAPE_REFRESH)
			apply(player, &answer->entry);
	}
	if (player->view)
		tape_view_forget(player->view);
	player->count = player->next = 0;
	player->unanswered = player->searched = 0;
}

int player_next(struct player *player, struct tape_entry *entry)
{
	bool unused;

	pass_unordered(player);
	unused = player->next < player->count;
	if (player->calls && unused && !player->view && !player->differences) {
		player->differences++;
		strbuf_addf(&player->difference, "in call %" PRIu64 " of the session, it does not ask for ",
			    player->calls);
		describe(&player->difference, &player->answers[player->next].entry);
	}
	pass_answers(player);
	if (!player->calls++)
		read_answers(player); /* the first call */
	pass_answers(player);
	if (!player->has_call)
		return player->damaged ? -1 : 0;
	*entry = player->call;
	read_answers(player);
	prepare_answers(player);
	return 1;
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
