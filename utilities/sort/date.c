/* SPDX-License-Identifier: Apache-2.0 */
/* Formats dates and times. */
#include "common/compat.h"
#include "utilities/sort/date.h"

#include <ctype.h>

/* Returns the current time, moved by days or months and normalized. */
static struct tm moved(int days, int months, unsigned *nanoseconds)
{
	struct timespec now;
	struct tm broken;

	clock_gettime(CLOCK_REALTIME, &now);
	localtime_r(&now.tv_sec, &broken);
	*nanoseconds = (unsigned)now.tv_nsec;
	if (days || months) {
		broken.tm_mday = months ? 1 : broken.tm_mday + days;
		broken.tm_mon += months;
		broken.tm_hour = 12;
		broken.tm_isdst = -1;
		mktime(&broken);
	}
	return broken;
}

/*
 * Appends the parts of a time that a strftime pattern names, separated by
 * separator ('\0': not separated).
 */
static void add_parts(struct strbuf *text, const struct tm *when, const char *pattern,
		      char separator)
{
	for (const char *part = pattern; *part; part++) {
		const char format[] = { '%', *part, '\0' };
		char one[16];

		strftime(one, sizeof(one), format, when);
		if (separator && part != pattern)
			strbuf_addch(text, separator);
		strbuf_addstr(text, one);
	}
}

/* Reads the separator in "(c)"; '\0': none. */
static char scan_separator(struct scan *scan)
{
	char separator = '\0';

	if (scan->at[0] == '(' && scan->at[1] && scan->at[2] == ')') {
		separator = scan->at[1];
		scan->at += 3;
	}
	return separator;
}

/*
 * Reads the pattern of DATE=(abcd): letters of M D Y (two digits of the year) and
 * 4 (four digits), then the separator.
 */
static void scan_pattern(struct scan *scan, struct strbuf *text, const char *letters,
			 const char *codes, bool separated)
{
	char pattern[4] = "", separator = '\0';
	unsigned nanoseconds;
	struct tm when = moved(0, 0, &nanoseconds);

	scan_require(scan, '(');
	for (size_t i = 0; i < 3 && !scan->failed; i++) {
		const char *found =
			*scan->at ? strchr(letters, toupper((unsigned char)*scan->at)) : NULL;

		if (!found) {
			scan_expected(scan, "M, D, Y or 4 for each part of the date");
			return;
		}
		pattern[i] = codes[found - letters];
		scan->at++;
	}
	if (separated && *scan->at && *scan->at != ')')
		separator = *scan->at++;
	scan_require(scan, ')');
	add_parts(text, &when, pattern, separator);
}

/* Reads the pattern of TIME=(abc): HP (with AM and PM) or 24, then the separator. */
static void scan_time_pattern(struct scan *scan, struct strbuf *text)
{
	unsigned nanoseconds;
	struct tm when = moved(0, 0, &nanoseconds);
	bool twelve = false;
	char separator = '\0';

	scan_require(scan, '(');
	if (strncmp(scan->at, "12", 2) == 0 || strncmp(scan->at, "24", 2) == 0) {
		twelve = scan->at[0] == '1';
		scan->at += 2;
	} else {
		scan_expected(scan, "12 or 24");
		return;
	}
	if (*scan->at && *scan->at != ')')
		separator = *scan->at++;
	scan_require(scan, ')');
	add_parts(text, &when, twelve ? "IMS" : "HMS", separator);
	if (twelve)
		strbuf_addstr(text, when.tm_hour < 12 ? " am" : " pm");
}

/* Reads "+n" or "-n" after DATE1 to DATE3. */
static int scan_offset(struct scan *scan)
{
	bool back = *scan->at == '-';
	int offset;

	if (*scan->at != '+' && !back)
		return 0;
	scan->at++;
	offset = (int)scan_number(scan, 0, 9999, "a number of days or months");
	return back ? -offset : offset;
}

static void add_date(struct scan *scan, struct strbuf *text, char which)
{
	char separator = which <= '3' ? scan_separator(scan) : '\0';
	int offset = which <= '3' ? scan_offset(scan) : 0;
	unsigned nanoseconds;
	struct tm when = moved(which == '2' ? 0 : offset, which == '2' ? offset : 0, &nanoseconds);

	if (which <= '3') {
		add_parts(text, &when,
			  which == '1'	 ? "Ymd"
			  : which == '2' ? "Ym"
					 : "Yj",
			  separator);
		return;
	}
	add_parts(text, &when, "Ymd", '-');
	strbuf_addch(text, '-');
	add_parts(text, &when, "HMS", '.');
	if (which == '5')
		strbuf_addf(text, ".%06u", nanoseconds / 1000);
}

static void add_time(struct scan *scan, struct strbuf *text, char which)
{
	char separator = which <= '2' ? scan_separator(scan) : '\0';
	unsigned nanoseconds;
	struct tm when = moved(0, 0, &nanoseconds);

	add_parts(text, &when, which == '2' ? "HM" : "HMS", separator);
	if (which == '3')
		strbuf_addf(text, "%02u", nanoseconds / 10000000);
}

/* Reads DATE, DATENS or TIME, alone or with a pattern. */
static void scan_word(struct scan *scan, struct strbuf *text, const char *word)
{
	bool date = word[0] == 'D', separated = strcmp(word, "DATENS") != 0;
	unsigned nanoseconds;
	struct tm when = moved(0, 0, &nanoseconds);

	if (!scan_accept(scan, '='))
		add_parts(text, &when, date ? "mdy" : "HMS", date ? '/' : ':');
	else if (date)
		scan_pattern(scan, text, "MDY4", "mdyY", separated);
	else
		scan_time_pattern(scan, text);
}

bool date_scan(struct scan *scan, struct strbuf *text)
{
	const char *start = scan->at;
	char word[SCAN_WORD];
	size_t length;

	scan_accept(scan, '&');
	length = scan_peek(scan, word);
	if (strcmp(word, "DATE") == 0 || strcmp(word, "DATENS") == 0 || strcmp(word, "TIME") == 0) {
		scan->at += length;
		scan_word(scan, text, word);
		return true;
	}
	if ((length == 5 || (length == 6 && word[5] == 'P')) &&
	    ((strncmp(word, "DATE", 4) == 0 && word[4] >= '1' && word[4] <= '5') ||
	     (strncmp(word, "TIME", 4) == 0 && word[4] >= '1' && word[4] <= '3'))) {
		scan->at += length;
		if (word[0] == 'D')
			add_date(scan, text, word[4]);
		else
			add_time(scan, text, word[4]);
		return true;
	}
	scan->at = start;
	return false;
}
