/* SPDX-License-Identifier: Apache-2.0 */
/* Lets the engine call external modules like its own. */
#include "common/compat.h"
#include "engine/modules/module-bridge.h"
#include "common/xalloc.h"
#include "engine/modules/apart.h"
#include "engine/modules/module-call.h"
#include "engine/modules/module-messages.h"
#include "engine/modules/module-privileges.h"

void bridge_refuse(struct registered_module *registered_module, const char *reason)
{
	if (registered_module->refusal)
		return;
	registered_module->refusal = xstrdup(reason);
	/* The client already has the module's own message. */
	if (registered_module->mine.status < 0 && strcmp(reason, registered_module->last_error.text) == 0)
		return;
	message_send_format(registered_module->opened, registered_module, VIGIL_MESSAGE_ERROR, "%s", reason);
}

/* Checks what the module declares. Returns the problem, NULL: none. */
static const char *problem_of(const struct registered_module *registered_module)
{
	const struct vigil_private *mine = &registered_module->mine;

	if (!mine->capabilities || mine->capabilities >= VIGIL_MONITOR * 2)
		return "it does not declare its capabilities (capabilities)";
	if (mine->sync_points >= VIGIL_AT_COLLECTION_END * 2)
		return "it requests sync points that do not exist (sync_points)";
	if (mine->capabilities & VIGIL_PRODUCER && !registered_module->type)
		return "it is a producer but has no record type";
	if (mine->options & VIGIL_PRIVATE_FORM && !registered_module->private_type)
		return "it has a private form but no record type for it";
	if (mine->options & VIGIL_ACCEPTS_CALLS && !registered_module->module->external)
		return "it accepts external calls but has no function for them";
	return NULL;
}

void bridge_reset(struct registered_module *registered_module)
{
	separate_process_end(registered_module);
	registered_module->mine = registered_module->at_load;
	registered_module->inner = NULL;
	free(registered_module->refusal);
	registered_module->refusal = NULL;
	strbuf_reset(&registered_module->last_error);
	registered_module->warned_write = false;
	registered_module->called = false;
	registered_module->calls = 0;
	registered_module->cost = 0;
}

void bridge_prepare(struct registered_module *registered_module)
{
	struct vigil_private *mine = &registered_module->mine;
	const struct vigil_record_type *type = mine->type, *private_type = mine->private_type;

	registered_module->calls = registered_module->cost = 0;
	if (module_call(registered_module, VIGIL_PREPARE, NULL) != VIGIL_OK) {
		bridge_refuse(registered_module, registered_module->last_error.length ? registered_module->last_error.text
							: "it has nothing to do in this operation");
		return;
	}
	if (mine->type != type || mine->private_type != private_type) {
		mine->type = type;
		mine->private_type = private_type;
		bridge_refuse(registered_module,
			      "it changed its record type, which must stay as at VIGIL_LOAD");
		return;
	}
	if (problem_of(registered_module))
		bridge_refuse(registered_module, problem_of(registered_module));
}

/* Calls the module, in its process or here. */
static int call_known(struct registered_module *registered_module, uint32_t what, struct snapshot *snapshot)
{
	return registered_module->apart ? separate_process_call(registered_module, what, snapshot)
			    : module_call(registered_module, what, snapshot);
}

/*
 * Converts a module's answer for the engine; sends the client a message when the
 * module is switched off.
 */
static enum module_status to_status(const struct registered_module *registered_module, int status, struct error *err)
{
	const char *why = registered_module->last_error.text;

	switch (status) {
	case VIGIL_OK:
		return MODULE_OK;
	case VIGIL_END_OF_DATA:
		return MODULE_END_OF_DATA;
	case VIGIL_NOTHING_TO_DO:
		return MODULE_DISABLE;
	case VIGIL_FATAL:
		error_set(err, "module %s: %s", registered_module->module->name, why);
		return MODULE_FATAL;
	}
	error_set(err, "%s", why);
	if (!registered_module->refusal)
		message_send_format(registered_module->opened, registered_module, VIGIL_MESSAGE_WARNING, "it is switched off: %s",
			    why);
	return MODULE_ERROR;
}

/* Checks the privileges. Returns -1 with the reason when a required one is missing. */
static int check_privileges(struct registered_module *registered_module, struct error *err)
{
	RETURN_IF(privileges_lacking(registered_module->mine.needs, &err->text), -1);
	registered_module->mine.missing = privileges_missing(registered_module->mine.uses);
	return 0;
}

