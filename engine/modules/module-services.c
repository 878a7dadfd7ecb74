/* SPDX-License-Identifier: Apache-2.0 */
/* The service functions of a global context. */
#include "common/compat.h"
#include "engine/modules/module-services.h"
#include "engine/modules/module-call.h"
#include "engine/modules/module-messages.h"
#include "engine/modules/views.h"

static struct call *call_of(struct vigil_global *global)
{
	return (struct call *)global;
}

/* Reports a module's misuse of a service. Returns VIGIL_ERROR. */
static int misuse_error(const struct call *call, const char *what)
{
	message_send_format(call->opened, call->registered_module, VIGIL_MESSAGE_ERROR, "%s", what);
	return VIGIL_ERROR;
}

/* Returns the type of a record that may be added now, NULL with a message when it may not. */
static const struct record_type *addable(const struct call *call, const struct vigil_prefix *prefix)
{
	const struct registered_module *registered_module = call->registered_module;
	const struct record_type *type;

	if (!call->snapshot || !registered_module) {
		misuse_error(call, "a record was added outside of a snapshot");
		return NULL;
	}
	type = registry_type(engine_types(call->opened->inner), prefix->id);
	if (!(registered_module->mine.capabilities & VIGIL_EXTRACTOR) &&
	    (!(registered_module->mine.capabilities & VIGIL_PRODUCER) || prefix->id != registered_module->mine.record_id)) {
		misuse_error(call, "it added a record that is not of its type");
		return NULL;
	}
	if (!type || !views_has_prefix(type) || prefix->size != type->size) {
		misuse_error(call, "it added a record whose prefix has another size than its type");
		return NULL;
	}
	return type;
}

static int add(struct vigil_global *global, struct vigil_private *mine UNUSED, const void *record)
{
	struct call *call = call_of(global);
	const struct record_type *type = addable(call, record);
	struct vigil_prefix *prefix;
	struct recordset *set;

	RETURN_IF(!type, VIGIL_ERROR);
	set = snapshot_set(call->snapshot, type->id);
	recordset_add(set, record);
	prefix = recordset_at(set, set->count - 1);
	if (!prefix->time)
		prefix->time = call->snapshot->wall;
	return VIGIL_OK;
}

static int discard(struct vigil_global *global, struct vigil_private *mine UNUSED,
		   const struct vigil_set *set, uint64_t number)
{
	struct call *call = call_of(global);

	if (!call->dropping)
		return misuse_error(call, "it discarded a record but is not an active filter");
	if (views_mark(call->opened, call->snapshot, set, number) < 0)
		return misuse_error(call, "it discarded a record that is not in the snapshot");
	return VIGIL_OK;
}

static uint64_t text_put(struct vigil_global *global, const char *text)
{
	struct vigil_engine *opened = call_of(global)->opened;

	if (opened->local)
		return LOCAL_TEXTS + strmap_put(opened->local, text ? text : "");
	return opened->inner ? engine_string(opened->inner, text ? text : "") : 0;
}

static const char *text_of(struct vigil_global *global, uint64_t number)
{
	struct vigil_engine *opened = call_of(global)->opened;

	if (opened->local && number >= LOCAL_TEXTS)
		return strmap_text(opened->local, (uint32_t)(number - LOCAL_TEXTS));
	RETURN_IF(!opened->inner || number > UINT32_MAX, "");
	return strmap_text(engine_strings(opened->inner), (uint32_t)number);
}

static const struct vigil_snapshot *reserve(struct vigil_global *global,
					    const struct vigil_snapshot *snapshot)
{
	const struct snapshot *inner = views_inner(call_of(global)->opened, snapshot);

	if (inner)
		engine_reserve(inner);
	return inner ? snapshot : NULL;
}

static void release(struct vigil_global *global, const struct vigil_snapshot *snapshot)
{
	const struct snapshot *inner = views_inner(call_of(global)->opened, snapshot);

	if (inner && !engine_release(inner))
		misuse_error(call_of(global),
			     "a snapshot was released more often than it was reserved");
}

static struct vigil_snapshot *copy(struct vigil_global *global UNUSED,
				   const struct vigil_snapshot *snapshot)
{
	return snapshot ? views_copy(snapshot) : NULL;
}

static void copy_free(struct vigil_global *global UNUSED, struct vigil_snapshot *snapshot)
{
	views_copy_free(snapshot);
}

static struct vigil_set *clone(struct vigil_global *global UNUSED, const struct vigil_set *set)
{
	return set ? views_clone(set) : NULL;
}

static void clone_free(struct vigil_global *global UNUSED, struct vigil_set *set)
{
	free(set);
}

