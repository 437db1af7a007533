"""The verdict on a run in the window's language."""

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from catdog_gui.session.results import FEWEST_CALIBRATED, Quality, Results, digits_for, of_hundred
from catdog_gui.ui import text

translate = QCoreApplication.translate
_MOSTLY = 0.6  # from this share of one class on, accuracy alone flatters


def verdict(figures: Results) -> str:
    """The headline: "Very good: about 98 of 100 new photos right"."""
    return translate("Verdict", str(_HEADLINES[figures.quality])).format(
        share=_share_words(figures),
        right=text.number(figures.right),
        n=text.number(figures.n),
        name=figures.commonest_class,
    )


def basis(figures: Results) -> str:
    """What the verdict rests on: how many photos, the accuracy with its 95 % interval, what one photo weighs."""
    digits = digits_for(figures.n)
    low, high = (text.decimal(100 * share, digits) for share in (figures.low, figures.high))
    said = translate("Verdict", "Checked on {n} photos it did not learn from: {accuracy} ({low} to {high}).").format(
        n=text.number(figures.n), accuracy=text.percent(figures.accuracy, digits), low=low, high=high
    )
    return f"{said} {_one_photo(figures.n)}".rstrip()


def trust(figures: Results) -> str:
    """How far the percentages of its answers can be taken at their word; "" where nothing is known."""
    if figures.ece is None:
        return ""
    if figures.n < FEWEST_CALIBRATED:
        return translate("Verdict", "Too few photos were checked to know how far its percentages can be trusted.")
    return translate(
        "Verdict",
        "When it says 90 %, it is right about 90 % of the time, give or take {points} points.",
    ).format(points=text.decimal(100 * figures.ece, 1))


def trust_term() -> str:
    """The name and the meaning of the figure in `trust`."""
    return translate(
        "Verdict",
        "Calibration error (ECE): how far, on average over the check photos, the percentage that an answer carries is "
        "from the share of such answers that are right.",
    )


def log_loss_term() -> str:
    """What the figure means."""
    return translate(
        "Verdict",
        "How far its percentages are from the truth: 0 is always right and sure of it; a sure mistake costs most.",
    )


def caution(figures: Results) -> str:
    """What a reader would otherwise get wrong; "" where the headline says it all."""
    match figures.quality:
        case Quality.TOO_FEW:
            return translate(
                "Verdict",
                "Only {n} photos were checked, so this may be luck: of 100 new ones, anything from {low} to {high} may "
                "be right. Add photos to every class; from some 250 in all, the figures can be trusted.",
            ).format(n=text.number(figures.n), low=of_hundred(figures.low), high=of_hundred(figures.high))
        case Quality.UNCERTAIN:
            return translate("Verdict", "With this few check photos it could still be luck. More photos will tell.")
        case Quality.NO_BETTER:
            return translate(
                "Verdict",
                "Always answering “{name}” would be right for {share} of these photos. More photos, clearer classes "
                "or another quality may help.",
            ).format(name=figures.commonest_class, share=text.percent(figures.commonest))
    if figures.commonest >= _MOSTLY and figures.balanced is not None:
        return translate(
            "Verdict",
            "The classes are uneven: always answering “{name}” would already be right for {share}. "
            "With every class counting the same it is {balanced}.",
        ).format(
            name=figures.commonest_class,
            share=text.percent(figures.commonest),
            balanced=text.percent(figures.balanced, digits_for(figures.n)),
        )
    return ""


_HEADLINES = {
    Quality.UNCHECKED: QT_TRANSLATE_NOOP("Verdict", "Stopped before the first check"),
    Quality.TOO_FEW: QT_TRANSLATE_NOOP("Verdict", "Too few photos to judge: {right} of {n} right"),
    Quality.NO_BETTER: QT_TRANSLATE_NOOP("Verdict", "Not learned yet: no better than always “{name}”"),
    Quality.UNCERTAIN: QT_TRANSLATE_NOOP("Verdict", "Not certain yet: {share}"),
    Quality.WEAK: QT_TRANSLATE_NOOP("Verdict", "Weak: {share}"),
    Quality.FAIR: QT_TRANSLATE_NOOP("Verdict", "Fair: {share}"),
    Quality.GOOD: QT_TRANSLATE_NOOP("Verdict", "Good: {share}"),
    Quality.VERY_GOOD: QT_TRANSLATE_NOOP("Verdict", "Very good: {share}"),
}
assert set(_HEADLINES) == set(Quality)


def _share_words(figures: Results) -> str:
    hundred = of_hundred(figures.accuracy)
    if hundred == 100:
        return translate("Verdict", "all {n} check photos right").format(n=text.number(figures.n))
    if figures.accuracy > 0.995:
        return translate("Verdict", "more than 99 of 100 new photos right")
    return translate("Verdict", "about {count} of 100 new photos right").format(count=hundred)


def _one_photo(n: int) -> str:
    """What one photo more or less would change."""
    named = {
        100: translate("Verdict", "One photo is one point."),
        200: translate("Verdict", "One photo is half a point."),
        400: translate("Verdict", "One photo is a quarter point."),
    }
    if n in named:
        return named[n]
    if n > 1_000:
        return ""  # less than a tenth of a point
    digits = 0 if n <= 10 else 1 if n < 100 else 2
    return translate("Verdict", "One photo is {points} points.").format(points=text.decimal(100 / n, digits))
