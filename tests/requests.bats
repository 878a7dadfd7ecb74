#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# The request store: requests from a shell and a deck, found by the steps of jobs that are submitted later.

bats_require_minimum_version 1.5.0
load trace
load jobs
load ordinary
load waiting
load background

setup() {
	in_own_folder
	unset VIGIL_REQUESTS VIGIL_ROOT TZ
	export VIGIL_REQUESTS=$PWD/store
	program BUSY <<<'i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done'
	program NAP <<<'echo here >"'"$PWD"'/napping"; sleep 60'
}

teardown() {
	background_end
	[ -z "$submitted" ] || kill -9 "$submitted" 2>/dev/null || true
	[ -z "$mine" ] || rm -rf "$mine"
	ordinary_end
}

# state NUMBER: the state of a request.
state() {
	"$vigil" request list --format json "$1" | python3 -c 'import json, sys; print(json.load(sys.stdin)[0]["state"])'
}

# field NUMBER EXPRESSION: the value of a Python expression on the request r.
field() {
	"$vigil" request list --format json "$1" | python3 -c 'import json, sys; r = json.load(sys.stdin)[0]; print(eval(sys.argv[1]))' "$2"
}

# one_step STEP PROGRAM: submits a job PAY with one step.
one_step() {
	printf '//PAY JOB\n//%s EXEC PGM=%s\n' "$1" "$2" >deck.jcl
	job deck.jcl
}

@test "a request that is made before its job is found by the job's step, and measured as it says" {
	run -0 "$vigil" request add PAY STEP=CALC SAMPLES=2000 "TAGS=('it''s',B)"
	has 'VIG6800I request 1 is added: Queued'
	one_step OTHER BUSY
	[ "$status" -eq 0 ]
	hasnt VIG6807I
	[ "$(state 1)" = Queued ]
	one_step CALC BUSY
	[ "$status" -eq 0 ]
	has 'VIG6807I step CALC is measured by request 1'
	has 'VIG5305I step CALC was measured'
	[ "$(state 1)" = Completed ]
	[ "$(field 1 'r["sessions"][0]["data_set"]')" = "$(realpath "$last")/CALC.vprf" ]
	[ "$(field 1 '[h["state"] for h in r["history"]]')" = "['Queued', 'Active', 'Completed']" ]
	[ "$(field 1 'r["history"][0]["user"]')" = "$(id -un)" ]
	run -0 "$vigil" report --format json --report MSD "$last/CALC.vprf"
	has 2000
	one_step CALC BUSY
	hasnt VIG6807I
}

@test "the default store stands beside the data root" {
	unset VIGIL_REQUESTS
	run -0 "$vigil" request --root root add PAY
	[ -f root.requests/requests.db ]
	[ "$(stat -c %a root.requests)" = 700 ]
	[ "$(stat -c %a root.requests/requests.db)" = 600 ]
	one_step CALC BUSY
	has 'is measured by request 1'
	one_step CALC BUSY
	hasnt VIG680
	run -0 "$vigil" request --requests other list
	[ ! -e other ]
}

