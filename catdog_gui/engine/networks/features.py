"""The frozen stages of a network over photos, on the fastest engine that is here.

OpenVINO where it has a graph (EfficientNet-Lite0 on the CPU): 5 to 7 times torch's speed there. Torch everywhere else.
Each photo is computed on its own in OpenVINO, so an answer never depends on the batch, the order or the threads.
"""

import importlib.util
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Protocol

import numpy as np

from catdog_gui.engine.photos.images import Picture

Array = np.ndarray[Any, np.dtype[Any]]
Take = Callable[[int, Array], None]
LITE0 = "efficientnet_lite0"
MEAN = np.array([0.485, 0.456, 0.406], np.float32)
STD = np.array([0.229, 0.224, 0.225], np.float32)
_TORCH_BATCH = 32


class FeatureEngine(Protocol):
    """Runs stages over photos. One caller at a time."""

    name: str  # "openvino" or "torch"
    precision: str

    def run(self, photos: Iterable[tuple[int, Picture]], take: Take) -> None:
        """Call take(number, output) once for each (number, photo (S, S, 3)); float32, this thread, any order.

        Returns when all are done; what `photos` raises is raised after those under way have ended.
        """

    def close(self) -> None:
        """Give memory back; `run` must not be called again."""


def make_engine(
    network: str, tensors: Mapping[str, Array], size: int, device: str, precision: str, last_stage: int | None = None
) -> FeatureEngine:
    """An engine for the first `last_stage` stages (all where None). tensors: the stages' state by name, float32.

    device: "cpu", "cuda:N", "mps". Raises what torch raises where a device fails; RuntimeError, KeyError or ValueError
    where the tensors are not the network's.
    """
    if engine_name(network, device) == "openvino":
        return OpenVinoEngine(tensors, size, precision, last_stage or 19)
    return TorchEngine(network, tensors, size, device, precision, last_stage)


def engine_name(network: str, device: str) -> str:
    """Which engine `make_engine` would take: "openvino" or "torch"."""
    return "openvino" if network == LITE0 and device == "cpu" and has_openvino() else "torch"


def has_openvino() -> bool:
    """Whether OpenVINO is installed (it has no wheel for some systems)."""
    return importlib.util.find_spec("openvino") is not None


def one(engine: FeatureEngine, photo: Picture) -> Array:
    """The output for a single photo."""
    result: list[Array] = []
    engine.run([(0, photo)], lambda _, output: result.append(output))
    return result[0]


class OpenVinoEngine:
    """EfficientNet-Lite0 on the CPU; the library reads a graph that is built here and reports nothing to anyone."""

    name = "openvino"

    def __init__(self, tensors: Mapping[str, Array], size: int, precision: str, last_stage: int) -> None:
        from catdog_gui.engine.networks import lite0_openvino
        from catdog_gui.engine.networks.openvino_runtime import openvino

        ov = openvino()

        self.precision = precision
        graph = lite0_openvino.build(tensors, MEAN, STD, size, last_stage)
        graph.reshape([1, size, size, 3])
        hint = "bf16" if precision == "bf16" else "f32"
        settings = {"PERFORMANCE_HINT": "THROUGHPUT", "INFERENCE_PRECISION_HINT": hint}
        self._compiled = ov.Core().compile_model(graph, "CPU", settings)
        count = 2 * int(self._compiled.get_property("OPTIMAL_NUMBER_OF_INFER_REQUESTS"))
        self._requests = [self._compiled.create_infer_request() for _ in range(count)]

    def run(self, photos: Iterable[tuple[int, Picture]], take: Take) -> None:
        # Requests taken in turn, without callbacks: OpenVINO's threads then never need Python's lock. With an
        # AsyncInferQueue its destructor could wait for a thread that waited for that lock, for ever.
        busy: deque[tuple[int, Any, Picture]] = deque()
        free = list(self._requests)
        try:
            for number, photo in photos:
                if not free:
                    free.append(_finished(busy.popleft(), take))
                request = free.pop()
                request.start_async({0: photo[None]}, share_inputs=True)
                busy.append((number, request, photo))  # the photo must live until it is computed
            while busy:
                _finished(busy.popleft(), take)
        finally:
            for _, request, _ in busy:
                request.wait()

    def close(self) -> None:
        self._requests.clear()
        del self._compiled


def _finished(work: tuple[int, Any, Picture], take: Take) -> Any:  # noqa: ANN401 -- openvino's request
    number, request, _ = work
    request.wait()  # lets other threads run meanwhile
    take(number, request.get_output_tensor(0).data[0].copy())
    return request


class TorchEngine:
    """Any network on any of torch's devices, in batches."""

    name = "torch"

    def __init__(
        self,
        network: str,
        tensors: Mapping[str, Array],
        size: int,
        device: str,
        precision: str,
        last_stage: int | None,
    ) -> None:
        import torch

        from catdog_gui.engine.networks import catalog as networks

        self.precision = precision
        self._device = torch.device(device)
        self._last = last_stage
        self._network = networks.build(network, 2, image_size=size)
        state = {name: torch.from_numpy(value) for name, value in tensors.items()}
        missing = self._network.stages.load_state_dict(state, strict=False).missing_keys
        if any(not name.endswith("num_batches_tracked") for name in missing):
            raise ValueError(f"missing: {', '.join(missing[:3])}")  # such stages would answer at random
        self._network.eval().requires_grad_(False)
        self._network.to(self._device).to(memory_format=torch.channels_last)

    def run(self, photos: Iterable[tuple[int, Picture]], take: Take) -> None:
        for numbers, batch in _batches(photos, _TORCH_BATCH):
            for number, output in zip(numbers, self._forward(batch), strict=True):
                take(number, output)

    def _forward(self, batch: Array) -> Array:
        """In halves where memory runs out, down to one photo."""
        from catdog_gui.engine.devices import free_memory, is_out_of_memory

        try:
            return self._computed(batch)
        except Exception as error:
            if len(batch) == 1 or not is_out_of_memory(error):
                raise
        free_memory(str(self._device))
        half = len(batch) // 2
        return np.concatenate([self._forward(batch[:half]), self._forward(batch[half:])])

    def _computed(self, batch: Array) -> Array:
        import torch

        from catdog_gui.engine.networks.precision import autocast

        with torch.inference_mode(), autocast(self._device, self.precision):
            photos = torch.from_numpy(batch).to(self._device, non_blocking=True)
            output: Array = self._network.features(photos, last=self._last).float().cpu().numpy()
        return output

    def close(self) -> None:
        from catdog_gui.engine.devices import free_memory

        del self._network
        free_memory(str(self._device))


def _batches(photos: Iterable[tuple[int, Picture]], size: int) -> Iterator[tuple[list[int], Array]]:
    numbers: list[int] = []
    pictures: list[Picture] = []
    for number, picture in photos:
        numbers.append(number)
        pictures.append(picture)
        if len(numbers) == size:
            yield numbers, np.stack(pictures)
            numbers, pictures = [], []
    if numbers:
        yield numbers, np.stack(pictures)
