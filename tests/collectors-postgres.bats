# SPDX-License-Identifier: Apache-2.0
# STRBPOST on a real server: a cluster in a temporary folder, on a Unix socket. The profile is compared with what the
# server itself counts for its statements (log_statement_stats: getrusage in the backend).

bats_require_minimum_version 1.5.0

load trace
load background
load live
load waiting

# Finds the newest installed server; Debian keeps them out of the path.
find_server() {
	for bin in $(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -rV) ${PATH//:/ }; do
		if [ -x "$bin/postgres" ] && [ -x "$bin/initdb" ]; then
			echo "$bin"
			return
		fi
	done
}

# A server never runs as root: then it runs as user nobody.
as_server() {
	if [ "$(id -u)" = 0 ]; then
		setpriv --reuid=nobody --regid="$(id -g nobody)" --clear-groups "$@"
	else
		"$@"
	fi
}

setup_file() {
	export SERVER
	SERVER=$(find_server)
	[ -n "$SERVER" ] || skip "postgresql is not installed"
	command -v psql >/dev/null || skip "psql is not installed"
	if [ "$(id -u)" = 0 ] && ! command -v setpriv >/dev/null; then
		skip "a server cannot run as root, and setpriv is not installed"
	fi
	# The path of a socket must be short, and the folder must be accessible to the server's user.
	export CLUSTER
	CLUSTER=$(mktemp -d /tmp/vigil-pg-XXXXXX)
	[ "$(id -u)" != 0 ] || chown nobody "$CLUSTER"
	chmod 755 "$CLUSTER"
	cd "$CLUSTER"
	as_server "$SERVER/initdb" -D "$CLUSTER/data" -U tester --auth=trust --no-sync --wal-segsize=1 -E UTF8 --locale=C >"$CLUSTER/initdb.log" 2>&1
	cat >>"$CLUSTER/data/postgresql.conf" <<-END
		listen_addresses = ''
		unix_socket_directories = '$CLUSTER'
		fsync = off
		autovacuum = off
		log_statement_stats = on
		max_parallel_workers_per_gather = 0
	END
}

teardown_file() {
	[ -z "$CLUSTER" ] || rm -rf "$CLUSTER"
}

setup() {
	vigil=$VIGIL_BUILD/vigil
	data=$BATS_TEST_TMPDIR/x.vprf
	log=$BATS_TEST_TMPDIR/log
	cd "$CLUSTER"
}

teardown() {
	stop_server
	background_end
}

# A query that is not answered within two minutes never is.
sql() {
	timeout 120 psql -X -h "$CLUSTER" -U tester -d postgres -q -v ON_ERROR_STOP=1 "$@"
}

# Whether the server reports that it accepts clients.
is_ready() {
	grep -qs '^ready' "$CLUSTER/data/postmaster.pid"
}

wait_for_server() {
	wait_for is_ready || { cat "$log"; return 1; }
}

# Ends the server by its own process id.
stop_server() {
	local server
	server=$(head -1 "$CLUSTER/data/postmaster.pid" 2>/dev/null) || return 0
	kill -INT "$server" 2>/dev/null || true
	wait_for test ! -e "$CLUSTER/data/postmaster.pid" || true
	[ -z "$measuring" ] || ended "$measuring"
	measuring=
}

# ended PID: waits for a child, two minutes at most; then prints the state of the whole session, and kills it.
ended() {
	local left=6000 state
	while { read -r _ _ state _ <"/proc/$1/stat"; } 2>/dev/null && [ "$state" != Z ]; do
		if [ $((left -= 1)) -le 0 ]; then
			echo "still there two minutes later: $(ps -o args= -p "$1")"
			ps -e -o pid,ppid,stat,wchan:24,etimes,args --forest
			tail -20 "$log"
			kill -KILL "$1"
			wait "$1" || true
			return 1
		fi
		sleep 0.02
	done
	wait "$1" || true
}

# Runs vigil run with the server until stop_server; the arguments are options of the server.
measure_server() {
	set -- "$SERVER/postgres" -D "$CLUSTER/data" "$@"
	if [ "$(id -u)" = 0 ]; then
		set -- setpriv --reuid=nobody "--regid=$(id -g nobody)" --clear-groups "$@"
	fi
	background "$vigil" run --cost 100 -o "$data" -- "$@" >"$log" 2>&1
	measuring=$pid
	wait_for_server
}

start_server() {
	background as_server "$SERVER/postgres" -D "$CLUSTER/data" "$@" >"$log" 2>&1
	measuring=$pid
	wait_for_server
}

holds() {
	python3 "$VIGIL_SOURCE/tests/profile.py" "$data" "$@" || { tail -5 "$log"; return 1; }
}

md5='select count(md5(? || g)) from generate_series(?, ?) g'
root='select sum(sqrt(abs(g))) from generate_series(?, ?) g where g not in (...)'
text='select count(*) as n from generate_series(?, ?) g where upper(g::text) like ?'

# three_shapes [N]: executes three query shapes in turns, each time with other literals, blanks, comments and case. N
# times 10,000 rows; 40 where shares are judged.
three_shapes() {
	local rows=${1:-4}
	for i in 1 2 3 4; do
		echo "select count(md5('x$i' || g)) from generate_series(1, ${rows}000$i) g;"
		echo "SELECT sum( sqrt(abs(g)) ) /* $i */ FROM generate_series(-$i,$((2 * rows))000$i) g"
		echo "   where g not in ($(seq -s ', ' "$i"));"
		echo "select Count(*) AS n from generate_series($i,$((rows / 2))000$i) G -- run $i"
		echo "	where upper(g::text) like '%9$i' ;"
	done >"$BATS_TEST_TMPDIR/shapes.sql"
	sql -o /dev/null -f "$BATS_TEST_TMPDIR/shapes.sql"
}

# The shares of the three shapes' CPU time equal what the server counted. The model: 1000 samples and more, binomial
# (near): shares of 20 to 50 % are measured to within 6 to 8. A sample without an answer may belong to any. A
# collector that takes one backend's query for the next is off by more.
shares_near() {
	read -r a b c <<<"$(python3 "$VIGIL_SOURCE/tests/server-times.py" "$log" 'md5(' 'sqrt(' 'Count(')"
	[ "$a" -gt 0 ]
	[ "$b" -gt 0 ]
	[ "$c" -gt 0 ]
	all="(transaction_row('$md5')['samples'] + transaction_row('$root')['samples'] + transaction_row('$text')['samples'])"
	holds "$all > 0" \
		"near(transaction_row('$md5')['samples'], 100 * $a / ($a + $b + $c), $all, silent())" \
		"near(transaction_row('$root')['samples'], 100 * $b / ($a + $b + $c), $all, silent())" \
		"near(transaction_row('$text')['samples'], 100 * $c / ($a + $b + $c), $all, silent())"
}

# counted QUERY TIMES: COUNT is a bound: never more than the query was executed, and less only where it is unknown
# which samples belong together.
counted() {
	local unknown="(silent() + sum(row['samples'] for row in rows('TUS', 'transactions') if row['transaction'] == '.UNKNOWN QUERY'))"

	holds "$2 - $unknown <= transaction_row('$1')['count'] <= $2"
}

# measured_shapes [N]: a server that executes them, measured from its start to its end.
measured_shapes() {
	measure_server
	three_shapes "$1"
	stop_server
}

# Whether the file of the running session reports that a server was read.
server_is_seen() {
	"$vigil" report -r MSD "$data" 2>/dev/null | grep -q 'SUBSYSTEM .*POSTGRESQL'
}

# attach_server: attaches to the running server; the session has begun when the file says so.
attach_server() {
	background "$vigil" attach -o "$data" "$(head -1 "$CLUSTER/data/postmaster.pid")" >"$BATS_TEST_TMPDIR/attach" 2>&1
	attached=$pid
	wait_for server_is_seen
}

detach() {
	kill -TERM "$attached"
	wait "$attached" || true
}

@test "queries that differ in their literals are one transaction" {
	shows measured_shapes @4 holds "transaction_row('$md5')['samples'] > 0" "transaction_row('$root')['samples'] > 0" \
		"transaction_row('$text')['samples'] > 0"
	counted "$md5" 4
	counted "$root" 4
	counted "$text" 4
	holds 'ties() == ""' 'fact("subsystem") == "POSTGRESQL '"$("$SERVER/postgres" --version | grep -oE '[0-9]+\.[0-9]+' | head -1)"'"'
}

# bats test_tags=live
@test "queries that differ in their literals have the CPU share that the server counts" {
	valid measured_shapes 40
	shares_near
}

attached_shapes() {
	start_server
	attach_server
	three_shapes "$1"
	detach
	stop_server
}

@test "a server that runs already is measured with its backends" {
	shows attached_shapes @4 holds "transaction_row('$md5')['samples'] > 0" "transaction_row('$root')['samples'] > 0" \
		"transaction_row('$text')['samples'] > 0"
}

# bats test_tags=slow
@test "queries of a server that runs already have the CPU share that the server counts" {
	valid attached_shapes 40
	shares_near
}

# Counted from when it was first seen; half is allowed for a machine on which the collector gets no CPU for a second.
@test "waits count for the query that waits, and for .IDLE without one" {
	measure_server
	sql -o /dev/null -c 'select pg_sleep(2)' -c '\! sleep 2'
	stop_server
	holds "1e9 <= transaction_row('select pg_sleep(?)')['elapsed_ns'] <= fact('session_ns')" "transaction_row('select pg_sleep(?)')['count'] == 1" \
		"1e9 <= transaction_row('.IDLE')['elapsed_ns']"
}

# Whether a query of another client waits for a lock.
a_query_waits() {
	sql -At -c "select 'waits' from pg_stat_activity where wait_event_type = 'Lock'" | grep -q waits
}

# The second client waits 1.5 s and more. Half is allowed for a machine on which the collector gets no CPU.
@test "a query that waits for another's lock keeps its name; the other is idle in its transaction" {
	measure_server
	sql -c 'create table account (id int primary key, amount int)' -c 'insert into account values (1, 100)'
	background sql -c 'begin' -c 'update account set amount = amount - 1 where id = 1' \
		-c "\\! cd '$BATS_TEST_TMPDIR'; touch locked; for i in \$(seq 600); do [ ! -e waits ] || break; sleep 0.1; done; sleep 1.5" -c 'commit' \
		>"$BATS_TEST_TMPDIR/first" 2>&1
	first=$pid
	wait_for test -e "$BATS_TEST_TMPDIR/locked" || { cat "$BATS_TEST_TMPDIR/first"; return 1; }
	background sql -c 'update account set amount = 0 where id = 1' >"$BATS_TEST_TMPDIR/second" 2>&1
	second=$pid
	wait_for a_query_waits
	touch "$BATS_TEST_TMPDIR/waits"
	wait "$first"
	wait "$second"
	sql -c 'drop table account'
	stop_server
	holds "0.75e9 < transaction_row('update account set amount = ? where id = ?')['elapsed_ns'] < fact('session_ns')" \
		"0.75e9 < transaction_row('.IDLE IN TRANSACTION')['elapsed_ns'] < fact('session_ns')" \
		"transaction_row('update account set amount = amount - ? where id = ?')['elapsed_ns'] < transaction_row('.IDLE IN TRANSACTION')['elapsed_ns']"
}

# short_queries N: executes N queries of two shapes, each time with other literals, and N transactions of three
# statements. The last ten of the second shape last long enough to be seen while they are executed, even on a loaded
# machine.
short_queries() {
	local more
	for i in $(seq "$1"); do
		[ "$i" -le $(($1 - 10)) ] || more=000
		echo "select count(md5('x$i' || g)) from generate_series(1, 20) g;"
		echo "select sum(sqrt(abs(g))) from generate_series(1, $((2 * i))$more) g;"
		echo "begin; "
		echo "insert into entries values ($i);"
		echo "commit; "
	done >"$BATS_TEST_TMPDIR/short.sql"
	sql -o /dev/null -f "$BATS_TEST_TMPDIR/short.sql"
}

short='select count(md5(? || g)) from generate_series(?, ?) g'
other='select sum(sqrt(abs(g))) from generate_series(?, ?) g'

# was_counted NAME N KIND: if it was seen at all, its count is N.
was_counted() {
	holds "transaction_row('$1')['samples'] == 0 or transaction_row('$1')['count'] == $2" \
		"transaction_row('$1')['samples'] == 0 or transaction_row('$1')['count_kind'] in $3"
}

# Counted by pg_stat_statements if that is available.
counts_itself() {
	[ -e "$SERVER/../lib/pg_stat_statements.so" ] || skip "pg_stat_statements is not installed"
}

@test "COUNT is a bound where nobody counts, however short the queries are" {
	measure_server
	sql -c 'create table entries (n int)'
	short_queries 150
	sql -c 'drop table entries'
	stop_server
	holds "transaction_row('$other')['count'] <= 150" "transaction_row('$other')['count_kind'] == 'AT LEAST'" \
		"'mean_ns' not in transaction_row('$other')" "transaction_row('$other')['count'] > 0"
}

@test "with pg_stat_statements COUNT is what the server counted, and MEAN MS follows" {
	counts_itself
	measure_server -c shared_preload_libraries=pg_stat_statements
	sql -c 'create table entries (n int)'
	short_queries 150
	sql -c 'drop table entries'
	stop_server
	# Exact, unless the server accepted clients before the collector saw it.
	for name in "$short" "$other" begin commit 'insert into entries values (?)'; do
		was_counted "$name" 150 '("EXACT", "AT LEAST")'
	done
	# One client: all queries one after the other are no longer than the session.
	holds "transaction_row('$other')['samples'] > 0" \
		"transaction_row('$other')['count_kind'] == 'AT LEAST' or 0 < 150 * transaction_row('$other')['mean_ns'] < fact('session_ns')"
}

@test "what a server executed before it is attached to does not count, and what is left in memory at the end does" {
	counts_itself
	start_server -c shared_preload_libraries=pg_stat_statements
	sql -c 'create table entries (n int)'
	short_queries 40
	attach_server
	short_queries 120
	detach
	sql -c 'drop table entries'
	stop_server
	for name in "$short" "$other" begin commit 'insert into entries values (?)'; do
		was_counted "$name" 120 '("AT LEAST",)'
	done
	holds "transaction_row('$other')['samples'] > 0"
}

@test "processes without queries are named by what they are" {
	measure_server
	sql -c 'create table page as select generate_series(1, 50000) n' -c 'checkpoint' -c 'drop table page'
	# They wait meanwhile, and the collector reads them while they do.
	sql -o /dev/null -c 'select pg_sleep(1)'
	stop_server
	holds 'transaction_row(".CHECKPOINTER")["count"] > 0' 'transaction_row(".POSTMASTER")["count"] > 0' \
		'transaction_row(".WALWRITER")["count"] > 0' 'transaction_row(".BACKGROUND WRITER")["count"] > 0' \
		'transaction_row(".LOGICAL REPLICATION LAUNCHER")["count"] > 0'
}

# functions_work N M: executes a function that executes queries, with N rows, and M by an anonymous block.
functions_work() {
	measure_server
	sql -c "create or replace function work(n int) returns bigint language plpgsql as \$\$
		declare r bigint; begin
		select count(md5(g::text)) into r from generate_series(1, n) g; return r; end \$\$"
	sql -o /dev/null -c "select work($1)" -c "do \$x\$ begin perform work($2); end \$x\$"
	stop_server
}

functions_work_equally() {
	functions_work "$1" "$1"
}

@test "what functions execute counts for the query that called them" {
	shows functions_work_equally @100000 holds "transaction_row('select work(?)')['samples'] > 0" "transaction_row('do ?')['samples'] > 0" \
		'not [r for r in rows("TUS", "transactions") if "into r" in r["transaction"] or "perform" in r["transaction"]]'
}

# Four times the work, and what the server counts for each: 1000 samples of both, binomial (near): 80 % are measured
# to within 6.2.
# bats test_tags=slow
@test "what functions execute has the CPU share that the server counts" {
	valid functions_work 1200000 300000
	read -r a b <<<"$(python3 "$VIGIL_SOURCE/tests/server-times.py" "$log" 'select work(' 'perform work(')"
	[ "$a" -gt 0 ]
	[ "$b" -gt 0 ]
	all="(transaction_row('select work(?)')['samples'] + transaction_row('do ?')['samples'])"
	holds "near(transaction_row('select work(?)')['samples'], 100 * $a / ($a + $b), $all, silent())"
}

# The leader only waits: the workers' time is counted. Only until a worker's leader is known, it belongs to no query.
@test "parallel workers count for their leader's query" {
	measure_server
	sql -c 'create table big as select generate_series(1, 100000) a'
	sql -c 'set max_parallel_workers_per_gather = 2' -c 'set parallel_setup_cost = 0' -c 'set parallel_tuple_cost = 0' \
		-c 'set min_parallel_table_scan_size = 0' -c 'set parallel_leader_participation = off' \
		-c "explain (analyze, timing off) select sum(length(md5(md5(a::text)))) from big" >"$BATS_TEST_TMPDIR/plan"
	sql -c 'drop table big'
	stop_server
	grep -q 'Workers Launched: [12]' "$BATS_TEST_TMPDIR/plan"
	holds "transaction_row('explain (analyze, timing off) select sum(length(md5(md5(a::text)))) from big')['samples'] > transaction_row('.PARALLEL WORKER')['samples']"
}

@test "prepared queries have the text they were prepared with" {
	[ -x "$SERVER/pgbench" ] || skip "pgbench is not installed"
	measure_server
	# 15 ms each: many shorter ones would have ended when the server is read, the more the busier the machine is.
	echo '\set n random(20000, 20100)
select count(md5(g::text)) from generate_series(1, :n) g;' >"$BATS_TEST_TMPDIR/bench.sql"
	"$SERVER/pgbench" -h "$CLUSTER" -U tester -n -M prepared -f "$BATS_TEST_TMPDIR/bench.sql" -t 60 postgres >"$BATS_TEST_TMPDIR/bench"
	stop_server
	holds "transaction_row('select count(md5(g::text)) from generate_series(?, ?) g')['samples'] > 0" \
		"0 < transaction_row('select count(md5(g::text)) from generate_series(?, ?) g')['count'] <= 60" \
		'not [r for r in rows("TUS", "transactions") if "200" in r["transaction"]]'
}
