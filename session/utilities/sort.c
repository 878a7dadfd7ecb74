/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SORT (also ICEMAN, DFSORT): sorts SORTIN, or merges SORTIN01, SORTIN02 ...,
 * to SORTOUT as SYSIN says. Records with equal keys keep their order. What
 * does not fit into memory is sorted in parts that are then merged.
 */
#include "common/compat.h"
#include "common/xalloc.h"
#include "session/utilities/records.h"
#include "session/utilities/sort-compare.h"

#include <strings.h>
#include <unistd.h>

#define DEFAULT_MEMORY ((uint64_t)256 * 1024 * 1024)
#define SMALLEST_MEMORY ((uint64_t)64 * 1024)
#define WIDEST_MERGE 64

/* Records in memory: their bytes one after the other, and where each is. */
struct pool {
	struct strbuf bytes;
	struct pool_record {
		size_t offset, length;
	} * records;
	size_t count, alloc;
};

/* One input of a merge, with its record at the moment. */
struct merge_input {
	struct record_reader reader;
	bool there;
};

struct sort {
	struct utility *utility;
	struct sort_request request;
	struct pool pool;
	size_t fixed;	     /* record length of the input, 0: lines */
	size_t output_fixed; /* of the output */
	FILE *output;
	char **runs; /* paths of sorted parts */
	size_t run_count, run_alloc;
	unsigned made;	    /* parts made so far, for their names */
	struct strbuf last; /* the record written last, for SUM FIELDS=NONE */
	bool any;	    /* a record was written */
	uint64_t read, written;
};

/* Write a record to the output or to a part. */
static int put(struct sort *sort, FILE *stream, bool final, const struct sort_record *record,
	       struct error *err)
{
	if (final && sort->request.unique && sort->request.key_count) {
		const struct sort_record last = { sort->last.text, sort->last.length };

		if (sort->any && sort_compare(&sort->request, &last, record) == 0)
			return 0;
		strbuf_reset(&sort->last);
		strbuf_add(&sort->last, record->data, record->length);
	}
	sort->any |= final;
	sort->written += final;
	return record_write(stream, final ? sort->output_fixed : sort->fixed, record->data,
			    record->length, err);
}

struct order_context {
	const struct sort_request *request;
	const struct pool *pool;
};

static int by_keys(const void *a, const void *b, void *argument)
{
	const struct order_context *context = argument;
	const struct pool_record *x = a, *y = b;
	const struct sort_record left = { context->pool->bytes.text + x->offset, x->length };
	const struct sort_record right = { context->pool->bytes.text + y->offset, y->length };
	int order = sort_compare(context->request, &left, &right);

	if (order == 0)
		order = x->offset < y->offset ? -1 : x->offset > y->offset;
	return order;
}

/* Sort what is in memory and write it. */
static int write_pool(struct sort *sort, FILE *stream, bool final, struct error *err)
{
	struct order_context context = { &sort->request, &sort->pool };

	qsort_r(sort->pool.records, sort->pool.count, sizeof(*sort->pool.records), by_keys,
		&context);
	for (size_t i = 0; i < sort->pool.count; i++) {
		const struct pool_record *one = &sort->pool.records[i];
		const struct sort_record record = { sort->pool.bytes.text + one->offset,
						    one->length };

		RETURN_IF(put(sort, stream, final, &record, err) < 0, -1);
	}
	sort->pool.count = 0;
	strbuf_reset(&sort->pool.bytes);
	return 0;
}

/* Open the file of a new part in the step's own folder. */
static FILE *new_run(struct sort *sort, struct error *err)
{
	const char *folder = getenv("TMPDIR");
	struct strbuf path = STRBUF_INIT;
	FILE *stream;

	strbuf_addf(&path, "%s/sortwork.%d.%u", folder ? folder : ".", (int)getpid(), ++sort->made);
	stream = fopen(path.text, "wxe");
	if (!stream) {
		error_errno(err, "the work file %s cannot be made", path.text);
		strbuf_release(&path);
		return NULL;
	}
	GROW(sort->runs, sort->run_count + 1, sort->run_alloc);
	sort->runs[sort->run_count++] = strbuf_detach(&path, NULL);
	return stream;
}

static int close_stream(FILE *stream, int result, struct error *err)
{
	if (fclose(stream) != 0 && result == 0)
		result = error_errno(err, "a record cannot be written");
	return result;
}

/* Memory is full: what is in it becomes a part. */
static int spill(struct sort *sort, struct error *err)
{
	FILE *stream = new_run(sort, err);

	RETURN_IF(!stream, -1);
	return close_stream(stream, write_pool(sort, stream, false, err), err);
}

/* The input whose record comes first; the lower number among equals. */
static struct merge_input *first_input(struct sort *sort, struct merge_input *inputs, size_t count)
{
	struct merge_input *best = NULL;

	for (size_t i = 0; i < count; i++) {
		struct sort_record a, b;

		if (!inputs[i].there)
			continue;
		if (best) {
			a = (struct sort_record){ inputs[i].reader.line, inputs[i].reader.length };
			b = (struct sort_record){ best->reader.line, best->reader.length };
		}
		if (!best || sort_compare(&sort->request, &a, &b) < 0)
			best = &inputs[i];
	}
	return best;
}

