#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# The commands from a user's view: usage, help, exit statuses, bad files, signals.

bats_require_minimum_version 1.5.0

load trace
load ordinary
load waiting
load background

setup() {
	vigil=$VIGIL_BUILD/vigil
	cd "$BATS_TEST_TMPDIR" || return 1
	unset VIGIL_SPOOL VIGIL_ROOT VIGIL_PROCLIB VIGIL_STEPLIB
}

teardown() {
	background_end
	ordinary_end
}

# profile NAME: makes a small sample data set.
profile() {
	"$vigil" run -q -o "$1" -- sh -c 'i=0; while [ $i -lt 40000 ]; do i=$((i+1)); done'
}

@test "without a command, or with an unknown one: usage on stderr, status 2" {
	run -2 --separate-stderr "$vigil"
	[ -z "$output" ]
	[[ $stderr == *"a command is missing"*"Usage: vigil COMMAND"* ]]
	run -2 --separate-stderr "$vigil" frobnicate
	[ -z "$output" ]
	[[ $stderr == "vigil: frobnicate is not a command"*"  submit "* ]]
	run -2 --separate-stderr "$vigil" --frobnicate
	[[ $stderr == "vigil: --frobnicate is not an option"* ]]
}

@test "--help and --version" {
	run -0 --separate-stderr "$vigil" --help
	[ -z "$stderr" ]
	[[ $output == "Usage: vigil COMMAND"* ]]
	run -0 "$vigil" --version
	[[ $output =~ ^vigil\ [0-9]+\.[0-9]+ ]]
	for command in submit check run attach control report consolidate; do
		run -0 --separate-stderr "$vigil" "$command" --help
		[[ $output == "Usage: vigil $command "* ]]
		[ -z "$stderr" ]
		run -2 "$vigil" "$command" --no-such-option
		[[ $output == *"--no-such-option is not an option of $command"* ]]
	done
}

@test "help that cannot be written is an error" {
	[ -w /dev/full ] || skip "no /dev/full here"
	run -8 bash -c "'$vigil' --help >/dev/full"
	run -8 bash -c "'$vigil' report --report list >/dev/full"
	run -8 bash -c "'$vigil' --version >&-"
}

@test "commands without their operands" {
	for command in submit check run attach report; do
		run -2 --separate-stderr "$vigil" "$command" </dev/null
		[ -z "$output" ]
		[[ $stderr == "vigil: $command needs "* ]]
	done
}

@test "run: the status is the command's" {
	run -0 "$vigil" run -q -- true
	run -7 "$vigil" run -q -- sh -c 'exit 7'
	run -255 "$vigil" run -q -- sh -c 'exit 255'
	run -143 "$vigil" run -q -- sh -c 'kill -TERM $$'
	run -137 "$vigil" run -q -- sh -c 'kill -KILL $$'
	[ -s sh.vprf ]
}

@test "run: not found is 127, not executable 126, and nothing is written" {
	run -127 "$vigil" run -- no-such-program
	[[ $output == *"cannot run no-such-program: No such file"* ]]
	run -127 "$vigil" run -- ./no/such/program
	run -127 "$vigil" run -- ""
	run -126 "$vigil" run -- /
	echo text >text
	run -126 "$vigil" run -- ./text
	printf '#!/no/such/interpreter\n' >script
	chmod +x script
	run -127 "$vigil" run -- ./script
	rm -f script.vprf
	run ls
	[[ $output != *.vprf* ]]
}

@test "run: options end at the program; its standard input, output and arguments are its own" {
	run -0 --separate-stderr "$vigil" run -q sh -c 'echo "$@"' sh -o x --help -- y
	[ "$output" = "-o x --help -- y" ]
	[ -z "$stderr" ]
	run -0 bash -c "echo hello | '$vigil' run -q -- cat"
	[ "$output" = hello ]
	run -127 "$vigil" run -q -- -sh
}

@test "run: the summary goes to stderr, and the profile to PROGRAM.vprf or -o" {
	run -0 --separate-stderr "$vigil" run -- sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done'
	[ -z "$output" ]
	[ "${#stderr_lines[@]}" -ge 3 ]
	[ "${#stderr_lines[@]}" -le 20 ]
	[[ $stderr == *sh.vprf* ]]
	[ -s sh.vprf ]
	mkdir folder
	"$vigil" run -q -o folder/x.vprf -- sh -c 'echo' >/dev/null
	[ -s folder/x.vprf ]
	run -0 "$vigil" report sh.vprf
}

@test "run: a command that cannot be measured runs all the same" {
	run -5 --separate-stderr "$vigil" run -o /no/such/folder/x.vprf -- sh -c 'echo done; exit 5'
	[ "$output" = done ]
	[[ $stderr == *"VIG0032E cannot create /no/such/folder/x.vprf: No such file or directory; sh runs unmeasured"* ]]
}

@test "run: the step sees the transaction area, and nothing else of vigil" {
	"$vigil" run -q -- env >inside
	env >outside
	run diff <(grep -v '^_=' outside | sort) <(grep -v '^_=' inside | sort)
	[ "${#lines[@]}" -eq 2 ]
	[[ ${lines[1]} == "> VIGIL_TRANSACTIONS="* ]]
	outside=$(sh -c 'ls /proc/$$/fd' | wc -l)
	[ "$("$vigil" run -q -- sh -c 'ls /proc/$$/fd' | wc -l)" -eq "$outside" ]
}

