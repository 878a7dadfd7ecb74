# SPDX-License-Identifier: Apache-2.0
# STRBBASH and STRBDASH: scripts for which it is known in which line they use their time and wait for their children.
# Each test is run with both shells.

bats_require_minimum_version 1.5.0
load trace
load background
load live
load waiting

setup_file() {
	export WORK=$BATS_FILE_TMPDIR
	cd "$WORK"
	# Each script records what it has used after each part ("times") in a separate file.
	loop='while [ $n -gt 0 ]; do n=$((n - 1)); done'
	cat >lines.sh <<-END
		n=\$((\$1 * 5)); $loop; times >>times
		n=\$((\$1 * 3)); $loop; times >>times
		n=\$((\$1 * 2)); $loop; times >>times
	END
	# In functions: one of another file, and one that calls another.
	cat >part.sh <<-END
		# A part that others read.
		fifth() {
			n=\$1; $loop
		}
	END
	cat >functions.sh <<-END
		half() {
			n=\$1; $loop
		}
		third ()
		{
			half 1
			n=\$1; $loop
		}
		. ./part.sh
		half \$((\$1 * 5)); times >>times
		third \$((\$1 * 3)); times >>times
		fifth \$((\$1 * 2)); times >>times
	END
	# A file whose own lines do the work.
	cat >whole.sh <<-END
		:
		n=\$((\$1 * 8)); $loop; times >>times
	END
	cat >reads.sh <<-END
		. ./whole.sh
		n=\$((\$1 * 2)); $loop; times >>times
	END
	# In separate, equal processes: each loses the same amount where its end is unknown.
	cat >subshells.sh <<-END
		( n=\$((\$1 * 4)); $loop ); times >>times
		:
		:
		x=\$(n=\$((\$1 * 4)); $loop); times >>times
		:
		:
		: | { n=\$((\$1 * 4)); $loop; }; times >>times
	END
	cp "$VIGIL_SOURCE/tests/programs/waits.sh" .
}

setup() {
	cd "$WORK"
	vigil=$VIGIL_BUILD/vigil
}

teardown() {
	background_end
}

# measure SHELL SCRIPT [ARGUMENT...]: with all samples, whatever they cost.
measure() {
	command -v "$1" >/dev/null || skip "$1 is not installed"
	data=$BATS_TEST_TMPDIR/$1.vprf
	rm -f times
	"$vigil" run --cost 100 -o "$data" -- "$@" 2>"$BATS_TEST_TMPDIR/summary"
}

# Iterations of a loop that take about 0.1 s: each script has ten times as many.
turns() {
	[ "$1" = bash ] && echo 15000 || echo 50000
}

# A fifth of that, where shares are not judged.
few() {
	echo $(($(turns "$1") / 5))
}

holds() {
	python3 "$VIGIL_SOURCE/tests/profile.py" "$data" "$@" || { cat "$BATS_TEST_TMPDIR/summary"; return 1; }
}

