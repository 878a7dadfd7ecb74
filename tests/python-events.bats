#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Events of unmodified Python scripts: every function and line is recorded, once.
#
# Each test runs with every version of Python that is found as python3.N in PATH or that VIGIL_PYTHONS names (paths
# separated by blanks), from 3.9 on.

bats_require_minimum_version 1.5.0

load trace
load jobs
load profiler

setup_file() {
	local one all=
	for one in python3 /usr/bin/python3 python3.9 python3.10 python3.11 python3.12 python3.13 python3.14 $VIGIL_PYTHONS; do
		one=$("$one" -c 'import sys
if sys.version_info >= (3, 9): print(sys.executable)' 2>/dev/null) || continue
		one=$(readlink -f "$one")
		case " $all " in *" $one "*) ;; *) all="$all $one" ;; esac
	done
	export pythons=$all
}

setup() {
	in_own_folder
	unset VIGIL_SPOOL VIGIL_ROOT VIGIL_PDPSIZE
	PATH=$VIGIL_BUILD:$PATH
	[ -n "$pythons" ] || skip "there is no Python of 3.9 or later"
	cp "$VIGIL_SOURCE/tests/programs/script.py" .
	block all 'EVENT=ALL' 'STATEMENT=ON'
	block functions 'EVENT=ALL'
}

