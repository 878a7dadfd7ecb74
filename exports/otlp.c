/* SPDX-License-Identifier: Apache-2.0 */
/*
 * OTLP profiles (otlp.proto): one profile per value, with shared tables. Item 0 of
 * each table means none, so the numbers of mappings, locations, functions and
 * stacks are those of objects, frames, functions and stacks plus one.
 */
#include "common/compat.h"
#include "common/xalloc.h"
#include "exports/address-map.h"
#include "exports/otlp.pb-c.h"
#include "exports/packed.h"
#include "profile/label.h"
#include "records/record-types.h"

/* The profiles, one per value. */
enum { CPU, SAMPLES, WAIT, WAITS, VALUES };
static const char *const value_names[VALUES][2] = { { "cpu", "nanoseconds" },
						    { "samples", "count" },
						    { "wait", "nanoseconds" },
						    { "waits", "count" } };
static const char *const kinds[] = { "", "user", "kernel", "kernel estimated", "residue" };

enum { RESOURCE_ATTRIBUTES = 4, ATTRIBUTES = 8 };

/* A sample and the attributes and value to which it points. */
struct sample {
	Otlp__Sample sample;
	int32_t attributes[ATTRIBUTES];
	int64_t value;
};

/* An attribute and its value. */
struct attribute {
	Otlp__KeyValueAndUnit pair;
	Otlp__AnyValue value;
};

struct making {
	struct exporting *exporting;
	const struct stack_view *view;
	struct strmap texts;
	struct address_map addresses;
	Otlp__ProfilesData data;
	Otlp__ProfilesDictionary dictionary;
	Otlp__ResourceProfiles resource_profiles, *resource_list;
	Otlp__Resource resource;
	Otlp__KeyValue resource_pairs[RESOURCE_ATTRIBUTES],
		*resource_pair_list[RESOURCE_ATTRIBUTES];
	Otlp__AnyValue resource_values[RESOURCE_ATTRIBUTES];
	Otlp__ScopeProfiles scope_profiles, *scope_list;
	Otlp__InstrumentationScope scope;
	Otlp__Profile profiles[VALUES], *profile_list[VALUES];
	Otlp__ValueType types[VALUES];
	struct sample *samples[VALUES];
	size_t sample_alloc[VALUES];
	struct keymap attribute_keys; /* key, text, number */
	struct stack_path path;
	void **allocations; /* memory freed at the end */
	size_t owned_count, owned_alloc;
};

static int32_t text(struct making *making, const char *text)
{
	return (int32_t)packed_text(&making->texts, text);
}

/* Returns the same name in the text table, where it stays valid. */
static char *lasting(struct making *making, const char *name)
{
	int32_t number = text(making, name);

	return making->texts.texts[number];
}

/* Returns zeroed memory for count items that is freed at the end. */
static void *allocate_owned(struct making *making, size_t count, size_t size)
{
	GROW(making->allocations, making->owned_count + 1, making->owned_alloc);
	return making->allocations[making->owned_count++] = xcalloc(count + 1, size);
}

/* Returns an array of pointers to the items of an array, as protobuf-c requires. */
static void *list_of(struct making *making, void *items, size_t count, size_t size)
{
	char **list = allocate_owned(making, count, sizeof(*list));

	for (size_t i = 0; i < count; i++)
		list[i] = (char *)items + i * size;
	return list;
}

/*
 * Returns the number of an attribute whose value is text, not empty, or a number
 * if text is NULL.
 */
static int32_t attribute(struct making *making, const char *key, const char *value, uint64_t number)
{
	const uint64_t known[] = { (uint64_t)text(making, key),
				   value ? (uint64_t)text(making, value) : 0, value ? 0 : number };

	return (int32_t)keymap_put(&making->attribute_keys, known);
}

static void set_mappings(struct making *making)
{
	const struct profile *from = making->view->profile;
	size_t count = from->objects.count + 1;
	Otlp__Mapping *mappings = allocate_owned(making, count, sizeof(*mappings));
	int32_t *build_ids = allocate_owned(making, count, sizeof(*build_ids));

	for (size_t i = 0; i < count; i++) {
		const struct record_object *object;

		otlp__mapping__init(&mappings[i]);
		if (!i)
			continue;
		object = id_table_at(&from->objects, i - 1);
		mappings[i].memory_start = making->addresses.ranges[i - 1].start;
		mappings[i].memory_limit = making->addresses.ranges[i - 1].end;
		mappings[i].filename_strindex = text(making, profile_text(from, object->path));
		if (!*profile_text(from, object->build_id))
			continue;
		build_ids[i] = attribute(making, "process.executable.build_id.gnu",
					 profile_text(from, object->build_id), 0);
		mappings[i].n_attribute_indices = 1;
		mappings[i].attribute_indices = &build_ids[i];
	}
	making->dictionary.n_mapping_table = count;
	making->dictionary.mapping_table = list_of(making, mappings, count, sizeof(*mappings));
}

