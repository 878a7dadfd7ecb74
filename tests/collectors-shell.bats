# SPDX-License-Identifier: Apache-2.0
# bats file_tags=trial
# STRBBASH and STRBDASH: scripts of which is known in which line they spend their time and wait for their children.
# Each test is run with both shells.

bats_require_minimum_version 1.5.0

setup_file() {
	export WORK=$BATS_FILE_TMPDIR
	cd "$WORK"
	# Each script notes what it has used after each part ("times"), beside itself.
	loop='while [ $n -gt 0 ]; do n=$((n - 1)); done'
	# They sleep first: until a collector is loaded samples have no answer (LATE).
	cat >lines.sh <<-END
		sleep 1; n=\$((\$1 * 5)); $loop; times >>times
		n=\$((\$1 * 3)); $loop; times >>times
		n=\$((\$1 * 2)); $loop; times >>times
	END
	# In functions, one of another file, and one that calls another.
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
		sleep 1; half \$((\$1 * 5)); times >>times
		third \$((\$1 * 3)); times >>times
		fifth \$((\$1 * 2)); times >>times
	END
	# A file whose own lines do the work.
	cat >whole.sh <<-END
		sleep 1
		n=\$((\$1 * 8)); $loop; times >>times
	END
	cat >reads.sh <<-END
		. ./whole.sh
		n=\$((\$1 * 2)); $loop; times >>times
	END
	# In processes of their own, which are equal: each loses the same where its end is not known.
	cat >subshells.sh <<-END
		sleep 1; ( n=\$((\$1 * 4)); $loop ); times >>times
		:
		:
		x=\$(n=\$((\$1 * 4)); $loop); times >>times
		:
		:
		: | { n=\$((\$1 * 4)); $loop; }; times >>times
	END
	cat >waits.sh <<-'END'
		nap() {
			sleep 1
		}
		sleep 1.1
		nap
		for i in 1 2; do
			:
			sleep 0.6
		done
		( sleep 1.2 )
		:
		sleep 0.1 | sleep 1
		:
		x=$(sleep 1.1)
		sleep 1 &
		:
		wait
	END
}

setup() {
	cd "$WORK"
	vigil=$VIGIL_BUILD/vigil
}

# measure SHELL SCRIPT [ARGUMENT...]
measure() {
	command -v "$1" >/dev/null || skip "$1 is not installed"
	data=$BATS_TEST_TMPDIR/$1.vprf
	rm -f times
	"$vigil" run -o "$data" -- "$@" 2>"$BATS_TEST_TMPDIR/summary"
}

# Turns of a loop that make about 0.2 s: ten times as many are in each script.
turns() {
	[ "$1" = bash ] && echo 20000 || echo 100000
}

holds() {
	python3 "$VIGIL_SOURCE/tests/profile.py" "$data" "$@" || { cat "$BATS_TEST_TMPDIR/summary"; return 1; }
}

# The parts of the CPU time that the script noted itself, in percent: $parts[0], ...
note_parts() {
	mapfile -t parts < <(awk '{ for (i = 1; i <= 2; i++) { split($i, t, /[ms]/); sum += 60 * t[1] + t[2] } }
		NR % 2 == 0 { part[++n] = sum - last; last = sum; sum = 0 }
		END { for (i = 1; i <= n; i++) print 100 * part[i] / last }' times)
	[ "${#parts[@]}" -ge 2 ]
}

# near EXPRESSION...: the shares are those of the parts, but for twice the margin of error in the listing. What a process did last is known to nobody when it has ended before it could be asked, nor what it did while the
# collector did not get the processor in time (LATE): each share can be greater by what is not known.
near() {
	note_parts
	known="($(printf '%s + ' "$@")0)"
	conditions=("100 - $known < max(50, 100 * silent() / fact('samples_in_reports'))")
	for part in "${parts[@]}"; do
		conditions+=("$1 - 2 * fact('margin_percent') < $part < $1 + (100 - $known) + 2 * fact('margin_percent')")
		shift
	done
	holds "${conditions[@]}"
}

@test "CPU shares of lines are what the script counts itself" {
	for shell in bash dash; do
		measure $shell lines.sh "$(turns $shell)"
		near 'line_share("lines.sh", 1)' 'line_share("lines.sh", 2)' 'line_share("lines.sh", 3)'
		holds 'ties() == ""' "fact('subsystem').startswith('${shell^^}')"
	done
}

@test "the profile shows the text of the script's line" {
	for shell in bash dash; do
		measure $shell lines.sh 20000
		holds '[r for r in rows("MEP", "statements_charged") if r.get("line") == 2 and r["text"].startswith("n=$(($1 * 3))")]'
	done
}

@test "CPU shares of functions are found, those of another file too" {
	for shell in bash dash; do
		measure $shell functions.sh "$(turns $shell)"
		near 'share("half")' 'share("third")' 'share("fifth")'
	done
}

@test "a function is in the file that defines it; dash forgets which one that is, unless it is the script" {
	measure bash functions.sh 20000
	holds '{r["section"] for r in rows("MEP", "procedures_charged") if r["procedure"] == "fifth"} == {"part.sh"}' \
		'{r["section"] for r in rows("MEP", "procedures_charged") if r["procedure"] == "half"} == {"functions.sh"}'
	measure dash functions.sh 50000
	holds '{r["section"] for r in rows("MEP", "procedures_charged") if r["procedure"] == "fifth"} == {".SOURCED"}' \
		'{r["section"] for r in rows("MEP", "procedures_charged") if r["procedure"] == "half"} == {"functions.sh"}'
}

@test "the lines of a file that is read are that file's" {
	for shell in bash dash; do
		measure $shell reads.sh "$(turns $shell)"
		near 'line_share("whole.sh", 2)' 'line_share("reads.sh", 2)'
	done
}

# In a command substitution bash itself counts some commands one line too far.
@test "subshells, command substitutions and pipelines have the line they stand in" {
	for shell in bash dash; do
		measure $shell subshells.sh "$(turns $shell)"
		near 'line_share("subshells.sh", 1)' \
			'line_share("subshells.sh", 4)'"$([ $shell = dash ] || echo ' + line_share("subshells.sh", 5)')" \
			'line_share("subshells.sh", 7)'
	done
}

# Half of what a child sleeps: the shell may begin to wait late. A wait that the collector could not look at in time is laid at
# no line, which the listing says: each line may lack so much.
@test "waits for children have the line that waits" {
	for shell in bash dash; do
		measure $shell waits.sh
		# The wait for what $( ) writes is one for a pipe.
		unplaced="(sum(r['wait_total_ns'] for r in rows('ACW', 'callers') if r['module'] == '$shell'
			and r['reason'] in ('CHILD PROCESS', 'PIPE')) + waited('UNKNOWN'))"
		conditions=()
		for line in 2:0.5e9 4:0.5e9 8:0.6e9 10:0.6e9 12:0.5e9 14:0.5e9 17:0.5e9; do
			conditions+=("line_waited('waits.sh', ${line%:*}) + $unplaced > ${line#*:}")
		done
		holds "${conditions[@]}" "$unplaced < 0.3 * waited('CHILD PROCESS')" \
			'line_waited("waits.sh", None) - sum(line_waited("waits.sh", n) for n in (2, 4, 8, 10, 12, 14, 17)) < 0.5e9'
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
		sleep 1; turns=$1; deep 300
	END
	measure bash deep.sh $((10 * $(turns bash)))
	holds '"VIG6101W" not in notes()' 'least(charged_at("deep", 5), 50, unknown=silent())' 'ties() == ""'
}

