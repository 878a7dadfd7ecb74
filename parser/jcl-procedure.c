/* SPDX-License-Identifier: Apache-2.0 */
/* Procedures in the stream and in libraries, INCLUDE and JCLLIB. */
#include "common/compat.h"
#include "parser/jcl-procedure.h"
#include "common/error.h"
#include "common/xalloc.h"

#include <unistd.h>

#define MAXIMUM_DEPTH 15
#define MAXIMUM_CALLS 2000   /* per job, whatever they contain */
#define MAXIMUM_WORK 2000000 /* statements and symbols processed in them */
#define MAXIMUM_OPERANDS 255
#define MAXIMUM_LIBRARIES 100

const struct jcl_statement *jcl_procedure_define(struct jcl_evaluation *e,
						 const struct jcl_statement *head)
{
	struct jcl_procedure *procedure = jcl_arena_get(e->deck_arena, sizeof(*procedure));
	const struct jcl_statement *at = head->next;

	e->statement = head;
	while (at && at->operation != JCL_PEND && at->operation != JCL_JOB &&
	       at->operation != JCL_NULL && at->operation != JCL_PROC)
		at = at->next;
	*procedure = (struct jcl_procedure){ .name = head->name,
					     .head = head,
					     .first = head->next,
					     .end = at,
					     .source = e->source,
					     .next = e->procedures };
	e->procedures = procedure;
	jcl_list_definition(e, head, at && at->operation == JCL_PEND ? at->next : at);
	if (head->name[0] == '\0')
		jcl_complain(e, SEVERITY_ERROR, 1200, NULL, "the PROC in the stream has no name");
	if (!at || at->operation != JCL_PEND)
		jcl_complain(e, SEVERITY_ERROR, 1201, NULL, "the PROC %s has no PEND", head->name);
	return at && at->operation == JCL_PEND ? at->next : at;
}

/* Reads and parses a file as a member, once; NULL: no file at path. */
static struct jcl_deck *member_read(struct jcl_evaluation *e, const char *path)
{
	struct jcl_member *member;
	struct source *source;

	for (member = e->deck->members; member; member = member->next)
		if (strcmp(member->source->name, path) == 0)
			return member->deck;
	source = access(path, R_OK) == 0 ? source_read(path, NULL) : NULL;
	if (!source) {
		if (errno == EACCES && access(path, F_OK) == 0)
			jcl_complain(e, SEVERITY_ERROR, 1213, NULL, "%s cannot be read: permission "
								    "denied", path);
		return NULL;
	}
	member = xcalloc(1, sizeof(*member));
	member->source = source;
	member->deck = jcl_parse(source, e->options, e->diags);
	member->next = e->deck->members;
	e->deck->members = member;
	return member->deck;
}

/* Finds a member in one folder under its possible file names. */
static struct jcl_deck *member_in(struct jcl_evaluation *e, const char *folder, const char *name)
{
	static const char *const endings[] = {
		"", ".jcl", ".prc", ".proc", ".JCL", ".PRC", ".PROC"
	};
	struct jcl_deck *found = NULL;
	char lower[9];
	size_t length = strlen(name);

	for (size_t i = 0; i <= length; i++)
		lower[i] = (char)(name[i] >= 'A' && name[i] <= 'Z' ? name[i] - 'A' + 'a' : name[i]);
	for (size_t i = 0; i < 2 * ARRAY_SIZE(endings) && !found; i++) {
		struct strbuf path = STRBUF_INIT;

		strbuf_addf(&path, "%s/%s%s", folder, i % 2 ? lower : name, endings[i / 2]);
		found = member_read(e, path.text);
		strbuf_release(&path);
	}
	return found;
}

/* Finds a member in a library that is a data set. */
static struct jcl_deck *member_in_data_set(struct jcl_evaluation *e, const char *library,
					   const char *name)
{
	struct jcl_deck *found = NULL;
	char *folder;

	if (!e->options->find_library)
		return NULL;
	folder = e->options->find_library(e->options->find_context, library);
	if (folder)
		found = member_in(e, folder, name);
	free(folder);
	return found;
}

