"""Messages about single photos: why a file cannot be used. The reason stands beside the file's name."""

from catdog_gui.engine.messages import Template, mark

MESSAGES: dict[str, Template] = {
    "missing": mark("The file is gone: it was moved, renamed or deleted."),
    "no_permission": mark("You are not allowed to read this file. Change its permissions, then try again."),
    "unreadable": mark("The drive could not read this file ({detail}). Check the drive or its connection."),
    "empty": mark("The file is empty (0 bytes). Copy or download it again."),
    "only_zeros": mark("The file holds nothing but zeros: its content was lost. Copy or download it again."),
    "too_large_file": mark("The file is too large for a photo ({megabytes} MB)."),
    "not_downloaded": mark("The photo is not on this computer, only its placeholder. Download it first."),
    "not_regular_file": mark("This is not a file but a folder, a pipe or a device."),
    "truncated": mark("The file ends too early, as after a cut-off download. Download or copy it again."),
    "damaged": mark("The file is a damaged {format} photo. Copy or download it again."),
    "web_page": mark("This is a web page, not a photo, although it is named like one."),
    "pdf": mark("This is a PDF, not a photo. Save its picture as JPEG or PNG."),
    "document": mark("This is a document, not a photo."),
    "video": mark("This is a video, not a photo. Save a frame of it as JPEG or PNG."),
    "audio": mark("This is a sound file, not a photo."),
    "text": mark("This is text, not a photo."),
    "archive": mark("This is an archive (zip or the like), not a photo. Unpack it first."),
    "program": mark("This is a program, not a photo."),
    "not_a_photo": mark("This is not a photo in a known format."),
    "format_unsupported": mark("This program cannot read {format} pictures. Save it as JPEG or PNG."),
    "heic_unsupported": mark("This is a HEIC photo. Install the extra “heic” of this program or save it as JPEG."),
    "avif_unsupported": mark("This is an AVIF photo, which this system cannot read. Save it as JPEG or PNG."),
    "too_many_pixels": mark("The photo has {megapixels} megapixels; the limit is 89. Save it smaller."),
    "too_narrow": mark("The photo is too narrow to show anything ({width} x {height} pixels)."),
    "no_memory": mark("There was not enough memory to read this photo. Close other programs or save it smaller."),
    "not_a_photo_name": mark("The file's name does not end like a photo's (.jpg, .png, ...)."),
    "broken_link": mark("The link leads to nothing."),
    "recipe_unknown": mark("The model was made by another version of this program. Update this program."),
}
