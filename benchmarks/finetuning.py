"""Fine-tuning and training from scratch on the CPU, against the plain loops that tutorials and the article show.

usage: finetuning.py DATA [--part resnet18 article] [--steps N] [--repeats N] [--accuracy EPOCHS --seeds 0 1 2]

Both take turns in one process; the first step of each turn is not counted. Theirs is in fp32 with torch's DataLoader
and two workers, which decode each photo anew every epoch; where `in memory` is said, from tensors that lie ready. Ours
is the program's own Trainer over photos that were decoded once (those seconds are printed). --accuracy: the article's
network on four fifths of the photos, checked on the rest, by both, a split for each seed.
"""

import argparse
import itertools
import statistics
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional
from torch.utils.data import DataLoader, Subset
from torchvision import datasets, models
from torchvision import transforms as steps_of

from catdog_gui.engine import Trainer
from catdog_gui.engine.datasets.dataset import scan
from catdog_gui.engine.learning.loading import BatchLoader
from catdog_gui.engine.networks.catalog import MEAN, STD, build
from catdog_gui.engine.photos.images import Recipe, decode
from catdog_gui.engine.photos.reading import default_workers
from catdog_gui.engine.preparing.stores import ArrayStore

SIDE = 224
Batches = Iterable[Any]


def article_network() -> nn.Module:
    """The article's network as it was written."""

    def layer(channels_in: int, channels_out: int) -> list[nn.Module]:
        return [nn.Conv2d(channels_in, channels_out, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2)]

    convolutions = [*layer(3, 32), *layer(32, 64), *layer(64, 128), *layer(128, 128)]
    return nn.Sequential(*convolutions, nn.Flatten(), nn.Linear(128 * 14 * 14, 512), nn.ReLU(), nn.Linear(512, 2))


class Part:
    """One comparison. name: the program's network; batch: photos in one step; squash: the article's way to a square."""

    def __init__(self, data: Path, name: str, batch: int, *, squash: bool) -> None:
        self.name, self.batch, self.squash = name, batch, squash
        self._network = "small_cnn" if name == "article" else name
        shape = [steps_of.Resize((SIDE, SIDE))] if squash else [steps_of.Resize(256), steps_of.CenterCrop(SIDE)]
        self.folder = datasets.ImageFolder(
            str(data), steps_of.Compose([*shape, steps_of.ToTensor(), steps_of.Normalize(MEAN, STD)])
        )
        found = scan(data)
        began = time.perf_counter()
        recipe = Recipe(SIDE, "squash" if squash else "crop")
        with ThreadPoolExecutor(default_workers()) as pool:
            paths = [found.path(number) for number in range(len(found.paths))]
            squares = list(pool.map(lambda path: decode(path.read_bytes(), recipe), paths))
        self.store, self.labels = ArrayStore(np.stack(squares)), np.asarray(found.labels, np.int64)
        seconds = time.perf_counter() - began
        print(f"{name}: {len(squares)} photos decoded once in {seconds:.1f} s", flush=True)

    def their_model(self) -> tuple[nn.Module, torch.optim.Optimizer]:
        model = article_network() if self.name == "article" else models.get_model(self.name, num_classes=2)
        return model, torch.optim.Adam(model.parameters(), 1e-3)

    def their_loader(self, members: np.ndarray[Any, Any], *, learning: bool) -> Batches:
        return DataLoader(Subset(self.folder, members.tolist()), self.batch, shuffle=learning, num_workers=2)

    def our_loader(self, members: np.ndarray[Any, Any], seed: int, *, learning: bool) -> BatchLoader:
        return BatchLoader(
            store=self.store,
            labels=self.labels,
            members=members,
            batch_size=self.batch,
            device=torch.device("cpu"),
            seed=seed,
            learning=learning,
            size=SIDE,
        )

    def our_trainer(self, learned: BatchLoader, checked: Batches, on_step: Any) -> tuple[Trainer, Any]:  # noqa: ANN401
        network = build(self._network, 2, image_size=SIDE).to(memory_format=torch.channels_last)
        trainer = Trainer(network, learned, checked, device="cpu", on_step=on_step)
        return trainer, torch.optim.Adam(network.parameters(), 1e-3, fused=True)