@test "run: a program that cuts off the transaction area harms nobody" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	run -7 --separate-stderr "$vigil" run -q -o x.vprf -- python3 -c '
import os, sys
area = os.environ["VIGIL_TRANSACTIONS"]
size = os.path.getsize(area)
for length in (0, 1, size + 4096):
    try:
        os.truncate(area, length)
    except OSError:
        pass
print(size == os.path.getsize(area))
sum(range(3000000))
sys.exit(7)'
	[ "$output" = True ]
	run -0 "$vigil" report -r MSD x.vprf
}

@test "run: a program that overwrites the transaction area has a profile, and a note" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	local events=(-c PROFILER -c FUNCTION=INIT -c FUNCTION=START -c END-PROFILER)
	for cards in "" -c; do
		run -7 "$vigil" run -o x.vprf ${cards:+"${events[@]}"} -- python3 -c '
import os, sys
with open(os.environ["VIGIL_TRANSACTIONS"], "r+b") as area:
    area.seek(16)
    area.write(b"\377" * 100000)
sum(range(3000000))
sys.exit(7)'
		[[ $output == *"VIG3182W the step has overwritten the area in which it names its transactions"* ]]
		[[ $output != *VIG3008W* ]]
		run -0 "$vigil" report -r MSD x.vprf
	done
}

@test "run: closed standard streams stay closed, and no file is taken for them" {
	run -4 bash -c "'$vigil' run -- sh -c 'ls -l /proc/self/fd >inside; exit 4' 2>&- <&-"
	run -1 grep -E ' (0|2) -> .*(null|vprf)' inside
	run -0 "$vigil" report -r MSD sh.vprf
	run -8 bash -c "'$vigil' report -r MSD sh.vprf >&-"
	run -8 bash -c "'$vigil' control <&-"
}

@test "-o to a device, a pipe, a link or an open file never replaces what stands there" {
	profile a.vprf
	# A link keeps its target, whether that existed or not.
	ln -s target link
	for _ in new there; do
		run -0 "$vigil" report -r MSD -o link a.vprf
		[ -L link ]
		grep -q 'MEASUREMENT SESSION DATA' target
	done
	ln -s target.vprf link.vprf
	for _ in new there; do
		run -0 "$vigil" run -q -o link.vprf -- true
		[ -L link.vprf ]
		run -0 "$vigil" report -r MSD target.vprf
	done
	# A pipe is written to; a sample data set cannot be written to one.
	mkfifo pipe
	background cat pipe >read
	run -0 "$vigil" report -r MSD -o pipe a.vprf
	wait
	grep -q 'MEASUREMENT SESSION DATA' read
	run -0 "$vigil" run -q -o pipe -- true
	[[ $output == *"VIG0032E"*"pipe is not a regular file"* ]]
	[ -p pipe ]
	# Standard output by name, in a folder of the test: the file there is a link like /dev/stdout.
	ln -s /proc/self/fd/1 stdout
	echo before >shown
	"$vigil" report -r MSD -o stdout a.vprf >>shown
	"$vigil" report -r MSD -o stdout a.vprf | cat >>shown
	[ -L stdout ]
	[ "$(head -1 shown)" = before ]
	[ "$(grep -c 'MEASUREMENT SESSION DATA' shown)" -ge 2 ]
	"$vigil" run -q -o stdout -- echo said >>shown 2>messages
	grep -q 'VIG0032E.*stdout is open already' messages
	"$vigil" run -q -o stdout -- echo said 2>messages | cat >>shown
	grep -q 'VIG0032E.*stdout is not a regular file' messages
	[ -L stdout ]
	[ "$(grep -c '^said' shown)" -eq 2 ]
	# The listing of a REPORT does not replace the data set that it reports on.
	cp a.vprf kept
	echo "REPORT INPUT='a.vprf',DSNAME='./a.vprf'" >cards
	run -8 "$vigil" control cards
	[[ $output == *"VIG0013E"*"DSNAME would overwrite the sample data set itself"* ]]
	cmp a.vprf kept
}

@test "run and attach: the output is never the program itself, by whatever name" {
	cp "$(command -v sleep)" prog
	cp prog kept
	ln prog hard
	ln -s "$PWD/prog" soft
	for name in prog ./prog hard soft; do
		run -2 "$vigil" run -q -o "$name" -- ./prog 0
		[[ $output == *"--output would overwrite $name, the program to be measured"* ]]
	done
	PATH=$PWD:$PATH run -2 "$vigil" run -q -o hard -- prog 0
	background ./prog 20
	wait_for test "/proc/$pid/exe" -ef prog
	run -2 "$vigil" attach -q -d 1 -o hard "$pid"
	kill "$pid"
	cmp prog kept
	[ -L soft ]
}

@test "run: control statements" {
	run -0 "$vigil" run -q -c 'ADD ANY,SAMPLES=2000,SESSION=5' -- true
	run -0 "$vigil" run -q -c PROFILER -c 'FUNCTION=INIT,SAMPLING=ON,INTERVAL=500' -c FUNCTION=START -c END-PROFILER -- true
	echo "ADD *,PROGRAM=tr%e" >cards
	run -0 "$vigil" run -q --control cards -- true
	run -0 --separate-stderr "$vigil" run -q -c "REPORT REPORTS=MSD" -- true
	[[ $output == *"MEASUREMENT SESSION DATA"* ]]
	run -0 "$vigil" run -q -c "REPORT FORMAT=JSON,DSNAME='x.json'" -- true
	run -0 python3 -m json.tool x.json
}

