/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The profile of pprof (pprof.proto), compressed. Ids of locations, functions and
 * mappings are the numbers of frames, functions and objects plus one, since 0
 * means none. Rows of CPU time and of waits are samples that have all values;
 * labels are made once and shared.
 */
#include "common/compat.h"
#include "common/xalloc.h"
#include "exports/address-map.h"
#include "exports/packed.h"
#include "exports/pprof.pb-c.h"
#include "profile/label.h"
#include "records/record-types.h"

typedef Perftools__Profiles__Profile Profile;
typedef Perftools__Profiles__ValueType ValueType;
typedef Perftools__Profiles__Sample Sample;
typedef Perftools__Profiles__Label Label;
typedef Perftools__Profiles__Mapping Mapping;
typedef Perftools__Profiles__Location Location;
typedef Perftools__Profiles__Line Line;
typedef Perftools__Profiles__Function Function;

/* The values of a sample. */
enum { SAMPLES, CPU, WAITS, WAIT, BLOCKED, VALUES };
static const char *const value_names[VALUES][2] = { { "samples", "count" },
						    { "cpu", "nanoseconds" },
						    { "waits", "count" },
						    { "wait", "nanoseconds" },
						    { "blocked", "nanoseconds" } };
static const char *const kinds[] = { "", "user", "kernel", "kernel estimated", "residue" };

/* Maximum labels of a sample: task, tid, process, pid, transaction, and three more. */
enum { OWNER_LABELS = 5, LABELS = OWNER_LABELS + 3 };

/* The message being made, and the memory to which it points. */
struct making {
	struct exporting *exporting;
	const struct stack_view *view;
	Profile profile;
	struct strmap texts;
	struct address_map addresses;
	ValueType types[VALUES], *type_list[VALUES], period_type;
	Mapping *mappings;
	Location *locations;
	Line *lines;
	Function *functions;
	Sample *samples;
	int64_t *values; /* VALUES per sample */
	Label **label_lists;
	struct keymap label_keys; /* key, text, number */
	Label **labels;		  /* by key; each allocated separately, as the lists point to
				   * them */
	size_t label_alloc;
	struct keymap owners;			 /* task, transaction */
	Label *(*owner_lists)[OWNER_LABELS + 1]; /* by owner; end with NULL; owned */
	size_t owner_alloc;
	struct stack_path path;
	uint64_t **chains; /* by stack number, and one for no stack: locations; NULL: not made
			    * yet */
	size_t *depths;
	int64_t comment;
	void **lists; /* each an array of pointers to the items of an array */
	size_t list_count, list_alloc;
};

static int64_t text(struct making *making, const char *text)
{
	return packed_text(&making->texts, text);
}

/*
 * Returns an array of pointers to the items of an array, as protobuf-c requires;
 * freed with making.
 */
static void *list_of(struct making *making, void *items, size_t count, size_t size)
{
	char **list = xcalloc(count + 1, sizeof(*list));

	for (size_t i = 0; i < count; i++)
		list[i] = (char *)items + i * size;
	GROW(making->lists, making->list_count + 1, making->list_alloc);
	making->lists[making->list_count++] = list;
	return list;
}

static void set_types(struct making *making)
{
	Profile *profile = &making->profile;

	for (size_t i = 0; i < VALUES; i++) {
		perftools__profiles__value_type__init(&making->types[i]);
		making->types[i].type = text(making, value_names[i][0]);
		making->types[i].unit = text(making, value_names[i][1]);
		making->type_list[i] = &making->types[i];
	}
	profile->n_sample_type = VALUES;
	profile->sample_type = making->type_list;
	profile->default_sample_type = making->types[CPU].type;
	making->period_type = making->types[CPU];
	profile->period_type = &making->period_type;
	profile->period = (int64_t)profile_period(making->view->profile);
}

/* Sets what was measured and when. */
static void set_session(struct making *making)
{
	const struct profile *from = making->view->profile;
	const char *damage = profile_damage(from);
	struct strbuf comment = STRBUF_INIT;

	strbuf_addf(&comment, "vigil %s: %s", profile_attribute(from, ATTR_VERSION),
		    making->exporting->request->name);
	if (*profile_attribute(from, ATTR_JOB))
		strbuf_addf(&comment, ", job %s", profile_attribute(from, ATTR_JOB));
	if (*profile_attribute(from, ATTR_STEP))
		strbuf_addf(&comment, ", step %s", profile_attribute(from, ATTR_STEP));
	if (*damage)
		strbuf_addf(&comment, "; the data set is damaged: %s", damage);
	making->comment = text(making, comment.text);
	making->profile.n_comment = 1;
	making->profile.comment = &making->comment;
	making->profile.time_nanos = (int64_t)making->exporting->request->start;
	making->profile.duration_nanos = (int64_t)profile_run_time(from);
	strbuf_release(&comment);
}

