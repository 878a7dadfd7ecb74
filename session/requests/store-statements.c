/* SPDX-License-Identifier: Apache-2.0 */
/* Carries out statements on the request store. */
#include "common/compat.h"
#include "session/requests/store-statements.h"
#include "agent/transaction-write.h"
#include "session/requests/requests.h"
#include "session/requests/store-listing.h"
#include "session/store/request-store.h"

#include <unistd.h>

/*
 * Opens the store that a statement uses: its STORE, the option's, or the default
 * one. NULL: there is none, or an error with the reason.
 */
static struct request_store *open_store(const struct control_statement *statement,
					const struct carry_out_options *options, struct error *err)
{
	const char *named = statement->request.store, *root = getenv("VIGIL_ROOT");
	const bool make = statement->verb == CONTROL_ADD || statement->verb == CONTROL_ADDGRP;
	struct request_store *store;
	char *folder;

	if (!named || strcmp(named, "YES") == 0)
		named = options->store;
	folder = request_store_folder(named, root && *root ? root : "data");
	store = request_store_open(folder, make, STORE_PATIENCE, err);
	if (!store && !*error_text(err) && statement->verb != CONTROL_LIST)
		error_set(err, "%s is not a request store: no request has been added", folder);
	free(folder);
	return store;
}

/* Queues the reason why a statement failed. */
static void complain(const struct control_statement *statement, int fault, const struct error *err,
		     struct diag_list *diags)
{
	static const struct {
		const char *keyword;
		unsigned number;
	} faults[] = {
		{ "ADD", 6802 }, { "STARTDATE", 6803 }, { "STARTDATE", 6804 }, { "ZONE", 6805 }
	};
	const size_t at = fault < -1 && fault >= STORE_ZONE ? (size_t)(-1 - fault) : 0;

	diag_add(diags, SEVERITY_ERROR, faults[at].number,
		 request_place_of(statement, faults[at].keyword, NULL), "%s: %s", statement->name,
		 error_text(err));
}

/* Queues a message with what was done and the state of a request, including its start. */
static void say_state(struct request_store *store, uint64_t number,
		      const struct control_statement *statement, const char *done,
		      struct diag_list *diags)
{
	struct stored_requests list;
	struct error err = ERROR_INIT;
	struct strbuf state = STRBUF_INIT;

	if (request_store_list(store, NULL, number, false, &list, &err) == 0 && list.count)
		stored_list_state(&list.items[0], &state);
	diag_add(diags, SEVERITY_INFO, 6800, &statement->location, "request %" PRIu64 " is %s%s%s",
		 number, done, state.length ? ": " : "", state.text);
	stored_requests_release(&list);
	strbuf_release(&state);
	error_release(&err);
}

/* Finds the single request that a statement refers to. 0, or -1 with the reason. */
static int find_one(struct request_store *store, const struct control_statement *statement,
		    uint64_t *number, struct error *err)
{
	uint64_t *numbers = NULL;
	size_t count = 0;
	bool group;
	int result =
		request_store_find(store, statement->request.job, &numbers, &count, &group, err);

	if (result == 0 && (group || count != 1))
		result = error_set(err, "%s is a group; expected the number of a request",
				   statement->request.job);
	if (result == 0)
		*number = numbers[0];
	free(numbers);
	return result;
}

static int add(struct request_store *store, const struct control_statement *statement,
	       struct diag_list *diags, struct error *err)
{
	uint64_t number = 0;
	int result = request_store_add(store, statement, &number, err);

	if (result == 0)
		say_state(store, number, statement, "added", diags);
	return result;
}

static int change(struct request_store *store, const struct control_statement *statement,
		  struct diag_list *diags, struct error *err)
{
	uint64_t number = 0;
	int result = find_one(store, statement, &number, err);

	if (result == 0)
		result = request_store_change(store, number, statement, err);
	if (result == 0)
		say_state(store, number, statement, "changed", diags);
	return result;
}

/* Carries out HOLD, RELEASE, DELETE or SUBMIT on a request or a group. */
static int change_state(struct request_store *store, const struct control_statement *statement,
		   const char *done, struct diag_list *diags, struct error *err)
{
	uint64_t *numbers = NULL;
	size_t count = 0;
	bool group = false;
	int result =
		request_store_find(store, statement->request.job, &numbers, &count, &group, err);

	if (result == 0)
		result = request_store_do(store, statement, numbers, count, err);
	if (result >= 0 && group && statement->verb == CONTROL_DELETE)
		result = request_store_delete_group(store, statement->request.job, err);
	if (result >= 0 && group)
		diag_add(diags, SEVERITY_INFO, 6800, &statement->location,
			 "group %s is %s; requests: %zu", statement->request.job, done, count);
	else if (result >= 0 && statement->verb == CONTROL_DELETE)
		diag_add(diags, SEVERITY_INFO, 6800, &statement->location,
			 "request %" PRIu64 " is deleted", numbers[0]);
	else if (result >= 0)
		say_state(store, numbers[0], statement, done, diags);
	free(numbers);
	return result < 0 ? result : 0;
}

