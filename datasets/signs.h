/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The signs of zoned decimal numbers, which are part of the number's last or first
 * digit, and the rule of the site. Only this code knows them.
 *	             0 to 9 negative   0 to 9 positive
 *	ASCII        p to y            0 to 9
 *	EBCDIC       } J to R          { A to I, or 0 to 9
 *
 * ASCII is GnuCOBOL's own format, EBCDIC is how a mainframe's numbers look in
 * ASCII. A program reads the kind it was compiled for (-fsign of cobc) and
 * misreads the other without a message. So a site chooses one: --sign of submit
 * and of the utilities, VIGIL_SIGN in the environment of a step. The utilities
 * read both kinds, and write the kind they read, else that of the rule.
 */
#ifndef VIGIL_DATASETS_SIGNS_H
#define VIGIL_DATASETS_SIGNS_H

#include <stdbool.h>

#define SIGNS_VARIABLE "VIGIL_SIGN"
#define SIGNS_DEFAULT "ASCII"

enum sign_kind {
	SIGN_NONE,  /* the byte is not a digit of a zoned number */
	SIGN_PLAIN, /* a digit without sign: positive, in both kinds */
	SIGN_ASCII,
	SIGN_EBCDIC,
};

/*
 * For each byte: the digit, plus 16 if negative, plus 32 times the kind. Use the
 * functions below to read it.
 */
extern const unsigned char signs_table[256];

static inline enum sign_kind sign_kind(unsigned char byte)
{
	return (enum sign_kind)(signs_table[byte] >> 5);
}

/* For a byte of kind SIGN_NONE the following two return 0 and false. */
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
 * SIGN_EBCDIC. marked: positive EBCDIC digits are { and A to I.
 */
char sign_byte(unsigned digit, bool negative, bool marked, enum sign_kind kind);
/*
 * Parses "ASCII" or "EBCDIC", in upper or lower case; false, with *kind unchanged,
 * for anything else.
 */
bool signs_parse(const char *text, enum sign_kind *kind);
/* Returns "ASCII" or "EBCDIC"; kind must be one of those. */
const char *signs_name(enum sign_kind kind);
/* Returns the site's rule, from the environment; the default if that has no valid value. */
enum sign_kind signs_rule(void);

#endif
