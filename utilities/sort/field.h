/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fields of a record: position, length, format. Only this part knows the formats,
 * their limits, and how a number is read from and written to bytes.
 *
 * A record that ends before a field ends counts as padded with blanks (characters)
 * or zeros (numbers).
 */
#ifndef VIGIL_UTILITIES_SORT_FIELD_H
#define VIGIL_UTILITIES_SORT_FIELD_H

#include "datasets/signs.h"
#include "utilities/sort/sort-scan.h"

enum field_format {
	FORMAT_NONE,
	FORMAT_CH,  /* characters, compared as bytes; also AC */
	FORMAT_AQ,  /* characters in the order of ALTSEQ */
	FORMAT_BI,  /* unsigned binary, big endian */
	FORMAT_FI,  /* signed binary, big endian */
	FORMAT_ZD,  /* zoned decimal, also with a leading or trailing separate sign; also CTO, OT */
	FORMAT_PD,  /* packed decimal */
	FORMAT_FS,  /* digits with a floating sign before them; also CSF */
	FORMAT_LS,  /* leading separate sign; also CSL */
	FORMAT_TS,  /* trailing separate sign; also CST */
	FORMAT_OL,  /* leading overpunched sign; also CLO */
	FORMAT_UFF, /* the digits among other characters */
	FORMAT_SFF, /* likewise, negative if there is a '-' or ')' */
	FORMAT_SS,  /* substring; INCLUDE and OMIT only */
};

struct sort_record {
	const char *data;
	size_t length;
};

struct sort_field {
	size_t position, length; /* position from 0 */
	enum field_format format;
};

/* All zero: an empty list. The owner frees items. */
struct sort_fields {
	struct sort_field *items;
	size_t count, alloc;
};

/* What a field is used for; each use has its limits. */
enum field_use { FIELD_KEY, FIELD_TEST, FIELD_VALUE };

#define FIELD_HIGHEST 32760 /* the last possible position */

/* Parses "position,length"; leaves format unchanged. */
void field_scan(struct scan *scan, struct sort_field *field);
/*
 * Skips a format's name if it is next; returns whether it was. Names that are
 * recognized but not supported are diagnosed.
 */
bool field_format_scan(struct scan *scan, enum field_format *format);
/*
 * Diagnoses a length that the format cannot have; at is its position in the text.
 * Adds a zoned field to the scan's list.
 */
void field_check(struct scan *scan, const char *at, const struct sort_field *field,
		 enum field_use use);
bool field_numeric(enum field_format format);

/* Returns the field's bytes, in the record or, if that is too short, padded in scratch. */
const char *field_bytes(const struct sort_field *field, const struct sort_record *record,
			struct strbuf *scratch);
/*
 * Returns the kind of sign a field has in a record; SIGN_NONE: its bytes are plain
 * or it is not zoned.
 */
enum sign_kind field_sign(const struct sort_field *field, const struct sort_record *record);
sort_number field_value(const struct sort_field *field, const struct sort_record *record);
/* Returns how many decimal digits the field can have. */
unsigned field_digits(const struct sort_field *field);
/* Returns whether a field of this format holds valid digits. */
bool field_valid(const struct sort_field *field, const struct sort_record *record);

/* Returns the length of the field's key, whose bytes compare as the fields do. */
size_t field_key_length(const struct sort_field *field);
/* Writes the field's key. altseq: 256 bytes for AQ. */
void field_key(const struct sort_field *field, const struct sort_record *record,
	       const unsigned char *altseq, unsigned char *key);

/* How TO= and SUM write the sign of a number that is not negative: C, or F (a plain digit). */
enum sign_style { SIGN_PREFERRED, SIGN_F };
/* How a number is written. */
struct number_form {
	enum field_format format;
	enum sign_style style;
	enum sign_kind sign; /* SIGN_ASCII or SIGN_EBCDIC, for zoned numbers */
};
/* Writes a number into length bytes; false: it does not fit, and nothing is written. */
bool field_put_number(sort_number value, const struct number_form *form, char *out, size_t length);
/* Writes a number's digits without sign, at least one; 40 bytes are enough. Returns their count. */
size_t field_number_digits(sort_number value, char *digits);

#endif
