"""Which names are photos, which are never mentioned, and how names are shown and compared."""

import unicodedata

PHOTO_ENDINGS = frozenset(
    [
        "jpg",
        "jpeg",
        "jpe",
        "jfif",
        "jif",
        "pjpeg",
        "pjp",
        "png",
        "apng",
        "gif",
        "bmp",
        "dib",
        "webp",
        "tif",
        "tiff",
        "avif",
        "avifs",
        "heic",
        "heif",
        "hif",
        "mpo",
        "ppm",
        "pgm",
        "pbm",
        "pnm",
    ]
)
ARCHIVE_ENDINGS = frozenset(["zip", "tar", "tgz", "gz", "bz2", "tbz", "tbz2", "xz", "txz", "7z", "rar", "zst"])

# Folders and files that systems and programs leave behind. Names that start with a dot are hidden anyway.
_LEFTOVERS = frozenset(
    {
        "thumbs.db",
        "ehthumbs.db",
        "ehthumbs_vista.db",
        "desktop.ini",
        "icon\r",
        "$recycle.bin",
        "recycler",
        "#recycle",
        "@recycle",
        "@recently-snapshot",
        "system volume information",
        "__macosx",
        "@eadir",
        "__pycache__",
        "lost+found",
        "found.000",
    }
)


def ending(name: str) -> str:
    """The part after the last dot, in small letters; "" where there is none."""
    return name.rpartition(".")[2].lower() if "." in name else ""


def is_photo_name(name: str) -> bool:
    return ending(name) in PHOTO_ENDINGS


def is_hidden(name: str) -> bool:
    """Hidden and left-over names: neither classes nor searched nor listed."""
    return name.startswith((".", "~$")) or name.lower() in _LEFTOVERS


def printable(name: str) -> str:
    """The name as valid Unicode: bytes that the file system could not decode become visible escapes."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return name.encode("utf-8", "backslashreplace").decode()
    return name


def folded(name: str) -> str:
    """Equal for names that differ only in case or in how accents are stored."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def class_order(name: str) -> tuple[str, str]:
    """Sort key of classes: case does not matter, and the order is the same on every system."""
    return folded(name), name
