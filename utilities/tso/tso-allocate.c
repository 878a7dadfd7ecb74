/* SPDX-License-Identifier: Apache-2.0 */
/* ALLOCATE and FREE: set and remove DDs for the commands that follow, as environment variables. */
#include "common/compat.h"
#include "common/xalloc.h"
#include "datasets/attributes.h"
#include "utilities/tso/tso.h"

#include <ctype.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_NAMES "FILE FI F DDNAME DD"
#define DATA_SET_NAMES "DATASET DA DSNAME DSN"
/* Operands of ALLOCATE. Those not used elsewhere in this file have no meaning for files on disk. */
#define OPERANDS \
	FILE_NAMES " " DATA_SET_NAMES \
		   " OLD SHR MOD NEW SYSOUT DUMMY REUSE KEEP CATALOG CATLG DELETE PATH RECFM " \
		   "LRECL DSORG DIR DSNTYPE BLKSIZE SPACE TRACKS TRACK CYLINDERS CYL BLOCK " \
		   "AVBLOCK UNIT UCOUNT VOLUME VOL RELEASE RLSE STORCLAS MGMTCLAS DATACLAS " \
		   "HOLD NOHOLD DEST OUTDES MAXVOL LABEL PATHOPTS PATHMODE FILEDATA"

struct tso_allocation {
	char *ddname, *dsn, *path; /* dsn "": no data set */
	char *target;		   /* MOD: the file to which path is appended when it is freed */
	bool remove;		   /* remove path when it is freed */
	struct tso_allocation *next;
};

/* Sets DD_NAME and its other spellings; NULL removes them. */
static void set_variables(const char *ddname, const char *value)
{
	static const char *const prefixes[] = { "DD_", "dd_" };
	struct strbuf name = STRBUF_INIT;

	for (unsigned form = 0; form < 4; form++) {
		strbuf_reset(&name);
		strbuf_addstr(&name, prefixes[form / 2]);
		for (const char *at = ddname; *at; at++)
			strbuf_addch(&name, form & 1 ? (char)tolower((unsigned char)*at) : *at);
		if (value)
			setenv(name.text, value, 1);
		else
			unsetenv(name.text);
	}
	strbuf_release(&name);
}

/* Sets the attributes of a DD's records for the programs. */
static void set_attributes(const char *ddname, const struct attributes *attributes)
{
	struct strbuf name = STRBUF_INIT, value = STRBUF_INIT;

	strbuf_addf(&name, "VIGIL_DCB_%s", ddname);
	attributes_format(&value, attributes);
	if (value.length > 0)
		setenv(name.text, value.text, 1);
	else
		unsetenv(name.text);
	strbuf_release(&name);
	strbuf_release(&value);
}

/* Appends the file that a program wrote for MOD to the existing one. -1 with errno set. */
static int append(const char *from, const char *to)
{
	FILE *input = fopen(from, "re"), *output = fopen(to, "ae");
	char buffer[BUFSIZ];
	size_t got;
	bool failed = !input || !output;

	while (!failed && (got = fread(buffer, 1, sizeof(buffer), input)) > 0)
		failed = fwrite(buffer, 1, got, output) != got;
	failed |= input && ferror(input);
	if (input)
		fclose(input);
	if (output && fclose(output) != 0)
		failed = true;
	return failed ? -1 : 0;
}

/* Releases an allocation; returns the code. */
static int release(struct tso *tso, struct tso_allocation *one)
{
	int code = 0;

	set_variables(one->ddname, NULL);
	set_attributes(one->ddname, &(struct attributes){ 0 });
	if (one->target && append(one->path, one->target) < 0)
		code = tso_fail(tso, "IKJ56861I", 5693, "FILE %s NOT FREED: %s: %s", one->ddname,
				one->target, strerror(errno));
	else if (one->remove || one->target)
		catalog_remove(one->path);
	free(one->ddname);
	free(one->dsn);
	free(one->path);
	free(one->target);
	free(one);
	return code;
}

int tso_free_all(struct tso *tso)
{
	int code = 0;

	while (tso->allocations) {
		struct tso_allocation *next = tso->allocations->next;
		int one = release(tso, tso->allocations);

		code = one > code ? one : code;
		tso->allocations = next;
	}
	return code;
}

/* Returns a keyword's value as a number; 0: not given. */
static unsigned number(const struct tso_operands *operands, const char *names)
{
	const struct tso_operand *operand = tso_operand(operands, names);

	return operand && operand->value ? (unsigned)strtoul(operand->value, NULL, 10) : 0;
}

