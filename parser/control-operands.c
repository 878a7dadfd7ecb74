/* SPDX-License-Identifier: Apache-2.0 */
/* The table of control statements and their operands. */
#include "common/compat.h"
#include "parser/control-operands.h"

#define COLLECTIONS (FORM_COLLECT | FORM_EXTRACT)
#define REQUESTS (FORM_ADD | FORM_CHANGE)
#define SCHEDULED (REQUESTS | FORM_SUBMIT)
#define STORED (FORM_DELETE | FORM_LIST | FORM_SEND | FORM_HOLD | FORM_RELEASE | FORM_ADDGRP)
#define ONE_RESOURCE (FORM_INIT | FORM_CONSOLIDATE | FORM_READ)
#define MANY_RESOURCES (FORM_FUNCTION_LIST | FORM_FUNCTION_DELETE)
#define RESOURCES (ONE_RESOURCE | MANY_RESOURCES)

static const struct control_form forms[] = {
	{ CONTROL_ADD, "ADD", FORM_ADD, POSITIONAL_REQUIRED, false, NULL },
	{ CONTROL_CHANGE, "CHANGE", FORM_CHANGE, POSITIONAL_REQUIRED, true, NULL },
	{ CONTROL_DELETE, "DELETE", FORM_DELETE, POSITIONAL_REQUIRED, true, NULL },
	{ CONTROL_LIST, "LIST", FORM_LIST, POSITIONAL_OPTIONAL, true, NULL },
	{ CONTROL_SEND, "SEND", FORM_SEND, POSITIONAL_REQUIRED, true, NULL },
	{ CONTROL_HOLD, "HOLD", FORM_HOLD, POSITIONAL_REQUIRED, true, NULL },
	{ CONTROL_RELEASE, "RELEASE", FORM_RELEASE, POSITIONAL_REQUIRED, true, NULL },
	{ CONTROL_ADDGRP, "ADDGRP", FORM_ADDGRP, POSITIONAL_REQUIRED, false, NULL },
	{ CONTROL_SUBMIT, "SUBMIT", FORM_SUBMIT, POSITIONAL_REQUIRED, true, NULL },
	{ CONTROL_END, "END", FORM_END, POSITIONAL_NONE, false, NULL },
	{ CONTROL_REPORT, "REPORT", FORM_REPORT, POSITIONAL_OPTIONAL, false, NULL },
	{ CONTROL_RUNOPTS, "RUNOPTS", FORM_RUNOPTS, POSITIONAL_REQUIRED, false, NULL },
	{ CONTROL_COLLECT, "COLLECT", FORM_COLLECT, POSITIONAL_NONE, false, NULL },
	{ CONTROL_EXTRACT, "EXTRACT", FORM_EXTRACT, POSITIONAL_NONE, false, NULL },
	{ CONTROL_COMPARE, "COMPARE", FORM_COMPARE, POSITIONAL_NONE, false, NULL },
	{ CONTROL_FUNCTION, "INIT", FORM_INIT, POSITIONAL_NONE, false, NULL },
	{ CONTROL_FUNCTION, "START", FORM_START, POSITIONAL_NONE, false, NULL },
	{ CONTROL_FUNCTION, "PAUSE", FORM_PAUSE, POSITIONAL_NONE, false, NULL },
	{ CONTROL_FUNCTION, "CONSOLIDATE", FORM_CONSOLIDATE, POSITIONAL_NONE, false, NULL },
	{ CONTROL_FUNCTION, "READ", FORM_READ, POSITIONAL_NONE, false, NULL },
	{ CONTROL_FUNCTION, "LIST", FORM_FUNCTION_LIST, POSITIONAL_NONE, false, NULL },
	{ CONTROL_FUNCTION, "DELETE", FORM_FUNCTION_DELETE, POSITIONAL_NONE, false, NULL },
	{ CONTROL_FILTER, "EVENT", FORM_EVENT, POSITIONAL_NONE, false, NULL },
	{ CONTROL_FILTER, "PROGRAM", FORM_PROGRAM, POSITIONAL_NONE, false, NULL },
	{ CONTROL_FILTER, "COUNT", FORM_COUNT, POSITIONAL_NONE, false, NULL },
	{ CONTROL_FILTER, "TIME", FORM_TIME, POSITIONAL_NONE, false, NULL },
};