# Bash begins anew in the same process: all its variables are made again.
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
		sleep 1; outer $1
	END
	measure bash outer.sh $((5 * $(turns bash)))
	holds 'charged("outer") + silent() > 0.2 * fact("samples_in_reports")' \
		'charged("inner") + silent() > 0.2 * fact("samples_in_reports")'
}

@test "a script that unsets FUNCNAME has no functions from then on, whatever lies there later" {
	cat >unset.sh <<-'END'
		named() {
			n=$1; while [ $n -gt 0 ]; do n=$((n - 1)); done
			unset FUNCNAME
			declare -a first=(nobody nobody) second=(nobody nobody) third=(nobody nobody)
			n=$1; while [ $n -gt 0 ]; do n=$((n - 1)); done
		}
		sleep 1; named $1
	END
	measure bash unset.sh $((5 * $(turns bash)))
	holds 'charged("named") + silent() > 0.2 * fact("samples_in_reports")' 'share("nobody") == 0' \
		'line_share("unset.sh", 5) + 100 * silent() / fact("samples_in_reports") > 20'
}

@test "a script that comes through a FIFO is read by the shell alone" {
	command -v dash >/dev/null || skip "dash is not installed"
	mkfifo fifo
	{
		printf 'sleep 1\nwork() {\n\tn=$1; while [ $n -gt 0 ]; do n=$((n - 1)); done\n}\n'
		for i in 1 2 3 4; do
			echo "work $((2 * $(turns dash))); echo $i"
			sleep 0.5
		done
	} >fifo &
	measure dash ./fifo >said
	[ "$(cat said)" = $'1\n2\n3\n4' ]
	holds 'charged("work") + silent() > 0.5 * fact("samples_in_reports")'
}

# The third calls the fourth.
@test "functions that begin in lines of one number, of two files, have their own names" {
	for name in first second outer inner; do
		printf '# %s\n%s() {\n\tn=$1; %s; times >>times\n\t[ $# = 1 ] || "$2" "$1"\n}\n' $name $name \
			'while [ $n -gt 0 ]; do n=$((n - 1)); done' >part-$name.sh
	done
	cat >parts.sh <<-'END'
		. ./part-first.sh
		sleep 1; first $(($1 * 2))
		. ./part-second.sh
		second $(($1 * 3))
		. ./part-outer.sh; . ./part-inner.sh
		outer $(($1 * 2)) inner
	END
	for shell in bash dash; do
		measure $shell parts.sh "$(turns $shell)"
		near 'share("first")' 'share("second")' 'share("outer")' 'share("inner")'
	done
}

@test "the shell's functions that carry out a line have rows of their own and are charged to it" {
	for shell in bash dash; do
		measure $shell lines.sh "$(turns $shell)"
		holds "own(None, '$shell') > 0.3 * fact('samples_processed')" \
			"own(None, 'lines.sh') < 0.4 * fact('samples_processed')" \
			"charged('(no procedure)', 'lines.sh') > 0.8 * fact('samples_processed') - silent()"
	done
}

@test "a script that is called by its first line, and one without a file" {
	command -v dash >/dev/null || skip "dash is not installed"
	{ echo "#!$(command -v dash)"; cat lines.sh; } >called
	chmod 755 called
	data=$BATS_TEST_TMPDIR/x.vprf
	"$vigil" run -o "$data" -- ./called 30000 2>"$BATS_TEST_TMPDIR/summary"
	holds 'line_share("called", 2) + 100 * silent() / fact("samples_in_reports") > 20'
	for shell in bash dash; do
		measure $shell -c "$(cat lines.sh)" $shell 10000
		holds "line_share('$shell', 1) + 100 * silent() / fact('samples_in_reports') > 20"
	done
}