@test "run: a limit on the size of files takes the transactions only, and a note says so" {
	run -0 bash -c "ulimit -f 2000; exec '$vigil' run -q -o x.vprf -- sh -c 'i=0; while [ \$i -lt 40000 ]; do i=\$((i+1)); done'"
	[[ $output != *unmeasured* ]]
	run -0 "$vigil" report -r MSD x.vprf
	[[ $output == *"VIG3009W transactions that the step names are not recorded: cannot create the transaction area: File too large"* ]]
	[[ $output == *"ELAPSED "*" EXECUTING + "* ]]
	run -0 "$vigil" run -q -o y.vprf -- true
	run -0 "$vigil" report -r MSD y.vprf
	[[ $output != *VIG3009W* ]]
}

@test "run: ^Z at the terminal stops vigil and the command, and the time is STOPPED" {
	cat >job.py <<-'EOF'
		import os, pty, signal, sys, time
		pid, terminal = pty.fork()
		if pid == 0:
		    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
		    job = os.fork()
		    if job == 0:
		        os.setpgid(0, 0)
		        os.tcsetpgrp(0, os.getpid())
		        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
		        os.execvp(sys.argv[1], sys.argv[1:])
		    _, status = os.waitpid(job, os.WUNTRACED)
		    if not os.WIFSTOPPED(status):
		        os._exit(99)
		    time.sleep(1.5)
		    os.tcsetpgrp(0, job)
		    os.killpg(job, signal.SIGCONT)
		    _, status = os.waitpid(job, 0)
		    os._exit(os.waitstatus_to_exitcode(status))
		for _ in range(400):
		    if os.path.exists("ready"):
		        break
		    time.sleep(0.05)
		os.write(terminal, b"\x1a")
		_, status = os.waitpid(pid, 0)
		sys.exit(os.waitstatus_to_exitcode(status))
	EOF
	# The command runs under vigil, and in the foreground of the terminal, when it prints that; before, ^Z would
	# stop what is not measured yet.
	run -0 python3 job.py "$vigil" run -q -o x.vprf -- sh -c ': >ready; exec sleep 3'
	run -0 "$vigil" report -r WTM -f csv x.vprf
	# It was stopped for a second and a half of three.
	grep -E '^WTM,.*,STOPPED,' <<<"$output"
	# None of that is unknown: a wait that no look saw is short.
	awk -F, '$4 == "UNKNOWN" && $9 > 50e6 { exit 1 }' <<<"$output"
}

@test "messages show control characters of names escaped" {
	name=$'no\e[31m\nfile\r'
	run -8 "$vigil" report "$name"
	[[ $output == *'no\033[31m\nfile\r'* ]]
	[[ $output != *$'\e'* && $output != *$'\r'* ]]
	[ "${#lines[@]}" -eq 1 ]
	printf '//J JOB\n//S EXEC PGM=IEFBR14,NONE=1\n' >"$name"
	run -12 "$vigil" check "$name"
	[[ $output == 'no\033[31m\nfile\r:2:'* ]]
	[[ $output != *$'\e'* && $output != *$'\r'* ]]
	run -101 "$vigil" submit "$name"
	[[ $output != *$'\e'* && $output != *$'\r'* ]]
	run -127 "$vigil" run "./$name.x"
	[[ $output != *$'\e'* && $output != *$'\r'* ]]
}