/* Go to the next record of an input that is wanted. */
static int advance(struct sort *sort, struct merge_input *input, bool select, struct error *err)
{
	int got;

	while ((got = record_read(&input->reader, err)) > 0) {
		const struct sort_record record = { input->reader.line, input->reader.length };

		sort->read += select;
		if (!select || sort_wanted(&sort->request, &record))
			break;
	}
	input->there = got > 0;
	return got < 0 ? -1 : 0;
}

/* Merge open inputs into a stream. */
static int merge(struct sort *sort, struct merge_input *inputs, size_t count, bool select,
		 FILE *stream, bool final, struct error *err)
{
	struct merge_input *first;

	for (size_t i = 0; i < count; i++)
		RETURN_IF(advance(sort, &inputs[i], select, err) < 0, -1);
	while ((first = first_input(sort, inputs, count))) {
		const struct sort_record record = { first->reader.line, first->reader.length };

		RETURN_IF(put(sort, stream, final, &record, err) < 0, -1);
		RETURN_IF(advance(sort, first, select, err) < 0, -1);
	}
	return 0;
}

/* Merge the first count parts, which then go. */
static int merge_runs(struct sort *sort, size_t count, FILE *stream, bool final, struct error *err)
{
	struct merge_input *inputs = xcalloc(count, sizeof(*inputs));
	int result = 0;

	for (size_t i = 0; i < count && result == 0; i++)
		result = record_reader_open_as(&inputs[i].reader, sort->runs[i], sort->fixed, err);
	if (result == 0)
		result = merge(sort, inputs, count, false, stream, final, err);
	for (size_t i = 0; i < count; i++) {
		record_reader_close(&inputs[i].reader);
		unlink(sort->runs[i]);
		free(sort->runs[i]);
	}
	free(inputs);
	sort->run_count -= count;
	memmove(sort->runs, sort->runs + count, sort->run_count * sizeof(*sort->runs));
	return result;
}

/*
 * Merge parts until they can all be merged at once. A new part stands for
 * the oldest records, so it goes to the front: equal keys stay in order.
 */
static int narrow_runs(struct sort *sort, struct error *err)
{
	while (sort->run_count > WIDEST_MERGE) {
		FILE *stream = new_run(sort, err);
		char *path;

		RETURN_IF(!stream, -1);
		path = sort->runs[--sort->run_count];
		if (close_stream(stream, merge_runs(sort, WIDEST_MERGE, stream, false, err), err) <
		    0) {
			free(path);
			return -1;
		}
		memmove(sort->runs + 1, sort->runs, sort->run_count++ * sizeof(*sort->runs));
		sort->runs[0] = path;
	}
	return 0;
}

/* Take a record into memory; a full memory becomes a part first. */
static int collect(struct sort *sort, const struct record_reader *reader, struct error *err)
{
	struct pool *pool = &sort->pool;
	uint64_t used = pool->bytes.length + pool->count * sizeof(*pool->records);

	if (pool->count > 0 && used + reader->length > sort->request.memory)
		RETURN_IF(spill(sort, err) < 0, -1);
	GROW(pool->records, pool->count + 1, pool->alloc);
	pool->records[pool->count++] = (struct pool_record){ pool->bytes.length, reader->length };
	strbuf_add(&pool->bytes, reader->line, reader->length);
	return 0;
}

/* Open SORTOUT; its records are fixed when its DD and the input's say so. */
static int open_output(struct sort *sort, struct error *err)
{
	const char *path = utility_dd("SORTOUT");
	char recfm[8];
	unsigned lrecl;

	RETURN_IF(!path, error_set(err, "DD SORTOUT is missing"));
	utility_dcb("SORTOUT", recfm, &lrecl);
	sort->output_fixed = recfm[0] == 'F' && lrecl && sort->fixed ? lrecl : sort->fixed;
	sort->output = fopen(path, "we");
	RETURN_IF(!sort->output, error_errno(err, "SORTOUT: %s cannot be opened", path));
	setvbuf(sort->output, NULL, _IOFBF, 256 * 1024);
	return 0;
}

/* Whether an input that is read while SORTOUT is written is the same file. */
static int check_apart(const char *ddname, struct error *err)
{
	const char *from = utility_dd(ddname), *to = utility_dd("SORTOUT");

	if (from && to && utility_same_file(from, to))
		return error_set(err, "%s and SORTOUT are the same file", ddname);
	return 0;
}

/* Write what was collected, in memory and in parts. */
static int write_sorted(struct sort *sort, struct error *err)
{
	if (sort->run_count == 0)
		return write_pool(sort, sort->output, true, err);
	RETURN_IF(sort->pool.count > 0 && spill(sort, err) < 0, -1);
	RETURN_IF(narrow_runs(sort, err) < 0, -1);
	return merge_runs(sort, sort->run_count, sort->output, true, err);
}

