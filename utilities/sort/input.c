/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the records of a sort and selects them. */
#include "common/compat.h"
#include "utilities/sort/input.h"

int sort_input_open(struct sort_input *input, const char *name, struct sort_request *request,
		    struct sort_counts *counts, struct utility *utility)
{
	struct sort_form *form = &input->form;
	enum record_form kind;

	*input = (struct sort_input){ .request = request,
				      .counts = counts,
				      .image = STRBUF_INIT,
				      .utility = utility,
				      .skip = request->skip,
				      .left = request->stop };
	sign_check_init(&input->signs, request);
	snprintf(input->name, sizeof(input->name), "%s", name);
	if (!utility_dd(name))
		return utility_foreign_message(utility, "ICE056A", SEVERITY_SEVERE, 5502, "%s NOT DEFINED",
				     name);
	RETURN_IF(dd_reader(utility, name, &input->reader, &form->attributes) < 0, -1);
	kind = record_reader_form(input->reader);
	form->variable = kind == RECORD_VARIABLE || (kind > RECORD_VARIABLE && request->variable);
	form->fixed = !form->variable && kind != RECORD_TEXT;
	if (kind == RECORD_TEXT)
		form->attributes = (struct attributes){ 0 };
	else
		form->length = attributes_data_length(&form->attributes) +
			       (form->variable ? DESCRIPTOR_SIZE : 0);
	return 0;
}

void sort_input_close(struct sort_input *input)
{
	if (input->reader)
		sign_check_warn(&input->signs, input->utility, input->name, input->request->sign);
	sign_check_release(&input->signs);
	record_reader_close(input->reader);
	strbuf_release(&input->image);
	input->reader = NULL;
}

/* Reads a record in the form that the statements see. */
static int read_record(struct sort_input *input, struct sort_record *record, struct error *err)
{
	struct record read;
	int got = record_read(input->reader, &read, err);

	RETURN_IF(got <= 0, got);
	*record = (struct sort_record){ read.data, read.length };
	if (input->form.variable) {
		strbuf_reset(&input->image);
		strbuf_addchars(&input->image, '\0', DESCRIPTOR_SIZE);
		strbuf_add(&input->image, read.data, read.length);
		reformat_set_descriptor(input->image.text, input->image.length);
		*record = (struct sort_record){ input->image.text, input->image.length };
	}
	return 1;
}

/* Returns whether INCLUDE or OMIT selects a record. */
static bool wanted(const struct sort_request *request, const struct sort_record *record)
{
	return !request->condition ||
	       condition_holds(request->condition, record, request->altseq) != request->omit;
}

/* Reformats a record by INREC. */
static int reformat(struct sort_input *input, struct sort_record *record, struct error *err)
{
	const struct item_context context = { input->request->altseq, ' ', input->form.fixed, 0 };
	const struct item_lines *lines =
		reformat_run(&input->request->inrec, record, &context, input->form.variable, err);

	RETURN_IF(!lines, -1);
	*record = reformat_line(lines, 0);
	return 0;
}

int sort_input_next(struct sort_input *input, struct sort_record *record, struct error *err)
{
	struct sort_request *request = input->request;
	int got;

	RETURN_IF(input->left == 0, 0);
	while ((got = read_record(input, record, err)) > 0) {
		input->number++;
		if (input->skip > 0) {
			input->skip--;
			continue;
		}
		input->counts->read++;
		sign_watch_record(&input->signs.selected, record, input->number);
		if (wanted(request, record))
			break;
		input->counts->deleted++;
	}
	if (got > 0 && request->stop != UINT64_MAX)
		input->left--;
	RETURN_IF(got <= 0, got);
	sign_watch_record(&input->signs.read, record, input->number);
	if (request->inrec.count > 0) {
		RETURN_IF(reformat(input, record, err) < 0, -1);
		sign_watch_record(&input->signs.made, record, input->number);
	}
	return 1;
}
