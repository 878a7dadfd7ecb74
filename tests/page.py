# SPDX-License-Identifier: Apache-2.0
"""What a page of HTML shows, in a headless Chromium, compared with the JSON report: page.py FOLDER OUTPUT.
FOLDER has NAME.html and NAME.json of each session; for each check OUTPUT/CHECK says "ok" or what is wrong."""
import json
import os
import sys
import traceback

from browser import Browser

CHECKS = {}
READ = {}  # sessions whose pages a check only reads, leads from view to view, or brings back to the whole run: opened once for all such checks
MARKS = set(map(chr, [*range(0x200B, 0x2010), *range(0x2028, 0x202F), *range(0x2060, 0x2070), 0x61C, 0xFEFF]))


def check(function):
    CHECKS[function.__name__] = function
    return function


def visible(text):
    """A text as a page has it: what is not seen, or acts, is a sign."""
    made = ""
    for character in text:
        code = ord(character)
        if code < 0x20:
            made += chr(0x2400 + code)
        elif code == 0x7F:
            made += "␡"
        elif 0x80 <= code < 0xA0 or character in MARKS:
            made += "[U+%04X]" % code
        else:
            made += character
    return made


def near(first, second, allowed=1e-9):
    return abs(first - second) <= allowed * max(1.0, abs(first), abs(second))


class Session:
    def __init__(self, folder, name, browser, **options):
        self.name = name
        with open(os.path.join(folder, name + ".json"), encoding="utf-8") as file:
            self.json = json.load(file)
        self.page = browser.open(os.path.join(folder, name + ".html"), **options)

    def rows(self, code, table, kind="detail"):
        return [row for report in self.json["reports"] if report["code"] == code for one in report["tables"] if one["table"] == table
                for row in one["rows"] if row["row"] == kind]

    def run(self, script):
        return self.page.run(script)


def read_only(folder, name, browser):
    if name not in READ:
        READ[name] = Session(folder, name, browser)
    return READ[name]


READ_TABLES = """[...document.querySelectorAll('section.report')].map((section) => ({ code: section.id, tables:
    [...section.querySelectorAll('table')].map((table) => { const heads = [...table.tHead.rows[table.tHead.rows.length - 1].cells].map((cell) => cell.dataset.c);
        return { table: table.dataset.t, rows: [...table.tBodies[0].rows].map((row) => ({ kind: row.className, cells: [...row.cells].map((cell, number) =>
            [heads[number], cell.dataset.v === undefined ? cell.textContent : Number(cell.dataset.v)]) })) }; }),
    facts: Object.fromEntries([...section.querySelectorAll('section.facts')].map((group) => [group.dataset.g,
        Object.fromEntries([...group.querySelectorAll('dd')].map((cell) => [cell.dataset.c, cell.dataset.v === undefined ? cell.textContent : Number(cell.dataset.v)]))])) }))"""


def compare_value(where, expected, found):
    if expected is None:
        assert found in ("", "-"), (where, found)
    elif isinstance(expected, str):
        assert found == visible(expected), "%s: %r is %r" % (where, expected, found)
    else:
        assert isinstance(found, (int, float)) and near(found, expected), "%s: %r is %r" % (where, expected, found)


def compare_tables(session):
    kinds = {"detail": "", "other": "o", "subtotal": "s", "total": "t"}
    shown = session.run(READ_TABLES)
    values = 0
    assert [report["code"] for report in shown] == [report["code"] for report in session.json["reports"]]
    for report, found in zip(session.json["reports"], shown):
        assert len(report["tables"]) == len(found["tables"]), report["code"]
        for group, facts in report["facts"].items():
            for key, value in facts.items():
                compare_value((report["code"], group, key), value, found["facts"][group][key])
        for table, there in zip(report["tables"], found["tables"]):
            where = "%s %s %s" % (session.name, report["code"], table["table"])
            assert there["table"] == table["table"] and len(there["rows"]) == len(table["rows"]), where
            for row, line in zip(table["rows"], there["rows"]):
                assert kinds[row["row"]] == line["kind"], where
                for key, value in line["cells"]:
                    if key in row:
                        compare_value((where, key), row[key], value)
                        values += 1
    return values


@check
def tables(folder, browser):
    """Every row of every report, and each of its values, are those of the JSON report."""
    for name in ("payroll", "threads", "names", "database", "activity", "events", "coverage", "many", "hostile"):
        values = compare_tables(read_only(folder, name, browser))
        assert values > 50, (name, values)


