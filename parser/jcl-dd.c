/* SPDX-License-Identifier: Apache-2.0 */
/* The DD statement: its kind, its position in the plan, and its references. */
#include "common/compat.h"
#include "parser/jcl-dd.h"
#include "parser/jcl-procedure.h"
#include "common/xalloc.h"

/* Evaluates SYSOUT=class or (class,writer,form). */
static void dd_sysout(struct jcl_evaluation *e, void *target, const struct jcl_node *value)
{
	struct jcl_dd *definition = target;
	const struct jcl_node *first = jcl_members(value);
	const struct jcl_node *writer = value->kind == JCL_LIST ? first->next : NULL;
	const char *text = jcl_plain_text(e, first);
	char class = text[0];

	definition->has_sysout = true;
	if (class == '\0' || strcmp(text, "*") == 0 || strcmp(text, "$") == 0)
		class = e->job->message_class;
	else if (text[1] || !((class >= 'A' && class <= 'Z') || (class >= '0' && class <= '9')))
		jcl_complain(e, SEVERITY_ERROR, 1124, first,
			     "SYSOUT class is a letter, a digit or *, not %s", text);
	definition->dd->sysout_class = class;
	if (writer && writer->kind != JCL_EMPTY) {
		free(definition->dd->writer);
		definition->dd->writer = xstrdup(jcl_plain_text(e, writer));
	}
}

static void dd_ddname(struct jcl_evaluation *e, void *target, const struct jcl_node *value)
{
	struct jcl_dd *definition = target;

	definition->ddname = jcl_plain_text(e, value);
	definition->ddname_location = value->location;
	definition->has_ddname = value->kind != JCL_EMPTY;
	if (definition->has_ddname &&
	    !jcl_name_valid(definition->ddname, strlen(definition->ddname)))
		jcl_complain(e, SEVERITY_ERROR, 1125, value, "%s is not a DD name",
			     definition->ddname);
}

/* Evaluates FREE=CLOSE or END. */
static void dd_free(struct jcl_evaluation *e, void *target, const struct jcl_node *value)
{
	static const char *const whens[] = { "END", "CLOSE" };
	int choice = jcl_choice(jcl_plain_text(e, value), whens, ARRAY_SIZE(whens));

	if (choice < 0)
		jcl_complain(e, SEVERITY_ERROR, 1214, value, "FREE is END or CLOSE, not %s",
			     jcl_plain_text(e, value));
	((struct jcl_dd *)target)->dd->free_at_close = choice == 1;
}

/* Evaluates OUTLIM=n: 1 to 16777215 logical records. */
static void dd_outlim(struct jcl_evaluation *e, void *target, const struct jcl_node *value)
{
	uint64_t number = 0;

	if (value->kind != JCL_EMPTY && !jcl_number(jcl_plain_text(e, value), 16777215, &number))
		jcl_complain(e, SEVERITY_ERROR, 1215, value, "OUTLIM %s is not from 0 to 16777215",
			     jcl_plain_text(e, value));
	((struct jcl_dd *)target)->dd->output_limit = (unsigned)number;
}

/* Evaluates UNIT=AFF=dd; ignores all other units. */
static void dd_unit(struct jcl_evaluation *e, void *target, const struct jcl_node *value)
{
	struct plan_dd *dd = ((struct jcl_dd *)target)->dd;
	const struct jcl_node *first = jcl_members(value);

	if (first->kind != JCL_KEYWORD || strcmp(first->text, "AFF") != 0)
		return;
	free(dd->unit_affinity);
	dd->unit_affinity = xstrdup(jcl_plain_text(e, first->child));
}

static void dd_subsys(struct jcl_evaluation *e UNUSED, void *target, const struct jcl_node *value)
{
	struct jcl_dd *definition = target;

	definition->subsystem = value;
}

/* Evaluates SYMBOLS=JCLONLY, EXECSYS, CNVTSYS or (which,DD): symbols in in-stream data. */
static void dd_symbols(struct jcl_evaluation *e, void *target, const struct jcl_node *value)
{
	static const char *const types[] = { "JCLONLY", "EXECSYS", "CNVTSYS", "NONE" };
	const char *text = jcl_plain_text(e, jcl_members(value));
	int choice = jcl_choice(text, types, ARRAY_SIZE(types));

	if (choice < 0)
		jcl_complain(e, SEVERITY_ERROR, 1128, value,
			     "SYMBOLS %s is not known; expected JCLONLY, EXECSYS or CNVTSYS", text);
	((struct jcl_dd *)target)->substitute = choice >= 0 && choice < 3;
	((struct jcl_dd *)target)->system_symbols = choice > 0;
}

