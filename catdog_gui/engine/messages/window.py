"""Messages that the window says about itself and its jobs."""

from catdog_gui.engine.messages import Template, mark

MESSAGES: dict[str, Template] = {
    "ended_silently": mark(
        "The run ended without a word, which is a fault of this program. Your photos and earlier runs are untouched. "
        "Train again; if it happens twice, copy the details into a report."
    ),
    "out_of_memory_ram": mark(
        "This computer ran out of memory. Close other programs, or choose a smaller batch size under Advanced."
    ),
    "no_log_file": mark(
        "There is no log file yet at {path}. It is written when the window is open and its folder can be written to."
    ),
    "run_on_screen_lives": mark("This run is going on now. Stop it first; then it can be deleted."),
    "run_goes_on": mark("A run is going on. Stop it first, or wait until it is done."),
    "run_interrupted": mark(
        "This run has no end: the program was closed or the computer was switched off. "
        "Its best model up to then is kept."
    ),
    "run_elsewhere": mark("Another program is writing this run now. What it has done so far is shown."),
    "web_folder": mark(
        "That is a web address, and this program fetches nothing. Save the photos into a folder, then drop the folder."
    ),
    "drop_a_folder": mark("There is no folder in that. Drop a folder with one sub-folder per class."),
    "answers_of_before": mark("These answers are the last model's."),
    "answers_of_before_drop": mark("These answers are the last model's. Drop the photos again to ask this one."),
    "no_model_yet": mark("There is no model to ask yet. Train one, or open a model."),
}
