# SPDX-License-Identifier: Apache-2.0
# bats file_tags=exact
# Recordings: a session that is replayed writes the data set of the recorded one, byte by byte, whatever the program
# did and whoever replays it.

bats_require_minimum_version 1.5.0
load trace
load background
load ordinary
load compiled

setup_file() {
	export WORK=$BATS_FILE_TMPDIR
	cd "$WORK" || return 1
	for program in shares waits crowd brood; do
		gcc -g -O2 -pthread -o $program "$VIGIL_SOURCE/tests/programs/$program.c" || return 1
	done
}

setup() {
	vigil=$VIGIL_BUILD/vigil
	cd "$BATS_TEST_TMPDIR" || return 1
}

teardown() {
	background_end
	ordinary_end
}

# again ARG...: records a session, replays it, and compares.
again() {
	"$vigil" run -q --record x.vrec -o x.vprf "$@" >out 2>err || { cat err; return 1; }
	"$vigil" replay -q --replace -o y.vprf x.vrec || return 1
	cmp x.vprf y.vprf
}

@test "waits of each kind, at each level of privilege" {
	for level in full user proc; do
		for kind in "sleep 20" "short 40 500" "pipe 20" "lock 20" "child 20" "borrow 20" "orphan 20" "sync file 4"; do
			again --privilege $level "$WORK/waits" $kind || { echo "$level $kind"; return 1; }
		done
	done
}

@test "many threads, many processes, more samples than requested" {
	for level in full user proc; do
		again --privilege $level "$WORK/crowd" 60 150 || return 1
		again --privilege $level "$WORK/brood" 60 400 2 10 || return 1
	done
	again --samples 1000 --rate 10000 --cost 100 "$WORK/shares" 300
	python3 "$VIGIL_SOURCE/tests/profile.py" x.vprf 'fact("samples_in_reports") > 0'
}

@test "what data collectors answered, and the names that were found" {
	cp "$VIGIL_SOURCE"/tests/programs/shares.py .
	again python3 shares.py 0.3
	"$vigil" report y.vprf --report MSD >listing
	grep -q STRBPYTH listing
	cat >loop.sh <<-'END'
		for i in $(seq 1 3000); do a=$((i * i)); done
		sleep 0.05
	END
	again bash loop.sh
}

@test "a COBOL step with its transactions" {
	command -v cobc >/dev/null || skip "cobc is not installed"
	cp "$VIGIL_SOURCE"/tests/programs/{cobitem*,cobtran.cob,COBTRANB.cob,spend.c} .
	gcc -O2 -g -shared -fPIC -o spend.so spend.c
	cobc -m -g -o COBTRANB.so COBTRANB.cob
	cobc -x -g -o cobtran cobtran.cob
	COB_PRE_LOAD=spend again -c "ADD *,DCC=STRBCOBO,DCCPARM='TRANSACTION=PROGRAM'" ./cobtran 2
	"$vigil" report y.vprf --report TUS >listing
	grep -q COBTRANB listing
}

