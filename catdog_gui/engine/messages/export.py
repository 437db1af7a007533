"""Messages about models for other programs."""

from catdog_gui.engine.messages import Template, mark

MESSAGES: dict[str, Template] = {
    "export_packages_missing": mark("Exporting needs {names}, which the program does without. Install with: {command}"),
    "export_target_exists": mark("{path} is already there and was left as it is. Choose another name, or use --force."),
    "outputs_alike": mark("Two outputs would be written to {path}. Name another file for one of them."),
    "export_target_folder": mark("{path} is a folder. Name a file, such as {example}."),
    "export_no_folder": mark("There is no folder {path}. Make it, or choose another place."),
    "export_impossible": mark("The network {network} of this model cannot be written as ONNX ({reason})."),
    "export_unreadable": mark(
        "ONNX Runtime cannot use what was written for {network} ({reason}), so it was removed. Please report it."
    ),
    "export_differs": (
        mark(
            "The written file gave another answer than this program for {count} of {checked} photos (probabilities up"
            " to {difference:.4f} apart), so it was removed. Please report it, with the network: {network}."
        ),
        mark(
            "The written file gave other answers than this program for {count} of {checked} photos (probabilities up"
            " to {difference:.4f} apart), so it was removed. Please report it, with the network: {network}."
        ),
    ),
    "export_int8_poor": mark(
        "With 8-bit weights only {same} of {checked} answers stayed the same, so nothing was kept. Export this model in"
        " full size."
    ),
}