@test "-c is a STATEMENT and --control a FILE, in submit, check, run and attach" {
	echo 'ADD NO*' >night.ctl
	cat >deck.jcl <<-'EOF'
		//J        JOB
		//S        EXEC PGM=IEFBR14
	EOF
	background sleep 600
	for with in "submit deck.jcl" "check deck.jcl" "run -q -- true" "attach -q -d 1 $pid"; do
		command=${with%% *} rest=${with#* }
		# shellcheck disable=SC2086
		{
			run -0 "$vigil" "$command" --control night.ctl $rest
			run -0 "$vigil" "$command" -c 'ADD *' -c 'REPORT REPORTS=MSD,DSNAME='"'msd'" $rest
			run -0 "$vigil" "$command" --statement 'ADD *' $rest
			for file in night.ctl -; do
				run -2 "$vigil" "$command" -c "$file" $rest
				[[ $output == *"-c takes a control statement, and $file is a file: use --control $file"* ]]
			done
			run "$vigil" "$command" -c 'ADD *,SAMPLES=5' $rest
			[[ $output == *"-c:1:15: VIG2107E"* ]]
			run "$vigil" "$command" -c "REPORT INPUT='x.vprf'" $rest
			[[ $output == *"-c:1:8: VIG0024E"* ]]
			[ "$status" -ne 0 ]
			run "$vigil" "$command" --control no-such-file $rest
			[[ $output == *"VIG0035E"*"no-such-file"* ]]
			[ "$status" -ne 0 ]
		}
	done
	kill "$pid"
	# Operands of -c for all jobs hold for their steps.
	run -0 "$vigil" submit --spool measured -c 'ADD *,PROGRAM=IEFBR14' deck.jcl
	[[ $output == *VIG5305I* ]]
	ls measured/JOB*/*.vprf
	# A file with the name of a statement does not replace it.
	touch REPORT
	run "$vigil" check -c REPORT deck.jcl
	[[ $output != *"is a file"* ]]
}

@test "REPORT INPUT= is an error in DD VIGIL and in --control of submit" {
	cat >deck.jcl <<-'EOF'
		//J        JOB
		//S        EXEC PGM=IEFBR14
		//VIGIL    DD *
		  ADD *
		  REPORT INPUT='other.vprf'
		/*
	EOF
	run -12 "$vigil" check deck.jcl
	[[ $output == *"deck.jcl:5:10: VIG5307E INPUT cannot be given in DD VIGIL"* ]]
	printf "ADD *\nREPORT INPUT='other.vprf'\n" >night.ctl
	sed -i 5d deck.jcl
	run -0 "$vigil" check deck.jcl
	run -12 "$vigil" check --control night.ctl deck.jcl
	[[ $output == *"night.ctl:2:8: VIG0024E INPUT cannot be given here: the report is on the steps"* ]]
	run -101 "$vigil" submit --control night.ctl deck.jcl
	[[ $output == *"night.ctl:2:8: VIG0024E"* ]]
	[ ! -e spool ]
}

@test "run: wrong control statements, and nothing is run" {
	wrong() {
		run "-$1" --separate-stderr "$vigil" run -q "${@:3}" -- sh -c 'echo ran >witness'
		[[ $stderr == *"$2"* ]]
		[ ! -e witness ]
	}
	wrong 8 "-c:1:15: VIG2107E" -c 'ADD *,SAMPLES=5'
	wrong 8 VIG0016E -c 'ADD *' -c 'ADD *'
	wrong 8 VIG0018E -c 'ADD *,PROGRAM=PAY*'
	wrong 8 VIG0022E --samples 2000 -c 'ADD *,SAMPLES=2000'
	wrong 8 VIG0022E --rate 100 -c 'ADD *,SESSION=5'
	wrong 8 VIG6810E -c 'LIST'
	wrong 8 VIG0010E -c 'REPORT REPORTS=XYZ'
	wrong 8 "-c:1:8: VIG0024E" -c "REPORT INPUT='x.vprf'"
	wrong 8 "no-such-file" --control no-such-file
	wrong 2 "--rate takes" --rate 1000000
	wrong 2 "--rate takes" --rate 0
	wrong 2 "--samples takes" --samples 10
	wrong 2 "--samples takes" --samples 0
	wrong 2 "--privilege takes" --privilege root
	wrong 2 "--rate takes a number" --rate fast
	run -0 "$vigil" run -q -c 'ADD *,STEP=CALC' -- true
	[[ $output == *VIG0017W* ]]
}

@test "run: SIGTERM, SIGHUP and SIGINT to vigil reach the command, and the profile is whole" {
	# No shell: bash may lose a SIGINT that arrives when the command it waits for ends.
	cat >told.py <<-'END'
		import signal, sys, time
		def take(number, frame):
		    open("ready." + sys.argv[1], "w").write("got " + signal.Signals(number).name[3:])
		    sys.exit(9)
		signal.signal(signal.Signals["SIG" + sys.argv[1]], take)
		open("ready", "w").close()
		time.sleep(50)
	END
	for signal in TERM HUP INT QUIT; do
		rm -f ready told.vprf
		# Not in the background of a shell without job control, or under nohup, which ignore some of them.
		background python3 -c 'import os, sys, signal
for s in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP): signal.signal(s, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$vigil" run -q -o told.vprf -- python3 told.py $signal
		wait_for test -e ready
		kill "-$signal" "$pid"
		status=0
		wait "$pid" || status=$?
		[ "$status" -eq 9 ]
		[ "$(cat "ready.$signal")" = "got $signal" ]
		run -0 "$vigil" report told.vprf
	done
}

@test "run: ^C at the terminal reaches the command, and the profile is whole" {
	python3 -c '
import os, pty, select, signal, sys, time
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
end = time.time() + 20
while not os.path.exists("ready") and time.time() < end:
    time.sleep(0.05)
os.write(terminal, b"\x03")
while time.time() < end:
    try:
        if select.select([terminal], [], [], 0.2)[0] and not os.read(terminal, 4096):
            break
    except OSError:
        break
else:
    os.kill(pid, signal.SIGKILL)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))' \
		"$vigil" run -- python3 -c '
import signal, time
caught = []
signal.signal(signal.SIGINT, lambda *_: caught.append(1))
open("ready", "w").close()
while not caught:
    time.sleep(0.05)
time.sleep(0.3)
open("caught", "w").write(str(len(caught)))
raise SystemExit(4)' || status=$?
	[ "$status" -eq 4 ]
	[ "$(cat caught)" -eq 1 ]
	run -0 "$vigil" report python3.vprf
}

@test "run: processes left behind are waited for, a signal or --no-wait ends that" {
	"$vigil" run -q -- sh -c '(sleep 1.5; echo over >over) & exit 3' 3>&- || [ $? -eq 3 ]
	[ -e over ]
	# A process that is not waited for continues, and nothing else ends it.
	"$vigil" run -q --no-wait -- sh -c 'sleep 600 & echo $! >left; exit 3' 3>&- || [ $? -eq 3 ]
	kill -0 "$(cat left)"
	kill "$(cat left)"
	rm left
	background "$vigil" run -- sh -c 'sleep 600 & echo $! >left' 2>notice
	wait_for grep -q "left behind" notice
	kill -TERM "$pid"
	wait "$pid"
	kill -0 "$(cat left)"
	kill "$(cat left)"
	[ -s sh.vprf ]
}

@test "attach: what is not a process" {
	run -2 "$vigil" attach abc
	run -2 "$vigil" attach 0
	run -2 "$vigil" attach -- -5
	run -2 "$vigil" attach 12 13
	run -2 "$vigil" attach --duration 0 $$
	run -8 "$vigil" attach 999999999
	[[ $output == *"there is no process 999999999"* ]]
	if [ "$(id -u)" -ne 0 ]; then
		run -8 "$vigil" attach 1
		[[ $output == *"it belongs to another user"* ]]
	fi
}

@test "attach: a program that may not be read is guarded by the kernel" {
	ordinary_folder
	cp "$(command -v sleep)" unread
	chmod 111 unread
	background "${ordinary[@]}" ./unread 30
	wait_for grep -qx unread "/proc/$pid/comm"
	run "${ordinary[@]}" "$vigil" attach -q -d 1 -o unread.vprf "$pid"
	kill "$pid"
	[ "$status" -eq 8 ]
	[[ $output == *"cannot observe process $pid: the kernel protects it, because its program is not readable"* ]]
	[ ! -e unread.vprf ]
}

# bats test_tags=as:root
@test "run: CPU time of a set-user-ID program that an ordinary user could not observe is said" {
	ordinary_folder
	cc -O1 -o plain "$VIGIL_SOURCE/tests/programs/shares.c" || skip "no C compiler"
	setuid_program plain shares
	run -0 "${ordinary[@]}" "$vigil" run -q -o shares.vprf -- ./shares 1000
	run -0 "${ordinary[@]}" "$vigil" report shares.vprf
	[[ $output =~ "VIG6012W the step used 1."[0-9]+" s of CPU time, but only 0.0"[0-9]+" s could be observed" ]]
	[[ $output == *"ELAPSED "[1-9]*" s, OF WHICH ONLY "*" ms COULD BE OBSERVED"* ]]
	run -0 "${ordinary[@]}" "$vigil" run -q -o plain.vprf -- ./plain 300
	run -0 "${ordinary[@]}" "$vigil" report plain.vprf
	[[ $output == *half* ]]
	[[ $output != *VIG6012W* ]]
}

@test "attach: until the time is over, a signal comes or the process ends" {
	background sh -c 'ulimit -t 60; while :; do :; done'
	busy=$!
	run -0 "$vigil" attach -q --duration 1 -o one.vprf "$busy"
	run -0 "$vigil" report --report MSD one.vprf
	background "$vigil" attach -q -o two.vprf "$busy"
	wait_for test -s two.vprf
	kill -TERM "$pid"
	wait "$pid"
	kill -0 "$busy"
	background "$vigil" attach -q -o three.vprf "$busy"
	wait_for test -s three.vprf
	kill "$busy"
	wait "$pid"
	for file in one two three; do
		run -0 "$vigil" report "$file.vprf"
	done
}

@test "report: a signal leaves no half-written file" {
	profile p.vprf
	echo old >listing
	# It cannot end before the signal: the pipe is never written to.
	mkfifo endless
	background "$vigil" report -o listing p.vprf endless
	local pid=$!
	wait_for compgen -G 'listing.*.part'
	kill -TERM $pid
	status=0
	wait $pid || status=$? # not run: its shell is not the parent
	[ "$status" -eq 143 ]
	run -1 compgen -G 'listing.*.part'
	[ "$(cat listing)" = old ]
}

@test "submit: standard output that cannot be written: a message, and the job's own status" {
	[ -w /dev/full ] || skip "there is no /dev/full"
	printf '//J JOB\n//S EXEC PGM=BPXBATCH,PARM='"'SH exit 4'"'\n' >j.jcl
	run -4 bash -c '"$0" submit j.jcl 2>&1 >/dev/full' "$vigil"
	[[ $output == *VIG0039W* ]]
	grep -q "return code 0004" spool/*/JESMSGLG
}

@test "submit: spool and root with blanks in their paths" {
	run -0 "$vigil" submit --spool "s p" --root "r t" "$VIGIL_SOURCE/jcl-examples/sort.jcl"
	[ -s "s p"/*/SHOW.SYSUT2 ]
}

@test "submit: on a terminal the log does not stand on the progress line" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	printf '//J JOB\n//S EXEC PGM=BPXBATCH,PARM='"'SH sleep 1'"'\n//VIGIL DD *\n ADD J\n/*\n' >j.jcl
	# The first line comes with the first look; its seconds do not exceed the total, by a clock that cannot be
	# set.
	read -r start _ </proc/uptime
	python3 -c 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]))' "$vigil" submit j.jcl </dev/null >shown
	read -r end _ </proc/uptime
	seconds=$(grep -Eao "vigil: [0-9]+ s, CPU [0-9]+[.][0-9] s, [0-9]+ samples" shown | sed -n '1s/vigil: \([0-9]*\) s.*/\1/p')
	[ -n "$seconds" ]
	[ "$seconds" -le $((${end%.*} - ${start%.*} + 1)) ]
	run -1 grep -a "samples.\[K[0-9]" <(tr '\033' '.' <shown)
}

@test "report: bad options" {
	profile a.vprf
	run -2 --separate-stderr "$vigil" report --report XYZ a.vprf
	[[ $stderr == *"unknown report code 'XYZ'"*MSD*PSU* ]]
	run -2 "$vigil" report --report , a.vprf
	run -2 "$vigil" report --format troff a.vprf
	run -2 "$vigil" report --lines 5 a.vprf
	run -2 "$vigil" report --baseline 101 a.vprf
	run -2 "$vigil" report --resolution 70000 a.vprf
	run -2 "$vigil" report --resolution 0 a.vprf
	run -2 "$vigil" report -o a.vprf a.vprf
	run -0 "$vigil" report a.vprf
}

@test "report: the codes, one, several, in either case" {
	profile a.vprf
	run -0 "$vigil" report --report list
	[[ $output == *MSD* ]]
	run -0 "$vigil" report --report msd a.vprf
	[[ $output == *"MEASUREMENT SESSION DATA"* ]]
	[[ $output != *"PROGRAM SECTION USAGE"* ]]
	run -0 "$vigil" report -r MSD,PSU -f csv a.vprf
	run -0 "$vigil" report -r MSD -r PSU a.vprf
	[[ $output == *"MEASUREMENT SESSION DATA"*"PROGRAM SECTION USAGE"* ]]
}

@test "report: files that are no sample data sets" {
	run -8 "$vigil" report no-such-file
	[[ $output == *no-such-file* ]]
	: >empty
	run -8 "$vigil" report empty
	echo "some text, long enough to be looked at" >text
	run -8 "$vigil" report text
	run -8 "$vigil" report .
	profile a.vprf
	run -8 "$vigil" report a.vprf text
	[[ $output == *"MEASUREMENT SESSION DATA"* ]]
}

@test "report: a damaged file is printed as far as it goes, status 4" {
	profile a.vprf
	size=$(stat -c %s a.vprf)
	head -c $((size - 20)) a.vprf >b.vprf
	run -4 --separate-stderr "$vigil" report b.vprf
	[[ $stderr == "vigil: VIG0014W b.vprf is damaged: "* ]]
	[[ $output == *"MEASUREMENT SESSION DATA"* ]]
}

@test "report: every kind of damage, on every device" {
	local file format
	for file in "$VIGIL_SOURCE"/tests/dataset/*.vprf; do
		for format in text csv json; do
			run --separate-stderr "$vigil" report --margins -f $format "$file"
			case ${file##*/} in
			version-1.2.vprf) [[ $status -eq 8 && $stderr == *"holds system metrics and no measurement session"* ]] ;;
			version-*) [ "$status" = 0 ] ;;
			*) [[ $status =~ ^[48]$ && $stderr == *VIG00* ]] ;;
			esac || { echo "$file $format: status $status, $stderr"; return 1; }
		done
	done
}

