# SPDX-License-Identifier: Apache-2.0
# bats file_tags=trial
# STRBPERL: the Perl program's own stacks, on the perl that is installed.

bats_require_minimum_version 1.5.0

setup_file() {
	command -v perl >/dev/null || skip "perl is not installed"
	perl -e 'exit($^V !~ /^v5\.(36|40)\./)' || skip "this perl is not the 5.36 or 5.40 that the collector knows"
	perl -MConfig -e 'exit(!$Config{usethreads})' || skip "this perl is built without threads"
	export WORK=$BATS_FILE_TMPDIR
	cd "$WORK" || return 1
	cp "$VIGIL_SOURCE"/tests/programs/*.pl .
}

setup() {
	cd "$WORK" || return 1
	vigil=$VIGIL_BUILD/vigil
	data=$BATS_TEST_TMPDIR/x.vprf
}

# measure PROGRAM...: as vigil run does without being told anything of data collectors.
measure() {
	"$vigil" run -o "$data" -- "$@" >"$BATS_TEST_TMPDIR/said" 2>"$BATS_TEST_TMPDIR/summary"
}

holds() {
	python3 "$VIGIL_SOURCE/tests/profile.py" "$data" "$@" || { cat "$BATS_TEST_TMPDIR/summary"; return 1; }
}

# line FILE TEXT: the number of the line that has the text.
line() {
	grep -nF "$2" "$1" | cut -d: -f1
}

# Samples of code that lies in the interpreter, or in what it calls, and named by nobody.
BARE='sum(r["charged_samples"] for r in rows("MEP", "procedures_charged") if r["module"] == "perl")'

# bats test_tags=as:root
@test "the offsets are those of the headers" {
	[ -e "$VIGIL_SOURCE/sampler/collectors/perl-layout.c" ] || skip "only where the sources are"
	core=$(perl -MConfig -e 'print "$Config{archlibexp}/CORE"')
	[ -e "$core/perl.h" ] || skip "the headers of perl are not installed"
	# -O1: functions of the headers that nobody calls, but that call those of libperl, are left out.
	# shellcheck disable=SC2046
	gcc -O1 -w -I"$core" $(perl -MConfig -e 'print $Config{ccflags}') -I"$VIGIL_SOURCE" -I"$VIGIL_BUILD" \
		-o layout "$VIGIL_SOURCE"/sampler/collectors/{test-perl-layout,perl-layout}.c
	./layout
}

# stacks_agree PROGRAM: at 3000 places where the program stops itself.
stacks_agree() {
	rm -f own
	perl "$1" own 3>&- &
	until [ -e own ]; do sleep 0.05; done
	"$VIGIL_BUILD/sampler/collectors/test-collector-drive" "$VIGIL_BUILD/sampler/collectors/.libs/STRBPERL.so" $! 3000 0 >collected
	kill -9 $!
	[ "$(grep -c '^DONE' collected)" = 3000 ]
	python3 "$VIGIL_SOURCE/tests/collector-stacks.py" perl own collected
}

@test "the stack is that of caller() at 3000 places where the program stops itself" {
	stacks_agree stacks.pl
}

@test "so it is in try and defer, in lexical subs, handlers, callbacks and code of patterns, and in the methods and fields of classes" {
	stacks_agree forms.pl
}

@test "packages, subs and files that come to lie where others were have their own names" {
	stacks_agree remade.pl
}

@test "shares of 50, 30 and 20 % are those of the subs" {
	measure perl shares.pl 3
	# The program counts its own time too: half 50.00, third 30.00, fifth 20.00.
	perl -lane 'BEGIN { %want = (half => 50, third => 30, fifth => 20) } $bad = 1 if abs($F[1] - $want{$F[0]}) > 1; END { exit $bad // 0 }' \
		"$BATS_TEST_TMPDIR/said"
	local all='charged("half") + charged("third") + charged("fifth")'
	holds "near(charged('half'), 50, $all, 0.01 * ($all))" "near(charged('third'), 30, $all, 0.01 * ($all))" \
		"near(charged('fifth'), 20, $all, 0.01 * ($all))" 'ties() == ""'
}

@test "a sub's samples lie on its statements, with their text" {
	measure perl shares.pl 2
	holds 'all(abs(r["line"] - '"$(line shares.pl "# half's line")"') <= 4 for r in rows("MEP", "statements_charged") if r["procedure"] == "half")' \
		'all(abs(r["line"] - '"$(line shares.pl "# fifth's line")"') <= 4 for r in rows("MEP", "statements_charged") if r["procedure"] == "fifth")' \
		'any("# third'"'"'s line" in r["text"] for r in rows("MEP", "statements_charged") if r.get("line") == '"$(line shares.pl "# third's line")"')' \
		'all(r["module"] == "shares.pl" and r["section"] == "shares.pl" for r in rows("MEP", "statements_charged") if r["procedure"] in ("half", "third", "fifth"))'
}

@test "nothing of the program is left at the interpreter but what the collector could not answer, and its start" {
	measure perl shares.pl 2
	holds "$BARE <= silent() + 100"
}

@test "time in zlib is charged to the Perl sub that calls it, with its callers" {
	measure perl ways.pl packs 1
	holds "least(charged('compress'), 80, fact('samples_processed') - $BARE)" \
		'any(r["service"] == ".LIBZ" for r in rows("ACE", "services"))' \
		"any(r['module'] == 'Compress::Zlib' and r['procedure'] == 'compress' and 'packs $(line ways.pl "# packs's line")' in r['invokers'] for r in rows('ACE', 'callers'))"
}

@test "functions of perl that carry out a sub's operators have rows of their own and are charged to it" {
	measure perl ways.pl deep 1
	local all='fact("samples_processed")'
	holds "own(None, '*perl*') > 0.5 * $all" "own('burn', 'ways.pl') < 0.4 * $all" \
		"least(charged('burn'), 80, $all - $BARE)"
}

@test "C functions that call back stand between the sub that calls them and what they call" {
	measure perl ways.pl backs 2
	"$vigil" report --format json --all "$data" >report.json
	python3 - report.json "$(line ways.pl "# blocks's line")" "$(line ways.pl "# firsts's line")" <<-'END'
		import collections, json, re, sys

		calls = collections.defaultdict(collections.Counter)
		for report in json.load(open(sys.argv[1]))["reports"]:
		    for table in report["tables"]:
		        for row in table["rows"]:
		            if report["code"] == "ACE" and row["row"] == "detail" and row.get("invokers"):
		                calls[row["procedure"]][row["invokers"]] += row["samples"]
		block, first = sys.argv[2:]
		keys = calls["key"]
		# The block of the sort is in the sub that sorts, and called by what sorts; so is what the block calls.
		sorts = sum(count for invokers, count in keys.items() if re.match(rf"blocks {block} < (?!blocks).* < blocks \d+ < backs", invokers))
		firsts = sum(count for invokers, count in keys.items() if re.match(rf"__ANON__ {first} < (?!firsts).* < firsts {first} < backs", invokers))
		print(sorts, firsts, keys.most_common(6))
		assert sorts + firsts > 0.75 * sum(keys.values())
		assert sorts and firsts
	END
}

@test "threads have their own interpreters and stacks" {
	perl -Mthreads -e 1 || skip "perl's threads module is not installed"
	measure perl ways.pl threads 2
	# By their own clocks 1 to 3.
	holds "near(charged('other'), 75, charged('one') + charged('other'), silent())" \
		"least(charged('one') + charged('other'), 70, fact('samples_processed') - $BARE)" 'fact("tasks") >= 3'
}

@test "deep recursion, packages, evaluated texts and forked children are followed" {
	for way in deep package text forks; do
		measure perl ways.pl $way 1
		holds "least(charged('burn'), 80, fact('samples_processed') - $BARE)"
	done
}

# waits_at PROCEDURE TEXT: the procedure's waits are at the line that has the text. There are ten; one that is over before it is
# looked at has no place: hence five at least. They last 50 ms, and longer where the machine is too busy for that.
waits_at() {
	local seconds
	for seconds in 0.5 2 8; do
		measure perl ways.pl "$1" $seconds
		if are_at "$@"; then return 0; fi
	done
	return 1
}

are_at() {
	local at="[r for r in rows('ACW', 'callers') if r['procedure'] == '$1' and r['wait_total_ns'] > 40e6 * r['waits']]"
	holds "all(r.get('line') == $(line ways.pl "$2") for r in $at)" "sum(r['waits'] for r in $at) >= 5"
}

@test "waits are laid at the Perl line: sleeps, the reading of a pipe" {
	waits_at sleeps "# sleeps's line"
	waits_at reads "# reads's line"
}

@test "perl -e is a module of the name -e" {
	measure perl -e 'my $x = 0; $x += $_ for 1 .. 5_000_000'
	holds 'any(r["module"] == "-e" and r["procedure"] == "(main)" and least(r["charged_samples"], 60, unknown=silent()) for r in rows("MEP", "procedures_charged"))'
}

@test "a program that is only named perl is left as it is" {
	gcc -g -O2 -o perlish "$VIGIL_SOURCE/tests/programs/shares.c"
	measure ./perlish 500
	holds 'near(charged("half"), 50)' 'sum(r["answers"] for r in rows("MSD", "collector_calls")) == 0'
}

@test "a version that is not known is said once, and the program left as it is" {
	cat >later.c <<-'END'
		unsigned char PL_version = 60; unsigned PL_thr_key; void *PL_curinterp;
		static volatile unsigned long sink;
		void Perl_runops_standard(void) { for (unsigned long i = 0; i < 400000000; i++) sink += i; }
		int main(void) { Perl_runops_standard(); return 0; }
	END
	gcc -O1 -rdynamic -o perl5.60 later.c
	measure ./perl5.60
	"$vigil" report --all --format json "$data" >report.json
	[ "$(grep -o 'this is 5.60, of which nothing is shown' report.json | sort -u | wc -l)" = 1 ]
	holds 'least(charged("Perl_runops_standard"), 80)'
}
