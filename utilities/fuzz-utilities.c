/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzzes the control statements of IEBGENER, IEBCOPY and IEBUPDTE; the first byte
 * selects the utility.
 */
#include "common/compat.h"
#include "common/test-input.h"
#include "utilities/iebcopy-request.h"
#include "utilities/iebgener-request.h"
#include "utilities/iebupdte-cards.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_iebgener(struct utility *utility)
{
	struct iebgener_request request = { 0 };

	if (iebgener_request_read(&request, utility) == 0 && request.member_count == 0)
		abort();
	iebgener_request_release(&request);
}

/* Checks that the data cards of each statement are within SYSIN. */
static void read_iebupdte(struct utility *utility, const char *text, size_t size)
{
	struct source *source = source_new("SYSIN", text, size);
	struct iebupdte_statement *list = iebupdte_read(utility, source);

	for (const struct iebupdte_statement *at = list; at; at = at->next)
		if (at->data_count > 0 &&
		    (at->data < source->lines ||
		     at->data + at->data_count > source->lines + source->line_count))
			abort();
	iebupdte_free(list);
	source_free(source);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct utility utility = { .name = "UTILITY" };
	const char *path;

	if (size < 1)
		return 0;
	path = test_input(0, data + 1, size - 1);
	if (!utility.print) {
		utility.print = fopen("/dev/null", "w");
		setenv("DD_SYSIN", path, 1);
	}
	if (data[0] % 3 == 0)
		read_iebgener(&utility);
	else if (data[0] % 3 == 1)
		iebcopy_request_free(iebcopy_request_read(&utility, NULL));
	else
		read_iebupdte(&utility, (const char *)data + 1, size - 1);
	return 0;
}
