/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses, loads and calls data collectors. */
#include "common/compat.h"
#include "common/clock.h"
#include "common/xalloc.h"
#include "sampler/core.h"
#include "sampler/sched-slice.h"

/* Messages of collectors that are kept for the profile. */
#define MESSAGES_MAX 8
/* How long the step's first program waits for its collectors to be loaded. */
#define PREPARE_TIME (2500 * NSEC_PER_MSEC)
/* Where the number of an exec stands in a generation. */
#define GENERATION_SHIFT 24
/* What is so old is not asked about: the answer would be of another moment, and those who take
   longer than samples come would keep vigil from the kernel's records. */
#define STALE (50 * NSEC_PER_MSEC)
/* A collector that asked the program nothing for so many samples will not: it is called later, for
   many at a time. Should it then ask after all, a sample older than SEEN is late. */
#define QUIET 100
#define SEEN (2 * NSEC_PER_MSEC)
/* Collectors that come with vigil hold tasks for one part in so many of the session, and at first
   for so long. */
#define FEATURES_HOLD 100
#define HOLD_AT_FIRST (100 * NSEC_PER_MSEC)

/* What a collector names is kept to the session's end: so much at most. Stacks of it are as many as
   the program makes. */
#define NAMES_MAX_MB 128

struct collect {
	const struct sampler_config *config; /* borrowed */
	struct collector **items;	     /* by id - 1 */
	size_t count, alloc;
	struct choice *choices;
	bool busy; /* a process with collectors was there at the last look */
	char subsystem[CALL_NAME];
	bool subsystem_changed;
	struct message {
		char text[CALL_MESSAGE];
		const struct collector *from;
	} messages[MESSAGES_MAX];
	size_t message_count, messages_told;
};

struct collect *collect_new(const struct sampler_config *config)
{
	struct collect *collect;

	RETURN_IF(!config->choose, NULL);
	collect = xcalloc(1, sizeof(*collect));
	collect->config = config;
	return collect;
}

void collect_free(struct collect *collect)
{
	struct choice *next;

	if (!collect)
		return;
	for (size_t i = 0; i < collect->count; i++) {
		caller_release(&collect->items[i]->caller);
		free(collect->items[i]);
	}
	free(collect->items);
	for (struct choice *choice = collect->choices; choice; choice = next) {
		next = choice->next;
		free(choice->program);
		free(choice->members);
		free(choice);
	}
	free(collect);
}

size_t collect_count(const struct collect *collect)
{
	return collect->count;
}

struct collector *collect_get(const struct collect *collect, size_t number)
{
	return collect->items[number];
}

/* Whether two are one: the same object with the same parameter. */
static bool is_same(const struct sampler_collector *one, const struct sampler_collector *other)
{
	return strcmp(one->name, other->name) == 0 && strcmp(one->path, other->path) == 0 &&
	       strcmp(one->parameter, other->parameter) == 0 && one->origin == other->origin;
}

/* The collector that is wanted, taken in when it is new. */
static struct collector *need_collector(struct collect *collect,
					const struct sampler_collector *wanted)
{
	struct collector *collector;

	for (size_t i = 0; i < collect->count; i++)
		if (is_same(collect->items[i]->wanted, wanted))
			return collect->items[i];
	collector = xcalloc(1, sizeof(*collector));
	collector->wanted = wanted;
	collector->changed = true;
	caller_init(&collector->caller);
	GROW(collect->items, collect->count + 1, collect->alloc);
	collect->items[collect->count++] = collector;
	collector->id = collect->count;
	return collector;
}

/* The collectors for a program; the configuration is asked once for each. */
static struct choice *need_choice(struct collect *collect, const char *program, bool first)
{
	const struct sampler_collector *list = NULL;
	struct choice *choice;

	for (choice = collect->choices; choice; choice = choice->next)
		if (choice->first == first && strcmp(choice->program, program) == 0)
			return choice;
	choice = xcalloc(1, sizeof(*choice));
	choice->program = xstrdup(program);
	choice->first = first;
	choice->count =
		collect->config->choose(collect->config->choose_argument, program, first, &list);
	choice->members = xcalloc(choice->count + 1, sizeof(*choice->members));
	for (size_t i = 0; i < choice->count; i++)
		choice->members[i].collector = need_collector(collect, &list[i]);
	choice->next = collect->choices;
	collect->choices = choice;
	return choice;
}

/* Start the process of a collector. Samples must reach it soon, so vigil takes short turns. */
static void start(struct collect *collect, struct collector *collector)
{
	sched_slice_shorten();
	caller_start(&collector->caller, collect->config->collector_host, collector->wanted);
}

