/* SPDX-License-Identifier: Apache-2.0 */
/* Parses and creates the descriptors of records of variable length. */
#include "common/compat.h"
#include "datasets/records-variable.h"

#define SHORT_LONGEST ((size_t)65535)
#define LONG_LONGEST ((size_t)256 * 1024 * 1024) /* GnuCOBOL's maximum */

int record_descriptor_init(struct record_descriptor *descriptor, size_t longest, struct error *err)
{
	const char *text = getenv("COB_VARSEQ_FORMAT");
	size_t limit;

	if (!text || !*text)
		text = "0";
	RETURN_IF(text[0] < '0' || text[0] > '3' || text[1],
		  error_set(err, "COB_VARSEQ_FORMAT=%s is not known; expected 0, 1, 2 or 3", text));
	descriptor->format = (unsigned)(text[0] - '0');
	descriptor->size = descriptor->format == 3 ? 2 : 4;
	limit = descriptor->format % 3 == 0 ? SHORT_LONGEST : LONG_LONGEST;
	descriptor->longest = longest > 0 && longest < limit ? longest : limit;
	return 0;
}

size_t record_descriptor_length(const struct record_descriptor *descriptor, const char *bytes)
{
	const unsigned char *at = (const unsigned char *)bytes;
	size_t pair = (size_t)at[0] << 8 | at[1];
	uint32_t native;

	switch (descriptor->format) {
	case 0:
		return at[2] == 0 && at[3] == 0 ? pair : SIZE_MAX;
	case 1:
		return pair << 16 | (size_t)at[2] << 8 | at[3];
	case 2:
		memcpy(&native, bytes, sizeof(native));
		return native;
	default:
		return pair;
	}
}

void record_descriptor_put(const struct record_descriptor *descriptor, char *bytes, size_t length)
{
	uint32_t native = (uint32_t)length;
	size_t high = descriptor->format == 1 ? 2 : 0;

	memset(bytes, 0, descriptor->size);
	if (descriptor->format == 2) {
		memcpy(bytes, &native, sizeof(native));
		return;
	}
	bytes[high] = (char)(length >> 8);
	bytes[high + 1] = (char)length;
	if (high) {
		bytes[0] = (char)(length >> 24);
		bytes[1] = (char)(length >> 16);
	}
}