static const char regions[] = "there are no CICS or IMS regions on Linux";
static const char spooled[] =
	"the sample data set is in the spool of its job, or where -o of vigil run specifies";
static const char allocation[] = "files need no space, unit or volume on Linux";
static const char thresholds[] = "sessions cannot be started by thresholds yet";
static const char folding[] = "write ALL, which folds no row into .OTHER";

static const struct control_rule rules[] = {
	{ REQUESTS, "STEP", NULL, OPERAND_STEP, 1, 8, NULL, NULL },
	{ REQUESTS, "PROGRAM", NULL, OPERAND_PATTERN, 1, 255, NULL, NULL },
	{ REQUESTS, "PROG", "PROGRAM", OPERAND_PATTERN, 1, 255, NULL, NULL },
	{ REQUESTS, "SAMPLES", NULL, OPERAND_NUMBER, 1000, 150000, NULL, NULL },
	{ REQUESTS, "SESSION", NULL, OPERAND_NUMBER, 1, 1440, NULL, NULL },
	{ REQUESTS, "COST", NULL, OPERAND_PERCENT, 1, 100, NULL, NULL },
	{ REQUESTS, "METRICS", NULL, OPERAND_CHOICE, 0, 0, "ON OFF", NULL },
	{ REQUESTS, "RECORD", NULL, OPERAND_CHOICE, 0, 0, "ON OFF OBJECTS", NULL },
	{ REQUESTS, "LIMIT", NULL, OPERAND_LIMIT, 1, 99, "QUIT STOP CONTINUE NOLIMIT", NULL },
	{ REQUESTS, "NOLIMIT", NULL, OPERAND_FLAG, 0, 0, NULL, NULL },
	{ REQUESTS, "QUEUED", NULL, OPERAND_FLAG, 0, 0, NULL, NULL },
	{ REQUESTS, "ACTIVE", NULL, OPERAND_FLAG, 0, 0, NULL, NULL },
	{ REQUESTS, "PID", NULL, OPERAND_NUMBER, 1, 4194304, NULL, NULL },
	{ REQUESTS, "CGROUP", NULL, OPERAND_TEXT, 1, 4095, NULL, NULL },
	{ REQUESTS, "UNIT", NULL, OPERAND_TEXT, 1, 255, NULL, NULL },
	{ REQUESTS, "DCC", NULL, OPERAND_COLLECTORS, 1, 8, NULL, NULL },
	{ REQUESTS, "DCCLIB", NULL, OPERAND_TEXT, 1, 4095, NULL, NULL },
	{ REQUESTS, "DCCPARM", NULL, OPERAND_TEXTS, 0, 1023, NULL, NULL },
	{ REQUESTS, "MAPPROGRAM", NULL, OPERAND_PATTERNS, 1, 255, NULL, NULL },
	{ REQUESTS, "MAPPROG", "MAPPROGRAM", OPERAND_PATTERNS, 1, 255, NULL, NULL },
	{ REQUESTS, "TRAN", NULL, OPERAND_PATTERNS, 1, 4, NULL, regions },
	{ REQUESTS, "QUETRAN", NULL, OPERAND_PATTERN, 1, 4, NULL, regions },
	{ REQUESTS, "OPTIONS", NULL, OPERAND_ANY, 0, 0, NULL,
	  "attribution is always on; DCC names data collectors" },
	{ SCHEDULED, "STARTDATE", NULL, OPERAND_DATES, 0, 0, NULL, NULL },
	{ SCHEDULED, "STARTTIME", NULL, OPERAND_TIMES, 0, 3, NULL, NULL },
	{ SCHEDULED, "STARTDAY", NULL, OPERAND_CHOICES, 0, 0, "MON TUE WED THU FRI SAT SUN", NULL },
	{ SCHEDULED, "ENDDATE", NULL, OPERAND_DATE, 0, 0, NULL, NULL },
	{ SCHEDULED, "COUNT", NULL, OPERAND_NUMBER, 1, 9999, NULL, NULL },
	{ SCHEDULED, "WITHIN", NULL, OPERAND_NUMBER, 1, 10080, NULL, NULL },
	{ SCHEDULED, "ZONE", NULL, OPERAND_TEXT, 1, 255, NULL, NULL },
	{ REQUESTS | STORED | FORM_SUBMIT, "STORE", NULL, OPERAND_TEXT, 1, 4095, NULL, NULL },
	{ REQUESTS, "SYSTEM", NULL, OPERAND_ANY, 0, 0, NULL,
	  "a request applies to the machine it is made on" },
	{ REQUESTS, "SYSTEMS", "SYSTEM", OPERAND_ANY, 0, 0, NULL,
	  "a request applies to the machine it is made on" },
	{ REQUESTS, "DSNAME", NULL, OPERAND_TEXT, 1, 4095, NULL, spooled },
	{ REQUESTS, "DSN", "DSNAME", OPERAND_TEXT, 1, 4095, NULL, spooled },
	{ REQUESTS, "HLQ", NULL, OPERAND_PATTERN, 1, 35, NULL, spooled },
	{ REQUESTS, "VOLUME", NULL, OPERAND_ANY, 0, 0, NULL, allocation },
	{ REQUESTS, "SPACE", NULL, OPERAND_ANY, 0, 0, NULL, allocation },
	{ REQUESTS, "DISP", NULL, OPERAND_ANY, 0, 0, NULL, allocation },
	{ REQUESTS, "MGMTCLAS", NULL, OPERAND_ANY, 0, 0, NULL, allocation },
	{ REQUESTS, "DATACLAS", NULL, OPERAND_ANY, 0, 0, NULL, allocation },
	{ REQUESTS, "STORCLAS", NULL, OPERAND_ANY, 0, 0, NULL, allocation },
	{ REQUESTS, "NOTIFY", NULL, OPERAND_PATTERN, 1, 255, NULL,
	  "notification of the end of a session is not supported yet" },
	{ REQUESTS, "OWNERID", NULL, OPERAND_PATTERN, 1, 32, NULL,
	  "a request belongs to the user who makes it" },
	{ REQUESTS, "OWNER", "OWNERID", OPERAND_PATTERN, 1, 32, NULL,
	  "a request belongs to the user who makes it" },
	{ REQUESTS, "INITBY", NULL, OPERAND_TEXT, 1, 255, NULL, NULL },
	{ REQUESTS, "PROFILE", NULL, OPERAND_TEXT, 1, 255, NULL,
	  "profiles have no names yet; TITLE of REPORT heads the listing" },
	{ REQUESTS, "TAGS", NULL, OPERAND_TEXTS, 1, 255, NULL, NULL },
	{ REQUESTS, "GROUP", NULL, OPERAND_PATTERN, 1, 8, NULL, NULL },
	{ REQUESTS, "ELAPSED", NULL, OPERAND_ANY, 0, 0, NULL, thresholds },
	{ REQUESTS, "CPU", NULL, OPERAND_ANY, 0, 0, NULL, thresholds },
	{ REQUESTS, "EXCP", NULL, OPERAND_ANY, 0, 0, NULL, thresholds },

	{ FORM_REPORT, "STEP", NULL, OPERAND_STEP, 1, 8, NULL, NULL },
	{ FORM_REPORT, "INPUT", NULL, OPERAND_TEXT, 1, 4095, NULL, NULL },
	{ FORM_REPORT, "REPORTS", NULL, OPERAND_CODES, 2, 4, NULL, NULL },
	{ FORM_REPORT, "FORMAT", NULL, OPERAND_CHOICE, 0, 0, "TEXT CSV JSON HTML PDF", NULL },
	{ FORM_REPORT, "PAPER", NULL, OPERAND_CHOICE, 0, 0, "A4 LETTER", NULL },
	{ FORM_REPORT, "LINES", NULL, OPERAND_LINES, 20, 9999, NULL, NULL },
	{ FORM_REPORT, "DSNAME", NULL, OPERAND_TEXT, 1, 4095, NULL, NULL },
	{ FORM_REPORT, "DSN", "DSNAME", OPERAND_TEXT, 1, 4095, NULL, NULL },
	{ FORM_REPORT, "BASELINE", NULL, OPERAND_PERCENT, 0, 100, NULL, NULL },
	{ FORM_REPORT, "RESOLUTION", NULL, OPERAND_NUMBER, 1, 65536, NULL, NULL },
	{ FORM_REPORT, "BY", NULL, OPERAND_CHOICE, 0, 0, "THREAD TRANSACTION", NULL },
	{ FORM_REPORT, "PROCEDURE", NULL, OPERAND_TEXT, 1, 4095, NULL, NULL },
	{ FORM_REPORT, "ALL", NULL, OPERAND_FLAG, 0, 0, NULL, NULL },
	{ FORM_REPORT, "MARGINS", NULL, OPERAND_FLAG, 0, 0, NULL, NULL },
	{ FORM_REPORT, "NATIVE", NULL, OPERAND_FLAG, 0, 0, NULL, NULL },
	{ FORM_REPORT, "ASA", NULL, OPERAND_FLAG, 0, 0, NULL, NULL },
	{ FORM_REPORT, "TITLE", NULL, OPERAND_TEXT, 1, 60, NULL, NULL },
	{ FORM_REPORT, "ALLCSECT", NULL, OPERAND_FLAG, 0, 0, NULL,
	  "the sample data set does not contain sections without a sample" },
	{ FORM_REPORT, "ALLTASK", NULL, OPERAND_FLAG, 0, 0, NULL, folding },
	{ FORM_REPORT, "ALLDD", NULL, OPERAND_FLAG, 0, 0, NULL, folding },
	{ FORM_REPORT, "NOTASK", NULL, OPERAND_FLAG, 0, 0, NULL,
	  "tasks below the bound are folded into .OTHER instead" },
	{ FORM_REPORT, "NODSCS", NULL, OPERAND_FLAG, 0, 0, NULL,
	  "the Data Set Characteristics Supplement is not produced" },
	{ FORM_REPORT, "TUCS", NULL, OPERAND_ANY, 0, 0, NULL,
	  "a threshold for transactions alone cannot be set yet; BASELINE applies to modules" },

	{ FORM_COLLECT, "INTERVAL", NULL, OPERAND_TEXT, 1, 16, NULL, NULL },
	{ FORM_COLLECT, "COUNT", NULL, OPERAND_NUMBER, 1, UINT64_MAX, NULL, NULL },
	{ FORM_COLLECT, "START", NULL, OPERAND_TEXT, 1, 32, NULL, NULL },
	{ FORM_COLLECT, "END", NULL, OPERAND_TEXT, 1, 32, NULL, NULL },
	{ FORM_COLLECT, "MODULES", NULL, OPERAND_TEXTS, 1, 31, NULL, NULL },
	{ FORM_COLLECT, "REPLACE", NULL, OPERAND_CHOICE, 0, 0, "ON OFF YES NO", NULL },
	{ FORM_COLLECT, "SIZE", NULL, OPERAND_TEXT, 1, 20, NULL, NULL },
	{ FORM_COLLECT, "ROTATE", NULL, OPERAND_TEXT, 1, 16, NULL, NULL },
	{ FORM_COLLECT, "KEEP", NULL, OPERAND_NUMBER, 1, UINT32_MAX, NULL, NULL },
	{ FORM_COLLECT, "OPENMETRICS", NULL, OPERAND_TEXT, 1, 4095, NULL, NULL },
	{ FORM_COLLECT, "OPENMETRICS-PORT", NULL, OPERAND_NUMBER, 1, UINT16_MAX, NULL, NULL },
	{ FORM_EXTRACT, "LEAP-SECONDS", NULL, OPERAND_NUMBER, 0, 1000, NULL, NULL },
	{ COLLECTIONS, "LIBRARY", NULL, OPERAND_TEXTS, 1, 4095, NULL, NULL },
	{ COLLECTIONS, "PATH", NULL, OPERAND_TEXT, 1, 4095, NULL, NULL },
	{ COLLECTIONS, "PATIENCE", NULL, OPERAND_TEXT, 1, 16, NULL, NULL },
	{ FORM_EXTRACT, "INPUT", NULL, OPERAND_TEXTS, 1, 4095, NULL, NULL },
	{ FORM_EXTRACT, "FROM", NULL, OPERAND_TEXT, 1, 32, NULL, NULL },
	{ FORM_EXTRACT, "TO", NULL, OPERAND_TEXT, 1, 32, NULL, NULL },
	{ FORM_EXTRACT, "RECORDS", NULL, OPERAND_TEXTS, 1, 255, NULL, NULL },
	{ COLLECTIONS, "FORMAT", NULL, OPERAND_TEXT, 1, 16, NULL, NULL },
	{ COLLECTIONS, "DSNAME", NULL, OPERAND_TEXT, 1, 4095, NULL, NULL },
	{ COLLECTIONS, "DSN", "DSNAME", OPERAND_TEXT, 1, 4095, NULL, NULL },

	{ FORM_COMPARE, "BASE", NULL, OPERAND_TEXTS, 1, 4095, NULL, NULL },
	{ FORM_COMPARE, "INPUT", NULL, OPERAND_TEXTS, 1, 4095, NULL, NULL },
	{ FORM_COMPARE, "FORMAT", NULL, OPERAND_CHOICE, 0, 0, "TEXT CSV JSON HTML FOLDED", NULL },
	{ FORM_COMPARE, "PER", NULL, OPERAND_TEXT, 1, 255, NULL, NULL },
	{ FORM_COMPARE, "LINES", NULL, OPERAND_LINES, 20, 9999, NULL, NULL },
	{ FORM_COMPARE, "DSNAME", NULL, OPERAND_TEXT, 1, 4095, NULL, NULL },
	{ FORM_COMPARE, "DSN", "DSNAME", OPERAND_TEXT, 1, 4095, NULL, NULL },
	{ FORM_COMPARE, "ALL", NULL, OPERAND_FLAG, 0, 0, NULL, NULL },
	{ FORM_COMPARE, "NATIVE", NULL, OPERAND_FLAG, 0, 0, NULL, NULL },
	{ FORM_COMPARE, "ASA", NULL, OPERAND_FLAG, 0, 0, NULL, NULL },
	{ FORM_COMPARE, "TITLE", NULL, OPERAND_TEXT, 1, 60, NULL, NULL },

	{ FORM_INIT, "SAMPLING", NULL, OPERAND_CHOICE, 0, 0, "ON OFF", NULL },
	{ FORM_INIT, "INTERVAL", NULL, OPERAND_NUMBER, 10, 1000000, NULL, NULL },
	{ FORM_INIT, "CONSOLIDATE", NULL, OPERAND_CHOICE, 0, 0, "ON OFF", NULL },
	{ FORM_INIT, "COVERAGE", NULL, OPERAND_CHOICE, 0, 0, "ON OFF", NULL },
	{ FORM_INIT, "FUNCTIONS", NULL, OPERAND_TEXTS, 1, 1023, NULL, NULL },
	{ FORM_INIT, "TRACE", NULL, OPERAND_CHOICE, 0, 0, "ON OFF", NULL },
	{ FORM_INIT, "CALLS", NULL, OPERAND_TEXTS, 1, 255, NULL, NULL },
	{ FORM_INIT, "SQL", NULL, OPERAND_CHOICE, 0, 0, "TEXT SHAPE", NULL },
	{ FORM_INIT, "ONLINE", NULL, OPERAND_CHOICE, 0, 0, "ON OFF", NULL },
	{ ONE_RESOURCE, "RESOURCE", NULL, OPERAND_RESOURCE, 1, 253, NULL, NULL },
	{ ONE_RESOURCE, "RESOURCE-NAME", "RESOURCE", OPERAND_RESOURCE, 1, 253, NULL, NULL },
	{ MANY_RESOURCES, "RESOURCE", NULL, OPERAND_RESOURCES, 1, 253, NULL, NULL },
	{ MANY_RESOURCES, "RESOURCE-NAME", "RESOURCE", OPERAND_RESOURCES, 1, 253, NULL, NULL },
	{ RESOURCES, "RESOURCE-LIB", NULL, OPERAND_TEXT, 1, 4095, NULL, NULL },
	{ FORM_INIT | FORM_CONSOLIDATE, "REPLACE", NULL, OPERAND_CHOICE, 0, 0, "ON OFF YES NO",
	  NULL },
	{ FORM_READ, "REPORT", NULL, OPERAND_CODES, 2, 4, NULL, NULL },
	{ FORM_READ, "EXPORT", NULL, OPERAND_TEXT, 1, 4095, NULL, NULL },
	{ FORM_READ, "FORMAT", NULL, OPERAND_CHOICE, 0, 0, "TEXT CSV JSON", NULL },
	{ FORM_READ, "SORT", NULL, OPERAND_CHOICE, 0, 0, "NAME HITS CPU ELAPSED DATABASE PERCENT",
	  NULL },
	{ FORM_READ, "MISSED", NULL, OPERAND_CHOICE, 0, 0, "ON OFF", NULL },
	{ FORM_READ, "BELOW", NULL, OPERAND_PERCENT, 0, 100, NULL, NULL },
	{ FORM_FUNCTION_DELETE, "OLDER", NULL, OPERAND_NUMBER, 1, 36500, NULL, NULL },

	{ FORM_EVENT | FORM_INIT | FORM_READ, "EVENT", NULL, OPERAND_CHOICES, 0, 0,
	  "ALL S P D I C R N K SI ST PL PS PT PR PP DB DA IB IA CB CA E NS U MP MB KF KX KT KE KP KS "
	  "RO RI RS RW",
	  NULL },
	{ FORM_EVENT | FORM_INIT, "STATEMENT", NULL, OPERAND_CHOICE, 0, 0, "ON COUNT OFF", NULL },
	{ FORM_EVENT | FORM_INIT, "FNAT", NULL, OPERAND_CHOICE, 0, 0, "ON OFF", NULL },
	{ FORM_PROGRAM | FORM_INIT, "LIBRARY", NULL, OPERAND_TEXT, 1, 4095, NULL, NULL },
	{ FORM_PROGRAM | FORM_INIT | FORM_READ, "PROGRAM", NULL, OPERAND_TEXT, 1, 1023, NULL, NULL },
	{ FORM_PROGRAM | FORM_INIT, "LINE", NULL, OPERAND_RANGE, 1, 9999999, NULL, NULL },
	{ FORM_COUNT, "FROM", NULL, OPERAND_NUMBER, 1, UINT64_MAX, NULL, NULL },
	{ FORM_COUNT, "TO", NULL, OPERAND_NUMBER, 1, UINT64_MAX, NULL, NULL },
	{ FORM_INIT, "COUNT", NULL, OPERAND_RANGE, 1, UINT64_MAX, NULL, NULL },
	{ FORM_TIME | FORM_READ, "FROM", NULL, OPERAND_CLOCK, 0, 0, NULL, NULL },
	{ FORM_TIME | FORM_READ, "TO", NULL, OPERAND_CLOCK, 0, 0, NULL, NULL },
	{ FORM_INIT, "TIME", NULL, OPERAND_CLOCKS, 0, 0, NULL, NULL },
};

