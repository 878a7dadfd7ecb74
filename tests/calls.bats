#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Calls that leave an object: databases, other libraries, spawned processes, signals. Counts are compared with
# SQLite's own trace, the server's log and the programs' own counts.

bats_require_minimum_version 1.5.0

load trace
load jobs
load profiler
load background
load compiled

setup() {
	in_own_folder
	unset VIGIL_SPOOL VIGIL_ROOT VIGIL_PDPSIZE
	PATH=$VIGIL_BUILD:$PATH
	programs=$VIGIL_SOURCE/tests/programs
	init all
}

teardown() {
	# First, since a killed server leaves its lock and its shared memory, which would keep the next one from
	# starting.
	[ -z "$server" ] || stop_server
	background_end
}

sqlite_program() {
	[ -e /usr/include/sqlite3.h ] || echo '#include <sqlite3.h>' | gcc -fsyntax-only -xc - 2>/dev/null ||
		skip "there is no libsqlite3-dev"
	compiled gcc -O1 -o sqlite "$programs/sqlite.c" -lsqlite3 -pthread
}

# hits TYPE FUNCTION: the number of events, of any program.
hits() {
	awk -F'\t' -v type="$1" -v place="$2" '$1 == type && $3 == place { sum += $5 } END { print sum + 0 }' counts
}

# expect TYPE FUNCTION HITS
expect() {
	local found
	found=$(hits "$1" "$2")
	[ "$found" = "$3" ] || {
		echo "$1 $2: $found events, expected $3"
		cat counts errors
		return 1
	}
}

# both FUNCTION HITS: this many calls begin, and as many end.
both() {
	expect DB "$1" "$2"
	expect DA "$1" "$2"
}

# trace COLUMN...: writes these columns of the event trace to the file trace, whose lines traced counts.
trace() {
	vigil report -f csv -r EVT events.vprf | python3 -c '
import csv, sys
rows = csv.reader(sys.stdin)
head = next(row for row in rows if "data" in row)
wanted = [head.index(name) for name in sys.argv[1:]]
for row in rows:
    if row and row[2] == "detail":
        print("|".join([row[at] for at in wanted]))' "$@" >trace
}

# traced HITS PATTERN: this many lines of the trace match.
traced() {
	local found
	found=$(grep -c -- "$2" trace || true)
	[ "$found" = "$1" ] || {
		echo "$2: $found lines of the trace, expected $1"
		cat errors
		return 1
	}
}

