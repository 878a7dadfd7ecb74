/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzzes SORT's control statements: no input may crash; statements that are
 * understood are tried on a record.
 */
#include "common/compat.h"
#include "utilities/sort/sort-request.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Sends one record through conditions and reformatting. */
static void try_request(struct sort_request *request)
{
	static const char bytes[] = "\0\x14\0\0A1234 5678-x}";
	const struct sort_record record = { bytes, sizeof(bytes) };
	const struct item_context context = { request->altseq, ' ', true, 0 };
	struct error err = ERROR_INIT;

	if (request->condition)
		condition_holds(request->condition, &record, request->altseq);
	reformat_run(&request->inrec, &record, &context, true, &err);
	reformat_run(&request->outrec, &record, &context, false, &err);
	for (size_t i = 0; i < request->outfil_count; i++)
		reformat_run(&request->outfils[i].reformat, &record, &context, false, &err);
	error_release(&err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct diag_list diags = DIAG_LIST_INIT;
	struct source *source = source_new("fuzz", (const char *)data, size);
	struct sort_statement *statements =
		sort_statements(source, size == 0 || !(data[0] & 1), &diags);
	struct sort_request request;

	sort_request_init(&request);
	sort_request_read(&request, statements, &diags);
	if (diag_max_severity(&diags) < SEVERITY_ERROR)
		try_request(&request);
	sort_request_release(&request);
	sort_statements_free(statements);
	source_free(source);
	diag_list_release(&diags);
	return 0;
}
