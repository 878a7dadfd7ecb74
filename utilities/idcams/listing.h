/* SPDX-License-Identifier: Apache-2.0 */
/* The output of PRINT and LISTCAT: SYSPRINT, or the DD of OUTFILE. */
#ifndef VIGIL_UTILITIES_IDCAMS_LISTING_H
#define VIGIL_UTILITIES_IDCAMS_LISTING_H

#include "datasets/records.h"
#include "utilities/idcams/idcams.h"

struct idcams_listing {
	struct idcams *idcams;
	struct record_writer *writer; /* of OUTFILE; NULL: SYSPRINT */
	bool failed;
};

/* Opens the listing. -1 after a message. */
int idcams_listing_open(struct idcams *idcams, struct idcams_listing *listing,
			const struct idcams_operand *operands);
void idcams_listing_line(struct idcams_listing *listing, const char *format, ...) PRINTFLIKE(2, 3);
/* Closes the listing; reports if OUTFILE could not be written. */
void idcams_listing_close(struct idcams_listing *listing);

#endif
