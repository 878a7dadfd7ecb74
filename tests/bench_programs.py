# SPDX-License-Identifier: Apache-2.0
"""Programs that make bench measures: made here, or as text for an interpreter."""
import os
import subprocess

# A Python step that calls functions for some seconds of CPU time.
PYTHON_STEP = """import time
def inner(count):
    return sum(i * i for i in range(count))
def outer(count):
    return inner(count) + inner(count // 2)
while time.process_time() < %s:
    outer(1000)
"""

# What some processes of a machine do: they wake up now and then, take memory and read a file.
ACTIVE = """import random, sys, time
random.seed(int(sys.argv[1]))
while True:
    time.sleep(random.expovariate(float(sys.argv[2])))
    memory = [0] * random.randrange(10, 20000)
    open("/proc/self/stat").read()
"""
ALONE = """count=$1; python=$2; active=$3; shift 3
for i in 1 2 3 4; do "$python" -c "$active" $i 20 & done
for i in 5 6 7 8; do "$python" -c "$active" $i 2 & done
for i in 9 10 11 12 13 14; do "$python" -c "$active" $i 0.3 & done
for i in $(seq $((count - 16))); do sleep 300 & done
sleep 1; "$@"; code=$?; kill $(jobs -p); exit $code"""

# A program of five thousand lines, all of which are executed, as often as its argument says.
C_FUNCTION = """static unsigned f{0}(unsigned a)
{{
	unsigned r = a + {0};
	if (r % 3 == 0)
		r += 2;
	else
		r += 3;
	s += r;
	return r;
}}
"""
C_MAIN = """int main(int argc, char **argv)
{
	long times = argc > 1 ? strtol(argv[1], NULL, 10) : 1;

	for (long k = 0; k < times; k++)
		for (unsigned i = 0; i < sizeof(all) / sizeof(*all); i++)
			all[i](i + (unsigned)k);
	return 0;
}
"""
COBOL_PARAGRAPH = """       P-{0}.
           ADD {0} TO WS-SUM
           COMPUTE WS-REST = WS-SUM - 7
           IF WS-REST > WS-LIMIT
              MOVE 0 TO WS-SUM
           ELSE
              MOVE WS-REST TO WS-LAST
           END-IF
           SUBTRACT 1 FROM WS-SUM.
"""


def large_c(folder, count=500):
    """The program in C."""
    with open(os.path.join(folder, "large.c"), "w", encoding="utf-8") as file:
        file.write("#include <stdlib.h>\nstatic volatile unsigned s;\n")
        for i in range(count):
            file.write(C_FUNCTION.format(i))
        names = ", ".join(f"f{i}" for i in range(count))
        file.write(f"static unsigned (*const all[])(unsigned) = {{ {names} }};\n{C_MAIN}")
    subprocess.run(["gcc", "-g", "-O0", "-o", "large", "large.c"], cwd=folder, check=True)
    subprocess.run(["gcc", "-g", "-O0", "--coverage", "-o", "large-gcov", "large.c"], cwd=folder, check=True)
    return "large", "large-gcov"


def large_cobol(folder, count=550):
    """The program in COBOL."""
    with open(os.path.join(folder, "large.cob"), "w", encoding="utf-8") as file:
        file.write("       IDENTIFICATION DIVISION.\n       PROGRAM-ID. LARGE.\n       DATA DIVISION.\n"
                   "       WORKING-STORAGE SECTION.\n       01 WS-SUM PIC S9(9) COMP-5 VALUE 0.\n"
                   "       01 WS-REST PIC S9(9) COMP-5.\n       01 WS-LAST PIC S9(9) COMP-5.\n"
                   "       01 WS-LIMIT PIC S9(9) COMP-5 VALUE 1000.\n       01 WS-TIMES PIC 9(8).\n"
                   "       01 WS-TEXT PIC X(20).\n       PROCEDURE DIVISION.\n       MAIN-PARA.\n"
                   "           ACCEPT WS-TEXT FROM COMMAND-LINE\n"
                   "           COMPUTE WS-TIMES = FUNCTION NUMVAL (WS-TEXT)\n"
                   f"           PERFORM P-0 THRU P-{count - 1} WS-TIMES TIMES\n           STOP RUN.\n")
        for i in range(count):
            file.write(COBOL_PARAGRAPH.format(i))
    subprocess.run([os.environ.get("COBC") or "cobc", "-x", "-g", "-o", "large", "large.cob"], cwd=folder, check=True)
    return "large", None
