# SPDX-License-Identifier: Apache-2.0
"""What the page of a comparison shows, in a headless Chromium, compared with its JSON and folded forms: compare-page.py NAME
(NAME.html, .json, .folded) [PICTURE]. Exit 0 when all is as it should be."""
import json
import sys

from browser import Browser

NAME = sys.argv[1]
ROWS = """[...document.querySelectorAll('section.report table')].map((table) => { const heads = [...table.tHead.rows[table.tHead.rows.length - 1].cells].map((cell) => cell.dataset.c);
    return [table.dataset.t, [...table.tBodies[0].rows].map((row) => Object.fromEntries([...row.cells].map((cell, number) =>
        [heads[number], cell.dataset.v === undefined ? cell.textContent : Number(cell.dataset.v)])))]; })"""
NODES = """vigilPage.Difference.nodes.slice(1).map((node) => { const path = []; for (let one = node; one.parent; one = one.parent) path.unshift(one.label);
    return [path.join(';'), node.base, node.other, node.children.reduce((sum, one) => sum + one.base, 0), vigilPage.Difference.picture.colour(node)]; })"""


def same(first, second):
    if isinstance(first, str) or isinstance(second, str):
        return (first or "") == (second or "").strip() or (first is None and second in ("", "-"))
    return first is None or abs(first - second) <= 1e-9 * max(1, abs(first), abs(second))


def check_tables(page, report):
    shown = page.run(ROWS)
    assert [name for name, _ in shown] == [table["table"] for table in report["tables"]], shown
    for (name, rows), table in zip(shown, report["tables"]):
        assert len(rows) == len(table["rows"]), name
        for row, line in zip(table["rows"], rows):
            for key, value in line.items():
                assert key not in row or same(row[key], value), (name, key, row[key], value)


def check_graph(page, report, work):
    """Each stack of the folded form is in the graph, and what a call has is the sum of what is below it."""
    sums = {}
    for line in open(NAME + ".folded", encoding="utf-8"):
        stack, base, other = line.rstrip("\n").rsplit(" ", 2)
        frames = stack.split(";")
        for depth in range(1, len(frames) + 1):
            sum_of = sums.setdefault(";".join(frames[:depth]), [0, 0])
            sum_of[0] += int(base)
            sum_of[1] += int(other) * work
    nodes = {path: (base / 1000, other / 1000, below / 1000, colour) for path, base, other, below, colour in page.run(NODES)}
    total = [max(1, sum(values[side] for path, values in sums.items() if ";" not in path)) for side in (0, 1)]
    for path, values in sums.items():
        if any(values[side] >= total[side] / 10000 for side in (0, 1)):
            assert path in nodes, (path, values)
            assert all(abs(values[side] - nodes[path][side]) <= len(sums) for side in (0, 1)), (path, values, nodes[path])
    assert all(below <= base for base, _, below, _ in nodes.values()), nodes
    for base, other, _, colour in nodes.values():
        if abs(other - base) > max(total) / 20:
            assert colour.startswith("hsl(8 " if other > base else "hsl(212 "), (base, other, colour)
    page.go("#difference")
    # Both widths, search, keyboard, and the table of the calls.
    for side in (0, 1):
        page.run("document.querySelector('#difference [data-value=%s]').click()" % ("base", "other")[side])
        assert abs(page.run("vigilPage.Difference.root.value") / 1000 - total[side]) <= len(sums) + 1
    leaf = max(nodes, key=lambda path: nodes[path][1] - nodes[path][0]).split(";")[-1]
    page.run("(() => { const field = document.querySelector('#difference input'); field.value = %s; field.dispatchEvent(new Event('input')); })()" % json.dumps(leaf))
    assert page.run("document.querySelector('#difference .found').textContent") != ""
    page.run("document.querySelector('#difference canvas').focus(); 0")
    page.key("ArrowDown", 40)
    assert "base" in page.run("document.querySelector('#difference .picture-line').textContent")
    page.run("document.querySelector('#difference details').open = true; 0")
    page.settle()
    assert page.run("document.querySelectorAll('#difference table tbody tr').length") > 3
    return report


def main():
    with open(NAME + ".json", encoding="utf-8") as file:
        report = json.load(file)["reports"][0]
    with Browser() as browser:
        page = browser.open(NAME + ".html")
        check_tables(page, report)
        work = page.run("JSON.parse(document.getElementById('difference-content').textContent).work")
        check_graph(page, report, work)
        assert page.complaints() == [] and page.requests() == [], (page.complaints(), page.requests())
        if len(sys.argv) > 2:
            page.picture(sys.argv[2])


main()