def plain_steps(model: nn.Module, optimizer: torch.optim.Optimizer, batches: Batches) -> list[tuple[float, int]]:
    """The loop of every tutorial: when each step ended, and its photos."""
    model.train()
    ends = []
    for inputs, labels in batches:
        optimizer.zero_grad()
        loss = functional.cross_entropy(model(inputs), labels)
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        ends.append((time.perf_counter(), len(labels)))
    return ends


def rate(ends: list[tuple[float, int]]) -> float:
    """Photos a second after the first step."""
    return sum(count for _, count in ends[1:]) / (ends[-1][0] - ends[0][0])


def turn(part: Part, steps: int, seed: int) -> dict[str, float]:
    """Photos a second of each way, over the same number of steps."""
    torch.manual_seed(seed)
    members = np.random.default_rng(seed).permutation(len(part.labels))[: part.batch * (steps + 1)]
    model, optimizer = part.their_model()
    rates = {"theirs": rate(plain_steps(model, optimizer, part.their_loader(members, learning=True)))}
    ready = list(itertools.islice(part.their_loader(members, learning=True), min(steps + 1, 5)))
    rates["theirs, in memory"] = rate(plain_steps(model, optimizer, ready))
    del ready, model, optimizer
    ends: list[tuple[float, int]] = []
    loader = part.our_loader(members, seed, learning=True)
    trainer, fused = part.our_trainer(loader, [], lambda step: ends.append((time.perf_counter(), step.photos)))
    trainer.train_epoch(fused)
    return {**rates, f"ours, {trainer.precision}": rate(ends)}


def compare(part: Part, steps: int, repeats: int) -> None:
    rows = [turn(part, steps, seed) for seed in range(repeats)]
    middle = {name: statistics.median(row[name] for row in rows) for name in rows[0]}
    for name, value in middle.items():
        turns = "  ".join(f"{row[name]:.1f}" for row in rows)
        print(f"{part.name}, batch {part.batch}: {name:20} {value:6.1f} photos/s   turns {turns}")
    ours = list(middle.values())[-1]
    print(
        f"{part.name}, batch {part.batch}: ours {ours / middle['theirs']:.2f} times theirs,"
        f" {ours / middle['theirs, in memory']:.2f} times theirs in memory",
        flush=True,
    )


def accuracies(part: Part, epochs: int, seed: int) -> tuple[float, float]:
    """Their share of right answers and ours, after so many epochs on the same split."""
    order = np.random.default_rng(seed).permutation(len(part.labels))
    checked, learned = order[: len(order) // 5], order[len(order) // 5 :]
    torch.manual_seed(seed)
    model, optimizer = part.their_model()
    for _ in range(epochs):
        plain_steps(model, optimizer, part.their_loader(learned, learning=True))
    model.eval()
    with torch.no_grad():
        right = sum(
            int((model(inputs).argmax(1) == labels).sum())
            for inputs, labels in part.their_loader(checked, learning=False)
        )
    torch.manual_seed(seed)
    loader = part.our_loader(learned, seed, learning=True)
    trainer, fused = part.our_trainer(loader, part.our_loader(checked, seed, learning=False), lambda _step: None)
    for epoch in range(1, epochs + 1):
        loader.epoch = epoch
        trainer.train_epoch(fused)
    return right / len(checked), trainer.validate().accuracy


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--part", nargs="+", choices=("resnet18", "article"), default=["resnet18", "article"])
    parser.add_argument("--steps", type=int, default=6)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--accuracy", type=int, default=0, metavar="EPOCHS")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    options = parser.parse_args()
    print(f"torch {torch.__version__}, {torch.get_num_threads()} threads, {options.steps} steps a turn")
    for name in options.part:
        article = name == "article"
        part = Part(options.data.resolve(), name, 64 if article else 32, squash=article)
        compare(part, options.steps, options.repeats)
        if article and options.accuracy:
            pairs = [accuracies(part, options.accuracy, seed) for seed in options.seeds]
            theirs, ours = (statistics.fmean(values) for values in zip(*pairs, strict=True))
            print(f"article after {options.accuracy} epochs, {len(pairs)} seeds: theirs {theirs:.4f}, ours {ours:.4f}")


if __name__ == "__main__":
    main()