/* A statement that occurs only in a job's queue: its only operand is itself. */
static const struct control_form pool_form = {
	.verb = CONTROL_PDPSIZE, .name = "PDPSIZE", .bit = FORM_PDPSIZE
};
static const struct control_rule pool_rule = { .forms = FORM_PDPSIZE,
					       .keyword = "PDPSIZE",
					       .kind = OPERAND_NUMBER,
					       .minimum = 1,
					       .maximum = UINT64_MAX };

/* Verbs of the original without their own enum value: recognized, and refused with a reason. */
static const struct {
	const char *word, *later;
} later_verbs[] = {
	{ "START", "commands cannot be sent to a running session yet" },
	{ "STOP", "commands cannot be sent to a running session yet" },
	{ "RUN", "commands cannot be sent to a running session yet; vigil run measures a command" },
	{ "QUIT", "commands cannot be sent to a running session yet" },
};

enum control_verb control_find_verb(const char *word)
{
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++)
		if (forms[i].verb < CONTROL_FUNCTION && strcmp(forms[i].name, word) == 0)
			return forms[i].verb;
	return CONTROL_UNKNOWN;
}

const char *control_verb_later(const char *word)
{
	for (size_t i = 0; i < ARRAY_SIZE(later_verbs); i++)
		if (strcmp(later_verbs[i].word, word) == 0)
			return later_verbs[i].later;
	return NULL;
}

