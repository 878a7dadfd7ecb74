/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The records of a member with their sequence numbers, and the changes that CHANGE
 * makes to them.
 */
#ifndef VIGIL_UTILITIES_IEBUPDTE_CHANGE_H
#define VIGIL_UTILITIES_IEBUPDTE_CHANGE_H

#include "utilities/iebupdte-cards.h"

enum card_image_mark {
	IMAGE_KEPT,
	IMAGE_INSERTED,
	IMAGE_REPLACEMENT,
	IMAGE_REPLACED, /* not in the new master, only in the list of changes */
	IMAGE_DELETED,	/* likewise */
	IMAGE_NUMBERED, /* has a new number */
};

struct card_image {
	char *text;
	size_t length;
	char key[9]; /* content of the columns of the sequence number; "": blank */
	enum card_image_mark mark;
};

struct card_image_list {
	struct card_image *items;
	size_t count, alloc;
};

/* Adds a record; its number is read from the columns of field. */
void card_image_add(struct card_image_list *list, const char *text, size_t length,
		    const struct sequence_field *field);
/* Adds a data card without its trailing blanks. */
void card_image_add_card(struct card_image_list *list, const struct source_line *card,
			 const struct sequence_field *field);
void card_image_list_release(struct card_image_list *list);
/* Returns whether a record goes to the new master. */
bool card_image_stays(const struct card_image *image);
/*
 * Numbers all records (NUMBER after ADD or REPL). -1 after a message: a number
 * does not fit its columns.
 */
int card_image_number_all(struct utility *utility, struct card_image_list *list,
			  const struct iebupdte_statement *number,
			  const struct sequence_field *field);
/*
 * Applies CHANGE to old, the records of the old master: its data cards, and the
 * NUMBER and DELETE statements that follow it up to end. changed gets the
 * resulting records and also those replaced or deleted, marked as such. -1 after a
 * message.
 */
int card_image_change(struct utility *utility, const struct iebupdte_statement *change,
		      const struct iebupdte_statement *end, const struct card_image_list *old,
		      struct card_image_list *changed);

#endif
