/* SPDX-License-Identifier: Apache-2.0 */
/* A producer whose records are stored in a smaller form, and a grouper that replaces it. */
#include <stddef.h>
#include <vigil/module.h>

struct big {
	struct vigil_prefix prefix;
	uint64_t number, square;
};
static const struct vigil_field big_fields[] = {
	{ "number", VIGIL_UNSIGNED, VIGIL_COUNTER, 0, offsetof(struct big, number), "count", "n" },
	{ "square", VIGIL_UNSIGNED, VIGIL_LEVEL, 0, offsetof(struct big, square), "count",
	  "n * n" },
};
static const struct vigil_record_type big_type = {
	"big", "a number", sizeof(struct big), sizeof(big_fields[0]), 2, 0, big_fields
};

struct small {
	struct vigil_prefix prefix;
	uint64_t number;
};
static const struct vigil_field small_fields[] = {
	{ "number", VIGIL_UNSIGNED, VIGIL_COUNTER, 0, offsetof(struct small, number), "count",
	  "n" },
};
static const struct vigil_record_type small_type = {
	"small", "a number", sizeof(struct small), sizeof(small_fields[0]), 1, 0, small_fields
};

static int call_numbers(struct vigil_global *global, struct vigil_private *mine,
			const struct vigil_set *set)
{
	static _Thread_local struct small small;
	static _Thread_local struct big big;

	(void)set;
	switch (global->what) {
	case VIGIL_LOAD:
		mine->capabilities = VIGIL_PRODUCER;
		mine->sync_points = VIGIL_AT_SNAPSHOT;
		mine->type = &big_type;
		mine->private_type = &small_type;
		mine->options = VIGIL_PRIVATE_FORM;
		return VIGIL_OK;
	case VIGIL_SNAPSHOT:
		big.number = ++mine->yours;
		big.square = big.number * big.number;
		return vigil_add(global, mine, &big, 0);
	case VIGIL_TO_PRIVATE:
		small.number = ((const struct big *)global->data)->number;
		mine->data = &small;
		mine->data_size = sizeof(small);
		return VIGIL_OK;
	case VIGIL_TO_PUBLIC:
		big.number = ((const struct small *)mine->data)->number;
		big.square = big.number * big.number;
		global->data = &big;
		global->data_size = sizeof(big);
	}
	return VIGIL_OK;
}

static int call_group(struct vigil_global *global, struct vigil_private *mine,
		      const struct vigil_set *set)
{
	static const char *const members[] = { "NUMBERS", "MEM", NULL };

	(void)set;
	if (global->what == VIGIL_LOAD) {
		mine->capabilities = VIGIL_GROUPER;
		mine->members = members;
	}
	return VIGIL_OK;
}

static const struct vigil_module numbers = { sizeof(numbers), VIGIL_MODULE_VERSION, "NUMBERS",
					     "counts",	      call_numbers,	    0 };
static const struct vigil_module group = { sizeof(group), VIGIL_MODULE_VERSION,
					   "GROUP",	  "stands for NUMBERS and MEM",
					   call_group,	  0 };
VIGIL_MODULES(&numbers, &group);
