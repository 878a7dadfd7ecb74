# SPDX-License-Identifier: Apache-2.0
# Names and lines of programs whose names and locations are known.

bats_require_minimum_version 1.5.0

load trace
load compiled

setup() {
	cd "$BATS_TEST_TMPDIR"
	vigil=$VIGIL_BUILD/vigil
	programs=$VIGIL_SOURCE/tests/programs
}

# told CHECK...: all of these hold for the reports on x.vprf.
told() {
	"$vigil" report --all -f csv -r MEP,PUP,ACE x.vprf >x.csv
	python3 "$VIGIL_SOURCE/tests/names.py" x.csv "$@"
}

# named ROUNDS: measures the program; its own figures go to told_ns.
named() {
	"$vigil" run -o x.vprf -- ./named "$1" >spent 2>summary
	read -r -a told_ns <spent
}

# built COMPILER OPTION...: compiles the program.
built() {
	echo "$@"
	"$@" -o named "$programs/named.cpp" "$programs/named-other.cpp"
}

compilers() {
	local found
	found=$(for one in g++ clang++; do ! command -v $one >/dev/null || echo $one; done)
	[ "$found" ] || skip "there is no C++ compiler"
	echo "$found"
}

# header_lines: each has its file in every report and format. The rarest line has one sample in 17, and there are 400
# and more.
header_lines() {
	named 400
	# The stored text is that of the line in the reported file.
	told 'wrong_lines() == []' \
		'len(STATEMENTS) > 4 and all(row["file"].startswith("/") for row in STATEMENTS)' \
		'"named.hpp" in files("named.cpp") and "named.hpp" in files("named-other.cpp")'
	"$vigil" report -r MEP,PUP x.vprf >x.lst
	grep -E '^MODULE .* LINE FILE +SOURCE TEXT' x.lst
	grep -E '^ +LINE PROCEDURE NAME +FILE ' x.lst
	grep -E '^ +[89] .* named.hpp +' x.lst
	# A line of the source by which the section is named is printed as before.
	run ! grep -E '[0-9] named(-other)?\.cpp ' x.lst
	"$vigil" report -f json -r MEP x.vprf | grep -E '"file": *"/.*/named.hpp"'
}

# rows_of_their_own COMPILER: functions with the same name have separate rows.
rows_of_their_own() {
	lambdas=('"main::{lambda(long)#1}::operator()"' '"main::{lambda(long)#2}::operator()"')
	[ "$1" = g++ ] || lambdas=('"main::$_0::operator()"' '"main::$_1::operator()"')
	told "rows('named.cpp', ${lambdas[0]}) == rows('named.cpp', ${lambdas[1]}) == 1" \
		'rows("named.cpp", "stir<long>") == rows("named.cpp", "stir<unsigned long>") == 1' \
		'rows("named.cpp", "(anonymous namespace)::helper(long)") == rows("named-other.cpp", "(anonymous namespace)::helper(long)") == 1'
}

@test "a line of a header has its file in every report and format" {
	local compiler level=-O2
	for compiler in $(compilers); do
		built $compiler -g $level
		header_lines
		rows_of_their_own $compiler
		level=-O0
	done
}

# bats test_tags=slow
@test "a line of a header has its file, of each compiler and form of debug information" {
	local compiler level
	for compiler in $(compilers); do
		for level in "-O0 -gdwarf-4" "-O2 -gdwarf-5" "-O2 -gsplit-dwarf"; do
			built $compiler -g $level
			header_lines
			rows_of_their_own $compiler
		done
	done
}

# names_have_their_shares COMPILER: the program reports the CPU time of each function, and samples follow that clock:
# a quarter of a thousand for each pair, of which those of one function are binomial (names.py: 4.9 deviations, 37 of
# 250 for two thirds). Two functions in one row, or the time of one in the other's, are detected by 60 and more; where
# vigil takes few samples because the machine is fully loaded, it is measured again for longer.
names_have_their_shares() {
	local rounds pairs
	for rounds in 1000 2500 2500; do
		named $rounds
		rows_of_their_own "$1"
		pairs=("('named.cpp', ${lambdas[0]}), ('named.cpp', ${lambdas[1]})"
			"('named.cpp', '(anonymous namespace)::helper(long)'), ('named-other.cpp', '(anonymous namespace)::helper(long)')"
			"('named.cpp', 'stir<long>'), ('named.cpp', 'stir<unsigned long>')")
		! told "min(both(${pairs[0]}), both(${pairs[1]}), both(${pairs[2]})) >= 60" || break
		echo "measured again"
	done
	told "min(both(${pairs[0]}), both(${pairs[1]}), both(${pairs[2]})) >= 60" \
		"shared(${pairs[0]}, (${told_ns[0]}, ${told_ns[1]}))" "shared(${pairs[1]}, (${told_ns[2]}, ${told_ns[3]}))" \
		"shared(${pairs[2]}, (${told_ns[4]}, ${told_ns[5]}))"
}

# bats test_tags=live
@test "functions of one name have their shares: templates, lambdas, anonymous namespaces" {
	local compiler
	compiler=$(compilers | head -1)
	built "$compiler" -g -O2
	names_have_their_shares "$compiler"
}

