/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Packs incompressible bytes as literals of a deflate stream (RFC 1951). A general
 * compressor spends most of its time searching for repetitions, which the low
 * digits of times do not have.
 */
#include "common/compat.h"
#include "engine/dataset-format.h"

#include <endian.h>

/*
 * Literals and the end of a block; maximum length of a deflate code, and of a code
 * of lengths as used here.
 */
enum { SYMBOLS = 257, END = 256, LONGEST = 15 };

/* The order in which deflate stores the lengths of codes 0 to 18; all of them are stored. */
enum { LENGTH_CODES = 19 };

struct code {
	uint16_t bits; /* the first bit is the lowest */
	uint16_t length;
};

/* Bits being written to memory that must be large enough. */
struct bits {
	uint64_t waiting;
	unsigned count; /* below 8 after a flush */
	unsigned char *at;
};

static inline void put_bits(struct bits *bits, uint64_t value, unsigned count)
{
	bits->waiting |= value << bits->count;
	bits->count += count;
}

/* Writes out whole bytes; 8 bytes must be available. */
static inline void flush_bits(struct bits *bits)
{
	uint64_t little = htole64(bits->waiting);

	memcpy(bits->at, &little, sizeof(little));
	bits->at += bits->count >> 3;
	bits->waiting >>= bits->count & ~7U;
	bits->count &= 7;
}

/* Counts how often each byte occurs, and the end once. */
static void count_bytes(const unsigned char *data, size_t length, uint32_t counts[SYMBOLS])
{
	uint32_t other[2][END] = { 0 };

	memset(counts, 0, SYMBOLS * sizeof(*counts));
	for (size_t i = 0; i + 1 < length; i += 2) {
		other[0][data[i]]++;
		other[1][data[i + 1]]++;
	}
	if (length % 2)
		other[0][data[length - 1]]++;
	for (unsigned i = 0; i < END; i++)
		counts[i] = other[0][i] + other[1][i];
	counts[END] = 1;
}

/* A leaf (symbol), or an inner node that joins two nodes of the tree. */
struct node {
	uint32_t count;
	uint16_t symbol; /* for a leaf */
	uint16_t parent;
};

static int by_count(const void *a, const void *b)
{
	const struct node *left = a, *right = b;

	if (left->count != right->count)
		return left->count < right->count ? -1 : 1;
	return left->symbol < right->symbol ? -1 : left->symbol > right->symbol;
}

/* Returns the smaller of the first leaf and the first inner node that have no parent yet. */
static unsigned take_rarest(const struct node *nodes, unsigned leaves, unsigned end, unsigned *leaf,
			   unsigned *joined)
{
	if (*leaf < leaves && (*joined >= end || nodes[*leaf].count <= nodes[*joined].count))
		return (*leaf)++;
	return (*joined)++;
}

/* Determines the lengths of the Huffman codes by symbol. Returns the longest. */
static unsigned find_lengths(const uint32_t counts[SYMBOLS], uint8_t lengths[SYMBOLS])
{
	struct node nodes[2 * SYMBOLS];
	uint8_t depth[2 * SYMBOLS];
	unsigned leaves = 0, leaf = 0, joined, end, longest = 0;

	for (unsigned i = 0; i < SYMBOLS; i++)
		if (counts[i])
			nodes[leaves++] = (struct node){ counts[i], (uint16_t)i, 0 };
	qsort(nodes, leaves, sizeof(*nodes), by_count);
	joined = end = leaves;
	while (end < 2 * leaves - 1) {
		unsigned a = take_rarest(nodes, leaves, end, &leaf, &joined);
		unsigned b = take_rarest(nodes, leaves, end, &leaf, &joined);

		nodes[a].parent = nodes[b].parent = (uint16_t)end;
		nodes[end++] = (struct node){ nodes[a].count + nodes[b].count, 0, 0 };
	}
	memset(lengths, 0, SYMBOLS);
	depth[end - 1] = 0;
	for (unsigned i = end - 1; i-- > 0;) {
		depth[i] = (uint8_t)(depth[nodes[i].parent] + 1);
		if (i < leaves)
			lengths[nodes[i].symbol] = depth[i];
		longest = depth[i] > longest ? depth[i] : longest;
	}
	return longest;
}