# Visits all views, each drawn: the view, those then shown, and the current one.
LEAD = """(async () => {
    const views = [...document.querySelectorAll('section.view')], made = [];
    for (const view of views) {
        location.hash = '#' + view.id;
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
        made.push([view.id, views.filter((one) => !one.hidden).map((one) => one.id), document.querySelector('nav a[aria-current]').hash]);
    }
    return made; })()"""


@check
def clean(folder, browser):
    """No view of any session complains, and nothing is asked of a network."""
    for name in ("payroll", "threads", "names", "database", "activity", "events", "coverage", "many", "nothing", "empty", "python", "hostile", "measured"):
        session = read_only(folder, name, browser)
        session.page.send("Page.bringToFront")  # what is behind another page draws nothing
        views = session.run(LEAD)
        assert views, name
        for view, there, current in views:
            assert there == [view], (name, view, there)
            assert current == "#" + view, (name, view, current)
        assert session.page.complaints() == [], (name, session.page.complaints())
        assert session.page.requests() == [], session.page.requests()


@check
def inert(folder, browser):
    """Names of any bytes are only read."""
    session = Session(folder, "hostile", browser)
    for view in session.run("[...document.querySelectorAll('section.view')].map((one) => one.id)"):
        session.page.go("#" + view)
        for details in range(session.run("(() => { const all = document.querySelectorAll('details'); for (const one of all) one.open = true; return all.length; })()")):
            pass
    session.page.settle()
    assert session.run("window.hacked === undefined")
    assert session.run("document.querySelectorAll('img, iframe, object, embed, main script, link, base').length") == 0
    assert session.run("[...document.querySelectorAll('*')].every((one) => ![...one.attributes].some((attribute) => attribute.name.startsWith('on')))")
    assert session.run("[...document.querySelectorAll('a')].every((one) => one.getAttribute('href').startsWith('#'))")
    assert session.run("document.querySelector('h1').textContent") == "<script>window.hacked=1</script>"
    assert "[U+202E]txt.exe" in session.run("document.querySelector('#TUS').textContent")
    assert session.page.complaints() == [], session.page.complaints()
    # The policy itself: an injected script is not executed.
    session.run("(() => { const one = document.createElement('script'); one.textContent = 'window.hacked = 99'; document.body.append(one); return 0; })()")
    assert session.run("window.hacked === undefined")
    assert session.run("new Promise((done) => { fetch('http://127.0.0.1:9/').then(() => done('went'), () => done('kept')); })") == "kept"


OWN_SECTIONS = """(() => { const made = new Map(); for (const row of vigilPage.Calls.functions()) { const name = vigilPage.Content.functions[row.of].section;
    made.set(name, (made.get(name) || 0) + row.ownCpu / vigilPage.Content.period); } return [...made]; })()"""


def by(rows, key, value):
    made = {}
    for row in rows:
        made[row[key]] = made.get(row[key], 0) + row[value]
    return {name: amount for name, amount in made.items() if amount}


def same(first, second, what):
    first = {visible(name): amount for name, amount in first.items()}
    assert set(first) == {name for name, amount in second.items() if amount > 1e-6}, (what, first, second)
    for name, amount in first.items():
        assert near(amount, second[name], 1e-6), (what, name, amount, second[name])


def children(session, metric, group, inverted="false"):
    return dict(session.run("""vigilPage.Calls.tree('%s', '%s', %s).children.map((one) => [one.label === undefined ? vigilPage.Content.functions[one.of].name :
        one.label, [one.cpu / vigilPage.Content.period, one.wait]])""" % (metric, group, inverted)))


