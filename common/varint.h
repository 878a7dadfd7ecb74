/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers of variable length: 7 bits in each byte, the low ones first; all bytes
 * but the last have bit 7 set. Signed numbers are zig-zagged, so that small
 * negative ones are short, too.
 */
#ifndef VIGIL_COMMON_VARINT_H
#define VIGIL_COMMON_VARINT_H

#include <stdbool.h>
#include <stdint.h>

/* Maximum bytes of a number of 64 bits. */
#define VARINT_MAX 10

/* Returns the number of bytes of a number. */
static inline unsigned varint_size(uint64_t value)
{
	unsigned bits = 64U - (unsigned)__builtin_clzll(value | 1);

	return (bits * 37 + 222) >> 8;
}

/* Writes a number where VARINT_MAX bytes are available. Returns the address after it. */
static inline unsigned char *varint_write(unsigned char *at, uint64_t value)
{
	/* One or two bytes without a branch, which would be unpredictable. */
	if (value < 1U << 14) {
		unsigned longer = value > 127;

		at[0] = (unsigned char)(value | longer << 7);
		at[1] = (unsigned char)(value >> 7);
		return at + 1 + longer;
	}
	while (value > 127) {
		*at++ = (unsigned char)(value | 128);
		value >>= 7;
	}
	*at++ = (unsigned char)value;
	return at;
}

/*
 * Reads a number at *at, which ends before end, and moves *at behind it. Returns
 * false if it is truncated or too long; *at is then end.
 */
static inline bool varint_read(const unsigned char **at, const unsigned char *end, uint64_t *value)
{
	*value = 0;
	if (*at < end && **at < 128) {
		*value = *(*at)++;
		return true;
	}
	for (unsigned shift = 0; shift < 64 && *at < end; shift += 7) {
		const unsigned char byte = *(*at)++;

		*value |= (uint64_t)(byte & 127) << shift;
		if (byte < 128)
			return true;
	}
	*value = 0;
	*at = end;
	return false;
}

static inline uint64_t varint_zigzag(uint64_t value)
{
	return value << 1 ^ -(value >> 63);
}

static inline uint64_t varint_unzigzag(uint64_t value)
{
	return value >> 1 ^ -(value & 1);
}

#endif