/* Finds a member in a library of JCLLIB: a folder of that name in any procedure library. */
static struct jcl_deck *member_in_jcllib(struct jcl_evaluation *e, const char *library,
					 const char *name)
{
	struct jcl_deck *found = NULL;

	if (library[0] == '/')
		return member_in(e, library, name);
	for (size_t i = 0; i < e->options->procedure_library_count && !found; i++) {
		struct strbuf folder = STRBUF_INIT;

		strbuf_addf(&folder, "%s/%s", e->options->procedure_libraries[i], library);
		found = member_in(e, folder.text, name);
		strbuf_release(&folder);
	}
	return found ? found : member_in_data_set(e, library, name);
}

/*
 * Returns a member by name: first from JCLLIB's libraries, then from the procedure
 * libraries; NULL: not found.
 */
static struct jcl_deck *member_find(struct jcl_evaluation *e, const char *name)
{
	struct jcl_deck *found = NULL;

	if (!e->options || !jcl_name_valid(name, strlen(name)))
		return NULL;
	for (const struct jcl_node *at = e->libraries; at && !found; at = at->next)
		found = member_in_jcllib(e, at->text, name);
	for (size_t i = 0; i < e->options->procedure_library_count && !found; i++)
		found = member_in(e, e->options->procedure_libraries[i], name);
	return found;
}

/* Returns a procedure by name, in the stream or a library; NULL: not found. */
static struct jcl_procedure *procedure_find(struct jcl_evaluation *e, const char *name)
{
	struct jcl_procedure *found = e->procedures;
	struct jcl_deck *member;

	while (found && strcmp(found->name, name) != 0)
		found = found->next;
	if (found)
		return found;
	member = member_find(e, name);
	if (!member)
		return NULL;
	found = jcl_arena_get(e->deck_arena, sizeof(*found));
	*found = (struct jcl_procedure){ .name = jcl_arena_text(e->deck_arena, name, strlen(name)),
					 .first = member->statements,
					 .source = member->source,
					 .next = e->procedures };
	if (found->first && found->first->operation == JCL_PROC) {
		found->head = found->first;
		found->first = found->first->next;
	}
	for (found->end = found->first; found->end && found->end->operation != JCL_PEND;)
		found->end = found->end->next;
	e->procedures = found;
	return found;
}

/* Adds the DD after the EXEC as an override; *named is the last one with a name. */
static void override_add(struct jcl_evaluation *e, struct jcl_call *call,
			 struct jcl_override ***tail, struct jcl_override **named,
			 const struct jcl_statement *statement)
{
	struct jcl_override *made = jcl_arena_get(e->deck_arena, sizeof(*made)), *last = *named;
	const char *dot = strchr(statement->name, '.');
	bool usable = statement->operation == JCL_DD && jcl_prepare(e, statement);

	*made = (struct jcl_override){ .name = dot ? dot + 1 : statement->name,
				       .operands = usable ? e->operands : NULL,
				       .statement = statement,
				       .text = usable ? e->text : NULL,
				       .source = e->source };
	if (statement->operation == JCL_STRAY) { /* SYSIN DD * is implied */
		made->name = "SYSIN";
		made->operands = jcl_arena_get(e->deck_arena, sizeof(*made->operands));
		*made->operands =
			(struct jcl_node){ .kind = JCL_WORD, .text = "*", .text_length = 1 };
		made->operands->location = (struct location){ e->source, statement->line, 1, 1 };
	} else if (statement->name[0] == '\0') {
		if (!last) {
			jcl_complain(e, SEVERITY_ERROR, 1135, NULL,
				     "a DD without a name must follow one with a name");
			return;
		}
		(last->last ? last->last : last)->concat = made;
		last->last = made;
		return;
	}
	if (dot)
		made->procstep = jcl_arena_text(e->deck_arena, statement->name,
						(size_t)(dot - statement->name));
	else if (last)
		made->procstep = last->procstep;
	if (!call->overrides)
		*tail = &call->overrides;
	**tail = made;
	*tail = &made->next;
	*named = made;
}

