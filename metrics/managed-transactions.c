/* SPDX-License-Identifier: Apache-2.0 */
/*
 * DTM: transactions over several resources. The kernel has none, so transaction
 * managers report theirs: each has a file in a folder that only root creates, with
 * a line "KEY NUMBER" for each count. A file is replaced as a whole, and its
 * content is valid for its time of writing.
 */
#include "common/compat.h"
#include "common/procfs.h"
#include "common/clock.h"
#include "metrics/kinds.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER "/run/vigil/transactions"
#define TEXT_MAX 8192

static const struct metric_file files[] = {
	{ FOLDER, METRIC_KEYS },
};

enum { NAME, WRITTEN };

/* The keys are the names of the items. */
#define REPORTED(name) KEY(1, name)

static const struct metric_item items[] = {
	TEXT_IDENTITY("name", "name", MADE, "The transaction manager: the name of its file."),
	LEVEL("written", "ns", MADE,
	      "When this file was written, since 1970 UTC: the time of the values."),
	COUNTER("started", "count", REPORTED("started"), "Transactions started."),
	COUNTER("prepared", "count", REPORTED("prepared"),
		"Transactions whose resources were asked to prepare."),
	COUNTER("committed", "count", REPORTED("committed"), "Transactions committed."),
	COUNTER("committed_one_phase", "count", REPORTED("committed_one_phase"),
		"Committed transactions with one resource only, without a prepare phase."),
	COUNTER("committed_read_only", "count", REPORTED("committed_read_only"),
		"Committed transactions that changed nothing."),
	COUNTER("aborted", "count", REPORTED("aborted"), "Transactions aborted."),
	COUNTER("aborted_by_resource", "count", REPORTED("aborted_by_resource"),
		"Transactions aborted because a resource rejected them."),
	COUNTER("timeouts", "count", REPORTED("timeouts"),
		"Transactions aborted because of a timeout."),
	COUNTER("deadlocks", "count", REPORTED("deadlocks"),
		"Transactions aborted because of a deadlock."),
	COUNTER("ended", "count", REPORTED("ended"), "Transactions ended, either way."),
	COUNTER("heuristic", "count", REPORTED("heuristic"),
		"Transactions that a resource has decided on its own (heuristic)."),
	COUNTER("recovered", "count", REPORTED("recovered"),
		"Transactions that were completed after a failure."),
	COUNTER("branches_started", "count", REPORTED("branches_started"), "Branches started here."),
	COUNTER("branches_added", "count", REPORTED("branches_added"),
		"Branches added to transactions of other machines."),
	COUNTER("branches_joined", "count", REPORTED("branches_joined"),
		"Branches that other machines added to transactions of this one."),
	LEVEL("active", "count", REPORTED("active"), "Active transactions."),
	LEVEL("preparing", "count", REPORTED("preparing"), "Transactions being prepared."),
	LEVEL("waiting", "count", REPORTED("waiting"),
	      "Prepared transactions, not yet committed or aborted."),
	LEVEL("in_doubt", "count", REPORTED("in_doubt"),
	      "Prepared transactions whose manager cannot be asked for the decision."),
	LEVEL("oldest_waiting", "ns", REPORTED("oldest_waiting"),
	      "Age of the oldest prepared transaction."),
	LEVEL("resources", "count", REPORTED("resources"), "Resources that take part."),
	LEVEL("partners", "count", REPORTED("partners"), "Other machines that take part."),
	COUNTER("calls_sent", "count", REPORTED("calls_sent"), "Messages sent to other managers."),
	COUNTER("calls_received", "count", REPORTED("calls_received"),
		"Messages received from other managers."),
	COUNTER("log_writes", "count", REPORTED("log_writes"), "Records written to the log."),
	COUNTER("log_syncs", "count", REPORTED("log_syncs"),
		"How often the log was written to disk."),
	COUNTER("log_bytes", "bytes", REPORTED("log_bytes"), "Bytes written to the log."),
	COUNTER("time", "ns", REPORTED("time"),
		"Total time of all ended transactions, from start to end."),
	COUNTER("commit_time", "ns", REPORTED("commit_time"),
		"Total time of all commits, from request to end."),
	COUNTER("below_1s", "count", REPORTED("below_1s"),
		"Transactions committed in less than 1 second."),
	COUNTER("below_2s", "count", REPORTED("below_2s"),
		"Transactions committed in 1 to 2 seconds."),
	COUNTER("below_3s", "count", REPORTED("below_3s"),
		"Transactions committed in 2 to 3 seconds."),
	COUNTER("below_4s", "count", REPORTED("below_4s"),
		"Transactions committed in 3 to 4 seconds."),
	COUNTER("below_5s", "count", REPORTED("below_5s"),
		"Transactions committed in 4 to 5 seconds."),
	COUNTER("from_5s", "count", REPORTED("from_5s"),
		"Transactions committed in 5 seconds or more."),
};

/* Makes the record of one manager. */
static void read_file(struct metric_source *source, int folder, const char *name)
{
	char text[TEXT_MAX];
	/* Opening a named pipe must not block. */
	int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	struct stat file;

	if (fd < 0)
		return;
	if (fstat(fd, &file) == 0 && S_ISREG(file.st_mode) &&
	    procfs_reread(fd, text, sizeof(text)) > 0) {
		metric_begin(source);
		metric_parse(&source->texts[0].plan, METRIC_KEYS, text, source->values,
			    source->strings);
		metric_string(source, NAME, name);
		source->values[WRITTEN] = clock_timespec_ns(&file.st_mtim);
		if (metric_any(&source->texts[0].plan, source->values))
			metric_add(source);
	}
	close(fd);
}

static void read_all(struct metric_source *source)
{
	char path[PROCFS_PATH_SIZE];
	DIR *folder = opendir(procfs_path(path, FOLDER));
	const struct dirent *entry;

	if (!folder)
		return;
	while ((entry = readdir(folder)))
		if (entry->d_name[0] != '.')
			read_file(source, dirfd(folder), entry->d_name);
	closedir(folder);
}

const struct metric_kind transactions_kind = {
	.name = "DTM",
	.record = "dtm",
	.summary = "transactions over several resources, as their managers report them",
	.meaning = "A manager of transactions that has a file in " FOLDER ".",
	METRIC_ITEMS(items),
	METRIC_FILES(files),
	.absent =
		"the kernel has no such transactions, and no transaction manager has a file "
		"in " FOLDER,
	.read = read_all,
};