# The parts of the CPU time that the script recorded itself, in ns: $parts[0], ...
note_parts() {
	mapfile -t parts < <(awk '{ for (i = 1; i <= 2; i++) { split($i, t, /[ms]/); sum += 60 * t[1] + t[2] } }
		NR % 2 == 0 { printf "%.0f\n", 1e9 * (sum - last); last = sum; sum = 0 }' times)
	[ "${#parts[@]}" -ge 2 ]
}

# at SECTION LINE: the number of samples charged to a line.
at() {
	echo "sum(r['charged_samples'] for r in rows('MEP', 'statements_charged') if r['section'] == '$1' and r.get('line') == $2)"
}

# own_shares EXPRESSION...: these numbers of samples have the parts' shares of what the kernel counted for the step.
# The model: some 1000 samples, binomial (near): shares of 20 to 50 % are measured to within 6 to 8. A sample without
# an answer may belong to any part, so each may lack the silent ones.
own_shares() {
	local conditions=() part
	note_parts || return 1
	for part in "${parts[@]}"; do
		conditions+=("near($1, 100 * $part / fact('cpu_rusage_ns'), unknown=silent())")
		shift
	done
	holds "${conditions[@]}"
}

# A collector that takes a line for the next, or loses the middle one, is off by 10 or more.
# bats test_tags=live
@test "CPU shares of lines are what the script counts itself" {
	for shell in bash dash; do
		late=out valid measure $shell lines.sh "$(turns $shell)"
		own_shares "$(at lines.sh 1)" "$(at lines.sh 2)" "$(at lines.sh 3)"
		holds 'ties() == ""' "fact('subsystem').startswith('${shell^^}')"
	done
}

@test "the profile shows the text of the script's line" {
	for shell in bash dash; do
		shows measure $shell lines.sh "@$(few $shell)" holds \
			'[r for r in rows("MEP", "statements_charged") if r.get("line") == 2 and r["text"].startswith("n=$(($1 * 3))")]' \
			"$(at lines.sh 1) > 0" "$(at lines.sh 2) > 0" "$(at lines.sh 3) > 0" 'ties() == ""'
	done
}

# bats test_tags=slow
@test "CPU shares of functions are found, those of another file too" {
	for shell in bash dash; do
		late=out valid measure $shell functions.sh "$(turns $shell)"
		own_shares 'charged("half")' 'charged("third")' 'charged("fifth")'
	done
}

@test "a function is in the file that defines it; dash forgets which one that is, unless it is the script" {
	sections='{r["section"] for r in rows("MEP", "procedures_charged") if r["procedure"] in'
	shows measure bash functions.sh "@$(few bash)" holds \
		"$sections ('fifth',)} <= {'part.sh'}" "$sections ('half', 'third')} <= {'functions.sh'}" \
		'charged("half") > 0' 'charged("third") > 0' 'charged("fifth") > 0'
	shows measure dash functions.sh "@$(few dash)" holds \
		"$sections ('fifth',)} <= {'.SOURCED'}" "$sections ('half', 'third')} <= {'functions.sh'}" \
		'charged("half") > 0' 'charged("third") > 0' 'charged("fifth") > 0'
}

# bats test_tags=slow
@test "the lines of a file that is read are that file's" {
	for shell in bash dash; do
		late=out valid measure $shell reads.sh "$(turns $shell)"
		own_shares "$(at whole.sh 2)" "$(at reads.sh 2)"
	done
}

# In a command substitution bash itself counts some commands one line too far.
# bats test_tags=slow
@test "subshells, command substitutions and pipelines have their shares at the line they stand in" {
	for shell in bash dash; do
		late=out valid measure $shell subshells.sh "$(turns $shell)"
		own_shares "$(at subshells.sh 1)" "$(at subshells.sh 4)$([ $shell = dash ] || echo " + $(at subshells.sh 5)")" "$(at subshells.sh 7)"
	done
}

@test "lines of files that are read, of subshells, command substitutions and pipelines are found" {
	for shell in bash dash; do
		shows measure $shell reads.sh "@$(few $shell)" holds \
			"$(at whole.sh 2) > 0" "$(at reads.sh 2) > 0"
		shows measure $shell subshells.sh "@$(few $shell)" holds \
			"$(at subshells.sh 1) > 0" "$(at subshells.sh 4) + $(at subshells.sh 5) > 0" "$(at subshells.sh 7) > 0"
	done
}

# Lengths are the kernel's: while a child sleeps the shell waits, except for the time in which it executes or is
# ready, whose sum the session has. A wait at which the collector could not look in time is charged to no line, which
# the listing reports: each line may lack this amount. No long wait for a child is at another line.
@test "waits for children have the line that waits" {
	for shell in bash dash; do
		measure $shell waits.sh
		# The wait for the output of $( ) is a wait for a pipe.
		unplaced="(sum(r['wait_total_ns'] for r in rows('ACW', 'callers') if r['module'] == '$shell'
			and r['reason'] in ('CHILD PROCESS', 'PIPE')) + waited('UNKNOWN'))"
		awake="(fact('exec_ns') + fact('stretch_ns'))"
		conditions=()
		for line in 4:0.40e9 6:0.41e9 10:0.42e9 12:0.43e9 14:0.44e9 16:0.45e9 19:0.46e9; do
			conditions+=("line_waited('waits.sh', ${line%:*}) + $unplaced + $awake >= ${line#*:}")
		done
		holds "${conditions[@]}" "all(r['line'] in (4, 6, 10, 12, 14, 16, 19) for r in rows('ACW', 'callers') if r['section'] == 'waits.sh'
			and r['reason'] in ('CHILD PROCESS', 'PIPE') and r['wait_total_ns'] > 40e6 * r['waits'])" \
			'line_waited("waits.sh", None) > 0'
	done
}

@test "a function that calls itself 300 times is not too much for the collector" {
	cat >deep.sh <<-'END'
		deep() {
			if [ $1 -gt 0 ]; then
				deep $(($1 - 1))
			else
				n=$turns; while [ $n -gt 0 ]; do n=$((n - 1)); done
			fi
		}
		turns=$1; deep 300
	END
	shows measure bash deep.sh "@$((5 * $(few bash)))" holds \
		'"VIG6101W" not in notes()' 'charged_at("deep", 5) > 0' 'ties() == ""'
}

# Bash restarts in the same process: all its variables are created again.
@test "a script without a first line for the kernel, executed in the shell's place, has its functions" {
	cat >inner <<-'END'
		inner() {
			n=$1; while [ $n -gt 0 ]; do n=$((n - 1)); done
		}
		inner $1
	END
	chmod 755 inner
	cat >outer.sh <<-'END'
		outer() {
			n=$1; while [ $n -gt 0 ]; do n=$((n - 1)); done
			exec ./inner $1
		}
		outer $1
	END
	shows measure bash outer.sh "@$((6 * $(few bash)))" holds \
		'charged("outer") > 0' 'charged("inner") > 0'
}

