#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""
Makes SYNTHETIC MONWRITE files, and checks those that vigil writes. No file of a real z/VM system is public, so nothing
here was ever written by one: the layout is that of the tables beside this file and of the published descriptions, and
every file made here says SYNTH as its system.

    synthetic-monwrite.py make FILE      a file of two intervals and event data, its lists as JSON on standard output
    synthetic-monwrite.py lists FILE     the lists of the domain detail records of any file as JSON, byte by byte by
                                         the table; ends with 1 when a rule of the description is broken
    synthetic-monwrite.py table          checks the table against itself
    synthetic-monwrite.py bytes VIGIL    changes a record byte by byte, and checks which fields of MTRDDR change with it,
                                         by the table, in what this vigil reads

Nothing is shared with vigil's own code: code page 037 is Python's, the clock is calculated in seconds.
"""
import json
import os
import struct
import subprocess
import sys

PAGE = 4096
HERE = os.path.dirname(os.path.abspath(__file__))


def table():
    fields = {}
    for line in open(HERE + '/mtrddr.tsv'):
        if line.startswith('#') or not line.strip():
            continue
        decimal, hexadecimal, kind, length, name = line.rstrip('\n').split('\t')
        assert int(decimal) == int(hexadecimal, 16), name
        if kind == 'Bit':
            fields[name] = (int(decimal), int(length, 16))
        elif name != '*':
            fields[name] = (int(decimal), int(length))
    return fields


FIELDS = table()


def check_table():
    """The fields of the header and of the required part follow each other without a gap."""
    at = 0
    for line in open(HERE + '/mtrddr.tsv'):
        parts = line.rstrip('\n').split('\t')
        if line.startswith('#') or parts[2] in ('Structure', 'Bit') or parts[4] in ('MRHDR', 'MTRDDR_REQUIRED'):
            continue
        assert int(parts[0]) == at, line
        at += int(parts[3])
    assert at == FIELDS['MTRDDR'][1] == 28


def put(record, name, value):
    at, length = FIELDS[name]
    record[at:at + length] = value if isinstance(value, bytes) else value.to_bytes(length, 'big')


def get(record, name):
    at, length = FIELDS[name]
    return record[at:at + length]


def tod(seconds):
    """The clock of a time in whole seconds since 1970: microseconds since 1900, 12 more bits."""
    return ((seconds + 2208988800) * 1000000 << 12) % (1 << 64)


def record(domain, number, seconds, rest=b''):
    made = bytearray(20)
    put(made, 'MRHDRLEN', 20 + len(rest))
    put(made, 'MRHDRDM', domain)
    put(made, 'MRHDRRC', number)
    put(made, 'MRHDRTOD', tod(seconds).to_bytes(8, 'big'))
    return bytes(made) + rest


def text(value, length):
    return value.encode('cp037').ljust(length, b'\x40')


def item_of(domain, item):
    return text(item, 8) if domain in (2, 4, 10) else bytes.fromhex(item)


def detail(seconds, profile, domain, status, items, continues=False, count=None):
    made = bytearray(record(1, 14, seconds, bytes(8)))
    put(made, 'MTRDDR_PROFILE', profile.encode('cp037'))
    put(made, 'MTRDDR_DMNUMBER', domain)
    put(made, 'MTRDDR_DMSTATUS', status)
    put(made, 'MTRDDR_CALFLAGS', FIELDS['MTRDDR_CONT'][1] if continues else 0)
    put(made, 'MTRDDR_DMITEMCT', len(items) if count is None else count)
    made += b''.join(item_of(domain, item) for item in items)
    put(made, 'MRHDRLEN', len(made))
    return bytes(made)


class Frames:
    """Records in frames; the first begins somewhere in its page, as they do in a saved segment."""

    def __init__(self, seconds, start):
        self.seconds, self.start, self.data = seconds, start, bytearray(b'\xaa' * (start % PAGE))

    def room(self):
        return PAGE - len(self.data) % PAGE

    def end_frame(self):
        self.data += record(1, 13, self.seconds)
        self.data += b'\xbb' * (-len(self.data) % PAGE)

    def add(self, made):
        if len(made) + 20 > self.room():
            self.end_frame()
        self.data += made

    def add_detail(self, profile, domain, status, items):
        size = 8 if domain in (2, 4, 10) else 2
        while True:
            fits = (self.room() - 48) // size
            if fits < 1:
                self.end_frame()
                continue
            now, items = items[:fits], items[fits:]
            self.add(detail(self.seconds, profile, domain, status, now, bool(items)))
            if not items:
                return
            self.end_frame()

    def end_interval(self):
        self.data += record(1, 11, self.seconds)

    def pages(self):
        """What stands behind the last record is old."""
        return bytes(self.data) + b'\xcc' * (-len(self.data) % PAGE)

    def entry(self, kind, domains):
        first = self.start
        last = self.start // PAGE * PAGE + len(self.data) - 1
        return kind.encode('cp037') + struct.pack('>HBII', domains, 0, first, last)


def control(entries, stale=b''):
    area = 0x07001000
    head = struct.pack('>HBBIIIIIII', 3, 0, 9, 17, 0xe2c50000, area, area + 12 * len(entries) - 1, 0, 0, 0)
    return (head.ljust(40, b'\0') + b''.join(entries) + stale).ljust(PAGE, b'\0')


def system(seconds):
    made = bytearray(record(1, 4, seconds, bytes(156)))
    made[28:36] = text('5.3.0', 8)
    made[36:44] = tod(seconds - 86400).to_bytes(8, 'big')
    made[88:96] = text('SYNTH', 8)
    made[108:112] = text('2094', 4)
    made[160:168] = text('LPAR1', 8)
    return bytes(made)


def make(path):
    start = 1200000000
    users = ['USER%04d' % number for number in range(1200)]
    lists = [
        ('S', 4, 0x40, users), ('S', 6, 0x80, []), ('S', 10, 0x20, ['TCPIP', 'RSCS']),
        ('E', 2, 0x20, ['MAINT', 'OPERATOR']), ('E', 4, 0x80, []), ('E', 6, 0x20, ['0191', 'FFFF', '0000']),
        ('E', 7, 0x40, ['%04X' % number for number in range(0x1000, 0x1000 + 4500)]), ('E', 10, 0x40, ['A@#$_-9Z']),
    ]
    sample, event = Frames(start, 0x09000E10), Frames(start, 0x0A000000)
    sample.add(system(start))
    sample.add(record(1, 9, start, struct.pack('>iiBBBBH', 60, 200, 0xce, 0xe0, 0x02, 0, 241).ljust(28, b'\0')))
    event.add(record(1, 1, start, struct.pack('>BBH', 0x6f, 0x20, 68)))
    for profile, domain, status, items in lists:
        (sample if profile == 'S' else event).add_detail(profile, domain, status, items)
    sample.end_interval()
    with open(path, 'wb') as file:
        # Entries beyond the valid ones are left from before.
        stale = sample.entry('S', 0x4000) * 3
        file.write(control([sample.entry('S', 0x4000), event.entry('E', 0x4000)], stale))
        file.write(sample.pages() + event.pages())
        for interval in (1, 2):
            now = start + 60 * interval
            sample, event = Frames(now, 0x09010000), Frames(now, 0x0A000FA0 + 64 * interval)
            for user in range(40):
                # A record that became longer in a later release.
                sample.add(record(4, 3, now, text(users[user], 8).ljust(420 if interval == 1 else 488, b'\0')))
            sample.add(record(10, 2, now, text('LINUX1', 8) + text('LINUXKRNL', 9) + b'\1' + text('260100', 6) +
                              struct.pack('>H', 52).ljust(8, b'\0') + bytes(range(200))))
            sample.add(record(12, 3, now, b'who knows'))
            sample.end_interval()
            event.add(record(4, 9, now, text('USER0001', 8).ljust(332, b'\0')))
            event.add(record(7, 1, now, bytes(40)))
            file.write(control([event.entry('E', 0x0900)], stale) + event.pages())
            file.write(control([sample.entry('S', 0xce20)]) + sample.pages())
        file.write(bytes(PAGE))
    print(json.dumps([[profile, domain, status, items] for profile, domain, status, items in lists]))


# What changes in vigil's record with a field of the table: items of a domain that is not in it are shown as bytes,
# and a wrong count makes the list incomplete.
MEANING = {
    'MRHDRTOD': {'time'}, 'MTRDDR_PROFILE': {'profile'}, 'MTRDDR_DMNUMBER': {'domain', 'domain_name', 'list of items'},
    'MTRDDR_DMSTATUS': {'status', 'covers'}, 'MTRDDR_CALFLAGS': {'flags'},
    'MTRDDR_DMITEMCT': {'items', 'counted', 'complete', 'list of items'}, 'MTRDDR_DMITEMS': {'list of items'},
}


def read_detail(vigil, made):
    """The one MTRDDR that vigil reads in a file with a record, its items with it; None when there is none."""
    frames = Frames(1200000000, 0x09000000)
    frames.add(made)
    frames.end_interval()
    data = control([frames.entry('S', 0x4000)]) + frames.pages() + bytes(PAGE)
    found = subprocess.run([vigil, 'extract', '-t', 'JSON', '-', 'MTRDDR', 'MTRDDRITEM'], input=data,
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout
    found = [json.loads(line) for line in found.decode().splitlines()]
    details = [record['items'] for record in found if record['record'] == 'mtrddr']
    if not details:
        return None
    detail, = details
    detail['list of items'] = [record['items']['item'] for record in found if record['record'] == 'mtrddritem']
    return detail


def check_bytes(vigil):
    whole = detail(1200000000, 'S', 4, 0x40, ['MAINT', 'OPERATOR', 'RSCS'])
    before = read_detail(vigil, whole)
    for at in range(len(whole)):
        names = [name for name, (offset, length) in FIELDS.items()
                 if name in MEANING and offset <= at and (at < offset + length or name == 'MTRDDR_DMITEMS')]
        made = bytearray(whole)
        made[at] ^= 0x01
        after = read_detail(vigil, bytes(made))
        head = next((name for name in ('MRHDRLEN', 'MRHDRZER', 'MRHDRDM', 'MRHDRRC')
                     if FIELDS[name][0] <= at < sum(FIELDS[name])), None)
        if head == 'MRHDRLEN':
            continue
        if head:
            # Another record, or none.
            assert after is None, (at, after)
            continue
        assert after, at
        changed = {key for key in before if before[key] != after[key]}
        allowed = set().union(*(MEANING[name] for name in names))
        # The last bits of the clock are less than a nanosecond.
        assert changed <= allowed and (changed or not names or at == 15), (at, names, changed)
        if 'MTRDDR_DMSTATUS' in names or 'MTRDDR_CALFLAGS' in names:
            assert changed == (allowed if 'MTRDDR_DMSTATUS' in names else {'flags'}), changed
    # The flag of the table is the one that makes a list continue.
    offset, flag = FIELDS['MTRDDR_CONT']
    made = bytearray(whole)
    made[offset] |= flag
    assert read_detail(vigil, bytes(made))['complete'] == 0 and before['complete'] == 1


def records(data):
    """Every record of a file, and the frame that it stands in, by the rules of the description."""
    at, frame = 0, 0
    while at < len(data):
        head = data[at:at + PAGE]
        assert len(head) == PAGE, 'the file is not whole pages'
        first, last = struct.unpack('>II', head[12:20])
        at += PAGE
        if not first:
            assert not head.strip(b'\0') and at == len(data), 'end of data'
            return
        for number in range((last - first + 1) // 12):
            kind, domains, _, start, end = struct.unpack('>BHBII', head[40 + 12 * number:52 + 12 * number])
            assert kind in (0xe2, 0xc5) and domains and end > start, 'entry'
            pages = end // PAGE - start // PAGE + 1
            data_at = start % PAGE
            stop = data_at + end - start + 1
            ended = None
            while data_at < stop:
                rest = data[at + data_at:at + min((data_at // PAGE + 1) * PAGE, pages * PAGE)]
                length = int.from_bytes(get(rest, 'MRHDRLEN'), 'big')
                assert 20 <= length <= len(rest), 'a record crosses its frame'
                assert get(rest, 'MRHDRZER') == b'\0\0', 'field of zeros'
                assert rest[16:20] == bytes(4), 'header'
                yield rest[:length], (frame, data_at // PAGE), kind
                ended = (rest[4], int.from_bytes(get(rest, 'MRHDRRC'), 'big'))
                data_at = (data_at // PAGE + 1) * PAGE if ended == (1, 13) else data_at + length
            assert kind == 0xc5 or ended == (1, 11), 'sample data end with the end of their interval'
            assert kind == 0xe2 or ended not in ((1, 11), (1, 13)), 'event data'
            at += pages * PAGE
            frame += 1
    raise AssertionError('there is no end of data')


def lists(path):
    found, going, last = [], None, None
    for made, frame, kind in records(open(path, 'rb').read()):
        name = (made[4], int.from_bytes(get(made, 'MRHDRRC'), 'big'))
        if going and last == (1, 14):
            assert name == (1, 13), 'a record of a list that goes on is followed by an end of frame'
        last = name
        if name != (1, 14):
            continue
        profile = get(made, 'MTRDDR_PROFILE').decode('cp037')
        assert profile == {0xe2: 'S', 0xc5: 'E'}[kind], 'profile'
        domain, status = get(made, 'MTRDDR_DMNUMBER')[0], get(made, 'MTRDDR_DMSTATUS')[0]
        count = int.from_bytes(get(made, 'MTRDDR_DMITEMCT'), 'big', signed=True)
        size = 8 if domain in (2, 4, 10) else 2
        rest = made[FIELDS['MTRDDR_DMITEMS'][0]:]
        assert domain in (2, 4, 6, 7, 10) and status in (0x80, 0x40, 0x20), 'domain, status'
        assert len(rest) == count * size and (count == 0 or status != 0x80), 'items'
        items = [rest[at:at + size] for at in range(0, len(rest), size)]
        items = [item.decode('cp037').rstrip() if size == 8 else item.hex().upper() for item in items]
        flags = get(made, 'MTRDDR_CALFLAGS')[0]
        assert flags & ~FIELDS['MTRDDR_CONT'][1] == 0, 'flags'
        if going:
            assert going[0][:3] == [profile, domain, status] and frame != going[1], 'the list goes on elsewhere'
            going[0][3] += items
        else:
            found.append([profile, domain, status, items])
        going = (found[-1], frame) if flags else None
    assert not going, 'a list does not end'
    print(json.dumps(found))


if len(sys.argv) == 3 and sys.argv[1] == 'make':
    make(sys.argv[2])
elif len(sys.argv) == 3 and sys.argv[1] == 'lists':
    lists(sys.argv[2])
elif sys.argv[1:] == ['table']:
    check_table()
elif len(sys.argv) == 3 and sys.argv[1] == 'bytes':
    check_bytes(sys.argv[2])
else:
    sys.exit(__doc__)
