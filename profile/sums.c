/* SPDX-License-Identifier: Apache-2.0 */
/* Sums by key. */
#include "common/compat.h"
#include "profile/sums.h"
#include "common/xalloc.h"

void sums_init(struct sums *sums, size_t key_width, size_t amounts)
{
	memset(sums, 0, sizeof(*sums));
	keymap_init(&sums->keys, key_width);
	sums->width = amounts;
}

void sums_release(struct sums *sums)
{
	keymap_release(&sums->keys);
	free(sums->values);
	free(sums->order);
	sums->values = NULL;
	sums->order = NULL;
	sums->alloc = 0;
}

uint64_t *sums_at(struct sums *sums, const uint64_t *key)
{
	size_t before = sums->keys.count;
	size_t number = keymap_put(&sums->keys, key);

	GROW(sums->values, (number + 1) * sums->width, sums->alloc);
	if (number == before)
		memset(sums->values + number * sums->width, 0, sums->width * sizeof(*sums->values));
	return sums->values + number * sums->width;
}

const uint64_t *sums_key(const struct sums *sums, size_t number)
{
	return keymap_key(&sums->keys, number);
}

const uint64_t *sums_values(const struct sums *sums, size_t number)
{
	return sums->values + number * sums->width;
}

struct sorting {
	const struct sums *sums;
	const size_t *amounts; /* primary sort keys, falling */
	size_t amount_count;
	sums_compare compare;
	void *argument;
};

static int compare_keys(const struct sums *sums, size_t first, size_t second)
{
	const uint64_t *a = sums_key(sums, first), *b = sums_key(sums, second);

	for (size_t i = 0; i < sums->keys.width; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

static int compare_numbers(const void *first, const void *second, void *argument)
{
	const struct sorting *sorting = argument;
	size_t a = *(const size_t *)first, b = *(const size_t *)second;
	int order = 0;

	for (size_t i = 0; !order && i < sorting->amount_count; i++) {
		uint64_t x = sums_values(sorting->sums, a)[sorting->amounts[i]];
		uint64_t y = sums_values(sorting->sums, b)[sorting->amounts[i]];

		order = x > y ? -1 : x < y;
	}
	if (!order && sorting->compare)
		order = sorting->compare(sums_key(sorting->sums, a), sums_key(sorting->sums, b),
					 sorting->argument);
	return order ? order : compare_keys(sorting->sums, a, b);
}

/* Rebuilds the order. */
static void sort(struct sums *sums, struct sorting *sorting)
{
	sorting->sums = sums;
	free(sums->order);
	sums->order = xcalloc(sums->keys.count + 1, sizeof(*sums->order));
	for (size_t i = 0; i < sums->keys.count; i++)
		sums->order[i] = i;
	qsort_r(sums->order, sums->keys.count, sizeof(*sums->order), compare_numbers, sorting);
}

void sums_sort_amounts(struct sums *sums, const size_t *amounts, size_t count)
{
	struct sorting sorting = { .amounts = amounts, .amount_count = count };

	sort(sums, &sorting);
}

void sums_sort_falling(struct sums *sums, size_t amount, sums_compare compare, void *argument)
{
	struct sorting sorting = {
		.amounts = &amount, .amount_count = 1, .compare = compare, .argument = argument
	};

	sort(sums, &sorting);
}

void sums_sort(struct sums *sums, sums_compare compare, void *argument)
{
	struct sorting sorting = { .compare = compare, .argument = argument };

	sort(sums, &sorting);
}
