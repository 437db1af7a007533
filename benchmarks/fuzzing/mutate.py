"""Seeded damage: of bytes, of PNG with its checksums mended, of JSON values, of safetensors headers."""

import json
import random
import struct
import zlib

_EDGES = (0, 1, 2, 3, 7, 8, 127, 128, 255, 256, 32767, 32768, 65535, 65536, 2**24, 2**31 - 1, 2**31, 2**32 - 1)
_MOST = 2_000_000  # bytes of a mutant


def damaged(data: bytes, others: list[bytes], rng: random.Random) -> bytes:
    """1 to 8 changes of one file; `others` are of the same kind, for splices."""
    result = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 5, 8))):
        rng.choice(_CHANGES)(result, others, rng)
    return bytes(result[:_MOST])


def _at(data: bytearray, rng: random.Random) -> int:
    """A place; headers, where the sizes and offsets are, more often than the rest."""
    most = len(data) if rng.random() < 0.5 else min(len(data), 200)
    return rng.randrange(most) if most else 0


def _flip(data: bytearray, _others: list[bytes], rng: random.Random) -> None:
    for _ in range(rng.choice((1, 1, 2, 8, 40))):
        if data:
            data[_at(data, rng)] ^= 1 << rng.randrange(8)


def _byte(data: bytearray, _others: list[bytes], rng: random.Random) -> None:
    if data:
        data[_at(data, rng)] = rng.choice((0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)))


def _number(data: bytearray, _others: list[bytes], rng: random.Random) -> None:
    """A 16, 32 or 64 bit field at an edge of its range."""
    width, order = rng.choice((2, 4, 4, 8)), rng.choice(("little", "big"))
    value = (rng.choice(_EDGES) + rng.choice((0, 0, 1, -1))) % 256**width
    at = _at(data, rng)
    data[at : at + width] = value.to_bytes(width, order)


def _cut(data: bytearray, _others: list[bytes], rng: random.Random) -> None:
    del data[_at(data, rng) :]


def _remove(data: bytearray, _others: list[bytes], rng: random.Random) -> None:
    at = _at(data, rng)
    del data[at : at + rng.choice((1, 2, 4, 16, 256, 4096))]


def _repeat(data: bytearray, _others: list[bytes], rng: random.Random) -> None:
    at, length = _at(data, rng), rng.choice((1, 4, 16, 256, 4096))
    data[at:at] = data[at : at + length] * rng.choice((1, 2, 20))


def _noise(data: bytearray, _others: list[bytes], rng: random.Random) -> None:
    at, length = _at(data, rng), rng.choice((1, 4, 16, 256))
    data[at : at + length] = rng.randbytes(length)


def _move(data: bytearray, _others: list[bytes], rng: random.Random) -> None:
    at, to, length = _at(data, rng), _at(data, rng), rng.choice((4, 12, 64, 512))
    data[to : to + length] = data[at : at + length]


def _splice(data: bytearray, others: list[bytes], rng: random.Random) -> None:
    other = rng.choice(others)
    data[_at(data, rng) :] = other[rng.randrange(len(other)) :]


_CHANGES = (_flip, _flip, _byte, _byte, _number, _number, _number, _cut, _remove, _repeat, _noise, _move, _splice)


def mended_png(data: bytes) -> bytes:
    """The chunks with right checksums, so that the damage gets past them."""
    out, at = bytearray(data[:8]), 8
    while at + 12 <= len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        body = data[at + 4 : at + 8 + length]
        if len(body) < 4 + length:
            break
        out += data[at : at + 4] + body + struct.pack(">I", zlib.crc32(body))
        at += 12 + length
    return bytes(out + data[at:])


