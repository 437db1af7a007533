"""The verdict on a run in the window's language."""

from PySide6.QtCore import QCoreApplication

from catdog_gui.session.results import Quality, Results, digits_for, of_hundred
from catdog_gui.ui import text

_MOSTLY = 0.6  # from this share of one class on, accuracy alone flatters


def tr(source: str) -> str:
    return QCoreApplication.translate("Verdict", source)


def verdict(figures: Results) -> str:
    """The headline: "Very good: about 98 of 100 new photos right"."""
    return tr(_HEADLINES[figures.quality]).format(
        share=_share_words(figures),
        right=text.number(figures.right),
        n=text.number(figures.n),
        name=figures.commonest_class,
    )


def basis(figures: Results) -> str:
    """What the verdict rests on: how many photos, the accuracy with its 95 % interval, what one photo weighs."""
    digits = digits_for(figures.n)
    low, high = (text.decimal(100 * share, digits) for share in (figures.low, figures.high))
    said = tr("Checked on {n} photos it did not learn from: {accuracy} ({low} to {high}).").format(
        n=text.number(figures.n), accuracy=text.percent(figures.accuracy, digits), low=low, high=high
    )
    return f"{said} {_one_photo(figures.n)}".rstrip()


def caution(figures: Results) -> str:
    """What a reader would otherwise get wrong; "" where the headline says it all."""
    match figures.quality:
        case Quality.TOO_FEW:
            return tr("So few check photos say little. More photos give a figure you can trust.")
        case Quality.UNCERTAIN:
            return tr("With this few check photos it could still be luck. More photos will tell.")
        case Quality.NO_BETTER:
            return tr(
                "Always answering “{name}” would be right for {share} of these photos. More photos, clearer classes "
                "or another quality may help."
            ).format(name=figures.commonest_class, share=text.percent(figures.commonest))
    if figures.commonest >= _MOSTLY and figures.balanced is not None:
        return tr(
            "The classes are uneven: always answering “{name}” would already be right for {share}. "
            "With every class counting the same it is {balanced}."
        ).format(
            name=figures.commonest_class,
            share=text.percent(figures.commonest),
            balanced=text.percent(figures.balanced, digits_for(figures.n)),
        )
    return ""


def mark(source: str) -> str:
    """Marks a headline for translation."""
    return source


_HEADLINES = {
    Quality.UNCHECKED: mark("Stopped before the first check"),
    Quality.TOO_FEW: mark("Too few photos to judge: {right} of {n} right"),
    Quality.NO_BETTER: mark("Not learned yet: no better than always “{name}”"),
    Quality.UNCERTAIN: mark("Not certain yet: {share}"),
    Quality.WEAK: mark("Weak: {share}"),
    Quality.FAIR: mark("Fair: {share}"),
    Quality.GOOD: mark("Good: {share}"),
    Quality.VERY_GOOD: mark("Very good: {share}"),
}
assert set(_HEADLINES) == set(Quality)


def _share_words(figures: Results) -> str:
    hundred = of_hundred(figures.accuracy)
    if hundred == 100:
        return tr("all {n} check photos right").format(n=text.number(figures.n))
    if figures.accuracy > 0.995:
        return tr("more than 99 of 100 new photos right")
    return tr("about {count} of 100 new photos right").format(count=hundred)


def _one_photo(n: int) -> str:
    """What one photo more or less would change."""
    named = {100: tr("One photo is one point."), 200: tr("One photo is half a point."),
             400: tr("One photo is a quarter point.")}  # fmt: skip
    if n in named:
        return named[n]
    if n > 2_000:
        return ""  # less than a twentieth of a point
    digits = 0 if n <= 10 else 1 if n < 100 else 2
    return tr("One photo is {points} points.").format(points=text.decimal(100 / n, digits))
