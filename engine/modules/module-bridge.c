/* SPDX-License-Identifier: Apache-2.0 */
/* Lets the engine call external modules like its own. */
#include "common/compat.h"
#include "engine/modules/module-bridge.h"
#include "common/xalloc.h"
#include "engine/modules/apart.h"
#include "engine/modules/module-call.h"
#include "engine/modules/module-messages.h"
#include "engine/modules/module-privileges.h"

void bridge_refuse(struct known *known, const char *reason)
{
	if (known->refusal)
		return;
	known->refusal = xstrdup(reason);
	/* The client already has the module's own message. */
	if (known->mine.status < 0 && strcmp(reason, known->said.text) == 0)
		return;
	message_say(known->opened, known, VIGIL_MESSAGE_ERROR, "%s", reason);
}

/* Checks what the module declares. Returns the problem, NULL: none. */
static const char *problem_of(const struct known *known)
{
	const struct vigil_private *mine = &known->mine;

	if (!mine->capabilities || mine->capabilities >= VIGIL_MONITOR * 2)
		return "it does not say what it can do (capabilities)";
	if (mine->sync_points >= VIGIL_AT_COLLECTION_END * 2)
		return "it wants to be called at points that there are not (sync_points)";
	if (mine->capabilities & VIGIL_PRODUCER && !known->type)
		return "it is a producer and has no record type";
	if (mine->options & VIGIL_PRIVATE_FORM && !known->private_type)
		return "it has a private form and no record type for it";
	if (mine->options & VIGIL_ACCEPTS_CALLS && !known->module->external)
		return "it accepts external calls and has no function for them";
	return NULL;
}

void bridge_reset(struct known *known)
{
	apart_end(known);
	known->mine = known->at_load;
	known->inner = NULL;
	free(known->refusal);
	known->refusal = NULL;
	strbuf_reset(&known->said);
	known->told = false;
	known->called = false;
	known->calls = 0;
	known->cost = 0;
}

void bridge_prepare(struct known *known)
{
	struct vigil_private *mine = &known->mine;
	const struct vigil_record_type *type = mine->type, *private_type = mine->private_type;

	known->calls = known->cost = 0;
	if (module_call(known, VIGIL_PREPARE, NULL) != VIGIL_OK) {
		bridge_refuse(known, known->said.length ? known->said.text
							: "it has nothing to do in this operation");
		return;
	}
	if (mine->type != type || mine->private_type != private_type) {
		mine->type = type;
		mine->private_type = private_type;
		bridge_refuse(known, "it changed its record type, which stays as at VIGIL_LOAD");
		return;
	}
	if (problem_of(known))
		bridge_refuse(known, problem_of(known));
}

/* Calls the module, in its process or here. */
static int call_known(struct known *known, uint32_t what, struct snapshot *snapshot)
{
	return known->apart ? apart_call(known, what, snapshot)
			    : module_call(known, what, snapshot);
}

/*
 * Converts a module's answer for the engine; sends the client a message when the
 * module is switched off.
 */
static enum module_status to_status(const struct known *known, int status, struct error *err)
{
	const char *why = known->said.text;

	switch (status) {
	case VIGIL_OK:
		return MODULE_OK;
	case VIGIL_END_OF_DATA:
		return MODULE_END_OF_DATA;
	case VIGIL_NOTHING_TO_DO:
		return MODULE_DISABLE;
	case VIGIL_FATAL:
		error_set(err, "module %s: %s", known->module->name, why);
		return MODULE_FATAL;
	}
	error_set(err, "%s", why);
	if (!known->refusal)
		message_say(known->opened, known, VIGIL_MESSAGE_WARNING, "it is switched off: %s",
			    why);
	return MODULE_ERROR;
}

/* Checks the privileges. Returns -1 with the reason when a required one is missing. */
static int check_privileges(struct known *known, struct error *err)
{
	RETURN_IF(privileges_lacking(known->mine.needs, &err->text), -1);
	known->mine.missing = privileges_missing(known->mine.uses);
	return 0;
}

static enum module_status bridge_init(struct module *module, struct error *err)
{
	struct known *known = module->context;
	int status;

