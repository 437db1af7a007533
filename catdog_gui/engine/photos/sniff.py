"""What a file really is, by its content: the true reason when it is no usable photo."""

from catdog_gui.engine.errors import FieldValue, PhotoError

_HEIC = {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"}
_AVIF = {b"avif", b"avis"}

# (offset, bytes, code). The first that fits wins.
_SIGNATURES: tuple[tuple[int, bytes, str], ...] = (
    (0, b"%PDF", "pdf"),
    (0, b"%!PS", "document"),
    (0, b"{\\rtf", "document"),
    (0, b"\xd0\xcf\x11\xe0", "document"),
    (0, b"PK\x03\x04", "archive"),
    (0, b"PK\x05\x06", "archive"),
    (0, b"Rar!", "archive"),
    (0, b"7z\xbc\xaf\x27\x1c", "archive"),
    (0, b"\x1f\x8b", "archive"),
    (0, b"BZh", "archive"),
    (0, b"\xfd7zXZ\x00", "archive"),
    (0, b"\x28\xb5\x2f\xfd", "archive"),
    (257, b"ustar", "archive"),
    (8, b"AVI ", "video"),
    (0, b"\x1a\x45\xdf\xa3", "video"),
    (0, b"\x00\x00\x01\xba", "video"),
    (0, b"\x00\x00\x01\xb3", "video"),
    (0, b"FLV\x01", "video"),
    (0, b"\x30\x26\xb2\x75", "video"),
    (4, b"moov", "video"),
    (4, b"mdat", "video"),
    (4, b"wide", "video"),
    (8, b"WAVE", "audio"),
    (0, b"ID3", "audio"),
    (0, b"OggS", "audio"),
    (0, b"fLaC", "audio"),
    (0, b"MZ", "program"),
    (0, b"\x7fELF", "program"),
    (0, b"version https://git-lfs", "not_downloaded"),
)

_FORMATS: tuple[tuple[int, bytes, str], ...] = (
    (0, b"\xff\xd8\xff", "JPEG"),
    (0, b"\x89PNG\r\n\x1a\n", "PNG"),
    (0, b"GIF87a", "GIF"),
    (0, b"GIF89a", "GIF"),
    (8, b"WEBP", "WebP"),
    (0, b"II*\x00", "TIFF"),
    (0, b"MM\x00*", "TIFF"),
    (0, b"II+\x00", "TIFF"),
    (0, b"MM\x00+", "TIFF"),
    (0, b"BM", "BMP"),
    *((0, b"P%d%c" % (kind, space), "PPM") for kind in range(1, 7) for space in b" \t\n\r"),
)
_NO_END_MARK = ("TIFF", "PPM")
_RESERVED = 512  # zeros at the end of a file that are no content

# Pictures that this program does not read.
_OTHER_FORMATS: tuple[tuple[int, bytes, str], ...] = (
    (0, b"8BPS", "Photoshop"),
    (0, b"\x00\x00\x00\x0cjP  ", "JPEG 2000"),
    (0, b"\xff\x4f\xff\x51", "JPEG 2000"),
    (0, b"\x00\x00\x00\x0cJXL ", "JPEG XL"),
    (0, b"\xff\x0a", "JPEG XL"),
    (0, b"\x00\x00\x01\x00", "icon"),
    (0, b"gimp xcf", "GIMP"),
    (0, b"SIMPLE  =", "FITS"),
    (0, b"v/1\x01", "OpenEXR"),
    (0, b"FUJIFILMCCD-RAW", "camera raw"),
    (4, b"ftypcrx", "camera raw"),
    (0, b"IIU\x00", "camera raw"),
    (0, b"IIRO", "camera raw"),
)


def photo_format(data: bytes) -> str | None:
    """Name of the readable photo format whose signature the data starts with, or None."""
    return _match(data, _FORMATS)


def is_heic(data: bytes) -> bool:
    return bool(_HEIC & _brands(data)) and not is_avif(data)


def is_avif(data: bytes) -> bool:
    return data[4:8] == b"ftyp" and (data[8:12] in _AVIF or (data[8:12] == b"mif1" and bool(_AVIF & _brands(data))))


def refusal(data: bytes, said: str, *, heic: bool, avif: bool) -> PhotoError:
    """Why these bytes, which no decoder could read, are not a photo.

    said: the decoder's own words; heic, avif: whether there is a decoder for it.
    """
    code, fields = _refusal(data, heic=heic, avif=avif)
    if code == "damaged" and fields["format"] in _NO_END_MARK and "truncated" in said.lower():
        code = "truncated"
    return PhotoError(code, **fields)


def _refusal(data: bytes, *, heic: bool, avif: bool) -> tuple[str, dict[str, FieldValue]]:
    if not data:
        return "empty", {}
    if data.count(0) == len(data):
        return "only_zeros", {}
    if is_avif(data):
        return (_damage(data, "AVIF"), {"format": "AVIF"}) if avif else ("avif_unsupported", {})
    if is_heic(data):
        return (_damage(data, "HEIC"), {"format": "HEIC"}) if heic else ("heic_unsupported", {})
    if other := _match(data, _OTHER_FORMATS):
        return "format_unsupported", {"format": other}
    if code := _match(data, _SIGNATURES):
        return code, {}
    if data[4:8] == b"ftyp":
        return "video", {}
    if name := photo_format(data):
        return _damage(data, name), {"format": name}
    return _text(data[:4096])


def ends_early(data: bytes, name: str) -> bool:
    """True when a file of this format stops before its own end mark: a cut-off download or copy."""
    filled = data.rstrip(b"\x00")  # some programs reserve the whole file first: then the rest is zeros
    filled = filled if len(data) - len(filled) >= _RESERVED else data
    if name == "JPEG":
        return b"\xff\xd9" not in filled[-4096:]
    if name == "PNG":
        return b"IEND" not in filled[-4096:]
    if name == "GIF":
        return not filled.endswith(b";")
    if name == "WebP":
        return len(filled) < int.from_bytes(data[4:8], "little") + 8
    if name == "BMP":
        return len(data) < int.from_bytes(data[2:6], "little")
    if name in ("AVIF", "HEIC"):
        return _boxes_end(data) > len(filled)
    if name == "TIFF":  # its directory often lies at the end
        return int.from_bytes(data[4:8], "little" if data[:2] == b"II" else "big") >= len(filled)
    return False


def _damage(data: bytes, name: str) -> str:
    return "truncated" if ends_early(data, name) else "damaged"


def _boxes_end(data: bytes) -> int:
    """Where the outermost boxes of an ISO media file end by their own account."""
    at = 0
    while at + 8 <= len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        if size == 0:  # to the end of the file
            return len(data)
        if size == 1:
            size = int.from_bytes(data[at + 8 : at + 16], "big")
        at += max(size, 8)
    return at


def _match(data: bytes, table: tuple[tuple[int, bytes, str], ...]) -> str | None:
    return next((name for offset, mark, name in table if data.startswith(mark, offset)), None)


def _brands(data: bytes) -> set[bytes]:
    """Major and compatible brands of an ISO media file."""
    if data[4:8] != b"ftyp":
        return set()
    end = min(int.from_bytes(data[:4], "big"), len(data), 256)
    return {data[8:12]} | {data[at : at + 4] for at in range(16, end - 3, 4)}


def _text(head: bytes) -> tuple[str, dict[str, FieldValue]]:
    wide = head.startswith((b"\xff\xfe", b"\xfe\xff"))
    text = head.decode("utf-16", "replace") if wide else head.decode("utf-8", "replace")
    lower = text.lstrip("\ufeff \t\r\n").casefold()
    if lower.startswith(("<!doctype html", "<html", "<head", "<body", "<script")) or "<html" in lower:
        return "web_page", {}
    if lower.startswith("<svg") or (lower.startswith("<?xml") and "<svg" in lower):
        return "format_unsupported", {"format": "SVG"}
    strange = sum(letter == "\ufffd" or (letter < " " and letter not in "\t\r\n\f\x1b") for letter in text)
    if strange <= len(text) // 100 + (1 if len(head) == 4096 else 0):  # the cut may fall into a letter
        return "text", {}
    return "not_a_photo", {}
