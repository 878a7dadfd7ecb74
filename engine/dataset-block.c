/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of a sample data set: heads, checksums and compression. */
#include "common/compat.h"
#include "engine/dataset-format.h"
#include "common/xalloc.h"

#include <endian.h>
#include <zlib.h>

/*
 * Level, window and memory of zlib, chosen with bench-dataset for the small blocks
 * of a running session: a state of some 64 KB stays in the cache along with the
 * measured step's data.
 */
enum { PACK_LEVEL = 3, PACK_LEVEL_EVENTS = 1, PACK_WINDOW = 13, PACK_MEMORY = 6 };
/*
 * Longer blocks, as those of a recording, have what recurs farther apart: with the
 * full window they take a third to a half of the bytes, and less time.
 */
enum { PACK_LARGE = 32768, PACK_WINDOW_LARGE = 15, PACK_MEMORY_LARGE = 8 };

/*
 * Minimum lengths: shorter content is not worth compressing, fewer literals are
 * not worth a separate Huffman code.
 */
enum { PACK_MIN = 48, LITERALS_MIN = 1024 };

/* Head of a zlib stream (RFC 1950) with this window and the fastest compression. */
#define ZLIB_HEAD "\x58\x09"
_Static_assert(PACK_WINDOW == 13, "the head says so");

/* Compresses and decompresses; either half is initialized at its first use. */
struct dataset_packer {
	z_stream deflate, inflate;
	z_stream large; /* for large blocks */
	z_stream rest;	/* for blocks that begin with literals: raw, without head and checksum */
	bool deflate_up, large_up, inflate_up, rest_up;
};

struct dataset_packer *dataset_packer_new(void)
{
	return xcalloc(1, sizeof(struct dataset_packer));
}

void dataset_packer_free(struct dataset_packer *packer)
{
	if (!packer)
		return;
	if (packer->deflate_up)
		deflateEnd(&packer->deflate);
	if (packer->large_up)
		deflateEnd(&packer->large);
	if (packer->rest_up)
		deflateEnd(&packer->rest);
	if (packer->inflate_up)
		inflateEnd(&packer->inflate);
	free(packer);
}

/* Writes a number of 16 bits, little endian. */
static void put_u16(unsigned char *at, unsigned value)
{
	uint16_t little = htole16((uint16_t)value);

	memcpy(at, &little, sizeof(little));
}

/* Writes a number of 32 bits, little endian. */
static void put_u32(unsigned char *at, uint32_t value)
{
	uint32_t little = htole32(value);

	memcpy(at, &little, sizeof(little));
}

/* Reads a number of 16 bits, little endian. */
static unsigned get_u16(const unsigned char *at)
{
	uint16_t little;

	memcpy(&little, at, sizeof(little));
	return le16toh(little);
}

/* Reads a number of 32 bits, little endian. */
static uint32_t get_u32(const unsigned char *at)
{
	uint32_t little;

	memcpy(&little, at, sizeof(little));
	return le32toh(little);
}

/* Returns the checksum of the format: the CRC-32 of zlib. */
static uint32_t checksum(const void *data, size_t length)
{
	return (uint32_t)crc32_z(0, data, length);
}

void dataset_put_header(struct strbuf *out)
{
	unsigned char header[DATASET_HEADER_SIZE] = DATASET_MAGIC;

	put_u16(header + 8, DATASET_MAJOR);
	put_u16(header + 10, DATASET_MINOR);
	put_u32(header + 12, checksum(header, 12));
	strbuf_add(out, header, sizeof(header));
}

bool dataset_get_header(const unsigned char header[DATASET_HEADER_SIZE], unsigned *major,
			unsigned *minor)
{
	if (memcmp(header, DATASET_MAGIC, 8) != 0 || get_u32(header + 12) != checksum(header, 12))
		return false;
	*major = get_u16(header + 8);
	*minor = get_u16(header + 10);
	return true;
}

/* Fills in a block's head. */
static void put_head(unsigned char head[DATASET_BLOCK_SIZE], const struct dataset_block *block)
{
	memcpy(head, DATASET_MARKER, 4);
	put_u16(head + 4, block->type);
	head[6] = (unsigned char)block->packing;
	head[7] = 0;
	put_u32(head + 8, block->stored);
	put_u32(head + 12, block->content);
	put_u32(head + 16, block->checksum);
	put_u32(head + 20, checksum(head, 20));
}

bool dataset_get_block(const unsigned char head[DATASET_BLOCK_SIZE], struct dataset_block *block)
{
	if (memcmp(head, DATASET_MARKER, 4) != 0 || get_u32(head + 20) != checksum(head, 20))
		return false;
	block->type = get_u16(head + 4);
	block->packing = head[6];
	block->stored = get_u32(head + 8);
	block->content = get_u32(head + 12);
	block->checksum = get_u32(head + 16);
	return true;
}

/*
 * Prepares a compression stream for a block. Returns false without memory: blocks
 * are then stored uncompressed.
 */
static bool start_packing(z_stream *stream, bool *up, int level, int window, int memory)
{
	if (*up)
		return deflateReset(stream) == Z_OK;
	*up = deflateInit2(stream, level, Z_DEFLATED, window, memory, Z_DEFAULT_STRATEGY) ==
	      Z_OK;
	return *up;
}

