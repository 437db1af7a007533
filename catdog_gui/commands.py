"""What each command of `catdog` does. Imported once a command is known."""

import argparse
import dataclasses
import sys
from pathlib import Path

from catdog_gui.engine import events
from catdog_gui.engine.config import preset
from catdog_gui.engine.errors import UsageError
from catdog_gui.engine.messages import sentence
from catdog_gui.output import STOPPED, Output, ShouldStop, keep_what_is_there, say_step


def scan(options: argparse.Namespace, should_stop: ShouldStop) -> int:
    from catdog_gui.engine.datasets import dataset
    from catdog_gui.engine.photos.reading import default_workers

    out = Output(options)
    found = dataset.scan(options.data, should_stop=should_stop)
    if options.deep:
        found = dataset.check_deep(
            found,
            workers=default_workers(),
            should_stop=should_stop,
            on_progress=lambda done, total: out.progress(f"{done} of {total} photos read"),
            on_slow=out.tell_of_slow(),
        )
    values = found.to_json()
    out.result(values)
    for name, count in values["classes"].items():
        out.answer(f"{name}: {count:,} {'photo' if count == 1 else 'photos'}")
    for item in values["skipped"]:
        out.answer(f"left out: {item['path']}: {item['reason']}")
    for item in values["warnings"]:
        out.answer(f"note: {item['message']}")
    for item in values["offers"]:
        out.answer(f"better: {item['path']}")
    out.answer("This folder can be trained on." if found.trainable else f"Not trainable: {values['reason']}")
    return 0


def evaluate(options: argparse.Namespace, should_stop: ShouldStop) -> int:
    from catdog_gui.answer_commands import poor_photos, robustness_text
    from catdog_gui.engine.answers.evaluate import evaluate as measure
    from catdog_gui.engine.answers.predict import load_model

    out = Output(options)
    predictor = load_model(options.model, device=options.device, careful=options.careful)
    say_step(out, predictor.model.careful, options.careful)

    def emit(event: events.Event) -> None:
        if isinstance(event, events.Progress):
            out.progress(f"{event.done:,} of {event.total:,} photos")
        else:
            out.event(event)
            if isinstance(event, events.DataWarning | events.Notice | events.PhotoSkipped):
                where = f"{event.path}: " if isinstance(event, events.PhotoSkipped) else ""
                out.say(f"note: {where}{sentence(event.code, event.fields)}")

    try:
        found = measure(predictor, options.data, emit, should_stop)
        rows = poor_photos(predictor, options.data, out, should_stop) if options.robustness else []
    finally:
        predictor.close()
    out.result(found.to_json() | ({"robustness": [row.to_json() for row in rows]} if options.robustness else {}))
    out.answer(f"{100 * found.accuracy:.2f}% of {found.photos:,} photos right, log loss {found.log_loss:.4f}")
    out.answer(f"calibration error {100 * found.ece:.2f}%")
    counts = dict(found.verdicts)
    out.answer(f"sure: {counts.pop('sure'):,} of {found.photos:,}, {found.sure_right:,} of those right")
    out.answer(", ".join(f"{name.replace('_', ' ')}: {count:,}" for name, count in counts.items()))
    for name, row in zip(found.classes, found.confusion, strict=True):
        told = ", ".join(f"{count:,} {said}" for said, count in zip(found.classes, row, strict=True))
        out.answer(f"{name} were called: {told}")
    for line in robustness_text(rows):
        out.answer(line)
    return 0


def explain(options: argparse.Namespace, should_stop: ShouldStop) -> int:  # noqa: ARG001 -- over in a moment
    from catdog_gui.answer_commands import explain as run

    return run(options, Output(options))


def export(options: argparse.Namespace, should_stop: ShouldStop) -> int:
    from catdog_gui.engine.export.job import export_model

    out = Output(options)
    written = export_model(
        options.model,
        options.out,
        int8=options.int8,
        force=options.force,
        on_progress=lambda done, total: out.progress(f"{done} of {total} answers compared"),
        should_stop=should_stop,
        on_slow=out.tell_of_slow(),
    )
    out.result(written.to_json())
    about = {"run": "photos of the run", "drawn": "drawings", "mixed": "photos of the run and drawings"}[written.photos]
    out.answer(f"wrote {written.file} ({written.size_mb:.1f} MB) and {written.example}")
    out.answer(
        f"{written.agree} of {written.checked} answers about {about} are the program's, probabilities at most"
        f" {written.largest_difference:.2g} apart"
    )
    if written.own is not None:
        out.answer(
            f"note: here the program itself answers in {written.own.precision}: {written.own.same} of {written.checked}"
            f" the same, at most {written.own.largest_difference:.2g} apart"
        )
    return 0