@test "report: an output that cannot be written" {
	[ -w /dev/full ] || skip "no /dev/full here"
	profile a.vprf
	run -8 --separate-stderr bash -c "'$vigil' report a.vprf >/dev/full"
	[[ $stderr == *"No space left"* ]]
	run -8 "$vigil" report -o /dev/full a.vprf
	run -8 "$vigil" report -o /no/such/folder/x a.vprf
	run -8 "$vigil" report -o . a.vprf
	run --separate-stderr bash -c "'$vigil' report -r MSD,PSU,PUP,WTM --lines 0 a.vprf | head -c 10 >/dev/null"
	[ -z "$stderr" ]
}

@test "report: -o leaves the old file when something is wrong" {
	profile a.vprf
	echo old >listing
	run -8 "$vigil" report -o listing no-such-file
	[ "$(cat listing)" = old ]
	run -0 "$vigil" report -o listing -r MSD a.vprf
	grep -q "MEASUREMENT SESSION DATA" listing
	run ls
	[[ $output != *part* ]]
}

@test "control: statements from a file and from standard input" {
	profile a.vprf
	echo "REPORT INPUT='a.vprf',REPORTS=(MSD)" >cards
	run -0 --separate-stderr "$vigil" control cards
	[[ $output == *"MEASUREMENT SESSION DATA"* ]]
	[[ $stderr == *VIG0012I* ]]
	run -0 bash -c "'$vigil' control <cards"
	run -0 bash -c "'$vigil' control - <cards"
	run -0 bash -c "echo \"REPORT INPUT=SAMPLES,FORMAT=CSV,DSNAME=OUT\" | DD_SAMPLES=a.vprf DD_OUT=out.csv '$vigil' control"
	[ -s out.csv ]
}

