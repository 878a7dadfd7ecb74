#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""
What a night of jcl-examples/night must leave behind, calculated from what came in alone.

    night.py WORK LAST

WORK has night1, night2 ...: copies of the data set root, made after each night, and the spool. What is wrong goes
to the files WORK/wrong.TOPIC, which are empty when all is right.
"""
import os
import re
import subprocess
import sys

LIMITS = {'READ.DAILY': 3, 'READ.ACCEPT': 3, 'READ.REJECT': 2, 'CUST.BACKUP': 4,
          'BILL.REGISTER': 2, 'PAY.POSTED': 3, 'PAY.SUSPENSE': 3}
TARIFFS = {'H': (450, 1875), 'B': (1200, 1625), 'G': (200, 950)}
SHARES = (71, 68, 74, 80, 88, 97, 108, 105, 89, 79, 72, 69)
LEAST, DAYS = 300, 1095


def packed(value, size):
    digits = '%0*d' % (size * 2 - 1, abs(value))
    return bytes.fromhex(digits + ('D' if value < 0 else 'C'))


def unpacked(data):
    text = data.hex()
    return -int(text[:-1]) if text[-1] == 'd' else int(text[:-1])


def records(data, length):
    assert len(data) % length == 0, '%d bytes are no records of %d' % (len(data), length)
    return [data[at:at + length] for at in range(0, len(data), length)]


def rounded(value, unit):
    """Half away from zero."""
    return (value + unit // 2) // unit if value >= 0 else -((-value + unit // 2) // unit)


class Customer:
    def __init__(self, data):
        self.number, self.route, self.name = data[:8], data[8:12], data[12:36]
        self.tariff, self.meter = data[36:37].decode(), data[37:45]
        self.litres, self.balance = unpacked(data[45:50]), unpacked(data[50:56])
        self.readings, self.read_on = int(data[56:61]), data[61:69]
        self.paid = unpacked(data[69:75])

    def record(self):
        return (self.number + self.route + self.name + self.tariff.encode() + self.meter +
                packed(self.litres, 5) + packed(self.balance, 6) + b'%05d' % self.readings +
                self.read_on + packed(self.paid, 6) + b' ' * 45)


class Company:
    """The data sets of the company as they must be; night() makes a night of them."""

    def __init__(self, root):
        initial = open(root + '/QW.CUST.INITIAL', 'rb').read()
        self.master = {c.number: c for c in map(Customer, records(initial, 120))}
        self.date, self.number = 20261120, 1
        self.groups = {base: {} for base in LIMITS}   # number to content
        self.made = {base: 0 for base in LIMITS}
        self.business = self.journal = b''
        self.codes = {}     # job: [(step, code)]
        self.plain = {'QW.CUST.INITIAL': initial}

    def add(self, base, content):
        group = self.groups[base]
        self.made[base] += 1
        if base == 'BILL.REGISTER' and len(group) == LIMITS[base]:
            group.clear()   # EMPTY
        group[self.made[base]] = content
        while len(group) > LIMITS[base]:
            gone = min(group)
            if base == 'PAY.SUSPENSE':  # NOSCRATCH: the data set stays
                self.plain['QW.%s.G%04dV00' % (base, gone)] = group[gone]
            del group[gone]

    def dump(self, order=lambda c: c.number):
        return b''.join(c.record() for c in sorted(self.master.values(), key=order))

    def night(self, root):
        self.codes = {'NIGHT%d' % job: [] for job in range(1, 6)}
        self.readings = open(root + '/QW.FEED.READINGS', 'rb').read()
        self.payments = open(root + '/QW.FEED.PAYMENTS', 'rb').read()
        self.plain['QW.FEED.READINGS'] = self.readings
        self.plain['QW.FEED.PAYMENTS'] = self.payments
        self.intake()
        self.update()
        self.billing()
        self.paying()
        self.reports()

    def ran(self, job, step, code):
        self.codes['NIGHT%d' % job].append((step, code))

    def intake(self):
        daily = self.readings + b'%-80s%-80s' % (b'HD        TELEPHONE', b'TR0000000')
        self.add('READ.DAILY', daily)
        good, bad, self.accepted, self.rejected = b'', b'', 0, []
        for number, record in enumerate(records(daily, 80), 1):
            if record[:2] in (b'HD', b'TR'):
                continue
            reason = self.reason(record)
            if reason:
                text = reason + b'%06d ' % number + record.rstrip(b' ')
                self.rejected.append(text)
                bad += len(text).to_bytes(2, 'big') + b'\0\0' + text
            else:
                self.accepted += 1
                good += (record[2:10] + record[18:26] + record[10:18] + record[33:34] +
                         packed(int(record[26:33]), 4) + b'\0\1' + b' ' * 9)
        self.add('READ.ACCEPT', good)
        self.add('READ.REJECT', bad)
        self.ran(1, 'DEFINE', 0)
        self.ran(1, 'RECEIVE', 0)
        self.ran(1, 'CHECK', 4 if bad else 0)
        self.ran(1, 'REJLIST', 0 if bad else None)
        self.ran(1, 'BADFILE', None)

    def reason(self, record):
        if not record[2:10].isdigit():
            return b'CUST'
        if not record[26:33].isdigit():
            return b'AMNT'
        if record[10:18] != b'%08d' % self.date:
            return b'DATE'
        return b'' if record[33:34] in (b'N', b'C', b'E') else b'KIND'

    def update(self):
        first = not self.groups['CUST.BACKUP']
        totals, dates = {}, {}
        for record in records(self.groups['READ.ACCEPT'][self.made['READ.ACCEPT']], 40):
            if record[24:25] == b'E':
                continue
            litres, count = totals.get(record[:8], (0, 0))
            totals[record[:8]] = litres + unpacked(record[25:29]), count + 1
            dates.setdefault(record[:8], record[16:24])
        self.add('CUST.BACKUP', self.dump())
        self.unknown = []
        self.updated = 0
        for number, (litres, count) in sorted(totals.items()):
            customer = self.master.get(number)
            if not customer:
                self.unknown.append(number + dates[number] + packed(litres, 4) +
                                    count.to_bytes(2, 'big') + b'TOTAL ')
                continue
            self.updated += 1
            customer.litres += litres
            customer.readings += count
            customer.read_on = dates[number]
        self.plain['QW.CUST.BYROUTE'] = self.dump(lambda c: (c.route, c.number))
        self.ran(2, 'SUMS', 0)
        self.ran(2, 'EXIST', 4 if first else 0)
        self.ran(2, 'SAVE.SAVE', None if first else 0)
        self.ran(2, 'FIRST', 0 if first else None)
        for step in ('DEFINE', 'LOAD', 'INDEX'):
            self.ran(2, 'REORG.' + step, 0)
        self.ran(2, 'CLEAN', 0)
        self.ran(2, 'UPDATE.RUN', 4 if self.unknown else 0)
        self.ran(2, 'UNKNOWN', 0 if self.unknown else None)
        self.ran(2, 'BYROUTE', 0)

    def billing(self):
        history = {}
        for data in self.groups['READ.ACCEPT'].values():
            for record in records(data, 40):
                history[record[:8]] = history.get(record[:8], 0) + unpacked(record[25:29])
        bills, self.net = [], 0
        for number, customer in sorted(self.master.items()):
            if customer.litres < LEAST:
                continue
            demand, expected = history.get(number, 0) * 10000, 0
            for day in range(DAYS):
                demand = rounded(demand * 9875 + customer.litres * SHARES[day % 12] * 10000, 10000)
                expected = rounded(expected * 100 + demand, 100)
            standing, rate = TARIFFS[customer.tariff]
            net = rounded(standing * 10000 + customer.litres * rate, 10000)
            vat = rounded(net * 7, 100)
            self.net += net
            bills.append((customer.route, -net, number,
                          customer.route + number + customer.name + customer.tariff.encode() +
                          b'%09d' % customer.litres + packed(net, 5) + packed(vat, 5) +
                          b'%010d' % rounded(expected, 1000) + b' ' * 14))
            customer.balance += net + vat
            customer.litres = 0
        bills.sort()
        self.bills = bills
        self.add('BILL.REGISTER', b''.join(bill[3] for bill in bills))
        for route, net, number, bill in bills:
            if bill[36:37] == b'B':
                self.business += (route + b' ' + number + b' ' + bill[12:36] + b' ' +
                                  b'%7d.%02d' % (-net // 100, -net % 100) + b' NET')
        self.plain['QW.BILL.BUSINESS'] = self.business
        for step in ('BILLING.HISTORY', 'BILLING.RUN', 'REGISTER'):
            self.ran(3, step, 0)

    def post(self, payments, skip):
        """(abend code or None, posted, suspended, the record with the wrong digit)."""
        posted, suspended = b'', b''
        for pay in payments:
            number, amount = pay[2:10], pay[18:27]
            digits = [int(chr(c)) for c in number]
            wrong = (sum(digits[0::2]) + 3 * sum(digits[1::2])) % 10 != int(pay[31:32])
            reason = b''
            if wrong:
                if not skip:
                    return 'U0777', b'', b'', pay
                reason = b'DIGIT'
            elif skip and not amount.isdigit():
                reason = b'AMOUNT'
            elif number not in self.master:
                reason = b'NOBODY'
            if reason:
                suspended += b'%-6s' % reason + pay[:34]
                continue
            if not amount.isdigit():
                return 'S0C7', b'', b'', b''
            customer = self.master[number]
            customer.balance -= int(amount)
            customer.paid += int(amount)
            posted += (number + pay[10:18] + packed(int(amount), 5) +
                       packed(customer.balance, 6) + b' ' * 13)
        return None, posted, suspended, b''

    def paying(self):
        before = self.dump()
        self.add('CUST.BACKUP', before)
        payments = sorted(records(self.payments, 80), key=lambda pay: int(pay[2:10]))
        self.abend, posted, suspended, bad = self.post(payments, False)
        self.ran(4, 'CLEAN', 0)
        self.ran(4, 'BACKUP.SAVE', 0)
        self.ran(4, 'ORDER', 0)
        self.plain.pop('QW.PAY.BADREC', None)
        self.bad = bad
        if self.abend:
            self.plain['QW.PAY.BADREC'] = bad
            self.master = {c.number: c for c in map(Customer, records(before, 120))}
            again, posted, suspended, _ = self.post(payments, True)
            assert not again
        code = 4 if suspended else 0
        recovery = lambda value: value if self.abend else None
        self.ran(4, 'POST.RUN', self.abend or code)
        for step in ('DEFINE', 'LOAD', 'INDEX'):
            self.ran(4, 'RESTORE.' + step, recovery(0))
        self.ran(4, 'AGAIN.RUN', recovery(code))
        self.ran(4, 'SHOWBAD', 0 if self.abend == 'U0777' else None)
        self.ran(4, 'TELLBANK', 0 if self.abend == 'S0C7' else None)
        self.ran(4, 'PROOF', None if self.abend else 0)
        self.ran(4, 'VERIFY', 0)
        self.ran(4, 'ALARM', recovery(0))
        self.add('PAY.POSTED', posted)
        self.add('PAY.SUSPENSE', suspended)

    def reports(self):
        self.members = {}
        routes = {}
        for customer in sorted(self.master.values(), key=lambda c: (c.route, c.number)):
            routes.setdefault(customer.route.decode(), []).append(customer)
        date = '%08d' % self.date
        owed = {route: sum(c.balance for c in some) for route, some in routes.items()}
        self.members['ROUTES'] = b''.join(
            ('%s %s%6d%s' % (date, route, len(some), money(owed[route]))).ljust(80).encode()
            for route, some in routes.items())
        newest = self.made['CUST.BACKUP']
        both = self.groups['CUST.BACKUP'][newest] + self.groups['CUST.BACKUP'][newest - 1]
        moved = sorted({record[:75] for record in records(both, 120)})
        self.members['MOVED'] = b''.join(record[:45].ljust(80) for record in moved)
        self.archive = {'MOVED': self.members['MOVED'], 'LASTROUT': self.members['ROUTES']}
        self.report = self.listing(routes, owed, date)
        self.journal += ('NIGHT %04d OF %s CLOSED' % (self.number, date)).ljust(80).encode()
        self.plain['QW.JOURNAL'] = self.journal
        self.date, self.number = self.date + 1, self.number + 1
        self.plain['QW.BUSDATE'] = ('%08d%04d' % (self.date, self.number)).ljust(80).encode()
        for step in ('REPORT.RUN', 'MOVED', 'ARCHIVE', 'HOUSE', 'NEXTDAY'):
            self.ran(5, step, 0)

    def listing(self, routes, owed, date):
        """Lines with their ASA control characters."""
        lines = []
        for page, (route, customers) in enumerate(routes.items(), 1):
            lines.append('1QUAYSIDE WATER   OPEN ACCOUNTS    ROUTE %s    DATE    %s/%s/%s    PAGE %3d'
                         % (route, date[:4], date[4:6], date[6:], page))
            lines.append('0CUSTOMER  NAME                      READINGS     BALANCE         PAID')
            for c in customers:
                lines.append(' %s  %s%10d%s%s' % (c.number.decode(), c.name.decode(), c.readings,
                                                  money(c.balance), money(c.paid)))
            lines.append('0%-34s%10d%s' % ('TOTAL OF THE ROUTE', len(customers), money(owed[route])))
        lines.append('-%-34s%10d%s' % ('ALL ROUTES', len(routes), money(sum(owed.values()))))
        return [line.rstrip() for line in lines]


def money(cents):
    """PIC Z,ZZZ,ZZ9.99-"""
    return '%12s%s' % ('{:,.2f}'.format(abs(cents) / 100), '-' if cents < 0 else ' ')


class Check:
    """What is there after a night against what must be."""

    def __init__(self, work, night, company):
        self.work, self.night, self.company = work, night, company
        self.root = '%s/night%d' % (work, night)
        self.report = None

    def say(self, text):
        print('night %d: %s' % (self.night, text), file=self.report)

    def same(self, what, is_, must):
        if is_ == must:
            return
        at = next((i for i, (a, b) in enumerate(zip(is_, must)) if a != b), min(len(is_), len(must)))
        from_, to = (max(at - 8, 0), at + 72) if isinstance(is_, (bytes, str)) else (at, at + 3)
        self.say('%s: differs at %d of %d (must be %d long)\n  is      %r\n  must be %r' % (
            what, at, len(is_), len(must), is_[from_:to], must[from_:to]))

    def file(self, name, must):
        try:
            self.same(name, open('%s/%s' % (self.root, name), 'rb').read(), must)
        except OSError as error:
            self.say(str(error))

    def jobs(self):
        """Folder of each job of the last night, by name."""
        first = 2 + 6 * (self.night - 1)
        found = {}
        for entry in os.listdir(self.work + '/spool'):
            match = re.fullmatch(r'JOB0*(\d+)\.(\w+)', entry)
            if match and first <= int(match[1]) < first + 6:
                found[match[2]] = '%s/spool/%s' % (self.work, entry)
        return found

    def spool(self, job, name):
        with open('%s/%s' % (self.jobs()[job], name), 'rb') as file:
            return file.read()

    def check_data(self):
        """Every sequential data set, and that there is no other."""
        company = self.company
        names = {'QW.LOADLIB', 'QW.PARMLIB', 'QW.REPORT.LIB', 'QW.REPORT.ARCHIVE',
                 'QW.CUST.MASTER', 'QW.CUST.MASTER.1', 'QW.CUST.MASTER.2'}
        for name, content in company.plain.items():
            names.add(name)
            self.file(name, content)
        for base, group in company.groups.items():
            for number, content in group.items():
                name = 'QW.%s.G%04dV00' % (base, number)
                names.add(name)
                self.file(name, content)
        there = {name for name in os.listdir(self.root) if not name.startswith('.')}
        self.same('the data sets', sorted(there), sorted(names))

    def check_members(self):
        for library, members in (('QW.REPORT.LIB', self.company.members),
                                 ('QW.REPORT.ARCHIVE', self.company.archive)):
            self.same(library, sorted(os.listdir('%s/%s' % (self.root, library))), sorted(members))
            for name, content in members.items():
                self.file('%s/%s' % (library, name), content)

    def check_master(self):
        """The dumps that a COBOL program made: by number, by route, by meter."""
        company = self.company
        for key, order in (('NUMBER', lambda c: c.number), ('ROUTE', lambda c: (c.route, c.number)),
                           ('METER', lambda c: c.meter)):
            dump = open('%s/dump%d.%s' % (self.work, self.night, key), 'rb').read()
            self.same('the master by ' + key, dump, company.dump(order))

    def check_steps(self):
        """Return codes and abend codes, what did not run, and the order."""
        for job, steps in self.company.codes.items():
            log = self.spool(job, 'JESMSGLG').decode()
            is_ = []
            for line in log.splitlines():
                match = re.search(r'VIG50\d\d[A-Z] step (\S+) (ended: (?:return code (\d+)|ABEND (\w+))|not run)',
                                  line)
                if match:
                    code = int(match[3]) if match[3] else match[4]
                    is_.append((match[1], code))
            self.same(job, is_, steps)

    def lines(self, job, name, must):
        """A file of the spool has exactly these lines."""
        try:
            # GnuCOBOL of Debian 13 was built with a newer libxml than Debian 13 has, and reports that.
            is_ = [line for line in self.spool(job, name).decode().splitlines()
                   if not line.startswith('Warning: program compiled against libxml ')]
        except OSError as error:
            return self.say(str(error))
        return self.same('%s of %s' % (name, job), [line.rstrip() for line in is_],
                         [line.rstrip() for line in must])

    def has(self, job, name, texts):
        """A file of the spool has these texts, one after the other."""
        try:
            listing = self.spool(job, name).decode('latin-1')
        except OSError as error:
            return self.say(str(error))
        at = 0
        for text in texts:
            found = listing.find(text, at)
            if found < 0:
                return self.say('%s of %s has no %r where it must be:\n%s' % (name, job, text, listing[:3000]))
            at = found + len(text)
        return None

    def check_listings(self):
        """What the programs and the utilities print."""
        company = self.company
        self.lines('NIGHT1', 'CHECK.SYSOUT', ['QWCHECK: ACCEPTED %7d' % company.accepted,
                                              'QWCHECK: REJECTED %7d' % len(company.rejected)])
        self.has('NIGHT1', 'REJLIST.SYSPRINT', [text.decode() for text in company.rejected])
        self.lines('NIGHT2', 'UPDATE.RUN.SYSOUT', ['QWUPDT: UPDATED   %7d' % company.updated,
                                                   'QWUPDT: UNKNOWN   %7d' % len(company.unknown)])
        if company.unknown:
            self.has('NIGHT2', 'UNKNOWN.SYSPRINT', ['99999999'])
        self.lines('NIGHT3', 'BILLING.RUN.SYSOUT',
                   ['QWPRICE: BILLS %7d, NET %s' % (len(company.bills), money(company.net)[:-1])])
        posted = ['QWPOST: POSTED    %7d' % (len(company.groups['PAY.POSTED'][company.made['PAY.POSTED']]) // 40),
                  'QWPOST: SUSPENDED %7d' % (len(company.groups['PAY.SUSPENSE'][company.made['PAY.SUSPENSE']]) // 40)]
        self.lines('NIGHT4', 'AGAIN.RUN.SYSOUT' if company.abend else 'POST.RUN.SYSOUT', posted)
        if company.abend == 'U0777':
            self.has('NIGHT4', 'POST.RUN.SYSOUT', ['QWPOST: WRONG CHECK DIGIT, CUSTOMER %s' %
                                                   company.bad[2:10].decode()])
            self.lines('NIGHT4', 'SHOWBAD.SYSUT2', [company.bad.decode()])
        if company.abend == 'S0C7':
            self.lines('NIGHT4', 'TELLBANK.SYSUT2', [
                'TO THE BANK: A PAYMENT OF TODAY HAS AN AMOUNT THAT IS NO NUMBER.',
                'IT IS IN SUSPENSE, REASON AMOUNT. PLEASE SEND IT AGAIN.'])
        if company.abend:
            self.lines('NIGHT4', 'ALARM.SYSUT2', [
                'NIGHT4: THE POSTING ABENDED AND WAS REPEATED WITHOUT THE BAD PAYMENTS.',
                'LOOK AT QW.PAY.SUSPENSE(0) IN THE MORNING. NIGHT5 MAY RUN.'])
        self.lines('NIGHT5', 'REPORT.RUN.LISTING', company.report)
        self.same('the generations in HOUSE.SYSPRINT',
                  re.findall(r'NONVSAM--(QW\S+)', self.spool('NIGHT5', 'HOUSE.SYSPRINT').decode()),
                  ['QW.%s.G%04dV00' % (base, number)
                   for base in ('READ.DAILY', 'CUST.BACKUP', 'BILL.REGISTER', 'PAY.SUSPENSE')
                   for number in sorted(company.groups[base])])
        self.has('NIGHT5', 'ARCHIVE.SYSPRINT', ['INDD=LIB QW.REPORT.LIB\n', 'OUTDD=ARCHIVE QW.REPORT.ARCHIVE\n',
                                                '2 OF 2 MEMBERS COPIED'])
        self.has('NIGHT5', 'NEXTDAY.SYSOUT', ['QWDATE: NEXT DATE IS %d' % company.date])

    def check_logs(self):
        """JESMSGLG's table, JESYSMSG's ends of steps and dispositions, JESJCL after substitution."""
        for job, steps in self.company.codes.items():
            table, ends = [], []
            for step, code in steps:
                name, _, inner = step.partition('.')
                shown = 'FLUSH' if code is None else code if isinstance(code, str) else '%04d' % code
                table.append('-%-8s %-8s' % (name, inner))
                table.append(shown)
                if code is not None:
                    table.append(step + '.VIGPROF')
                where = '%s %s' % (job, inner + ' ' + name if inner else name)
                if code is None:
                    ends.append('IEF272I %s - STEP WAS NOT EXECUTED' % where)
                elif isinstance(code, int):
                    ends.append('IEF142I %s - STEP WAS EXECUTED - COND CODE %04d' % (where, code))
                else:
                    ends.append('IEF472I %s - COMPLETION CODE - SYSTEM=%s USER=%s' % (
                        where, code[1:] if code[0] == 'S' else '000', code[1:] if code[0] == 'U' else '0000'))
            self.has(job, 'JESMSGLG', ['IEF403I %s - STARTED' % job, '-STEPNAME PROCSTEP'] + table +
                     ['IEF404I %s - ENDED' % job])
            self.has(job, 'JESYSMSG', ends)
        self.check_dispositions()
        if self.company.abend:  # the job mended it: no advice to start it again
            self.has('NIGHT4', 'JESMSGLG', ['VIG5204I see JESYSMSG and POST.RUN.*', 'ran after it: first see what it changed'])
        self.has('NIGHT3', 'JESJCL', [
            'XX         SET LEAST=00300', "XXRUN      EXEC PGM=QWPRICE,PARM='&LEAST,&DAYS'",
            "SUBSTITUTION JCL - PGM=QWPRICE,PARM='00300,01095',TIME=(1,30)"])
        self.has('NIGHT4', 'JESJCL', ['SUBSTITUTION JCL - DSN=QW.CUST.BACKUP(+1)', "PARM='STOP'",
                                      '//RUN.MASTER   DD DISP=OLD', 'X/MASTER   DD DSN=QW.CUST.MASTER,DISP=SHR'])

    def check_dispositions(self):
        """What became of the data sets of the step that abends, and of generations beyond the limit."""
        abend = self.company.abend
        newest = 'G%04dV00' % self.night
        became = [('&&PAY', 'KEPT' if abend else 'PASSED'),
                  ('QW.PAY.POSTED.' + newest, 'DELETED' if abend else 'CATALOGED'),
                  ('QW.PAY.SUSPENSE.' + newest, 'DELETED' if abend else 'CATALOGED'),
                  ('QW.PAY.BADREC', 'CATALOGED' if abend else 'DELETED')]
        if abend:
            became += [('&&PAY', 'DELETED'), ('QW.PAY.POSTED.' + newest, 'CATALOGED')]
        self.has('NIGHT4', 'JESYSMSG', ['ALLOC. FOR NIGHT4 RUN POST'] +
                 ['IEF285I   %-44s %s' % (name[:44], what) for name, what in became])
        gone = 'generation QW.READ.DAILY.G%04dV00 left group QW.READ.DAILY' % (self.night - 3)
        if self.night > 3:
            self.has('NIGHT1', 'JESYSMSG', [gone])

    def check_profiles(self):
        """Each step that ran was measured; the forecast is the hot paragraph."""
        for job, steps in self.company.codes.items():
            for step, code in steps:
                files = ['%s.%s' % (step, suffix) for suffix in ('VIGPROF', 'vprf')]
                there = os.listdir(self.jobs()[job])
                if code is None:
                    self.same('%s %s, not run' % (job, step), [f for f in files if f in there], [])
                elif [f for f in files if f not in there]:
                    self.say('%s %s has no profile' % (job, step))
                else:
                    name, _, inner = step.partition('.')
                    end = 'RETURN CODE %d' % code if isinstance(code, int) else code
                    self.has(job, files[0], ['STEP ' + step + ' ', 'MEASUREMENT SESSION DATA', ', STEP ' + step + ' OF JOB ' + job, end,
                                             'STEP NAME ....', ' ' + name + ' ', 'PROCEDURE STEP ....',
                                             ' ' + (inner or '-') + ' '])
        csv = subprocess.run([os.environ['VIGIL_BUILD'] + '/vigil', 'report', '-r', 'MEP', '-f', 'csv',
                              self.jobs()['NIGHT3'] + '/BILLING.RUN.vprf'],
                             stdout=subprocess.PIPE, check=True).stdout.decode()
        names, hot = (line.split(',') for line in csv.splitlines()[:2])
        hot = dict(zip(names, hot))
        self.same('the hot paragraph', hot['procedure'], 'FORECAST-DEMAND')
        if float(hot['cpu_charged_percent']) < 60:
            self.say('FORECAST-DEMAND has %s %% only' % hot['cpu_charged_percent'])

    def run(self):
        for topic in ('steps', 'data', 'members', 'master', 'listings', 'logs', 'profiles'):
            with open('%s/wrong.%s' % (self.work, topic), 'a') as self.report:
                getattr(self, 'check_' + topic)()


def main(work, last):
    company = Company(work + '/night1')
    for night in range(1, last + 1):
        company.night('%s/night%d' % (work, night))
        Check(work, night, company).run()


if __name__ == '__main__':
    main(sys.argv[1], int(sys.argv[2]))