@test "a deck adds requests that outlive it, lists them, and queues the others for itself" {
	cat >deck.jcl <<-'DECK'
	//PAY      JOB
	//ADD      EXEC PGM=VIGIL
	//SYSPRINT DD SYSOUT=*
	//SYSIN    DD *
	  ADD PAY,STEP=LATER,STORE=YES
	  ADD PAY,STEP=NOW
	  LIST
	/*
	//NOW      EXEC PGM=BUSY
	DECK
	job deck.jcl
	[ "$status" -eq 0 ]
	has 'VIG5305I step NOW was measured'
	hasnt VIG6807I
	grep -q 'VIG6800I request 1 is added: Queued' "$last/ADD.SYSPRINT"
	grep -qE '^ +1 PAY +LATER .* Queued$' "$last/ADD.SYSPRINT"
	one_step LATER BUSY
	has 'VIG6807I step LATER is measured by request 1'
}

@test "statements of the store are refused where only steps of the job can be meant" {
	printf '//PAY JOB\n//S EXEC PGM=BUSY\n//VIGIL DD *\n  ADD PAY,STARTTIME=22:00\n/*\n' >deck.jcl
	job deck.jcl
	[ "$status" -eq 101 ]
	has VIG6810E
	run -8 "$vigil" run -q -c 'HOLD 1' -- true
	has VIG6810E
}

@test "change, hold, release, delete, groups: what each does, and when it cannot be" {
	"$vigil" request add PAY STEP=CALC
	run -0 "$vigil" request change PAY SAMPLES=3000
	[ "$(field 1 'r["statement"]')" = 'ADD PAY,STEP=CALC,SAMPLES=3000' ]
	run -0 "$vigil" request hold 1
	[ "$(state 1)" = Suspended ]
	one_step CALC BUSY
	hasnt VIG6807I
	run -8 "$vigil" request hold 1
	has 'VIG6802E HOLD: request 1 is Suspended and cannot be held'
	run -0 "$vigil" request release 1
	[ "$(state 1)" = Queued ]
	run -8 "$vigil" request add PAY GROUP=G1
	has 'there is no group G1'
	run -0 "$vigil" request addgrp G1
	run -0 "$vigil" request add PAY STEP=A GROUP=G1
	run -0 "$vigil" request add DAY STEP=B GROUP=G1
	[ "$(state 2)" = Suspended ]
	run -0 "$vigil" request submit G1 STARTTIME=22:00 ENDDATE=12/31/2099
	[ "$(state 2) $(state 3)" = 'Deferred Deferred' ]
	[ "$(field 2 'r["start"]')" = "$(field 3 'r["start"]')" ]
	run -0 "$vigil" request delete G1
	run -8 "$vigil" request list 2
	has 'there is no request 2'
	"$vigil" request add PAY
	run -8 "$vigil" request delete PAY
	has '2 requests are for the job PAY'
	run -0 "$vigil" request delete 1
	run -0 "$vigil" request delete PAY
	run -8 "$vigil" request delete 1
	run -2 "$vigil" request remove 1
	has 'remove is not a verb'
}

@test "schedules that cannot be kept are refused, each with its message and its card" {
	run -8 "$vigil" request add PAY STARTDATE=01/01/25
	has 'VIG6803E ADD: 01/01/2025 00:00 is in the past in the time zone Etc/UTC'
	has '^~~'
	run -8 "$vigil" request add PAY STARTDATE=03/28/2027 STARTTIME=02:30 "ZONE='CET-1CEST,M3.5.0,M10.5.0/3'"
	has 'VIG6804E'
	run -8 "$vigil" request add PAY "ZONE='Nowhere'"
	has 'VIG6805E'
	run -8 "$vigil" request add PAY STARTDATE=02/29/2027
	has VIG2108E
	# Each day has it, even those on which clocks change.
	run -0 "$vigil" request add PAY STARTTIME=05:30 ENDDATE=12/31/2099 "ZONE='CET-1CEST,M3.5.0,M10.5.0/3'"
	has 'Deferred until'
	has ' 05:30 CE'
	run -0 "$vigil" request list
	[ "${#lines[@]}" -eq 2 ]
}

@test "twenty submits at once: each request is measured once, by one of them" {
	for i in $(seq 20); do
		"$vigil" request add PAY STEP=CALC PROGRAM=BUSY 2>/dev/null
	done
	printf '//PAY JOB\n//CALC EXEC PGM=BUSY\n' >deck.jcl
	pids=()
	for i in $(seq 20); do
		background bash -c 'cat /proc/uptime >"began$2"
			"$1" submit --spool "spool$2" --root root --steplib bin deck.jcl >"log$2" 2>&1
			status=$?; cat /proc/uptime >"ended$2"; exit $status' - "$vigil" "$i"
		pids+=($!)
	done
	for pid in "${pids[@]}"; do wait "$pid"; done
	cat log*
	"$vigil" request list --format json >after
	python3 - <<'END'
import json, re
logs = [open(f"log{i}").read() for i in range(1, 21)]
requests = json.load(open("after"))
assert [r["number"] for r in requests] == list(range(1, 21)), requests
# On a very busy machine one may not get access to the store in time: it reports that, and takes nothing, after trying
# for ten seconds. Or it does not get access after its step: if it does when the job ends, its request has Failed,
# otherwise the request is put back, and may be taken by another one.
late = [log for log in logs if "VIG6806W" in log and "steps are measured as their own statements request" in log]
for i, log in enumerate(logs, 1):
    began, ended = (float(open(f"{name}{i}").read().split()[0]) for name in ("began", "ended"))
    assert log not in late and "VIG6808W" not in log or ended - began >= 9.9, (log, began, ended)
takers = [(int(n), "VIG6808W" not in log) for log in logs for n in re.findall(r"VIG6807I step CALC is measured by request (\d+)", log)]
assert len(takers) + len(late) == 20, logs
told = [n for n, tells in takers if tells]
lost = {n for n, tells in takers if not tells}
assert len(set(told)) == len(told) > 0, takers
for r in requests:
    if r["number"] in told:
        assert r["state"] == "Completed", r
        assert len(r["sessions"]) == 1, r
        states = [h["state"] for h in r["history"]]
        assert states == ["Queued", "Active", "Completed"] or r["number"] in lost and states[-2:] == ["Active", "Completed"], r
    else:
        assert r["state"] == "Queued" or r["number"] in lost and r["history"][-1]["why"].endswith("steps measured: 0"), r
        assert not r["sessions"], r
ends = [s["data_set"] for r in requests for s in r["sessions"]]
assert len(set(ends)) == len(ends), ends
END
}

@test "a submit that is killed: its request is put back, and the next run is measured" {
	"$vigil" request add PAY STEP=CALC
	printf '//PAY JOB\n//CALC EXEC PGM=NAP\n' >nap.jcl
	background "$vigil" submit --spool spool --root root --steplib bin nap.jcl >log 2>&1
	submitted=$!
	wait_for test -e napping
	[ "$(state 1)" = Active ]
	run -8 "$vigil" request delete 1
	has 'its step or program is measured'
	kill -9 "$submitted"
	wait "$submitted" || true
	[ "$(state 1)" = Queued ]
	[[ $(field 1 'r["history"][-1]["why"]') == *"process $submitted on "*"ended before its step did" ]]
	submitted=
	one_step CALC BUSY
	has 'is measured by request 1'
	[ "$(state 1)" = Completed ]
}

@test "SEND suspends the session of a request and lets it go on" {
	"$vigil" request add PAY STEP=CALC
	run -8 "$vigil" request send 1 STOP
	has 'is not Active'
	printf '//PAY JOB\n//CALC EXEC PGM=NAP\n' >nap.jcl
	background "$vigil" submit --spool spool --root root --steplib bin nap.jcl >log 2>&1
	submitted=$!
	wait_for test -e napping
	wait_for "$vigil" request send 1 STOP
	[ "$(state 1)" = Suspended ]
	run -0 "$vigil" request send 1 START
	[ "$(state 1)" = Active ]
	run -8 "$vigil" request send 1 DANCE
	has "expected STOP, PAUSE, START or QUIT"
	kill "$submitted"
	wait "$submitted" || true
	submitted=
	[ "$(state 1)" = Completed ]
}

@test "a store that cannot be used stops no job" {
	"$vigil" request add PAY STEP=CALC
	goes_on() {
		one_step CALC BUSY
		[ "$status" -eq 0 ] || return 1
		has "VIG6806W" || return 1
		has "$1" || return 1
		hasnt VIG6807I
	}
	chmod 777 store
	goes_on 'everybody can write to it'
	run -8 "$vigil" request list
	has 'VIG6801E LIST: the request store cannot be used'
	chmod 700 store
	cp store/requests.db whole.db
	sqlite3 store/requests.db 'PRAGMA user_version = 2'
	goes_on 'has format 2'
	head -c 6000 whole.db >store/requests.db
	goes_on 'damaged'
	echo 'this is no database, but a text that is longer than the head of one would have to be, so that it is looked at' >store/requests.db
	goes_on 'not a request store'
	cp whole.db store/requests.db
	background sqlite3 store/requests.db 'PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;' '.shell touch locked; exec sleep 600'
	locker=$!
	wait_for test -e locked
	goes_on 'locked by other processes'
	pkill -P "$locker"
	kill "$locker" 2>/dev/null || true
	wait "$locker" || true
	wait_for "$vigil" request list
	[ "$(state 1)" = Queued ]
}

@test "a full disk: nothing of the store is lost, and the job runs" {
	"$vigil" request add PAY STEP=CALC
	run bash -c "ulimit -f 20; '$vigil' request add PAY STEP=OTHER DCCPARM=\"('$(printf 'x%.0s' {1..1000})')\" DCC=STRBA"
	[ "$status" -eq 8 ]
	has VIG680
	run bash -c "ulimit -f 20; exec '$vigil' submit --spool spool --root root --steplib bin <(printf '//PAY JOB\n//CALC EXEC PGM=BUSY\n')"
	echo "$output"
	[ "$status" -eq 0 ]
	has VIG6806W
	hasnt VIG6807I
	[ "$(state 1)" = Queued ]
	run -0 "$vigil" request list
	[ "${#lines[@]}" -eq 2 ]
}

# bats test_tags=as:root
@test "nobody else's requests: another user cannot change them, and a store of another is refused" {
	ordinary_folder
	"${ordinary[@]}" env VIGIL_REQUESTS="$PWD/store" "$vigil" request add PAY
	[ "$(id -u)" -eq 0 ] || skip "only root can be two users"
	run -8 "$vigil" request --requests store add PAY
	has 'does not belong to root'
	mine=$(mktemp -d /tmp/vigil-requests-XXXXXX)
	chmod 755 "$mine"
	"$vigil" request --requests "$mine/store" add PAY
	chown -R nobody "$mine/store"
	run -8 "${ordinary[@]}" "$vigil" request --requests "$mine/store" delete 1
	has 'request 1 belongs to root; only its owner may change it'
	run -8 "${ordinary[@]}" "$vigil" request --requests "$mine/store" change 1 SAMPLES=2000
	run -0 "${ordinary[@]}" "$vigil" request --requests "$mine/store" list
	has ' root '
}