static void set_mappings(struct making *making)
{
	const struct profile *from = making->view->profile;
	size_t count = from->objects.count;

	making->mappings = xcalloc(count + 1, sizeof(*making->mappings));
	for (size_t i = 0; i < count; i++) {
		const struct record_object *object = id_table_at(&from->objects, i);
		const struct address_range *stretch = &making->addresses.ranges[i];
		Mapping *mapping = &making->mappings[i];

		perftools__profiles__mapping__init(mapping);
		mapping->id = i + 1;
		mapping->memory_start = stretch->start;
		mapping->memory_limit = stretch->end;
		mapping->filename = text(making, profile_text(from, object->path));
		mapping->build_id = text(making, profile_text(from, object->build_id));
		/* all names are already resolved: a reader need not look for symbols */
		mapping->has_functions = mapping->has_filenames = true;
		mapping->has_line_numbers = mapping->has_inline_frames = true;
	}
	making->profile.n_mapping = count;
	making->profile.mapping =
		list_of(making, making->mappings, count, sizeof(*making->mappings));
}

static void set_functions(struct making *making)
{
	const struct stack_view *view = making->view;
	size_t count = view->function_count;

	making->functions = xcalloc(count + 1, sizeof(*making->functions));
	for (size_t i = 0; i < count; i++) {
		Function *function = &making->functions[i];

		perftools__profiles__function__init(function);
		function->id = i + 1;
		function->name = function->system_name = text(making, view->functions[i].name);
		function->filename = text(making, view->functions[i].file);
	}
	making->profile.n_function = count;
	making->profile.function =
		list_of(making, making->functions, count, sizeof(*making->functions));
}

static void set_locations(struct making *making)
{
	const struct stack_view *view = making->view;
	size_t count = view->profile->attribution.place_count + 1, levels = view->first[count];
	Line **lines;

	making->locations = xcalloc(count, sizeof(*making->locations));
	making->lines = xcalloc(levels + 1, sizeof(*making->lines));
	lines = list_of(making, making->lines, levels, sizeof(*making->lines));
	for (size_t i = 0; i < levels; i++) {
		perftools__profiles__line__init(&making->lines[i]);
		making->lines[i].function_id = view->levels[i].function + 1;
		making->lines[i].line = (int64_t)view->levels[i].line;
	}
	for (size_t i = 0; i < count; i++) {
		Location *location = &making->locations[i];

		perftools__profiles__location__init(location);
		location->id = i + 1;
		location->mapping_id =
			address_map_frame(&making->addresses, i, &location->address) + 1;
		location->n_line = view->first[i + 1] - view->first[i];
		location->line = lines + view->first[i];
	}
	making->profile.n_location = count;
	making->profile.location =
		list_of(making, making->locations, count, sizeof(*making->locations));
}

/* Adds a label with a text, or with a number if the text is NULL, to a sample. */
static void add_label(struct making *making, Sample *sample, const char *key, const char *value,
		      uint64_t number)
{
	uint64_t known[] = { (uint64_t)text(making, key), value ? (uint64_t)text(making, value) : 0,
			     value ? 0 : number };
	size_t before = making->label_keys.count;
	size_t at = keymap_put(&making->label_keys, known);

	if (at == before) {
		GROW(making->labels, at + 1, making->label_alloc);
		making->labels[at] = xcalloc(1, sizeof(Label));
		perftools__profiles__label__init(making->labels[at]);
		making->labels[at]->key = (int64_t)known[0];
		making->labels[at]->str = (int64_t)known[1];
		making->labels[at]->num = (int64_t)known[2];
	}
	assert(sample->n_label < LABELS);
	sample->label[sample->n_label++] = making->labels[at];
}

/* Makes the labels of a task and a transaction. */
static void make_owner(struct making *making, Sample *sample, uint64_t task, uint64_t transaction)
{
	const struct profile *from = making->view->profile;
	const struct record_task *record = id_table_get(&from->tasks, task);
	const struct record_process *process =
		record ? id_table_get(&from->processes, record->process) : NULL;
	struct strbuf label = STRBUF_INIT;

	label_task(from, task, &label);
	if (label.length)
		add_label(making, sample, "task", label.text, 0);
	if (record)
		add_label(making, sample, "tid", NULL, record->tid);
	if (process) {
		add_label(making, sample, "process", profile_text(from, process->program), 0);
		add_label(making, sample, "pid", NULL, process->pid);
	}
	if (transaction)
		add_label(making, sample, "transaction", label_transaction(from, transaction), 0);
	strbuf_release(&label);
}

/* Adds the labels of a task and a transaction, which many rows share. */
static void add_owner(struct making *making, Sample *sample, uint64_t task, uint64_t transaction)
{
	const uint64_t key[] = { task, transaction };
	size_t before = making->owners.count, number = keymap_put(&making->owners, key);

	GROW(making->owner_lists, number + 1, making->owner_alloc);
	if (number == before) {
		Label **list = making->owner_lists[number];
		Sample made = { .label = list };

		memset(list, 0, sizeof(making->owner_lists[number]));
		make_owner(making, &made, task, transaction);
	}
	for (Label **label = making->owner_lists[number]; *label; label++)
		sample->label[sample->n_label++] = *label;
}

