/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The signs of zoned decimal numbers, which stand in the number's last or
 * first digit, and the rule of the site. The one place that knows them.
 *
 *	             0 to 9 negative   0 to 9 positive
 *	ASCII        p to y            0 to 9
 *	EBCDIC       } J to R          { A to I, or 0 to 9
 *
 * ASCII is what GnuCOBOL writes by itself, EBCDIC what a mainframe's numbers look
 * like in ASCII. A program reads the kind it was compiled for (-fsign of
 * cobc) and takes the other for other numbers, without a message. So a site chooses
 * one: --sign of submit and of the utilities, VIGIL_SIGN in the environment of a step.
 * The utilities read both kinds, and write the kind they read, else that of the rule.
 */
#ifndef VIGIL_DATASETS_SIGNS_H
#define VIGIL_DATASETS_SIGNS_H

#include <stdbool.h>

#define SIGNS_VARIABLE "VIGIL_SIGN"
#define SIGNS_DEFAULT "ASCII"

enum sign_kind {
	SIGN_NONE,  /* the byte is no digit of a zoned number */
	SIGN_PLAIN, /* a digit that says no sign: positive, of both kinds */
	SIGN_ASCII,
	SIGN_EBCDIC,
};

/* By byte: the digit, 16 when negative, the kind times 32. Read it by the functions below. */
extern const unsigned char signs_table[256];

static inline enum sign_kind sign_kind(unsigned char byte)
{
	return (enum sign_kind)(signs_table[byte] >> 5);
}

/* Returns the other two are 0 and false for a byte of SIGN_NONE. */
static inline unsigned sign_digit(unsigned char byte)
{
	return signs_table[byte] & 15U;
}

static inline bool sign_negative(unsigned char byte)
{
	return (signs_table[byte] & 16U) != 0;
}

/*
 * Returns the byte for a digit from 0 to 9 with a sign. kind is SIGN_ASCII or
 * SIGN_EBCDIC. marked: a positive EBCDIC one is { or A to I, too.
 */
char sign_byte(unsigned digit, bool negative, bool marked, enum sign_kind kind);
/* "ASCII" or "EBCDIC", in upper or lower case; false and *kind untouched for anything else. */
bool signs_parse(const char *text, enum sign_kind *kind);
/* "ASCII" or "EBCDIC"; kind is one of those. */
const char *signs_name(enum sign_kind kind);
/* Returns the site's rule, from the environment; the default where that says nothing valid. */
enum sign_kind signs_rule(void);

#endif
