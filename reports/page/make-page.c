/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Build tool that makes page-files.c: "make-page OUTPUT FILE...". Joins the files
 * that end with .css into the style of a page and those that end with .js into its
 * script, in their order, each with its hash.
 */
#include "common/compat.h"
#include "common/strbuf.h"

static const uint32_t primes[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t turn(uint32_t value, unsigned bits)
{
	return value >> bits | value << (32 - bits);
}

/* Adds a block of 64 bytes to a SHA-256 (FIPS 180-4). */
static void hash_block(uint32_t *state, const unsigned char *block)
{
	uint32_t words[64], s[8];

	for (size_t i = 0; i < 16; i++)
		words[i] = (uint32_t)block[i * 4] << 24 | (uint32_t)block[i * 4 + 1] << 16 |
			   (uint32_t)block[i * 4 + 2] << 8 | block[i * 4 + 3];
	for (size_t i = 16; i < 64; i++) {
		uint32_t a = words[i - 15], b = words[i - 2];

		words[i] = words[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) + words[i - 7] +
			   (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
	}
	memcpy(s, state, sizeof(s));
	for (size_t i = 0; i < 64; i++) {
		uint32_t first = s[7] + (turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25)) +
				 ((s[4] & s[5]) ^ (~s[4] & s[6])) + primes[i] + words[i];
		uint32_t second = (turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22)) +
				  ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));

		memmove(s + 1, s, 7 * sizeof(*s));
		s[4] += first;
		s[0] = first + second;
	}
	for (size_t i = 0; i < 8; i++)
		state[i] += s[i];
}

static void hash(const struct strbuf *text, unsigned char *digest)
{
	uint32_t state[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
			      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
	struct strbuf padded = STRBUF_INIT;
	uint64_t bits = (uint64_t)text->length * 8;

	strbuf_addbuf(&padded, text);
	strbuf_addch(&padded, (char)0x80);
	while (padded.length % 64 != 56)
		strbuf_addch(&padded, 0);
	for (int i = 7; i >= 0; i--)
		strbuf_addch(&padded, (char)(bits >> i * 8));
	for (size_t i = 0; i < padded.length; i += 64)
		hash_block(state, (const unsigned char *)padded.text + i);
	for (size_t i = 0; i < 32; i++)
		digest[i] = (unsigned char)(state[i / 4] >> (24 - i % 4 * 8));
	strbuf_release(&padded);
}

/* Writes the digest in base64. */
static void put_hash(FILE *stream, const struct strbuf *text)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	unsigned char digest[33] = { 0 };

	hash(text, digest);
	for (size_t i = 0; i < 33; i += 3) {
		uint32_t word = (uint32_t)digest[i] << 16 | (uint32_t)digest[i + 1] << 8 | digest[i + 2];

		fprintf(stream, "%c%c%c%c", digits[word >> 18], digits[word >> 12 & 63],
			digits[word >> 6 & 63], i == 30 ? '=' : digits[word & 63]);
	}
}

static void put_file(FILE *stream, const char *name, const struct strbuf *text)
{
	fprintf(stream, "static const unsigned char %s_bytes[] = {", name);
	for (size_t i = 0; i < text->length; i++)
		fprintf(stream, "%s%u,", i % 24 ? "" : "\n\t", (unsigned char)text->text[i]);
	fprintf(stream, "\n};\nconst struct page_file page_%s = { %s_bytes, %zu, \"sha256-", name, name,
		text->length);
	put_hash(stream, text);
	fprintf(stream, "\" };\n");
}

/*
 * Joins the files with an ending; returns false if one cannot be read, or contains
 * the end tag of its element.
 */
static bool join(struct strbuf *text, const char *ending, char **paths)
{
	for (; *paths; paths++) {
		size_t length = strlen(*paths), end = strlen(ending);

		if (length < end || strcmp(*paths + length - end, ending) != 0)
			continue;
		if (strbuf_read_file(text, *paths) < 0)
			return false;
		strbuf_addch(text, '\n');
	}
	return !strcasestr(text->text, "</script") && !strcasestr(text->text, "</style") &&
	       !strstr(text->text, "<!--");
}

int main(int argc, char **argv)
{
	struct strbuf style = STRBUF_INIT, script = STRBUF_INIT;
	FILE *stream = argc > 2 ? fopen(argv[1], "w") : NULL;

	if (!stream || !join(&style, ".css", argv + 2) || !join(&script, ".js", argv + 2))
		return 1;
	fprintf(stream, "/* Made by make-page. */\n#include \"common/compat.h\"\n"
			"#include \"reports/page/page-files.h\"\n");
	put_file(stream, "style", &style);
	put_file(stream, "script", &script);
	strbuf_release(&style);
	strbuf_release(&script);
	return fclose(stream) == 0 ? 0 : 1;
}