/* Load a collector that is needed for the first time. */
static void need_loaded(struct collect *collect, struct collector *collector)
{
	const struct sampler_collector *wanted = collector->wanted;

	if (collector->started)
		return;
	collector->started = true;
	if (!*wanted->path)
		caller_refuse(&collector->caller,
			      *wanted->missing ? wanted->missing : "it was not found");
	else if (!collect->config->collector_host)
		caller_refuse(&collector->caller, "there is no program it can run in");
	else
		start(collect, collector);
}

/* The last part of a path. */
static const char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Whether a collector's list of programs has the program, or what it stands for. */
static bool is_for(const struct collect *collect, const struct collector *collector,
		   const struct choice *choice)
{
	const struct sampler_config *config = collect->config;
	const char *list = collector->caller.loaded.programs;

	if (collector->wanted->origin == COLLECTOR_NAMED || collect_matches(list, choice->program))
		return true;
	if (choice->first && config->subject && collect_matches(list, file_name(config->subject)))
		return true;
	for (size_t i = 0; i < config->map_program_count; i++)
		if (collect_matches(list, config->map_programs[i]))
			return true;
	return false;
}

/* See which collectors of a choice are called, as far as they are loaded; how many may be. */
static size_t decide(struct collect *collect, struct choice *choice)
{
	size_t called = 0;

	for (size_t i = 0; i < choice->count; i++) {
		struct chosen *member = &choice->members[i];
		struct collector *collector = member->collector;

		need_loaded(collect, collector);
		if (member->state == CHOSEN_OPEN && collector->caller.loaded_once) {
			member->state =
				is_for(collect, collector, choice) ? CHOSEN_CALLED : CHOSEN_SKIPPED;
			collector->called |= member->state == CHOSEN_CALLED;
		}
		called += member->state != CHOSEN_SKIPPED && collector->caller.state != CALLER_OFF;
	}
	return called;
}

bool collect_prepare(struct sampler *sampler)
{
	struct collect *collect = sampler->collect;
	uint64_t until = clock_monotonic_ns() + PREPARE_TIME;
	struct choice *choice;

	if (!collect || !collect->config->subject || !*collect->config->subject)
		return false;
	choice = need_choice(collect, file_name(collect->config->subject), true);
	decide(collect, choice);
	for (size_t i = 0; i < choice->count; i++)
		caller_await(&choice->members[i].collector->caller, until);
	collect->busy = decide(collect, choice) > 0;
	for (size_t i = 0; i < choice->count; i++)
		if (choice->members[i].state == CHOSEN_CALLED &&
		    choice->members[i].collector->caller.loaded.collector_flags &
			    (VIGIL_PROMPT | VIGIL_HOLD))
			return true;
	return false;
}

bool collect_wants(struct sampler *sampler, struct process *process)
{
	if (!sampler->collect || process->awaiting_image || !*process->program)
		return false;
	if (!process->choice)
		process->choice = need_choice(sampler->collect, process->program, process->subject);
	return process->choice->count && decide(sampler->collect, process->choice) > 0;
}

bool collect_loads(struct sampler *sampler, struct process *process)
{
	if (!collect_wants(sampler, process))
		return false;
	for (size_t i = 0; i < process->choice->count; i++)
		if (process->choice->members[i].collector->caller.state == CALLER_LOADING)
			return true;
	return false;
}

bool collect_wants_hold(const struct sampler *sampler, const struct process *process)
{
	const struct choice *choice = process->choice;
	bool wanted = false;

	for (size_t i = 0; i < choice->count; i++) {
		const struct chosen *member = &choice->members[i];
		const struct collector *collector = member->collector;

		if (member->state != CHOSEN_CALLED || collector->caller.state != CALLER_READY ||
		    !(collector->caller.loaded.collector_flags & VIGIL_HOLD))
			continue;
		if (collector->wanted->origin != COLLECTOR_FEATURE)
			return true;
		wanted = true;
	}
	return wanted && sampler->holds.spent * FEATURES_HOLD <
				 sampler->clock.now - sampler->start + HOLD_AT_FIRST;
}

