/* SPDX-License-Identifier: Apache-2.0 */
/* Decompresses zstd, if libzstd is available. */
#include "common/compat.h"
#include "session/import/perf-data/perf-unpack.h"
#include "common/xalloc.h"

#ifdef HAVE_ZSTD
#include <zstd.h>

#define CHUNK 65536

struct perf_unpack {
	ZSTD_DStream *stream;
	unsigned char chunk[CHUNK];
};

struct perf_unpack *perf_unpack_new(void)
{
	struct perf_unpack *unpack = xcalloc(1, sizeof(*unpack));

	unpack->stream = ZSTD_createDStream();
	if (!unpack->stream || ZSTD_isError(ZSTD_initDStream(unpack->stream))) {
		perf_unpack_free(unpack);
		return NULL;
	}
	return unpack;
}

void perf_unpack_free(struct perf_unpack *unpack)
{
	if (!unpack)
		return;
	ZSTD_freeDStream(unpack->stream);
	free(unpack);
}

bool perf_unpack_piece(struct perf_unpack *unpack, const unsigned char *piece, size_t size,
		       perf_take_unpacked *take, void *argument)
{
	ZSTD_inBuffer in = { piece, size, 0 };
	ZSTD_outBuffer out;

	do {
		out = (ZSTD_outBuffer){ unpack->chunk, sizeof(unpack->chunk), 0 };
		if (ZSTD_isError(ZSTD_decompressStream(unpack->stream, &out, &in)))
			return false;
		if (out.pos && !take(argument, unpack->chunk, out.pos))
			return true;
	} while (in.pos < in.size || out.pos == out.size);
	return true;
}

#else

struct perf_unpack *perf_unpack_new(void)
{
	return NULL;
}

void perf_unpack_free(struct perf_unpack *unpack UNUSED)
{
}

bool perf_unpack_piece(struct perf_unpack *unpack UNUSED, const unsigned char *piece UNUSED,
		       size_t size UNUSED, perf_take_unpacked *take UNUSED, void *argument UNUSED)
{
	return false;
}

#endif
