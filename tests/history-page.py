# SPDX-License-Identifier: Apache-2.0
"""What the page of a trend shows, in a headless Chromium, compared with its JSON form: history-page.py NAME PROFILE (NAME.html,
NAME.json; the profile that the last night's points lead to). Exit 0 when all is as it should be."""
import json
import sys
import urllib.parse

from browser import Browser

POINTS = """[...document.querySelectorAll('#trend section.trend')].map((one) => [one.dataset.figure,
    [...one.querySelectorAll('circle')].map((dot) => [Number(dot.getAttribute('cx')), Number(dot.getAttribute('cy')), dot.querySelector('title').textContent,
        dot.parentNode.tagName === 'a' ? dot.parentNode.getAttribute('href') : ''])])"""
COLUMNS = {"elapsed": "elapsed_ns", "cpu": "cpu_ns", "wait": "wait_ns", "calls": "calls", "bytes": "bytes", "peak": "peak_bytes"}


def main():
    name, profile = sys.argv[1:]
    with open(name + ".json", encoding="utf-8") as file:
        rows = json.load(file)["reports"][0]["tables"][0]["rows"]
    with Browser() as browser:
        page = browser.open(name + ".html")
        shown = dict(page.run(POINTS))
        for figure, column in COLUMNS.items():
            known = [row for row in rows if row.get(column) is not None]
            if not known:
                assert figure not in shown, figure
                continue
            points = shown[figure]
            assert len(points) == len(known), (figure, points)
            for point, row in zip(points, known):
                assert point[2].startswith(row["night"] + ": "), (point, row)
            # Each night is further right, and a smaller amount is lower.
            assert [point[0] for point in points] == sorted(point[0] for point in points)
            for (_, low, _, _), one in zip(points, known):
                for (_, other, _, _), two in zip(points, known):
                    assert one[column] <= two[column] or low <= other, (figure, one, two)
            assert urllib.parse.unquote(points[-1][3]) == "file://" + profile, points[-1]
            assert all(point[3] == "" for point in points[:-1]), points
        assert page.complaints() == [] and page.requests() == [], (page.complaints(), page.requests())


main()