/* What is the same for all collectors of a sighting. */
static void fill_task(struct call_request *request, const struct sighting *sighting)
{
	const struct process *process = sighting->task->process;
	const struct unwind_input *input = &sighting->input;

	request->kind = CALL_TASK;
	request->pid = process->pid;
	request->tid = sighting->task->tid;
	request->state = sighting->state;
	request->flags = sighting->flags;
	request->time = sighting->time;
	request->generation = collect_generation(process);
	request->known = input->known;
	memcpy(request->registers, input->registers, sizeof(request->registers));
	snprintf(request->program, sizeof(request->program), "%s", process->program);
	request->address = sighting->depth ? sighting->frames[0].address : 0;
	request->frame_count =
		(uint32_t)(sighting->depth < CALL_FRAMES ? sighting->depth : CALL_FRAMES);
	for (uint32_t i = 0; i < request->frame_count; i++)
		request->frames[i] = sighting->frames[i].address;
	request->stack_address = input->stack_start;
	request->stack_size =
		(uint32_t)(input->stack_size < CALL_STACK ? input->stack_size : CALL_STACK);
	if (request->stack_size)
		memcpy(request->stack, input->stack, request->stack_size);
}

/* What those before it have found. */
static void fill_finding(struct call_request *request, const struct finding *finding)
{
	request->base = finding->base;
	request->size = finding->size;
	request->module_known = finding->module_known;
	request->transaction_known = finding->transaction_known;
	memcpy(request->module, finding->module, sizeof(request->module));
	memcpy(request->transaction, finding->transaction, sizeof(request->transaction));
}

/* Keep a message for the profile unless it is there already. */
static void keep_message(struct collect *collect, const struct collector *from)
{
	const char *text = from->caller.answer.message;

	for (size_t i = 0; i < collect->message_count; i++)
		if (collect->messages[i].from == from &&
		    strcmp(collect->messages[i].text, text) == 0)
			return;
	if (!*text || collect->message_count == MESSAGES_MAX)
		return;
	collect->messages[collect->message_count].from = from;
	snprintf(collect->messages[collect->message_count++].text, CALL_MESSAGE, "%s", text);
}

/* See what has become of a collector; the message of a late answer is kept. */
static void look(struct collect *collect, struct collector *collector, uint64_t now)
{
	bool busy = collector->caller.state == CALLER_BUSY;

	caller_look(&collector->caller, now);
	if (busy && collector->caller.state == CALLER_READY)
		keep_message(collect, collector);
}

/* What a collector tells beside the module and the transaction. */
static void take_texts(struct collect *collect, const struct collector *collector)
{
	const struct call_answer *answer = &collector->caller.answer;

	keep_message(collect, collector);
	if (answer->outcome != VIGIL_DONE || !answer->id_given || !answer->id[0] ||
	    strcmp(answer->id, collect->subsystem) == 0)
		return;
	snprintf(collect->subsystem, sizeof(collect->subsystem), "%s", answer->id);
	collect->subsystem_changed = true;
}

/* A sample came before the collector was loaded. */
static void note_loading(struct collector *collector)
{
	if (collector->caller.state != CALLER_LOADING)
		return;
	collector->late++;
	collector->changed = true;
}

/* Whether what the program was asked belongs to the sample. Also sees whether it was asked at all.
 */
static bool is_of_sample(struct collector *collector, const struct sighting *sighting)
{
	bool was_quiet = collector->quiet >= QUIET;

	if (sighting->state != VIGIL_EXECUTING)
		return true;
	collector->quiet = collector->caller.answer.asked ? 0 : collector->quiet + 1;
	return !was_quiet || collector->quiet || collector->caller.asked_at < sighting->time + SEEN;
}

/* Take over what a collector said. One that names something new for ever is cut off. */
static void take_answer(struct sampler *sampler, struct collector *collector,
			struct finding *finding)
{
	uint64_t before = places_size(sampler->places) + transactions_size(sampler->transactions);
	unsigned most =
		sampler->config.collector_names ? sampler->config.collector_names : NAMES_MAX_MB;

	answers_take(sampler, collector, finding);
	collector->named +=
		places_size(sampler->places) + transactions_size(sampler->transactions) - before;
	if (collector->named >> 20 >= most)
		caller_end(&collector->caller,
			   "it names without end: %u MB of modules, places and transactions", most);
}