/* Sorted by name. DCB's attributes are also allowed on the DD itself. */
static const struct jcl_keyword keywords[] = {
	{ "ACCODE", NULL },
	{ "AFF", NULL },
	{ "AMP", NULL },
	{ "AVGREC", jcl_dd_avgrec },
	{ "BFALN", NULL },
	{ "BFTEK", NULL },
	{ "BLKSIZE", jcl_dd_blksize },
	{ "BLKSZLIM", NULL },
	{ "BUFIN", NULL },
	{ "BUFL", NULL },
	{ "BUFMAX", NULL },
	{ "BUFNO", NULL },
	{ "BUFOFF", NULL },
	{ "BUFOUT", NULL },
	{ "BUFRQ", NULL },
	{ "BUFSIZE", NULL },
	{ "BURST", NULL },
	{ "CCSID", NULL },
	{ "CHARS", NULL },
	{ "CHKPT", NULL },
	{ "CNTL", NULL },
	{ "COPIES", NULL },
	{ "CPRI", NULL },
	{ "CYLOFL", NULL },
	{ "DATACLAS", NULL },
	{ "DCB", jcl_dd_dcb },
	{ "DDNAME", dd_ddname },
	{ "DEN", NULL },
	{ "DEST", NULL },
	{ "DIAGNS", NULL },
	{ "DISP", jcl_dd_disp },
	{ "DLM", NULL },
	{ "DSID", NULL },
	{ "DSKEYLBL", NULL },
	{ "DSN", jcl_dd_dsn },
	{ "DSNAME", jcl_dd_dsn },
	{ "DSNTYPE", jcl_dd_dsntype },
	{ "DSORG", jcl_dd_dsorg },
	{ "DYNAM", NULL },
	{ "EATTR", NULL },
	{ "EROPT", NULL },
	{ "EXPDT", NULL },
	{ "FCB", NULL },
	{ "FILEDATA", jcl_dd_filedata },
	{ "FLASH", NULL },
	{ "FREE", dd_free },
	{ "FREEVOL", NULL },
	{ "FUNC", NULL },
	{ "GDGORDER", NULL },
	{ "GNCP", NULL },
	{ "HOLD", NULL },
	{ "INTVL", NULL },
	{ "IPLTXID", NULL },
	{ "KEYENCD1", NULL },
	{ "KEYENCD2", NULL },
	{ "KEYLABL1", NULL },
	{ "KEYLABL2", NULL },
	{ "KEYLEN", jcl_dd_keylen },
	{ "KEYOFF", jcl_dd_keyoff },
	{ "LABEL", NULL },
	{ "LGSTREAM", NULL },
	{ "LIKE", jcl_dd_like },
	{ "LIMCT", NULL },
	{ "LRECL", jcl_dd_lrecl },
	{ "MAXGENS", NULL },
	{ "MGMTCLAS", NULL },
	{ "MODE", NULL },
	{ "MODIFY", NULL },
	{ "MSVGP", NULL },
	{ "NCP", NULL },
	{ "NTM", NULL },
	{ "OPTCD", NULL },
	{ "OUTLIM", dd_outlim },
	{ "OUTPUT", NULL },
	{ "PATH", jcl_dd_path },
	{ "PATHDISP", jcl_dd_pathdisp },
	{ "PATHMODE", jcl_dd_pathmode },
	{ "PATHOPTS", jcl_dd_pathopts },
	{ "PCI", NULL },
	{ "PROTECT", NULL },
	{ "PRTSP", NULL },
	{ "QNAME", NULL },
	{ "RECFM", jcl_dd_recfm },
	{ "RECORG", jcl_dd_recorg },
	{ "REFDD", jcl_dd_refdd },
	{ "RESERVE", NULL },
	{ "RETPD", NULL },
	{ "RKP", jcl_dd_keyoff },
	{ "RLS", NULL },
	{ "ROACCESS", NULL },
	{ "SECMODEL", NULL },
	{ "SEGMENT", NULL },
	{ "SEP", NULL },
	{ "SMBCPXLR", NULL },
	{ "SOWA", NULL },
	{ "SPACE", jcl_dd_space },
	{ "SPIN", NULL },
	{ "STACK", NULL },
	{ "STORCLAS", NULL },
	{ "SUBSYS", dd_subsys },
	{ "SYMBOLS", dd_symbols },
	{ "SYMLIST", NULL },
	{ "SYSOUT", dd_sysout },
	{ "TERM", NULL },
	{ "THRESH", NULL },
	{ "TRTCH", NULL },
	{ "UCS", NULL },
	{ "UNIT", dd_unit },
	{ "VOL", NULL },
	{ "VOLUME", NULL },
};