/* Copies a keyword's value without blanks, in upper case: "F B" becomes "FB". */
static void letters(const struct tso_operands *operands, const char *names, char *text, size_t size)
{
	const struct tso_operand *operand = tso_operand(operands, names);
	size_t length = 0;

	for (const char *at = operand && operand->value ? operand->value : ""; *at; at++)
		if (isalpha((unsigned char)*at) && length + 1 < size)
			text[length++] = (char)toupper((unsigned char)*at);
	text[length] = '\0';
}

/* Reads the record attributes from the operands. */
static void read_attributes(const struct tso_operands *operands, struct attributes *attributes)
{
	char organization[4];

	*attributes = (struct attributes){ .lrecl = number(operands, "LRECL"),
					   .block_size = number(operands, "BLKSIZE") };
	letters(operands, "RECFM", attributes->recfm, sizeof(attributes->recfm));
	letters(operands, "DSORG", organization, sizeof(organization));
	if (strcmp(organization, "PO") == 0)
		attributes->organization = ORGANIZATION_PARTITIONED;
	else if (strcmp(organization, "PS") == 0)
		attributes->organization = ORGANIZATION_SEQUENTIAL;
}

/* Returns whether a new data set is partitioned. */
static bool wants_folder(const struct tso_operands *operands, const struct attributes *attributes,
			 const struct strbuf *member)
{
	return member->length > 0 || attributes->organization == ORGANIZATION_PARTITIONED ||
	       tso_operand(operands, "DIR DSNTYPE");
}

/* Creates a data set. */
static int create(struct tso *tso, const char *path, bool folder,
		  const struct attributes *attributes)
{
	struct error err = ERROR_INIT;
	int made = folder ? mkdir(path, 0777)
			  : open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	int result = 0;

	if (made < 0)
		return tso_fail(tso, "IKJ56893I", 5693, "DATA SET NOT ALLOCATED: %s: %s", path,
				strerror(errno));
	if (!folder)
		close(made);
	if (!attributes_empty(attributes) && attributes_set(path, attributes, &err) < 0)
		result = tso_fail(tso, "IKJ56893I", 5693, "DATA SET NOT ALLOCATED: %s",
				  error_text(&err));
	error_release(&err);
	return result;
}

/* Locks a data set against other jobs, as its DISP in a DD would. */
static int lock(struct tso *tso, const char *dsn, bool exclusive)
{
	struct error err = ERROR_INIT;
	struct strbuf shared = STRBUF_INIT;
	int held = lock_list_try(&tso->locks, dsn, exclusive, &err), code = 0;

	if (held > 0 && catalog_shared_name(&tso->catalog, dsn, &shared))
		held = lock_list_try(&tso->locks, shared.text, exclusive, &err);
	strbuf_release(&shared);
	if (held < 0)
		code = tso_fail(tso, "IKJ56893I", 5693, "DATA SET %s NOT ALLOCATED: %s", dsn,
				error_text(&err));
	else if (held == 0)
		code = tso_fail(tso, "IKJ56225I", 5694, "DATA SET %s ALREADY IN USE, TRY LATER",
				dsn);
	error_release(&err);
	return code;
}

/* Finds or creates a data set as its status requires; appends its path. */
static int find_data_set(struct tso *tso, const struct tso_operands *operands, const char *dsn,
			 const struct strbuf *member, struct strbuf *path)
{
	bool new = tso_operand(operands, "NEW"), mod = tso_operand(operands, "MOD"), exists;
	struct attributes attributes;
	int code = 0;

	RETURN_IF(tso_path(tso, dsn, NULL, path) < 0, TSO_FAILED);
	exists = catalog_exists(path->text);
	if (new &&exists)
		return tso_fail(tso, "IKJ56893I", 5693, "DATA SET %s NOT ALLOCATED: IT EXISTS",
				dsn);
	if (!exists && !new && !mod)
		return tso_missing(tso, dsn);
	code = lock(tso, dsn, !tso_operand(operands, "SHR"));
	if (code == 0 && !exists) {
		read_attributes(operands, &attributes);
		code = create(tso, path->text, wants_folder(operands, &attributes, member),
			      &attributes);
	}
	if (code == 0 && member->length > 0)
		strbuf_addf(path, "/%s", member->text);
	return code;
}

/* Finds the data sets of DA('A' 'B'); several are a concatenation of libraries. */
static int find_data_sets(struct tso *tso, const struct tso_operands *operands, const char *list,
			  struct strbuf *first, struct strbuf *path)
{
	struct strbuf dsn = STRBUF_INIT, member = STRBUF_INIT, one = STRBUF_INIT;
	struct tso_operands names;
	int code = 0;

