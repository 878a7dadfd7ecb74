#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Statement coverage: exactly what programs executed is marked, however they continue and end. The programs say at
# their lines what is executed ("yes"), and what is not ("no"); gcov is the second reference.

bats_require_minimum_version 1.5.0

load trace
load jobs
load waiting
load ordinary
load background
load compiled

setup() {
	in_own_folder
	unset VIGIL_SPOOL VIGIL_ROOT VIGIL_PDPSIZE
	PATH=$VIGIL_BUILD:$PATH
	programs=$VIGIL_SOURCE/tests/programs
	block cards
}

teardown() {
	background_end
	ordinary_end
}

# block NAME KEYWORD...: a PROFILER block that starts immediately.
block() {
	local name=$1
	shift
	{
		printf '%s\n' PROFILER FUNCTION=INIT '  COVERAGE=ON'
		[ $# -eq 0 ] || printf '  %s\n' "$@"
		printf '%s\n' FUNCTION=START END-PROFILER
	} >"$name"
}

# covered FLAG...: compiles the program with these flags.
covered() {
	compiled gcc -g "$@" -o covered "$programs/covered.c" -pthread -ldl
}

# lines FILE SOURCE: "LINE 1" or "LINE 0" for each line of it that has statements: whether any was executed.
lines() {
	"$VIGIL_BUILD/tests/coverage-lines" "$1" |
		awk -F '\t' -v source="$2" '$1 == "line" && $3 == source { executed[$4] += $8 }
			END { for (line in executed) print line, (executed[line] > 0) }' | sort -n
}

# as_said FILE SOURCE WAY [few]: the lines of the source marked WAY yes were executed, those marked WAY no were not.
# few: the compiler may have dropped some.
as_said() {
	local wrong
	lines "$1" "${2##*/}" >lines.found
	wrong=$(awk -v way="$3" -v few="$4" '
		NR == FNR { found[$1] = $2; next }
		match($0, "(/\\*|//|\\*>) (all |" way " )?(yes|no)") && ($0 ~ "[*/>] (" way "|all) (yes|no)" || way == "") {
			wanted = $0 ~ /(no|no \*\/)$/ ? 0 : 1
			count++
			if (!(FNR in found)) { if (!few) print "not there:", FNR, $0 }
			else if (found[FNR] != wanted) print "found", found[FNR] ":", FNR, $0
		}
		END { if (!count) print "the source says nothing of " way }' lines.found "$2")
	[ -z "$wrong" ] || { echo "$wrong"; return 1; }
}

# cover PROGRAM ARGUMENT...: runs it with coverage into c.vcvf.
cover() {
	run -0 vigil run --control cards -q -o c.vcvf -- "$@"
}

@test "what a program executes is marked, and nothing else" {
	covered -O0
	cover ./covered work
	as_said c.vcvf "$programs/covered.c" work
	run -0 "$VIGIL_BUILD/tests/coverage-lines" c.vcvf
	has $'program\tcovered.c\tcovered\tcovered.c\tC\tmeans=0\toptimised=0\tpartial=0\t-'
	# Headings and braces are no statements; code of the system is not covered.
	[ "$(grep -c ^program <<<"$output")" -eq 1 ]
}

@test "an optimised program, too, and it is said to be one" {
	covered -O2
	cover ./covered work
	as_said c.vcvf "$programs/covered.c" work few
	run -0 "$VIGIL_BUILD/tests/coverage-lines" c.vcvf
	has 'optimised=1'
}

@test "gcov says the same of each line" {
	command -v gcov >/dev/null || skip "gcov is not installed"
	covered -O0
	mkdir truth
	(cd truth && gcc -g -O0 --coverage -o covered "$programs/covered.c" -pthread -ldl)
	for way in work threads blocked trap jump coroutine none; do
		(cd truth && rm -f ./*.gcda && ./covered $way && gcov -t covered.gcda) >gcov.out
		awk -F: '{ gsub(/[ *]/, "", $1); line = $2 + 0
			if ($1 != "-" && line) print line, ($1 !~ /[#=]/) }' gcov.out | sort -n >truth.lines
		[ "$(wc -l <truth.lines)" -gt 100 ]
		cover ./covered $way
		lines c.vcvf covered.c >found.lines
		# gcov also has the line of a function's name.
		awk -v way=$way 'NR == FNR { truth[$1] = $2; next } $1 in truth { both++ }
			$1 in truth && truth[$1] != $2 { print way ": line", $1, "gcov", truth[$1], "vigil", $2; wrong = 1 }
			END { if (both < 110) { print both " lines in both"; wrong = 1 } exit wrong }' truth.lines found.lines
	done
}

@test "what an optimizer has merged is right, or not told" {
	command -v gcov >/dev/null || skip "gcov is not installed"
	mkdir truth
	(cd truth && gcc -g -O0 --coverage -o merged "$programs/merged.c" && ./merged && gcov -t merged.gcda) >gcov.out
	awk -F: '{ gsub(/[ *]/, "", $1); line = $2 + 0
		if ($1 != "-" && line) print line, ($1 !~ /[#=]/) }' gcov.out | sort -n >truth.lines
	for level in -O1 -O2 -O3 -Os; do
		gcc -g $level -o merged "$programs/merged.c"
		cover ./merged
		lines c.vcvf merged.c >found.lines
		awk -v level=$level 'NR == FNR { truth[$1] = $2; next } $1 in truth { both++ }
			$1 in truth && truth[$1] != $2 { print level ": line", $1, "gcov", truth[$1], "vigil", $2; wrong = 1 }
			END { if (both < 10) { print level ":", both " lines in both"; wrong = 1 } exit wrong }' truth.lines found.lines
		# The single instruction of a function has the line of its brace.
		grep -qx "$(grep -n 'return 7' "$programs/merged.c" | cut -d: -f1) 1" found.lines
		grep -qx "$(grep -n 'return a + 8' "$programs/merged.c" | cut -d: -f1) 0" found.lines
	done
}

@test "children, fifty threads, vfork, jumps and coroutines" {
	covered -O0
	for way in 'fork 1000' threads vfork jump coroutine; do
		# shellcheck disable=SC2086
		cover ./covered $way
		as_said c.vcvf "$programs/covered.c" "${way%% *}"
	done
	covered -O2
	for way in 'fork 1000' threads vfork jump coroutine; do
		# shellcheck disable=SC2086
		cover ./covered $way
		as_said c.vcvf "$programs/covered.c" "${way%% *}" few
	done
}

@test "a program that blocks all signals, and one with a handler of its own for traps" {
	for level in -O0 -O2; do
		covered $level
		cover ./covered blocked
		as_said c.vcvf "$programs/covered.c" blocked few
		cover ./covered trap
		as_said c.vcvf "$programs/covered.c" trap few
	done
}

@test "a trap that nobody handles ends the program as it does otherwise" {
	printf '%s\n' '#include <signal.h>' 'int main(void)' '{' '	raise(SIGTRAP);' '	return 0;' '}' >trap.c
	gcc -g -o trap trap.c
	run -133 vigil run --control cards -q -o c.vcvf -- ./trap
	lines c.vcvf trap.c >found
	printf '%s\n' '4 1' '5 0' | diff - found
}

@test "a program that another one becomes, and the same object in both" {
	covered -O0
	cover ./covered exec ./covered work
	as_said c.vcvf "$programs/covered.c" work
	[ "$("$VIGIL_BUILD/tests/coverage-lines" c.vcvf | grep -c ^program)" -eq 1 ]
}

@test "shared objects: from their constructors to their destructors, loaded again and again" {
	covered -O0
	compiled gcc -g -shared -fPIC -o plugged.so "$programs/plugged.c"
	cover ./covered plug ./plugged.so
	as_said c.vcvf "$programs/covered.c" plug
	as_said c.vcvf "$programs/plugged.c" ''
	printf '%s\n' 'int plugged(int);' 'int main(void)' '{' '	return plugged(2) != 2;' '}' >linked.c
	gcc -g -o linked linked.c ./plugged.so
	cover ./linked
	as_said c.vcvf "$programs/plugged.c" ''
}

@test "an object in a namespace of its own is not covered, and that is told" {
	covered -O0
	compiled gcc -g -shared -fPIC -o plugged.so "$programs/plugged.c"
	run -0 vigil run --control cards -o c.vcvf -- ./covered apart ./plugged.so
	has 'VIG3135W objects loaded into a namespace of their own (dlmopen), in 1 processes, were not covered'
	as_said c.vcvf "$programs/covered.c" apart
	run -1 grep -q plugged.c <("$VIGIL_BUILD/tests/coverage-lines" c.vcvf)
	# By dlopen, with the same file, nothing is reported.
	run -0 vigil run --control cards -o c.vcvf -- ./covered plug ./plugged.so
	hasnt VIG3135W
}

@test "threads that load, unload and fork while signals come" {
	for level in -O0 -O2; do
		gcc -g $level -o stirred "$programs/stirred.c" -pthread -ldl
		gcc -g $level -shared -fPIC -o one.so "$programs/plugged.c"
		gcc -g $level -shared -fPIC -DOTHER -o two.so "$programs/plugged.c"
		for _ in 1 2 3; do
			cover ./stirred ./one.so ./two.so
			[[ $output == *fine* ]]
			as_said c.vcvf "$programs/stirred.c" '' few
			as_said c.vcvf "$programs/plugged.c" '' few
		done
	done
}

@test "C++ with exceptions, templates and static objects" {
	for level in -O0 -O2; do
		g++ -g $level -o thrown "$programs/thrown.cc"
		cover ./thrown
		as_said c.vcvf "$programs/thrown.cc" '' few
	done
	# Headers of the system do not belong to the program; with FNAT=ON they do.
	run -1 grep -q stl_vector.h <("$VIGIL_BUILD/tests/coverage-lines" c.vcvf)
	block cards FNAT=ON
	cover ./thrown
	grep -q stl_vector.h <("$VIGIL_BUILD/tests/coverage-lines" c.vcvf)
}

@test "COBOL by paragraph and line, with copybooks" {
	[ -n "$COBC" ] || skip "GnuCOBOL is not installed"
	for flags in -g '-g -O2' '-g -ftraceall'; do
		# shellcheck disable=SC2086
		"$COBC" -x $flags -I "$programs" -o pay "$programs/coverpay.cob"
		cover ./pay
		as_said c.vcvf "$programs/coverpay.cob" ''
		as_said c.vcvf "$programs/covertax.cpy" ''
		run -0 "$VIGIL_BUILD/tests/coverage-lines" c.vcvf
		has $'program\tPAYROLL\tpay\tcoverpay.cob\tCOBOL\tmeans=0'
		has $'CALC-PARA\tEVALUATE\t1'
		hasnt 'means=1'
		# Of IF and DISPLAY in one line only the first was executed.
		[[ $output =~ CALC-PARA$'\t'IF$'\t'1$'\t'1/2|CALC-PARA$'\t'IF$'\t'1$'\t'2/3 ]]
		hasnt $'CALC-PARA\t-\t'
	done
}

@test "COBOL without line information, but with statement events" {
	[ -n "$COBC" ] || skip "GnuCOBOL is not installed"
	"$COBC" -x -ftraceall -I "$programs" -o pay "$programs/coverpay.cob"
	cover ./pay
	run -0 "$VIGIL_BUILD/tests/coverage-lines" c.vcvf
	has $'program\tPAYROLL\tpay\tcoverpay.cob\tCOBOL\tmeans=1\toptimised=0\tpartial=1\tstatements that were not executed are unknown; compile with -g'
	[[ $output == *$'\tADD\t3\t0/0'* ]]
	lines c.vcvf coverpay.cob >found
	[ "$(grep -c ' 1$' found)" -eq "$(wc -l <found)" ]
	# Every line marked yes was reported, none marked no.
	grep -n 'yes$' "$programs/coverpay.cob" | cut -d: -f1 >wanted
	cut -d' ' -f1 found | grep -vxf wanted >others || true
	[ "$(grep -cxf wanted <(cut -d' ' -f1 found))" -eq "$(wc -l <wanted)" ]
	[ "$(cat others)" = "$(grep -n partly "$programs/coverpay.cob" | cut -d: -f1)" ]
}

@test "a program without line information is named, with the reason" {
	compiled gcc -o covered "$programs/covered.c" -pthread -ldl
	cover ./covered work
	run -0 "$VIGIL_BUILD/tests/coverage-lines" c.vcvf
	[ "$output" = $'program\tcovered\tcovered\t-\t-\tmeans=0\toptimised=0\tpartial=1\tno line information; compile with -g' ]
}

@test "a function that the linker left out has the addresses of others, which are not touched" {
	{
		printf '%s\n' '#include <stdio.h>' 'volatile int sum;' 'void dead(void)' '{'
		for _ in $(seq 2000); do echo '	sum += 3;'; done
		echo '}'
		for i in $(seq 100); do
			printf '%s\n' "int live$i(int a)" '{' "	if (a > $i)" '		sum += a;' '	return sum;' '}'
		done
		printf '%s\n' 'int main(void)' '{'
		for i in $(seq 100); do echo "	live$i(sum);"; done
		printf '%s\n' '	puts("fine");' '	return 0;' '}'
	} >dead.c
	gcc -g -ffunction-sections -Wl,--gc-sections -pie -fPIE -o dead dead.c
	cover ./dead
	has fine
	run -0 "$VIGIL_BUILD/tests/coverage-lines" c.vcvf
	has $'partial=1\tsome statements have addresses of code that the linker removed'
	gcc -g -fno-pie -no-pie -ffunction-sections -Wl,--gc-sections -o dead dead.c
	cover ./dead
	run -0 "$VIGIL_BUILD/tests/coverage-lines" c.vcvf
	has $'partial=0\t-'
	[ "$(grep -c $'^line.*\t1/1$' <<<"$output")" -gt 100 ]
}

@test "filters choose programs, folders and lines" {
	covered -O0
	block cards 'PROGRAM=NOSUCH'
	cover ./covered work
	[ -z "$("$VIGIL_BUILD/tests/coverage-lines" c.vcvf)" ]
	block cards 'PROGRAM=COVERED.*' 'LINE=(28,40)'
	cover ./covered work
	lines c.vcvf covered.c >found
	[ "$(wc -l <found)" -gt 5 ]
	awk '$1 < 28 || $1 > 40 { exit 1 }' found
	block cards 'LIBRARY=other*'
	cover ./covered work
	[ -z "$("$VIGIL_BUILD/tests/coverage-lines" c.vcvf)" ]
}

# asking FILE: a program under vigil that gets questions by say and replies in answers.
asking() {
	covered -O0
	rm -f questions
	mkfifo questions
	# Both ends: opening one end of a pipe blocks until the other is opened.
	exec 7<>questions
	background vigil run --control "$1" -q -o c.vcvf -- ./covered ask <questions >answers 7>&-
	vigil_pid=$pid
	wait_for grep -q ready answers
}

# say TEXT: sends a question, and waits for the answer.
say() {
	local before
	before=$(wc -l <answers)
	echo "$1" >&7
	wait_for eval "[ \$(wc -l <answers) -gt $before ]"
}

# looks: the number of passes so far of vigil's thread that plants what a START requests; it rests between two passes.
looks() {
	cat "/proc/$vigil_pid"/task/*/status |
		awk '/^Name:/ { name = $2 } name == "vigil-coverage" && /^voluntary_ctxt_switches:/ { print $2 }'
}

looked() {
	[ "$(looks)" -ge "$1" ]
}

# start: starts collecting, and continues when the program has its breakpoints again.
start() {
	vigil start "$vigil_pid"
	# The first pass may have begun before; what planting waits for is a rest, too.
	wait_for looked $(($(looks) + 10))
}

# executed WORD: whether the line of the program that ends with WORD was executed.
executed() {
	local line
	line=$(grep -n "/\* ask $1 \*/" "$programs/covered.c" | cut -d: -f1)
	lines c.vcvf covered.c | grep "^$line " | cut -d' ' -f2
}

@test "what is executed while collecting is paused is not marked, and what comes after a START is" {
	asking cards
	say a
	vigil pause $vigil_pid
	say b
	start
	say c
	exec 7>&-
	wait $vigil_pid
	[ "$(executed a)" = 1 ]
	[ "$(executed b)" = 0 ]
	[ "$(executed c)" = 1 ]
}

@test "what was executed in a pause is seen when it is executed again" {
	sed -i 's/FUNCTION=START/FUNCTION=PAUSE/' cards
	asking cards
	say a
	say b
	start
	say b
	exec 7>&-
	wait $vigil_pid
	[ "$(executed a)" = 0 ]
	[ "$(executed b)" = 1 ]
	[ "$(executed c)" = 0 ]
}

@test "what a killed program executed is kept" {
	covered -O0
	background vigil run --control cards -q -o c.vcvf -- sh -c 'echo $$ >pid; exec ./covered killed' >answers
	vigil_pid=$!
	wait_for grep -q ready answers
	kill -9 "$(cat pid)"
	wait $vigil_pid || true
	as_said c.vcvf "$programs/covered.c" killed
}

@test "a program whose monitor was killed goes on" {
	covered -O0
	mkfifo questions
	background vigil run --control cards -q -o c.vcvf -- sh -c './covered ask <questions >answers & echo $! >pid; wait'
	vigil_pid=$!
	exec 7>questions
	wait_for grep -q ready answers
	kill -9 $vigil_pid
	wait $vigil_pid || true
	say a
	say b
	[ "$(grep -c done answers)" -eq 2 ]
	wait_for test -s pid
	kill -0 "$(cat pid)"
	exec 7>&-
	wait_for eval '! kill -0 "$(cat pid)" 2>/dev/null'
}

# bats test_tags=as:root
@test "a full disk: the step runs on" {
	[ "$(id -u)" -eq 0 ] || skip "only root can mount a small disk"
	covered -O0
	mkdir small
	mount -t tmpfs -o size=16k none small || skip "no file system can be mounted here"
	head -c 16k /dev/zero >small/rest || true
	run vigil run --control cards -o small/c.vcvf -- sh -c './covered work && echo went on'
	umount small
	has 'went on'
}

@test "vigil is killed while a program waits for its places: the program goes on" {
	covered -O0
	# vigil stops before the program begins, so that nothing answers it: all of its threads, which go on until the one
	# that got the signal gets the processor. (The shell starts no other program: that would wait for vigil, too.)
	background vigil run -q --control cards -o c.vcvf -- sh -c 'kill -STOP $PPID
		looks=0 running=1
		while [ $running ] && [ $((looks += 1)) -lt 100000 ]; do
			running=
			for task in /proc/$PPID/task/*/stat; do
				read -r _ _ state _ <$task
				[ "$state" = T ] || running=1
			done
		done
		./covered work >said; echo went on >>said'
	wait_for grep -q '^State:.*T' "/proc/$pid/status"
	wait_for pgrep -x -P "$(pgrep -P $pid -x sh)" covered
	wait_for grep -q '^State:.*S' "/proc/$(pgrep -x -P "$(pgrep -P $pid -x sh)" covered)/status"
	kill -9 $pid
	wait_for grep -q 'went on' said
}

@test "programs that cannot be covered are told of" {
	compiled gcc -g -static -o covered "$programs/covered.c" -pthread 2>/dev/null || skip "no static C library"
	run -0 vigil run --control cards -o c.vcvf -- ./covered work
	has 'VIG3130W there is no coverage: '
	has 'is statically linked'
}

@test "a process that ran before the session has no coverage, and that is told" {
	background sleep 100
	sleeper=$!
	run vigil attach --control cards --duration 1 -o c.vcvf $sleeper
	kill $sleeper
	[ "$status" -eq 0 ]
	has 'VIG3130W there is no coverage: the process started before the session'
	has 'vigil run'
}

@test "under a debugger nothing is planted, and that is told" {
	command -v strace >/dev/null || skip "strace is not installed"
	covered -O0
	run vigil run --control cards -o c.vcvf -- strace -o /dev/null ./covered work
	[ "$status" -eq 0 ] || skip "nothing can be traced here"
	has VIG3131W
}

@test "an ordinary user sees the same" {
	ordinary_folder
	compiled gcc -g -o covered "$programs/covered.c" -pthread -ldl
	printf '%s\n' PROFILER FUNCTION=INIT COVERAGE=ON FUNCTION=START END-PROFILER >block
	chmod 644 block
	for way in work 'fork 100' threads blocked trap; do
		# shellcheck disable=SC2086
		run -0 "${ordinary[@]}" "$vigil" run --control block -q -o c.vcvf -- ./covered $way
		as_said c.vcvf "$programs/covered.c" "${way%% *}"
	done
}

@test "a step with a DD VIGIL: the resource is listed and deleted" {
	covered -O0
	cp covered bin/COVERED
	job <<-'EOF'
		//COV JOB
		//S1 EXEC PGM=COVERED,PARM='work'
		//VIGIL DD *
		  PROFILER
		  FUNCTION=INIT
		    COVERAGE=ON
		    RESOURCE=NIGHT
		  FUNCTION=START
		  END-PROFILER
		/*
		//S2 EXEC PGM=COVERED
		//VIGIL DD *
		  PROFILER
		  FUNCTION=INIT,COVERAGE=ON
		  FUNCTION=START
		  END-PROFILER
		/*
	EOF
	[ "$status" -eq 0 ]
	lines root/profiles/NIGHT.vcvf covered.c | grep -q ' 1$'
	lines "$last/S2.vcvf" covered.c | grep -q ' 1$'
	run -0 vigil list --library root/profiles
	[[ $output == *NIGHT*COVERAGE* ]]
	run -0 vigil delete --library root/profiles NIGHT
	[ ! -e root/profiles/NIGHT.vcvf ]
}

# run_as NAME WAY: runs the program's WAY with coverage into NAME.vcvf.
run_as() {
	run -0 vigil run --control cards -q -o "$1.vcvf" -- ./covered "$2"
}

@test "several runs become one, in which is executed what any has executed" {
	covered -O0
	run_as one work
	run_as two jump
	run_as three threads
	run -0 vigil consolidate -o all.vcvf one.vcvf two.vcvf three.vcvf
	[[ $output == *"VIG2150I all.vcvf: "*" statements executed in 3 runs"* ]]
	as_said all.vcvf "$programs/covered.c" work
	as_said all.vcvf "$programs/covered.c" jump
	as_said all.vcvf "$programs/covered.c" threads
	# Line by line it is what the three report together; counts are numbers of runs, places those of one run.
	for name in one two three; do lines $name.vcvf covered.c; done |
		awk '{ executed[$1] += $2 } END { for (line in executed) print line, (executed[line] > 0) }' |
		sort -n | diff - <(lines all.vcvf covered.c)
	diff <("$VIGIL_BUILD/tests/coverage-lines" one.vcvf | cut -f1-7 | sort) \
		<("$VIGIL_BUILD/tests/coverage-lines" all.vcvf | cut -f1-7 | sort)
	run -0 "$VIGIL_BUILD/tests/coverage-lines" all.vcvf
	[[ $output == *$'\twork\t-\t3\t'* ]]
	# Merged with itself it is unchanged; an existing file is replaced on request.
	run -8 vigil consolidate -o all.vcvf all.vcvf one.vcvf
	has VIG2151E
	lines all.vcvf covered.c >before
	run -0 vigil consolidate --replace -o all.vcvf all.vcvf one.vcvf
	has 'in 4 runs'
	lines all.vcvf covered.c | diff before -
}

@test "builds with the same statements become one program, others stay apart" {
	covered -O0 -Wl,--build-id=0x11111111
	run_as one work
	covered -O0 -Wl,--build-id=0x22222222
	run_as two jump
	run -0 vigil consolidate -o all.vcvf one.vcvf two.vcvf
	run -0 "$VIGIL_BUILD/tests/coverage-lines" all.vcvf
	[ "$(grep -c ^program <<<"$output")" -eq 1 ]
	has '2 builds with the same statements are merged'
	[[ ! $output =~ [1-9]/[1-9] ]]
	lines all.vcvf covered.c >found
	(for name in one two; do
		"$VIGIL_BUILD/tests/coverage-lines" $name.vcvf | awk -F'\t' '$1 == "line" && $8 { print $4 }'
	done) | sort -nu >wanted
	awk '$2 { print $1 }' <("$VIGIL_BUILD/tests/coverage-lines" all.vcvf |
		awk -F'\t' '$1 == "line" { print $4, $8 }') | sort -nu | diff wanted -
	sed 's/^static void work/\n&/' "$programs/covered.c" >covered.c
	gcc -g -o covered covered.c -pthread -ldl
	run_as three work
	run -0 vigil consolidate -o apart.vcvf one.vcvf three.vcvf
	[ "$("$VIGIL_BUILD/tests/coverage-lines" apart.vcvf | grep -c ^program)" -eq 2 ]
}

@test "what is no coverage is not merged" {
	covered -O0
	run_as one work
	printf '%s\n' PROFILER FUNCTION=INIT FUNCTION=START END-PROFILER >events
	run -0 vigil run --control events -q -o two.vcvf -- ./covered work
	run -8 vigil consolidate -o all.vcvf one.vcvf two.vcvf
	has 'two.vcvf has no coverage'
	[ ! -e all.vcvf ]
	run -8 bash -c "ulimit -f 0; vigil consolidate -o all.vcvf one.vcvf one.vcvf"
	[ ! -e all.vcvf ]
	run -2 vigil consolidate one.vcvf
	has '--output FILE merges'
}