/* Evaluates the positional operand: *, DATA, DUMMY or DYNAM. */
static void positional(struct jcl_evaluation *e, struct jcl_dd *definition)
{
	const struct jcl_node *first = e->operands;

	for (const struct jcl_node *at = first; at; at = at->next) {
		if (at->kind == JCL_KEYWORD || (at->kind == JCL_EMPTY && at == first))
			continue;
		if (at->kind == JCL_EMPTY && !at->next)
			continue;
		if (at != first || at->kind != JCL_WORD)
			jcl_complain(e, SEVERITY_ERROR, 1035, at,
				     "a positional operand is not expected here");
		else if (strcmp(at->text, "*") == 0 || strcmp(at->text, "DATA") == 0)
			definition->has_data = true;
		else if (strcmp(at->text, "DUMMY") == 0)
			definition->dummy = true;
		else if (strcmp(at->text, "DYNAM") != 0)
			jcl_complain(e, SEVERITY_ERROR, 1129, at,
				     "%s is not known; expected *, DATA, DUMMY or a keyword",
				     at->text);
		else
			definition->dummy = true;
	}
}

/* Reports operands that exclude each other. */
static void check_kinds(struct jcl_evaluation *e, const struct jcl_dd *definition)
{
	const struct plan_dd *dd = definition->dd;

	if (definition->dummy)
		return;
	if (definition->subsystem && !definition->has_dsn && !definition->has_path &&
	    !definition->has_sysout && !definition->has_data)
		jcl_complain(e, SEVERITY_ERROR, 1140, definition->subsystem,
			     "there are no subsystems here, and the DD names no data set");
	if (definition->has_path && definition->has_dsn)
		jcl_complain(e, SEVERITY_ERROR, 1130, NULL, "PATH and DSN exclude each other");
	if (definition->has_path && dd->disp_given)
		jcl_complain(e, SEVERITY_ERROR, 1130, NULL,
			     "PATH and DISP exclude each other; use PATHDISP");
	if (definition->has_sysout && (definition->has_path || dd->disp_given))
		jcl_complain(e, SEVERITY_ERROR, 1130, NULL, "SYSOUT and %s exclude each other",
			     definition->has_path ? "PATH" : "DISP");
	if (definition->has_data &&
	    (definition->has_sysout || definition->has_path || dd->disp_given))
		jcl_complain(e, SEVERITY_ERROR, 1130, NULL,
			     "in-stream data and %s exclude each other",
			     definition->has_sysout ? "SYSOUT"
			     : definition->has_path ? "PATH"
						    : "DISP");
	if (definition->has_ddname &&
	    (definition->has_sysout || definition->has_path || definition->has_dsn ||
	     dd->disp_given || definition->has_data))
		jcl_complain(e, SEVERITY_ERROR, 1130, NULL,
			     "DDNAME excludes DSN, DISP, PATH, SYSOUT and data");
}

/* Collects the symbols for in-stream data: exported ones, and the system's if requested. */
static void data_symbols(struct jcl_evaluation *e, struct jcl_symbols *symbols, bool system)
{
	const struct jcl_symbols *from = &e->symbols;

	jcl_symbols_init(symbols);
	if (system)
		jcl_symbols_predefine(symbols, e->options);
	jcl_symbols_set_user(symbols, e->options);
	for (uint32_t i = 0; i < from->names.count && i < from->alloc; i++) {
		const char *name = strmap_text(&from->names, i);

		if (from->values[i] &&
		    (e->export_all || strmap_find(&e->exported, name) != UINT32_MAX))
			jcl_symbols_set(symbols, name, jcl_symbols_get(from, name, strlen(name)));
	}
}

/* Appends one card, with symbols substituted if there are any. */
static void add_data_card(struct strbuf *sb, const struct source_line *line,
			  const struct jcl_symbols *symbols)
{
	if (symbols)
		jcl_symbols_substitute_line(symbols, line->text, line->length, sb);
	else
		strbuf_add(sb, line->text, line->length);
	strbuf_addch(sb, '\n');
}

