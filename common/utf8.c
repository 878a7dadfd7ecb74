/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes UTF-8. */
#include "common/compat.h"
#include "common/utf8.h"

/* Returns how many bytes follow a lead byte, or -1 if it is not a lead byte. */
static int following_bytes(unsigned char lead)
{
	if (lead < 0x80)
		return 0;
	if (lead >= 0xc2 && lead < 0xe0)
		return 1;
	if (lead >= 0xe0 && lead < 0xf0)
		return 2;
	return lead >= 0xf0 && lead < 0xf5 ? 3 : -1;
}

uint32_t utf8_decode(const char *text, size_t *length)
{
	static const uint32_t smallest[] = { 0, 0x80, 0x800, 0x10000 };
	static const uint32_t mask[] = { 0x7f, 0x1f, 0x0f, 0x07 };
	unsigned char lead = (unsigned char)text[0];
	int more = following_bytes(lead);
	uint32_t code;

	*length = lead ? 1 : 0;
	if (more < 0)
		return UINT32_MAX;
	code = lead & mask[more];
	for (int i = 1; i <= more; i++) {
		unsigned char byte = (unsigned char)text[i];

		if ((byte & 0xc0) != 0x80)
			return UINT32_MAX;
		code = code << 6 | (byte & 0x3f);
	}
	if (code < smallest[more] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
		return UINT32_MAX;
	if (lead)
		*length = (size_t)more + 1;
	return code;
}
