/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of Linux in the short form of monitor data's lists.
 *
 * A user gets a user id of 8 characters: its name in capitals, if that has at most
 * 8 characters, all of A-Z, 0-9, @ $ _ and -, and no other user has it. Otherwise
 * as much of that as fits, '_' for other characters, then '#' and the user number
 * in base 36: no two users share such an id, and the number can be read from it.
 *
 * A device gets a number of 2 bytes: major and minor number, a byte each, if both
 * are below 256 and no other device has it. Otherwise an unused one from F000 on.
 *
 * The assignments, with the full names, are written along with the lists.
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

/* All assigned names, zero-initialized. They do not change, and stay in order. */
struct short_names {
	struct short_user *users;
	size_t user_count, user_alloc;
	struct short_device *devices;
	size_t device_count, device_alloc;
	size_t collisions;	 /* number of those that got another name because theirs was in
				  * use */
	size_t left_out;	 /* number of devices for which there was no number */
	uint32_t spares;	 /* numbers from SPARE_DEVICES on that were assigned */
	struct strbuf *collided; /* the first collision as a sentence; borrowed, NULL: not wanted */
};

/*
 * Return the user, or the device, with its short name; assigned when it is new.
 * NULL: none is left.
 */
const struct short_user *short_names_user(struct short_names *names, uint32_t number,
					  const char *name);
const struct short_device *short_names_device(struct short_names *names, uint32_t major,
					      uint32_t minor, const char *name);
void short_names_release(struct short_names *names);

#endif