@test "control: statements that cannot be carried out" {
	run -4 "$vigil" control /dev/null
	[[ $output == *VIG0020W* ]]
	run -8 bash -c "echo 'CHANGE PAY,SAMPLES=2000' | '$vigil' control"
	[[ $output == *"<stdin>:1:1: VIG6801E"* ]]
	run -8 bash -c "echo 'REPORT PAY' | '$vigil' control"
	[[ $output == *VIG0015E* ]]
	run -8 bash -c "echo \"REPORT INPUT='no-such-file'\" | '$vigil' control"
	[[ $output == *VIG0013E*no-such-file* ]]
	run -8 bash -c "echo 'REPORT INPUT=NOTHERE' | '$vigil' control"
	[[ $output == *VIG0019E* ]]
	run -8 "$vigil" control no-such-file
	run -2 "$vigil" control a b
}

@test "control: one error and nothing is carried out" {
	profile a.vprf
	printf "REPORT INPUT='a.vprf'\nREPORT INPUT='a.vprf',REPORTS=(\n" >cards
	run -8 --separate-stderr "$vigil" control cards
	[ -z "$output" ]
	[[ $stderr == *"cards:2:"*VIG2004E*"expected"* ]]
}

@test "check: good decks, bad decks, no decks" {
	printf '%s\n' '//GOOD JOB' '//S1 EXEC PGM=IEFBR14' >good.jcl
	run -0 "$vigil" check good.jcl
	[ -z "$output" ]
	run -0 bash -c "'$vigil' check - <good.jcl"
	printf '%s\n' '//BAD JOB' '//S1 EXEC PGM=IEFBR14' '//D DD DISP=(NEU)' >bad.jcl
	run -12 --separate-stderr "$vigil" check good.jcl bad.jcl
	[[ $stderr == *"bad.jcl:3:"*VIG1* ]]
	run -12 "$vigil" check no-such-file
	run -12 "$vigil" check /dev/null
	run -0 "$vigil" check --print good.jcl
	[[ $output == *IEFBR14* ]]
}

