/* SPDX-License-Identifier: Apache-2.0 */
/* Tells the step library of cards, and learns from it what programs opened. */
#include "common/compat.h"
#include "session/job/learned.h"

/* Whether a DD's in-stream data is lines, and it was not said that programs are to see lines. */
static bool is_cards(const struct plan_dd *dd)
{
	return dd->kind == DD_INSTREAM && !dd->filedata_given &&
	       !(dd->recfm && dd->recfm[0] == 'F');
}

void learned_cards(const struct allocation *list, struct strbuf *cards)
{
	for (; list; list = list->next) {
		bool all = true;

		for (const struct allocation *one = list; one; one = one->next_concat)
			all &= is_cards(one->dd);
		if (all)
			strbuf_addf(cards, "%s\n", allocation_value(list));
	}
}