# The sum of the database times of all events, ms.
database_ms() {
	vigil report -f csv -r EPS events.vprf | python3 -c '
import csv, sys
rows = [row for row in csv.reader(sys.stdin) if row]
at = next(row for row in rows if "database_ns" in row).index("database_ns")
print(sum(int(row[at] or 0) for row in rows if row[2] == "detail") // 1000000)'
}

# in_database LEAST: at least this many ms are the database's, and no more than the program's own total, except for
# the two clocks and whole ms.
in_database() {
	local found all
	found=$(database_ms)
	all=$(sed -n 's/^\([0-9]*\) ms$/\1/p' said)
	echo "$found ms of $all"
	[ "$found" -ge "$1" ]
	[ "$found" -le $((all + all / 100 + 1)) ]
}

@test "SQLite: each statement that its own trace has, and each row" {
	sqlite_program
	events all ./sqlite rows 1000
	[ "$(cat said)" = 1002 ]
	both sqlite3_open 1
	both sqlite3_exec 1
	both sqlite3_prepare_v2 2
	both sqlite3_step 1001
	both 'sqlite3_step row' 1000
	both sqlite3_close 1
	trace type statement code data database
	traced 1000 '^DB|sqlite3_step||INSERT INTO item VALUES (?)|'
	traced 1000 '^DB|sqlite3_step row||SELECT id FROM item|:memory:$'
	traced 1000 '^DA|sqlite3_step|101|'
	traced 999 '^DA|sqlite3_step row|100|'
}

@test "SQLite: functions that a call calls back are counted to the last, as events and as sums alone" {
	sqlite_program
	cat >callback.c <<-'END'
		#include <sqlite3.h>
		static volatile int sum;
		__attribute__((noinline)) static void leaf(int i) { sum += i; }
		static int row(void *data, int count, char **values, char **names)
		{
			for (int i = 0; i < 50; i++)
				leaf(i);
			return 0;
		}
		int main(void)
		{
			sqlite3 *database;

			sqlite3_open(":memory:", &database);
			for (int i = 0; i < 100; i++) {
				sqlite3_exec(database, "WITH RECURSIVE t(x) AS (VALUES(1) UNION ALL SELECT x + 1 FROM t WHERE x < 20) SELECT x FROM t",
					     row, 0, 0);
				for (int j = 0; j < 1000; j++)
					leaf(j);
			}
			return sqlite3_close(database);
		}
	END
	gcc -O1 -finstrument-functions -o callback callback.c -lsqlite3
	for consolidate in OFF ON; do
		init cards "CONSOLIDATE=$consolidate"
		vigil run -q --control cards -o events.vprf -- ./callback
		vigil read -f csv -r EPS events.vprf | awk -F, '/,detail,/ && $4 != ".SESSION" { print $4, $8, $10 }' | sort >$consolidate
	done
	cat OFF
	grep -q '^leaf 200000 400000$' OFF
	grep -q '^row 2000 ' OFF
	diff OFF ON
}

@test "SQLite: 50 threads, and 20 processes that fork" {
	sqlite_program
	VIGIL_PDPSIZE=100 events all ./sqlite threads 200 50
	[ "$(cat said)" = 10100 ]
	both sqlite3_exec 50
	both sqlite3_step 10050
	both 'sqlite3_step row' 10000
	events all ./sqlite forks 200 20
	both sqlite3_step 4020
	both 'sqlite3_step row' 4000
}

@test "SQLite: what fails has its code; a killed transaction's events are all there" {
	sqlite_program
	events all ./sqlite fail 100
	both sqlite3_exec 101
	trace type statement code
	traced 100 '^DA|sqlite3_prepare_v2|1$'
	traced 100 '^DA|sqlite3_exec|19$'
	events all ./sqlite kill 5000 || true
	both sqlite3_exec 2
	both sqlite3_step 5000
	expect KE - 1
}

@test "SQLite: time in the database is that of the database" {
	sqlite_program
	events all ./sqlite nap 400
	in_database 400
}

@test "SQLite: a call that another one is made in has the rest of its time" {
	sqlite_program
	events all ./sqlite nest 1000
	both sqlite3_exec 2
	# A second in each; it would be three of two if the inner one's time also counted for the outer one.
	in_database 2000
}

@test "SQLite: under EVENT=DB alone each call has its own time, the last one and those in others too" {
	sqlite_program
	init before -- FILTER=EVENT '  EVENT=DB'
	# Half a second in the database, and two seconds after its last call.
	events before sh -c './sqlite nest 250; exec sleep 2'
	in_database 500
}

@test "SQLite: long statements are cut, and SQL=SHAPE leaves out what stands in them" {
	sqlite_program
	events all ./sqlite long 2000
	trace data
	traced 1 '^SELECT  *1$'
	events all ./sqlite long 5000
	trace data
	traced 1 '^SELECT  *\.\.\.$'
	init shape SQL=SHAPE
	events shape ./sqlite fail 3
	trace type data
	traced 8 '^DB|insert into item values (?)$'
	traced 0 '(0)'
}

@test "SQLite: Python's module, the command, and a COBOL program that calls C" {
	sqlite_program
	cat >rows.py <<-'END'
		import sqlite3
		connection = sqlite3.connect(":memory:", isolation_level=None)
		connection.execute("create table item (id)")
		for i in range(100):
		    connection.execute("insert into item values (?)", (i,))
		print(len(connection.execute("select * from item").fetchall()))
	END
	python3 -c 'import sqlite3' || skip "this Python has no sqlite3"
	events all python3 rows.py
	[ "$(cat said)" = 100 ]
	both sqlite3_step 102
	both 'sqlite3_step row' 100
	if command -v sqlite3; then
		events all sqlite3 :memory: "select 1 union select 2; select 'three'"
		both sqlite3_step 2
		both 'sqlite3_step row' 3
	fi
	[ -n "$COBC" ] || return 0
	cat >INSERTS.c <<-'END'
		#include <sqlite3.h>
		int INSERTS(void)
		{
			sqlite3 *database;
			sqlite3_open(":memory:", &database);
			sqlite3_exec(database, "CREATE TABLE item (id)", 0, 0, 0);
			sqlite3_close(database);
			return 0;
		}
	END
	gcc -shared -fPIC -o INSERTS.so INSERTS.c -lsqlite3
	cat >CALLER.cob <<-'END'
       IDENTIFICATION DIVISION.
       PROGRAM-ID. CALLER.
       PROCEDURE DIVISION.
       MAIN-PARAGRAPH.
           PERFORM 5 TIMES
             CALL "INSERTS"
           END-PERFORM.
           STOP RUN.
	END
	"$COBC" -x -ftraceall CALLER.cob
	events all ./CALLER
	both sqlite3_exec 5
	[ "$(awk -F'\t' '$1 == "DB" && $2 == "CALLER"' counts | wc -l)" = 3 ]
	trace type program procedure statement
	grep -q '^DB|CALLER|MAIN-PARAGRAPH|sqlite3_exec$' trace
}

@test "a program that asks the loader for functions of SQLite itself" {
	sqlite_program
	cat >asks.c <<-'END'
		#include <dlfcn.h>
		#include <stdio.h>
		int main(void)
		{
			void *library, *database;
			int (*open)(const char *, void **), (*close)(void *);

			/* Whether it is there is a common question: without the library it is not. */
			if (dlsym(RTLD_DEFAULT, "sqlite3_open"))
				return 1;
			library = dlopen("libsqlite3.so.0", RTLD_NOW | RTLD_LOCAL);
			open = (int (*)(const char *, void **))dlsym(library, "sqlite3_open");
			close = (int (*)(void *))dlsym(library, "sqlite3_close");
			open(":memory:", &database);
			close(database);
			return dlsym(library, "sqlite3_nothing") != NULL;
		}
	END
	gcc -o asks asks.c -ldl
	events all ./asks
	both sqlite3_open 1
	both sqlite3_close 1
}

@test "calls between libraries: each is there, whatever it is called with and however it is left" {
	command -v g++ || skip "there is no g++"
	gcc -O1 -Wno-psabi -shared -fPIC -o libleaving.so "$programs/leaving-library.c"
	g++ -O1 -Wno-psabi -o leaving "$programs/leaving.cc" -L. -lleaving -Wl,-rpath,"$PWD" -pthread
	init calls 'CALLS=(libleaving!*,strlen)'
	for way in lazy now; do
		[ $way = lazy ] || export LD_BIND_NOW=1
		VIGIL_PDPSIZE=100 events calls ./leaving
		unset LD_BIND_NOW
		read -r called returned <said
		expect CB back "$called"
		expect CA back "$returned"
		for function in sum scaled extended; do
			expect CB $function 1000
			expect CA $function 1000
		done
		expect CB mixed 2000
		[ "$(awk -F'\t' '$1 == "KS"' counts | cut -f5)" = 101 ]
		[ "$(awk -F'\t' '$1 == "KP" { sum += $5 } END { print sum }' counts)" = 3 ]
		grep -q '^CB' counts
		# Nothing in these lines is quoted, and only a few of 130,000 are needed.
		vigil report -f csv -r EVT events.vprf | grep -E ',(KP|KS),|,sum,' | cut -d , -f 8,15,16,17 >trace
		traced 1000 '^CB,sum,,libleaving.so!sum$'
	done
	grep -q '^KP,,[0-9]*,true$' trace
	traced 2 '^KP,,,true$'
	traced 101 '^KS,,10,$'
	init every 'CALLS=*' FNAT=ON
	events every ./leaving
	expect CB back "$called"
}

@test "calls of an object that is loaded later, and by objects of the run time with FNAT alone" {
	cat >loads.c <<-'END'
		#include <dlfcn.h>
		int main(void)
		{
			void *library = dlopen("./libplugin.so", RTLD_LAZY | RTLD_LOCAL);
			int (*run)(int) = (int (*)(int))dlsym(library, "run");

			if (run(100))
				return 1;
			dlclose(library);
			library = dlopen("./libplugin.so", RTLD_LAZY | RTLD_LOCAL);
			run = (int (*)(int))dlsym(library, "run");
			return run(100);
		}
	END
	printf '%s\n' '#include <stdlib.h>' 'int run(int n) { while (n--) if (getenv("NOTHING")) return 1; return 0; }' >plugin.c
	gcc -O1 -shared -fPIC -o libplugin.so plugin.c
	gcc -o loads loads.c -ldl
	init calls CALLS=getenv
	events calls ./loads
	expect CB getenv 200
	expect CA getenv 200
}

@test "a pattern that fits nothing has a message, and one that is none is refused" {
	init calls 'CALLS=(strlen,nothing!at_all)'
	vigil run --control calls -o events.vprf -- cat /dev/null 2>errors
	grep -q 'VIG3150W CALLS=NOTHING!AT_ALL matches no function' errors
	[ "$(grep -c VIG3150W errors)" = 1 ]
	init bad "CALLS=('libz!','!x','a!b!c')"
	run -8 vigil run -q --control bad true
	[ "$(grep -c VIG2165E <<<"$output")" = 3 ]
	init bad "CALLS=($(seq -s, 17))"
	run -8 vigil run -q --control bad true
	[[ $output == *VIG2166E* ]]
}

@test "what is not asked for is not hooked" {
	sqlite_program
	cat >looks.c <<-'END'
		#include <dlfcn.h>
		#include <sqlite3.h>
		#include <stdio.h>
		int main(void)
		{
			puts((void *)sqlite3_step == dlsym(RTLD_DEFAULT, "sqlite3_step") ? "own" : "hooked");
			return 0;
		}
	END
	gcc -fPIE -pie -o looks looks.c -lsqlite3 -ldl
	init programs -- FILTER=EVENT '  EVENT=P'
	events programs ./sqlite rows 10
	[ "$(grep -c '^D' counts)" = 0 ]
	events programs ./looks
	[ "$(cat said)" = own ]
	events all ./looks
	[ "$(cat said)" = hooked ]
	init databases -- FILTER=EVENT '  EVENT=D'
	events databases ./sqlite rows 10
	both sqlite3_step 11
	[ "$(grep -vc '^D[AB]\|^S[IT]\|^cpu' counts)" = 0 ]
	init before -- FILTER=EVENT '  EVENT=DB'
	events before ./sqlite rows 10
	both sqlite3_step 11
	init after -- FILTER=EVENT '  EVENT=DA'
	events after ./sqlite rows 10
	expect DB sqlite3_step 0
	expect DA sqlite3_step 11
	init calls CALLS=sqlite3_step -- FILTER=EVENT '  EVENT=(KP,KS)'
	events calls ./sqlite rows 10
	expect CB sqlite3_step 21
	[ "$(grep -c '^D' counts)" = 0 ]
}

# Starts a private server on a private socket; as user nobody if the tests run as root.
start_server() {
	for folder in $(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -rV) ${PATH//:/ }; do
		[ ! -x "$folder/initdb" ] || [ ! -x "$folder/postgres" ] || break
		folder=
	done
	[ -n "$folder" ] || skip "postgresql is not installed"
	[ -f "$(pg_config --includedir 2>/dev/null)/libpq-fe.h" ] || skip "there is no libpq-dev"
	as=
	if [ "$(id -u)" = 0 ]; then
		command -v setpriv >/dev/null || skip "a server cannot run as root, and setpriv is not installed"
		as="setpriv --reuid=nobody --regid=$(id -g nobody) --clear-groups"
	fi
	server=$(mktemp -d /tmp/vigil-calls-XXXXXX)
	[ "$(id -u)" != 0 ] || chown nobody "$server"
	chmod 755 "$server"
	# The cluster is made once for this file: each server continues with what the one before left.
	if [ -e "$BATS_FILE_TMPDIR/cluster" ]; then
		mv "$BATS_FILE_TMPDIR/cluster" "$server/data"
	else
		(cd "$server" && $as "$folder/initdb" -D data -U tester --auth=trust --no-sync -E UTF8 --locale=C >/dev/null)
	fi
	cat >>"$server/data/postgresql.conf" <<-END
		listen_addresses = ''
		unix_socket_directories = '$server'
		fsync = off
		max_connections = 120
		log_statement = all
		log_line_prefix = '%a '
	END
	# shellcheck disable=SC2086
	background env -C "$server" $as "$folder/postgres" -D data >"$server.log" 2>&1
	postmaster=$pid
	where="host=$server user=tester dbname=postgres"
	for _ in $(seq 300); do
		[ -S "$server/.s.PGSQL.5432" ] && psql -X "$where" -c 'select 1' >/dev/null 2>&1 && break
		sleep 0.1
	done
	compiled gcc -O1 -I"$(pg_config --includedir)" -o libpq "$programs/libpq.c" -L"$(pg_config --libdir)" -lpq -pthread
}

stop_server() {
	kill -INT "$postmaster" || true
	wait "$postmaster" || true
	mv "$server/data" "$BATS_FILE_TMPDIR/cluster"
	rm -rf "$server" "$server.log"
	server=
}

# logged NAME TEXT: the number of statements with this text that the server logged for an application.
logged() {
	grep -c "^$1 LOG:  [a-z ]*[^:]*: .*$2" "$server.log" || true
}

@test "PostgreSQL: each statement that the server logs" {
	start_server
	events all ./libpq "$where application_name=execs" exec 3000
	both PQconnectdb 1
	both PQexec 3000
	[ "$(logged execs SELECT)" = 3000 ]
	trace type statement code data database
	traced 3000 '^DB|PQexec||SELECT [0-9]*|postgres$'
	traced 3000 '^DA|PQexec|2|'
	events all ./libpq "$where application_name=prepares" prepared 500
	both PQprepare 1
	both PQexecPrepared 500
	[ "$(logged prepares 'SELECT 2 \* ')" = 500 ]
	trace type statement data
	traced 500 '^DB|PQexecPrepared|SELECT 2 \* \$1::int$'
	events all ./libpq "$where" send 500
	both PQsendQuery 500
	both PQgetResult 1000
	trace type statement data
	traced 1000 "^DB|PQgetResult|SELECT 'sent'$"
	events all ./libpq "$where" fail 200
	both PQexec 200
	trace type statement code data
	traced 200 '^DA|PQexec|7|42P01$'
	events all ./libpq "$where" kill 300 || true
	both PQexec 301
	expect KE - 1
	events all psql -X "$where application_name=command" -c 'select 1' -c 'select 2'
	[ "$(logged command select)" = 2 ]
	[ "$(awk -F'\t' '$1 == "DB" && $2 == "psql" && ($3 == "PQexec" || $3 == "PQsendQuery") { n += $5 } END { print n }' counts)" = 2 ]
}

@test "PostgreSQL: 50 threads with a connection each, processes, and time in the server" {
	start_server
	VIGIL_PDPSIZE=100 events all ./libpq "$where application_name=threads" threads 100 50
	both PQconnectdb 50
	both PQexec 5000
	[ "$(logged threads SELECT)" = 5000 ]
	events all ./libpq "$where" forks 100 20
	both PQexec 2000
	events all ./libpq "$where" nap 500
	in_database 500
}
