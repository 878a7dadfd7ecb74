# SPDX-License-Identifier: Apache-2.0
# bats file_tags=trial
# STRBPYTH: the Python program's own stacks, on real interpreters: python3, and those that VIGIL_PYTHONS names.

bats_require_minimum_version 1.5.0

setup_file() {
	command -v python3 >/dev/null || skip "python3 is not installed"
	export WORK=$BATS_FILE_TMPDIR PYTHON
	# Without the shell scripts that some put before it.
	PYTHON=$(python3 -c 'import sys; print(sys.executable)')
	"$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || PYTHON=/usr/bin/python3
	"$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || skip "no CPython from 3.11 on is installed"
	cd "$WORK" || return 1
	cp "$VIGIL_SOURCE"/tests/programs/*.py .
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
BARE='sum(r["charged_samples"] for r in rows("MEP", "procedures_charged") if "python3" in r["module"])'

# each_python COMMAND...: for every interpreter there is.
each_python() {
	local python
	for python in "$PYTHON" $VIGIL_PYTHONS; do
		echo "# $python"
		"$@" "$python" || return 1
	done
}

layout_agrees() {
	local includes
	includes=$("$1" -c 'import sysconfig; print(sysconfig.get_paths()["include"])')
	[ -e "$includes/internal/pycore_frame.h" ] || skip "the headers of $1 are not installed"
	gcc -w -I"$includes" -I"$includes/internal" -I"$VIGIL_SOURCE" -I"$VIGIL_SOURCE/include" -I"$VIGIL_BUILD" \
		-o layout "$VIGIL_SOURCE"/sampler/collectors/{test-python-layout,python-layout,pages}.c
	./layout
}

# bats test_tags=as:root
@test "the offsets are those of the headers" {
	[ -e "$VIGIL_SOURCE/sampler/collectors/python-layout.c" ] || skip "only where the sources are"
	each_python layout_agrees
}

# stacks_agree PROGRAM COUNT PYTHON: COUNT stops; a faulthandler that crashes (3.13.0's does) begins anew.
stacks_agree() {
	local program=$1 left=$2 python=$3 tries=0 done
	while [ "$left" -gt 0 ] && [ $((tries += 1)) -le 40 ]; do
		rm -f own
		"$python" "$program" own 2>/dev/null 3>&- &
		until [ -e own ]; do sleep 0.05; done
		"$VIGIL_BUILD/sampler/collectors/test-collector-drive" "$VIGIL_BUILD/sampler/collectors/.libs/STRBPYTH.so" \
			$! "$left" 10 >collected 2>cost
		kill -9 $! 2>/dev/null
		wait $! 2>/dev/null
		python3 "$VIGIL_SOURCE/tests/collector-stacks.py" python own collected || return 1
		done=$(wc -l <collected)
		left=$((left - done))
	done
	[ "$left" -le 0 ]
}

@test "the stack is that of faulthandler at 3000 instructions where the program is stopped" {
	each_python stacks_agree stacks.py 3000
}

@test "code that a program makes again and again, where the last was, has its own lines" {
	each_python stacks_agree remade.py 10000
}

@test "what is read while the program runs is right or torn" {
	rm -f own
	"$PYTHON" stacks.py own 3>&- &
	until [ -e own ]; do sleep 0.05; done
	"$VIGIL_BUILD/sampler/collectors/test-collector-drive" "$VIGIL_BUILD/sampler/collectors/.libs/STRBPYTH.so" $! 5000 -1 >collected
	kill -9 $!
	[ "$(grep -cE '^(DONE|TORN)' collected)" = 5000 ]
	[ "$(grep -c ^DONE collected)" -gt 4000 ]
	# Every level is a function that the program has, at a line of a file.
	tr '|' '\n' <collected | grep -vE '^(DONE|TORN)' | cut -f3,4 | sort -u >levels
	! grep -vE '^(<module>|main|deep|(deep.<locals>.)?<genexpr>|generate|evaluate|f|Größe\.(méthode(\.<locals>\.<listcomp>)?|钥匙)|loads|dumps|.*JSON.*)	[0-9]+$' levels
}

@test "shares of 50, 30 and 20 % are those of the Python functions" {
	measure "$PYTHON" shares.py 3
	# The program counts its own time too: half 50.0, third 30.0, fifth 20.0.
	"$PYTHON" -c '
import sys
own = dict(line.split() for line in open(sys.argv[1]))
sys.exit(any(abs(float(own[name]) - share) > 1 for name, share in (("half", 50), ("third", 30), ("fifth", 20))))' \
		"$BATS_TEST_TMPDIR/said"
	local all='charged("half") + charged("third") + charged("fifth")'
	holds "near(charged('half'), 50, $all, 0.01 * ($all))" "near(charged('third'), 30, $all, 0.01 * ($all))" \
		"near(charged('fifth'), 20, $all, 0.01 * ($all))" 'ties() == ""'
}

@test "a function's samples lie on its lines, with their text" {
	measure "$PYTHON" shares.py 2
	# From its def to its last statement.
	local name inside=()
	for name in half fifth; do
		inside+=("all($(line shares.py "def $name") <= r['line'] <= $(line shares.py "spent[\"$name\"] =")
			for r in rows('MEP', 'statements_charged') if r['procedure'] == '$name')")
	done
	holds "${inside[@]}" \
		'any("# third'"'"'s line" in r["text"] for r in rows("MEP", "statements_charged") if r.get("line") == '"$(line shares.py "# third's line")"')' \
		'all(r["module"] == "shares.py" and r["section"] == "shares.py" for r in rows("MEP", "statements_charged") if r["procedure"] in ("half", "third", "fifth"))'
}

@test "nothing of the program is left at the interpreter but what the collector could not answer, and its start" {
	measure "$PYTHON" shares.py 2
	# The interpreter's own start and end take some ten milliseconds; here at most 100 samples.
	holds "$BARE <= silent() + 100"
}

@test "time in zlib is charged to the Python line that calls it, with its callers" {
	measure "$PYTHON" ways.py packs 1
	local at
	at=$(line ways.py "# packs's line")
	holds "least(charged_at('packs', $at), 85, fact('samples_processed') - $BARE)" \
		'any(r["service"] == ".LIBZ" for r in rows("ACE", "services"))' \
		"any(r['procedure'] == 'packs' and r.get('line') == $at and '<module>' in r['invokers'] for r in rows('ACE', 'callers'))"
}

@test "C functions below a Python function have rows of their own, as they have without data collectors" {
	measure "$PYTHON" ways.py floats 1
	"$vigil" report --format json --all --report MEP "$data" >named
	"$vigil" report --format json --all --report MEP --native "$data" >native
	"$PYTHON" - named native <<-'END'
		import collections, json, sys

		def own(path):
		    samples = collections.Counter()
		    for table in json.load(open(path))["reports"][0]["tables"]:
		        for row in table["rows"]:
		            if table["table"] == "procedures_own" and row["row"] == "detail":
		                samples[row["module"], row["section"], row.get("procedure")] += row["samples"]
		    return samples

		named, native = own(sys.argv[1]), own(sys.argv[2])
		total = sum(native.values())
		places = {key: count for key, count in named.items() if key not in native}
		loop = {key: count - named[key] for key, count in native.items() if count != named[key]}
		below = sum(count for (module, _, _), count in named.items() if "python3" in module)
		print(total, below, places, loop)
		# The script and its modules are the interpreter's loop, sample for sample; all other rows are the same.
		assert sum(named.values()) == total and not any(key[0] == "ways.py" for key in native)
		assert sum(places.values()) == sum(loop.values()) and all("python3" in key[0] for key in loop)
		# Nearly all of it is the making of digits.
		assert below > 0.5 * total, below
	END
	"$vigil" report --lines 0 --report MSD,MEP --native "$data" >listing
	grep -q "^VIGIL .*NATIVE PERFORMANCE PROFILE" listing
	grep -q "STACKS SHOWN .*NATIVE, AS THEY WERE WALKED" listing
	echo "REPORT INPUT='$data',REPORTS=(MSD,MEP),LINES=0,NATIVE,DSNAME='$PWD/printed'" >cards
	"$vigil" control cards
	diff listing printed
	"$vigil" report --lines 0 --report MSD "$data" >listing
	! grep -q NATIVE listing || return 1
	local all='fact("samples_processed")'
	holds "least(charged('floats', 'ways.py'), 85, $all - $BARE)" "own('floats', 'ways.py') < 0.1 * $all"
}

@test "where a library loses its stack its instructions are its own, within the function that called it" {
	[ "$(uname -m)" = x86_64 ] || skip "the library is for x86-64"
	gcc -shared -o lost.so "$VIGIL_SOURCE/tests/programs/lost-stack.S" || skip "no compiler"
	measure "$PYTHON" ways.py calls 1
	# Those to which the collector gave no answer are at the library alone.
	local all='fact("samples_processed")' unsaid='(silent() - broken())'
	holds "charged('calls', 'ways.py') > 0.8 * $all - $unsaid" "own('lost', 'lost.so') > 0.8 * $all" \
		"own('calls', 'ways.py') < 0.05 * $all" "fact('stacks_broken') > 0.8 * $all"
}

# backs_agree PYTHON: what C functions call back has them as its callers, within the function that called them.
backs_agree() {
	measure "$1" ways.py backs 2
	"$vigil" report --format json --all "$data" >report.json
	"$PYTHON" - report.json <<-'END'
		import collections, json, re, sys

		calls = collections.defaultdict(collections.Counter)
		for report in json.load(open(sys.argv[1]))["reports"]:
		    for table in report["tables"]:
		        for row in table["rows"]:
		            if report["code"] == "ACE" and row["row"] == "detail" and row.get("invokers"):
		                calls[row["procedure"]][row["invokers"]] += row["samples"]
		# By what called it: a function of C that the script's function called, and the script's function.
		for callback, caller in ("key", "sorts"), ("word", "fills"), ("add", "folds"):
		    rows = calls[callback]
		    within = sum(count for invokers, count in rows.items() if re.search(rf"< {caller} \d+ < backs", invokers))
		    bare = sum(count for invokers, count in rows.items() if re.match(r"(key|word|add|sorts|fills|folds|sub|backs) ", invokers))
		    print(callback, sum(rows.values()), within, bare)
		    # One that the sample saw is read some tenths of a millisecond later.
		    assert within > 0.85 * sum(rows.values()), rows.most_common(5)
		    assert bare < 0.1 * sum(rows.values()), rows.most_common(5)
		# What those C functions do themselves was not called by what they call back.
		own = [(name, invokers) for name, rows in calls.items() for invokers in rows if re.match(r"(list_sort|functools_reduce|pattern_subx)", name)]
		print(own)
	END
}

@test "C functions that call back stand between the function that calls them and the one that they call" {
	each_python backs_agree
}

@test "threads have their own stacks" {
	measure "$PYTHON" ways.py threads 2
	# By their own clocks 1 to 3.
	holds "near(charged('other'), 75, charged('one') + charged('other'), silent())" \
		"least(charged('one') + charged('other'), 80, fact('samples_processed') - $BARE)" 'fact("tasks") >= 3'
}

@test "generators within generators and deep recursion are followed" {
	measure "$PYTHON" ways.py generator 1
	holds "charged_at('numbers', $(line ways.py "# numbers' line")) > 0.5 * charged('numbers')"
	measure "$PYTHON" ways.py deep 1
	# Four hundred levels, folded to what began it.
	holds "least(charged('burn'), 85, fact('samples_processed') - $BARE)" "fact('stacks_cut') < 0.05 * fact('samples_processed')" \
		"all('<module>' in r['invokers'] for r in rows('ACE', 'callers') if r['procedure'] == 'burn')"
}

@test "a forked child's stacks are its own" {
	measure "$PYTHON" ways.py forks 1
	holds "least(charged('one'), 80, fact('samples_processed') - $BARE)"
}

@test "code of exec has the file <string>" {
	measure "$PYTHON" ways.py text 1
	holds "least(charged('burn'), 80, fact('samples_processed') - $BARE)"
}

# waits_at PROCEDURE TEXT: the procedure's waits are at the line that has the text. There are ten; one that is over before it is
# looked at has no place: hence five at least. They last 50 ms, and longer where the machine is too busy for that.
waits_at() {
	local seconds
	for seconds in 0.5 2 8; do
		measure "$PYTHON" ways.py "$1" $seconds
		if are_at "$@"; then return 0; fi
	done
	return 1
}

are_at() {
	local at="[r for r in rows('ACW', 'callers') if r['procedure'] == '$1' and r['wait_total_ns'] > 40e6 * r['waits']]"
	holds "all(r.get('line') == $(line ways.py "$2") for r in $at)" "sum(r['waits'] for r in $at) >= 5"
}

@test "waits are laid at the Python line: sleeps, the reading of a pipe" {
	waits_at sleeps "# sleeps's line"
	waits_at reads "# reads's line"
}

@test "modules: a script, python -m, a package's __main__, a zipped application, python -c" {
	mkdir -p parcel
	cp ways.py parcel/part.py
	cp ways.py parcel/__main__.py
	touch parcel/__init__.py
	"$PYTHON" -m zipapp parcel -o app.pyz
	for way in ways.py "-m parcel.part" "-m parcel" app.pyz; do
		# shellcheck disable=SC2086
		measure "$PYTHON" $way deep 0.3
		"$vigil" report --format csv --report MEP "$data" | grep -E ',burn,' | head -1
	done >modules
	for module in ways.py part.py parcel app.pyz; do
		grep -q "detail,$module," modules || { cat modules; return 1; }
	done
	measure "$PYTHON" -c 'import ways' deep 0.3
	holds 'any(r["module"] == "ways" and r["procedure"] == "burn" for r in rows("MEP", "procedures_charged"))'
}

@test "a virtual environment's python is one too" {
	"$PYTHON" -m venv --without-pip "$BATS_TEST_TMPDIR/venv" || skip "venv is not installed"
	measure "$BATS_TEST_TMPDIR/venv/bin/python" ways.py deep 0.5
	holds "least(charged('burn'), 80, fact('samples_processed') - $BARE)"
}

@test "a program that is only named python is left as it is" {
	gcc -g -O2 -o python3x "$VIGIL_SOURCE/tests/programs/shares.c"
	measure ./python3x 500
	holds 'near(charged("half"), 50)' 'sum(r["answers"] for r in rows("MSD", "collector_calls")) == 0'
}

@test "a version that is not known is said once, and the program left as it is" {
	cat >later.c <<-'END'
		unsigned long Py_Version = 0x030f00f0, _PyRuntime[64], PyCode_Type, PyUnicode_Type, PyDict_Type;
		static volatile unsigned long sink;
		void _PyEval_EvalFrameDefault(void) { for (unsigned long i = 0; i < 400000000; i++) sink += i; }
		int main(void) { _PyEval_EvalFrameDefault(); return 0; }
	END
	gcc -O1 -rdynamic -o python3.15 later.c
	measure ./python3.15
	"$vigil" report --all --format json "$data" >report.json
	[ "$(grep -o 'this is 3.15, of which nothing is shown' report.json | sort -u | wc -l)" = 1 ]
	holds 'least(charged("_PyEval_EvalFrameDefault"), 80)'
}
