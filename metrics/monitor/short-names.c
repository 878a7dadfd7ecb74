/* SPDX-License-Identifier: Apache-2.0 */
/* Assigns to users and devices the short names that fit into monitor data. */
#include "common/compat.h"
#include "metrics/monitor/short-names.h"
#include "common/xalloc.h"

#define ID_LENGTH 8
/* First device number for devices whose real numbers do not fit. */
#define SPARE_DEVICES 0xf000u

/* Returns the character of a user id for one of a name; '_' if it is not allowed. */
static char fold(char c)
{
	if (c >= 'a' && c <= 'z')
		return (char)(c - 'a' + 'A');
	if ((c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '@' || c == '$' || c == '-')
		return c;
	return '_';
}

/* Returns whether a name fits into a user id and folding changes only its case. */
static bool is_plain(const char *name)
{
	size_t length = strlen(name);

	for (size_t i = 0; i < length; i++)
		if (fold(name[i]) == '_' && name[i] != '_')
			return false;
	return length > 0 && length <= ID_LENGTH;
}

/* Makes the name with the number appended. */
static void make_numbered(char id[ID_LENGTH + 1], uint32_t number, const char *name)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char *end = id + ID_LENGTH, *at = end, *from = id;

	*at = '\0';
	do {
		*--at = digits[number % 36];
		number /= 36;
	} while (number);
	*--at = '#';
	while (*name && from < at)
		*from++ = fold(*name++);
	memmove(from, at, (size_t)(end - at) + 1);
}

static const struct short_user *find_id(const struct short_names *names, const char *id)
{
	for (size_t i = 0; i < names->user_count; i++)
		if (strcmp(names->users[i].id, id) == 0)
			return &names->users[i];
	return NULL;
}

/* Records that a wanted name is in use. */
static void collide(struct short_names *names, const char *wanted, const char *who,
		    const char *other, const char *got)
{
	if (!names->collisions++ && names->collided)
		strbuf_addf(names->collided, "%s and %s would both be %s: %s is %s", other, who,
			    wanted, who, got);
}

const struct short_user *short_names_user(struct short_names *names, uint32_t number,
					  const char *name)
{
	const struct short_user *other = NULL;
	struct short_user user = { .number = number };
	char wanted[ID_LENGTH + 1];

	for (size_t i = 0; i < names->user_count; i++)
		if (names->users[i].number == number)
			return &names->users[i];
	if (is_plain(name)) {
		for (size_t i = 0; i <= strlen(name); i++)
			user.id[i] = name[i] ? fold(name[i]) : '\0';
		other = find_id(names, user.id);
	}
	memcpy(wanted, user.id, sizeof(wanted));
	if (!user.id[0] || other)
		make_numbered(user.id, number, name);
	if (other)
		collide(names, wanted, name, other->name, user.id);
	user.name = xstrdup(name);
	GROW(names->users, names->user_count + 1, names->user_alloc);
	names->users[names->user_count++] = user;
	return &names->users[names->user_count - 1];
}

static const struct short_device *find_device(const struct short_names *names, uint32_t id)
{
	for (size_t i = 0; i < names->device_count; i++)
		if (names->devices[i].id == id)
			return &names->devices[i];
	return NULL;
}

/* Returns an unused device number, 0x10000: none. Numbers once assigned are not reused. */
static uint32_t spare_device(struct short_names *names)
{
	while (SPARE_DEVICES + names->spares <= UINT16_MAX &&
	       find_device(names, SPARE_DEVICES + names->spares))
		names->spares++;
	return SPARE_DEVICES + names->spares;
}

const struct short_device *short_names_device(struct short_names *names, uint32_t major,
					      uint32_t minor, const char *name)
{
	const struct short_device *other = NULL;
	bool fits = major < 256 && minor < 256;
	uint32_t id = major << 8 | minor;
	char wanted[8], got[8];

	for (size_t i = 0; i < names->device_count; i++)
		if (names->devices[i].major == major && names->devices[i].minor == minor)
			return &names->devices[i];
	if (fits)
		other = find_device(names, id);
	snprintf(wanted, sizeof(wanted), "%04X", id & UINT16_MAX);
	if (!fits || other)
		id = spare_device(names);
	snprintf(got, sizeof(got), "%04X", id & UINT16_MAX);
	if (other)
		collide(names, wanted, name, other->name, id > UINT16_MAX ? "left out" : got);
	if (id > UINT16_MAX) {
		names->left_out++;
		return NULL;
	}
	GROW(names->devices, names->device_count + 1, names->device_alloc);
	names->devices[names->device_count++] = (struct short_device){
		.major = major, .minor = minor, .name = xstrdup(name), .id = (uint16_t)id
	};
	return &names->devices[names->device_count - 1];
}

void short_names_release(struct short_names *names)
{
	for (size_t i = 0; i < names->user_count; i++)
		free(names->users[i].name);
	for (size_t i = 0; i < names->device_count; i++)
		free(names->devices[i].name);
	free(names->users);
	free(names->devices);
	*names = (struct short_names){ 0 };
}