@check
def flames(folder, browser):
    """Flame graphs have the totals of the reports, as a whole, by thread, by transaction, inverted."""
    for name in ("payroll", "threads", "database", "many", "hostile", "measured"):
        session = read_only(folder, name, browser)
        samples = sum(row["samples"] for row in session.rows("PSU", "sections") + session.rows("PSU", "sections", "other"))
        charged = sum(row["wait_charged_ns"] for row in session.rows("WTM", "reasons") + session.rows("WTM", "reasons", "other"))
        for inverted in ("false", "true"):
            root = session.run("(() => { const root = vigilPage.Calls.tree('both', '', %s); return [root.cpu / vigilPage.Content.period, root.wait]; })()" % inverted)
            assert near(root[0], samples, 1e-6) and near(root[1], charged), (name, root, samples, charged)
        if name != "many":
            same(by(session.rows("PSU", "sections"), "section", "samples"), dict(session.run(OWN_SECTIONS)), "sections of " + name)
        transactions = session.rows("TUS", "transactions")
        if transactions:
            made = children(session, "cpu", "transaction")
            same(by(transactions, "transaction", "samples"), {key: value[0] for key, value in made.items()}, "transactions of " + name)
        tasks = session.rows("RDD", "tasks")
        if name in ("payroll", "threads", "database", "measured"):
            same(by(tasks, "task", "wait_charged_ns"), {key: value[1] for key, value in children(session, "wait", "task").items()}, "threads of " + name)
        own = {}
        for one in session.run("vigilPage.Calls.functions().map((row) => [vigilPage.Content.functions[row.of].name, row.ownCpu / vigilPage.Content.period])"):
            own[one[0]] = own.get(one[0], 0) + one[1]
        for row in session.rows("MEP", "procedures_own"):
            if row["procedure"] and "+" not in row["procedure"]:
                assert own.get(visible(row["procedure"]), 0) >= row["samples"] - 1e-6, (name, row, own)


# Whether a tree equals the sums over paths, each walked separately; how many nodes it has; and what is below nodes
# without callers.
INVERTED = """(() => { const { nodes, functions } = vigilPage.Content, root = vigilPage.Calls.tree('cpu', '', true), samples = vigilPage.Selection.amounts().samples;
    const expected = new Map(), cpu = vigilPage.Content.cpu;
    for (let row = 0; row < cpu.count; row++)
        for (let at = cpu.node[row], path = ''; at && path.length < LENGTH; at = nodes.parent[at]) {
            path += nodes.of[at] + ' ';
            expected.set(path, (expected.get(path) || 0) + samples[row] * vigilPage.Content.period);
        }
    let wrong = 0, missing = 0, hidden = 0, known = 0;
    const seen = [[root, '']];
    while (seen.length) {
        const [node, path] = seen.pop();
        for (const child of node.children) {
            if (child.label !== undefined) { hidden += child.value; continue; }
            const here = path + child.of + ' ';
            if (here.length >= LENGTH) continue;
            known++;
            if (!(Math.abs(expected.get(here) - child.value) < 1e-6 * child.value)) wrong++;
            seen.push([child, here]);
        }
    }
    return { wrong, known, expected: expected.size, count: root.count, hidden: hidden / (root.value || 1), value: root.value / vigilPage.Content.period }; })()"""


@check
def inverted(folder, browser):
    """The inverted tree is what all stacks come to, read from the inside; of very many deep ones the heaviest nodes are made."""
    for name in ("payroll", "threads", "many", "measured"):
        found = read_only(folder, name, browser).run(INVERTED.replace("LENGTH", "200"))
        assert found["wrong"] == found["hidden"] == 0 and found["known"] == found["expected"] > 0, (name, found)
    session = Session(folder, "payroll", browser)
    session.run("""(() => { const { Content, Selection } = vigilPage, of = [0], parent = [0], depth = [0], functions = Content.functions.length - 1;
        let seed = 1;
        const random = (most) => { seed = (seed * 48271) % 2147483647; return seed % most; };
        while (of.length < 40000) {
            let at = random(of.length);
            do { parent.push(at); of.push(1 + random(functions)); depth.push(depth[at] + 1); at = of.length - 1; } while (depth[at] < 300 && of.length < 40000);
        }
        Object.assign(Content.nodes, { of, parent });
        Object.assign(Content.cpu, { count: 100000, node: of.concat(of, of).slice(0, 100000).map(() => 1 + random(39999)) });
        const samples = new Float64Array(100000).map((value, row) => row % 7 ? 1 : 50);
        Selection.amounts = () => ({ samples }); return 0; })()""")
    # The outer ends of a hundred thousand paths are omitted, which is what would take long.
    found = session.run(INVERTED.replace("LENGTH", "40"))
    assert found["wrong"] == 0 and found["known"] > 1000 and found["count"] < 100000, found
    assert found["value"] == 100000 + 49 * 14286 and 0 < found["hidden"] < 1, found