def inflated_png(data: bytes, rng: random.Random) -> bytes:
    """Damage inside the compressed rows: unpacked, changed, packed again."""
    out, at, rows = bytearray(data[:8]), 8, bytearray()
    tail = b""
    while at + 12 <= len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        if kind == b"IDAT":
            rows += body
        elif rows:
            tail += data[at : at + 12 + length]
        else:
            out += data[at : at + 12 + length]
        at += 12 + length
    try:
        plain = bytearray(zlib.decompress(bytes(rows)))
    except zlib.error:
        return data
    rng.choice(_CHANGES)(plain, [bytes(plain) or b"x"], rng)
    packed = zlib.compress(bytes(plain))
    chunk = struct.pack(">I", len(packed)) + b"IDAT" + packed + struct.pack(">I", zlib.crc32(b"IDAT" + packed))
    return bytes(out) + chunk + tail


# --- JSON -------------------------------------------------------------------------------------------------------------

_ODD: tuple[object, ...] = (
    None, True, False, 0, -1, 1, 3.5, 2**31, 2**63, 10**400, -(10**400), 1e308, float("inf"), float("-inf"),
    float("nan"), "", " ", "x" * 70_000, "../../etc/passwd", "<b>bold</b>", "\x00\x1b[31m", "\ud800", "\u202egpj",
    "{name}", "%s%n", "NaN",
    [], {}, [[]], [None], [1, 2, 3], {"": None}, {"a": {"b": {"c": []}}}, [0] * 5000, "__import__('os').system('id')",
)  # fmt: skip


def odd_json(text: bytes, rng: random.Random) -> bytes:
    """One to three values of the document replaced, removed, doubled or wrapped; sometimes beyond what JSON allows."""
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        return text
    values = odd_values(values, rng)
    if rng.random() < 0.03:
        return b"[" * 100_000 + json.dumps(values).encode("utf-8", "surrogatepass")
    return json.dumps(values).encode("utf-8", "backslashreplace")


def odd_values(values: object, rng: random.Random) -> object:
    """One to three values replaced, removed, doubled or wrapped."""
    for _ in range(rng.choice((1, 1, 2, 3))):
        values = _changed(values, rng)
    return values


def odd_lines(data: bytes, rng: random.Random) -> bytes:
    """`odd_json` of some lines; lines swapped, doubled, lost."""
    lines = data.splitlines()
    for _ in range(rng.choice((1, 2, 4))):
        at = rng.randrange(len(lines))
        what = rng.random()
        if what < 0.7:
            lines[at] = odd_json(lines[at], rng)
        elif what < 0.85:
            lines.insert(rng.randrange(len(lines)), lines[at])
        elif len(lines) > 1:
            del lines[at]
    return b"\n".join(lines) + rng.choice((b"\n", b""))


def _changed(value: object, rng: random.Random) -> object:
    if isinstance(value, dict) and value and rng.random() < 0.9:
        key = rng.choice(list(value))
        if rng.random() < 0.15:
            return {name: item for name, item in value.items() if name != key}
        return {**value, key: _changed(value[key], rng)}
    if isinstance(value, list) and value and rng.random() < 0.7:
        at = rng.randrange(len(value))
        if rng.random() < 0.2:
            return value[:at] + value[at + 1 :] + [value[at]] * 2
        return [*value[:at], _changed(value[at], rng), *value[at + 1 :]]
    return rng.choice(_ODD)


def odd_model(data: bytes, rng: random.Random) -> bytes:
    """A safetensors file with another header, its description changed as well; without a checksum more often."""
    length = struct.unpack("<Q", data[:8])[0]
    header, body = json.loads(data[8 : 8 + length]), data[8 + length :]
    description = json.loads(header["__metadata__"]["catdog"])
    if rng.random() < 0.8:
        description.pop("checksum", None)
    which = rng.random()
    if which < 0.6:
        text = odd_json(json.dumps(description).encode(), rng).decode("utf-8", "replace")
    else:
        text = json.dumps(description)
    header["__metadata__"]["catdog"] = text
    if 0.4 < which < 0.7:
        changed = _changed(header, rng)
        header = changed if isinstance(changed, dict) else header
    if which > 0.8:
        mutable = bytearray(body)
        _flip(mutable, [body], rng)
        body = bytes(mutable)
    head = json.dumps(header).encode("utf-8", "backslashreplace")
    return struct.pack("<Q", len(head)) + head + body
