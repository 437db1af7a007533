"""Messages about models and answers."""

from catdog_gui.engine.messages import Template, mark

MESSAGES: dict[str, Template] = {
    "model_missing": mark("There is no model at {path}."),
    "not_a_model": mark("{path} is not a model of this program, so it was not opened."),
    "model_is_pickle": mark(
        "{path} is a Python pickle or checkpoint of another program. Such a file can run any command, so it was not"
        " opened. Choose a model.safetensors of this program."
    ),
    "model_damaged": mark(
        "The model {path} is damaged or was not copied whole. Copy it again, train again, or open another run's model."
    ),
    "model_too_new": mark(
        "The model {path} was made by a newer version of this program ({program}). Update to open it."
    ),
    "network_unknown": mark(
        "The model {path} uses the network “{network}”, which this version of the program ({version}) does not know."
        " Open it with the program that made it, or update this one."
    ),
    "explain_needs_photo": mark("{path} is a folder. `catdog explain` needs the file of one photo."),
    "model_without_photos": mark(
        "This model does not know which photos it learned from: an older version of this program made it. Train again"
        " to see them."
    ),
    "run_of_model_gone": mark("The run that made this model is not on this computer, so its photos cannot be shown."),
    "photos_moved": mark("Some of these photos are not where they were when the run was made."),
    "model_without_checks": mark(
        "This model does not know how it did on its checked photos: an older version of this program made it, or its"
        " run was stopped early. Train again to choose how careful it is."
    ),
    "checked_photos": (
        mark("This is the check photo of “{label}” that was answered “{answer}”."),
        mark("These are the {count:,} check photos of “{label}” that were answered “{answer}”."),
    ),
    "checked_mistakes": (
        mark("This is the one check photo that was answered wrongly."),
        mark("These are the {count:,} check photos that were answered wrongly."),
    ),
    "checks_unknown": mark(
        "This model does not tell which photos these are: it is from an older version, or was never checked. Train"
        " again."
    ),
    "no_checked_photos": mark("This run's photos are not where they were, so they cannot be tried again."),
    "looks_poor": mark(
        "The photo looks turned, tiny, dark, blurred or otherwise poor to the model. It is wrong more often about such"
        " photos, so it is not sure."
    ),
    "not_a_picture": mark("That is no RGB picture: its shape is {shape}, its type {kind}."),
    "no_photos_given": mark("No photo was found in what was given."),
    "answers_in_use": mark("Another window of this program is answering these photos now."),
    "answers_model_changed": mark(
        "The model that answered so far has changed or is gone, so the rest was not answered. Drop the folder again "
        "to ask the present model about all of it."
    ),
    "answers_not_noted": mark(
        "The answers are not noted down ({reason}): after a restart of the program this job would begin anew."
    ),
    "sort_into_learned": mark(
        "“{path}” lies in a folder of photos that a model learned from, and those are only read. Choose another."
    ),
    "move_from_learned": mark(
        "{path} is one of the photos that a model learned from. They are only read, so it was not moved; copying works."
    ),
    "moved_link": mark("{path} is a link to a photo elsewhere, so it was not moved; copying works."),
    "cannot_move": mark("{path} could not be moved ({reason}). It is where it was."),
    "moved_photo_gone": mark("The photo is not there any more: it was moved, renamed or deleted after the move."),
    "old_place_taken": mark("Another file is at the old place {path}, so it was left where it is."),
    "changed_since_move": mark("The file was changed after the move, so it was left where it is."),
    "not_all_sorted": (
        mark("{count} photo could not be put into its folder: {reason}"),
        mark("{count} photos could not be put into their folders. The first one: {reason}"),
    ),
    "move_without_folder": mark("--move needs --sort-into DIR: the folder to move the photos into."),
    "moves_in_use": mark("Another program is moving these photos now. Wait until it has finished, then try again."),
    "sort_into_file": mark("{path} is a file. Name a folder to sort into; it is made where it is missing."),
    "nothing_to_undo": mark("There are no moves that could be undone."),
    "not_a_move_list": mark(
        "{path} is no list of moves of this program, so nothing was undone. Leave it out to undo the last move."
    ),
    "no_class_in_common": mark("The model knows {known}; the folder has {found}. They have no class in common."),
    "classes_differ": mark("Not scored, since the model does not know them: {unknown}."),
}
