/* SPDX-License-Identifier: Apache-2.0 */
/* Adds up fields of records with equal keys. */
#include "common/compat.h"
#include "utilities/sort/sum.h"

void sort_sum_init(struct sort_sum *sum, const struct sort_request *request,
		   const struct sort_keys *keys, sort_sink take, void *output)
{
	*sum = (struct sort_sum){ .request = request,
				  .keys = keys,
				  .take = take,
				  .output = output,
				  .held = STRBUF_INIT };
}

static struct sort_record held_record(const struct sort_sum *sum)
{
	return (struct sort_record){ sum->held.text, sum->held.length };
}

/* Returns the kind of sign of a sum: the held record's, else the other's, else the site's. */
static enum sign_kind sign_of_sum(const struct sort_request *request,
				  const struct sort_field *field, const struct sort_record *held,
				  const struct sort_record *record)
{
	enum sign_kind sign = field_sign(field, held);

	if (sign == SIGN_NONE)
		sign = field_sign(field, record);
	return sign == SIGN_NONE ? request->sign : sign;
}

/*
 * Adds each field of a record to those of the held one; false: a sum does not fit
 * its field, and nothing is changed.
 */
static bool add_fields(struct sort_sum *sum, const struct sort_record *record)
{
	const struct sort_record held = held_record(sum);
	const struct sort_request *request = sum->request;
	char room[64];
	bool put = true;

	for (int pass = 0; pass < 2 && put; pass++)
		for (size_t i = 0; i < sum->request->sum_count && put; i++) {
			const struct sort_field *field = &sum->request->sums[i];
			bool there = field->position + field->length <= held.length;
			const struct number_form form = {
				field->format,
				field->format == FORMAT_ZD ? request->zoned_style : SIGN_PREFERRED,
				sign_of_sum(request, field, &held, record)
			};
			sort_number total = field_value(field, &held) + field_value(field, record);

			put = there &&
			      field_put_number(total, &form,
					       pass ? sum->held.text + field->position : room,
					       field->length);
		}
	return put;
}

static int hold(struct sort_sum *sum, const struct sort_record *record, struct error *err)
{
	if (sum->holds) {
		const struct sort_record held = held_record(sum);

		RETURN_IF(sum->take(sum->output, &held, err) < 0, -1);
	}
	strbuf_reset(&sum->held);
	strbuf_add(&sum->held, record->data, record->length);
	sum->holds = true;
	return 0;
}

int sort_sum_take(void *argument, const struct sort_record *record, struct error *err)
{
	struct sort_sum *sum = argument;
	const struct sort_record held = held_record(sum);

	if (!sum->holds || sort_keys_compare(sum->keys, &held, record, 0) != 0)
		return hold(sum, record, err);
	if (!sum->request->unique && !add_fields(sum, record)) {
		sum->overflows++;
		return hold(sum, record, err);
	}
	sum->deleted++;
	return 0;
}

int sort_sum_end(struct sort_sum *sum, struct error *err)
{
	int result = 0;

	if (sum->holds) {
		const struct sort_record held = held_record(sum);

		result = sum->take(sum->output, &held, err);
	}
	strbuf_release(&sum->held);
	return result;
}