/* Assigns the codes of given lengths as deflate does. */
static void make_codes(const uint8_t *lengths, unsigned symbols, struct code *codes)
{
	unsigned of_length[LONGEST + 1] = { 0 }, next[LONGEST + 2] = { 0 };

	for (unsigned i = 0; i < symbols; i++)
		of_length[lengths[i]]++;
	of_length[0] = 0;
	for (unsigned length = 1; length <= LONGEST; length++)
		next[length + 1] = (next[length] + of_length[length]) << 1;
	for (unsigned i = 0; i < symbols; i++) {
		unsigned code = lengths[i] ? next[lengths[i]]++ : 0;

		codes[i] = (struct code){ 0, lengths[i] };
		for (unsigned bit = 0; bit < lengths[i]; bit++)
			codes[i].bits |= (uint16_t)((code >> bit & 1) << (lengths[i] - 1 - bit));
	}
}

/* Writes the head of a block: the length of each code, coded with 4 bits or, if rare, 5. */
static void put_lengths(struct bits *bits, const uint8_t lengths[SYMBOLS])
{
	static const uint8_t order[LENGTH_CODES] = { 16, 17, 18, 0, 8,	7, 9,  6, 10, 5,
						     11, 4,  12, 3, 13, 2, 14, 1, 15 };
	uint8_t of_lengths[LENGTH_CODES];
	struct code codes[LENGTH_CODES];

	for (unsigned i = 0; i < LENGTH_CODES; i++)
		of_lengths[i] = i < 13 ? 4 : 5;
	make_codes(of_lengths, LENGTH_CODES, codes);
	/*
	 * Not the last block, dynamic codes: only literals, one unused distance, all codes
	 * of lengths.
	 */
	put_bits(bits, 0 | 2 << 1 | 0 << 3 | 0 << 8 | (LENGTH_CODES - 4) << 13, 17);
	for (unsigned i = 0; i < LENGTH_CODES; i++) {
		flush_bits(bits);
		put_bits(bits, of_lengths[order[i]], 3);
	}
	for (unsigned i = 0; i <= SYMBOLS; i++) {
		struct code code = codes[i < SYMBOLS ? lengths[i] : 0];

		flush_bits(bits);
		put_bits(bits, code.bits, code.length);
	}
}

void dataset_put_literals(struct strbuf *out, const void *data, size_t length)
{
	const unsigned char *at = data, *end = at + length;
	uint32_t counts[SYMBOLS];
	uint8_t lengths[SYMBOLS];
	struct code codes[SYMBOLS];
	struct bits bits = { 0 };

	count_bytes(data, length, counts);
	while (find_lengths(counts, lengths) > LONGEST)
		for (unsigned i = 0; i < SYMBOLS; i++)
			counts[i] = counts[i] / 2 + counts[i] % 2;
	make_codes(lengths, SYMBOLS, codes);
	strbuf_grow(out, length * 2 + SYMBOLS + sizeof(uint64_t) * 8);
	bits.at = (unsigned char *)out->text + out->length;
	put_lengths(&bits, lengths);
	/* Three fit next to the bits left over. */
	for (; end - at >= 3; at += 3) {
		flush_bits(&bits);
		put_bits(&bits, codes[at[0]].bits, codes[at[0]].length);
		put_bits(&bits, codes[at[1]].bits, codes[at[1]].length);
		put_bits(&bits, codes[at[2]].bits, codes[at[2]].length);
	}
	for (; at < end; at++) {
		flush_bits(&bits);
		put_bits(&bits, codes[*at].bits, codes[*at].length);
	}
	flush_bits(&bits);
	put_bits(&bits, codes[END].bits, codes[END].length);
	/* An empty stored block ends at a byte boundary. */
	put_bits(&bits, 0, 3);
	flush_bits(&bits);
	put_bits(&bits, 0, bits.count ? 8 - bits.count : 0);
	put_bits(&bits, UINT64_C(0xffff0000), 32);
	flush_bits(&bits);
	out->length = (size_t)((char *)bits.at - out->text);
	out->text[out->length] = '\0';
}
