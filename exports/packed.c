/* SPDX-License-Identifier: Apache-2.0 */
/* Exports as protocol buffers. */
#include "common/compat.h"
#include "exports/packed.h"
#include "common/utf8.h"
#include "common/xalloc.h"

#include <zlib.h>

/*
 * gzip header instead of zlib's, maximum window; fast compression, since most of
 * the file is numbers
 */
#define GZIP_WINDOW (MAX_WBITS + 16)
#define GZIP_LEVEL 2
enum { GZIP_MEMORY = 8, PIECE = 1 << 16 };

uint32_t packed_text(struct strmap *texts, const char *text)
{
	struct strbuf clean = STRBUF_INIT;
	uint32_t number;
	size_t length;

	for (; *text; text += length) {
		if (utf8_decode(text, &length) == UINT32_MAX)
			strbuf_addstr(&clean, "\xef\xbf\xbd");
		else
			strbuf_add(&clean, text, length);
	}
	number = strmap_put(texts, clean.text);
	strbuf_release(&clean);
	return number;
}

static void compress_all(struct exporting *exporting, uint8_t *data, size_t size)
{
	z_stream stream = { .next_in = data };
	int status = deflateInit2(&stream, GZIP_LEVEL, Z_DEFLATED, GZIP_WINDOW, GZIP_MEMORY,
				  Z_DEFAULT_STRATEGY);

	if (status != Z_OK) {
		error_set(&exporting->form_error, "the export cannot be compressed");
		return;
	}
	do {
		char piece[PIECE];
		size_t left = size - (size_t)(stream.next_in - data);

		stream.avail_in = left > PIECE ? PIECE : (uInt)left;
		stream.next_out = (Bytef *)piece;
		stream.avail_out = sizeof(piece);
		status = deflate(&stream, left > PIECE ? Z_NO_FLUSH : Z_FINISH);
		strbuf_add(&exporting->out, piece, sizeof(piece) - stream.avail_out);
		export_flush_if_large(exporting);
	} while (status == Z_OK || status == Z_BUF_ERROR);
	deflateEnd(&stream);
}

void packed_write(struct exporting *exporting, const ProtobufCMessage *message, bool compressed)
{
	size_t size = protobuf_c_message_get_packed_size(message);
	uint8_t *data = xcalloc(size + 1, 1);

	protobuf_c_message_pack(message, data);
	if (compressed) {
		compress_all(exporting, data, size);
	} else {
		strbuf_add(&exporting->out, data, size);
		export_flush_if_large(exporting);
	}
	free(data);
}
