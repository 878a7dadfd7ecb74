/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the commands that print a profile (report, read): their options, and the printing. */
#ifndef VIGIL_SESSION_COMMANDS_PROFILE_OPTIONS_H
#define VIGIL_SESSION_COMMANDS_PROFILE_OPTIONS_H

#include "session/commands/command.h"

/* Values from the command line; static, because a process runs one command. */
struct profile_options {
	const char *format, *color;
	struct option_list code_lists;
	uint64_t lines, columns, resolution;
	bool no_pager;
	bool asa, margins, all, native;
	double baseline;
	const char *title, *output;
	const char *paper, *picture, *size; /* paper of PDF; picture and size of SVG and PNG;
					     * NULL: not given */
	const char *by, *procedure; /* for CTR and PRC; NULL: not given */
	const char *sort, *program, *event, *from, *to; /* for event reports; NULL: not given */
	bool missed; /* for coverage */
	double below;
};
extern struct profile_options profile_options;

/* Rows of a command's option table. */
#define PROFILE_OUTPUT_OPTIONS \
	{ "format", 'f', OPTION_STRING, "FORMAT", "text, csv, json, html, pdf, svg or png; text is the default", \
	  &profile_options.format }, \
		{ "report", 'r', OPTION_LIST, "CODE,...", \
		  "only these reports; all of them, or list, which prints the codes", &profile_options.code_lists }, \
		{ "lines", 'l', OPTION_NUMBER, "N", "lines a page, 0 for no pages; default 60", \
		  &profile_options.lines }, \
		{ "width", 'w', OPTION_NUMBER, "N", \
		  "columns of a line of text, 60 to 132; default: those of the terminal", \
		  &profile_options.columns }, \
		{ "no-pager", 0, OPTION_FLAG, NULL, "on a terminal, do not start a pager", \
		  &profile_options.no_pager }, \
		{ "asa", 0, OPTION_FLAG, NULL, "ASA carriage control in column 1", \
		  &profile_options.asa }, \
		{ "all", 'a', OPTION_FLAG, NULL, "do not fold small rows into .OTHER", \
		  &profile_options.all }, \
		{ "native", 0, OPTION_FLAG, NULL, \
		  "the step's own instructions and stacks, without names from data collectors", \
		  &profile_options.native }, \
		{ "color", 0, OPTION_STRING, "WHEN", \
		  "colours in listings: auto (on a terminal), always or never; auto is the " \
		  "default", \
		  &profile_options.color }, \
		{ "paper", 0, OPTION_STRING, "PAPER", "of PDF: a4 or letter; a4 is the default", \
		  &profile_options.paper }, \
		{ "picture", 0, OPTION_STRING, "PICTURE", \
		  "of SVG and PNG: time, run, cpu, waits, flame or wait-flame", &profile_options.picture }, \
		{ "size", 0, OPTION_STRING, "WxH", \
		  "of SVG in points, of PNG in pixels, two a point; default 1000x600, 2000x1200", \
		  &profile_options.size }, \
		{ "title", 0, OPTION_STRING, "TEXT", \
		  "heads each page instead of the program's name", &profile_options.title }, \
	{ \
		"output", 'o', OPTION_STRING, "FILE", "write to FILE instead of standard output", \
			&profile_options.output \
	}
#define PROFILE_EVENT_OPTIONS \
	{ "sort", 0, OPTION_STRING, "KEY", \
	  "order of lists of events and coverage: name, hits, cpu, elapsed, database or percent", \
	  &profile_options.sort }, \
		{ "program", 0, OPTION_STRING, "PATTERN", \
		  "only events and coverage of programs whose names match; * and ? are wildcards", \
		  &profile_options.program }, \
		{ "event", 0, OPTION_STRING, "TYPE,...", \
		  "only events of these types or groups", &profile_options.event }, \
		{ "from", 0, OPTION_STRING, "TIME", \
		  "traces from this time since the session began, HH:MM:SS", \
		  &profile_options.from }, \
		{ "missed", 0, OPTION_FLAG, NULL, \
		  "in coverage reports, only lines that were not fully executed", \
		  &profile_options.missed }, \
		{ "below", 0, OPTION_PERCENT, "PCT", \
		  "only programs with less than this percentage executed", \
		  &profile_options.below }, \
	{ \
		"to", 0, OPTION_STRING, "TIME", "traces up to this time", &profile_options.to \
	}

/*
 * profile_options_list: returns whether the reports shall be listed (--report
 * list); profile_options_print_list: lists them and returns the exit status.
 */
bool profile_options_list(void);
int profile_options_print_list(void);
/*
 * Prints the sample data sets; returns the exit status. usual: codes of the
 * reports printed if none are named; NULL: all that a session has.
 */
int profile_options_print(int argc, char **argv, const char *const *usual, size_t usual_count);

#endif
