"""What can be fuzzed. Loads nothing."""

PHOTOS = ("jpeg", "jpeg-progressive", "png", "gif", "bmp", "webp", "tiff", "ppm", "avif")
HEIC = "heic"  # only where pillow-heif is installed
KINDS = (*PHOTOS, HEIC, "model", "run", "checkpoint", "answers", "moves", "settings", "archive", "name", "window")
# For a quick look at all.
MIXED = {
    "photos": PHOTOS,
    "files": ("run", "answers", "moves", "settings", "archive", "name"),
}
