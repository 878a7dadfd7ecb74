/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of Linux as the lists of monitor data can have them.
 *
 * A user gets a user id of 8 characters: its name in capitals, if that has at
 * most 8 characters, all of A-Z, 0-9, @ $ _ and -, and no
 * other user has got it. Otherwise as much of that as there is room for, '_'
 * for other characters, then '#' and the user number in base 36: no two users
 * share such an id, and the number can be read from it.
 *
 * A device gets a number of 2 bytes: major and minor number, a byte each, if
 * both are below 256 and no other device has got it. Otherwise one from F000
 * on that is free.
 *
 * Who got what, and the whole name, is written beside the lists.
 */
#ifndef VIGIL_METRICS_MONITOR_SHORT_NAMES_H
#define VIGIL_METRICS_MONITOR_SHORT_NAMES_H

#include "common/strbuf.h"

struct short_user {
	uint32_t number; /* of the user */
	char *name;	 /* owned; "" unknown */
	char id[9];
};

struct short_device {
	uint32_t major, minor;
	char *name; /* owned */
	uint16_t id;
};

/* All that were given out; zeroes are none. They stay as they are, and in order. */
struct short_names {
	struct short_user *users;
	size_t user_count, user_alloc;
	struct short_device *devices;
	size_t device_count, device_alloc;
	size_t collisions;	 /* that had to take another because theirs was taken */
	size_t left_out;	 /* devices for which there was no number */
	uint32_t spares;	 /* numbers of SPARE_DEVICES that were given away, the first of them */
	struct strbuf *collided; /* the first of them, a sentence; borrowed, NULL: nobody asks */
};

/* The user, or the device, with what it got; made when it is new. NULL: nothing is left. */
const struct short_user *short_names_user(struct short_names *names, uint32_t number,
					  const char *name);
const struct short_device *short_names_device(struct short_names *names, uint32_t major,
					      uint32_t minor, const char *name);
void short_names_release(struct short_names *names);

#endif
