#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""
Does to vigil what an attacker does, for an hour: kills it, its steps, its guard and its monitor at random moments,
fills disks, cancels, runs many jobs at once. After each round the next job runs, and then nothing may be harmed
or left behind. "make soak"; SOAK_SECONDS is how long, SOAK_SEED repeats what was done (not when it happens).

The last lines are a table: a line for each kind of round, with how many there were, how many hit something that
still ran, the samples lost (seconds before the kill that the data set does not have, the most of all rounds),
what was harmed, and what was left behind. The exit status is 1 when anything was. ^C or SIGTERM ends the soak after its
round, with the table.
"""
import glob
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

BUILD, SOURCE = os.environ['VIGIL_BUILD'], os.environ['VIGIL_SOURCE']
VIGIL, IDCAMS = BUILD + '/vigil', BUILD + '/utilities/programs/idcams'
SECONDS = float(os.environ.get('SOAK_SECONDS', '3600'))
SEED = int(os.environ.get('SOAK_SEED', '0')) or random.SystemRandom().randrange(1, 10 ** 9)
FINAL = ('ENDED', 'ABENDED', 'JCLERROR', 'NOTRUN', 'CANCELED', 'KILLED')
WHOLE = 300000
DECK = """//SOAK     JOB
//CLEAN    EXEC PGM=IEFBR14
//OUT      DD DSN=MY.OUT,DISP=(MOD,DELETE)
//LIB      DD DSN=MY.LIB,DISP=(MOD,DELETE)
//S1       EXEC PGM=BPXBATCH,
// PARM='SH cat whole.txt >$DD_OUT||kill -9 $$'
//OUT      DD DSN=MY.OUT,DISP=(NEW,CATLG,DELETE)
//S2       EXEC PGM=BPXBATCH,
// PARM='SH cat whole.txt >$DD_LOG||kill -9 $$'
//LOG      DD DSN=MY.LOG,DISP=MOD
//S3       EXEC PGM=BPXBATCH,
// PARM='SH cat whole.txt >$DD_GEN||kill -9 $$'
//GEN      DD DSN=MY.GEN(+1),DISP=(NEW,CATLG,DELETE)
//S4       EXEC PGM=BPXBATCH,
// PARM='SH cat whole.txt >$DD_LIB/MEMBER||kill -9 $$'
//LIB      DD DSN=MY.LIB,DISP=(NEW,CATLG,DELETE),DSORG=PO
//S5       EXEC PGM=BPXBATCH,
// PARM='SH (env -i setsid sleep 0.3 &) ; sleep 0.1'
//S6       EXEC PGM=IDCAMS
//SYSIN    DD *
  DELETE MY.KSDS
  SET MAXCC = 0
  DEFINE CLUSTER(NAME(MY.KSDS) KEYS(8 0) RECORDSIZE(80 80))
  DEFINE GDG(NAME(MY.BASE) LIMIT(3) SCRATCH)
  ALTER MY.BASE LIMIT(4)
  DELETE MY.BASE GDG
