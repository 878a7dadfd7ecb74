/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Part of libsampler.
 *
 * Visits to files on a tape: a file or folder that is opened, read and closed within
 * one call of the session. A session with other options than the recorded one visits
 * files in another order, more often, or less: it gets the next visit to the path in
 * the same call, or else the last one before.
 */
#ifndef VIGIL_SAMPLER_RECORDING_TAPE_VISITS_H
#define VIGIL_SAMPLER_RECORDING_TAPE_VISITS_H

#include "common/idmap.h"
#include "sampler/recording/tape.h"

/* Descriptors of visits are from here on. */
#define TAPE_VISIT_FIRST (1 << 24)

/* One result of reading. */
struct tape_part {
	enum tape_kind kind; /* TAPE_READ or TAPE_ENTRIES */
	int64_t offset;	     /* -1: where the one before ended */
	const void *data;    /* of the tape */
	size_t size;
	int error; /* 0: it was read */
};

struct tape_visit {
	uint64_t path; /* hash */
	int error;     /* 0: it was opened */
	bool used;
	size_t first, count; /* parts */
};

/* A visit that is being made. */
struct tape_visitor {
	size_t visit; /* number */
	size_t next;  /* parts read in order */
	bool open;
};

struct tape_visits {
	struct tape_part *parts;
	size_t part_count, part_alloc;
	struct tape_visit *items;
	size_t count, alloc;
	size_t present;	   /* number of the first one of the present call */
	struct idmap last; /* hash of a path -> number + 1 of the last one before the present call */
	struct tape_visitor *visitors;
	size_t visitor_count, visitor_alloc;
};

void tape_visits_init(struct tape_visits *visits);
void tape_visits_release(struct tape_visits *visits);
/* Begins the next call: those of the present one become the last of their paths. */
void tape_visits_next(struct tape_visits *visits);
/*
 * Takes the visits out of count entries of a call, at entries, each entry_size bytes:
 * calls use with the number of each entry that belongs to one.
 */
void tape_visits_take(struct tape_visits *visits, const void *entries, size_t entry_size, size_t count,
		      void (*use)(void *argument, size_t number), void *argument);
/*
 * Visits a path: returns a descriptor from TAPE_VISIT_FIRST on; -1 with errno set: it
 * could not be opened; -2: there was no visit.
 */
int tape_visits_open(struct tape_visits *visits, const char *path);
/* Reads in a visit, as TAPE_READ or TAPE_ENTRIES; as read(2). */
ssize_t tape_visits_read(struct tape_visits *visits, int fd, enum tape_kind kind, int64_t offset, void *buffer,
			 size_t size);
int tape_visits_close(struct tape_visits *visits, int fd);

#endif