/* Appends content compressed by a stream, at most most bytes. Returns false when it takes more. */
static bool finish_packing(z_stream *stream, struct strbuf *out, char *content, size_t length,
			   size_t most)
{
	strbuf_grow(out, most);
	stream->next_in = (unsigned char *)content;
	stream->avail_in = (uInt)length;
	stream->next_out = (unsigned char *)out->text + out->length;
	stream->avail_out = (uInt)most;
	RETURN_IF(deflate(stream, Z_FINISH) != Z_STREAM_END, false);
	out->length += stream->total_out;
	out->text[out->length] = '\0';
	return true;
}

/*
 * Appends content as a zlib stream that begins with literals. Returns false when
 * it is not shorter.
 */
static bool pack_literals(struct dataset_packer *packer, struct strbuf *out,
			  const struct strbuf *content, size_t literals)
{
	uint32_t sum = (uint32_t)adler32_z(1, (unsigned char *)content->text, content->length);
	const uint32_t big = htobe32(sum);
	size_t start = out->length, packed;

	RETURN_IF(!start_packing(&packer->rest, &packer->rest_up, PACK_LEVEL_EVENTS, -PACK_WINDOW,
				 PACK_MEMORY),
		  false);
	strbuf_add(out, ZLIB_HEAD, 2);
	dataset_put_literals(out, content->text, literals);
	packed = out->length - start + sizeof(big);
	RETURN_IF(packed >= content->length ||
			  !finish_packing(&packer->rest, out, content->text + literals,
					  content->length - literals, content->length - packed - 1),
		  false);
	strbuf_add(out, &big, sizeof(big));
	return true;
}

/* Appends compressed content. Returns its compressed length, 0 when it is not shorter. */
static size_t pack(struct dataset_packer *packer, struct strbuf *out, const struct strbuf *content,
		   size_t literals)
{
	bool large = content->length >= PACK_LARGE;
	z_stream *stream = large ? &packer->large : &packer->deflate;
	size_t start = out->length;
	bool packed;

	RETURN_IF(content->length < PACK_MIN, 0);
	if (literals >= LITERALS_MIN)
		packed = pack_literals(packer, out, content, literals);
	else
		packed = start_packing(stream, large ? &packer->large_up : &packer->deflate_up, PACK_LEVEL,
				       large ? PACK_WINDOW_LARGE : PACK_WINDOW,
				       large ? PACK_MEMORY_LARGE : PACK_MEMORY) &&
			 finish_packing(stream, out, content->text, content->length, content->length - 1);
	if (!packed)
		strbuf_setlen(out, start);
	return out->length - start;
}

void dataset_put_block(struct dataset_packer *packer, struct strbuf *out, unsigned type,
		       const struct strbuf *content, size_t literals)
{
	struct dataset_block block = { .type = type, .content = (uint32_t)content->length };
	unsigned char head[DATASET_BLOCK_SIZE] = { 0 };
	size_t start = out->length;
	size_t stored;

	assert(content->length <= DATASET_MAX_CONTENT);
	strbuf_add(out, head, sizeof(head));
	stored = pack(packer, out, content, literals);
	block.packing = stored ? PACKING_ZLIB : PACKING_NONE;
	if (!stored) {
		stored = content->length;
		strbuf_addbuf(out, content);
	}
	block.stored = (uint32_t)stored;
	block.checksum = checksum(out->text + start + sizeof(head), stored);
	put_head(head, &block);
	memcpy(out->text + start, head, sizeof(head));
}

bool dataset_payload_is_whole(const struct dataset_block *block, const unsigned char *payload)
{
	return checksum(payload, block->stored) == block->checksum;
}

/* Prepares the decompression half for a block. */
static bool start_unpacking(struct dataset_packer *packer)
{
	if (packer->inflate_up)
		return inflateReset(&packer->inflate) == Z_OK;
	packer->inflate_up = inflateInit2(&packer->inflate, 15) == Z_OK;
	return packer->inflate_up;
}

/* Decompresses a zlib stream, which must give exactly the content length announced. */
static bool unpack_zlib(struct dataset_packer *packer, const struct dataset_block *block,
			const unsigned char *payload, struct strbuf *content)
{
	z_stream *stream = &packer->inflate;

	RETURN_IF(!start_unpacking(packer), false);
	strbuf_grow(content, block->content);
	stream->next_in = (unsigned char *)payload;
	stream->avail_in = block->stored;
	stream->next_out = (unsigned char *)content->text;
	stream->avail_out = block->content;
	RETURN_IF(inflate(stream, Z_FINISH) != Z_STREAM_END, false);
	RETURN_IF(stream->total_out != block->content || stream->avail_in != 0, false);
	content->length = block->content;
	content->text[content->length] = '\0';
	return true;
}

bool dataset_unpack(struct dataset_packer *packer, const struct dataset_block *block,
		    const unsigned char *payload, struct strbuf *content)
{
	strbuf_reset(content);
	RETURN_IF(block->content > DATASET_MAX_CONTENT, false);
	if (block->packing == PACKING_ZLIB)
		return unpack_zlib(packer, block, payload, content);
	RETURN_IF(block->packing != PACKING_NONE || block->stored != block->content, false);
	strbuf_add(content, payload, block->stored);
	return true;
}