# bats test_tags=slow
@test "functions of one name have their shares, of each compiler and form of debug information" {
	local compiler level
	for compiler in $(compilers); do
		for level in "-O0 -gdwarf-4" "-O2 -gdwarf-5"; do
			built $compiler -g $level
			names_have_their_shares $compiler
		done
	done
}

@test "a listing of a program without headers has no column for files" {
	compiled gcc -g -O2 -pthread -o shares "$programs/shares.c"
	"$vigil" run -o x.vprf -- ./shares 300 2>summary
	"$vigil" report -r MEP,PUP,ACE x.vprf >x.lst
	grep -E '^ +LINE PROCEDURE NAME +SOURCE TEXT' x.lst
	run ! grep -w FILE x.lst
	told 'wrong_lines() == []' '"shares.c" in files("shares.c")'
}

@test "lines of a copybook have its file" {
	command -v "$COBC" >/dev/null || skip "gnucobol3 is not installed"
	cp "$programs/named.cob" "$programs/namedcpy.cpy" .
	"$COBC" -x -g -o named named.cob
	"$vigil" run -o x.vprf -- ./named 2>summary
	told 'wrong_lines() == []' 'files("named.cob") == { "named.cob", "namedcpy.cpy" }'
	"$vigil" report -r MEP,PUP x.vprf >x.lst
	grep -E '^ +[0-9]+ OF-THE-BOOK +namedcpy.cpy +COMPUTE' x.lst
}

@test "events of a copybook's statements have its file" {
	command -v "$COBC" >/dev/null || skip "gnucobol3 is not installed"
	sed 's/300000/30/' "$programs/named.cob" >named.cob
	cp "$programs/namedcpy.cpy" .
	"$COBC" -x -ftraceall -o named named.cob
	"$vigil" run -q -o x.vprf -c PROFILER -c FUNCTION=INIT -c FILTER=EVENT,STATEMENT=ON -c FUNCTION=START -c END-PROFILER -- ./named
	"$vigil" report -l 0 -r ELS,EVT x.vprf >x.lst
	# Line 3 of the copybook, and line 18 of the source, without any option.
	grep -E '^NAMED +namedcpy.cpy +3 COMPUTE B ROUNDED' x.lst
	grep -E '^NAMED +18 COMPUTE A ROUNDED' x.lst
	grep -E '^ +[0-9].* NAMED +[A-Z-]* *namedcpy.cpy +3 COMPUTE' x.lst
	for report in ELS EVT ECR; do
		"$vigil" report -f csv -r $report x.vprf | python3 -c '
import csv, sys
rows = list(csv.reader(sys.stdin))
rows = [dict(zip(rows[0], row)) for row in rows[1:]]
lines = {(row["file"].split("/")[-1], int(row["line"])) for row in rows if row.get("line")}
assert ("namedcpy.cpy", 3) in lines and ("named.cob", 18) in lines and ("named.cob", 3) not in lines, lines'
	done
	# A program with one source has no such column.
	sed '/COPY/d; s/PERFORM OF-THE-BOOK/CONTINUE/' named.cob >alone.cob
	"$COBC" -x -ftraceall -o alone alone.cob
	"$vigil" run -q -o x.vprf -c PROFILER -c FUNCTION=INIT -c FILTER=EVENT,STATEMENT=ON -c FUNCTION=START -c END-PROFILER -- ./alone
	"$vigil" report -l 0 -r ELS,EVT x.vprf >x.lst
	grep -E '^NAMED +18 COMPUTE A ROUNDED' x.lst
	run ! grep -w FILE x.lst
}

@test "vigil's own part in a step is no module of the program" {
	command -v "$COBC" >/dev/null || skip "gnucobol3 is not installed"
	cp "$programs/opens.cob" .
	"$COBC" -x -g -o OPENS opens.cob
	cat >deck.jcl <<-JCL
		//J JOB 1
		//S EXEC PGM=OPENS
		//STEPLIB DD PATH='$PWD'
		//CARDS DD *
		ONE
		/*
		//VIGIL DD *
		 ADD *,SAMPLES=120000,SESSION=1
		/*
	JCL
	"$vigil" submit --spool spool deck.jcl
	mv spool/*/S.vprf x.vprf
	"$vigil" report --all -f csv x.vprf >x.csv
	python3 - <<-'PYTHON'
		import csv
		rows, header, agent, vias = [], [], 0, set()
		for row in csv.reader(open("x.csv", encoding="utf-8", newline="")):
		    if row[:1] == ["report"]:
		        header = row
		        continue
		    row = dict(zip(header, row))
		    if row["report"] in ("PSU", "PUP", "MEP", "WTM", "ACE", "ACW", "TUC"):
		        modules = {row.get("module", ""), row.get("real_module", "")}
		        if any(name.startswith("vigil-") for name in modules):
		            assert row["section"] == ".VIGIL", row
		            agent += 1
		    if row.get("via", "").startswith("cob_"):
		        vias.add(row["via_module"])
		# The agent stands in for cob_open: it is met (5 of 100 samples, of which there are 2000 a second and more than 400), and what the program called is
		# the run time.
		assert agent, "no row of the agent"
		assert any(name.startswith("libcob") for name in vias), vias
	PYTHON
}
