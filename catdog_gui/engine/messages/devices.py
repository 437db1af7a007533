"""Messages about devices: why one cannot be used, and the way out."""

from catdog_gui.engine.messages import Template, mark

MESSAGES: dict[str, Template] = {
    # Why a device does not work
    "torch_without_cuda": mark("{name} cannot be used: the installed PyTorch was built without CUDA."),
    "no_driver": mark("{name} cannot be used: no NVIDIA driver runs it."),
    "driver_too_old": mark("{name} cannot be used: its driver {driver} is too old for this PyTorch (CUDA {cuda})."),
    "arch_not_supported": mark(
        "{name} cannot be used: it has compute capability {capability}, and this PyTorch was built for {built_for}."
    ),
    "no_kernel_image": mark("{name} cannot be used: this PyTorch holds no code that runs on it."),
    "card_out_of_memory": mark("{name} has too little free memory even for a small test."),
    "card_hidden": mark("{name} is hidden from this program: {variable} is set to “{value}”."),
    "self_test_failed": mark("{name} failed its self-test: {text}"),
    # While working
    "device_broken": mark(
        "{device} stopped working ({reason}). The best model so far is kept. Start this program again to use it; the"
        " CPU can be chosen at once."
    ),
    "device_gone": mark(
        "{device} is gone ({reason}): it was removed, or its driver was changed or fell asleep. The best model so far"
        " is kept. Choose another device, or start this program again."
    ),
    # The way out
    "next_install_torch": mark("Close this program, then run: {command}"),
    "next_update_driver_install": mark(
        "Update the NVIDIA driver to version {needed} or newer, then close this program and run: {command}"
    ),
    "next_install_driver": mark("Install the NVIDIA driver for this card, restart the computer, then look again."),
    "next_update_driver": mark("Update the NVIDIA driver to version {needed} or newer, then restart the computer."),
    "next_use_processor": mark("Compute on the processor: no current PyTorch supports this card."),
    "next_free_memory": mark("Close other programs that use the card, then look again."),
    "next_unset_variable": mark("Remove {variable} from your settings and start this program again."),
    "next_restart": mark(
        "Start this program again; if that does not help, restart the computer. Until then use the CPU."
    ),
    # The report about this computer
    "no_card_found": mark("This PyTorch can use NVIDIA cards (CUDA {cuda}), but no NVIDIA driver was found."),
    "next_install_driver_if_card": mark("If there is an NVIDIA card in this computer, install its driver."),
    # A chosen device or precision
    "unknown_device": mark("There is no device called “{device}”. Choose auto, cpu, cuda, cuda:0, cuda:1, … or mps."),
    "no_such_device": mark("This computer has none."),
    "device_unavailable": mark("The device “{device}” cannot be used. {reason} {next_step}"),
    "next_choose_device": mark("Choose one of: {available}."),
    "precision_unsupported": mark("{name} does not compute in {precision}. Choose auto or one of: {available}."),
    # A comparison of devices
    "bench_no_card": mark("No NVIDIA card was found in this computer."),
    "bench_no_card_cpu_build": mark(
        "No NVIDIA card was found in this computer, and the installed PyTorch was built without CUDA."
    ),
    "bench_no_driver": mark("No NVIDIA driver was found. If there is a card in this computer, install its driver."),
    "bench_no_mps": mark("Only Apple's own processors have it."),
    "bench_no_mps_here": mark("The installed PyTorch cannot use this computer's Apple graphics."),
    "bench_no_bf16": mark("{name} has no instructions for bf16; imitating them would be slower than fp32."),
    "bench_no_mixed": mark("{name} passed its self-test in fp32 only."),
    "bench_out_of_memory": mark("{name} has too little free memory for {photos} photos a step."),
    "bench_failed": mark("{name} failed while it was measured: {text}"),
}
