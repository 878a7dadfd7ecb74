/* SPDX-License-Identifier: Apache-2.0 */
/*
 * IEBGENER (also ICEGENER): copies SYSUT1 to SYSUT2, whatever their record
 * formats; with GENERATE, MEMBER and RECORD in SYSIN it edits records and makes
 * members.
 */
#include "common/compat.h"
#include "common/xalloc.h"
#include "datasets/catalog.h"
#include "datasets/records-buffer.h"
#include "utilities/dd.h"
#include "utilities/iebgener-edit.h"
#include "utilities/members.h"

struct generate {
	struct utility *utility;
	struct iebgener_request request;
	struct dd from, to;
	struct record_reader *reader;
	struct record record; /* the next record */
	bool there;	      /* record is valid: the input has not ended */
	struct strbuf edited;
	size_t fixed;	       /* record length of the output; 0: not fixed */
	uint64_t read, copied; /* numbers of records */
	uint64_t truncated, first_cut;
	struct sign_counts signs; /* of the numbers converted */
};

static int say(struct generate *generate, unsigned number, struct error *err)
{
	utility_message(generate->utility, SEVERITY_SEVERE, number, "%s", error_text(err));
	error_release(err);
	return -1;
}

static int not_opened(struct generate *generate, const struct dd *dd, struct error *err)
{
	error_prefix(err, "DD %s", dd->name);
	return say(generate, 5503, err);
}

/* Finds the DDs, and checks that opening the output does not destroy the input. */
static int find_dds(struct generate *generate)
{
	struct utility *utility = generate->utility;

	if (!dd_find(&generate->from, "SYSUT1"))
		return utility_message(utility, SEVERITY_SEVERE, 5502, "DD SYSUT1 is missing");
	if (!dd_find(&generate->to, "SYSUT2"))
		return utility_message(utility, SEVERITY_SEVERE, 5502, "DD SYSUT2 is missing");
	if (utility_same_file(generate->from.path, generate->to.path))
		return utility_message(utility, SEVERITY_SEVERE, 5506,
				       "SYSUT1 and SYSUT2 are the same file");
	return 0;
}

/*
 * Returns whether lines are copied to lines. Then bytes are copied, which
 * preserves a last line without a line end.
 */
static bool copies_bytes(const struct generate *generate)
{
	struct attributes attributes = generate->to.attributes;

	if (generate->request.edits ||
	    record_form(generate->from.path, &generate->from.attributes) != RECORD_TEXT)
		return false;
	dd_complete(&attributes, &generate->from.attributes);
	return record_form("/dev/null", &attributes) == RECORD_TEXT;
}

static int copy_bytes(struct generate *generate)
{
	struct record_input input = { .fd = -1 };
	struct record_output output = { .fd = -1 };
	struct error err = ERROR_INIT;
	uint64_t bytes = 0;
	int more = 0;

	if (record_input_open(&input, generate->from.path, &err) < 0)
		more = say(generate, 5504, &err);
	else if (record_output_open(&output, generate->to.path, false, &err) < 0)
		more = say(generate, 5505, &err);
	while (more == 0 && (more = record_input_more(&input, &err)) != 0) {
		char *room = more > 0 ? record_output_reserve(&output, input.end, &err) : NULL;

		if (!room) {
			more = say(generate, more < 0 ? 5504 : 5505, &err);
			break;
		}
		memcpy(room, input.data, input.end);
		bytes += input.end;
		input.start = input.end;
		more = 0;
	}
	if (more == 0 && record_output_close(&output, &err) < 0)
		more = say(generate, 5505, &err);
	record_input_release(&input);
	record_output_release(&output);
	if (more == 0)
		utility_message(generate->utility, SEVERITY_INFO, 5511, "%" PRIu64 " bytes copied",
				bytes);
	return more;
}

/* Reads the next record of the input. */
static int advance(struct generate *generate)
{
	struct error err = ERROR_INIT;
	int got = record_read(generate->reader, &generate->record, &err);

	RETURN_IF(got < 0, say(generate, 5504, &err));
	generate->there = got > 0;
	generate->read += generate->there;
	return 0;
}