/* Sets a sample's locations to those of a stack. */
static void set_chain(struct making *making, Sample *sample, size_t stack)
{
	size_t at = stack == ATTRIBUTION_NONE ? making->view->profile->stacks.count : stack;

	if (!making->chains[at]) {
		stack_path_set(&making->path, making->view, stack);
		making->depths[at] = making->path.count;
		making->chains[at] = xcalloc(making->path.count, sizeof(uint64_t));
		for (size_t i = 0; i < making->path.count; i++)
			making->chains[at][making->path.count - 1 - i] =
				stack_view_frame(making->view, making->path.stacks[i]) + 1;
	}
	sample->n_location_id = making->depths[at];
	sample->location_id = making->chains[at];
}

/* Adds a sample whose values are 0. */
static Sample *add_sample(struct making *making, size_t stack, uint64_t task, uint64_t transaction)
{
	size_t number = making->profile.n_sample++;
	Sample *sample = &making->samples[number];

	perftools__profiles__sample__init(sample);
	sample->n_value = VALUES;
	sample->value = making->values + number * VALUES;
	sample->label = making->label_lists + number * LABELS;
	set_chain(making, sample, stack);
	add_owner(making, sample, task, transaction);
	return sample;
}

static void add_cpu(struct making *making, const struct stack_cpu *cpu)
{
	Sample *sample = add_sample(making, cpu->stack, cpu->task, cpu->transaction);

	sample->value[SAMPLES] = (int64_t)cpu->count;
	sample->value[CPU] = (int64_t)cpu->time;
	if (cpu->kind && cpu->kind < ARRAY_SIZE(kinds))
		add_label(making, sample, "kind", kinds[cpu->kind], 0);
}

static void add_wait(struct making *making, const struct profile_wait *wait)
{
	const struct profile *from = making->view->profile;
	Sample *sample = add_sample(making, wait->stack, wait->task, wait->transaction);
	struct strbuf file = STRBUF_INIT;

	sample->value[WAITS] = (int64_t)wait->count;
	sample->value[WAIT] = (int64_t)wait->charged;
	sample->value[BLOCKED] = (int64_t)wait->total;
	add_label(making, sample, "reason", label_reason(wait->reason), 0);
	if (wait->file) {
		label_file(from, wait->file, &file);
		add_label(making, sample, "file", file.text, 0);
		if (*label_data_set(from, wait->file))
			add_label(making, sample, "dataset", label_data_set(from, wait->file), 0);
	}
	strbuf_release(&file);
}

static void set_samples(struct making *making)
{
	const struct stack_view *view = making->view;
	size_t count = view->cpu_count + view->wait_count, stacks = view->profile->stacks.count;

	making->samples = xcalloc(count + 1, sizeof(*making->samples));
	making->values = xcalloc(count + 1, VALUES * sizeof(*making->values));
	making->label_lists = xcalloc(count + 1, LABELS * sizeof(*making->label_lists));
	making->chains = xcalloc(stacks + 1, sizeof(*making->chains));
	making->depths = xcalloc(stacks + 1, sizeof(*making->depths));
	for (size_t i = 0; i < view->cpu_count; i++)
		add_cpu(making, &view->cpu[i]);
	for (size_t i = 0; i < view->wait_count; i++)
		add_wait(making, &view->waits[i]);
	making->profile.sample = list_of(making, making->samples, count, sizeof(*making->samples));
}

static void release(struct making *making)
{
	for (size_t i = 0; i < making->list_count; i++)
		free(making->lists[i]);
	for (size_t i = 0; i < making->label_keys.count; i++)
		free(making->labels[i]);
	for (size_t i = 0; i <= making->view->profile->stacks.count; i++)
		free(making->chains[i]);
	free(making->lists);
	free(making->labels);
	free(making->chains);
	free(making->depths);
	free(making->mappings);
	free(making->functions);
	free(making->locations);
	free(making->lines);
	free(making->samples);
	free(making->values);
	free(making->label_lists);
	keymap_release(&making->label_keys);
	keymap_release(&making->owners);
	free(making->owner_lists);
	stack_path_release(&making->path);
	address_map_release(&making->addresses);
	strmap_release(&making->texts);
}

static void write_pprof(struct exporting *exporting)
{
	struct making making = { .exporting = exporting, .view = &exporting->stacks };

	perftools__profiles__profile__init(&making.profile);
	strmap_init(&making.texts);
	strmap_put(&making.texts, "");
	keymap_init(&making.label_keys, 3);
	keymap_init(&making.owners, 2);
	address_map_init(&making.addresses, making.view);
	set_types(&making);
	set_session(&making);
	set_mappings(&making);
	set_functions(&making);
	set_locations(&making);
	set_samples(&making);
	making.profile.n_string_table = making.texts.count;
	making.profile.string_table = making.texts.texts;
	packed_write(exporting, &making.profile.base, true);
	release(&making);
}

const struct export_form pprof_form = { "pprof", "profile.pb.gz for go tool pprof", EXPORT_STACKS,
					write_pprof };
