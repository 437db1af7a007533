"""Messages about settings, runs, learning and saving."""

from catdog_gui.engine.messages import Template, mark

MESSAGES: dict[str, Template] = {
    # settings
    "setting_type": mark("“{value}” cannot be used for the setting {field}."),
    "setting_range": mark("The setting {field} is {value}; it must be between {low:,} and {high:,}."),
    "setting_choice": mark("The setting {field} is “{value}”; choose one of: {choices}."),
    "data_missing": mark("No photo folder was chosen. Choose one with a sub-folder for each class."),
    "val_is_data": mark(
        "The folder to check with is the photo folder itself. Leave it out: a part of the photos is kept back."
    ),
    "no_pretrained": mark(
        "There are no pretrained weights for {model}. Switch “pretrained” off, or choose another network."
    ),
    "unknown_network": mark("There is no network called “{name}”. Choose one of: {known}."),
    "config_unreadable": mark("{path} is no settings file: it must hold one JSON object, as a run's config.json."),
    "stopped_by_user": mark("Stopped."),
    # runs
    "run_not_empty": mark("The run folder {run} is not empty. Name a new folder: runs are never overwritten."),
    "run_in_photos": mark("The run folder {run} lies inside the photo folder {photos}, which is never written to."),
    "run_in_use": mark("Another program is writing the run {run}. Wait until it has ended."),
    "run_not_ours": mark(
        "{run} does not lie among this program's runs, so it is not deleted. Delete the folder yourself."
    ),
    "no_such_run": mark("There is no run “{name}”. `catdog runs` lists them."),
    "runs_alike": mark("Several runs are called “{name}”. Name one of the folders: {folders}."),
    "not_confirmed": mark("Nothing was deleted. To delete the run {run} with its model for good, add --yes."),
    "not_a_run": mark("{path} is not a run of this program."),
    "run_settings_damaged": mark(
        "The settings of the run {path} are damaged, so nothing can be trained from it. Put its config.json back from a"
        " copy, or train again with the same photos. A model that the run saved still answers."
    ),
    "run_setting_unknown": mark(
        "The run {path} has settings that this version cannot use: “{setting}” in its config.json is damaged or of a"
        " newer version. Update the program, put the file back from a copy, or train again with the same photos."
    ),
    "no_model_in_run": mark("The run {path} has no model: it was ended before one was saved."),
    "unexpected": mark("The program met a fault of its own ({reason}). Please copy the details and report it."),
    "package_missing": (
        mark("A package that the program needs is missing: {names}. Install it with: {command}"),
        mark("Packages that the program needs are missing: {names}. Install them with: {command}"),
    ),
    # writing
    "output_closed": mark("Nobody reads the output any more, so the work was ended."),
    "disk_full": mark(
        "The disk is full: {path} needs {needed_mb:.1f} MB, {free_mb:.1f} MB are free. Make room, or choose a"
        " place on another disk (for runs, CATDOG_HOME names one)."
    ),
    "cannot_write": mark("{path} cannot be written: {reason}. Choose another place (for runs, CATDOG_HOME names one)."),
    "cannot_read": mark("{path} cannot be read: {reason}."),
    # weights
    "weights_unavailable": mark(
        "The pretrained weights of {model} could not be downloaded ({reason}). Go online and try again, or choose"
        " EfficientNet-Lite0, whose weights come with the program."
    ),
    "weights_damaged": mark("The downloaded weights of {model} arrived damaged and were thrown away. Try again."),
    "not_finite_weights": mark("The model was not saved: some of its weights are not numbers ({name})."),
    # learning
    "no_readable_photos": (
        mark("The only photo could not be read: {reason}"),
        mark("None of the {count:,} photos could be read. The first one: {reason}"),
    ),
    "no_photos_left": mark("No photo could be read any more. Check that the folder is still there."),
    "loss_no_number": mark("Learning got out of hand: the loss is not a number any more. Try a lower learning rate."),
    "loss_not_finite": mark(
        "Learning got out of hand in epoch {epoch}: the loss is not a number any more. Try a learning rate below"
        " {rate:g}."
    ),
    "out_of_memory": mark(
        "{device} has too little memory for {model} with {batch_size} photos a step, even one photo at a time. Choose a"
        " smaller network or image size."
    ),
    "photos_changed": mark(
        "The photos are not those the run began with: {what} ({names}). Go on with the photos of the run, start a new"
        " run from its checkpoint with the photos there are now, or put them back."
    ),
    "changed_new": mark("{count:,} new"),
    "changed_gone": mark("{count:,} gone"),
    "changed_renamed": mark("{count:,} renamed"),
    "changed_moved": mark("{count:,} in another class"),
    "changed_other": mark("{count:,} changed"),
    "classes_added": mark(
        "The run knows {known}; the photo folder now has {added} too. Go on without what is new, or start a new run"
        " from its checkpoint that learns {added} as well."
    ),
    "classes_changed": mark(
        "The run cannot go on: a class or a side of it has no photos left ({what}: {names}). Put them back, or start a"
        " new run from its checkpoint."
    ),
    "resume_alone": mark("A run goes on with its own settings: give nothing but --resume RUN (and --changed)."),
    "only_with_resume": mark("--changed says what to do with --resume RUN; give that too."),
    "photos_list_damaged": mark("{run} cannot go on: its list of photos is gone or damaged. Start a new run from it."),
    "no_checkpoint": mark("{run} has no checkpoint to start from. Train it again."),
    "checkpoint_damaged": mark("{run} cannot go on: both of its checkpoints are damaged. Train it again."),
    "from_other_settings": mark("A run from {run} needs the same {setting} ({was}). Leave that setting as it was."),
    "not_of_run": mark("Came after the run began."),
    # notices
    "went_on": mark("The run goes on in epoch {epoch}, after step {step}."),
    "began_anew": mark("There is no checkpoint yet, so the run begins anew."),
    "went_on_differently": mark("Not everything is as it was ({what}): the result may differ in its last digits."),
    "checkpoint_fell_back": mark("The newest checkpoint is damaged; the run goes on from the one before."),
    "photo_waits": mark(
        "{path} has not come for a minute: its drive may be asleep or disconnected. The work waits for it, and can be"
        " stopped meanwhile."
    ),
    "photos_lost": mark(
        "{count} of {total} photos cannot be read any more ({reason}), so the run was stopped. Its checkpoint is kept:"
        " bring the photos or their drive back, then go on with it."
    ),
    "checkpoint_failed": mark("The checkpoint could not be written, the one before is kept: {reason}"),
    "photos_kept": mark("The photos have changed ({what}: {names}); the run goes on with its own."),
    "started_from": (mark("Starts from a run of one epoch."), mark("Starts from a run of {count:,} epochs.")),
    "memory_freed": mark("Memory ran out: what was not needed any more is given back, and the same is tried again."),
    "batch_halved_statistics": mark(
        "Memory ran out: each step of {batch_size} photos is now computed in parts of {part}. The network takes its"
        " statistics from the parts, so the result differs a little."
    ),
    "checkpointing_on": mark(
        "Memory ran out: activations are now computed twice instead of kept. Slower, same result."
    ),
    "precision_lowered": mark("Memory ran out: the run goes on in {precision}."),
    "batch_halved": mark(
        "Memory ran out: each step of {batch_size} photos is now computed in parts of {part}. The result stays"
        " the same."
    ),
    "batch_lowered": mark("There are only {photos} photos to learn from, so a step takes {batch_size}."),
    "batch_raised": mark("This network learns from the differences in a step, so a step takes {batch_size} photos."),
    "precision_fallback": mark("The loss was not a number in {precision}; the run goes on in full precision (fp32)."),
    "pin_memory_off": mark("Page-locked memory is not to be had ({reason}); the run goes on without it."),
    "variations_left_out": mark(
        "The disk has no room for {count} varied versions of each photo ({needed_gb:.1f} GB); the run learns from the"
        " photos as they are. Make room, or choose Best, which varies them anew each time."
    ),
    "memory_short": mark(
        "This run may need {needed_gb:.1f} GB of memory, and only {free_gb:.1f} GB are free. Close other programs, or"
        " choose a smaller batch size or network."
    ),
    "room_short": mark(
        "The disk may become full: the run writes up to {needed_mb:,.0f} MB to {path}, and {free_mb:,.0f} MB are free."
        " Make room meanwhile, or choose a place on another disk (for runs, CATDOG_HOME names one)."
    ),
    "memory_short_card": mark(
        "This run may need {needed_gb:.1f} GB on {name}, and only {free_gb:.1f} GB are free there. Close what else uses"
        " the card, or choose a smaller batch size or network."
    ),
    "card_waits": mark(
        "The card waits for photos {percent} % of the time. A faster disk, more reading threads (workers) or more free"
        " memory would help."
    ),
    "rank_lost": mark(
        "One of the processes that compute this run together has ended or does not answer ({reason}). What was learned"
        " until the last checkpoint is kept: go on with the run."
    ),
    "stopped_early": mark("Nothing got better since epoch {best}, so learning ended after epoch {epoch}."),
}