/* Collects the DDs after the current EXEC; they are not evaluated again. */
static void overrides_collect(struct jcl_evaluation *e, struct jcl_call *call)
{
	const struct jcl_statement *exec = e->statement;
	struct jcl_override **tail = &call->overrides, *named = NULL;
	struct jcl_node *operands = e->operands;
	unsigned count = 0;

	for (; e->next && (e->next->operation == JCL_DD || e->next->operation == JCL_STRAY);
	     e->next = e->next->next)
		if (count++ < JCL_MAXIMUM_DDS)
			override_add(e, call, &tail, &named, e->next);
	e->statement = exec;
	e->operands = operands;
	if (count > JCL_MAXIMUM_DDS)
		jcl_complain(e, SEVERITY_ERROR, 1211, NULL,
			     "a step has %d DD statements at most; more follow this EXEC",
			     JCL_MAXIMUM_DDS);
}

/* Copies all symbols into a new scope. */
static void symbols_copy(struct jcl_symbols *to, const struct jcl_symbols *from)
{
	jcl_symbols_init(to);
	for (uint32_t i = 0; i < from->names.count && i < from->alloc; i++)
		if (from->values[i])
			jcl_symbols_set(to, strmap_text(&from->names, i), from->values[i]);
}

/* Returns whether an operand of PROC or EXEC sets a symbol. */
static bool sets_symbol(const struct jcl_node *operand, bool exec)
{
	if (operand->kind != JCL_KEYWORD)
		return false;
	return !exec || (!strchr(operand->text, '.') && strcmp(operand->text, "PROC") != 0 &&
			 !jcl_exec_keyword(operand->text));
}

/* Sets the symbols of one statement; of two values for one symbol the first counts. */
static void symbols_of(struct jcl_evaluation *e, const struct jcl_node *operands, bool exec,
		       struct jcl_symbols *scope)
{
	struct strmap seen;

	strmap_init(&seen);
	for (const struct jcl_node *at = operands; at; at = at->next) {
		if (!sets_symbol(at, exec) || strmap_find(&seen, at->text) != UINT32_MAX)
			continue;
		strmap_put(&seen, at->text);
		jcl_symbols_set(scope, at->text, jcl_symbol_value(e, at->child));
	}
	strmap_release(&seen);
}

/* Sets the symbols given by the PROC statement and the calling EXEC. */
static void symbols_assign(struct jcl_evaluation *e, const struct jcl_call *call,
			   struct jcl_symbols *scope)
{
	const struct jcl_statement *head = call->procedure->head;

	symbols_of(e, head ? head->operands : NULL, false, scope);
	symbols_of(e, call->operands, true, scope);
}

/* Returns whether the PROC statement sets a symbol. */
static bool head_sets(const struct jcl_procedure *procedure, const char *name)
{
	const struct jcl_node *at = procedure->head ? procedure->head->operands : NULL;

	while (at && !(sets_symbol(at, false) && strcmp(at->text, name) == 0))
		at = at->next;
	return at;
}

/*
 * Marks symbols used by the procedure as used by its caller, and reports those
 * that the EXEC sets without use.
 */
static void check_symbols(struct jcl_evaluation *e, const struct jcl_call *call,
			  const struct jcl_symbols *outer)
{
	for (uint32_t i = 0; i < e->symbols.names.count && i < e->symbols.alloc; i++) {
		const char *name = strmap_text(&e->symbols.names, i);

		if (e->symbols.used[i])
			jcl_symbols_get(outer, name, strlen(name));
	}
	for (const struct jcl_node *at = call->operands; at && !e->job->failed; at = at->next)
		if (sets_symbol(at, true) && !head_sets(call->procedure, at->text) &&
		    !jcl_symbols_used(&e->symbols, at->text))
			jcl_complain(e, jcl_lenient(e), 1228, at,
				     "procedure %s has no symbol %s; the value is ignored",
				     call->procedure->name, at->text);
}