/* Ask one collector; whether there is nothing more to hear from it. */
static bool ask(struct sampler *sampler, struct collector *collector, struct finding *finding)
{
	const struct sighting *sighting = finding->sighting;
	struct caller *caller = &collector->caller;
	const struct process *process = sighting->task->process;
	struct call_request *request;
	uint64_t now = clock_monotonic_ns();

	collector->changed = true;
	look(sampler->collect, collector, now);
	if (caller->state != CALLER_READY || now > sighting->time + STALE) {
		collector->late += caller->state != CALLER_OFF;
		return caller->state == CALLER_OFF;
	}
	caller_share_memory(caller, process->pid, sighting->task->tid, collect_generation(process));
	request = caller_request(caller);
	fill_task(request, sighting);
	fill_finding(request, finding);
	collector->calls++;
	collector->held += (sighting->flags & VIGIL_HELD) != 0;
	if (!caller_ask(caller)) {
		collector->late++;
		return false;
	}
	collector->cost += caller->answer.cost;
	if (!is_of_sample(collector, sighting)) {
		keep_message(sampler->collect, collector);
		collector->late++;
		return false;
	}
	take_answer(sampler, collector, finding);
	take_texts(sampler->collect, collector);
	return caller->answer.outcome != VIGIL_TORN;
}

/* Ask the collectors of a sighting in turn. */
static void ask_all(struct sampler *sampler, struct finding *finding)
{
	const struct sighting *sighting = finding->sighting;
	const struct choice *choice = sighting->task->process->choice;
	uint64_t in_force = ahead_transaction(sampler, sighting->task);

	answers_begin(finding);
	finding->transaction_known = in_force != 0;
	snprintf(finding->transaction, sizeof(finding->transaction), "%s",
		 transactions_name(sampler->transactions, in_force));
	for (size_t i = 0; i < choice->count; i++)
		if (choice->members[i].state == CHOSEN_CALLED)
			finding->unanswered |= !ask(sampler, choice->members[i].collector, finding);
		else if (choice->members[i].state == CHOSEN_OPEN)
			note_loading(choice->members[i].collector);
}

void collect_judge(struct sampler *sampler, const struct sighting *sighting, bool wanted,
		   struct verdict *verdict)
{
	struct finding finding;

	memset(&finding, 0, offsetof(struct finding, places));
	finding.sighting = sighting;
	if (wanted)
		ask_all(sampler, &finding);
	answers_stack(sampler, &finding, verdict);
	verdict->unanswered = finding.unanswered;
	verdict->transaction_said = finding.transaction_said;
	verdict->transaction = finding.transaction_id;
}

void collect_apply(struct sampler *sampler, const struct task *task, const struct verdict *verdict,
		   uint64_t time)
{
	if (!verdict->transaction_said)
		return;
	transactions_set(sampler->transactions, task->tid, time, verdict->transaction);
}

uint64_t collect_generation(const struct process *process)
{
	return process->id << GENERATION_SHIFT | process->execs;
}

void collect_look(struct sampler *sampler)
{
	struct collect *collect = sampler->collect;
	uint64_t now;

	if (!collect)
		return;
	now = clock_monotonic_ns();
	for (size_t i = 0; i < collect->count; i++)
		if (collect->items[i]->started)
			look(collect, collect->items[i], now);
	collect->busy = false;
	for (struct process *process = sampler->tasks.processes; process; process = process->next)
		if (process->live && collect_wants(sampler, process))
			collect->busy = true;
}

bool collect_busy(const struct sampler *sampler)
{
	return sampler->collect && sampler->collect->busy;
}

bool collect_asks(const struct sampler *sampler)
{
	const struct collect *collect = sampler->collect;

	for (size_t i = 0; collect_busy(sampler) && i < collect->count; i++)
		if (collect->items[i]->called && collect->items[i]->caller.state != CALLER_OFF &&
		    collect->items[i]->quiet < QUIET)
			return true;
	return false;
}

void collect_forget(struct sampler *sampler, struct process *process)
{
	struct collect *collect = sampler->collect;

	process->choice = NULL;
	for (size_t i = 0; collect && i < collect->count; i++)
		if (collect->items[i]->started)
			caller_forget(&collect->items[i]->caller, process->pid);
}

bool collect_owns(const struct collect *collect, pid_t pid)
{
	for (size_t i = 0; collect && i < collect->count; i++)
		if (collect->items[i]->caller.pid == pid)
			return true;
	return false;
}

uint64_t collect_cpu(const struct collect *collect)
{
	uint64_t used = 0;

	for (size_t i = 0; collect && i < collect->count; i++)
		used += caller_cpu(&collect->items[i]->caller);
	return used;
}

const char *collect_subsystem(struct collect *collect)
{
	if (!collect || !collect->subsystem_changed)
		return NULL;
	collect->subsystem_changed = false;
	return collect->subsystem;
}

const char *collect_next_message(struct collect *collect, const struct collector **from)
{
	const struct message *message;

	if (!collect || collect->messages_told == collect->message_count)
		return NULL;
	message = &collect->messages[collect->messages_told++];
	*from = message->from;
	return message->text;
}