static enum module_status bridge_init(struct module *module, struct error *err)
{
	struct registered_module *registered_module = module->context;
	int status;

	if (!registered_module->refusal && check_privileges(registered_module, err) < 0)
		bridge_refuse(registered_module, error_text(err));
	if (registered_module->refusal) {
		error_set(err, "%s", registered_module->refusal);
		return MODULE_ERROR;
	}
	if (separate_process_is_for(registered_module) && separate_process_start(registered_module, err) < 0) {
		bridge_refuse(registered_module, error_text(err));
		return MODULE_ERROR;
	}
	registered_module->called = true;
	status = call_known(registered_module, VIGIL_START, NULL);
	if (status != VIGIL_OK) {
		registered_module->called = false;
		separate_process_end(registered_module);
	}
	return to_status(registered_module, status, err);
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
	struct registered_module *registered_module = module->context;

	return to_status(registered_module, call_known(registered_module, what[point], snapshot), err);
}

/* If the timer fails, the operation ends, as there is no other timer. */
static uint64_t bridge_due(struct module *module, uint64_t last, uint64_t now)
{
	struct registered_module *registered_module = module->context;
	struct error err = ERROR_INIT;

	registered_module->opened->settings.last = last;
	registered_module->opened->settings.now = now;
	registered_module->mine.due = VIGIL_NEVER;
	if (to_status(registered_module, call_known(registered_module, VIGIL_DUE, NULL), &err) == MODULE_OK)
		return registered_module->mine.due;
	engine_disable(module, err.text.length ? error_text(&err) : "it has nothing to do here");
	error_release(&err);
	return TIMER_NEVER;
}

/* Notifies the module of a loss, after which it may switch itself off. */
static void bridge_lost(struct module *module, const struct module *other)
{
	struct registered_module *registered_module = module->context;
	struct error err = ERROR_INIT;

	registered_module->lost = (struct vigil_description){ .size = sizeof(registered_module->lost),
						  .name = other->class->name,
						  .summary = other->class->summary,
						  .library = "",
						  .capabilities = other->class->capabilities,
						  .disabled = 1,
						  .reason = other->reason };
	if (registered_module->refusal)
		return;
	message_send_format(registered_module->opened, registered_module, VIGIL_MESSAGE_INFO,
		    "module %s, on which it depends, is switched off",
		    other->class->name);
	registered_module->mine.lost = &registered_module->lost;
	if (to_status(registered_module, call_known(registered_module, VIGIL_LOST, NULL), &err) != MODULE_OK)
		engine_disable(module, err.text.length ? error_text(&err)
						       : "it has nothing to do without another "
							 "module");
	registered_module->mine.lost = NULL;
	error_release(&err);
}

static void bridge_end(struct module *module)
{
	struct registered_module *registered_module = module->context;

	if (registered_module->called)
		call_known(registered_module, VIGIL_END, NULL);
	registered_module->called = false;
	separate_process_end(registered_module);
}

/* Describes the module to the engine; of one that was refused, only the name. */
static void make_class(struct registered_module *registered_module, enum operation operation)
{
	const struct vigil_private *mine = &registered_module->mine;
	struct module_class *class = &registered_module->class;
	bool timer = mine->capabilities & VIGIL_TIMER;

	*class = (struct module_class){ .name = registered_module->module->name,
					.summary = registered_module->module->summary,
					.capabilities = MODULE_SUPPORTER,
					.init = bridge_init };
	if (registered_module->refusal)
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

int bridge_add(struct registered_module *registered_module, struct engine *inner, struct error *err)
{
	enum operation operation = registered_module->opened->operation.operation == VIGIL_EXTRACTION
					   ? OPERATION_EXTRACTION
					   : OPERATION_COLLECTION;

	make_class(registered_module, operation);
	registered_module->inner = engine_offer(inner, &registered_module->class, registered_module, err);
	if (!registered_module->inner) {
		/* Its name, or its description, is invalid. */
		bridge_refuse(registered_module, error_text(err));
		make_class(registered_module, operation);
		registered_module->inner = engine_offer(inner, &registered_module->class, registered_module, NULL);
		strbuf_reset(&err->text);
	}
	RETURN_IF(!registered_module->inner, 0);
	return registered_module->takes_part ? engine_enable(inner, registered_module->module->name, err) : 0;
}