/* Returns the module of this name if it takes part, otherwise NULL. */
static struct registered_module *find_taking_part(const struct vigil_engine *opened, const char *name)
{
	for (size_t i = 0; i < opened->count; i++) {
		struct registered_module *registered_module = opened->registered_module[i];

		if (registered_module->inner && registered_module->inner->enabled && !registered_module->inner->disabled &&
		    strcmp(registered_module->module->name, name) == 0)
			return registered_module;
	}
	return NULL;
}

static void *shared(struct vigil_global *global, const char *name)
{
	const struct vigil_engine *opened = call_of(global)->opened;
	/* In a module's process the others are frozen as they were when it began. */
	const struct registered_module *registered_module = opened->local ? NULL : find_taking_part(opened, name);

	return registered_module && !registered_module->apart ? registered_module->mine.shared : NULL;
}

static int call_module(struct vigil_global *global, struct vigil_private *mine UNUSED,
		       const char *name, const void *input, void *output)
{
	struct call *call = call_of(global);
	struct registered_module *registered_module = find_taking_part(call->opened, name);

	RETURN_IF(!registered_module || call->opened->local, VIGIL_REFUSED);
	return module_call_external(registered_module, call->registered_module, call->snapshot, input, output);
}

static int describe(struct vigil_global *global, uint32_t number,
		    struct vigil_description *description)
{
	const struct vigil_engine *opened = call_of(global)->opened;
	struct vigil_description whole;
	uint32_t size = description->size;

	for (size_t i = 0; i < opened->count; i++) {
		const struct registered_module *registered_module = opened->registered_module[i];

		if (!registered_module->inner || !registered_module->inner->enabled || number-- > 0)
			continue;
		module_describe(registered_module, &whole);
		memcpy(description, &whole, size < sizeof(whole) ? size : sizeof(whole));
		description->size = size;
		return 0;
	}
	return -1;
}

static void halt(struct vigil_global *global)
{
	struct vigil_engine *opened = call_of(global)->opened;

	opened->halted = true;
	if (opened->inner)
		engine_halt(opened->inner);
}

static void message(struct vigil_global *global, struct vigil_private *mine, uint32_t severity,
		    uint32_t level, const char *format, ...)
{
	struct call *call = call_of(global);
	struct strbuf text = STRBUF_INIT;
	va_list ap;

	va_start(ap, format);
	strbuf_vaddf(&text, format, ap);
	va_end(ap);
	if (call->registered_module && mine && severity >= VIGIL_MESSAGE_ERROR) {
		mine->status = severity == VIGIL_MESSAGE_FATAL ? VIGIL_FATAL : VIGIL_ERROR;
		strbuf_reset(&call->registered_module->last_error);
		strbuf_addbuf(&call->registered_module->last_error, &text);
	}
	/* Settings made by the call itself take effect at once. */
	call->opened->settings.trace_level = global->trace_level;
	message_text(call->opened, call->registered_module ? call->registered_module->module->name : "", severity, level,
		     text.text);
	strbuf_release(&text);
}

static int set_time(struct vigil_global *global, struct vigil_private *mine UNUSED, uint64_t when,
		    uint64_t wall)
{
	struct call *call = call_of(global);

	if (!call->snapshot || !call->registered_module || !(call->registered_module->mine.capabilities & VIGIL_EXTRACTOR))
		return misuse_error(call,
				    "it set the time of a snapshot but is not an active extractor");
	call->snapshot->time = when;
	call->snapshot->wall = wall;
	return VIGIL_OK;
}

static int add_type(struct vigil_global *global, struct vigil_private *mine UNUSED,
		    const struct vigil_record_type *type)
{
	struct call *call = call_of(global);
	const struct record_type *added;
	struct error err = ERROR_INIT;
	struct record_type made;
	int id = -1;

	if (!call->opened->inner || !call->registered_module ||
	    !(call->registered_module->mine.capabilities & VIGIL_EXTRACTOR)) {
		misuse_error(call, "it added a record type but is not an active extractor");
		return -1;
	}
	if (views_make_type(type, &made, &err) == 0) {
		added = registry_add(engine_types(call->opened->inner), &made, &err);
		free((struct field *)made.fields);
		id = added ? (int)added->id : -1;
	}
	if (id < 0)
		misuse_error(call, error_text(&err));
	error_release(&err);
	return id;
}

const struct vigil_services module_services = {
	.size = sizeof(struct vigil_services),
	.version = VIGIL_MODULE_VERSION,
	.add = add,
	.discard = discard,
	.text_put = text_put,
	.text = text_of,
	.reserve = reserve,
	.release = release,
	.copy = copy,
	.copy_free = copy_free,
	.clone = clone,
	.clone_free = clone_free,
	.shared = shared,
	.call = call_module,
	.describe = describe,
	.halt = halt,
	.message = message,
	.set_time = set_time,
	.add_type = add_type,
};