/*
"""
MEASURED = """//SOAK     JOB
//S1       EXEC PGM=SPIN,PARM='1.5'
//VIGIL    DD *
  ADD SOAK
"""
CATALOGUE = """ DEFINE CLUSTER(NAME(C.KSDS) KEYS(8 0) RECORDSIZE(80 80))
 DEFINE GDG(NAME(C.GDG) LIMIT(3) SCRATCH)
 DEFINE ALIAS(NAME(C.ALIAS) RELATE(C.KSDS))
 ALTER C.GDG LIMIT(5)
 ALTER C.KSDS NEWNAME(C.OTHER)
 ALTER C.OTHER NEWNAME(C.KSDS)
 DELETE C.ALIAS ALIAS
 DELETE C.GDG GDG
 DELETE C.KSDS
"""
SPIN = """#!/usr/bin/env python3
import sys, time
end = time.time() + float(sys.argv[1])
n = 0
while time.time() < end:
    n += sum(range(1000)) % 7
if len(sys.argv) > 2:
    open(sys.argv[2], 'w').write('done')
"""


class Soak:
    """One folder with everything in it, and what was found so far."""

    def __init__(self, chance):
        self.chance, self.table, self.round = chance, {}, 0
        self.kind = None
        self.work = tempfile.mkdtemp(prefix='vigil-soak-')
        os.chmod(self.work, 0o755)
        os.chdir(self.work)
        self.fresh()

    def fresh(self):
        """Begin with an empty root and spool."""
        for name in ('root', 'spool', 'bin'):
            shutil.rmtree(name, ignore_errors=True)
        os.mkdir('root')
        os.mkdir('bin')
        open('root/MY.LOG', 'w').close()
        open('whole.txt', 'w').write('x' * (WHOLE - 1) + '\n')
        open('bin/SPIN', 'w').write(SPIN)
        os.chmod('bin/SPIN', 0o755)
        # Each step has its own folder.
        open('soak.jcl', 'w').write(DECK.replace('whole.txt', '&SYSDECK/whole.txt'))
        open('measured.jcl', 'w').write(MEASURED)
        open('next.jcl', 'w').write('//NEXT     JOB\n//S1       EXEC PGM=IEFBR14\n//OUT      DD DSN=NEXT.OUT,DISP=(NEW,CATLG)\n'
                                    '//S2       EXEC PGM=IEFBR14\n//OUT      DD DSN=NEXT.OUT,DISP=(OLD,DELETE)\n')

    def entry(self):
        return self.table.setdefault(self.kind, {'rounds': 0, 'hits': 0, 'lost': 0.0, 'harmed': [], 'left': []})

    def harmed(self, what):
        self.entry()['harmed'].append(what)
        print('round %d, %s: HARMED: %s' % (self.round, self.kind, what), flush=True)

    def left(self, what):
        self.entry()['left'].append(what)
        print('round %d, %s: LEFT: %s' % (self.round, self.kind, what), flush=True)

    def submit(self, deck, *options, where='.'):
        return subprocess.Popen([VIGIL, 'submit', '--spool', where + '/spool', '--root', where + '/root', '--steplib', 'bin',
                                 *options, deck], stdout=open('log', 'wb'), stderr=subprocess.STDOUT)

    def wait(self, process, seconds=60):
        """Its exit status; one that does not end is a harm, and is killed."""
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.harmed('process %s did not end in %d seconds' % (process.args[1], seconds))
            process.kill()
            return process.wait()


def running(soak, process):
    """The numbers of processes that a round may kill: of the submit, its guard, its steps."""
    found = [process.pid]
    for entry in glob.glob('/proc/[0-9]*/stat'):
        try:
            text = open(entry).read()
        except OSError:
            continue
        if int(text.rpartition(')')[2].split()[1]) in found[:1]:
            found.append(int(text.split()[0]))
    return found


def strangers(where):
    """Processes that still have something of the soak's folder."""
    item, found = b'VIGIL_JOB_SPOOL=' + os.path.realpath(where).encode(), []
    for entry in glob.glob('/proc/[0-9]*'):
        try:
            if item in open(entry + '/environ', 'rb').read():
                found.append('%s (%s)' % (entry[6:], open(entry + '/comm').read().strip()))
        except OSError:
            pass
    return found


def next_job(soak, where='.'):
    status = soak.wait(soak.submit('next.jcl', where=where))
    if status != 0:
        soak.harmed('the next job ended with %d: %s' % (status, open('log').read()[-300:]))


