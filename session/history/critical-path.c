/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the critical path backwards from the end of a night. */
#include "common/compat.h"
#include "session/history/critical-path.h"
#include "common/clock.h"
#include "common/xalloc.h"

/* Maximum time until a job notices that a data set is free, and maximum difference of clocks. */
#define NOTICE_DELAY_MAX (2 * NSEC_PER_SEC)

/* A job with its steps, in order, and its end. */
struct walked_job {
	const struct history_job *job;
	const struct history_step **steps;
	size_t count, alloc;
	uint64_t ended;
};

struct walk {
	struct walked_job *jobs;
	size_t count;
	struct critical_path *path;
};

/*
 * Adds a row before the existing ones; rows are reversed at the end. Rows without
 * duration are dropped.
 */
static void add_row(struct walk *walk, const struct path_row *row)
{
	struct critical_path *path = walk->path;

	if (row->ended <= row->began)
		return;
	if (path->count && row->kind == PATH_BETWEEN &&
	    path->rows[path->count - 1].kind == PATH_BETWEEN &&
	    path->rows[path->count - 1].job == row->job) {
		path->rows[path->count - 1].began = row->began;
		return;
	}
	GROW(path->rows, path->count + 1, path->alloc);
	path->rows[path->count++] = *row;
}

/* Returns the last job that released a data set before the waiting job got it. */
static const struct walked_job *find_holder(const struct walk *walk, const struct history_job *waiting,
					    const struct history_delay *delay, uint64_t *released)
{
	const struct walked_job *found = NULL;

	*released = 0;
	for (size_t i = 0; i < walk->count; i++) {
		const struct history_job *job = walk->jobs[i].job;

		for (size_t j = 0; job != waiting && j < job->hold_count; j++) {
			const struct history_hold *hold = &job->holds[j];

			if (strcmp(hold->dsn, delay->dsn) != 0 || hold->released < delay->began ||
			    hold->released > delay->ended + NOTICE_DELAY_MAX || hold->released < *released)
				continue;
			*released = hold->released;
			found = &walk->jobs[i];
		}
	}
	if (*released > delay->ended)
		*released = delay->ended;
	return found;
}

/* Returns the last step of a job that had ended at a moment; NULL: none. */
static const struct history_step *step_before(const struct walked_job *job, uint64_t moment)
{
	const struct history_step *found = NULL;

	for (size_t i = 0; i < job->count; i++)
		if (job->steps[i]->ended <= moment)
			found = job->steps[i];
	return found;
}

/* Returns the job that the same submit ran before; NULL: none. */
static const struct walked_job *find_previous_job(const struct walk *walk, const struct history_job *job)
{
	const struct walked_job *found = NULL;

	for (size_t i = 0; i < walk->count; i++) {
		const struct walked_job *one = &walk->jobs[i];

		if (one->job != job && strcmp(one->job->submit, job->submit) == 0 &&
		    strcmp(one->job->host, job->host) == 0 && one->job->started < job->started &&
		    one->ended <= job->started && (!found || one->ended > found->ended))
			found = one;
	}
	return found;
}

/* Position of the walk: in a job at a moment. */
struct place {
	const struct walked_job *job;
	uint64_t moment;
};

/* Goes back through the steps of a job; returns the moment before the first. */
static uint64_t walk_steps(struct walk *walk, const struct walked_job *job, uint64_t moment)
{
	for (size_t i = job->count; i-- > 0;) {
		const struct history_step *step = job->steps[i];
		uint64_t ended = step->ended < moment ? step->ended : moment;

		if (step->started >= moment)
			continue;
		add_row(walk, &(struct path_row){ .kind = PATH_BETWEEN, .reason = PATH_NEXT,
						  .began = ended, .ended = moment, .job = job->job });
		add_row(walk, &(struct path_row){ .kind = PATH_STEP, .reason = PATH_NEXT,
						  .began = step->started, .ended = ended,
						  .job = job->job, .step = step });
		moment = step->started;
	}
	return moment;
}

/* Returns the last wait of a job that began before a moment; NULL: none. */
static const struct history_delay *delay_before(const struct history_job *job, uint64_t moment)
{
	for (size_t i = job->delay_count; i-- > 0;)
		if (job->delays[i].began < moment && job->delays[i].ended > job->delays[i].began)
			return &job->delays[i];
	return NULL;
}

/* Sets why the row added last follows its predecessor. */
static void set_reason(struct walk *walk, enum path_reason reason, const char *dsn)
{
	struct critical_path *path = walk->path;

	if (path->count == 0)
		return;
	path->rows[path->count - 1].reason = reason;
	path->rows[path->count - 1].dsn = dsn;
}