# expect TYPE PROGRAM HITS [LINE]: the number of events of a function, whatever its class.
expect() {
	local found
	found=$(awk -F'\t' -v type="$1" -v name="$2" -v line="$4" '
		{ short = $2; sub(/.*[.]/, "", short); if (name ~ /[.]/) short = $2 }
		$1 == type && short == name && (line == "" || $4 == line) { sum += $5 } END { print sum + 0 }' counts)
	[ "$found" = "$3" ] || {
		echo "$python: $1 $2 $4: $found events, expected $3"
		cat counts errors
		return 1
	}
}

# both FUNCTION HITS: it begins and ends this often.
both() {
	expect PS "$1" "$2"
	expect PT "$1" "$2"
}

# minor: the second number of $python's version.
minor() {
	"$python" -c 'import sys; print(sys.version_info[1])'
}

@test "a function that calls itself, by number, and its lines" {
	for python in $pythons; do
		events all "$python" script.py fib 15
		both fib 1973
		both main 1
		both script.py 1
		expect NS fib 1973 17
		expect NS fib 987 18
		expect NS fib 986 19
		expect PR fib 1972
		[ "$(awk -F'\t' '$2 ~ /frozen|importlib/' counts | wc -l)" = 0 ]
	done
}

@test "more functions than there is room for names: each is told, and the message says that names are missing" {
	python=${pythons##* }
	printf 'for i in range(66000):\n    exec(f"def f{i}(): pass\\nf{i}()")\n' >many.py
	events functions "$python" many.py
	[ "$(awk -F'\t' '$1 == "PS" && ($2 ~ /(^|[.])f[0-9]+$/ || $2 == "?") { sum += $5 } END { print sum }' counts)" = 66000 ]
	[ "$(awk -F'\t' '$1 == "PS" && $2 == "?" { sum += $5 } END { print sum + 0 }' counts)" -gt 0 ]
	vigil report events.vprf | grep -q 'VIG3183W names of events found no room [0-9]* times'
}

@test "every way to start a script: -I -S, -X dev, -c, -m, standard input, a zip file" {
	"${pythons##* }" -c 'import zipfile
zipfile.ZipFile("app.zip", "w").writestr("__main__.py", open("script.py").read())'
	for python in $pythons; do
		for options in "-I -S" "-X dev" -OO "-E -s -u"; do
			# shellcheck disable=SC2086
			events all "$python" $options script.py calls 321
			both leaf 321
			both calls 1
		done
		events all "$python" -c "$(cat script.py)" calls 321
		both leaf 321
		events all "$python" -m script calls 321
		both leaf 321
		events all "$python" app.zip calls 321
		both leaf 321
		vigil run -q --control all -o events.vprf -- "$python" - calls 321 <script.py
		"$VIGIL_BUILD/tests/event-counts" events.vprf >counts
		both leaf 321
	done
}

@test "generators and coroutines begin again each time they go on; exceptions end what they leave" {
	for python in $pythons; do
		events all "$python" script.py generators 5
		both counter 6
		both forever 5
		both leaf 2
		events all "$python" script.py async 10
		both steps 11
		both step 10
		both leaf 10
		events all "$python" script.py exceptions 500
		both thrower 1500
		both leaf 1
		both exceptions 1
	done
}

@test "threads, of both modules" {
	for python in $pythons; do
		events all "$python" script.py threads 40
		both leaf 4100
		both calls 41
		expect NS leaf 4100
	done
}

@test "processes: fork, multiprocessing in each of its ways, exec" {
	for python in $pythons; do
		events functions "$python" script.py forks 20
		both leaf 60
		[ "$(awk -F'\t' '$1 == "KF" { sum += $5 } END { print sum }' counts)" = 20 ]
		for way in fork spawn forkserver; do
			events functions "$python" script.py processes 3 $way
			both leaf 21
			both calls 3
		done
		events functions "$python" script.py another 9
		both leaf 9
		both then 2
	done
}

@test "a script that leaves by os._exit, and one that is killed" {
	for python in $pythons; do
		events all "$python" script.py exit 777 || true
		both leaf 777
		events all "$python" script.py kill 12347 || true
		both leaf 12347
		both calls 1
		expect PS main 1
		expect PT main 0
	done
}

@test "a script that profiles itself: both profiles are whole" {
	for python in $pythons; do
		for block in functions all; do
			events $block "$python" script.py profiled 30
			[ "$(cat said)" = "[30]" ]
			both leaf 60
			both calls 2
			! grep -q VIG316 errors || return 1
		done
	done
}

@test "a script that traces itself: functions are told, lines only where the interpreter has room for both" {
	for python in $pythons; do
		vigil run --control all -o events.vprf -- "$python" script.py traced 30 >said 2>errors
		"$VIGIL_BUILD/tests/event-counts" events.vprf >counts
		grep -q '^\[30\]$' said
		both leaf 60
		if [ "$(minor)" -lt 12 ]; then
			vigil report events.vprf | grep VIG3161W
		else
			expect NS leaf 60
		fi
		vigil run --control all -o events.vprf -- "$python" script.py both 30 >said 2>errors
		if [ "$(minor)" -lt 12 ]; then
			vigil report events.vprf | grep VIG3160W
		else
			"$VIGIL_BUILD/tests/event-counts" events.vprf >counts
			both leaf 30
		fi
	done
}

@test "calls from C: SQLite's functions, destructors, methods and inner functions; other interpreters" {
	for python in $pythons; do
		events all "$python" script.py database 25
		[ "$(cat said)" = "[(300,)]" ]
		both callback 25
		both leaf 25
		events all "$python" script.py boxes 12
		both __del__ 12
		both inner 12
		both method 12
		if [ "$(minor)" -ge 11 ]; then
			expect PS Box.method.\<locals\>.inner 12
		fi
		events all "$python" script.py interpreters 6
		both inside 6
		both leaf 6
	done
}

@test "code objects that come and go, and calls a hundred thousand levels deep where Python can" {
	for python in $pythons; do
		events functions "$python" script.py made 5000
		for number in 0 1 2 3 4 5 6 7 8 9; do
			both made_$number 500
		done
		depth=900
		[ "$(minor)" = 11 ] && depth=100000
		events functions "$python" script.py deeper $depth
		[ "$(cat said)" = $depth ]
		both deep $((depth + 1))
	done
}

@test "filters of programs and folders, the run time, statements that are counted" {
	mkdir -p application
	cat >application/part.py <<'END'
import json


def work():
    return json.dumps({"a": 1}, indent=1)
END
	cat >main.py <<'END'
import sys
sys.path.insert(0, "application")
import part
for i in range(3):
    part.work()
END
	block work 'EVENT=ALL' 'STATEMENT=ON' -- FILTER=PROGRAM '  PROGRAM=wor*'
	block folder 'EVENT=ALL' 'STATEMENT=ON' -- FILTER=PROGRAM '  LIBRARY=application'
	block native 'EVENT=ALL' 'STATEMENT=OFF' 'FNAT=ON'
	block count 'EVENT=P' 'STATEMENT=COUNT'
	for python in $pythons; do
		events work "$python" main.py
		both work 3
		expect NS work 3 5
		expect PS main.py 0
		expect NS main.py 0
		events folder "$python" main.py
		both work 3
		both part.py 1
		expect PS main.py 0
		events all "$python" main.py
		expect PS dumps 0
		expect PS main.py 1
		events native "$python" main.py
		both dumps 3
		expect PS work 3
		events count "$python" main.py
		both work 3
		[ "$(awk -F'\t' '$1 == "NS"' counts | wc -l)" = 0 ]
		vigil read -f csv -r EPS --program work events.vprf | grep -q '^EPS,event_programs,detail,work,.*,part.py,function,3,3,'
	done
}

# cProfile in a separate run is the second reference.
@test "every function of a real program as often as cProfile says" {
	# A folder that does not change: importing reads it anew when it does.
	mkdir app
	cat >app/real.py <<'END'
import cProfile
import csv
import io
import json
import os
import pstats
import sys
import textwrap
import tokenize


def work():
    text = open(os.path.abspath("script.py")).read()
    list(tokenize.generate_tokens(io.StringIO(text).readline))
    json.loads(json.dumps([textwrap.fill(text, width) for width in range(20, 24)], indent=1))
    csv.writer(io.StringIO()).writerows([[1, 2]] * 10)
    textwrap.dedent(text)


if len(sys.argv) > 1:
    work()
else:
    work()
    profile = cProfile.Profile()
    profile.runcall(work)
    for (file, line, name), value in sorted(pstats.Stats(profile).stats.items()):
        if line > 0 and not name.startswith("<built-in"):
            print(line, value[1], sep="\t")
END
	# Twice, since some things are done only the first time: the difference of two runs is one.
	cat >app/one.py <<'END'
import sys
sys.argv.append("x")
exec(open("app/real.py").read())
END
	sed 's/^exec.*/&\nwork()/' app/one.py >app/two.py
	block native 'EVENT=ALL' 'FNAT=ON'
	for python in $pythons; do
		"$python" app/real.py | sort >profiled
		[ "$(wc -l <profiled)" -gt 20 ]
		events native "$python" app/one.py
		awk -F'\t' '$1 == "PS" && $4 > 0 { hits[$4 "\t" $2] += $5 } END { for (i in hits) print i "\t" hits[i] }' counts | sort >first
		events native "$python" app/two.py
		awk -F'\t' '$1 == "PS" && $4 > 0 { hits[$4 "\t" $2] += $5 } END { for (i in hits) print i "\t" hits[i] }' counts | sort >second
		awk -F'\t' 'NR == FNR { before[$1 FS $2] = $3; next } $3 > before[$1 FS $2] { print $1 "\t" $3 - before[$1 FS $2] }' first second | sort >told
		# Functions on the same line of different files: their sums.
		for list in profiled told; do
			awk -F'\t' '{ sum[$1] += $2 } END { for (i in sum) print i "\t" sum[i] }' $list | sort >$list.sums
		done
		diff profiled.sums told.sums || { echo "$python"; return 1; }
	done
}

# What the events say is between what the script's own clock says within its calls and around them. The begin of a
# call is exact except for the time that the thread was off the processor since the last reading of its CPU time, at
# most 100 us.
@test "CPU time of two functions: what the script itself measures, three quarters and one" {
	for python in $pythons; do
		vigil run -q --control functions -o events.vprf -- "$python" script.py shares 20 >said
		vigil report -f csv -r EPS events.vprf | awk -F, '$4 == "heavy" || $4 == "light" { print $4, $8, $11 }' | sort >found
		sort said | join - found | awk '{ if ($2 != $5 || $6 < $3 - 1e5 * $2 || $6 > $4) { print "wrong:", $0; bad = 1 } }
			END { exit bad || NR != 2 }' || {
			echo "$python"
			cat said found
			return 1
		}
	done
}

@test "as a step with a block in its DD VIGIL, and samples beside" {
	python=${pythons##* }
	mkdir -p bin
	printf '#!/bin/sh\nexec %s %s/script.py fib 18\n' "$python" "$PWD" >bin/SCRIPT
	chmod 755 bin/SCRIPT
	{
		echo '//EVJOB JOB'
		echo '//S1 EXEC PGM=SCRIPT'
		echo '//VIGIL DD *'
		echo '  ADD EVJOB'
		cat all
		echo '/*'
	} >deck.jcl
	vigil submit --steplib bin --spool spool deck.jcl
	"$VIGIL_BUILD/tests/event-counts" "$(find spool -name '*.vprf')" >counts
	both fib 8361
	grep -rq 'EVENT SOURCES.*Python' spool
}

@test "a script whose events are not asked for has nothing in it" {
	python=${pythons##* }
	block user 'EVENT=U'
	events user "$python" script.py calls 50
	expect PS leaf 0
	expect NS leaf 0
}
