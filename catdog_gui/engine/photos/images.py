"""The one way from a file's bytes to pixels (ARCHITECTURE.md, "The pixel recipe").

Thread-safe; the decoders release the GIL. A picture in here is uint8 RGB, shape (H, W, 3).
"""

import hashlib
import io
import logging
import re
import threading
import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import TypeVar

import numpy as np
import simplejpeg
from PIL import AvifImagePlugin, Image, TiffImagePlugin, WebPImagePlugin, features

from catdog_gui.engine.errors import PhotoError
from catdog_gui.engine.photos import sniff
from catdog_gui.engine.photos.file import read_bytes
from catdog_gui.engine.photos.recipe import (
    MOST_PIXELS,
    Box,
    Picture,
    Recipe,
    check_shape,
    from_array,
    from_pillow,
    from_rgbx,
    seen_box,
    to_array,
    too_many,
)
from catdog_gui.engine.photos.rgb import to_rgb

__all__ = [
    "MOST_PIXELS",
    "Box",
    "Picture",
    "Recipe",
    "decode",
    "decode_upright",
    "decode_with_box",
    "digest",
    "from_array",
    "from_pillow",
    "heic_supported",
    "read_bytes",
    "seen_box",
    "thumbnail",
]

_Result = TypeVar("_Result")

_HEAVY = 24_000_000  # decoded pixels; larger ones are decoded one at a time, which bounds the memory of all threads
_heavy = threading.Lock()

# Importing the plug-ins here registers them: Pillow would else import all of its own at the first unknown file.
_PLUGINS = (AvifImagePlugin, TiffImagePlugin, WebPImagePlugin)
_FORMATS: tuple[str, ...] = ("JPEG", "PNG", "GIF", "BMP", "WEBP", "TIFF", "PPM", "AVIF")
# Pillow warns about metadata and odd files. `catch_warnings` is not for threads, so one lasting filter for its modules.
_PILLOW_WARNINGS = ("ignore", None, Warning, re.compile(r"PIL\."), 0)
logging.getLogger("PIL").addHandler(logging.NullHandler())  # not to stderr where nobody has set up a log

_TURNS: dict[int, Callable[[Picture], Picture]] = {  # EXIF orientation -> view of the upright picture
    2: lambda a: a[:, ::-1],
    3: lambda a: a[::-1, ::-1],
    4: lambda a: a[::-1],
    5: lambda a: a.transpose(1, 0, 2),
    6: lambda a: a.transpose(1, 0, 2)[:, ::-1],
    7: lambda a: a.transpose(1, 0, 2)[::-1, ::-1],
    8: lambda a: a.transpose(1, 0, 2)[::-1],
}


def decode(data: bytes, recipe: Recipe, *, margin: bool = False) -> Picture:
    """The square that the network sees, (size, size, 3), or with margin=True the (M, M, 3) around it.

    Raises PhotoError: the codes of `messages.photos`.
    """
    return decode_with_box(data, recipe, margin=margin)[0]


def decode_with_box(data: bytes, recipe: Recipe, *, margin: bool = False) -> tuple[Picture, Box]:
    """`decode`, and the part of the upright photo that the network sees (without margin), 0..1."""

    def finish(picture: Picture | Image.Image) -> tuple[Picture, Box]:
        if isinstance(picture, Image.Image):
            return from_pillow(picture, recipe, margin=margin), seen_box(*picture.size, recipe)
        height, width = picture.shape[:2]
        return from_array(picture, recipe, margin=margin), seen_box(width, height, recipe)

    return _with_upright(data, 2 * recipe.size, finish)


def decode_upright(data: bytes, min_side: int) -> Picture:
    """The whole photo, upright. A JPEG is reduced by 2, 4 or 8 while its short side stays >= min_side."""

    return _with_upright(data, min_side, _whole)


def _whole(picture: Picture | Image.Image) -> Picture:
    return to_array(_rgb(picture)) if isinstance(picture, Image.Image) else np.array(picture, order="C")


def _rgb(image: Image.Image) -> Image.Image:
    return image if image.mode == "RGBX" else to_rgb(image)


def thumbnail(data: bytes, side: int) -> Picture:
    """The largest centred square of the upright photo, (side, side, 3)."""

    def finish(picture: Picture | Image.Image) -> Picture:
        image = _rgb(picture) if isinstance(picture, Image.Image) else Image.fromarray(picture)
        width, height = image.size
        short = min(width, height)
        left, top = (width - short) // 2, (height - short) // 2
        box = (left, top, left + short, top + short)
        return to_array(image.resize((side, side), Image.Resampling.BILINEAR, box=box))

    return _with_upright(data, side, finish)