/* Goes back over a job's waits for data sets; returns whether the path continues in another job. */
static bool walk_delays(struct walk *walk, struct place *place)
{
	const struct history_job *job = place->job->job;
	const struct history_delay *delay;

	while ((delay = delay_before(job, place->moment))) {
		const uint64_t ended = delay->ended < place->moment ? delay->ended : place->moment;
		const struct walked_job *holder;
		uint64_t released;

		holder = find_holder(walk, job, delay, &released);
		if (released > place->moment)
			released = place->moment;
		if (holder) {
			add_row(walk, &(struct path_row){ .kind = PATH_BETWEEN, .began = released,
							  .ended = place->moment, .job = job });
			set_reason(walk, PATH_LOCKED, delay->dsn);
			*place = (struct place){ holder, released };
			return true;
		}
		add_row(walk, &(struct path_row){ .kind = PATH_BETWEEN, .reason = PATH_NEXT,
						  .began = ended, .ended = place->moment, .job = job });
		add_row(walk, &(struct path_row){ .kind = PATH_LOCK, .reason = PATH_NEXT,
						  .began = delay->began, .ended = ended, .job = job,
						  .dsn = delay->dsn });
		place->moment = delay->began;
	}
	return false;
}

/*
 * Goes back from a position to the beginning of the path. Each turn goes back in
 * time, or to an earlier job.
 */
static void walk_back(struct walk *walk, struct place place)
{
	const struct walked_job *earlier;

	for (size_t turns = 0; turns < 2 * walk->count + 1;) {
		place.moment = walk_steps(walk, place.job, place.moment);
		turns++;
		if (walk_delays(walk, &place))
			continue;
		add_row(walk, &(struct path_row){ .kind = PATH_BETWEEN, .reason = PATH_NEXT,
						  .began = place.job->job->started,
						  .ended = place.moment, .job = place.job->job });
		if (place.job->job->started < place.moment)
			place.moment = place.job->job->started;
		earlier = find_previous_job(walk, place.job->job);
		if (!earlier)
			break;
		set_reason(walk, PATH_QUEUED, NULL);
		/* The work of the submit between the two. */
		add_row(walk, &(struct path_row){ .kind = PATH_BETWEEN, .reason = PATH_NEXT,
						  .began = earlier->ended, .ended = place.moment,
						  .job = earlier->job });
		place = (struct place){ earlier, earlier->ended < place.moment ? earlier->ended
									      : place.moment };
	}
	set_reason(walk, PATH_BEGINS, NULL);
}

/* Assigns the steps to their jobs, in order. */
static void assign_steps(struct walk *walk, const struct history_jobs *jobs,
		     const struct history_steps *steps)
{
	struct walked_job *by_id = walk->jobs;

	for (size_t i = 0; i < jobs->count; i++)
		walk->jobs[i] = (struct walked_job){ .job = &jobs->items[i],
						     .ended = jobs->items[i].ended };
	for (size_t i = 0; i < steps->count; i++) {
		size_t number = 0;

		while (number < jobs->count && by_id[number].job->id != steps->items[i].job_id)
			number++;
		if (number == jobs->count)
			continue;
		GROW(by_id[number].steps, by_id[number].count + 1, by_id[number].alloc);
		by_id[number].steps[by_id[number].count++] = &steps->items[i];
		if (by_id[number].job->ended == 0 && steps->items[i].ended > by_id[number].ended)
			by_id[number].ended = steps->items[i].ended;
	}
}

/* Collects all waits of the night, and the holders of the data sets. */
static void find_waits(struct walk *walk)
{
	struct critical_path *path = walk->path;

	for (size_t i = 0; i < walk->count; i++) {
		const struct history_job *job = walk->jobs[i].job;

		for (size_t j = 0; j < job->delay_count; j++) {
			const struct history_delay *delay = &job->delays[j];
			const struct walked_job *holder;
			uint64_t released;

			holder = find_holder(walk, job, delay, &released);
			GROW(path->waits, path->wait_count + 1, path->wait_alloc);
			path->waits[path->wait_count++] = (struct path_wait){
				.job = job,
				.holder = holder ? holder->job : NULL,
				.step = holder ? step_before(holder, released) : NULL,
				.delay = delay,
			};
		}
	}
}

void critical_path_init(struct critical_path *path, const struct history_jobs *jobs,
			const struct history_steps *steps)
{
	struct walk walk = { .count = jobs->count, .path = path };
	const struct walked_job *last = NULL;

	*path = (struct critical_path){ 0 };
	walk.jobs = xcalloc(jobs->count + 1, sizeof(*walk.jobs));
	assign_steps(&walk, jobs, steps);
	for (size_t i = 0; i < walk.count; i++)
		if (!last || walk.jobs[i].ended > last->ended)
			last = &walk.jobs[i];
	if (last && last->ended)
		walk_back(&walk, (struct place){ last, last->ended });
	find_waits(&walk);
	for (size_t i = 0; i < path->count / 2; i++) {
		struct path_row row = path->rows[i];

		path->rows[i] = path->rows[path->count - 1 - i];
		path->rows[path->count - 1 - i] = row;
	}
	for (size_t i = 0; i < walk.count; i++)
		free(walk.jobs[i].steps);
	free(walk.jobs);
}

void critical_path_release(struct critical_path *path)
{
	free(path->rows);
	free(path->waits);
	*path = (struct critical_path){ 0 };
}

uint64_t critical_path_length(const struct critical_path *path)
{
	return path->count ? path->rows[path->count - 1].ended - path->rows[0].began : 0;
}

uint64_t critical_path_of_step(const struct critical_path *path, const struct history_step *step)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < path->count; i++)
		if (path->rows[i].step == step)
			sum += path->rows[i].ended - path->rows[i].began;
	return sum;
}