def look_after(soak, where='.', appended=True):
    """After the next job: what was left, and whether the data sets are whole; not appended: a step that
    abended on a full disk may have appended a part to MY.LOG, which DISP=MOD then keeps."""
    root, spool = where + '/root', where + '/spool'
    for path in glob.glob(spool + '/JOB*'):
        state = ''
        try:
            state = open(path + '/STATE').read().split()[:1]
        except OSError:
            pass
        if not state or state[0] not in FINAL:
            soak.left('STATE of %s is %s' % (path, state))
        if os.path.exists(path + '/work'):
            soak.left(path + '/work')
    for pattern in (root + '/.vigil/JOB*', root + '/__db*', spool + '/*/*.vprf.[0-9]*-*', '*.vprf.[0-9]*-*'):
        for path in glob.glob(pattern):
            if not path.endswith('.kept'):  # VIG5135: what a full disk did not let move
                soak.left(path)
    for process in strangers(spool):
        soak.left('process ' + process)
    for path in glob.glob(root + '/MY.OUT') + glob.glob(root + '/MY.GEN.G*') + glob.glob(root + '/MY.LIB/*'):
        if os.path.getsize(path) != WHOLE:
            soak.harmed('%s has %d bytes of %d' % (path, os.path.getsize(path), WHOLE))
    log = root + '/MY.LOG'
    if not appended:
        open(log, 'w').close()
    elif os.path.exists(log) and os.path.getsize(log) % WHOLE:
        soak.harmed('%s has %d bytes' % (log, os.path.getsize(log)))
    elif os.path.exists(log) and os.path.getsize(log) > 50 * WHOLE:
        open(log, 'w').close()
    for path in sorted(glob.glob(root + '/MY.GEN.G*'))[:-5]:
        os.unlink(path)


def calibrate(soak):
    """Everything once without harm, for how long it takes: what fails by itself tests nothing."""
    soak.lasts = {}
    for deck in ('soak.jcl', 'measured.jcl'):
        begun = time.time()
        status = soak.submit(deck).wait(60)
        soak.lasts[deck] = time.time() - begun
        if status != 0:
            sys.exit('%s ends with %d by itself: %s' % (deck, status, open('log').read()))
    if not glob.glob('spool/*/S1.vprf'):
        sys.exit('measured.jcl measures nothing')
    begun = time.time()
    result = idcams(CATALOGUE)
    soak.lasts['catalogue'] = time.time() - begun
    if result.returncode != 0:
        sys.exit('IDCAMS ends with %d by itself: %s' % (result.returncode, result.stdout.decode()))
    next_job(soak)
    look_after(soak)
    print('by itself: %s' % ', '.join('%s %.2f s' % item for item in soak.lasts.items()), flush=True)


def kill_submit(soak):
    """Vigil, its guard or its step is killed, one or several of them."""
    process = soak.submit('soak.jcl')
    time.sleep(soak.chance.uniform(0, soak.lasts['soak.jcl']))
    victims = running(soak, process)
    count = soak.chance.choice((1, 1, 2, len(victims)))
    if process.poll() is None:
        soak.entry()['hits'] += 1
        chosen = victims[:1] if soak.chance.random() < 0.5 else soak.chance.sample(victims, min(count, len(victims)))
        for victim in chosen:
            try:
                os.kill(victim, signal.SIGKILL)
            except ProcessLookupError:
                pass
    soak.wait(process)
    time.sleep(0.6)
    next_job(soak)
    look_after(soak)


def kill_measured(soak):
    """The same while a step is measured."""
    process = soak.submit('measured.jcl')
    time.sleep(soak.chance.uniform(0, soak.lasts['measured.jcl']))
    victims = running(soak, process)
    if process.poll() is None:
        soak.entry()['hits'] += 1
        os.kill(soak.chance.choice(victims), signal.SIGKILL)
    soak.wait(process)
    time.sleep(0.6)
    next_job(soak)
    look_after(soak)


