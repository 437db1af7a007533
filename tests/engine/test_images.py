"""From bytes to pixels: every kind of photo comes out upright and alike, every bad file with its true reason."""

import io
import os
import struct
import sys
import threading
import warnings
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageOps

from catdog_gui.engine.errors import InputError, PhotoError
from catdog_gui.engine.photos import file as photo_file
from catdog_gui.engine.photos import images
from catdog_gui.engine.photos.images import (
    Picture,
    Recipe,
    decode,
    decode_upright,
    decode_with_box,
    digest,
    from_array,
    from_pillow,
    read_bytes,
    seen_box,
    thumbnail,
)

RECIPE = Recipe()


def painting(width: int = 500, height: int = 374, seed: int = 0) -> Image.Image:
    """Smooth colours with a bright corner: whatever is turned or cropped wrongly shows."""
    rng = np.random.default_rng(seed)
    coarse = rng.integers(40, 200, (7, 9, 3)).astype(np.uint8)
    coarse[0, 0] = 255
    return Image.fromarray(coarse).resize((width, height), Image.Resampling.BICUBIC)


def saved(image: Image.Image, kind: str = "JPEG", **options: object) -> bytes:
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def by_the_book(data: bytes, recipe: Recipe = RECIPE) -> Picture:
    """The recipe of ARCHITECTURE.md, written down with Pillow alone and without a shortcut."""
    image = Image.open(io.BytesIO(data))
    if image.format in ("JPEG", "MPO"):
        factor = next((k for k in (8, 4, 2) if -(-min(image.size) // k) >= 2 * recipe.size), 1)
        if factor > 1:
            image.draft(None, (image.width // factor, image.height // factor))
    image = ImageOps.exif_transpose(image).convert("RGB")
    s, m = recipe.size, recipe.margin_size
    if recipe.fit == "squash":
        return np.asarray(image.resize((s, s), Image.Resampling.BILINEAR))
    short, long = min(image.size), max(image.size)
    new_long = (long * m + short // 2) // short
    size = (m, new_long) if image.width <= image.height else (new_long, m)
    image = image.resize(size, Image.Resampling.BILINEAR)
    left, top = (image.width - s) // 2, (image.height - s) // 2
    return np.asarray(image.crop((left, top, left + s, top + s)))


def largest_difference(one: Picture, other: Picture) -> int:
    assert one.shape == other.shape
    return int(np.abs(one.astype(int) - other.astype(int)).max())


def reason(data: bytes) -> str:
    with pytest.raises(PhotoError) as caught:
        decode(data, RECIPE)
    assert "Unknown message" not in str(caught.value)
    assert "{" not in str(caught.value)
    return caught.value.code


# --- the recipe ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "size", [(500, 374), (374, 500), (224, 224), (60, 47), (1000, 897), (1793, 1792), (2600, 2000), (5000, 90), (1, 1)]
)
def test_every_path_is_within_one_grey_level_of_the_recipe(size: tuple[int, int]) -> None:
    image = painting(*size)
    jpeg, png = saved(image, quality=92), saved(image, "PNG")

    assert largest_difference(decode(jpeg, RECIPE), by_the_book(jpeg)) <= 1
    assert largest_difference(decode(png, RECIPE), by_the_book(png)) <= 1
    assert largest_difference(from_array(np.asarray(image), RECIPE), by_the_book(png)) <= 1
    assert largest_difference(from_pillow(image, RECIPE), by_the_book(png)) <= 1


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 700), st.integers(1, 700), st.integers(32, 256))
def test_any_shape_and_size_follows_the_recipe(width: int, height: int, side: int) -> None:
    """Within 1 level on photos; two roundings may meet in a pixel of the harsh patterns that tiny paintings are."""
    if max(width, height) > 100 * min(width, height):
        width = height
    image, recipe = painting(width, height), Recipe(size=side)
    data = saved(image, "BMP")
    expected = by_the_book(data, recipe)

    for picture in (decode(data, recipe), from_array(np.asarray(image), recipe)):
        assert largest_difference(picture, expected) <= 2
        assert np.mean(picture != expected) < 0.2


@pytest.mark.photos
def test_real_photos_are_within_one_grey_level_of_the_recipe(photos_dir: Path) -> None:
    paths = sorted((photos_dir / "train").rglob("*.jpg"))[::10]
    assert len(paths) >= 100
    for path in paths:
        data = read_bytes(path)
        assert largest_difference(decode(data, RECIPE), by_the_book(data)) <= 1, path


@pytest.mark.parametrize("side", [32, 100, 224, 240, 1024])
def test_the_centre_of_the_margin_picture_is_the_square_itself(side: int) -> None:
    data = saved(painting(700, 410), "PNG")
    for recipe in (Recipe(size=side), Recipe(size=side, fit="squash")):
        square, wide = decode(data, recipe), decode(data, recipe, margin=True)
        edge = (recipe.margin_size - side) // 2

        assert wide.shape == (recipe.margin_size, recipe.margin_size, 3)
        assert largest_difference(wide[edge:-edge, edge:-edge], square) <= 1


def test_the_margin_of_the_usual_square_is_an_eighth() -> None:
    assert Recipe().margin_size == 256


def test_squash_shows_the_whole_photo() -> None:
    recipe = Recipe(fit="squash")
    data = saved(painting(600, 200), "PNG")

    assert largest_difference(decode(data, recipe), by_the_book(data, recipe)) <= 1
    assert seen_box(600, 200, recipe) == (0, 0, 1, 1)


def test_the_box_says_which_part_the_network_sees() -> None:
    left, top, right, bottom = seen_box(512, 256, RECIPE)

    assert (left, right) == (144 / 512, 368 / 512)
    assert (top, bottom) == (16 / 256, 240 / 256)
    assert decode_with_box(saved(painting(512, 256)), RECIPE)[1] == (left, top, right, bottom)


def test_the_pixels_can_be_written_to() -> None:
    for data in (saved(painting()), saved(painting(), "PNG")):
        picture = decode(data, RECIPE)
        assert picture.dtype == np.uint8
        assert picture.flags.writeable
        assert picture.flags.c_contiguous


def test_a_recipe_survives_being_stored() -> None:
    recipe = Recipe(size=160, fit="squash")

    assert Recipe.from_json(recipe.to_json()) == recipe


@pytest.mark.parametrize(
    "change", [{"version": 2}, {"size": 0}, {"size": "224"}, {"size": True}, {"fit": "tile"}, {"size": None}]
)
def test_a_recipe_of_another_program_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(InputError, match="another version"):
        Recipe.from_json({**RECIPE.to_json(), **change})


# --- upright ---------------------------------------------------------------------------------------------------------

STORED_AS = {  # EXIF orientation -> how a camera stores an upright picture
    1: None,
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}


@pytest.mark.parametrize("orientation", STORED_AS)
@pytest.mark.parametrize(
    ("kind", "options"), [("JPEG", {}), ("JPEG", {"progressive": True}), ("PNG", {}), ("WEBP", {}), ("TIFF", {})]
)
def test_all_orientations_look_the_same(orientation: int, kind: str, options: dict[str, object]) -> None:
    upright = painting()
    turn = STORED_AS[orientation]
    exif = Image.Exif()
    exif[0x0112] = orientation
    options = {"quality": 95, **options} if kind in ("JPEG", "WEBP") else options
    data = saved(upright.transpose(turn) if turn is not None else upright, kind, exif=exif.tobytes(), **options)

    difference = decode(data, RECIPE).astype(int) - decode(saved(upright, "PNG"), RECIPE)

    assert np.abs(difference).mean() < 4
    assert decode_upright(data, 10).shape[1] > decode_upright(data, 10).shape[0]


@pytest.mark.parametrize("bad", [0, 9, 65535])
def test_a_senseless_orientation_leaves_the_photo_as_stored(bad: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = bad
    image = painting()

    assert np.array_equal(decode(saved(image, exif=exif.tobytes()), RECIPE), decode(saved(image), RECIPE))


@pytest.mark.parametrize(
    "damage", [b"Exif\x00\x00garbage", b"Exif\x00\x00II*\x00\xff\xff\xff\xff", b"Exif\x00\x00MM\x00*"]
)
def test_damaged_metadata_never_loses_the_photo(damage: bytes) -> None:
    image = painting()
    plain = saved(image)
    data = plain[:2] + b"\xff\xe1" + struct.pack(">H", len(damage) + 2) + damage + plain[2:]

    assert np.array_equal(decode(data, RECIPE), decode(plain, RECIPE))


def test_a_failing_metadata_reader_never_loses_the_photo(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: Image.Image) -> Image.Exif:
        raise ZeroDivisionError

    monkeypatch.setattr(Image.Image, "getexif", broken)

    assert decode(saved(painting()), RECIPE).shape == (224, 224, 3)
    assert decode(saved(painting(), "PNG"), RECIPE).shape == (224, 224, 3)


# --- kinds of photos -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "GIF", "BMP", "WEBP", "TIFF", "PPM", "AVIF", "MPO"])
def test_every_photo_format_is_read(kind: str) -> None:
    image = painting()
    options = {"save_all": True, "append_images": [painting(seed=1)]} if kind == "MPO" else {}
    options |= {"quality": 90} if kind in ("JPEG", "WEBP", "AVIF", "MPO") else {}

    difference = decode(saved(image, kind, **options), RECIPE).astype(int) - from_pillow(image, RECIPE)

    assert np.abs(difference).mean() < 8


@pytest.mark.parametrize("kind", ["GIF", "WEBP", "PNG", "TIFF"])
def test_of_several_pictures_the_first_counts(kind: str) -> None:
    red, blue = (Image.new("RGB", (80, 60), colour) for colour in ("red", "blue"))

    picture = decode(saved(red, kind, save_all=True, append_images=[blue]), RECIPE)

    assert picture[..., 0].mean() > 200
    assert picture[..., 2].mean() < 50


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGBA", "CMYK", "YCbCr", "I;16", "I", "F", "PA", "HSV"])
def test_every_mode_becomes_rgb(mode: str) -> None:
    ramp = Image.linear_gradient("L").resize((300, 300))
    image = ramp.convert("RGB").convert(mode) if mode not in ("I;16", "I", "F") else ramp.convert(mode)
    if mode.startswith("I"):
        image = Image.fromarray(np.asarray(ramp).astype(np.uint16 if mode == "I;16" else np.int32) * 257)

    picture = from_pillow(image, RECIPE)

    assert picture.shape == (224, 224, 3)
    if mode != "1":
        assert len(np.unique(picture[..., 0])) > 60
        assert np.abs(picture.astype(int) - from_pillow(ramp, RECIPE)).mean() < 8


@pytest.mark.parametrize("kind", ["PNG", "TIFF", "PPM"])
def test_sixteen_bit_grey_is_scaled_not_clipped(kind: str) -> None:
    grey = np.linspace(0, 65535, 300 * 300).astype(np.uint16).reshape(300, 300)
    data = saved(Image.fromarray(grey), kind)

    picture = decode(data, RECIPE)

    assert len(np.unique(picture)) > 60
    assert (
        largest_difference(picture, from_array(np.repeat((grey >> 8).astype(np.uint8)[..., None], 3, 2), RECIPE)) <= 1
    )


def test_sixteen_bit_colour_is_scaled_not_clipped() -> None:
    rows = np.linspace(0, 65535, 64).astype(">u2")
    raw = b"".join(b"\x00" + np.repeat(np.full(64, value, ">u2"), 3).tobytes() for value in rows)
    data = b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        for name, body in (
            (b"IHDR", struct.pack(">IIBBBBB", 64, 64, 16, 2, 0, 0, 0)),
            (b"IDAT", zlib.compress(raw)),
            (b"IEND", b""),
        )
    )

    assert len(np.unique(decode(data, RECIPE))) > 60


@pytest.mark.parametrize("mode", ["RGBA", "LA", "P"])
def test_transparency_lies_over_white(mode: str) -> None:
    image = Image.new("RGBA", (100, 100), (0, 0, 0, 0))
    data = saved(image.convert(mode), "PNG", **({"transparency": 0} if mode == "P" else {}))

    assert decode(data, RECIPE).min() >= 254


def test_half_transparent_is_half_white() -> None:
    picture = decode(saved(Image.new("RGBA", (100, 100), (0, 0, 0, 128)), "PNG"), RECIPE)

    assert 126 <= picture.min() <= picture.max() <= 128


def test_a_print_shop_photo_keeps_its_colours() -> None:
    image = painting()

    picture = decode(saved(image.convert("CMYK"), quality=95), RECIPE)

    assert np.abs(picture.mean((0, 1)) - from_pillow(image, RECIPE).mean((0, 1))).max() < 25


def test_a_grey_photo_has_three_equal_channels() -> None:
    picture = decode(saved(painting().convert("L")), RECIPE)

    assert np.array_equal(picture[..., 0], picture[..., 1])
    assert np.array_equal(picture[..., 0], picture[..., 2])


def test_stray_bytes_that_pillow_accepts_are_no_reason_to_refuse() -> None:
    plain = saved(painting())
    data = plain[:-2] + b"\x11\x22\x33\x44" + plain[-2:]

    assert largest_difference(decode(data, RECIPE), decode(plain, RECIPE)) <= 1


def test_both_jpeg_decoders_give_the_same_pixels(monkeypatch: pytest.MonkeyPatch) -> None:
    files = [
        saved(painting(*size), quality=85, subsampling=subsampling, progressive=progressive)
        for size in ((501, 375), (1790, 900), (1793, 1801))
        for subsampling in (0, 1, 2)
        for progressive in (False, True)
    ]
    fast = [decode(data, RECIPE) for data in files]
    monkeypatch.setattr(images, "_fast_jpeg", lambda *_: None)

    for data, picture in zip(files, fast, strict=True):
        assert largest_difference(decode(data, RECIPE), picture) <= 1


# --- reasons ---------------------------------------------------------------------------------------------------------

JPEG = saved(painting())
PNG = saved(painting(), "PNG")
HEIC = b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic" + bytes(range(200))


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty"),
        (b"\x00" * 5000, "only_zeros"),
        (b"  <!DOCTYPE html><title>Access denied</title>", "web_page"),
        (b"\xef\xbb\xbf<html><body>Denied</body></html>", "web_page"),
        (b'<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>', "text"),
        (b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', "format_unsupported"),
        (b'{"error": "not found"}', "text"),
        ("Ключ: значение\n".encode() * 9, "text"),
        ("Grüße\r\n".encode("utf-16"), "text"),
        (b"%PDF-1.7\n%\xe2\xe3", "pdf"),
        (b"PK\x03\x04" + b"\x14" * 60, "archive"),
        (b"Rar!\x1a\x07\x01\x00", "archive"),
        (b"\x00\x00\x00\x20ftypisom\x00\x00\x02\x00isomiso2avc1mp41" + b"\x01" * 99, "video"),
        (b"\x00\x00\x00\x14ftypqt  \x00\x00\x00\x00qt  " + b"\x01" * 99, "video"),
        (b"RIFF\x24\x00\x00\x00AVI LIST", "video"),
        (b"\x1aE\xdf\xa3" + b"\x01" * 50, "video"),
        (b"RIFF\x24\x00\x00\x00WAVEfmt ", "audio"),
        (b"ID3\x04\x00" + b"\xff" * 50, "audio"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x01" * 50, "document"),
        (b"MZ\x90\x00" + b"\xfe" * 50, "program"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n", "not_downloaded"),
        (b"8BPS\x00\x01" + b"\x01" * 50, "format_unsupported"),
        (bytes(range(128, 256)) * 9, "not_a_photo"),
        (JPEG[: len(JPEG) * 6 // 10], "truncated"),
        (JPEG[:-2], "truncated"),
        (JPEG[:20], "truncated"),
        (JPEG[:3000] + b"\x00" * (len(JPEG) - 3000), "truncated"),
        (saved(painting(), progressive=True)[:-400], "truncated"),
        (PNG[: len(PNG) // 2], "truncated"),
        (PNG[:90], "truncated"),
        (PNG[:60] + bytes([PNG[60] ^ 255]) + PNG[61:], "damaged"),
        (saved(painting(), "GIF")[:9000], "truncated"),
        (saved(painting(), "WEBP")[:1000], "truncated"),
        (saved(painting(), "BMP")[:90000], "truncated"),
        (saved(painting(), "TIFF")[:90000], "truncated"),
        (saved(painting(), "TIFF", compression="tiff_lzw")[:9000], "truncated"),
        (saved(painting(), "AVIF")[:900], "truncated"),
        (saved(painting(), "PPM")[:90000], "truncated"),
    ],
)
def test_a_bad_file_says_what_it_really_is(data: bytes, code: str) -> None:
    assert reason(data) == code


@pytest.mark.skipif(images.heic_supported(), reason="pillow-heif is installed")
def test_a_heic_photo_is_named_as_one_whatever_its_extension() -> None:
    assert reason(HEIC) == "heic_unsupported"


def test_a_bomb_is_refused_with_its_megapixels() -> None:
    for side in (9500, 14000):  # above Pillow's warning, and above its error
        data = saved(Image.new("1", (side, side)), "PNG")
        with pytest.raises(PhotoError) as caught:
            decode(data, RECIPE)
        assert caught.value.code == "too_many_pixels"
        assert caught.value.fields["megapixels"] == round(side * side / 1e6)
    jpeg = bytearray(JPEG)
    at = jpeg.index(b"\xff\xc0")
    jpeg[at + 5 : at + 9] = struct.pack(">HH", 10000, 10000)
    assert reason(bytes(jpeg)) == "too_many_pixels"


@pytest.mark.parametrize("size", [(2, 30000), (1, 400), (30000, 2)])
def test_a_ribbon_is_refused(size: tuple[int, int]) -> None:
    assert reason(saved(Image.new("L", size), "PNG")) == "too_narrow"


def test_too_little_memory_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(Image, "open", full)

    assert reason(JPEG) == "no_memory"


def test_only_photo_formats_are_ever_tried() -> None:
    eps = b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 10 10\n%%EndComments\nshowpage\n%%EOF\n"

    assert reason(eps) == "document"


@settings(max_examples=150, deadline=None)
@given(st.sampled_from([JPEG, PNG, saved(painting(), "GIF"), saved(painting(), "TIFF"), HEIC]), st.data())
def test_no_damage_escapes_as_anything_but_a_reason(whole: bytes, chosen: st.DataObject) -> None:
    data = bytearray(whole)
    for at, value in chosen.draw(st.lists(st.tuples(st.integers(0, len(data) - 1), st.integers(0, 255)), max_size=9)):
        data[at] = value
    data = data[: chosen.draw(st.integers(0, len(data)))]
    try:
        outcome: object = decode(bytes(data), RECIPE).shape
    except PhotoError as error:
        outcome = str(error)

    assert outcome == (224, 224, 3) or "Unknown message" not in str(outcome)


@settings(max_examples=50, deadline=None)
@given(st.binary(max_size=400))
def test_noise_is_never_a_photo(data: bytes) -> None:
    with pytest.raises(PhotoError):
        decode(data, RECIPE)


def test_pillows_warnings_stay_inside_in_every_thread() -> None:
    palette = painting().quantize(16)
    clear = saved(palette, "PNG", transparency=bytes(range(16)))
    exif = b"Exif\x00\x00II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\xff\xff\xff\x00\x00\x00\x00\x01"
    odd = JPEG[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + JPEG[2:]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with ThreadPoolExecutor(4) as pool:
            pictures = list(pool.map(lambda data: decode(data, RECIPE), [clear, odd] * 20))

    assert len(pictures) == 40


def test_threads_get_the_same_pixels() -> None:
    files = [saved(painting(seed=seed), kind) for seed in range(6) for kind in ("JPEG", "PNG")]
    alone = [decode(data, RECIPE) for data in files]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda data: decode(data, RECIPE), files * 5))

    assert all(np.array_equal(alone[at % len(files)], picture) for at, picture in enumerate(together))


def test_giants_are_decoded_one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    inside: list[int] = []
    most: list[int] = []
    load = images._by_pillow

    def watched(image: Image.Image, reduction: int) -> Image.Image:
        inside.append(1)
        most.append(len(inside))
        try:
            return load(image, reduction)
        finally:
            inside.pop()

    monkeypatch.setattr(images, "_HEAVY", 1000)
    monkeypatch.setattr(images, "_by_pillow", watched)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda data: decode(data, RECIPE), [PNG] * 12))

    assert max(most) == 1


# --- whole photos ----------------------------------------------------------------------------------------------------


def test_the_whole_photo_is_reduced_but_never_below_what_was_asked_for() -> None:
    data = saved(painting(1600, 1200))

    assert decode_upright(data, 300).shape == (300, 400, 3)
    assert decode_upright(data, 301).shape == (600, 800, 3)
    assert decode_upright(data, 5000).shape == (1200, 1600, 3)
    assert decode_upright(saved(painting(1600, 1200), "PNG"), 300).shape == (1200, 1600, 3)


def test_a_thumbnail_is_the_centred_square() -> None:
    image = Image.new("RGB", (300, 100), "white")
    image.paste("red", (100, 0, 200, 100))

    for kind in ("JPEG", "PNG"):
        small = thumbnail(saved(image, kind), 48)
        assert small.shape == (48, 48, 3)
        assert small[..., 0].mean() > 240
        assert small[:, 4:-4, 1].mean() < 20


def test_equal_data_has_equal_digests_and_other_data_has_not() -> None:
    assert digest(JPEG) == digest(bytes(JPEG))
    assert digest(JPEG) != digest(JPEG[:-1])
    assert len(digest(b"")) == 16


# --- reading the file ------------------------------------------------------------------------------------------------


def why_unreadable(path: Path) -> str:
    with pytest.raises(PhotoError) as caught:
        read_bytes(path)
    assert "Unknown message" not in str(caught.value)
    return caught.value.code


def test_a_file_is_read_whole(tmp_path: Path) -> None:
    (tmp_path / "犬 🐕.jpg").write_bytes(JPEG)

    assert read_bytes(tmp_path / "犬 🐕.jpg") == JPEG


def test_missing_empty_and_odd_files_say_so(tmp_path: Path) -> None:
    (tmp_path / "empty.jpg").touch()

    assert why_unreadable(tmp_path / "empty.jpg") == "empty"
    assert why_unreadable(tmp_path / "nowhere.jpg") == "missing"
    assert why_unreadable(tmp_path / "empty.jpg" / "below.jpg") == "missing"
    assert why_unreadable(tmp_path) == "not_regular_file"


@pytest.mark.skipif(sys.platform == "win32", reason="no pipes with names there")
def test_a_pipe_is_never_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jpg")

    assert why_unreadable(tmp_path / "pipe.jpg") == "not_regular_file"


@pytest.mark.skipif(sys.platform == "win32" or not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads all")
def test_a_forbidden_file_says_so(tmp_path: Path) -> None:
    path = tmp_path / "secret.jpg"
    path.write_bytes(JPEG)
    path.chmod(0)

    assert why_unreadable(path) == "no_permission"


def test_a_file_too_large_for_a_photo_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "film.jpg"
    with path.open("wb") as file:
        file.truncate(photo_file.LARGEST_FILE + 1)

    assert why_unreadable(path) == "too_large_file"


def test_a_photo_that_lies_in_icloud_is_named_as_not_downloaded(tmp_path: Path) -> None:
    (tmp_path / ".cat.jpg.icloud").write_bytes(b"bplist00")

    assert why_unreadable(tmp_path / "cat.jpg") == "not_downloaded"


@pytest.mark.parametrize(
    "attributes", [{"st_file_attributes": 0x400000}, {"st_file_attributes": 0x1000}, {"st_flags": 1 << 30}]
)
def test_a_cloud_placeholder_is_not_opened(attributes: dict[str, int]) -> None:
    class Status:
        pass

    status = Status()
    status.__dict__.update(attributes)

    assert photo_file.not_here(status)  # type: ignore[arg-type]


def test_a_short_outage_of_the_drive_is_survived(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "cat.jpg"
    path.write_bytes(JPEG)
    waits: list[float] = []
    tries = iter([OSError(5, "Input/output error"), OSError(116, "Stale file handle"), None])
    read = photo_file._read

    def shaky(where: Path) -> bytes:
        trouble = next(tries)
        if trouble:
            raise trouble
        return read(where)

    monkeypatch.setattr(photo_file, "_read", shaky)
    monkeypatch.setattr(photo_file.time, "sleep", waits.append)

    assert read_bytes(path) == JPEG
    assert len(waits) == 2


def test_a_lasting_outage_ends_in_a_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def dead(_: Path) -> bytes:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(photo_file, "_read", dead)
    monkeypatch.setattr(photo_file.time, "sleep", lambda _: None)

    with pytest.raises(PhotoError, match="Input/output error"):
        read_bytes(tmp_path / "cat.jpg")


def test_decoding_lets_other_threads_run() -> None:
    """With the GIL kept, the counter below would stand still while a large photo is decoded."""
    data = saved(painting(3000, 2200), "PNG", compress_level=1)
    done = threading.Event()

    def work() -> None:
        for _ in range(3):
            decode(data, RECIPE)
        done.set()

    worker = threading.Thread(target=work)
    worker.start()
    turns = 0
    while not done.is_set():
        turns += 1
        done.wait(0.001)
    worker.join()

    assert turns >= 5
