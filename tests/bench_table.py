# SPDX-License-Identifier: Apache-2.0
"""The table of make bench: bounds, figures with their quartiles, and the verdict."""
import re
import statistics


class Figure:
    """A measured value: the median of several, with quartiles where there are any."""

    def __init__(self, values, unit, digits=1):
        values = list(values) if isinstance(values, (list, tuple)) else [values]
        self.median = statistics.median(values)
        self.low = self.high = None
        if len(values) > 2:
            self.low, _, self.high = statistics.quantiles(values, n=4, method="inclusive")
        self.unit = unit
        self.digits = digits

    def number(self, value):
        return f"{value:,.{self.digits}f}"

    def __str__(self):
        text = f"{self.number(self.median)} {self.unit}".rstrip()
        if self.low is None:
            return text
        return f"{text} ({self.number(self.low)} to {self.number(self.high)})"

    @staticmethod
    def parse(text):
        """The figure that a program of ours printed: a number and its unit, and perhaps more."""
        found = re.match(r"\s*(-?[\d,]+(?:\.(\d+))?)\s*([^\s(;]*)", text)
        return Figure(float(found[1].replace(",", "")), found[3], len(found[2] or "")) if found else None


class Bound:
    """What DESIGN 11 asks for, in the figure's unit."""

    def __init__(self, limit, at_least=False):
        self.limit = limit
        self.at_least = at_least

    def text(self, unit):
        return f"{'>=' if self.at_least else '<='} {self.limit:,.10g} {unit}".rstrip()

    def holds(self, value):
        return value >= self.limit if self.at_least else value <= self.limit

    def verdict(self, figure):
        """Met or missed when the quartiles lie on one side of the bound; else this machine is too noisy to tell."""
        if figure.low is None:
            return "met" if self.holds(figure.median) else "missed"
        sides = {self.holds(figure.low), self.holds(figure.high)}
        if len(sides) == 2:
            return "not shown on this machine"
        return "met" if sides == {True} else "missed"


class Table:
    """Rows in groups. A figure of None is a row that could not be measured: beside then says why."""

    def __init__(self):
        self.rows = []
        self.group = ""

    def add(self, what, bound, figure, beside=""):
        if not isinstance(bound, Bound) and bound is not None:
            bound = Bound(bound)
        self.rows.append((self.group, what, bound, figure, beside))

    def columns(self):
        """Rows as texts: group, what, bound, measured, verdict, beside."""
        for group, what, bound, figure, beside in self.rows:
            unit = figure.unit if figure else ""
            yield (group, what, bound.text(unit) if bound else "", str(figure) if figure else "not measured",
                   bound.verdict(figure) if bound and figure else "", beside)

    def print_text(self):
        rows = list(self.columns())
        widths = [max([len(title)] + [len(row[at + 1]) for row in rows])
                  for at, title in enumerate(("what", "bound", "measured (quartiles)", "verdict"))]
        form = "{:<%d}  {:>%d}  {:<%d}  {:<%d}  {}" % tuple(widths)
        print(form.format("what", "bound", "measured (quartiles)", "verdict", "in the same run").rstrip())
        group = ""
        for row in rows:
            if row[0] != group:
                group = row[0]
                print(f"\n{group.upper()}")
            print(form.format(*row[1:]).rstrip())

    def print_markdown(self):
        print("| what | bound | measured (quartiles) | verdict | in the same run |\n|---|---|---|---|---|")
        group = ""
        for row in self.columns():
            if row[0] != group:
                group = row[0]
                print(f"| **{group}** | | | | |")
            print("| " + " | ".join(text.replace("|", "\\|") for text in row[1:]) + " |")