/* Reports overrides that match no step of the procedure. */
static void check_overrides(struct jcl_evaluation *e, const struct jcl_call *call)
{
	for (const struct jcl_override *at = call->overrides; at; at = at->next) {
		struct location where = jcl_statement_location(at->source, at->statement);

		if (!at->used)
			jcl_complain_at(e, SEVERITY_ERROR, 1197, &where,
					"procedure %s has no step %s", call->procedure->name,
					at->procstep ? at->procstep : "");
	}
}

/* Checks the operands of the calling EXEC; PGM is not allowed. False if there are too many. */
static bool check_operands(struct jcl_evaluation *e, const struct jcl_node *operands)
{
	unsigned count = 0;

	for (const struct jcl_node *at = operands->next; at; at = at->next) {
		if (++count > MAXIMUM_OPERANDS) {
			jcl_complain(e, SEVERITY_ERROR, 1212, at, "an EXEC has %d operands at most",
				     MAXIMUM_OPERANDS);
			return false;
		}
		if (at->kind != JCL_KEYWORD)
			jcl_complain(e, SEVERITY_ERROR, 1035, at,
				     "a positional operand is not expected here");
		else if (strcmp(at->text, "PGM") == 0 || strncmp(at->text, "PGM.", 4) == 0)
			jcl_complain(e, SEVERITY_ERROR, 1198, at,
				     "PGM of a procedure's step cannot be overridden");
	}
	return true;
}

/* Returns whether one more call is allowed; reports it if not. */
static bool may_call(struct jcl_evaluation *e, unsigned depth, const struct jcl_node *which)
{
	if (e->calls_refused)
		return false;
	e->work += e->symbols.names.count;
	if (depth <= MAXIMUM_DEPTH && ++e->call_count <= MAXIMUM_CALLS && !e->too_large &&
	    e->work <= MAXIMUM_WORK)
		return true;
	e->calls_refused = true;
	jcl_complain(
		e, SEVERITY_ERROR, 1199, which,
		"procedures and INCLUDE are nested deeper than %d, or the job becomes too large",
		MAXIMUM_DEPTH);
	return false;
}

/* Enters the procedure of a call with its symbols. */
static void call_enter(struct jcl_evaluation *e, struct jcl_call *call)
{
	struct jcl_symbols scope;

	call->symbols = e->symbols;
	call->source = e->source;
	call->exec = e->statement;
	symbols_copy(&scope, &call->symbols);
	symbols_assign(e, call, &scope);
	e->symbols = scope;
	e->call = call;
	e->source = e->syntax.source = call->procedure->source;
	jcl_list_head(e, call->procedure);
}

bool jcl_procedure_begin(struct jcl_evaluation *e, const struct jcl_node *which,
			 struct jcl_call *call)
{
	const struct jcl_node *value = which->kind == JCL_KEYWORD ? which->child : which;
	const char *name = jcl_plain_text(e, value);

	*call = (struct jcl_call){ .step_name = e->call ? e->call->step_name : e->statement->name,
				   .operands = e->operands,
				   .named = value,
				   .begin = e->step_tail,
				   .steps_before = e->job->step_count,
				   .depth = e->call ? e->call->depth + 1 : e->depth + 1,
				   .outer = e->call };
	overrides_collect(e, call);
	if (!check_operands(e, e->operands) || !may_call(e, call->depth, which))
		return false;
	call->procedure = procedure_find(e, name);
	if (!call->procedure) {
		jcl_complain(e, SEVERITY_ERROR, 1181, value,
			     "there is no procedure %s in the stream or the procedure libraries",
			     name);
		return false;
	}
	call_enter(e, call);
	return true;
}

void jcl_procedure_end(struct jcl_evaluation *e)
{
	struct jcl_call *call = e->call;

	jcl_step_end(e);
	e->call = call->outer;
	e->source = e->syntax.source = call->source;
	e->statement = call->exec;
	check_symbols(e, call, &call->symbols);
	jcl_symbols_release(&e->symbols);
	e->symbols = call->symbols;
	e->dd = e->member = NULL;
	if (!call->named)
		return;
	check_overrides(e, call);
	if (e->job->step_count == call->steps_before && !e->job->failed)
		jcl_complain(e, SEVERITY_ERROR, 1202, call->named, "procedure %s has no steps",
			     call->procedure->name);
}