/* Writes the record as the group edits it; group may be NULL. */
static int put_record(struct generate *generate, const struct iebgener_group *group,
		      struct record_writer *writer)
{
	struct record record = generate->record;
	struct error err = ERROR_INIT;

	if (group && group->field_count) {
		if (iebgener_edit(group, &record, generate->read, &generate->edited, &generate->signs,
				  &err) < 0) {
			error_prefix(&err, "record %" PRIu64 " of SYSUT1", generate->read);
			return say(generate, 5515, &err);
		}
		record.data = generate->edited.text;
		record.length = generate->edited.length;
	}
	if (generate->fixed && record.length > generate->fixed && generate->truncated++ == 0)
		generate->first_cut = generate->read;
	if (record_write(writer, &record, &err) != 0) {
		error_prefix(&err, "record %" PRIu64 " of SYSUT1 cannot be written",
			     generate->read);
		return say(generate, 5505, &err);
	}
	generate->copied++;
	return 0;
}

/* Copies records up to the end of the group, or all remaining ones. */
static int copy_group(struct generate *generate, const struct iebgener_group *group,
		      struct record_writer *writer)
{
	bool ended = false;

	while (generate->there && !ended) {
		ended = group && iebgener_ends(group, &generate->record);
		RETURN_IF(put_record(generate, group, writer) < 0, -1);
		RETURN_IF(advance(generate) < 0, -1);
	}
	if (group && group->ident && !ended)
		utility_message(
			generate->utility, SEVERITY_WARNING, 5518,
			"SYSIN line %u: no record has '%s' in column %zu; the group contains all "
			"remaining records",
			group->line, group->ident, group->ident_at + 1);
	return 0;
}

/* Copies the groups of a member, or of the single output. */
static int copy_groups(struct generate *generate, const struct iebgener_member *member,
		       struct record_writer *writer)
{
	const struct attributes *attributes = &generate->to.attributes;

	generate->fixed =
		record_writer_form(writer) == RECORD_FIXED ? attributes_data_length(attributes) : 0;
	if (member->group_count == 0)
		return copy_group(generate, NULL, writer);
	for (size_t i = 0; i < member->group_count; i++)
		RETURN_IF(copy_group(generate, &member->groups[i], writer) < 0, -1);
	return 0;
}

/* Closes an output whatever result is; returns the overall result. */
static int close_writer(struct generate *generate, struct record_writer *writer, int result)
{
	struct error err = ERROR_INIT;

	if (record_writer_close(writer, &err) < 0 && result == 0)
		result = say(generate, 5505, &err);
	error_release(&err);
	return result;
}

/* Writes a member to its draft. */
static int write_member_draft(struct generate *generate, const struct iebgener_member *member,
		       const char *path)
{
	struct attributes attributes = generate->to.attributes;
	struct error err = ERROR_INIT;
	struct record_writer *writer;

	attributes.organization = ORGANIZATION_UNKNOWN;
	if (record_writer_open(&writer, path, &attributes, 0, &err) < 0)
		return not_opened(generate, &generate->to, &err);
	return close_writer(generate, writer, copy_groups(generate, member, writer));
}

/* Makes a member and its aliases. */
static int make_member(struct generate *generate, const struct iebgener_member *member)
{
	const char *folder = generate->to.path;
	struct error err = ERROR_INIT;
	struct member_draft draft;

	if (member_begin(&draft, folder, member->names[0], &err) < 0)
		return say(generate, 5505, &err);
	if (write_member_draft(generate, member, draft.path) < 0) {
		member_abandon(&draft);
		return -1;
	}
	RETURN_IF(member_commit(&draft, &err) < 0, say(generate, 5505, &err));
	for (size_t i = 1; i < member->name_count; i++)
		RETURN_IF(member_alias(folder, member->names[i], member->names[0], &err) < 0,
			  say(generate, 5505, &err));
	return 0;
}

