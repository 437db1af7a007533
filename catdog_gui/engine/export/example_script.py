"""Ask an exported model about photos.

    python -m pip install onnxruntime numpy pillow
    python THIS_FILE photo.jpg more_photos.png ...

Preprocessing, network, calibration and the verdict are inside the .onnx file. What is left to do here: decode the
photo, turn it upright, make it RGB, and hand it over at whatever size it has.
"""

import json
import sys
from pathlib import Path

import numpy as np
import onnxruntime
from PIL import Image

MODEL = "model.onnx"  # beside this file
TURNS = {  # EXIF orientation -> how to turn the picture upright
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}


def read_photo(path: str, size: int) -> np.ndarray:
    """The upright photo as uint8 RGB (height, width, 3). size: side of the square that the network sees."""
    image: Image.Image = Image.open(path)
    width, height = image.size
    if max(width, height) > 100 * min(width, height):
        raise ValueError(f"{width} x {height} pixels is too narrow to show anything")
    if image.format in ("JPEG", "MPO"):
        # Large JPEGs are decoded at 1/2, 1/4 or 1/8 while the short side keeps two times the network's: quicker.
        short = min(width, height)
        factor = next((factor for factor in (8, 4, 2) if -(-short // factor) >= 2 * size), 1)
        if factor > 1:
            image.draft(None, (width // factor, height // factor))
    image.load()
    orientation = image.getexif().get(0x0112, 1)
    image = to_rgb(image)
    if orientation in TURNS:
        image = image.transpose(TURNS[orientation])
    return np.asarray(image)


def to_rgb(image: Image.Image) -> Image.Image:
    """16-bit grey by its high byte, transparency over white, the rest as Pillow converts it."""
    if image.mode.startswith("I"):
        high = np.clip(np.asarray(image).astype(np.int64) >> 8, 0, 255)
        return Image.fromarray(high.astype(np.uint8)).convert("RGB")
    if image.has_transparency_data:
        layer = image.convert("RGBA")
        white = Image.new("RGB", image.size, "white")
        white.paste(layer, (0, 0), layer)
        return white
    return image.convert("RGB")


def open_model(path: Path) -> tuple[onnxruntime.InferenceSession, dict[str, str]]:
    """The model, and what it says about itself."""
    if hasattr(onnxruntime, "disable_telemetry_events"):
        onnxruntime.disable_telemetry_events()  # its Windows build would report its use
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    return session, session.get_modelmeta().custom_metadata_map


def answer(session: onnxruntime.InferenceSession, about: dict[str, str], path: str) -> dict[str, object]:
    """verdict: sure, not_sure or none_of_these; label: the class where the verdict is sure, else None."""
    classes, verdicts = json.loads(about["classes"]), json.loads(about["verdicts"])
    photo = read_photo(path, json.loads(about["recipe"])["size"])
    probabilities, novelty, top, verdict = session.run(None, {"photo": photo})
    said = verdicts[int(verdict[0])]
    return {
        "path": path,
        "verdict": said,
        "label": classes[int(top[0])] if said == "sure" else None,
        "top": classes[int(top[0])],
        "probabilities": {name: float(share) for name, share in zip(classes, probabilities)},
        "novelty": float(novelty[0]),
    }


def main() -> None:
    if not sys.argv[1:]:
        print(f"usage: python {Path(__file__).name} photo.jpg more_photos.png ...", file=sys.stderr)
        sys.exit(2)
    session, about = open_model(Path(__file__).with_name(MODEL))
    for path in sys.argv[1:]:
        try:
            line = answer(session, about, path)
        except Exception as error:  # a photo that cannot be read does not end the others
            line = {"path": path, "verdict": "unreadable", "reason": str(error)}
        print(json.dumps(line, ensure_ascii=False))


if __name__ == "__main__":
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8")  # any class or file name can be printed
    main()
