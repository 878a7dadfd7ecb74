/* SPDX-License-Identifier: Apache-2.0 */
/* Executes CHANGE on the requests before it. */
#include "common/compat.h"
#include "parser/control-change.h"

/* Counts the requests that a CHANGE selects. */
struct search {
	const struct control_statement *change;
	uint64_t seen;	/* requests so far */
	unsigned found; /* those that are selected */
	struct control_statement *last;
};

/* Returns whether a statement's operands name the same job as the CHANGE. */
static bool names_job(const struct control_statement *statement, const char *job)
{
	return statement->operands && !statement->operands->keyword[0] &&
	       strcmp(statement->operands->values->text, job) == 0;
}

/* Searches a deck up to the CHANGE itself. */
static void count_selected(struct search *search, const struct control_deck *deck)
{
	const struct control_request *wanted = &search->change->request;

	for (struct control_statement *one = deck ? deck->statements : NULL;
	     one && one != search->change; one = one->next) {
		if (one->verb != CONTROL_ADD ||
		    (one->payload == CONTROL_REQUEST && one->request.stored))
			continue;
		search->seen++;
		if (wanted->number ? search->seen != wanted->number : !names_job(one, wanted->job))
			continue;
		search->found++;
		search->last = one;
	}
}

static void take_text(char **to, char **from)
{
	if (!*from)
		return;
	free(*to);
	*to = *from;
	*from = NULL;
}

static void take_texts(char ***to, size_t *to_count, char ***from, size_t *from_count)
{
	control_free_texts(*to, *to_count);
	*to = *from;
	*to_count = *from_count;
	*from = NULL;
	*from_count = 0;
}

/* Moves the data collectors: new names drop the parameters of the old ones. */
static void take_collectors(struct control_request *to, struct control_request *from)
{
	if (from->collector_count || from->parameter_count)
		take_texts(&to->parameters, &to->parameter_count, &from->parameters,
			   &from->parameter_count);
	if (from->collector_count)
		take_texts(&to->collectors, &to->collector_count, &from->collectors,
			   &from->collector_count);
	if (from->map_program_count)
		take_texts(&to->map_programs, &to->map_program_count, &from->map_programs,
			   &from->map_program_count);
	take_text(&to->collector_library, &from->collector_library);
}

/* Moves the operands given in the CHANGE to the request, replacing its values. */
static void take_request(struct control_request *to, struct control_request *from)
{
	if (from->step) {
		take_text(&to->step, &from->step);
		free(to->procstep);
		to->procstep = from->procstep;
		from->procstep = NULL;
	}
	take_text(&to->program, &from->program);
	to->samples = from->samples ? from->samples : to->samples;
	to->cost = from->cost > 0 ? from->cost : to->cost;
	to->metrics = from->metrics != CONTROL_SWITCH_NOT_GIVEN ? from->metrics : to->metrics;
	if (from->record != CONTROL_SWITCH_NOT_GIVEN) {
		to->record = from->record;
		to->record_objects = from->record_objects;
	}
	to->session_minutes = from->session_minutes ? from->session_minutes : to->session_minutes;
	if (from->limit_given || from->no_limit) {
		to->limit_given = from->limit_given;
		to->no_limit = from->no_limit;
		to->limit = from->limit;
		to->action = from->action;
	}
	take_collectors(to, from);
}

bool control_check_parameters(const struct control_operand *parameters, size_t names,
			      struct diag_list *diags)
{
	size_t count = 0;

	for (const struct control_value *text = parameters ? parameters->values : NULL; text;
	     text = text->next)
		if (++count > names) {
			diag_add(diags, SEVERITY_ERROR, 2930, &text->location,
				 "DCCPARM has more texts than the %zu names of DCC; expected one "
				 "for each name, '' for none",
				 names);
			return false;
		}
	return true;
}

/* Returns the operand of a CHANGE by keyword. */
static const struct control_operand *operand_of(const struct control_statement *statement,
						const char *keyword)
{
	for (const struct control_operand *operand = statement->operands; operand;
	     operand = operand->next)
		if (strcmp(operand->keyword, keyword) == 0)
			return operand;
	return NULL;
}

bool control_change(struct control_deck *deck, struct control_statement *change,
		    struct diag_list *diags)
{
	const struct location *place = &change->operands->location;
	struct search search = { .change = change };

	assert(change->payload == CONTROL_REQUEST);
	RETURN_IF(change->request.stored, true); /* it is searched in the store */
	count_selected(&search, deck->earlier);
	count_selected(&search, deck);
	RETURN_IF(deck->queue, true);
	if (search.found == 0) {
		diag_add(diags, SEVERITY_ERROR, 2931, place,
			 "no request before this one has the %s %s; expected that of an ADD",
			 change->request.number ? "number" : "job name", change->request.job);
		return false;
	}
	if (search.found > 1) {
		diag_add(diags, SEVERITY_ERROR, 2932, place,
			 "%u requests have the job name %s; expected the number of one, "
			 "1 for the first request",
			 search.found, change->request.job);
		return false;
	}
	RETURN_IF(!search.last->checked, true); /* its errors are already reported */
	if (!change->request.collector_count)
		RETURN_IF(!control_check_parameters(operand_of(change, "DCCPARM"),
						    search.last->request.collector_count, diags),
			  false);
	take_request(&search.last->request, &change->request);
	return true;
}