/* Read SORTIN; sort or copy it. SORTOUT may be the same file when it is sorted. */
static int sort_input(struct sort *sort, struct record_reader *reader, struct error *err)
{
	bool copy = sort->request.kind == SORT_COPY;
	int got;

	if (copy)
		RETURN_IF(check_apart("SORTIN", err) < 0 || open_output(sort, err) < 0, -1);
	while ((got = record_read(reader, err)) > 0) {
		const struct sort_record record = { reader->line, reader->length };

		sort->read++;
		if (!sort_wanted(&sort->request, &record))
			continue;
		if (copy)
			RETURN_IF(put(sort, sort->output, true, &record, err) < 0, -1);
		else
			RETURN_IF(collect(sort, reader, err) < 0, -1);
	}
	RETURN_IF(got < 0 || copy, got);
	RETURN_IF(open_output(sort, err) < 0, -1);
	return write_sorted(sort, err);
}

static int run_sort(struct sort *sort, struct error *err)
{
	struct record_reader reader;
	int result;

	RETURN_IF(record_reader_open(&reader, "SORTIN", err) < 0, -1);
	sort->fixed = reader.fixed;
	result = sort_input(sort, &reader, err);
	record_reader_close(&reader);
	return result;
}

/* All inputs of a merge must have records of one kind. */
static int merge_layout(struct sort *sort, const struct merge_input *inputs, size_t count,
			struct error *err)
{
	sort->fixed = inputs[0].reader.fixed;
	for (size_t i = 1; i < count; i++)
		if (inputs[i].reader.fixed != sort->fixed)
			return error_set(err,
					 "the inputs of MERGE have records of different length");
	return 0;
}

/* MERGE: SORTIN01 and so on, as many as there are. */
static int run_merge(struct sort *sort, struct error *err)
{
	struct merge_input *inputs = NULL;
	size_t count = 0, alloc = 0;
	int result = 0;

	for (unsigned number = 1; number < 100 && result == 0; number++) {
		char ddname[16];

		snprintf(ddname, sizeof(ddname), "SORTIN%02u", number);
		if (!utility_dd(ddname))
			continue;
		GROW(inputs, count + 1, alloc);
		inputs[count] = (struct merge_input){ 0 };
		result = check_apart(ddname, err);
		if (result == 0)
			result = record_reader_open(&inputs[count].reader, ddname, err);
		count++;
	}
	if (result == 0 && count == 0)
		result = error_set(err, "DD SORTIN01 is missing");
	if (result == 0)
		result = merge_layout(sort, inputs, count, err);
	if (result == 0)
		result = open_output(sort, err);
	if (result == 0)
		result = merge(sort, inputs, count, true, sort->output, true, err);
	for (size_t i = 0; i < count; i++)
		record_reader_close(&inputs[i].reader);
	free(inputs);
	return result;
}

/* PARM='MAINSIZE=n', n with K or M: the memory to sort in. */
static int parameter(struct sort *sort, const char *text)
{
	char unit = 0;
	unsigned long size = 0;

	sort->request.memory = DEFAULT_MEMORY;
	if (!text || !*text)
		return 0;
	if (strncasecmp(text, "MAINSIZE=", 9) != 0 || sscanf(text + 9, "%lu%c", &size, &unit) < 1 ||
	    size == 0 || size > 1048576)
		return utility_message(sort->utility, SEVERITY_SEVERE, 5543,
				       "PARM %s is not supported; only MAINSIZE=n, nK or nM is",
				       text);
	sort->request.memory = (uint64_t)size * (unit == 'M' || unit == 'm'   ? 1048576
						 : unit == 'K' || unit == 'k' ? 1024
									      : 1);
	if (sort->request.memory < SMALLEST_MEMORY)
		sort->request.memory = SMALLEST_MEMORY;
	return 0;
}

static void sort_release(struct sort *sort)
{
	for (size_t i = 0; i < sort->run_count; i++) {
		unlink(sort->runs[i]);
		free(sort->runs[i]);
	}
	free(sort->runs);
	free(sort->pool.records);
	strbuf_release(&sort->pool.bytes);
	strbuf_release(&sort->last);
	sort_request_release(&sort->request);
}

int main(int argc, char **argv)
{
	struct utility utility;
	struct sort sort = { .utility = &utility,
			     .pool = { .bytes = STRBUF_INIT },
			     .last = STRBUF_INIT };
	struct error err = ERROR_INIT;
	struct statement *statements;

	utility_init(&utility, "SORT");
	statements = statements_read(&utility, "SYSIN");
	if (parameter(&sort, argc > 1 ? argv[1] : NULL) == 0 && utility.worst == 0 &&
	    sort_request_read(&sort.request, &utility, statements) == 0) {
		int result = sort.request.kind == SORT_MERGE ? run_merge(&sort, &err)
							     : run_sort(&sort, &err);

		if (sort.output)
			result = close_stream(sort.output, result, &err);
		if (result < 0)
			utility_message(&utility, SEVERITY_SEVERE, 5544, "%s", error_text(&err));
		else
			utility_message(&utility, SEVERITY_INFO, 5545,
					"%" PRIu64 " records in, %" PRIu64 " records out",
					sort.read, sort.written);
	}
	error_release(&err);
	statements_free(statements);
	sort_release(&sort);
	return utility_end(&utility);
}