static int add_group(struct request_store *store, const struct control_statement *statement,
		     struct diag_list *diags, struct error *err)
{
	RETURN_IF(request_store_add_group(store, statement->request.job, err) < 0, -1);
	diag_add(diags, SEVERITY_INFO, 6800, &statement->location, "group %s is created",
		 statement->request.job);
	return 0;
}

enum session_command { SESSION_STOP, SESSION_START, SESSION_QUIT, SESSION_COMMANDS };

/* Returns the command of a SEND; -1 with the reason. */
static int read_command(const struct control_statement *statement, struct error *err)
{
	static const struct {
		const char *word;
		enum session_command command;
	} commands[] = {
		{ "STOP", SESSION_STOP },
		{ "PAUSE", SESSION_STOP },
		{ "START", SESSION_START },
		{ "QUIT", SESSION_QUIT },
	};
	const struct control_operand *second = statement->operands->next;
	const char *word = !second		? ""
			   : second->keyword[0] ? second->keyword
						: second->values->text;

	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		if (strcasecmp(word, commands[i].word) == 0)
			return (int)commands[i].command;
	return error_set(err,
			 "'%s' is not a command of a session; expected STOP, PAUSE, START or QUIT",
			 word);
}

/* Pauses or starts a running session, as vigil pause and vigil start do. */
static int switch_session(struct request_store *store, uint64_t number, bool start,
			  struct error *err)
{
	struct transaction_area *area;
	char *path = NULL;

	RETURN_IF(request_store_send(store, number, start, false, &path, err) < 0, -1);
	area = transaction_map(path);
	free(path);
	if (!area)
		return error_set(err,
				 "the session of request %" PRIu64
				 " has ended meanwhile, or is not yours",
				 number);
	transaction_switch(area, start, (uint32_t)getpid(), (uint32_t)getpid());
	RETURN_IF(request_store_send(store, number, start, true, &path, err) < 0, -1);
	free(path);
	return 0;
}

/* Sends a command to a running session. */
static int send_command(struct request_store *store, const struct control_statement *statement,
			struct diag_list *diags, struct error *err)
{
	static const char *const done[SESSION_COMMANDS] = { "stopped", "started", "asked to end" };
	const int command = read_command(statement, err);
	uint64_t number = 0;

	RETURN_IF(command < 0, -1);
	RETURN_IF(find_one(store, statement, &number, err) < 0, -1);
	if (command == SESSION_QUIT)
		RETURN_IF(request_store_quit(store, number, err) < 0, -1);
	else
		RETURN_IF(switch_session(store, number, command == SESSION_START, err) < 0, -1);
	say_state(store, number, statement, done[command], diags);
	return 0;
}

static int list(struct request_store *store, const struct control_statement *statement,
		const struct carry_out_options *options, struct error *err)
{
	const struct control_request *wanted = &statement->request;
	struct stored_requests requests = { 0 };
	struct strbuf text = STRBUF_INIT;
	int result = 0;

	if (store)
		result = request_store_list(store, wanted->number ? NULL : wanted->job,
					    wanted->number, wanted->number != 0 || options->json,
					    &requests, err);
	if (result == 0 && wanted->number && requests.count == 0)
		result = error_set(err, "there is no request %" PRIu64, wanted->number);
	if (result == 0) {
		if (options->json)
			stored_list_json(&requests, &text);
		else if (wanted->number)
			stored_list_one(&requests.items[0], &text);
		else
			stored_list_table(&requests, &text);
		if (fwrite(text.text, 1, text.length, options->listing) != text.length ||
		    fflush(options->listing) != 0)
			result = error_errno(err, "cannot write the listing");
	}
	stored_requests_release(&requests);
	strbuf_release(&text);
	return result;
}

/*
 * Carries out one statement on an open store (NULL: no store, so nothing to list).
 * 0 or an enum store_fault.
 */
static int on_store(struct request_store *store, const struct control_statement *statement,
		    const struct carry_out_options *options, struct diag_list *diags,
		    struct error *err)
{
	switch (statement->verb) {
	case CONTROL_ADD:
		return add(store, statement, diags, err);
	case CONTROL_CHANGE:
		return change(store, statement, diags, err);
	case CONTROL_ADDGRP:
		return add_group(store, statement, diags, err);
	case CONTROL_SEND:
		return send_command(store, statement, diags, err);
	case CONTROL_LIST:
		return list(store, statement, options, err);
	case CONTROL_HOLD:
		return change_state(store, statement, "held", diags, err);
	case CONTROL_RELEASE:
		return change_state(store, statement, "released", diags, err);
	case CONTROL_DELETE:
		return change_state(store, statement, "deleted", diags, err);
	default:
		return change_state(store, statement, "submitted", diags, err);
	}
}

void carry_out_stored(const struct control_statement *statement,
		      const struct carry_out_options *options, struct diag_list *diags)
{
	struct error err = ERROR_INIT;
	struct request_store *store = open_store(statement, options, &err);
	int result;

	if (!store && *error_text(&err)) {
		diag_add(diags, SEVERITY_ERROR, 6801, &statement->location,
			 "%s: the request store cannot be used: %s", statement->name,
			 error_text(&err));
	} else {
		result = on_store(store, statement, options, diags, &err);
		if (result < 0)
			complain(statement, result, &err, diags);
	}
	request_store_close(store);
	error_release(&err);
}