@test "RECORD=ON: a recording beside the data set, of a command and of a step" {
	"$vigil" run -q -c 'ADD *,RECORD=ON' -o x.vprf "$WORK/waits" sleep 20
	"$vigil" replay -q -o y.vprf x.vrec
	cmp x.vprf y.vprf
	cat >record.jcl <<-END
		//RECORD   JOB
		//CALC     EXEC PGM=SHARES,PARM='60'
		//VIGIL    DD *
		ADD *,RECORD=ON
		/*
	END
	mkdir steplib
	cp "$WORK/shares" steplib/SHARES
	"$vigil" submit --spool sp --root rt --steplib steplib record.jcl
	data=$(find sp -name '*.vprf')
	"$vigil" replay -q --replace -o y.vprf "${data%.vprf}.vrec"
	cmp "$data" y.vprf
	cat >events.jcl <<-END
		//EVENTS   JOB
		//CALC     EXEC PGM=SHARES,PARM='20'
		//VIGIL    DD *
		ADD *,RECORD=ON
		PROFILER
		FUNCTION=INIT
		FUNCTION=START
		END-PROFILER
		/*
	END
	"$vigil" submit --spool sp --root rt --steplib steplib events.jcl
	grep -rq 'VIG6621W step CALC: the recording .* is not complete: events cannot be recorded' sp
}

# Its program is in a library that the job deletes at its end.
@test "the payroll, when the job is over" {
	command -v cobc >/dev/null || skip "cobc is not installed"
	cp -r "$VIGIL_SOURCE/jcl-examples" decks
	sed -i 's/SAMPLES=10000/SAMPLES=10000,RECORD=ON/' decks/payroll.jcl
	grep -q RECORD=ON decks/payroll.jcl
	"$vigil" submit --spool sp --root rt decks/payroll.jcl >out 2>err
	data=$(find sp -name 'CALC.vprf')
	"$vigil" replay -q -o y.vprf "${data%.vprf}.vrec"
	cmp "$data" y.vprf
}

@test "a running process" {
	background "$WORK/waits" sleep 100 stop
	"$vigil" attach -q --record x.vrec -o x.vprf -d 1 "$pid"
	touch stop
	"$vigil" replay -q -o y.vprf x.vrec
	cmp x.vprf y.vprf
}

@test "several data sets of one session: LIMIT" {
	"$vigil" run -q --cost 100 --rate 10000 --record x.vrec -c "ADD *,SAMPLES=1000,LIMIT=(2,QUIT)" -o x.vprf "$WORK/shares" 400
	"$vigil" replay -q -o y.vprf x.vrec
	cmp x.vprf y.vprf
	cmp x.2.vprf y.2.vprf
}

@test "a recording is replayed without the program, and by others" {
	for objects in "" --record-objects; do
		cp "$WORK/shares" gone
		"$vigil" run -q --record x.vrec $objects -o x.vprf ./gone 60
		rm gone
		"$vigil" replay -q --replace -o y.vprf x.vrec
		cmp x.vprf y.vprf
	done
}

# Another machine may have vigil elsewhere, or no data collectors at all.
@test "a recording is replayed without the vigil that recorded it, and its data collectors" {
	mkdir -p there/sampler/host there/collectors/.libs there/agent/.libs
	cp "$vigil" there/
	cp "$VIGIL_BUILD/sampler/host/collector-host" there/sampler/host/
	cp "$VIGIL_BUILD"/collectors/.libs/STRBPYTH.so there/collectors/.libs/
	cp "$VIGIL_BUILD"/agent/.libs/vigil-*.so there/agent/.libs/
	cp "$VIGIL_SOURCE"/tests/programs/shares.py .
	there/vigil run -q --record x.vrec -o x.vprf python3 shares.py 0.3
	"$vigil" report x.vprf --report MSD >listing
	grep -q STRBPYTH listing
	rm -r there
	"$vigil" replay -q -o y.vprf x.vrec
	cmp x.vprf y.vprf
}

# unpack NAME: a recording of the library becomes x.vrec.
unpack() {
	python3 -c 'import lzma, sys; sys.stdout.buffer.write(lzma.open(sys.argv[1]).read())' \
		"$VIGIL_SOURCE/tests/recordings/$1.vrec.xz" >x.vrec
}

# Its program is nowhere: a message says what that means for it.
@test "a recording of a version that did not note the parts of objects is replayed" {
	unpack earlier/without-parts
	run -4 --separate-stderr "$vigil" replay -q -o x.vprf x.vrec
	[[ $stderr == *"VIG6627W /"*" is not there as it was recorded ("*" objects): stacks in it are broken"* ]]
	[[ $stderr != *VIG6625W* ]]
	python3 "$VIGIL_SOURCE/tests/profile.py" x.vprf 'fact("samples_taken") == 73' 'ties() == ""'
}

# bats test_tags=as:root
@test "a session of root's is replayed by an ordinary user" {
	[ "$(id -u)" -eq 0 ] || skip "this is about root"
	ordinary_folder
	"$vigil" run -q --record x.vrec -o x.vprf "$WORK/shares" 60
	chmod 644 x.vrec x.vprf
	"${ordinary[@]}" "$vigil" replay -q -o y.vprf x.vrec
	cmp x.vprf y.vprf
}

# holds_text FILE TEXT: whether a block of a recording has this text.
holds_text() {
	python3 - "$@" <<-'END'
		import sys, zlib
		data, text = open(sys.argv[1], 'rb').read(), sys.argv[2].encode()
		at, found = data.find(b'\xf7VB\xa9'), False
		while at >= 0:
		    try:
		        found = found or text in zlib.decompressobj().decompress(data[at + 24:])
		    except zlib.error:
		        pass
		    at = data.find(b'\xf7VB\xa9', at + 1)
		sys.exit(0 if found else 1)
	END
}

# Stacks that cannot be walked may end elsewhere without the data: then a message says that the session differs.
@test "a recording without memory has no data of the program" {
	cat >secret.c <<-'END'
		#include <string.h>
		#include <time.h>
		__attribute__((noinline)) static void work(volatile char *kept)
		{
			for (int i = 0; i < 100000; i++)
				kept[i % 8]++;
		}
		int main(void)
		{
			volatile char secret[64] = "........CARDNUMBER4711";
			while (clock() < CLOCKS_PER_SEC / 5)
				work(secret);
		}
	END
	gcc -g -O1 -o secret secret.c
	again ./secret
	holds_text x.vrec CARDNUMBER4711
	"$vigil" run -q --record-no-memory --record x.vrec -o x.vprf ./secret
	run -1 holds_text x.vrec CARDNUMBER4711
	holds_text x.vrec work
	"$vigil" replay -q --replace -o y.vprf x.vrec 2>err || grep -q VIG6625W err
	python3 "$VIGIL_SOURCE/tests/profile.py" y.vprf 'charged("work") >= 20' 'ties() == ""'
}

@test "a recording that was cut off, or is damaged, is replayed up to there" {
	"$vigil" run -q --record x.vrec -o x.vprf "$WORK/waits" sleep 1500
	size=$(stat -c %s x.vrec)
	[ "$("$vigil" replay --list x.vrec | grep -c 'a call of the session')" -gt 30 ]
	for part in 95 80; do
		head -c $((size * part / 100)) x.vrec >cut.vrec
		run -4 --separate-stderr "$vigil" replay --replace -o y.vprf cut.vrec
		[[ $stderr == *VIG6623W* ]] || { echo "$part: $stderr"; return 1; }
		"$vigil" report y.vprf >/dev/null
	done
	head -c 300 x.vrec >cut.vrec
	run -8 "$vigil" replay --replace -o y.vprf cut.vrec
	[[ $output == *VIG6622E* ]]
}

@test "a recording ends when it has its size or the disk is full, and the session goes on" {
	# The interpreter alone is larger.
	"$vigil" run --record x.vrec --record-objects --record-size 1 -o x.vprf python3 -c 'sum(range(10**7))' 2>err
	grep -q 'VIG6621W the recording x.vrec is not complete: it has the size that --record-size allows' err
	[ "$(stat -c %s x.vrec)" -le 1048576 ]
	"$vigil" report x.vprf >/dev/null
	run -4 "$vigil" replay -o y.vprf x.vrec
	[[ $output == *VIG6624W* ]]
	"$vigil" run --record /dev/full -o z.vprf true 2>err
	grep -q VIG6621W err
	"$vigil" report z.vprf >/dev/null
	"$vigil" run --record /nowhere/x.vrec -o z.vprf true 2>err
	grep -q 'VIG6621W the recording /nowhere/x.vrec is not complete' err
}

@test "what is no recording, and options that contradict each other" {
	"$vigil" run -q -o x.vprf true
	run -8 "$vigil" replay -o y.vprf x.vprf
	[[ $output == *"VIG6622E"*"is no recording"* ]]
	run -8 "$vigil" replay -o y.vprf "$WORK/waits"
	run -8 "$vigil" replay -o y.vprf /nowhere
	run -2 "$vigil" replay
	run -2 "$vigil" run --record-size 5 true
	for same in x.vprf ./x.vprf; do
		run -8 "$vigil" run --record $same -o x.vprf true
		[[ $output == *"VIG0022E"*"the same file"* ]]
	done
	run -8 "$vigil" run --record new.vrec -o new.vrec true
	cp "$WORK/shares" program
	run -2 "$vigil" run --record program ./program 1
	cmp "$WORK/shares" program
	run -8 "$vigil" run --record x.vrec -c 'PROFILER' -c 'FUNCTION=INIT' -c 'END-PROFILER' true
	[[ $output == *VIG6620E* ]]
	"$vigil" run -q --record x.vrec -o x.vprf true
	run -8 "$vigil" replay x.vrec
	[[ $output == *"x.vprf exists already"* ]]
	[ "$(stat -c %a x.vrec)" = 600 ]
	run -8 "$vigil" report x.vrec
	[[ $output == *"x.vrec is a recording"*"vigil replay"* ]]
}

# fact NAME FILE: a number of Measurement Session Data.
fact() {
	python3 "$VIGIL_SOURCE/tests/profile.py" "$2" "print(fact('$1')) or True"
}

@test "other options: as an ordinary user, with fewer samples, without data collectors" {
	unpack python-root
	"$vigil" replay -q -o x.vprf x.vrec
	"$vigil" replay -q -o user.vprf --privilege user x.vrec
	"$vigil" replay -q -o few.vprf --rate 100 x.vrec
	"$vigil" replay -q -o bare.vprf --no-collectors x.vrec
	[ "$(fact samples_kernel x.vprf)" -gt 0 ]
	[ "$(fact samples_kernel user.vprf)" = 0 ]
	[ "$(fact samples_kernel_estimated user.vprf)" -gt 0 ]
	for data in user few bare; do
		"$vigil" report --all $data.vprf >$data.listing
		grep -q 'VIG6628I made from a recording with --' $data.listing
		python3 "$VIGIL_SOURCE/tests/profile.py" $data.vprf 'ties() == ""' "fact('cpu_switches_ns') == $(fact cpu_switches_ns x.vprf)"
	done
	grep -q 'VIG3001I the kernel is not sampled' user.listing
	grep -q 'PRIVILEGE .*USER' user.listing
	grep -q STRBPYTH few.listing
	run -1 grep -q STRBPYTH bare.listing
	python3 "$VIGIL_SOURCE/tests/profile.py" few.vprf 'fact("samples_in_reports") <= fact("cpu_switches_ns") / 1e7 + 2'
	"$vigil" replay -q -o again.vprf --rate 100 x.vrec
	cmp few.vprf again.vprf
}

@test "other options: an ordinary user's recording is replayed as it is" {
	unpack python-user
	"$vigil" replay -q -o x.vprf x.vrec
	"$vigil" replay -q -o user.vprf --privilege user x.vrec
	"$vigil" report --format csv --all x.vprf | grep -v '^MSD' >expected
	"$vigil" report --format csv --all user.vprf | grep -v '^MSD' >found
	cmp expected found
	run -8 "$vigil" replay -q -o y.vprf --rate 2000 x.vrec
	[[ $output == *"VIG6622E"*"x.vrec has 300 samples per second, not 2000"* ]]
	[ ! -e y.vprf ]
	run -2 "$vigil" replay -o y.vprf --rate 0 x.vrec
	run -2 "$vigil" replay -o y.vprf --privilege proc x.vrec
	[[ $output == *"--privilege takes full or user, not 'proc'"* ]]
}

# It does not say which sample an answer of a data collector was for.
@test "other options: a recording of a version that did not note what data collectors were asked needs --no-collectors" {
	unpack earlier/without-keys
	run -8 "$vigil" replay -q -o y.vprf --rate 100 x.vrec
	[[ $output == *"VIG6622E"*"did not record what data collectors were asked: other options need --no-collectors"* ]]
	[ ! -e y.vprf ]
	"$vigil" replay -q -o y.vprf --rate 100 --no-collectors x.vrec
	[ "$(fact samples_in_reports y.vprf)" -gt 0 ]
}

@test "other options: names of debug information that came later" {
	compiled gcc -g -O1 -o program "$VIGIL_SOURCE/tests/programs/shares.c"
	mkdir later
	objcopy --only-keep-debug program later/program.debug
	objcopy --strip-all --add-gnu-debuglink=later/program.debug program
	again ./program 60
	"$vigil" report --report MEP y.vprf >listing
	run -1 grep -qw half listing
	mv later .debug
	"$vigil" replay -q --replace -o y.vprf x.vrec
	cmp x.vprf y.vprf
	"$vigil" replay -q --replace -o y.vprf --names x.vrec
	"$vigil" report --report MEP y.vprf >listing
	grep -qw half listing
	# The program is another one now: its recorded names stay.
	printf 'x' >>program
	"$vigil" replay -q --replace -o y.vprf --names x.vrec
	"$vigil" report --report MEP y.vprf >listing
	run -1 grep -qw half listing
}

# What the kernel says late, twice, never or wrongly, tasks that never began: variants of recordings of the library. They
# are always the same.
@test "recordings whose entries are missing, doubled, displaced or changed do no harm, and sums stay below rusage" {
	for name in short-waits-1-user:1:150 fork-storm-root:2:60 attached-root:3:60; do
		IFS=: read -r file seed count <<<"$name"
		unpack "$file"
		"$VIGIL_BUILD/session/measure/replay-variants" x.vrec "$seed" "$count" "$PWD/y.vprf"
	done
}
