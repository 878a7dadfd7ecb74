/* SPDX-License-Identifier: Apache-2.0 */
/* DD operands with the attributes of a new data set: DCB, models, space, keys. */
#include "common/compat.h"
#include "parser/jcl-dd.h"
#include "common/xalloc.h"

/* Makes another DD's data set the model if its JCL does not give all attributes. */
static void refer_model(struct plan_dd *dd, const struct plan_dd *from)
{
	if (dd->model)
		return;
	if (from->model)
		dd->model = xstrdup(from->model);
	else if ((!from->recfm || !from->lrecl) && from->dsn && *from->dsn &&
		 !from->generation_given)
		dd->model = xstrdup(from->dsn);
}

/* Copies attributes of another DD: DCB=*.STEP.DD and REFDD=. */
static void copy_attributes(struct jcl_evaluation *e, struct plan_dd *dd,
			    const struct jcl_node *node)
{
	const struct plan_dd *from = jcl_dd_refer(e, node, jcl_plain_text(e, node));

	if (!from)
		return;
	if (from->recfm && !dd->recfm)
		dd->recfm = xstrdup(from->recfm);
	if (!dd->lrecl)
		dd->lrecl = from->lrecl;
	if (!dd->block_size)
		dd->block_size = from->block_size;
	if (dd->organization == DSORG_UNKNOWN)
		dd->organization = from->organization;
	if (dd->record_organization == RECORG_NONE)
		dd->record_organization = from->record_organization;
	if (!dd->key_length)
		dd->key_length = from->key_length;
	if (!dd->key_offset_given) {
		dd->key_offset_given = from->key_offset_given;
		dd->key_offset = from->key_offset;
	}
	refer_model(dd, from);
}

void jcl_dd_refdd(struct jcl_evaluation *e, void *target, const struct jcl_node *value)
{
	if (strncmp(jcl_plain_text(e, value), "*.", 2) == 0)
		copy_attributes(e, ((struct jcl_dd *)target)->dd, value);
	else
		jcl_complain(e, SEVERITY_ERROR, 1126, value, "REFDD needs a reference *.DD");
}

/* Sets the model of a new data set: a name, possibly of a temporary one. */
static void set_model(struct jcl_evaluation *e, struct plan_dd *dd, const struct jcl_node *value)
{
	const char *text = jcl_plain_text(e, value);
	bool temporary = strncmp(text, "&&", 2) == 0;

	if (temporary ? !jcl_name_valid(text + 2, strlen(text + 2))
		      : !jcl_dsn_valid(e, value, text)) {
		if (temporary)
			jcl_complain(e, SEVERITY_ERROR, 1109, value,
				     "%s is not a temporary name: && and 1 to 8 of A-Z 0-9 @ # $",
				     text);
		return;
	}
	free(dd->model);
	dd->model = xstrdup(text);
}

void jcl_dd_like(struct jcl_evaluation *e, void *target, const struct jcl_node *value)
{
	if (value->kind != JCL_EMPTY)
		set_model(e, ((struct jcl_dd *)target)->dd, value);
}

/* Sorted by name. */
static const struct jcl_keyword attributes[] = {
	{ "BFALN", NULL },   { "BFTEK", NULL },		{ "BLKSIZE", jcl_dd_blksize },
	{ "BUFIN", NULL },   { "BUFL", NULL },		{ "BUFMAX", NULL },
	{ "BUFNO", NULL },   { "BUFOFF", NULL },	{ "BUFOUT", NULL },
	{ "BUFRQ", NULL },   { "BUFSIZE", NULL },	{ "CODE", NULL },
	{ "CPRI", NULL },    { "CYLOFL", NULL },	{ "DEN", NULL },
	{ "DIAGNS", NULL },  { "DSORG", jcl_dd_dsorg }, { "EROPT", NULL },
	{ "FUNC", NULL },    { "GNCP", NULL },		{ "HIARCHY", NULL },
	{ "INTVL", NULL },   { "IPLTXID", NULL },	{ "KEYLEN", jcl_dd_keylen },
	{ "LIMCT", NULL },   { "LRECL", jcl_dd_lrecl }, { "MODE", NULL },
	{ "NCP", NULL },     { "NTM", NULL },		{ "OPTCD", NULL },
	{ "PCI", NULL },     { "PRTSP", NULL },		{ "RECFM", jcl_dd_recfm },
	{ "RESERVE", NULL }, { "RKP", jcl_dd_keyoff },	{ "SOWA", NULL },
	{ "STACK", NULL },   { "THRESH", NULL },	{ "TRTCH", NULL },
};

/* Evaluates DCB=(attribute,...), DCB=*.STEP.DD, DCB=model or DCB=RECFM=FB. */
void jcl_dd_dcb(struct jcl_evaluation *e, void *target, const struct jcl_node *value)
{
	struct jcl_dd *definition = target;
	const struct jcl_node *first = jcl_members(value);

	jcl_keywords(e, attributes, ARRAY_SIZE(attributes), target, first);
	if (first->kind == JCL_KEYWORD || first->kind == JCL_EMPTY)
		return;
	if (strncmp(jcl_plain_text(e, first), "*.", 2) == 0)
		copy_attributes(e, definition->dd, first);
	else
		set_model(e, definition->dd, first);
}