void jcl_procedure_check(struct jcl_evaluation *e, const struct jcl_statement *head,
			 struct jcl_procedure *procedure, struct jcl_call *call)
{
	*procedure = (struct jcl_procedure){
		.name = head->name, .head = head, .first = head->next, .source = e->source
	};
	*call = (struct jcl_call){
		.procedure = procedure, .step_name = "", .begin = e->step_tail, .depth = 1
	};
	e->statement = head;
	for (procedure->end = procedure->first;
	     procedure->end && procedure->end->operation != JCL_PEND;)
		procedure->end = procedure->end->next;
	call_enter(e, call);
}

const struct jcl_deck *jcl_include_find(struct jcl_evaluation *e)
{
	const struct jcl_node *operand = e->operands;
	const struct jcl_deck *member;
	const char *name;

	if (!e->usable)
		return NULL;
	if (!operand || operand->kind != JCL_KEYWORD || strcmp(operand->text, "MEMBER") != 0) {
		jcl_complain(e, SEVERITY_ERROR, 1203, operand, "INCLUDE needs MEMBER=name");
		return NULL;
	}
	name = jcl_plain_text(e, operand->child);
	if (!may_call(e, e->depth + 1, operand))
		return NULL;
	member = member_find(e, name);
	if (!member)
		jcl_complain(e, SEVERITY_ERROR, 1204, operand->child,
			     "there is no member %s in the procedure libraries", name);
	return member;
}

/*
 * Returns whether a library's name can be that of a folder: a data set name, or an
 * absolute path.
 */
static bool library_valid(const char *name)
{
	if (name[0] == '/')
		return true;
	return name[0] != '.' && name[0] != '\0' && !strstr(name, "..") &&
	       name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@#$-.")] == '\0';
}

/*
 * Returns the value of ORDER=; ignores PROCLIB=. NULL after a message, or if there
 * is nothing else.
 */
static const struct jcl_node *library_order(struct jcl_evaluation *e)
{
	const struct jcl_node *order = NULL;

	if (!e->operands)
		jcl_complain(e, SEVERITY_ERROR, 1205, NULL, "JCLLIB needs ORDER=(library,...)");
	for (const struct jcl_node *at = e->operands; at; at = at->next) {
		if (at->kind == JCL_KEYWORD && strcmp(at->text, "ORDER") == 0)
			order = at->child;
		else if (at->kind != JCL_EMPTY &&
			 (at->kind != JCL_KEYWORD || strcmp(at->text, "PROCLIB") != 0))
			jcl_complain(e, SEVERITY_ERROR, 1205, at,
				     "JCLLIB needs ORDER=(library,...), not this");
	}
	return order;
}

void jcl_evaluate_jcllib(struct jcl_evaluation *e)
{
	const struct jcl_node *order = e->usable ? library_order(e) : NULL;
	struct jcl_node **tail = &e->libraries;
	unsigned count = 0;

	if (!order)
		return;
	if (e->libraries || e->step)
		jcl_complain(e, SEVERITY_ERROR, 1206, NULL,
			     "a job has one JCLLIB, before its first EXEC");
	e->libraries = NULL;
	for (const struct jcl_node *at = jcl_members(order); at;
	     at = order->kind == JCL_LIST ? at->next : NULL) {
		struct jcl_node *library = jcl_arena_get(e->deck_arena, sizeof(*library));
		const char *name = jcl_plain_text(e, at);

		*library = (struct jcl_node){ .kind = JCL_WORD };
		library->text = jcl_arena_text(e->deck_arena, name, strlen(name));
		if (!library_valid(name) || ++count > MAXIMUM_LIBRARIES) {
			jcl_complain(e, SEVERITY_ERROR, 1207, at, "%s is not a library", name);
			continue;
		}
		*tail = library;
		tail = &library->next;
	}
}
