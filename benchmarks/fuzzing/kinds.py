"""What can be fuzzed. Loads nothing."""

PHOTOS = ("jpeg", "jpeg-progressive", "png", "gif", "bmp", "webp", "tiff", "ppm", "avif")
KINDS = (*PHOTOS, "model", "run", "settings", "archive", "name", "window")
MIXED = {"photos": PHOTOS, "files": ("run", "settings", "archive", "name")}  # for a quick look at all
