#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Findings about a step's use of the system: a program with the fault and one without it. The findings agree with the
# other reports, and removing the fault saves what was reported.
#
# What is found, where, and with which evidence, depends on no clock: the fault is nearly all that the program does.
# The savings are judged by the slow tests. The model (saved() in findings.py): a finding's margin is 1.96 standard
# deviations, of its samples or of the looks at its waits; chance exceeds 2.5 of it once in a million, and a tenth is
# the difference between two runs of one program. A finding that reports twice what it saves, or half, is detected.

bats_require_minimum_version 1.5.0
load trace
load findings
load jobs
load waiting
load background

setup_file() {
	for name in blocks convoy; do
		gcc -g -O1 -pthread -o "$BATS_FILE_TMPDIR/$name" "$VIGIL_SOURCE/tests/programs/$name.c"
	done
}

setup() {
	in_own_folder
	ln -s "$BATS_FILE_TMPDIR"/* .
}

# small_blocks BYTES: writes and reads this many bytes.
small_blocks() {
	measured bad ./blocks "$1" 2 ledger
	measured good ./blocks "$1" 32000 ledger
}

# bats test_tags=slow
@test "a file that is written and read in blocks of few bytes: what its removal saves" {
	small_blocks 960000
	found "saved('SMALL-BLOCKS', cpu(bad), cpu(good))"
}

@test "a file that is written and read in blocks of few bytes: the finding, and its line in the summary of the run" {
	small_blocks 480000
	found "list(findings(bad)) == ['SMALL-BLOCKS']" "findings(good) == {}" \
		"findings(bad)['SMALL-BLOCKS']['what'].endswith(' %d times, 2.0 bytes each' % facts(bad, 'input_output')['io_calls'])" \
		"facts(bad, 'input_output')['io_calls'] >= 480001" \
		"evidence(bad, 'SMALL-BLOCKS')['MSD'] == '%d read and write calls moved %d bytes' % (facts(bad, 'input_output')['io_calls'], facts(bad, 'input_output')['moved_bytes'])" \
		"findings(bad)['SMALL-BLOCKS']['where'].split(' line ')[0] in ('blocks.c: put', 'blocks.c: get')" \
		"int(evidence(bad, 'SMALL-BLOCKS')['ACE'].split()[0]) == sum(row['samples'] for row in at(bad, 'SMALL-BLOCKS', 'ACE', 'callers') if 'read' in row['via'] or 'write' in row['via'] or row['via'] == '[kernel]')"
	[ "$(grep -c '^finding ' bad.summary)" -eq 1 ]
	grep -q '^finding    [0-9.]* % of the run time can be saved at most: .* 2.0 bytes each (blocks.c: [pg][ue]t line [0-9]*)$' bad.summary
	! grep -q '^finding' good.summary || return 1
}

# job_of NAME SIZE: a measured step that writes and reads DD LEDGER in blocks of SIZE bytes; its log is NAME.log.
job_of() {
	program BLOCKS <<-END
	exec "$PWD/blocks" 960000 $2 "\$DD_LEDGER"
	END
	job <<-END
	//A JOB
	//S1 EXEC PGM=BLOCKS
	//LEDGER DD DSN=T.LEDGER.$1,DISP=(NEW,CATLG)
	//VIGIL DD *
	 ADD A
	/*
	END
	[ "$status" -eq 0 ]
	echo "$output" >"$1.log"
	"$vigil" report --format json --all "$last/S1.vprf" >"${1,,}.json"
}

@test "a step of a job: the calls are those of the data set, and the job log has the finding" {
	[ -e "$VIGIL_BUILD/agent/.libs/vigil-step.so" ] || skip "the step library is not built"
	job_of BAD 3
	job_of GOOD 32000
	found "list(findings(bad)) == ['SMALL-BLOCKS']" "findings(good) == {}" \
		"[(row['calls'], row['moved_bytes']) for row in rows(bad, 'DSC', 'files') if row['ddname'] == 'LEDGER'] == [(640001, 1920000)]" \
		"evidence(bad, 'SMALL-BLOCKS')['DSC'] == 'LEDGER 1920000 bytes moved in 640001 calls'" \
		"findings(bad)['SMALL-BLOCKS']['what'].startswith('LEDGER is ')" \
		"findings(bad)['SMALL-BLOCKS']['what'].endswith(' 640001 times, 3.0 bytes each')"
	grep -A 1 'VIG5305I step S1 was measured' BAD.log |
		grep 'VIG6730I step S1 has a finding: [0-9.]* % of the run time can be saved at most: LEDGER is .* 640001 times, 3.0 bytes each (blocks.c: '
	! grep VIG6730I GOOD.log || return 1
}

# Its waits are inferred from looks at some of them: a quarter of 90 waits of 6 ms each. Where their margin is a third
# of them or more, nothing can be judged, and the test reports that. A lock that is held during device input/output:
# rows of the table of locks at the place that waits, with the holders in them.
convoy() {
	measured bad ./convoy "$1" 4 90
	measured good ./convoy "$2" 4 90
	found "sure('WTM', 'reasons', ('LOCK', 'OTHER', 'UNKNOWN'))" || skip "other work leaves too few looks at waits"
	found "list(findings(bad)) == ['LOCK-CONVOY']" "findings(good) == {}" "findings(bad)['LOCK-CONVOY']['where'].startswith('convoy.c: $3 line ')" \
		"findings(bad)['LOCK-CONVOY']['what'].split(' held at ')[0].split(' ', 1)[1] == '$4'" \
		"2 <= int(findings(bad)['LOCK-CONVOY']['what'].split()[0]) <= 4" \
		"findings(bad)['LOCK-CONVOY']['what'].split(' held at ')[1] in held(bad)" \
		"evidence(bad, 'LOCK-CONVOY')['ACW'].split()[1] == str(sum(row['waits'] for row in at(bad, 'LOCK-CONVOY', 'ACW', 'locks')))" \
		"evidence(bad, 'LOCK-CONVOY')['ACW'].split('seen in ')[1].split(',')[0] == str(sum(row['waits'] for row in at(bad, 'LOCK-CONVOY', 'ACW', 'locks') if row['holder']))" \
		"saved('LOCK-CONVOY', run(bad), run(good), least=0)" \
		"elapsed(bad) - run(good) >= 0.5 * findings(bad)['LOCK-CONVOY']['saves_ns'] - findings(bad)['LOCK-CONVOY']['saves_margin_ns']"
}

# bats test_tags=slow
@test "threads that wait for a lock, and who holds it" { convoy one own post 'tasks wait for a lock'; }

# bats test_tags=slow
@test "processes that wait for a lock of a file, and who holds it" { convoy file parts lock_part 'tasks wait for a lock of ledger'; }

# sqlite N: N rows.
sqlite() {
	echo '#include <sqlite3.h>' | gcc -fsyntax-only -xc - 2>/dev/null || skip "there is no libsqlite3-dev"
	gcc -g -O1 -o sqlite "$VIGIL_SOURCE/tests/programs/sqlite.c" -lsqlite3 -pthread
	measured bad ./sqlite texts "$1"
	measured good ./sqlite rows "$1"
}

# bats test_tags=slow
@test "statements of SQLite that are prepared for each row: what its removal saves" {
	sqlite 150000
	found "saved('PREPARED-AGAIN', cpu(bad), cpu(good))"
}

@test "statements of SQLite that are prepared for each row" {
	sqlite 60000
	found "list(findings(bad)) == ['PREPARED-AGAIN']" "findings(good) == {}" \
		"findings(bad)['PREPARED-AGAIN']['where'].startswith('sqlite.c: run line ')" \
		"int(evidence(bad, 'PREPARED-AGAIN')['CTR'].split()[0]) == below(bad, 'sqlite3_prepare', 'sqlite3_finalize')"
}

# Starts a private server in a folder with a short name; as user nobody if the tests run as root.
start_server() {
	for bin in $(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -rV) ${PATH//:/ }; do
		[ ! -x "$bin/initdb" ] || [ ! -x "$bin/postgres" ] || break
		bin=
	done
	[ -n "$bin" ] || skip "postgresql is not installed"
	[ -f "$(pg_config --includedir 2>/dev/null)/libpq-fe.h" ] || skip "there is no libpq-dev"
	as=()
	if [ "$(id -u)" = 0 ]; then
		command -v setpriv >/dev/null || skip "a server cannot run as root, and setpriv is not installed"
		as=(setpriv --reuid=nobody "--regid=$(id -g nobody)" --clear-groups)
	fi
	server=$(mktemp -d /tmp/vigil-find-XXXXXX)
	[ "$(id -u)" != 0 ] || chown nobody "$server"
	chmod 755 "$server"
	(cd "$server" && "${as[@]}" "$bin/initdb" -D data -U tester --auth=trust --no-sync -E UTF8 --locale=C >/dev/null)
	printf '%s\n' "listen_addresses = ''" "unix_socket_directories = '$server'" 'fsync = off' >>"$server/data/postgresql.conf"
	background env -C "$server" taskset -c "$last" "${as[@]}" "$bin/postgres" -D data >"$server.log" 2>&1
	postmaster=$pid
	where="host=$server user=tester dbname=postgres"
	wait_for eval 'psql -X "$where" -c "select 1" >/dev/null 2>&1'
}

teardown() {
	[ -z "$postmaster" ] || { kill -INT "$postmaster" && wait "$postmaster"; } || true
	background_end
	[ -z "$server" ] || rm -rf "$server" "$server.log"
}

# 4000 waits of the client for the server, inferred from looks at some of them. Where their margin is a third of them
# or more, 8 times in a row, nothing can be judged, and the test reports that.
# bats test_tags=slow
@test "a database that is asked for each row" {
	command -v psql >/dev/null || skip "psql is not installed"
	# On one processor the server replies while the client, which is ready, has not begun to wait.
	first=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//') last=$(taskset -cp $$ | sed 's/.*[-, ]//')
	[ "$first" != "$last" ] || skip "there is one processor"
	start_server
	gcc -g -O1 -I"$(pg_config --includedir)" -o libpq "$VIGIL_SOURCE/tests/programs/libpq.c" -L"$(pg_config --libdir)" -lpq -pthread
	measured good taskset -c "$first" ./libpq "$where" together 4000
	# With other load there may be no look at a wait, or too few: then its reason and place are not known well
	# enough.
	for _ in 1 2 3 4 5 6 7 8; do
		measured bad taskset -c "$first" ./libpq "$where" exec 4000
		! found "sure('WTM', 'reasons', ('SOCKET', 'POLL', 'UNKNOWN'))" "'CHATTY-DATABASE' in findings(bad)" >/dev/null || break
	done
	if ! found "'CHATTY-DATABASE' in findings(bad)" "sure('WTM', 'reasons', ('SOCKET', 'POLL', 'UNKNOWN'))"; then
		if found "ready(bad) > 0.2 * run(bad)"; then
			skip "other work leaves too few looks at waits"
		fi
	fi
	# Statements in close succession are answered before the wait begins.
	found "list(findings(bad)) == ['CHATTY-DATABASE']" "findings(good) == {}" \
		"findings(bad)['CHATTY-DATABASE']['where'].startswith('libpq.c: run line ')" \
		"sum(row['waits'] for row in answers()) == int(evidence(bad, 'CHATTY-DATABASE')['ACW'].split()[0])" \
		"1 <= sum(row['waits'] for row in answers()) <= 8000" \
		"sum(row['wait_charged_ns'] for row in answers()) <= findings(bad)['CHATTY-DATABASE']['saves_ns']" \
		"saved('CHATTY-DATABASE', run(bad), run(good))"
}
