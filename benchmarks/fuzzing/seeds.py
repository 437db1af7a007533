"""Good files of every kind that the program opens: what the mutations start from. Drawn, never real photos."""

import io
import json
import struct
import zipfile
from collections.abc import Callable

import numpy as np
from PIL import Image, ImageDraw, ImageSequence

TIFF = ("raw", "tiff_lzw", "tiff_adobe_deflate", "packbits", "jpeg", "group4", "lzma", "zstd", "webp")


def picture(mode: str = "RGB", side: tuple[int, int] = (72, 56), seed: int = 0) -> Image.Image:
    rng = np.random.default_rng(seed)
    image = Image.fromarray(rng.integers(90, 200, (side[1], side[0], 3), np.uint8))
    draw = ImageDraw.Draw(image)
    draw.ellipse((8, 8, side[0] - 20, side[1] - 10), fill=(210, 120, 40))
    draw.line((0, 0, *side), fill=(20, 20, 20), width=3)
    if mode == "I;16":
        return Image.fromarray(np.asarray(image.convert("L")).astype(np.uint16) * 257)
    if mode in ("RGBA", "LA", "PA"):
        image.putalpha(Image.linear_gradient("L").resize(side))
    return image.convert("P").convert(mode) if mode == "PA" else image.convert(mode)


def saved(image: Image.Image, kind: str, **options: object) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def _exif() -> bytes:
    exif = Image.Exif()
    exif[0x0112] = 6
    exif[0x010F] = "maker"
    exif.get_ifd(0x8769)[0x9003] = "2021:01:01 00:00:00"
    return exif.tobytes()


def _frames(count: int = 3) -> list[Image.Image]:
    return [picture(seed=number) for number in range(count)]


def _animated(kind: str, **options: object) -> bytes:
    first, *rest = _frames()
    return saved(first, kind, save_all=True, append_images=rest, **options)


def _tiff(compression: str) -> bytes:
    image = picture("1") if compression.startswith("group") else picture()
    return saved(image, "TIFF", compression=None if compression == "raw" else compression)


PHOTOS: dict[str, Callable[[], list[bytes]]] = {
    "jpeg": lambda: [
        saved(picture(), "JPEG", quality=85),
        saved(picture("L"), "JPEG"),
        saved(picture("CMYK"), "JPEG"),
        saved(picture(), "JPEG", exif=_exif(), subsampling=2),
        saved(picture(side=(640, 500)), "JPEG", quality=60, restart_marker_rows=1),
        _animated("MPO"),
    ],
    "jpeg-progressive": lambda: [
        saved(picture(), "JPEG", progressive=True),
        saved(picture("L"), "JPEG", progressive=True),
        saved(picture(side=(640, 500)), "JPEG", progressive=True, exif=_exif()),
    ],
    "png": lambda: [
        *(saved(picture(mode), "PNG") for mode in ("RGB", "RGBA", "L", "LA", "P", "1", "I;16")),
        saved(picture("P"), "PNG", transparency=3),
        saved(picture(), "PNG", exif=_exif(), icc_profile=b"none"),
        _animated("PNG"),
    ],
    "gif": lambda: [saved(picture("P"), "GIF"), saved(picture("P"), "GIF", transparency=0), _animated("GIF")],
    "bmp": lambda: [*(saved(picture(mode), "BMP") for mode in ("RGB", "L", "P", "1", "RGBA")), _rle_bmp()],
    "webp": lambda: [
        saved(picture(), "WEBP", quality=60, exif=_exif()),
        saved(picture("RGBA"), "WEBP", quality=60),
        saved(picture("RGBA"), "WEBP", lossless=True),
        _animated("WEBP"),
    ],
    "tiff": lambda: [
        *(_tiff(name) for name in TIFF if _can(name)),
        *(saved(picture(mode), "TIFF") for mode in ("L", "I;16", "CMYK", "RGBA", "P", "LAB", "YCbCr", "1", "F")),
        saved(picture(), "TIFF", exif=_exif()),
        saved(picture(), "TIFF", big_tiff=True),
        _animated("TIFF", compression="jpeg"),
    ],
    "ppm": lambda: [*(saved(picture(mode), "PPM") for mode in ("RGB", "L", "1", "I;16")), b"P3 2 2 255 " + b"7 " * 12],
    "avif": lambda: [
        saved(picture(), "AVIF", quality=50),
        saved(picture("RGBA"), "AVIF", quality=50, exif=_exif()),
        _animated("AVIF"),
    ],
    "heic": lambda: [
        _heic(picture()),
        _heic(picture("RGBA")),
        _heic(picture(side=(640, 500)), quality=40, exif=_exif()),
        _heic(picture(), chroma=444),
    ],
}


def _heic(image: Image.Image, **options: object) -> bytes:
    from catdog_gui.engine.photos.images import heic_supported

    assert heic_supported()
    return saved(image, "HEIF", **{"quality": 60, **options})


