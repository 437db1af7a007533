"""The answer for a photo in the window's language: the parts that a row paints, and one line for lists and copying."""

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from catdog_gui.engine.events import Prediction
from catdog_gui.engine.models.limits import LOOKS_POOR
from catdog_gui.session.prediction import file_name, probability, ranked
from catdog_gui.session.results import half_up
from catdog_gui.ui import text

translate = QCoreApplication.translate
_LINE_END = "\u2028"  # QTextLayout begins a line after it
_RUNNER_UP = 0.005  # a second class below half a percent says nothing


@dataclass(frozen=True, slots=True)
class AnswerWords:
    """headline: the class or the verdict; figure: its probability as text; detail: what else there is to say.

    share: length of the bar, 0..1; None: no bar. line: headline, figure and detail in one line.
    """

    headline: str
    detail: str = ""
    figure: str = ""
    share: float | None = None
    line: str = ""


def words_of(prediction: Prediction) -> AnswerWords:
    """The words of one answer."""
    match prediction.verdict:
        case "sure":
            return _sure(prediction)
        case "not_sure":
            return _not_sure(prediction)
        case "none_of_these":
            return AnswerWords(
                translate("AnswerWords", "None of these"),
                translate("AnswerWords", "Unlike any photo it learned from"),
                line=translate("AnswerWords", "none of these"),
            )
        case "unreadable":
            reason = (
                text.say(prediction.code, prediction.fields)
                if prediction.code
                else translate("AnswerWords", "The reason is not known.")
            )
            return AnswerWords(
                translate("AnswerWords", "Could not be read"),
                reason,
                line=translate("AnswerWords", "could not be read: {reason}").format(reason=reason),
            )


def line_of(prediction: Prediction) -> str:
    """ "dogs, 99 %", "not sure: cats 61 %, dogs 39 %", "none of these", "could not be read: ..."."""
    return words_of(prediction).line


def row_text(prediction: Prediction) -> str:
    """ "rex.jpg: dogs, 99 %"."""
    return f"{file_name(prediction.path)}: {line_of(prediction)}"


def _sure(prediction: Prediction) -> AnswerWords:
    share = probability(prediction) or 0.0
    label = prediction.label or prediction.top or ""
    figure = _share(share, calibrated=prediction.calibrated)
    return AnswerWords(label, _runner_up(prediction), figure, share, f"{label}, {figure}")


def _runner_up(prediction: Prediction) -> str:
    """The second best of three or more classes; of two it is what is left to 100 %."""
    if len(prediction.probabilities) < 3:
        return ""
    name, share = ranked(prediction)[1]
    if share < _RUNNER_UP:
        return ""
    return translate("AnswerWords", "then {name} {share}").format(name=name, share=text.percent(share))


def _not_sure(prediction: Prediction) -> AnswerWords:
    best = [(name, _share(share, calibrated=prediction.calibrated)) for name, share in ranked(prediction)[:2]]
    pairs = [f"{name} {share}" for name, share in best]
    detail = " · ".join(pair.replace(" ", "\u00a0") for pair in pairs)  # a line ends between classes only
    line = translate("AnswerWords", "not sure: {classes}").format(classes=", ".join(pairs))
    if prediction.code == LOOKS_POOR:  # the figure may be high: without a word nobody would understand it
        why = translate("AnswerWords", "poor photo")
        detail = f"{why}{_LINE_END}{detail}"
        line += " (" + translate("AnswerWords", "the photo looks poor") + ")"
    return AnswerWords(translate("AnswerWords", "Not sure"), detail, line=line)


def _share(share: float, *, calibrated: bool) -> str:
    """A percentage once it is calibrated; before that a score, which promises less."""
    if calibrated:
        return certain_percent(share)
    return translate("AnswerWords", "score {value}").format(value=text.decimal(share, 2))


def certain_percent(share: float) -> str:
    """Whole percent; 100 % is kept for certainty: 0.997 is shown as 99 %."""
    whole = min(99, half_up(100 * share)) if share < 1.0 else 100
    return f"{text.number(whole)} %"


def tooltip(prediction: Prediction, escape: Mapping[int, str]) -> str:
    """All classes, the whole path and reason, as escaped markup. escape: `str.translate` table for < > &."""
    lines = [prediction.path, line_of(prediction)]
    if prediction.code == LOOKS_POOR:
        lines.append(text.say(LOOKS_POOR, {}))
    lines += [f"{name} {text.percent(share, 1)}" for name, share in ranked(prediction)[:10]]
    return "<p style='white-space:pre-wrap'>" + "<br>".join(line.translate(escape) for line in lines) + "</p>"