static void set_functions(struct making *making)
{
	const struct stack_view *view = making->view;
	size_t count = view->function_count + 1;
	Otlp__Function *functions = allocate_owned(making, count, sizeof(*functions));

	for (size_t i = 0; i < count; i++) {
		otlp__function__init(&functions[i]);
		if (!i)
			continue;
		functions[i].name_strindex = text(making, view->functions[i - 1].name);
		functions[i].system_name_strindex = functions[i].name_strindex;
		functions[i].filename_strindex = text(making, view->functions[i - 1].file);
	}
	making->dictionary.n_function_table = count;
	making->dictionary.function_table = list_of(making, functions, count, sizeof(*functions));
}

/* Makes lines from all levels of all frames. */
static Otlp__Line **make_lines(struct making *making, size_t count)
{
	Otlp__Line *lines = allocate_owned(making, count, sizeof(*lines));

	for (size_t i = 0; i < count; i++) {
		otlp__line__init(&lines[i]);
		lines[i].function_index = (int32_t)making->view->levels[i].function + 1;
		lines[i].line = (int64_t)making->view->levels[i].line;
	}
	return list_of(making, lines, count, sizeof(*lines));
}

static void set_locations(struct making *making)
{
	const struct stack_view *view = making->view;
	size_t frames = view->profile->attribution.place_count + 1;
	Otlp__Location *locations = allocate_owned(making, frames + 1, sizeof(*locations));
	Otlp__Line **lines = make_lines(making, view->first[frames]);
	int32_t *types = allocate_owned(making, 2, sizeof(*types));

	types[0] = attribute(making, "profile.frame.type", "native", 0);
	types[1] = attribute(making, "profile.frame.type", "kernel", 0);
	otlp__location__init(&locations[0]);
	for (size_t i = 0; i < frames; i++) {
		Otlp__Location *location = &locations[i + 1];
		const struct stack_level *level = &view->levels[view->first[i]];

		otlp__location__init(location);
		location->mapping_index =
			(int32_t)(address_map_frame(&making->addresses, i, &location->address) + 1);
		location->n_lines = view->first[i + 1] - view->first[i];
		location->lines = lines + view->first[i];
		location->n_attribute_indices = 1;
		location->attribute_indices = &types[view->functions[level->function].kernel];
	}
	making->dictionary.n_location_table = frames + 1;
	making->dictionary.location_table =
		list_of(making, locations, frames + 1, sizeof(*locations));
}

/* Sets all stacks of the profile, and after them one for stacks missing in the data. */
static void set_stacks(struct making *making)
{
	const struct stack_view *view = making->view;
	size_t stacks = view->profile->stacks.count;
	Otlp__Stack *table = allocate_owned(making, stacks + 2, sizeof(*table));

	otlp__stack__init(&table[0]);
	for (size_t i = 0; i <= stacks; i++) {
		struct stack_path *path = &making->path;
		int32_t *locations;

		stack_path_set(path, view, i == stacks ? ATTRIBUTION_NONE : i);
		locations = allocate_owned(making, path->count, sizeof(*locations));
		for (size_t j = 0; j < path->count; j++)
			locations[path->count - 1 - j] =
				(int32_t)stack_view_frame(view, path->stacks[j]) + 1;
		otlp__stack__init(&table[i + 1]);
		table[i + 1].n_location_indices = path->count;
		table[i + 1].location_indices = locations;
	}
	making->dictionary.n_stack_table = stacks + 2;
	making->dictionary.stack_table = list_of(making, table, stacks + 2, sizeof(*table));
}

/* Adds a sample with a value unless that is 0. */
static void add_sample(struct making *making, size_t value, size_t stack, const int32_t *attributes,
		       size_t count, uint64_t amount)
{
	size_t number = making->profiles[value].n_samples;
	struct sample *sample;

	if (!amount)
		return;
	GROW(making->samples[value], number + 1, making->sample_alloc[value]);
	sample = &making->samples[value][number];
	otlp__sample__init(&sample->sample);
	sample->sample.stack_index =
		(int32_t)((stack == ATTRIBUTION_NONE ? making->view->profile->stacks.count
						     : stack) +
			  1);
	memcpy(sample->attributes, attributes, count * sizeof(*attributes));
	sample->sample.n_attribute_indices = count;
	sample->value = (int64_t)amount;
	making->profiles[value].n_samples++;
}