/* Evaluates a number of SPACE; an omitted one is 0. */
static void space_amount(struct jcl_evaluation *e, const struct jcl_node *node, unsigned *amount)
{
	uint64_t number = 0;

	if (node->kind != JCL_EMPTY && !jcl_number(jcl_plain_text(e, node), 16777215, &number))
		jcl_complain(e, SEVERITY_ERROR, 1216, node,
			     "SPACE: %s is not a number from 0 to 16777215",
			     jcl_plain_text(e, node));
	*amount = (unsigned)number;
}

/*
 * Evaluates SPACE=(unit,(primary,secondary,directory)): a directory makes a
 * partitioned data set.
 */
void jcl_dd_space(struct jcl_evaluation *e, void *target, const struct jcl_node *value)
{
	struct plan_dd *dd = ((struct jcl_dd *)target)->dd;
	const struct jcl_node *amount = value->kind == JCL_LIST ? value->child->next : NULL;
	const char *unit = jcl_plain_text(e, jcl_members(value));
	unsigned *amounts[] = { &dd->space.primary, &dd->space.secondary, &dd->space.directory };
	uint64_t number;

	if (value->kind == JCL_EMPTY)
		return;
	if (*unit && strcmp(unit, "TRK") != 0 && strcmp(unit, "CYL") != 0 &&
	    strcmp(unit, "ABSTR") != 0 && !jcl_number(unit, 65535, &number)) {
		jcl_complain(e, SEVERITY_ERROR, 1216, jcl_members(value),
			     "SPACE begins with TRK, CYL, ABSTR or a length up to 65535, not %s",
			     unit);
		return;
	}
	snprintf(dd->space.unit, sizeof(dd->space.unit), "%s", unit);
	if (amount && amount->kind != JCL_LIST)
		space_amount(e, amount, amounts[0]);
	else if (amount)
		amount = amount->child;
	for (unsigned i = 0; amount && i < 3 && value->child->next->kind == JCL_LIST; i++) {
		space_amount(e, amount, amounts[i]);
		amount = amount->next;
	}
	if (dd->space.directory > 0 && dd->organization == DSORG_UNKNOWN)
		dd->organization = DSORG_PO;
}

void jcl_dd_avgrec(struct jcl_evaluation *e, void *target, const struct jcl_node *value)
{
	struct plan_dd *dd = ((struct jcl_dd *)target)->dd;
	const char *text = jcl_plain_text(e, value);

	if (value->kind == JCL_EMPTY)
		return;
	if (strlen(text) == 1 && strchr("UKM", text[0]))
		dd->space.average = text[0];
	else
		jcl_complain(e, SEVERITY_ERROR, 1217, value, "AVGREC is U, K or M, not %s", text);
}

void jcl_dd_dsntype(struct jcl_evaluation *e, void *target, const struct jcl_node *value)
{
	static const char *const types[] = { "LIBRARY", "PDS",	    "BASIC", "LARGE", "EXTREQ",
					     "EXTPREF", "EXTENDED", "HFS",   "PIPE" };
	struct plan_dd *dd = ((struct jcl_dd *)target)->dd;
	const char *text = jcl_plain_text(e, jcl_members(value));
	int choice = jcl_choice(text, types, ARRAY_SIZE(types));

	if (value->kind == JCL_EMPTY)
		return;
	if (choice < 0)
		jcl_complain(e, SEVERITY_ERROR, 1127, value, "DSNTYPE %s is not known", text);
	else if (choice < 2 && dd->organization == DSORG_UNKNOWN)
		dd->organization = DSORG_PO;
}

void jcl_dd_recorg(struct jcl_evaluation *e, void *target, const struct jcl_node *value)
{
	static const char *const kinds[] = { "", "KS", "ES", "RR", "LS" };
	struct plan_dd *dd = ((struct jcl_dd *)target)->dd;
	int choice = jcl_choice(jcl_plain_text(e, value), kinds, ARRAY_SIZE(kinds));

	if (choice < 0)
		jcl_complain(e, SEVERITY_ERROR, 1218, value, "RECORG is KS, ES, RR or LS, not %s",
			     jcl_plain_text(e, value));
	else
		dd->record_organization = (enum record_organization)choice;
}

/* Evaluates a number of a key, up to limit; false if it is omitted, or after a message. */
static bool key_number(struct jcl_evaluation *e, const struct jcl_node *value, const char *keyword,
		       unsigned limit, unsigned *number)
{
	uint64_t read;

	if (value->kind == JCL_EMPTY)
		return false;
	if (jcl_number(jcl_plain_text(e, value), limit, &read)) {
		*number = (unsigned)read;
		return true;
	}
	jcl_complain(e, SEVERITY_ERROR, 1219, value, "%s %s is not from 0 to %u", keyword,
		     jcl_plain_text(e, value), limit);
	return false;
}

void jcl_dd_keylen(struct jcl_evaluation *e, void *target, const struct jcl_node *value)
{
	key_number(e, value, "KEYLEN", 255, &((struct jcl_dd *)target)->dd->key_length);
}

void jcl_dd_keyoff(struct jcl_evaluation *e, void *target, const struct jcl_node *value)
{
	struct plan_dd *dd = ((struct jcl_dd *)target)->dd;

	if (key_number(e, value, "the key's offset", 32760, &dd->key_offset))
		dd->key_offset_given = true;
}
