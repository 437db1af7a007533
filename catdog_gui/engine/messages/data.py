"""Messages about datasets: why a folder cannot be trained on, and what to know before training."""

from catdog_gui.engine.messages import Template, mark

MESSAGES: dict[str, Template] = {
    # The folder itself
    "folder_missing": mark("There is no folder “{path}”. Check the path."),
    "not_a_folder": mark("“{path}” is not a folder. Choose a folder with one sub-folder per class."),
    "archive_given": mark("“{path}” is an archive. Unpack it, then choose the folder that comes out."),
    "data_forbidden": mark("You are not allowed to read “{path}”. Change its permissions or choose another folder."),
    "data_unreadable": mark("“{path}” cannot be read ({detail}). Check the drive or its connection."),
    # Reasons why there is nothing to train on
    "no_photos": mark("There are no photos in this folder. Choose a folder with one sub-folder of photos per class."),
    "too_few_classes": mark("At least two classes are needed; found only “{name}”. Add a folder for another class."),
    "too_few_photos": (
        mark("“{name}” has only {count} photo; at least {least} are needed to learn and to check. Add more."),
        mark("“{name}” has only {count} photos; at least {least} are needed to learn and to check. Add more."),
    ),
    "no_training_photos": mark(
        "“{name}” has photos to check with, but none to learn from. Add some to its train folder."
    ),
    "wrapper_folder": mark("The class folders are one level down. Use the folder “{path}” instead."),
    "class_folder_picked": mark("This looks like the photos of one class. Use the folder above it, “{parent}”."),
    "no_class_folders": mark("There are photos here, but no class folders. Make one sub-folder per class."),
    "heic_only": (
        mark("The photo is in HEIC format. Save it as JPEG, or install “pillow-heif” (the README says how)."),
        mark("{count} photos are in HEIC format. Save them as JPEG, or install “pillow-heif” (the README says how)."),
    ),
    "no_readable_photo": mark("None of the photos could be read. The list of files that were left out says why."),
    "too_few_different_photos": mark(
        "“{name}” has too few different photos to keep one back for checking: the rest are copies. Add other photos."
    ),
    "val_without_classes": mark(
        "“{path}” has no photos of the classes to check with. It needs one sub-folder per class."
    ),
    # Notices and warnings
    "train_val_layout": mark("The folders say how to split: {train} to learn from, {val} to check with."),
    "empty_class": (
        mark("{names} has no photos and is left out."),
        mark("{count} folders have no photos and are left out: {names}."),
    ),
    "class_unreadable": (
        mark("No photo of {names} could be read: the class is left out."),
        mark("No photo of {count} classes could be read, they are left out: {names}."),
    ),
    "few_photos": (
        mark("“{name}” has only {photos} photos. With 20 or more the answers become more trustworthy."),
        mark("{count} classes have fewer than 20 photos, “{name}” the fewest ({photos}). More make better answers."),
    ),
    "imbalanced": mark(
        "“{name}” has {photos} photos, “{other}” only {other_photos}: "
        "always answering “{name}” would already be right {percent} % of the time. Add photos of “{other}”."
    ),
    "classes_alike": mark(
        "These class names differ only in case or accents: {names}. Rename or merge them if they are one."
    ),
    "val_class_missing": (
        mark("{names} has no photos to check with: how well it is recognised stays unknown."),
        mark("{count} classes have no photos to check with: {names}. How well they are recognised stays unknown."),
    ),
    "val_class_extra": (
        mark("{names} is only in the check folder and is left out: there is nothing to learn it from."),
        mark("{count} classes are only in the check folder and are left out: {names}."),
    ),
    "duplicates": (
        mark("{count} photo is an exact copy of another. Copies stay on one side of the split."),
        mark("{count} photos are exact copies of others. Copies stay on one side of the split."),
    ),
    "near_copies": (
        mark("{count} photo is a re-saved copy of another, “{path}” for one."),
        mark("{count} photos are re-saved copies of others, “{path}” for one."),
    ),
    "same_photo_two_classes": (
        mark("{count} photo is in two classes and is left out: “{path}” and “{other}” are the same."),
        mark("{count} photos are in two classes and are left out: “{path}” and “{other}” are the same, for one."),
    ),
    "copies_across_split": (
        mark("{count} check photo is also a training photo; it is left out of the check (“{path}”)."),
        mark("{count} check photos are also training photos; they are left out of the check (“{path}” for one)."),
    ),
    "near_copies_across_split": (
        mark("{count} check photo is a re-saved copy of a training photo (“{path}”); it is left out of the check."),
        mark("{count} check photos are re-saved copies of training photos (“{path}”); they are left out of the check."),
    ),
    "val_all_copies": mark(
        "All check photos are copies of training photos, so they prove nothing. The program keeps other photos back."
    ),
    # Files and folders that are left out
    "loose_photo": mark("The photo lies beside the class folders, so its class is not known. Move it into one."),
    "folder_not_used": (
        mark("This folder ({count} photo) is neither the train nor the check side."),
        mark("This folder ({count} photos) is neither the train nor the check side."),
    ),
    "class_only_in_val": (
        mark("This class ({count} photo) is only in the check folder: there is nothing to learn it from."),
        mark("This class ({count} photos) is only in the check folder: there is nothing to learn it from."),
    ),
    "linked_again": mark("The link leads to a folder that is already counted, or back to where it comes from."),
    "folder_forbidden": mark("You are not allowed to open this folder. Change its permissions."),
    "folder_unreadable": mark("The drive could not open this folder. Check the drive or its connection."),
}