	RETURN_IF(tso_parse(tso, list, &names) < 0, TSO_FAILED);
	if (names.count == 0)
		code = tso_fail(tso, "IKJ56701I", 5683, "MISSING DATA SET NAME");
	for (size_t i = 0; i < names.count && code == 0; i++) {
		if (tso_name(tso, &names.items[i], &dsn, &member) < 0)
			code = TSO_FAILED;
		strbuf_reset(&one);
		if (code == 0)
			code = find_data_set(tso, operands, dsn.text, &member, &one);
		if (code == 0 && names.count > 1 && !catalog_is_folder(one.text))
			code = tso_fail(
				tso, "IKJ56893I", 5693,
				"DATA SET %s NOT ALLOCATED: ONLY LIBRARIES ARE CONCATENATED",
				dsn.text);
		strbuf_addf(path, "%s%s", i ? ":" : "", one.text);
		if (i == 0)
			strbuf_addbuf(first, &dsn);
	}
	tso_operands_release(&names);
	strbuf_release(&dsn);
	strbuf_release(&member);
	strbuf_release(&one);
	return code;
}

/*
 * Sets the path of SYSOUT: a file of the job's spool, as for a DD; without a job,
 * that of SYSTSPRT.
 */
static void sysout_path(const char *ddname, struct strbuf *path)
{
	const char *spool = getenv("VIGIL_JOB_SPOOL"), *step = getenv("VIGIL_STEP");

	if (spool && step)
		strbuf_addf(path, "%s/%s.%s", spool, step, ddname);
	else
		strbuf_addstr(path,
			      utility_dd("SYSTSPRT") ? utility_dd("SYSTSPRT") : "/dev/stdout");
}

/* Finds the file of a DD without a data set. */
static int find_file(struct tso *tso, const struct tso_operands *operands, const char *ddname,
		     struct tso_allocation *allocation, struct strbuf *path)
{
	const struct tso_operand *given = tso_operand(operands, "PATH");
	const char *folder = getenv("TMPDIR");
	char *name;

	if (tso_operand(operands, "DUMMY")) {
		strbuf_addstr(path, "/dev/null");
		return 0;
	}
	if (tso_operand(operands, "SYSOUT")) {
		sysout_path(ddname, path);
		return 0;
	}
	if (given) {
		name = tso_unquote(given->value ? given->value : "");
		strbuf_addstr(path, name);
		free(name);
		return access(path->text, F_OK) < 0 ? tso_missing(tso, path->text) : 0;
	}
	allocation->remove = true;
	strbuf_addf(path, "%s/%s.%d.%u", folder ? folder : "/tmp", ddname, (int)getpid(),
		    ++tso->names);
	return create(tso, path->text, false, &(struct attributes){ 0 });
}

/* Returns the DD's name, generated when none is given; NULL after a message: it is in use. */
static char *choose_ddname(struct tso *tso, const struct tso_operands *operands)
{
	const struct tso_operand *given = tso_operand(operands, FILE_NAMES);
	struct strbuf name = STRBUF_INIT;

	if (given && given->value) {
		char *text = tso_unquote(given->value);

		for (const char *at = text; *at; at++)
			strbuf_addch(&name, (char)toupper((unsigned char)*at));
		free(text);
	} else {
		strbuf_addf(&name, "SYS%05u", ++tso->names);
	}
	if (catalog_member_valid(name.text) &&
	    (!utility_dd(name.text) || tso_operand(operands, "REUSE")))
		return strbuf_detach(&name, NULL);
	tso_fail(tso, "IKJ56246I", 5694, "FILE %s NOT ALLOCATED, FILE IN USE", name.text);
	strbuf_release(&name);
	return NULL;
}

/* Frees an allocation of this session by its DD name; returns the code, -1: none. */
static int free_file(struct tso *tso, const char *ddname)
{
	for (struct tso_allocation **at = &tso->allocations; *at; at = &(*at)->next) {
		struct tso_allocation *one = *at;

		if (strcmp(one->ddname, ddname) != 0)
			continue;
		*at = one->next;
		return release(tso, one);
	}
	return -1;
}

/* Records an allocation and sets the variables for programs. */
static void add(struct tso *tso, struct tso_allocation *allocation,
		const struct tso_operands *operands)
{
	struct attributes given, kept;

	free_file(tso, allocation->ddname);
	read_attributes(operands, &given);
	attributes_get(allocation->target ? allocation->target : allocation->path, &kept);
	attributes_merge(&given, &kept);
	set_variables(allocation->ddname, allocation->path);
	set_attributes(allocation->ddname, &given);
	allocation->remove |= tso_operand(operands, "DELETE") != NULL;
	allocation->next = tso->allocations;
	tso->allocations = allocation;
}

/*
 * MOD of a file with records: programs get a file to write that is appended later,
 * as for a DD of the step.
 */
static int prepare_append(struct tso *tso, struct tso_allocation *allocation, const char *ddname,
			  struct strbuf *path)
{
	const char *folder = getenv("TMPDIR");
	struct stat info;