/* Copies the data cards of a statement, with symbols substituted if requested. */
static void set_data(struct jcl_evaluation *e, const struct jcl_dd *definition)
{
	const struct jcl_statement *statement = definition->data;
	struct strbuf sb = STRBUF_INIT;
	struct jcl_symbols symbols;

	if (definition->substitute)
		data_symbols(e, &symbols, definition->system_symbols);
	for (unsigned i = 0; i < statement->data_count; i++)
		add_data_card(&sb, &definition->source->lines[statement->data_line + i - 1],
			      definition->substitute ? &symbols : NULL);
	if (definition->substitute)
		jcl_symbols_release(&symbols);
	definition->dd->kind = DD_INSTREAM;
	definition->dd->data = strbuf_detach(&sb, &definition->dd->data_length);
	definition->dd->data_source = definition->source;
	definition->dd->data_line = statement->data_line;
}

/* Sets the kind of a DD from its operands. */
static void set_kind(struct jcl_evaluation *e, const struct jcl_dd *definition)
{
	struct plan_dd *dd = definition->dd;

	if (!dd->disp_given)
		jcl_dd_default_disp(dd, false, false);
	if (definition->dummy || dd->kind == DD_DUMMY) {
		dd->kind = DD_DUMMY;
	} else if (definition->has_data) {
		set_data(e, definition);
	} else if (definition->has_sysout) {
		dd->kind = DD_SYSOUT;
	} else if (definition->has_path) {
		dd->kind = DD_PATH;
	} else if (definition->has_ddname) {
		dd->kind = DD_DUMMY; /* until the step ends */
	} else if (!dd->dsn) {
		/* An unnamed data set cannot exist already, whatever DISP says. */
		dd->dsn = xstrdup("");
		dd->temporary = true;
		dd->status = DISP_NEW;
	}
}

/* Records a DDNAME= to be resolved at the end of the step. */
static void postpone(struct jcl_evaluation *e, const struct jcl_dd *definition)
{
	struct jcl_postponed *postponed = jcl_arena_get(e->deck_arena, sizeof(*postponed));

	postponed->dd = definition->dd;
	postponed->name =
		jcl_arena_text(e->deck_arena, definition->ddname, strlen(definition->ddname));
	postponed->location = definition->ddname_location;
	postponed->next = e->postponed;
	e->postponed = postponed;
}

/* Appends a named DD to the step's, or to the job's before the first step. */
static void add_named(struct jcl_evaluation *e, struct plan_dd *dd)
{
	const struct plan_dd *known = NULL;

	if (e->step && ++e->dd_count > JCL_MAXIMUM_DDS)
		e->too_large = true;
	if (e->step && !e->too_large)
		known = jcl_dd_find(e->step->dds, dd->name);
	if (known && known->implicit_sysin && !dd->implicit_sysin)
		jcl_complain_at(e, SEVERITY_WARNING, 1142, &dd->location,
				"this DD SYSIN is not used: SYSIN DD * was put before the cards in "
				"line %u, and the first one counts",
				known->location.line);
	else if (known && !dd->implicit_sysin)
		jcl_complain_at(e, SEVERITY_WARNING, 1131, &dd->location,
				"the step has a DD %s already; the first one is used", dd->name);
	if (e->step && e->dd_count == JCL_MAXIMUM_DDS + 1)
		jcl_complain_at(e, SEVERITY_ERROR, 1132, &dd->location,
				"a step has %d DD statements at most", JCL_MAXIMUM_DDS);
	*e->dd_tail = dd;
	e->dd_tail = &dd->next;
	e->dd = e->member = dd;
}

/* Appends an unnamed DD to the last one: a concatenation. */
static void add_concatenated(struct jcl_evaluation *e, struct plan_dd *dd)
{
	bool postponed = e->postponed && e->postponed->dd == e->member;

	if (e->member->kind == DD_DUMMY && !postponed)
		jcl_complain_at(e, SEVERITY_WARNING, 1133, &dd->location,
				"this follows a DUMMY in the concatenation and is not read");
	if (e->member->kind == DD_SYSOUT || dd->kind == DD_SYSOUT)
		jcl_complain_at(e, SEVERITY_ERROR, 1134, &dd->location,
				"SYSOUT cannot be concatenated");
	e->member->next_concat = dd;
	e->member = dd;
}

