/* SPDX-License-Identifier: Apache-2.0 */
/* The table of signs of zoned decimal numbers. */
#include "common/compat.h"
#include "datasets/signs.h"

#include <strings.h>

#define ENTRY(kind, negative, digit) ((kind) << 5 | (negative) << 4 | (digit))
/* The digits 1 to 9, as bytes from first on. */
#define DIGITS(first, kind, negative) \
	[(first)] = ENTRY(kind, negative, 1), [(first) + 1] = ENTRY(kind, negative, 2), \
	[(first) + 2] = ENTRY(kind, negative, 3), [(first) + 3] = ENTRY(kind, negative, 4), \
	[(first) + 4] = ENTRY(kind, negative, 5), [(first) + 5] = ENTRY(kind, negative, 6), \
	[(first) + 6] = ENTRY(kind, negative, 7), [(first) + 7] = ENTRY(kind, negative, 8), \
	[(first) + 8] = ENTRY(kind, negative, 9)

const unsigned char signs_table[256] = {
	['0'] = ENTRY(SIGN_PLAIN, 0, 0),  DIGITS('1', SIGN_PLAIN, 0),
	['p'] = ENTRY(SIGN_ASCII, 1, 0),  DIGITS('q', SIGN_ASCII, 1),
	['{'] = ENTRY(SIGN_EBCDIC, 0, 0), DIGITS('A', SIGN_EBCDIC, 0),
	['}'] = ENTRY(SIGN_EBCDIC, 1, 0), DIGITS('J', SIGN_EBCDIC, 1),
};

char sign_byte(unsigned digit, bool negative, bool marked, enum sign_kind kind)
{
	static const char plain[] = "0123456789", ascii[] = "pqrstuvwxy";
	static const char positive[] = "{ABCDEFGHI", ebcdic[] = "}JKLMNOPQR";

	if (kind == SIGN_EBCDIC)
		return negative ? ebcdic[digit] : marked ? positive[digit] : plain[digit];
	return negative ? ascii[digit] : plain[digit];
}

bool signs_parse(const char *text, enum sign_kind *kind)
{
	for (enum sign_kind one = SIGN_ASCII; one <= SIGN_EBCDIC; one++)
		if (strcasecmp(text, signs_name(one)) == 0) {
			*kind = one;
			return true;
		}
	return false;
}

const char *signs_name(enum sign_kind kind)
{
	return kind == SIGN_EBCDIC ? "EBCDIC" : "ASCII";
}

enum sign_kind signs_rule(void)
{
	const char *said = getenv(SIGNS_VARIABLE);
	enum sign_kind kind = SIGN_ASCII;

	if (said)
		signs_parse(said, &kind);
	return kind;
}