def check_session(soak, path, begun, killed):
    """A cut-off session has a report, and everything but its last part."""
    if not os.path.exists(path):
        if killed - begun > 1.5:
            soak.harmed('no data set after %.2f seconds' % (killed - begun))
        return
    lost = max(0.0, killed - os.path.getmtime(path))
    soak.entry()['lost'] = max(soak.entry()['lost'], lost)
    if lost > 2:
        soak.harmed('the data set lacks the last %.2f seconds' % lost)
    report = subprocess.run([VIGIL, 'report', path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
    if report.returncode < 0 or report.returncode > 4:
        soak.harmed('vigil report ended with %d: %s' % (report.returncode, report.stdout[-200:]))


def kill_run(soak):
    """vigil run, or a process below it, is killed; the program is never left stopped."""
    for path in glob.glob('x.vprf'):
        os.unlink(path)
    process = subprocess.Popen([VIGIL, 'run', '-q', '-o', 'x.vprf', '--', 'bin/SPIN', '1.5', 'result'],
                               stdout=open('log', 'wb'), stderr=subprocess.STDOUT)
    begun = time.time()
    time.sleep(soak.chance.uniform(0, 2))
    victims = running(soak, process)
    vigil_dies = soak.chance.random() < 0.7
    if process.poll() is None:
        soak.entry()['hits'] += 1
        os.kill(process.pid if vigil_dies else soak.chance.choice(victims), signal.SIGKILL)
    killed = time.time()
    soak.wait(process)
    end = time.time() + 4
    while time.time() < end and any(os.path.exists('/proc/%d' % victim) for victim in victims[1:]):
        time.sleep(0.1)
    for victim in victims[1:]:
        if os.path.exists('/proc/%d' % victim):
            soak.left('process %d of a killed vigil run' % victim)
    if process.returncode == -signal.SIGKILL:
        check_session(soak, 'x.vprf', begun, killed)
    subprocess.run([VIGIL, 'run', '-q', '-o', 'x.vprf', '--', '/bin/true'], stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, timeout=60)
    look_after(soak)


def kill_attach(soak):
    """vigil attach is killed: the process it measures must come to its own end."""
    for path in ('x.vprf', 'result'):
        if os.path.exists(path):
            os.unlink(path)
    program = subprocess.Popen(['bin/SPIN', '1.5', 'result'])
    begun = time.time()
    process = subprocess.Popen([VIGIL, 'attach', '-q', '-o', 'x.vprf', str(program.pid)], stdout=open('log', 'wb'),
                               stderr=subprocess.STDOUT)
    time.sleep(soak.chance.uniform(0, 1.6))
    if process.poll() is None:
        soak.entry()['hits'] += 1
        process.kill()
    killed = time.time()
    soak.wait(process)
    if soak.wait(program, 30) != 0 or not os.path.exists('result'):
        soak.harmed('the process that was measured ended with %s' % program.returncode)
    if process.returncode == -signal.SIGKILL:
        check_session(soak, 'x.vprf', begun, killed)
    subprocess.run([VIGIL, 'run', '-q', '-o', 'x.vprf', '--', '/bin/true'], stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, timeout=60)
    look_after(soak)


def idcams(text, seconds=30):
    return subprocess.run([IDCAMS, '--root', 'root'], input=text.encode(), stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=seconds)


def kill_catalogue(soak):
    """A utility that changes the catalogue is killed: the same changes can be made again at once."""
    process = subprocess.Popen([IDCAMS, '--root', 'root'], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    try:
        process.stdin.write(CATALOGUE.encode())
        process.stdin.close()
    except BrokenPipeError:
        pass
    time.sleep(soak.chance.uniform(0, soak.lasts['catalogue']))
    if process.poll() is None:
        soak.entry()['hits'] += 1
        process.kill()
    process.wait()
    try:
        listed = idcams(' LISTCAT\n')
        if listed.returncode > 4:
            soak.harmed('LISTCAT ended with %d: %s' % (listed.returncode, listed.stdout[-300:]))
        idcams(' DELETE C.ALIAS ALIAS\n DELETE C.GDG GDG\n DELETE C.KSDS\n DELETE C.OTHER\n')
        again = idcams(CATALOGUE)
        if again.returncode != 0:
            soak.harmed('the changes end with %d now: %s' % (again.returncode, again.stdout[-400:]))
    except subprocess.TimeoutExpired as late:
        soak.harmed('IDCAMS hangs: %s' % late)
    for path in glob.glob('root/C.*') + glob.glob('root/.vigil/catalog/C.*') + glob.glob('root/.vigil/catalog/.*'):
        soak.left(path)
        os.unlink(path)
    look_after(soak)


def cancel(soak):
    """A job is cancelled, once or often."""
    process = soak.submit('soak.jcl')
    time.sleep(soak.chance.uniform(0, soak.lasts['soak.jcl']))
    for _ in range(soak.chance.choice((1, 2, 20))):
        if process.poll() is None:
            soak.entry()['hits'] += 1
            process.send_signal(soak.chance.choice((signal.SIGTERM, signal.SIGINT, signal.SIGQUIT)))
    status = soak.wait(process, 30)
    if status not in (0, 100, 101, -signal.SIGTERM, -signal.SIGINT, -signal.SIGQUIT):
        soak.harmed('a cancelled submit ended with %d' % status)
    next_job(soak)
    look_after(soak, appended=status != 100)  # as on a full disk


def limits(soak):
    """A limit of CPU or elapsed time ends a step."""
    elapsed = soak.chance.random() < 0.5
    open('limit.jcl', 'w').write('//LIMIT    JOB\n//S1       EXEC PGM=SPIN,PARM=\'30\'%s\n//OUT      DD DSN=MY.OUT,DISP=(MOD,CATLG)\n'
                                 % ('' if elapsed else ',TIME=(0,1)'))
    if os.path.exists('root/MY.OUT'):
        os.unlink('root/MY.OUT')
    process = soak.submit('limit.jcl', *(['--elapsed', '%.3f' % soak.chance.uniform(0.002, 0.03)] if elapsed else []))
    status = soak.wait(process, 30)
    soak.entry()['hits'] += 1
    if status != 100 or ('S522' if elapsed else 'S322') not in open('log').read():
        soak.harmed('the limit did not end the step: %d' % status)
    if os.path.exists('root/MY.OUT'):
        os.unlink('root/MY.OUT')
    next_job(soak)
    look_after(soak)


def full_disk(soak):
    """The disk is full somewhere in the job: nothing is half there, and with room again the next job runs."""
    size = soak.chance.randrange(16, 2000) * 1024
    os.makedirs('small', exist_ok=True)
    if subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=%d,mode=755' % size, 'soak', 'small'],
                      stderr=subprocess.DEVNULL).returncode != 0:
        return
    try:
        os.makedirs('small/root')
        open('small/root/MY.LOG', 'w').close()
        process = soak.submit('soak.jcl', where='small')
        if soak.wait(process) != 0:
            soak.entry()['hits'] += 1
        subprocess.run(['mount', '-o', 'remount,size=20m', 'small'], check=True)
        next_job(soak, 'small')
        look_after(soak, 'small', appended=False)
    finally:
        subprocess.run(['umount', '-l', 'small'], check=False)


def file_limit(soak):
    """The same by a limit of file sizes."""
    limit = soak.chance.randrange(1, WHOLE // 1024)
    process = subprocess.Popen(['bash', '-c', 'ulimit -f %d; exec "$@"' % limit, '-', VIGIL, 'submit', '--spool', 'spool',
                                '--root', 'root', '--steplib', 'bin', 'soak.jcl'], stdout=open('log', 'wb'),
                               stderr=subprocess.STDOUT)
    if soak.wait(process) != 0:
        soak.entry()['hits'] += 1
    next_job(soak)
    look_after(soak, appended=False)


def many(soak):
    """Many jobs at once that change one data set: no change is lost, and no number given twice."""
    count = soak.chance.randrange(5, 25)
    open('root/MY.COUNT', 'w').write('0\n')
    open('count.jcl', 'w').write('//COUNT    JOB\n//S1       EXEC PGM=BPXBATCH,\n// PARM=\'SH n=$(cat $DD_C); echo $((n + 1)) >$DD_C\'\n'
                                 '//C        DD DSN=MY.COUNT,DISP=OLD\n')
    before = len(glob.glob('spool/JOB*'))
    jobs = [soak.submit('count.jcl') for _ in range(count)]
    victim = soak.chance.random() < 0.3
    if victim:
        time.sleep(soak.chance.uniform(0, 0.3))
        jobs[0].kill()
    ended = sum(soak.wait(job, 120) == 0 for job in jobs)
    soak.entry()['hits'] += 1
    value = int(open('root/MY.COUNT').read() or -1)
    if not ended <= value <= count:
        soak.harmed('%d of %d jobs ended well, the count is %d' % (ended, count, value))
    if not victim and len(glob.glob('spool/JOB*')) - before != count:
        soak.harmed('%d jobs have %d folders' % (count, len(glob.glob('spool/JOB*')) - before))
    time.sleep(0.6)
    next_job(soak)
    look_after(soak)


def load_indexed(soak):
    """Compile the program that updates an indexed file; whether there is one."""
    cobc = os.environ.get('COBC') or shutil.which('cobc')
    if not cobc or not os.path.exists(BUILD + '/datasets/.libs/indexed.so'):
        return False
    os.makedirs('cobol', exist_ok=True)
    shutil.copy(SOURCE + '/tests/programs/updates.cob', 'cobol')
    subprocess.run([cobc, '-x', '-o', 'UPDATES', 'updates.cob'], cwd='cobol', check=True)
    subprocess.run(['cobol/UPDATES', 'LOAD'], env=dict(os.environ, DD_KEYED='cobol/loaded'), check=True,
                   stdout=subprocess.DEVNULL)
    return True


def check_indexed(soak, way):
    """The file is whole, or after SIGKILL VERIFY says what is wrong."""
    try:
        verified = idcams(' VERIFY DATASET(MY.KEYED)\n', 20).stdout
    except subprocess.TimeoutExpired:
        soak.harmed('VERIFY of an indexed file hangs after %s' % way)
        return
    # A step that was ended before it opened the file has not reported its keys.
    said = b'is intact' not in verified and b'makes them known' not in verified
    try:
        counted = subprocess.run(['cobol/UPDATES', 'COUNT'], env=dict(os.environ, DD_KEYED='root/MY.KEYED'), timeout=20,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout.decode(errors='replace')
    except subprocess.TimeoutExpired:
        counted = 'it hangs'
    records = re.search(r'records 0*(\d+) status 10', counted)
    whole = records and int(records.group(1)) >= 20001 and not said
    if not whole and (way in ('cancel', 'elapsed') or not said):
        soak.harmed('an indexed file after %s: COBOL: %s; VERIFY: %s' % (way, counted.strip()[-80:], verified[-160:]))


def indexed(soak):
    """A step that updates an indexed file is ended: by a cancel or a limit the file stays whole."""
    for name in ('', '.1'):
        shutil.copy('cobol/loaded' + name, 'root/MY.KEYED' + name)
    open('keyed.jcl', 'w').write('//KEYED    JOB\n//S1       EXEC PGM=UPDATES,PARM=CHANGE\n//KEYED    DD DSN=MY.KEYED,DISP=OLD\n')
    shutil.copy('cobol/UPDATES', 'bin/UPDATES')
    way = soak.chance.choice(('cancel', 'elapsed', 'vigil', 'step'))
    process = soak.submit('keyed.jcl', *(['--elapsed', '0.02'] if way == 'elapsed' else []))
    time.sleep(soak.chance.uniform(0.3, 1.5))
    soak.entry()['hits'] += 1
    if way == 'cancel':
        process.terminate()
    elif way != 'elapsed':
        state = ' '.join(open(path).read() for path in glob.glob('spool/*/STATE') if 'RUNNING' in open(path).read())
        found = re.search(r'PROCESS (\d+)', state)
        os.kill(int(found.group(1)) if way == 'step' and found else process.pid, signal.SIGKILL)
    soak.wait(process, 30)
    time.sleep(0.6)
    check_indexed(soak, way)
    for path in glob.glob('root/MY.KEYED*'):
        os.unlink(path)
    next_job(soak)
    look_after(soak)


def load_producers():
    """Compile the programs whose events are counted; whether that can be."""
    command = ['gcc', '-O1', '-g', '-finstrument-functions', '-pthread', '-o', 'producers',
               SOURCE + '/tests/programs/producers.c']
    return bool(shutil.which('gcc')) and subprocess.run(command, check=False).returncode == 0


def producers(soak):
    """Processes that fork, execute, make threads and are killed: none of their events is lost, and none is twice."""
    if not os.path.exists('producers') and not load_producers():
        return
    pool = str(soak.chance.choice((100, 100, 300, 2000, 16384, 200000)))
    seed = str(soak.chance.randrange(1, 10 ** 6))
    with open('block', 'w', encoding='ascii') as cards:
        cards.write('PROFILER\nFUNCTION=INIT\nFUNCTION=START\nEND-PROFILER\n')
    command = [VIGIL, 'run', '-q', '--pool', pool, '--control', 'block', '-o', 'events.vprf', '--', './producers',
               'cells', seed, '200']
    try:
        said = subprocess.run(command, stdout=subprocess.PIPE, timeout=120, check=False).stdout.split()
    except subprocess.TimeoutExpired:
        soak.harmed('producers %s with a pool of %s hang' % (seed, pool))
        return
    listed = subprocess.run([BUILD + '/tests/event-counts', 'events.vprf'], stdout=subprocess.PIPE, check=False).stdout
    counts = {row[0]: int(row[4]) for row in (line.split('\t') for line in listed.decode().splitlines())
              if len(row) == 5 and row[1] == 'traced'}
    soak.entry()['hits'] += 1
    ended, begun = int(said[0]), int(said[1])
    begins, ends = counts.get('PS', 0), counts.get('PT', 0)
    if not ended <= ends <= begins <= begun:
        soak.harmed('producers %s with a pool of %s: %d to %d calls, %d begin, %d end' % (
            seed, pool, ended, begun, begins, ends))
    os.unlink('cells')


def print_table(soak, seconds):
    print('\nseed %d, %.0f seconds, %d rounds' % (SEED, seconds, soak.round))
    print('%-16s %7s %6s %8s %8s %6s' % ('kind', 'rounds', 'hits', 'lost s', 'harmed', 'left'))
    for kind, entry in sorted(soak.table.items()):
        print('%-16s %7d %6d %8.2f %8d %6d' % (kind, entry['rounds'], entry['hits'], entry['lost'], len(entry['harmed']),
                                               len(entry['left'])))


def main():
    print('seed %d: SOAK_SEED=%d repeats it' % (SEED, SEED), flush=True)
    soak = Soak(random.Random(SEED))
    kinds = [kill_submit] * 4 + [kill_measured, kill_run, kill_attach, cancel, limits, file_limit, many, producers] + [kill_catalogue] * 2
    if os.geteuid() == 0:
        kinds += [full_disk] * 2
    if load_indexed(soak):
        kinds.append(indexed)
    else:
        print('without COBOL: no indexed files')
    soak.kind = 'by itself'
    calibrate(soak)
    begun = time.time()
    asked = []  # to end before the hour is over: the table is printed all the same
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: asked.append(True))
    while time.time() - begun < SECONDS and not asked:
        kind = soak.chance.choice(kinds)
        soak.round += 1
        soak.kind = kind.__name__
        soak.entry()['rounds'] += 1
        before = len(soak.entry()['harmed']) + len(soak.entry()['left'])
        kind(soak)
        if len(soak.entry()['harmed']) + len(soak.entry()['left']) > before:
            kept = soak.work + '-round-%d' % soak.round
            shutil.copytree(soak.work, kept, symlinks=True, ignore_dangling_symlinks=True, ignore=shutil.ignore_patterns('small'))
            print('round %d: everything is in %s' % (soak.round, kept), flush=True)
            soak.fresh()
        elif len(glob.glob('spool/JOB*')) > 200:
            soak.fresh()
    print_table(soak, time.time() - begun)
    os.chdir('/')
    shutil.rmtree(soak.work, ignore_errors=True)
    return 1 if any(entry['harmed'] or entry['left'] for entry in soak.table.values()) else 0


if __name__ == '__main__':
    sys.exit(main())