/* Returns whether a DD is allowed here; reports the reason if not. */
static bool placed(struct jcl_evaluation *e)
{
	static const char *const early[] = { "JOBLIB", "JOBCAT", "SYSCHK" };
	const char *name = e->statement->name;

	if (strchr(name, '.')) {
		jcl_complain(e, SEVERITY_ERROR, 1182, NULL,
			     "%s would override a DD, but the EXEC before it calls no procedure",
			     name);
		return false;
	}
	if (name[0] == '\0' && !e->dd && e->fragment)
		return false; /* it continues a concatenation of the including deck */
	if (name[0] == '\0' && !e->dd) {
		jcl_complain(e, SEVERITY_ERROR, 1135, NULL,
			     "a DD without a name must follow one with a name");
		return false;
	}
	if (!e->step && name[0] && jcl_choice(name, early, ARRAY_SIZE(early)) < 0) {
		jcl_complain(e, SEVERITY_ERROR, 1136, NULL,
			     "DD %s is before the first EXEC; only JOBLIB may be there", name);
		return false;
	}
	if (e->step && strcmp(name, "JOBLIB") == 0) {
		jcl_complain(e, SEVERITY_ERROR, 1137, NULL,
			     "JOBLIB must precede the first EXEC");
		return false;
	}
	return true;
}

/* Creates a DD from the current operands; name "" continues a concatenation. */
static void define(struct jcl_evaluation *e, const char *name, struct jcl_dd *definition)
{
	struct plan_dd *dd = xcalloc(1, sizeof(*dd));

	definition->dd = dd;
	dd->name = xstrdup(name[0] ? name : e->dd->name);
	dd->kind = DD_DATASET;
	dd->location = jcl_statement_location(e->source, e->statement);
	if (e->usable && !e->operands)
		jcl_complain(e, SEVERITY_ERROR, 1101, NULL, "the DD has no operands");
	if (e->usable) {
		positional(e, definition);
		jcl_keywords(e, keywords, ARRAY_SIZE(keywords), definition, e->operands);
		check_kinds(e, definition);
	}
	set_kind(e, definition);
	if (definition->has_ddname)
		postpone(e, definition);
	if (name[0])
		add_named(e, dd);
	else
		add_concatenated(e, dd);
}

/* Creates a DD from an override that matches none in the procedure. */
static void dd_add(struct jcl_evaluation *e, const struct jcl_override *override, bool concatenated)
{
	struct jcl_dd definition = { .data = override->statement, .source = override->source };
	const struct jcl_statement *statement = e->statement;
	struct jcl_node *operands = e->operands;
	const struct source *source = e->source;
	bool usable = e->usable;

	jcl_list_override(e, override);
	if (concatenated && !e->member)
		return;
	e->statement = override->statement;
	e->source = override->source;
	e->operands = override->operands;
	e->usable = true;
	define(e, concatenated ? "" : override->name, &definition);
	e->statement = statement;
	e->source = source;
	e->operands = operands;
	e->usable = usable;
}

/* Adds the overrides of the current concatenation beyond its members. */
static void members_end(struct jcl_evaluation *e)
{
	for (const struct jcl_override *at = jcl_override_members(e); at; at = at->concat)
		dd_add(e, at, true);
}

/* Adds the DDs that the caller gives to the current step in addition. */
static void overrides_end(struct jcl_evaluation *e)
{
	const struct jcl_override *at;

	members_end(e);
	while ((at = jcl_override_next(e))) {
		dd_add(e, at, false);
		for (const struct jcl_override *more = at->concat; more; more = more->concat)
			dd_add(e, more, true);
	}
	if (e->call)
		e->call->procstep = NULL;
}

void jcl_evaluate_dd(struct jcl_evaluation *e)
{
	struct jcl_dd definition = { .data = e->statement, .source = e->source };
	const struct jcl_override *override;

	if (!placed(e)) {
		jcl_list_statement(e, false);
		return;
	}
	if (e->statement->name[0])
		members_end(e);
	override = jcl_override_of(e, e->statement->name);
	if (override)
		jcl_list_override(e, override);
	jcl_list_statement(e, override != NULL);
	if (override) {
		e->operands = jcl_merge_dd(e, e->operands, override->operands);
		if (override->statement->has_data) {
			definition.data = override->statement;
			definition.source = override->source;
		}
	}
	define(e, e->statement->name, &definition);
}

