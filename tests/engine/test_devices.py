"""The list of devices, the true reason for each that does not work, and the choice among them.

A card is faked at torch.cuda's functions (and nvidia-smi's answer); everything of ours is real.
"""

import dataclasses
from collections.abc import Callable
from types import SimpleNamespace

import pytest
import torch

from catdog_gui.engine import devices, system
from catdog_gui.engine.devices import DeviceInfo, nvidia, self_test
from catdog_gui.engine.devices.nvidia import Card
from catdog_gui.engine.errors import InputError, UsageError

RTX = Card("NVIDIA GeForce RTX 3060", "581.10", 12288.0, (8, 6))
CPU = DeviceInfo("cpu", "cpu", "Some CPU")
GPU = DeviceInfo("cuda:0", "cuda", RTX.name, precisions=("fp32", "bf16", "fp16"))
SECOND = dataclasses.replace(GPU, id="cuda:1")
MPS = DeviceInfo("mps", "mps", "Apple M3 GPU", precisions=("fp32", "fp16"))
BROKEN = DeviceInfo(
    "cuda:0",
    "cuda",
    RTX.name,
    works=False,
    code="torch_without_cuda",
    fields={"name": RTX.name},
    next_code="next_install_torch",
    next_fields={"command": "pip install it"},
)


@pytest.fixture
def no_card(monkeypatch: pytest.MonkeyPatch) -> None:
    """A computer without NVIDIA, whatever this one has."""
    monkeypatch.setattr(nvidia, "cards", list)
    monkeypatch.setattr(nvidia, "has_driver", lambda: False)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)


@pytest.fixture
def seen_by_driver(no_card: None, monkeypatch: pytest.MonkeyPatch) -> Callable[[Card], None]:
    """A card that nvidia-smi names and torch does not see."""

    def fake(card: Card) -> None:
        monkeypatch.setattr(nvidia, "cards", lambda: [card])
        monkeypatch.setattr(nvidia, "has_driver", lambda: card.driver is not None)

    return fake