def _can(compression: str) -> bool:
    try:
        _tiff(compression)
    except Exception:  # a libtiff without it
        return False
    return True


def _rle_bmp() -> bytes:
    """8 bits a pixel, run-length coded: Pillow writes none."""
    rows = b"".join(bytes([60, row % 256, 12, 7, 0, 0]) for row in range(56)) + b"\x00\x01"
    palette = b"".join(bytes([n, 255 - n, n // 2, 0]) for n in range(256))
    start = 14 + 40 + len(palette)
    info = struct.pack("<IiiHHIIiiII", 40, 72, 56, 1, 8, 1, len(rows), 2835, 2835, 256, 0)
    return b"BM" + struct.pack("<IHHI", start + len(rows), 0, 0, start) + info + palette + rows


def model() -> bytes:
    """A small model file that answers: an untrained small CNN of 64 px."""
    import tempfile
    from pathlib import Path

    from catdog_gui.engine.models.model_file import Model, save_model
    from catdog_gui.engine.networks import catalog as networks
    from catdog_gui.engine.photos.images import Recipe

    network = networks.build("small_cnn", 2, image_size=64)
    tensors = {name: value.detach().numpy() for name, value in network.state_dict().items()}
    width = tensors["head.weight"].shape[1]
    tensors["novelty.vectors"] = np.eye(4, width, dtype=np.float16)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.safetensors"
        save_model(Model("small_cnn", ("cats", "dogs"), Recipe(64, "squash"), tensors), path)
        return path.read_bytes()


def run_files() -> dict[str, bytes]:
    """The files of a run as it is written; checkpoints are added by the caller where there are some."""
    from catdog_gui.engine import events
    from catdog_gui.engine.config import TrainConfig

    said: list[events.Event] = [
        events.RunStarted("r", ["cats", "dogs"], "cpu", "CPU", "fp32", 3, "fast", "small_cnn", {"train": 8}, 1.0),
        events.PhaseStarted("prepare"),
        events.Progress("prepare", 5, 10, 100.0),
        events.PhotoSkipped("cats/a.jpg", "truncated"),
        events.DataWarning("few_photos", {"count": 3, "name": "cats"}),
        events.Notice("batch_halved", {"batch_size": 8, "part": 4}),
        events.StepDone(1, 1, 0.7, 1e-3, 50.0, 1.0, 2.0, 0.5, 9),
        events.MemorySample("cpu", "ram", 100.0, None, 120.0, 2000.0, 100.0),
        events.EpochDone(1, 3, 0.6, 0.7, 0.5, 0.8, 3, True),
        events.RunResult(
            "completed", "r", "r/model.safetensors", ["cats", "dogs"], {"train": 8, "val": 2, "skipped_count": 1},
            {"accuracy": 0.9, "log_loss": 0.2, "n": 2}, 3, "cpu", "fp32", {"total": 1.0}, 2, [[1, 0], [0, 1]],
        ),
    ]  # fmt: skip
    config = {**TrainConfig().to_json(), "data": "/photos", "facts": {"started": 1.0, "threads": 2, "device": "cpu"}}
    photos = [
        {"schema": 1},
        {"path": "cats/b.jpg", "label": "cats", "side": "train"},
        {"path": "x", "skipped": "empty"},
    ]
    return {
        "config.json": json.dumps(config).encode(),
        "events.jsonl": "\n".join(events.to_line(event, time=2.0) for event in said).encode() + b"\n",
        "photos.jsonl": "\n".join(json.dumps(line) for line in photos).encode() + b"\n",
        "name.json": b'{"schema": 1, "name": "my run"}',
    }


def settings() -> bytes:
    values = {
        "schema": 1,
        "recent": ["/photos/a", "/photos/b"],
        "device": "cuda:0",
        "preset": "best",
        "advanced_open": True,
        "overrides": {"fast": {"epochs": 3, "learning_rate": 0.01, "augment": True, "model": "x"}, "best": {"val": 3}},
        "geometry": "AdnQywADAAAAAAAAAAAAAAAABP8AAAMfAAAAAAAAAAAAAAT/AAADHwAAAAAAAAAABQAAAAAAAAAAAAAABP8AAAMf",
        "appearance": "dark",
    }  # fmt: skip
    return json.dumps(values).encode()


def archives() -> list[bytes]:
    """A zip with entries that climb out, one that is a bomb by its own account, a tar with a link, a gz."""
    import gzip
    import tarfile

    climbing, bomb, tar = io.BytesIO(), io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(climbing, "w") as file:
        file.writestr("../../outside.txt", "x")
        file.writestr("cats/a.jpg", saved(picture(), "JPEG"))
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("zeros", bytes(2**22))
    with tarfile.open(fileobj=tar, mode="w") as file:
        link = tarfile.TarInfo("cats")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc"
        file.addfile(link)
    return [climbing.getvalue(), bomb.getvalue(), tar.getvalue(), gzip.compress(tar.getvalue())]


assert ImageSequence  # Pillow's savers of animations need it loaded