/* Stores the attributes of a task and a transaction; returns their count. */
static size_t owner(struct making *making, uint64_t task, uint64_t transaction,
		    int32_t attributes[ATTRIBUTES])
{
	const struct profile *from = making->view->profile;
	const struct record_task *record = id_table_get(&from->tasks, task);
	const struct record_process *process =
		record ? id_table_get(&from->processes, record->process) : NULL;
	struct strbuf label = STRBUF_INIT;
	size_t count = 0;

	label_task(from, task, &label);
	if (label.length)
		attributes[count++] = attribute(making, "thread.name", label.text, 0);
	if (record)
		attributes[count++] = attribute(making, "thread.id", NULL, record->tid);
	if (process) {
		attributes[count++] = attribute(making, "process.pid", NULL, process->pid);
		if (*profile_text(from, process->program))
			attributes[count++] = attribute(making, "process.executable.name",
							profile_text(from, process->program), 0);
	}
	if (transaction)
		attributes[count++] = attribute(making, "vigil.transaction",
						label_transaction(from, transaction), 0);
	strbuf_release(&label);
	return count;
}

static void add_cpu(struct making *making, const struct stack_cpu *cpu)
{
	int32_t attributes[ATTRIBUTES];
	size_t count = owner(making, cpu->task, cpu->transaction, attributes);

	if (cpu->kind && cpu->kind < ARRAY_SIZE(kinds))
		attributes[count++] = attribute(making, "vigil.sample.kind", kinds[cpu->kind], 0);
	add_sample(making, CPU, cpu->stack, attributes, count, cpu->time);
	add_sample(making, SAMPLES, cpu->stack, attributes, count, cpu->count);
}

static void add_wait(struct making *making, const struct profile_wait *wait)
{
	const struct profile *from = making->view->profile;
	int32_t attributes[ATTRIBUTES];
	size_t count = owner(making, wait->task, wait->transaction, attributes);
	struct strbuf file = STRBUF_INIT;

	attributes[count++] = attribute(making, "vigil.wait.reason", label_reason(wait->reason), 0);
	if (wait->file) {
		label_file(from, wait->file, &file);
		attributes[count++] = attribute(making, "vigil.wait.file", file.text, 0);
		if (*label_data_set(from, wait->file))
			attributes[count++] = attribute(making, "vigil.wait.dataset",
							label_data_set(from, wait->file), 0);
	}
	add_sample(making, WAIT, wait->stack, attributes, count, wait->charged);
	add_sample(making, WAITS, wait->stack, attributes, count, wait->count);
	strbuf_release(&file);
}

static void set_profiles(struct making *making)
{
	for (size_t i = 0; i < VALUES; i++) {
		Otlp__Profile *profile = &making->profiles[i];
		Otlp__Sample **list = allocate_owned(making, profile->n_samples, sizeof(*list));

		for (size_t j = 0; j < profile->n_samples; j++) {
			struct sample *sample = &making->samples[i][j];

			/* the array has moved as it grew */
			sample->sample.attribute_indices = sample->attributes;
			sample->sample.n_values = 1;
			sample->sample.values = &sample->value;
			list[j] = &sample->sample;
		}
		profile->samples = list;
		profile->sample_type = &making->types[i];
		profile->period_type = &making->types[CPU];
		profile->period = (int64_t)profile_period(making->view->profile);
		profile->time_unix_nano = making->exporting->request->start;
		profile->duration_nano = profile_run_time(making->view->profile);
		making->profile_list[i] = profile;
	}
}

/* Sets the attributes in use, in the order of their numbers. */
static void set_attributes(struct making *making)
{
	size_t count = making->attribute_keys.count;
	struct attribute *attributes = allocate_owned(making, count, sizeof(*attributes));
	Otlp__KeyValueAndUnit **list = allocate_owned(making, count, sizeof(Otlp__KeyValueAndUnit *));

	for (size_t i = 0; i < count; i++) {
		const uint64_t *key = keymap_key(&making->attribute_keys, i);
		struct attribute *made = &attributes[i];

		otlp__key_value_and_unit__init(&made->pair);
		list[i] = &made->pair;
		if (!i)
			continue;
		otlp__any_value__init(&made->value);
		made->pair.key_strindex = (int32_t)key[0];
		made->pair.value = &made->value;
		if (key[1]) {
			made->value.value_case = OTLP__ANY_VALUE__VALUE_STRING_VALUE;
			made->value.string_value = making->texts.texts[key[1]];
		} else {
			made->value.value_case = OTLP__ANY_VALUE__VALUE_INT_VALUE;
			made->value.int_value = (int64_t)key[2];
		}
	}
	making->dictionary.n_attribute_table = count;
	making->dictionary.attribute_table = list;
}