def bench(options: argparse.Namespace, should_stop: ShouldStop) -> int:
    from catdog_gui.engine.comparison.bench import compare
    from catdog_gui.session.comparison import row_name, to_text

    out = Output(options)
    config = dataclasses.replace(preset("article"), model=options.model)

    def emit(event: events.Event) -> None:
        if isinstance(event, events.BenchProgress):
            out.progress(f"{row_name(event)}: {'warming up' if not event.pieces else f'{event.pieces} timed'}")
        else:
            out.event(event)
            if isinstance(event, events.Notice):
                out.say(f"note: {sentence(event.code, event.fields)}")

    found = compare(options.data, emit, should_stop, config=config)
    rows = [{k: v for k, v in events.to_dict(row).items() if k not in ("v", "type")} for row in found.rows]
    facts = {name: getattr(found, name) for name in ("photos", "model", "batch_size", "image_size")}
    out.result({"status": "stopped" if found.stopped else "completed", "rows": rows, **facts})
    step = f"{found.batch_size} photos of {found.image_size} px a step"
    out.answer(f"{found.model}, {step}; {found.photos:,} photos in this folder")
    for line in to_text(found.rows).splitlines():
        out.answer(line)
    if found.stopped:
        out.answer("Stopped.")
    return STOPPED if found.stopped else 0


def runs(options: argparse.Namespace, should_stop: ShouldStop) -> int:  # noqa: ARG001 -- nothing to stop
    from catdog_gui.engine.runs import run_list

    out = Output(options)
    if options.delete is not None:
        run = run_list.find_run(options.delete)
        run_list.check_deletable(run)
        if not options.yes and not _confirmed(f"Delete the run {run} with its model for good?"):
            raise UsageError("not_confirmed", run=str(run))
        run_list.delete(run)
        out.result({"deleted": str(run)})
        out.answer(f"Deleted: {run}")
        return 0
    if options.mistakes is not None:
        return _say_mistakes(out, run_list.find_run(options.mistakes))
    found = run_list.list_runs()
    rows = ("name", "status", "preset", "model", "accuracy", "epochs", "started")
    out.result({"runs": [{"run": str(run.path), **{key: getattr(run, key) for key in rows}} for run in found]})
    for item in found:
        accuracy = "" if item.accuracy is None else f", {100 * item.accuracy:.2f}% of {item.n_val}"
        out.answer(f"{item.path.name}: {item.name}, {item.preset}, {item.status}{accuracy}")
    if not found:
        out.answer("There are no runs yet.")
    return 0


def _say_mistakes(out: Output, run: Path) -> int:
    from catdog_gui.engine.answers.checked import mistakes
    from catdog_gui.engine.photos.names import printable

    found = mistakes(run)
    keys = ("label", "answer", "probability")
    rows = [{"path": printable(str(photo.path)), **{key: getattr(photo, key) for key in keys}} for photo in found]
    out.result({"run": str(run), "mistakes": rows})
    for row in rows:  # without the probability of the check: the finished model's, which people meet, is another
        out.answer(f"{row['path']}: {row['label']}, answered {row['answer']}")
    if not found:
        out.answer("Every photo it was checked with was answered rightly.")
    return 0


def _confirmed(question: str) -> bool:
    """Ask on a terminal; no where nobody can answer."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def doctor(options: argparse.Namespace, should_stop: ShouldStop) -> int:  # noqa: ARG001 -- nothing to stop
    from catdog_gui.engine.devices import computer_report, report_text

    out = Output(options)
    keep_what_is_there(options.report, force=options.force)
    report = computer_report()
    if options.report is not None:
        from catdog_gui.engine.problems.problem_report import write_report

        write_report(options.report.absolute(), report)
    out.result(report)
    for line in report_text(report).splitlines():
        out.answer(line)
    if options.report is not None:
        out.say(f"The report is in {options.report}: no photos, and names replaced. Look into it before you send it.")
    return 0
