# SPDX-License-Identifier: Apache-2.0
"""What PDF, SVG and PNG show, read by other programs: print.py CHECK FILE... [-- CHECK FILE...]...; says what is wrong, or nothing."""
import collections
import functools
import itertools
import json
import re
import struct
import subprocess
import sys
import xml.etree.ElementTree
import zlib


def output(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout.decode("utf-8", "replace")


def squeezed(line):
    return " ".join(line.split())


@functools.cache
def pages(pdf):
    return output("pdftotext", "-layout", pdf, "-").split("\f")[:-1]


def wanted(listing):
    """Lines of a listing without pages that a PDF has as they are: rows, pairs and notes; not what it draws instead."""
    with open(listing, encoding="utf-8", errors="replace") as file:
        lines = file.read().split("\n")
    legend = strips = False
    for line in lines[2:]:
        if line.startswith("#"):
            strips = line.startswith("#TDA")
            legend = False
            continue
        if not line.strip():
            legend = False
            continue
        legend = legend or line.startswith("LEGEND ")
        # Titles of groups, rules, scales and legends of histograms.
        if legend or re.search(r"-- |---|\|\d", line):
            continue
        if any(ord(character) >= 0x2E80 for character in line):
            continue  # there may be no font for it: then boxes with its code stand there
        if strips:
            if line.startswith(("Each character", "many tenths", "95 % or")):
                continue
            line = line[:25]  # the strip is drawn
        yield squeezed(line), squeezed(re.sub(r"(^| )[*+]+$", "", line))  # as it is, and without a histogram


def lines(pdf, listing):
    """Every line of the listing is in the PDF, as often; none is left over by a table with rows."""
    have = {}
    for page in pages(pdf):
        for line in page.split("\n"):
            line = squeezed(line)
            have[line] = have.get(line, 0) + 1
    missing = []
    count = 0
    for whole, plain in wanted(listing):
        count += 1
        if have.get(whole, 0):
            have[whole] -= 1
        elif have.get(plain, 0):
            have[plain] -= 1
        elif plain:
            missing.append(whole)
    if count < 30:
        print("only", count, "lines to compare in", listing)
    for line in missing[:10]:
        print(pdf, "has not:", line)


def figures(pdf, name):
    """The rows of reports by section and by reason in the JSON report are rows of the PDF, with their figures."""
    with open(name, encoding="utf-8") as file:
        reports = {report["code"]: report for report in json.load(file)["reports"]}
    text = [squeezed(line) for page in pages(pdf) for line in page.split("\n")]
    count = 0
    for table in reports["PSU"]["tables"]:
        for row in table["rows"]:
            end = f"{row['samples']:,} {row['cpu_solo_percent']:.2f} {row['cpu_total_percent']:.2f}"
            count += 1
            if not any(line.endswith(end) for line in text):
                print("PSU:", end)
    for table in reports["WTM"]["tables"]:
        for row in table["rows"]:
            end = f"{row['run_solo_percent']:.2f} {row['run_total_percent']:.2f}"
            count += 1
            if not any(line.endswith(end) and f" {row['waits']:,} " in line for line in text):
                print("WTM:", row["waits"], end)
    if count < 5:
        print("only", count, "rows to compare")


def links(pdf):
    """Each line of the contents leads to the page it names, on which its title stands; so does the outline; each page leads back."""
    text = pages(pdf)
    xml_text = output("pdftohtml", "-xml", "-stdout", "-i", pdf)
    contents = re.findall(r'<a href="[^"]*#(\d+)">(.*?) \.* ?(\d+)</a>', xml_text)
    back = re.findall(r'<a href="[^"]*#(\d+)">Contents</a>', xml_text)
    if len(contents) < 5:
        print("only", len(contents), "links in the contents")
    for page, title, number in contents:
        words = squeezed(re.sub(r"^Picture: ", "", title))
        if page != number:
            print(title, "leads to", page, "and not to", number)
        elif not any(squeezed(line) == words for line in text[int(page) - 1].split("\n")):
            print(title, "does not stand on page", page)
    if back != ["1"] * len(text):
        print("pages without a way back:", back)
    outline = re.findall(r'<item page="(\d+)">([^<]*)</item>', xml_text)
    if [(page, squeezed(title)) for page, title in outline[1:]] != [(page, squeezed(title)) for page, title, _ in contents]:
        print("the outline is another one:", outline)
    for number, page in enumerate(text, 1):
        if f"Page {number} of {len(text)}" not in page:
            print("page", number, "does not say so")


def averaged(line, before):
    """A row of one colour that is what is left of the means of left and above."""
    left = 0
    for byte, up in zip(line, before):
        left = (byte + (left + up) // 2) & 255
        yield left


def predicted(line, before):
    """The same of what left, above or the corner between them comes nearest."""
    left = corner = 0
    for byte, up in zip(line, before):
        if corner == up:
            left = (byte + left) & 255      # nearest is left: its distance is 0
        elif corner == left:
            left = (byte + up) & 255
        else:
            first, second, third = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
            left = (byte + (left if first <= second and first <= third else up if second <= third else corner)) & 255
        corner = up
        yield left


def read_png(path):
    """Width, height and the set of colours of a PNG of 8 bits without alpha."""
    with open(path, "rb") as file:
        data = file.read()
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if zlib.crc32(kind + body) != struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0]:
            print("a chunk is damaged")
        if kind == b"IHDR":
            width, height, bits, colour = struct.unpack(">IIBB", body[:10])
        elif kind == b"IDAT":
            packed += body
        at += 12 + length
    assert bits == 8 and colour == 2
    rows, stride, before, colours = zlib.decompress(packed), width * 3, bytearray(width * 3), collections.Counter()
    for y in range(height):
        kind, line = rows[y * (stride + 1)], bytearray(rows[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        if kind == 1:
            for at in range(3):
                line[at::3] = bytes(itertools.accumulate(line[at::3], lambda left, byte: (left + byte) & 255))
        elif kind == 2:
            line = bytearray((byte + up) & 255 for byte, up in zip(line, before))
        elif kind:
            for at in range(3):
                line[at::3] = bytes(averaged(line[at::3], before[at::3]) if kind == 3 else predicted(line[at::3], before[at::3]))
        before = line
        colours.update(zip(line[0::3], line[1::3], line[2::3]))
    return width, height, colours


def png(path, width, height):
    """A picture of that size with ink on it: text, boxes and white."""
    is_width, is_height, colours = read_png(path)
    if (is_width, is_height) != (int(width), int(height)):
        print("it is", is_width, "by", is_height)
    white = colours[255, 255, 255] / is_width / is_height
    if len(colours) < 20 or not 0.2 < white < 0.995:
        print("it has", len(colours), "colours and is", white, "white")


def svg(path):
    """Well-formed, with shapes only: nothing that could act, and no name as markup."""
    root = xml.etree.ElementTree.parse(path).getroot()
    kinds = {element.tag.split("}")[1] for element in root.iter()}
    if root.tag != "{http://www.w3.org/2000/svg}svg" or not {"path", "use"} <= kinds:
        print("it is no picture:", kinds)
    if kinds - {"svg", "g", "defs", "symbol", "path", "use", "rect", "clipPath", "title", "line", "mask", "filter"}:
        print("it has", kinds)
    for element in root.iter():
        for name, value in element.attrib.items():
            if name.lower().startswith("on") or (name.endswith("href") and not value.startswith("#")):
                print("it has", name, value)


for more, words in itertools.groupby(sys.argv[1:], lambda word: word != "--"):
    if more:
        check, *files = words
        globals()[check](*files)