/* Sets the resource: what was measured. */
static void set_resource(struct making *making)
{
	const struct profile *from = making->view->profile;
	const char *const pairs[RESOURCE_ATTRIBUTES][2] = {
		{ "service.name", making->exporting->request->name },
		{ "host.name", profile_attribute(from, ATTR_HOST) },
		{ "vigil.job", profile_attribute(from, ATTR_JOB) },
		{ "vigil.step", profile_attribute(from, ATTR_STEP) },
	};
	size_t count = 0;

	otlp__resource__init(&making->resource);
	for (size_t i = 0; i < RESOURCE_ATTRIBUTES; i++) {
		Otlp__KeyValue *pair = &making->resource_pairs[count];
		Otlp__AnyValue *value = &making->resource_values[count];

		if (!*pairs[i][1])
			continue;
		otlp__key_value__init(pair);
		otlp__any_value__init(value);
		pair->key = lasting(making, pairs[i][0]);
		pair->value = value;
		value->value_case = OTLP__ANY_VALUE__VALUE_STRING_VALUE;
		value->string_value = lasting(making, pairs[i][1]);
		making->resource_pair_list[count++] = pair;
	}
	making->resource.n_attributes = count;
	making->resource.attributes = making->resource_pair_list;
	otlp__instrumentation_scope__init(&making->scope);
	making->scope.name = lasting(making, "vigil");
	making->scope.version = lasting(making, profile_attribute(from, ATTR_VERSION));
}

/* Assembles the message. */
static void join(struct making *making)
{
	Otlp__Link *link = allocate_owned(making, 1, sizeof(*link));

	otlp__link__init(link);
	making->dictionary.n_link_table = 1;
	making->dictionary.link_table = list_of(making, link, 1, sizeof(*link));
	making->dictionary.n_string_table = making->texts.count;
	making->dictionary.string_table = making->texts.texts;
	otlp__scope_profiles__init(&making->scope_profiles);
	making->scope_profiles.scope = &making->scope;
	making->scope_profiles.n_profiles = VALUES;
	making->scope_profiles.profiles = making->profile_list;
	making->scope_list = &making->scope_profiles;
	otlp__resource_profiles__init(&making->resource_profiles);
	making->resource_profiles.resource = &making->resource;
	making->resource_profiles.n_scope_profiles = 1;
	making->resource_profiles.scope_profiles = &making->scope_list;
	making->resource_list = &making->resource_profiles;
	making->data.n_resource_profiles = 1;
	making->data.resource_profiles = &making->resource_list;
	making->data.dictionary = &making->dictionary;
}

static void making_init(struct making *making, struct exporting *exporting)
{
	const uint64_t none[3] = { 0 };

	memset(making, 0, sizeof(*making));
	making->exporting = exporting;
	making->view = &exporting->stacks;
	strmap_init(&making->texts);
	strmap_put(&making->texts, "");
	keymap_init(&making->attribute_keys, 3);
	keymap_put(&making->attribute_keys, none);
	address_map_init(&making->addresses, making->view);
	otlp__profiles_data__init(&making->data);
	otlp__profiles_dictionary__init(&making->dictionary);
	for (size_t i = 0; i < VALUES; i++) {
		otlp__profile__init(&making->profiles[i]);
		otlp__value_type__init(&making->types[i]);
		making->types[i].type_strindex = text(making, value_names[i][0]);
		making->types[i].unit_strindex = text(making, value_names[i][1]);
	}
}

static void making_release(struct making *making)
{
	for (size_t i = 0; i < making->owned_count; i++)
		free(making->allocations[i]);
	for (size_t i = 0; i < VALUES; i++)
		free(making->samples[i]);
	free(making->allocations);
	keymap_release(&making->attribute_keys);
	stack_path_release(&making->path);
	address_map_release(&making->addresses);
	strmap_release(&making->texts);
}

static void write_otlp(struct exporting *exporting)
{
	const struct stack_view *view = &exporting->stacks;
	struct making *making = xcalloc(1, sizeof(*making));

	making_init(making, exporting);
	set_mappings(making);
	set_functions(making);
	set_locations(making);
	set_stacks(making);
	for (size_t i = 0; i < view->cpu_count; i++)
		add_cpu(making, &view->cpu[i]);
	for (size_t i = 0; i < view->wait_count; i++)
		add_wait(making, &view->waits[i]);
	set_profiles(making);
	set_attributes(making);
	set_resource(making);
	join(making);
	packed_write(exporting, &making->data.base, false);
	making_release(making);
	free(making);
}

const struct export_form otlp_form = { "otlp", "OTLP profiles, version 1.10 (experimental)",
				       EXPORT_STACKS, write_otlp };