	if (stat(path->text, &info) < 0 || !S_ISREG(info.st_mode) || info.st_size == 0 ||
	    catalog_is_indexed(path->text))
		return 0;
	allocation->target = strbuf_detach(path, NULL);
	strbuf_addf(path, "%s/%s.%d.%u", folder ? folder : "/tmp", ddname, (int)getpid(),
		    ++tso->names);
	return create(tso, path->text, false, &(struct attributes){ 0 });
}

int tso_allocate(struct tso *tso, const char *verb, const char *text)
{
	struct tso_allocation *allocation;
	struct strbuf path = STRBUF_INIT, dsn = STRBUF_INIT;
	const struct tso_operand *data_set;
	struct tso_operands operands;
	char *ddname = NULL;
	int code = TSO_FAILED;

	(void)verb;
	RETURN_IF(tso_parse(tso, text, &operands) < 0, TSO_FAILED);
	data_set = tso_operand(&operands, DATA_SET_NAMES);
	allocation = xcalloc(1, sizeof(*allocation));
	if (tso_operands_known(tso, &operands, 0, OPERANDS))
		ddname = choose_ddname(tso, &operands);
	if (ddname && data_set && data_set->value && strcmp(data_set->value, "*") != 0)
		code = find_data_sets(tso, &operands, data_set->value, &dsn, &path);
	else if (ddname && data_set)
		code = (sysout_path(ddname, &path), 0);
	else if (ddname)
		code = find_file(tso, &operands, ddname, allocation, &path);
	if (code == 0 && tso_operand(&operands, "MOD"))
		code = prepare_append(tso, allocation, ddname, &path);
	if (code == 0) {
		allocation->ddname = ddname;
		allocation->dsn = strbuf_detach(&dsn, NULL);
		allocation->path = strbuf_detach(&path, NULL);
		add(tso, allocation, &operands);
	} else {
		free(ddname);
		free(allocation->target);
		free(allocation);
	}
	strbuf_release(&path);
	strbuf_release(&dsn);
	tso_operands_release(&operands);
	return code;
}

/* FREE FI(name): frees a DD, including DDs of the step. */
static int free_ddname(struct tso *tso, const char *ddname)
{
	int code = free_file(tso, ddname);

	if (code >= 0)
		return code;
	if (!utility_dd(ddname))
		return tso_fail(tso, "IKJ56247I", 5694, "FILE %s NOT FREED, IS NOT ALLOCATED",
				ddname);
	set_variables(ddname, NULL);
	return 0;
}

/* FREE DA(name): frees all DDs of the data set. */
static int free_data_set(struct tso *tso, const struct tso_operand *name)
{
	struct strbuf dsn = STRBUF_INIT, member = STRBUF_INIT;
	int code = tso_name(tso, name, &dsn, &member) < 0 ? TSO_FAILED : -1;
	struct tso_allocation *one = code < 0 ? tso->allocations : NULL;

	while (one) {
		bool same = strcmp(one->dsn, dsn.text) == 0;
		int freed = same ? free_file(tso, one->ddname) : -1;

		code = freed > code ? freed : code;
		one = same ? tso->allocations : one->next;
	}
	if (code < 0)
		code = tso_fail(tso, "IKJ56247I", 5694, "DATA SET %s NOT FREED, IS NOT ALLOCATED",
				dsn.text);
	strbuf_release(&dsn);
	strbuf_release(&member);
	return code;
}

int tso_free(struct tso *tso, const char *verb, const char *text)
{
	struct tso_operands operands, names;
	int code = 0, one;

	(void)verb;
	RETURN_IF(tso_parse(tso, text, &operands) < 0, TSO_FAILED);
	if (!tso_operands_known(tso, &operands, 0, FILE_NAMES " " DATA_SET_NAMES " ALL"))
		code = TSO_FAILED;
	if (code == 0 && operands.count == 0)
		code = tso_fail(tso, "IKJ56701I", 5683, "MISSING FILE NAME");
	for (size_t i = 0; i < operands.count && code < TSO_FAILED; i++) {
		bool file = tso_among(operands.items[i].word, FILE_NAMES);

		if (strcmp(operands.items[i].word, "ALL") == 0) {
			code = tso_free_all(tso);
			continue;
		}
		if (tso_parse(tso, operands.items[i].value ? operands.items[i].value : "", &names) <
		    0)
			code = TSO_FAILED;
		for (size_t n = 0; n < names.count; n++) {
			one = file ? free_ddname(tso, names.items[n].word)
				   : free_data_set(tso, &names.items[n]);
			code = one > code ? one : code;
		}
		tso_operands_release(&names);
	}
	tso_operands_release(&operands);
	return code;
}