@test "check: control cards in the deck, with the deck's line" {
	printf '%s\n' '//GOOD JOB' '//S1 EXEC PGM=IEFBR14' '//VIGIL DD *' '  ADD GOOD,' '      SAMPLES=5' '/*' >cards.jcl
	run -12 "$vigil" check cards.jcl
	[[ $output == *"cards.jcl:5:15: VIG2107E"* ]]
	printf '%s\n' '//GOOD JOB' '//S1 EXEC PGM=IEFBR14' '//VIGIL DD *' ' PROFILER' ' FUNCTION=INIT,SAMPLING=ON' ' FUNCTION=START' ' END-PROFILER' '/*' >block.jcl
	run -0 "$vigil" check block.jcl
	sed -i 's/PGM=IEFBR14/PGM=VIGIL/; s/DD VIGIL/DD SYSIN/; s,^//VIGIL,//SYSIN,' block.jcl
	run -0 "$vigil" check block.jcl
	sed -i 's/SAMPLING=ON/COVERAGE=ON/' block.jcl
	run -0 "$vigil" check block.jcl
	printf '%s\n' '//GOOD JOB' '//S1 EXEC PGM=VIGIL' '//SYSPRINT DD SYSOUT=*' '//SYSIN DD *' '  REPORT REPORTS=XYZ' '/*' >sysin.jcl
	run -12 "$vigil" check sysin.jcl
	[[ $output == *"sysin.jcl:5:"*VIG0010E* ]]
}

@test "submit: an error anywhere, and nothing runs" {
	printf '%s\n' '//GOOD JOB' '//S1 EXEC PGM=IEFBR14' >good.jcl
	printf '%s\n' '//BAD JOB' '//S1 EXEC PGM=IEFBR14' '//D DD DISP=(NEU)' >bad.jcl
	run -101 "$vigil" submit good.jcl bad.jcl
	[[ $output != *"job GOOD started"* ]]
	[ "$(ls spool)" = JOB00001.BAD ] # its listings, by statement number
	grep -q '^ *3 VIG1103E' spool/JOB00001.BAD/JESJCL
	rm -r spool
	run -101 "$vigil" submit good.jcl no-such-file
	[ ! -e spool ]
	echo 'ADD GOOD,SAMPLES=5' >cards
	run -101 "$vigil" submit --control cards good.jcl
	[[ $output == *"cards:1:18: VIG2107E"* ]]
	[ ! -e spool ]
	run -101 "$vigil" submit --control no-such-file good.jcl
	run -2 "$vigil" submit --proclib no-such-folder good.jcl
	run -2 "$vigil" submit --steplib no-such-folder good.jcl
}

@test "submit: jobs run, with spool and root from options or the environment" {
	printf '%s\n' '//GOOD JOB' '//S1 EXEC PGM=IEFBR14' >good.jcl
	run -0 "$vigil" submit --spool s1 --root r1 good.jcl good.jcl
	[ "$(ls -d s1/JOB*GOOD | wc -l)" -eq 2 ]
	VIGIL_SPOOL=s2 VIGIL_ROOT=r2 run -0 "$vigil" submit good.jcl
	[ "$(ls -d s2/JOB*GOOD | wc -l)" -eq 1 ]
	run -0 "$vigil" submit good.jcl
	[ "$(ls -d spool/JOB*GOOD | wc -l)" -eq 1 ]
}

@test "submit: the highest return code, 99 above 98, 100 for an abend" {
	job() {
		printf '%s\n' "//$1 JOB" "//S1 EXEC PGM=BPXBATCH,PARM='SH exit $2'" >"$1.jcl"
	}
	job FOUR 4
	job SEVEN 7
	run -7 "$vigil" submit SEVEN.jcl FOUR.jcl
	printf '%s\n' '//NONE JOB' '//S1 EXEC PGM=NOTTHERE' >none.jcl
	run -100 "$vigil" submit FOUR.jcl none.jcl
}

@test "PGM=VIGIL reports on earlier steps of its job" {
	printf '%s\n' '//VJOB JOB' '//CALC EXEC PGM=BPXBATCH,' \
		"//  PARM='SH i=0; while [ \$i -lt 40000 ]; do i=\$((i+1)); done'" \
		'//VIGIL DD *' '  ADD VJOB' '/*' \
		'//PROFILE EXEC PGM=VIGIL' '//SYSPRINT DD SYSOUT=*' \
		'//CSV DD DSN=PAY.PROFILE.CSV,DISP=(NEW,CATLG)' '//SYSIN DD *' \
		'  REPORT *,STEP=CALC,FORMAT=CSV,DSNAME=CSV' '  REPORT *,STEP=CALC,REPORTS=MSD' '/*' >v.jcl
	run -0 "$vigil" submit v.jcl
	grep -q "MEASUREMENT SESSION DATA" spool/JOB*VJOB/PROFILE.SYSPRINT
	grep -q "VIG0012I" spool/JOB*VJOB/PROFILE.SYSPRINT
	grep -q "^MSD," data/PAY.PROFILE.CSV
	sed 's/STEP=CALC,REPORTS/STEP=OTHER,REPORTS/; s/VJOB/WJOB/' v.jcl | sed 's/DISP=(NEW/DISP=(MOD/' >w.jcl
	run -8 "$vigil" submit w.jcl
	grep -q "VIG0015E" spool/JOB*WJOB/PROFILE.SYSPRINT
}

