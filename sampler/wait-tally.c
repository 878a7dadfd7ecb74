/* SPDX-License-Identifier: Apache-2.0 */
/* Sums up waits by place. */
#include "common/compat.h"
#include "sampler/wait-tally.h"
#include "common/xalloc.h"
#include "records/record-types.h"

enum wait_class wait_site_class(const struct wait_site *site)
{
	switch (site->reason) {
	case WAIT_CHILD:
	case WAIT_LOCK:
	case WAIT_PIPE:
	case WAIT_VIGIL:
	case WAIT_SIGNAL:
		return CLASS_MINOR;
	default:
		return CLASS_MAJOR;
	}
}

bool wait_site_is_file(const struct wait_site *site)
{
	switch (site->reason) {
	case WAIT_FILE_READ:
	case WAIT_FILE_WRITE:
	case WAIT_FILE_SYNC:
	case WAIT_FILE_OTHER:
		return true;
	case WAIT_PAGE:
		return site->file != 0;
	default:
		return false;
	}
}

bool wait_amount_is_empty(const struct wait_amount *amount)
{
	return amount->count == 0 && amount->total == 0;
}

void wait_amount_add(struct wait_amount *amount, const struct wait_amount *part)
{
	amount->count += part->count;
	amount->wakeups += part->wakeups;
	amount->total += part->total;
	amount->charged += part->charged;
	amount->solo += part->solo;
	amount->variance += part->variance;
	amount->laid += part->laid;
	amount->spread += part->spread;
	amount->delay_variance += part->delay_variance;
}

bool wait_site_is_same(const struct wait_site *one, const struct wait_site *other)
{
	return one->stack == other->stack && one->reason == other->reason &&
	       one->file == other->file && one->syscall == other->syscall &&
	       one->holder == other->holder && one->holder_pid == other->holder_pid &&
	       one->holder_stack == other->holder_stack;
}

/* Returns the tally of a place and of part's transaction; makes it if it is new. */
static struct wait_tally *tally_of(struct wait_tallies *tallies, const struct wait_site *site,
				   const struct wait_amount *part)
{
	struct wait_tally *tally;

	for (size_t i = tallies->count; i-- > 0;) {
		tally = &tallies->items[i];
		if (wait_site_is_same(&tally->site, site) &&
		    tally->amount.transaction == part->transaction &&
		    tally->amount.sampled == part->sampled)
			return tally;
	}
	GROW(tallies->items, tallies->count + 1, tallies->alloc);
	tally = &tallies->items[tallies->count++];
	*tally = (struct wait_tally){
		.site = *site,
		.amount = { .transaction = part->transaction, .sampled = part->sampled },
	};
	return tally;
}

void wait_tallies_add(struct wait_tallies *tallies, const struct wait_site *site,
		      const struct wait_amount *part)
{
	wait_amount_add(&tally_of(tallies, site, part)->amount, part);
}

void wait_tallies_rows(struct wait_tallies *tallies, uint64_t task, uint64_t time,
		       struct recordset *set)
{
	for (size_t i = 0; i < tallies->count; i++) {
		const struct wait_site *site = &tallies->items[i].site;
		const struct wait_amount *amount = &tallies->items[i].amount;
		struct record_wait row = {
			.time = time,
			.task = task,
			.stack = site->stack,
			.reason = site->reason,
			.file = site->file,
			.syscall = site->syscall,
			.count = amount->count,
			.total = amount->total,
			.charged = amount->charged,
			.solo = amount->solo,
			.transaction = amount->transaction,
			.variance = amount->variance,
			.holder = site->holder,
			.holder_pid = (uint64_t)site->holder_pid,
			.holder_stack = site->holder_stack,
			.laid = amount->laid,
			.spread = amount->spread,
			.delay_variance = amount->delay_variance,
		};

		if (!wait_amount_is_empty(amount))
			recordset_add(set, &row);
	}
	tallies->count = 0;
}

void wait_tallies_release(struct wait_tallies *tallies)
{
	free(tallies->items);
	*tallies = (struct wait_tallies){ 0 };
}