void jcl_evaluate_stray(struct jcl_evaluation *e)
{
	struct jcl_dd definition = { .data = e->statement, .source = e->source };
	struct location at = { e->source, e->statement->line, 1, 1 };

	if (!e->step) {
		jcl_complain_at(e, SEVERITY_ERROR, 1012, &at,
				"this is neither a JCL statement nor data of a step");
		return;
	}
	if (jcl_dd_find(e->step->dds, "SYSIN"))
		jcl_complain_at(e, SEVERITY_WARNING, 1141, &at,
				"these cards are not read: they belong to no DD, and the step has a "
				"DD SYSIN already");
	else
		jcl_complain_at(e, SEVERITY_INFO, 1024, &at, "SYSIN DD * is put before these cards");
	definition.dd = xcalloc(1, sizeof(*definition.dd));
	definition.dd->name = xstrdup("SYSIN");
	definition.dd->location = at;
	definition.dd->implicit_sysin = true;
	set_data(e, &definition);
	add_named(e, definition.dd);
}

/*
 * Exchanges the content of two DDs, except names and links. Then further members
 * of from's concatenation follow to.
 */
static void take_definition(struct plan_dd *to, struct plan_dd *from)
{
	struct plan_dd content = *from, old = *to, *last = to;

	content.name = old.name;
	content.next = old.next;
	old.name = from->name;
	old.next = from->next;
	*to = content;
	*from = old;
	from->next_concat = NULL;
	for (struct plan_dd *member = to->next_concat; member; member = member->next_concat) {
		free(member->name);
		member->name = xstrdup(to->name);
		last = member;
	}
	last->next_concat = old.next_concat;
}

/* Returns the DD of the step to whose concatenation a DD belongs. */
static struct plan_dd *dd_first(struct plan_dd *dds, const struct plan_dd *member)
{
	for (; dds; dds = dds->next)
		for (const struct plan_dd *at = dds; at; at = at->next_concat)
			if (at == member)
				return dds;
	return NULL;
}

/* Removes a DD whose definition has moved elsewhere. */
static void dd_remove(struct jcl_evaluation *e, struct plan_dd *dd)
{
	struct plan_dd **link = &e->step->dds;

	while (*link && *link != dd)
		link = &(*link)->next;
	if (!*link)
		return;
	*link = dd->next;
	if (e->dd_tail == &dd->next)
		e->dd_tail = link;
	plan_dd_free(dd);
}

/* Resolves one DDNAME= by the later DD of that name. */
static void resolve(struct jcl_evaluation *e, const struct jcl_postponed *postponed)
{
	struct plan_dd *first, *from;

	if (e->too_large)
		return;
	first = dd_first(e->step->dds, postponed->dd);
	from = first ? jcl_dd_find(first->next, postponed->name) : NULL;
	if (!from) {
		jcl_complain_at(e, SEVERITY_INFO, 1138, &postponed->location,
				"no later DD is called %s; this one is DUMMY", postponed->name);
		return;
	}
	take_definition(postponed->dd, from);
	dd_remove(e, from);
}

/* Checks that the DD of PARMDD= belongs to the step. */
static void check_parm_dd(struct jcl_evaluation *e)
{
	if (e->step && e->step->parm_dd && !e->too_large &&
	    !jcl_dd_find(e->step->dds, e->step->parm_dd))
		jcl_complain_at(e, SEVERITY_ERROR, 1093, &e->parm_dd,
				"PARMDD names DD %s, which the step does not have",
				e->step->parm_dd);
}

void jcl_step_end(struct jcl_evaluation *e)
{
	struct jcl_postponed *at;

	overrides_end(e);
	at = e->postponed;
	e->postponed = NULL;
	for (; at && e->step; at = at->next)
		resolve(e, at);
	/* No concatenation is possible from here on; the current DD may be freed. */
	e->dd = e->member = NULL;
	check_parm_dd(e);
}

void jcl_drop_early(struct jcl_evaluation *e)
{
	struct plan_dd **link = &e->job->joblib;

	while (*link) {
		struct plan_dd *dd = *link;

		if (strcmp(dd->name, "JOBLIB") == 0) {
			link = &dd->next;
			continue;
		}
		*link = dd->next;
		while (dd) {
			struct plan_dd *member = dd->next_concat;

			plan_dd_free(dd);
			dd = member;
		}
	}
}