@check
def waits(folder, browser):
    """Waits by reason and by data set are those of the report."""
    for name in ("payroll", "threads", "database", "measured"):
        session = read_only(folder, name, browser)
        session.page.go("#lists")
        read = """(id) => { const table = document.querySelector('table[data-t=' + id + ']'); return table ? [...table.tBodies[0].rows].map((row) => [row.cells[0].textContent,
            ...[...row.cells].filter((cell) => cell.dataset.v !== undefined).map((cell) => Number(cell.dataset.v))]) : []; }"""
        reasons = session.run("(%s)('reasons')" % read)
        rows = session.rows("WTM", "reasons")
        same(by(rows, "reason", "wait_charged_ns"), {row[0]: row[1] for row in reasons}, "reasons of " + name)
        same(by(rows, "reason", "wait_total_ns"), {row[0]: row[3] for row in reasons}, "reasons of " + name)
        files = {}
        for row in session.run("(%s)('files')" % read):
            files[row[0]] = files.get(row[0], 0) + row[1]
        same(by([row for row in rows if row["ddname"]], "ddname", "wait_charged_ns"), files, "files of " + name)


SUMS = "(() => { const sum = vigilPage.Selection.amounts().total; return [sum.samples, sum.charged, sum.waited]; })()"


@check
def selection(folder, browser):
    """A part of the run, by mouse and by keyboard: all views follow, and the parts come to the whole."""
    session = Session(folder, "payroll", browser)
    page = session.page
    whole = session.run(SUMS)
    slices = session.run("vigilPage.Content.axis.count")
    sums = [0, 0, 0]
    for part in range(4):
        session.run("vigilPage.Selection.set({ from: %d, to: %d }); 0" % (part * slices // 4, (part + 1) * slices // 4))
        found = session.run(SUMS)
        tree = session.run("(() => { const root = vigilPage.Calls.tree('both', 'task', false); return [root.cpu / vigilPage.Content.period, root.wait]; })()")
        assert near(tree[0], found[0], 1e-6) and near(tree[1], found[1]), (tree, found)
        sums = [a + b for a, b in zip(sums, found)]
    assert all(near(a, b) for a, b in zip(sums, whole)), (sums, whole)
    # The mouse: over the second half of the strip.
    session.run("vigilPage.Selection.set({ from: 0, to: vigilPage.Content.axis.count }); 0")
    page.go("#lists")
    box = session.run("(() => { const box = document.querySelector('.selection .u-over').getBoundingClientRect(); return [box.left, box.top, box.width, box.height]; })()")
    y = box[1] + box[3] / 2
    page.mouse("mouseMoved", box[0] + box[2] / 2, y)
    page.mouse("mousePressed", box[0] + box[2] / 2, y, 1)
    page.mouse("mouseMoved", box[0] + box[2] * 0.7, y, 1)
    page.mouse("mouseMoved", box[0] + box[2] * 0.8, y, 1)
    page.mouse("mouseReleased", box[0] + box[2] * 0.8, y)
    page.settle()
    state = session.run("[vigilPage.Selection.state.from, vigilPage.Selection.state.to]")
    assert abs(state[0] - slices * 0.5) <= 3 and abs(state[1] - slices * 0.8) <= 3, (state, slices)
    assert session.run("!document.querySelector('.narrowed').hidden")
    found = session.run(SUMS)
    shown = session.run("[...document.querySelector('table[data-t=threads]').tBodies[0].rows].map((row) => Number([...row.cells].filter((cell) => cell.dataset.v !== undefined)[0].dataset.v))")
    assert sum(shown) == found[0] < whole[0], (shown, found)
    page.go("#flames")
    assert near(session.run("vigilPage.Flames.root.cpu / vigilPage.Content.period"), found[0], 1e-6)
    page.go("#source")
    lines = session.run("[...document.querySelectorAll('.source tbody tr')].reduce((all, row) => all + Number(row.cells[1] && row.cells[1].dataset.v || 0), 0)")
    assert lines <= found[0] * session.run("vigilPage.Content.period") * 1.000001
    # The keyboard: a field, and the whole run again.
    session.run("document.querySelector('.selection input').focus(); document.querySelector('.selection input').select(); 0")
    for character in "1.5":
        page.send("Input.insertText", text=character)
    page.key("Enter", 13, "\r")
    page.settle()
    begin = session.run("vigilPage.Content.seconds(vigilPage.Selection.state.from)")
    assert abs(begin - 1.5) <= session.run("vigilPage.Content.axis.width") / 1e9, begin
    session.run("[...document.querySelectorAll('.selection button')].find((one) => one.textContent === 'Whole run').focus(); 0")
    page.key("Enter", 13, "\r")
    assert session.run(SUMS) == whole and session.run("vigilPage.Selection.whole")
    # A thread, and a transaction.
    session = Session(folder, "threads", browser)
    sums = [0, 0, 0]
    for task in range(session.run("vigilPage.Content.tasks.length")):
        session.run("vigilPage.Selection.set({ task: %d }); 0" % task)
        sums = [a + b for a, b in zip(sums, session.run(SUMS))]
    session.run("vigilPage.Selection.set({ task: -1 }); 0")
    assert sums == session.run(SUMS), sums
    # The same by the list that a user has: each transaction has what the report says, all views show it, and together
    # they make up the whole.
    for name in ("database", "threads"):
        session = Session(folder, name, browser)
        page = session.page
        page.go("#flames")
        whole = session.run(SUMS)
        rows = {visible(row["transaction"]): row for row in session.rows("TUS", "transactions")}
        labels = session.run("vigilPage.Content.transactions")
        assert len(labels) > 1, labels
        sums = [0, 0, 0]
        for number, label in enumerate(labels):
            session.run("(() => { const list = [...document.querySelectorAll('.selection select')].find((one) => one.options[0].textContent === 'All transactions'); list.value = '%d'; list.dispatchEvent(new Event('change')); })(); 0" % number)
            page.settle()
            found = session.run(SUMS)
            assert session.run("vigilPage.Selection.state.transaction") == number and session.run("!document.querySelector('.narrowed').hidden")
            row = rows.get(visible(label), {"samples": 0, "wait_charged_ns": 0})
            assert found[0] == row["samples"] and near(found[1], row["wait_charged_ns"]), (name, label, found, row)
            root = session.run("[vigilPage.Flames.root.cpu / vigilPage.Content.period, vigilPage.Flames.root.wait]")
            assert near(root[0], found[0], 1e-6) and near(root[1], found[1]), (label, root, found)
            sums = [a + b for a, b in zip(sums, found)]
        assert all(near(a, b) for a, b in zip(sums, whole)), (name, sums, whole)
        session.run("[...document.querySelectorAll('.selection button')].find((one) => one.textContent === 'Whole run').click(); 0")
        assert session.run(SUMS) == whole


# The selection in the tables that follow it: report, table, amount, and for each row its selected part by column, its
# kind, and Selected.
FOLLOWED = """(document.querySelectorAll('.report').forEach((one) => vigilPage.Selected.follow(one)), vigilPage.Selected.followed.map(({ table, kind, context, rows }) => {
    const heads = [...table.tHead.rows[table.tHead.rows.length - 1].cells].map((cell) => cell.dataset.c);
    return { table: table.closest('.report').id + ' ' + table.dataset.t, column: kind.column, context: Object.fromEntries(context), rows: rows.map(({ row, cell }) => ({ kind: row.className.replace('unselected', '').trim(),
        shown: getComputedStyle(row).display !== 'none', selected: Number(cell.dataset.v), text: getComputedStyle(cell).display === 'none' ? null : cell.textContent,
        cells: Object.fromEntries([...row.cells].map((cell, number) => [heads[number], cell.dataset.v === undefined ? cell.textContent : Number(cell.dataset.v)])) })) }; }))"""


@check
def followed(folder, browser):
    """Tables follow the selection: parts come to the numbers of the report, row by row, and rows that have nothing of it go."""
    expected = {"payroll": {"RDD tasks", "WTM reasons", "PSU sections", "MEP procedures_own", "MEP procedures_charged", "MEP statements_charged", "PUP system", "PUP program", "TUS transactions"},
                "threads": {"RDD tasks", "WTM reasons", "PSU sections", "MEP procedures_own", "PUP program", "TUS transactions", "TUC sections"},
                "database": {"WTM reasons", "PSU sections", "TUS transactions", "TUC sections"}, "many": {"MEP procedures_own"}, "measured": {"PSU sections", "PUP program"}}
    for name, tables in expected.items():
        session = read_only(folder, name, browser)
        before = session.run(FOLLOWED)
        assert tables <= {one["table"] for one in before}, (name, [one["table"] for one in before])
        assert all(row["text"] is None and row["shown"] for one in before for row in one["rows"])
        slices = session.run("vigilPage.Content.axis.count")
        sums = [[0] * len(one["rows"]) for one in before]
        for part in range(3):
            session.run("vigilPage.Selection.set({ from: %d, to: %d }); 0" % (part * slices // 3, (part + 1) * slices // 3))
            for one, there in zip(sums, session.run(FOLLOWED)):
                for number, row in enumerate(there["rows"]):
                    one[number] += row["selected"] if row["kind"] != "s" else 0
        for one, made in zip(before, sums):
            for row, amount in zip(one["rows"], made):
                if row["kind"] == "":
                    assert near(amount, row["cells"][one["column"]], 1e-6), (name, one["table"], row, amount)
        # One thread: compared with what the same page counts by thread, in another way.
        session.run("vigilPage.Selection.set({ from: 0, to: %d, task: 0 }); 0" % slices)
        own = dict(session.run(OWN_SECTIONS))
        for one in session.run(FOLLOWED):
            if one["table"] == "PSU sections" and not one["context"]:
                for row in one["rows"]:
                    if row["kind"] == "":
                        assert near(row["selected"], own.get(row["cells"]["section"], 0), 1e-6), (name, row, own)
        session.page.go("#PSU")
        hidden = [(row["selected"] == 0, row["shown"]) for one in session.run(FOLLOWED) if one["table"] == "PSU sections" for row in one["rows"] if row["kind"] == ""]
        assert hidden and all(nothing != shown for nothing, shown in hidden), (name, hidden)
        session.run("vigilPage.Selection.set({ task: -1 }); 0")
        assert all(row["text"] is None and row["shown"] for one in session.run(FOLLOWED) for row in one["rows"])


@check
def findings(folder, browser):
    """What is first: as the report has it; and what is first of a part is made in the same way."""
    for name in ("payroll", "threads", "database"):
        session = read_only(folder, name, browser)
        read = "[...document.querySelectorAll('.findings > li')].map((one) => [one.querySelector('strong').textContent, Number(one.dataset.v)])"
        rows = session.rows("MSD", "look_first")
        shown = session.run(read)
        assert [row["what"] for row in rows] == [one[0] for one in shown[:len(rows)]], (rows, shown)
        assert all(near(row["run_percent"], one[1]) for row, one in zip(rows, shown))
        made = session.run("""vigilPage.Calls.heaviest().filter((one) => one.ns >= vigilPage.Selection.length / 100).map((one) =>
            [vigilPage.Content.functions[one.of].name + (one.line ? ' line ' + one.line : ''), 100 * one.ns / vigilPage.Selection.length])""")
        made = {one[0]: one[1] for one in made}
        for what, percent in shown:
            assert near(made[what], percent, 0.001), (name, what, percent, made)
        # Two parts add up to the whole.
        sums, lengths = {}, 0
        for begin, end in ((0, 0.25), (0.25, 1)):
            session.run("vigilPage.Selection.set({ from: vigilPage.Content.axis.count * %f + 1e-6, to: vigilPage.Content.axis.count * %f - 1e-6 }); 0" % (begin, end))
            assert "selection" in session.run("document.querySelector('#first h2').textContent")
            part = session.run(read)
            assert part and all(one[1] >= 1 for one in part) and part == sorted(part, key=lambda one: -one[1]), part
            length = session.run("vigilPage.Selection.length")
            lengths += length
            for what, percent in part:
                sums[what] = sums.get(what, 0) + percent * length
        for what, percent in shown:
            # Except for what is less than a percent of a part.
            expected = made[what] * session.run("vigilPage.Content.run")
            assert abs(sums.get(what, 0) - expected) <= 0.05 * expected + lengths, (name, what, sums, expected)
        session.run("vigilPage.Selection.set({ from: 0, to: vigilPage.Content.axis.count }); 0")
        assert session.run(read) == shown


@check
def keyboard(folder, browser):
    """All can be done without a mouse."""
    session = Session(folder, "payroll", browser)
    page = session.page
    page.key("Tab", 9)
    assert session.run("document.activeElement.className") == "skip"
    reached = set()
    for _ in range(60):
        page.key("Tab", 9)
        reached.add(session.run("document.activeElement.tagName + ' ' + (document.activeElement.hash || document.activeElement.getAttribute('aria-label') || '')"))
    assert "A #flames" in reached and "A #PUP" in reached and "INPUT Selected from, seconds" in reached, reached
    page.go("#flames")
    session.run("vigilPage.Flames.picture.canvas.focus(); 0")
    line = "vigilPage.Flames.picture.live.textContent"
    first = session.run(line)
    page.key("ArrowDown", 40)
    second = session.run(line)
    assert "All CPU time" in first and second and second != first, (first, second)
    page.key("ArrowDown", 40)
    page.key("Enter", 13, "\r")
    assert session.run("vigilPage.Flames.picture.zoomed === vigilPage.Flames.picture.current && vigilPage.Flames.picture.zoomed.depth") == 2
    page.key("o", 79, "o")
    page.settle()
    assert session.run("location.hash").startswith("#procedure=")
    page.go("#flames")
    session.run("vigilPage.Flames.picture.canvas.focus(); 0")
    page.key("Escape", 27)
    assert session.run("vigilPage.Flames.picture.zoomed === vigilPage.Flames.root")
    # A column heading sorts.
    page.go("#PSU")
    session.run("document.querySelector('#PSU th[data-c=samples] button').focus(); 0")
    page.key("Enter", 13, "\r")
    values = "[...document.querySelector('#PSU table').tBodies[0].rows].filter((row) => !row.className).map((row) => Number(row.cells[3].dataset.v))"
    found = session.run(values)
    assert found == sorted(found, reverse=True) and len(found) > 2, found
    assert session.run("document.querySelector('#PSU th[data-c=samples]').getAttribute('aria-sort')") == "descending"
    page.key("Enter", 13, "\r")
    assert session.run(values) == sorted(found)
    page.key("Enter", 13, "\r")
    assert session.run("[...document.querySelector('#PSU table').tBodies[0].rows].map((row) => row.className)").count("t") == 1


@check
def views(folder, browser):
    """Search, zoom, the inverted graph, one procedure, sources, filters of rows."""
    session = Session(folder, "payroll", browser)
    page = session.page
    page.go("#flames")
    search = "document.querySelector('#flames input[type=search]')"
    session.run(search + ".value = 'pension'; " + search + ".dispatchEvent(new Event('input')); 0")
    assert "found" in session.run("document.querySelector('#flames .found').textContent")
    assert session.run("vigilPage.Flames.picture.boxes.some((box) => vigilPage.Flames.picture.search(box.node))")
    session.run("document.querySelector('#flames .toggle').click(); 0")
    page.settle()
    assert session.run("vigilPage.Flames.shown.inverted")
    inverted = session.run("vigilPage.Flames.root.children.reduce((all, one) => all + one.value, 0)")
    assert near(inverted, session.run("vigilPage.Flames.root.value"), 1e-9)
    # One procedure: its self time and that with its callees, in both of its pictures.
    for row in session.run("vigilPage.Calls.functions().slice(0, 20)"):
        sums = session.run("(() => { const both = vigilPage.Calls.around('both', %d); return [both.callers.value, both.callees.value]; })()" % row["of"])
        assert near(sums[0], row["cpu"] + row["wait"], 1e-9) and near(sums[1], sums[0], 1e-9), (row, sums)
    page.go("#first")
    session.run("document.querySelector('#first li.cpu a').click(); 0")
    page.settle()
    assert session.run("location.hash").startswith("#procedure=") and session.run("document.querySelector('#procedure canvas').height > 20")
    # Rows of a table.
    page.go("#PUP")
    filters = session.run("document.querySelectorAll('#PUP .table-tools input').length")
    session = Session(folder, "many", browser)
    session.page.go("#MEP")
    session.run("(() => { const one = document.querySelector('#MEP .table-tools input'); one.value = 'procedure_00'; one.dispatchEvent(new Event('input')); })(); 0")
    rows = session.run("[...document.querySelector('#MEP .table').querySelectorAll('tbody tr')].filter((row) => !row.hidden).map((row) => row.textContent)")
    assert rows and all("procedure_00" in row for row in rows), (filters, rows)


@check
def source(folder, browser):
    """The program's source is there, its lines with what was spent at them."""
    session = read_only(folder, "measured", browser)
    session.page.go("#source")
    text = session.run("[...document.querySelectorAll('.source tbody tr')].map((row) => [Number(row.cells[0].textContent), row.cells[4].textContent, Number(row.cells[1].dataset.v), Number(row.cells[2].dataset.v)])")
    with open(os.path.join(folder, "spin.c"), encoding="utf-8") as file:
        lines = file.read().splitlines()
    assert [row[1] for row in text] == [line or "(not known)" for line in lines], text
    period = session.run("vigilPage.Content.period")
    expected = {}
    for row in session.rows("PUP", "program"):
        if row.get("line"):  # code without lines (the start of the program, its table of libraries) has none
            expected[row["line"]] = expected.get(row["line"], 0) + row["samples"]
    for row in text:
        assert near(row[2] / period, expected.get(row[0], 0), 1e-6), (row, expected)
    assert session.run("document.querySelector('.source tr.hottest') !== null")


@check
def theme(folder, browser):
    """Light and dark: as the system has it, until the switch says otherwise."""
    session = Session(folder, "payroll", browser)
    light = "getComputedStyle(document.body).backgroundColor.match(/[0-9]+/g).slice(0, 3).reduce((all, one) => all + Number(one), 0) > 380"
    assert session.run(light)
    session.page.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    assert not session.run(light)
    session.run("document.querySelector('.theme').click(); 0")
    assert session.run(light)
    session.run("document.querySelector('.theme').click(); 0")
    assert not session.run(light)


@check
def readable(folder, browser):
    """What a screen reader is given: names of all that acts, tables beside pictures, heads of columns."""
    session = Session(folder, "payroll", browser)
    for view in session.run("[...document.querySelectorAll('section.view')].map((one) => one.id)"):
        session.page.go("#" + view)
    nameless = session.run("""[...document.querySelectorAll('input, select, button, canvas[tabindex], a, [role=region], [role=group], nav, section')].filter((one) =>
        !one.getAttribute('aria-label') && !one.getAttribute('aria-labelledby') && !one.textContent.trim() && !one.closest('label')).map((one) => one.outerHTML.slice(0, 100))""")
    assert nameless == [], nameless
    assert session.run("document.documentElement.lang") == "en"
    assert session.run("document.querySelectorAll('h1').length") == 1
    assert session.run("[...document.querySelectorAll('table')].every((table) => table.querySelector('th[scope=col]'))")
    assert session.run("[...document.querySelectorAll('section[aria-labelledby]')].every((one) => document.getElementById(one.getAttribute('aria-labelledby')))")
    assert session.run("document.querySelectorAll('#time .course').length") == session.run("document.querySelectorAll('#time details.alternative').length") > 2
    session.page.go("#flames")
    session.run("document.querySelector('#flames details').open = true; 0")
    session.page.settle()
    rows = session.run("document.querySelectorAll('#flames details tbody tr').length")
    assert rows > 3, rows


@check
def plain(folder, browser):
    """Where no script may run, findings and all tables are there to read."""
    session = Session(folder, "payroll", browser, scripts=False, hidden=False)
    browser_text = session.page.send("DOM.getDocument", depth=0)
    assert browser_text
    shot = session.page.send("Page.captureScreenshot", format="png")
    assert len(shot["data"]) > 10000
    session.page.send("Emulation.setScriptExecutionDisabled", value=False)
    assert session.run("typeof vigilPage") == "undefined"
    assert session.run("[...document.querySelectorAll('section.view')].every((one) => one.getClientRects().length === 1)")
    assert session.run("document.querySelectorAll('.findings li').length") == len(session.rows("MSD", "look_first"))


@check
def printed(folder, browser):
    """On paper stand all views, light, with their pictures."""
    session = Session(folder, "payroll", browser, hidden=False)
    session.page.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    # What is shown when the browser has prepared for printing.
    session.run("""addEventListener('beforeprint', () => { window.paper = { views: [...document.querySelectorAll('section.view')].filter((one) => one.hidden).length,
        theme: document.documentElement.dataset.theme, canvas: document.querySelector('#flames canvas').height, source: document.querySelectorAll('.source tr').length }; }); 0""")
    path = os.path.join(folder, "payroll.pdf")
    session.page.pdf(path)
    paper = session.run("window.paper")
    assert paper["views"] == 0 and paper["theme"] == "light" and paper["canvas"] > 40 and paper["source"] > 1, paper
    with open(path, "rb") as file:
        data = file.read()
    assert data.startswith(b"%PDF") and data.count(b"/Type /Page\n") + data.count(b"/Type /Page ") + data.count(b"/Type/Page\n") > 5 or len(data) > 50000
    session.page.settle()
    assert session.run("[...document.querySelectorAll('section.view')].filter((one) => !one.hidden).length") == 1


def main():
    folder, output = sys.argv[1:3]
    wanted = sys.argv[3:] or list(CHECKS)
    with Browser() as browser:
        for name in wanted:
            try:
                CHECKS[name](folder, browser)
                result = "ok"
            except Exception:
                result = traceback.format_exc()
            browser.close([page for page in browser.pages if all(page is not session.page for session in READ.values())])
            with open(os.path.join(output, name), "w", encoding="utf-8") as file:
                file.write(result + "\n")


if __name__ == "__main__":
    main()