const struct control_form *control_find_form(enum control_verb verb, const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++)
		if (forms[i].verb == verb && strcmp(forms[i].name, name) == 0)
			return &forms[i];
	return verb == CONTROL_PDPSIZE ? &pool_form : NULL;
}

enum control_function control_find_function(const char *name)
{
	static const char *const names[] = {
		[CONTROL_NO_FUNCTION] = "",
		[CONTROL_INIT] = "INIT",
		[CONTROL_START] = "START",
		[CONTROL_PAUSE] = "PAUSE",
		[CONTROL_CONSOLIDATE_RESOURCE] = "CONSOLIDATE",
		[CONTROL_READ_RESOURCE] = "READ",
		[CONTROL_LIST_RESOURCES] = "LIST",
		[CONTROL_DELETE_RESOURCES] = "DELETE",
	};

	for (size_t i = 1; i < ARRAY_SIZE(names); i++)
		if (strcmp(names[i], name) == 0)
			return (enum control_function)i;
	return CONTROL_NO_FUNCTION;
}

const struct control_rule *control_find_rule(unsigned form, const char *keyword)
{
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++)
		if ((rules[i].forms & form) && rules[i].keyword[0] == keyword[0] &&
		    strcmp(rules[i].keyword, keyword) == 0)
			return &rules[i];
	return form == FORM_PDPSIZE && strcmp(keyword, "PDPSIZE") == 0 ? &pool_rule : NULL;
}

/* Appends a name to a list "A, B, C". */
static void add_name(struct strbuf *sb, const char *name, bool *any)
{
	if (*any)
		strbuf_addstr(sb, ", ");
	strbuf_addstr(sb, name);
	*any = true;
}

void control_list_forms(enum control_verb verb, struct strbuf *sb)
{
	bool any = false;

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++)
		if (forms[i].verb == verb ||
		    (verb == CONTROL_UNKNOWN && forms[i].verb < CONTROL_FUNCTION))
			add_name(sb, forms[i].name, &any);
}

void control_list_rules(unsigned form, struct strbuf *sb)
{
	bool any = false;

	for (size_t i = 0; i < ARRAY_SIZE(rules); i++)
		if ((rules[i].forms & form) && !rules[i].later && !rules[i].canonical)
			add_name(sb, rules[i].keyword, &any);
}

bool control_in_words(const char *words, const char *text)
{
	size_t length = strlen(text);

	for (const char *at = words; length && (at = strstr(at, text)); at += length)
		if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
			return true;
	return false;
}