def digest(data: bytes) -> bytes:
    """16 bytes that are equal only for equal data."""
    return hashlib.blake2b(data, digest_size=16).digest()


@cache
def heic_supported() -> bool:
    """Whether the optional `pillow-heif` is installed; registers it."""
    try:
        import pillow_heif
    except ImportError:
        return False
    pillow_heif.register_heif_opener()
    return True


def _with_upright(data: bytes, min_side: int, finish: Callable[[Picture | Image.Image], _Result]) -> _Result:
    """What `finish` makes of the upright photo; any exception of any decoder becomes one PhotoError with the reason."""
    _quiet_pillow()
    try:
        return _upright(data, min_side, finish)
    except PhotoError:
        raise
    except MemoryError as error:
        raise PhotoError("no_memory") from error
    except Image.DecompressionBombError as error:
        raise too_many(int((re.findall(r"\d+", str(error)) or ["0"])[0])) from error
    except Exception as error:  # decoders raise anything: OSError, SyntaxError, struct.error, ZeroDivisionError, ...
        avif = bool(features.check("avif"))
        raise sniff.refusal(data, str(error), heic=heic_supported(), avif=avif) from error


def _quiet_pillow() -> None:
    if _PILLOW_WARNINGS not in warnings.filters[:4]:  # whoever resets the filters (tests do) loses ours
        warnings.filterwarnings("ignore", module=r"PIL\.")


def _upright(data: bytes, min_side: int, finish: Callable[[Picture | Image.Image], _Result]) -> _Result:
    """Steps 1 and 2: `finish` gets the upright photo, as a view of an RGB array or as a Pillow image of any mode.

    min_side: what the short side keeps when a JPEG is reduced.
    """
    if not data:
        raise PhotoError("empty")
    image = _open(data)
    check_shape(*image.size)
    jpeg = image.format in ("JPEG", "MPO")
    reduction = _reduction(min(image.size), min_side) if jpeg else 1
    with _one_at_a_time(image, reduction):
        if jpeg and image.mode in ("RGB", "L"):
            turn = _TURNS.get(_orientation(image))
            picture = _fast_jpeg(data, image.size, reduction, "RGBX" if turn is None else "RGB")
            if picture is not None:
                return finish(from_rgbx(picture) if turn is None else turn(picture))
        return finish(_by_pillow(image, reduction))


def _open(data: bytes) -> Image.Image:
    """Reads the header only."""
    formats = _FORMATS
    if sniff.is_heic(data):
        if not heic_supported():
            raise PhotoError("heic_unsupported")
        formats = ("HEIF",)
    return Image.open(io.BytesIO(data), formats=formats)


def _reduction(short: int, min_side: int) -> int:
    return next((factor for factor in (8, 4, 2) if -(-short // factor) >= min_side), 1)


def _one_at_a_time(image: Image.Image, reduction: int) -> AbstractContextManager[object]:
    pixels = image.width * image.height
    whole = bool(image.info.get("progressive"))  # all coefficients are kept, whatever the reduction
    return _heavy if pixels > _HEAVY * (1 if whole else reduction * reduction) else nullcontext()


def _fast_jpeg(data: bytes, size: tuple[int, int], reduction: int, colours: str) -> Picture | None:
    """libjpeg-turbo's pixels as stored; None where it refuses or warns: then Pillow decides. colours: RGB or RGBX."""
    width, height = (-(-side // reduction) for side in size)
    least = {"min_width": width, "min_height": height} if reduction > 1 else {}
    try:
        picture: Picture = simplejpeg.decode_jpeg(data, colours, strict=True, **least)
    except Exception:  # noqa: BLE001 -- whatever it is, the other decoder is asked
        return None
    return picture if picture.shape == (height, width, len(colours)) else None


def _by_pillow(image: Image.Image, reduction: int) -> Image.Image:
    if reduction > 1:
        image.draft(None, (image.width // reduction, image.height // reduction))
    image.load()
    turn = _PILLOW_TURNS.get(_orientation(image))
    return image if turn is None else to_rgb(image).transpose(turn)


_PILLOW_TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}


def _orientation(image: Image.Image) -> int:
    """EXIF orientation, 1 to 8; damaged metadata never loses the photo: 1, as stored."""
    try:
        value = image.getexif().get(0x0112, 1)
    except Exception:  # noqa: BLE001 -- any parser error means the same
        return 1
    return value if isinstance(value, int) and 1 <= value <= 8 else 1