/* Completes the output library's unknown attributes from the input and stores them with it. */
static void complete_library(struct generate *generate)
{
	struct attributes *attributes = &generate->to.attributes;
	bool known = *attributes->recfm || attributes->lrecl;

	dd_complete(attributes, &generate->from.attributes);
	attributes->organization = ORGANIZATION_PARTITIONED;
	if (!known)
		attributes_set(generate->to.path, attributes, NULL);
}

static int make_members(struct generate *generate)
{
	const struct iebgener_request *request = &generate->request;

	if (!catalog_is_folder(generate->to.path))
		return utility_message(generate->utility, SEVERITY_SEVERE, 5517,
				       "MEMBER needs a library, and SYSUT2 is not one: %s",
				       generate->to.path);
	complete_library(generate);
	for (size_t i = 0; i < request->member_count; i++) {
		if (generate->there || i == 0)
			RETURN_IF(make_member(generate, &request->members[i]) < 0, -1);
		else
			utility_message(generate->utility, SEVERITY_ERROR, 5519,
					"member %s was not created: no records are left for it",
					request->members[i].names[0]);
	}
	return 0;
}

/* Copies to SYSUT2 when that is no library. */
static int make_output(struct generate *generate)
{
	struct attributes before = generate->to.attributes, *now = &generate->to.attributes;
	struct error err = ERROR_INIT;
	struct record_writer *writer;

	if (dd_open_writer(generate->utility, &generate->to, &generate->from.attributes, 0, &writer,
			   &err) < 0)
		return not_opened(generate, &generate->to, &err);
	if ((!*before.recfm && *now->recfm) || (!before.lrecl && now->lrecl))
		utility_foreign_message(generate->utility, "IEB352I", SEVERITY_INFO, 0,
			      "WARNING : ONE OR MORE OF THE OUTPUT DCB PARMS COPIED FROM INPUT");
	return close_writer(generate, writer,
			    copy_groups(generate, &generate->request.members[0], writer));
}

static int copy_records(struct generate *generate)
{
	struct utility *utility = generate->utility;
	const struct dd *from = &generate->from;
	struct error err = ERROR_INIT;
	int result;

	if (record_reader_open(&generate->reader, from->path, &from->attributes, &err) < 0)
		return not_opened(generate, from, &err);
	RETURN_IF(advance(generate) < 0, -1);
	if (generate->request.members[0].name_count)
		result = make_members(generate);
	else
		result = make_output(generate);
	if (generate->truncated)
		utility_message(utility, SEVERITY_WARNING, 5514,
				"%" PRIu64
				" records were longer than LRECL and were cut; the first "
				"is record %" PRIu64 " of SYSUT1",
				generate->truncated, generate->first_cut);
	sign_counts_warn(&generate->signs, utility, "SYSUT1", "", signs_rule());
	if (result == 0)
		utility_message(utility, SEVERITY_INFO, 5513, "%" PRIu64 " records copied",
				generate->copied);
	return result;
}

/* Does all the work once SYSPRINT is open. */
static void run(struct generate *generate)
{
	int result;

	fprintf(generate->utility->print, "DATA SET UTILITY - GENERATE\n");
	if (iebgener_request_read(&generate->request, generate->utility) < 0 ||
	    find_dds(generate) < 0)
		return;
	result = copies_bytes(generate) ? copy_bytes(generate) : copy_records(generate);
	if (result == 0)
		fprintf(generate->utility->print, "PROCESSING ENDED AT EOD\n");
}

int main(int argc, char **argv)
{
	struct utility utility;
	struct generate generate = { .utility = &utility, .edited = STRBUF_INIT };
	const char *parm;
	int left;

	utility_init(&utility, "IEBGENER");
	left = utility_arguments(&utility, argc, argv, &parm);
	if (left != 0)
		return left < 0 ? SEVERITY_SEVERE : 0;
	if (parm)
		utility_message(&utility, SEVERITY_SEVERE, 5510, "PARM %s is not supported", parm);
	else
		run(&generate);
	record_reader_close(generate.reader);
	iebgener_request_release(&generate.request);
	dd_release(&generate.from);
	dd_release(&generate.to);
	strbuf_release(&generate.edited);
	return utility_end(&utility);
}