unset_script() {
	cat >unset.sh <<-'END'
		named() {
			n=$1; while [ $n -gt 0 ]; do n=$((n - 1)); done; times >>times
			unset FUNCNAME
			declare -a first=(nobody nobody) second=(nobody nobody) third=(nobody nobody)
			n=$1; while [ $n -gt 0 ]; do n=$((n - 1)); done; times >>times
		}
		named $1
	END
}

@test "a script that unsets FUNCNAME has no functions from then on, whatever lies there later" {
	unset_script
	shows measure bash unset.sh "@$((8 * $(few bash)))" holds \
		'charged("named") > 0' 'charged("nobody") == 0' 'charged_at("(no procedure)", 5) > 0' \
		'not [r for r in rows("MEP", "statements_charged") if r["procedure"] == "named" and r["line"] >= 4]'
}

# Between two commands of a function's loop bash itself is at the function's first line, so a part is not only at its
# line. The script reports how long each loop takes: the machine does not make them equal.
# bats test_tags=slow
@test "a script that unsets FUNCNAME has the time before that in the function, and what comes later in none" {
	unset_script
	late=out valid measure bash unset.sh $((4 * $(turns bash)))
	own_shares 'charged("named")' "$(at unset.sh 5) + charged_at('(no procedure)', 1)"
}

# feed FIFO: writes the script to it, a part at a time.
feed() {
	exec >"$1"
	printf 'work() {\n\tn=$1; while [ $n -gt 0 ]; do n=$((n - 1)); done\n}\n'
	for i in 1 2 3 4; do
		echo "work $((5 * $(few dash))); echo $i"
		sleep 0.2
	done
}

@test "a script that comes through a FIFO is read by the shell alone" {
	command -v dash >/dev/null || skip "dash is not installed"
	mkfifo fifo
	background feed fifo
	measure dash ./fifo >said
	[ "$(cat said)" = $'1\n2\n3\n4' ]
	holds 'charged("work") > 0'
}

# parts_scripts: functions that begin at the same line number. The third calls the fourth.
parts_scripts() {
	for name in first second outer inner; do
		printf '# %s\n%s() {\n\tn=$1; %s; times >>times\n\t[ $# = 1 ] || "$2" "$1"\n}\n' $name $name \
			'while [ $n -gt 0 ]; do n=$((n - 1)); done' >part-$name.sh
	done
	cat >parts.sh <<-'END'
		. ./part-first.sh
		first $(($1 * 2))
		. ./part-second.sh
		second $(($1 * 3))
		. ./part-outer.sh; . ./part-inner.sh
		outer $(($1 * 2)) inner
	END
}

@test "functions that begin in lines of one number, of two files, have their own names" {
	parts_scripts
	for shell in bash dash; do
		shows measure $shell parts.sh "@$(few $shell)" holds \
			'charged("first") > 0' 'charged("second") > 0' 'charged("outer") > 0' 'charged("inner") > 0'
	done
}

# bats test_tags=slow
@test "functions that begin in lines of one number have their own shares" {
	parts_scripts
	for shell in bash dash; do
		late=out valid measure $shell parts.sh "$(turns $shell)"
		own_shares 'charged("first")' 'charged("second")' 'charged("outer")' 'charged("inner")'
	done
}

@test "the shell's functions that carry out a line have rows of their own and are charged to it" {
	for shell in bash dash; do
		measure $shell lines.sh "$(few $shell)"
		"$vigil" report --format json --all --report MEP "$data" >named
		"$vigil" report --format json --all --report MEP --native "$data" >native
		python3 "$VIGIL_SOURCE/tests/collector-native.py" named native lines.sh "$shell"
		# Its start and its end belong to the shell itself: what it used in addition to what it recorded, and
		# the last 50 ms, in which it may have ended before the collector was called.
		note_parts
		holds "charged('(no procedure)', 'lines.sh') + silent() + 1000 * (0.05 + (fact('cpu_rusage_ns') - $(printf '%s - ' "${parts[@]}")0) / 1e9) + 2 >= fact('samples_processed')"
	done
}

@test "a script that is called by its first line, and one without a file" {
	command -v dash >/dev/null || skip "dash is not installed"
	{ echo "#!$(command -v dash)"; cat lines.sh; } >called
	chmod 755 called
	data=$BATS_TEST_TMPDIR/x.vprf
	shows "$vigil" run -q --cost 100 -o "$data" -- ./called "@$(few dash)" holds \
		"$(at called 2) > 0" "$(at called 3) > 0" "$(at called 4) > 0"
	for shell in bash dash; do
		shows measure $shell -c "$(cat lines.sh)" $shell "@$(few $shell)" holds \
			"$(at $shell 1) > 0"
	done
}