@pytest.fixture
def seen_by_torch(no_card: None, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """A card that torch.cuda lists; `failing`: what it does when it shall compute."""

    def fake(major: int, minor: int, *, built_for: str = "sm_75 sm_80 sm_90", failing: Exception | None = None) -> None:
        properties = SimpleNamespace(name=RTX.name, major=major, minor=minor, total_memory=12 * 2**30)
        monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
        monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
        monkeypatch.setattr(torch.cuda, "get_device_properties", lambda _: properties)
        monkeypatch.setattr(torch.cuda, "get_arch_list", built_for.split)
        to = torch.nn.Module.to

        def compute(module: torch.nn.Module, device: torch.device) -> torch.nn.Module:
            if device.type == "cuda" and failing is not None:
                raise failing
            return to(module, device)

        monkeypatch.setattr(torch.nn.Module, "to", compute)

    return fake


def _listed(device_id: str) -> DeviceInfo:
    return next(device for device in devices.list_devices() if device.id == device_id)


# --- what is listed --------------------------------------------------------------------------------------------------


def test_the_cpu_is_always_there_and_passes_its_self_test(no_card: None) -> None:
    (cpu,) = [device for device in devices.list_devices() if device.kind == "cpu"]

    assert cpu.works
    assert cpu.name
    assert cpu.memory_mb is not None
    assert cpu.memory_mb > 256
    assert cpu.precisions[0] == "fp32"
    assert "fp16" not in cpu.precisions


def test_no_row_is_shown_for_a_card_that_does_not_exist(no_card: None) -> None:
    assert [device.id for device in devices.list_devices() if device.kind == "cuda"] == []


@pytest.mark.parametrize(
    ("flags", "precisions"),
    [
        ("fpu avx2 fma", ("fp32",)),
        ("fpu avx2 avx512f avx512_vnni", ("fp32",)),
        ("fpu avx512f avx512_bf16", ("fp32", "bf16")),
        ("fpu amx_bf16 amx_tile", ("fp32", "bf16")),
    ],
)
def test_the_cpu_offers_bf16_only_where_it_has_instructions_for_it(
    flags: str, precisions: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(system.sys, "platform", "linux")
    monkeypatch.setattr(system, "read", lambda _: f"model name\t: Some CPU\nflags\t\t: {flags}\n")

    assert devices.cpu_device().precisions == precisions


def test_a_card_without_a_cuda_build_of_torch_is_listed_with_the_command_that_helps(
    seen_by_driver: Callable[[Card], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen_by_driver(RTX)
    monkeypatch.setattr(torch.version, "cuda", None)

    card = _listed("cuda:0")

    assert not card.works
    assert card.code == "torch_without_cuda"
    assert card.reason == "NVIDIA GeForce RTX 3060 cannot be used: the installed PyTorch was built without CUDA."
    assert card.next_step is not None
    assert "pip install" in card.next_step
    assert "--index-url https://download.pytorch.org/whl/cu130" in card.next_step
    assert card.memory_mb == 12288
    assert card.compute_capability == "8.6"
    assert card.precisions == ()


def test_a_card_without_any_driver_says_so(
    seen_by_driver: Callable[[Card], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen_by_driver(Card("NVIDIA GA106"))
    monkeypatch.setattr(torch.version, "cuda", None)

    assert _listed("cuda:0").code == "no_driver"


def test_a_card_hidden_by_the_environment_names_the_variable(
    seen_by_driver: Callable[[Card], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen_by_driver(RTX)
    monkeypatch.setattr(torch.version, "cuda", "13.0")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "-1")

    card = _listed("cuda:0")

    assert card.code == "card_hidden"
    assert "CUDA_VISIBLE_DEVICES is set to “-1”" in str(card.reason)


def test_a_driver_that_is_too_old_is_named_with_the_version_needed(
    seen_by_driver: Callable[[Card], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen_by_driver(dataclasses.replace(RTX, driver="470.82"))
    monkeypatch.setattr(torch.version, "cuda", "13.0")

    def init() -> None:
        raise RuntimeError("The NVIDIA driver on your system is too old (found version 11040). Please update ...")

    monkeypatch.setattr(torch.cuda, "init", init)

    card = _listed("cuda:0")

    assert card.code == "driver_too_old"
    assert "470.82" in str(card.reason)
    assert "580" in str(card.next_step)


def test_torch_that_raises_when_asked_for_cards_leaves_the_cpu_usable(
    no_card: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def is_available() -> bool:
        raise RuntimeError("CUDA unknown error - this may be due to an incorrectly set up environment")

    monkeypatch.setattr(torch.cuda, "is_available", is_available)

    card = _listed("cuda:0")

    assert card.code == "self_test_failed"
    assert "CUDA unknown error" in str(card.reason)
    assert devices.get_optimal_device(devices.list_devices()) == torch.device("cpu")


def test_a_card_that_is_lost_between_two_questions_is_listed_with_the_text(
    seen_by_torch: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen_by_torch(8, 6)

    def lost(_: int) -> None:
        raise RuntimeError("CUDA error: device is lost\nCompile with TORCH_USE_CUDA_DSA")

    monkeypatch.setattr(torch.cuda, "get_device_properties", lost)

    assert str(_listed("cuda:0").reason).endswith("CUDA error: device is lost")


@pytest.mark.parametrize(
    ("capability", "error", "code", "advice"),
    [
        ((8, 6), torch.OutOfMemoryError("CUDA out of memory."), "card_out_of_memory", "Close other programs"),
        ((8, 6), RuntimeError("CUDA error: out of memory"), "card_out_of_memory", "Close other programs"),
        ((6, 1), RuntimeError("CUDA error: no kernel image is available"), "arch_not_supported", "cu126"),
        ((3, 5), RuntimeError("CUDA error: no kernel image is available"), "arch_not_supported", "processor"),
        ((12, 0), RuntimeError("CUDA error: no kernel image is available"), "arch_not_supported", "cu130"),
        ((8, 6), RuntimeError("CUDA error: no kernel image is available"), "no_kernel_image", "cu130"),
        ((8, 6), RuntimeError("cuDNN error: CUDNN_STATUS_NOT_INITIALIZED"), "self_test_failed", "restart"),
    ],
)
def test_a_card_that_fails_its_self_test_is_listed_with_the_true_reason_and_the_way_out(
    seen_by_torch: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    capability: tuple[int, int],
    error: Exception,
    code: str,
    advice: str,
) -> None:
    monkeypatch.setattr(torch.version, "hip", None)
    seen_by_torch(*capability, failing=error)

    card = _listed("cuda:0")

    assert (card.works, card.code) == (False, code)
    assert RTX.name in str(card.reason)
    assert advice in str(card.next_step)


@pytest.mark.parametrize(("capability", "bf16"), [((7, 5), False), ((8, 0), True), ((9, 0), True)])
def test_bf16_is_offered_only_on_cards_that_do_not_emulate_it(
    seen_by_torch: Callable[..., None], monkeypatch: pytest.MonkeyPatch, capability: tuple[int, int], bf16: bool
) -> None:
    monkeypatch.setattr(torch.version, "hip", None)
    seen_by_torch(*capability)

    card = next(device for device in devices.list_devices(probe=False) if device.kind == "cuda")

    assert card.works
    assert card.memory_mb == 12288
    assert card.compute_capability == f"{capability[0]}.{capability[1]}"
    assert card.precisions == (("fp32", "bf16", "fp16") if bf16 else ("fp32", "fp16"))


def test_a_card_that_comes_later_is_found_without_a_restart(
    no_card: None, seen_by_torch: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = devices.list_devices(probe=False)
    seen_by_torch(8, 6)
    after = devices.list_devices(probe=False)

    assert [device.kind for device in before if device.kind != "mps"] == ["cpu"]
    assert [device.kind for device in after if device.kind != "mps"] == ["cuda", "cpu"]


@pytest.mark.parametrize(
    ("capability", "built_for", "runs"),
    [
        ((8, 6), ["sm_80"], True),  # newer minor version
        ((8, 0), ["sm_86"], False),
        ((9, 0), ["sm_80"], False),  # another major version
        ((9, 0), ["sm_80", "compute_80"], True),  # PTX is translated
        ((7, 5), ["compute_80"], False),
        ((9, 0), ["sm_90a"], True),
        ((10, 3), ["sm_100a"], False),
        ((10, 3), ["sm_100f"], True),
        ((12, 0), ["sm_90", "sm_120"], True),
        ((3, 5), [], True),  # nothing is known
    ],
)
def test_code_runs_on_the_cards_that_nvidias_rules_allow(
    capability: tuple[int, int], built_for: list[str], runs: bool
) -> None:
    assert self_test.arch_supported(capability, built_for) is runs


def test_the_self_test_reports_results_that_are_not_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.nn.functional, "cross_entropy", lambda a, _: (a * float("nan")).sum())

    with pytest.raises(ArithmeticError):
        self_test.run_self_test(torch.device("cpu"))


def test_the_self_test_works_inside_inference_mode() -> None:
    with torch.inference_mode():
        self_test.run_self_test(torch.device("cpu"), torch.bfloat16)


# --- the choice ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("present", "best"), [([CPU, MPS, GPU], "cuda:0"), ([CPU, MPS], "mps"), ([BROKEN, CPU], "cpu"), ([CPU], "cpu")]
)
def test_the_optimal_device_is_a_working_card_then_mps_then_the_cpu(present: list[DeviceInfo], best: str) -> None:
    assert devices.get_optimal_device(present) == torch.device(best)


@pytest.mark.parametrize(
    ("name", "device_id"),
    [
        ("auto", "cuda:0"),
        ("cpu", "cpu"),
        ("cuda", "cuda:0"),
        ("cuda:1", "cuda:1"),
        (" CUDA:1 ", "cuda:1"),
        ("all", "cuda:0"),
    ],
)
def test_a_setting_means_a_device(name: str, device_id: str) -> None:
    assert devices.resolve(name, devices=[GPU, SECOND, CPU]).id == device_id


@pytest.mark.parametrize("name", ["gpu", "", "cuda:", "cuda:x", "cuda0", "cpu:0", "xpu"])
def test_a_misspelt_device_is_wrong_usage_and_says_what_there_is(name: str) -> None:
    with pytest.raises(UsageError, match="Choose auto, cpu, cuda") as caught:
        devices.resolve(name, devices=[CPU])

    assert caught.value.code == "unknown_device"


def test_a_device_that_is_not_there_says_what_can_be_used() -> None:
    with pytest.raises(InputError) as caught:
        devices.resolve("cuda:3", devices=[GPU, CPU])

    assert caught.value.code == "device_unavailable"
    assert (
        str(caught.value) == "The device “cuda:3” cannot be used. This computer has none. Choose one of: cuda:0, cpu."
    )


def test_a_device_that_does_not_work_says_why_and_what_to_do() -> None:
    with pytest.raises(InputError) as caught:
        devices.resolve("cuda", devices=[BROKEN, CPU])

    assert "built without CUDA" in str(caught.value)
    assert "pip install it" in str(caught.value)
    assert caught.value.fields["reason_code"] == "torch_without_cuda"


def test_auto_asks_no_card_where_there_is_no_driver(no_card: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("catdog_gui.engine.devices.listing.sys.platform", "linux")
    monkeypatch.setattr("catdog_gui.engine.devices.listing.Path.exists", lambda _: False)

    def asked() -> bool:
        raise AssertionError("CUDA was loaded")

    monkeypatch.setattr(torch.cuda, "is_available", asked)

    assert devices.resolve("auto").id == "cpu"
    assert devices.resolve("cpu").id == "cpu"


@pytest.mark.parametrize(
    ("device", "precision"),
    [
        (CPU, "fp32"),
        (dataclasses.replace(CPU, precisions=("fp32", "bf16")), "bf16"),
        (GPU, "bf16"),
        (dataclasses.replace(GPU, precisions=("fp32", "fp16")), "fp16"),
        (MPS, "fp32"),
    ],
)
def test_automatic_precision_is_the_fastest_that_is_real(device: DeviceInfo, precision: str) -> None:
    assert devices.choose_precision("auto", device) == precision


def test_a_precision_that_the_device_lacks_names_those_it_has() -> None:
    assert devices.choose_precision("fp16", MPS) == "fp16"
    with pytest.raises(UsageError, match=r"Some CPU does not compute in bf16\. Choose auto or one of: fp32"):
        devices.choose_precision("bf16", CPU)


# --- real cards ------------------------------------------------------------------------------------------------------


@pytest.mark.gpu
def test_a_real_card_passes_and_is_the_optimal_device() -> None:
    card = _listed("cuda:0")

    assert card.works, card.reason
    assert "fp16" in card.precisions
    assert devices.get_optimal_device().type == "cuda"


@pytest.mark.gpu
def test_memory_of_a_real_card_is_counted_and_given_back() -> None:
    devices.free_memory("cuda:0")
    devices.reset_peak("cuda:0")
    before = devices.memory_sample("cuda:0")
    block = torch.zeros(64, 1024, 1024, dtype=torch.uint8, device="cuda:0")
    during = devices.memory_sample("cuda:0")
    del block
    devices.free_memory("cuda:0")
    after = devices.memory_sample("cuda:0")

    assert during.allocated_mb == pytest.approx((before.allocated_mb or 0) + 64, abs=1)
    assert after.allocated_mb == before.allocated_mb
    assert (after.peak_mb or 0) >= (during.allocated_mb or 0)
    assert (during.total_mb or 0) > 1024
