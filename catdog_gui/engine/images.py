"""The one way from a file's bytes to pixels (ARCHITECTURE.md, "The pixel recipe").

Thread-safe; the decoders release the GIL. A picture in here is uint8 RGB, shape (H, W, 3).
"""

import hashlib
import io
import logging
import re
import threading
import warnings
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any, Literal, TypeVar

import numpy as np
import numpy.typing as npt
import simplejpeg
from PIL import AvifImagePlugin, Image, TiffImagePlugin, WebPImagePlugin, features

from catdog_gui.engine import sniff
from catdog_gui.engine.errors import InputError, PhotoError
from catdog_gui.engine.photo_file import read_bytes

__all__ = [
    "MOST_PIXELS",
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

Picture = npt.NDArray[np.uint8]
Box = tuple[float, float, float, float]  # left, top, right, bottom
_Result = TypeVar("_Result")

MOST_PIXELS = 89_478_485  # Pillow's own limit against decompression bombs
LONGEST_RATIO = 100  # longest side to shortest
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


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a photo becomes what the network sees. size: side of the square in pixels, 32 to 1024."""

    size: int = 224
    fit: Literal["crop", "squash"] = "crop"
    version: int = 1

    @property
    def margin_size(self) -> int:
        """Side M of the square that photos are cut to while learning varies them; M - size is even."""
        return self.size + 2 * ((self.size + 7) // 14)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> "Recipe":
        """Raises InputError (recipe_unknown) for values that this version cannot follow."""
        size, fit, version = values.get("size"), values.get("fit"), values.get("version")
        whole = isinstance(size, int) and not isinstance(size, bool) and 32 <= size <= 1024
        if not whole or fit not in ("crop", "squash") or version != 1:
            raise InputError("recipe_unknown")
        return cls(size=int(size or 0), fit="squash" if fit == "squash" else "crop")


def decode(data: bytes, recipe: Recipe, *, margin: bool = False) -> Picture:
    """The square that the network sees, (size, size, 3), or with margin=True the (M, M, 3) around it.

    Raises PhotoError: the codes of `messages.photos`.
    """
    return decode_with_box(data, recipe, margin=margin)[0]


def decode_with_box(data: bytes, recipe: Recipe, *, margin: bool = False) -> tuple[Picture, Box]:
    """`decode`, and the part of the upright photo that the network sees (without margin), 0..1."""

    def work() -> tuple[Picture, Box]:
        picture = _upright(data, 2 * recipe.size)
        if isinstance(picture, Image.Image):
            return from_pillow(picture, recipe, margin=margin), seen_box(*picture.size, recipe)
        height, width = picture.shape[:2]
        return from_array(picture, recipe, margin=margin), seen_box(width, height, recipe)

    return _one_reason(data, work)


def decode_upright(data: bytes, min_side: int) -> Picture:
    """The whole photo, upright. A JPEG is reduced by 2, 4 or 8 while its short side stays >= min_side."""

    def work() -> Picture:
        picture = _upright(data, min_side)
        return np.array(picture, order="C")

    return _one_reason(data, work)


def thumbnail(data: bytes, side: int) -> Picture:
    """The largest centred square of the upright photo, (side, side, 3)."""

    def work() -> Picture:
        picture = _upright(data, side)
        image = picture if isinstance(picture, Image.Image) else Image.fromarray(picture)
        width, height = image.size
        short = min(width, height)
        left, top = (width - short) // 2, (height - short) // 2
        box = (left, top, left + short, top + short)
        return np.array(image.resize((side, side), Image.Resampling.BILINEAR, box=box))

    return _one_reason(data, work)


def from_array(picture: Picture, recipe: Recipe, *, margin: bool = False) -> Picture:
    """Steps 3 and 4 of the recipe for a decoded, upright picture."""
    height, width = picture.shape[:2]
    _check_shape(width, height)
    if recipe.fit == "squash":
        return from_pillow(Image.fromarray(np.ascontiguousarray(picture)), recipe, margin=margin)
    side = recipe.margin_size if margin else recipe.size
    if min(width, height) <= recipe.margin_size:
        return _cut(Image.fromarray(np.ascontiguousarray(picture)), recipe.margin_size, side)
    left, top, right, bottom = _crop_box(width, height, recipe.margin_size, side)
    # Only what the filter reaches is copied into Pillow's memory.
    reach = int(min(width, height) / recipe.margin_size) + 2
    x, y = max(int(left) - reach, 0), max(int(top) - reach, 0)
    part = np.ascontiguousarray(picture[y : int(bottom) + reach + 1, x : int(right) + reach + 1])
    box = (left - x, top - y, right - x, bottom - y)
    return np.array(Image.fromarray(part).resize((side, side), Image.Resampling.BILINEAR, box=box))


def from_pillow(image: Image.Image, recipe: Recipe, *, margin: bool = False) -> Picture:
    """Steps 3 and 4 of the recipe for an upright image of any mode."""
    _check_shape(*image.size)
    image = _to_rgb(image)
    if recipe.fit == "squash":
        square = np.array(image.resize((recipe.size, recipe.size), Image.Resampling.BILINEAR))
        edge = (recipe.margin_size - recipe.size) // 2
        return np.pad(square, ((edge, edge), (edge, edge), (0, 0)), "reflect") if margin else square
    side = recipe.margin_size if margin else recipe.size
    return _cut(image, recipe.margin_size, side)


def seen_box(width: int, height: int, recipe: Recipe) -> Box:
    """The part of an upright photo (its size in pixels) that the network sees: left, top, right, bottom in 0..1."""
    if recipe.fit == "squash":
        return 0.0, 0.0, 1.0, 1.0
    left, top, right, bottom = _crop_box(width, height, recipe.margin_size, recipe.size)
    return left / width, top / height, right / width, bottom / height


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


def _cut(image: Image.Image, resized: int, side: int) -> Picture:
    """Resize the short side to `resized`, cut the centre side x side; only what is needed is computed."""
    if min(image.size) > resized:
        box = _crop_box(*image.size, resized, side)
        return np.array(image.resize((side, side), Image.Resampling.BILINEAR, box=box))
    # Pillow's boxes are 32-bit floats: enlarging shows their rounding as 2 grey levels, the whole picture has none.
    width, height = _resized(*image.size, resized)
    left, top = (width - side) // 2, (height - side) // 2
    return np.array(image.resize((width, height), Image.Resampling.BILINEAR))[
        top : top + side, left : left + side
    ].copy()


def _resized(width: int, height: int, short_side: int) -> tuple[int, int]:
    short, long = min(width, height), max(width, height)
    new_long = (long * short_side + short // 2) // short
    return (short_side, new_long) if width <= height else (new_long, short_side)


def _crop_box(width: int, height: int, resized: int, side: int) -> Box:
    """The source rectangle that becomes the centre side x side after resizing the short side to `resized`."""
    new_width, new_height = _resized(width, height, resized)
    left, top = (new_width - side) // 2, (new_height - side) // 2
    across, down = width / new_width, height / new_height
    return left * across, top * down, min((left + side) * across, width), min((top + side) * down, height)


def _one_reason(data: bytes, work: Callable[[], _Result]) -> _Result:
    """What `work` returns; any exception of any decoder becomes one PhotoError with the true reason."""
    _quiet_pillow()
    try:
        return work()
    except PhotoError:
        raise
    except MemoryError as error:
        raise PhotoError("no_memory") from error
    except Image.DecompressionBombError as error:
        raise _too_many(int((re.findall(r"\d+", str(error)) or ["0"])[0])) from error
    except Exception as error:  # decoders raise anything: OSError, SyntaxError, struct.error, ZeroDivisionError, ...
        avif = bool(features.check("avif"))
        raise sniff.refusal(data, str(error), heic=heic_supported(), avif=avif) from error


def _quiet_pillow() -> None:
    if _PILLOW_WARNINGS not in warnings.filters[:4]:  # whoever resets the filters (tests do) loses ours
        warnings.filterwarnings("ignore", module=r"PIL\.")


def _upright(data: bytes, min_side: int) -> Picture | Image.Image:
    """Steps 1 and 2: the upright RGB photo, as a view of an array or as a Pillow image. min_side: for the reduction."""
    if not data:
        raise PhotoError("empty")
    image = _open(data)
    _check_shape(*image.size)
    jpeg = image.format in ("JPEG", "MPO")
    reduction = _reduction(min(image.size), min_side) if jpeg else 1
    with _one_at_a_time(image, reduction):
        if jpeg and image.mode in ("RGB", "L"):
            picture = _fast_jpeg(data, image.size, reduction)
            if picture is not None:
                turn = _TURNS.get(_orientation(image))
                return picture if turn is None else turn(picture)
        return _by_pillow(image, reduction)


def _open(data: bytes) -> Image.Image:
    """Reads the header only."""
    formats = _FORMATS
    if sniff.is_heic(data):
        if not heic_supported():
            raise PhotoError("heic_unsupported")
        formats = ("HEIF",)
    return Image.open(io.BytesIO(data), formats=formats)


def _check_shape(width: int, height: int) -> None:
    if width * height > MOST_PIXELS:
        raise _too_many(width * height)
    if max(width, height) > LONGEST_RATIO * min(width, height):
        raise PhotoError("too_narrow", width=width, height=height)


def _too_many(pixels: int) -> PhotoError:
    return PhotoError("too_many_pixels", megapixels=round(pixels / 1e6))


def _reduction(short: int, min_side: int) -> int:
    return next((factor for factor in (8, 4, 2) if -(-short // factor) >= min_side), 1)


def _one_at_a_time(image: Image.Image, reduction: int) -> AbstractContextManager[object]:
    pixels = image.width * image.height
    whole = bool(image.info.get("progressive"))  # all coefficients are kept, whatever the reduction
    return _heavy if pixels > _HEAVY * (1 if whole else reduction * reduction) else nullcontext()


def _fast_jpeg(data: bytes, size: tuple[int, int], reduction: int) -> Picture | None:
    """libjpeg-turbo's pixels as stored; None where it refuses or warns: then Pillow decides."""
    width, height = (-(-side // reduction) for side in size)
    least = {"min_width": width, "min_height": height} if reduction > 1 else {}
    try:
        picture: Picture = simplejpeg.decode_jpeg(data, "RGB", strict=True, **least)
    except Exception:  # noqa: BLE001 -- whatever it is, the other decoder is asked
        return None
    return picture if picture.shape == (height, width, 3) else None


def _by_pillow(image: Image.Image, reduction: int) -> Image.Image:
    if reduction > 1:
        image.draft(None, (image.width // reduction, image.height // reduction))
    image.load()
    orientation = _orientation(image)
    image = _to_rgb(image)
    turn = _PILLOW_TURNS.get(orientation)
    return image if turn is None else image.transpose(turn)


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


def _to_rgb(image: Image.Image) -> Image.Image:
    """RGB from every mode: 16-bit grey by its high byte, transparency over white, the rest by Pillow's conversion."""
    if image.mode == "RGB" and "transparency" not in image.info:
        return image
    if image.mode.startswith("I"):
        high = np.asarray(image) >> 8
        return Image.fromarray(np.clip(high, 0, 255).astype(np.uint8)).convert("RGB")
    if image.has_transparency_data:
        alpha = image.convert("RGBA")
        white = Image.new("RGB", image.size, "white")
        white.paste(alpha, mask=alpha)
        return white
    try:
        return image.convert("RGB")
    except ValueError as error:  # LAB and the like
        raise PhotoError("colours_unsupported", mode=image.mode) from error
