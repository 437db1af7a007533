"""What the "Try it" column says about drops, its model and what it can do."""

from pathlib import Path

from PySide6.QtCore import QCoreApplication

from catdog_gui.engine.photos.names import is_photo_name
from catdog_gui.session.prediction import ModelLine, PredictState
from catdog_gui.ui import text
from catdog_gui.ui.drops import Drop

translate = QCoreApplication.translate


def declined_words(drop: Drop) -> str:
    """Why a drop, or a part of it, is not used; "" where all of it is."""
    match drop.declined:
        case "web_address" if drop.paths:
            return translate(
                "PredictPanel", "Web addresses were left out: this program fetches nothing. Save those pictures first."
            )
        case "web_address":
            return translate(
                "PredictPanel",
                "That is a web address, and this program fetches nothing. Save the picture, then drop the file, "
                "or copy the picture itself and paste it here.",
            )
        case "nothing_usable":
            return translate(
                "PredictPanel", "There is no photo in that. Drop photo files, folders or a copied picture."
            )
    return ""


def model_words(model: ModelLine) -> tuple[str, str]:
    """Which model answers: its name, and what follows it."""
    if model.best_epoch is not None:
        words = translate("PredictPanel", "best so far · epoch {epoch}")
        return "", words.format(epoch=text.number(model.best_epoch))
    return model.name, "" if model.when is None else f" · {text.moment(model.when)}"


def hint_words(state: PredictState) -> str:
    """What stands in the place of answers while there are none."""
    if state.model is None:
        return ""
    if state.running:
        return _waiting_words(state)
    if state.model.classes:
        return translate("PredictPanel", "It tells apart: {classes}").format(classes=", ".join(state.model.classes[:8]))
    return translate("PredictPanel", "The answers appear here.")


def may_be_model(path: Path) -> bool:
    """By its name alone, since the drive may not answer: a model file, or what may be a folder."""
    return not is_photo_name(path.name)


def _waiting_words(state: PredictState) -> str:
    """Until the first answer: the model may take seconds to be ready."""
    if state.stopping or state.paused:
        return ""
    if state.total > 1:
        return translate("PredictPanel", "{count} photos are waiting. The answers appear here.").format(
            count=text.number(state.total)
        )
    if state.total == 0 and state.given > 1:
        return translate("PredictPanel", "{count} files and folders were given. Looking for the photos…").format(
            count=text.number(state.given)
        )
    return translate("PredictPanel", "The answer appears here in a moment.")