# bats test_tags=as:root
@test "completion: words from the program's tables" {
	[ -e "$VIGIL_SOURCE/session/commands/completion/vigil" ] || skip "not in this copy of the source"
	complete_words() {
		bash -c '
			source "$1"; shift
			COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
			_vigil; printf "%s\n" "${COMPREPLY[@]}"' bash \
			"$VIGIL_SOURCE/session/commands/completion/vigil" "$vigil" "$@"
	}
	run complete_words repo
	[ "$output" = report ]
	run complete_words run --sa
	[ "$output" = --samples ]
	run complete_words report --format j
	[ "$output" = json ]
	run complete_words report -f c
	[ "$output" = csv ]
	run complete_words report --report MS
	[ "$output" = MSD ]
	run complete_words submit --no
	[ -z "$output" ]
}

@test "procedure libraries: options instead of VIGIL_PROCLIB, no empty names, vigil's own behind them" {
	mkdir one two
	printf '//P PROC\n//G EXEC PGM=IEFBR14\n' >one/P
	cp one/P two/Q
	printf '//A JOB\n//S EXEC P\n//T EXEC IGYWCL\n//COBOL.SYSIN DD DUMMY\n//LKED.SYSLMOD DD DUMMY\n' >own.jcl
	printf '//A JOB\n//S EXEC P\n' >p.jcl
	printf '//A JOB\n//S EXEC Q\n' >q.jcl
	run -0 "$vigil" check --proclib one own.jcl
	VIGIL_PROCLIB=two:one run -0 "$vigil" check own.jcl
	VIGIL_PROCLIB=two run -12 "$vigil" check --proclib one q.jcl
	VIGIL_PROCLIB=:two::one: run -0 "$vigil" submit p.jcl
	VIGIL_PROCLIB= VIGIL_SPOOL= VIGIL_ROOT= run -0 "$vigil" submit --proclib one p.jcl
	[ -d spool ]
}

@test "a file of statements is no value of -c, standard input neither" {
	printf '//A JOB\n//S EXEC PGM=IEFBR14\n' >a.jcl
	run -2 "$vigil" submit -c - a.jcl </dev/null
	[[ $output == *'use --control -'* ]]
}

@test "PROFILER blocks stand in DD VIGIL of a step, and in SYSIN of PGM=VIGIL for the steps after it" {
	for dd in VIGIL SYSIN; do
		printf '//A JOB\n//S EXEC PGM=VIGIL\n//%s DD *\n%s\n%s\n%s\n%s\n/*\n' $dd PROFILER \
			FUNCTION=INIT,SAMPLING=ON FUNCTION=START END-PROFILER >$dd.jcl
	done
	run -0 "$vigil" check VIGIL.jcl
	run -0 "$vigil" check SYSIN.jcl
	sed -n 3,7p SYSIN.jcl >statements
	run -8 "$vigil" control <(sed '1d; s/,SAMPLING=ON//' statements)
	[[ $output == *"VIG0011E no step starts here that could be measured"* ]]
}

@test "sessions: the name of the second, the rate of a length, a limit that ends nothing" {
	mkdir a.b
	loop='i=0; while [ $i -lt 350000 ]; do i=$((i+1)); done'
	# A fully loaded machine takes fewer samples per second: the program continues until there are 1000, or for
	# ten times as long.
	run -0 "$vigil" run -q --rate 9000 --cost 100 -o a.b/prof -c 'ADD *,SAMPLES=1000,LIMIT=2' -- \
		sh -c 'ulimit -t 60; i=0; while [ ! -e a.b/prof.2 ] && [ $i -lt 3500000 ]; do i=$((i+1)); done'
	[ -f a.b/prof ]
	[ -f a.b/prof.2 ]
	for longer in 350000 3500000; do
		run -0 "$vigil" run -q --rate 9000 --cost 100 -o n.vprf -c 'ADD *,SAMPLES=1000,LIMIT=(1,NOLIMIT)' -- sh -c "${loop/350000/$longer}"
		[ ! -e n.2.vprf ]
		run -0 "$vigil" report -f csv -r MSD n.vprf
		[[ $output == *'final_action,NOLIMIT,'* ]]
		taken=$(sed -n 's/.*samples_taken,\([0-9]*\),.*/\1/p' <<<"$output")
		[ "$taken" -le 1000 ] || break
	done
	[ "$taken" -gt 1000 ]
	# 1001 samples in 10 minutes are 1.67 a second: rounded up, they all fit.
	run -0 "$vigil" run -q -o s.vprf -c 'ADD *,SAMPLES=1001,SESSION=10' -- sh -c "${loop/350000/40000}"
	run -0 "$vigil" report -f csv -r MSD s.vprf
	[[ $output == *'rate_initial,2,'* ]]
}
