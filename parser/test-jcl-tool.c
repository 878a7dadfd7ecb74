/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the JCL parser manually: test-jcl-tool print|check|equal|plan DECK... */
#include "common/compat.h"
#include "parser/test-jcl-plan.h"
#include "common/error.h"
#include "parser/jcl.h"

static const struct jcl_options tool_options = { .user = "TESTER", .deck_folder = "/decks" };

/* Parses the canonical print of a deck again; returns whether the trees are equal. */
static bool prints_equal(const struct jcl_deck *deck)
{
	struct diag_list diags = DIAG_LIST_INIT;
	struct strbuf sb = STRBUF_INIT;
	struct source *source;
	struct jcl_deck *again;
	bool equal;

	jcl_print(deck, &sb);
	source = source_new("print", sb.text, sb.length);
	again = jcl_parse(source, &tool_options, &diags);
	equal = jcl_equal(deck, again);
	jcl_free(again);
	source_free(source);
	strbuf_release(&sb);
	diag_list_release(&diags);
	return equal;
}

/* Prints one line per DD. */
static void plan_dd_print(const struct plan_dd *dd)
{
	for (; dd; dd = dd->next)
		for (const struct plan_dd *at = dd; at; at = at->next_concat)
			printf("   %s kind %d dsn %s member %s disp %s,%s,%s path %s data %zu "
			       "recfm %s "
			       "lrecl %u\n",
			       at->name, (int)at->kind, at->dsn ? at->dsn : "-",
			       at->member ? at->member : "-", plan_disp_status_name(at->status),
			       plan_disp_action_name(at->normal), plan_disp_action_name(at->abnormal),
			       at->path ? at->path : "-", at->data_length,
			       at->recfm ? at->recfm : "-", at->lrecl);
}

/* Prints the jobs, their steps and DDs. */
static void plan_print(const struct plan_job *job)
{
	for (; job; job = job->next) {
		printf("job %s lines %u-%u%s\n", job->name, job->first_line, job->last_line,
		       job->failed ? " failed" : "");
		plan_dd_print(job->joblib);
		for (const struct plan_step *step = job->steps; step; step = step->next) {
			printf("  step %s.%s pgm %s parm %s\n", step->name, step->procstep,
			       step->program, step->parm ? step->parm : "-");
			plan_dd_print(step->dds);
		}
	}
}

/* Executes the command on one deck; returns the exit status. */
static int one(const char *command, const char *path)
{
	struct diag_list diags = DIAG_LIST_INIT;
	struct error err = ERROR_INIT;
	struct source *source = source_read(path, &err);
	struct strbuf sb = STRBUF_INIT;
	struct plan_job *jobs = NULL;
	struct jcl_deck *deck;
	int status = 0;

	if (!source) {
		fprintf(stderr, "%s\n", error_text(&err));
		error_release(&err);
		return 2;
	}
	deck = jcl_parse(source, &tool_options, &diags);
	if (strcmp(command, "print") == 0) {
		jcl_print(deck, &sb);
		fwrite(sb.text, 1, sb.length, stdout);
	} else if (strcmp(command, "equal") == 0) {
		status = prints_equal(deck) ? 0 : 1;
		if (status)
			printf("%s: the print parses to other trees\n", path);
	} else if (strcmp(command, "check") == 0 || strcmp(command, "plan") == 0) {
		jobs = jcl_evaluate(deck, &tool_options, &diags);
		if (command[0] == 'p')
			plan_print(jobs);
	}
	diag_sort(&diags);
	if (strcmp(command, "equal") != 0)
		diag_print(&diags, stderr);
	if (diag_max_severity(&diags) >= SEVERITY_ERROR && status == 0 && strcmp(command, "equal") != 0)
		status = 12;
	plan_free(jobs);
	jcl_free(deck);
	source_free(source);
	strbuf_release(&sb);
	diag_list_release(&diags);
	return status;
}

/* Appends text with newlines, tabs and backslashes as escapes. */
static void add_escaped(struct strbuf *sb, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (text[i] == '\n')
			strbuf_addstr(sb, "\\n");
		else if (text[i] == '\t')
			strbuf_addstr(sb, "\\t");
		else if (text[i] == '\\')
			strbuf_addstr(sb, "\\\\");
		else
			strbuf_addch(sb, text[i]);
	}
}

/* Prints a row for tests/jcl/TABLE.tsv from a deck: deck, messages, canonical print, plan. */
static int row(const char *path)
{
	struct diag_list diags = DIAG_LIST_INIT;
	struct error err = ERROR_INIT;
	struct source *source = source_read(path, &err);
	struct strbuf sb = STRBUF_INIT, deck_text = STRBUF_INIT, print = STRBUF_INIT,
		      plan = STRBUF_INIT;
	struct plan_job *jobs;
	struct jcl_deck *deck;

	if (!source || strbuf_read_file(&deck_text, path) < 0)
		return 2;
	deck = jcl_parse(source, &tool_options, &diags);
	jobs = jcl_evaluate(deck, &tool_options, &diags);
	diag_sort(&diags);
	add_escaped(&sb, deck_text.text, deck_text.length);
	strbuf_addch(&sb, '\t');
	for (size_t i = 0; i < diags.count; i++) {
		strbuf_addstr(&sb, i ? " " : "");
		diag_format_id(&sb, diags.items[i].number, diags.items[i].severity);
		strbuf_addf(&sb, ":%u:%u", diags.items[i].location.line,
			    diags.items[i].location.column);
	}
	strbuf_addstr(&sb, diags.count ? "\t" : "-\t");
	jcl_print(deck, &print);
	add_escaped(&sb, print.text, print.length);
	plan_describe(&plan, jobs);
	strbuf_addch(&sb, '\t');
	add_escaped(&sb, plan.text, plan.length);
	fwrite(sb.text, 1, sb.length, stdout);
	putchar('\n');
	plan_free(jobs);
	jcl_free(deck);
	source_free(source);
	strbuf_release(&sb);
	strbuf_release(&plan);
	strbuf_release(&print);
	strbuf_release(&deck_text);
	diag_list_release(&diags);
	return 0;
}

int main(int argc, char **argv)
{
	int worst = 0;

	if (argc < 3) {
		fprintf(stderr, "usage: test-jcl-tool print|syntax|check|equal|plan|row DECK...\n");
		return 2;
	}
	for (int i = 2; i < argc; i++) {
		int status = strcmp(argv[1], "row") ? one(argv[1], argv[i]) : row(argv[i]);

		if (status > worst)
			worst = status;
	}
	return worst;
}
