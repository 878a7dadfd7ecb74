# SPDX-License-Identifier: Apache-2.0
"""Reads protocol buffers without any library: fields by their numbers."""


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7


def fields(data):
    """(number, value) of each field of a message: a number, or bytes."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        kind = key & 7
        if kind == 0:
            value, at = varint(data, at)
        elif kind == 1:
            value, at = int.from_bytes(data[at:at + 8], "little"), at + 8
        elif kind == 2:
            length, at = varint(data, at)
            value, at = data[at:at + length], at + length
            assert len(value) == length, "a field is longer than its message"
        else:
            assert kind == 5, f"wire type {kind}"
            value, at = int.from_bytes(data[at:at + 4], "little"), at + 4
        yield key >> 3, value


def message(data):
    """All fields of a message: number to the list of its values."""
    found = {}
    for number, value in fields(data):
        found.setdefault(number, []).append(value)
    return found


def numbers(values):
    """Numbers of a repeated field, packed or not."""
    found = []
    for value in values:
        if isinstance(value, int):
            found.append(value)
            continue
        at = 0
        while at < len(value):
            number, at = varint(value, at)
            found.append(number)
    return found


def one(found, number, default=0):
    """The last value of a field that stands once."""
    return found.get(number, [default])[-1]