	if (!known->refusal && check_privileges(known, err) < 0)
		bridge_refuse(known, error_text(err));
	if (known->refusal) {
		error_set(err, "%s", known->refusal);
		return MODULE_ERROR;
	}
	if (apart_is_for(known) && apart_start(known, err) < 0) {
		bridge_refuse(known, error_text(err));
		return MODULE_ERROR;
	}
	known->called = true;
	status = call_known(known, VIGIL_START, NULL);
	if (status != VIGIL_OK) {
		known->called = false;
		apart_end(known);
	}
	return to_status(known, status, err);
}

static enum module_status bridge_call(struct module *module, enum sync_point point,
				      struct snapshot *snapshot, struct error *err)
{
	static const uint32_t what[] = {
		[SYNC_PRE_BASELINE] = VIGIL_BASELINE,
		[SYNC_SNAPSHOT] = VIGIL_SNAPSHOT,
		[SYNC_SNAPSHOT_END] = VIGIL_SNAPSHOT_END,
		[SYNC_COLLECTION_END] = VIGIL_COLLECTION_END,
	};
	struct known *known = module->context;

	return to_status(known, call_known(known, what[point], snapshot), err);
}

/* If the timer fails, the operation ends, as there is no other timer. */
static uint64_t bridge_due(struct module *module, uint64_t last, uint64_t now)
{
	struct known *known = module->context;
	struct error err = ERROR_INIT;

	known->opened->settings.last = last;
	known->opened->settings.now = now;
	known->mine.due = VIGIL_NEVER;
	if (to_status(known, call_known(known, VIGIL_DUE, NULL), &err) == MODULE_OK)
		return known->mine.due;
	engine_disable(module, err.text.length ? error_text(&err) : "it has nothing to do here");
	error_release(&err);
	return TIMER_NEVER;
}

/* Notifies the module of a loss, after which it may switch itself off. */
static void bridge_lost(struct module *module, const struct module *other)
{
	struct known *known = module->context;
	struct error err = ERROR_INIT;

	known->lost = (struct vigil_description){ .size = sizeof(known->lost),
						  .name = other->class->name,
						  .summary = other->class->summary,
						  .library = "",
						  .capabilities = other->class->capabilities,
						  .disabled = 1,
						  .reason = other->reason };
	if (known->refusal)
		return;
	message_say(known->opened, known, VIGIL_MESSAGE_INFO,
		    "module %s, which it comes after, is "
		    "switched off",
		    other->class->name);
	known->mine.lost = &known->lost;
	if (to_status(known, call_known(known, VIGIL_LOST, NULL), &err) != MODULE_OK)
		engine_disable(module, err.text.length ? error_text(&err)
						       : "it has nothing to do without another");
	known->mine.lost = NULL;
	error_release(&err);
}

static void bridge_end(struct module *module)
{
	struct known *known = module->context;

	if (known->called)
		call_known(known, VIGIL_END, NULL);
	known->called = false;
	apart_end(known);
}

/* Describes the module to the engine; of one that was refused, only the name. */
static void make_class(struct known *known, enum operation operation)
{
	const struct vigil_private *mine = &known->mine;
	struct module_class *class = &known->class;
	bool timer = mine->capabilities & VIGIL_TIMER;

	*class = (struct module_class){ .name = known->module->name,
					.summary = known->module->summary,
					.capabilities = MODULE_SUPPORTER,
					.init = bridge_init };
	if (known->refusal)
		return;
	class->capabilities = mine->capabilities;
	class->sync_points = mine->sync_points;
	class->after = mine->after;
	class->members = mine->members;
	class->call = bridge_call;
	class->due = timer ? bridge_due : NULL;
	class->lost = bridge_lost;
	class->end = bridge_end;
	class->times_extractions = timer && operation == OPERATION_EXTRACTION;
}

int bridge_add(struct known *known, struct engine *inner, struct error *err)
{
	enum operation operation = known->opened->operation.operation == VIGIL_EXTRACTION
					   ? OPERATION_EXTRACTION
					   : OPERATION_COLLECTION;

	make_class(known, operation);
	known->inner = engine_offer(inner, &known->class, known, err);
	if (!known->inner) {
		/* Its name, or its description, is invalid. */
		bridge_refuse(known, error_text(err));
		make_class(known, operation);
		known->inner = engine_offer(inner, &known->class, known, NULL);
		strbuf_reset(&err->text);
	}
	RETURN_IF(!known->inner, 0);
	return known->takes_part ? engine_enable(inner, known->module->name, err) : 0;
}
